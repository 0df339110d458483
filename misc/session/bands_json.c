/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bands_json.c - a count of bands, as scripts read it
 */
#include "bands.h"

static void json_count(struct json *json, const char *key, uint64_t bands,
		       uint64_t clean, uint64_t traffic, uint64_t dynamic)
{
	json_object(json, key, JSON_INLINE);
	json_u64(json, "bands", bands);
	json_u64(json, "cleaned", clean);
	json_u64(json, "moved_static", traffic);
	json_u64(json, "moved_dynamic", dynamic);
	json_end(json);
}

void bands_json(struct json *json, uint64_t band_bytes,
		const struct e2lazy_bands *bands,
		const struct e2lazy_bands *dynamic, unsigned ways)
{
	json_object(json, "bands", JSON_SPREAD);
	json_u64(json, "band_bytes", band_bytes);
	json_u64(json, "all", bands->disk);
	json_u64(json, "regions", bands->regions);
	json_u64(json, "metadata_bytes", bands->metadata_bytes);
	if (ways & BANDS_PAPER)
		json_count(json, "paper", bands->paper, bands->paper_clean,
			   bands->paper_traffic, dynamic->paper_traffic);
	if (ways & BANDS_EXACT) {
		json_count(json, "exact", bands->exact, bands->exact_clean,
			   bands->exact_traffic, dynamic->exact_traffic);
		json_u64(json, "exact_with_super", bands->exact_super);
	}
	json_end(json);
}
