/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lend.c - a session lends its open device to its commands
 *
 * A command with the lender's limits uses the lender's log; a view or a list
 * of owners that it adds stays for the next command.  A command with other
 * limits reads the log of the lent device again.
 */
#include <stdlib.h>

#include "session.h"
#include "support/nls.h"
#include "support/status.h"

/* The limits of the lender are the default. */
void session_inherit(struct session *s, struct session *lender)
{
	s->lender = lender;
	s->source.limits = lender->source.limits;
}

bool session_borrow(struct session *s)
{
	const struct opened *from = s->lender->log;

	if (!from) {
		complain(s->command->name, _("no device is open"));
		s->status |= FSCK_USAGE;
		return false;
	}
	*s->log = (struct opened){
		.lent = true, .device = from->device, .journal = from->journal,
		.geo = from->geo,
	};
	return true;
}

static bool same(const struct limits *a, const struct limits *b)
{
	return a->check_data == b->check_data &&
	       a->tail_set == b->tail_set && a->tail == b->tail &&
	       a->tail_tid_set == b->tail_tid_set &&
	       a->tail_tid == b->tail_tid && a->ring == b->ring &&
	       a->history == b->history &&
	       a->until_set == b->until_set &&
	       (!a->until_set || a->until == b->until) &&
	       (!a->at_text || b->at_text);
}

bool session_share_map(struct session *s)
{
	struct session *lender = s->lender;

	if (!lender || !same(&s->source.limits, &lender->source.limits))
		return false;
	opened_free(s->log);
	free(s->log);
	s->log = lender->log;
	return true;
}

bool session_owns_log(const struct session *s)
{
	return s->log && (!s->lender || s->log != s->lender->log);
}
