/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * looks.h - the copies that a directory may yet look at
 *
 * A block has one directory at a time, so most copies are looked at once.
 * Directories of an enemy all name the same blocks.  So a copy that has an owner
 * is no other directory's, and the copies without one are looked at again so many
 * times in all.
 */
#ifndef E2LAZY_LOOKS_H
#define E2LAZY_LOOKS_H

#include <stdbool.h>
#include <stddef.h>

#include <ext2fs/ext2fs.h>

struct looks {
	uint32_t	*free;		/* copy -> itself, or else one behind it
					   and not behind the next free one */
	uint8_t		*before;	/* bits: it was looked at */
	uint64_t	again;		/* looks at those that are left */
};

/* At @nr copies, by number.  The caller ends @l, also on failure. */
errcode_t looks_begin(struct looks *l, size_t nr);
void looks_end(struct looks *l);

/* May a directory look at a copy?  Each may be looked at once. */
bool looks_take(struct looks *l, size_t copy);
/* The copy tells other directories nothing. */
void looks_close(struct looks *l, size_t copy);
/* The first copy from @copy on that is not closed.  O(log n) on average. */
size_t looks_next(struct looks *l, size_t copy);

#endif
