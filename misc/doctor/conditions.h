/* SPDX-License-Identifier: GPL-2.0-only */
/* conditions.h - what holds for a log and its device; stories.c names it */
#ifndef MISC_DOCTOR_CONDITIONS_H
#define MISC_DOCTOR_CONDITIONS_H

#include "doctor.h"

bool state_no_magic(const struct doctor *d);
bool state_super_csum(const struct doctor *d);
bool state_cut_off(const struct doctor *d);
bool state_bad_sector(const struct doctor *d);
bool state_held(const struct doctor *d);
bool state_wrong_ring(const struct doctor *d);
bool state_bad_super(const struct doctor *d);
bool state_bad_start(const struct doctor *d);
bool state_journal_features(const struct doctor *d);
bool state_journal_missing(const struct doctor *d);
bool state_journal_foreign(const struct doctor *d);
bool state_no_journal_super(const struct doctor *d);
bool state_fs_features(const struct doctor *d);
bool state_backup_only(const struct doctor *d);
bool state_bad_groups(const struct doctor *d);
bool state_no_inode(const struct doctor *d);
bool state_no_place(const struct doctor *d);
bool state_unsafe_flag(const struct doctor *d);
bool state_fast_area(const struct doctor *d);
bool state_super_copy(const struct doctor *d);
bool state_false_block(const struct doctor *d);
bool state_bad_commit(const struct doctor *d);
bool state_false_commit(const struct doctor *d);
bool state_bad_control(const struct doctor *d);
bool state_hole(const struct doctor *d);
bool state_bad_copies(const struct doctor *d);
bool state_hidden(const struct doctor *d);
bool state_contradicted(const struct doctor *d);
bool state_replay_loop(const struct doctor *d);
bool state_read_only(const struct doctor *d);
bool state_damaged(const struct doctor *d);
bool state_moving(const struct doctor *d);
bool state_sound_in_use(const struct doctor *d);
bool state_sound_empty(const struct doctor *d);
bool state_fast_stale(const struct doctor *d);
bool state_fast_later(const struct doctor *d);
bool state_fast_unknown(const struct doctor *d);
bool state_fast_unfinished(const struct doctor *d);
bool state_fast_wrapped(const struct doctor *d);
bool state_fast_commits(const struct doctor *d);
bool state_stale(const struct doctor *d);
bool state_discarded(const struct doctor *d);
bool state_has_error(const struct doctor *d);
bool state_replayed(const struct doctor *d);
bool state_at_home(const struct doctor *d);
bool state_counts_users(const struct doctor *d);
bool state_misread(const struct doctor *d);
bool state_refused(const struct doctor *d);
bool state_not_known(const struct doctor *d);
bool state_uuid_too(const struct doctor *d);

#endif
