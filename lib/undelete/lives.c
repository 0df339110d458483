/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lives.c - the lives of each inode, from its copies in time order
 *
 * The next file gets an inode number as soon as it is free.  Generation and
 * creation time tell the files apart: the kernel sets both anew for each file.
 * The inode of a deleted file keeps both, and loses links, size and map.  So
 * the newest copy of the same life with links is the one to restore, however
 * many newer copies of the inode there are.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/inode_search.h"
#include "io/grow.h"
#include "log/reader.h"
#include "undelete.h"

#define COPIES_PER_TICK	256
#define FIRST_SLOTS	4096

/* The fields of a copy of an inode that matter here. */
struct seen {
	ext2_ino_t	ino;
	uint32_t	when;		/* or MOMENT_NOW */
	uint32_t	copy;
	struct ext2_inode_large inode;
};

/* ------------------------------------------------------- the hash table */

static uint32_t slot_of(const struct lives *l, ext2_ino_t ino)
{
	uint32_t slot = (uint32_t)(ino * 2654435761U) & (l->slots - 1);

	while (l->newest[slot] != NO_LIFE &&
	       l->at[l->newest[slot]].ino != ino)
		slot = (slot + 1) & (l->slots - 1);
	return slot;
}

static errcode_t make_slots(struct lives *l)
{
	uint32_t slots = l->slots ? 2 * l->slots : FIRST_SLOTS;
	uint32_t *old = l->newest, *table, count = l->slots;

	if (l->slots && l->inodes < l->slots / 2)
		return 0;
	if (slots < l->slots)
		return EXT2_ET_NO_MEMORY;
	table = malloc(slots * sizeof(*table));
	if (!table)
		return EXT2_ET_NO_MEMORY;
	for (uint32_t i = 0; i < slots; i++)
		table[i] = NO_LIFE;
	l->newest = table;
	l->slots = slots;
	for (uint32_t i = 0; i < count; i++)
		if (old[i] != NO_LIFE)
			table[slot_of(l, l->at[old[i]].ino)] = old[i];
	free(old);
	return 0;
}

uint32_t lives_newest(const struct e2lazy_undelete *u, ext2_ino_t ino)
{
	return u->lives.slots ? u->lives.newest[slot_of(&u->lives, ino)] :
				NO_LIFE;
}

/* If a life began before its first copy, its creation time gives the begin. */
static bool began_by(const struct e2lazy_undelete *u, const struct life *life,
		     uint32_t when)
{
	return when == MOMENT_NOW || !life->crtime ||
	       life->crtime <= u->versions.moments[when].sec + 1;
}

uint32_t lives_at(const struct e2lazy_undelete *u, ext2_ino_t ino,
		  uint32_t when)
{
	uint32_t number = lives_newest(u, ino), oldest = NO_LIFE;

	for (; number != NO_LIFE; number = life_get(u, number)->earlier) {
		if (life_get(u, number)->first <= when)
			return number;
		oldest = number;
	}
	return oldest != NO_LIFE && began_by(u, life_get(u, oldest), when) ?
	       oldest : NO_LIFE;
}

/* --------------------------------------------------------- one copy */

static bool is_same_life(const struct life *life,
			 const struct ext2_inode_large *i)
{
	return life->generation == i->i_generation &&
	       life->crtime == i->i_crtime &&
	       life->crtime_extra == i->i_crtime_extra;
}

static enum rank rank_of(const struct ext2_inode_large *i)
{
	if (!i->i_links_count)
		return RANK_ORPHAN;
	return i->i_dtime ? RANK_TRUNCATING : RANK_IN_USE;
}

static uint64_t size_of(const struct ext2_inode_large *i)
{
	return EXT2_I_SIZE((const struct ext2_inode *)i);
}

/* An empty deleted inode only marks the end of a life. */
static bool has_something(const struct ext2_inode_large *i)
{
	return i->i_mode && (i->i_links_count ||
			     (size_of(i) && (i->i_blocks || i->i_size < 60)));
}

static void choose(struct life *life, const struct seen *s)
{
	enum rank rank = rank_of(&s->inode);
	bool better = rank > life->rank;

	if (rank == life->rank)
		better = rank != RANK_ORPHAN ||
			 size_of(&s->inode) > life->size;
	if (!better)
		return;
	life->rank = rank;
	life->copy = s->copy;
	life->chosen = s->when;
	life->size = size_of(&s->inode);
	life->mode = s->inode.i_mode;
}

static errcode_t begin_life(struct lives *l, const struct seen *s)
{
	uint32_t slot;
	errcode_t err = make_slots(l);
	struct life *life;

	if (err)
		return err;
	life = l->nr == NO_LIFE ? NULL :
	       grow(l->at, l->nr, &l->room, sizeof(*life));
	if (!life)
		return EXT2_ET_NO_MEMORY;
	l->at = life;
	slot = slot_of(l, s->ino);
	l->inodes += l->newest[slot] == NO_LIFE;
	life = &l->at[l->nr];
	*life = (struct life){
		.ino = s->ino, .generation = s->inode.i_generation,
		.crtime = s->inode.i_crtime,
		.crtime_extra = s->inode.i_crtime_extra,
		.earlier = l->newest[slot], .copy = s->copy,
		.first = s->when, .chosen = s->when, .gone = MOMENT_NOW,
		.names = NO_NAME, .rank = (uint8_t)rank_of(&s->inode),
		.size = size_of(&s->inode), .mode = s->inode.i_mode,
	};
	l->newest[slot] = l->nr++;
	return 0;
}

static void end_life(struct life *life, const struct seen *s)
{
	if (life->gone == MOMENT_NOW)
		life->gone = s->when;
	/* In the list of orphans the field is the next one's number. */
	if (!life->dtime && !s->inode.i_links_count && !s->inode.i_blocks)
		life->dtime = s->inode.i_dtime;
}

static errcode_t note_copy(struct e2lazy_undelete *u, const struct seen *s)
{
	struct lives *l = &u->lives;
	uint32_t number = lives_newest(u, s->ino);
	struct life *life = number == NO_LIFE ? NULL : &l->at[number];
	bool same = life && is_same_life(life, &s->inode);
	errcode_t err = 0;

	if (life && !same)
		end_life(life, s);
	if (!same) {
		if (!has_something(&s->inode))
			return 0;
		err = begin_life(l, s);
		if (err)
			return err;
		life = &l->at[lives_newest(u, s->ino)];
	}
	choose(life, s);
	if (!s->inode.i_links_count)
		end_life(life, s);
	else			/* linked again, as from O_TMPFILE */
		life->gone = MOMENT_NOW;
	return err;
}

static bool is_counted(const struct e2lazy_undelete *u, ext2_ino_t ino)
{
	const struct ext2_super_block *sb = u->fs->super;

	return ino <= sb->s_inodes_count && ino != sb->s_journal_inum &&
	       (ino == EXT2_ROOT_INO || ino >= EXT2_FIRST_INO(sb));
}

/* All inodes of a block of the inode table. */
static errcode_t note_block(struct e2lazy_undelete *u, ext2_ino_t first,
			    const uint8_t *block, uint32_t when, uint32_t copy)
{
	unsigned size = EXT2_INODE_SIZE(u->fs->super);
	struct seen s = { .ino = first, .when = when, .copy = copy };
	errcode_t err = 0;

	for (unsigned at = 0; !err && at + size <= u->fs->blocksize;
	     at += size, s.ino++) {
		if (!is_counted(u, s.ino))
			continue;
		inode_take(u->fs, block + at, &s.inode);
		err = note_copy(u, &s);
	}
	return err;
}

/* ------------------------------------------------------ all the copies */

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
	if (!t->wants)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < v->list.nr; i++) {
		const struct record *r = version_get(v, i);

		if (!i || record_fsblk(r) != record_fsblk(r - 1))
			table = is_table(t->u, record_fsblk(r), &place);
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
		if (span->errors[w - span->from]) {
			err = note_bad(u, record_fsblk(r));
			continue;
		}
		is_table(u, record_fsblk(r), &place);
		err = note_block(u, place.ino,
				 span_block(span, w, u->fs->blocksize), r->tid,
				 w->slot);
	}
	return err;
}

static errcode_t read_copies_of_tables(struct e2lazy_undelete *u)
{
	struct table_copies t = { .u = u };
	struct read_list list;
	errcode_t err = list_copies(&t);

	if (!err && t.count) {
		qsort(t.wants, t.count, sizeof(*t.wants), by_time);
		list = (struct read_list){
			.at = t.wants, .count = t.count,
			.gap = GAP_BYTES / u->fs->blocksize,
			.most = SPAN_BYTES / u->fs->blocksize,
		};
		err = reader_run(u->journal, &list, verify_copies, take_copies,
				 &t);
	}
	free(t.wants);
	return err;
}

/* ------------------------------------------------------------------ now */

static int by_inode(const void *a, const void *b)
{
	const ext2_ino_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* An inode as it is now.  False if it was never written. */
static errcode_t inode_now(struct e2lazy_undelete *u, ext2_ino_t ino,
			   blk64_t *have, struct ext2_inode_large *out,
			   bool *written)
{
	uint32_t index = (ino - 1) % u->fs->super->s_inodes_per_group;
	dgrp_t group = (ino - 1) / u->fs->super->s_inodes_per_group;
	unsigned size = EXT2_INODE_SIZE(u->fs->super);
	blk64_t home = inode_home(u->fs, ino);
	errcode_t err = 0;

	*written = index < e2lazy_group_inodes(u->fs, group);
	if (!*written)
		return 0;
	if (home != *have)
		err = io_channel_read_blk64(u->fs->io, home, 1, u->block);
	*have = err ? 0 : home;
	if (!err)
		inode_take(u->fs, u->block + (size_t)index * size %
			   u->fs->blocksize, out);
	return err;
}

static errcode_t compare_now(struct e2lazy_undelete *u, const ext2_ino_t *inos,
			     size_t count)
{
	struct seen s = { .when = MOMENT_NOW };
	blk64_t have = 0;
	errcode_t err = 0;
	bool written;

	for (size_t i = 0; !err && i < count; i++) {
		struct life *life = life_get(u, lives_newest(u, inos[i]));

		err = inode_now(u, inos[i], &have, &s.inode, &written);
		if (err || !written)
			continue;
		life->alive = s.inode.i_links_count &&
			      is_same_life(life, &s.inode);
		if (life->alive || !is_same_life(life, &s.inode))
			continue;
		life->pending = s.inode.i_blocks != 0;
		if (!life->dtime && !life->pending)
			life->dtime = s.inode.i_dtime;
	}
	return err;
}

/* Find the newest lives that go on. */
static errcode_t find_alive(struct e2lazy_undelete *u)
{
	struct lives *l = &u->lives;
	ext2_ino_t *inos = calloc(l->inodes + 1, sizeof(*inos));
	size_t count = 0;
	errcode_t err;

	if (!inos)
		return EXT2_ET_NO_MEMORY;
	for (uint32_t i = 0; i < l->slots; i++)
		if (l->newest[i] != NO_LIFE)
			inos[count++] = l->at[l->newest[i]].ino;
	qsort(inos, count, sizeof(*inos), by_inode);
	err = compare_now(u, inos, count);
	free(inos);
	return err;
}

errcode_t lives_find(struct e2lazy_undelete *u)
{
	errcode_t err = make_slots(&u->lives);

	if (!err)
		err = read_copies_of_tables(u);
	return err ? err : find_alive(u);
}

errcode_t life_inode(struct e2lazy_undelete *u, const struct life *life,
		     const uint8_t **raw, struct ext2_inode_large *out)
{
	uint32_t per_group = u->fs->super->s_inodes_per_group;
	unsigned size = EXT2_INODE_SIZE(u->fs->super);
	errcode_t err = 0;

	if (u->block_of != life->copy)
		err = versions_read(&u->versions,
				    version_get(&u->versions, life->copy),
				    u->block);
	u->block_of = err ? UINT32_MAX : life->copy;
	if (err)
		return err;
	*raw = u->block + (size_t)((life->ino - 1) % per_group) * size %
	       u->fs->blocksize;
	inode_take(u->fs, *raw, out);
	return 0;
}
