/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_PAST_H
#define E2LAZY_PAST_H

#include "e2lazy.h"

/*
 * past_lost - the blocks whose content at the end of @map is not known
 * @out:   ascending, to be freed with free()
 * @later: how the log ends in truth
 *
 * @map ends at a transaction that was asked for, and the log goes on.  A block
 * that has a copy in @map is known.  Of one that has later copies only, the
 * static place holds either what it held then or one of those, written home
 * since: so it is lost if it equals one, and where that cannot be told because
 * one of them is bad or cannot be read.  One that was revoked later may have
 * been used again for file contents, which are not logged: it is lost too.
 */
errcode_t past_lost(struct e2lazy_journal *journal,
		    const struct e2lazy_jmap *map, blk64_t **out,
		    size_t *count, struct e2lazy_end *later);

#endif
