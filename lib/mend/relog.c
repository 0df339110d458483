/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * relog.c - log live copies of the oldest transactions again, at the head
 *
 * The new transactions take the numbers from E on, the number that is due at
 * the head.  Each goes to the disk like one of a kernel: descriptors and
 * copies, flush; commit block, flush.  Only then does the next one begin, and
 * at the end of a round the tail moves.  A power cut leaves
 *
 *  - a transaction without a commit block: the log ends before it, as after any
 *    crash, and is the old one;
 *  - new transactions and the old tail: each new copy holds the same bytes as
 *    the live copy that it follows, so the log says the same as before;
 *  - the new tail: what was live before it is live in the new transactions.
 *
 * No revoke record comes along.  One in a freed transaction voids copies of
 * that one and older ones only, and they are freed, too; one that stays is
 * older than E, and voids no copy that was live.
 *
 * A later number than E's must not stand by chance at the new head: then the
 * log would go on there.  So that block is read before the round begins.
 */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/watch.h"
#include "log/encode.h"
#include "map/jmap.h"
#include "map/super.h"
#include "relog.h"
#include "verify/verdict.h"
#include "view/view.h"

struct relog {
	struct e2lazy_view *view;
	struct e2lazy_verdict *verdict;
	const struct e2lazy_checkpoint_opts *opts;
	struct e2lazy_checkpoint_done *done;
	struct e2lazy_where *where;
	struct target	target;
	struct rounds	rounds;
	struct encoder	encoder;
	uint32_t	head, tid;	/* of the next transaction */
	uint64_t	sec;		/* not before the last commit */
	size_t		slot;		/* of the map: the next to look at */
	uint64_t	left;		/* copies of this round */
	uint64_t	logged;		/* of all rounds */
	uint64_t	to_log;
	uint8_t		*block;
};

static struct e2lazy_journal *journal(const struct relog *r)
{
	return r->view->journal;
}

/* -------------------------------------------------------------- writing */

/* Neighbours in the log are neighbours on the device, mostly. */
static errcode_t put(void *priv, uint32_t logblk, uint32_t count,
		     const uint8_t *blocks)
{
	struct relog *r = priv;
	ext2_filsys fs = r->target.jfs ? r->target.jfs : r->target.fs;
	errcode_t err = 0;

	while (!err && count) {
		blk64_t at, next;
		uint32_t run = 1;

		err = e2lazy_physblk(journal(r), logblk, &at);
		while (!err && run < count &&
		       !e2lazy_physblk(journal(r), logblk + run, &next) &&
		       next == at + run)
			run++;
		if (err)
			break;
		r->target.begun = true;
		err = io_channel_write_blk64(fs->io, at, (int)run, blocks);
		if (err) {
			r->where->volume = E2LAZY_JOURNAL;
			r->where->has = E2LAZY_AT_LOGBLK;
			r->where->logblk = logblk;
		}
		r->done->writes++;
		r->done->blocks_written += run;
		blocks += (size_t)run * r->view->blocksize;
		logblk += run;
		count -= run;
	}
	return err;
}

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
	sb->s_feature_incompat |= flag;
	return ext2fs_superblock_csum_set(journal(r)->fs, sb);
}

static errcode_t read_copy(struct relog *r, size_t slot,
			   const struct e2lazy_copy *copy)
{
	errcode_t err = 0;
	size_t bad;

	if (!cache_get(r->view->kept, slot, r->block)) {
		err = e2lazy_jmap_read(r->view->map, slot, 1, r->block, &bad);
		r->done->blocks_read++;
	}
	if (!err && copy->fsblk == super_fsblk(journal(r)))
		err = mark(r, r->block);
	if (err) {
		r->where->volume = E2LAZY_JOURNAL;
		r->where->has = E2LAZY_AT_FSBLK | E2LAZY_AT_LOGBLK;
		r->where->fsblk = copy->fsblk;
		r->where->logblk = copy->logblk;
	}
	return err;
}

/* The step that writes all of a transaction but its commit block. */
static errcode_t write_copies(void *priv)
{
	struct relog *r = priv;
	uint32_t n = 0;
	errcode_t err = 0;

	for (; !err && n < r->rounds.most && r->left; r->slot++) {
		struct e2lazy_copy copy;

		e2lazy_jmap_get(r->view->map, r->slot, &copy);
		if (!rounds_has(&r->rounds, &copy))
			continue;
		err = read_copy(r, r->slot, &copy);
		if (!err)
			err = encode_copy(&r->encoder, copy.fsblk, r->block);
		n++;
		r->left--;
		r->logged++;
		if (!err && n % 64 == 0)
			err = watch_tick(r->opts->watch, E2LAZY_PHASE_WRITE,
					 r->logged, r->to_log);
	}
	return err ? err : encode_rest(&r->encoder);
}

static errcode_t make_commit(void *priv, uint8_t *bytes)
{
	struct relog *r = priv;

	return encode_commit(&r->encoder, r->sec, 0, bytes);
}

static uint32_t blocks_of_next(const struct relog *r)
{
	uint64_t copies = r->left < r->rounds.most ? r->left : r->rounds.most;

	return (uint32_t)encode_blocks(&journal(r)->format, copies, 0);
}

static errcode_t write_txn(struct relog *r)
{
	const struct e2lazy_geometry *g = &journal(r)->geo;
	uint32_t blocks = blocks_of_next(r);
	struct seal_table table = { .count = 2, .steps = {
		{ .log_device = true, .write = write_copies, .priv = r,
		  .flush = true, .outcome = SEAL_REDO },
		{ .log_device = true, .make = make_commit, .priv = r,
		  .flush = true, .outcome = SEAL_REDO },
	} };
	errcode_t err;

	err = e2lazy_physblk(journal(r), ring_add(g, r->head, blocks - 1),
			     &table.steps[1].block);
	if (err)
		return err;
	err = encode_begin(&r->encoder, journal(r), r->tid, r->head, blocks);
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

/* --------------------------------------------------------------- a round */

/* The log must end at the new head. */
static errcode_t look_at_new_head(struct relog *r)
{
	const struct e2lazy_geometry *g = &journal(r)->geo;
	uint64_t txns = (r->rounds.live + r->rounds.most - 1) / r->rounds.most;
	uint32_t at = ring_add(g, r->head, r->rounds.needed);
	uint32_t tid = r->tid + (uint32_t)(txns ? txns : 1);
	struct jbd2_header h;
	errcode_t err = e2lazy_read_log(journal(r), at, 1, r->block);

	if (err || !jbd2_get_header(r->block, &h) || h.tid != tid)
		return err;
	r->where->volume = E2LAZY_JOURNAL;
	r->where->has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID;
	r->where->logblk = at;
	r->where->tid = tid;
	return E2LAZY_ET_UNSOUND;
}

/* The oldest transaction that is left; all are gone: the first new one. */
static struct e2lazy_tail tail_after(const struct relog *r)
{
	const struct e2lazy_end *end = e2lazy_jmap_end(r->view->map);
	const struct rounds *rounds = &r->rounds;
	bool none_left = rounds->to == rounds->count;

	return (struct e2lazy_tail){
		.start = none_left ? end->head : rounds->txns[rounds->to].start,
		.tid = journal(r)->geo.sequence + rounds->to,
		.txns = rounds->to,
	};
}

static errcode_t move_tail(struct relog *r)
{
	const struct e2lazy_tail tail = tail_after(r);
	struct steps steps = { .view = r->view, .tail = &tail };
	struct seal_table table = { .count = 1, .steps = {
		step_shorten(&steps),
	} };

	return seal_follow(&r->target, &table, r->where);
}

static errcode_t do_round(struct relog *r)
{
	errcode_t err = look_at_new_head(r);

	r->left = r->rounds.live;
	r->slot = 0;
	if (!err && !r->left && r->rounds.needed)
		err = write_txn(r);
	while (!err && r->left)
		err = write_txn(r);
	return err ? err : move_tail(r);
}

static errcode_t announce(struct relog *r)
{
	struct steps steps = { .view = r->view };
	struct seal_table table = { .count = 1, .steps = {
		step_announce(&steps),
	} };

	return seal_follow(&r->target, &table, r->where);
}

static errcode_t do_rounds(struct relog *r)
{
	errcode_t err = announce(r);

	while (!err && rounds_next(&r->rounds)) {
		err = do_round(r);
		r->done->passes += !err;
	}
	r->done->begun = r->target.begun;
	r->verdict->used |= r->target.begun;
	r->done->sealed = !err;
	return err;
}

/* ------------------------------------------------------------ all of it */

static errcode_t write_to_target(struct relog *r)
{
	errcode_t err, closed;

	err = target_open(&r->target, r->view, r->opts->manager, r->where);
	if (err)
		return err;
	if (r->opts->locked)
		err = r->opts->locked(r->opts->priv);
	if (!err)
		err = do_rounds(r);
	closed = target_close(&r->target, err ? NULL : r->where);
	return err ? err : closed;
}

static errcode_t admit(const struct relog *r)
{
	errcode_t err = verdict_admits(r->verdict, r->view);

	if (!err && !e2lazy_verdict_is_sound(r->verdict))
		err = E2LAZY_ET_UNSOUND;
	if (!err && r->opts->tail)
		err = tail_admits(r->verdict, r->opts->tail);
	return !err && (r->opts->keeper || r->opts->flags) ?
	       EXT2_ET_INVALID_ARGUMENT : err;
}

static errcode_t begin(struct relog *r)
{
	const struct e2lazy_end *end = e2lazy_jmap_end(r->view->map);
	const struct e2lazy_map_stats *stats = e2lazy_jmap_stats(r->view->map);
	struct e2lazy_relog plan;
	uint64_t now = (uint64_t)time(NULL);
	errcode_t err;

	err = e2lazy_relog_plan(&r->verdict->subject, r->opts->tail, &plan);
	if (!err && !plan.fits)
		err = E2LAZY_ET_NO_ROOM;
	if (!err)
		err = rounds_init(&r->rounds, &r->verdict->subject,
				  r->opts->tail);
	if (!err)
		err = io_channel_alloc_buf(journal(r)->fs->io, 1, &r->block);
	r->to_log = plan.copies;
	r->head = end->head;
	r->tid = end->tid;
	r->sec = stats->last_sec > now ? stats->last_sec : now;
	return err;
}

errcode_t e2lazy_relog(struct e2lazy_view *view, struct e2lazy_verdict *verdict,
		       const struct e2lazy_checkpoint_opts *opts,
		       struct e2lazy_checkpoint_done *done,
		       struct e2lazy_where *where)
{
	static const struct e2lazy_checkpoint_opts plain;
	struct relog r = {
		.view = view, .verdict = verdict, .done = done, .where = where,
		.opts = opts ? opts : &plain,
	};
	errcode_t err;

	memset(done, 0, sizeof(*done));
	memset(where, 0, sizeof(*where));
	err = admit(&r);
	if (!err)
		err = begin(&r);
	if (!err)
		err = write_to_target(&r);
	rounds_free(&r.rounds);
	ext2fs_free_mem(&r.block);
	return err;
}
