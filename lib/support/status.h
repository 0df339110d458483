/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * status.h - error messages and exit status
 *
 * The exit status is the bit mask of fsck(8).  complain() has explained each
 * set bit on stderr.
 */
#ifndef SUPPORT_STATUS_H
#define SUPPORT_STATUS_H

#include <stdarg.h>
#include <stdbool.h>

#include "e2lazy.h"

#define FSCK_OK		0
#define FSCK_CORRECTED	1	/* a problem was found and corrected */
#define FSCK_LEFT	4	/* damage was found and left as it is */
#define FSCK_ERROR	8	/* could not open, read or print */
#define FSCK_USAGE	16	/* the command line makes no sense */
#define FSCK_CANCELLED	32	/* stopped by a signal */
#define FSCK_INCOMPLETE	64	/* the journal does not go back so far */

/* "program: subject: text" on stderr; @subject may be NULL. */
void complain(const char *subject, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void vcomplain(const char *subject, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
/* The same with the words of @error, which may be an errno. */
void complain_error(const char *subject, errcode_t error);

/* A message, cut if it is long. */
struct complaint {
	bool		made;		/* false: there was none */
	errcode_t	error;		/* 0: the text alone says it */
	struct e2lazy_where where;
	char		subject[512];	/* "": none */
	char		text[512];
};

/*
 * Who keeps the message that explains a status.  That is the one before the
 * first failing bit was set, as messages come first; a program inside of another
 * has its own.
 */
struct hearing {
	const int	*status;	/* FSCK_* bits so far */
	struct complaint last, failed;
	struct hearing	*outer;
};

#define FSCK_FAILED	(~(FSCK_CORRECTED | FSCK_LEFT))

void hearing_begin(struct hearing *hearing, const int *status);
/* The outer one takes over what has failed. */
void hearing_end(struct hearing *hearing);
/* NULL: no failing bit is set, or no message came before. */
const struct complaint *hearing_failed(struct hearing *hearing);
/* What the last message was about; @where may be NULL. */
void complaint_is(errcode_t error, const struct e2lazy_where *where);

/* The signals that cancel: SIGINT, SIGTERM, and SIGHUP. */
#define STATUS_NR_SIGNALS	3
extern const int status_signals[STATUS_NR_SIGNALS];
/*
 * From now on they make cancelled() true instead of ending the program, except
 * for one that is ignored.  A second signal ends it.
 */
void status_catch_signals(void);
bool cancelled(void);
/* For a child that is to end at a signal, as a program does by itself. */
void status_let_signals_end(void);
/* For a shell that goes on after a SIGINT has ended its command. */
void status_forget_interrupt(void);
/* For a program that goes on until a signal comes: no cancelling after all. */
void status_forget_signals(void);

#endif
