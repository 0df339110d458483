/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * standard.c - make sure that standard input, output and error are open
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "standard.h"
#include "status.h"

bool standard_files(void)
{
	/* Open them the wrong way round: using them fails as if closed. */
	static const int access[] = {
		[STDIN_FILENO] = O_WRONLY,
		[STDOUT_FILENO] = O_RDONLY,
		[STDERR_FILENO] = O_RDONLY,
	};
	int fds = sizeof(access) / sizeof(*access);

	for (int fd = 0; fd < fds; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* open() returns the lowest free number, which is this one. */
		if (open("/dev/null", access[fd]) != fd) {
			complain("/dev/null", "%s", strerror(errno));
			return false;
		}
	}
	return true;
}
