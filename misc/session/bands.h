/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bands.h - a count of bands, as facts of a sheet
 */
#ifndef MISC_BANDS_H
#define MISC_BANDS_H

#include "e2lazy_drive.h"
#include "support/sheet.h"

/* The ways to count them. */
#define BANDS_PAPER	0x1	/* one a region */
#define BANDS_EXACT	0x2	/* the bands that hold tables */

/*
 * bands_facts - the section "bands" of a sheet, up to its end
 * @band_bytes:	size of a band
 * @bands:	counted for a drive of static mapping
 * @dynamic:	the same for one of dynamic mapping
 * @ways:	BANDS_*: those to be shown, as the groups "paper" and "exact"
 */
void bands_facts(struct sheet *sheet, uint64_t band_bytes,
		 const struct e2lazy_bands *bands,
		 const struct e2lazy_bands *dynamic, unsigned ways);

#endif
