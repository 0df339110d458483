/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost.c - deleted inodes of which the ring has no copy, and why
 */
#include "support/nls.h"
#include "support/status.h"
#include "undelete.h"

const char *lost_text(enum e2lazy_missing_reason reason)
{
	static const char *const texts[E2LAZY_NR_MISSING] = {
		[E2LAZY_MISSING_EMPTY] = N_("the ring holds no transaction"),
		[E2LAZY_MISSING_BEFORE] =
			N_("deleted before the oldest transaction"),
		[E2LAZY_MISSING_BAD] =
			N_("a copy of its block is bad or unreadable"),
		[E2LAZY_MISSING_BRIEF] =
			N_("made and deleted within one transaction"),
		[E2LAZY_MISSING_OVERWRITTEN] =
			N_("the ring has overwritten its last copy in use"),
	};

	return texts[reason];
}

/* Size and path are gone, so a file that these select may be among them. */
static errcode_t take_lost(void *priv, const struct e2lazy_missing *m)
{
	const struct filter *f = &((struct undelete *)priv)->filter;
	const struct e2lazy_deleted d = { .mode = m->mode, .uid = m->uid,
					  .size = f->size.first };
	struct undelete *u = priv;

	if (!filter_takes_inode(f, &d) || !filter_takes_time(f, m->sec))
		return 0;
	u->missing[m->reason]++;
	list_lost(u, m);
	return 0;
}

void tell_lost(struct undelete *u)
{
	const struct e2lazy_watch watch = session_watch(u->s);
	errcode_t err;

	list_lost_begin(u);
	err = e2lazy_undelete_missing(u->found, &watch, take_lost, u);
	progress_end(&u->s->print.progress);
	list_lost_end(u);
	if (err)
		session_fail(u->s, err, NULL);
}
