/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_time.h - the change time of an inode as it stands on the disk */
#ifndef E2LAZY_INODE_TIME_H
#define E2LAZY_INODE_TIME_H

#include <stddef.h>

#include "fs/inode_life.h"

/* In seconds, because some tools write no nanoseconds. */
static inline int64_t inode_change_time(const struct ext2_inode_large *inode,
					bool large)
{
	uint32_t extra = 0;

	if (large && ext2fs_le16_to_cpu(inode->i_extra_isize) >=
		     offsetof(struct ext2_inode_large, i_mtime_extra) -
		     EXT2_GOOD_OLD_INODE_SIZE)
		extra = ext2fs_le32_to_cpu(inode->i_ctime_extra);
	return inode_seconds(ext2fs_le32_to_cpu(inode->i_ctime), extra);
}

#endif
