/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * profile.h - layouts that suit a kind of drive
 *
 * A profile is a stanza for mke2fs.conf(5): its relations decide the layout,
 * and the plan reads the same relations.  The installed file,
 * mke2lazy-profiles, has them with explanations; a test compares the two.
 */
#ifndef MISC_MAKE_PROFILE_H
#define MISC_MAKE_PROFILE_H

#include <stdint.h>

#include "e2lazy_drive.h"

struct profile_relation {
	const char	*name;		/* as in mke2fs.conf(5) */
	const char	*value;
};

struct profile {
	const char	*name;		/* also of the stanza */
	const char	*types;		/* for mke2fs -T, behind the size's */
	const char	*drive;		/* for which it is: "cmr", "dm-smr",
					   "zoned" */
	const char	*text;		/* description, not yet translated */
	const char	*means;		/* consequences, likewise */
	const struct profile_relation *relations;	/* ends with NULL */
};

/* The last name is NULL; the default profile of a drive comes first. */
extern const struct profile profiles[];

/* Find a profile by name; NULL: there is none. */
const struct profile *profile_find(const char *name);
/*
 * Returns the stanza as text for [fs_types] of mke2fs.conf, to be freed; NULL:
 * out of memory.
 */
char *profile_stanza(const struct profile *profile);
/*
 * Apply the stanza to @plan, which holds mke2fs's defaults: flex_groups,
 * inode_ratio, resize_blocks, sparse_super2, backups, packed.
 */
void profile_plan(const struct profile *profile, struct e2lazy_fs_plan *plan);

#endif
