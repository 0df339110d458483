/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * keep_old.c - hand out the old content of every block that will be written
 *
 * This happens before the first write of a checkpoint, under its locks and by
 * its own schedule.  A program that keeps these bytes can undo the checkpoint,
 * however it ends.  Opening the device changes the MMP block, so this file
 * reads that block first.
 */

#include <string.h>

#include "log/log.h"
#include "io/watch.h"
#include "map/jmap.h"
#include "map/super.h"
#include "keep_old.h"

#define RUNS_PER_TICK	16
#define LOG_RUN		256		/* blocks of the log at a time */

errcode_t keep_old_begin(struct keep_old *k, const struct e2lazy_view *view)
{
	ext2_filsys fs = view->journal->fs;
	errcode_t err;

	k->view = view;
	if (!k->keeper || !ext2fs_has_feature_mmp(fs->super))
		return 0;
	k->mmp_block = fs->super->s_mmp_block;
	err = io_channel_alloc_buf(fs->io, 1, &k->mmp);
	return err ? err : io_channel_read_blk64(fs->io, k->mmp_block, 1,
						 k->mmp);
}

void keep_old_free(struct keep_old *k)
{
	ext2fs_free_mem(&k->mmp);
}

/* --------------------------------------------------------------- blocks */

static errcode_t tell(struct keep_old *k, bool log_device, blk64_t block,
		      uint32_t count, const uint8_t *bytes)
{
	const struct e2lazy_kept_run run = {
		.log_device = log_device, .block = block, .count = count,
		.bytes = bytes,
	};

	return k->keeper->keep(k->keeper->priv, &run);
}

/* If the run cannot be read, find the first bad block and name it. */
static errcode_t read_run(struct keep_old *k, ext2_filsys fs, blk64_t block,
			  uint32_t count, uint8_t *to)
{
	errcode_t err = 0;
	uint32_t i;

	if (!io_channel_read_blk64(fs->io, block, (int)count, to))
		return 0;
	for (i = 0; !err && i < count; i++)
		err = io_channel_read_blk64(fs->io, block + i, 1,
					    to + (size_t)i * fs->blocksize);
	if (err) {
		k->where->volume = target_volume(k->target, fs);
		k->where->has = E2LAZY_AT_FSBLK;
		k->where->fsblk = block + i - 1;
	}
	return err;
}

static errcode_t keep_block(struct keep_old *k, ext2_filsys fs, blk64_t block,
			    uint8_t *buffer)
{
	errcode_t err = read_run(k, fs, block, 1, buffer);

	return err ? err : tell(k, fs == k->target->jfs, block, 1, buffer);
}

/* Does an earlier step write the same block as @step? */
static bool is_kept(const struct seal_table *table, const struct seal_step *step)
{
	for (const struct seal_step *s = table->steps; s < step; s++)
		if (!s->skip && s->make && s->block == step->block &&
		    s->log_device == step->log_device)
			return true;
	return false;
}

/* Keep the blocks that the table writes one by one: the superblocks. */
static errcode_t keep_singles(struct keep_old *k, uint8_t *buffer)
{
	const struct target *t = k->target;
	errcode_t err = 0;

	if (k->mmp)
		err = tell(k, false, k->mmp_block, 1, k->mmp);
	for (unsigned i = 0; !err && i < k->table->count; i++) {
		const struct seal_step *step = &k->table->steps[i];

		if (!step->skip && step->make && !is_kept(k->table, step))
			err = keep_block(k, step->log_device && t->jfs ?
					    t->jfs : t->fs,
					 step->block, buffer);
	}
	return err;
}

static errcode_t keep_static(struct keep_old *k, uint8_t *buffer)
{
	const struct schedule *s = k->schedule;
	unsigned runs = 0;
	errcode_t err = 0;
	uint32_t n;

	for (uint32_t slot = 0; !err && slot < s->slots; slot += n ? n : 1) {
		n = schedule_neighbours(s, slot);
		if (!n)
			continue;
		err = read_run(k, k->target->fs, jmap_fsblk(s->map, slot), n,
			       buffer);
		if (!err)
			err = tell(k, false, jmap_fsblk(s->map, slot), n,
				   buffer);
		if (!err && ++runs % RUNS_PER_TICK == 0)
			err = watch_tick(k->watch, E2LAZY_PHASE_KEEP, slot + n,
					 s->slots);
	}
	return err ? err : watch_tick(k->watch, E2LAZY_PHASE_KEEP, s->slots,
				      s->slots);
}

/* As many neighbours on the device as @most allows. */
static errcode_t keep_log_run(struct keep_old *k, uint32_t done,
			      uint32_t most, uint8_t *buffer, uint32_t *run)
{
	struct e2lazy_journal *j = k->view->journal;
	ext2_filsys fs = k->target->jfs ? k->target->jfs : k->target->fs;
	uint32_t from = ring_add(&j->geo, k->log_from, done);
	blk64_t at, next;
	errcode_t err;

	err = e2lazy_physblk(j, from, &at);
	for (*run = 1; !err && *run < most && done + *run < k->log_count; ++*run)
		if (e2lazy_physblk(j, ring_add(&j->geo, from, *run), &next) ||
		    next != at + *run)
			break;
	if (!err)
		err = read_run(k, fs, at, *run, buffer);
	return err ? err : tell(k, fs == k->target->jfs, at, *run, buffer);
}

static errcode_t keep_log(struct keep_old *k, uint8_t *buffer)
{
	errcode_t err = 0;
	uint32_t run;

	for (uint32_t done = 0; !err && done < k->log_count; done += run) {
		err = keep_log_run(k, done, LOG_RUN, buffer, &run);
		if (!err)
			err = watch_tick(k->watch, E2LAZY_PHASE_KEEP,
					 done + run, k->log_count);
	}
	return err;
}

/* Those that no new block overwrites. */
static errcode_t keep_broken_off(struct keep_old *k, uint8_t *buffer)
{
	const struct broken_off *b = k->broken_off;
	ext2_filsys fs = k->target->jfs ? k->target->jfs : k->target->fs;
	errcode_t err = 0;
	blk64_t at;

	for (size_t i = 0; !err && b && i < b->nr; i++) {
		if (!broken_off_is_behind(b, b->at[i]))
			continue;
		err = e2lazy_physblk(k->view->journal, b->at[i], &at);
		if (!err)
			err = keep_block(k, fs, at, buffer);
	}
	return err;
}

/* ---------------------------------------------------------- superblocks */

/*
 * If only the tail moves, the last state keeps needs_recovery, and the first
 * state is the last one unless a copy of the superblock comes home.
 */
static errcode_t foresee_supers(struct keep_old *k,
				struct e2lazy_super_states *to)
{
	static const enum super_stage to_the_end[] = {
		SUPER_COPYING, SUPER_HOME, SUPER_END,
	}, to_home[] = {
		SUPER_COPYING, SUPER_HOME, SUPER_HOME,
	}, to_nothing[] = {
		SUPER_COPYING, SUPER_COPYING, SUPER_COPYING,
	};
	const enum super_stage *stages =
		!k->schedule ? to_nothing :
		!k->tail ? to_the_end :
		tail_frees_super(k->view, k->tail) ? to_home : to_nothing;
	uint8_t *const bytes[] = { to->copying, to->home, to->end };
	unsigned size = k->view->blocksize;
	uint8_t *block = NULL;
	errcode_t err;

	err = io_channel_alloc_buf(k->target->fs->io, 1, &block);
	for (unsigned i = 0; !err && i < 3; i++) {
		err = checkpoint_super(k->view, stages[i], block);
		memcpy(bytes[i], block + super_offset(size), 1024);
	}
	ext2fs_free_mem(&block);
	to->in_use = k->view->journal->geo.start;
	return err;
}

errcode_t keep_old(struct keep_old *k)
{
	struct e2lazy_super_states supers;
	uint8_t *buffer = NULL;
	errcode_t err;

	if (!k->keeper)
		return 0;
	err = io_channel_alloc_buf(k->target->fs->io,
				   k->schedule ?
				   (int)k->schedule->most_written : LOG_RUN,
				   &buffer);
	if (!err)
		err = keep_singles(k, buffer);
	if (!err)
		err = (k->schedule ? keep_static : keep_log)(k, buffer);
	if (!err)
		err = keep_broken_off(k, buffer);
	if (!err)
		err = foresee_supers(k, &supers);
	if (!err)
		err = k->keeper->kept(k->keeper->priv, &supers);
	ext2fs_free_mem(&buffer);
	return err;
}

errcode_t keep_old_singles(struct keep_old *k,
			   const struct e2lazy_super_states *states)
{
	uint8_t *buffer = NULL;
	errcode_t err;

	if (!k->keeper)
		return 0;
	err = io_channel_alloc_buf(k->target->fs->io, 1, &buffer);
	if (!err)
		err = keep_singles(k, buffer);
	if (!err)
		err = k->keeper->kept(k->keeper->priv, states);
	ext2fs_free_mem(&buffer);
	return err;
}
