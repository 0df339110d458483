/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * writeback - write a log back with libe2lazy, and say what it took
 *
 *	writeback [-t] IMAGE MEMORY
 *
 * Prints one line: seconds to open and to build map and view, seconds to
 * write back, live mappings, static blocks written, requests, passes, steps
 * back ("-" without -t).  With -t every write is watched on its way to the
 * device, which then gets one at a time: a step back is one that begins
 * before the one before it has ended, superblocks not counted.  MEMORY is in
 * bytes.  Exit status 0, or 1 with a message.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "e2lazy_mend.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* --------------------------------------------------------------- watching */

static struct {
	blk64_t		super, journal_super;
	uint64_t	end;		/* of the last write */
	uint64_t	steps_back, blocks;
} watched;

static io_channel below(io_channel channel)
{
	return channel->private_data;
}

static struct struct_io_manager watch_table;

static errcode_t watch_open(const char *name, int flags, io_channel *out)
{
	io_channel channel = calloc(1, sizeof(*channel)), under;
	errcode_t err = unix_io_manager->open(name, flags, &under);

	if (err || !channel) {
		free(channel);
		return err ? err : EXT2_ET_NO_MEMORY;
	}
	channel->magic = EXT2_ET_MAGIC_IO_CHANNEL;
	channel->manager = &watch_table;
	channel->name = under->name;
	channel->block_size = under->block_size;
	channel->align = under->align;
	channel->refcount = 1;
	channel->private_data = under;
	*out = channel;
	return 0;
}

static errcode_t watch_close(io_channel channel)
{
	errcode_t err = 0;

	if (--channel->refcount == 0) {
		err = io_channel_close(below(channel));
		free(channel);
	}
	return err;
}

static errcode_t watch_set_blksize(io_channel channel, int size)
{
	channel->block_size = size;
	return io_channel_set_blksize(below(channel), size);
}

static errcode_t watch_read64(io_channel channel, unsigned long long block,
			      int count, void *buf)
{
	return io_channel_read_blk64(below(channel), block, count, buf);
}

static errcode_t watch_read(io_channel channel, unsigned long block, int count,
			    void *buf)
{
	return watch_read64(channel, block, count, buf);
}

static errcode_t watch_write64(io_channel channel, unsigned long long block,
			       int count, const void *buf)
{
	if (block != watched.super && block != watched.journal_super) {
		watched.steps_back += block < watched.end;
		watched.end = block + (unsigned)count;
		watched.blocks += (unsigned)count;
	}
	return io_channel_write_blk64(below(channel), block, count, buf);
}

static errcode_t watch_write(io_channel channel, unsigned long block,
			     int count, const void *buf)
{
	return watch_write64(channel, block, count, buf);
}

static errcode_t watch_flush(io_channel channel)
{
	return io_channel_flush(below(channel));
}

static errcode_t watch_option(io_channel channel, const char *option,
			      const char *arg)
{
	return below(channel)->manager->set_option(below(channel), option,
						   arg);
}

static struct struct_io_manager watch_table = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "watching I/O manager",
	.open		= watch_open,
	.close		= watch_close,
	.set_blksize	= watch_set_blksize,
	.read_blk	= watch_read,
	.read_blk64	= watch_read64,
	.write_blk	= watch_write,
	.write_blk64	= watch_write64,
	.flush		= watch_flush,
	.set_option	= watch_option,
};

/* ---------------------------------------------------------------- working */

struct source {
	struct e2lazy_journal *journal;
	struct e2lazy_jmap *map;
	struct e2lazy_view *view;
};

static errcode_t open_view(struct source *s, const char *image)
{
	struct e2lazy_jmap_opts opts = { .flags = E2LAZY_JMAP_CSUMS };
	errcode_t err;

	err = e2lazy_open(image, NULL, &s->journal, NULL);
	if (!err)
		err = e2lazy_jmap_build(s->journal, &opts, &s->map);
	if (!err)
		err = e2lazy_view_build(s->journal, s->map, &s->view, NULL);
	if (!err)
		err = e2lazy_physblk(s->journal, 0, &watched.journal_super);
	if (!err)
		watched.super = e2lazy_geometry(s->journal)->blocksize == 1024;
	return err;
}

int main(int argc, char **argv)
{
	bool watch = argc == 4 && !strcmp(argv[1], "-t");
	struct e2lazy_checkpoint_opts opts = { .flags = 0 };
	struct e2lazy_checkpoint_done done;
	struct e2lazy_where where;
	struct source s = { NULL };
	double began, opened, ended;
	errcode_t err;

	if (argc != 3 && !watch) {
		fputs("usage: writeback [-t] IMAGE MEMORY\n", stderr);
		return 1;
	}
	initialize_e2lz_error_table();
	initialize_ext2_error_table();
	argv += watch;
	opts.memory = strtoull(argv[2], NULL, 0);
	opts.manager = watch ? &watch_table : NULL;
	began = now();
	err = open_view(&s, argv[1]);
	opened = now();
	if (!err)
		err = e2lazy_checkpoint(s.view, &opts, &done, &where);
	ended = now();
	if (!err) {
		printf("%.6f %.6f %zu %" PRIu64 " %" PRIu64 " %u ",
		       opened - began, ended - opened,
		       e2lazy_jmap_count(s.map), done.blocks_written,
		       done.writes, done.passes);
		if (watch)
			printf("%" PRIu64 "\n", watched.steps_back);
		else
			puts("-");
	}
	e2lazy_view_free(s.view);
	e2lazy_jmap_free(s.map);
	e2lazy_close(s.journal);
	if (err) {
		fprintf(stderr, "writeback: %s: %s\n", argv[1],
			error_message(err));
		return 1;
	}
	return 0;
}
