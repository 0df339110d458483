/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_time.h - the change time of an inode as it is on the disk */
#ifndef E2LAZY_INODE_TIME_H
#define E2LAZY_INODE_TIME_H

#include <stddef.h>

#include "fs/inode_life.h"

#define INODE_SECOND	1000000000	/* nanoseconds */

/* In nsec the field as it is on the disk, even if it is more than a second. */
static inline struct e2lazy_time
inode_change_time(const struct ext2_inode_large *inode, bool large)
{
	uint32_t extra = 0;

	if (large && ext2fs_le16_to_cpu(inode->i_extra_isize) >=
		     offsetof(struct ext2_inode_large, i_mtime_extra) -
		     EXT2_GOOD_OLD_INODE_SIZE)
		extra = ext2fs_le32_to_cpu(inode->i_ctime_extra);
	return (struct e2lazy_time){
		.sec = inode_seconds(ext2fs_le32_to_cpu(inode->i_ctime),
					extra),
		.nsec = extra >> EXT4_EPOCH_BITS,
	};
}

/* Some tools write none, and an inode of 128 bytes has none. */
static inline bool has_nanoseconds(struct e2lazy_time time)
{
	return time.nsec && time.nsec < INODE_SECOND;
}

/*
 * Was @a changed later than @b?  Within a second only nanoseconds of both prove
 * that.
 */
static inline bool inode_changed_later(const struct ext2_inode_large *a,
				       const struct ext2_inode_large *b,
				       bool large)
{
	struct e2lazy_time x = inode_change_time(a, large);
	struct e2lazy_time y = inode_change_time(b, large);

	if (x.sec != y.sec)
		return x.sec > y.sec;
	return has_nanoseconds(x) && has_nanoseconds(y) &&
	       x.nsec > y.nsec;
}

#endif
