/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_JMAP_INTERNAL_H
#define E2LAZY_JMAP_INTERNAL_H

#include "e2lazy.h"

/* The journal that it is of, and the flags that it was built with. */
const struct e2lazy_journal *jmap_journal(const struct e2lazy_jmap *map);
unsigned jmap_flags(const struct e2lazy_jmap *map);

/* Was it built from the log as its superblock says? */
bool jmap_is_of_log(const struct e2lazy_jmap *map);
/* Is it of an earlier time: of another range, or up to a transaction? */
bool jmap_is_past(const struct e2lazy_jmap *map);

/* Where a live copy goes and comes from. */
blk64_t jmap_fsblk(const struct e2lazy_jmap *map, size_t index);
uint32_t jmap_logblk(const struct e2lazy_jmap *map, size_t index);

/*
 * Whether the copy at @logblk, committed by @tid, is what its tag says; @block
 * is as it stands in the log.  True where nothing can tell: the log has no
 * checksums of copies, or the map was built without E2LAZY_JMAP_CSUMS.
 */
bool jmap_is_good(const struct e2lazy_jmap *map, uint32_t tid, uint32_t logblk,
		  const void *block);

/*
 * Verify a live copy as it was read from the log, and unescape it; false if
 * its checksum is bad.
 */
bool jmap_take(const struct e2lazy_jmap *map, size_t index, void *block);

#endif
