/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unread_io.c - a copy of a failing disk, read as the disk was
 *
 * A map file (GNU ddrescue's manual, "Mapfile structure") has comments that begin
 * with "#", a line with the current position and state, and then a line "POSITION
 * SIZE STATE" for each piece, in C's notation of numbers.  The state "+" is
 * finished; "?", "*", "/" and "-" are not.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grow.h"
#include "halve.h"
#include "io_stub.h"
#include "pread_io.h"
#include "unread_io.h"

struct unread_data {
	struct struct_io_stats stats;	/* first: see io_stub_stats() */
	io_channel	below;
	uint64_t	offset;		/* bytes before the file system */
	bool		mapped;		/* the map is about this device */
};

struct piece {
	uint64_t	from, to;	/* bytes of the device */
};

/* A manager has no place for these but here. */
static struct {
	struct piece	*pieces;	/* ascend */
	size_t		count, room;
	bool		named;
	dev_t		dev;
	ino_t		ino;
} map;

static struct struct_io_manager unread_table;
io_manager const unread_io_manager = &unread_table;

/* ------------------------------------------------------------ the file */

static bool add_piece(uint64_t from, uint64_t bytes)
{
	struct piece *p = grow(map.pieces, map.count, &map.room, sizeof(*p));

	if (!p)
		return false;
	map.pieces = p;
	p[map.count++] = (struct piece){ from, from + bytes };
	return true;
}

/* 0 also for a line that names no piece. */
static int take_line(const char *line, bool *current)
{
	unsigned long long from, bytes;
	char *end;

	line += strspn(line, " \t\r\n");
	if (!*line || *line == '#')
		return 0;
	errno = 0;
	from = strtoull(line, &end, 0);
	if (end == line || errno)
		return EINVAL;
	if (!*current) {
		*current = true;
		return *(end + strspn(end, " \t")) ? 0 : EINVAL;
	}
	line = end;
	bytes = strtoull(line, &end, 0);
	if (end == line || errno || bytes > INT64_MAX || from > INT64_MAX)
		return EINVAL;
	end += strspn(end, " \t");
	if (!*end || !strchr("?*/-+", *end))
		return EINVAL;
	if (map.count && from < map.pieces[map.count - 1].to)
		return EINVAL;
	return *end == '+' || !bytes || add_piece(from, bytes) ? 0 : ENOMEM;
}

int unread_io_load(const char *name)
{
	FILE *f = fopen(name, "re");
	bool current = false;
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	if (!f)
		return errno;
	map.count = 0;
	while (!err && getline(&line, &room, f) > 0)
		err = take_line(line, &current);
	if (!err && ferror(f))
		err = EIO;
	if (!err && !current)
		err = EINVAL;
	free(line);
	fclose(f);
	return err;
}

void unread_io_device(const char *name)
{
	struct stat st;

	map.named = !stat(name, &st);
	if (map.named) {
		map.dev = st.st_dev;
		map.ino = st.st_ino;
	}
}

/* ---------------------------------------------------------- the channel */

static errcode_t unread_open(const char *name, int flags, io_channel *out)
{
	struct unread_data *data;
	io_channel channel;
	struct stat st;
	errcode_t err;

	err = io_stub_open(unread_io_manager, name, sizeof(*data), &channel);
	if (err)
		return err;
	data = channel->private_data;
	err = pread_io_manager->open(name, flags, &data->below);
	if (err) {
		io_stub_close(channel);
		return err;
	}
	data->stats.num_fields = 2;
	data->mapped = map.named && !stat(name, &st) &&
		       st.st_dev == map.dev && st.st_ino == map.ino;
	channel->flags = data->below->flags;
	*out = channel;
	return 0;
}

static errcode_t unread_close(io_channel channel)
{
	struct unread_data *data = channel->private_data;

	if (io_stub_is_last(channel))
		io_channel_close(data->below);
	return io_stub_close(channel);
}

static errcode_t unread_set_blksize(io_channel channel, int size)
{
	struct unread_data *data = channel->private_data;
	errcode_t err = io_channel_set_blksize(data->below, size);

	return err ? err : io_stub_set_blksize(channel, size);
}

static bool is_unread(const struct unread_data *data, uint64_t from,
		      uint64_t to)
{
	struct halving h = { .high = map.count };

	if (!data->mapped)
		return false;
	while (halve(&h))
		halved(&h, map.pieces[h.mid].to <= from);
	return h.low < map.count && map.pieces[h.low].from < to;
}

static errcode_t unread_blk64(io_channel channel, unsigned long long block,
			      int count, void *buf)
{
	struct unread_data *data = channel->private_data;
	uint64_t size = (unsigned)channel->block_size, from;

	if (block > (INT64_MAX - data->offset) / size)
		return EXT2_ET_SHORT_READ;
	from = data->offset + block * size;
	if (is_unread(data, from, from + io_stub_bytes(channel, count)))
		return EIO;
	__atomic_fetch_add(&data->stats.bytes_read,
			   io_stub_bytes(channel, count), __ATOMIC_RELAXED);
	return io_channel_read_blk64(data->below, block, count, buf);
}

static errcode_t unread_set_option(io_channel channel, const char *option,
				   const char *arg)
{
	struct unread_data *data = channel->private_data;
	errcode_t err = data->below->manager->set_option(data->below, option,
							 arg);

	/* It takes one option alone, and has looked at its number. */
	if (!err)
		data->offset = strtoull(arg, NULL, 0);
	return err;
}

static struct struct_io_manager unread_table = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "e2lazy I/O manager of a rescued copy",
	.open		= unread_open,
	.close		= unread_close,
	.set_blksize	= unread_set_blksize,
	.read_blk	= io_stub_read,
	.read_blk64	= unread_blk64,
	.write_blk	= io_stub_refuse,
	.write_blk64	= io_stub_refuse64,
	.flush		= io_stub_flush,
	.set_option	= unread_set_option,
	.get_stats	= io_stub_stats,
};
