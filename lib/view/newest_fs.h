/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_NEWEST_FS_H
#define E2LAZY_NEWEST_FS_H

#include "e2lazy.h"

/*
 * A handle with the newest superblock and descriptors; it shares everything
 * else with the journal's own handle.  Use it for libext2fs's arithmetic and
 * accessors only.
 */
struct newest_fs {
	struct struct_ext2_filsys handle;
	struct ext2_super_block super;
	struct opaque_ext2_group_desc *desc;
	unsigned long	room;		/* blocks of @desc */
};

/*
 * Fill @newest from @map; NULL: from the static blocks only.  On failure @where
 * has the block that could not be read, or at which too many descriptor blocks
 * are empty (E2LAZY_ET_GROUPS).
 */
errcode_t newest_fs_init(struct newest_fs *newest,
			 struct e2lazy_journal *journal,
			 const struct e2lazy_jmap *map,
			 struct e2lazy_where *where);
void newest_fs_free(struct newest_fs *newest);

#endif
