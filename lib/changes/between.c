/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* between.c - the net changes from one view to another */

#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "io/grow.h"
#include "view/view.h"

struct blocks {
	blk64_t		*at;
	size_t		nr, room;
	struct e2lazy_time began;	/* the commit of the last transaction
					   that is no later */
};

/* ------------------------------------------ the blocks that may differ */

static int by_fsblk(const void *a, const void *b)
{
	const blk64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void sort_unique(struct blocks *b)
{
	size_t kept = 0;

	if (b->nr)
		qsort(b->at, b->nr, sizeof(*b->at), by_fsblk);
	for (size_t i = 0; i < b->nr; i++)
		if (!kept || b->at[kept - 1] != b->at[i])
			b->at[kept++] = b->at[i];
	b->nr = kept;
}

static errcode_t add(struct blocks *b, const struct e2lazy_event *ev)
{
	blk64_t *at;

	if (ev->flags & (E2LAZY_COPY_OUTSIDE | E2LAZY_COPY_IN_JOURNAL))
		return 0;
	at = grow(b->at, b->nr, &b->room, sizeof(*at));
	if (!at)
		return EXT2_ET_NO_MEMORY;
	b->at = at;
	at[b->nr++] = ev->fsblk;
	return 0;
}

static errcode_t list_blocks(struct e2lazy_journal *journal,
			     const struct e2lazy_range *ranges, uint32_t count,
			     uint32_t first, uint32_t last, struct blocks *b)
{
	struct e2lazy_event ev = { .kind = E2LAZY_EV_COMMIT };
	struct e2lazy_walk *walk;
	size_t committed = 0;
	errcode_t err = e2lazy_walk_ranges(journal, ranges, count,
					   E2LAZY_WALK_UNTIL, last, &walk);

	if (err)
		return err;
	while (!err && ev.kind != E2LAZY_EV_END) {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT && ev.tid == first)
			b->began = commit_time(ev.txn->sec, ev.txn->nsec);
		if (ev.kind == E2LAZY_EV_COMMIT)
			committed = b->nr;
		else if (ev.kind != E2LAZY_EV_END &&
			 e2lazy_tid_after(ev.tid, first))
			err = add(b, &ev);
	}
	e2lazy_walk_close(walk);
	b->nr = committed;
	sort_unique(b);
	return err;
}

/* ------------------------------------------------------------- the step */

/* @map is that of the view before. */
static bool is_in_place(void *map, blk64_t fsblk)
{
	struct e2lazy_copy copy;

	return e2lazy_jmap_lookup(map, fsblk, &copy) != 0;
}

static errcode_t take_step(struct step *step, struct names *names)
{
	errcode_t err = step_init(step);

	if (!err)
		err = step_gather(step);
	step->silent = true;
	if (!err)
		err = step_events(step);
	step->silent = false;
	if (!err)
		err = names_search(names, step->opts->watch);
	if (!err)
		err = names_rewind(names);
	if (!err)
		err = step_events(step);
	step_free(step);
	return err;
}

errcode_t e2lazy_changes_between(struct e2lazy_journal *journal,
				 struct e2lazy_view *before,
				 struct e2lazy_view *after,
				 const struct e2lazy_range *ranges,
				 uint32_t count, uint32_t first, uint32_t last,
				 const struct e2lazy_changes_opts *opts,
				 struct e2lazy_where *where)
{
	struct names names = { .fs = NULL };
	struct step step = { .opts = opts, .names = &names };
	struct e2lazy_where unused;
	struct blocks b = { .nr = 0 };
	errcode_t err;

	where = where ? where : &unused;
	memset(where, 0, sizeof(*where));
	err = list_blocks(journal, ranges, count, first, last, &b);
	step.fresh = !ranges && log_is_fresh(journal);
	step.from_place = is_in_place;
	step.priv = (void *)(uintptr_t)view_map(before);
	step.began = b.began;
	step.blocks = b.at;
	step.nr_blocks = b.nr;
	if (!err)
		err = view_open_frame(before, &step.before, where);
	if (!err)
		err = view_open_frame(after, &step.after, where);
	if (!err)
		err = e2lazy_layout_build(journal, view_map(after),
					  &step.layout, where);
	if (!err)
		err = names_init(&names, step.after, opts->watch);
	step.described = !before->borrowed;
	if (!err)
		err = take_step(&step, &names);
	names_release(&names);
	e2lazy_layout_free(step.layout);
	if (step.before)
		ext2fs_free(step.before);
	if (step.after)
		ext2fs_free(step.after);
	free(b.at);
	return err;
}
