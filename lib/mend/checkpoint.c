/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * checkpoint.c - write every live block back to its static place
 *
 * In passes, as few as the memory allows.  A pass takes a stretch of the map,
 * reads its copies in log order, near ones in one request, and writes their
 * static blocks in ascending order, neighbours in one request.  What fails is
 * tried again singly; if a block remains, the log is kept.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../log/log.h"
#include "../map/jmap.h"
#include "../map/super.h"
#include "../map/view.h"
#include "gather.h"
#include "mend.h"

enum slot_state { SLOT_SKIP, SLOT_WANTED, SLOT_FULL, SLOT_FAILED };

struct checkpoint {
	struct e2lazy_view *view;
	const struct e2lazy_jmap *map;
	const struct e2lazy_checkpoint_opts *opts;
	struct target	target;
	struct e2lazy_where *where;
	struct e2lazy_checkpoint_done *done;
	unsigned	size;		/* of a block */
	errcode_t	first_error;

	/* A pass: slot n is mapping @first + n. */
	size_t		first, count, room;
	uint8_t		*blocks;	/* one a slot */
	uint8_t		*states;	/* enum slot_state */
	struct want	*wants;
	size_t		nr_wants;
	uint8_t		*span;
};

/* ------------------------------------------------------------- telling */

static errcode_t tick(struct checkpoint *c, enum e2lazy_mend_phase phase,
		      uint64_t done)
{
	if (!c->opts->progress)
		return 0;
	return c->opts->progress(c->opts->priv, phase, done,
				 e2lazy_jmap_count(c->map));
}

static void fail_slot(struct checkpoint *c, uint32_t slot, errcode_t err,
		      bool reading)
{
	struct e2lazy_where where = { .has = E2LAZY_AT_FSBLK };
	size_t index = c->first + slot;

	c->states[slot] = SLOT_FAILED;
	c->done->failed++;
	if (!c->first_error)
		c->first_error = err;
	where.fsblk = jmap_fsblk(c->map, index);
	if (reading) {
		where.has |= E2LAZY_AT_LOGBLK;
		where.logblk = jmap_logblk(c->map, index);
	}
	copy_device_name(where.device,
			 reading ? c->view->journal->geo.journal_device :
				   c->view->journal->fs->device_name);
	if (c->opts->failed)
		c->opts->failed(c->opts->priv, err, &where);
}

static uint8_t *slot_block(const struct checkpoint *c, uint32_t slot)
{
	return c->blocks + (size_t)slot * c->size;
}

/* ------------------------------------------------------------- reading */

/* The superblock is merged, and written with the seal. */
static void choose(struct checkpoint *c)
{
	blk64_t super = super_fsblk(c->view->journal);
	struct e2lazy_copy copy;

	c->nr_wants = 0;
	for (uint32_t slot = 0; slot < c->count; slot++) {
		e2lazy_jmap_get(c->map, c->first + slot, &copy);
		c->states[slot] = SLOT_SKIP;
		if (copy.fsblk == super)
			continue;
		if (c->opts->skip && c->opts->skip(c->opts->priv, &copy)) {
			c->done->skipped++;
			continue;
		}
		c->states[slot] = SLOT_WANTED;
		c->wants[c->nr_wants].logblk = copy.logblk;
		c->wants[c->nr_wants++].slot = slot;
	}
	wants_sort(c->wants, c->nr_wants);
}

static void take(struct checkpoint *c, uint32_t slot, const uint8_t *from)
{
	uint8_t *block = slot_block(c, slot);

	memcpy(block, from, c->size);
	if (jmap_take(c->map, c->first + slot, block))
		c->states[slot] = SLOT_FULL;
	else
		fail_slot(c, slot, E2LAZY_ET_DATA_CSUM, true);
}

/* A block at a time, and each twice. */
static void read_singly(struct checkpoint *c, const struct want *w,
			const struct want *end)
{
	struct e2lazy_journal *j = c->view->journal;
	errcode_t err;

	for (; w < end; w++) {
		err = e2lazy_read_log(j, w->logblk, 1, c->span);
		if (err)
			err = e2lazy_read_log(j, w->logblk, 1, c->span);
		if (err)
			fail_slot(c, w->slot, err, true);
		else
			take(c, w->slot, c->span);
	}
}

static errcode_t read_pass(struct checkpoint *c)
{
	const struct want *w = c->wants, *end = w + c->nr_wants, *next;
	struct e2lazy_journal *j = c->view->journal;
	errcode_t err = 0;

	for (; !err && w < end; w = next) {
		uint32_t blocks;

		next = wants_gather(w, end, c->size);
		blocks = next[-1].logblk - w->logblk + 1;
		c->done->blocks_read += blocks;
		if (e2lazy_read_log(j, w->logblk, blocks, c->span))
			read_singly(c, w, next);
		else
			for (const struct want *one = w; one < next; one++)
				take(c, one->slot, c->span + (size_t)c->size *
				     (one->logblk - w->logblk));
		err = tick(c, E2LAZY_MEND_READ, c->first + (next - c->wants));
	}
	return err;
}

/* ------------------------------------------------------------- writing */

static void write_singly(struct checkpoint *c, uint32_t slot, uint32_t count)
{
	io_channel io = c->target.fs->io;
	errcode_t err;

	for (; count; count--, slot++) {
		blk64_t fsblk = jmap_fsblk(c->map, c->first + slot);

		err = io_channel_write_blk64(io, fsblk, 1, slot_block(c, slot));
		if (err)
			err = io_channel_write_blk64(io, fsblk, 1,
						     slot_block(c, slot));
		if (err)
			fail_slot(c, slot, err, false);
		else
			c->done->blocks_written++;
	}
}

/* How many slots from @slot on are neighbours in place, and full. */
static uint32_t neighbours(const struct checkpoint *c, uint32_t slot)
{
	blk64_t fsblk = jmap_fsblk(c->map, c->first + slot);
	uint32_t most = most_written(c->size), n = 1;

	while (n < most && slot + n < c->count &&
	       c->states[slot + n] == SLOT_FULL &&
	       jmap_fsblk(c->map, c->first + slot + n) == fsblk + n)
		n++;
	return n;
}

static errcode_t write_pass(struct checkpoint *c)
{
	io_channel io = c->target.fs->io;
	errcode_t err = 0;
	uint32_t n;

	for (uint32_t slot = 0; !err && slot < c->count; slot += n) {
		n = 1;
		if (c->states[slot] != SLOT_FULL)
			continue;
		n = neighbours(c, slot);
		c->done->writes++;
		if (io_channel_write_blk64(io, jmap_fsblk(c->map, c->first +
							  slot), (int)n,
					   slot_block(c, slot)))
			write_singly(c, slot, n);
		else
			c->done->blocks_written += n;
		err = tick(c, E2LAZY_MEND_WRITE, c->first + slot + n);
	}
	return err;
}

/* ----------------------------------------------------------- comparing */

/* What stands in place now, against the pass that was just written. */
static errcode_t compare_pass(struct checkpoint *c)
{
	io_channel io = c->view->journal->fs->io;
	errcode_t err = 0;
	uint32_t n;

	for (uint32_t slot = 0; !err && slot < c->count; slot += n) {
		n = 1;
		if (c->states[slot] != SLOT_FULL)
			continue;
		n = neighbours(c, slot);
		n = n < SPAN_BYTES / c->size ? n : SPAN_BYTES / c->size;
		err = io_channel_read_blk64(io, jmap_fsblk(c->map, c->first +
							   slot), (int)n,
					    c->span);
		for (uint32_t i = 0; i < n; i++)
			if (err || memcmp(c->span + (size_t)i * c->size,
					  slot_block(c, slot + i), c->size))
				fail_slot(c, slot + i,
					  err ? err : E2LAZY_ET_NOT_WRITTEN,
					  false);
		err = tick(c, E2LAZY_MEND_COMPARE, c->first + slot + n);
	}
	return err;
}

static errcode_t one_pass(struct checkpoint *c)
{
	errcode_t err;

	choose(c);
	err = read_pass(c);
	if (!err)
		err = write_pass(c);
	if (!err && (c->opts->flags & E2LAZY_CHECKPOINT_COMPARE)) {
		err = io_channel_flush(c->target.fs->io);
		if (!err)
			err = compare_pass(c);
	}
	return err;
}

/* ------------------------------------------------------------- all of it */

static errcode_t allocate(struct checkpoint *c)
{
	size_t live = e2lazy_jmap_count(c->map);
	io_channel io = c->target.fs->io;
	errcode_t err;

	c->room = pass_room(c->opts->memory, c->size, live);
	err = ext2fs_get_memalign(c->room * (size_t)c->size,
				  io->align > 4096 ? io->align : 4096,
				  &c->blocks);
	if (!err)
		err = io_channel_alloc_buf(io, SPAN_BYTES / (int)c->size,
					   &c->span);
	c->states = malloc(c->room);
	c->wants = calloc(c->room, sizeof(*c->wants));
	if (!err && (!c->states || !c->wants))
		err = EXT2_ET_NO_MEMORY;
	return err;
}

static errcode_t copy_all(struct checkpoint *c)
{
	size_t live = e2lazy_jmap_count(c->map);
	errcode_t err = 0;

	for (c->first = 0; !err && c->first < live; c->first += c->count) {
		c->count = live - c->first < c->room ? live - c->first :
						       c->room;
		c->done->passes++;
		err = one_pass(c);
	}
	return err ? err : c->first_error;
}

static errcode_t write_back(struct checkpoint *c)
{
	errcode_t err = allocate(c);

	if (!err)
		err = seal_begin(&c->target, c->view, c->where);
	if (!err)
		err = copy_all(c);
	if (!err)
		err = seal_finish(&c->target, c->view, c->where);
	c->done->sealed = !err;
	ext2fs_free_mem(&c->blocks);
	ext2fs_free_mem(&c->span);
	free(c->states);
	free(c->wants);
	return err;
}

errcode_t e2lazy_checkpoint(struct e2lazy_view *view,
			    const struct e2lazy_checkpoint_opts *opts,
			    struct e2lazy_checkpoint_done *done,
			    struct e2lazy_where *where)
{
	static const struct e2lazy_checkpoint_opts plain;
	struct checkpoint c = { .view = view, .map = view->map };
	errcode_t err;

	memset(done, 0, sizeof(*done));
	memset(where, 0, sizeof(*where));
	c.opts = opts ? opts : &plain;
	c.done = done;
	c.where = where;
	c.size = view->blocksize;
	if (e2lazy_jmap_end(view->map)->reason == E2LAZY_END_UNTIL)
		return EXT2_ET_INVALID_ARGUMENT;
	if (!view->journal->geo.start && !view->journal->geo.needs_recovery)
		return 0;
	err = target_open(&c.target, view, c.opts->manager, where);
	if (err)
		return err;
	if (c.opts->locked)
		err = c.opts->locked(c.opts->priv);
	if (!err)
		err = write_back(&c);
	target_close(&c.target);
	return err;
}
