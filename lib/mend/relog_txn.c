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

#include "io/watch.h"
#include "log/reader.h"
#include "map/jmap.h"
#include "map/super.h"
#include "relog_txn.h"
#include "view/copies.h"

/* More copies at a time need fewer seeks. */
#define CHUNK_BYTES	(32 << 20)

/* --------------------------------------------------------------- copies */

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
			r->where->volume = E2LAZY_JOURNAL;
			r->where->has = E2LAZY_AT_LOGBLK | E2LAZY_AT_FSBLK;
			r->where->logblk = w->logblk;
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

static errcode_t log_next(struct relog *r, struct encoder *encoder)
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
		err = super_keep_flag(relog_journal(r), block);
	if (!err)
		err = encode_copy(encoder, fsblk, block);
	r->left--;
	r->logged++;
	if (!err && r->logged % 64 == 0)
		err = watch_tick(r->opts->watch, E2LAZY_PHASE_WRITE, r->logged,
				 r->to_log);
	return err;
}

static errcode_t log_copies(void *priv, struct encoder *encoder)
{
	struct relog *r = priv;
	errcode_t err = 0;

	for (uint32_t n = 0; !err && n < r->rounds.most && r->left; n++)
		err = log_next(r, encoder);
	return err;
}

errcode_t relog_txn(struct relog *r)
{
	uint32_t blocks = rounds_blocks(&r->rounds, r->left < r->rounds.most ?
						    r->left : r->rounds.most);
	errcode_t err = append_txn(&r->append, r->tid, r->head, blocks);

	if (!err) {
		r->head = ring_add(&relog_journal(r)->geo, r->head, blocks);
		r->tid++;
	}
	return err;
}

/* --------------------------------------------------------------- memory */

errcode_t relog_txn_begin(struct relog *r)
{
	struct chunk *c = &r->chunk;
	unsigned size = r->view->blocksize;
	errcode_t err = 0;

	r->append = (struct append){
		.journal = relog_journal(r), .target = &r->target,
		.done = r->done, .where = r->where, .watch = r->opts->watch,
		.copies = log_copies, .priv = r,
		.sec = append_time(r->view->map),
	};
	if (r->opts->flags & E2LAZY_CHECKPOINT_COMPARE)
		err = append_compares(&r->append,
				      rounds_blocks(&r->rounds,
						    r->rounds.most));
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
	append_end(&r->append);
	free(r->chunk.slots);
	ext2fs_free_mem(&r->chunk.blocks);
}
