/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verify_discarded.c - an emptied log whose ring holds newer copies
 *
 * Emptying a log leaves its blocks where they are, until the head comes round
 * again.  Where they had gone home before, each newest copy is what stands in
 * place, but for what was changed there since without a log, as by e2fsck.  So
 * a difference alone proves nothing.  These do:
 *
 *  - the journal superblock still names the first of the transactions: they
 *    were discarded;
 *  - an inode of the same life was changed later in the log than in place, for
 *    nobody sets its change time back.
 */
#include "config.h"

#include <string.h>

#include "in_place.h"
#include "ring.h"
#include "verify.h"

struct discarded {
	struct verify	*verify;
	struct ring	ring;
	struct e2lazy_journal journal;	/* as if its log began at the chain */
	struct e2lazy_jmap *map;
	struct records	differ;
	uint64_t	made;		/* when the file system was, seconds */
	bool		foreign;	/* they are of an earlier one */
	bool		proven;
};

/* ------------------------------------------------------------ the ring */

static errcode_t keep_block(void *priv, const struct e2lazy_beyond_block *b)
{
	struct discarded *d = priv;
	struct record r = { .flags = (uint16_t)b->type, .logblk = b->logblk,
			    .tid = b->tid };

	return records_add(&d->ring.blocks, &r);
}

static errcode_t ring_tick(void *priv, uint64_t done, uint64_t total)
{
	struct discarded *d = priv;

	return verify_tick(d->verify, E2LAZY_MEND_VERIFY, done, total);
}

/* An earlier file system left them, where the log has no checksums. */
static errcode_t look_at_time(void *priv, const struct e2lazy_txn *txn)
{
	struct discarded *d = priv;

	d->foreign |= txn->sec < d->made;
	return 0;
}

/* Read the ring, and map its last transactions. */
static errcode_t read_ring(struct discarded *d)
{
	struct verify *v = d->verify;
	const struct e2lazy_beyond_opts opts = {
		.limit = UINT32_MAX, .found = keep_block,
		.progress = ring_tick, .priv = d,
	};
	const struct e2lazy_jmap_opts map_opts = {
		.flags = E2LAZY_JMAP_CSUMS, .commit = look_at_time, .priv = d,
	};
	struct e2lazy_beyond beyond;
	struct chain chain;
	errcode_t err;

	d->ring.geo = &v->journal->geo;
	err = e2lazy_beyond(v->journal, v->end, &opts, &beyond);
	if (err || !ring_last_chain(&d->ring, &chain))
		return err;
	d->proven = chain.named;
	d->journal = *v->journal;
	d->journal.geo.start = chain.start;
	d->journal.geo.sequence = chain.first_tid;
	return e2lazy_jmap_build(&d->journal, &map_opts, &d->map);
}

/* ------------------------------------------------------ the comparison */

/* In seconds: not everyone who writes an inode in place knows parts of them. */
static int64_t change_time(const struct ext2_inode_large *inode, bool large)
{
	int64_t sec = (int32_t)ext2fs_le32_to_cpu(inode->i_ctime);
	uint32_t extra = 0;

	if (large && ext2fs_le16_to_cpu(inode->i_extra_isize) >=
		     offsetof(struct ext2_inode_large, i_mtime_extra) -
		     EXT2_GOOD_OLD_INODE_SIZE)
		extra = ext2fs_le32_to_cpu(inode->i_ctime_extra);
	return sec + ((int64_t)(extra & 3) << 32);
}

static bool is_newer(const struct ext2_inode_large *logged,
		     const struct ext2_inode_large *in_place, bool large)
{
	return logged->i_links_count && in_place->i_links_count &&
	       logged->i_generation == in_place->i_generation &&
	       change_time(logged, large) > change_time(in_place, large);
}

static bool has_newer_inode(struct discarded *d, const uint8_t *copy,
			    const uint8_t *in_place)
{
	ext2_filsys fs = d->journal.fs;
	unsigned size = EXT2_INODE_SIZE(fs->super);
	bool large = size > EXT2_GOOD_OLD_INODE_SIZE;

	for (unsigned at = 0; at + size <= fs->blocksize; at += size)
		if (is_newer((const void *)(copy + at),
			     (const void *)(in_place + at), large))
			return true;
	return false;
}

static errcode_t keep_difference(void *priv, size_t index, const uint8_t *copy,
				 const uint8_t *in_place)
{
	struct discarded *d = priv;
	struct e2lazy_place place;
	struct e2lazy_copy newer;
	struct record r = { .flags = 0 };

	e2lazy_jmap_get(d->map, index, &newer);
	e2lazy_layout_find(d->verify->subject->layout, newer.fsblk, &place);
	if (place.type == E2LAZY_TYPE_INODE_TABLE)
		d->proven |= has_newer_inode(d, copy, in_place);
	r.logblk = newer.logblk;
	r.tid = newer.tid;
	record_set_fsblk(&r, newer.fsblk);
	return records_add(&d->differ, &r);
}

static void report(struct discarded *d)
{
	for (size_t i = 0; d->proven && i < d->differ.nr; i++) {
		const struct record *r = &d->differ.at[i];
		const struct e2lazy_copy copy = {
			.fsblk = record_fsblk(r), .logblk = r->logblk,
			.tid = r->tid,
		};

		verify_found_copy(d->verify, PROBLEM_DISCARDED_LOG, &copy, 0);
	}
}

errcode_t verify_discarded(struct verify *v)
{
	const struct ext2_super_block *sb = v->journal->fs->super;
	struct discarded d = {
		.verify = v,
		.made = sb->s_mkfs_time | (uint64_t)sb->s_mkfs_time_hi << 32,
	};
	errcode_t err;

	if (v->journal->geo.start || !(v->opts->flags & E2LAZY_VERIFY_CONTENT))
		return 0;
	err = read_ring(&d);
	if (!err && d.map && !d.foreign) {
		const struct in_place what = {
			.journal = &d.journal, .map = d.map,
			.differs = keep_difference, .progress = ring_tick,
			.priv = &d,
		};

		err = compare_in_place(&what);
	}
	if (!err)
		report(&d);
	e2lazy_jmap_free(d.map);
	records_free(&d.differ);
	records_free(&d.ring.blocks);
	return err;
}
