/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * carve.c - search a device for a journal whose inode is gone
 *
 * tune2fs and mke2fs free the blocks of a journal, and leave their bytes.  So
 * the search reads the device once from its begin to its end.  A journal
 * superblock begins a place and tells its size.  Control blocks that lie in no
 * such place make one together, as long as they lie near each other.
 *
 * The inode's map is lost, so the runs are a guess.  mke2fs takes free blocks
 * from the first one on.  In a new file system static metadata is in the way:
 * superblocks, group descriptors, bitmaps and inode tables.  The descriptors of
 * the groups still tell where they are.  The resize inode's block is in the way,
 * too, for mke2fs makes that inode before the journal.  With bigalloc, each of
 * them takes whole clusters.  Without extents, the blocks of numbers that map the
 * journal lie between its own.
 *
 * Memory: the places, and a piece of the device.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/pread_io.h"
#include "io/watch.h"
#include "salvage.h"

#define PIECE_BYTES	(1 << 20)
/* Control blocks further apart than this belong to two journals. */
#define MOST_APART	65536

struct carve {
	ext2_filsys	fs;
	struct places	*out;
	unsigned	size;		/* of a block */
	uint64_t	end;		/* blocks */
};

/* ------------------------------------------------------------- the search */

static struct place *last_place(struct carve *c)
{
	return c->out->nr ? &c->out->at[c->out->nr - 1] : NULL;
}

static void forget_place(struct places *p, unsigned i)
{
	memmove(&p->at[i], &p->at[i + 1], (p->nr - i - 1) * sizeof(p->at[0]));
	p->nr--;
}

/*
 * Nothing is added to the last place any more.  A place without signs has no
 * log; of too many with signs, the one with the fewest is dropped.
 */
static void end_place(struct places *p)
{
	unsigned fewest = 0;

	if (p->nr && !p->at[p->nr - 1].signs)
		p->nr--;
	if (p->nr <= MOST_PLACES)
		return;
	for (unsigned i = 1; i < p->nr; i++)
		if (p->at[i].signs < p->at[fewest].signs)
			fewest = i;
	forget_place(p, fewest);
	p->dropped++;
}

static void begin_place(struct carve *c, const struct place *place)
{
	end_place(c->out);
	c->out->at[c->out->nr++] = *place;
}

/* A size that is no journal's means that this is no superblock. */
static bool see_super(struct carve *c, blk64_t at, const uint8_t *block)
{
	uint32_t blocks = get_be32(block + JSB_MAXLEN);
	const struct place place = { .start = at, .last = at,
				     .blocks = blocks };

	if (get_be32(block + JSB_BLOCKSIZE) != c->size ||
	    blocks < JBD2_MIN_BLOCKS || blocks > c->end - at)
		return false;
	begin_place(c, &place);
	return true;
}

/* Does it lie in a place, or near the end of one? */
static bool is_of(const struct place *p, blk64_t at)
{
	return at - p->start < p->blocks || at - p->last < MOST_APART;
}

/* A control block without a superblock before it was not the ring's first. */
static void see_control(struct carve *c, blk64_t at)
{
	struct place *last = last_place(c);
	const struct place place = { .start = at - 1, .last = at,
				     .signs = 1 };

	if (!last || !is_of(last, at)) {
		begin_place(c, &place);
		return;
	}
	last->last = at;
	last->signs++;
}

static void see_block(struct carve *c, blk64_t at, const uint8_t *block)
{
	struct jbd2_header h;

	if (!jbd2_get_header(block, &h) || at <= 1)
		return;
	if (h.type == JBD2_SUPER_V1 || h.type == JBD2_SUPER_V2)
		see_super(c, at, block);
	else if (h.type == JBD2_DESCRIPTOR || h.type == JBD2_COMMIT ||
		 h.type == JBD2_REVOKE)
		see_control(c, at);
}

/* An unreadable piece is searched block by block. */
static void see_piece(struct carve *c, blk64_t at, unsigned count,
		      uint8_t *buf)
{
	if (!io_channel_read_blk64(c->fs->io, at, (int)count, buf)) {
		for (unsigned i = 0; i < count; i++)
			see_block(c, at + i, buf + (size_t)i * c->size);
		return;
	}
	for (unsigned i = 0; i < count; i++)
		if (!io_channel_read_blk64(c->fs->io, at + i, 1, buf))
			see_block(c, at + i, buf);
}

errcode_t carve_device(ext2_filsys fs, uint64_t device_blocks,
		       const struct e2lazy_watch *watch, struct places *out)
{
	struct carve c = { .fs = fs, .out = out, .size = fs->blocksize,
			   .end = device_blocks };
	unsigned most = PIECE_BYTES / c.size, count;
	uint8_t *buf = NULL;
	errcode_t err = io_channel_alloc_buf(fs->io, (int)most, &buf);

	out->nr = 0;
	out->dropped = 0;
	for (blk64_t at = 0; !err && at < c.end; at += count) {
		uint64_t hole = pread_io_hole(fs->io, at, c.end - at);

		count = c.end - at < most ? (unsigned)(c.end - at) : most;
		err = watch_tick(watch, E2LAZY_PHASE_CARVE, at, c.end);
		if (err)
			break;
		if (hole >= count) {
			at += hole - count;
			continue;
		}
		see_piece(&c, at, count, buf);
	}
	ext2fs_free_mem(&buf);
	end_place(out);
	return err ? err : watch_tick(watch, E2LAZY_PHASE_CARVE, c.end,
				      c.end);
}

/* --------------------------------------------------------------- the runs */

/* Static metadata: blocks that no journal has. */
struct taken {
	blk64_t		start;
	uint32_t	count;
};

struct taken_list {
	struct taken	*at;
	size_t		nr, room;
};

/* No two owners share a cluster, which without bigalloc is a block. */
static bool take(struct taken_list *list, ext2_filsys fs, blk64_t start,
		 blk64_t count)
{
	blk64_t rest = EXT2FS_CLUSTER_MASK(fs), before = start & rest;
	struct taken *at;

	if (!start || !count)
		return true;
	at = grow(list->at, list->nr, &list->room, sizeof(*at));
	if (!at)
		return false;
	list->at = at;
	count = (before + count + rest) & ~rest;
	at[list->nr++] = (struct taken){ start - before, (uint32_t)count };
	return true;
}

static bool take_group(struct taken_list *list, ext2_filsys fs, dgrp_t group)
{
	blk64_t super, old_desc, new_desc;
	blk_t used;

	ext2fs_super_and_bgd_loc2(fs, group, &super, &old_desc, &new_desc,
				  &used);
	return take(list, fs, super, 1) &&
	       take(list, fs, old_desc, fs->desc_blocks +
					fs->super->s_reserved_gdt_blocks) &&
	       take(list, fs, new_desc, 1) &&
	       take(list, fs, ext2fs_block_bitmap_loc(fs, group), 1) &&
	       take(list, fs, ext2fs_inode_bitmap_loc(fs, group), 1) &&
	       take(list, fs, ext2fs_inode_table_loc(fs, group),
		    fs->inode_blocks_per_group);
}

/*
 * The resize inode maps the reserved descriptors by one block of its own.  A
 * damaged inode tells nothing; then the runs are guessed without that block.
 */
static bool take_resize_block(struct taken_list *list, ext2_filsys fs)
{
	struct ext2_inode inode;

	if (!ext2fs_has_feature_resize_inode(fs->super) ||
	    ext2fs_read_inode(fs, EXT2_RESIZE_INO, &inode) ||
	    !LINUX_S_ISREG(inode.i_mode))
		return true;
	return take(list, fs, inode.i_block[EXT2_DIND_BLOCK], 1);
}

static int by_start(const void *left, const void *right)
{
	const struct taken *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* The blocks of a place; without its superblock, as far as it is seen. */
static uint32_t blocks_of(const struct place *p, uint64_t device_blocks)
{
	uint64_t blocks = p->blocks;

	if (!blocks)	/* the last control block may have copies behind it */
		blocks = p->last - p->start + JBD2_MIN_BLOCKS;
	if (blocks > device_blocks - p->start)
		blocks = device_blocks - p->start;
	return blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX - 1;
}

static struct e2lazy_log_run *in_one_piece(const struct place *p,
					   uint32_t blocks, size_t *nr)
{
	struct e2lazy_log_run *run = malloc(sizeof(*run));

	*nr = 1;
	if (run)
		*run = (struct e2lazy_log_run){ p->start, blocks };
	return run;
}

/* Free blocks, one after the other, and the runs that they make. */
struct walk {
	const struct taken_list *list;
	size_t		next;		/* in @list */
	blk64_t		at, end;
	struct e2lazy_log_run *runs;
	size_t		nr, room;
};

static bool add_run(struct walk *w, uint32_t count)
{
	struct e2lazy_log_run *run = w->nr ? &w->runs[w->nr - 1] : NULL;

	if (run && run->physblk + run->count == w->at) {
		run->count += count;
		return true;
	}
	run = grow(w->runs, w->nr, &w->room, sizeof(*run));
	if (!run)
		return false;
	w->runs = run;
	run[w->nr++] = (struct e2lazy_log_run){ w->at, count };
	return true;
}

/* Go past @blocks free blocks; those that are @ours are the journal's. */
static bool go(struct walk *w, uint32_t blocks, bool ours)
{
	bool room = true;

	while (room && blocks && w->at < w->end) {
		const struct taken *taken = w->next < w->list->nr ?
					    &w->list->at[w->next] : NULL;
		blk64_t end = taken ? taken->start : w->end;
		uint32_t n = 0;

		if (w->at < end)
			n = end - w->at < blocks ? (uint32_t)(end - w->at) :
						   blocks;
		if (n && ours)
			room = add_run(w, n);
		w->at += n;
		blocks -= n;
		if (!blocks || !taken)
			continue;
		if (w->at < end + taken->count)
			w->at = end + taken->count;
		w->next++;
	}
	return room;
}

/* The blocks of numbers that libext2fs allocates just before block @lblk. */
static unsigned numbers_before(uint64_t lblk, uint64_t in_block)
{
	uint64_t at = lblk - EXT2_NDIR_BLOCKS, square = in_block * in_block;

	if (lblk < EXT2_NDIR_BLOCKS || at % in_block)
		return 0;
	if (!at)
		return 1;
	at -= in_block;
	if (at < square)
		return at ? 1 : 2;
	at -= square;
	return !at ? 3 : at % square ? 1 : 2;
}

/* A map of block numbers lies between the blocks that it maps. */
static bool go_mapped(struct walk *w, uint32_t blocks, uint32_t in_block)
{
	bool room = true;

	for (uint32_t lblk = 0, n; room && lblk < blocks; lblk += n) {
		n = lblk < EXT2_NDIR_BLOCKS ? EXT2_NDIR_BLOCKS : in_block;
		n = n < blocks - lblk ? n : blocks - lblk;
		room = go(w, numbers_before(lblk, in_block), false) &&
		       go(w, n, true);
	}
	return room;
}

static bool list_taken(struct taken_list *list, ext2_filsys fs)
{
	bool room = true;

	for (dgrp_t g = 0; room && g < fs->group_desc_count; g++)
		room = take_group(list, fs, g);
	room = room && take_resize_block(list, fs);
	if (room && list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), by_start);
	return room;
}

struct e2lazy_log_run *carve_runs(ext2_filsys fs, uint64_t device_blocks,
				  const struct place *place,
				  enum carve_guess guess, size_t *nr)
{
	uint32_t blocks = blocks_of(place, device_blocks);
	struct taken_list list = { .at = NULL };
	struct walk w = { .list = &list, .at = place->start,
			  .end = device_blocks };
	bool room;

	if (guess == CARVE_IN_ONE_PIECE)
		return in_one_piece(place, blocks, nr);
	room = list_taken(&list, fs);
	/* A place begins behind what ends before it. */
	while (w.next < list.nr && list.at[w.next].start <= place->start)
		w.next++;
	if (room)
		room = guess == CARVE_MAPPED ?
		       go_mapped(&w, blocks, fs->blocksize / 4) :
		       go(&w, blocks, true);
	free(list.at);
	*nr = w.nr;
	if (room)
		return w.runs;
	free(w.runs);
	return NULL;
}
