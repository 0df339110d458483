/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff.h - the differences between two decoded blocks
 */
#ifndef MISC_DIFF_H
#define MISC_DIFF_H

#include "decode/decode.h"

/*
 * diff_records - changed, added and removed records, and fields of records
 * @json:    NULL: lines on @out; else the array "changes"
 * @changes: how many records are concerned
 *
 * Records of the same label belong together, and where there are several of
 * one label, in the order that they stand in.  Returns 0 or EXT2_ET_NO_MEMORY.
 */
errcode_t diff_records(const struct decoded *before,
		       const struct decoded *after, struct out *out,
		       struct json *json, size_t *changes);

#endif
