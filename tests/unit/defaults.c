/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * defaults.c - mke2fs's defaults, for tests that number inodes
 *
 * Where the defaults have orphan_file, inode 12 is the orphan file, and the
 * first file has number 13. Such a test takes the same defaults without it.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

#define FEATURE	"orphan_file"

static char copy[300];

/* Where a line has @word, leave it out, and one comma beside it. */
static void leave_out(char *line, const char *word)
{
	char *at = strstr(line, word);
	char *end = at ? at + strlen(word) : NULL;

	if (!at)
		return;
	if (*end == ',')
		end++;
	else if (at > line && at[-1] == ',')
		at--;
	memmove(at, end, strlen(end) + 1);
}

static FILE *open_defaults(void)
{
	const char *name = getenv("MKE2FS_CONFIG");
	FILE *from = fopen(name ? name : "/etc/mke2fs.conf", "r");
	char older[300];

	if (from)
		return from;
	/* Those that mke2fs was compiled with may have the feature. */
	snprintf(older, sizeof(older), "%.250s/mke2fs-older.conf",
		 getenv("FIXTURES"));
	return fopen(older, "r");
}

bool copy_defaults(const char *dir)
{
	FILE *from = open_defaults(), *to;
	char line[1024];

	snprintf(copy, sizeof(copy), "%.250s/mke2fs.conf", dir);
	to = fopen(copy, "w");
	while (from && to && fgets(line, sizeof(line), from)) {
		if (line[strspn(line, " \t")] == '#')
			continue;
		leave_out(line, FEATURE);
		fputs(line, to);
	}
	if (from)
		fclose(from);
	return to && fclose(to) == 0 && from;
}

void no_orphan_file(void)
{
	ck_assert_int_eq(setenv("MKE2FS_CONFIG", copy, 1), 0);
}
