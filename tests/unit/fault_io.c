/* SPDX-License-Identifier: GPL-2.0-only */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault_io.h"

struct spots fault_seen[FAULT_KINDS];
unsigned long fault_writes;

/* Of the run at hand; libext2fs hands over a name only. */
static struct {
	unsigned	blocksize;
	enum fault_kind	kind;
	struct spot_of_io bad;
	bool		armed;
	uint64_t	flushes;
} now;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static io_channel below(io_channel channel)
{
	return channel->private_data;
}

static errcode_t fault_open(const char *name, int flags, io_channel *out)
{
	io_channel channel = calloc(1, sizeof(*channel)), under;
	errcode_t err = unix_io_manager->open(name, flags, &under);

	if (err) {
		free(channel);
		return err;
	}
	channel->magic = EXT2_ET_MAGIC_IO_CHANNEL;
	channel->manager = fault_io_manager;
	channel->name = strdup(name);
	channel->block_size = under->block_size;
	channel->align = under->align;
	channel->flags = under->flags;
	channel->refcount = 1;
	channel->private_data = under;
	*out = channel;
	return io_channel_set_options(under, "cache=off");
}

static errcode_t fault_close(io_channel channel)
{
	errcode_t err;

	if (--channel->refcount > 0)
		return 0;
	err = io_channel_close(below(channel));
	free(channel->name);
	free(channel);
	return err;
}

static errcode_t fault_set_blksize(io_channel channel, int size)
{
	channel->block_size = size;
	return io_channel_set_blksize(below(channel), size);
}

/* ------------------------------------------------------------ the faults */

static void note(enum fault_kind kind, const char *device, uint64_t block)
{
	struct spots *to = &fault_seen[kind];
	struct spot_of_io *at;

	for (size_t i = 0; i < to->nr; i++)
		if (to->at[i].block == block &&
		    !strcmp(to->at[i].device, device))
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
			 unsigned long long block, int count)
{
	uint64_t bytes = count < 0 ? (uint64_t)-(int64_t)count :
				     (uint64_t)count * channel->block_size;
	uint64_t at = block * channel->block_size / now.blocksize;
	uint64_t end = (block * channel->block_size + bytes +
			now.blocksize - 1) / now.blocksize;
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

static errcode_t fault_read64(io_channel channel, unsigned long long block,
			      int count, void *buf)
{
	errcode_t err = request(channel, FAULT_READ, block, count);

	return err ? err :
		     io_channel_read_blk64(below(channel), block, count, buf);
}

static errcode_t fault_read(io_channel channel, unsigned long block,
			    int count, void *buf)
{
	return fault_read64(channel, block, count, buf);
}

static errcode_t fault_write64(io_channel channel, unsigned long long block,
			       int count, const void *buf)
{
	errcode_t err = request(channel, FAULT_WRITE, block, count);

	return err ? err :
		     io_channel_write_blk64(below(channel), block, count, buf);
}

static errcode_t fault_write(io_channel channel, unsigned long block,
			     int count, const void *buf)
{
	return fault_write64(channel, block, count, buf);
}

/* By number, whichever device: "" in its place. */
static errcode_t fault_flush(io_channel channel)
{
	errcode_t err = 0;

	pthread_mutex_lock(&lock);
	note(FAULT_FLUSH, "", now.flushes);
	if (now.armed && now.kind == FAULT_FLUSH &&
	    now.flushes >= now.bad.block)
		err = EIO;
	now.flushes++;
	pthread_mutex_unlock(&lock);
	return err ? err : io_channel_flush(below(channel));
}

static errcode_t fault_option(io_channel channel, const char *option,
			      const char *arg)
{
	return below(channel)->manager->set_option(below(channel), option,
						   arg);
}

static struct struct_io_manager fault_table = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "faulty I/O manager",
	.open		= fault_open,
	.close		= fault_close,
	.set_blksize	= fault_set_blksize,
	.read_blk	= fault_read,
	.read_blk64	= fault_read64,
	.write_blk	= fault_write,
	.write_blk64	= fault_write64,
	.flush		= fault_flush,
	.set_option	= fault_option,
};
io_manager const fault_io_manager = &fault_table;

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
