/* SPDX-License-Identifier: GPL-2.0-only */
/* dmesg.h - the kernel's messages, and what they are about */
#ifndef MISC_DOCTOR_DMESG_H
#define MISC_DOCTOR_DMESG_H

#include <stddef.h>

#include "messages.h"

#define MAX_NOTED	100
#define NOTED_TEXT	256

/* A message, with a copy of its text. */
struct noted {
	struct message	message;
	char		text[NOTED_TEXT];
	uint64_t	count;		/* equal lines */
};

struct dmesg {
	struct noted	*noted;		/* in the order of their first lines */
	size_t		count;
	uint64_t	lines;		/* about ext4, jbd2 or I/O errors */
	uint64_t	known, unknown;	/* of these */
	uint64_t	others;		/* about another device */
	uint64_t	left_out;	/* no room for them */
};

/*
 * Read all lines from @fd.  @device is the kernel's name of the device, or NULL
 * if any may be meant.  Returns 0 or an errno.
 */
int dmesg_read(struct dmesg *dmesg, int fd, const char *device);
void dmesg_free(struct dmesg *dmesg);

#endif
