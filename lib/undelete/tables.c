/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tables.c - the copies of inode tables in the ring, and the tables now
 *
 * Threads read all the copies once, in the order of time, for the lives.  Later
 * steps want the chosen copies again, by inode; a window reads these, for the
 * ring mostly has the copies of neighbours beside each other.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/inode_search.h"
#include "io/grow.h"
#include "log/reader.h"
#include "undelete.h"

#define COPIES_PER_TICK	256
#define AHEAD_BYTES	(32 << 20)
#define REQUEST_BYTES	(256 << 10)	/* the reader has 16 requests */

/* -------------------------------------------- all copies, in time order */

struct table_copies {
	struct e2lazy_undelete *u;
	struct want	*wants;
	size_t		count, done;
};

static bool is_table(struct e2lazy_undelete *u, blk64_t fsblk,
		     struct e2lazy_place *place)
{
	e2lazy_layout_find(u->layout, fsblk, place);
	return place->type == E2LAZY_TYPE_INODE_TABLE && place->ino;
}

static errcode_t list_copies(struct table_copies *t)
{
	const struct versions *v = &t->u->versions;
	struct e2lazy_place place;
	bool table = false;

	t->wants = calloc(v->list.nr + 1, sizeof(*t->wants));
	t->u->tables = calloc(v->list.nr + 1, sizeof(*t->u->tables));
	if (!t->wants || !t->u->tables)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < v->list.nr; i++) {
		const struct record *r = version_get(v, i);

		if (!i || record_fsblk(r) != record_fsblk(r - 1)) {
			table = is_table(t->u, record_fsblk(r), &place);
			if (table)
				t->u->tables[t->u->nr_tables++] = place.ino;
		}
		if (table && !version_is_revoke(r))
			t->wants[t->count++] = (struct want){
				.logblk = r->logblk, .slot = (uint32_t)i,
				.request = r->tid,
			};
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct want *x = a, *y = b;

	if (x->request != y->request)
		return x->request < y->request ? -1 : 1;
	return x->logblk < y->logblk ? -1 : x->logblk > y->logblk;
}

/* Runs in the threads that read. */
static void verify_copies(void *priv, const struct span *span)
{
	const struct table_copies *t = priv;
	const struct versions *v = &t->u->versions;

	for (const struct want *w = span->from; w < span->to; w++) {
		const struct record *r = version_get(v, w->slot);
		errcode_t *err = &span->errors[w - span->from];
		uint8_t *block = span_block(span, w, t->u->fs->blocksize);

		if (!*err && !version_is_good(v, r, block))
			*err = E2LAZY_ET_DATA_CSUM;
		if (!*err)
			unescape(block, r->flags);
	}
}

static errcode_t note_bad(struct e2lazy_undelete *u, blk64_t fsblk)
{
	blk64_t *bad = grow(u->bad, u->nr_bad, &u->bad_room, sizeof(*bad));

	if (!bad)
		return EXT2_ET_NO_MEMORY;
	u->bad = bad;
	u->bad[u->nr_bad++] = fsblk;
	u->unreadable++;
	return 0;
}

static errcode_t take_copies(void *priv, const struct span *span)
{
	struct table_copies *t = priv;
	struct e2lazy_undelete *u = t->u;
	struct e2lazy_place place;
	errcode_t err = 0;

	for (const struct want *w = span->from; !err && w < span->to; w++) {
		const struct record *r = version_get(&u->versions, w->slot);

		if (t->done++ % COPIES_PER_TICK == 0)
			err = watch_tick(u->opts->watch, E2LAZY_PHASE_READ,
					 t->done, t->count);
		if (err)
			break;
		is_table(u, record_fsblk(r), &place);
		if (span->errors[w - span->from]) {
			lives_note_bad(u, place.ino);
			err = note_bad(u, record_fsblk(r));
			continue;
		}
		err = lives_note_block(u, place.ino,
				       span_block(span, w, u->fs->blocksize),
				       r->tid, w->slot);
	}
	return err;
}

static int by_inode(const void *a, const void *b)
{
	const ext2_ino_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The tables themselves are read next: let the device begin with them. */
static void order_tables(struct e2lazy_undelete *u)
{
	blk64_t first = 0, count = 0, left = AHEAD_BYTES / u->fs->blocksize;

	if (u->nr_tables)
		qsort(u->tables, u->nr_tables, sizeof(*u->tables), by_inode);
	for (size_t i = 0; i < u->nr_tables && left; i++, left--) {
		blk64_t home = inode_home(u->fs, u->tables[i]);

		if (count && home == first + count) {
			count++;
			continue;
		}
		if (count)
			io_channel_cache_readahead(u->journal->fs->io, first,
						   count);
		first = home;
		count = 1;
	}
	if (count)
		io_channel_cache_readahead(u->journal->fs->io, first, count);
}

static errcode_t read_copies_of_tables(struct e2lazy_undelete *u)
{
	struct table_copies t = { .u = u };
	struct read_list list;
	errcode_t err = list_copies(&t);

	if (!err && t.count) {
		order_tables(u);
		qsort(t.wants, t.count, sizeof(*t.wants), by_time);
		list = (struct read_list){
			.at = t.wants, .count = t.count,
			.gap = GAP_BYTES / u->fs->blocksize,
			.most = REQUEST_BYTES / u->fs->blocksize,
			.again = true,
		};
		err = reader_run(u->journal, &list, verify_copies, take_copies,
				 &t);
	}
	free(t.wants);
	return err;
}

/* ------------------------------------------------------------------ now */

static void compare_now(struct life *life, const struct seen *s)
{
	bool same = seen_same_life(life, s);

	life->alive = s->links && same;
	if (life->alive || !same)
		return;
	if (life->gone == MOMENT_NOW)
		life_note_end(life, s);
	life->pending = s->blocks != 0;
	if (!life->dtime && !life->pending)
		life->dtime = s->dtime;
}

/* If the inode in place is unreadable, the ring alone decides. */
static void compare_unreadable(struct life *life)
{
	life->alive = life->gone == MOMENT_NOW;
}

/* The newest lives of the inodes in a block that begins with @first. */
static errcode_t compare_block(struct e2lazy_undelete *u, struct window *now,
			       ext2_ino_t first, uint32_t count)
{
	unsigned size = EXT2_INODE_SIZE(u->fs->super);
	const uint8_t *block = NULL;
	struct seen s = { .when = MOMENT_NOW };
	errcode_t err;

	err = window_get(now, inode_home(u->fs, first), &block);
	if (err == E2LAZY_ET_CANCELLED)
		return err;
	u->unreadable += err != 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = lives_newest(u, first + i);

		if (number == NO_LIFE)
			continue;
		if (err) {
			compare_unreadable(life_get(u, number));
			continue;
		}
		seen_take(u->fs, block + (size_t)i * size, &s);
		compare_now(life_get(u, number), &s);
	}
	return 0;
}

static errcode_t read_now(void *priv, blk64_t at, unsigned count, void *to)
{
	const struct e2lazy_undelete *u = priv;

	return io_channel_read_blk64(u->fs->io, at, (int)count, to);
}

/* Find the newest lives that go on.  An inode never written is free. */
static errcode_t find_alive(struct e2lazy_undelete *u)
{
	struct window now = {
		.read = read_now, .priv = u, .blocksize = u->fs->blocksize,
		.end = ext2fs_blocks_count(u->fs->super),
	};
	uint32_t per_group = u->fs->super->s_inodes_per_group;
	uint32_t per_block = u->fs->blocksize / EXT2_INODE_SIZE(u->fs->super);
	errcode_t err = 0;

	for (size_t i = 0; !err && i < u->nr_tables; i++) {
		uint32_t index = (u->tables[i] - 1) % per_group;
		uint32_t used = e2lazy_group_inodes(u->fs,
					(u->tables[i] - 1) / per_group);

		if (index < used)
			err = compare_block(u, &now, u->tables[i],
					    used - index < per_block ?
					    used - index : per_block);
	}
	window_free(&now);
	return err;
}

errcode_t tables_read(struct e2lazy_undelete *u)
{
	errcode_t err = read_copies_of_tables(u);

	states_end(u);
	return err ? err : find_alive(u);
}

errcode_t tables_add_made(struct e2lazy_undelete *u)
{
	uint32_t per_group = u->fs->super->s_inodes_per_group;
	uint32_t per_block = u->fs->blocksize / EXT2_INODE_SIZE(u->fs->super);
	ext2_ino_t *tables = reallocarray(u->tables,
					  u->nr_tables + u->nr_made + 1,
					  sizeof(*tables));
	size_t nr = 0;

	if (!tables)
		return EXT2_ET_NO_MEMORY;
	u->tables = tables;
	if (!u->nr_made)
		return 0;
	for (size_t i = 0; i < u->nr_made; i++)
		tables[u->nr_tables++] = u->made[i].ino -
			(u->made[i].ino - 1) % per_group % per_block;
	qsort(tables, u->nr_tables, sizeof(*tables), by_inode);
	for (size_t i = 0; i < u->nr_tables; i++)
		if (!nr || tables[nr - 1] != tables[i])
			tables[nr++] = tables[i];
	u->nr_tables = nr;
	return 0;
}

/* ------------------------------------------------------- one copy again */

static errcode_t read_ring(void *priv, blk64_t at, unsigned count, void *to)
{
	const struct e2lazy_undelete *u = priv;

	return e2lazy_read_log(u->journal, (uint32_t)at, count, to);
}

errcode_t copy_read(struct e2lazy_undelete *u, const struct record *r,
		    uint8_t *to)
{
	const uint8_t *block;
	errcode_t err;

	u->ring_window.read = read_ring;
	u->ring_window.priv = u;
	u->ring_window.blocksize = u->fs->blocksize;
	u->ring_window.end = u->journal->geo.maxlen;
	u->reads++;
	err = window_get(&u->ring_window, r->logblk, &block);
	if (err)
		return err;
	memcpy(to, block, u->fs->blocksize);
	return versions_check(&u->versions, r, to);
}

errcode_t life_inode(struct e2lazy_undelete *u, const struct life *life,
		     const uint8_t **raw, struct ext2_inode_large *out)
{
	errcode_t err = 0;

	*raw = u->block + inode_offset(u->fs, life->ino);
	if (u->inode_of == life) {
		*out = u->inode;
		return 0;
	}
	u->inode_of = NULL;
	if (life_is_made(u, life)) {
		*raw = u->made[life->copy - u->versions.list.nr].raw;
		inode_take(u->fs, *raw, out);
		return 0;
	}
	if (u->block_of != life->copy)
		err = copy_read(u, version_get(&u->versions, life->copy),
				u->block);
	u->block_of = err ? UINT32_MAX : life->copy;
	if (err)
		return err;
	inode_take(u->fs, *raw, &u->inode);
	u->inode_of = life;
	*out = u->inode;
	return 0;
}
