/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * big.h - memory of arrays that may become large
 *
 * As realloc() and free(), but an array only grows, and the caller says how many
 * bytes it has.  From 4 MiB on the memory has huge pages where the system gives
 * them: pages of 4 KiB cost a microsecond each, a fifth of the time that the map
 * of a million blocks takes.  Growing moves pages, so memory is not taken twice,
 * and what is never written to is not taken at all.
 */
#ifndef E2LAZY_BIG_H
#define E2LAZY_BIG_H

#include <stddef.h>

/* @bytes: @old or more.  NULL without memory; then @at, of @old bytes, is as it
   was. */
void *big_realloc(void *at, size_t old, size_t bytes);
void big_free(void *at, size_t bytes);

#endif
