/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* view_io.c - a view as an io_manager, so that libext2fs can read it */

#include <stdlib.h>
#include <string.h>

#include "log/log.h"
#include "io/pread_io.h"
#include "fs/inode_search.h"
#include "view.h"

struct view_channel {
	struct e2lazy_view *view;
	bool		failed;		/* the last read did, at @where */
	struct e2lazy_where where;
	struct struct_io_stats stats;
};

/*
 * ext2fs_open2() hands a manager no more than a name.  What view is meant goes
 * past it on the side, for the length of that call and in this thread only.
 */
static _Thread_local struct e2lazy_view *view_to_open;

static struct struct_io_manager view_table;

static errcode_t view_io_open(const char *name, int flags, io_channel *out)
{
	struct e2lazy_view *view = view_to_open;
	struct view_channel *data;
	io_channel channel;

	if (flags & IO_FLAG_RW)
		return EXT2_ET_RO_FILSYS;
	if (!view)
		return EXT2_ET_INVALID_ARGUMENT;
	channel = calloc(1, sizeof(*channel));
	data = calloc(1, sizeof(*data));
	if (channel)
		channel->name = strdup(name);
	if (!channel || !data || !channel->name) {
		if (channel)
			free(channel->name);
		free(channel);
		free(data);
		return EXT2_ET_NO_MEMORY;
	}
	data->view = view;
	data->stats.num_fields = 2;
	channel->magic = EXT2_ET_MAGIC_IO_CHANNEL;
	channel->manager = &view_table;
	channel->block_size = 1024;
	channel->refcount = 1;
	channel->align = view->volumes[E2LAZY_FILE_SYSTEM].io->align;
	channel->flags = view->volumes[E2LAZY_FILE_SYSTEM].io->flags &
			 CHANNEL_FLAGS_BLOCK_DEVICE;
	channel->private_data = data;
	*out = channel;
	return 0;
}

static errcode_t view_io_close(io_channel channel)
{
	if (--channel->refcount > 0)
		return 0;
	free(channel->private_data);
	free(channel->name);
	free(channel);
	return 0;
}

static errcode_t view_io_set_blksize(io_channel channel, int blksize)
{
	channel->block_size = blksize;
	return 0;
}

/* A negative count is one of bytes; @block counts in the current size. */
static errcode_t view_io_read64(io_channel channel, unsigned long long block,
				int count, void *buf)
{
	struct view_channel *data = channel->private_data;
	size_t bytes = count < 0 ? (size_t)-(long)count :
				   (size_t)count * channel->block_size;
	errcode_t err;

	data->failed = false;
	if (view_is_stopped(data->view))
		return E2LAZY_ET_CANCELLED;
	if (block > (UINT64_MAX - bytes) / channel->block_size)
		return EXT2_ET_SHORT_READ;
	err = e2lazy_view_read(data->view, E2LAZY_FILE_SYSTEM,
			       block * channel->block_size, bytes, buf,
			       &data->where);
	data->failed = err != 0;
	if (!err)
		data->stats.bytes_read += bytes;
	return err;
}

static errcode_t view_io_read(io_channel channel, unsigned long block,
			      int count, void *buf)
{
	return view_io_read64(channel, block, count, buf);
}

static errcode_t view_io_stats(io_channel channel, io_stats *stats)
{
	struct view_channel *data = channel->private_data;

	if (stats)
		*stats = &data->stats;
	return 0;
}

static struct struct_io_manager view_table = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "e2lazy view I/O manager",
	.open		= view_io_open,
	.close		= view_io_close,
	.set_blksize	= view_io_set_blksize,
	.read_blk	= view_io_read,
	.read_blk64	= view_io_read64,
	.write_blk	= refuse_write,
	.write_blk64	= refuse_write64,
	.flush		= nothing_to_flush,
	.get_stats	= view_io_stats,
};

errcode_t e2lazy_view_open(struct e2lazy_view *view, ext2_filsys *out,
			   struct e2lazy_where *where)
{
	struct e2lazy_device whole = view->journal->device;
	errcode_t err;

	if (where) {
		memset(where, 0, sizeof(*where));
		copy_device_name(where->device, whole.name);
	}
	whole.offset = 0;	/* a view begins with the file system */
	view_to_open = view;
	err = device_open_fs(&whole, EXT2_FLAG_64BITS |
			     EXT2_FLAG_SOFTSUPP_FEATURES | EXT2_FLAG_SKIP_MMP |
			     EXT2_FLAG_NOFREE_ON_ERROR, 0, 0, &view_table,
			     out);
	view_to_open = NULL;
	if (!err)
		return 0;
	if (*out) {
		if (where && (*out)->io && e2lazy_view_failed(*out))
			*where = *e2lazy_view_failed(*out);
		ext2fs_free(*out);
		*out = NULL;
	}
	return err;
}

/* An inode table of an image can be declared, and be nowhere on a disk. */
uint32_t e2lazy_empty_inodes(ext2_filsys fs, ext2_ino_t ino, uint32_t count)
{
	uint32_t size = EXT2_INODE_SIZE(fs->super);
	uint32_t per_block = fs->blocksize / size;
	const struct view_channel *data = fs->io->private_data;
	blk64_t home, empty;

	if (fs->io->manager != &view_table ||
	    (ino - 1) % fs->super->s_inodes_per_group % per_block)
		return 0;
	home = inode_home(fs, ino);
	if (!home || home >= ext2fs_blocks_count(fs->super))
		return 0;
	empty = view_hole(data->view, home,
			  ((uint64_t)count + per_block - 1) / per_block);
	return empty * per_block < count ? (uint32_t)empty * per_block : count;
}

void e2lazy_view_stop(struct e2lazy_view *view, bool (*stop)(void *priv),
		      void *priv)
{
	view->stop = stop;
	view->stop_priv = priv;
}

const struct e2lazy_where *e2lazy_view_failed(ext2_filsys fs)
{
	const struct view_channel *data;

	if (!fs->io || fs->io->manager != &view_table)
		return NULL;
	data = fs->io->private_data;
	return data->failed ? &data->where : NULL;
}
