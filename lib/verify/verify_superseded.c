/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_superseded.c - bad copies that a newer copy replaces
 *
 * A checkpoint never reads such a copy.  jbd2 replays every copy that no revoke
 * makes void, in the order of the log, and verifies each.  One bad copy fails
 * the recovery, and so the mount, although a later copy holds the block.
 * (Linux fs/jbd2/recovery.c, PASS_REPLAY.)
 *
 * The walk reads control blocks only and lists the copies.  It reads each batch
 * of copies in the order of the log.
 */

#include <stdlib.h>

#include "log/reader.h"
#include "map/jmap.h"
#include "verify.h"

/* Copies listed before they are read; each takes 28 bytes. */
#define BATCH	16384

struct superseded {
	struct verify	*verify;
	struct record	*copies;	/* of the batch, in log order */
	struct want	*wants;		/* the same copies */
	struct read_list	list;
	uint64_t	done;
};

/* Runs in the reader's threads. */
static void verify_span_of(void *priv, const struct span *span)
{
	const struct superseded *s = priv;
	const struct e2lazy_jmap *map = s->verify->map;
	unsigned size = s->verify->journal->geo.blocksize;

	for (const struct want *w = span->from; w < span->to; w++) {
		errcode_t *err = &span->errors[w - span->from];

		if (!*err && !jmap_is_good(map, s->copies[w->slot].tid,
					   w->logblk,
					   span_block(span, w, size)))
			*err = E2LAZY_ET_DATA_CSUM;
	}
}

static void report(struct superseded *s, const struct want *w, errcode_t err)
{
	const struct record *r = &s->copies[w->slot];
	const struct e2lazy_copy copy = {
		.fsblk = record_fsblk(r), .logblk = r->logblk, .tid = r->tid,
	};

	verify_found_copy(s->verify, PROBLEM_SUPERSEDED_CSUM, &copy,
			  err == E2LAZY_ET_DATA_CSUM ? 0 : err);
}

static errcode_t take_span(void *priv, const struct span *span)
{
	struct superseded *s = priv;
	struct verify *v = s->verify;

	for (const struct want *w = span->from; w < span->to; w++)
		if (span->errors[w - span->from])
			report(s, w, span->errors[w - span->from]);
	s->done += span->to - span->from;
	return verify_tick(v, E2LAZY_PHASE_SUPERSEDED, s->done,
			   e2lazy_jmap_stats(v->map)->states[
				   E2LAZY_SUPERSEDED]);
}

static errcode_t read_batch(struct superseded *s)
{
	errcode_t err;

	if (!s->list.count)
		return 0;
	err = reader_run(s->verify->journal, &s->list, verify_span_of,
			 take_span, s);
	s->list.count = 0;
	return err;
}

static errcode_t take_tag(void *priv, const struct e2lazy_event *ev)
{
	struct superseded *s = priv;
	size_t n = s->list.count;

	if (ev->kind != E2LAZY_EV_TAG)
		return 0;
	if (e2lazy_jmap_state(s->verify->map, ev) != E2LAZY_SUPERSEDED)
		return 0;
	s->copies[n] = (struct record){ .logblk = ev->logblk, .tid = ev->tid };
	record_set_fsblk(&s->copies[n], ev->fsblk);
	s->wants[n] = (struct want){ .logblk = ev->logblk,
				     .slot = (uint32_t)n };
	s->list.count++;
	return s->list.count == BATCH ? read_batch(s) : 0;
}

static errcode_t take_events(struct superseded *s)
{
	errcode_t err = verify_walk(s->verify, take_tag, NULL, s);

	return err ? err : read_batch(s);
}

errcode_t verify_superseded(struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;
	struct superseded s = { .verify = v };
	errcode_t err = EXT2_ET_NO_MEMORY;

	if (!(v->opts->flags & E2LAZY_VERIFY_SUPERSEDED) ||
	    g->csum < E2LAZY_CSUM_V2 ||
	    !e2lazy_jmap_stats(v->map)->states[E2LAZY_SUPERSEDED])
		return 0;
	s.copies = calloc(BATCH, sizeof(*s.copies));
	s.wants = calloc(BATCH, sizeof(*s.wants));
	s.list = (struct read_list){ .at = s.wants, .gap = GAP_BYTES / g->blocksize,
				 .most = SPAN_BYTES / g->blocksize };
	if (s.copies && s.wants)
		err = take_events(&s);
	free(s.copies);
	free(s.wants);
	return err;
}
