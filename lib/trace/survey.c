/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * survey.c - the facts about a journal's file system that a trace needs
 *
 * The layout is known before the requests, the log only behind them.  The ring
 * keeps transactions after they are checkpointed, so a scan of it finds all that
 * the trace saw, unless the ring has gone round since.
 */

#include <stdlib.h>
#include <string.h>

#include "e2lazy_ring.h"
#include "e2lazy_trace.h"
#include "io/grow.h"
#include "log/log.h"

/* -------------------------------------------------------------- layout */

/* Neighbours of one type become one; of those that overlap the first stays. */
static errcode_t add_piece(struct e2lazy_trace_piece **list, size_t *nr,
			   size_t *room, struct e2lazy_trace_piece p)
{
	struct e2lazy_trace_piece *last = *nr ? &(*list)[*nr - 1] : NULL, *grown;
	uint64_t end = last ? last->start + last->count : 0;

	if (last && p.start < end) {
		if (p.start + p.count <= end)
			return 0;
		p.count -= end - p.start;
		p.start = end;
	}
	if (last && last->type == p.type && p.start == end) {
		last->count += p.count;
		return 0;
	}
	grown = grow(*list, *nr, room, sizeof(p));
	if (!grown)
		return EXT2_ET_NO_MEMORY;
	*list = grown;
	grown[(*nr)++] = p;
	return 0;
}

static errcode_t take_layout(struct e2lazy_journal *journal,
			     struct e2lazy_trace_fs *fs)
{
	struct e2lazy_layout *layout = NULL;
	struct e2lazy_layout_piece p;
	errcode_t err = e2lazy_layout_build(journal, NULL, &layout, NULL);

	for (size_t i = 0; !err && e2lazy_layout_piece(layout, i, &p); i++)
		err = add_piece(&fs->pieces, &fs->nr_pieces, &fs->room_pieces,
				(struct e2lazy_trace_piece) {
					.start = p.start, .count = p.count,
					.type = p.type });
	e2lazy_layout_free(layout);
	return err;
}

static errcode_t take_runs(struct e2lazy_journal *journal, uint32_t maxlen,
			   struct e2lazy_trace_fs *fs)
{
	struct e2lazy_trace_run *run = NULL;
	errcode_t err = 0;
	blk64_t physblk;

	for (uint32_t i = 0; i < maxlen && !err; i++) {
		err = e2lazy_physblk(journal, i, &physblk);
		if (!err && run && physblk == run->physblk + run->count) {
			run->count++;
			continue;
		}
		run = grow(fs->runs, fs->nr_runs, &fs->room_runs, sizeof(*run));
		if (!run)
			return EXT2_ET_NO_MEMORY;
		fs->runs = run;
		run += fs->nr_runs++;
		*run = (struct e2lazy_trace_run) { .logblk = i, .count = 1,
						   .physblk = physblk };
	}
	return err;
}

/* The end of the log decides which id comes next. */
static errcode_t find_next(struct e2lazy_journal *journal, uint32_t *next)
{
	struct e2lazy_event ev;
	struct e2lazy_walk *walk;
	errcode_t err = e2lazy_walk_open(journal, NULL, 0, 0, &walk);

	if (err)
		return err;
	do
		e2lazy_walk_next(walk, &ev);
	while (ev.kind != E2LAZY_EV_END);
	*next = ev.end->tid;
	e2lazy_walk_close(walk);
	return 0;
}

errcode_t e2lazy_trace_survey(struct e2lazy_journal *journal,
			      struct e2lazy_trace_fs *out, uint32_t *next)
{
	const struct e2lazy_geometry *geo = e2lazy_geometry(journal);
	errcode_t err;

	out->blocksize = geo->blocksize;
	out->blocks = geo->fs_blocks;
	out->log_first = geo->first;
	out->log_end = geo->end;
	memcpy(out->uuid, geo->fs_uuid, sizeof(out->uuid));
	out->flags &= E2LAZY_TRACE_WATCHED;
	out->flags |= geo->external ? E2LAZY_TRACE_EXTERNAL : 0;
	out->nr_pieces = out->nr_runs = 0;
	err = take_layout(journal, out);
	/* Nobody traces the device of an external journal here. */
	if (!err && !geo->external)
		err = take_runs(journal, geo->maxlen, out);
	return err ? err : find_next(journal, next);
}

/* ----------------------------------------------------------------- log */

struct logged {
	struct e2lazy_journal *journal;
	struct e2lazy_trace_fs *fs;
	uint32_t	begin;		/* log block of the transaction's first */
	/* Copies and revokes of the transaction that goes on. */
	uint64_t	*revokes;
	size_t		nr_revokes, room_revokes;
	size_t		first;
	/* Each copy: its block and place, to find the newest of each block. */
	struct copy {
		uint64_t	fsblk;
		size_t		order;	/* in which they were noted */
		uint32_t	logblk;
		unsigned	flags;
	} *copies;
	size_t		nr_copies, room_copies;
};

static errcode_t add_number(uint64_t **list, size_t *nr, size_t *room,
			    uint64_t value)
{
	uint64_t *grown = grow(*list, *nr, room, sizeof(value));

	if (!grown)
		return EXT2_ET_NO_MEMORY;
	*list = grown;
	grown[(*nr)++] = value;
	return 0;
}

static errcode_t note_tag(struct logged *l, const struct e2lazy_event *ev)
{
	struct copy *grown = grow(l->copies, l->nr_copies, &l->room_copies,
				  sizeof(*grown));

	if (!grown)
		return EXT2_ET_NO_MEMORY;
	l->copies = grown;
	grown[l->nr_copies] = (struct copy) {
		.fsblk = ev->fsblk, .order = l->nr_copies,
		.logblk = ev->logblk, .flags = ev->flags,
	};
	l->nr_copies++;
	return add_number(&l->fs->logged, &l->fs->nr_logged,
			  &l->fs->room_logged, ev->fsblk);
}

static errcode_t note_commit(struct logged *l, const struct e2lazy_txn *txn)
{
	struct e2lazy_trace_fs *fs = l->fs;
	struct e2lazy_trace_txn *t;
	errcode_t err = 0;
	size_t tags = fs->nr_logged - l->first;

	for (size_t i = 0; i < l->nr_revokes && !err; i++)
		err = add_number(&fs->logged, &fs->nr_logged,
				 &fs->room_logged, l->revokes[i]);
	if (err)
		return err;
	t = grow(fs->txns, fs->nr_txns, &fs->room_txns, sizeof(*t));
	if (!t)
		return EXT2_ET_NO_MEMORY;
	fs->txns = t;
	t[fs->nr_txns++] = (struct e2lazy_trace_txn) {
		.tid = txn->tid, .start = txn->start, .commit = txn->end,
		.sec = txn->sec, .nsec = txn->nsec, .tags = tags,
		.revokes = l->nr_revokes, .first = l->first,
	};
	return 0;
}

static errcode_t take_txn(struct logged *l, const struct e2lazy_range *range)
{
	struct e2lazy_event ev;
	struct e2lazy_walk *walk = NULL;
	errcode_t err = e2lazy_walk_open(l->journal, range, 0, 0, &walk);

	l->first = l->fs->nr_logged;
	l->nr_revokes = 0;
	while (!err) {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_TAG)
			err = note_tag(l, &ev);
		else if (ev.kind == E2LAZY_EV_REVOKE)
			err = add_number(&l->revokes, &l->nr_revokes,
					 &l->room_revokes, ev.fsblk);
		else if (ev.kind == E2LAZY_EV_COMMIT)
			err = note_commit(l, ev.txn);
		else
			break;
	}
	e2lazy_walk_close(walk);
	return err;
}

static errcode_t take_txns(struct logged *l, const struct e2lazy_ring *ring,
			   const uint32_t *from)
{
	uint32_t count = e2lazy_ring_counts(ring)->txns;
	struct e2lazy_ring_txn txn;
	errcode_t err = 0;
	bool began = false;

	l->fs->nr_txns = l->fs->nr_logged = 0;
	for (uint32_t i = 0; i < count && !err; i++) {
		e2lazy_ring_txn(ring, i, &txn);
		if (from && e2lazy_tid_after(*from, txn.txn.tid))
			continue;
		if (from && !began && !tid_follows_mount(txn.txn.tid, *from - 1))
			l->fs->flags |= E2LAZY_TRACE_WRAPPED;
		began = true;
		err = take_txn(l, &txn.range);
	}
	return err;
}

/* --------------------------------------------------------------- roles */

static int by_block(const void *a, const void *b)
{
	const struct copy *x = a, *y = b;

	if (x->fsblk != y->fsblk)
		return x->fsblk < y->fsblk ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* The newest copy of a block is the last one noted. */
static void keep_newest(struct logged *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->nr_copies; i++)
		if (!n || l->copies[n - 1].fsblk != l->copies[i].fsblk)
			l->copies[n++] = l->copies[i];
		else
			l->copies[n - 1] = l->copies[i];
	l->nr_copies = n;
}

static errcode_t take_role(struct logged *l, struct e2lazy_layout *layout,
			   const struct copy *copy, void *block)
{
	struct e2lazy_trace_piece p = { .start = copy->fsblk, .count = 1 };
	struct e2lazy_trace_fs *fs = l->fs;
	struct e2lazy_place place;

	if (copy->fsblk >= fs->blocks)
		return 0;
	e2lazy_layout_find(layout, copy->fsblk, &place);
	if (place.type != E2LAZY_TYPE_OTHER)
		return 0;
	p.type = E2LAZY_TYPE_OTHER;
	if (!e2lazy_read_copy(l->journal, copy->logblk, copy->flags, block))
		p.type = e2lazy_identify(layout, block);
	return add_piece(&fs->roles, &fs->nr_roles, &fs->room_roles, p);
}

static errcode_t take_roles(struct logged *l, const struct e2lazy_watch *watch)
{
	struct e2lazy_layout *layout = NULL;
	void *block = malloc(l->fs->blocksize);
	errcode_t err = block ? 0 : EXT2_ET_NO_MEMORY;

	if (!err)
		err = e2lazy_layout_build(l->journal, NULL, &layout, NULL);
	for (size_t i = 0; i < l->nr_copies && !err; i++) {
		if (i % 1024 == 0 && watch && watch->stop)
			err = watch->stop(watch->priv);
		if (i % 1024 == 0 && watch && watch->progress && !err)
			err = watch->progress(watch->priv, E2LAZY_PHASE_READ,
					      i, l->nr_copies);
		if (!err)
			err = take_role(l, layout, &l->copies[i], block);
	}
	e2lazy_layout_free(layout);
	free(block);
	return err;
}

errcode_t e2lazy_trace_log(struct e2lazy_journal *journal,
			   const uint32_t *from,
			   const struct e2lazy_watch *watch,
			   struct e2lazy_trace_fs *fs)
{
	struct e2lazy_ring_opts opts = { .watch = watch };
	struct logged l = { .journal = journal, .fs = fs };
	struct e2lazy_ring *ring = NULL;
	errcode_t err;

	fs->nr_roles = 0;
	err = e2lazy_ring_scan(journal, &opts, &ring, NULL);
	if (!err)
		err = take_txns(&l, ring, from);
	e2lazy_ring_free(ring);
	if (!err && l.nr_copies)
		qsort(l.copies, l.nr_copies, sizeof(*l.copies), by_block);
	keep_newest(&l);
	if (!err)
		err = take_roles(&l, watch);
	if (!err)
		fs->flags |= E2LAZY_TRACE_LOGGED;
	free(l.copies);
	free(l.revokes);
	return err;
}
