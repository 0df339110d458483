/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* handle.c - an open journal: its properties, and the blocks of its log */

#include "io/pread_io.h"
#include "log.h"

const struct e2lazy_geometry *e2lazy_geometry(const struct e2lazy_journal *j)
{
	return &j->geo;
}

const struct e2lazy_device *e2lazy_device(const struct e2lazy_journal *j,
					  enum e2lazy_volume volume)
{
	return volume == E2LAZY_JOURNAL && j->jfs ? &j->log : &j->device;
}

ext2_filsys e2lazy_static_fs(const struct e2lazy_journal *j)
{
	return j->fs;
}

errcode_t e2lazy_physblk(const struct e2lazy_journal *j, uint32_t logblk,
			 blk64_t *physblk)
{
	if (logblk >= j->runs.blocks)
		return E2LAZY_ET_OUTSIDE_LOG;
	*physblk = runs_physblk(&j->runs, logblk);
	return 0;
}

bool e2lazy_is_journal_block(const struct e2lazy_journal *j, blk64_t fsblk)
{
	return runs_own(&j->runs, fsblk);
}

/* Limit of one request; some io_managers count its bytes in an int. */
#define MAX_REQUEST_BYTES (1 << 24)

errcode_t read_log_through(const struct e2lazy_journal *j, io_channel io,
			   uint32_t logblk, uint32_t count, void *buf)
{
	uint32_t most = MAX_REQUEST_BYTES / j->fs->blocksize;
	uint8_t *to = buf;

	if (logblk >= j->runs.blocks || count > j->runs.blocks - logblk)
		return E2LAZY_ET_OUTSIDE_LOG;
	while (count) {
		const struct run *run = runs_find(&j->runs, logblk);
		uint32_t skip = logblk - run->logblk;
		uint32_t n = run->count - skip;
		errcode_t err;

		n = n < count ? n : count;
		n = n < most ? n : most;
		err = io_channel_read_blk64(io, run->physblk + skip, (int)n,
					    to);
		if (err)
			return err;
		to += (size_t)n * j->fs->blocksize;
		logblk += n;
		count -= n;
	}
	return 0;
}

errcode_t e2lazy_read_log(struct e2lazy_journal *j, uint32_t logblk,
			  uint32_t count, void *buf)
{
	errcode_t err = read_log_through(j, j->io, logblk, count, buf);

	if (!err)
		count_blocks_read(j, count);
	return err;
}

uint32_t log_hole(const struct e2lazy_journal *j, struct lap lap,
		  uint32_t logblk, uint32_t count, bool *gone)
{
	const struct e2lazy_device *d = j->jfs ? &j->log : &j->device;
	const struct run *run = runs_find(&j->runs, logblk);
	uint32_t skip = logblk - run->logblk, left = run->count - skip;

	left = left < count ? left : count;
	if (left > lap.end - logblk)
		left = lap.end - logblk;
	*gone = d->bytes && run->physblk + skip >= d->bytes /
						   j->fs->blocksize;
	return *gone ? left : (uint32_t)pread_io_hole(j->io, run->physblk +
						      skip, left);
}

void unescape(void *block, unsigned flags)
{
	if (flags & E2LAZY_COPY_ESCAPED)
		put_be32(block, JBD2_MAGIC);
}

errcode_t e2lazy_read_copy(struct e2lazy_journal *journal, uint32_t logblk,
			   unsigned flags, void *buf)
{
	errcode_t err = e2lazy_read_log(journal, logblk, 1, buf);

	if (!err)
		unescape(buf, flags);
	return err;
}

uint64_t e2lazy_blocks_read(const struct e2lazy_journal *j)
{
	return j->blocks_read;
}
