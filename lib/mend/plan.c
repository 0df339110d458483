/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.c - what a checkpoint would do, and what a stock replay would
 *
 * By the rules of gather.c, by which the checkpoint goes.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../log/log.h"
#include "../map/super.h"
#include "gather.h"

#define NO_BAND UINT64_MAX

struct planning {
	const struct e2lazy_subject *subject;
	const struct e2lazy_plan_opts *opts;
	struct e2lazy_plan *out;
	unsigned	size;		/* of a block */
	uint64_t	band;		/* the one written to last */
	/* a pass */
	struct want	*wants;
	size_t		nr_wants;
	blk64_t		next;		/* a neighbour of the last block */
	uint32_t	run;		/* blocks of the run at hand */
};

/* A change to the band of @fsblk, if it is one. */
static uint64_t change_band(struct planning *p, blk64_t fsblk)
{
	uint64_t band;

	if (!p->opts->band)
		return 0;
	band = fsblk * p->size / p->opts->band;
	if (band == p->band)
		return 0;
	p->band = band;
	return 1;
}

/* ---------------------------------------------------------- checkpoint */

static void plan_block(struct planning *p, size_t slot,
		       const struct e2lazy_copy *copy)
{
	struct e2lazy_plan *out = p->out;

	p->wants[p->nr_wants].logblk = copy->logblk;
	p->wants[p->nr_wants++].slot = (uint32_t)slot;
	out->blocks++;
	out->bands += change_band(p, copy->fsblk);
	if (!p->run || copy->fsblk != p->next ||
	    p->run == most_written(p->size)) {
		out->runs++;
		p->run = 0;
	}
	p->run++;
	p->next = copy->fsblk + 1;
}

static void plan_reads(struct planning *p)
{
	const struct want *w = p->wants, *end = w + p->nr_wants, *next;

	wants_sort(p->wants, p->nr_wants);
	for (; w < end; w = next) {
		next = wants_gather(w, end, p->size);
		p->out->log_runs++;
		p->out->read_bytes += (uint64_t)(next[-1].logblk - w->logblk +
						 1) * p->size;
	}
}

static void plan_pass(struct planning *p, size_t first, size_t count)
{
	blk64_t super = super_fsblk(p->subject->journal);
	struct e2lazy_copy copy;

	p->nr_wants = 0;
	p->run = 0;
	for (size_t slot = 0; slot < count; slot++) {
		e2lazy_jmap_get(p->subject->map, first + slot, &copy);
		if (copy.fsblk == super)
			continue;
		if (p->opts->skip && p->opts->skip(p->opts->priv, &copy))
			p->out->skipped++;
		else
			plan_block(p, slot, &copy);
	}
	plan_reads(p);
	p->out->passes++;
}

static errcode_t plan_checkpoint(struct planning *p)
{
	size_t live = e2lazy_jmap_count(p->subject->map);
	size_t room = pass_room(p->opts->memory, p->size, live);

	p->wants = calloc(room, sizeof(*p->wants));
	if (!p->wants)
		return EXT2_ET_NO_MEMORY;
	p->band = NO_BAND;
	for (size_t first = 0; first < live; first += room)
		plan_pass(p, first, live - first < room ? live - first : room);
	free(p->wants);
	return 0;
}

/* -------------------------------------------------------------- replay */

/* As recovery does: every copy that is not revoked, in the log's order. */
static errcode_t plan_replay(struct planning *p)
{
	const struct e2lazy_subject *s = p->subject;
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	errcode_t err;

	err = e2lazy_walk_open(s->journal, 0, 0, &walk);
	if (err)
		return err;
	p->band = NO_BAND;
	do {
		enum e2lazy_copy_state state;

		e2lazy_walk_next(walk, &ev);
		if (ev.kind != E2LAZY_EV_TAG)
			continue;
		state = e2lazy_jmap_state(s->map, &ev);
		if (state != E2LAZY_LIVE && state != E2LAZY_SUPERSEDED)
			continue;
		p->out->replay_blocks++;
		p->out->replay_bands += change_band(p, ev.fsblk);
	} while (ev.kind != E2LAZY_EV_END);
	e2lazy_walk_close(walk);
	return 0;
}

/* What stood in place, superblock and journal superblock too. */
static uint64_t undo_bytes(const struct planning *p)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(p->subject->journal);
	uint64_t supers = g->start && !g->external ? 2 : 1;

	if (!g->start && !g->needs_recovery)
		return 0;
	return (p->out->blocks + supers) * p->size;
}

errcode_t e2lazy_plan(const struct e2lazy_subject *subject,
		      const struct e2lazy_plan_opts *opts,
		      struct e2lazy_plan *out)
{
	struct planning p = { .subject = subject, .opts = opts, .out = out };
	errcode_t err;

	memset(out, 0, sizeof(*out));
	if (e2lazy_jmap_end(subject->map)->reason == E2LAZY_END_UNTIL)
		return EXT2_ET_INVALID_ARGUMENT;
	p.size = e2lazy_geometry(subject->journal)->blocksize;
	err = plan_checkpoint(&p);
	if (!err)
		err = plan_replay(&p);
	out->write_bytes = out->blocks * p.size;
	out->undo_bytes = undo_bytes(&p);
	return err;
}
