/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * afterwards.c - what later transactions say of the files of an earlier view
 *
 * A view of an earlier time ends there, and so does its evidence: blocks are read
 * as they are now, and nothing in the view shows who had them since.  But the ring
 * often has the later transactions, too.  So the files that are over by now are
 * searched a second time, with all of the ring.  One that has the same copy of the
 * inode as in the view, or for a file that existed then the same times of creation
 * and of the last write, and the same size, had the same contents.  Its blocks have
 * the grade that all evidence gives them.
 */
#include <stdlib.h>

#include "io/halve.h"
#include "support/status.h"
#include "undelete.h"

struct afterwards {
	struct e2lazy_jmap *map;
	struct e2lazy_view *view;
	struct e2lazy_undelete *found;
};

static errcode_t search(struct undelete *u, struct afterwards *a,
			struct e2lazy_where *where)
{
	const struct e2lazy_jmap_opts opts = { .flags = E2LAZY_JMAP_CSUMS };
	const struct e2lazy_watch watch = session_watch(u->s);
	const struct e2lazy_undelete_opts all = {
		.evidence = true, .users = u->why || u->s->print.json_wanted,
		.watch = &watch,
	};
	struct e2lazy_journal *j = u->s->log->journal;
	errcode_t err = e2lazy_jmap_build(j, &opts, &a->map);

	if (!err)
		err = e2lazy_view_build(j, a->map, &a->view, where);
	if (!err)
		err = e2lazy_undelete_scan(j, a->view, &all, &a->found, where);
	progress_end(&u->s->print.progress);
	return err;
}

/* Without it files are unproven, which is no failure. */
bool afterwards_begin(struct undelete *u)
{
	struct e2lazy_where where;
	errcode_t err;

	if (!e2lazy_jmap_is_past(u->s->log->map))
		return true;
	u->afterwards = calloc(1, sizeof(*u->afterwards));
	err = u->afterwards ? search(u, u->afterwards, &where) :
			      EXT2_ET_NO_MEMORY;
	if (!err)
		return true;
	afterwards_free(u);
	if (err != EXT2_ET_NO_MEMORY && err != E2LAZY_ET_CANCELLED)
		return true;
	session_fail(u->s, err, NULL);
	return false;
}

void afterwards_free(struct undelete *u)
{
	if (!u->afterwards)
		return;
	e2lazy_undelete_free(u->afterwards->found);
	e2lazy_view_free(u->afterwards->view);
	e2lazy_jmap_free(u->afterwards->map);
	free(u->afterwards);
	u->afterwards = NULL;
}

/* ------------------------------------------------------------ the same file */

static bool is_same_time(struct e2lazy_time x, struct e2lazy_time y)
{
	return x.sec == y.sec && x.nsec == y.nsec;
}

static bool is_same_life(const struct e2lazy_deleted *x,
			 const struct e2lazy_deleted *y)
{
	return x->ino == y->ino && x->generation == y->generation &&
	       is_same_time(x->crtime, y->crtime);
}

/* The first of the inode; they are in ascending order. */
static size_t first_of(const struct afterwards *a, ext2_ino_t ino)
{
	struct halving h = { .high = e2lazy_undelete_count(a->found) };
	struct e2lazy_deleted d;

	while (halve(&h))
		halved(&h, !e2lazy_undelete_get(a->found, h.mid, &d) &&
			   d.ino < ino);
	return h.low;
}

static bool get_next(const struct afterwards *a, ext2_ino_t ino, size_t index,
		     struct e2lazy_deleted *d)
{
	return index < e2lazy_undelete_count(a->found) &&
	       !e2lazy_undelete_get(a->found, index, d) && d->ino == ino;
}

/* ---------------------------------------------------------- deleted by then */

/* What the end of the view makes doubtful; the rest of the ring may prove it. */
#define DOUBT	(E2LAZY_DELETED_GAP | E2LAZY_DELETED_NAME)

static bool is_same_copy(const struct e2lazy_deleted *x,
			 const struct e2lazy_deleted *y)
{
	return is_same_life(x, y) && x->tid == y->tid &&
	       x->gone_tid == y->gone_tid && x->size == y->size &&
	       !((x->flags ^ y->flags) &
		 (E2LAZY_DELETED_STATE | E2LAZY_DELETED_ORPHAN));
}

void afterwards_take(struct undelete *u, struct file *f)
{
	struct afterwards *a = u->afterwards;
	struct e2lazy_deleted d;

	f->source = u->found;
	for (size_t i = a ? first_of(a, f->d.ino) : 0;
	     a && get_next(a, f->d.ino, i, &d); i++) {
		if (!is_same_copy(&f->d, &d))
			continue;
		f->source = a->found;
		f->index = i;
		f->d.flags = (f->d.flags & ~DOUBT) | (d.flags & DOUBT);
		return;
	}
}

/* ------------------------------------------------------------ existed then */

static bool had_these_contents(const struct e2lazy_deleted *then,
			       const struct e2lazy_deleted *d)
{
	const unsigned doubts = E2LAZY_DELETED_ORPHAN | E2LAZY_DELETED_GAP |
				E2LAZY_DELETED_TRUNCATING;

	return is_same_life(then, d) && then->size == d->size &&
	       is_same_time(then->mtime, d->mtime) && !(d->flags & doubts);
}

static errcode_t keep_run(void *priv, const struct e2lazy_graded *g)
{
	return add_piece(priv, g);
}

/* The grade of the block by all evidence; fewer than @count have it. */
static enum e2lazy_grade grade_at(const struct file *all, bool blank,
				  uint64_t lblk, blk64_t fsblk, uint64_t *count)
{
	for (size_t i = 0; i < all->nr_pieces; i++) {
		const struct file_piece *p = &all->pieces[i];
		uint64_t skip = lblk - p->lblk;

		if (lblk < p->lblk && p->lblk - lblk < *count)
			*count = p->lblk - lblk;
		if (lblk < p->lblk || skip >= p->count)
			continue;
		if (*count > p->count - skip)
			*count = p->count - skip;
		if (p->fsblk + skip != fsblk)
			return E2LAZY_GRADE_UNKNOWN;
		return p->grade == E2LAZY_GRADE_ZERO ?
		       blank ? E2LAZY_GRADE_INTACT : E2LAZY_GRADE_UNKNOWN :
		       p->grade;
	}
	return E2LAZY_GRADE_UNKNOWN;
}

static errcode_t judge_piece(struct file *f, const struct file_piece *old,
			     const struct file *all)
{
	bool blank = all->contents.blank ==
		     all->contents.blocks[E2LAZY_GRADE_ZERO];
	errcode_t err = 0;
	uint64_t n;

	for (uint64_t done = 0; !err && done < old->count; done += n) {
		struct e2lazy_graded g = {
			.lblk = old->lblk + done, .fsblk = old->fsblk + done,
			.grade = old->grade, .user = old->user,
		};

		n = old->count - done;
		if (old->grade == E2LAZY_GRADE_UNKNOWN)
			g.grade = grade_at(all, blank, g.lblk, g.fsblk, &n);
		g.count = n;
		f->contents.blocks[g.grade] += n;
		err = add_piece(f, &g);
	}
	return err;
}

static errcode_t judge(struct file *f, const struct file *all)
{
	struct file_piece *old = f->pieces;
	size_t nr = f->nr_pieces;
	errcode_t err = 0;

	f->pieces = NULL;
	f->nr_pieces = f->room = 0;
	for (size_t i = 0; !err && i < nr; i++) {
		f->contents.blocks[old[i].grade] -= old[i].count;
		err = judge_piece(f, &old[i], all);
	}
	free(old);
	return err;
}

errcode_t afterwards_grade(struct undelete *u, struct file *f)
{
	struct afterwards *a = u->afterwards;
	struct e2lazy_deleted d;
	errcode_t err = 0;

	if (!a || !f->contents.blocks[E2LAZY_GRADE_UNKNOWN])
		return 0;
	for (size_t i = first_of(a, f->d.ino);
	     !err && get_next(a, f->d.ino, i, &d); i++) {
		struct file all = { .index = i };

		if (!had_these_contents(&f->d, &d))
			continue;
		err = e2lazy_undelete_read(a->found, i, E2LAZY_READ_OWN,
					   keep_run, &all, &all.contents);
		if (!err && !all.contents.map_missing &&
		    !all.contents.map_unproven)
			err = judge(f, &all);
		free(all.pieces);
	}
	return err;
}
