/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* symlink.c - read the target of a symbolic link */

#include <stdlib.h>
#include <string.h>

#include "block_map.h"

/* Return value of the callback that has read the block. */
#define ENOUGH E2LAZY_ET_NOT_MAPPED

/* A target fits one block, the first. */
static errcode_t read_first(void *priv, const struct e2lazy_owner *owner,
			    blk64_t count)
{
	struct inode_search *s = priv;
	errcode_t err;

	(void)count;
	if (owner->role != E2LAZY_ROLE_SYMLINK || owner->lblk)
		return 0;
	err = io_channel_read_blk64(s->fs->io, owner->fsblk, 1, s->block);
	return err ? err : ENOUGH;
}

static errcode_t read_block(ext2_filsys fs, ext2_ino_t ino,
			    const struct ext2_inode *inode, char *target,
			    size_t size)
{
	struct e2lazy_damage damage = { .count = 0 };
	struct inode_search search;
	errcode_t err;

	err = inode_search_init(&search, fs, read_first, &search, &damage);
	if (!err) {
		inode_search_begin(&search, ino, E2LAZY_ROLE_SYMLINK);
		err = block_map_walk(&search, inode);
	}
	if (!err)	/* the map has no first block */
		err = damage.count ? damage.error : EXT2_ET_INODE_CORRUPTED;
	if (err == ENOUGH) {
		memcpy(target, search.block, size);
		err = 0;
	}
	inode_search_free(&search);
	return err;
}

static errcode_t read_inline(ext2_filsys fs, ext2_ino_t ino, char *target,
			     size_t size)
{
	size_t held;
	char *bytes;
	errcode_t err;

	err = ext2fs_inline_data_size(fs, ino, &held);
	if (err)
		return err;
	bytes = calloc(1, held ? held : 1);
	if (!bytes)
		return EXT2_ET_NO_MEMORY;
	err = ext2fs_inline_data_get(fs, ino, NULL, bytes, &held);
	if (!err)
		memcpy(target, bytes, held < size ? held : size);
	free(bytes);
	return err;
}

errcode_t e2lazy_symlink_read(ext2_filsys fs, ext2_ino_t ino, char **target)
{
	struct ext2_inode inode;
	uint64_t size;
	errcode_t err;
	char *text;

	if (ino == 0 || ino > fs->super->s_inodes_count)
		return EXT2_ET_BAD_INODE_NUM;
	err = ext2fs_read_inode(fs, ino, &inode);
	if (err)
		return err;
	size = EXT2_I_SIZE(&inode);
	if (!LINUX_S_ISLNK(inode.i_mode) || size > fs->blocksize)
		return EXT2_ET_INODE_CORRUPTED;
	text = calloc(1, size + 1);
	if (!text)
		return EXT2_ET_NO_MEMORY;
	if (inode.i_flags & EXT4_INLINE_DATA_FL)
		err = read_inline(fs, ino, text, size);
	else if (size < sizeof(inode.i_block))
		memcpy(text, inode.i_block, size);
	else
		err = read_block(fs, ino, &inode, text, size);
	if (err)
		free(text);
	else
		*target = text;
	return err;
}
