/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe.c - loaded into a program, it tries when that ends what it has given up
 *
 * It makes a file in $OUTSIDE and in $INSIDE, and a socket, and says to file
 * descriptor 9 what it was told.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *file_in(const char *variable)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/probe", getenv(variable));
	unlink(path);
	return open(path, O_WRONLY | O_CREAT, 0600) < 0 ? strerror(errno) : "yes";
}

static const char *net(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) < 0 ? strerror(errno) : "yes";
}

__attribute__((destructor)) static void probe(void)
{
	dprintf(9, "outside: %s, ", file_in("OUTSIDE"));
	dprintf(9, "inside: %s, ", file_in("INSIDE"));
	dprintf(9, "socket: %s\n", net());
}
