/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aged.c - grades for files of an earlier view that the copy is not sure to be of
 *
 * A view of an earlier time shows contents of files as they are now.  So a file
 * that existed then is living only as far as nothing has changed its blocks.
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
	f->contents.map_missing = !whole;
	if (f->nr_pieces)
		qsort(f->pieces, f->nr_pieces, sizeof(*f->pieces), by_place);
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
