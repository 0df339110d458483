/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.c - a command line under construction
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/grow.h"
#include "words.h"

void words_add(struct words *words, const char *format, ...)
{
	va_list args;
	char **at, *word;

	/* One more, for the NULL. */
	at = grow(words->at, words->count + 1, &words->room, sizeof(*at));
	if (!at) {
		words->failed = true;
		return;
	}
	words->at = at;
	va_start(args, format);
	if (vasprintf(&word, format, args) < 0) {
		word = NULL;
		words->failed = true;
	}
	va_end(args);
	words->at[words->count] = word;
	words->count += word != NULL;
	words->at[words->count] = NULL;
}

void words_list(struct words *words, ...)
{
	const char *word;
	va_list args;

	va_start(args, words);
	while ((word = va_arg(args, const char *)))
		words_add(words, "%s", word);
	va_end(args);
}

void words_free(struct words *words)
{
	while (words->count)
		free(words->at[--words->count]);
	free(words->at);
	words->at = NULL;
	words->room = 0;
}
