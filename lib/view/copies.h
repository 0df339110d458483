/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* copies.h - read many live copies, in the order of the log */
#ifndef E2LAZY_COPIES_H
#define E2LAZY_COPIES_H

#include "e2lazy.h"
#include "log/sort.h"
#include "cache.h"

/* The places that have copies. */
struct copies {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;
	const struct cache *kept;	/* or NULL */
	/* Good older copies that replace bad live ones, ascending by static
	   block.  NULL: live copies only. */
	const struct records *older;
};

/* The older copy that replaces the live copy of a static block, or NULL. */
const struct record *copies_older(const struct records *older, blk64_t fsblk);

/* The log block of the copy for mapping @index. */
uint32_t copies_logblk(const struct e2lazy_jmap *map,
		       const struct records *older, size_t index);

struct span;
struct read_list;

/* A span_arrived that verifies and unescapes each copy; slots are mappings.
   @priv is a struct copies. */
void verify_span(void *priv, const struct span *span);

/* Callbacks for each live copy: unescaped in @block, or @err. */
struct copy_taker {
	/* May be NULL. Called from several threads at once. */
	void		(*store)(void *priv, size_t index,
				 const uint8_t *block, errcode_t err);
	/* Called afterwards from the caller's thread, which may write to
	   @block.  A non-zero return ends the reading and is returned. */
	errcode_t	(*take)(void *priv, size_t index, uint8_t *block,
				errcode_t err);
	void		*priv;
};

/*
 * Read every live copy, in stretches of @stretch mappings (1 or more).  Each
 * stretch begins with the copies in the cache; the others follow in log order,
 * and threads read them ahead in requests of COPIES_SPAN_BYTES.  A stretch
 * begins when all copies of the stretch before are taken.  Memory: 12 bytes for
 * each copy that is not in the cache, and 8 MiB if there is one.
 */
#define COPIES_SPAN_BYTES (512 << 10)
errcode_t read_copies(const struct copies *from, size_t stretch,
		      const struct copy_taker *taker);

/* The list that read_copies() reads.  The caller frees the result; NULL
   without memory. */
struct want *list_copies(const struct copies *from, size_t stretch,
			 struct read_list *out);

#endif
