/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * undo.c - saves the overwritten blocks for e2undo
 *
 * All of them are on the disk before the first write, so a run can be undone
 * however it ends.  A file of e2undo covers one device: an external journal
 * has a second file, and both must exist.
 *
 * A file also fits one superblock, and a checkpoint changes the superblock
 * twice before its end.  While copies are written, FILE fits the first one.
 * FILE.home and FILE.end fit the other two and only restore the first one;
 * then e2undo takes FILE.  Once the log is empty FILE is changed to fit the
 * last superblock, and the two are removed.  --clean changes the superblock
 * once at most, and then needs FILE.home only.
 *
 * If fast commits become a transaction first, a run has stages: it frees a part
 * of the log, if they need room, logs them, and does the rest.  Only the end of
 * a stage shows what the next one will overwrite.  So each stage but the first
 * makes FILE.next, which has the blocks of FILE and its own, and gives it the
 * name FILE before its first write.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/grow.h"
#include "support/nls.h"
#include "support/status.h"
#include "undo.h"

/* The file that this stage fills. */
static unsigned filled(const struct ck_undo *u)
{
	return u->begun ? FILE_NEXT : FILE_ALL;
}

/* --------------------------------------------------------------- keeping */

static errcode_t fail(struct ck_undo *u, unsigned number, errcode_t err)
{
	progress_hide(&u->ck->s->print.progress);
	complain(u->files[number].path, "%s", error_message(err));
	u->ck->undo_failed = true;
	undo_refuse(u->ck);
	return err;
}

static errcode_t remember(const struct ck_undo *u, const uint8_t *bytes,
			  uint8_t **to)
{
	unsigned size = u->ck->s->log->geo->blocksize;

	*to = malloc(size);
	if (!*to)
		return EXT2_ET_NO_MEMORY;
	memcpy(*to, bytes, size);
	return 0;
}

static errcode_t remember_one(struct ck_undo *u, blk64_t block,
			      const uint8_t *bytes)
{
	struct old_block *all = grow(u->journal, u->nr_journal, &u->room,
				     sizeof(*all));
	errcode_t err;

	if (!all)
		return EXT2_ET_NO_MEMORY;
	u->journal = all;
	all[u->nr_journal].block = block;
	err = remember(u, bytes, &all[u->nr_journal].bytes);
	u->nr_journal += !err;
	return err;
}

static errcode_t remember_journal(struct ck_undo *u,
				  const struct e2lazy_kept_run *run)
{
	size_t size = u->ck->s->log->geo->blocksize;
	errcode_t err = 0;

	for (uint32_t i = 0; !err && i < run->count; i++)
		err = remember_one(u, run->block + i, run->bytes + i * size);
	return err;
}

/* libext2fs mishandles the close of one file while another is open. */
static errcode_t keep(void *priv, const struct e2lazy_kept_run *run)
{
	struct ck_undo *u = priv;
	errcode_t err = 0;

	if (run->log_device)
		return remember_journal(u, run);
	if (!u->super && run->block == SUPERBLOCK_OFFSET /
					       u->ck->s->log->geo->blocksize)
		err = remember(u, run->bytes, &u->super);
	if (err)
		return err;
	u->kept = true;
	err = undo_file_add(&u->files[filled(u)], run->block, run->count,
			    run->bytes);
	return err ? fail(u, filled(u), err) : 0;
}

/*
 * If only an external journal is written, keep the superblock's block: e2undo
 * takes no file without a block.
 */
static errcode_t keep_some_block(struct ck_undo *u)
{
	const struct e2lazy_device *device =
		e2lazy_device(u->ck->s->log->journal, E2LAZY_FILE_SYSTEM);
	unsigned size = u->ck->s->log->geo->blocksize;
	blk64_t fsblk = SUPERBLOCK_OFFSET / size;
	uint8_t *block;
	errcode_t err;

	if (u->kept)
		return 0;
	block = malloc(size);
	if (!block)
		return EXT2_ET_NO_MEMORY;
	err = pread(device->fd, block, size, (off_t)(device->offset +
						     fsblk * size)) ==
	      (ssize_t)size ?
	      undo_file_add(&u->files[filled(u)], fsblk, 1, block) :
	      EXT2_ET_SHORT_READ;
	free(block);
	return err;
}

static bool begin(struct ck_undo *u, unsigned number)
{
	const struct e2lazy_journal *j = u->ck->s->log->journal;
	const struct e2lazy_device *device =
		e2lazy_device(j, undo_is_of_journal(number) ? E2LAZY_JOURNAL :
							 E2LAZY_FILE_SYSTEM);

	return undo_file_begin(&u->files[number], undo_name(u->ck, number),
			       u->ck->s->log->geo->blocksize, device->fd,
			       device->offset) ||
	       undo_refuse(u->ck);
}

/* A file of some blocks, for the time when the superblock is @from. */
static errcode_t keep_blocks(struct ck_undo *u, unsigned number,
			     const struct old_block *old, size_t count,
			     const uint8_t from[UNDO_SUPER])
{
	errcode_t err = 0;

	if (!begin(u, number)) {
		u->ck->undo_failed = true;
		return EIO;
	}
	for (size_t i = 0; !err && i < count; i++)
		err = undo_file_add(&u->files[number], old[i].block, 1,
				    old[i].bytes);
	if (!err)
		err = undo_file_finish(&u->files[number], from);
	return err ? fail(u, number, err) : 0;
}

/* The superblock of an external journal's device does not change. */
static errcode_t keep_journal(struct ck_undo *u)
{
	const struct e2lazy_device *device =
		e2lazy_device(u->ck->s->log->journal, E2LAZY_JOURNAL);
	uint8_t super[UNDO_SUPER];

	if (!u->nr_journal)
		return 0;
	if (pread(device->fd, super, sizeof(super),
		  (off_t)device->offset + SUPERBLOCK_OFFSET) != sizeof(super))
		return EXT2_ET_SHORT_READ;
	return keep_blocks(u, u->files[FILE_JOURNAL].path ? FILE_JOURNAL_NEXT :
							    FILE_JOURNAL,
			   u->journal, u->nr_journal, super);
}

/* Restore the superblock that the file system has while copies are written. */
static errcode_t keep_steps(struct ck_undo *u)
{
	const struct e2lazy_super_states *s = &u->states;
	unsigned size = u->ck->s->log->geo->blocksize;
	const struct old_block old = { SUPERBLOCK_OFFSET / size, u->super };
	errcode_t err = 0;

	if (!s->in_use || !u->super)
		return 0;
	memcpy(u->super + SUPERBLOCK_OFFSET % size, s->copying, UNDO_SUPER);
	if (memcmp(s->home, s->copying, UNDO_SUPER))
		err = keep_blocks(u, FILE_HOME, &old, 1, s->home);
	if (!err && memcmp(s->end, s->home, UNDO_SUPER))
		err = keep_blocks(u, FILE_END, &old, 1, s->end);
	return err;
}

static errcode_t still_there(struct ck_undo *u)
{
	for (unsigned i = 0; i < NR_FILES; i++) {
		struct undo_file *f = &u->files[i];

		if (!f->path || undo_file_is_there(f))
			continue;
		progress_hide(&u->ck->s->print.progress);
		complain(f->path, _("another file has taken its place"));
		u->ck->undo_failed = true;
		undo_refuse(u->ck);
		return E2LAZY_ET_CHANGED;
	}
	return 0;
}

/* Give the files of this stage the names of those before. */
static errcode_t take_names(struct ck_undo *u)
{
	static const unsigned pairs[][2] = {
		{ FILE_NEXT, FILE_ALL },
		{ FILE_JOURNAL_NEXT, FILE_JOURNAL },
	};
	errcode_t err = still_there(u);

	for (unsigned i = 0; !err && i < 2; i++) {
		struct undo_file *next = &u->files[pairs[i][0]];
		struct undo_file *file = &u->files[pairs[i][1]];

		if (!next->path)
			continue;
		err = undo_file_replace(next, file);
		if (err)
			return fail(u, pairs[i][0], err);
		*file = *next;
		memset(next, 0, sizeof(*next));
	}
	return err;
}

/* From here on the run can be undone. */
static errcode_t kept(void *priv, const struct e2lazy_super_states *states)
{
	struct ck_undo *u = priv;
	errcode_t err;

	u->states = *states;
	err = keep_some_block(u);
	if (!err)
		err = undo_file_finish(&u->files[filled(u)], states->in_use ?
				       states->copying : states->end);
	if (err)
		return fail(u, filled(u), err);
	err = keep_journal(u);
	if (!err)
		err = keep_steps(u);
	return err ? err : take_names(u);
}

static void end(struct ck_undo *u, bool remove)
{
	for (unsigned i = 0; i < NR_FILES; i++)
		undo_file_end(&u->files[i], remove);
	free(u->super);
	for (size_t i = 0; i < u->nr_journal; i++)
		free(u->journal[i].bytes);
	free(u->journal);
	u->ck->undo_files = NULL;
	free(u);
}

static bool begin_run(struct ck *ck)
{
	struct ck_undo *u = calloc(1, sizeof(*u));

	if (!u) {
		session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
		return false;
	}
	u->ck = ck;
	u->keeper = (struct e2lazy_keeper){
		.keep = keep, .kept = kept, .priv = u,
	};
	if (!ck_could_undo(ck) || !begin(u, FILE_ALL)) {
		end(u, true);
		return false;
	}
	ck->undo_files = u;
	return true;
}

static bool begin_stage(struct ck_undo *u)
{
	struct undo_file *next = &u->files[FILE_NEXT];
	errcode_t err;

	if (!ck_could_undo(u->ck) || !begin(u, FILE_NEXT))
		return false;
	err = undo_file_continue(next, &u->files[FILE_ALL]);
	if (err)
		fail(u, FILE_NEXT, err);
	return !err;
}

bool ck_begin_undo(struct ck *ck, const struct e2lazy_keeper **keeper)
{
	bool begun = ck->undo_files ? begin_stage(ck->undo_files) :
				      begin_run(ck);

	if (begun)
		*keeper = &ck->undo_files->keeper;
	else if (ck->undo_files)
		undo_file_end(&ck->undo_files->files[FILE_NEXT], true);
	return begun;
}

/* ----------------------------------------------------- when it is done */

/* They are useless after a stage. */
static void drop_steps(struct ck_undo *u)
{
	for (unsigned i = FILE_HOME; i < NR_FILES; i++)
		undo_file_end(&u->files[i], true);
}

static bool is_usable(struct ck_undo *u, bool sealed)
{
	errcode_t err = still_there(u);

	if (!err && sealed && u->states.in_use) {
		err = undo_file_switch(&u->files[FILE_ALL], u->states.end);
		if (!err)
			drop_steps(u);
		else
			fail(u, FILE_ALL, err);
	}
	return !err;
}

void ck_end_undo(struct ck *ck, const struct e2lazy_checkpoint_done *done)
{
	struct ck_undo *u = ck->undo_files;

	if (!done->begun)
		drop_steps(u);
	u->begun |= done->begun;
	ck->undoable = u->begun && is_usable(u, done->begun && done->sealed);
	if (u->begun && !ck->undoable)
		complain(ck->undo, _("the undo file is unusable"));
	if (!u->begun)
		end(u, true);
}

static void tell_one(struct out *out, const char *file, const char *device)
{
	out_text(out, _("To undo it: e2undo "));
	out_file_word(out, file);
	out_char(out, ' ');
	out_file_word(out, device);
	out_char(out, '\n');
}

void ck_tell_undo(struct ck *ck)
{
	struct session *s = ck->s;

	ck->undo_told = true;
	tell_one(&s->print.out, ck->undo, s->device);
	if (ck->undo_journal)
		tell_one(&s->print.out, ck->undo_journal,
			 s->log->geo->journal_device);
}

/* A document of a later stage has them already. */
static void tell_at_the_end(struct ck *ck)
{
	struct json *json = &ck->s->print.json;

	if (ck->undo_told || ck->told_done)
		return;
	if (!ck->s->print.json_wanted) {
		ck_tell_undo(ck);
		return;
	}
	json_string(json, "undo", ck->undo);
	json_string(json, "undo_journal", ck->undo_journal);
}

void ck_close_undo(struct ck *ck)
{
	if (ck->undoable)
		tell_at_the_end(ck);
	if (ck->undo_files)
		end(ck->undo_files, false);
}
