/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lend.c - what a session has open, lent to those of its commands
 */
#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "support/nls.h"
#include "support/status.h"

/* The limits that the lender was opened with are the usual ones. */
void session_inherit(struct session *s, struct session *lender)
{
	s->lender = lender;
	s->check_data = lender->check_data;
	s->until_set = lender->until_set;
	s->until = lender->until;
}

bool session_borrow(struct session *s)
{
	if (!s->lender->journal) {
		complain(s->command->name, _("no device is open"));
		s->status |= FSCK_USAGE;
		return false;
	}
	s->device = s->lender->device;
	s->journal = s->lender->journal;
	return true;
}

bool session_share_map(struct session *s)
{
	const struct session *lender = s->lender;

	if (!lender || !lender->map || s->check_data != lender->check_data ||
	    s->until_set != lender->until_set ||
	    (s->until_set && s->until != lender->until))
		return false;
	s->map = lender->map;
	s->stats = lender->stats;
	s->end = lender->end;
	s->layout = lender->layout;
	s->view = lender->view;
	s->owners = lender->owners;
	s->owners_paths = lender->owners_paths;
	s->owners_damage = lender->owners_damage;
	s->times = lender->times;
	s->looked = lender->looked;
	s->beyond = lender->beyond;
	s->told = lender->told;
	s->shared = true;
	return true;
}

void session_give_back(struct session *s)
{
	struct session *lender = s->lender;

	if (!lender)
		return;
	s->device = NULL;
	s->journal = NULL;
	if (!s->shared)
		return;
	/* Built for this command, and as good for the next. */
	lender->layout = s->layout;
	lender->view = s->view;
	lender->owners = s->owners;
	lender->owners_paths = s->owners_paths;
	lender->owners_damage = s->owners_damage;
	s->layout = NULL;
	s->view = NULL;
	s->owners = NULL;
	s->map = NULL;
	memset(&s->times, 0, sizeof(s->times));
	s->shared = false;
}
