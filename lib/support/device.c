/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * device.c - from the user's name of a device to an open journal
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <blkid/blkid.h>

#include "device.h"
#include "foreign.h"
#include "nls.h"
#include "status.h"

/* The superblock of a file system ends here, whatever its block size. */
#define SUPERBLOCK_END	(SUPERBLOCK_OFFSET + SUPERBLOCK_SIZE)

/*
 * Opening a fifo would wait for a writer, and reading a directory or a short
 * file would give a message about short reads: name the kind of file instead.
 */
static bool holds_blocks(const char *path, uint64_t offset)
{
	struct stat st;

	if (stat(path, &st)) {
		complain_error(path, errno);
		return false;
	}
	if (S_ISREG(st.st_mode) && st.st_size == 0) {
		complain(path, _("the file is empty"));
		return false;
	}
	if (S_ISREG(st.st_mode) && (uint64_t)st.st_size < offset) {
		complain(path, _("--offset %llu is beyond the end of the file"),
			 (unsigned long long)offset);
		return false;
	}
	if (S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size - offset < SUPERBLOCK_END) {
		if (!foreign_complain(path, offset))
			complain(path, _("the file is too small to hold a file "
					 "system"));
		return false;
	}
	if (S_ISDIR(st.st_mode)) {
		complain_error(path, EISDIR);
		return false;
	}
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode)) {
		complain(path, _("neither a block device nor a file"));
		return false;
	}
	return true;
}

/*
 * Search for a tag on all block devices.  A clone carries its original's tags,
 * and only the user knows which of the two is meant.
 */
static char *find_tagged(const char *name, bool alone)
{
	char **paths = e2lazy_tagged_devices(name), *path = NULL;

	if (!paths)
		complain_error(name, ENOMEM);
	else if (!paths[0])
		complain(name, _("no block device has this UUID or label"));
	else if (paths[1])
		complain(name, alone ? _("both %s and %s have it; name the "
					 "device itself")
				     : _("both %s and %s have it; using the "
					 "first one"), paths[0], paths[1]);
	if (paths && paths[0] && !(paths[1] && alone)) {
		path = strdup(paths[0]);
		if (!path)
			complain_error(name, ENOMEM);
	}
	e2lazy_free_paths(paths);
	return path;
}

static bool is_tag(const char *name)
{
	return !strncmp(name, "UUID=", 5) || !strncmp(name, "LABEL=", 6);
}

char *device_resolve(const char *name, uint64_t offset, bool alone)
{
	char *path = is_tag(name) ? find_tagged(name, alone) : strdup(name);

	if (!path && !is_tag(name))
		complain_error(name, ENOMEM);
	if (path && !holds_blocks(path, offset)) {
		free(path);
		return NULL;
	}
	return path;
}

errcode_t device_open(const char *device, const struct e2lazy_open_opts *opts,
		      struct e2lazy_journal **journal,
		      struct e2lazy_where *where)
{
	struct e2lazy_open_opts named = { 0 };
	char name[E2LAZY_PATH_MAX];
	struct e2lazy_where unused;
	errcode_t err;

	if (opts)
		named = *opts;
	if (!named.journal_name)
		named.journal_name = name;
	if (!where)
		where = &unused;
	err = e2lazy_open(device, &named, journal, where);
	if (err == EXT2_ET_BAD_MAGIC && !(opts && opts->superblock) &&
	    foreign_complain(device, opts ? opts->offset : 0))
		complaint_is(err, NULL);
	else if (err)
		device_complain(where->volume == E2LAZY_JOURNAL ?
				named.journal_name : device, where, err, 0);
	return err;
}

bool device_is_mounted(const char *device)
{
	int flags = 0;

	return !ext2fs_check_if_mounted(device, &flags) &&
	       (flags & EXT2_MF_MOUNTED);
}

bool device_is_held(dev_t number, char holder[HOLDER_NAME])
{
	char path[64];
	struct dirent *entry;
	DIR *holders;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/holders",
		 major(number), minor(number));
	holders = opendir(path);
	if (!holders)
		return false;	/* O_EXCL has the last word */
	do
		entry = readdir(holders);
	while (entry && entry->d_name[0] == '.');
	if (entry)
		snprintf(holder, HOLDER_NAME, "%s", entry->d_name);
	closedir(holders);
	return entry != NULL;
}

/* Append to the list of places in @text, which always has room. */
static void append(char *text, size_t size, const char *format,
		   unsigned long long number)
{
	size_t used = strlen(text);

	if (used) {
		snprintf(text + used, size - used, ", ");
		used = strlen(text);
	}
	snprintf(text + used, size - used, format, number);
}

void device_value(char text[VALUE_TEXT], const struct e2lazy_where *where)
{
	*text = '\0';
	if (where->has & E2LAZY_AT_VALUE)
		snprintf(text, VALUE_TEXT, _(": it says %u (0x%x)"),
			 where->value, where->value);
}

const char *error_text(errcode_t error)
{
	static const struct {
		errcode_t	error;
		int		number;
	} paths[] = {
		{ EXT2_ET_FILE_NOT_FOUND, ENOENT },
		{ EXT2_ET_NO_DIRECTORY, ENOTDIR },
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (paths[i].error == error)
			return strerror(paths[i].number);
	return _(error_message(error));
}

/* What the programs have for it, which the library does not know. */
static const char *way_out(errcode_t error)
{
	switch (error) {
	case E2LAZY_ET_IS_JOURNAL_DEV:
		return _("; name the file system and give this device with "
			 "--journal");
	case E2LAZY_ET_EXT_UNKNOWN:
		return _("; name it with --journal");
	case E2LAZY_ET_EXT_SEVERAL:
		return _("; name the right one with --journal");
	}
	return "";
}

void device_explain(char text[DEVICE_TEXT], const struct e2lazy_where *where,
		    errcode_t error, uint64_t more)
{
	char place[256] = "", rest[64] = "", said[VALUE_TEXT] = "";

	if (where && where->has & E2LAZY_AT_LOGBLK)
		append(place, sizeof(place), _("log block %llu"),
		       where->logblk);
	if (where && where->has & E2LAZY_AT_TID)
		append(place, sizeof(place), _("transaction %llu"), where->tid);
	if (where && where->has & E2LAZY_AT_FSBLK)
		append(place, sizeof(place), _("block %llu"), where->fsblk);
	if (where)
		device_value(said, where);
	if (more)
		snprintf(rest, sizeof(rest), _(" (and %llu more)"),
			 (unsigned long long)more);
	snprintf(text, DEVICE_TEXT, "%s%s%s%s%s%s", place, *place ? ": " : "",
		 error_text(error), way_out(error), said, rest);
}

void device_complain(const char *device, const struct e2lazy_where *where,
		     errcode_t error, uint64_t more)
{
	char text[DEVICE_TEXT];

	device_explain(text, where, error, more);
	complain(device, "%s", text);
	complaint_is(error, where);
}
