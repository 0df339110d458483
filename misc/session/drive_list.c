/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * drive_list.c - where the list of drive models is
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drive_list.h"
#include "e2lazy.h"
#include "support/trust.h"

#define LIST_NAME	"mke2lazy-drives"

/* Use the list beside the program, if that was built and not installed. */
static char *beside_program(void)
{
	char path[E2LAZY_PATH_MAX], *list, *slash;
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n < 0)
		return NULL;
	path[n] = 0;
	slash = strrchr(path, '/');
	if (!slash || asprintf(&list, "%.*s/%s", (int)(slash - path), path,
			       LIST_NAME) < 0)
		return NULL;
	if (!access(list, R_OK))
		return list;
	free(list);
	return NULL;
}

bool drive_list(char **list)
{
	if (!environment_path("E2LAZY_DRIVES", list))
		return false;
	if (!*list)
		*list = beside_program();
	if (!*list)
		*list = strdup(PKGDATADIR "/" LIST_NAME);
	return true;
}
