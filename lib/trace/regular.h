/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* regular.h - open a file that is to be a trace, or the result of a simulation */
#ifndef E2LAZY_TRACE_REGULAR_H
#define E2LAZY_TRACE_REGULAR_H

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "e2lazy_trace.h"

/*
 * Open the regular file @path; its bytes go to @size.  Any other file is not a
 * trace: readers seek, and look at the first bytes more than once.  Without
 * O_NONBLOCK a FIFO would wait for a writer.  *@fd is -1 on failure.
 */
static inline errcode_t open_regular(const char *path, int *fd, uint64_t *size)
{
	errcode_t err = E2LAZY_ET_TRACE_MAGIC;
	struct stat st;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return errno;
	if (fstat(*fd, &st)) {
		err = errno;
	} else if (S_ISREG(st.st_mode)) {
		*size = (uint64_t)st.st_size;
		return 0;
	} else if (S_ISDIR(st.st_mode)) {
		err = EISDIR;
	}
	close(*fd);
	*fd = -1;
	return err;
}

#endif
