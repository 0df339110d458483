/* SPDX-License-Identifier: GPL-2.0-only */
/* fault_io.h - an io_manager below which one block of a device is bad */
#ifndef FAULT_IO_H
#define FAULT_IO_H

#include <stdbool.h>

#include <ext2fs/ext2fs.h>

enum fault_kind { FAULT_READ, FAULT_WRITE, FAULT_FLUSH, FAULT_KINDS };

/* A block of a device, or, of flushes, their number. */
struct spot_of_io {
	char		device[272];
	uint64_t	block;
};

struct spots {
	struct spot_of_io *at;
	size_t		nr;
};

/* Stacked on unix_io.  Of each kind of request it notes where it goes, once. */
extern io_manager const fault_io_manager;
extern struct spots fault_seen[FAULT_KINDS];
extern unsigned long fault_writes;	/* since the last fault_begin() */

/*
 * Begin anew, in blocks of @blocksize bytes.  With @bad every request of that
 * @kind to that block fails, and every flush from that number on.
 */
void fault_begin(unsigned blocksize, enum fault_kind kind,
		 const struct spot_of_io *bad);
/* Hand out what was seen, for the caller to free, and forget it. */
struct spots fault_take(enum fault_kind kind);

#endif
