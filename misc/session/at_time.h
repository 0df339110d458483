/* SPDX-License-Identifier: GPL-2.0-only */
/* at_time.h - --at: the last transaction that was committed by a time */
#ifndef MISC_AT_TIME_H
#define MISC_AT_TIME_H

#include "opened.h"

/* The committed transactions of the log, or of the ranges instead. */
struct txn_span {
	uint64_t	txns;
	uint32_t	first_tid, last_tid;
	struct instant	earliest, latest;	/* known commit times, or 0 */
	uint32_t	at_tid;		/* the last one up to a time */
};

/* @at may be NULL. */
errcode_t opened_span(const struct opened *opened, const struct when *at,
		      struct txn_span *span);
/* Does the time lie between the first commit and the last? */
bool span_has(const struct txn_span *span, const struct when *at);
/* Complain that --at lies outside. */
void span_complain(const struct opened *opened, const struct limits *limits,
		   const struct txn_span *span);
/*
 * The only history with transactions of that time, in limits->history.  False
 * after a complaint.  The ring has been scanned.
 */
bool find_history_at(const struct opened *opened, struct limits *limits);

#endif
