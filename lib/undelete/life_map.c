/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * life_map.c - the blocks that a life had
 *
 * The trees are those of fs/block_map.c, but their nodes are of an earlier
 * time, and at_time.c finds each in the ring or in place.  Pieces ascend, or
 * the map is damaged from there on; a lost node leaves a gap.
 *
 * A node in place may be an older version of itself, with a checksum of its own, if
 * the newer one never went home.  So a map with nodes must have as many blocks as
 * its inode counts.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/extent_node.h"
#include "fs/inode_search.h"
#include "undelete.h"

struct walk_map {
	struct e2lazy_undelete *u;
	const struct life *life;
	errcode_t	(*found)(void *priv, const struct piece *piece);
	void		*priv;
	struct map_state *state;
	uint64_t	next;		/* lblk that may come now */
	uint64_t	left;		/* blocks that the map may yet have */
	uint64_t	blocks;		/* of pieces and nodes, so far */
	int64_t		changed;	/* see home_is_sure() */
	bool		again;		/* the last node was read before */
	uint8_t		*nodes;		/* a block for each level */
};

static bool is_in_fs(const struct walk_map *w, blk64_t fsblk, uint64_t count)
{
	blk64_t end = ext2fs_blocks_count(w->u->fs->super);

	return fsblk > w->u->fs->super->s_first_data_block && fsblk < end &&
	       count && count <= end - fsblk;
}

static errcode_t give(struct walk_map *w, const struct piece *p)
{
	if (p->lblk < w->next || !is_in_fs(w, p->fsblk, p->count) ||
	    p->count > w->left) {
		w->state->missing = true;
		return 0;
	}
	if (w->again && !w->u->nodes->again) {
		w->state->missing = true;
		return 0;
	}
	if (w->again)
		w->u->nodes->again--;
	w->next = p->lblk + p->count;
	w->left -= p->count;
	w->blocks += p->count;
	return w->found(w->priv, p);
}

/* Was the node read before, for this life or another? */
static bool note_node(struct e2lazy_undelete *u, blk64_t fsblk,
		      const struct record *copy)
{
	size_t number = copy ? (size_t)(copy - u->versions.list.at) : 0;
	uint8_t *byte, bit = (uint8_t)(1 << number % 8);
	bool before;

	if (!u->nodes)
		return false;
	if (!copy)
		return ext2fs_mark_block_bitmap2(u->nodes->in_place, fsblk);
	byte = &u->nodes->copies[number / 8];
	before = *byte & bit;
	*byte |= bit;
	return before;
}

/* The node at @fsblk, @level above the leaves; NULL: it is lost. */
static errcode_t get_node(struct walk_map *w, blk64_t fsblk, unsigned level,
			  prove_block prove, uint8_t **node)
{
	const struct block_wanted wanted = { prove, level, w->changed };
	struct block_found found = { PROOF_NONE, NULL };
	uint8_t *block;
	errcode_t err = 0;

	/* Most maps fit in the inode. */
	if (!w->nodes)
		err = io_channel_alloc_buf(w->u->fs->io, MAX_MAP_DEPTH + 1,
					   &w->nodes);
	if (err)
		return err;
	block = w->nodes + (size_t)level * w->u->fs->blocksize;
	if (is_in_fs(w, fsblk, 1) && w->u->steps) {
		w->u->steps--;
		err = block_at_time(w->u, w->life, fsblk, &wanted, block,
				    &found);
	}
	w->blocks++;
	w->state->missing |= found.proof == PROOF_NONE;
	w->state->unproven |= found.proof == PROOF_LIKELY;
	*node = found.proof == PROOF_NONE ? NULL : block;
	w->again = *node && note_node(w->u, fsblk, found.copy);
	return err;
}

/* ------------------------------------------------------------- extents */

static errcode_t give_extent(struct walk_map *w, const uint8_t *entry)
{
	struct extent e = extent_get(entry);
	struct piece p = { .lblk = e.lblk, .fsblk = e.fsblk, .count = e.count,
			   .unwritten = e.unwritten };

	return give(w, &p);
}

static errcode_t walk_child(struct walk_map *w, const uint8_t *entry,
			    unsigned depth);

static errcode_t walk_entries(struct walk_map *w, const uint8_t *node,
			      unsigned depth)
{
	unsigned entries = extent_header(node).entries;
	errcode_t err = 0;

	for (unsigned i = 0; !err && i < entries; i++) {
		const uint8_t *entry = extent_entry(node, i);

		err = depth ? walk_child(w, entry, depth - 1) :
			      give_extent(w, entry);
	}
	return err;
}

static errcode_t walk_child(struct walk_map *w, const uint8_t *entry,
			    unsigned depth)
{
	uint8_t *child;
	errcode_t err = get_node(w, extent_child(entry), depth, proof_extents,
				 &child);

	return !err && child ? walk_entries(w, child, depth) : err;
}

static errcode_t walk_extents(struct walk_map *w, const uint8_t *root)
{
	unsigned depth = extent_header(root).depth;

	if (depth <= MAX_MAP_DEPTH &&
	    extent_is_node(root, EXTENT_IN_ROOT, depth))
		return walk_entries(w, root, depth);
	w->state->missing = true;
	return 0;
}

/* ------------------------------------------------------- block numbers */

/* Block numbers have no checksum: each must be inside the file system. */
static enum proof proof_numbers(const struct e2lazy_undelete *u,
				const struct life *life, unsigned level,
				const uint8_t *block)
{
	blk64_t end = ext2fs_blocks_count(u->fs->super);
	unsigned used = 0;

	(void)life, (void)level;
	for (unsigned i = 0; i < u->fs->blocksize; i += 4) {
		if (get_le32(block + i) >= end)
			return PROOF_NONE;
		used += get_le32(block + i) != 0;
	}
	return used ? PROOF_LIKELY : PROOF_NONE;
}

static errcode_t walk_numbers(struct walk_map *w, const uint8_t *numbers,
			      unsigned count, unsigned level, uint64_t lblk);

static errcode_t walk_below(struct walk_map *w, uint32_t fsblk, unsigned level,
			    uint64_t lblk)
{
	uint8_t *node;
	errcode_t err;

	if (!fsblk)
		return 0;
	err = get_node(w, fsblk, level, proof_numbers, &node);
	if (err || !node)
		return err;
	return walk_numbers(w, node, w->u->fs->blocksize / 4, level, lblk);
}

/* Numbers of data blocks at @level 0, else of blocks of numbers. */
static errcode_t walk_numbers(struct walk_map *w, const uint8_t *numbers,
			      unsigned count, unsigned level, uint64_t lblk)
{
	uint64_t reach = 1;
	errcode_t err = 0;

	for (unsigned i = 0; i < level; i++)
		reach *= w->u->fs->blocksize / 4;
	for (unsigned i = 0, n = 1; !err && i < count; i += n) {
		uint32_t fsblk = get_le32(numbers + 4 * (size_t)i);
		struct piece p = { .lblk = lblk + i * reach, .fsblk = fsblk };

		n = 1;
		if (level) {
			err = walk_below(w, fsblk, level - 1, p.lblk);
			continue;
		}
		while (fsblk && i + n < count &&
		       get_le32(numbers + 4 * (size_t)(i + n)) == fsblk + n)
			n++;
		p.count = n;
		if (fsblk)
			err = give(w, &p);
	}
	return err;
}

static errcode_t walk_indirect(struct walk_map *w, const uint8_t *i_block)
{
	uint64_t lblk = 12, reach = 1;
	errcode_t err = walk_numbers(w, i_block, 12, 0, 0);

	for (unsigned level = 0; !err && level < 3; level++) {
		reach *= w->u->fs->blocksize / 4;
		err = walk_below(w, get_le32(i_block + 4 * (size_t)(12 + level)),
				 level, lblk);
		lblk += reach;
	}
	return err;
}

/* ---------------------------------------------------------------- both */

/* Is i_block a map at all? */
static bool has_map(const struct ext2_inode_large *i)
{
	if (i->i_flags & EXT4_INLINE_DATA_FL)
		return false;
	if (LINUX_S_ISLNK(i->i_mode))
		return i->i_flags & EXT4_EXTENTS_FL ||
		       EXT2_I_SIZE((const struct ext2_inode *)i) >= 60;
	return LINUX_S_ISREG(i->i_mode) || LINUX_S_ISDIR(i->i_mode);
}

bool life_map_is_flat(const struct ext2_inode_large *inode)
{
	return inode->i_flags & EXT4_EXTENTS_FL &&
	       !extent_header((const uint8_t *)inode->i_block).depth;
}

/*
 * Does the inode count other blocks?  With bigalloc it counts clusters, and with
 * ea_inode also the values of attributes.
 */
static bool counts_others(const struct walk_map *w,
			  const struct ext2_inode_large *i)
{
	struct ext2_inode *inode = (struct ext2_inode *)(uintptr_t)i;
	ext2_filsys fs = w->u->fs;
	uint64_t blocks = w->blocks;

	if (life_map_is_flat(i) || ext2fs_has_feature_bigalloc(fs->super) ||
	    ext2fs_has_feature_ea_inode(fs->super))
		return false;
	blocks += ext2fs_file_acl_block(fs, inode) != 0;
	return ext2fs_get_stat_i_blocks(fs, inode) !=
	       blocks * (fs->blocksize / 512);
}

errcode_t life_map(struct e2lazy_undelete *u, const struct life *life,
		   const struct ext2_inode_large *inode,
		   errcode_t (*found)(void *priv, const struct piece *piece),
		   void *priv, struct map_state *state)
{
	struct walk_map w = {
		.u = u, .life = life, .found = found, .priv = priv,
		.state = state, .left = ext2fs_blocks_count(u->fs->super),
		.changed = inode_time(inode->i_ctime,
				      inode->i_ctime_extra).sec,
	};
	uint8_t numbers[4 * EXT2_N_BLOCKS];
	errcode_t err;

	memset(state, 0, sizeof(*state));
	if (!has_map(inode))
		return 0;
	/* libext2fs swaps numbers, but no extents. */
	for (size_t i = 0; i < EXT2_N_BLOCKS; i++)
		put_le32(numbers + 4 * i, inode->i_block[i]);
	err = inode->i_flags & EXT4_EXTENTS_FL ?
	      walk_extents(&w, (const uint8_t *)inode->i_block) :
	      walk_indirect(&w, numbers);
	ext2fs_free_mem(&w.nodes);
	if (!err && !state->missing)
		state->unproven |= counts_others(&w, inode);
	return err;
}
