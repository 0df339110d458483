/* SPDX-License-Identifier: GPL-2.0-only */
/* conditions.h - what holds for a log and its devices, by the facts alone */
#ifndef MISC_STATES_CONDITIONS_H
#define MISC_STATES_CONDITIONS_H

#include "facts.h"

/* Of the file system and the devices. */
bool is_moving(const struct facts *f);
bool is_held(const struct facts *f);
bool has_lost_mmp(const struct facts *f);
bool has_no_mmp_block(const struct facts *f);
bool has_unknown_ro_feature(const struct facts *f);
bool is_read_only(const struct facts *f);
bool has_unknown_features(const struct facts *f);
bool has_no_super(const struct facts *f);
bool has_no_journal(const struct facts *f);
bool is_copy_with_gaps(const struct facts *f);
bool has_noted_errors(const struct facts *f);
bool is_scrambled(const struct facts *f);
bool has_bad_super(const struct facts *f);
bool has_backup_only(const struct facts *f);
bool has_foreign_super(const struct facts *f);
bool has_wrong_super(const struct facts *f);
bool has_backup_without_inode(const struct facts *f);
bool hides_journal(const struct facts *f);
bool has_bad_revision(const struct facts *f);
bool has_corrupt_super(const struct facts *f);
bool lacks_inode(const struct facts *f);
bool has_bad_group_csum(const struct facts *f);
bool has_blocks_twice(const struct facts *f);
bool has_bad_metadata(const struct facts *f);
bool has_bad_groups(const struct facts *f);
bool is_cut_short(const struct facts *f);
bool lacks_end(const struct facts *f);
bool has_new_journal(const struct facts *f);
bool has_emptied_journal(const struct facts *f);
bool has_bad_sector(const struct facts *f);
bool lacks_journal(const struct facts *f);
bool has_several_journals(const struct facts *f);
bool is_refused(const struct facts *f);
bool is_not_known(const struct facts *f);
/* Of the journal. */
bool declares_few(const struct facts *f);
bool has_lost_inode(const struct facts *f);
bool has_lost_map(const struct facts *f);
bool has_backup_of_blocks(const struct facts *f);
bool has_bad_inode_csum(const struct facts *f);
bool has_unsafe_flag(const struct facts *f);
bool has_fast_area(const struct facts *f);
bool counts_users(const struct facts *f);
bool is_misread(const struct facts *f);
/* Of the log. */
bool ends_by_leftover_block(const struct facts *f);
bool ends_by_leftover_commit(const struct facts *f);
bool ends_by_bad_block(const struct facts *f);
bool ends_by_bad_commit(const struct facts *f);
bool ends_by_type(const struct facts *f);
bool ends_by_hole(const struct facts *f);
bool has_strays(const struct facts *f);
bool is_contradicted(const struct facts *f);
bool was_replayed(const struct facts *f);
bool is_damaged(const struct facts *f);
bool is_sound(const struct facts *f);
bool is_empty(const struct facts *f);

#endif
