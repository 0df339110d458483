/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fast.c - make a transaction of the fast commits
 *
 * Fast commits count on top of one log: their HEAD has the number E that is due
 * at its head.  lib/replay makes blocks of them, which depend on each block of
 * the file system as that log defines it.  If some of these blocks went home
 * first, a power cut would leave another base, on which a second replay finds
 * blocks taken twice.  So they go to the log, as the transaction E:
 *
 *  - until its commit block is on the disk, the log ends before E, and its base
 *    and the fast commits are what they were.  A second run makes the same
 *    blocks.
 *  - from then on the log is due to go on with E + 1, and the fast commits are
 *    those of an old transaction: void, for a kernel as well.  The log holds
 *    all that they said, and a checkpoint is one like any other.
 *  - e2fsck 1.47 fails at fast commits of an old transaction, and then drops the
 *    log.  So the area's first block, which makes them count, is cleared last.
 *    A power cut before that leaves what each full commit of a kernel leaves.
 *
 * One commit block decides, so E must be one transaction, whatever its size.
 * If it does not fit the free part of the ring, the caller frees the oldest
 * transactions first.  That changes neither the base nor E, for the newest
 * transaction stays (tail.c).  Nor does it move the head: a log that would begin
 * to wrap is refused, see jmap_wraps().  A kernel's mount replays it.
 *
 * Damage of the log that a user accepts is no obstacle.  If the replay needs a
 * bad copy, it fails, and if not, E is right without it.  The damage stays in
 * the log, and the checkpoint finds it once more.
 *
 * A revoke record is not needed.  A block that the fast commits free may have a
 * live copy, which then goes home to a free block.  No file gets such a block
 * before E, because jbd2 keeps freed metadata from being used again until the
 * transaction that frees it has committed.
 */

#include <string.h>

#include "append.h"
#include "broken_off.h"
#include "keep_old.h"
#include "log/log.h"
#include "map/jmap.h"
#include "map/super.h"
#include "verify/verdict.h"
#include "view/view.h"

struct fast {
	const struct e2lazy_view *with;		/* the fast commits */
	struct e2lazy_view *view;
	struct e2lazy_verdict *verdict;
	const struct e2lazy_checkpoint_opts *opts;
	struct e2lazy_checkpoint_done *done;
	struct e2lazy_where *where;
	struct e2lazy_fast_plan plan;
	struct keep_old	old;
	struct target	target;
};

/* ---------------------------------------------------------------- the plan */

static errcode_t find_room(const struct e2lazy_verdict *v,
			   struct e2lazy_fast_plan *p)
{
	const struct e2lazy_tail_want want = {
		E2LAZY_TAIL_BLOCKS, p->blocks - p->room,
	};
	errcode_t err = e2lazy_tail_find(&v->subject, &want, &p->tail);

	if (err || !p->tail.enough)
		memset(&p->tail, 0, sizeof(p->tail));
	else
		p->wraps = jmap_wraps(v->subject.map, p->tail.blocks,
				      p->blocks);
	return err;
}

errcode_t e2lazy_fast_plan(const struct e2lazy_verdict *v,
			   struct e2lazy_fast_plan *out)
{
	const struct e2lazy_journal *j = v->subject.journal;
	const struct e2lazy_end *end = e2lazy_jmap_end(v->subject.map);
	uint32_t free_blocks = ring_size(&j->geo) - end->walked;
	uint64_t blocks;

	memset(out, 0, sizeof(*out));
	if (!verdict_fast_waits(v))
		return 0;
	if (!v->fast)
		return E2LAZY_ET_QUICK_VERDICT;
	out->records = v->fast_done.records;
	out->tid = end->tid;
	out->copies = v->fast->nr_patched + 1;
	/* Head and tail must differ. */
	out->room = free_blocks ? free_blocks - 1 : 0;
	blocks = encode_blocks(&j->format, out->copies, 0);
	out->blocks = blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX;
	out->fits = out->blocks <= out->room;
	out->wraps = jmap_wraps(v->subject.map, 0, out->blocks);
	return out->fits || out->wraps ? 0 : find_room(v, out);
}

/* --------------------------------------------------------------- writing */

/* The superblock counts what is free, and its block comes first. */
static errcode_t hand_out(void *priv, struct encoder *encoder)
{
	const struct fast *f = priv;
	const struct e2lazy_view *v = f->with;
	uint8_t *super = NULL;
	errcode_t err = io_channel_alloc_buf(v->journal->io, 1, &super);

	if (err)
		return err;
	memcpy(super, view_super(v)->bytes, v->blocksize);
	err = super_keep_flag(v->journal, super);
	if (!err)
		err = encode_copy(encoder, super_fsblk(v->journal), super);
	for (size_t i = 0; !err && i < v->nr_patched; i++)
		err = encode_copy(encoder, v->patched[i].fsblk,
				  v->patched[i].bytes);
	ext2fs_free_mem(&super);
	return err;
}

static errcode_t find_area(const struct fast *f, struct steps *steps)
{
	struct e2lazy_journal *j = f->view->journal;

	*steps = (struct steps){ .view = f->view };
	return e2lazy_physblk(j, j->geo.fc_first, &steps->area);
}

static errcode_t clear_area(struct fast *f, struct steps *steps)
{
	struct seal_table table = { .count = 1, .steps = {
		step_clear_area(steps),
	} };

	return seal_follow(&f->target, &table, f->where);
}

/* The superblock, if it is announced; the log; the area's first block. */
static errcode_t keep(struct fast *f, struct steps *steps,
		      const struct broken_off *broken_off)
{
	const struct seal_table table = { .count = 2, .steps = {
		step_announce(steps), step_clear_area(steps),
	} };

	f->old.target = &f->target;
	f->old.table = &table;
	f->old.log_from = e2lazy_jmap_end(f->view->map)->head;
	f->old.log_count = f->plan.blocks;
	f->old.broken_off = broken_off;
	return keep_old(&f->old);
}

static errcode_t announce(struct fast *f, struct steps *steps,
			  struct broken_off *broken_off)
{
	struct seal_table table = { .count = 2, .steps = {
		step_announce(steps),
		broken_off_step(broken_off, &f->target, f->where),
	} };

	return seal_follow(&f->target, &table, f->where);
}

static errcode_t append(struct fast *f)
{
	struct append append = {
		.journal = f->view->journal, .target = &f->target,
		.done = f->done, .where = f->where, .copies = hand_out,
		.priv = f, .sec = append_time(f->view->map),
	};

	return append_txn(&append, f->plan.tid,
			  e2lazy_jmap_end(f->view->map)->head, f->plan.blocks);
}

static errcode_t write_all(void *priv)
{
	struct fast *f = priv;
	const struct append_plan plan = { 1, f->plan.blocks };
	struct broken_off broken_off;
	struct steps steps;
	errcode_t err;

	err = broken_off_find(&broken_off, f->view->journal,
			      e2lazy_jmap_end(f->view->map), &plan,
			      f->opts->watch);
	if (!err)
		err = find_area(f, &steps);
	if (!err)
		err = keep(f, &steps, &broken_off);
	if (!err)
		err = announce(f, &steps, &broken_off);
	if (!err)
		err = append(f);
	if (!err)
		err = clear_area(f, &steps);
	broken_off_free(&broken_off);
	f->done->begun = f->target.begun;
	f->verdict->used |= f->target.begun;
	f->done->sealed = !err;
	return err;
}

static errcode_t write_to_target(struct fast *f)
{
	errcode_t err = target_open(&f->target, f->view, f->opts->manager,
				    f->where);

	return err ? err : target_write(&f->target, f->opts, write_all, f,
					f->where);
}

static errcode_t admit(struct fast *f)
{
	errcode_t err = verdict_admits(f->verdict, f->view);

	if (!err && (f->opts->flags || f->opts->tail))
		err = EXT2_ET_INVALID_ARGUMENT;
	if (!err)
		err = e2lazy_fast_plan(f->verdict, &f->plan);
	if (!err && f->plan.wraps)
		err = E2LAZY_ET_WOULD_WRAP;
	return !err && f->plan.records && !f->plan.fits ? E2LAZY_ET_NO_ROOM :
							  err;
}

errcode_t e2lazy_fast_log(struct e2lazy_view *view,
			  struct e2lazy_verdict *verdict,
			  const struct e2lazy_checkpoint_opts *opts,
			  struct e2lazy_checkpoint_done *done,
			  struct e2lazy_where *where)
{
	static const struct e2lazy_checkpoint_opts plain;
	struct fast f = {
		.view = view, .verdict = verdict, .done = done, .where = where,
		.opts = opts ? opts : &plain,
	};
	errcode_t err;

	memset(done, 0, sizeof(*done));
	memset(where, 0, sizeof(*where));
	err = admit(&f);
	if (err || !f.plan.records)
		return err;
	f.with = verdict->fast;
	f.old = (struct keep_old){ .keeper = f.opts->keeper, .where = where,
				   .watch = f.opts->watch };
	err = keep_old_begin(&f.old, view);
	if (!err)
		err = write_to_target(&f);
	keep_old_free(&f.old);
	return err;
}
