/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_order.c - e2lazy dump: the order of the rows
 *
 * The map is in static block order and a walk in log order, so these two are
 * streamed.  The other two orders are sorted in memory.
 */
#include <stdlib.h>

#include "dump.h"
#include "io/grow.h"

static bool go_on(struct dump *d, uint64_t done, uint64_t total)
{
	if (done % PROGRESS_ROWS)
		return true;
	return progress_tick(&d->s->print.progress, done, total) &&
	       !rows_stop(&d->rows);
}

/* ------------------------------------------------------------- the map */

/* A mapping and its place in the log, counted from the tail. */
struct log_key {
	uint32_t	position;
	uint32_t	index;
};

static int by_position(const void *a, const void *b)
{
	const struct log_key *x = a, *y = b;

	return (x->position > y->position) - (x->position < y->position);
}

static void dump_log_order(struct dump *d)
{
	size_t count = e2lazy_jmap_count(d->s->log->map), i;
	struct e2lazy_copy copy;
	struct log_key *keys = calloc(count ? count : 1, sizeof(*keys));

	if (!keys) {
		session_fail(d->s, EXT2_ET_NO_MEMORY, NULL);
		return;
	}
	/* A log block holds one copy at most: both numbers fit 32 bits. */
	for (i = 0; i < count; i++) {
		e2lazy_jmap_get(d->s->log->map, i, &copy);
		keys[i].position = session_position(d->s, copy.logblk);
		keys[i].index = i;
	}
	qsort(keys, count, sizeof(*keys), by_position);
	for (i = 0; i < count && go_on(d, i, count); i++) {
		e2lazy_jmap_get(d->s->log->map, keys[i].index, &copy);
		dump_copy(d, &copy, E2LAZY_LIVE);
	}
	free(keys);
}

void dump_map(struct dump *d)
{
	size_t count = e2lazy_jmap_count(d->s->log->map), i;
	struct e2lazy_copy copy;
	struct range span;

	if (d->by_log) {
		dump_log_order(d);
		return;
	}
	span = ranges_span(&d->blocks);
	i = e2lazy_jmap_lower_bound(d->s->log->map, span.first);
	for (; i < count && go_on(d, i, count); i++) {
		e2lazy_jmap_get(d->s->log->map, i, &copy);
		if (copy.fsblk > span.last)
			break;
		dump_copy(d, &copy, E2LAZY_LIVE);
	}
}

/* ---------------------------------------------------------- every copy */

struct old_copy {
	blk64_t		fsblk;
	uint32_t	logblk;
	uint32_t	tid;
	uint32_t	position;
	uint16_t	flags;
	uint16_t	state;
};

/* The target of the rows: the output, or an array to sort. */
struct sorting {
	struct old_copy	*copies;
	size_t		count, room;
};

static void print_old(struct dump *d, const struct old_copy *old)
{
	struct e2lazy_copy copy = {
		.fsblk = old->fsblk,
		.logblk = old->logblk,
		.tid = old->tid,
		.flags = old->flags,
	};
	struct e2lazy_copy live;

	if (e2lazy_physblk(d->s->log->journal, copy.logblk, &copy.physblk))
		return;
	if (columns_has(&d->columns, DUMP_COPIES) &&
	    !e2lazy_jmap_lookup(d->s->log->map, copy.fsblk, &live))
		copy.copies = live.copies;
	dump_copy(d, &copy, old->state);
}

static bool keep(struct sorting *to, const struct old_copy *old)
{
	struct old_copy *copies = grow(to->copies, to->count, &to->room,
				       sizeof(*copies));

	if (!copies)
		return false;
	to->copies = copies;
	to->copies[to->count++] = *old;
	return true;
}

static int by_fsblk(const void *a, const void *b)
{
	const struct old_copy *x = a, *y = b;

	if (x->fsblk != y->fsblk)
		return x->fsblk < y->fsblk ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

static uint64_t total_copies(const struct e2lazy_map_stats *stats)
{
	uint64_t total = 0;
	unsigned i;

	for (i = 0; i < E2LAZY_NR_STATES; i++)
		total += stats->states[i];
	return total;
}

/* @to: NULL prints at once. */
static errcode_t each_copy(struct dump *d, struct e2lazy_walk *walk,
			   struct sorting *to)
{
	uint64_t total = total_copies(d->s->log->stats), done = 0;
	struct e2lazy_event ev;
	struct old_copy old;

	for (;;) {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_END)
			return 0;
		if (ev.kind != E2LAZY_EV_TAG)
			continue;
		if (!go_on(d, done++, total))
			return 0;
		old = (struct old_copy){
			.fsblk = ev.fsblk,
			.logblk = ev.logblk,
			.tid = ev.tid,
			.position = session_position(d->s, ev.logblk),
			.flags = ev.flags,
			.state = e2lazy_jmap_state(d->s->log->map, &ev),
		};
		if (!to)
			print_old(d, &old);
		else if (!keep(to, &old))
			return EXT2_ET_NO_MEMORY;
	}
}

void dump_all(struct dump *d)
{
	bool by_fs = d->sort_set && !d->by_log;
	struct sorting sorting = { .copies = NULL };
	struct e2lazy_walk *walk;
	errcode_t err;
	size_t i;

	err = session_walk(d->s, &walk);
	if (!err) {
		err = each_copy(d, walk, by_fs ? &sorting : NULL);
		e2lazy_walk_close(walk);
	}
	if (err)
		session_fail(d->s, err, NULL);
	if (sorting.count)
		qsort(sorting.copies, sorting.count, sizeof(*sorting.copies),
		      by_fsblk);
	for (i = 0; i < sorting.count && !rows_stop(&d->rows); i++)
		print_old(d, &sorting.copies[i]);
	free(sorting.copies);
}
