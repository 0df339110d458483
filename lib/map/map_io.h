/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef E2LAZY_MAP_IO_H
#define E2LAZY_MAP_IO_H

#include "e2lazy.h"

/*
 * A channel for libext2fs on which each block is read from its newest place:
 * the log, or else the file system.  Blocks of the file system's size only;
 * nothing can be written.  Lives as long as its struct, which must not move.
 */
struct map_io {
	struct struct_io_channel channel;
	struct struct_io_manager manager;
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;
	void		*block;		/* for what is not a whole block */
};

errcode_t map_io_init(struct map_io *io, struct e2lazy_journal *journal,
		      const struct e2lazy_jmap *map);
void map_io_free(struct map_io *io);

#endif
