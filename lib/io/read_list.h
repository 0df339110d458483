/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* read_list.h - which blocks of the log are wanted, and in what requests */
#ifndef E2LAZY_READ_LIST_H
#define E2LAZY_READ_LIST_H

#include <stddef.h>
#include <stdint.h>

#define SPAN_BYTES	(1 << 20)	/* of the log, in one request */
#define GAP_BYTES	(64 << 10)	/* of it, read rather than skipped */

/* A copy that is wanted. */
struct want {
	uint32_t	logblk;
	uint32_t	slot;		/* the caller's own number of it */
	uint32_t	request;	/* with whom it is written */
};

/* Several, ascending by logblk; where they begin anew, the log does. */
struct read_list {
	const struct want *at;
	size_t		count;
	uint32_t	gap;		/* blocks read through, not skipped */
	uint32_t	most;		/* blocks of a request, those included */
};

void read_list_sort(struct want *wants, size_t count);

/*
 * The end of what is read in one request with number @from: reading through a
 * gap costs less than a seek over it.
 */
size_t read_list_gather(const struct read_list *wants, size_t from);

#endif
