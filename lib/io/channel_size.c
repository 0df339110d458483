/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* channel_size.c - the size of a device that is known by its channel only */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "channel_size.h"

/* A bad sector is part of the device, too. */
static bool is_there(io_channel channel, blk64_t block, void *buf)
{
	errcode_t err = io_channel_read_blk64(channel, block, 1, buf);

	return !err || err == EIO;
}

errcode_t channel_size(io_channel channel, uint64_t *bytes)
{
	blk64_t there = 0, end = INT64_MAX / (unsigned)channel->block_size;
	void *buf = NULL;
	errcode_t err = io_channel_alloc_buf(channel, 1, &buf);

	if (err)
		return err;
	/* All blocks before @there exist; no block from @end on does. */
	while (there < end) {
		blk64_t middle = there + (end - there) / 2;

		if (is_there(channel, middle, buf))
			there = middle + 1;
		else
			end = middle;
	}
	ext2fs_free_mem(&buf);
	*bytes = there * (unsigned)channel->block_size;
	return 0;
}
