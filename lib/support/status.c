/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * status.c - how a program says what went wrong
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#include "status.h"

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

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

bool cancelled(void)
{
	return signalled != 0;
}

void complain(const char *subject, const char *format, ...)
{
	va_list args;

	/* One line stays one line when several programs share the terminal. */
	flockfile(stderr);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	if (subject)
		fprintf(stderr, "%s: ", subject);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	putc('\n', stderr);
	funlockfile(stderr);
}
