/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tree.c - read and make extent trees
 *
 * A changed map gets a new tree: leaves filled from the left, then as many
 * levels of index as they need.  (Format: Linux fs/ext4/ext4_extents.h.)
 */

#include <stdlib.h>
#include <string.h>

#include "fs/extent_node.h"
#include "replay.h"

/* ------------------------------------------------------------- reading */

struct loading {
	struct e2lazy_replay *r;
	uint32_t	seed;
	uint64_t	next;		/* least lblk that may come */
	struct extents	*map;
};

static errcode_t load_extent(struct loading *l, const uint8_t *entry)
{
	const struct ext2_super_block *sb = l->r->fs->super;
	struct extent e = extent_get(entry);

	if (!e.count || e.lblk < l->next ||
	    e.fsblk < sb->s_first_data_block ||
	    e.fsblk >= ext2fs_blocks_count(l->r->fs->super) ||
	    e.count > ext2fs_blocks_count(l->r->fs->super) - e.fsblk)
		return E2LAZY_ET_FC_DAMAGED;
	l->next = (uint64_t)e.lblk + e.count;
	return extents_add(l->map, &e);
}

static errcode_t load_node(struct loading *l, const uint8_t *node,
			   unsigned depth);

static errcode_t load_child(struct loading *l, const uint8_t *entry,
			    unsigned depth)
{
	struct e2lazy_replay *r = l->r;
	blk64_t fsblk = extent_child(entry);
	const uint8_t *block;
	uint8_t *copy;
	size_t tail;
	errcode_t err;

	if (fsblk < r->fs->super->s_first_data_block ||
	    fsblk >= ext2fs_blocks_count(r->fs->super))
		return E2LAZY_ET_FC_DAMAGED;
	err = overlay_read(&r->overlay, fsblk, &block);
	if (err)
		return err;
	if (!extent_is_node(block, extent_room(r->size), depth) ||
	    !extent_header(block).entries)
		return E2LAZY_ET_FC_DAMAGED;
	tail = extent_tail(block);
	if (ext2fs_has_feature_metadata_csum(r->fs->super) &&
	    (tail + 4 > r->size || get_le32(block + tail) !=
	     ext2fs_crc32c_le(l->seed, block, tail)))
		return E2LAZY_ET_FC_DAMAGED;
	copy = malloc(r->size);
	if (!copy)
		return EXT2_ET_NO_MEMORY;
	memcpy(copy, block, r->size);
	err = load_node(l, copy, depth);
	free(copy);
	return err;
}

/*
 * Extents ascend, and no node below the root is empty.  So each way down takes
 * an extent, and a node that occurs twice ends the reading.
 */
static errcode_t load_node(struct loading *l, const uint8_t *node,
			   unsigned depth)
{
	unsigned entries = extent_header(node).entries;
	errcode_t err = 0;

	if (depth && !entries)
		return E2LAZY_ET_FC_DAMAGED;
	for (unsigned i = 0; !err && i < entries; i++)
		err = depth ? load_child(l, extent_entry(node, i), depth - 1) :
			      load_extent(l, extent_entry(node, i));
	return err;
}

errcode_t tree_load(struct e2lazy_replay *r, ext2_ino_t ino,
		    const uint8_t *raw, struct extents *map)
{
	struct loading l = { .r = r, .seed = raw_seed(r, ino, raw),
			     .map = map };
	const uint8_t *root = raw + I_BLOCK;
	unsigned depth = extent_header(root).depth;

	if (!(get_le32(raw + I_FLAGS) & EXT4_EXTENTS_FL))
		return E2LAZY_ET_FC_MAP;
	if (depth > EXTENT_DEPTHS ||
	    !extent_is_node(root, EXTENT_IN_ROOT, depth))
		return E2LAZY_ET_FC_DAMAGED;
	return load_node(&l, root, depth);
}

/* -------------------------------------------------------------- making */

/* The entries of one level: of a leaf, or what an index says of a node. */
struct level {
	uint8_t		*entries;
	size_t		nr;
};

static errcode_t write_node(struct e2lazy_replay *r, uint32_t seed,
			    const uint8_t *entries, size_t nr, unsigned depth,
			    blk64_t near, blk64_t *fsblk)
{
	unsigned room = extent_room(r->size);
	uint8_t *block;
	size_t tail;
	errcode_t err = space_new(r, near, fsblk);

	if (!err)
		err = overlay_new(&r->overlay, *fsblk, E2LAZY_TYPE_OTHER,
				  &block);
	if (err)
		return err;
	extent_put_header(block, nr, room, depth);
	memcpy(block + EXTENT_ENTRY, entries, nr * EXTENT_ENTRY);
	tail = extent_tail(block);
	if (ext2fs_has_feature_metadata_csum(r->fs->super))
		put_le32(block + tail, ext2fs_crc32c_le(seed, block, tail));
	return 0;
}

/* Put a level that does not fit the inode into blocks: @l is those then. */
static errcode_t sink(struct e2lazy_replay *r, uint32_t seed, struct level *l,
		      unsigned depth, blk64_t near, uint32_t *nodes)
{
	unsigned room = extent_room(r->size);
	size_t n = 0;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < l->nr; i += room) {
		size_t part = l->nr - i < room ? l->nr - i : room;
		const uint8_t *from = l->entries + i * EXTENT_ENTRY;
		blk64_t fsblk = 0;

		err = write_node(r, seed, from, part, depth, near, &fsblk);
		extent_put_child(l->entries + n++ * EXTENT_ENTRY,
				 extent_lblk(from), fsblk);
		++*nodes;
	}
	l->nr = n;
	return err;
}

errcode_t tree_make(struct e2lazy_replay *r, ext2_ino_t ino, uint8_t *raw,
		    const struct extents *map, uint32_t *nodes)
{
	struct level level = { .nr = map->nr };
	uint32_t seed = raw_seed(r, ino, raw);
	blk64_t near = map->nr ? map->at[0].fsblk :
		       r->fs->super->s_first_data_block;
	unsigned depth = 0;
	errcode_t err = 0;

	level.entries = calloc(map->nr + 1, EXTENT_ENTRY);
	if (!level.entries)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < map->nr; i++)
		extent_put(level.entries + i * EXTENT_ENTRY, map->at + i);
	*nodes = 0;
	while (!err && level.nr > EXTENT_IN_ROOT)
		err = sink(r, seed, &level, depth++, near, nodes);
	if (!err) {
		memset(raw + I_BLOCK, 0, I_BLOCK_BYTES);
		extent_put_header(raw + I_BLOCK, level.nr, EXTENT_IN_ROOT,
				  depth);
		memcpy(raw + I_BLOCK + EXTENT_ENTRY, level.entries,
		       level.nr * EXTENT_ENTRY);
	}
	free(level.entries);
	return err;
}
