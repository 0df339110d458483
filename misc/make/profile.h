/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * profile.h - layouts that suit a kind of drive
 *
 * A profile is a stanza for mke2fs.conf(5): its relations decide the layout,
 * and what is planned is read from the same relations.  The file that is
 * installed, mke2lazy-profiles, has them with explanations; a test holds the
 * two together.
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
	const char	*name;		/* of the stanza, too */
	const char	*types;		/* for mke2fs -T, behind the size's */
	const char	*drive;		/* for which it is: "cmr", "dm-smr",
					   "zoned" */
	const char	*text;		/* what it is, not yet translated */
	const char	*means;		/* what follows from it, likewise */
	const struct profile_relation *relations;	/* ends with NULL */
};

/* Ends with a name of NULL; of those for one drive the usual comes first. */
extern const struct profile profiles[];

/* NULL: there is none of that name. */
const struct profile *profile_find(const char *name);
/* What the stanza says of a relation; NULL: nothing. */
const char *profile_value(const struct profile *profile, const char *relation);
/*
 * The stanza as it stands in [fs_types] of mke2fs.conf, to be freed; NULL: out
 * of memory.
 */
char *profile_stanza(const struct profile *profile);
/*
 * Let the stanza change @plan, which has what mke2fs would do without it:
 * flex_groups, inode_ratio, resize_blocks, sparse_super2, backups, packed.
 */
void profile_plan(const struct profile *profile, struct e2lazy_fs_plan *plan);

#endif
