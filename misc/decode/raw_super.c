/* SPDX-License-Identifier: GPL-2.0-only */
/* raw_super.c - the superblock in place, of a device that need not open */
#include <fcntl.h>
#include <unistd.h>

#include "raw_super.h"

bool raw_super_read(const char *device, uint64_t offset,
		    struct ext2_super_block *sb)
{
	int fd = open(device, O_RDONLY | O_CLOEXEC);
	bool whole;

	if (fd < 0)
		return false;
	whole = pread(fd, sb, sizeof(*sb),
		      (off_t)(offset + SUPERBLOCK_OFFSET)) == sizeof(*sb);
	close(fd);
#ifdef WORDS_BIGENDIAN
	if (whole)
		ext2fs_swap_super(sb);
#endif
	return whole;
}
