/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * next_copies.h - the copies that a reader of single blocks will want next
 *
 * A directory has one block as a rule, so a reader asks for one copy after the
 * other.  Where the last two lay side by side in the log, one request reads
 * those behind them too.
 */
#ifndef E2LAZY_NEXT_COPIES_H
#define E2LAZY_NEXT_COPIES_H

#include "e2lazy.h"

/* Copies of @count mappings from @index on, as e2lazy_jmap_read() gives them. */
struct next_copies {
	uint8_t		*blocks;	/* room for a request; or NULL */
	size_t		index, count;
	size_t		bad, good;	/* from @bad to the one before @good, a
					   request has failed */
};

/*
 * Get the copy of mapping @index, of @size bytes, from those that were read
 * ahead, or read some ahead.  False: read that one copy alone.  @near is the
 * mapping behind the last one that the reader had.
 */
bool next_copies_get(struct next_copies *next, const struct e2lazy_jmap *map,
		     size_t index, size_t near, unsigned size, void *block);
void next_copies_free(struct next_copies *next);

#endif
