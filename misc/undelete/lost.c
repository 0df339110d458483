/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost.c - deleted inodes of which the ring has no copy, and why
 */
#include "undelete.h"

/* Size and path are gone, so a file that these select may be among them. */
static errcode_t take_lost(void *priv, const struct e2lazy_missing *m)
{
	const struct filter *f = &((struct undelete *)priv)->filter;
	const struct e2lazy_deleted d = { .mode = m->mode, .uid = m->uid,
					  .size = f->size.first };
	struct undelete *u = priv;

	if (!filter_takes_inode(f, &d) || !filter_takes_time(f, (struct instant){ .sec = m->sec }))
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
