/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* io_stub.c - the calls that all our io_managers share */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "io_stub.h"

struct stub {
	struct struct_io_channel channel;
	_Alignas(max_align_t) char data[];
};

errcode_t io_stub_open(io_manager manager, const char *name, size_t size,
		       io_channel *out)
{
	struct stub *stub = calloc(1, sizeof(*stub) + size);
	io_channel channel;

	if (!stub)
		return EXT2_ET_NO_MEMORY;
	channel = &stub->channel;
	channel->name = strdup(name);
	if (!channel->name) {
		free(stub);
		return EXT2_ET_NO_MEMORY;
	}
	channel->magic = EXT2_ET_MAGIC_IO_CHANNEL;
	channel->manager = manager;
	channel->block_size = EXT2_MIN_BLOCK_SIZE;
	channel->refcount = 1;
	channel->private_data = stub->data;
	*out = channel;
	return 0;
}

errcode_t io_stub_close(io_channel channel)
{
	if (--channel->refcount > 0)
		return 0;
	free(channel->name);
	free(channel);		/* the first member of struct stub */
	return 0;
}

errcode_t io_stub_set_blksize(io_channel channel, int blksize)
{
	channel->block_size = blksize;
	return 0;
}

errcode_t io_stub_read(io_channel channel, unsigned long block, int count,
		       void *buf)
{
	return channel->manager->read_blk64(channel, block, count, buf);
}

errcode_t io_stub_write(io_channel channel, unsigned long block, int count,
			const void *buf)
{
	return channel->manager->write_blk64(channel, block, count, buf);
}

errcode_t io_stub_refuse(io_channel channel, unsigned long block, int count,
			 const void *buf)
{
	(void)channel, (void)block, (void)count, (void)buf;
	return EXT2_ET_RO_FILSYS;
}

errcode_t io_stub_refuse64(io_channel channel, unsigned long long block,
			   int count, const void *buf)
{
	(void)channel, (void)block, (void)count, (void)buf;
	return EXT2_ET_RO_FILSYS;
}

errcode_t io_stub_flush(io_channel channel)
{
	(void)channel;
	return 0;
}

errcode_t io_stub_stats(io_channel channel, io_stats *stats)
{
	if (stats)
		*stats = channel->private_data;
	return 0;
}
