/* SPDX-License-Identifier: GPL-2.0-only */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "record_io.h"

static struct recording *current;	/* libext2fs hands over a name only */

static io_channel below(io_channel channel)
{
	return channel->private_data;
}

static errcode_t record_open(const char *name, int flags, io_channel *out)
{
	io_channel channel = calloc(1, sizeof(*channel)), under;
	errcode_t err = unix_io_manager->open(name, flags, &under);

	if (err)
		return err;
	channel->magic = EXT2_ET_MAGIC_IO_CHANNEL;
	channel->manager = record_io_manager;
	channel->name = strdup(name);
	channel->block_size = under->block_size;
	channel->align = under->align;
	channel->flags = under->flags;
	channel->refcount = 1;
	channel->private_data = under;
	*out = channel;
	return 0;
}

static errcode_t record_close(io_channel channel)
{
	errcode_t err;

	if (--channel->refcount > 0)
		return 0;
	err = io_channel_close(below(channel));
	free(channel->name);
	free(channel);
	return err;
}

static errcode_t record_set_blksize(io_channel channel, int size)
{
	channel->block_size = size;
	return io_channel_set_blksize(below(channel), size);
}

static errcode_t record_read64(io_channel channel, unsigned long long block,
			       int count, void *buf)
{
	return io_channel_read_blk64(below(channel), block, count, buf);
}

static errcode_t record_read(io_channel channel, unsigned long block,
			     int count, void *buf)
{
	return record_read64(channel, block, count, buf);
}

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

static errcode_t record_write64(io_channel channel, unsigned long long block,
				int count, const void *buf)
{
	struct recorded *op;
	long number = current->writes++;

	if (number == current->fail_at ||
	    (number > current->fail_at && current->fail_at >= 0 &&
	     !current->fail_once))
		return EIO;
	op = add(channel);
	op->offset = block * channel->block_size;
	op->count = count < 0 ? (size_t)-count :
				(size_t)count * channel->block_size;
	op->bytes = malloc(op->count);
	memcpy(op->bytes, buf, op->count);
	return io_channel_write_blk64(below(channel), block, count, buf);
}

static errcode_t record_write(io_channel channel, unsigned long block,
			      int count, const void *buf)
{
	return record_write64(channel, block, count, buf);
}

static errcode_t record_flush(io_channel channel)
{
	add(channel);
	return io_channel_flush(below(channel));
}

static errcode_t record_option(io_channel channel, const char *option,
			       const char *arg)
{
	return below(channel)->manager->set_option(below(channel), option,
						   arg);
}

static struct struct_io_manager record_table = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "recording I/O manager",
	.open		= record_open,
	.close		= record_close,
	.set_blksize	= record_set_blksize,
	.read_blk	= record_read,
	.read_blk64	= record_read64,
	.write_blk	= record_write,
	.write_blk64	= record_write64,
	.flush		= record_flush,
	.set_option	= record_option,
};
io_manager const record_io_manager = &record_table;

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
