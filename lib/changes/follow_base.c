/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * follow_base.c - what is known before the first transaction
 *
 * The ring has exact copies of what was logged last.  All other blocks come from
 * their static places, by a search through all directories, which also learns the
 * names of all files, and then through the tables of inodes, as far as memory
 * goes.
 */

#include <stdlib.h>

#include "e2lazy_ring.h"
#include "follow_parts.h"
#include "fs/name_search.h"
#include "io/watch.h"

errcode_t follow_layout(struct follow *f, struct e2lazy_where *where)
{
	struct e2lazy_jmap *map = NULL;
	errcode_t err = e2lazy_jmap_build(f->journal, NULL, &map);

	e2lazy_layout_free(f->step.layout);
	f->step.layout = NULL;
	if (!err)
		err = e2lazy_layout_build(f->journal, map, &f->step.layout,
					  where);
	e2lazy_jmap_free(map);
	return err;
}

/* --------------------------------------------------------------- the ring */

static errcode_t keep_copies(struct follow *f, const struct e2lazy_jmap *map)
{
	struct e2lazy_copy copy;
	uint8_t *block = NULL;
	errcode_t err = io_channel_alloc_buf(f->journal->io, 1, &block);
	size_t bad;

	for (size_t i = 0; !err && i < e2lazy_jmap_count(map); i++) {
		e2lazy_jmap_get(map, i, &copy);
		if (follow_wants(f, copy.fsblk) &&
		    !e2lazy_jmap_read(map, i, 1, block, &bad))
			err = known_put(&f->known, copy.fsblk, block);
	}
	ext2fs_free_mem(&block);
	return err;
}

static errcode_t keep_ranges(struct follow *f,
			     const struct e2lazy_range *ranges, uint32_t count)
{
	const struct e2lazy_jmap_opts opts = {
		.flags = E2LAZY_WALK_UNTIL | E2LAZY_JMAP_CSUMS,
		.until = f->feed.at.tid, .range = ranges, .nr_ranges = count,
	};
	struct e2lazy_jmap *map = NULL;
	errcode_t err = e2lazy_jmap_build(f->journal, &opts, &map);

	if (!err && e2lazy_jmap_end(map)->reason == E2LAZY_END_UNTIL)
		err = keep_copies(f, map);
	e2lazy_jmap_free(map);
	return err;
}

static void note_times(struct follow *f, const struct e2lazy_ring *ring,
		       uint32_t first, uint32_t index)
{
	struct e2lazy_ring_txn txn;

	for (unsigned i = 0; i < 2 && index - first + 1 > i; i++) {
		e2lazy_ring_txn(ring, index - i, &txn);
		f->commits[1 - i] = commit_time(txn.txn.sec, txn.txn.nsec);
	}
}

/* Without checksums nothing shows that an older transaction is whole. */
static uint32_t first_sure(const struct follow *f,
			   const struct e2lazy_ring *ring, uint32_t first,
			   uint32_t index)
{
	const struct e2lazy_geometry *g = &f->journal->geo;
	struct e2lazy_ring_txn txn;

	if (g->csum >= E2LAZY_CSUM_V2)
		return first;
	for (; index > first; index--) {
		e2lazy_ring_txn(ring, index - 1, &txn);
		if (!g->start || e2lazy_tid_after(g->sequence, txn.txn.tid))
			break;
	}
	return index;
}

static errcode_t keep_history(struct follow *f, const struct e2lazy_ring *ring,
			      uint32_t index)
{
	struct e2lazy_history history;
	struct e2lazy_ring_txn txn;
	struct e2lazy_range *ranges;
	uint32_t first, count = 0;
	errcode_t err;

	e2lazy_ring_txn(ring, index, &txn);
	e2lazy_ring_history(ring, txn.history, &history);
	if (txn.txn.end != f->feed.at.logblk)
		return 0;
	note_times(f, ring, history.first, index);
	first = first_sure(f, ring, history.first, index);
	ranges = e2lazy_ring_ranges(ring, first, index - first + 1, &count);
	err = ranges ? keep_ranges(f, ranges, count) : EXT2_ET_NO_MEMORY;
	free(ranges);
	return err;
}

errcode_t follow_read_ring(struct follow *f)
{
	const struct e2lazy_ring_opts opts = { .watch = f->opts.watch };
	struct e2lazy_ring *ring = NULL;
	errcode_t err = 0;
	uint32_t index;

	f->commits[0] = f->commits[1] = (struct e2lazy_time){
		.sec = (int64_t)f->before.fs->super->s_mtime - 1 };
	if (!f->feed.at.logblk)
		return 0;
	err = e2lazy_ring_scan(f->journal, &opts, &ring, NULL);
	if (!err && e2lazy_ring_find(ring, f->feed.at.tid, &index))
		err = keep_history(f, ring, index);
	e2lazy_ring_free(ring);
	return err;
}

/* ---------------------------------------------------------- all directories */

static bool wants_all(void *priv, ext2_ino_t ino)
{
	(void)priv, (void)ino;
	return true;
}

static errcode_t learn(void *priv, ext2_ino_t ino, ext2_ino_t dir,
		       const char *name, unsigned length)
{
	struct follow *f = priv;

	return names_seen(&f->names, ino, dir, name, length);
}

static errcode_t read_directories(struct follow *f)
{
	blk64_t budget = 8 * ext2fs_blocks_count(f->after.fs->super);
	struct name_search search = {
		.fs = f->after.fs, .wants = wants_all, .found = learn,
		.priv = f, .left = UINT64_MAX, .budget = &budget,
	};

	return name_search(&search, &f->watch);
}

static blk64_t used_blocks(ext2_filsys fs, dgrp_t group)
{
	uint32_t unused = ext2fs_bg_itable_unused(fs, group);
	uint32_t used = fs->super->s_inodes_per_group;

	if (ext2fs_bg_flags_test(fs, group, EXT2_BG_INODE_UNINIT))
		used = 0;
	else if (ext2fs_has_group_desc_csum(fs) && unused <= used)
		used -= unused;
	return ((uint64_t)used * EXT2_INODE_SIZE(fs->super) +
		fs->blocksize - 1) / fs->blocksize;
}

static errcode_t read_table(struct follow *f, dgrp_t group, uint8_t *block)
{
	ext2_filsys fs = f->after.fs;
	blk64_t start = ext2fs_inode_table_loc(fs, group);
	blk64_t count = used_blocks(fs, group);
	errcode_t err = 0;

	if (!start || count > fs->inode_blocks_per_group)
		return 0;
	io_channel_cache_readahead(e2lazy_static_fs(f->journal)->io, start,
				   count);
	for (blk64_t i = 0; !err && i < count && !known_is_full(&f->known);
	     i++) {
		err = io_channel_read_blk64(fs->io, start + i, 1, block);
		if (!err && i % 256 == 255)
			err = watch_tick(&f->watch, E2LAZY_PHASE_INODES,
					 group, fs->group_desc_count);
		if (err != E2LAZY_ET_CANCELLED && err != EXT2_ET_NO_MEMORY)
			err = 0;
	}
	return err;
}

static errcode_t read_tables(struct follow *f)
{
	ext2_filsys fs = f->after.fs;
	uint8_t *block = NULL;
	errcode_t err = io_channel_alloc_buf(fs->io, 1, &block);

	for (dgrp_t g = 0; !err && g < fs->group_desc_count; g++) {
		err = watch_tick(&f->watch, E2LAZY_PHASE_INODES, g,
				 fs->group_desc_count);
		if (!err)
			err = read_table(f, g, block);
	}
	ext2fs_free_mem(&block);
	return err;
}

errcode_t follow_read_names(struct follow *f)
{
	errcode_t err = read_directories(f);

	return err ? err : read_tables(f);
}
