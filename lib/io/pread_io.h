/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_PREAD_IO_H
#define E2LAZY_PREAD_IO_H

#include "e2lazy.h"

/*
 * An io_manager that can do nothing but read: open(O_RDONLY) and pread(),
 * without a cache.  libext2fs's own calls fsync() even on a descriptor that
 * it opened for reading, which on a mounted device writes back what others
 * have dirtied.  Knows the option offset=BYTES, as unix_io does.
 */
extern io_manager const pread_io_manager;

/*
 * Another channel of the same device that reads past the page cache, unless
 * what is asked for is there already.  For large reads into aligned buffers;
 * others work too.  EXT2_ET_INVALID_ARGUMENT if @like is of another manager.
 */
errcode_t pread_io_direct(io_channel like, io_channel *out);

/*
 * How many of @count blocks from @block on lie in a hole of the file, which
 * reads as zeros.  0 where that is not known, as of a block device.
 */
uint64_t pread_io_hole(io_channel channel, blk64_t block, uint64_t count);

#endif
