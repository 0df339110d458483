/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* block_source.c - a source of blocks as an io_manager */

#include <stdlib.h>
#include <string.h>

#include "block_source.h"
#include "io/io_stub.h"

struct source_channel {
	struct struct_io_stats stats;	/* first: see io_stub_stats() */
	struct block_source source;
	bool		failed;		/* the last read failed at @where */
	struct e2lazy_where where;
};

/*
 * ext2fs_open2() gives a manager only a name.  This variable carries the
 * source past it, during that call and in this thread only.
 */
static _Thread_local const struct block_source *source_to_open;

static struct struct_io_manager source_table;

static errcode_t source_open(const char *name, int flags, io_channel *out)
{
	const struct block_source *source = source_to_open;
	struct source_channel *data;
	errcode_t err;

	if (flags & IO_FLAG_RW)
		return EXT2_ET_RO_FILSYS;
	if (!source)
		return EXT2_ET_INVALID_ARGUMENT;
	err = io_stub_open(&source_table, name, sizeof(*data), out);
	if (err)
		return err;
	data = (*out)->private_data;
	data->source = *source;
	data->stats.num_fields = 2;
	(*out)->align = source->like->align;
	(*out)->flags = source->like->flags & CHANNEL_FLAGS_BLOCK_DEVICE;
	return 0;
}

static errcode_t source_read64(io_channel channel, unsigned long long block,
				int count, void *buf)
{
	struct source_channel *data = channel->private_data;
	const struct block_source *source = &data->source;
	size_t bytes = io_stub_bytes(channel, count);
	errcode_t err;

	data->failed = false;
	if (source->stopped(source->priv))
		return E2LAZY_ET_CANCELLED;
	if (block > (UINT64_MAX - bytes) / channel->block_size)
		return EXT2_ET_SHORT_READ;
	err = source->read(source->priv, block * channel->block_size, bytes,
			   buf, &data->where);
	data->failed = err != 0;
	if (!err)
		data->stats.bytes_read += bytes;
	return err;
}

static errcode_t source_readahead(io_channel channel, unsigned long long block,
				  unsigned long long count)
{
	const struct source_channel *data = channel->private_data;
	const struct block_source *source = &data->source;

	if (!source->ahead)
		return EXT2_ET_OP_NOT_SUPPORTED;
	source->ahead(source->priv, block, count);
	return 0;
}

static struct struct_io_manager source_table = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "e2lazy I/O manager",
	.open		= source_open,
	.close		= io_stub_close,
	.set_blksize	= io_stub_set_blksize,
	.read_blk	= io_stub_read,
	.read_blk64	= source_read64,
	.write_blk	= io_stub_refuse,
	.write_blk64	= io_stub_refuse64,
	.flush		= io_stub_flush,
	.get_stats	= io_stub_stats,
	.cache_readahead = source_readahead,
};

errcode_t block_source_open(const struct block_source *source,
			    const struct e2lazy_device *device,
			    ext2_filsys *out, struct e2lazy_where *where)
{
	struct e2lazy_device whole = *device;
	errcode_t err;

	if (where)
		memset(where, 0, sizeof(*where));
	whole.offset = 0;	/* offset 0 of a source is the file system's */
	source_to_open = source;
	err = device_open_fs(&whole, EXT2_FLAG_64BITS |
			     EXT2_FLAG_SOFTSUPP_FEATURES | EXT2_FLAG_SKIP_MMP |
			     EXT2_FLAG_NOFREE_ON_ERROR, 0, 0, &source_table,
			     out);
	source_to_open = NULL;
	if (!err)
		return 0;
	if (*out) {
		if (where && (*out)->io && block_source_failed(*out))
			*where = *block_source_failed(*out);
		ext2fs_free(*out);
		*out = NULL;
	}
	return err;
}

blk64_t block_source_hole(ext2_filsys fs, blk64_t fsblk, blk64_t count)
{
	const struct source_channel *data = fs->io->private_data;

	if (fs->io->manager != &source_table)
		return 0;
	return data->source.hole(data->source.priv, fsblk, count);
}

const struct e2lazy_where *block_source_failed(ext2_filsys fs)
{
	const struct source_channel *data;

	if (!fs->io || fs->io->manager != &source_table)
		return NULL;
	data = fs->io->private_data;
	return data->failed ? &data->where : NULL;
}
