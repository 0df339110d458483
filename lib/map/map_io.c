/* SPDX-License-Identifier: GPL-2.0-only */
/* map_io.c - the file system's blocks, each from its newest place */
#include "config.h"

#include <string.h>

#include "../log/log.h"
#include "map_io.h"

/* Whole blocks go to the caller at once; a negative count is one of bytes. */
static errcode_t map_read64(io_channel channel, unsigned long long fsblk,
			    int count, void *to)
{
	struct map_io *io = channel->private_data;
	size_t size = channel->block_size;
	size_t left = count < 0 ? (size_t)-(long)count : (size_t)count * size;
	char *at = to;
	errcode_t err = 0;

	for (; !err && left >= size; left -= size, at += size)
		err = e2lazy_read_block(io->journal, io->map, fsblk++, at);
	if (err || !left)
		return err;
	err = e2lazy_read_block(io->journal, io->map, fsblk, io->block);
	if (!err)
		memcpy(at, io->block, left);
	return err;
}

static errcode_t map_read(io_channel channel, unsigned long fsblk, int count,
			  void *to)
{
	return map_read64(channel, fsblk, count, to);
}

static errcode_t map_write(io_channel channel, unsigned long fsblk, int count,
			   const void *from)
{
	(void)channel, (void)fsblk, (void)count, (void)from;
	return EXT2_ET_RO_FILSYS;
}

static errcode_t map_set_blksize(io_channel channel, int blksize)
{
	return blksize == channel->block_size ? 0 : EXT2_ET_INVALID_ARGUMENT;
}

static errcode_t map_flush(io_channel channel)
{
	(void)channel;
	return 0;
}

errcode_t map_io_init(struct map_io *io, struct e2lazy_journal *journal,
		      const struct e2lazy_jmap *map)
{
	memset(io, 0, sizeof(*io));
	io->journal = journal;
	io->map = map;
	io->manager.magic = EXT2_ET_MAGIC_IO_MANAGER;
	io->manager.name = "e2lazy map";
	io->manager.close = map_flush;		/* map_io_free() does that */
	io->manager.set_blksize = map_set_blksize;
	io->manager.read_blk = map_read;
	io->manager.read_blk64 = map_read64;
	io->manager.write_blk = map_write;
	io->manager.flush = map_flush;
	io->channel.magic = EXT2_ET_MAGIC_IO_CHANNEL;
	io->channel.manager = &io->manager;
	io->channel.name = journal->fs->device_name;
	io->channel.block_size = journal->fs->blocksize;
	io->channel.refcount = 1;
	io->channel.private_data = io;
	return io_channel_alloc_buf(journal->fs->io, 1, &io->block);
}

void map_io_free(struct map_io *io)
{
	ext2fs_free_mem(&io->block);
}
