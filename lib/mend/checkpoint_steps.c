/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * checkpoint_steps.c - the tables of a checkpoint's writes
 *
 * seal.c explains why their orders are safe.
 */

#include <string.h>

#include "log/log.h"
#include "map/jmap.h"
#include "map/super.h"
#include "verify/verdict.h"
#include "view/view.h"
#include "mend.h"

/* The log is in use and needs_recovery is clear: a mount would discard it. */
static bool is_unannounced(const struct e2lazy_journal *j)
{
	return j->geo.start && !j->geo.needs_recovery;
}

/* The log is in use, and a power cut has torn the superblock. */
static bool is_unfinished(const struct e2lazy_journal *j)
{
	return j->geo.start && j->geo.super_torn;
}

errcode_t super_mark(const struct e2lazy_journal *j, uint8_t *block,
		     bool needs_recovery)
{
	struct ext2_super_block *sb =
		(void *)(block + super_offset(j->geo.blocksize));

	sb->s_feature_incompat &=
		~ext2fs_cpu_to_le32(EXT3_FEATURE_INCOMPAT_RECOVER);
	if (needs_recovery)
		sb->s_feature_incompat |=
			ext2fs_cpu_to_le32(EXT3_FEATURE_INCOMPAT_RECOVER);
	return ext2fs_superblock_csum_set(j->fs, sb);
}

errcode_t super_keep_flag(const struct e2lazy_journal *j, uint8_t *block)
{
	const struct ext2_super_block *sb =
		(void *)(block + super_offset(j->geo.blocksize));

	return sb->s_feature_incompat &
		       ext2fs_cpu_to_le32(EXT3_FEATURE_INCOMPAT_RECOVER) ?
	       0 : super_mark(j, block, true);
}

errcode_t checkpoint_super(const struct e2lazy_view *v, enum super_stage stage,
			   uint8_t *block)
{
	const struct e2lazy_journal *j = v->journal;
	errcode_t err;

	if (stage != SUPER_COPYING || is_unfinished(j)) {
		memcpy(block, view_super(v)->bytes, v->blocksize);
		return super_mark(j, block, stage != SUPER_END);
	}
	err = io_channel_read_blk64(j->fs->io, super_fsblk(j), 1, block);
	return !err && is_unannounced(j) ? super_mark(j, block, true) : err;
}

/* @priv is a struct steps in each of these. */
static errcode_t make_copying(void *priv, uint8_t *bytes)
{
	const struct steps *s = priv;

	return checkpoint_super(s->view, SUPER_COPYING, bytes);
}

static errcode_t make_home(void *priv, uint8_t *bytes)
{
	const struct steps *s = priv;

	return checkpoint_super(s->view, SUPER_HOME, bytes);
}

static errcode_t make_end(void *priv, uint8_t *bytes)
{
	const struct steps *s = priv;

	return checkpoint_super(s->view, SUPER_END, bytes);
}

static errcode_t make_empty_log(void *priv, uint8_t *bytes)
{
	const struct e2lazy_view *v = ((const struct steps *)priv)->view;

	memcpy(bytes, view_journal_super(v)->bytes, v->blocksize);
	return 0;
}

static errcode_t make_shorter_log(void *priv, uint8_t *bytes)
{
	const struct steps *s = priv;
	struct e2lazy_journal *j = s->view->journal;
	errcode_t err;

	err = e2lazy_read_log(j, journal_super_logblk(j), 1, bytes);
	if (!err && s->relogged)
		jsb_clear_record(bytes);
	if (!err)
		jsb_set_tail(bytes, s->tail->start, s->tail->tid, j->csum.crc);
	return err;
}

/* The first block decides: without a HEAD there are no fast commits. */
static errcode_t make_no_head(void *priv, uint8_t *bytes)
{
	const struct steps *s = priv;

	memset(bytes, 0, s->view->blocksize);
	return 0;
}

/* The rest of the block stays, so that a second run finds it, too. */
static errcode_t make_magic(void *priv, uint8_t *bytes, uint32_t magic)
{
	const struct steps *s = priv;
	errcode_t err = e2lazy_read_log(s->view->journal, s->first_dropped, 1,
					bytes);

	put_be32(bytes, magic);
	return err;
}

static errcode_t make_cut_off(void *priv, uint8_t *bytes)
{
	return make_magic(priv, bytes, JBD2_CUT_OFF);
}

static errcode_t make_as_before(void *priv, uint8_t *bytes)
{
	return make_magic(priv, bytes, JBD2_MAGIC);
}

static errcode_t copy(void *priv)
{
	const struct steps *s = priv;

	return s->copy(s->priv);
}

struct seal_step step_announce(struct steps *s)
{
	const struct e2lazy_journal *j = s->view->journal;

	return (struct seal_step){
		.skip = !is_unannounced(j) && !is_unfinished(j),
		.make = make_copying, .block = super_fsblk(j), .priv = s,
		.flush = true, .outcome = SEAL_REDO,
	};
}

errcode_t steps_find_area(struct steps *s, const struct e2lazy_verdict *v,
			  bool stays)
{
	struct e2lazy_journal *j = s->view->journal;

	s->area = 0;
	return verdict_area_is_cleared(v, stays) ?
	       e2lazy_physblk(j, j->geo.fc_first, &s->area) : 0;
}

struct seal_step step_clear_area(struct steps *s)
{
	return (struct seal_step){
		.skip = !s->area, .log_device = true,
		.make = make_no_head, .block = s->area, .priv = s,
		.flush = true, .outcome = SEAL_REDO,
	};
}

struct seal_step step_shorten(struct steps *s)
{
	return (struct seal_step){
		.log_device = true, .make = make_shorter_log, .priv = s,
		.block = view_journal_super(s->view)->fsblk,
		.flush = true, .outcome = SEAL_HOME,
	};
}

errcode_t steps_find_dropped(struct steps *s)
{
	struct e2lazy_journal *j = s->view->journal;
	const struct e2lazy_end *end = e2lazy_jmap_end(s->view->map);
	uint8_t *block = NULL;
	bool is_cut_off;
	errcode_t err;

	if (!j->geo.start || end->reason != E2LAZY_END_UNTIL)
		return 0;
	err = io_channel_alloc_buf(j->io, 1, &block);
	if (!err)
		err = e2lazy_read_log(j, end->stop, 1, block);
	if (!err && jbd2_begins(block, end->tid, &is_cut_off)) {
		s->drops = true;
		s->first_dropped = end->stop;
		err = e2lazy_physblk(j, end->stop, &s->first_at);
	}
	ext2fs_free_mem(&block);
	return err;
}

static struct seal_step step_cut_off(struct steps *s)
{
	return (struct seal_step){
		.skip = !s->drops, .log_device = true,
		.make = make_cut_off, .block = s->first_at, .priv = s,
		.flush = true, .outcome = SEAL_REDO,
	};
}

static struct seal_step step_put_back(struct steps *s)
{
	struct seal_step step = step_cut_off(s);

	step.make = make_as_before;
	step.outcome = SEAL_HOME;
	return step;
}

/* Fast commits may be of the first transaction that is dropped: then they would
   count as soon as it is cut off. */
static struct seal_step step_clear_area_if(struct steps *s, bool now)
{
	struct seal_step step = step_clear_area(s);

	step.skip |= !now;
	return step;
}

static void empty_the_log(struct steps *s, struct seal_table *out)
{
	const struct e2lazy_view *v = s->view;
	const struct e2lazy_journal *j = v->journal;
	bool in_use = j->geo.start;
	blk64_t super = super_fsblk(j);

	*out = (struct seal_table) { .count = 9, .steps = {
		step_announce(s),
		step_clear_area_if(s, s->drops),
		step_cut_off(s),
		{ .write = copy, .priv = s, .outcome = SEAL_REDO },
		{ .skip = !in_use,
		  .make = make_home, .block = super, .priv = s,
		  .flush = true, .outcome = SEAL_REDO },
		step_clear_area_if(s, !s->drops),
		{ .skip = !in_use, .log_device = true,
		  .make = make_empty_log, .priv = s,
		  .block = view_journal_super(v)->fsblk,
		  .flush = true, .outcome = SEAL_HOME },
		step_put_back(s),
		{ .make = make_end, .block = super, .priv = s,
		  .flush = true, .outcome = SEAL_HOME },
	} };
}

/* A tail that frees nothing stays, and the journal superblock with it. */
static struct seal_step step_free(struct steps *s)
{
	struct seal_step step = step_shorten(s);

	step.skip = !s->tail->txns;
	return step;
}

/* needs_recovery stays: the rest of the log is in use. */
static void move_the_tail(struct steps *s, struct seal_table *out)
{
	const struct e2lazy_view *v = s->view;
	const struct e2lazy_journal *j = v->journal;
	blk64_t super = super_fsblk(j);

	*out = (struct seal_table) { .count = 6, .steps = {
		step_announce(s),
		step_clear_area(s),
		{ .write = copy, .priv = s, .outcome = SEAL_REDO },
		{ .skip = !tail_frees_super(v, s->tail),
		  .make = make_home, .block = super, .priv = s,
		  .outcome = SEAL_REDO },
		{ .flush = true, .outcome = SEAL_REDO },
		step_free(s),
	} };
}

void checkpoint_steps(struct steps *steps, struct seal_table *out)
{
	if (steps->tail)
		move_the_tail(steps, out);
	else
		empty_the_log(steps, out);
}
