/* SPDX-License-Identifier: GPL-2.0-only */
/* hazard.h - what info sees of a log; rows of the table of states name it */
#ifndef MISC_FACTS_HAZARD_H
#define MISC_FACTS_HAZARD_H

#include "info.h"

bool wiped_on_mount(const struct info *i);
bool lost_inode(const struct info *i);
bool fast_commits_valid(const struct info *i);
bool fast_commit_wrapped(const struct info *i);
bool fast_commit_live(const struct info *i);
bool has_damage(const struct info *i);
bool has_errno(const struct info *i);
bool is_mounted(const struct info *i);
bool is_full(const struct info *i);
bool is_crowded(const struct info *i);
bool has_torn(const struct info *i);
bool has_tail(const struct info *i);
bool recovery_of_nothing(const struct info *i);
bool has_live_copies(const struct info *i);
bool emptied_by_tools(const struct info *i);
bool is_short(const struct info *i);

#endif
