/* SPDX-License-Identifier: GPL-2.0-only */
/* same.h - do two files have the same contents? */
#ifndef MISC_UNDELETE_SAME_H
#define MISC_UNDELETE_SAME_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Compare two files of @size bytes; nobody reads a hole that both have.  False
 * also after a signal, a failed read, or more than @most bytes that are the same.
 */
bool same_contents(int a, int b, uint64_t size, uint64_t most);

#endif
