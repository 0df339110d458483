/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * journal.c - open a journal in three steps
 *
 * locate.c finds the blocks of the log.  geometry.c learns its shape.
 * make_handle() derives the rest from both: the form of tags and checksums.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opening.h"
#include "io/pread_io.h"
#include "sort.h"

/* The log may hold a resize, which can use the device up to its end. */
static blk64_t find_limit(const struct e2lazy_geometry *g)
{
	blk64_t limit = g->fs_blocks > g->device_blocks ? g->fs_blocks :
							  g->device_blocks;

	return limit < RECORD_FSBLK_END ? limit : RECORD_FSBLK_END;
}

/* The third step. */
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

/* Free the handle if a step of opening has failed. */
static errcode_t stepped(struct e2lazy_journal *j, errcode_t err,
			 struct e2lazy_where *where)
{
	if (err == E2LAZY_ET_DEVICE_SHORT)
		locate_end(j, where);
	if (err)
		e2lazy_close(j);
	return err;
}

/*
 * Drop cached blocks of the log: they may be of an earlier lap.  The kernel's
 * own buffers have the journal superblock, and what is before it.
 */
static errcode_t forget_cached(const struct e2lazy_journal *j)
{
	uint32_t first = journal_super_logblk(j) + 1;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < j->runs.nr_log; i++) {
		const struct run *run = &j->runs.log[i];
		uint32_t skip = first > run->logblk ? first - run->logblk : 0;

		if (skip < run->count)
			err = pread_io_forget(j->io, run->physblk + skip,
					      run->count - skip);
	}
	return err;
}

errcode_t journal_bypass_cache(struct e2lazy_journal *j)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < j->runs.nr_log; i++)
		err = pread_io_bypass(j->io, j->runs.log[i].physblk,
				      j->runs.log[i].count);
	return err;
}

/* A device can grow while its file system is mounted. */
static void measure_again(struct e2lazy_journal *j)
{
	off_t end = j->device.fd < 0 ? -1 : lseek(j->device.fd, 0, SEEK_END);

	if (end <= 0 || (uint64_t)end < j->device.offset + j->device.bytes)
		return;
	j->device.bytes = (uint64_t)end - j->device.offset;
	j->geo.device_blocks = j->device.bytes / j->geo.blocksize;
}

errcode_t journal_read_again(struct e2lazy_journal *j)
{
	struct e2lazy_geometry g;
	struct e2lazy_where where;
	void *buf = NULL;
	errcode_t err = io_channel_alloc_buf(j->io, 1, &buf);

	measure_again(j);
	g = j->geo;
	g.compat = g.incompat = g.ro_compat = 0;
	g.fc_first = g.fc_blocks = 0;
	if (!err)
		err = e2lazy_read_log(j, journal_super_logblk(j), 1, buf);
	if (!err)
		err = jsb_parse(buf, j->runs.blocks, j->fs->blocksize,
				journal_super_logblk(j), j->csum.crc, &g,
				&where);
	ext2fs_free_mem(&buf);
	if (err)
		return err;
	if (memcmp(g.uuid, j->geo.uuid, sizeof(g.uuid)))
		return E2LAZY_ET_CHANGED;
	j->geo = g;
	make_handle(j);
	return 0;
}

errcode_t journal_place(struct sought *s, const struct e2lazy_open_opts *opts,
			struct e2lazy_journal **out,
			struct e2lazy_where *where)
{
	struct e2lazy_journal *j = calloc(1, sizeof(*j));
	errcode_t err;

	if (!j)
		return EXT2_ET_NO_MEMORY;
	if (opts)
		s->opts = *opts;
	if (!s->opts.manager)
		s->opts.manager = pread_io_manager;
	memset(where, 0, sizeof(*where));
	j->device.fd = j->log.fd = -1;
	j->manager = s->opts.manager;
	*out = j;
	err = stepped(j, journal_locate(j, s, where), where);
	return err ? err : stepped(j, forget_cached(j), where);
}

static errcode_t open_journal(struct sought *s,
			      const struct e2lazy_open_opts *opts,
			      struct e2lazy_journal **out,
			      struct e2lazy_where *where)
{
	struct e2lazy_where unused;
	struct e2lazy_journal *j;
	errcode_t err;

	if (!where)
		where = &unused;
	err = journal_place(s, opts, &j, where);
	if (!err)
		err = stepped(j, journal_geometry(j, s->opts.geometry, where),
			      where);
	if (err)
		return err;
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

	/* Only the caller's own manager can open a name that is no path. */
	if ((!fs->fs || (journal && !journal->fs)) && (!opts || !opts->manager))
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
