/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_written_since.c - was anything written after the log's last commit?
 *
 * A log that is put back in force is replayed over the static blocks, and so
 * takes back each later change of a block that it holds.  So a restore needs a
 * proof that nobody wrote later:
 *
 *  - the ring has no newer transaction, and no trace of one;
 *  - the superblock in place names no mount after the log's first commit: a
 *    mount begins with an empty log, so the log's own mount came before that.
 *    If the log holds a copy of the superblock, the time and the number of
 *    mounts are the same in both, whatever the clock was;
 *  - no e2fsck has checked the file system since;
 *  - no inode in place has a later change time than its copy, for jbd2 writes
 *    a block in place only after its log;
 *  - the superblock in place was not written later.  This one is a question:
 *    a tool that only cleared a flag writes it, too.
 *
 * Clocks decide only where nothing else does.  A clock that was wrong makes a
 * restore impossible, except one that was set back before the later mount.
 * That mount still leaves its transactions in the ring.
 */

#include <stdlib.h>
#include <string.h>

#include "view/compare_in_place.h"
#include "inode_time.h"
#include "map/jmap.h"
#include "map/super.h"
#include "ring/ring.h"
#include "verify.h"

/* ------------------------------------------------------------- the ring */

/* The history of the log must be the newest one. */
static bool ring_is_ours(const struct e2lazy_ring *ring)
{
	uint32_t nr = e2lazy_ring_counts(ring)->histories;
	struct e2lazy_history h;

	if (!nr)
		return false;
	e2lazy_ring_history(ring, nr - 1, &h);
	return h.is_log && h.reaches_now;
}

/* By its id alone, because a clock may have been set back. */
static bool has_later_id(const struct e2lazy_ring *ring, uint32_t last)
{
	const struct e2lazy_geometry *g = &ring->journal->geo;

	for (size_t i = 0; i < ring->nr_found; i++)
		if (tid_follows(g, ring->found[i].tid, last, 1))
			return true;
	for (size_t i = 0; i < ring->nr_traces; i++) {
		const struct trace *t = &ring->traces[i];

		if (t->committed && t->kind != TRACE_FOREIGN &&
		    t->kind != TRACE_BAD && tid_follows(g, t->tid, last, 1))
			return true;
	}
	return false;
}

/*
 * A history that begins the ring has all of its log.  So has one whose head has
 * come round and overwritten its begin, for jbd2 overwrites nothing that is not
 * home.  Else nobody knows, unless the superblock's block names this tail.
 */
static bool has_begin(const struct verify *v, const struct e2lazy_ring *ring)
{
	const struct e2lazy_geometry *g = &v->journal->geo;
	const uint8_t *said = v->journal->judged.journal;
	struct e2lazy_ring_txn txn, last;
	struct e2lazy_history h;
	uint32_t index;

	if (get_be32(said + JSB_START) == g->start &&
	    get_be32(said + JSB_SEQUENCE) == g->sequence)
		return true;
	if (!e2lazy_ring_find(ring, g->sequence, &index))
		return false;
	e2lazy_ring_txn(ring, index, &txn);
	e2lazy_ring_history(ring, txn.history, &h);
	e2lazy_ring_txn(ring, h.first + h.count - 1, &last);
	switch (index == h.first ? h.begins : E2LAZY_EDGE_FIRST) {
	case E2LAZY_EDGE_DAMAGE:
	case E2LAZY_EDGE_GAP:
		return false;
	case E2LAZY_EDGE_OVERWRITTEN:
		return last.txn.end < txn.txn.start;
	default:
		return true;
	}
}

struct times {
	uint64_t	first, last;	/* commit times of the log */
};

static void read_times(const struct e2lazy_ring *ring, uint32_t tail,
		       struct times *out)
{
	struct e2lazy_ring_txn txn;
	struct e2lazy_history h;
	uint32_t index;

	*out = (struct times){ .first = 0 };
	if (!e2lazy_ring_find(ring, tail, &index))
		return;
	e2lazy_ring_txn(ring, index, &txn);
	e2lazy_ring_history(ring, txn.history, &h);
	out->first = txn.txn.sec;
	out->last = h.last_sec;
}

static errcode_t judge_ring(struct verify *v, struct times *times)
{
	const struct e2lazy_geometry *g = &v->journal->geo;
	const struct e2lazy_ring_opts opts = { .flags = 0 };
	struct e2lazy_where where;
	struct e2lazy_ring *ring;
	errcode_t err = e2lazy_ring_scan(v->journal, &opts, &ring, &where);

	if (err)
		return err;
	read_times(ring, g->sequence, times);
	if (!ring_is_ours(ring) || has_later_id(ring, v->end->tid - 1)) {
		const struct spot spot = {
			.has = E2LAZY_AT_TID, .tid = v->end->tid - 1,
		};

		verify_found(v, PROBLEM_NEWER_IN_RING, &spot, 0);
	}
	if (!has_begin(v, ring)) {
		const struct spot spot = {
			.has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID,
			.logblk = g->start, .tid = g->sequence,
		};

		verify_found(v, PROBLEM_BEGIN_UNKNOWN, &spot, 0);
	}
	e2lazy_ring_free(ring);
	return 0;
}

/*
 * A newer program's log may follow other rules, and the restored superblock
 * would have it replayed by the old ones.
 */
static void judge_features(struct verify *v)
{
	const struct e2lazy_journal *j = v->journal;
	const struct e2lazy_where where = {
		.volume = E2LAZY_JOURNAL,
		.has = E2LAZY_AT_LOGBLK | E2LAZY_AT_VALUE,
		.logblk = journal_super_logblk(j),
		.value = jsb_unknown_features(j->judged.journal, j->csum.crc),
	};

	if (where.value)
		verify_found_where(v, PROBLEM_JOURNAL_FEATURES, 1, &where, 0);
}

/* ------------------------------------------------------ the superblock */

static uint64_t wide_time(uint32_t low, uint8_t high)
{
	return low | (uint64_t)high << 32;
}

/* By the log's copy: another mount has another time or number. */
static bool differs(const struct ext2_super_block *sb,
		    const struct ext2_super_block *logged)
{
	return sb->s_mtime != ext2fs_le32_to_cpu(logged->s_mtime) ||
	       sb->s_mnt_count != ext2fs_le16_to_cpu(logged->s_mnt_count);
}

/* Commits need the flag: in the same second it was cleared after the last. */
static bool written_later(const struct ext2_super_block *sb,
			  const struct times *times)
{
	uint64_t written = wide_time(sb->s_wtime, sb->s_wtime_hi);

	return written > times->last ||
	       (written == times->last &&
		!(sb->s_feature_incompat & EXT3_FEATURE_INCOMPAT_RECOVER));
}

static errcode_t judge_super(struct verify *v, const struct times *times)
{
	const struct ext2_super_block *sb = v->journal->fs->super, *logged;
	uint8_t *block = NULL;
	errcode_t err = io_channel_alloc_buf(v->journal->io, 1, &block);

	if (err)
		return err;
	logged = verify_logged_super(v, block);
	if (wide_time(sb->s_mtime, sb->s_mtime_hi) > times->first ||
	    (logged && differs(sb, logged)))
		verify_found(v, PROBLEM_LATER_MOUNT, NULL, 0);
	ext2fs_free_mem(&block);
	if (wide_time(sb->s_lastcheck, sb->s_lastcheck_hi) > times->first)
		verify_found(v, PROBLEM_LATER_CHECK, NULL, 0);
	if (written_later(sb, times))
		verify_found(v, PROBLEM_LATER_WRITE, NULL, 0);
	return 0;
}

/* ------------------------------------------------------ the other blocks */

static bool has_later_inode(ext2_filsys fs, const uint8_t *in_place,
			    const uint8_t *copy)
{
	unsigned size = EXT2_INODE_SIZE(fs->super);
	bool large = size > EXT2_GOOD_OLD_INODE_SIZE;

	for (unsigned at = 0; at + size <= fs->blocksize; at += size) {
		const struct ext2_inode_large *i = (const void *)(in_place +
								  at);

		if (i->i_links_count &&
		    inode_changed_later(i, (const void *)(copy + at), large))
			return true;
	}
	return false;
}

static errcode_t judge_block(void *priv, size_t index, const uint8_t *copy,
			     const uint8_t *in_place)
{
	struct verify *v = priv;
	struct e2lazy_place place;
	struct e2lazy_copy live;

	e2lazy_jmap_get(v->map, index, &live);
	e2lazy_layout_find(v->subject->layout, live.fsblk, &place);
	if (place.type == E2LAZY_TYPE_INODE_TABLE &&
	    has_later_inode(v->journal->fs, in_place, copy))
		verify_found_copy(v, PROBLEM_LATER_INODE, &live, 0);
	return 0;
}

errcode_t verify_written_since(struct verify *v)
{
	const struct in_place what = {
		.journal = v->journal, .map = v->map, .kept = verify_kept(v),
		.differs = judge_block, .priv = v,
	};
	struct times times;
	errcode_t err;

	if (!(v->opts->flags & E2LAZY_VERIFY_RESTORE) ||
	    !v->journal->geo.start)
		return 0;
	judge_features(v);
	err = judge_ring(v, &times);
	if (!err)
		err = judge_super(v, &times);
	return err ? err : compare_in_place(&what);
}
