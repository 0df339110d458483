/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lookahead.c - read blocks of the ring in large pieces, give them out singly,
 * and foresee the next control blocks
 */

#include <errno.h>

#include "io/pread_io.h"
#include "lookahead.h"

#define AHEAD_BYTES (256 * 1024)
/* Read ahead at most this part of a small ring. */
#define AHEAD_PART 8

static errcode_t alloc(const struct lookahead *span, uint32_t blocks,
		       uint8_t **buf)
{
	return io_channel_alloc_buf(span->direct ? span->direct :
				    span->journal->io, (int)blocks, buf);
}

errcode_t lookahead_init(struct lookahead *span, struct e2lazy_journal *journal)
{
	*span = (struct lookahead){ .journal = journal, .room = 1 };
	return alloc(span, 1, &span->buf);
}

errcode_t lookahead_direct(struct lookahead *span,
			   struct e2lazy_journal *journal)
{
	*span = (struct lookahead){ .journal = journal, .room = 1 };
	if (pread_io_direct(journal->io, &span->direct))
		span->direct = NULL;
	return alloc(span, 1, &span->buf);
}

void lookahead_free(struct lookahead *span)
{
	ext2fs_free_mem(&span->buf);
	if (span->direct)
		io_channel_close(span->direct);
}

/*
 * Most walks read no copy, or the few copies of one descriptor.  Without memory
 * for more blocks the buffer stays as it is.
 */
static void make_room(struct lookahead *span, uint32_t blocks)
{
	uint8_t *buf;

	if (blocks <= span->room || alloc(span, blocks, &buf))
		return;
	ext2fs_free_mem(&span->buf);
	span->buf = buf;
	span->room = blocks;
}

static uint32_t most_blocks(const struct e2lazy_geometry *g)
{
	uint32_t most = AHEAD_BYTES / g->blocksize;
	uint32_t part = lap_size(lap_longest(g)) / AHEAD_PART + 1;

	return part < most ? part : most;
}

static errcode_t read_blocks(struct lookahead *span, uint32_t at,
			     uint32_t count)
{
	if (span->direct && !read_log_through(span->journal, span->direct, at,
					      count, span->buf)) {
		count_blocks_read(span->journal, count);
		return 0;
	}
	return e2lazy_read_log(span->journal, at, count, span->buf);
}

static errcode_t fill(struct lookahead *span, uint32_t at, uint32_t left)
{
	const struct e2lazy_geometry *g = &span->journal->geo;
	uint32_t most = most_blocks(g);
	uint32_t n = lap_longest(g).end - at;	/* it stops at the wrap */
	errcode_t err;

	n = n < left ? n : left;
	n = n < most ? n : most;
	make_room(span, n);
	n = n < span->room ? n : span->room;
	err = read_blocks(span, at, n);
	if (err && n > 1) {		/* maybe only one block is bad */
		n = 1;
		err = read_blocks(span, at, n);
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

/* ----------------------------------------------------------- foresight */

/* Requests at once: more are not answered sooner. */
#define MOST_FORESEEN 8

void foresee_chain(struct foresight *f)
{
	f->full = 0;
	f->ends = false;
}

void foresee_descriptor(struct foresight *f, uint32_t copies)
{
	f->ends = copies + 1 < f->stride;
	if (f->ends)
		return;
	f->stride = copies + 1;
	f->full++;
}

void foresee_commit(struct foresight *f)
{
	f->full_before = f->full;
	foresee_chain(f);
}

/* As many as in the last transaction; in a longer one as many as so far. */
static uint32_t most_foreseen(const struct foresight *f)
{
	uint32_t full = f->ends ? 0 : f->full;
	uint32_t before = f->ends ? f->full : f->full_before;
	uint32_t most = before > full ? before - full : full;

	return most < MOST_FORESEEN ? most : MOST_FORESEEN;
}

static void ask_for(const struct e2lazy_journal *j, uint32_t at)
{
	if (at < j->runs.blocks)
		io_channel_cache_readahead(j->io, runs_physblk(&j->runs, at),
					   1);
}

static void ask_ahead(const struct foresight *f,
		      const struct e2lazy_journal *j, uint32_t at)
{
	uint32_t most = most_foreseen(f);

	if (f->ends) {
		at = ring_next(&j->geo, at);
		ask_for(j, at);
	}
	while (most-- && f->stride < ring_size(&j->geo)) {
		at = ring_add(&j->geo, at, f->stride);
		ask_for(j, at);
	}
}

errcode_t foresight_read(const struct foresight *f, struct e2lazy_journal *j,
			 uint32_t at, uint8_t *block)
{
	errcode_t err = EXT2_ET_UNIMPLEMENTED;

	if (at < j->runs.blocks)
		err = pread_io_at_once(j->io, runs_physblk(&j->runs, at),
				       block);
	if (!err) {
		count_blocks_read(j, 1);
		return 0;
	}
	if (err == EAGAIN)
		ask_ahead(f, j, at);
	return e2lazy_read_log(j, at, 1, block);
}
