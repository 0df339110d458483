/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* past_end.h - is the end of the log its end? */
#ifndef E2LAZY_PAST_END_H
#define E2LAZY_PAST_END_H

#include "beyond.h"

struct past_end_opts {
	uint32_t	near;	/* blocks looked at in any case; 0: the usual */
	bool		quick;	/* and no more, where the log seems sound */
	const struct e2lazy_watch *watch;	/* or NULL */
};

struct past_end {
	const struct e2lazy_end *end;
	struct look	look;		/* from the head on: what it has found */
	enum e2lazy_beyond_verdict verdict;
	const struct sighting *first;	/* of DAMAGE: its first block */
	/* Control blocks of the log's own transactions, but outside of it. */
	uint32_t	strays;
	const struct sighting *first_stray;
	bool		proven;		/* that the log ends where it ends */
};

/* Where it fails past_end_free() is due, too. */
errcode_t past_end_look(struct past_end *past, struct e2lazy_journal *journal,
			const struct e2lazy_end *end,
			const struct past_end_opts *opts);
/* Look at all of the ring, from the head round to the tail. */
errcode_t past_end_look_at_all(struct past_end *past);
void past_end_free(struct past_end *past);

#endif
