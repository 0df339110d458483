/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lookahead.c - read blocks of the ring in large pieces, give them out singly
 */

#include "lookahead.h"

#define AHEAD_BYTES (256 * 1024)
/* Of a small ring no more than this part. */
#define AHEAD_PART 8

errcode_t lookahead_init(struct lookahead *span, struct e2lazy_journal *journal)
{
	span->journal = journal;
	span->at = 0;
	span->blocks = 0;
	span->room = 1;
	span->buf = NULL;
	return io_channel_alloc_buf(journal->io, 1, &span->buf);
}

void lookahead_free(struct lookahead *span)
{
	ext2fs_free_mem(&span->buf);
}

/*
 * Most walks read no copy, or the few copies of one descriptor.  Without memory
 * for more blocks the buffer stays as it is.
 */
static void make_room(struct lookahead *span, uint32_t blocks)
{
	uint8_t *buf;

	if (blocks <= span->room ||
	    io_channel_alloc_buf(span->journal->io, (int)blocks, &buf))
		return;
	ext2fs_free_mem(&span->buf);
	span->buf = buf;
	span->room = blocks;
}

static uint32_t most_blocks(const struct e2lazy_geometry *g)
{
	uint32_t most = AHEAD_BYTES / g->blocksize;
	uint32_t part = ring_size(g) / AHEAD_PART + 1;

	return part < most ? part : most;
}

static errcode_t fill(struct lookahead *span, uint32_t at, uint32_t left)
{
	const struct e2lazy_geometry *g = &span->journal->geo;
	uint32_t most = most_blocks(g);
	uint32_t n = g->end - at;		/* it stops at the wrap */
	errcode_t err;

	n = n < left ? n : left;
	n = n < most ? n : most;
	make_room(span, n);
	n = n < span->room ? n : span->room;
	err = e2lazy_read_log(span->journal, at, n, span->buf);
	if (err && n > 1) {		/* maybe only one block is bad */
		n = 1;
		err = e2lazy_read_log(span->journal, at, n, span->buf);
	}
	span->at = at;
	span->blocks = err ? 0 : n;
	return err;
}

const uint8_t *lookahead_read(struct lookahead *span, uint32_t at, uint32_t left,
			 errcode_t *err)
{
	*err = 0;
	if (!lookahead_has(span, at))
		*err = fill(span, at, left);
	if (*err)
		return NULL;
	return span->buf + (size_t)(at - span->at) *
			   span->journal->geo.blocksize;
}
