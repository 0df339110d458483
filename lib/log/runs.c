/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * runs.c - the place of the log on its device
 *
 * This file reads the block map of a journal inode itself instead of calling
 * ext2fs_bmap2() for each block: a 40 GiB journal has ten million blocks and
 * some hundred runs.  The walk through either form of block map always ends,
 * because every leaf must continue where the one before it stopped.  A map
 * block may appear only once, so memory grows with the map blocks on the
 * device, not with the declared size.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "runs.h"

#include <ext2fs/ext3_extents.h>

struct builder {
	ext2_filsys	fs;
	ext2_ino_t	ino;
	uint32_t	wanted;		/* blocks */
	uint32_t	done;
	struct run	*log;
	size_t		nr_log, cap_log;
	struct run	*map;		/* map blocks; logblk unused */
	size_t		nr_map, cap_map;
	ext2fs_block_bitmap seen;	/* map blocks; NULL before the first */
};

static errcode_t append(struct run **runs, size_t *nr, size_t *cap,
			struct run run)
{
	struct run *last = *nr ? &(*runs)[*nr - 1] : NULL, *grown;

	if (last && last->physblk + last->count == run.physblk &&
	    last->logblk + last->count == run.logblk) {
		last->count += run.count;
		return 0;
	}
	grown = grow(*runs, *nr, cap, sizeof(run));
	if (!grown)
		return EXT2_ET_NO_MEMORY;
	*runs = grown;
	grown[(*nr)++] = run;
	return 0;
}

static bool inside(const struct builder *b, blk64_t physblk, uint32_t count)
{
	blk64_t first = b->fs->super->s_first_data_block;
	blk64_t end = ext2fs_blocks_count(b->fs->super);

	return physblk > first && physblk < end && count <= end - physblk;
}

static errcode_t add_data(struct builder *b, blk64_t physblk, uint32_t count)
{
	uint32_t left = b->wanted - b->done;
	struct run run = { .physblk = physblk, .logblk = b->done };

	if (!inside(b, physblk, count))
		return E2LAZY_ET_JOURNAL_MAP;
	run.count = count < left ? count : left;
	b->done += run.count;
	return append(&b->log, &b->nr_log, &b->cap_log, run);
}

/* Refuse a map block outside the file system, or seen before. */
static errcode_t take_map_block(struct builder *b, blk64_t physblk)
{
	errcode_t err = 0;

	if (!inside(b, physblk, 1))
		return E2LAZY_ET_JOURNAL_MAP;
	if (!b->seen)
		err = ext2fs_allocate_subcluster_bitmap(b->fs,
				"blocks of the journal's map", &b->seen);
	if (!err && ext2fs_mark_block_bitmap2(b->seen, physblk))
		err = E2LAZY_ET_JOURNAL_MAP;
	return err;
}

/* Read a block of the block map into a buffer that the caller frees. */
static errcode_t read_map_block(struct builder *b, blk64_t physblk, void **buf)
{
	struct run run = { .physblk = physblk, .count = 1 };
	errcode_t err;

	*buf = NULL;
	err = take_map_block(b, physblk);
	if (!err)
		err = append(&b->map, &b->nr_map, &b->cap_map, run);
	if (err)
		return err;
	err = ext2fs_get_mem(b->fs->blocksize, buf);
	if (err)
		return err;
	err = io_channel_read_blk64(b->fs->io, physblk, 1, *buf);
	if (err)
		ext2fs_free_mem(buf);
	return err;
}

/* ------------------------------------------------------------- extents */

static blk64_t extent_start(const struct ext3_extent *ex)
{
	return ext2fs_le32_to_cpu(ex->ee_start) |
	       (blk64_t)ext2fs_le16_to_cpu(ex->ee_start_hi) << 32;
}

static errcode_t add_extent(struct builder *b, const struct ext3_extent *ex)
{
	uint32_t count = ext2fs_le16_to_cpu(ex->ee_len);

	/* The kernel reads an unwritten extent as a hole, and stops. */
	if (count == 0 || count > EXT_INIT_MAX_LEN ||
	    ext2fs_le32_to_cpu(ex->ee_block) != b->done)
		return E2LAZY_ET_JOURNAL_MAP;
	return add_data(b, extent_start(ex), count);
}

static errcode_t walk_extents(struct builder *b, void *node, size_t bytes,
			      unsigned depth);

/*
 * Call it before libext2fs verifies the checksum, which it looks for behind
 * entry eh_max, wherever that is.
 */
static bool sound_header(const void *node, size_t bytes, unsigned depth)
{
	const struct ext3_extent_header *eh = node;
	unsigned entries = ext2fs_le16_to_cpu(eh->eh_entries);
	unsigned most = ext2fs_le16_to_cpu(eh->eh_max);

	return ext2fs_le16_to_cpu(eh->eh_magic) == EXT3_EXT_MAGIC &&
	       ext2fs_le16_to_cpu(eh->eh_depth) == depth &&
	       entries > 0 && entries <= most &&
	       most <= (bytes - sizeof(*eh)) / sizeof(struct ext3_extent);
}

static errcode_t walk_extent_block(struct builder *b,
				   const struct ext3_extent_idx *ix,
				   unsigned depth)
{
	blk64_t physblk = ext2fs_le32_to_cpu(ix->ei_leaf) |
			  (blk64_t)ext2fs_le16_to_cpu(ix->ei_leaf_hi) << 32;
	void *node;
	errcode_t err;

	err = read_map_block(b, physblk, &node);
	if (err)
		return err;
	if (!sound_header(node, b->fs->blocksize, depth))
		err = E2LAZY_ET_JOURNAL_MAP;
	else if (b->ino && !ext2fs_extent_block_csum_verify(b->fs, b->ino,
							    node))
		err = EXT2_ET_EXTENT_CSUM_INVALID;
	else
		err = walk_extents(b, node, b->fs->blocksize, depth);
	ext2fs_free_mem(&node);
	return err;
}

static errcode_t walk_extents(struct builder *b, void *node, size_t bytes,
			      unsigned depth)
{
	struct ext3_extent_header *eh = node;
	unsigned entries = ext2fs_le16_to_cpu(eh->eh_entries);
	errcode_t err = 0;

	if (!sound_header(node, bytes, depth))
		return E2LAZY_ET_JOURNAL_MAP;

	for (unsigned i = 0; !err && i < entries && b->done < b->wanted; i++) {
		if (depth)
			err = walk_extent_block(b, EXT_FIRST_INDEX(eh) + i,
						depth - 1);
		else
			err = add_extent(b, EXT_FIRST_EXTENT(eh) + i);
	}
	return err;
}

#define MAX_EXTENT_DEPTH 5

static errcode_t walk_extent_root(struct builder *b, struct ext2_inode *inode)
{
	struct ext3_extent_header *eh = (void *)inode->i_block;
	unsigned depth = ext2fs_le16_to_cpu(eh->eh_depth);

	if (depth > MAX_EXTENT_DEPTH)
		return E2LAZY_ET_JOURNAL_MAP;
	return walk_extents(b, eh, sizeof(inode->i_block), depth);
}

/* ----------------------------------------------------- indirect blocks */

static errcode_t walk_indirect(struct builder *b, blk64_t physblk,
			       unsigned level)
{
	unsigned per_block = b->fs->blocksize / 4;
	void *buf;
	errcode_t err;

	if (level == 0)
		return add_data(b, physblk, 1);
	err = read_map_block(b, physblk, &buf);
	if (err)
		return err;
	for (unsigned i = 0; !err && i < per_block && b->done < b->wanted; i++)
		err = walk_indirect(b, ext2fs_le32_to_cpu(((__u32 *)buf)[i]),
				    level - 1);
	ext2fs_free_mem(&buf);
	return err;
}

static errcode_t walk_blocks(struct builder *b, const struct ext2_inode *inode)
{
	errcode_t err = 0;

	for (unsigned i = 0; !err && i < EXT2_N_BLOCKS && b->done < b->wanted;
	     i++) {
		unsigned level = i < EXT2_NDIR_BLOCKS ?
				 0 : i - EXT2_NDIR_BLOCKS + 1;

		err = walk_indirect(b, inode->i_block[i], level);
	}
	return err;
}

/* ------------------------------------------------------------ the runs */

static int by_physblk(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	return x->physblk < y->physblk ? -1 : x->physblk > y->physblk;
}

static errcode_t make_hints(struct runs *runs)
{
	size_t nr = (runs->blocks >> RUNS_HINT_BITS) + 2, run = 0;

	runs->hint = malloc(nr * sizeof(*runs->hint));
	if (!runs->hint)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < nr; i++) {
		uint64_t logblk = (uint64_t)i << RUNS_HINT_BITS;

		while (run + 1 < runs->nr_log &&
		       runs->log[run + 1].logblk <= logblk)
			run++;
		runs->hint[i] = (uint32_t)run;
	}
	return 0;
}

static void mark_parts(struct runs *runs)
{
	const struct run *last = &runs->own[runs->nr_own - 1];
	blk64_t begin = runs->own[0].physblk;
	blk64_t end = last->physblk + last->count - 1;

	while ((end >> runs->part_bits) - (begin >> runs->part_bits) >=
	       RUNS_PARTS)
		runs->part_bits++;
	runs->first_part = begin >> runs->part_bits;
	for (const struct run *r = runs->own; r <= last; r++) {
		blk64_t from = r->physblk >> runs->part_bits;
		blk64_t to = (r->physblk + r->count - 1) >> runs->part_bits;

		memset(runs->part + (from - runs->first_part), true,
		       to - from + 1);
	}
}

/* own[] = log[] and its map blocks, sorted by physical block. */
static errcode_t finish(struct builder *b, struct runs *out)
{
	out->nr_own = b->nr_log + b->nr_map;
	out->own = malloc(out->nr_own * sizeof(*out->own));
	if (!out->own)
		return EXT2_ET_NO_MEMORY;
	memcpy(out->own, b->log, b->nr_log * sizeof(*b->log));
	if (b->nr_map)
		memcpy(out->own + b->nr_log, b->map,
		       b->nr_map * sizeof(*b->map));
	qsort(out->own, out->nr_own, sizeof(*out->own), by_physblk);
	for (size_t i = 1; i < out->nr_own; i++) {
		struct run *prev = &out->own[i - 1];

		if (prev->physblk + prev->count > out->own[i].physblk)
			return E2LAZY_ET_JOURNAL_MAP;
	}
	mark_parts(out);
	out->log = b->log;
	out->nr_log = b->nr_log;
	out->blocks = b->done;
	b->log = NULL;
	return make_hints(out);
}

errcode_t runs_of_inode(ext2_filsys fs, ext2_ino_t ino,
			const struct ext2_inode *inode, uint32_t blocks,
			struct runs *out)
{
	struct builder b = { .fs = fs, .ino = ino, .wanted = blocks };
	struct ext2_inode copy = *inode;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	if (inode->i_flags & EXT4_EXTENTS_FL)
		err = walk_extent_root(&b, &copy);
	else
		err = walk_blocks(&b, inode);
	if (!err && b.done < blocks)
		err = E2LAZY_ET_JOURNAL_MAP;
	if (!err)
		err = finish(&b, out);
	if (err)
		runs_free(out);
	if (b.seen)
		ext2fs_free_block_bitmap(b.seen);
	free(b.log);
	free(b.map);
	return err;
}

errcode_t runs_of_list(const struct e2lazy_log_run *list, size_t nr,
		       blk64_t end, struct runs *out)
{
	struct builder b = { .log = NULL };
	errcode_t err = nr ? 0 : E2LAZY_ET_JOURNAL_MAP;

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; !err && i < nr; i++) {
		const struct run run = { .physblk = list[i].physblk,
					 .logblk = b.done,
					 .count = list[i].count };

		if (!run.count || !run.physblk || run.physblk >= end ||
		    run.count > end - run.physblk ||
		    run.count > UINT32_MAX - b.done)
			err = E2LAZY_ET_JOURNAL_MAP;
		else
			err = append(&b.log, &b.nr_log, &b.cap_log, run);
		b.done += run.count;
	}
	if (!err)
		err = finish(&b, out);
	if (err)
		runs_free(out);
	free(b.log);
	return err;
}

errcode_t runs_of_device(uint32_t blocks, struct runs *out)
{
	struct run whole = { .count = blocks };

	memset(out, 0, sizeof(*out));
	out->log = malloc(sizeof(*out->log));
	if (!out->log)
		return EXT2_ET_NO_MEMORY;
	out->log[0] = whole;
	out->nr_log = 1;
	out->blocks = blocks;
	/* nr_own stays 0: it owns no block of the file system. */
	return make_hints(out);
}

void runs_free(struct runs *runs)
{
	free(runs->log);
	free(runs->hint);
	free(runs->own);
	memset(runs, 0, sizeof(*runs));
}

const struct run *runs_search(const struct runs *runs, uint32_t logblk)
{
	const uint32_t *hint = &runs->hint[logblk >> RUNS_HINT_BITS];
	size_t low = hint[0], high = hint[1] + 1;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (runs->log[mid].logblk <= logblk)
			low = mid;
		else
			high = mid;
	}
	return &runs->log[low];
}

bool runs_search_own(const struct runs *runs, blk64_t physblk)
{
	size_t low = 0, high = runs->nr_own;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct run *run = &runs->own[mid];

		if (physblk < run->physblk)
			high = mid;
		else if (physblk - run->physblk >= run->count)
			low = mid + 1;
		else
			return true;
	}
	return false;
}
