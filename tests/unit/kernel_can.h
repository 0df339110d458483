/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KERNEL_CAN_H
#define KERNEL_CAN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What this kernel can do with a file, asked without the code under test: a
 * test may be skipped for it.
 */

/* preadv2() with RWF_NOWAIT; an emulator may know neither */
bool kernel_reads_at_once(const char *path);

/* O_DIRECT */
bool kernel_reads_direct(const char *path);

/* Pages of these bytes in the page cache, or -1: cachestat() is not there. */
int64_t kernel_counts_pages(int fd, uint64_t pos, uint64_t count);

#endif
