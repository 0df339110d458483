/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_time.h - the change time of an inode as it is on the disk */
#ifndef E2LAZY_INODE_TIME_H
#define E2LAZY_INODE_TIME_H

#include <stddef.h>

#include "fs/inode_life.h"

#define INODE_SECOND	1000000000	/* nanoseconds */

/* In tv_nsec the field as it is on the disk, even if it is more than a second. */
static inline struct timespec
inode_change_time(const struct ext2_inode_large *inode, bool large)
{
	uint32_t extra = 0;

	if (large && ext2fs_le16_to_cpu(inode->i_extra_isize) >=
		     offsetof(struct ext2_inode_large, i_mtime_extra) -
		     EXT2_GOOD_OLD_INODE_SIZE)
		extra = ext2fs_le32_to_cpu(inode->i_ctime_extra);
	return (struct timespec){
		.tv_sec = inode_seconds(ext2fs_le32_to_cpu(inode->i_ctime),
					extra),
		.tv_nsec = extra >> EXT4_EPOCH_BITS,
	};
}

/* Some tools write none, and an inode of 128 bytes has none. */
static inline bool has_nanoseconds(struct timespec time)
{
	return time.tv_nsec && time.tv_nsec < INODE_SECOND;
}

/*
 * Was @a changed later than @b?  Within a second only nanoseconds of both prove
 * that.
 */
static inline bool inode_changed_later(const struct ext2_inode_large *a,
				       const struct ext2_inode_large *b,
				       bool large)
{
	struct timespec x = inode_change_time(a, large);
	struct timespec y = inode_change_time(b, large);

	if (x.tv_sec != y.tv_sec)
		return x.tv_sec > y.tv_sec;
	return has_nanoseconds(x) && has_nanoseconds(y) &&
	       x.tv_nsec > y.tv_nsec;
}

#endif
