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

#include "text.h"
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

	static const int numbers[] = { SIGINT, SIGTERM };
	struct sigaction before;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		/* A shell's background job must keep ignoring SIGINT. */
		if (!sigaction(numbers[i], NULL, &before) &&
		    before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
}

void status_let_signals_end(void)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
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

void vcomplain(const char *subject, const char *format, va_list args)
{
	char *text;
	int n = vasprintf(&text, format, args);

	/* One line stays one line when several programs share the terminal. */
	flockfile(stderr);
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
