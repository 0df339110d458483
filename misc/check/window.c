/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * window.c - how long the machine is down for a checkpoint, on a modelled drive
 *
 * The planned requests go to the model of --drive, step by step: the log is read,
 * the old blocks for an undo file, the blocks are written, the drive cleans what
 * that made dirty, the blocks are read back, and e2fsck reads tables and
 * directories.  Without a model it is a conventional disk of --throughput.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ck.h"
#include "io/grow.h"
#include "session/drive_list.h"
#include "support/nls.h"
#include "support/status.h"
#include "window.h"

#define SECOND	1e9
/* As Linux splits large requests. */
#define REQUEST	((uint64_t)1 << 20)

bool ck_take_drive(struct ck *ck, const char *arg)
{
	unsigned line = 0;
	errcode_t err = EXT2_ET_NO_MEMORY;
	char *list;

	if (!drive_list(&list)) {
		ck->s->status |= FSCK_ERROR;
		return false;
	}
	if (list)
		err = e2lazy_drive_params(list, arg, &ck->params, &line);
	free(list);
	ck->drive = arg;
	if (err == ENOENT)
		return session_refuse(ck->s, "--drive", arg,
				      _("a model in the list of drives; see "
					"mke2lazy-drives(5)"));
	if (err)
		session_fail(ck->s, err, NULL);
	return !err;
}

static void add_run(struct window_runs *runs, uint64_t block, uint32_t count)
{
	struct window_run *at = grow(runs->at, runs->count, &runs->room,
				     sizeof(*at));

	if (!at) {
		runs->failed = true;
		return;
	}
	runs->at = at;
	at[runs->count++] = (struct window_run){ block, count };
}

void window_write(void *priv, blk64_t block, uint32_t count)
{
	struct window_counted *c = priv;

	e2lazy_band_write(&c->bands, block, count);
	if (c->runs)
		add_run(c->runs, block, count);
}

/* ------------------------------------------------------------- the model */

struct steps {
	struct e2lazy_model *model;
	unsigned	blocksize;
	uint64_t	now;		/* ns */
	errcode_t	err;
};

static void request(struct steps *s, enum e2lazy_op op, uint64_t at,
		    uint64_t bytes)
{
	uint64_t part;

	for (; bytes && !s->err; at += part, bytes -= part) {
		part = bytes < REQUEST ? bytes : REQUEST;
		s->err = e2lazy_model_io(s->model, s->now, op, at, part,
					 &s->now);
	}
}

static double all_runs(struct steps *s, enum e2lazy_op op,
		       const struct window_runs *runs)
{
	uint64_t begin = s->now;

	for (size_t i = 0; i < runs->count; i++)
		request(s, op, runs->at[i].block * s->blocksize,
			(uint64_t)runs->at[i].count * s->blocksize);
	if (op == E2LAZY_OP_WRITE && !s->err)
		s->err = e2lazy_model_io(s->model, s->now, E2LAZY_OP_FLUSH, 0,
					 0, &s->now);
	return (s->now - begin) / SECOND;
}

/* The rest of the log lies behind its first block, mostly. */
static double read_log(struct ck *ck, struct steps *s)
{
	const struct e2lazy_geometry *geo = ck->s->log->geo;
	uint64_t begin = s->now;
	blk64_t block = 0;

	if (geo->external ||
	    e2lazy_physblk(ck->s->log->journal, geo->first, &block))
		block = 0;
	request(s, E2LAZY_OP_READ, block * s->blocksize,
		(uint64_t)ck->s->log->end->walked * s->blocksize);
	return (s->now - begin) / SECOND;
}

/* Bitmaps and used tables, and a block of each directory in its group. */
static void read_group(struct steps *s, ext2_filsys fs, dgrp_t g)
{
	uint64_t used = fs->super->s_inodes_per_group -
			ext2fs_bg_free_inodes_count(fs, g);
	uint64_t dirs = ext2fs_bg_used_dirs_count(fs, g), size = s->blocksize;
	uint64_t step = fs->super->s_blocks_per_group / (dirs + 1) * size;
	uint64_t at = ext2fs_group_first_block2(fs, g) * size;

	request(s, E2LAZY_OP_READ, ext2fs_block_bitmap_loc(fs, g) * size, size);
	request(s, E2LAZY_OP_READ, ext2fs_inode_bitmap_loc(fs, g) * size, size);
	request(s, E2LAZY_OP_READ, ext2fs_inode_table_loc(fs, g) * size,
		(used * EXT2_INODE_SIZE(fs->super) + size - 1) / size * size);
	for (uint64_t i = 0; i < dirs; i++)
		request(s, E2LAZY_OP_READ, at += step, size);
}

static double run_fsck(struct ck *ck, struct steps *s)
{
	ext2_filsys fs = e2lazy_static_fs(ck->s->log->journal);
	uint64_t begin = s->now;

	for (dgrp_t g = 0; g < fs->group_desc_count && !cancelled(); g++)
		read_group(s, fs, g);
	return (s->now - begin) / SECOND;
}

static double settle(struct steps *s)
{
	uint64_t written = s->now, done = s->now;

	if (!s->err)
		s->err = e2lazy_model_settle(s->model, &written, &done);
	s->now = done;
	return (done - written) / SECOND;
}

static errcode_t begin(const struct ck *ck, uint64_t rate, struct steps *s)
{
	struct e2lazy_params params = ck->params;
	ext2_filsys fs = e2lazy_static_fs(ck->s->log->journal);
	uint64_t bytes = ext2fs_blocks_count(fs->super) * fs->blocksize;

	if (!ck->drive) {
		e2lazy_params_default(&params);
		params.value[E2LAZY_PARAM_RATE_OUTER] = rate;
		params.value[E2LAZY_PARAM_RATE_INNER] = rate;
	}
	if (params.value[E2LAZY_PARAM_DISK] < bytes)
		params.value[E2LAZY_PARAM_DISK] = bytes;
	*s = (struct steps){ .blocksize = fs->blocksize };
	return e2lazy_model_new(&params, &s->model);
}

static void replay(struct ck *ck, const struct window *w, uint64_t rate,
		   struct window_times *t)
{
	struct steps s;

	if (begin(ck, rate, &s))
		return;
	t->replay = read_log(ck, &s) +
		    all_runs(&s, E2LAZY_OP_WRITE, &w->replay);
	t->replay_cleaning = settle(&s);
	e2lazy_model_free(s.model);
}

bool window_times(struct ck *ck, const struct window *w, uint64_t rate,
		  struct window_times *t)
{
	struct steps s;
	errcode_t err;

	memset(t, 0, sizeof(*t));
	if (!ck->drive && !rate)
		return true;
	err = w->checkpoint.failed || w->replay.failed ?
	      EXT2_ET_NO_MEMORY : begin(ck, rate, &s);
	if (!err) {
		t->check = read_log(ck, &s);
		t->undo = all_runs(&s, E2LAZY_OP_READ, &w->checkpoint);
		t->write = all_runs(&s, E2LAZY_OP_WRITE, &w->checkpoint);
		t->cleaning = settle(&s);
		t->verify = all_runs(&s, E2LAZY_OP_READ, &w->checkpoint);
		t->fsck = run_fsck(ck, &s);
		err = s.err;
		e2lazy_model_free(s.model);
		replay(ck, w, rate, t);
	}
	t->total = t->check + t->undo + t->write + t->cleaning + t->verify +
		   t->fsck;
	t->known = !err;
	if (err)
		session_fail(ck->s, err, NULL);
	return !err;
}

void window_close(struct window *w)
{
	free(w->checkpoint.at);
	free(w->replay.at);
}
