/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.c - the view as a device-mapper table
 *
 * Lines are contiguous, and each is as long as possible.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/text.h"
#include "view.h"

#define SECTOR	512

/* @count sectors from @start on map to @device from @from on. */
struct line {
	uint64_t	start, count;
	const char	*device;	/* NULL: reading them is an error */
	uint64_t	from;
};

struct table {
	struct session	*s;
	char		*device;	/* absolute, as the next two */
	char		*journal;	/* NULL: the log is on @device */
	char		*patch;		/* file of the other blocks */
	int		patch_fd;	/* -1: it is not written */
	uint64_t	patched;	/* its length in bytes */
	void		*block;
	struct line	line;		/* not printed yet; may grow */
};

/* --------------------------------------------------------------- lines */

/*
 * The kernel ends a name at a space, and takes 0xa0, a part of many UTF-8
 * characters, for a space; a backslash prevents both.
 */
static void print_device(struct out *out, const char *name)
{
	for (; *name; name++) {
		if (strchr(" \t\\\xa0", *name))
			out_char(out, '\\');
		out_char(out, *name);
	}
}

static void print_line(struct table *t)
{
	struct out *out = &t->s->print.out;

	if (!t->line.count)
		return;
	out_format(out, "%llu %llu ", (unsigned long long)t->line.start,
		   (unsigned long long)t->line.count);
	if (!t->line.device) {
		out_text(out, "error\n");
		return;
	}
	out_text(out, "linear ");
	print_device(out, t->line.device);
	out_format(out, " %llu\n", (unsigned long long)t->line.from);
}

/* Add the next @count sectors. */
static void add_sectors(struct table *t, uint64_t count, const char *device,
			uint64_t from)
{
	struct line *line = &t->line;

	if (line->count && line->device == device &&
	    (!device || from == line->from + line->count)) {
		line->count += count;
		return;
	}
	print_line(t);
	line->start += line->count;
	line->count = count;
	line->device = device;
	line->from = from;
}

/* Add sectors of the file system's device, @from the file system's start. */
static void add_in_place(struct table *t, uint64_t count, uint64_t from)
{
	const struct e2lazy_device *device =
		e2lazy_device(t->s->log->journal, E2LAZY_FILE_SYSTEM);

	add_sectors(t, count, t->device, device->offset / SECTOR + from);
}

/* --------------------------------------------------------------- pieces */

static bool write_patch(struct table *t, blk64_t fsblk)
{
	unsigned bytes = t->s->log->geo->blocksize;
	struct e2lazy_where where;
	errcode_t err;
	ssize_t n;

	if (t->patch_fd < 0)
		return true;
	err = e2lazy_view_read(opened_what_is_shown(t->s->log), E2LAZY_FILE_SYSTEM,
			       fsblk * bytes,
			       bytes, t->block, &where);
	if (err) {
		session_fail(t->s, err, &where);
		return false;
	}
	n = pwrite(t->patch_fd, t->block, bytes, (off_t)t->patched);
	if (n == (ssize_t)bytes)
		return true;
	complain_error(t->patch, n < 0 ? errno : ENOSPC);
	t->s->status |= FSCK_ERROR;
	return false;
}

/* Is it a copy with changed bytes, or the merged superblock, which is not
   stored? */
static bool add_patched(struct table *t, const struct e2lazy_piece *piece)
{
	unsigned bytes = t->s->log->geo->blocksize;

	for (blk64_t i = 0; i < piece->count; i++) {
		if (!write_patch(t, piece->fsblk + i))
			return false;
		add_sectors(t, bytes / SECTOR, t->patch, t->patched / SECTOR);
		t->patched += bytes;
	}
	return true;
}

static bool add_piece(struct table *t, const struct e2lazy_piece *piece)
{
	unsigned sectors = t->s->log->geo->blocksize / SECTOR;
	bool in_log = piece->source == E2LAZY_IN_LOG;

	if (piece->source == E2LAZY_LOST ||
	    (in_log && piece->flags & E2LAZY_COPY_BAD))
		add_sectors(t, piece->count * sectors, NULL, 0);
	else if (piece->source == E2LAZY_MADE_UP ||
		 (in_log && piece->flags & E2LAZY_COPY_ESCAPED))
		return add_patched(t, piece);
	else if (in_log && t->journal)
		add_sectors(t, piece->count * sectors, t->journal,
			    piece->physblk * sectors);
	else if (in_log)
		add_in_place(t, piece->count * sectors,
			     piece->physblk * sectors);
	else
		add_in_place(t, piece->count * sectors, piece->fsblk * sectors);
	return true;
}

static bool print_table(struct table *t)
{
	uint64_t bytes = e2lazy_view_size(opened_what_is_shown(t->s->log), E2LAZY_FILE_SYSTEM);
	unsigned blocksize = t->s->log->geo->blocksize;
	blk64_t blocks = bytes / blocksize, fsblk = 0;
	uint64_t rest = bytes % blocksize / SECTOR;
	struct e2lazy_piece piece;

	for (; fsblk < blocks; fsblk += piece.count) {
		e2lazy_view_piece(opened_what_is_shown(t->s->log), fsblk, blocks - fsblk,
				  &piece);
		if (cancelled() || t->s->print.out.error ||
		    !add_piece(t, &piece))
			return false;
	}
	/* A device may end within a block. */
	if (rest)
		add_in_place(t, rest, blocks * (blocksize / SECTOR));
	print_line(t);
	return !out_flush(&t->s->print.out);	/* session_end() says why */
}

/* ---------------------------------------------------------------- table */

/*
 * A name must be one word of one line, and printing it must not control the
 * terminal, not even with a C1 byte.
 */
static bool is_word(const char *path)
{
	const char *end = path + strlen(path);
	uint32_t code;
	size_t n;

	for (; path < end; path += n ? n : 1) {
		n = utf8_read(path, end - path, &code);
		if (text_steers(code) && *path != '\t')
			return false;
	}
	return true;
}

/* @path is the path of @name, or NULL with errno. */
static bool is_usable(struct table *t, const char *name, const char *path)
{
	if (!path)
		complain_error(name, errno);
	else if (!is_word(path))
		complain(path, _("a table cannot hold a name with a control "
				 "character"));
	else
		return true;
	t->s->status |= FSCK_ERROR;
	return false;
}

/* The table is usually loaded from another directory. */
static bool choose_names(struct table *t, const char *patch)
{
	const struct e2lazy_geometry *geo = t->s->log->geo;

	t->device = realpath(t->s->device, NULL);
	if (!is_usable(t, t->s->device, t->device))
		return false;
	if (geo->external) {
		t->journal = realpath(geo->journal_device, NULL);
		if (!is_usable(t, geo->journal_device, t->journal))
			return false;
	}
	/* Without a file, the user replaces the word. */
	t->patch = patch ? view_new_path(patch) : strdup("PATCH");
	if (patch && !t->patch) {
		t->s->status |= FSCK_ERROR;
		return false;
	}
	return is_usable(t, patch ? patch : "PATCH", t->patch);
}

static bool open_patch(struct table *t, bool wanted)
{
	t->block = malloc(t->s->log->geo->blocksize);
	if (t->block && wanted)
		t->patch_fd = open(t->patch, O_WRONLY | O_CREAT | O_EXCL |
				   O_CLOEXEC, 0600);
	if (t->block && (!wanted || t->patch_fd >= 0))
		return true;
	complain_error(t->patch, t->block ? errno : ENOMEM);
	t->s->status |= FSCK_ERROR;
	return false;
}

/* An incomplete file is worse than none. */
static void close_patch(struct table *t, bool ok)
{
	if (t->patch_fd < 0)
		return;
	if (ok && fsync(t->patch_fd)) {
		complain_error(t->patch, errno);
		t->s->status |= FSCK_ERROR;
		ok = false;
	}
	close(t->patch_fd);
	if (!ok)
		unlink(t->patch);
}

void view_table(struct view *v)
{
	struct table t = { .s = v->s, .patch_fd = -1 };

	if (choose_names(&t, v->patch) && open_patch(&t, v->patch != NULL))
		close_patch(&t, print_table(&t));
	free(t.block);
	free(t.patch);
	free(t.journal);
	free(t.device);
}
