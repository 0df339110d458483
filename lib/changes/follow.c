/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* follow.c - a step for each transaction of a log that a kernel is writing */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "follow_parts.h"
#include "io/bytes.h"
#include "io/grow.h"
#include "io/watch.h"

/* Blocks that are read before they are told, at most: then the log waits. */
#define MOST_QUEUED	65536

/* The log is looked at so often while the directories are read. */
#define LOOK_NSEC	100000000

/* -------------------------------------------------------- from the log */

static void append(struct follow *f, struct feed_txn *t)
{
	*f->last = t;
	f->last = &t->next;
	f->queued += feed_txn_blocks(&f->feed, t);
}

/* Read all that is there. */
static errcode_t take_all(struct follow *f)
{
	enum feed_state state = FEED_TXN;
	struct feed_txn *t;
	errcode_t err = 0;

	while (!err && !f->lost && state == FEED_TXN &&
	       f->queued < MOST_QUEUED) {
		err = feed_read(&f->feed, &state, &t);
		if (!err && state == FEED_TXN)
			append(f, t);
		else if (!err && state == FEED_LOST)
			f->lost = true;
		else if (!err && feed_is_idle(&f->feed))
			known_settle(&f->known, f->feed.at.tid + 2);
	}
	return err;
}

static struct feed_txn *take_first(struct follow *f)
{
	struct feed_txn *t = f->first;

	f->first = t->next;
	if (!f->first)
		f->last = &f->first;
	f->queued -= feed_txn_blocks(&f->feed, t);
	return t;
}

/* ------------------------------------------------------------- one step */

static bool is_unknown(void *priv, blk64_t fsblk)
{
	struct follow *f = priv;

	return !known_get(&f->known, fsblk);
}

/*
 * A transaction begins when the commit of the last but one is done; so an inode
 * that is older than that has nothing of this one.
 */
static bool is_doubtful(void *priv, blk64_t fsblk,
			const struct e2lazy_time *changed)
{
	struct follow *f = priv;
	const struct known_block *b = known_get(&f->known, fsblk);

	return b && known_doubts(b, f->step.tid) &&
	       time_is_later(*changed, f->step.began);
}

static errcode_t note_lost(void *priv, blk64_t fsblk, bool before,
			   errcode_t why)
{
	struct follow *f = priv;

	if (before && why == E2LAZY_ET_LOST) {
		f->unknown_dir = f->step.dir;
		return 0;
	}
	return f->opts.damaged ? f->opts.damaged(f->opts.priv, fsblk, why) : 0;
}

static errcode_t note_found(void *priv, const struct e2lazy_change *c)
{
	struct follow *f = priv;

	return f->opts.found(f->opts.priv, c);
}

static int by_number(const void *a, const void *b)
{
	const blk64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Blocks that it logged or revoked, each once. */
static errcode_t list_blocks(struct follow *f)
{
	const struct feed_txn *t = f->txn;
	size_t count = t->nr + t->nr_revoked, kept = 0;

	if (count > f->blocks_room) {
		free(f->blocks);
		f->blocks = calloc(count, sizeof(*f->blocks));
		f->blocks_room = f->blocks ? count : 0;
		if (!f->blocks)
			return EXT2_ET_NO_MEMORY;
	}
	for (size_t i = 0; i < t->nr; i++)
		f->blocks[i] = t->copies[i].fsblk;
	for (size_t i = 0; i < t->nr_revoked; i++)
		f->blocks[t->nr + i] = t->revoked[i];
	if (count)
		qsort(f->blocks, count, sizeof(*f->blocks), by_number);
	for (size_t i = 0; i < count; i++)
		if (!kept || f->blocks[kept - 1] != f->blocks[i])
			f->blocks[kept++] = f->blocks[i];
	f->step.blocks = f->blocks;
	f->step.nr_blocks = kept;
	return 0;
}

/* Which names of the directory changed is unknown. */
static errcode_t tell_directory(struct follow *f, ext2_ino_t dir)
{
	struct e2lazy_change c = {
		.kind = E2LAZY_CHANGED, .tid = f->step.tid, .sec = f->step.sec,
		.nsec = f->step.nsec, .ino = dir,
	};
	char *path;
	errcode_t err = names_tell(&f->names, dir, &path);

	c.path = path;
	if (!err)
		err = f->opts.found(f->opts.priv, &c);
	free(path);
	return err;
}

static errcode_t take_step(struct follow *f)
{
	struct step *step = &f->step;
	errcode_t err = list_blocks(f);

	step->tid = f->txn->tid;
	step->sec = f->txn->sec;
	step->nsec = f->txn->nsec;
	step->began = f->commits[0];
	step->dir = f->unknown_dir = 0;
	if (!err)
		err = ext2fs_flush_icache(f->before.fs);
	if (!err)
		err = ext2fs_flush_icache(f->after.fs);
	if (!err)
		err = step_gather(step);
	if (!err)
		err = step_events(step);
	return !err && f->unknown_dir && !step->silent ?
	       tell_directory(f, f->unknown_dir) : err;
}

/* --------------------------------------------------- from now on it is known */

static errcode_t keep_displaced(struct follow *f, blk64_t fsblk)
{
	const struct known_block *b = known_get(&f->known, fsblk);
	size_t size = f->journal->geo.blocksize;
	struct displaced *d = grow(f->displaced, f->nr_displaced,
				   &f->displaced_room, sizeof(*d));

	if (!d)
		return EXT2_ET_NO_MEMORY;
	f->displaced = d;
	d += f->nr_displaced++;
	*d = (struct displaced){ .fsblk = fsblk };
	if (!b)
		return 0;
	d->bytes = malloc(size);
	if (!d->bytes)
		return EXT2_ET_NO_MEMORY;
	memcpy(d->bytes, b->bytes, size);
	return 0;
}

static errcode_t undo_displaced(struct follow *f)
{
	errcode_t err = 0;

	while (f->nr_displaced) {
		struct displaced *d = &f->displaced[--f->nr_displaced];

		if (!d->bytes)
			known_drop(&f->known, d->fsblk);
		else if (!err)
			err = known_put(&f->known, d->fsblk, d->bytes);
		free(d->bytes);
	}
	free(f->displaced);
	f->displaced = NULL;
	f->displaced_room = 0;
	return err;
}

/* What a transaction logs and revokes, it does not log. */
static errcode_t merge(struct follow *f)
{
	const struct feed_txn *t = f->txn;
	errcode_t err = 0;

	for (size_t i = 0; !err && f->keeps && i < f->step.nr_blocks; i++)
		err = keep_displaced(f, f->step.blocks[i]);
	for (size_t i = 0; !err && i < t->nr; i++)
		if (follow_wants(f, t->copies[i].fsblk))
			err = known_put(&f->known, t->copies[i].fsblk,
					t->copies[i].bytes);
	for (size_t i = 0; i < t->nr_revoked; i++)
		known_drop(&f->known, t->revoked[i]);
	f->commits[0] = f->commits[1];
	f->commits[1] = commit_time(t->sec, t->nsec);
	return err;
}

/* Has the file system another size now? */
static bool is_resized(const struct follow *f)
{
	blk64_t at = EXT2_MIN_BLOCK_SIZE / f->journal->geo.blocksize;
	const struct feed_copy *c = feed_txn_find(f->txn, at);
	const struct ext2_super_block *sb = f->after.fs->super;
	const uint8_t *raw;

	if (!c)
		return false;
	raw = c->bytes + (at ? 0 : EXT2_MIN_BLOCK_SIZE);
	return get_le32(raw + offsetof(struct ext2_super_block,
				       s_blocks_count)) != sb->s_blocks_count ||
	       get_le32(raw + offsetof(struct ext2_super_block,
				       s_blocks_count_hi)) !=
	       sb->s_blocks_count_hi;
}

/* --------------------------------------------------------- open and close */

static void close_steps(struct follow *f)
{
	step_free(&f->step);
	e2lazy_layout_free(f->step.layout);
	if (f->before.fs)
		ext2fs_free(f->before.fs);
	if (f->after.fs)
		ext2fs_free(f->after.fs);
	f->before.fs = f->after.fs = NULL;
	memset(&f->step, 0, sizeof(f->step));
}

static errcode_t open_steps(struct follow *f, struct e2lazy_where *where)
{
	errcode_t err = follow_fs_open(f, &f->before, false, where);

	if (!err)
		err = follow_fs_open(f, &f->after, true, where);
	if (!err)
		err = follow_layout(f, where);
	if (err)
		return err;
	f->step_opts = (struct e2lazy_changes_opts){
		.found = note_found, .lost = note_lost, .priv = f };
	f->step = (struct step){
		.before = f->before.fs, .after = f->after.fs,
		.layout = f->step.layout, .opts = &f->step_opts,
		.names = &f->names, .from_place = is_unknown,
		.doubts = is_doubtful, .priv = f,
	};
	return step_init(&f->step);
}

/*
 * The superblock and the descriptors of a mounted file system may be caught
 * while the kernel changes them.
 */
#define OPEN_TRIES	5

static errcode_t open_again(struct follow *f, struct e2lazy_where *where)
{
	const struct timespec pause = { .tv_nsec = LOOK_NSEC };
	errcode_t err = EXT2_ET_SB_CSUM_INVALID;

	for (unsigned i = 0; err && i < OPEN_TRIES; i++) {
		close_steps(f);
		if (i)
			nanosleep(&pause, NULL);
		err = open_steps(f, where);
		f->names.fs = f->after.fs;
		if (err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED)
			break;
	}
	return err;
}

/* The first pass over the transactions that are there already. */
static errcode_t learn_all(struct follow *f)
{
	const struct e2lazy_time begin[2] = { f->commits[0], f->commits[1] };
	errcode_t err = 0;

	f->step.silent = f->keeps = true;
	for (f->txn = f->first; !err && f->txn; f->txn = f->txn->next) {
		err = take_step(f);
		if (!err)
			err = merge(f);
	}
	f->txn = NULL;
	f->step.silent = f->keeps = false;
	memcpy(f->commits, begin, sizeof(begin));
	return err;
}

static errcode_t learn_names(struct follow *f, struct e2lazy_where *where)
{
	errcode_t err = names_init(&f->names, f->after.fs, NULL), undone;

	(void)where;
	f->names.live = true;
	if (!err)
		err = take_all(f);
	if (!err)
		err = learn_all(f);
	if (!err)
		err = follow_read_names(f);
	undone = undo_displaced(f);
	if (!err)
		err = undone;
	if (!err)
		err = take_all(f);
	return err ? err : names_rewind(&f->names);
}

static errcode_t tick(void *priv, enum e2lazy_phase phase, uint64_t done,
		      uint64_t total)
{
	struct follow *f = priv;
	const struct e2lazy_watch *w = f->opts.watch;
	errcode_t err = take_all(f);

	return err || !w || !w->progress ? err :
	       w->progress(w->priv, phase, done, total);
}

static errcode_t stop(void *priv)
{
	struct follow *f = priv;

	return watch_stop(f->opts.watch);
}

static errcode_t begin(struct follow *f, struct e2lazy_where *where)
{
	errcode_t err = known_init(&f->known, f->journal->geo.blocksize,
				   f->opts.memory);

	f->told = f->feed.at;
	f->last = &f->first;
	f->watch = (struct e2lazy_watch){ .progress = tick, .stop = stop,
					  .priv = f };
	if (!err)
		err = open_again(f, where);
	if (!err)
		err = follow_read_ring(f);
	return err ? err : learn_names(f, where);
}

static void end(struct follow *f)
{
	while (f->first)
		feed_txn_free(take_first(f));
	close_steps(f);
	names_release(&f->names);
	known_free(&f->known);
	free(f->blocks);
	f->blocks = NULL;
	f->blocks_room = 0;
	f->lost = false;
}

static errcode_t seek(struct follow *f, const struct feed_place *since)
{
	bool found = true;
	errcode_t err = since ? feed_seek(&f->feed, since, &found) :
				feed_seek_head(&f->feed);

	return err || found ? err : E2LAZY_ET_LOST;
}

errcode_t follow_open(struct e2lazy_journal *journal,
		      const struct follow_opts *opts,
		      const struct feed_place *since, struct follow **out,
		      struct e2lazy_where *where)
{
	struct follow *f = calloc(1, sizeof(*f));
	errcode_t err;

	memset(where, 0, sizeof(*where));
	*out = f;
	if (!f)
		return EXT2_ET_NO_MEMORY;
	f->journal = journal;
	f->opts = *opts;
	err = feed_init(&f->feed, journal);
	if (!err)
		err = journal_bypass_cache(journal);
	if (!err)
		err = seek(f, since);
	return err ? err : begin(f, where);
}

void follow_close(struct follow *f)
{
	if (!f)
		return;
	end(f);
	feed_free(&f->feed);
	free(f);
}

/* ------------------------------------------------------------ going on */

static errcode_t tell_next(struct follow *f, struct follow_batch *batch)
{
	struct e2lazy_where where;
	bool resized;
	errcode_t err;

	f->txn = take_first(f);
	batch->tid = batch->last = f->txn->tid;
	err = take_step(f);
	if (!err)
		err = merge(f);
	resized = is_resized(f);
	f->told = (struct feed_place){ f->txn->tid, f->txn->end, f->txn->sum };
	feed_txn_free(f->txn);
	f->txn = NULL;
	if (!err && resized)
		err = open_again(f, &where);
	return err ? err : names_tidy(&f->names);
}

/* The next one that can be read is as good as any: go to the end. */
static errcode_t begin_again(struct follow *f, struct follow_batch *batch)
{
	struct e2lazy_where where;
	uint32_t first = f->told.tid + 1;
	errcode_t err;

	end(f);
	err = feed_seek_head(&f->feed);
	batch->tid = first;
	batch->last = f->feed.at.tid;
	return err ? err : begin(f, &where);
}

errcode_t follow_next(struct follow *f, enum follow_state *state,
		      struct follow_batch *batch)
{
	errcode_t err = f->first ? 0 : take_all(f);

	*state = FOLLOW_IDLE;
	if (err)
		return err;
	if (f->first) {
		*state = FOLLOW_TXN;
		return tell_next(f, batch);
	}
	if (!f->lost)
		return 0;
	*state = FOLLOW_LOST;
	return begin_again(f, batch);
}

void follow_where(const struct follow *f, struct feed_place *place)
{
	*place = f->told;
}

errcode_t follow_paths(struct follow *f, ext2_ino_t ino,
		       errcode_t (*found)(void *priv, const char *path),
		       void *priv)
{
	return names_each(&f->names, ino, found, priv);
}
