/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * standard.c - standard input, output and error are there
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "standard.h"
#include "status.h"

bool standard_files(void)
{
	/* The other way round: using them fails as if they were closed. */
	static const int access[] = {
		[STDIN_FILENO] = O_WRONLY,
		[STDOUT_FILENO] = O_RDONLY,
		[STDERR_FILENO] = O_RDONLY,
	};
	int fds = sizeof(access) / sizeof(*access);

	for (int fd = 0; fd < fds; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* It gets the lowest number that is free, which is this one. */
		if (open("/dev/null", access[fd]) != fd) {
			complain("/dev/null", "%s", strerror(errno));
			return false;
		}
	}
	return true;
}
