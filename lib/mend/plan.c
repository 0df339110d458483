/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * plan.c - the cost of a checkpoint, and of a replay by a stock kernel
 *
 * A plan runs the schedule of the checkpoint without reading or writing.
 */

#include <stdlib.h>
#include <string.h>

#include "io/watch.h"
#include "log/log.h"
#include "view/copies.h"
#include "map/jmap.h"
#include "map/super.h"
#include "view/view.h"
#include "mend.h"
#include "schedule.h"
#include "verify/verdict.h"

struct planning {
	const struct e2lazy_subject *subject;
	const struct e2lazy_verdict *verdict;
	const struct e2lazy_plan_opts *opts;
	struct e2lazy_plan *out;
	unsigned	size;		/* of a block */
	blk64_t		next_read, next_written;	/* without a seek */
	uint64_t	seeks;
	size_t		near;		/* see jmap_state_near() */
};

static void tell(const struct e2lazy_plan_writes *w, blk64_t fsblk,
		 uint32_t count)
{
	if (w->write)
		w->write(w->priv, fsblk, count);
}

static void count_seek(struct planning *p, blk64_t *next, blk64_t block,
		       uint32_t count)
{
	p->seeks += block != *next;
	*next = block + count;
}

static double seconds(const struct planning *p, uint64_t bytes)
{
	if (!p->opts->throughput)
		return 0;
	return (double)bytes / (double)p->opts->throughput +
	       (double)p->seeks * p->opts->seek_us / 1e6;
}

/* ---------------------------------------------------------- checkpoint */

static void plan_read(struct planning *p, const struct step *step)
{
	uint32_t blocks = step->to[-1].logblk - step->from->logblk + 1;

	p->out->log_runs++;
	p->out->read_bytes += (uint64_t)blocks * p->size;
	count_seek(p, &p->next_read, step->from->logblk, blocks);
}

static void plan_write(struct planning *p, const struct step *step)
{
	blk64_t fsblk = jmap_fsblk(p->subject->map, step->slot);

	p->out->runs++;
	p->out->blocks += step->count;
	count_seek(p, &p->next_written, fsblk, step->count);
	tell(&p->opts->checkpoint, fsblk, step->count);
}

/* Loading the cache has read all copies once. */
static errcode_t plan_keeping(struct planning *p)
{
	const struct copies from = { .journal = p->subject->journal,
				     .map = p->subject->map };
	struct read_list wants;
	struct want *list = list_copies(&from, e2lazy_jmap_count(from.map),
					&wants);
	struct step step;
	size_t next;

	if (!list)
		return EXT2_ET_NO_MEMORY;
	for (size_t at = 0; at < wants.count; at = next) {
		next = read_list_gather(&wants, at);
		step.from = list + at;
		step.to = list + next;
		plan_read(p, &step);
	}
	free(list);
	return 0;
}

/*
 * The blocks that are written one by one: the superblock, that of the journal,
 * the begin of fast commits that are cleared, and that of transactions that are
 * dropped.  A tail leaves the superblock as it is if it has the flag and no copy
 * of it comes home; a file of the file system alone has it anyway.
 */
static uint64_t count_singles(const struct planning *p)
{
	const struct e2lazy_journal *j = p->subject->journal;
	const struct e2lazy_tail *tail = p->opts->tail;
	bool internal = !j->geo.external;
	bool super = !tail || !internal || !j->geo.needs_recovery ||
		     j->geo.super_torn || !p->subject->view ||
		     tail_frees_super(p->subject->view, tail);
	bool shorter = internal && j->geo.start && (!tail || tail->txns);
	bool area = internal && p->verdict &&
		    verdict_area_is_cleared(p->verdict, tail);
	bool cut_off = internal && p->verdict && !tail &&
		       p->verdict->findings[PROBLEM_DROPPED].count;

	return super + shorter + area + cut_off +
	       (ext2fs_has_feature_mmp(j->fs->super) != 0);
}

/*
 * An undo file needs the static blocks and superblocks before the first write.
 */
static void plan_undo(struct planning *p, const struct schedule *s)
{
	const struct e2lazy_journal *j = p->subject->journal;
	uint64_t singles = count_singles(p), blocks = 0;
	blk64_t next = 0;
	uint32_t n;

	if (!j->geo.start && !j->geo.needs_recovery && !j->geo.super_torn)
		return;
	p->out->undo_reads = singles;
	p->seeks = singles;
	for (uint32_t slot = 0; slot < s->slots; slot += n ? n : 1) {
		n = schedule_neighbours(s, slot);
		if (!n)
			continue;
		p->out->undo_reads++;
		blocks += n;
		count_seek(p, &next, jmap_fsblk(s->map, slot), n);
	}
	p->out->undo_bytes = (blocks + singles) * p->size;
	p->out->undo_seconds = seconds(p, p->out->undo_bytes);
	p->seeks = 0;
}

static errcode_t plan_checkpoint(struct planning *p)
{
	const struct e2lazy_view *view = p->subject->view;
	const struct cache *kept = view ? view->kept : NULL;
	struct part part = { .verdict = p->verdict, .tail = p->opts->tail,
			     .home = p->opts->home };
	const struct schedule_opts opts = {
		.map = p->subject->map, .blocksize = p->size,
		.memory = p->opts->memory, .kept = kept,
		.older = &p->verdict->older,
		.super = super_fsblk(p->subject->journal),
		.skip = part_skips, .priv = &part,
	};
	struct schedule s;
	struct step step;
	errcode_t err = schedule_init(&s, &opts);

	if (!err)
		plan_undo(p, &s);
	if (!err && kept)
		err = plan_keeping(p);
	if (!err) {
		p->out->skipped = part.left_out;
		p->out->in_place = part.in_place;
		while (schedule_dry(&s, &step)) {
			if (step.kind == SCHEDULE_READ)
				plan_read(p, &step);
			else
				plan_write(p, &step);
		}
		p->out->passes = schedule_passes(&s);
		p->out->write_bytes = p->out->blocks * p->size;
		p->out->seconds = seconds(p, p->out->read_bytes +
					  p->out->write_bytes);
	}
	schedule_free(&s);
	return err;
}

/* -------------------------------------------------------------- replay */

static enum e2lazy_copy_state plan_replayed(struct planning *p,
					    const struct e2lazy_event *ev)
{
	enum e2lazy_copy_state state;

	if (ev->kind != E2LAZY_EV_TAG)
		return E2LAZY_LIVE;
	state = jmap_state_near(p->subject->map, ev, &p->near);
	if (state != E2LAZY_LIVE && state != E2LAZY_SUPERSEDED)
		return state;
	p->out->replay_blocks++;
	tell(&p->opts->replay, ev->fsblk, 1);
	count_seek(p, &p->next_written, ev->fsblk, 1);
	return state;
}

/* Recovery writes every copy that is not revoked, in the log's order. */
static errcode_t plan_replay(struct planning *p)
{
	const struct e2lazy_subject *s = p->subject;
	enum e2lazy_copy_state state;
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	errcode_t err;

	err = e2lazy_walk_open(s->journal, NULL, 0, 0, &walk);
	if (err)
		return err;
	p->seeks = p->next_written = 0;
	do {
		err = watch_stop(p->opts->watch);
		e2lazy_walk_next(walk, &ev);
		state = plan_replayed(p, &ev);
		if (p->opts->seen)
			p->opts->seen(p->opts->priv, &ev, state);
	} while (!err && ev.kind != E2LAZY_EV_END);
	e2lazy_walk_close(walk);
	p->out->replay_seconds = seconds(p, 2 * p->size *
					 p->out->replay_blocks);
	return err;
}

errcode_t e2lazy_plan(const struct e2lazy_subject *subject,
		      const struct e2lazy_verdict *verdict,
		      const struct e2lazy_plan_opts *opts,
		      struct e2lazy_plan *out)
{
	struct planning p = { .subject = subject, .verdict = verdict,
			      .opts = opts, .out = out };
	errcode_t err = verdict_is_of(verdict, subject);

	memset(out, 0, sizeof(*out));
	if (err)
		return err;
	p.size = e2lazy_geometry(subject->journal)->blocksize;
	err = plan_checkpoint(&p);
	if (!err)
		err = plan_replay(&p);
	return err;
}
