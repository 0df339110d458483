/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * block_source.h - a source of blocks as an io_manager
 *
 * libext2fs and lib/fs read a file system through it; it never writes.  Its
 * channel remembers the place of the last read error.
 */
#ifndef E2LAZY_BLOCK_SOURCE_H
#define E2LAZY_BLOCK_SOURCE_H

#include "io/device.h"

struct block_source {
	/* @offset and @count in bytes; on failure @where has the place. */
	errcode_t	(*read)(void *priv, uint64_t offset, size_t count,
				void *buf, struct e2lazy_where *where);
	/* Blocks from @fsblk on, @count at most, that lie in a hole and so
	   read as zeros. */
	blk64_t		(*hole)(void *priv, blk64_t fsblk, blk64_t count);
	/* Begin to read what will be asked for; NULL: nothing to begin. */
	void		(*ahead)(void *priv, blk64_t fsblk, blk64_t count);
	/* Should every read fail with E2LAZY_ET_CANCELLED? */
	bool		(*stopped)(void *priv);
	void		*priv;
	io_channel	like;		/* take its flags and alignment */
};

/*
 * Open the file system that @source gives, read-only, under the name of
 * @device.  @source is copied; the memory behind @priv must outlive @out.  On
 * failure @where, which may be NULL, has the place that could not be read.
 */
errcode_t block_source_open(const struct block_source *source,
			    const struct e2lazy_device *device,
			    ext2_filsys *out, struct e2lazy_where *where);

/* The hole() of the source of @fs; 0 if @fs has none. */
blk64_t block_source_hole(ext2_filsys fs, blk64_t fsblk, blk64_t count);

/* Place of the last read, if it failed; NULL otherwise, or without a source. */
const struct e2lazy_where *block_source_failed(ext2_filsys fs);

#endif
