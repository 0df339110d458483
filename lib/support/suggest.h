/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suggest.h - find the known word closest to a mistyped one
 */
#ifndef SUPPORT_SUGGEST_H
#define SUPPORT_SUGGEST_H

#include <stddef.h>

struct suggestion {
	const char	*word;		/* as typed */
	size_t		length;		/* of @word */
	const char	*best;		/* so far; NULL: none is close */
	unsigned	distance;	/* of @best */
};

/* Set @word and @length, then call it for each known word. */
void suggest(struct suggestion *suggestion, const char *known);

#endif
