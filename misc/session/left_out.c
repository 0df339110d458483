/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * left_out.c - copies that a view does not show, as a checkpoint would not write
 * them
 *
 * A copy of metadata can outlive it: a kernel forgot to revoke the copy, or
 * logged it again after the revoke.  If a file has got the block, its contents
 * are in place.  Where a damage may hide the revoke of contents, neither these nor
 * those in place are proven.
 */
#include <stdlib.h>

#include "e2lazy_mend.h"
#include "io/grow.h"
#include "opened.h"

struct list {
	blk64_t	*at;		/* ascending, because the map is */
	size_t	nr, room;
};

struct blocks {
	const struct e2lazy_problem *problem, *doubt;
	const struct e2lazy_problem *why;	/* of the first left out */
	struct list	left_out, doubtful;
};

static errcode_t add(struct list *list, blk64_t fsblk)
{
	blk64_t *at = grow(list->at, list->nr, &list->room, sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	list->at = at;
	at[list->nr++] = fsblk;
	return 0;
}

/* Where the log is damaged, it may lack the revokes of contents. */
static errcode_t note(void *priv, const struct e2lazy_problem *problem,
		      errcode_t error, const struct e2lazy_where *where)
{
	struct blocks *blocks = priv;
	errcode_t err = 0;

	(void)error;
	if (problem != blocks->problem && problem != blocks->doubt)
		return 0;
	if (!blocks->why)
		blocks->why = problem;
	err = add(&blocks->left_out, where->fsblk);
	if (!err && problem == blocks->doubt)
		err = add(&blocks->doubtful, where->fsblk);
	return err;
}

static errcode_t find(struct opened *o, struct blocks *blocks,
		      const struct e2lazy_watch *watch)
{
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_GLANCE | E2LAZY_VERIFY_WALK |
			 E2LAZY_VERIFY_OWNERS,
		.place = note,
		.priv = blocks,
		.watch = watch,
	};
	const struct e2lazy_subject subject = opened_subject(o);
	struct e2lazy_verdict *verdict = NULL;
	errcode_t err = e2lazy_verify(&subject, &opts, &verdict);

	e2lazy_verdict_free(verdict);
	return err;
}

/* What a checkpoint writes in spite of the damage. */
static errcode_t show_written(struct opened *o,
			      const struct e2lazy_watch *watch)
{
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT, .watch = watch,
	};
	const struct e2lazy_subject subject = opened_subject(o);
	struct e2lazy_verdict *verdict;
	errcode_t err = e2lazy_verify(&subject, &opts, &verdict);

	if (err)
		return err;
	err = e2lazy_verdict_show(verdict, opened_what_is_shown(o));
	e2lazy_verdict_free(verdict);
	return err;
}

static errcode_t use(struct opened *o, struct blocks *blocks)
{
	const struct list *out = &blocks->left_out;
	errcode_t err;

	free(o->doubtful);
	o->doubtful = blocks->doubtful.at;
	o->nr_doubtful = blocks->doubtful.nr;
	blocks->doubtful.at = NULL;
	if (!out->nr)
		return 0;
	err = e2lazy_view_leave_out(opened_what_is_shown(o), out->at, out->nr);
	if (err)
		return err;
	o->left_out = out->nr;
	o->left_out_first = out->at[0];
	o->left_out_why = blocks->why;
	return 0;
}

errcode_t opened_leave_out(struct opened *o, const struct e2lazy_watch *watch)
{
	struct blocks blocks = {
		.problem = e2lazy_problem_find("copy-of-data"),
		.doubt = e2lazy_problem_find("data-before-damage"),
	};
	struct e2lazy_where where;
	errcode_t err;

	if (o->limits.data_journal || o->nr_ranges ||
	    o->end->reason == E2LAZY_END_UNTIL || !e2lazy_jmap_count(o->map))
		return 0;
	/* Without a layout nobody can tell, and other findings say why. */
	if (!o->layout && e2lazy_layout_build(o->journal, o->map, &o->layout,
					      &where))
		return 0;
	if (o->limits.behind)
		return show_written(o, watch);
	err = find(o, &blocks, watch);
	if (!err)
		err = use(o, &blocks);
	free(blocks.left_out.at);
	free(blocks.doubtful.at);
	return err;
}
