/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * order.c - the order in which deleted files are restored
 *
 * The first file of a path gets its name, and later ones get NAME~TRANSACTION.
 * So the file that was deleted last comes first.
 */
#include <stdlib.h>

#include "undelete.h"

struct turn {
	size_t		index;
	uint64_t	gone, tid;	/* since the horizon */
	bool		directory;
};

/*
 * A directory comes before the files that were deleted with it: if another file
 * has its name, its own transaction is appended, and not that of a file in it.
 */
static int by_turn(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->gone != y->gone)
		return x->gone > y->gone ? -1 : 1;
	if (x->directory != y->directory)
		return x->directory ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid > y->tid ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static struct turn turn_of(struct undelete *u, size_t index)
{
	struct turn turn = { .index = index };
	struct e2lazy_deleted d;

	/* Whoever takes the file complains. */
	if (e2lazy_undelete_get(u->found, index, &d))
		return turn;
	turn.directory = LINUX_S_ISDIR(d.mode);
	turn.tid = (uint32_t)(d.tid - u->horizon.tid);
	/* No transaction shows it: it came after all of them. */
	turn.gone = d.flags & E2LAZY_DELETED_UNSEEN ? UINT64_MAX :
		    (uint32_t)(d.gone_tid - u->horizon.tid);
	return turn;
}

size_t *restore_order(struct undelete *u)
{
	size_t count = e2lazy_undelete_count(u->found);
	size_t *order = calloc(count + 1, sizeof(*order));
	struct turn *turns = calloc(count + 1, sizeof(*turns));

	for (size_t i = 0; turns && i < count; i++)
		turns[i] = turn_of(u, i);
	if (order && turns) {
		qsort(turns, count, sizeof(*turns), by_turn);
		for (size_t i = 0; i < count; i++)
			order[i] = turns[i].index;
	} else {
		free(order);
		order = NULL;
	}
	free(turns);
	return order;
}
