/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bands.c - a count of bands, as facts
 */
#include "bands.h"

static void count(struct sheet *sheet, const char *key, uint64_t bands,
		  uint64_t clean, uint64_t traffic, uint64_t dynamic)
{
	sheet_group(sheet, key);
	sheet_u64(sheet, "bands", bands);
	sheet_u64(sheet, "cleaned", clean);
	sheet_u64(sheet, "moved_static", traffic);
	sheet_u64(sheet, "moved_dynamic", dynamic);
	sheet_group_end(sheet);
}

void bands_facts(struct sheet *sheet, uint64_t band_bytes,
		 const struct e2lazy_bands *bands,
		 const struct e2lazy_bands *dynamic, unsigned ways)
{
	sheet_section(sheet, "bands", JSON_SPREAD);
	sheet_u64(sheet, "band_bytes", band_bytes);
	sheet_u64(sheet, "all", bands->disk);
	sheet_u64(sheet, "regions", bands->regions);
	sheet_u64(sheet, "metadata_bytes", bands->metadata_bytes);
	if (ways & BANDS_PAPER)
		count(sheet, "paper", bands->paper, bands->paper_clean,
		      bands->paper_traffic, dynamic->paper_traffic);
	if (ways & BANDS_EXACT) {
		count(sheet, "exact", bands->exact, bands->exact_clean,
		      bands->exact_traffic, dynamic->exact_traffic);
		sheet_u64(sheet, "exact_with_super", bands->exact_super);
	}
}
