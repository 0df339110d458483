/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * moments.c - the file system before and after each transaction of a stretch
 *
 * The content of a block at a moment is its newest copy up to then.  Before its
 * first copy it is unknown, unless the log is fresh; then it is the static
 * block, if no later copy may have been written home.  A block without any copy
 * is that of a view of the first transaction.
 */

#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "fs/block_source.h"
#include "io/halve.h"
#include "log/lookahead.h"
#include "map/versions.h"
#include "view/view.h"

/* One of the two handles. */
struct moment_fs {
	struct moments	*moments;
	int64_t		at;		/* number; -1: before the first */
	ext2_filsys	fs;
	struct lookahead span;
	uint32_t	next;		/* log block after the last copy read */
	uint32_t	streak;		/* copies read so far, one by the next */
};

struct moments {
	struct e2lazy_view *base;
	struct versions	versions;
	size_t		*starts;	/* of each moment's records in @order */
	uint32_t	*order;
	blk64_t		*blocks;	/* of the present one */
	size_t		nr_blocks;
	bool		opening;
	bool		fresh;		/* see log_is_fresh() */
	uint8_t		*block;
	struct moment_fs before, after;
};

/* ------------------------------------------------------------ one block */

/* The newest record of the block up to a moment; NULL: there is none. */
static const struct record *newest(const struct versions *v, blk64_t fsblk,
				   int64_t at)
{
	struct halving h = { .high = v->list.nr };

	while (halve(&h)) {
		const struct record *r = version_get(v, h.mid);

		halved(&h, record_fsblk(r) < fsblk ||
			   (record_fsblk(r) == fsblk && (int64_t)r->tid <= at));
	}
	return h.low && at >= 0 && version_is_of(v, h.low - 1, fsblk) ?
	       version_get(v, h.low - 1) : NULL;
}

/* A block that the first transaction logged: is the static one older? */
static errcode_t read_older(struct moments *m, blk64_t fsblk, size_t index,
			    uint8_t *out)
{
	const struct versions *v = &m->versions;
	errcode_t err;

	if (e2lazy_view_uncovered(m->base))
		return E2LAZY_ET_LOST;
	err = io_channel_read_blk64(e2lazy_static_fs(v->journal)->io, fsblk, 1,
				    out);
	for (; !err && version_is_of(v, index, fsblk); index++) {
		const struct record *r = version_get(v, index);

		if (version_is_revoke(r) || versions_read(v, r, m->block) ||
		    !memcmp(m->block, out, m->after.fs->blocksize))
			err = E2LAZY_ET_LOST;
	}
	return err;
}

/*
 * A transaction often has its copies in the order of their blocks.  Then as many
 * are read at once as were one after the other so far, else this one.
 */
static errcode_t read_copy(struct moment_fs *f, const struct record *r,
			   uint8_t *out)
{
	const struct versions *v = &f->moments->versions;
	const uint8_t *copy;
	errcode_t err;

	f->streak = r->logblk == f->next ? f->streak + 1 : 1;
	f->next = r->logblk + 1;
	copy = lookahead_read(&f->span, r->logblk, f->streak, &err);
	if (err)
		return err;
	memcpy(out, copy, v->journal->geo.blocksize);
	return versions_check(v, r, out);
}

static errcode_t read_one(struct moment_fs *f, blk64_t fsblk, uint8_t *out,
			  struct e2lazy_where *where)
{
	struct moments *m = f->moments;
	const struct versions *v = &m->versions;
	const struct record *r = newest(v, fsblk, f->at);
	unsigned size = v->journal->geo.blocksize;
	size_t first;

	*where = (struct e2lazy_where){ .has = E2LAZY_AT_FSBLK,
					.fsblk = fsblk };
	if (r && version_is_revoke(r))
		return E2LAZY_ET_LOST;
	if (r) {
		where->has |= E2LAZY_AT_LOGBLK | E2LAZY_AT_TID;
		where->logblk = r->logblk;
		where->tid = v->moments[r->tid].tid;
		return read_copy(f, r, out);
	}
	first = versions_lower_bound(v, fsblk);
	if (!m->fresh && version_is_of(v, first, fsblk))
		return E2LAZY_ET_LOST;
	if (f->at < 0 && version_is_of(v, first, fsblk) &&
	    !version_get(v, first)->tid)
		return read_older(m, fsblk, first, out);
	return e2lazy_view_read(m->base, E2LAZY_FILE_SYSTEM, fsblk * size,
				size, out, where);
}

static errcode_t read_moment(void *priv, uint64_t offset, size_t count,
			     void *buf, struct e2lazy_where *where)
{
	struct moment_fs *f = priv;
	struct moments *m = f->moments;
	unsigned size = m->versions.journal->geo.blocksize;
	uint8_t *out = buf;
	errcode_t err = 0;

	/* Superblock and descriptors are those at the start. */
	if (m->opening)
		return view_read_frame(m->base, offset, count, buf, where);
	if (offset % size || count % size)
		return e2lazy_view_read(m->base, E2LAZY_FILE_SYSTEM, offset,
					count, buf, where);
	for (; !err && count; count -= size, offset += size, out += size)
		err = read_one(f, offset / size, out, where);
	return err;
}

static blk64_t no_hole(void *priv, blk64_t fsblk, blk64_t count)
{
	(void)priv, (void)fsblk, (void)count;
	return 0;
}

static bool is_stopped(void *priv)
{
	struct moment_fs *f = priv;

	return watch_stop(&f->moments->base->watch);
}

static errcode_t open_fs(struct moments *m, struct moment_fs *f,
			 struct e2lazy_where *where)
{
	const struct block_source source = {
		.read = read_moment, .hole = no_hole, .stopped = is_stopped,
		.priv = f, .like = m->base->volumes[E2LAZY_FILE_SYSTEM].io,
	};
	errcode_t err = lookahead_init(&f->span, m->versions.journal);

	f->moments = m;
	return err ? err : block_source_open(&source,
					     &m->base->journal->device, &f->fs,
					     where);
}

/* ------------------------------------------------------- their order */

/* The records of each moment, ascending by block. */
static errcode_t sort_by_moment(struct moments *m)
{
	const struct versions *v = &m->versions;
	size_t *next;

	m->starts = calloc(v->nr_moments + 2, sizeof(*m->starts));
	m->order = calloc(v->list.nr + 1, sizeof(*m->order));
	if (!m->starts || !m->order || v->list.nr > UINT32_MAX)
		return EXT2_ET_NO_MEMORY;
	next = m->starts + 1;
	for (size_t i = 0; i < v->list.nr; i++)
		next[version_get(v, i)->tid + 1]++;
	for (size_t i = 1; i <= v->nr_moments; i++)
		next[i] += next[i - 1];
	for (size_t i = 0; i < v->list.nr; i++)
		m->order[next[version_get(v, i)->tid]++] = (uint32_t)i;
	return 0;
}

static errcode_t make_room(struct moments *m)
{
	size_t most = 0, count;

	for (size_t i = 0; i < m->versions.nr_moments; i++) {
		count = m->starts[i + 1] - m->starts[i];
		if (most < count)
			most = count;
	}
	m->blocks = calloc(most + 1, sizeof(*m->blocks));
	return m->blocks ? 0 : EXT2_ET_NO_MEMORY;
}

errcode_t moments_open(struct e2lazy_journal *journal,
		       struct e2lazy_view *base,
		       const struct e2lazy_range *ranges, uint32_t count,
		       bool fresh, struct moments **out,
		       struct e2lazy_where *where)
{
	struct moments *m = calloc(1, sizeof(*m));
	errcode_t err;

	*out = m;
	if (!m)
		return EXT2_ET_NO_MEMORY;
	m->base = base;
	m->fresh = fresh;
	err = versions_of_ranges(journal, ranges, count, &m->versions);
	if (!err)
		err = sort_by_moment(m);
	if (!err)
		err = make_room(m);
	m->opening = true;
	if (!err)
		err = open_fs(m, &m->before, where);
	if (!err)
		err = open_fs(m, &m->after, where);
	if (!err)
		err = io_channel_alloc_buf(m->after.fs->io, 1, &m->block);
	m->opening = false;
	return err;
}

void moments_close(struct moments *m)
{
	if (!m)
		return;
	if (m->before.fs)
		ext2fs_free(m->before.fs);
	if (m->after.fs)
		ext2fs_free(m->after.fs);
	lookahead_free(&m->before.span);
	lookahead_free(&m->after.span);
	ext2fs_free_mem(&m->block);
	versions_free(&m->versions);
	free(m->starts);
	free(m->order);
	free(m->blocks);
	free(m);
}

/* ---------------------------------------------------------------- going */

uint32_t moments_count(const struct moments *m)
{
	return (uint32_t)m->versions.nr_moments;
}

const struct moment *moments_get(const struct moments *m, uint32_t number)
{
	return &m->versions.moments[number];
}

/* Blocks that are asked for at once, at most. */
#define MOST_AHEAD	65536

/*
 * The copies of a transaction are beside each other in the ring, but are read one
 * by one in the order of their blocks.  So the kernel is asked for all of them, but
 * for those of one that is large, or around the end of the ring.
 */
static void ask_ahead(struct moments *m, uint32_t number)
{
	const struct versions *v = &m->versions;
	const struct runs *runs = &v->journal->runs;
	uint32_t low = UINT32_MAX, high = 0, left;

	for (size_t i = m->starts[number]; i < m->starts[number + 1]; i++) {
		uint32_t at = version_get(v, m->order[i])->logblk;

		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	if (low > high || high - low >= MOST_AHEAD || high >= runs->blocks)
		return;
	for (; low <= high; low += left) {
		const struct run *run = runs_find(runs, low);

		left = run->logblk + run->count - low;
		if (left > high - low + 1)
			left = high - low + 1;
		io_channel_cache_readahead(v->journal->io, run->physblk +
					   (low - run->logblk), left);
	}
}

errcode_t moments_go(struct moments *m, uint32_t number)
{
	const struct versions *v = &m->versions;
	errcode_t err;

	m->before.at = (int64_t)number - 1;
	m->after.at = number;
	m->nr_blocks = 0;
	ask_ahead(m, number);
	for (size_t i = m->starts[number]; i < m->starts[number + 1]; i++) {
		blk64_t fsblk = record_fsblk(version_get(v, m->order[i]));

		if (!m->nr_blocks || m->blocks[m->nr_blocks - 1] != fsblk)
			m->blocks[m->nr_blocks++] = fsblk;
	}
	err = ext2fs_flush_icache(m->before.fs);
	return err ? err : ext2fs_flush_icache(m->after.fs);
}

ext2_filsys moments_before(const struct moments *m)
{
	return m->before.fs;
}

ext2_filsys moments_after(const struct moments *m)
{
	return m->after.fs;
}

const blk64_t *moments_blocks(const struct moments *m, size_t *count)
{
	*count = m->nr_blocks;
	return m->blocks;
}

bool moments_from_place(void *priv, blk64_t fsblk)
{
	struct moments *m = priv;

	return !newest(&m->versions, fsblk, m->before.at);
}
