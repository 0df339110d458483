/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that runs out and threads that are not to be had.  The linker hands
 * over the calls (--wrap, see ../Makefile.in), so that it is the same below
 * sanitizers and valgrind, which a limit of the process is not.
 */

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <ext2fs/ext2fs.h>

#include "scarce.h"

/* Allocations until the one that fails, which is at 0; below it none does. */
static atomic_long left = -1;
static atomic_bool failed, no_threads;
static atomic_ulong most_bytes;

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
errcode_t __real_ext2fs_get_memalign(unsigned long size, unsigned long align,
				     void *ptr);
errcode_t __wrap_ext2fs_get_memalign(unsigned long size, unsigned long align,
				     void *ptr);
errcode_t __real_io_channel_alloc_buf(io_channel io, int count, void *ptr);
errcode_t __wrap_io_channel_alloc_buf(io_channel io, int count, void *ptr);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *), void *priv);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *), void *priv);

void scarce_memory(long fail_at)
{
	failed = false;
	left = fail_at;
}

bool scarce_memory_failed(void)
{
	left = -1;
	return failed;
}

unsigned long scarce_most_bytes(void)
{
	return atomic_exchange(&most_bytes, 0);
}

void scarce_threads(bool none)
{
	no_threads = none;
}

static bool runs_out(void)
{
	if (left < 0 || left-- > 0)
		return false;
	failed = true;
	return true;
}

void *__wrap_calloc(size_t count, size_t size)
{
	return runs_out() ? NULL : __real_calloc(count, size);
}

errcode_t __wrap_ext2fs_get_memalign(unsigned long size, unsigned long align,
				     void *ptr)
{
	unsigned long most = most_bytes;

	while (size > most &&
	       !atomic_compare_exchange_weak(&most_bytes, &most, size))
		continue;
	return runs_out() ? EXT2_ET_NO_MEMORY :
			    __real_ext2fs_get_memalign(size, align, ptr);
}

errcode_t __wrap_io_channel_alloc_buf(io_channel io, int count, void *ptr)
{
	return runs_out() ? EXT2_ET_NO_MEMORY :
			    __real_io_channel_alloc_buf(io, count, ptr);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *), void *priv)
{
	return no_threads ? EAGAIN :
			    __real_pthread_create(thread, attr, run, priv);
}
