/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* file_kind.c - whose is a file, by its first bytes */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "file_kind.h"

#define MOST_BEGINS	64

static bool is_the_same(int fd, const struct stat *st)
{
	struct stat is;

	return !fstat(fd, &is) && is.st_dev == st->st_dev &&
	       is.st_ino == st->st_ino;
}

/* Not by its size: the kernel's own files have none. */
static enum file_kind kind_of(int fd, const char *begins)
{
	size_t length = strlen(begins);
	char head[MOST_BEGINS];
	ssize_t n = length <= sizeof(head) ? read(fd, head, length) : -1;

	if (!n)
		return FILE_EMPTY;
	return n == (ssize_t)length && !memcmp(head, begins, length) ?
		       FILE_OF_OURS : FILE_OF_ANOTHER;
}

/* A file that is open for writing need not be readable by that descriptor. */
enum file_kind file_kind(int dir, const char *path, const struct stat *st,
			 const char *begins)
{
	enum file_kind kind = FILE_OF_ANOTHER;
	int fd;

	if (!S_ISREG(st->st_mode))
		return FILE_OF_ANOTHER;
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return FILE_OF_ANOTHER;
	if (is_the_same(fd, st))
		kind = kind_of(fd, begins);
	close(fd);
	return kind;
}
