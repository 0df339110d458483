/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_dropped.c - may the last transactions of the log be dropped?
 *
 * A map that ends after transaction N is of the state at N.  A checkpoint can
 * write that state back, and empty the log, if each block of it is known: it has
 * a copy in a transaction up to N, or no later transaction has changed it in
 * place.  lib/view/past.c compares each later copy with its static block; a
 * block that it calls lost may be as a later transaction left it.  For that the
 * later transactions must all be known, so damage after N refuses.
 *
 * File contents are not logged.  A block that a later transaction freed may
 * belong to another file by now, or to one whose transaction was never
 * committed.  A copy of a block bitmap with a clear bit that is set at N shows
 * such a block.
 *
 * The superblock is merged from its copy and its place.  Without a copy up to N
 * its place counts.  It may be as a later transaction left it if it equals that
 * copy in all fields that a transaction changes, and if a backup does not show
 * that they are as before.
 */

#include <string.h>

#include <ext2fs/ext2fs.h>

#include "log/log.h"
#include "map/jmap.h"
#include "map/super.h"
#include "verify.h"

/* Blocks; one may be there several times. */
struct list {
	struct records	blocks;
	size_t		committed;	/* those of committed transactions */
};

enum {
	UNKNOWN,	/* bitmaps that cannot be read */
	FREED,		/* blocks that others free */
	UNPROVEN,	/* without a copy up to N, in a log without checksums */
	COPIES,		/* of the transaction at hand, without one up to N */
	NR_LISTS
};

static const enum problem problems[NR_LISTS] = {
	[UNKNOWN] = PROBLEM_DROPPED_FREED_UNKNOWN,
	[FREED] = PROBLEM_DROPPED_FREED,
	[UNPROVEN] = PROBLEM_DROPPED_NOT_PROVEN,
	[COPIES] = NR_PROBLEMS,
};

struct dropped {
	struct verify	*verify;
	struct e2lazy_walk *walk;
	uint8_t		*then, *later;	/* a bitmap at N, and a later copy */
	struct list	lists[NR_LISTS];
	/* The superblock in place may be that of a later transaction: the one
	   at hand, or a committed one. */
	bool		super_now, super_in_place;
};

/* ------------------------------------------------------ what was freed */

static errcode_t add(struct dropped *d, blk64_t fsblk)
{
	struct record r = { .tid = 0 };
	struct e2lazy_copy known;

	if (!e2lazy_jmap_lookup(d->verify->map, fsblk, &known))
		return 0;
	record_set_fsblk(&r, fsblk);
	return records_add(&d->lists[FREED].blocks, &r);
}

static bool bit_at(const uint8_t *bitmap, uint32_t bit)
{
	return bitmap[bit / 8] >> bit % 8 & 1;
}

static errcode_t add_cluster(struct dropped *d, ext2_filsys fs, blk64_t first)
{
	errcode_t err = 0;

	for (int i = 0; !err && i < EXT2FS_CLUSTER_RATIO(fs); i++)
		err = add(d, first + i);
	return err;
}

static errcode_t compare(struct dropped *d, ext2_filsys fs, dgrp_t group)
{
	blk64_t first = ext2fs_group_first_block2(fs, group);
	errcode_t err = 0;

	for (uint32_t bit = 0; !err && bit < fs->super->s_clusters_per_group;
	     bit++)
		if (bit_at(d->then, bit) && !bit_at(d->later, bit))
			err = add_cluster(d, fs, first + EXT2FS_C2B(fs, bit));
	return err;
}

static errcode_t take_bitmap(struct dropped *d, const struct e2lazy_event *ev,
			     dgrp_t group)
{
	struct verify *v = d->verify;
	ext2_filsys fs = e2lazy_layout_fs(v->subject->layout);
	unsigned size = v->journal->geo.blocksize;
	struct record r = { .tid = ev->tid };

	if (ext2fs_bg_flags_test(fs, group, EXT2_BG_BLOCK_UNINIT))
		return 0;
	if (e2lazy_walk_verify(d->walk) != E2LAZY_BAD &&
	    !e2lazy_read_copy(v->journal, ev->logblk, ev->flags, d->later) &&
	    !e2lazy_view_read(v->subject->view, E2LAZY_FILE_SYSTEM,
			      ev->fsblk * size, size, d->then, NULL))
		return compare(d, fs, group);
	record_set_fsblk(&r, ev->fsblk);
	return records_add(&d->lists[UNKNOWN].blocks, &r);
}

/* ------------------------------------------------------ the superblock */

/* Flags of mounts and of orphan files change without an order. */
static bool same_layout(const struct ext2_super_block *a,
			const struct ext2_super_block *b)
{
	const uint32_t incompat = ext2fs_cpu_to_le32(
		EXT3_FEATURE_INCOMPAT_RECOVER);
	const uint32_t ro_compat = ext2fs_cpu_to_le32(
		EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT);

	return a->s_blocks_count == b->s_blocks_count &&
	       a->s_blocks_count_hi == b->s_blocks_count_hi &&
	       a->s_inodes_count == b->s_inodes_count &&
	       a->s_reserved_gdt_blocks == b->s_reserved_gdt_blocks &&
	       a->s_feature_compat == b->s_feature_compat &&
	       !((a->s_feature_incompat ^ b->s_feature_incompat) & ~incompat) &&
	       !((a->s_feature_ro_compat ^ b->s_feature_ro_compat) &
		 ~ro_compat);
}

/* Is the layout in place that of the first backup in the state at N? */
static bool is_of_backup(struct dropped *d, const struct ext2_super_block *sb)
{
	struct verify *v = d->verify;
	ext2_filsys fs = e2lazy_layout_fs(v->subject->layout);
	dgrp_t group = 1;

	while (group < fs->group_desc_count && !ext2fs_bg_has_super(fs, group))
		group++;
	return group < fs->group_desc_count &&
	       !e2lazy_view_read(v->subject->view, E2LAZY_FILE_SYSTEM,
				 ext2fs_group_first_block2(fs, group) *
				 fs->blocksize, fs->blocksize, d->then, NULL) &&
	       same_layout(sb, (const void *)d->then);
}

/* A superblock without orphans may lose their list: e2fsck finds them. */
static void take_super(struct dropped *d, const struct e2lazy_event *ev)
{
	struct verify *v = d->verify;
	const struct ext2_super_block *later = (const void *)
		(d->later + super_offset(v->journal->geo.blocksize));
	struct ext2_super_block sb;	/* the snapshot's bytes lie anywhere */
	struct e2lazy_copy known;
	bool is_known = e2lazy_walk_verify(d->walk) != E2LAZY_BAD &&
			!e2lazy_read_copy(v->journal, ev->logblk, ev->flags,
					  d->later);

	memcpy(&sb, v->journal->judged.super, sizeof(sb));
	if (e2lazy_jmap_lookup(v->map, ev->fsblk, &known) &&
	    (!is_known || (same_layout(&sb, later) &&
			   sb.s_last_orphan == later->s_last_orphan)) &&
	    (sb.s_last_orphan || !is_of_backup(d, &sb)))
		d->super_now = true;
}

/* ------------------------------------------------------- its other copies */

static errcode_t note_copy(struct dropped *d, const struct e2lazy_event *ev)
{
	struct verify *v = d->verify;
	struct record r = { .tid = ev->tid, .logblk = ev->logblk,
			    .flags = (uint16_t)ev->flags };
	struct e2lazy_copy known;
	errcode_t err = 0;

	if (!e2lazy_jmap_lookup(v->map, ev->fsblk, &known) ||
	    e2lazy_walk_verify(d->walk) == E2LAZY_BAD)
		return 0;
	record_set_fsblk(&r, ev->fsblk);
	if (v->journal->geo.csum == E2LAZY_CSUM_NONE)
		err = records_add(&d->lists[UNPROVEN].blocks, &r);
	return err ? err : records_add(&d->lists[COPIES].blocks, &r);
}

/*
 * jbd2 writes no block in place before its transaction is committed.  So if a
 * copy of the open one is in place, its commit block has been lost.
 */
static void find_open(struct dropped *d)
{
	struct verify *v = d->verify;
	const struct records *copies = &d->lists[COPIES].blocks;
	struct spot spot = { .has = E2LAZY_AT_FSBLK };

	for (size_t i = 0; i < copies->nr; i++) {
		const struct record *r = &copies->at[i];

		spot.fsblk = record_fsblk(r);
		if (!e2lazy_read_copy(v->journal, r->logblk, r->flags,
				      d->later) &&
		    !io_channel_read_blk64(v->journal->fs->io, spot.fsblk, 1,
					   d->then) &&
		    !memcmp(d->later, d->then, v->journal->geo.blocksize))
			verify_found(v, PROBLEM_DROPPED_IN_PLACE, &spot, 0);
	}
}

static errcode_t take_tag(struct dropped *d, const struct e2lazy_event *ev)
{
	struct verify *v = d->verify;
	struct e2lazy_place place;
	errcode_t err;

	if (ev->flags & (E2LAZY_COPY_OUTSIDE | E2LAZY_COPY_IN_JOURNAL) ||
	    jmap_is_outside(v->map, ev->fsblk))
		return 0;
	if (ev->fsblk == super_fsblk(v->journal)) {
		take_super(d, ev);
		return 0;
	}
	err = note_copy(d, ev);
	if (err)
		return err;
	e2lazy_layout_find(v->subject->layout, ev->fsblk, &place);
	return place.type == E2LAZY_TYPE_BLOCK_BITMAP ?
	       take_bitmap(d, ev, place.group) : 0;
}

/* Each block of the list once. */
static errcode_t report(struct dropped *d, struct list *list,
			enum problem problem)
{
	struct spot spot = { .has = E2LAZY_AT_FSBLK };
	errcode_t err;

	list->blocks.nr = list->committed;
	err = records_sort(&list->blocks);
	for (size_t i = 0; !err && i < list->blocks.nr; i++) {
		blk64_t fsblk = record_fsblk(&list->blocks.at[i]);

		if (i && fsblk == spot.fsblk)
			continue;
		spot.fsblk = fsblk;
		verify_found(d->verify, problem, &spot, 0);
	}
	return err;
}

static errcode_t report_all(struct dropped *d)
{
	errcode_t err = 0;

	find_open(d);
	for (unsigned i = 0; !err && i < NR_LISTS; i++)
		if (problems[i] != NR_PROBLEMS)
			err = report(d, &d->lists[i], problems[i]);
	return err;
}

static void commit(struct dropped *d)
{
	for (unsigned i = 0; i < NR_LISTS; i++)
		d->lists[i].committed = d->lists[i].blocks.nr;
	d->lists[COPIES].blocks.nr = 0;
	d->super_in_place |= d->super_now;
}

/* ------------------------------------------------------ the transactions */

static void find_at(struct verify *v, enum problem problem, uint32_t logblk,
		    uint32_t tid)
{
	const struct spot spot = { .has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID,
				   .logblk = logblk, .tid = tid };

	verify_found(v, problem, &spot, 0);
}

/* A checkpoint that was interrupted has judged the rest of the log before it cut
   that off, and has begun to write. */
static bool is_cut_off(struct verify *v, const struct e2lazy_end *end,
		       uint8_t *block)
{
	bool cut_off;

	return end->stop == v->end->stop &&
	       !e2lazy_read_log(v->journal, end->stop, 1, block) &&
	       jbd2_begins(block, end->tid, &cut_off) && cut_off;
}

/* Does the log go on after this end? */
static errcode_t judge_end(struct dropped *d, const struct e2lazy_end *end)
{
	struct verify *v = d->verify;
	const struct end_proof_opts opts = {
		.near = ring_size(&v->journal->geo), .watch = v->opts->watch,
	};
	struct end_proof proof;
	errcode_t err;

	if (is_cut_off(v, end, d->later)) {
		find_at(v, PROBLEM_DROPPED, end->stop, end->tid);
		return 0;
	}
	err = end_proof_look(&proof, v->journal, end, &opts);
	if (!err && (end->error || proof.verdict == E2LAZY_BEYOND_DAMAGE ||
		     proof.look.unreadable))
		find_at(v, PROBLEM_DROPPED_UNKNOWN, end->stop, end->tid);
	end_proof_free(&proof);
	return err;
}

static errcode_t take(struct dropped *d, const struct e2lazy_event *ev)
{
	switch (ev->kind) {
	case E2LAZY_EV_TAG:
		return take_tag(d, ev);
	case E2LAZY_EV_COMMIT:
		commit(d);
		find_at(d->verify, PROBLEM_DROPPED, ev->logblk, ev->tid);
		return 0;
	case E2LAZY_EV_END:
		return judge_end(d, ev->end);
	default:
		return 0;
	}
}

static errcode_t walk_later(struct dropped *d)
{
	struct verify *v = d->verify;
	struct e2lazy_event ev = { .kind = E2LAZY_EV_COMMIT };
	errcode_t err = e2lazy_walk_open(v->journal, NULL, 0, 0, &d->walk);

	if (err)
		return err;
	while (!err && ev.kind != E2LAZY_EV_END) {
		e2lazy_walk_next(d->walk, &ev);
		if (ev.kind == E2LAZY_EV_END ||
		    !e2lazy_tid_after(v->end->tid, ev.tid))
			err = take(d, &ev);
	}
	e2lazy_walk_close(d->walk);
	return err ? err : report_all(d);
}

static void find_in_place(struct dropped *d)
{
	struct verify *v = d->verify;
	struct spot spot = { .has = E2LAZY_AT_FSBLK };
	const blk64_t *lost;
	size_t nr = e2lazy_view_lost(v->subject->view, &lost);

	for (size_t i = 0; i < nr; i++) {
		spot.fsblk = lost[i];
		verify_found(v, PROBLEM_DROPPED_IN_PLACE, &spot, 0);
	}
	spot.fsblk = super_fsblk(v->journal);
	if (d->super_in_place)
		verify_found(v, PROBLEM_DROPPED_IN_PLACE, &spot, 0);
}

errcode_t verify_dropped(struct verify *v)
{
	struct dropped d = { .verify = v };
	errcode_t err;

	if (v->end->reason != E2LAZY_END_UNTIL || !v->subject->view)
		return 0;
	err = io_channel_alloc_buf(v->journal->io, 1, &d.then);
	if (!err)
		err = io_channel_alloc_buf(v->journal->io, 1, &d.later);
	if (!err)
		err = walk_later(&d);
	if (!err)
		find_in_place(&d);
	for (unsigned i = 0; i < NR_LISTS; i++)
		records_free(&d.lists[i].blocks);
	ext2fs_free_mem(&d.then);
	ext2fs_free_mem(&d.later);
	return err;
}
