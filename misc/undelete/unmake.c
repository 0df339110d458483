/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unmake.c - a directory that was made for nothing goes again
 *
 * The directory of --to is made before the device is read, and whoever reads a
 * device may change nothing beside that directory: see support/confine.h.  So a
 * child is made first.  It reads nothing but one byte, and removes this one
 * directory if it is told to, and if it is empty.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unmake.h"

static void wait_and_remove(int told, int above, const char *name)
{
	char byte;
	ssize_t n;

	/* Whoever stops the program waits for what it says last. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while ((n = read(told, &byte, 1)) < 0 && errno == EINTR)
		;
	if (n == 1)
		unlinkat(above, name, AT_REMOVEDIR);
	_exit(0);
}

void unmake_begin(struct unmake *u, int above, const char *name)
{
	int ends[2];

	u->child = -1;
	if (pipe2(ends, O_CLOEXEC))
		return;
	u->child = fork();
	if (!u->child) {
		close(ends[1]);
		wait_and_remove(ends[0], above, name);
	}
	close(ends[0]);
	u->tell = ends[1];
	if (u->child < 0)
		close(u->tell);
}

void unmake_end(struct unmake *u, bool remove)
{
	if (u->child <= 0)
		return;
	/* An end without a byte lets the child go. */
	while (remove && write(u->tell, "", 1) < 0 && errno == EINTR)
		;
	close(u->tell);
	while (waitpid(u->child, NULL, 0) < 0 && errno == EINTR)
		;
	u->child = -1;
}
