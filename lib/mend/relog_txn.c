/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * relog_txn.c - write one transaction of live copies at the head of the log
 *
 * Copies are read in the order of the log and written in that of their static
 * blocks, some MiB at a time; a view that keeps them in memory is not read
 * again.  relog.c explains the order of the writes.
 */

#include <stdlib.h>
#include <string.h>

#include "append.h"
#include "io/watch.h"
#include "log/reader.h"
#include "map/jmap.h"
#include "map/super.h"
#include "relog.h"
#include "view/copies.h"

/* More copies at a time need fewer seeks. */
#define CHUNK_BYTES	(32 << 20)
#define BACK_BYTES	(1 << 20)	/* of a request that reads back */

static void name_logblk(const struct relog *r, uint32_t logblk)
{
	r->where->volume = E2LAZY_JOURNAL;
	r->where->has = E2LAZY_AT_LOGBLK;
	r->where->logblk = logblk;
}

/* -------------------------------------------------------------- devices */

static io_channel log_channel(const struct relog *r)
{
	return (r->target.jfs ? r->target.jfs : r->target.fs)->io;
}

static uint32_t sum_of(const struct relog *r, const uint8_t *block)
{
	return relog_journal(r)->csum.crc(~0U, block, r->view->blocksize);
}

static void note_sums(const struct relog *r, uint32_t logblk, uint32_t count,
		      const uint8_t *blocks)
{
	uint32_t at = ring_distance(&relog_journal(r)->geo, r->head, logblk);

	for (uint32_t i = 0; r->sums && i < count; i++)
		r->sums[at + i] = sum_of(r, blocks + (size_t)i *
					    r->view->blocksize);
}

/* An encoder's put. */
static errcode_t put(void *priv, uint32_t logblk, uint32_t count,
		     const uint8_t *blocks)
{
	struct relog *r = priv;
	struct append to = {
		.journal = relog_journal(r), .target = &r->target,
		.done = r->done, .where = r->where,
	};

	note_sums(r, logblk, count, blocks);
	return append_put(&to, logblk, count, blocks);
}

/* ---------------------------------------------------------- reading back */

static errcode_t compare_run(struct relog *r, uint32_t logblk, uint32_t count,
			     const uint32_t *sums)
{
	unsigned size = r->view->blocksize;
	errcode_t err = 0;
	uint32_t run;
	blk64_t at;

	for (; !err && count; count -= run, logblk += run, sums += run) {
		err = append_run(relog_journal(r), logblk, count, &at, &run);
		if (!err)
			err = io_channel_read_blk64(log_channel(r), at,
						    (int)run, r->back);
		for (uint32_t i = 0; !err && i < run; i++)
			if (sum_of(r, r->back + (size_t)i * size) != sums[i]) {
				err = E2LAZY_ET_NOT_WRITTEN;
				name_logblk(r, logblk + i);
			}
	}
	return err;
}

/* Read the blocks [from, to) of the new transaction back. */
static errcode_t compare(struct relog *r, uint32_t from, uint32_t to)
{
	const struct e2lazy_geometry *g = &relog_journal(r)->geo;
	uint32_t most = BACK_BYTES / r->view->blocksize;
	errcode_t err;

	err = watch_tick(r->opts->watch, E2LAZY_PHASE_COMPARE, from, to);
	while (!err && from < to) {
		uint32_t logblk = ring_add(g, r->head, from);
		uint32_t n = to - from < most ? to - from : most;

		if (n > g->end - logblk)
			n = g->end - logblk;
		err = compare_run(r, logblk, n, r->sums + from);
		from += n;
		if (!err)
			err = watch_tick(r->opts->watch, E2LAZY_PHASE_COMPARE,
					 from, to);
	}
	return err;
}

/* --------------------------------------------------------------- copies */

/*
 * A replay writes the superblock's copy in place: without the flag, a crash
 * then would lose the rest of the log.
 */
static errcode_t mark(const struct relog *r, uint8_t *block)
{
	struct ext2_super_block *sb = (void *)(block + 1024 %
					       r->view->blocksize);
	uint32_t flag = ext2fs_cpu_to_le32(EXT3_FEATURE_INCOMPAT_RECOVER);

	if (sb->s_feature_incompat & flag)
		return 0;
	return super_mark(relog_journal(r), block, true);
}

static uint8_t *chunk_block(const struct relog *r, uint32_t n)
{
	return r->chunk.blocks + (size_t)n * r->view->blocksize;
}

/* The first member is for verify_span(). */
struct reading {
	struct copies	from;
	struct relog	*relog;
};

static errcode_t take_span(void *priv, const struct span *span)
{
	struct relog *r = ((struct reading *)priv)->relog;

	for (const struct want *w = span->from; w < span->to; w++) {
		if (span->errors[w - span->from]) {
			name_logblk(r, w->logblk);
			r->where->has |= E2LAZY_AT_FSBLK;
			r->where->fsblk = jmap_fsblk(r->view->map, w->slot);
			return span->errors[w - span->from];
		}
		memcpy(chunk_block(r, w->request),
		       span_block(span, w, r->view->blocksize),
		       r->view->blocksize);
	}
	r->done->blocks_read += span->to[-1].logblk - span->from->logblk + 1;
	return 0;
}

/* The chunk's copies that are not in memory, in the order of the log. */
static errcode_t read_chunk(struct relog *r)
{
	struct reading reading = {
		.from = { .journal = relog_journal(r), .map = r->view->map },
		.relog = r,
	};
	struct want *list = calloc(r->chunk.count + 1, sizeof(*list));
	struct read_list wants = {
		.at = list, .gap = GAP_BYTES / r->view->blocksize,
		.most = COPIES_SPAN_BYTES / r->view->blocksize,
	};
	errcode_t err = 0;

	if (!list)
		return EXT2_ET_NO_MEMORY;
	for (uint32_t n = 0; n < r->chunk.count; n++)
		if (!cache_get(r->view->kept, r->chunk.slots[n],
			       chunk_block(r, n)))
			list[wants.count++] = (struct want){
				.logblk = jmap_logblk(r->view->map,
						      r->chunk.slots[n]),
				.slot = r->chunk.slots[n], .request = n,
			};
	read_list_sort(list, wants.count);
	if (wants.count)
		err = reader_run(relog_journal(r), &wants, verify_span,
				 take_span, &reading);
	free(list);
	return err;
}

/* The next copies of the round. */
static errcode_t fill_chunk(struct relog *r)
{
	struct chunk *c = &r->chunk;
	size_t count = e2lazy_jmap_count(r->view->map);
	struct e2lazy_copy copy;

	c->count = c->next = 0;
	for (; r->slot < count && c->count < c->room; r->slot++) {
		e2lazy_jmap_get(r->view->map, r->slot, &copy);
		if (rounds_has(&r->rounds, r->slot, &copy))
			c->slots[c->count++] = (uint32_t)r->slot;
	}
	return read_chunk(r);
}

static errcode_t log_next(struct relog *r)
{
	struct chunk *c = &r->chunk;
	errcode_t err = c->next == c->count ? fill_chunk(r) : 0;
	uint8_t *block;
	blk64_t fsblk;

	if (err)
		return err;
	block = chunk_block(r, c->next);
	fsblk = jmap_fsblk(r->view->map, c->slots[c->next++]);
	if (fsblk == super_fsblk(relog_journal(r)))
		err = mark(r, block);
	if (!err)
		err = encode_copy(&r->encoder, fsblk, block);
	r->left--;
	r->logged++;
	if (!err && r->logged % 64 == 0)
		err = watch_tick(r->opts->watch, E2LAZY_PHASE_WRITE, r->logged,
				 r->to_log);
	return err;
}

/* ----------------------------------------------------------- the steps */

/* All of a transaction but its commit block. */
static errcode_t write_copies(void *priv)
{
	struct relog *r = priv;
	errcode_t err = 0;

	for (uint32_t n = 0; !err && n < r->rounds.most && r->left; n++)
		err = log_next(r);
	return err ? err : encode_rest(&r->encoder);
}

/* The flush before has emptied every cache but the drive's own. */
static errcode_t compare_copies(void *priv)
{
	struct relog *r = priv;
	const struct e2lazy_geometry *g = &relog_journal(r)->geo;

	return compare(r, 0, ring_distance(g, r->head, r->encoder.next));
}

static errcode_t make_commit(void *priv, uint8_t *bytes)
{
	struct relog *r = priv;
	uint32_t at = r->encoder.next;
	errcode_t err = encode_commit(&r->encoder, r->sec, 0, bytes);

	if (!err)
		note_sums(r, at, 1, bytes);
	return err;
}

static errcode_t compare_commit(void *priv)
{
	struct relog *r = priv;
	const struct e2lazy_geometry *g = &relog_journal(r)->geo;
	uint32_t blocks = ring_distance(g, r->head, r->encoder.next);

	return compare(r, blocks - 1, blocks);
}

errcode_t relog_txn(struct relog *r)
{
	const struct e2lazy_geometry *g = &relog_journal(r)->geo;
	uint32_t blocks = rounds_blocks(&r->rounds, r->left < r->rounds.most ?
						    r->left : r->rounds.most);
	struct seal_table table = { .count = 4, .steps = {
		{ .log_device = true, .write = write_copies, .priv = r,
		  .flush = true, .outcome = SEAL_REDO },
		{ .skip = !r->sums, .write = compare_copies, .priv = r,
		  .outcome = SEAL_REDO },
		{ .log_device = true, .make = make_commit, .priv = r,
		  .flush = true, .outcome = SEAL_REDO },
		{ .skip = !r->sums, .write = compare_commit, .priv = r,
		  .outcome = SEAL_REDO },
	} };
	errcode_t err;

	err = e2lazy_physblk(relog_journal(r), ring_add(g, r->head, blocks - 1),
			     &table.steps[2].block);
	if (err)
		return err;
	err = encode_begin(&r->encoder, relog_journal(r), r->tid, r->head,
			   blocks);
	r->encoder.put = put;
	r->encoder.priv = r;
	if (!err)
		err = seal_follow(&r->target, &table, r->where);
	encode_end(&r->encoder);
	if (!err) {
		r->head = ring_add(g, r->head, blocks);
		r->tid++;
		r->done->blocks_written++;
	}
	return err;
}

/* --------------------------------------------------------------- memory */

errcode_t relog_txn_begin(struct relog *r)
{
	struct chunk *c = &r->chunk;
	unsigned size = r->view->blocksize;
	errcode_t err = 0;

	if (r->opts->flags & E2LAZY_CHECKPOINT_COMPARE) {
		r->sums = calloc(rounds_blocks(&r->rounds, r->rounds.most),
				 sizeof(*r->sums));
		err = r->sums ? ext2fs_get_memalign(BACK_BYTES, 4096,
						    &r->back) :
				EXT2_ET_NO_MEMORY;
	}
	if (err)
		return err;
	c->room = CHUNK_BYTES / size;
	if (r->to_log < c->room)
		c->room = r->to_log ? (uint32_t)r->to_log : 1;
	c->slots = calloc(c->room, sizeof(*c->slots));
	if (!c->slots)
		return EXT2_ET_NO_MEMORY;
	return ext2fs_get_memalign((size_t)c->room * size, 4096, &c->blocks);
}

void relog_txn_end(struct relog *r)
{
	free(r->sums);
	ext2fs_free_mem(&r->back);
	free(r->chunk.slots);
	ext2fs_free_mem(&r->chunk.blocks);
}
