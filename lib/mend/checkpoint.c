/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * checkpoint.c - write every live block back to its static place
 *
 * The schedule decides the order.  Reader threads read ahead and verify, writer
 * threads write.  The caller's thread moves copies from readers to writers,
 * counts, and reports progress.  A failed request is tried again block by
 * block; if one block still fails, the log is not emptied.
 */

#include <stdlib.h>
#include <string.h>

#include "log/reader.h"
#include "view/copies.h"
#include "map/jmap.h"
#include "map/super.h"
#include "view/view.h"
#include "keep_old.h"
#include "mend.h"
#include "schedule.h"
#include "verify/verdict.h"
#include "io/trim.h"
#include "io/watch.h"
#include "io/writer.h"

#define BUFFER_ALIGN	4096

struct checkpoint {
	struct e2lazy_view *view;
	const struct e2lazy_jmap *map;
	struct e2lazy_verdict *verdict;
	const struct e2lazy_checkpoint_opts *opts;
	struct target	target;
	struct part	part;		/* the copies to write */
	struct e2lazy_home home;	/* of these, under the locks */
	uint64_t	to_write;	/* most of them */
	struct steps	steps;
	struct seal_table table;
	struct keep_old	old;
	struct e2lazy_where *where;
	struct e2lazy_checkpoint_done *done;
	unsigned	size;		/* of a block */
	errcode_t	first_error;
	errcode_t	told;		/* return value of opts->failed */

	struct schedule	schedule;
	struct reader	reader;
	struct writer	writer;
	uint64_t	taken, settled;	/* mappings */

	uint8_t		*blocks;	/* places for copies */
	/* The place of each slot in @blocks; NULL if each slot has its own,
	   and neighbours are written directly from there.  Copies in the
	   view's cache have no place. */
	uint32_t	*places;
	uint32_t	*free_places;
	size_t		nr_free;
	uint32_t	*sums;		/* checksum of each slot; or NULL */
};

/* ------------------------------------------------------------- telling */

static errcode_t tick(struct checkpoint *c, enum e2lazy_phase phase,
		      uint64_t done)
{
	uint64_t total = phase == E2LAZY_PHASE_COMPARE ?
			 e2lazy_jmap_count(c->map) : c->to_write;

	return c->told ? c->told : watch_tick(c->opts->watch, phase, done,
					      total);
}

static void fail_slot(struct checkpoint *c, uint32_t slot, errcode_t err,
		      bool reading)
{
	struct e2lazy_where where = { .has = E2LAZY_AT_FSBLK };

	c->schedule.states[slot] = SLOT_FAILED;
	c->done->failed++;
	if (!c->first_error)
		c->first_error = err;
	where.fsblk = jmap_fsblk(c->map, slot);
	if (reading) {
		where.volume = E2LAZY_JOURNAL;
		where.has |= E2LAZY_AT_LOGBLK;
		where.logblk = copies_logblk(c->map, c->schedule.older, slot);
	}
	if (c->opts->failed && !c->told)
		c->told = c->opts->failed(c->opts->priv, err, &where);
}

/* ------------------------------------------------------------- reading */

static uint8_t *place_block(const struct checkpoint *c, uint32_t place)
{
	return c->blocks + (size_t)place * c->size;
}

static void take(struct checkpoint *c, uint32_t slot, const uint8_t *from)
{
	uint32_t place = c->places ? c->free_places[c->nr_free - 1] : slot;
	uint8_t *block = place_block(c, place);

	memcpy(block, from, c->size);
	if (c->places) {
		c->nr_free--;
		c->places[slot] = place;
	}
	c->schedule.states[slot] = SLOT_HELD;
}

static errcode_t take_span(struct checkpoint *c)
{
	const struct span *span = reader_get(&c->reader);

	for (const struct want *w = span->from; w < span->to; w++) {
		errcode_t err = span->errors[w - span->from];

		if (err)
			fail_slot(c, w->slot, err, true);
		else
			take(c, w->slot, span_block(span, w, c->size));
	}
	c->done->blocks_read += span->to[-1].logblk - span->from->logblk + 1;
	c->taken += span->to - span->from;
	reader_release(&c->reader);
	return tick(c, E2LAZY_PHASE_READ, c->taken);
}

/* ------------------------------------------------------------- writing */

static void write_singly(struct checkpoint *c, const struct job *job)
{
	io_channel io = c->target.fs->io;

	for (uint32_t i = 0; i < job->count; i++) {
		const uint8_t *block = job->bytes + (size_t)i * c->size;
		errcode_t err;

		err = io_channel_write_blk64(io, job->fsblk + i, 1, block);
		if (err)
			err = io_channel_write_blk64(io, job->fsblk + i, 1,
						     block);
		if (err)
			fail_slot(c, job->slot + i, err, false);
		else
			c->done->blocks_written++;
	}
}

static void settle(void *priv, const struct job *job)
{
	struct checkpoint *c = priv;

	if (job->error)
		write_singly(c, job);
	else
		c->done->blocks_written += job->count;
	c->settled += job->count;
}

/*
 * Collect the blocks of a run in a row; copying to @buffer frees their places.
 */
static const uint8_t *gather_run(struct checkpoint *c, const struct step *step,
				 uint8_t *buffer)
{
	if (!c->places)
		return place_block(c, step->slot);
	for (uint32_t i = 0; i < step->count; i++) {
		uint32_t place = c->places[step->slot + i];
		uint8_t *to = buffer + (size_t)i * c->size;

		if (cache_get(c->view->kept, step->slot + i, to))
			continue;
		memcpy(to, place_block(c, place), c->size);
		c->free_places[c->nr_free++] = place;
	}
	return buffer;
}

static errcode_t write_run(struct checkpoint *c, const struct step *step)
{
	struct job *job = writer_job(&c->writer, step->count);

	job->fsblk = jmap_fsblk(c->map, step->slot);
	job->slot = step->slot;
	job->bytes = gather_run(c, step, job->buffer);
	for (uint32_t i = 0; c->sums && i < step->count; i++)
		c->sums[step->slot + i] = c->view->journal->csum.crc(~0U,
				job->bytes + (size_t)i * c->size, c->size);
	c->target.begun = true;
	writer_put(&c->writer);
	c->done->writes++;
	return tick(c, E2LAZY_PHASE_WRITE, c->settled);
}

static errcode_t follow_schedule(struct checkpoint *c)
{
	struct step step;
	errcode_t err = 0;

	do {
		schedule_next(&c->schedule, &step);
		if (step.kind == SCHEDULE_READ)
			err = take_span(c);
		else if (step.kind == SCHEDULE_WRITE)
			err = write_run(c, &step);
	} while (!err && step.kind != SCHEDULE_END);
	writer_drain(&c->writer);
	c->done->passes = schedule_passes(&c->schedule);
	return err ? err : tick(c, E2LAZY_PHASE_WRITE, c->settled);
}

/* ----------------------------------------------------------- comparing */

/* Number of slots from @slot on that are neighbours in place, and written. */
static uint32_t neighbours(const struct checkpoint *c, uint32_t slot)
{
	const struct schedule *s = &c->schedule;
	blk64_t fsblk = jmap_fsblk(c->map, slot);
	uint32_t n = 1;

	while (n < s->most_written && slot + n < s->slots &&
	       s->states[slot + n] == SLOT_DONE &&
	       jmap_fsblk(c->map, slot + n) == fsblk + n)
		n++;
	return n;
}

/* The block on the device is wrong, although the write succeeded. */
static void miss_slot(struct checkpoint *c, uint32_t slot, errcode_t err)
{
	c->done->blocks_written--;
	fail_slot(c, slot, err, false);
}

static void compare_run(struct checkpoint *c, uint32_t slot, uint32_t count,
			uint8_t *buf)
{
	errcode_t err;

	err = io_channel_read_blk64(c->target.fs->io, jmap_fsblk(c->map, slot),
				    (int)count, buf);
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *block = buf + (size_t)i * c->size;

		if (err)
			miss_slot(c, slot + i, err);
		else if (c->view->journal->csum.crc(~0U, block, c->size) !=
			 c->sums[slot + i])
			miss_slot(c, slot + i, E2LAZY_ET_NOT_WRITTEN);
	}
}

/* Read every written block back and compare its checksum. */
static errcode_t compare_all(struct checkpoint *c)
{
	const struct schedule *s = &c->schedule;
	io_channel io = c->target.fs->io;
	uint8_t *buf = NULL;
	uint32_t n;
	errcode_t err;

	err = io_channel_flush(io);
	if (!err)
		err = io_channel_alloc_buf(io, (int)s->most_written, &buf);
	for (uint32_t slot = 0; !err && slot < s->slots; slot += n) {
		n = 1;
		if (s->states[slot] != SLOT_DONE)
			continue;
		n = neighbours(c, slot);
		compare_run(c, slot, n, buf);
		err = tick(c, E2LAZY_PHASE_COMPARE, slot + n);
	}
	ext2fs_free_mem(&buf);
	return err;
}

/* ------------------------------------------------------------- all of it */

/* Use a few places again and again. */
static errcode_t allocate_places(struct checkpoint *c, size_t room)
{
	c->places = calloc(c->schedule.slots + 1, sizeof(*c->places));
	c->free_places = calloc(room + 1, sizeof(*c->free_places));
	if (!c->places || !c->free_places)
		return EXT2_ET_NO_MEMORY;
	while (c->nr_free < room) {
		c->free_places[c->nr_free] = (uint32_t)(room - 1 - c->nr_free);
		c->nr_free++;
	}
	return 0;
}

/*
 * Each slot has its own place if there is room for all copies, but for the
 * superblock's, which is written apart.  If others stay behind, as all those do
 * that a tail does not free, their places would be memory for nothing.  Blocks
 * below 4 KiB need a gather: alone they are not aligned for direct I/O.
 */
static errcode_t allocate(struct checkpoint *c)
{
	size_t room = c->schedule.room, slots = c->schedule.slots;
	bool in_place = room + 1 >= slots && !c->view->kept &&
			c->size % BUFFER_ALIGN == 0;
	errcode_t err;

	if (in_place)
		room = slots;
	trim_memory();
	err = ext2fs_get_memalign((room ? room : 1) * c->size, BUFFER_ALIGN,
				  &c->blocks);
	if (!err && !in_place)
		err = allocate_places(c, room);
	if (!err && c->opts->flags & E2LAZY_CHECKPOINT_COMPARE) {
		c->sums = calloc(slots + 1, sizeof(*c->sums));
		if (!c->sums)
			err = EXT2_ET_NO_MEMORY;
	}
	return err;
}

static void release(struct checkpoint *c)
{
	schedule_free(&c->schedule);
	e2lazy_home_free(&c->home);
	ext2fs_free_mem(&c->blocks);
	free(c->places);
	free(c->free_places);
	free(c->sums);
}

/* The step of the table that writes the live copies. */
static errcode_t copy_all(void *priv)
{
	struct checkpoint *c = priv;
	struct copies from = { .journal = c->view->journal, .map = c->map,
			       .older = c->schedule.older };
	errcode_t err;

	err = reader_begin(&c->reader, c->view->journal,
			   &c->schedule.wants, verify_span, &from);
	if (!err) {
		err = writer_begin(&c->writer, c->target.fs->io,
				   c->schedule.write_room, c->target.threads,
				   settle, c);
		if (!err)
			err = follow_schedule(c);
		writer_end(&c->writer);
	}
	reader_end(&c->reader);
	if (!err && c->sums)
		err = compare_all(c);
	return err ? err : c->first_error;
}

/* A tail frees the oldest part, and all blocks would be read for it. */
static errcode_t find_home(struct checkpoint *c)
{
	const struct e2lazy_subject subject = {
		.journal = c->view->journal, .map = c->map, .view = c->view,
	};

	if (c->opts->tail)
		return 0;
	c->part.home = &c->home;
	return home_before_writing(&subject, c->target.fs->io, c->opts->watch,
				   &c->home);
}

static errcode_t plan_schedule(struct checkpoint *c)
{
	const struct schedule_opts opts = {
		.map = c->map, .blocksize = c->size,
		.memory = c->opts->memory,
		.super = super_fsblk(c->view->journal),
		.kept = c->view->kept, .older = &c->verdict->older,
		.skip = part_skips, .priv = &c->part,
	};
	errcode_t err = find_home(c);

	if (!err)
		err = schedule_init(&c->schedule, &opts);
	c->done->skipped = c->part.left_out;
	c->done->in_place = c->part.in_place;
	c->to_write -= c->part.in_place;
	return err;
}

static errcode_t write_back(void *priv)
{
	struct checkpoint *c = priv;
	errcode_t err = plan_schedule(c);

	if (!err)
		err = allocate(c);
	c->steps = (struct steps){ .view = c->view, .tail = c->opts->tail,
				   .copy = copy_all, .priv = c };
	if (!err)
		err = steps_find_area(&c->steps, c->verdict, c->opts->tail);
	if (!err && !c->opts->tail)
		err = steps_find_dropped(&c->steps);
	checkpoint_steps(&c->steps, &c->table);
	if (!err)
		err = keep_old(&c->old);
	if (!err)
		err = seal_follow(&c->target, &c->table, c->where);
	c->done->begun = c->target.begun;
	c->verdict->used |= c->done->begun;
	c->done->home = c->target.outcome >= SEAL_HOME;
	c->done->sealed = c->target.outcome == SEAL_DONE;
	release(c);
	return err;
}

static errcode_t write_to_target(struct checkpoint *c)
{
	errcode_t err = target_open(&c->target, c->view, c->opts->manager,
				    c->where);

	if (err)
		return err;
	c->done->cached = c->target.cached;
	return target_write(&c->target, c->opts, write_back, c, c->where);
}

errcode_t e2lazy_checkpoint(struct e2lazy_view *view,
			    struct e2lazy_verdict *verdict,
			    const struct e2lazy_checkpoint_opts *opts,
			    struct e2lazy_checkpoint_done *done,
			    struct e2lazy_where *where)
{
	static const struct e2lazy_checkpoint_opts plain;
	struct checkpoint c = {
		.view = view, .verdict = verdict, .done = done, .where = where,
		.opts = opts ? opts : &plain,
	};
	errcode_t err = verdict_admits(verdict, view);

	memset(done, 0, sizeof(*done));
	memset(where, 0, sizeof(*where));
	if (err || (!view->journal->geo.start &&
		    !view->journal->geo.needs_recovery &&
		    !view->journal->geo.super_torn))
		return err;
	if (c.opts->tail)
		err = tail_admits(verdict, c.opts->tail);
	else if (verdict_fast_waits(verdict))
		err = E2LAZY_ET_FC_WAIT;
	if (err)
		return err;
	c.map = view->map;
	c.size = view->blocksize;
	c.part = (struct part){ .verdict = verdict, .tail = c.opts->tail };
	c.to_write = c.opts->tail ? c.opts->tail->live :
				    e2lazy_jmap_count(c.map);
	c.old = (struct keep_old){
		.keeper = c.opts->keeper, .target = &c.target,
		.schedule = &c.schedule, .table = &c.table, .where = where,
		.watch = c.opts->watch, .tail = c.opts->tail,
	};
	err = keep_old_begin(&c.old, view);
	if (!err)
		err = write_to_target(&c);
	keep_old_free(&c.old);
	return err;
}
