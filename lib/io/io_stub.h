/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * io_stub.h - what every io_manager of ours does in the same way
 *
 * A manager that makes its own channels writes an open and a read_blk64,
 * and takes the rest from here.
 */
#ifndef E2LAZY_IO_STUB_H
#define E2LAZY_IO_STUB_H

#include "e2lazy.h"

/*
 * A channel of @manager in blocks of 1024 bytes.  Its private_data are @size
 * bytes of zeros, which io_stub_close() frees with it.
 */
errcode_t io_stub_open(io_manager manager, const char *name, size_t size,
		       io_channel *out);
/* Only its last user has to give back what private_data names. */
static inline bool io_stub_is_last(io_channel channel)
{
	return channel->refcount == 1;
}
errcode_t io_stub_close(io_channel channel);
errcode_t io_stub_set_blksize(io_channel channel, int blksize);

/* What a call is about: a negative count is one of bytes. */
static inline size_t io_stub_bytes(io_channel channel, int count)
{
	return count < 0 ? (size_t)-(long)count :
			   (size_t)count * channel->block_size;
}

/* The 32-bit calls, by the manager's own of 64 bits. */
errcode_t io_stub_read(io_channel channel, unsigned long block, int count,
		       void *buf);
errcode_t io_stub_write(io_channel channel, unsigned long block, int count,
			const void *buf);

/* For channels that can only be read, */
errcode_t io_stub_refuse(io_channel channel, unsigned long block, int count,
			 const void *buf);
errcode_t io_stub_refuse64(io_channel channel, unsigned long long block,
			   int count, const void *buf);
/* or that hold nothing back. */
errcode_t io_stub_flush(io_channel channel);
/* Where private_data begin with a struct struct_io_stats. */
errcode_t io_stub_stats(io_channel channel, io_stats *stats);

#endif
