/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * beyond.c - what lies past the end of the log
 *
 * Recovery cannot tell the end of a log from a hole in it: one zeroed block
 * loses every transaction behind it without a word.  Whoever looks on can.
 */
#include "config.h"

#include <string.h>

#include "log.h"
#include "span.h"

uint32_t e2lazy_beyond_reach(const struct e2lazy_journal *j)
{
	return jbd2_max_tags(&j->format) + 2;
}

/*
 * A tid is later only within the ring's length of the end: a journal cannot
 * hold more transactions than blocks, and what is further off was left by
 * another file system.
 */
static bool is_later(const struct e2lazy_journal *j, uint32_t tid,
		     uint32_t end_tid)
{
	return e2lazy_tid_after(tid, end_tid) &&
	       tid - end_tid <= ring_size(&j->geo);
}

static enum e2lazy_beyond_verdict judge(const struct e2lazy_journal *j,
					const struct e2lazy_end *end,
					const struct jbd2_header *h)
{
	bool async = j->geo.incompat & E2LAZY_INCOMPAT_ASYNC_COMMIT;
	bool seeded = j->geo.csum >= E2LAZY_CSUM_V2;

	/* Whatever an emptied log holds was done with, or given up. */
	if (end->reason == E2LAZY_END_EMPTY)
		return E2LAZY_BEYOND_OLDER_LAP;
	/*
	 * To the kernel a bad block with an older commit time is what an
	 * earlier journal left behind.  But clocks go backwards, and with this
	 * journal's seed a good checksum behind it is this journal's.
	 */
	if (end->reason == E2LAZY_END_STALE && !seeded)
		return E2LAZY_BEYOND_OLDER_LAP;
	if (is_later(j, h->tid, end->tid))
		return E2LAZY_BEYOND_DAMAGE;
	if (h->tid != end->tid)
		return E2LAZY_BEYOND_OLDER_LAP;
	return h->type == JBD2_COMMIT && !async ? E2LAZY_BEYOND_DAMAGE :
						  E2LAZY_BEYOND_UNCOMMITTED;
}

static bool is_control(const struct e2lazy_journal *j, const uint8_t *block,
		       struct jbd2_header *h, enum e2lazy_csum_state *csum)
{
	if (!jbd2_get_header(block, h) ||
	    (h->type != JBD2_DESCRIPTOR && h->type != JBD2_COMMIT &&
	     h->type != JBD2_REVOKE))
		return false;
	*csum = csum_control(&j->csum, h->type, block);
	return *csum != E2LAZY_BAD;
}

struct look {
	struct e2lazy_journal *journal;
	const struct e2lazy_end *end;
	const struct e2lazy_beyond_opts *opts;
	struct e2lazy_beyond *out;
	uint32_t	limit;		/* blocks to look at */
	uint32_t	reach;		/* 0: that is fixed */
};

static void look_as_far_as(struct look *l, uint64_t blocks)
{
	l->limit = blocks < l->out->rest ? (uint32_t)blocks : l->out->rest;
}

static errcode_t look_at(struct look *l, uint32_t logblk, const uint8_t *block)
{
	struct e2lazy_beyond *out = l->out;
	struct e2lazy_beyond_block b = { .logblk = logblk };
	struct jbd2_header h;

	/* v1: by itself the commit block looks good; it is no later one. */
	if (l->end->reason == E2LAZY_END_COMMIT_CSUM && logblk == l->end->stop)
		return 0;
	if (!is_control(l->journal, block, &h, &b.csum))
		return 0;
	b.type = h.type;
	b.tid = h.tid;
	b.verdict = judge(l->journal, l->end, &h);
	out->older += b.verdict == E2LAZY_BEYOND_OLDER_LAP;
	out->later += b.verdict == E2LAZY_BEYOND_DAMAGE;
	if (b.verdict > out->verdict) {
		out->verdict = b.verdict;
		out->first = b;
	}
	/* Of a transaction with several, the next one may be the commit block. */
	if (l->reach && b.verdict == E2LAZY_BEYOND_UNCOMMITTED)
		look_as_far_as(l, out->looked + 1ULL + l->reach);
	return l->opts->found ? l->opts->found(l->opts->priv, &b) : 0;
}

/* Blocks between two reports of progress. */
#define BLOCKS_PER_PROGRESS 64

static errcode_t look_on(struct look *l, struct span *span)
{
	const struct e2lazy_geometry *g = &l->journal->geo;
	const struct e2lazy_beyond_opts *opts = l->opts;
	struct e2lazy_beyond *out = l->out;
	uint32_t at = l->end->stop;
	errcode_t err = 0, unreadable;

	while (!err && out->looked < l->limit) {
		const uint8_t *block = span_read(span, at,
						 l->limit - out->looked,
						 &unreadable);

		if (block)
			err = look_at(l, at, block);
		else
			out->unreadable++;
		out->looked++;
		at = ring_next(g, at);
		if (!err && opts->progress &&
		    out->looked % BLOCKS_PER_PROGRESS == 0)
			err = opts->progress(opts->priv, out->looked,
					     l->limit);
	}
	return err;
}

errcode_t e2lazy_beyond(struct e2lazy_journal *j, const struct e2lazy_end *end,
			const struct e2lazy_beyond_opts *opts,
			struct e2lazy_beyond *out)
{
	const struct e2lazy_beyond_opts quiet = { .limit = 0 };
	struct look look = {
		.journal = j, .end = end, .opts = opts ? opts : &quiet,
		.out = out, .reach = opts ? 0 : e2lazy_beyond_reach(j),
	};
	struct span span;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	if (end->open.descriptors || end->open.revoke_blocks)
		out->verdict = end->reason == E2LAZY_END_STALE ?
			       E2LAZY_BEYOND_OLDER_LAP :
			       E2LAZY_BEYOND_UNCOMMITTED;
	out->rest = end->left;
	look_as_far_as(&look, opts ? opts->limit : look.reach);
	err = span_init(&span, j);
	if (!err)
		err = look_on(&look, &span);
	span_free(&span);
	return err;
}
