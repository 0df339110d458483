/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * states.h - the table of all states of a log and of its devices
 *
 * A row has what the library knows of the state, and all that programs say of
 * it.  Texts are English and marked for translation.
 */
#ifndef MISC_STATES_STATES_H
#define MISC_STATES_STATES_H

#include "e2lazy_verify.h"

struct diagnosis {
	const struct e2lazy_problem *problem;	/* id, severity, consent */
	const char	*text;		/* the state, in a line */
	const char	*meaning;	/* explanation, and a way out */
	const char	*advice;	/* next step, as a clause */
	const char	*question;	/* of consent ASK; else NULL */
	const char	*second;	/* asked after a no; or NULL */
};

/* The row of a problem, which always has one. */
const struct diagnosis *diagnosis_of(const struct e2lazy_problem *problem);
/* By its id, or NULL. */
const struct diagnosis *diagnosis_find(const char *id);
/* The row after @row; NULL: the first one, and none after the last. */
const struct diagnosis *diagnosis_next(const struct diagnosis *row);

#endif
