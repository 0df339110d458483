/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * window.h - neighbouring blocks that are asked for one after the other
 *
 * Deleted files mostly lie beside each other, and so do the copies of their
 * inodes.  A window reads the more blocks at once the closer the requests are
 * to each other, and single blocks if they are far apart.  It follows several
 * places, for two versions of a block are far apart in the ring.
 */
#ifndef E2LAZY_WINDOW_H
#define E2LAZY_WINDOW_H

#include <stdbool.h>

#include <ext2fs/ext2fs.h>

#define WINDOW_BYTES	(256 << 10)
#define MEMORY_ALIGN	4096		/* direct reads need no copy then */
#define WINDOW_STREAMS	4	/* places that are read in turn */

struct stream {
	uint8_t		*bytes;
	blk64_t		first;
	unsigned	count;		/* blocks in @bytes */
	unsigned	ahead;		/* blocks that were read the last time */
	uint64_t	used;		/* number of the last request */
};

struct window {
	errcode_t	(*read)(void *priv, blk64_t at, unsigned count,
				void *to);
	void		*priv;
	blk64_t		end;		/* of the blocks that may be read */
	unsigned	blocksize;
	/* its own */
	struct stream	streams[WINDOW_STREAMS];
	uint64_t	requests;
};

/*
 * Block @at, which the caller must not change; valid until the next call.  An
 * error is that of the block itself.
 */
errcode_t window_get(struct window *w, blk64_t at, const uint8_t **block);
void window_free(struct window *w);

#endif
