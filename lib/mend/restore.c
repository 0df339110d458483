/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * restore.c - put a log back in force
 *
 * It writes two blocks: the superblock, to say that the log must be replayed,
 * and the journal superblock, to say where it begins.  seal.c explains why this
 * order is safe.  The verdict has proved that nothing was written after the log
 * (verify_written_since.c), and the replay is left to a mount, to e2fsck or to
 * a checkpoint.
 */

#include <string.h>

#include "keep_old.h"
#include "log/log.h"
#include "map/super.h"
#include "verify/verdict.h"
#include "view/view.h"

struct restore {
	struct e2lazy_view *view;
	const struct e2lazy_checkpoint_opts *opts;
	struct target	target;
	struct seal_table table;
	struct keep_old	old;
	struct e2lazy_super_states states;
	bool		in_force;
};

/* -------------------------------------------------------- the two blocks */

static errcode_t make_super(void *priv, uint8_t *bytes)
{
	const struct restore *r = priv;
	const struct e2lazy_journal *j = r->view->journal;
	errcode_t err = io_channel_read_blk64(j->fs->io, super_fsblk(j), 1,
					      bytes);

	return err ? err : super_mark(j, bytes, true);
}

/* A sound superblock keeps the fields that a geometry does not have. */
static errcode_t make_journal(void *priv, uint8_t *bytes)
{
	const struct restore *r = priv;
	struct e2lazy_journal *j = r->view->journal;
	uint32_t at = journal_super_logblk(j);
	struct e2lazy_geometry said = { .blocksize = 0 };
	struct e2lazy_where unused = { .has = 0 };
	errcode_t err = e2lazy_read_log(j, at, 1, bytes);

	if (err)
		return err;
	if (jsb_parse(bytes, j->runs.blocks, j->fs->blocksize, at, j->csum.crc,
		      &said, &unused) || said.maxlen != j->geo.maxlen ||
	    said.first != j->geo.first || said.csum != j->geo.csum ||
	    memcmp(said.uuid, j->geo.uuid, sizeof(said.uuid)))
		jsb_make(bytes, &j->geo, j->csum.crc);
	else
		jsb_restore(bytes, &j->geo, j->csum.crc);
	return 0;
}

/* Does a step leave its block as it was judged? */
static errcode_t is_there(const struct restore *r, const struct seal_step *s,
			  const uint8_t *judged, unsigned offset, bool *there)
{
	uint8_t *bytes = NULL;
	errcode_t err = io_channel_alloc_buf(r->view->journal->io, 1, &bytes);

	if (err)
		return err;
	err = s->make(s->priv, bytes);
	*there = !err && !memcmp(bytes + offset, judged, SUPER_BYTES);
	ext2fs_free_mem(&bytes);
	return err;
}

static errcode_t make_table(struct restore *r)
{
	const struct e2lazy_journal *j = r->view->journal;
	unsigned offset = super_offset(j->geo.blocksize);
	struct seal_step *steps = r->table.steps;
	blk64_t journal;
	errcode_t err = e2lazy_physblk(j, journal_super_logblk(j), &journal);

	r->table = (struct seal_table) { .count = 2, .steps = {
		{ .make = make_super, .block = super_fsblk(j), .priv = r,
		  .flush = true, .outcome = SEAL_REDO },
		{ .log_device = true,
		  .make = make_journal, .block = journal, .priv = r,
		  .flush = true, .outcome = SEAL_REDO },
	} };
	if (!err)
		err = is_there(r, &steps[0], j->judged.super, offset,
			       &steps[0].skip);
	return err ? err : is_there(r, &steps[1], j->judged.journal, 0,
				    &steps[1].skip);
}

/* ------------------------------------------------------------- all of it */

static errcode_t foresee(struct restore *r)
{
	unsigned size = r->view->journal->geo.blocksize;
	uint8_t *block = NULL;
	errcode_t err = io_channel_alloc_buf(r->view->journal->io, 1, &block);

	if (err)
		return err;
	err = make_super(r, block);
	memcpy(r->states.end, block + super_offset(size), SUPER_BYTES);
	ext2fs_free_mem(&block);
	return err;
}

static errcode_t write_all(void *priv)
{
	struct restore *r = priv;
	errcode_t err = make_table(r);

	if (!err)
		err = foresee(r);
	if (!err)
		err = keep_old_singles(&r->old, &r->states);
	if (!err)
		err = seal_follow(&r->target, &r->table, r->old.where);
	r->in_force = !err;
	return err;
}

static errcode_t write_to_target(struct restore *r,
				 struct e2lazy_verdict *verdict,
				 struct e2lazy_restore_done *done,
				 struct e2lazy_where *where)
{
	errcode_t err = target_open_given(&r->target, r->view,
					  r->opts->manager, where);

	if (err)
		return err;
	err = target_write(&r->target, r->opts, write_all, r, where);
	done->begun = r->target.begun;
	done->in_force = r->in_force;
	verdict->used |= done->begun;
	return err;
}

errcode_t e2lazy_restore(struct e2lazy_view *view,
			 struct e2lazy_verdict *verdict,
			 const struct e2lazy_checkpoint_opts *opts,
			 struct e2lazy_restore_done *done,
			 struct e2lazy_where *where)
{
	static const struct e2lazy_checkpoint_opts plain;
	struct restore r = { .view = view, .opts = opts ? opts : &plain };
	struct e2lazy_where unused;
	errcode_t err;

	memset(done, 0, sizeof(*done));
	if (!where)
		where = &unused;
	memset(where, 0, sizeof(*where));
	err = verdict_admits_restore(verdict, view);
	if (err)
		return err;
	if (!view->journal->geo.start)
		return E2LAZY_ET_NOT_MAPPED;
	r.old = (struct keep_old){
		.keeper = r.opts->keeper, .target = &r.target,
		.table = &r.table, .where = where,
	};
	err = keep_old_begin(&r.old, view);
	if (!err)
		err = write_to_target(&r, verdict, done, where);
	keep_old_free(&r.old);
	return err;
}
