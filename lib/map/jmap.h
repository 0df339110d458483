/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef E2LAZY_JMAP_INTERNAL_H
#define E2LAZY_JMAP_INTERNAL_H

#include "e2lazy.h"

/* Where a live copy goes and comes from. */
blk64_t jmap_fsblk(const struct e2lazy_jmap *map, size_t index);
uint32_t jmap_logblk(const struct e2lazy_jmap *map, size_t index);

/*
 * Verify a live copy as it was read from the log, and unescape it; false if
 * its checksum is bad.
 */
bool jmap_take(const struct e2lazy_jmap *map, size_t index, void *block);

#endif
