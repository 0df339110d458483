/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_BEYOND_H
#define E2LAZY_BEYOND_H

#include "look.h"

/* Judge one control block past the end, without its neighbours. */
enum e2lazy_beyond_verdict beyond_judge(const struct e2lazy_journal *journal,
					const struct e2lazy_end *end,
					const struct sighting *sighting);

/*
 * Look at the next @reach blocks, and at @reach more from each control block of
 * the transaction that broke off: it may have more descriptors before its
 * commit block.
 */
errcode_t beyond_look_near(struct look *look, const struct e2lazy_end *end,
			   uint32_t reach);

#endif
