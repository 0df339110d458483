/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ck_undo.c - what is overwritten, kept for e2undo
 *
 * A file of its takes one device.  A journal on another has a second one: to
 * undo only one of the two would lose the log, so both have to be there.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "ck.h"
#include "support/nls.h"
#include "support/status.h"

static bool refuse_undo(struct ck *ck, const char *file, const char *why)
{
	complain(file, "%s", why);
	ck->s->status |= FSCK_ERROR;
	return false;
}

static bool is_new(struct ck *ck, const char *file)
{
	if (!access(file, F_OK))
		return refuse_undo(ck, file, strerror(EEXIST));
	return errno == ENOENT || refuse_undo(ck, file, strerror(errno));
}

bool ck_may_undo(struct ck *ck)
{
	if (!ck->undo)
		return true;
	if (ck->s->geo->external &&
	    asprintf(&ck->undo_journal, "%s.journal", ck->undo) < 0) {
		ck->undo_journal = NULL;
		session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
		return false;
	}
	return is_new(ck, ck->undo) &&
	       (!ck->undo_journal || is_new(ck, ck->undo_journal));
}

/* ------------------------------------------------------- the manager */

/* libext2fs opens by name alone, and has one file for all until then. */
static const struct ck *undoing;
static struct struct_io_manager undo_each;

static errcode_t open_with_its_file(const char *name, int flags,
				    io_channel *channel)
{
	bool journal = undoing->undo_journal &&
		       !strcmp(name, undoing->s->geo->journal_device);
	errcode_t err;

	err = set_undo_io_backup_file((char *)(journal ?
					       undoing->undo_journal :
					       undoing->undo));
	return err ? err : undo_io_manager->open(name, flags, channel);
}

static void drop(struct ck *ck)
{
	unlink(ck->undo);
	if (ck->undo_journal)
		unlink(ck->undo_journal);
}

/*
 * libext2fs writes it behind its own cache, and hears that there is no room
 * when the blocks are overwritten already.  Its index has 16 bytes a block; a
 * file system may keep 4 for each KiB of a file.  What an external journal's
 * takes is among the few blocks more.
 */
static bool has_room(struct ck *ck, const char *file, const char *place)
{
	uint64_t needed = (e2lazy_jmap_count(ck->s->map) + 16) *
			  (ck->s->geo->blocksize + 32);
	char text[SIZE_TEXT];
	struct statvfs fs;

	needed += needed / 256;
	if (statvfs(place, &fs) || fs.f_bavail >= needed / fs.f_frsize + 1)
		return true;
	size_text(text, needed);
	complain(file, _("it may need %s, which its file system has not"),
		 text);
	ck->s->status |= FSCK_ERROR;
	return false;
}

/* libext2fs goes on with an empty one, and falls over where it cannot make
   it. */
static bool make(struct ck *ck, const char *file)
{
	int fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return refuse_undo(ck, file, strerror(errno));
	close(fd);
	return true;
}

/* Where it would be made, for a plan. */
bool ck_could_undo(struct ck *ck)
{
	char *path = ck->undo ? strdup(ck->undo) : NULL, *place;
	bool good;

	if (!path)
		return true;
	place = dirname(path);
	if (access(place, W_OK | X_OK))
		good = refuse_undo(ck, ck->undo, strerror(errno));
	else
		good = has_room(ck, ck->undo, place);
	free(path);
	return good;
}

bool ck_begin_undo(struct ck *ck, io_manager *manager)
{
	errcode_t err = set_undo_io_backing_manager(unix_io_manager);

	if (err) {
		session_fail(ck->s, err, NULL);
		return false;
	}
	if (!make(ck, ck->undo))
		return false;
	if (ck->undo_journal && !make(ck, ck->undo_journal)) {
		unlink(ck->undo);
		return false;
	}
	if (!has_room(ck, ck->undo, ck->undo)) {
		drop(ck);
		return false;
	}
	undoing = ck;
	undo_each = *undo_io_manager;
	undo_each.open = open_with_its_file;
	*manager = &undo_each;
	return true;
}

/* ----------------------------------------------------- when it is done */

/* The file's head is written last, and says so. */
#define UNDO_MAGIC	"E2UNDO02"
#define UNDO_STATE	44		/* where it stands, in 32 bits */
#define UNDO_FINISHED	1

static errcode_t check_head(int fd)
{
	uint8_t head[UNDO_STATE + 4];
	ssize_t got = pread(fd, head, sizeof(head), 0);

	if (got < 0)
		return errno;
	if (got < (ssize_t)sizeof(head))
		return EXT2_ET_SHORT_READ;
	if (memcmp(head, UNDO_MAGIC, strlen(UNDO_MAGIC)) ||
	    !(head[UNDO_STATE] & UNDO_FINISHED))
		return EXT2_ET_UNDO_FILE_CORRUPT;
	return 0;
}

static bool is_usable(struct ck *ck, const char *file, errcode_t error)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		error = errno;
	} else {
		if (!error && fsync(fd))
			error = errno;
		if (!error)
			error = check_head(fd);
		close(fd);
	}
	if (!error)
		return true;
	complain(file, _("the undo file is not usable: %s"),
		 error_message(error));
	ck->s->status |= FSCK_ERROR;
	return false;
}

void ck_end_undo(struct ck *ck, bool begun, errcode_t error)
{
	if (!begun) {
		drop(ck);
		return;
	}
	ck->undoable = is_usable(ck, ck->undo, error);
	if (ck->undo_journal && !is_usable(ck, ck->undo_journal, 0))
		ck->undoable = false;
}

static void tell_one(struct out *out, const char *file, const char *device)
{
	out_text(out, _("To undo it: e2undo "));
	out_printable(out, file, ' ');
	out_char(out, ' ');
	out_printable(out, device, ' ');
	out_char(out, '\n');
}

void ck_tell_undo(struct ck *ck)
{
	struct session *s = ck->s;

	tell_one(&s->out, ck->undo, s->device);
	if (ck->undo_journal)
		tell_one(&s->out, ck->undo_journal, s->geo->journal_device);
}
