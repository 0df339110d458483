/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * io_stub.h - the calls that all our io_managers share
 *
 * A manager that makes its own channels writes an open and a read_blk64, and
 * takes the rest from here.
 */
#ifndef E2LAZY_IO_STUB_H
#define E2LAZY_IO_STUB_H

#include "e2lazy.h"

/*
 * Make a channel of @manager with blocks of 1024 bytes.  Its private_data has
 * @size bytes of zeros, which io_stub_close() frees with it.
 */
errcode_t io_stub_open(io_manager manager, const char *name, size_t size,
		       io_channel *out);
/* Only the last user releases what private_data points to. */
static inline bool io_stub_is_last(io_channel channel)
{
	return channel->refcount == 1;
}
errcode_t io_stub_close(io_channel channel);
errcode_t io_stub_set_blksize(io_channel channel, int blksize);

/* Bytes of a call: a negative count means bytes, else blocks. */
static inline uint64_t io_stub_bytes(io_channel channel, int count)
{
	return count < 0 ? (uint64_t)-(int64_t)count :
			   (uint64_t)count * (unsigned)channel->block_size;
}

/* The 32-bit calls pass on to the manager's 64-bit calls. */
errcode_t io_stub_read(io_channel channel, unsigned long block, int count,
		       void *buf);
errcode_t io_stub_write(io_channel channel, unsigned long block, int count,
			const void *buf);

/* For read-only channels. */
errcode_t io_stub_refuse(io_channel channel, unsigned long block, int count,
			 const void *buf);
errcode_t io_stub_refuse64(io_channel channel, unsigned long long block,
			   int count, const void *buf);
/* For channels without a cache. */
errcode_t io_stub_flush(io_channel channel);
/* For private_data that begins with a struct struct_io_stats. */
errcode_t io_stub_stats(io_channel channel, io_stats *stats);

#endif
