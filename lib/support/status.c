/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * status.c - error messages and exit status
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nls.h"
#include "status.h"
#include "text.h"

/* SIGHUP: a terminal that is closed must not leave half a file behind. */
const int status_signals[STATUS_NR_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

static volatile sig_atomic_t signalled;

static void note_signal(int number)
{
	signalled = number;
}

void status_catch_signals(void)
{
	struct sigaction action = {
		.sa_handler = note_signal,
		.sa_flags = SA_RESETHAND,
	};
	struct sigaction before;

	sigemptyset(&action.sa_mask);
	for (unsigned i = 0; i < STATUS_NR_SIGNALS; i++)
		/*
		 * A shell's background job must keep ignoring SIGINT, and that
		 * of nohup SIGHUP.
		 */
		if (!sigaction(status_signals[i], NULL, &before) &&
		    before.sa_handler != SIG_IGN)
			sigaction(status_signals[i], &action, NULL);
}

void status_let_signals_end(void)
{
	struct sigaction now;

	for (unsigned i = 0; i < STATUS_NR_SIGNALS; i++)
		if (!sigaction(status_signals[i], NULL, &now) &&
		    now.sa_handler != SIG_IGN)
			signal(status_signals[i], SIG_DFL);
}

bool cancelled(void)
{
	return signalled != 0;
}

void status_forget_interrupt(void)
{
	if (signalled == SIGINT)
		signalled = 0;
}

void status_forget_signals(void)
{
	signalled = 0;
}

static void put_text(const char *text)
{
	const char *end = text + strlen(text);
	char shown[PRINTABLE];

	while (text < end)
		fwrite(shown, 1, printable(shown, &text, end - text), stderr);
}

void complain(const char *subject, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vcomplain(subject, format, args);
	va_end(args);
}

void complain_error(const char *subject, errcode_t error)
{
	complain(subject, "%s", _(error_message(error)));
	complaint_is(error, NULL);
}

/* -------------------------------------------------- the reason of a status */

static struct hearing *hearing;

/* Has a failing bit been set since the last message? */
static void keep_failed(struct hearing *h)
{
	if (!h->failed.made && (*h->status & FSCK_FAILED))
		h->failed = h->last;
}

void hearing_begin(struct hearing *h, const int *status)
{
	*h = (struct hearing){ .status = status, .outer = hearing };
	hearing = h;
}

void hearing_end(struct hearing *h)
{
	struct hearing **at = &hearing;

	keep_failed(h);
	while (*at && *at != h)
		at = &(*at)->outer;
	if (!*at)
		return;
	if (h->outer && h->failed.made)
		h->outer->last = h->failed;
	*at = h->outer;
}

const struct complaint *hearing_failed(struct hearing *h)
{
	keep_failed(h);
	return h->failed.made ? &h->failed : NULL;
}

void complaint_is(errcode_t error, const struct e2lazy_where *where)
{
	if (!hearing)
		return;
	hearing->last.error = error;
	if (where)
		hearing->last.where = *where;
}

static void hear(const char *subject, const char *text)
{
	struct complaint *last;

	if (!hearing)
		return;
	keep_failed(hearing);
	last = &hearing->last;
	*last = (struct complaint){ .made = true };
	snprintf(last->subject, sizeof(last->subject), "%s",
		 subject ? subject : "");
	snprintf(last->text, sizeof(last->text), "%s", text);
}

void vcomplain(const char *subject, const char *format, va_list args)
{
	char *text;
	int n = vasprintf(&text, format, args);

	/* One line stays one line when several programs share the terminal. */
	flockfile(stderr);
	hear(subject, n < 0 ? strerror(ENOMEM) : text);
	put_text(program_invocation_short_name);
	fputs(": ", stderr);
	if (subject) {
		put_text(subject);
		fputs(": ", stderr);
	}
	put_text(n < 0 ? strerror(ENOMEM) : text);
	putc('\n', stderr);
	funlockfile(stderr);
	if (n >= 0)
		free(text);
}
