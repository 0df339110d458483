/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * profile.c - layouts that suit a kind of drive
 *
 * Scattered blocks of metadata are expensive on a shingled drive.  So a
 * profile keeps tables together, makes only as many inodes as files will need,
 * and lets mke2fs write them all at once instead of the kernel over weeks.
 */
#include <string.h>

#include "profile.h"
#include "support/nls.h"

/* Otherwise the kernel zeroes tables and journal later, one group at a time. */
#define NOTHING_LATER \
	{ "lazy_itable_init", "0" }, \
	{ "lazy_journal_init", "0" }

/*
 * Only data follows the tables; the one superblock copy is next to the first.
 */
#define PACKED \
	{ "features", "sparse_super2,^resize_inode" }, \
	{ "num_backup_sb", "1" }, \
	{ "packed_meta_blocks", "1" }

static const struct profile_relation cmr[] = {
	{ "lazy_journal_init", "0" },
	{ NULL }
};

static const struct profile_relation smr_dm[] = {
	{ "flex_bg_size", "256" },
	NOTHING_LATER,
	{ NULL }
};

/*
 * Orlov's allocator leaves a flex group for the next when it has a directory for
 * each sixteenth inode of it.  So with few inodes in a group, small flex groups
 * spread directories, and the bitmaps they need, over the whole disk.
 */
static const struct profile_relation smr_dm_archive[] = {
	{ "flex_bg_size", "4096" },
	{ "inode_ratio", "1048576" },
	NOTHING_LATER,
	{ NULL }
};

static const struct profile_relation smr_dm_packed[] = {
	PACKED,
	{ "flex_bg_size", "4096" },
	{ "inode_ratio", "1048576" },
	NOTHING_LATER,
	{ NULL }
};

/*
 * As good as packed, and mke2fs can begin the journal at a zone.  With more
 * groups mke2fs takes minutes to place them.
 */
static const struct profile_relation smr_zoned[] = {
	{ "features", "sparse_super2,^resize_inode" },
	{ "num_backup_sb", "1" },
	{ "flex_bg_size", "4096" },
	NOTHING_LATER,
	{ NULL }
};

const struct profile profiles[] = {
	{ "cmr", "cmr",
	  N_("the layout of mke2fs, for drives that write in place"),
	  N_("can be resized while mounted"), cmr },
	{ "smr-dm", "dm-smr",
	  N_("tables of 256 groups together, for drive-managed shingled disks"),
	  N_("can be resized while mounted; mke2fs takes longer, for it writes "
	     "all inode tables"), smr_dm },
	{ "smr-dm-archive", "dm-smr",
	  N_("tables of 4096 groups together, an inode for each MiB, for "
	     "large files"),
	  N_("can be resized while mounted; room for fewer files, which "
	     "cannot grow later"), smr_dm_archive },
	{ "smr-dm-packed", "dm-smr",
	  N_("all tables and the journal at the front, an inode for each MiB, "
	     "flex groups of 4096"),
	  N_("cannot be resized while mounted; one backup superblock, near "
	     "the first; room for fewer files"), smr_dm_packed },
	{ "smr-zoned", "zoned",
	  N_("tables of 4096 groups together and a journal of whole zones, for "
	     "zones that accept writes anywhere"),
	  N_("cannot be resized while mounted; one backup superblock, near "
	     "the first"), smr_zoned },
	{ NULL }
};

const struct profile *profile_find(const char *name)
{
	for (const struct profile *p = profiles; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

const char *profile_value(const struct profile *profile, const char *relation)
{
	const struct profile_relation *r = profile->relations;

	for (; r->name; r++)
		if (!strcmp(r->name, relation))
			return r->value;
	return NULL;
}
