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

static bool is_flushed(const struct recording *r, size_t write, size_t end)
{
	for (size_t i = write + 1; i < end; i++)
		if (!r->ops[i].bytes &&
		    !strcmp(r->ops[i].device, r->ops[write].device))
			return true;
	return false;
}

/* By chance; false if there are no two writes to choose from. */
static bool lose_some(const struct recording *r, size_t end, bool *keep)
{
	size_t choices = 0;

	for (size_t i = 0; i < end; i++) {
		keep[i] = !r->ops[i].bytes || is_flushed(r, i, end);
		if (keep[i])
			continue;
		keep[i] = rand() % 2;
		choices++;
	}
	return choices > 1;
}

void record_crashes(const struct recording *r,
		    void (*crashed)(void *priv, size_t end, const bool *keep),
		    void *priv)
{
	bool *keep = calloc(r->nr + 1, sizeof(*keep));

	srand(17);
	for (size_t end = 0; end <= r->nr; end++) {
		crashed(priv, end, NULL);
		for (unsigned way = 0; way < 3; way++)
			if (lose_some(r, end, keep))
				crashed(priv, end, keep);
	}
	free(keep);
}
