/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_PAST_H
#define E2LAZY_PAST_H

#include "e2lazy.h"

struct past {
	blk64_t		*lost;		/* ascending; free it with free() */
	size_t		nr_lost;
	struct e2lazy_end later;	/* the real end of the log, if @map is
					   of the log */
	bool		covered;	/* the ring has all later ones */
};

/*
 * past_find - the blocks whose content at the end of @map is unknown
 *
 * Later transactions exist.  A block with a copy in @map is known.  If a block
 * has later copies only, and @map has all transactions since the log was empty,
 * its static block holds either the old content or one of those copies, which
 * the kernel has written home since.  So the block is lost if the static block
 * equals a later copy, or if a later copy is bad or unreadable, so that the
 * comparison fails.  If the log has lost transactions, the static block may also
 * be older than these, and the block is lost.  A block with a later revoke is
 * lost, too: the kernel may have used it for file contents, which it does not
 * log.
 *
 * If several mounts wrote the transactions of @map, each mount began with an
 * empty log, written home or discarded.  If it was written home, the last copy
 * of an earlier mount is in place now, unless the block was logged again later.
 * If one such copy is not in place, or if later transactions are missing, copies
 * of earlier mounts count only if they are in place.
 */
errcode_t past_find(struct past *past, struct e2lazy_journal *journal,
		    const struct e2lazy_jmap *map);

#endif
