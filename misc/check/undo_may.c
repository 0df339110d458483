/* SPDX-License-Identifier: GPL-2.0-only */
/* undo_may.c - may undo files be made, and is there room for them? */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "io/file_kind.h"
#include "support/nls.h"
#include "support/status.h"
#include "undo.h"

static const char *const suffixes[NR_FILES] = {
	[FILE_ALL] = "", [FILE_JOURNAL] = ".journal", [FILE_HOME] = ".home",
	[FILE_END] = ".end", [FILE_NEXT] = ".next",
	[FILE_JOURNAL_NEXT] = ".journal.next",
};

bool undo_refuse(struct ck *ck)
{
	ck->s->status |= FSCK_ERROR;
	return false;
}

char *undo_name(const struct ck *ck, unsigned number)
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
	    file_kind(AT_FDCWD, file, &st, UNDO_MAGIC) == FILE_OF_OURS)
		complain(file, _("%s: it is of an earlier run; if that was "
				 "undone, remove the file, else undo it or "
				 "name another file"), strerror(error));
	else
		complain_error(file, error);
	return false;
}

static bool may_make(const char *file)
{
	char *directory = undo_directory(file);
	bool good = directory && is_new(file);

	if (good && access(directory, W_OK | X_OK)) {
		complain_error(file, errno);
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

		if (undo_is_of_journal(i) && !ck->s->log->geo->external)
			continue;
		name = undo_name(ck, i);
		good = name && may_make(name);
		if (!name)
			session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
		if (good && i == FILE_JOURNAL)
			ck->undo_journal = name;
		else
			free(name);
		if (!good) {
			ck->undo = NULL;	/* a plan only warns */
			return undo_refuse(ck);
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
	if (ck->undo_files)
		needed += undo_file_bytes(&ck->undo_files->files[FILE_ALL]);
	if (statvfs(place, &fs) || fs.f_bavail >= needed / fs.f_frsize + 1)
		return true;
	size_text(text, needed);
	complain(ck->undo, _("it may need %s, but its file system has less "
			     "free space"),
		 text);
	return undo_refuse(ck);
}

bool ck_could_undo(struct ck *ck)
{
	char *directory = ck->undo ? undo_directory(ck->undo) : NULL;
	bool good = !directory || has_room(ck, directory);

	free(directory);
	return good;
}
