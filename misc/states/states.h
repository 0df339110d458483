/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * states.h - the table of all states of a log and of its devices
 *
 *	device.c ... sound.c	the rows
 *	conditions.c		when one holds, of those that the library does not
 *				find by itself
 *	tools.c			what other tools do
 *	steps.c			the commands of a remedy
 *	states.c		looking up a row
 *
 * A row has what the library knows of the state, and all that programs say of
 * it.  Texts are English and marked for translation.  The order is that of
 * doctor: the first row that holds names the state.
 */
#ifndef MISC_STATES_STATES_H
#define MISC_STATES_STATES_H

#include "facts.h"
#include "steps.h"
#include "tools.h"

#define MAX_STEPS	14

struct info;

struct diagnosis {
	const struct e2lazy_problem *problem;	/* id, severity, consent */
	const char	*text;		/* the state, in a line */
	const char	*meaning;	/* explanation, and a way out */
	const char	*advice;	/* next step, as a clause */
	const char	*question;	/* of consent ASK; else NULL */
	const char	*second;	/* asked after a no; or NULL */
	/* NULL: where the library found damage */
	bool		(*holds)(const struct facts *f);
	bool		told;		/* doctor names it, though it is no damage */
	bool		quiet;		/* doctor does not name it */
	/* When info reports it, if the library does not find it. */
	bool		(*hazard)(const struct info *info);
	struct tools	tools;
	/* What its tools do has precedence, whatever the log is like. */
	unsigned	decides;	/* 1 << TOOL_..., */
	bool		(*decides_if)(const struct facts *f); /* NULL: @holds */
	enum step	steps[MAX_STEPS];	/* safest first; none: usual ones */
};

/* The row of a problem, which always has one. */
const struct diagnosis *diagnosis_of(const struct e2lazy_problem *problem);
/* By its id, or NULL. */
const struct diagnosis *diagnosis_find(const char *id);
/* The row after @row; NULL: the first one, and none after the last. */
const struct diagnosis *diagnosis_next(const struct diagnosis *row);
/* Does it hold, and does doctor name it? */
bool diagnosis_holds(const struct diagnosis *row, const struct facts *f);
/* Is there nothing to do? */
bool diagnosis_is_sound(const struct diagnosis *row);
/* Is it one that the library finds? */
bool diagnosis_is_found(const struct diagnosis *row);
/* The outcome if the tool were run now. */
enum what diagnosis_tool(const struct facts *f, enum tool tool);

#endif
