/* SPDX-License-Identifier: GPL-2.0-only */
/* words.h - a command line under construction */
#ifndef MISC_WORDS_H
#define MISC_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
	char	**at;		/* ends with NULL; NULL: there are none */
	size_t	count, room;
	bool	failed;		/* out of memory */
};

void words_add(struct words *words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Several as they are; the last is NULL. */
void words_list(struct words *words, ...) __attribute__((sentinel));
void words_free(struct words *words);

#endif
