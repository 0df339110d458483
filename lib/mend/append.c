/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* append.c - one transaction more at the head of the log */

#include <string.h>
#include <time.h>

#include "append.h"
#include "log/log.h"
#include "map/jmap.h"

uint64_t append_time(const struct e2lazy_jmap *map)
{
	const struct e2lazy_map_stats *stats = e2lazy_jmap_stats(map);
	uint64_t now = (uint64_t)time(NULL);

	return stats->last_sec > now ? stats->last_sec : now;
}

errcode_t append_ends(struct e2lazy_journal *j, uint32_t at, uint32_t tid,
		      struct e2lazy_where *where)
{
	struct jbd2_header h;
	uint8_t *block;
	errcode_t err = io_channel_alloc_buf(j->io, 1, &block);

	if (!err)
		err = e2lazy_read_log(j, at, 1, block);
	if (!err && jbd2_get_header(block, &h) && h.tid == tid) {
		where->volume = E2LAZY_JOURNAL;
		where->has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID;
		where->logblk = at;
		where->tid = tid;
		err = E2LAZY_ET_UNSOUND;
	}
	ext2fs_free_mem(&block);
	return err;
}

/* Neighbours in the log are neighbours on the device, mostly. */
errcode_t append_run(struct e2lazy_journal *j, uint32_t logblk, uint32_t count,
		     blk64_t *at, uint32_t *run)
{
	errcode_t err = e2lazy_physblk(j, logblk, at);
	blk64_t next;

	for (*run = 1; !err && *run < count; ++*run)
		if (e2lazy_physblk(j, logblk + *run, &next) ||
		    next != *at + *run)
			break;
	return err;
}

errcode_t append_put(void *priv, uint32_t logblk, uint32_t count,
		     const uint8_t *blocks)
{
	struct append *a = priv;
	ext2_filsys fs = a->target->jfs ? a->target->jfs : a->target->fs;
	errcode_t err = 0;

	while (!err && count) {
		uint32_t run;
		blk64_t at;

		err = append_run(a->journal, logblk, count, &at, &run);
		if (err)
			break;
		a->target->begun = true;
		err = io_channel_write_blk64(fs->io, at, (int)run, blocks);
		if (err) {
			a->where->volume = E2LAZY_JOURNAL;
			a->where->has = E2LAZY_AT_LOGBLK;
			a->where->logblk = logblk;
		}
		a->done->writes++;
		a->done->blocks_written += run;
		blocks += (size_t)run * a->journal->geo.blocksize;
		logblk += run;
		count -= run;
	}
	return err;
}

/* The step that writes all of a transaction but its commit block. */
static errcode_t write_copies(void *priv)
{
	struct append *a = priv;
	errcode_t err = a->copies(a->priv, &a->encoder);

	return err ? err : encode_rest(&a->encoder);
}

static errcode_t make_commit(void *priv, uint8_t *bytes)
{
	struct append *a = priv;

	return encode_commit(&a->encoder, a->sec, 0, bytes);
}

errcode_t append_txn(struct append *a, uint32_t tid, uint32_t head,
		     uint32_t blocks)
{
	const struct e2lazy_geometry *g = &a->journal->geo;
	struct seal_table table = { .count = 2, .steps = {
		{ .log_device = true, .write = write_copies, .priv = a,
		  .flush = true, .outcome = SEAL_REDO },
		{ .log_device = true, .make = make_commit, .priv = a,
		  .flush = true, .outcome = SEAL_REDO },
	} };
	errcode_t err;

	err = e2lazy_physblk(a->journal, ring_add(g, head, blocks - 1),
			     &table.steps[1].block);
	if (err)
		return err;
	err = encode_begin(&a->encoder, a->journal, tid, head, blocks);
	a->encoder.put = append_put;
	a->encoder.priv = a;
	if (!err)
		err = seal_follow(a->target, &table, a->where);
	encode_end(&a->encoder);
	if (!err)
		a->done->blocks_written++;
	return err;
}
