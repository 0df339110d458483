/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * store.h - the contents of the drive, in memory
 *
 * A block of 4 KiB is kept compressed; a block of zeros is not kept at all, so
 * that a fresh file system of any size takes next to nothing.
 */
#ifndef PAPER_STORE_H
#define PAPER_STORE_H

#include <linux/types.h>

#define STORE_BLOCK	4096

int store_init(void);
/* @buf has STORE_BLOCK bytes.  They are copied. */
int store_write(u64 block, const void *buf);
void store_read(u64 block, void *buf);
/* Bytes of memory that the contents take. */
u64 store_bytes(void);

#endif
