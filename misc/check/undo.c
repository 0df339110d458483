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
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "ck.h"
#include "undo_file.h"
#include "io/file_kind.h"
#include "support/nls.h"
#include "support/status.h"

enum { FILE_ALL, FILE_JOURNAL, FILE_HOME, FILE_END, NR_FILES };

static const char *const suffixes[NR_FILES] = {
	[FILE_ALL] = "", [FILE_JOURNAL] = ".journal", [FILE_HOME] = ".home",
	[FILE_END] = ".end",
};

struct old_block {
	blk64_t		block;
	uint8_t		*bytes;
};

/* Of an external journal: its superblock, and the begin of fast commits. */
#define MOST_JOURNAL	2

struct ck_undo {
	struct ck	*ck;
	struct e2lazy_keeper keeper;
	struct undo_file files[NR_FILES];
	struct e2lazy_super_states states;
	bool		kept;		/* a block of the file system */
	uint8_t		*super;		/* the superblock's block */
	struct old_block journal[MOST_JOURNAL];
	unsigned	nr_journal;
};

static bool refuse(struct ck *ck)
{
	ck->s->status |= FSCK_ERROR;
	return false;
}

/* ------------------------------------------------------------ beforehand */

static char *name_of(const struct ck *ck, unsigned number)
{
	char *path;

	return asprintf(&path, "%s%s", ck->undo, suffixes[number]) < 0 ?
		       NULL : path;
}

static bool is_new(const char *file)
{
	struct stat st;
	int error = lstat(file, &st) ? errno : EEXIST;

	if (error == ENOENT)
		return true;
	if (error == EEXIST &&
	    file_kind(file, &st, UNDO_MAGIC) == FILE_OF_OURS)
		complain(file, _("%s: it is of an earlier run; if that was "
				 "undone, remove the file, else undo it or "
				 "name another file"), strerror(error));
	else
		complain(file, "%s", strerror(error));
	return false;
}

static bool may_make(const char *file)
{
	char *directory = undo_directory(file);
	bool good = directory && is_new(file);

	if (good && access(directory, W_OK | X_OK)) {
		complain(file, "%s", strerror(errno));
		good = false;
	}
	free(directory);
	return good;
}

/* One file of e2undo at a time, and the log's can be large. */
static bool is_one_device(struct ck *ck)
{
	if (!ck->s->log->geo->external || (!ck->forward && !ck->compact))
		return true;
	session_complain(ck->s, FSCK_ERROR,
			 _("-z cannot save the blocks of an external journal, "
			   "which --forward and --compact write"));
	ck->undo = NULL;
	return false;
}

bool ck_may_undo(struct ck *ck)
{
	if (!ck->undo)
		return true;
	if (!is_one_device(ck))
		return false;
	for (unsigned i = 0; i < NR_FILES; i++) {
		char *name;
		bool good;

		if (i == FILE_JOURNAL && !ck->s->log->geo->external)
			continue;
		name = name_of(ck, i);
		good = name && may_make(name);
		if (!name)
			session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
		if (good && i == FILE_JOURNAL)
			ck->undo_journal = name;
		else
			free(name);
		if (!good) {
			ck->undo = NULL;	/* a plan only warns */
			return refuse(ck);
		}
	}
	return true;
}

/*
 * The index has 16 bytes per block; the file system may keep 4 per KiB.  The
 * other files are covered by the extra blocks.
 */
static bool has_room(struct ck *ck, const char *place)
{
	uint64_t blocks = ck->undo_blocks ? ck->undo_blocks :
			  e2lazy_jmap_count(ck->s->log->map);
	uint64_t needed = (blocks + 24) * (ck->s->log->geo->blocksize + 32);
	char text[SIZE_TEXT];
	struct statvfs fs;

	needed += needed / 256;
	if (statvfs(place, &fs) || fs.f_bavail >= needed / fs.f_frsize + 1)
		return true;
	size_text(text, needed);
	complain(ck->undo, _("it may need %s, but its file system has less "
			     "free space"),
		 text);
	return refuse(ck);
}

bool ck_could_undo(struct ck *ck)
{
	char *directory = ck->undo ? undo_directory(ck->undo) : NULL;
	bool good = !directory || has_room(ck, directory);

	free(directory);
	return good;
}

/* --------------------------------------------------------------- keeping */

static errcode_t fail(struct ck_undo *u, unsigned number, errcode_t err)
{
	progress_hide(&u->ck->s->print.progress);
	complain(u->files[number].path, "%s", error_message(err));
	u->ck->undo_failed = true;
	refuse(u->ck);
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

static errcode_t remember_journal(struct ck_undo *u,
				  const struct e2lazy_kept_run *run)
{
	struct old_block *old = &u->journal[u->nr_journal];
	errcode_t err;

	if (u->nr_journal == MOST_JOURNAL || run->count != 1)
		return EXT2_ET_INVALID_ARGUMENT;
	old->block = run->block;
	err = remember(u, run->bytes, &old->bytes);
	u->nr_journal += !err;
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
	err = undo_file_add(&u->files[FILE_ALL], run->block, run->count,
			    run->bytes);
	return err ? fail(u, FILE_ALL, err) : 0;
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
						     fsblk * size)) == size ?
	      undo_file_add(&u->files[FILE_ALL], fsblk, 1, block) :
	      EXT2_ET_SHORT_READ;
	free(block);
	return err;
}

static bool begin(struct ck_undo *u, unsigned number)
{
	const struct e2lazy_journal *j = u->ck->s->log->journal;
	const struct e2lazy_device *device =
		e2lazy_device(j, number == FILE_JOURNAL ? E2LAZY_JOURNAL :
							  E2LAZY_FILE_SYSTEM);

	return undo_file_begin(&u->files[number], name_of(u->ck, number),
			       u->ck->s->log->geo->blocksize, device->fd,
			       device->offset) ||
	       refuse(u->ck);
}

/* A file of some blocks, for the time when the superblock is @from. */
static errcode_t keep_blocks(struct ck_undo *u, unsigned number,
			     const struct old_block *old, unsigned count,
			     const uint8_t from[UNDO_SUPER])
{
	errcode_t err = 0;

	if (!begin(u, number)) {
		u->ck->undo_failed = true;
		return EIO;
	}
	for (unsigned i = 0; !err && i < count; i++)
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
	return keep_blocks(u, FILE_JOURNAL, u->journal, u->nr_journal, super);
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
		refuse(u->ck);
		return E2LAZY_ET_CHANGED;
	}
	return 0;
}

/* From here on the run can be undone. */
static errcode_t kept(void *priv, const struct e2lazy_super_states *states)
{
	struct ck_undo *u = priv;
	errcode_t err;

	u->states = *states;
	err = keep_some_block(u);
	if (!err)
		err = undo_file_finish(&u->files[FILE_ALL], states->in_use ?
				       states->copying : states->end);
	if (err)
		return fail(u, FILE_ALL, err);
	err = keep_journal(u);
	if (!err)
		err = keep_steps(u);
	return err ? err : still_there(u);
}

static void end(struct ck_undo *u, bool remove)
{
	for (unsigned i = 0; i < NR_FILES; i++)
		undo_file_end(&u->files[i], remove);
	free(u->super);
	for (unsigned i = 0; i < u->nr_journal; i++)
		free(u->journal[i].bytes);
	free(u);
}

bool ck_begin_undo(struct ck *ck, const struct e2lazy_keeper **keeper)
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
	*keeper = &u->keeper;
	return true;
}

/* ----------------------------------------------------- when it is done */

/* The two files are useless now. */
static void drop_steps(struct ck_undo *u)
{
	undo_file_end(&u->files[FILE_HOME], true);
	undo_file_end(&u->files[FILE_END], true);
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

	ck->undoable = done->begun && is_usable(u, done->sealed);
	if (done->begun && !ck->undoable)
		complain(ck->undo, _("the undo file is unusable"));
	end(u, !done->begun);
	ck->undo_files = NULL;
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

	tell_one(&s->print.out, ck->undo, s->device);
	if (ck->undo_journal)
		tell_one(&s->print.out, ck->undo_journal,
			 s->log->geo->journal_device);
}
