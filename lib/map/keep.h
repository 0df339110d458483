/* SPDX-License-Identifier: GPL-2.0-only */
/* keep.h - live copies that a view has in memory */
#ifndef E2LAZY_KEEP_H
#define E2LAZY_KEEP_H

#include "copies.h"

void kept_free(struct kept *kept);
/* False unless all of them are kept; @kept may be NULL. */
bool kept_read(const struct kept *kept, size_t index, size_t count, void *to);

#endif
