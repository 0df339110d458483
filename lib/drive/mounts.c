/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mounts.c - find the device of a file in the kernel's list of mounts
 *
 * stat(2) would do for a file of this machine, but not for one in a recorded
 * tree.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack.h"

/* Decode octal escapes in place: "\040" is a space. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		unsigned code;

		if (sscanf(text, "\\%3o", &code) == 1 && strlen(text) >= 4) {
			*to++ = (char)code;
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* Length of @point if @path lies below it, else 0. */
static size_t covers(const char *point, const char *path)
{
	size_t length = strlen(point);

	if (length == 1)
		return 1;	/* "/" */
	return !strncmp(point, path, length) &&
	       (path[length] == '/' || !path[length]) ? length : 0;
}

/*
 * A line is "id parent major:minor root point ...".  A later mount on the same
 * point hides the earlier one.
 */
static void consider(char *line, const char *path, size_t *best,
		     char number[32])
{
	char point[4096], where[32];
	size_t length;

	if (sscanf(line, "%*u %*u %31[0-9:] %*s %4095s", where, point) != 2)
		return;
	unescape(point);
	length = covers(point, path);
	if (length && length >= *best) {
		*best = length;
		snprintf(number, 32, "%s", where);
	}
}

errcode_t device_of_file(const char *root, const char *path, struct node *out)
{
	char number[32] = "", *line = NULL, *name;
	size_t best = 0, size = 0;
	FILE *file;

	memset(out, 0, sizeof(*out));
	if (!strncmp(path, "/dev/", 5)) {	/* the "file" is a device */
		enum located kind;
		errcode_t err = locate(root, path, &kind, out);

		return err || kind == LOCATED_NODE ? err : ENOENT;
	}
	name = under_root(root, "/proc/self/mountinfo");
	if (!name)
		return EXT2_ET_NO_MEMORY;
	file = fopen(name, "re");
	free(name);
	if (!file)
		return ENOENT;
	while (getline(&line, &size, file) >= 0)
		consider(line, path, &best, number);
	free(line);
	fclose(file);
	if (!best || asprintf(&name, "%s/sys/dev/block/%s", root ? root : "",
			      number) < 0)
		return best ? EXT2_ET_NO_MEMORY : ENOENT;
	return node_open(name, out);
}
