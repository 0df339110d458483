/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_PREAD_IO_H
#define E2LAZY_PREAD_IO_H

#include "e2lazy.h"

/*
 * An io_manager that can only read: open(O_RDONLY) and pread(), no cache.
 * libext2fs's unix_io calls fsync() even on a descriptor that it opened for
 * reading; on a mounted device that writes back other programs' dirty pages.
 * Takes the option offset=BYTES, as unix_io does.
 */
extern io_manager const pread_io_manager;

/*
 * Open another channel of the same device.  It bypasses the page cache, except
 * for reads that the cache already holds.  It is meant for large reads into
 * aligned buffers; any other read works, too.  EXT2_ET_INVALID_ARGUMENT if
 * @like belongs to another manager.
 */
errcode_t pread_io_direct(io_channel like, io_channel *out);

/*
 * Read a block without waiting for the device.  EAGAIN if it is not in the page
 * cache; any other error if nobody can tell.
 */
errcode_t pread_io_at_once(io_channel channel, blk64_t block, void *buf);

/*
 * Number of blocks from @block on, @count at most, that lie in a hole of the
 * file and so read as zeros.  0 if unknown, as for a block device.
 */
uint64_t pread_io_hole(io_channel channel, blk64_t block, uint64_t count);

/*
 * Drop what the page cache of a device has of these blocks.  A kernel that has
 * the device mounted writes copies into the log past that cache, so an earlier
 * reader's pages there are stale, and so may be pages that it keeps for itself.
 * If it keeps some, this channel, and those opened like it from then on, read
 * these bytes from the device; without /proc they read the cache all the same.
 * Dirty pages among them may be written sooner.  For a regular file it does
 * nothing.  Not while other threads use the channel.  Errors: no memory.
 */
errcode_t pread_io_forget(io_channel channel, blk64_t block, uint64_t count);

/*
 * From now on read these blocks of a device past the page cache, whatever that
 * has of them.  For a regular file, and a channel of another manager, it does
 * nothing.  Not while other threads use the channel.
 */
errcode_t pread_io_bypass(io_channel channel, blk64_t block, uint64_t count);

/*
 * Read @count blocks (or -@count bytes) from the device itself, where others
 * read the cache.  Any channel will do: one of another manager reads as ever.
 * Not from two threads at a time, for the first call opens a descriptor; other
 * reads may go on.
 */
errcode_t pread_io_past_cache(io_channel channel, blk64_t block, int count,
			      void *buf);

#endif
