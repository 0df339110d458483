/* SPDX-License-Identifier: GPL-2.0-only */
/* The model's memory is the kernel's.  Its requests come in a context that may
   wait, but must not start writes of its own. */
#ifndef SHIM_STDLIB_H
#define SHIM_STDLIB_H

#include <linux/mm.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

static inline void *calloc(size_t count, size_t size)
{
	return kvcalloc(count, size, GFP_NOIO);
}

static inline void *realloc(void *old, size_t size)
{
	return krealloc(old, size, GFP_NOIO);
}

static inline void *reallocarray(void *old, size_t count, size_t size)
{
	return krealloc_array(old, count, size, GFP_NOIO);
}

static inline void free(const void *old)
{
	kvfree(old);
}

static inline unsigned long long strtoull(const char *text, char **end,
					  unsigned int base)
{
	return simple_strtoull(text, end, base);
}

#endif
