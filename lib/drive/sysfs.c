/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sysfs.c - read a device's directory of attributes
 *
 * A missing attribute is no error, because kernels and drives differ.  An
 * attribute with an impossible value is noted in the node and counts as
 * missing.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sysfs.h"

char *under_root(const char *root, const char *path)
{
	char *joined;

	if (asprintf(&joined, "%s%s", root ? root : "", path) < 0)
		return NULL;
	return joined;
}

errcode_t node_open(char *path, struct node *out)
{
	errcode_t err = 0;

	memset(out, 0, sizeof(*out));
	if (!path)
		return EXT2_ET_NO_MEMORY;
	out->dir = realpath(path, NULL);
	if (!out->dir)
		err = errno;
	free(path);
	return err;
}

static char *join(const struct node *node, const char *entry)
{
	char *path;

	if (asprintf(&path, "%s/%s", node->dir, entry) < 0)
		return NULL;
	return path;
}

errcode_t node_open_in(const struct node *node, const char *entry,
		       struct node *out)
{
	return node_open(join(node, entry), out);
}

void node_close(struct node *node)
{
	free(node->dir);
	node->dir = NULL;
}

const char *node_name(const struct node *node)
{
	return strrchr(node->dir, '/') + 1;	/* realpath() begins with one */
}

bool node_has(const struct node *node, const char *attr)
{
	char *path = join(node, attr);
	bool has = path && access(path, F_OK) == 0;

	free(path);
	return has;
}

size_t node_bytes(const struct node *node, const char *attr, void *buf,
		  size_t size)
{
	char *path = join(node, attr);
	ssize_t got = 0;
	size_t used = 0;
	int fd;

	if (!path)
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(path);
	if (fd < 0)
		return 0;
	while (used < size) {
		got = read(fd, (char *)buf + used, size - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += got;
	}
	close(fd);
	return got < 0 ? 0 : used;
}

static bool blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\0';
}

bool node_text(const struct node *node, const char *attr, char *text,
	       size_t size)
{
	size_t length = node_bytes(node, attr, text, size - 1), lead = 0;

	while (length && blank(text[length - 1]))
		length--;
	while (lead < length && blank(text[lead]))
		lead++;
	length -= lead;
	memmove(text, text + lead, length);
	text[length] = '\0';
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~')
			text[i] = '?';
	return length > 0;
}

bool node_path(const struct node *node, const char *attr, char *path,
	       size_t size)
{
	size_t length = node_bytes(node, attr, path, size - 1);

	if (length && path[length - 1] == '\n')
		length--;
	path[length] = '\0';
	return length > 0;
}

void node_doubt(struct node *node, const char *attr)
{
	if (!*node->doubt)
		snprintf(node->doubt, sizeof(node->doubt), "%s", attr);
}

bool node_number(struct node *node, const char *attr, uint64_t most,
		 uint64_t *out)
{
	unsigned long long value;
	char text[32], *end;

	if (!node_text(node, attr, text, sizeof(text)))
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value > most) {
		node_doubt(node, attr);
		return false;
	}
	*out = value;
	return true;
}
