/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aged.c - grades for files of an earlier view that the copy is not sure to be of
 *
 * A view of an earlier time shows contents of files as they are now.  So a file
 * that existed then is living only as far as nothing has changed its blocks.
 * Neither is it where the log is damaged and may lack the revokes of its blocks.
 */
#include <stdlib.h>

#include "io/grow.h"
#include "io/halve.h"
#include "support/status.h"
#include "undelete.h"

static errcode_t take_run(void *priv, const struct e2lazy_aged *run)
{
	static const enum e2lazy_grade grades[] = {
		[E2LAZY_AGE_SAME] = E2LAZY_GRADE_INTACT,
		[E2LAZY_AGE_UNSURE] = E2LAZY_GRADE_UNKNOWN,
		[E2LAZY_AGE_OTHER] = E2LAZY_GRADE_REUSED,
	};
	struct file *f = priv;
	struct file_piece *pieces = grow(f->pieces, f->nr_pieces, &f->room,
					 sizeof(*pieces));

	if (!pieces)
		return EXT2_ET_NO_MEMORY;
	f->pieces = pieces;
	f->pieces[f->nr_pieces++] = (struct file_piece){
		.lblk = run->lblk, .fsblk = run->fsblk, .count = run->count,
		.grade = grades[run->age],
	};
	f->contents.blocks[grades[run->age]] += run->count;
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct file_piece *x = a, *y = b;

	return x->lblk < y->lblk ? -1 : x->lblk > y->lblk;
}

/* ---------------------------------------------- the log may lack revokes */

struct doubt {
	struct undelete	*u;
	struct file	*f;
	uint64_t	sound;		/* blocks */
};

/* The first doubtful block that is not below @fsblk, or one that is no block. */
static blk64_t next_doubtful(const struct opened *o, blk64_t fsblk)
{
	struct halving h = { .high = o->nr_doubtful };

	while (halve(&h))
		halved(&h, o->doubtful[h.mid] < fsblk);
	return h.low < o->nr_doubtful ? o->doubtful[h.low] : UINT64_MAX;
}

static errcode_t doubt_blocks(void *priv, const struct e2lazy_owner *owner,
			      blk64_t count)
{
	struct doubt *d = priv;
	const blk64_t end = owner->fsblk + count;
	blk64_t at = owner->fsblk;
	errcode_t err = 0;

	if (owner->role != E2LAZY_ROLE_DATA)
		return 0;
	d->sound += count;
	while (!err && (at = next_doubtful(d->u->s->log, at)) < end) {
		const struct e2lazy_aged run = {
			.lblk = owner->lblk + (at - owner->fsblk),
			.fsblk = at, .count = 1, .age = E2LAZY_AGE_UNSURE,
		};

		d->f->doubtful = true;
		d->sound--;
		at++;
		err = take_run(d->f, &run);
	}
	return err;
}

/* A view of the log's own time has nothing later. */
static errcode_t doubt_file(struct undelete *u, struct file *f)
{
	struct doubt d = { .u = u, .f = f };
	struct e2lazy_damage damage = { 0 };
	errcode_t err;

	if (!u->s->log->nr_doubtful)
		return 0;
	err = e2lazy_inode_blocks(u->living, f->d.ino, doubt_blocks, &d,
				  &damage);
	if (f->doubtful)
		f->contents.blocks[E2LAZY_GRADE_INTACT] += d.sound;
	return err;
}

bool aged_begin(struct undelete *u)
{
	struct e2lazy_where where;
	errcode_t err;

	if (!e2lazy_jmap_is_past(u->s->log->map))
		return true;
	err = e2lazy_later_open(u->s->log->view, u->living, &u->later, &where);
	if (err)
		session_fail(u->s, err, &where);
	return !err;
}

errcode_t aged_grade(struct undelete *u, struct file *f)
{
	bool whole = true;
	errcode_t err = 0;

	f->contents.read = true;
	if (u->later)
		err = e2lazy_later_file(u->later, f->d.ino, take_run, f,
					&whole);
	else
		err = doubt_file(u, f);
	f->contents.map_missing = !whole;
	if (f->nr_pieces)
		qsort(f->pieces, f->nr_pieces, sizeof(*f->pieces), by_place);
	if (!err)
		err = afterwards_grade(u, f);
	f->grade = grade_file(f, false);
	return err;
}

enum e2lazy_grade aged_at(const struct file *f, uint64_t lblk, uint64_t *count)
{
	struct halving h = { .high = f->nr_pieces };
	const struct file_piece *p;

	/* The first that ends after @lblk. */
	while (halve(&h))
		halved(&h, f->pieces[h.mid].lblk + f->pieces[h.mid].count <=
			   lblk);
	if (h.low == f->nr_pieces)
		return E2LAZY_GRADE_INTACT;
	p = &f->pieces[h.low];
	if (p->lblk > lblk) {
		if (*count > p->lblk - lblk)
			*count = p->lblk - lblk;
		return E2LAZY_GRADE_INTACT;
	}
	if (*count > p->lblk + p->count - lblk)
		*count = p->lblk + p->count - lblk;
	return p->grade;
}
