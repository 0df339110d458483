/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sums.c - checksums over blocks of a log, most of which no input has changed
 *
 * A crc is linear: crc(state, block) = crc(0, block) ^ crc(state, zeros).  The
 * first is kept for each clean block, and a table has the second for each byte
 * of the state.  So a block is read once, and not for every input that changes
 * the descriptor in front of it.
 */
#include <stdlib.h>

#include "template.h"

static uint32_t crc(enum sum_kind kind, uint32_t state, const void *block,
		    unsigned bs)
{
	return kind == SUM_V1 ? ext2fs_crc32_be(state, block, bs) :
				ext2fs_crc32c_le(state, block, bs);
}

static uint32_t over_zeros(const struct sums *s, uint32_t state)
{
	return s->zeros[0][state & 0xff] ^ s->zeros[1][state >> 8 & 0xff] ^
	       s->zeros[2][state >> 16 & 0xff] ^ s->zeros[3][state >> 24];
}

static void prepare(struct sums *s, enum sum_kind kind,
		    const struct template *t)
{
	void *zeros = calloc(1, t->bs);

	s->of = calloc(t->log_blocks, sizeof(*s->of));
	s->is_known = calloc(t->log_blocks, 1);
	if (!zeros || !s->of || !s->is_known)
		abort();
	for (unsigned byte = 0; byte < 4; byte++)
		for (uint32_t v = 0; v < 256; v++)
			s->zeros[byte][v] = crc(kind, v << 8 * byte, zeros,
						t->bs);
	free(zeros);
}

uint32_t sums_add(struct template *t, enum sum_kind kind, uint32_t state,
		  uint32_t logblk)
{
	uint32_t block = t->log_at[logblk];
	const uint8_t *bytes = t->log->bytes + (size_t)block * t->bs;
	struct sums *s = &t->sums[kind];

	if (t->log->dirty[block])
		return crc(kind, state, bytes, t->bs);
	if (!s->of)
		prepare(s, kind, t);
	if (!s->is_known[logblk]) {
		s->of[logblk] = crc(kind, 0, bytes, t->bs);
		s->is_known[logblk] = 1;
		if ((s->of[logblk] ^ over_zeros(s, state)) !=
		    crc(kind, state, bytes, t->bs))
			abort();
	}
	return s->of[logblk] ^ over_zeros(s, state);
}
