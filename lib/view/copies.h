/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* copies.h - live copies, many at a time and in the order of the log */
#ifndef E2LAZY_COPIES_H
#define E2LAZY_COPIES_H

#include "e2lazy.h"
#include "log/sort.h"
#include "cache.h"

/* Where copies are to be had. */
struct copies {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;
	const struct cache *kept;	/* or NULL */
	/* Good older copies that stand in for live ones, which are bad;
	   ascending by static block. NULL: live copies alone. */
	const struct records *older;
};

/* The one that stands in for the live copy of a static block, or NULL. */
const struct record *copies_older(const struct records *older, blk64_t fsblk);

/* The log block from which the copy of mapping @index comes. */
uint32_t copies_logblk(const struct e2lazy_jmap *map,
		       const struct records *older, size_t index);

struct span;
struct read_list;

/* A span_arrived of who reads live copies, whose slots are mappings: verify,
   unescape.  @priv is a struct copies. */
void verify_span(void *priv, const struct span *span);

/* Of a live copy: unescaped in @block, or not to be had for @err. */
struct copy_taker {
	/* May be NULL. Called from several threads at once. */
	void		(*store)(void *priv, size_t index,
				 const uint8_t *block, errcode_t err);
	/* Then from the caller's, and the block may be written to. A non-zero
	   return ends the reading and is returned. */
	errcode_t	(*take)(void *priv, size_t index, uint8_t *block,
				errcode_t err);
	void		*priv;
};

/*
 * Every live copy, in stretches of as many mappings: of each those that are
 * kept, then the others in log order, read ahead by threads.  By the time that
 * the first of a stretch is taken, all of those before it have been.  Takes 12
 * bytes for each that is not kept, and 8 MiB if there are any, in requests of so
 * many bytes.  @stretch is 1 or more.
 */
#define COPIES_SPAN_BYTES (512 << 10)
errcode_t read_copies(const struct copies *from, size_t stretch,
		      const struct copy_taker *taker);

/* What it reads, and how; to be freed by the caller. NULL: no memory. */
struct want *list_copies(const struct copies *from, size_t stretch,
			 struct read_list *out);

#endif
