/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * past.c - find the blocks whose content at an earlier time is unknown
 *
 * A view of an older stretch of the ring knows a block in three ways.  The
 * block has a copy in the stretch.  Or the ring holds all later transactions:
 * then the static block is unchanged, unless it equals a later copy, which went
 * home, or was revoked later.  Or it is file contents, which are as they are
 * now.  If the ring lacks later transactions, metadata in place may be newer,
 * and nothing proves the opposite: inodes and directories carry checksums, but
 * no transaction id.  So it is lost, by its place or, outside of the fixed
 * metadata, by its content (view.c, may_be_newer()).
 *
 * A mount may have discarded the log before it.  Transactions run on over
 * mounts, because after a clean unmount nothing is missing.  But a kernel that
 * finds needs_recovery cleared discards the log and goes on right behind it,
 * with the same ids.  The blocks tell the two cases apart: if the log was
 * written back, the last copy of an earlier mount is in place, unless the block
 * was logged again.  If one such copy is not in place, copies of earlier mounts
 * count only if they are in place (check_mounts()).  Programs that write
 * without the log, such as e2fsck, leave no trace in the ring, and have the
 * same effect as a discarded log.
 */

#include <stdlib.h>
#include <string.h>

#include "io/halve.h"
#include "log/log.h"
#include "log/sort.h"
#include "map/jmap.h"
#include "past.h"
#include "since.h"
#include "map/super.h"

struct search {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;
	struct since	since;
	struct e2lazy_walk *walk;
	struct records	lost;		/* may name a block several times */
	size_t		committed;	/* records of @lost; the kernel never
					   writes uncommitted copies home */
	struct records	touched;	/* with since.mounts: the blocks that
					   have later copies or revokes */
	uint8_t		*in_place, *copy;	/* a block each */
};

/* ------------------------------------------------------ one later event */

/* The superblock has a rule of its own: super_merge(). */
static bool is_unknown(const struct search *p, blk64_t fsblk)
{
	struct e2lazy_copy known;

	return fsblk != super_fsblk(p->journal) &&
	       e2lazy_jmap_lookup(p->map, fsblk, &known) != 0;
}

/* The checksum of a damaged copy still identifies the block in place. */
static bool has_csum(struct search *p, const struct e2lazy_event *ev)
{
	struct jbd2_header unused;

	if (jbd2_get_header(p->in_place, &unused))
		memset(p->in_place, 0, JBD2_ESCAPED_BYTES);
	return csum_copy_good(&p->journal->csum, ev->tid, p->in_place,
			      ev->csum);
}

/* May the static block hold this later copy?  In doubt, yes. */
static bool may_be_home(struct search *p, const struct e2lazy_event *ev)
{
	if (io_channel_read_blk64(p->journal->fs->io, ev->fsblk, 1,
				  p->in_place))
		return true;
	if (e2lazy_walk_verify(p->walk) == E2LAZY_BAD)
		return has_csum(p, ev);
	return e2lazy_read_copy(p->journal, ev->logblk, ev->flags, p->copy) ||
	       !memcmp(p->copy, p->in_place, p->journal->geo.blocksize);
}

static errcode_t add_block(struct records *list, blk64_t fsblk, uint32_t tid)
{
	struct record r = { .tid = tid };

	record_set_fsblk(&r, fsblk);
	return records_add(list, &r);
}

static errcode_t take(struct search *p, const struct e2lazy_event *ev)
{
	errcode_t err = 0;

	if (ev->flags & (E2LAZY_COPY_OUTSIDE | E2LAZY_COPY_IN_JOURNAL) ||
	    jmap_is_outside(p->map, ev->fsblk))
		return 0;
	if (p->since.mounts)
		err = add_block(&p->touched, ev->fsblk, ev->tid);
	if (err || !is_unknown(p, ev->fsblk) ||
	    (ev->kind == E2LAZY_EV_TAG && p->since.fresh &&
	     !may_be_home(p, ev)))
		return err;
	return add_block(&p->lost, ev->fsblk, ev->tid);
}

/* In a map of the log, the rest of the log is later. */
static bool is_later(const struct search *p, const struct e2lazy_event *ev)
{
	return !jmap_is_of_log(p->map) ||
	       e2lazy_tid_after(ev->tid, e2lazy_jmap_end(p->map)->tid - 1);
}

static errcode_t collect(struct search *p, const struct e2lazy_range *range,
			 struct e2lazy_end *later)
{
	struct e2lazy_event ev = { .kind = E2LAZY_EV_COMMIT };
	errcode_t err = e2lazy_walk_open(p->journal, range, 0, 0, &p->walk);

	if (err)
		return err;
	while (!err && ev.kind != E2LAZY_EV_END) {
		e2lazy_walk_next(p->walk, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT)
			p->committed = p->lost.nr;
		else if (ev.kind == E2LAZY_EV_END)
			*later = *ev.end;
		else if (is_later(p, &ev))
			err = take(p, &ev);
	}
	p->lost.nr = p->committed;
	e2lazy_walk_close(p->walk);
	return err;
}

/* ---------------------------------------------------------- earlier mounts */

static bool is_touched(const struct search *p, blk64_t fsblk)
{
	struct halving h = { .high = p->touched.nr };

	while (halve(&h))
		halved(&h, record_fsblk(&p->touched.at[h.mid]) < fsblk);
	return h.low < p->touched.nr &&
	       record_fsblk(&p->touched.at[h.low]) == fsblk;
}

/* An unreadable copy proves nothing; a reader of it gets the error. */
static bool is_in_place(const struct search *p, size_t index, blk64_t fsblk)
{
	size_t bad;

	return e2lazy_jmap_read(p->map, index, 1, p->copy, &bad) ||
	       (!io_channel_read_blk64(p->journal->fs->io, fsblk, 1,
				       p->in_place) &&
		!memcmp(p->copy, p->in_place, p->journal->geo.blocksize));
}

/* Skips the superblock: every mount writes it in place, unlogged. */
static errcode_t check_mounts(struct search *p)
{
	size_t count = e2lazy_jmap_count(p->map), before = p->lost.nr;
	bool doubt = !p->since.covered;
	struct e2lazy_copy copy;
	errcode_t err = records_sort(&p->touched);

	for (size_t i = 0; !err && i < count; i++) {
		e2lazy_jmap_get(p->map, i, &copy);
		if (!e2lazy_tid_after(p->since.mount, copy.tid) ||
		    copy.fsblk == super_fsblk(p->journal) ||
		    is_in_place(p, i, copy.fsblk))
			continue;
		doubt |= !is_touched(p, copy.fsblk);
		err = add_block(&p->lost, copy.fsblk, copy.tid);
	}
	if (!doubt)
		p->lost.nr = before;
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

static errcode_t find_lost(struct search *p, struct past *out)
{
	errcode_t err = since_find(&p->since, p->journal, p->map);

	if (!err)
		err = io_channel_alloc_buf(p->journal->io, 1, &p->in_place);
	if (!err)
		err = io_channel_alloc_buf(p->journal->io, 1, &p->copy);
	for (uint32_t i = 0; !err && i < p->since.nr_ranges; i++)
		err = collect(p, &p->since.ranges[i], &out->later);
	if (!err && p->since.mounts)
		err = check_mounts(p);
	if (!err)
		err = records_sort(&p->lost);
	if (!err)
		err = list_blocks(&p->lost, &out->lost, &out->nr_lost);
	out->covered = p->since.covered;
	return err;
}

errcode_t past_find(struct past *past, struct e2lazy_journal *journal,
		    const struct e2lazy_jmap *map)
{
	struct search p = { .journal = journal, .map = map };
	errcode_t err;

	memset(past, 0, sizeof(*past));
	err = find_lost(&p, past);
	since_free(&p.since);
	records_free(&p.lost);
	records_free(&p.touched);
	ext2fs_free_mem(&p.in_place);
	ext2fs_free_mem(&p.copy);
	return err;
}
