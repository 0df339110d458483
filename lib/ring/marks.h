/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* marks.h - a bit for a log block, without memory where there is none */
#ifndef E2LAZY_MARKS_H
#define E2LAZY_MARKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <ext2fs/ext2fs.h>

#define MARKS_CHUNK	(UINT32_C(1) << 15)	/* bits: 4 KiB */
#define MARKS_CHUNKS	(UINT32_C(1) << 17)

struct marks {
	uint8_t		**chunks;	/* NULL until the first mark */
};

static inline bool marks_has(const struct marks *marks, uint32_t at)
{
	const uint8_t *chunk = marks->chunks ?
			       marks->chunks[at / MARKS_CHUNK] : NULL;
	uint32_t bit = at % MARKS_CHUNK;

	return chunk && chunk[bit / 8] & 1 << bit % 8;
}

static inline errcode_t marks_set(struct marks *marks, uint32_t at)
{
	uint8_t **chunk;
	uint32_t bit = at % MARKS_CHUNK;

	if (!marks->chunks)
		marks->chunks = calloc(MARKS_CHUNKS, sizeof(*marks->chunks));
	if (!marks->chunks)
		return EXT2_ET_NO_MEMORY;
	chunk = &marks->chunks[at / MARKS_CHUNK];
	if (!*chunk)
		*chunk = calloc(1, MARKS_CHUNK / 8);
	if (!*chunk)
		return EXT2_ET_NO_MEMORY;
	(*chunk)[bit / 8] |= (uint8_t)(1 << bit % 8);
	return 0;
}

static inline void marks_free(struct marks *marks)
{
	for (uint32_t i = 0; marks->chunks && i < MARKS_CHUNKS; i++)
		free(marks->chunks[i]);
	free(marks->chunks);
}

#endif
