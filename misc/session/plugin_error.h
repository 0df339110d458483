/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plugin_error.h - a plugin's errors, without a byte that steers a terminal
 *
 * For the sources of nbdkit plugins, which have nbdkit-plugin.h included.
 */
#ifndef MISC_PLUGIN_ERROR_H
#define MISC_PLUGIN_ERROR_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

/*
 * nbdkit_error() prints its text unfiltered.  Parameters, devices and the
 * export names of clients may hold any byte.  Returns -1, as a callback that
 * fails.
 */
__attribute__((format(printf, 1, 2)))
static int say_error(const char *format, ...)
{
	char *text = NULL, *shown = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text)
		shown = printable_text(text);
	nbdkit_error("%s", shown ? shown : strerror(ENOMEM));
	free(shown);
	free(text);
	return -1;
}

#endif
