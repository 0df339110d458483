/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cow.c - what the overlay of a device holds
 *
 * nbdkit's filter cow keeps it in a sparse file without a name, each block at its
 * place on the device.  /proc has the file among nbdkit's descriptors.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/grow.h"
#include "io/halve.h"
#include "cow.h"

#define PATH_TEXT	64

static long server_pid(const struct view *v, unsigned i)
{
	char *name = view_ready_file(v, "nbdkit", i);
	FILE *f = name ? fopen(name, "re") : NULL;
	long pid = 0;

	free(name);
	if (!f)
		return 0;
	if (fscanf(f, "%ld", &pid) != 1)
		pid = 0;
	fclose(f);
	return pid;
}

/* A regular file without a name, or -1. */
static int open_nameless(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_nlink)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool cow_open(struct cow *o, const struct view *v, unsigned i)
{
	char path[PATH_TEXT + NAME_MAX];
	int length = snprintf(path, PATH_TEXT, "/proc/%ld/fd/",
			      server_pid(v, i));
	DIR *dir = opendir(path);
	struct dirent *entry;

	*o = (struct cow){ .fd = -1 };
	while (dir && o->fd < 0 && (entry = readdir(dir))) {
		snprintf(path + length, sizeof(path) - (size_t)length, "%s",
			 entry->d_name);
		o->fd = open_nameless(path);
	}
	if (dir)
		closedir(dir);
	return o->fd >= 0;
}

void cow_close(struct cow *o)
{
	if (o->fd >= 0)
		close(o->fd);
	free(o->pieces);
}

uint64_t cow_bytes(const struct cow *o)
{
	struct stat st;

	return o->fd < 0 || fstat(o->fd, &st) ? 0 :
	       (uint64_t)st.st_blocks * 512;
}

static bool add(struct cow *o, off_t first, off_t end)
{
	struct cow_piece *at = grow(o->pieces, o->count, &o->room,
					sizeof(*at));

	if (!at)
		return false;
	o->pieces = at;
	at[o->count++] = (struct cow_piece){ (uint64_t)first,
						 (uint64_t)end };
	return true;
}

bool cow_find(struct cow *o)
{
	off_t first = 0, end;

	for (;;) {
		first = lseek(o->fd, first, SEEK_DATA);
		if (first < 0)
			return errno == ENXIO;
		end = lseek(o->fd, first, SEEK_HOLE);
		if (end < 0 || !add(o, first, end))
			return false;
		first = end;
	}
}

bool cow_has(const struct cow *o, uint64_t at, uint64_t count)
{
	struct halving h = { .high = o->count };

	while (halve(&h))
		halved(&h, o->pieces[h.mid].end <= at);
	return h.low < o->count && o->pieces[h.low].first < at + count;
}
