/* SPDX-License-Identifier: GPL-2.0-only */
/* past.c - which blocks can no longer be known as of an earlier time */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../log/log.h"
#include "../log/sort.h"
#include "past.h"
#include "super.h"

struct past {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;
	struct records	later;		/* of blocks that @map does not have */
	size_t		committed;	/* of those */
	char		*in_place, *copy;	/* a block each */
	struct e2lazy_where *where;
};

/* ------------------------------------------- what the later log says */

static errcode_t take(struct past *p, const struct e2lazy_event *ev,
		      uint16_t flags)
{
	struct record r = { .flags = flags, .logblk = ev->logblk,
			    .tid = ev->tid };
	struct e2lazy_copy known;

	/* The superblock is merged from what both places have. */
	if (ev->fsblk >= e2lazy_jmap_fs_blocks(p->map) ||
	    ev->fsblk == super_fsblk(p->journal) ||
	    !e2lazy_jmap_lookup(p->map, ev->fsblk, &known))
		return 0;
	record_set_fsblk(&r, ev->fsblk);
	return records_add(&p->later, &r);
}

static errcode_t collect(struct past *p)
{
	uint32_t after = e2lazy_jmap_end(p->map)->tid - 1;
	struct e2lazy_event ev = { .kind = E2LAZY_EV_COMMIT };
	struct e2lazy_walk *walk;
	errcode_t err;

	err = e2lazy_walk_open(p->journal, 0, 0, &walk);
	if (err)
		return err;
	while (!err && ev.kind != E2LAZY_EV_END) {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT)
			p->committed = p->later.nr;
		else if (ev.kind == E2LAZY_EV_END ||
			 !e2lazy_tid_after(ev.tid, after))
			continue;
		else if (ev.kind == E2LAZY_EV_REVOKE)
			err = take(p, &ev, RECORD_REVOKE);
		else if (!(ev.flags & (E2LAZY_COPY_OUTSIDE |
				       E2LAZY_COPY_IN_JOURNAL)))
			err = take(p, &ev, (uint16_t)ev.flags);
	}
	e2lazy_walk_close(walk);
	p->later.nr = p->committed;
	return err;
}

/* --------------------------------------------------- one block's case */

static errcode_t read_static(struct past *p, blk64_t fsblk)
{
	errcode_t err = io_channel_read_blk64(p->journal->fs->io, fsblk, 1,
					      p->in_place);

	p->where->has = err ? E2LAZY_AT_FSBLK : 0;
	p->where->fsblk = fsblk;
	return err;
}

static errcode_t is_lost(struct past *p, const struct record *r,
			 const struct record *end, bool *lost)
{
	const struct record *first = r;
	errcode_t err;

	*lost = false;
	for (; r < end; r++)
		if (r->flags & RECORD_REVOKE)
			*lost = true;
	if (*lost)
		return 0;
	err = read_static(p, record_fsblk(first));
	for (r = first; !err && !*lost && r < end; r++) {
		err = e2lazy_read_copy(p->journal, r->logblk, r->flags,
				       p->copy);
		*lost = !err && !memcmp(p->copy, p->in_place,
					p->journal->geo.blocksize);
		p->where->has = E2LAZY_AT_LOGBLK | E2LAZY_AT_FSBLK;
		p->where->logblk = r->logblk;
	}
	return err;
}

static errcode_t judge(struct past *p, blk64_t *lost, size_t *count)
{
	const struct record *r = p->later.at, *end = r + p->later.nr, *next;
	errcode_t err = 0;
	bool is;

	for (; !err && r < end; r = next) {
		next = r + 1;
		while (next < end && record_fsblk(next) == record_fsblk(r))
			next++;
		err = is_lost(p, r, next, &is);
		if (!err && is)
			lost[(*count)++] = record_fsblk(r);
	}
	return err;
}

errcode_t past_lost(struct e2lazy_journal *journal,
		    const struct e2lazy_jmap *map, blk64_t **out,
		    size_t *count, struct e2lazy_where *where)
{
	struct past p = { .journal = journal, .map = map, .where = where };
	blk64_t *lost = NULL;
	errcode_t err;

	*count = 0;
	err = collect(&p);
	if (!err)
		err = records_sort(&p.later);
	if (!err)
		err = io_channel_alloc_buf(journal->io, 1, &p.in_place);
	if (!err)
		err = io_channel_alloc_buf(journal->io, 1, &p.copy);
	if (!err) {
		lost = calloc(p.later.nr + 1, sizeof(*lost));
		err = lost ? judge(&p, lost, count) : EXT2_ET_NO_MEMORY;
	}
	records_free(&p.later);
	ext2fs_free_mem(&p.in_place);
	ext2fs_free_mem(&p.copy);
	if (err) {
		free(lost);
		return err;
	}
	*out = lost;
	return 0;
}
