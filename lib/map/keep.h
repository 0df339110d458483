/* SPDX-License-Identifier: GPL-2.0-only */
/* keep.h - live copies in memory, sound and unescaped */
#ifndef E2LAZY_KEEP_H
#define E2LAZY_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* See e2lazy_view_keep(). Packed, by mapping; NULL where one is not kept. */
struct kept {
	unsigned	size;		/* of a block */
	size_t		count;		/* mappings */
	uint8_t		**packed;
};

/* @kept may be NULL: nothing is kept. */
static inline bool kept_has(const struct kept *kept, size_t index)
{
	return kept && kept->packed[index];
}

/* False, and @block as it was, where it is not kept. */
bool kept_get(const struct kept *kept, size_t index, void *block);
void kept_free(struct kept *kept);

#endif
