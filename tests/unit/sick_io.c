/* SPDX-License-Identifier: GPL-2.0-only */

#include <stdbool.h>

#include "sick_io.h"
#include "stacked_io.h"

static blk64_t bad_block;	/* libext2fs hands over a name only */
unsigned long sick_failed;

static errcode_t sick_read(io_channel channel, uint64_t offset, size_t count)
{
	uint64_t bad = bad_block * channel->block_size;
	bool fails = bad && offset < bad + channel->block_size &&
		     bad < offset + count;

	sick_failed += fails;
	return fails ? EXT2_ET_SHORT_READ : 0;
}

static errcode_t sick_open(const char *name, int flags, io_channel *out);

static struct stacked_io sick = {
	.manager = STACKED_IO_MANAGER("sick I/O manager", sick_open),
	.read = sick_read,
};
io_manager const sick_io_manager = &sick.manager;

static errcode_t sick_open(const char *name, int flags, io_channel *out)
{
	return stacked_open(&sick, name, flags, out);
}

void sick_begin(blk64_t block)
{
	bad_block = block;
	sick_failed = 0;
}
