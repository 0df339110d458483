/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_fast.c - problems with the fast commits on top of the log
 *
 * The replay in memory tells whether they can be carried out.  A verdict with
 * content keeps the view that shows them.
 *
 * The area has neither a UUID nor a time.  Where mke2fs left it unzeroed, fast
 * commits of an earlier file system count if they have the next transaction's
 * number, and a kernel replays them.  Only the times of their inodes differ.
 *
 * If the last transactions are dropped, so are the fast commits of those and of
 * the one after them: nothing of them is replayed, and a user is asked.
 */

#include "fs/inode_life.h"
#include "log/birth.h"
#include "verify.h"

/* The map ends earlier than the log, and the area belongs to what is dropped. */
static bool is_dropped(const struct verify *v)
{
	return v->end->reason == E2LAZY_END_UNTIL;
}

static bool wraps(const struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;

	return g->start && v->end->walked > g->end - g->start;
}

static struct e2lazy_where at(const struct verify *v, uint32_t logblk)
{
	return (struct e2lazy_where){
		.volume = E2LAZY_JOURNAL,
		.has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID,
		.logblk = logblk, .tid = v->end->tid,
	};
}

static errcode_t replay(struct verify *v, const struct e2lazy_where *area)
{
	struct e2lazy_verdict *to = v->verdict;
	struct e2lazy_where unused;
	errcode_t err;

	if (!v->subject->view || !(v->opts->flags & E2LAZY_VERIFY_CONTENT) ||
	    v->opts->flags & E2LAZY_VERIFY_GLANCE)
		return 0;
	err = e2lazy_view_build(v->journal, v->map, &to->fast, &unused);
	if (!err)
		err = e2lazy_view_fast_commits(to->fast, &to->fast_done,
					       &unused);
	if (err == EXT2_ET_NO_MEMORY)
		return err;
	if (err)
		verify_found_where(v, PROBLEM_FAST_COMMITS_REFUSED, 1, area,
				   err);
	return 0;
}

static errcode_t find_lost(struct verify *v)
{
	struct e2lazy_fc_lost lost;
	struct e2lazy_where where;
	errcode_t err = e2lazy_fc_find_lost(v->journal, v->end->tid, &lost);

	if (err || (!lost.commits && !lost.error))
		return err;
	where = at(v, lost.logblk);
	verify_found_where(v, PROBLEM_FAST_COMMITS_CUT,
			   lost.commits ? lost.commits : 1, &where,
			   lost.error);
	return 0;
}

/*
 * Records that do not count.  A kernel passes over a HEAD of another
 * transaction.  It fails at a malformed one, at unknown features, and at the due
 * one's where no sound TAIL follows.  e2fsck drops the log at all of them; but it
 * checks no lengths, so it may replay what a malformed due one leads to.
 */
static enum problem problem_of_area(const struct verify *v,
				    const struct e2lazy_fc_summary *fc)
{
	if (is_dropped(v) && fc->records &&
	    !e2lazy_tid_after(v->end->tid, fc->tid))
		return PROBLEM_FAST_COMMITS_LATER;
	if (fc->valid)
		return PROBLEM_FAST_COMMITS_VALID;
	if (fc->begin == E2LAZY_FC_UNKNOWN)
		return PROBLEM_FAST_COMMITS_UNKNOWN;
	if (fc->begin == E2LAZY_FC_MALFORMED || fc->tid == v->end->tid)
		return PROBLEM_FAST_COMMITS_UNFINISHED;
	return e2lazy_tid_after(fc->tid, v->end->tid) ?
	       PROBLEM_FAST_COMMITS_LATER : PROBLEM_FAST_COMMITS_STALE;
}

/* ----------------------------------------------- an earlier file system's */

struct changes {
	ext2_filsys	fs;
	uint32_t	next_tid;
	int64_t		pending;	/* newest time since the last TAIL */
	int64_t		newest;		/* and before it; 0: no inode has one */
};

static int64_t later(int64_t sec, uint32_t field, uint32_t extra)
{
	int64_t other = inode_seconds(field, extra);

	return other > sec ? other : sec;
}

static errcode_t take_times(void *priv, const struct e2lazy_fc_record *r)
{
	struct changes *c = priv;
	struct ext2_inode_large inode;

	if (r->kind == E2LAZY_FC_INODE) {
		inode_take_first(c->fs, r->value + 4, r->length - 4, &inode);
		c->pending = later(c->pending, inode.i_ctime,
				   inode.i_ctime_extra);
		c->pending = later(c->pending, inode.i_crtime,
				   inode.i_crtime_extra);
	}
	if (r->kind == E2LAZY_FC_TAIL && r->csum == E2LAZY_GOOD &&
	    r->tid == c->next_tid)
		c->newest = c->pending;
	return 0;
}

/* Were all their inodes changed before mke2fs? */
static errcode_t judge_times(struct verify *v, const struct e2lazy_where *area)
{
	struct changes c = { .fs = v->journal->fs, .next_tid = v->end->tid };
	struct e2lazy_fc_summary unused;
	struct birth birth;
	errcode_t err;

	birth_init(&birth, v->journal, v->end);
	if (!birth.made)
		return 0;
	err = e2lazy_fc_scan(v->journal, c.next_tid, take_times, &c, &unused,
			     NULL);
	if (c.newest && is_before_birth(&birth, (uint64_t)c.newest))
		verify_found_where(v, PROBLEM_COMMIT_BEFORE_MKFS, 1, area, 0);
	return err == EXT2_ET_NO_MEMORY ? err : 0;
}

static void judge_area(struct verify *v, const struct e2lazy_fc_summary *fc,
		       const struct e2lazy_where *area)
{
	uint32_t records = fc->valid ? fc->valid : fc->records;

	/* A malformed HEAD hides how many there are. */
	if (v->journal->geo.start && fc->begin != E2LAZY_FC_NOTHING)
		verify_found_where(v, problem_of_area(v, fc),
				   records ? records : 1, area, 0);
}

errcode_t verify_fast(struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;
	struct e2lazy_fc_summary fc;
	struct e2lazy_where where;
	errcode_t err;

	if (!g->fc_blocks)
		return 0;
	if (g->incompat & E2LAZY_INCOMPAT_FAST_COMMIT && wraps(v))
		verify_found(v, PROBLEM_FAST_COMMIT_WRAPPED, NULL, 0);
	/* A restore leaves them to the next replay. */
	if (v->opts->flags & E2LAZY_VERIFY_RESTORE)
		return 0;
	err = e2lazy_fc_scan(v->journal, v->end->tid, NULL, NULL, &fc, NULL);
	if (err == EXT2_ET_NO_MEMORY)
		return err;
	where = at(v, g->fc_first);
	judge_area(v, &fc, &where);
	if (is_dropped(v))
		return 0;
	/* Behind unknown features nobody knows what a TAIL is. */
	err = fc.begin == E2LAZY_FC_UNKNOWN ? 0 : find_lost(v);
	if (!err && fc.valid)
		err = judge_times(v, &where);
	return err || !fc.valid ? err : replay(v, &where);
}
