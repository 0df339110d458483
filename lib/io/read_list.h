/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* read_list.h - wanted blocks of the log become requests */
#ifndef E2LAZY_READ_LIST_H
#define E2LAZY_READ_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPAN_BYTES	(1 << 20)	/* most bytes of one request */
#define GAP_BYTES	(64 << 10)	/* a gap up to this is read through */

/* A wanted copy. */
struct want {
	uint32_t	logblk;
	uint32_t	slot;		/* the caller's number for it */
	uint32_t	request;	/* number of the write that takes it */
};

/* Wanted copies in ring order: @logblk ascends, and falls once at the wrap. */
struct read_list {
	const struct want *at;
	size_t		count;
	uint32_t	gap;		/* most blocks to read unwanted */
	uint32_t	most;		/* blocks of a request, gaps included */
	bool		again;		/* they are read again soon: fill the
					   page cache */
};

void read_list_sort(struct want *wants, size_t count);

/*
 * Index after the last copy that one request reads together with copy @from.
 * Reading through a small gap costs less than a seek over it.
 */
size_t read_list_gather(const struct read_list *wants, size_t from);

#endif
