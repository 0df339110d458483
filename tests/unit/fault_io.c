/* SPDX-License-Identifier: GPL-2.0-only */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault_io.h"
#include "stacked_io.h"

struct spots fault_seen[FAULT_KINDS];
unsigned long fault_writes;

/* The present run's; libext2fs passes only a name. */
static struct {
	unsigned	blocksize;
	enum fault_kind	kind;
	struct spot_of_io bad;
	bool		armed;
	uint64_t	flushes;
} now;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * Thousands of runs ask for the same thousand blocks in the same order: the
 * search begins with the one behind that which was found last.
 */
static bool is_noted(enum fault_kind kind, const char *device, uint64_t block)
{
	static size_t last[FAULT_KINDS];
	const struct spots *seen = &fault_seen[kind];

	for (size_t i = 1; i <= seen->nr; i++) {
		size_t at = (last[kind] + i) % seen->nr;

		if (seen->at[at].block == block &&
		    !strcmp(seen->at[at].device, device)) {
			last[kind] = at;
			return true;
		}
	}
	return false;
}

static void note(enum fault_kind kind, const char *device, uint64_t block)
{
	struct spots *to = &fault_seen[kind];
	struct spot_of_io *at;

	if (is_noted(kind, device, block))
		return;
	at = realloc(to->at, (to->nr + 1) * sizeof(*at));
	if (!at)
		abort();
	to->at = at;
	snprintf(at[to->nr].device, sizeof(at->device), "%s", device);
	at[to->nr++].block = block;
}

static bool is_bad(enum fault_kind kind, const char *device, uint64_t block)
{
	return now.armed && now.kind == kind && now.bad.block == block &&
	       !strcmp(now.bad.device, device);
}

static errcode_t request(io_channel channel, enum fault_kind kind,
			 uint64_t offset, size_t count)
{
	uint64_t at = offset / now.blocksize;
	uint64_t end = (offset + count + now.blocksize - 1) / now.blocksize;
	errcode_t err = 0;

	pthread_mutex_lock(&lock);
	for (; at < end; at++) {
		note(kind, channel->name, at);
		if (is_bad(kind, channel->name, at))
			err = EIO;
	}
	fault_writes += kind == FAULT_WRITE && !err;
	pthread_mutex_unlock(&lock);
	return err;
}

static errcode_t fault_read(io_channel channel, uint64_t offset, size_t count)
{
	return request(channel, FAULT_READ, offset, count);
}

static errcode_t fault_write(io_channel channel, uint64_t offset, size_t count,
			     const void *bytes)
{
	(void)bytes;
	return request(channel, FAULT_WRITE, offset, count);
}

/* By number, whichever device: "" in its place. */
static errcode_t fault_flush(io_channel channel)
{
	errcode_t err = 0;

	(void)channel;
	pthread_mutex_lock(&lock);
	note(FAULT_FLUSH, "", now.flushes);
	if (now.armed && now.kind == FAULT_FLUSH &&
	    now.flushes >= now.bad.block)
		err = EIO;
	now.flushes++;
	pthread_mutex_unlock(&lock);
	return err;
}

static errcode_t fault_open(const char *name, int flags, io_channel *out);

static struct stacked_io faulty = {
	.manager = STACKED_IO_MANAGER("faulty I/O manager", fault_open),
	.read = fault_read,
	.write = fault_write,
	.flush = fault_flush,
};
io_manager const fault_io_manager = &faulty.manager;

/* Without the cache, which would keep requests from getting here. */
static errcode_t fault_open(const char *name, int flags, io_channel *out)
{
	errcode_t err = stacked_open(&faulty, name, flags, out);

	return err ? err : io_channel_set_options(*out, "cache=off");
}

/*
 * In place of the C library's, for all that is linked with the tests: they cut
 * no power, and thousands of runs would do little but wait for the disk.
 */
int fsync(int fd)
{
	(void)fd;
	return 0;
}

void fault_begin(unsigned blocksize, enum fault_kind kind,
		 const struct spot_of_io *bad)
{
	memset(&now, 0, sizeof(now));
	fault_writes = 0;
	now.blocksize = blocksize;
	now.kind = kind;
	now.armed = bad != NULL;
	if (bad)
		now.bad = *bad;
}

struct spots fault_take(enum fault_kind kind)
{
	struct spots taken = fault_seen[kind];

	memset(&fault_seen[kind], 0, sizeof(taken));
	return taken;
}
