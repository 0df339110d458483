/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * block_map.c - the blocks that an inode's map names, and the map's own blocks
 *
 * A map of extents gives ranges; a map of block numbers gives runs.  A node
 * that cannot be read or makes no sense counts as damage, and the walk leaves
 * out everything below it; it goes on with the node's neighbours.
 */

#include "block_map.h"
#include "extent_node.h"
#include "fs_csum.h"
#include "io/bytes.h"

/* Read a block of the map.  If that fails, @node is NULL, noted as damage. */
static errcode_t read_node(struct inode_search *s, blk64_t fsblk,
			   unsigned level, uint8_t **node)
{
	uint8_t *block = s->nodes + (size_t)level * s->fs->blocksize;
	errcode_t err = io_channel_read_blk64(s->fs->io, fsblk, 1, block);

	*node = err ? NULL : block;
	return err ? note_unread(s->damage, s->fs, err, fsblk) : 0;
}

/* ------------------------------------------------------------- extents */

static errcode_t give_extent(struct inode_search *s, const uint8_t *entry,
			     blk64_t at)
{
	struct extent e = extent_get(entry);
	errcode_t err;

	s->unwritten = e.unwritten;
	err = inode_search_give(s, s->role, e.fsblk, e.lblk, e.count, at);
	s->unwritten = false;
	return err;
}

static errcode_t walk_child(struct inode_search *s, const uint8_t *entry,
			    unsigned depth, blk64_t at);

/* Walk the entries of a sound node of @depth in block @at. */
static errcode_t walk_entries(struct inode_search *s, const uint8_t *node,
			      unsigned depth, blk64_t at)
{
	unsigned entries = extent_header(node).entries;
	errcode_t err = 0;

	for (unsigned i = 0; !err && i < entries; i++) {
		const uint8_t *entry = extent_entry(node, i);

		err = depth ? walk_child(s, entry, depth - 1, at) :
			      give_extent(s, entry, at);
	}
	return err;
}

static errcode_t walk_child(struct inode_search *s, const uint8_t *entry,
			    unsigned depth, blk64_t at)
{
	blk64_t fsblk = extent_child(entry);
	struct e2lazy_owner owner = {
		.fsblk = fsblk, .role = E2LAZY_ROLE_EXTENT, .ino = s->ino,
		.generation = s->generation,
	};
	uint8_t *node = NULL;
	errcode_t err;

	if (!inode_search_take(s, fsblk, 1))
		return note_unread(s->damage, s->fs, E2LAZY_ET_BLOCK_MAP, at);
	err = s->found(s->priv, &owner, 1);
	if (!err)
		err = read_node(s, fsblk, depth, &node);
	if (!node)
		return err;
	/* The header gives the checksum's place, so check it first. */
	if (!extent_is_node(node, extent_room(s->fs->blocksize), depth))
		err = E2LAZY_ET_BLOCK_MAP;
	else if (!extent_csum_fits(s->fs, s->crc, s->ino, s->generation,
				   node) &&
		 !ext2fs_extent_block_csum_verify(s->fs, s->ino, (void *)node))
		err = EXT2_ET_EXTENT_CSUM_INVALID;
	if (!err)
		return walk_entries(s, node, depth, fsblk);
	return note_unread(s->damage, s->fs, err, fsblk);
}

static errcode_t walk_extents(struct inode_search *s,
			      const struct ext2_inode *inode)
{
	const uint8_t *root = (const uint8_t *)inode->i_block;
	unsigned depth = extent_header(root).depth;
	blk64_t home = inode_home(s->fs, s->ino);

	if (depth <= MAX_MAP_DEPTH &&
	    extent_is_node(root, EXTENT_IN_ROOT, depth))
		return walk_entries(s, root, depth, home);
	return note_unread(s->damage, s->fs, E2LAZY_ET_BLOCK_MAP, home);
}

/* ------------------------------------------------------- block numbers */

struct number_list {
	const __u32	*numbers;
	unsigned	count;
	blk64_t		at;		/* block that holds them */
	uint64_t	lblk;		/* logical block of the first number */
};

/* Give data blocks as runs of consecutive numbers. */
static errcode_t give_runs(struct inode_search *s,
			   const struct number_list *list)
{
	errcode_t err = 0;

	for (unsigned i = 0, n; !err && i < list->count; i += n) {
		__u32 start = list->numbers[i];

		for (n = 1; start && i + n < list->count &&
		     list->numbers[i + n] == start + n; n++)
			;
		if (start)
			err = inode_search_give(s, s->role, start,
						list->lblk + i, n, list->at);
	}
	return err;
}

static errcode_t walk_block(struct inode_search *s, __u32 fsblk,
			    unsigned level, uint64_t lblk, blk64_t at);

/* At @level 0 the numbers are data blocks, else blocks of numbers below it. */
static errcode_t walk_list(struct inode_search *s, unsigned level,
			   const struct number_list *list)
{
	uint64_t reach = 1;
	errcode_t err = 0;

	if (level == 0)
		return give_runs(s, list);
	for (unsigned i = 0; i < level; i++)
		reach *= s->fs->blocksize / sizeof(__u32);
	for (unsigned i = 0; !err && i < list->count; i++)
		if (list->numbers[i])
			err = walk_block(s, list->numbers[i], level - 1,
					 list->lblk + i * reach, list->at);
	return err;
}

static errcode_t walk_block(struct inode_search *s, __u32 fsblk,
			    unsigned level, uint64_t lblk, blk64_t at)
{
	struct e2lazy_owner owner = {
		.fsblk = fsblk, .role = E2LAZY_ROLE_INDIRECT, .ino = s->ino,
		.generation = s->generation,
	};
	struct number_list list = {
		.count = s->fs->blocksize / sizeof(__u32),
		.at = fsblk, .lblk = lblk,
	};
	uint8_t *node = NULL;
	__u32 *numbers;
	errcode_t err;

	if (!inode_search_take(s, fsblk, 1))
		return note_unread(s->damage, s->fs, E2LAZY_ET_BLOCK_MAP, at);
	err = s->found(s->priv, &owner, 1);
	if (!err)
		err = read_node(s, fsblk, level, &node);
	if (!node)
		return err;
	numbers = (__u32 *)(void *)node;
	for (unsigned i = 0; i < list.count; i++)
		numbers[i] = ext2fs_le32_to_cpu(numbers[i]);
	list.numbers = numbers;
	return walk_list(s, level, &list);
}

static errcode_t walk_numbers(struct inode_search *s,
			      const struct ext2_inode *inode)
{
	static const unsigned first[] = {
		0, EXT2_IND_BLOCK, EXT2_DIND_BLOCK, EXT2_TIND_BLOCK,
		EXT2_N_BLOCKS
	};
	uint64_t per_block = s->fs->blocksize / sizeof(__u32), reach = 1;
	struct number_list list = { .at = inode_home(s->fs, s->ino) };
	errcode_t err = 0;

	for (unsigned level = 0; !err && level < 4; level++) {
		list.numbers = inode->i_block + first[level];
		list.count = first[level + 1] - first[level];
		err = walk_list(s, level, &list);
		list.lblk += list.count * reach;
		reach *= per_block;
	}
	return err;
}

errcode_t block_map_walk(struct inode_search *s, const struct ext2_inode *inode)
{
	return inode->i_flags & EXT4_EXTENTS_FL ? walk_extents(s, inode) :
						  walk_numbers(s, inode);
}
