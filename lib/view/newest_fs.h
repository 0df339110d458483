/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_NEWEST_FS_H
#define E2LAZY_NEWEST_FS_H

#include "e2lazy.h"

/*
 * A handle that shares everything with the journal's own but its superblock
 * and descriptors, which are the newest.  It is for libext2fs's arithmetic
 * and accessors only.
 */
struct newest_fs {
	struct struct_ext2_filsys handle;
	struct ext2_super_block super;
	struct opaque_ext2_group_desc *desc;
	unsigned long	room;		/* blocks of @desc */
};

/*
 * Read what the map has of them; NULL for the static ones.  On failure @where
 * tells which block could not be read, or is one descriptor block too many
 * that holds nothing: E2LAZY_ET_GROUPS.
 */
errcode_t newest_fs_init(struct newest_fs *newest,
			 struct e2lazy_journal *journal,
			 const struct e2lazy_jmap *map,
			 struct e2lazy_where *where);
void newest_fs_free(struct newest_fs *newest);

#endif
