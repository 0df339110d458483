/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inode_life.c - the fields of an inode as on the disk */

#include <string.h>

#include "inode_life.h"

void inode_take(ext2_filsys fs, const void *raw, struct ext2_inode_large *out)
{
	size_t size = EXT2_INODE_SIZE(fs->super);

	memset(out, 0, sizeof(*out));
	memcpy(out, raw, size < sizeof(*out) ? size : sizeof(*out));
#ifdef WORDS_BIGENDIAN
	ext2fs_swap_inode_full(fs, out, (struct ext2_inode_large *)raw, 0,
			       size < sizeof(*out) ? (int)size :
			       (int)sizeof(*out));
#endif
	/* Bytes behind i_extra_isize are attributes, not fields. */
	if (size <= EXT2_GOOD_OLD_INODE_SIZE)
		return;
	size = EXT2_GOOD_OLD_INODE_SIZE + (size_t)out->i_extra_isize;
	if (size < sizeof(*out))
		memset((char *)out + size, 0, sizeof(*out) - size);
}

void inode_take_first(ext2_filsys fs, const void *raw, size_t bytes,
		      struct ext2_inode_large *out)
{
	uint8_t whole[sizeof(*out)] = { 0 };

	memcpy(whole, raw, bytes < sizeof(whole) ? bytes : sizeof(whole));
	inode_take(fs, whole, out);
}

struct e2lazy_time inode_time(uint32_t field, uint32_t extra)
{
	struct e2lazy_time time = {
		.sec = inode_seconds(field, extra),
		.nsec = (extra >> EXT4_EPOCH_BITS) % 1000000000,
	};

	return time;
}
