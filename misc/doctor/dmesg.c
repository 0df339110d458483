/* SPDX-License-Identifier: GPL-2.0-only */
/* dmesg.c - reads the kernel's messages from a file */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dmesg.h"
#include "support/status.h"

#define MAX_LINE	4096

/* "sda1-8" is the journal in inode 8 of sda1. */
static bool is_about(const struct message *m, const char *device)
{
	const char *name = strrchr(m->device, '/');
	size_t n = strlen(device);

	name = name ? name + 1 : m->device;
	if (!*name)
		return true;
	return !strncmp(name, device, n) &&
	       (!name[n] || (name[n] == '-' && strspn(name + n + 1,
						      "0123456789") ==
					       strlen(name + n + 1)));
}

static bool note(struct dmesg *d, const struct message *m)
{
	struct noted *n;
	char text[NOTED_TEXT];

	snprintf(text, sizeof(text), "%s", m->text);
	for (size_t i = 0; i < d->count; i++) {
		if (strcmp(d->noted[i].text, text))
			continue;
		d->noted[i].count++;
		return true;
	}
	if (d->count == MAX_NOTED) {
		d->left_out++;
		return true;
	}
	n = reallocarray(d->noted, d->count + 1, sizeof(*n));
	if (!n)
		return false;
	d->noted = n;
	n += d->count++;
	n->message = *m;
	n->count = 1;
	memcpy(n->text, text, sizeof(n->text));
	return true;
}

static bool take_line(struct dmesg *d, const char *line, const char *device)
{
	struct message m;

	if (!message_parse(line, &m))
		return true;
	if (device && !is_about(&m, device)) {
		d->others++;
		return true;
	}
	d->lines++;
	if (m.meaning)
		d->known++;
	else
		d->unknown++;
	return note(d, &m);
}

/*
 * One line without its end; what is too long is cut.  A NUL in it would hide
 * the rest, so it becomes another byte that is no text.
 */
static bool read_line(FILE *f, char line[MAX_LINE])
{
	size_t n = 0;
	int c = EOF;

	while (!cancelled() && (c = getc(f)) != EOF && c != '\n')
		if (n < MAX_LINE - 1)
			line[n++] = c ? c : '\001';
	line[n] = '\0';
	return !cancelled() && (n || c != EOF);
}

int dmesg_read(struct dmesg *d, int fd, const char *device)
{
	char line[MAX_LINE];
	FILE *f = fdopen(fd, "r");
	int err = 0;

	if (!f)
		return errno;
	errno = 0;
	while (!err && read_line(f, line))
		if (!take_line(d, line, device))
			err = ENOMEM;
	if (!err && ferror(f))
		err = errno ? errno : EIO;
	fclose(f);
	/* The texts have moved with the array. */
	for (size_t i = 0; i < d->count; i++)
		d->noted[i].message.text = d->noted[i].text;
	return err;
}

void dmesg_free(struct dmesg *d)
{
	free(d->noted);
}
