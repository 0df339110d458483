/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * status.h - how a program says what went wrong
 *
 * Exit codes are the bit mask of fsck(8).  Each bit that is set has been
 * explained by complain() on stderr.
 */
#ifndef SUPPORT_STATUS_H
#define SUPPORT_STATUS_H

#include <stdarg.h>
#include <stdbool.h>

#define FSCK_OK		0
#define FSCK_CORRECTED	1	/* something was wrong, and no longer is */
#define FSCK_LEFT	4	/* damage found, and left as it is */
#define FSCK_ERROR	8	/* could not open, read or print */
#define FSCK_USAGE	16	/* the command line makes no sense */
#define FSCK_CANCELLED	32	/* stopped by a signal */

/* "program: subject: text" on stderr; @subject may be NULL. */
void complain(const char *subject, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void vcomplain(const char *subject, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/*
 * From here on SIGINT and SIGTERM make cancelled() true instead of ending the
 * program.  A second one ends it, in case the first is not looked at.
 */
void status_catch_signals(void);
bool cancelled(void);
/* For a shell, whose command a SIGINT has ended and which is to go on. */
void status_forget_interrupt(void);

#endif
