/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * scratch_io.c - an io_manager for a device in memory
 *
 * A plan makes a few directories and a journal without a device.  libext2fs
 * reads the blocks that it has written; no other block takes memory.
 */

#include <stdlib.h>
#include <string.h>

#include "io/io_stub.h"
#include "regions.h"

#define BUCKETS	1024

struct page {
	struct page	*next;
	uint64_t	block;
	char		bytes[];
};

struct scratch {
	struct page	*buckets[BUCKETS];
	bool		used;		/* the block size is fixed */
};

static struct struct_io_manager scratch_table;
io_manager const scratch_io_manager = &scratch_table;

static struct page **slot(struct scratch *s, uint64_t block)
{
	struct page **p = &s->buckets[block % BUCKETS];

	while (*p && (*p)->block != block)
		p = &(*p)->next;
	return p;
}

static errcode_t scratch_open(const char *name, int flags, io_channel *out)
{
	(void)flags;
	return io_stub_open(scratch_io_manager, name, sizeof(struct scratch),
			    out);
}

static void free_pages(struct scratch *s)
{
	for (unsigned i = 0; i < BUCKETS; i++) {
		struct page *p = s->buckets[i], *next;

		for (; p; p = next) {
			next = p->next;
			free(p);
		}
	}
}

static errcode_t scratch_close(io_channel channel)
{
	if (io_stub_is_last(channel))
		free_pages(channel->private_data);
	return io_stub_close(channel);
}

static errcode_t scratch_set_blksize(io_channel channel, int blksize)
{
	struct scratch *s = channel->private_data;

	if (s->used && blksize != channel->block_size)
		return EXT2_ET_UNIMPLEMENTED;
	channel->block_size = blksize;
	return 0;
}

static errcode_t scratch_read64(io_channel channel, unsigned long long block,
				int count, void *buf)
{
	size_t size = channel->block_size, left = io_stub_bytes(channel, count), n;
	char *to = buf;

	for (; left; left -= n, to += n) {
		struct page *p = *slot(channel->private_data, block++);

		n = left < size ? left : size;
		if (p)
			memcpy(to, p->bytes, n);
		else
			memset(to, 0, n);
	}
	return 0;
}

static errcode_t scratch_write64(io_channel channel, unsigned long long block,
				 int count, const void *buf)
{
	size_t size = channel->block_size, left = io_stub_bytes(channel, count), n;
	struct scratch *s = channel->private_data;
	const char *from = buf;

	s->used = true;
	for (; left; left -= n, from += n, block++) {
		struct page **p = slot(s, block);

		n = left < size ? left : size;
		if (!*p) {
			*p = calloc(1, sizeof(**p) + size);
			if (!*p)
				return EXT2_ET_NO_MEMORY;
			(*p)->block = block;
		}
		memcpy((*p)->bytes, from, n);
	}
	return 0;
}

static struct struct_io_manager scratch_table = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "scratch",
	.open		= scratch_open,
	.close		= scratch_close,
	.set_blksize	= scratch_set_blksize,
	.read_blk	= io_stub_read,
	.write_blk	= io_stub_write,
	.flush		= io_stub_flush,
	.read_blk64	= scratch_read64,
	.write_blk64	= scratch_write64,
};
