/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_PAST_H
#define E2LAZY_PAST_H

#include "e2lazy.h"

/*
 * past_lost - the blocks whose content at the end of @map is unknown
 * @out:   ascending; free it with free()
 * @later: the real end of the log
 *
 * @map ends at a transaction of the caller's choice, and the log goes on.  A
 * block with a copy in @map is known.  If a block has later copies only, its
 * static block holds either the old content or one of those copies, which the
 * kernel has written home since.  So the block is lost if the static block
 * equals a later copy, or if a later copy is bad or unreadable and it cannot be
 * told.  A block with a later revoke is lost, too: the kernel may have used it
 * for file contents, which it does not log.
 */
errcode_t past_lost(struct e2lazy_journal *journal,
		    const struct e2lazy_jmap *map, blk64_t **out,
		    size_t *count, struct e2lazy_end *later);

#endif
