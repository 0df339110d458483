/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * contents.c - the contents of a file
 */
#include <stdlib.h>
#include <string.h>

#include "contents.h"
#include "support/status.h"

/* Bytes of one read, where blocks lie side by side. */
#define READ_BYTES	(1 << 20)

struct reading {
	ext2_filsys	fs;
	const struct sink *sink;
	uint64_t	size;		/* bytes of the file */
	uint64_t	next;		/* lowest block that may come next */
	char		*buffer;	/* of @room blocks */
	unsigned	room;
};

static bool in_file_system(ext2_filsys fs, blk64_t start, uint64_t count)
{
	blk64_t blocks = ext2fs_blocks_count(fs->super);

	return start >= fs->super->s_first_data_block && start < blocks &&
	       count <= blocks - start;
}

/* @count file blocks from @lblk on lie at @start. */
static errcode_t read_run(struct reading *r, uint64_t lblk, blk64_t start,
			  uint64_t count)
{
	unsigned blocksize = r->fs->blocksize, n;
	uint64_t offset, left;
	errcode_t err;

	if (lblk < r->next)
		return EXT2_ET_EXTENT_LEAF_BAD;
	r->next = lblk + count;
	if (!in_file_system(r->fs, start, count))
		return EXT2_ET_BAD_BLOCK_NUM;
	for (; count; lblk += n, start += n, count -= n) {
		offset = lblk * blocksize;
		if (offset >= r->size)
			return 0;	/* blocks allocated beyond the end */
		if (cancelled())
			return E2LAZY_ET_CANCELLED;
		n = count < r->room ? count : r->room;
		if ((uint64_t)n * blocksize > *r->sink->budget)
			return E2LAZY_ET_BUDGET;
		err = io_channel_read_blk64(r->fs->io, start, n, r->buffer);
		if (err && n > 1) {	/* the entries before it are good */
			r->room = 1;
			n = 0;
			continue;
		}
		*r->sink->budget -= (uint64_t)n * blocksize;
		left = r->size - offset;
		if (left > (uint64_t)n * blocksize)
			left = (uint64_t)n * blocksize;
		if (!err)
			err = r->sink->put(r->sink->priv, offset, r->buffer,
					   left);
		if (err)
			return err;
	}
	return 0;
}

/*
 * The walk ends at a leaf that is out of order.  A tree can still hold its
 * blocks more than once if they are empty.  The number of steps is therefore
 * limited to the number of blocks that the file system has.
 */
errcode_t contents_extents(ext2_filsys fs, ext2_ino_t ino,
			   struct ext2_inode_large *inode,
			   errcode_t (*found)(void *priv,
					      const struct ext2fs_extent *,
					      unsigned level),
			   void *priv)
{
	uint64_t steps = 4 * ext2fs_blocks_count(fs->super), next = 0;
	struct ext2_extent_info info;
	struct ext2fs_extent extent;
	ext2_extent_handle_t handle;
	errcode_t err;

	err = ext2fs_extent_open2(fs, ino, (struct ext2_inode *)inode, &handle);
	if (err)
		return err;
	err = ext2fs_extent_get(handle, EXT2_EXTENT_ROOT, &extent);
	while (!err) {
		if (cancelled())
			err = E2LAZY_ET_CANCELLED;
		else if (!steps-- || ((extent.e_flags &
				       EXT2_EXTENT_FLAGS_LEAF) &&
				      extent.e_lblk < next))
			err = EXT2_ET_EXTENT_LEAF_BAD;
		else if (!(extent.e_flags & EXT2_EXTENT_FLAGS_SECOND_VISIT))
			err = ext2fs_extent_get_info(handle, &info);
		if (!err && !(extent.e_flags & EXT2_EXTENT_FLAGS_SECOND_VISIT))
			err = found(priv, &extent, info.curr_level);
		if (extent.e_flags & EXT2_EXTENT_FLAGS_LEAF)
			next = extent.e_lblk + extent.e_len;
		if (!err)
			err = ext2fs_extent_get(handle, EXT2_EXTENT_NEXT,
						&extent);
	}
	ext2fs_extent_free(handle);
	/* The root of an empty tree has no entry. */
	return err == EXT2_ET_EXTENT_NO_NEXT || err == EXT2_ET_NO_CURRENT_NODE
	       ? 0 : err;
}

struct listed {
	errcode_t	(*found)(void *priv, e2_blkcnt_t lblk, blk64_t block);
	void		*priv;
	blk64_t		left;		/* blocks left in the budget */
	errcode_t	error;
};

static int list_block(ext2_filsys fs, blk64_t *block, e2_blkcnt_t lblk,
		      blk64_t parent, int offset, void *priv)
{
	struct listed *l = priv;

	(void)fs, (void)parent, (void)offset;
	if (cancelled())
		l->error = E2LAZY_ET_CANCELLED;
	else if (!l->left--)
		l->error = E2LAZY_ET_BLOCK_MAP;
	else
		l->error = l->found(l->priv, lblk, *block);
	return l->error ? BLOCK_ABORT : 0;
}

/* Map blocks count too, or an endless map could be empty. */
errcode_t contents_blocks(ext2_filsys fs, ext2_ino_t ino,
			  errcode_t (*found)(void *priv, e2_blkcnt_t lblk,
					     blk64_t block),
			  void *priv)
{
	struct listed listed = {
		.found = found, .priv = priv,
		.left = ext2fs_blocks_count(fs->super),
	};
	errcode_t err;

	err = ext2fs_block_iterate3(fs, ino, BLOCK_FLAG_READ_ONLY, NULL,
				    list_block, &listed);
	return listed.error ? listed.error : err;
}

static errcode_t read_extent(void *priv, const struct ext2fs_extent *extent,
			     unsigned level)
{
	(void)level;
	if (!(extent->e_flags & EXT2_EXTENT_FLAGS_LEAF) ||
	    (extent->e_flags & EXT2_EXTENT_FLAGS_UNINIT))
		return 0;
	return read_run(priv, extent->e_lblk, extent->e_pblk, extent->e_len);
}

/* A map block has a logical number below zero. */
static errcode_t read_mapped(void *priv, e2_blkcnt_t lblk, blk64_t block)
{
	return lblk < 0 ? 0 : read_run(priv, lblk, block, 1);
}

static errcode_t read_inline(struct reading *r, ext2_ino_t ino)
{
	size_t size;
	void *bytes;
	errcode_t err;

	err = ext2fs_inline_data_size(r->fs, ino, &size);
	if (err)
		return err;
	bytes = calloc(1, size ? size : 1);
	if (!bytes)
		return EXT2_ET_NO_MEMORY;
	err = ext2fs_inline_data_get(r->fs, ino, NULL, bytes, &size);
	if (!err)
		err = r->sink->put(r->sink->priv, 0, bytes,
				   size < r->size ? size : r->size);
	free(bytes);
	return err;
}

errcode_t contents_read(ext2_filsys fs, ext2_ino_t ino,
			struct ext2_inode_large *inode,
			const struct sink *sink)
{
	struct ext2_inode *old = (struct ext2_inode *)inode;
	struct reading r = {
		.fs = fs,
		.sink = sink,
		.size = EXT2_I_SIZE(old),
		.room = READ_BYTES / fs->blocksize,
	};
	errcode_t err;

	if (inode->i_flags & EXT4_INLINE_DATA_FL)
		return read_inline(&r, ino);
	if (!ext2fs_inode_has_valid_blocks2(fs, old))
		return 0;
	err = io_channel_alloc_buf(fs->io, r.room, &r.buffer);
	if (err)
		return err;
	if (inode->i_flags & EXT4_EXTENTS_FL)
		err = contents_extents(fs, ino, inode, read_extent, &r);
	else
		err = contents_blocks(fs, ino, read_mapped, &r);
	ext2fs_free_mem(&r.buffer);
	return err;
}
