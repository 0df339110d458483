/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_BEYOND_H
#define E2LAZY_BEYOND_H

#include "look.h"

/* What a control block past the end shows, by itself. */
enum e2lazy_beyond_verdict beyond_judge(const struct e2lazy_journal *journal,
					const struct e2lazy_end *end,
					const struct sighting *sighting);

/*
 * Look on as far as @reach blocks, and as far again from each control block of
 * the transaction that broke off: of one with several descriptors, the next
 * may be the commit block.
 */
errcode_t beyond_look_near(struct look *look, const struct e2lazy_end *end,
			   uint32_t reach);

#endif
