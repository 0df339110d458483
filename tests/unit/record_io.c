/* SPDX-License-Identifier: GPL-2.0-only */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "record_io.h"
#include "stacked_io.h"

static struct recording *current;	/* libext2fs hands over a name only */

static struct recorded *add(io_channel channel)
{
	struct recording *r = current;

	if (r->nr == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		r->ops = realloc(r->ops, r->room * sizeof(*r->ops));
	}
	memset(&r->ops[r->nr], 0, sizeof(*r->ops));
	snprintf(r->ops[r->nr].device, sizeof(r->ops->device), "%s",
		 channel->name);
	return &r->ops[r->nr++];
}

static errcode_t record_write(io_channel channel, uint64_t offset,
			      size_t count, const void *bytes)
{
	struct recorded *op;
	long number = current->writes++;

	if (number == current->fail_at ||
	    (number > current->fail_at && current->fail_at >= 0 &&
	     !current->fail_once))
		return EIO;
	op = add(channel);
	op->offset = offset;
	op->count = count;
	op->bytes = malloc(count);
	memcpy(op->bytes, bytes, count);
	return 0;
}

static errcode_t record_flush(io_channel channel)
{
	add(channel);
	return 0;
}

static errcode_t record_open(const char *name, int flags, io_channel *out);

static struct stacked_io recorder = {
	.manager = STACKED_IO_MANAGER("recording I/O manager", record_open),
	.write = record_write,
	.flush = record_flush,
};
io_manager const record_io_manager = &recorder.manager;

static errcode_t record_open(const char *name, int flags, io_channel *out)
{
	return stacked_open(&recorder, name, flags, out);
}

void record_begin(struct recording *recording)
{
	memset(recording, 0, sizeof(*recording));
	recording->fail_at = -1;
	current = recording;
}

void record_free(struct recording *recording)
{
	for (size_t i = 0; i < recording->nr; i++)
		free(recording->ops[i].bytes);
	free(recording->ops);
}

void record_replay(const struct recording *r, size_t end, const bool *keep)
{
	for (size_t i = 0; i < end; i++) {
		const struct recorded *op = &r->ops[i];
		int fd;

		if (!op->bytes || (keep && !keep[i]))
			continue;
		fd = open(op->device, O_WRONLY);
		ck_assert_int_ge(fd, 0);
		ck_assert_int_eq(pwrite(fd, op->bytes, op->count,
					(off_t)op->offset), op->count);
		close(fd);
	}
}
