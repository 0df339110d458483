/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_JMAP_INTERNAL_H
#define E2LAZY_JMAP_INTERNAL_H

#include "e2lazy.h"

/* The journal of a map, and the flags of its build. */
const struct e2lazy_journal *jmap_journal(const struct e2lazy_jmap *map);
unsigned jmap_flags(const struct e2lazy_jmap *map);

/* Does the map go on behind the damage that ends the log? */
bool jmap_is_joined(const struct e2lazy_jmap *map);
/* The copies there that it does not have, for they are bad. */
uint64_t jmap_unsound(const struct e2lazy_jmap *map);

/* The UUID of the file system, 16 bytes, in its newest superblock. */
const uint8_t *jmap_fs_uuid(const struct e2lazy_jmap *map);

/*
 * The time of the last commit as stored, 0 without one.  The next one must not be
 * earlier: a walk takes a bad block before an earlier commit for a leftover.
 */
uint64_t jmap_last_stored(const struct e2lazy_jmap *map);

/* Is the block beyond the file system, or the boot block in front of it? */
bool jmap_is_outside(const struct e2lazy_jmap *map, blk64_t fsblk);

/*
 * Would @blocks more log blocks make a log wrap that does not wrap yet, beside a
 * fast-commit area?  Its first @freed blocks are gone then.  e2fsck 1.47 takes
 * that area for a part of the ring, looks there for the rest of the log, and
 * drops it: 'e2fsck -p' at the next boot, too.
 */
bool jmap_wraps(const struct e2lazy_jmap *map, uint32_t freed,
		uint64_t blocks);

/* Is the map of the log's own range, from the tail on? */
bool jmap_is_of_log(const struct e2lazy_jmap *map);

/* As e2lazy_jmap_lower_bound(), with a guess that costs no search if right. */
size_t jmap_lower_bound_near(const struct e2lazy_jmap *map, blk64_t fsblk,
			     size_t near);

/*
 * As e2lazy_jmap_state(), for the tags of a walk, which often ascend: it looks
 * at mapping *@near first, and leaves the next one there.
 */
enum e2lazy_copy_state jmap_state_near(const struct e2lazy_jmap *map,
				       const struct e2lazy_event *tag,
				       size_t *near);

/* Static block and log block of live copy @index. */
blk64_t jmap_fsblk(const struct e2lazy_jmap *map, size_t index);
uint32_t jmap_logblk(const struct e2lazy_jmap *map, size_t index);

/*
 * Does the copy at @logblk, committed by @tid, match the checksum in its tag?
 * @block is as stored, so still escaped.  True if there is no checksum: the log
 * has none for copies, or the map was built without E2LAZY_JMAP_CSUMS.
 */
bool jmap_is_good(const struct e2lazy_jmap *map, uint32_t tid, uint32_t logblk,
		  const void *block);

/*
 * Verify a live copy as read from the log and unescape it.  False if its
 * checksum is bad.
 */
bool jmap_take(const struct e2lazy_jmap *map, size_t index, void *block);

/*
 * Read the static block of a live copy that is bad.  True if it is proven to be
 * what the copy was: a kernel wrote it home before the copy went bad.  Checksums
 * v3 prove that: the 32 bits in the tag fit the static block.  The 16 bits of v2
 * are too few to rely on.
 */
bool jmap_read_at_home(const struct e2lazy_jmap *map, size_t index,
		       void *block);

#endif
