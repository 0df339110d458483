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

#define SPAN_BYTES (256 * 1024)

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

	/* Whatever an emptied log holds was done with, or given up. */
	if (end->reason == E2LAZY_END_EMPTY || end->reason == E2LAZY_END_STALE)
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
};

static errcode_t look_at(struct look *l, uint32_t logblk, const uint8_t *block)
{
	struct e2lazy_beyond *out = l->out;
	struct e2lazy_beyond_block b = { .logblk = logblk };
	struct jbd2_header h;

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
	return l->opts->found ? l->opts->found(l->opts->priv, &b) : 0;
}

/* Where a span cannot be read, its blocks are tried one by one. */
static errcode_t look_at_span(struct look *l, uint32_t at, uint32_t n,
			      uint8_t *buf)
{
	unsigned blocksize = l->journal->geo.blocksize;
	errcode_t err;

	err = e2lazy_read_log(l->journal, at, n, buf);
	if (err && n == 1)
		l->out->unreadable++;
	for (uint32_t i = 0; i < n && (n > 1 || !err); i++) {
		errcode_t stop;

		if (err)
			stop = look_at_span(l, at + i, 1, buf);
		else
			stop = look_at(l, at + i, buf + (size_t)i * blocksize);
		if (stop)
			return stop;
	}
	return 0;
}

static errcode_t look_on(struct look *l, uint32_t limit, void *buf)
{
	const struct e2lazy_geometry *g = &l->journal->geo;
	const struct e2lazy_beyond_opts *opts = l->opts;
	uint32_t at = l->end->stop, most = SPAN_BYTES / g->blocksize;
	struct e2lazy_beyond *out = l->out;
	errcode_t err = 0;

	while (!err && out->looked < limit) {
		uint32_t n = limit - out->looked;

		n = n < most ? n : most;
		n = n < g->end - at ? n : g->end - at;
		err = look_at_span(l, at, n, buf);
		out->looked += n;
		at = ring_add(g, at, n);
		if (!err && opts->progress)
			err = opts->progress(opts->priv, out->looked, limit);
	}
	return err;
}

errcode_t e2lazy_beyond(struct e2lazy_journal *j, const struct e2lazy_end *end,
			const struct e2lazy_beyond_opts *opts,
			struct e2lazy_beyond *out)
{
	const struct e2lazy_geometry *g = &j->geo;
	struct e2lazy_beyond_opts reach = { .limit = e2lazy_beyond_reach(j) };
	struct look look = { j, end, opts ? opts : &reach, out };
	void *buf;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	if (end->open.descriptors || end->open.revoke_blocks)
		out->verdict = end->reason == E2LAZY_END_STALE ?
			       E2LAZY_BEYOND_OLDER_LAP :
			       E2LAZY_BEYOND_UNCOMMITTED;
	if (end->walked < ring_size(g))
		out->rest = ring_size(g) - end->walked -
			    ring_distance(g, end->head, end->stop);

	err = io_channel_alloc_buf(j->io, SPAN_BYTES / g->blocksize, &buf);
	if (err)
		return err;
	err = look_on(&look, look.opts->limit < out->rest ?
			     look.opts->limit : out->rest, buf);
	ext2fs_free_mem(&buf);
	return err;
}
