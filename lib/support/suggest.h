/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suggest.h - the known word that a mistyped one is most like
 */
#ifndef SUPPORT_SUGGEST_H
#define SUPPORT_SUGGEST_H

#include <stddef.h>

struct suggestion {
	const char	*word;		/* as typed */
	size_t		length;		/* of it */
	const char	*best;		/* so far, or NULL: nothing is alike */
	unsigned	distance;	/* of @best */
};

/* @suggestion has a word and its length.  Call it for each word there is. */
void suggest(struct suggestion *suggestion, const char *known);

#endif
