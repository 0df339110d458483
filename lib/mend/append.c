/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* append.c - one transaction more at the head of the log */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "append.h"
#include "io/watch.h"
#include "log/log.h"
#include "map/jmap.h"

#define BACK_BYTES	(1 << 20)	/* of a request that reads back */

uint64_t append_time(const struct e2lazy_jmap *map)
{
	uint64_t last = jmap_last_stored(map), now = (uint64_t)time(NULL);

	if (last > now && jbd2_is_debugfs_time(last))
		now <<= 32;
	return last > now ? last : now;
}

static void name_logblk(const struct append *a, uint32_t logblk)
{
	a->where->volume = E2LAZY_JOURNAL;
	a->where->has = E2LAZY_AT_LOGBLK;
	a->where->logblk = logblk;
}

static io_channel log_channel(const struct append *a)
{
	return (a->target->jfs ? a->target->jfs : a->target->fs)->io;
}

/* Neighbours in the log are neighbours on the device, mostly. */
static errcode_t find_run(struct e2lazy_journal *j, uint32_t logblk,
			  uint32_t count, blk64_t *at, uint32_t *run)
{
	errcode_t err = e2lazy_physblk(j, logblk, at);
	blk64_t next;

	for (*run = 1; !err && *run < count; ++*run)
		if (e2lazy_physblk(j, logblk + *run, &next) ||
		    next != *at + *run)
			break;
	return err;
}

/* ------------------------------------------------------------- checksums */

static uint32_t sum_of(const struct append *a, const uint8_t *block)
{
	return a->journal->csum.crc(~0U, block, a->journal->geo.blocksize);
}

static void note_sums(const struct append *a, uint32_t logblk, uint32_t count,
		      const uint8_t *blocks)
{
	uint32_t at = ring_distance(&a->journal->geo, a->head, logblk);

	for (uint32_t i = 0; a->sums && i < count; i++)
		a->sums[at + i] = sum_of(a, blocks + (size_t)i *
					    a->journal->geo.blocksize);
}

errcode_t append_compares(struct append *a, uint32_t blocks)
{
	a->sums = calloc(blocks, sizeof(*a->sums));
	return a->sums ? ext2fs_get_memalign(BACK_BYTES, 4096, &a->back) :
			 EXT2_ET_NO_MEMORY;
}

void append_end(struct append *a)
{
	free(a->sums);
	ext2fs_free_mem(&a->back);
}

static errcode_t compare_run(struct append *a, uint32_t logblk, uint32_t count,
			     const uint32_t *sums)
{
	unsigned size = a->journal->geo.blocksize;
	errcode_t err = 0;
	uint32_t run;
	blk64_t at;

	for (; !err && count; count -= run, logblk += run, sums += run) {
		err = find_run(a->journal, logblk, count, &at, &run);
		if (!err)
			err = io_channel_read_blk64(log_channel(a), at,
						    (int)run, a->back);
		for (uint32_t i = 0; !err && i < run; i++)
			if (sum_of(a, a->back + (size_t)i * size) != sums[i]) {
				err = E2LAZY_ET_NOT_WRITTEN;
				name_logblk(a, logblk + i);
			}
	}
	return err;
}

/* Read the blocks [from, to) of the new transaction back. */
static errcode_t compare(struct append *a, uint32_t from, uint32_t to)
{
	const struct e2lazy_geometry *g = &a->journal->geo;
	uint32_t most = BACK_BYTES / g->blocksize;
	errcode_t err;

	err = watch_tick(a->watch, E2LAZY_PHASE_COMPARE, from, to);
	while (!err && from < to) {
		uint32_t logblk = ring_add(g, a->head, from);
		uint32_t n = to - from < most ? to - from : most;

		if (n > g->end - logblk)
			n = g->end - logblk;
		err = compare_run(a, logblk, n, a->sums + from);
		from += n;
		if (!err)
			err = watch_tick(a->watch, E2LAZY_PHASE_COMPARE, from,
					 to);
	}
	return err;
}

/* -------------------------------------------------------------- writing */

/* An encoder's put. */
static errcode_t put(void *priv, uint32_t logblk, uint32_t count,
		     const uint8_t *blocks)
{
	struct append *a = priv;
	errcode_t err = 0;

	note_sums(a, logblk, count, blocks);
	while (!err && count) {
		uint32_t run;
		blk64_t at;

		err = find_run(a->journal, logblk, count, &at, &run);
		if (err)
			break;
		a->target->begun = true;
		err = io_channel_write_blk64(log_channel(a), at, (int)run,
					     blocks);
		if (err)
			name_logblk(a, logblk);
		a->done->writes++;
		a->done->blocks_written += run;
		blocks += (size_t)run * a->journal->geo.blocksize;
		logblk += run;
		count -= run;
	}
	return err;
}

/* ------------------------------------------------------------- the steps */

/* All of a transaction but its commit block. */
static errcode_t write_copies(void *priv)
{
	struct append *a = priv;
	errcode_t err = a->copies(a->priv, &a->encoder);

	return err ? err : encode_rest(&a->encoder);
}

static uint32_t written(const struct append *a)
{
	return ring_distance(&a->journal->geo, a->head, a->encoder.next);
}

/* The flush before has emptied every cache but the drive's own. */
static errcode_t compare_copies(void *priv)
{
	struct append *a = priv;

	return compare(a, 0, written(a));
}

static errcode_t make_commit(void *priv, uint8_t *bytes)
{
	struct append *a = priv;
	uint32_t at = a->encoder.next;
	errcode_t err = encode_commit(&a->encoder, a->sec, 0, bytes);

	if (!err)
		note_sums(a, at, 1, bytes);
	return err;
}

static errcode_t compare_commit(void *priv)
{
	struct append *a = priv;
	uint32_t blocks = written(a);

	return compare(a, blocks - 1, blocks);
}

errcode_t append_txn(struct append *a, uint32_t tid, uint32_t head,
		     uint32_t blocks)
{
	const struct e2lazy_geometry *g = &a->journal->geo;
	struct seal_table table = { .count = 4, .steps = {
		{ .log_device = true, .write = write_copies, .priv = a,
		  .flush = true, .outcome = SEAL_REDO },
		{ .skip = !a->sums, .write = compare_copies, .priv = a,
		  .outcome = SEAL_REDO },
		{ .log_device = true, .make = make_commit, .priv = a,
		  .flush = true, .outcome = SEAL_REDO },
		{ .skip = !a->sums, .write = compare_commit, .priv = a,
		  .outcome = SEAL_REDO },
	} };
	errcode_t err;

	err = e2lazy_physblk(a->journal, ring_add(g, head, blocks - 1),
			     &table.steps[2].block);
	if (err)
		return err;
	err = encode_begin(&a->encoder, a->journal, tid, head, blocks);
	a->encoder.put = put;
	a->encoder.priv = a;
	a->head = head;
	if (!err)
		err = seal_follow(a->target, &table, a->where);
	encode_end(&a->encoder);
	if (!err)
		a->done->blocks_written++;
	return err;
}
