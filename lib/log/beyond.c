/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * beyond.c - the control blocks past the end of the log, each by itself
 *
 * Recovery cannot tell the end of a log from a hole in it: one zeroed block
 * silently loses every transaction behind it.  A look past the end finds the
 * hole.  end_proof.c judges the blocks together and proves that none is lost.
 */

#include <string.h>

#include "beyond.h"

uint32_t e2lazy_beyond_reach(const struct e2lazy_journal *j)
{
	return jbd2_max_tags(&j->format) + 2;
}

enum e2lazy_beyond_verdict beyond_judge(const struct e2lazy_journal *j,
					const struct e2lazy_end *end,
					const struct sighting *s)
{
	bool async = j->geo.incompat & E2LAZY_INCOMPAT_ASYNC_COMMIT;

	/* An emptied log holds nothing that still counts. */
	if (end->reason == E2LAZY_END_EMPTY || s->foreign)
		return E2LAZY_BEYOND_OLDER_LAP;
	if (tid_follows(&j->geo, s->tid, end->tid, 1))
		return E2LAZY_BEYOND_DAMAGE;
	if (s->tid != end->tid)
		return E2LAZY_BEYOND_OLDER_LAP;
	return s->type == JBD2_COMMIT && !async ? E2LAZY_BEYOND_DAMAGE :
						  E2LAZY_BEYOND_UNCOMMITTED;
}

errcode_t beyond_look_near(struct look *l, const struct e2lazy_end *end,
			   uint32_t reach)
{
	uint64_t limit = l->looked + (uint64_t)reach;
	size_t seen = l->nr;
	errcode_t err;

	do {
		err = look_on(l, limit);
		for (; seen < l->nr; seen++)
			if (beyond_judge(l->journal, end, &l->at[seen]) ==
			    E2LAZY_BEYOND_UNCOMMITTED)
				limit = look_distance(l, l->at[seen].logblk) +
					1ULL + reach;
	} while (!err && l->looked < l->rest && l->looked < limit);
	return err;
}

static errcode_t tell_blocks(const struct look *l,
			     const struct e2lazy_end *end,
			     const struct e2lazy_beyond_opts *opts,
			     struct e2lazy_beyond *out)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < l->nr; i++) {
		const struct sighting *s = &l->at[i];
		const struct e2lazy_beyond_block b = {
			.logblk = s->logblk, .type = s->type, .tid = s->tid,
			.csum = s->csum,
			.verdict = beyond_judge(l->journal, end, s),
		};

		out->older += b.verdict == E2LAZY_BEYOND_OLDER_LAP;
		out->later += b.verdict == E2LAZY_BEYOND_DAMAGE;
		if (b.verdict > out->verdict) {
			out->verdict = b.verdict;
			out->first = b;
		}
		if (opts && opts->found)
			err = opts->found(opts->priv, &b);
	}
	return err;
}

errcode_t e2lazy_beyond(struct e2lazy_journal *j, const struct e2lazy_end *end,
			const struct e2lazy_beyond_opts *opts,
			struct e2lazy_beyond *out)
{
	struct look look;
	errcode_t err = look_init(&look, j, end, end->stop, end->left);

	memset(out, 0, sizeof(*out));
	out->rest = look.rest;
	if (end->open.descriptors || end->open.revoke_blocks)
		out->verdict = end->reason == E2LAZY_END_STALE ?
			       E2LAZY_BEYOND_OLDER_LAP :
			       E2LAZY_BEYOND_UNCOMMITTED;
	if (opts)
		look.watch = opts->watch;
	if (!err)
		err = opts ? look_on(&look, opts->limit) :
			     beyond_look_near(&look, end,
					      e2lazy_beyond_reach(j));
	if (!err)
		look_settle(&look);
	out->looked = look.looked;
	out->unreadable = look.unreadable;
	if (!err)
		err = tell_blocks(&look, end, opts, out);
	look_free(&look);
	return err;
}
