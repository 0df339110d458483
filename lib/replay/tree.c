/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tree.c - read and make extent trees
 *
 * A changed map gets a new tree: leaves filled from the left, then as many
 * levels of index as they need.  (Format: Linux fs/ext4/ext4_extents.h.)
 */

#include <stdlib.h>
#include <string.h>

#include "replay.h"

#define MAGIC		0xf30a
#define ENTRIES		2	/* offsets in the header */
#define MOST		4
#define DEPTH		6
#define ENTRY		12	/* bytes of an entry, and of the header */
#define IN_INODE	4	/* entries that fit the inode */
#define MOST_DEPTH	5
#define MOST_WRITTEN	32768U

static unsigned room_of_block(const struct e2lazy_replay *r)
{
	return (r->size - ENTRY) / ENTRY;
}

/* ------------------------------------------------------------- reading */

struct loading {
	struct e2lazy_replay *r;
	uint32_t	seed;
	uint64_t	next;		/* least lblk that may come */
	struct extents	*map;
	struct block_numbers *nodes;
};

static bool is_sound(const uint8_t *node, unsigned room, unsigned depth)
{
	return get_le16(node) == MAGIC && get_le16(node + MOST) <= room &&
	       get_le16(node + ENTRIES) <= get_le16(node + MOST) &&
	       get_le16(node + DEPTH) == depth;
}

static errcode_t load_extent(struct loading *l, const uint8_t *entry)
{
	const struct ext2_super_block *sb = l->r->fs->super;
	struct extent e = {
		.lblk = get_le32(entry), .count = get_le16(entry + 4),
		.fsblk = get_le32(entry + 8) |
			 (blk64_t)get_le16(entry + 6) << 32,
	};

	e.unwritten = e.count > MOST_WRITTEN;
	if (e.unwritten)
		e.count -= MOST_WRITTEN;
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
	blk64_t fsblk = get_le32(entry + 4) |
			(blk64_t)get_le16(entry + 8) << 32;
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
	if (!is_sound(block, room_of_block(r), depth) ||
	    !get_le16(block + ENTRIES))
		return E2LAZY_ET_FC_DAMAGED;
	tail = ENTRY * (get_le16(block + MOST) + 1U);
	if (ext2fs_has_feature_metadata_csum(r->fs->super) &&
	    (tail + 4 > r->size || get_le32(block + tail) !=
	     ext2fs_crc32c_le(l->seed, block, tail)))
		return E2LAZY_ET_FC_DAMAGED;
	copy = malloc(r->size);
	if (!copy)
		return EXT2_ET_NO_MEMORY;
	memcpy(copy, block, r->size);
	if (l->nodes)
		err = block_numbers_add(l->nodes, fsblk);
	if (!err)
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
	unsigned entries = get_le16(node + ENTRIES);
	errcode_t err = 0;

	if (depth && !entries)
		return E2LAZY_ET_FC_DAMAGED;
	for (unsigned i = 1; !err && i <= entries; i++)
		err = depth ? load_child(l, node + i * ENTRY, depth - 1) :
			      load_extent(l, node + i * ENTRY);
	return err;
}

errcode_t tree_load(struct e2lazy_replay *r, ext2_ino_t ino,
		    const uint8_t *raw, struct extents *map,
		    struct block_numbers *nodes)
{
	struct loading l = { .r = r, .seed = raw_seed(r, ino, raw),
			     .map = map, .nodes = nodes };
	const uint8_t *root = raw + I_BLOCK;
	unsigned depth = get_le16(root + DEPTH);

	if (!(get_le32(raw + I_FLAGS) & EXT4_EXTENTS_FL))
		return E2LAZY_ET_FC_MAP;
	if (depth > MOST_DEPTH || !is_sound(root, IN_INODE, depth))
		return E2LAZY_ET_FC_DAMAGED;
	return load_node(&l, root, depth);
}

/* -------------------------------------------------------------- making */

/* The entries of one level: of a leaf, or what an index says of a node. */
struct level {
	uint8_t		*entries;
	size_t		nr;
};

static void put_header(uint8_t *node, size_t entries, unsigned most,
		       unsigned depth)
{
	memset(node, 0, ENTRY);
	put_le16(node, MAGIC);
	put_le16(node + ENTRIES, (uint32_t)entries);
	put_le16(node + MOST, most);
	put_le16(node + DEPTH, depth);
}

static void put_extent(uint8_t *to, const struct extent *e)
{
	put_le32(to, e->lblk);
	put_le16(to + 4, e->count + (e->unwritten ? MOST_WRITTEN : 0));
	put_le16(to + 6, (uint32_t)(e->fsblk >> 32));
	put_le32(to + 8, (uint32_t)e->fsblk);
}

static void put_index(uint8_t *to, uint32_t lblk, blk64_t fsblk)
{
	put_le32(to, lblk);
	put_le32(to + 4, (uint32_t)fsblk);
	put_le16(to + 8, (uint32_t)(fsblk >> 32));
	put_le16(to + 10, 0);
}

static errcode_t write_node(struct e2lazy_replay *r, uint32_t seed,
			    const uint8_t *entries, size_t nr, unsigned depth,
			    blk64_t near, blk64_t *fsblk)
{
	unsigned room = room_of_block(r);
	size_t tail = ENTRY * (room + 1U);
	uint8_t *block;
	errcode_t err = space_new(r, near, fsblk);

	if (!err)
		err = overlay_new(&r->overlay, *fsblk, E2LAZY_TYPE_OTHER,
				  &block);
	if (err)
		return err;
	put_header(block, nr, room, depth);
	memcpy(block + ENTRY, entries, nr * ENTRY);
	if (ext2fs_has_feature_metadata_csum(r->fs->super))
		put_le32(block + tail, ext2fs_crc32c_le(seed, block, tail));
	return 0;
}

/* Put a level that does not fit the inode into blocks: @l is those then. */
static errcode_t sink(struct e2lazy_replay *r, uint32_t seed, struct level *l,
		      unsigned depth, blk64_t near, uint32_t *nodes)
{
	unsigned room = room_of_block(r);
	size_t n = 0;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < l->nr; i += room) {
		size_t part = l->nr - i < room ? l->nr - i : room;
		uint32_t lblk = get_le32(l->entries + i * ENTRY);
		blk64_t fsblk = 0;

		err = write_node(r, seed, l->entries + i * ENTRY, part, depth,
				 near, &fsblk);
		put_index(l->entries + n++ * ENTRY, lblk, fsblk);
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

	level.entries = calloc(map->nr + 1, ENTRY);
	if (!level.entries)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < map->nr; i++)
		put_extent(level.entries + i * ENTRY, map->at + i);
	*nodes = 0;
	while (!err && level.nr > IN_INODE)
		err = sink(r, seed, &level, depth++, near, nodes);
	if (!err) {
		memset(raw + I_BLOCK, 0, I_BLOCK_BYTES);
		put_header(raw + I_BLOCK, level.nr, IN_INODE, depth);
		memcpy(raw + I_BLOCK + ENTRY, level.entries, level.nr * ENTRY);
	}
	free(level.entries);
	return err;
}
