/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * block_source.h - whoever can give blocks, as an io_manager
 *
 * libext2fs reads a file system through it, and so does lib/fs; it writes
 * nothing.  What could not be read last, the channel remembers.
 */
#ifndef E2LAZY_BLOCK_SOURCE_H
#define E2LAZY_BLOCK_SOURCE_H

#include "io/device.h"

struct block_source {
	/* @offset and @count in bytes; @where says what could not be read. */
	errcode_t	(*read)(void *priv, uint64_t offset, size_t count,
				void *buf, struct e2lazy_where *where);
	/* How many of @count blocks from @fsblk on read as zeros, and are
	   nowhere on a disk. */
	blk64_t		(*hole)(void *priv, blk64_t fsblk, blk64_t count);
	/* Should every read fail with E2LAZY_ET_CANCELLED? */
	bool		(*stopped)(void *priv);
	void		*priv;
	io_channel	like;		/* its flags and alignment are ours */
};

/*
 * Open the file system that @source gives, read-only; @device is what it is
 * called.  @source is copied, and what @priv points at outlives @out.  On
 * failure @where, which may be NULL, says what could not be read.
 */
errcode_t block_source_open(const struct block_source *source,
			    const struct e2lazy_device *device,
			    ext2_filsys *out, struct e2lazy_where *where);

/* Its hole(); 0 where @fs is of no source. */
blk64_t block_source_hole(ext2_filsys fs, blk64_t fsblk, blk64_t count);

/* What the last read could not have; NULL if it could, or is of no source. */
const struct e2lazy_where *block_source_failed(ext2_filsys fs);

#endif
