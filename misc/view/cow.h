/* SPDX-License-Identifier: GPL-2.0-only */
/* cow.h - what the overlay of a device holds */
#ifndef MISC_VIEW_COW_H
#define MISC_VIEW_COW_H

#include "view.h"

/* Bytes that were written to, first and behind the last; they ascend. */
struct cow_piece {
	uint64_t	first, end;
};

struct cow {
	int		fd;		/* nbdkit's file */
	struct cow_piece *pieces;
	size_t		count, room;
};

/* False if nbdkit's file was not found: what was written is not known. */
bool cow_open(struct cow *overlay, const struct view *view, unsigned i);
void cow_close(struct cow *overlay);
/* Bytes that it takes on the disk. */
uint64_t cow_bytes(const struct cow *overlay);
/* Find the pieces; false if the file system below does not know them. */
bool cow_find(struct cow *overlay);
bool cow_has(const struct cow *overlay, uint64_t at, uint64_t count);

#endif
