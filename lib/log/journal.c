/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * journal.c - the handle of a journal: opened in three steps, and read
 *
 * locate.c finds the blocks of the log, geometry.c learns its shape; the handle
 * has what follows from both, the form of its tags and its checksums.
 */

#include <stdlib.h>
#include <string.h>

#include "locate.h"
#include "log.h"
#include "io/pread_io.h"
#include "sort.h"

/* ------------------------------------------------------------- opening */

/* The log may hold a resize: it can reach to the device's end. */
static blk64_t find_limit(const struct e2lazy_geometry *g)
{
	blk64_t limit = g->fs_blocks > g->device_blocks ? g->fs_blocks :
							  g->device_blocks;

	return limit < RECORD_FSBLK_END ? limit : RECORD_FSBLK_END;
}

/* The third step: what follows from the other two. */
static void make_handle(struct e2lazy_journal *j)
{
	struct e2lazy_geometry *g = &j->geo;

	g->runs = j->runs.nr_log;
	jbd2_format_init(&j->format, g->blocksize, g->csum,
			 g->incompat & E2LAZY_INCOMPAT_64BIT);
	g->tag_bytes = j->format.tag_bytes;
	csum_init(&j->csum, g->csum, crc32c_select(), g->uuid, g->blocksize);
	j->fs_limit = find_limit(g);
}

static errcode_t open_journal(struct sought *s,
			      const struct e2lazy_open_opts *opts,
			      struct e2lazy_journal **out,
			      struct e2lazy_where *where)
{
	struct e2lazy_where unused;
	struct e2lazy_journal *j = calloc(1, sizeof(*j));
	errcode_t err;

	if (!j)
		return EXT2_ET_NO_MEMORY;
	if (opts)
		s->opts = *opts;
	if (!s->opts.manager)
		s->opts.manager = pread_io_manager;
	if (!where)
		where = &unused;
	memset(where, 0, sizeof(*where));
	j->device.fd = j->log.fd = -1;

	err = journal_locate(j, s, where);
	if (!err)
		err = journal_geometry(j, s->opts.geometry, where);
	if (err == E2LAZY_ET_DEVICE_SHORT)
		locate_end(j, where);
	if (err) {
		e2lazy_close(j);
		return err;
	}
	make_handle(j);
	*out = j;
	return 0;
}

errcode_t e2lazy_open(const char *device, const struct e2lazy_open_opts *opts,
		      struct e2lazy_journal **out, struct e2lazy_where *where)
{
	struct sought sought = { .path = device };

	return open_journal(&sought, opts, out, where);
}

errcode_t e2lazy_open_medium(const struct e2lazy_medium *fs,
			     const struct e2lazy_medium *journal,
			     const struct e2lazy_open_opts *opts,
			     struct e2lazy_journal **out,
			     struct e2lazy_where *where)
{
	struct sought sought = { .fs = fs, .journal = journal };

	/* Only a manager of the caller's can know a name that is no path. */
	if ((!fs->fs || (journal && !journal->fs)) &&
	    (!opts || !opts->manager))
		return EXT2_ET_INVALID_ARGUMENT;
	return open_journal(&sought, opts, out, where);
}

void e2lazy_close(struct e2lazy_journal *j)
{
	if (!j)
		return;
	runs_free(&j->runs);
	if (j->jfs && !j->jfs_lent)
		ext2fs_free(j->jfs);
	if (j->fs && !j->fs_lent)
		ext2fs_free(j->fs);
	device_release(&j->device);
	device_release(&j->log);
	free(j);
}

/* ------------------------------------------------------------- reading */

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
	const struct run *run;

	if (logblk >= j->runs.blocks)
		return E2LAZY_ET_OUTSIDE_LOG;
	run = runs_find(&j->runs, logblk);
	*physblk = run->physblk + (logblk - run->logblk);
	return 0;
}

bool e2lazy_is_journal_block(const struct e2lazy_journal *j, blk64_t fsblk)
{
	return runs_own(&j->runs, fsblk);
}

/* At most this many blocks in one request, so that its bytes fit an int. */
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
		j->blocks_read += count;
	return err;
}

uint32_t log_hole(const struct e2lazy_journal *j, uint32_t logblk,
		  uint32_t count)
{
	const struct run *run = runs_find(&j->runs, logblk);
	uint32_t left = run->count - (logblk - run->logblk);

	left = left < count ? left : count;
	if (left > j->geo.end - logblk)
		left = j->geo.end - logblk;
	return (uint32_t)pread_io_hole(j->io, run->physblk +
				       (logblk - run->logblk), left);
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
