/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_older.c - good older copies of blocks whose newest copy is bad
 *
 * The map never falls back by itself.  The static block can be older by the
 * whole log, while the log often has a copy that is older by one transaction.
 * e2fsck writes every good copy in turn and so ends with that one.  Either
 * choice leaves a block that does not fit its neighbours; the newer one does
 * less harm, and the user decides.
 *
 * One more walk lists the older copies of these blocks that are committed and
 * not revoked.  In the first round each block tries its newest candidate, in
 * the next round each block that failed tries the one before, and so on.  Each
 * round reads in the order of the log.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "log/reader.h"
#include "map/jmap.h"
#include "map/super.h"
#include "verify.h"

struct older_search {
	struct verify	*verify;
	struct records	copies;		/* candidates, by static block */
	struct want	*wants;		/* of a round; slot: bad copy */
	struct read_list	list;
};

errcode_t verify_note_bad(struct verify *v, const struct e2lazy_copy *copy,
			  errcode_t error)
{
	struct bad_copies *bad = &v->bad;

	struct bad_copy *at = grow(bad->at, bad->nr, &bad->room, sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	bad->at = at;
	bad->at[bad->nr++] = (struct bad_copy){ .copy = *copy,
						.error = error };
	return 0;
}

/* ---------------------------------------------------------- candidates */

static int by_fsblk(const void *a, const void *b)
{
	const struct bad_copy *x = a, *y = b;

	return x->copy.fsblk < y->copy.fsblk ? -1 :
	       x->copy.fsblk > y->copy.fsblk;
}

/* The superblock is merged, and a block past the device's end has no place. */
static bool can_be_written(const struct verify *v, blk64_t fsblk)
{
	return fsblk != super_fsblk(v->journal) &&
	       fsblk < v->journal->geo.device_blocks;
}

static errcode_t take_tag(void *priv, const struct e2lazy_event *ev)
{
	struct older_search *s = priv;
	const struct verify *v = s->verify;
	const struct bad_copy key = { .copy = { .fsblk = ev->fsblk } };
	const struct bad_copy *bad;
	struct record r = { .flags = (uint16_t)ev->flags,
			    .logblk = ev->logblk, .tid = ev->tid };

	if (ev->kind != E2LAZY_EV_TAG)
		return 0;
	bad = bsearch(&key, v->bad.at, v->bad.nr, sizeof(key), by_fsblk);
	/* The first of two copies in one transaction was never committed. */
	if (!bad || bad->copy.tid == ev->tid ||
	    !can_be_written(v, ev->fsblk) ||
	    e2lazy_jmap_state(v->map, ev) != E2LAZY_SUPERSEDED)
		return 0;
	record_set_fsblk(&r, ev->fsblk);
	return records_add(&s->copies, &r);
}

static errcode_t tick(void *priv, uint32_t tid)
{
	struct verify *v = ((struct older_search *)priv)->verify;
	size_t live = e2lazy_jmap_count(v->map);

	(void)tid;
	return verify_tick(v, v->fs ? E2LAZY_PHASE_CONTENT :
				      E2LAZY_PHASE_VERIFY, live, live);
}

static errcode_t list_candidates(struct older_search *s)
{
	errcode_t err = verify_walk(s->verify, take_tag, tick, s);

	return err ? err : records_sort(&s->copies);
}

/* Both lists ascend by block, and a block's candidates by tid. */
static void give_candidates(struct older_search *s)
{
	struct bad_copies *bad = &s->verify->bad;
	size_t at = 0;

	for (size_t i = 0; i < bad->nr; i++) {
		struct bad_copy *b = &bad->at[i];
		size_t first = at;

		while (at < s->copies.nr &&
		       record_fsblk(&s->copies.at[at]) == b->copy.fsblk)
			at++;
		b->left = at - first;
		b->newest = b->left ? &s->copies.at[at - 1] : NULL;
	}
}

/* -------------------------------------------------------------- rounds */

/* Runs in the reader's threads. */
static void verify_arrived(void *priv, const struct span *span)
{
	const struct older_search *s = priv;
	const struct verify *v = s->verify;
	unsigned size = v->journal->geo.blocksize;

	for (const struct want *w = span->from; w < span->to; w++) {
		const struct record *r = v->bad.at[w->slot].newest;
		uint8_t *block = span_block(span, w, size);
		errcode_t *err = &span->errors[w - span->from];

		if (*err)
			continue;
		if (jmap_is_good(v->map, r->tid, r->logblk, block))
			unescape(block, r->flags);
		else
			*err = E2LAZY_ET_DATA_CSUM;
	}
}

static void take_copy(struct older_search *s, struct bad_copy *b,
		      const uint8_t *block, errcode_t err)
{
	struct e2lazy_copy copy = { .fsblk = b->copy.fsblk };

	if (err) {
		b->newest = --b->left ? b->newest - 1 : NULL;
		return;
	}
	b->left = 0;
	copy.logblk = b->newest->logblk;
	copy.tid = b->newest->tid;
	verify_role(s->verify, &copy, block);
}

static errcode_t take_span(void *priv, const struct span *span)
{
	struct older_search *s = priv;
	const struct verify *v = s->verify;
	unsigned size = v->journal->geo.blocksize;

	for (const struct want *w = span->from; w < span->to; w++)
		take_copy(s, &v->bad.at[w->slot], span_block(span, w, size),
			  span->errors[w - span->from]);
	return tick(s, 0);
}

static void list_all(struct older_search *s)
{
	s->list.count = s->verify->bad.nr;
	for (size_t i = 0; i < s->list.count; i++)
		s->wants[i].slot = (uint32_t)i;
}

/* Keep the blocks of the last round that have a candidate left. */
static void list_round(struct older_search *s)
{
	const struct bad_copies *bad = &s->verify->bad;
	struct want *to = s->wants;

	for (size_t i = 0; i < s->list.count; i++) {
		uint32_t slot = s->wants[i].slot;

		if (bad->at[slot].left)
			*to++ = (struct want){
				.logblk = bad->at[slot].newest->logblk,
				.slot = slot,
			};
	}
	s->list.count = to - s->wants;
	read_list_sort(s->wants, s->list.count);
}

static errcode_t try_candidates(struct older_search *s)
{
	unsigned size = s->verify->journal->geo.blocksize;
	errcode_t err = 0;

	s->wants = calloc(s->verify->bad.nr, sizeof(*s->wants));
	if (!s->wants)
		return EXT2_ET_NO_MEMORY;
	s->list = (struct read_list){ .at = s->wants, .gap = GAP_BYTES / size,
				  .most = SPAN_BYTES / size };
	give_candidates(s);
	list_all(s);
	for (list_round(s); !err && s->list.count; list_round(s))
		err = reader_run(s->verify->journal, &s->list, verify_arrived,
				 take_span, s);
	free(s->wants);
	return err;
}

/* ----------------------------------------------------------- reporting */

static errcode_t report_older(struct verify *v, const struct bad_copy *b)
{
	struct spot spot = {
		.has = E2LAZY_AT_FSBLK | E2LAZY_AT_LOGBLK | E2LAZY_AT_TID |
		       E2LAZY_AT_AGE,
		.fsblk = b->copy.fsblk, .logblk = b->newest->logblk,
		.tid = b->newest->tid,
		.age = b->copy.tid - b->newest->tid,
	};

	verify_found(v, PROBLEM_OLDER_COPY, &spot, 0);
	return records_add(&v->verdict->older, b->newest);
}

static errcode_t report(struct verify *v)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < v->bad.nr; i++) {
		const struct bad_copy *b = &v->bad.at[i];

		if (b->newest)
			err = report_older(v, b);
		else if (b->error == E2LAZY_ET_DATA_CSUM)
			verify_found_copy(v, PROBLEM_DATA_CSUM, &b->copy, 0);
		else
			verify_found_copy(v, PROBLEM_UNREADABLE, &b->copy,
					  b->error);
	}
	return err;
}

errcode_t verify_older(struct verify *v)
{
	struct older_search s = { .verify = v };
	errcode_t err = 0;

	if (!v->bad.nr)
		return 0;
	qsort(v->bad.at, v->bad.nr, sizeof(*v->bad.at), by_fsblk);
	if (e2lazy_jmap_stats(v->map)->states[E2LAZY_SUPERSEDED])
		err = list_candidates(&s);
	if (!err && s.copies.nr)
		err = try_candidates(&s);
	if (!err)
		err = report(v);
	records_free(&s.copies);
	return err;
}
