/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tag_csums.h - the checksum in each copy's tag, by log block */
#ifndef E2LAZY_TAG_CSUMS_H
#define E2LAZY_TAG_CSUMS_H

#include "log/log.h"

struct tag_csums {
	uint32_t	**chunks;	/* NULL: the format has none, or the
					   caller did not want them */
	uint32_t	nr;		/* chunks; NULL ones hold no copy */
	uint32_t	size;		/* of a chunk, in checksums */
	uint32_t	first;		/* log block of the ring */
};

/* Keeps nothing if the format has no checksums of copies. */
errcode_t tag_csums_init(struct tag_csums *csums,
			 const struct e2lazy_geometry *geo);
void tag_csums_free(struct tag_csums *csums);
errcode_t tag_csums_set(struct tag_csums *csums, uint32_t logblk,
			uint32_t csum);
uint32_t tag_csums_get(const struct tag_csums *csums, uint32_t logblk);

#endif
