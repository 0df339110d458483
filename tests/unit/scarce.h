/* SPDX-License-Identifier: GPL-2.0-only */
/* scarce.h - allocations that fail, and threads that do not start */
#ifndef SCARCE_H
#define SCARCE_H

#include <stdbool.h>

/*
 * The allocation of this number, from 0, fails, of those by calloc(),
 * ext2fs_get_memalign() and io_channel_alloc_buf() in what is linked with the
 * tests: the library and the tests themselves.
 */
void scarce_memory(long fail_at);
/* End the scarcity.  False: fewer allocations came than that. */
bool scarce_memory_failed(void);

/* The most bytes of one ext2fs_get_memalign() since the last call. */
unsigned long scarce_most_bytes(void);

void scarce_threads(bool none);

#endif
