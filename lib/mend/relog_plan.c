/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * relog_plan.c - the cost of logging live copies again, and of a stock kernel's
 * replay before and afterwards
 */

#include <stdlib.h>
#include <string.h>

#include "io/read_list.h"
#include "io/watch.h"
#include "map/jmap.h"
#include "rounds.h"
#include "view/copies.h"

struct costs {
	const struct rounds *rounds;
	const struct e2lazy_plan_opts *opts;
	struct e2lazy_relog *out;
	unsigned	size;		/* of a block */
	uint32_t	head;		/* of the round at hand */
	uint64_t	seeks, seeks_before, seeks_after;
	blk64_t		next, next_before, next_after;	/* without a seek */
};

static void count_seek(uint64_t *seeks, blk64_t *next, blk64_t block,
		       uint32_t count)
{
	*seeks += block != *next;
	*next = block + count;
}

static void tell(const struct e2lazy_plan_writes *w, blk64_t block,
		 uint32_t count)
{
	if (w->write)
		w->write(w->priv, block, count);
}

/* ---------------------------------------------------------------- reads */

/* A view that keeps copies has read all of them, in the order of the log. */
static errcode_t plan_reads(struct costs *c)
{
	const struct e2lazy_subject *s = c->rounds->subject;
	struct copies from = { .journal = s->journal, .map = s->map };
	struct read_list wants;
	struct want *list;
	size_t next;

	list = list_copies(&from, e2lazy_jmap_count(s->map), &wants);
	if (!list)
		return EXT2_ET_NO_MEMORY;
	for (size_t at = 0; at < wants.count; at = next) {
		uint32_t blocks;

		next = read_list_gather(&wants, at);
		blocks = list[next - 1].logblk - list[at].logblk + 1;
		c->out->read_bytes += (uint64_t)blocks * c->size;
		count_seek(&c->seeks, &c->next, list[at].logblk, blocks);
	}
	free(list);
	return 0;
}

/* --------------------------------------------------------------- writes */

/* The blocks of a round lie one behind the other; then the tail moves. */
static errcode_t plan_writes(struct costs *c)
{
	struct e2lazy_journal *j = c->rounds->subject->journal;
	bool internal = !j->geo.external;
	errcode_t err = 0;
	blk64_t at;

	for (uint32_t i = 0; !err && i < c->rounds->needed; i++) {
		err = e2lazy_physblk(j, ring_add(&j->geo, c->head, i), &at);
		if (err)
			break;
		count_seek(&c->seeks, &c->next, at, 1);
		if (internal)
			tell(&c->opts->checkpoint, at, 1);
	}
	c->head = ring_add(&j->geo, c->head, c->rounds->needed);
	if (!err)
		err = e2lazy_physblk(j, journal_super_logblk(j), &at);
	if (!err && internal)
		tell(&c->opts->checkpoint, at, 1);
	if (!err)
		count_seek(&c->seeks, &c->next, at, 1);
	return err;
}

errcode_t relog_find_broken_off(struct broken_off *b, const struct rounds *r,
				const struct e2lazy_relog *plan,
				const struct e2lazy_watch *watch)
{
	const struct append_plan append = { r->numbers, plan->blocks };

	*b = (struct broken_off){ .nr = 0 };
	return !r->numbers ? 0 :
	       broken_off_find(b, r->subject->journal,
			       e2lazy_jmap_end(r->subject->map), &append,
			       watch);
}

static errcode_t plan_clearing(struct costs *c)
{
	struct e2lazy_journal *j = c->rounds->subject->journal;
	struct broken_off b;
	errcode_t err;
	blk64_t at;

	err = relog_find_broken_off(&b, c->rounds, c->out, c->opts->watch);
	c->out->cleared = (uint32_t)b.nr;
	c->out->cleared_behind = b.behind;
	for (size_t i = 0; !err && i < b.nr; i++) {
		err = e2lazy_physblk(j, b.at[i], &at);
		if (err)
			break;
		count_seek(&c->seeks, &c->next, at, 1);
		if (!j->geo.external)
			tell(&c->opts->checkpoint, at, 1);
	}
	broken_off_free(&b);
	return err;
}

/* -------------------------------------------------------------- replays */

static bool is_replayed(const struct costs *c, const struct e2lazy_event *ev)
{
	enum e2lazy_copy_state state;

	if (ev->kind != E2LAZY_EV_TAG)
		return false;
	state = e2lazy_jmap_state(c->rounds->subject->map, ev);
	return state == E2LAZY_LIVE || state == E2LAZY_SUPERSEDED;
}

/* Recovery writes every copy that is not revoked, in the log's order. */
static errcode_t plan_old_replay(struct costs *c)
{
	const struct rounds *r = c->rounds;
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	uint32_t number = 0;
	errcode_t err;

	err = e2lazy_walk_open(r->subject->journal, NULL, 0, 0, &walk);
	if (err)
		return err;
	do {
		err = watch_stop(c->opts->watch);
		e2lazy_walk_next(walk, &ev);
		number += ev.kind == E2LAZY_EV_COMMIT;
		if (!is_replayed(c, &ev))
			continue;
		c->out->replay_before++;
		count_seek(&c->seeks_before, &c->next_before, ev.fsblk, 1);
		if (number < r->end)
			continue;
		c->out->replay_after++;
		count_seek(&c->seeks_after, &c->next_after, ev.fsblk, 1);
		tell(&c->opts->replay, ev.fsblk, 1);
	} while (!err && ev.kind != E2LAZY_EV_END);
	e2lazy_walk_close(walk);
	return err;
}

static void plan_new_replay(struct costs *c)
{
	const struct e2lazy_jmap *map = c->rounds->subject->map;
	struct e2lazy_copy copy;

	for (size_t i = 0; i < e2lazy_jmap_count(map); i++) {
		e2lazy_jmap_get(map, i, &copy);
		if (!rounds_has(c->rounds, i, &copy))
			continue;
		c->out->replay_after++;
		count_seek(&c->seeks_after, &c->next_after, copy.fsblk, 1);
		tell(&c->opts->replay, copy.fsblk, 1);
	}
}

/* ------------------------------------------------------------- all of it */

static double seconds(const struct costs *c, uint64_t bytes, uint64_t seeks)
{
	if (!c->opts->throughput)
		return 0;
	return (double)bytes / (double)c->opts->throughput +
	       (double)seeks * c->opts->seek_us / 1e6;
}

static void estimate(struct costs *c)
{
	struct e2lazy_relog *out = c->out;

	out->write_bytes = (uint64_t)(out->cleared + out->blocks +
				      out->rounds) * c->size;
	out->seconds = seconds(c, out->read_bytes + out->write_bytes,
			       c->seeks);
	out->replay_seconds_before = seconds(c, 2 * c->size *
					     out->replay_before,
					     c->seeks_before);
	out->replay_seconds_after = seconds(c, 2 * c->size *
					    out->replay_after,
					    c->seeks_after);
}

static void count_control(const struct rounds *r, struct e2lazy_relog *out)
{
	for (uint32_t i = 0; i < r->count; i++) {
		out->control_before += r->txns[i].control;
		out->control_after += i < r->end ? 0 : r->txns[i].control;
		out->blocks_after += i < r->end ? 0 : r->txns[i].blocks;
	}
}

/* One round after the other, without writing. */
static errcode_t plan_rounds(struct rounds *r, struct costs *c,
			     struct e2lazy_relog *out)
{
	errcode_t err = 0;

	while (!err && rounds_next(r)) {
		out->rounds++;
		out->copies += r->live;
		out->blocks += r->needed;
		out->txns += rounds_txns(r, r->live);
		out->control_after += (uint32_t)(r->needed - r->live);
		if (!c)
			continue;
		err = plan_writes(c);
		plan_new_replay(c);
	}
	return err;
}

errcode_t relog_plan(struct rounds *r, const struct e2lazy_plan_opts *opts,
		     struct e2lazy_relog *out)
{
	struct costs costs = {
		.rounds = r, .opts = opts, .out = out,
		.size = r->subject->journal->geo.blocksize,
		.head = e2lazy_jmap_end(r->subject->map)->head,
	};
	errcode_t err = 0;

	memset(out, 0, sizeof(*out));
	count_control(r, out);
	out->dropped = r->dropped;
	out->free_before = r->free;
	if (opts)
		err = plan_reads(&costs);
	if (!err && opts)
		err = plan_old_replay(&costs);
	if (!err)
		err = plan_rounds(r, opts ? &costs : NULL, out);
	if (err)
		return err;
	out->blocks_after += out->blocks;
	out->fits = rounds_done(r);
	out->wraps = out->fits && jmap_wraps(r->subject->map, 0, out->blocks);
	out->needed = out->fits ? 0 : r->needed;
	out->room = r->free ? r->free - 1 : 0;
	out->free_after = r->free;
	if (opts && out->fits)
		err = plan_clearing(&costs);
	if (opts)
		estimate(&costs);
	return err;
}

errcode_t e2lazy_relog_plan(const struct e2lazy_subject *subject,
			    const struct e2lazy_plan_opts *opts,
			    struct e2lazy_relog *out)
{
	struct rounds r;
	errcode_t err = rounds_init(&r, subject, opts);

	memset(out, 0, sizeof(*out));
	if (!err)
		err = relog_plan(&r, opts, out);
	rounds_free(&r);
	return err;
}

void e2lazy_relog_estimate(const struct e2lazy_journal *journal,
			   const struct e2lazy_jmap *map,
			   struct e2lazy_relog *out)
{
	const struct e2lazy_map_stats *stats = e2lazy_jmap_stats(map);
	const uint32_t ring = ring_size(&journal->geo);
	const uint32_t most = rounds_most_copies(journal);
	uint64_t live = e2lazy_jmap_count(map), blocks;

	memset(out, 0, sizeof(*out));
	out->copies = live;
	out->txns = (uint32_t)((live + most - 1) / most);
	blocks = live / most * encode_blocks(&journal->format, most, 0) +
		 encode_blocks(&journal->format, live % most, 0);
	blocks -= live && live % most == 0;	/* no empty transaction */
	out->control_before = stats->descriptors + stats->revoke_blocks +
			      stats->txns;
	out->control_after = blocks - live;
	out->free_before = ring - e2lazy_jmap_end(map)->walked;
	out->blocks = (uint32_t)blocks;
	out->fits = blocks < out->free_before;
	out->wraps = out->fits && jmap_wraps(map, 0, blocks);
	if (!out->fits) {
		out->needed = (uint32_t)blocks;
		out->room = out->free_before ? out->free_before - 1 : 0;
		return;
	}
	out->rounds = 1;
	out->blocks_after = (uint32_t)blocks;
	out->free_after = ring - (uint32_t)blocks;
}
