/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* past.c - find the blocks whose content at an earlier time is unknown */

#include <stdlib.h>
#include <string.h>

#include "log/log.h"
#include "log/sort.h"
#include "past.h"
#include "map/super.h"

struct past {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;
	struct e2lazy_walk *walk;
	struct records	lost;		/* may name a block several times */
	size_t		committed;	/* records of @lost; the kernel never
					   writes uncommitted copies home */
	char		*in_place, *copy;	/* a block each */
};

/* ------------------------------------------------------ one later event */

/* The superblock has a rule of its own: super_merge(). */
static bool is_unknown(const struct past *p, blk64_t fsblk)
{
	struct e2lazy_copy known;

	return fsblk < e2lazy_jmap_fs_blocks(p->map) &&
	       fsblk != super_fsblk(p->journal) &&
	       e2lazy_jmap_lookup(p->map, fsblk, &known) != 0;
}

/* May the static block hold this later copy?  If it cannot be told, yes. */
static bool may_be_home(struct past *p, const struct e2lazy_event *ev)
{
	if (e2lazy_walk_verify(p->walk) == E2LAZY_BAD ||
	    e2lazy_read_copy(p->journal, ev->logblk, ev->flags, p->copy) ||
	    io_channel_read_blk64(p->journal->fs->io, ev->fsblk, 1,
				  p->in_place))
		return true;
	return !memcmp(p->copy, p->in_place, p->journal->geo.blocksize);
}

static errcode_t take(struct past *p, const struct e2lazy_event *ev)
{
	struct record r = { .tid = ev->tid };

	if (ev->flags & (E2LAZY_COPY_OUTSIDE | E2LAZY_COPY_IN_JOURNAL) ||
	    !is_unknown(p, ev->fsblk))
		return 0;
	if (ev->kind == E2LAZY_EV_TAG && !may_be_home(p, ev))
		return 0;
	record_set_fsblk(&r, ev->fsblk);
	return records_add(&p->lost, &r);
}

static errcode_t collect(struct past *p, struct e2lazy_end *later)
{
	uint32_t after = e2lazy_jmap_end(p->map)->tid - 1;
	struct e2lazy_event ev = { .kind = E2LAZY_EV_COMMIT };
	errcode_t err = 0;

	while (!err && ev.kind != E2LAZY_EV_END) {
		e2lazy_walk_next(p->walk, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT)
			p->committed = p->lost.nr;
		else if (ev.kind == E2LAZY_EV_END)
			*later = *ev.end;
		else if (e2lazy_tid_after(ev.tid, after))
			err = take(p, &ev);
	}
	p->lost.nr = p->committed;
	return err;
}

/* ---------------------------------------------------------- all of them */

/* The distinct blocks of a sorted list. */
static errcode_t list_blocks(const struct records *list, blk64_t **out,
			     size_t *count)
{
	blk64_t *blocks = calloc(list->nr + 1, sizeof(*blocks));

	*count = 0;
	if (!blocks)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < list->nr; i++) {
		blk64_t fsblk = record_fsblk(&list->at[i]);

		if (!*count || blocks[*count - 1] != fsblk)
			blocks[(*count)++] = fsblk;
	}
	*out = blocks;
	return 0;
}

errcode_t past_lost(struct e2lazy_journal *journal,
		    const struct e2lazy_jmap *map, blk64_t **out,
		    size_t *count, struct e2lazy_end *later)
{
	struct past p = { .journal = journal, .map = map };
	errcode_t err;

	err = e2lazy_walk_open(journal, NULL, 0, 0, &p.walk);
	if (err)
		return err;
	err = io_channel_alloc_buf(journal->io, 1, &p.in_place);
	if (!err)
		err = io_channel_alloc_buf(journal->io, 1, &p.copy);
	if (!err)
		err = collect(&p, later);
	if (!err)
		err = records_sort(&p.lost);
	if (!err)
		err = list_blocks(&p.lost, out, count);
	e2lazy_walk_close(p.walk);
	records_free(&p.lost);
	ext2fs_free_mem(&p.in_place);
	ext2fs_free_mem(&p.copy);
	return err;
}
