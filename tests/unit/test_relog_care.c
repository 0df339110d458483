/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Logging copies again with care: no log goes on behind the new transactions,
 * copies that do not read back never count, and copies that are in place can be
 * dropped.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "e2lazy_drive.h"
#include "home.h"
#include "log/log.h"
#include "map/super.h"

#define PLAIN_SMALL "-b 1024 -J size=1 -O ^64bit,^metadata_csum"
/* Two transactions at least: one has 255 blocks at most. */
#define LARGE "txn 5 write 60000-60399\n"

static errcode_t try_relog(struct home *h)
{
	return e2lazy_relog(h->view, h->verdict, &h->opts, &h->done,
			    &h->f->where);
}

static void write_at(struct home *h, uint32_t logblk, const void *bytes,
		     size_t count)
{
	int fd = open(h->f->image, O_WRONLY);
	blk64_t at;

	ck_assert_int_eq(e2lazy_physblk(h->f->journal, logblk, &at), 0);
	ck_assert_int_eq(pwrite(fd, bytes, count, (off_t)(at * h->size)),
			 (ssize_t)count);
	close(fd);
}

/* Each live copy of before, after e2fsck's replay. */
static void check_replay(struct home *h)
{
	char line[2048];

	drop(h->f);
	snprintf(line, sizeof(line), "e2fsck -y -E journal_only %s >%s 2>&1; "
		 "test $? -le 1", h->f->image, h->f->said);
	ck_assert_int_eq(system(line), 0);
	home_check(h);
}

/* ------------------------------------------------- behind the new end --- */

/* 252 copies, 2 descriptors or more, and the commit block: 255 blocks. */
START_TEST(no_number_that_comes_next_stands_behind_a_new_transaction)
{
	const struct e2lazy_geometry *g;
	uint8_t header[12];
	uint32_t head, tid, at[3];
	struct e2lazy_relog plan;
	struct home h;

	home_begin(&h, map_of(LARGE));
	g = e2lazy_geometry(h.f->journal);
	head = e2lazy_jmap_end(h.f->map)->head;
	tid = e2lazy_jmap_end(h.f->map)->tid;
	ck_assert_int_eq(e2lazy_relog_plan(&(struct e2lazy_subject){
		h.f->journal, h.f->map, h.layout, h.view }, NULL, &plan), 0);
	ck_assert_uint_eq(plan.txns, 2);
	at[0] = ring_add(g, head, ring_size(g) / 4);
	at[1] = ring_add(g, head, plan.blocks);
	at[2] = ring_add(g, head, plan.blocks + 1);	/* further on */
	put_be32(header, JBD2_MAGIC);
	put_be32(header + 4, JBD2_COMMIT);
	put_be32(header + 8, tid + (_i ? 2 : 1));
	write_at(&h, at[_i], header, sizeof(header));
	ck_assert_int_eq(try_relog(&h), 0);
	ck_assert_uint_eq(h.done.blocks_written, plan.blocks);
	home_look(&h);
	ck_assert_uint_eq(e2lazy_jmap_end(h.f->map)->tid, tid + 2);
	ck_assert_int_eq(e2lazy_jmap_end(h.f->map)->reason,
			 E2LAZY_END_NOT_JOURNAL);
	ck_assert_uint_eq(e2lazy_jmap_count(h.f->map), h.live);
	check_replay(&h);
	home_end(&h);
}
END_TEST

/* Their number would be due at the new end. */
START_TEST(fast_commits_of_a_later_number_never_come_to_count)
{
	static const char *const records[] = {
		"fc 11 creat 2 12 name tail\n", "fc 12 creat 2 12 name tail\n",
		"fc 9 creat 2 12 name tail\n",
	};
	char spec[1024];
	struct home h;

	snprintf(spec, sizeof(spec), "journal fast_commit 256\n" FIVE "%s",
		 records[_i]);
	home_begin(&h, map_of_fs("-b 1024 -J size=4 -O fast_commit", spec));
	ck_assert_int_eq(try_relog(&h), _i < 2 ? E2LAZY_ET_UNSOUND : 0);
	if (_i < 2) {
		ck_assert_uint_eq(h.recording.nr, 0);
	} else {
		home_look(&h);
		ck_assert_uint_eq(e2lazy_jmap_count(h.f->map), h.live);
		ck_assert_uint_eq(e2lazy_jmap_end(h.f->map)->tid, 11);
		check_replay(&h);
	}
	home_end(&h);
}
END_TEST

/* --------------------------------------------------------- where it ends --- */

/*
 * FIVE has 27 blocks and needs 12 new ones.  They end one block past the ring's
 * end; at it; they begin there; the log wraps already; it does without an area.
 */
static const struct {
	const char	*spec;
	bool		wraps;		/* it would begin to */
	bool		replays;	/* e2fsck does */
} ends[] = {
	{ "journal fast_commit 256\nstart end-38\n" FIVE, true, false },
	{ "journal fast_commit 256\nstart end-39\n" FIVE, false, true },
	{ "journal fast_commit 256\nstart end-27\n" FIVE, true, false },
	{ "journal fast_commit 256\nstart end-26\n" FIVE, false, false },
	{ "start end-38\n" FIVE, false, true },
};

START_TEST(no_log_begins_to_wrap_beside_fast_commits)
{
	const struct e2lazy_plan_opts opts = { .memory = 0 };
	struct e2lazy_relog plan, estimate;
	struct e2lazy_subject s;
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=4", ends[_i].spec));
	s = (struct e2lazy_subject){ h.f->journal, h.f->map, h.layout, h.view };
	ck_assert_int_eq(e2lazy_relog_plan(&s, &opts, &plan), 0);
	e2lazy_relog_estimate(h.f->journal, h.f->map, &estimate);
	ck_assert(plan.fits);
	ck_assert_uint_eq(plan.blocks, 12);
	ck_assert_int_eq(plan.wraps, ends[_i].wraps);
	ck_assert_int_eq(estimate.wraps, ends[_i].wraps);
	ck_assert_int_eq(try_relog(&h), ends[_i].wraps ? E2LAZY_ET_WOULD_WRAP :
							 0);
	ck_assert_int_eq(h.recording.nr == 0, ends[_i].wraps);
	if (ends[_i].replays)
		check_replay(&h);
	home_end(&h);
}
END_TEST

/* ------------------------------------------------------ time of a commit --- */

START_TEST(a_commit_behind_one_of_debugfs_has_the_time_of_now)
{
	const time_t before = time(NULL);
	struct e2lazy_txn txn;
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60003\n"
			      "txn 6 write 60004 debugfstime\n"));
	ck_assert_int_eq(try_relog(&h), 0);
	home_look(&h);
	ck_assert_int_eq(e2lazy_walk_open(h.f->journal, NULL, 0, 0, &walk), 0);
	do
		e2lazy_walk_next(walk, &ev);
	while (ev.kind != E2LAZY_EV_COMMIT);
	txn = *ev.txn;
	e2lazy_walk_close(walk);
	ck_assert_uint_eq(txn.tid, 7);
	ck_assert_uint_ge(txn.sec, (uint64_t)before);
	ck_assert_uint_le(txn.sec, (uint64_t)time(NULL));
	home_end(&h);
}
END_TEST

/*
 * The walk takes a bad block before an older commit for a leftover, and compares
 * times as stored.
 */
START_TEST(damage_is_found_behind_a_commit_of_debugfs)
{
	struct e2lazy_tail tail;
	uint32_t head;
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60004\n"
			      "txn 6 write 60005 debugfstime\n"));
	head = e2lazy_jmap_end(h.f->map)->head;
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 1);
	h.opts.tail = &tail;
	ck_assert_int_eq(try_relog(&h), 0);
	write_at(&h, head, "\xc0\x3b\x39\x98\0\0\0\1\0\0\0\7gone", 16);
	home_look(&h);
	ck_assert_int_eq(e2lazy_jmap_end(h.f->map)->reason,
			 E2LAZY_END_BLOCK_CSUM);
	ck_assert(!e2lazy_verdict_is_sound(h.verdict));
	home_end(&h);
}
END_TEST

/* ---------------------------------------------------------- superblock --- */

/* A replay of the copy, cut off, must not make the log be discarded. */
START_TEST(the_superblock_is_logged_with_needs_recovery)
{
	struct ext2_super_block sb;
	struct e2lazy_copy copy;
	struct fixture *f = new_fixture();
	struct home h;
	int fd;

	make_image(f, "64M", PLAIN_SMALL, "txn 4 write 1\n" FIVE);
	ck_assert_int_eq(try_open(f, NULL), 0);
	read_map(f, 0, 0);
	fd = open(f->image, O_RDWR);
	ck_assert_int_eq(pread(fd, &sb, sizeof(sb), 1024), sizeof(sb));
	sb.s_feature_incompat &=
		~ext2fs_cpu_to_le32(EXT3_FEATURE_INCOMPAT_RECOVER);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 1, &copy), 0);
	ck_assert_int_eq(pwrite(fd, &sb, sizeof(sb),
				(off_t)copy.physblk * 1024), sizeof(sb));
	home_begin(&h, f);
	ck_assert_int_eq(try_relog(&h), 0);
	home_look(&h);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 1, &copy), 0);
	ck_assert_int_eq(pread(fd, &sb, sizeof(sb),
			       (off_t)copy.physblk * 1024), sizeof(sb));
	ck_assert_uint_ne(ext2fs_le32_to_cpu(sb.s_feature_incompat) &
			  EXT3_FEATURE_INCOMPAT_RECOVER, 0);
	close(fd);
	home_end(&h);
}
END_TEST

/* ---------------------------------------------------------- reading back --- */

struct forgetful {
	struct home	*home;
	unsigned	calls, at;
	uint32_t	logblk;
};

/* When it begins to read back for the @at-th time, a block goes bad. */
static errcode_t spoil(void *priv, enum e2lazy_phase phase, uint64_t done,
		       uint64_t total)
{
	struct forgetful *f = priv;

	ck_assert_uint_le(done, total);
	if (phase == E2LAZY_PHASE_COMPARE && done + 1 != total &&
	    done != total && f->calls++ == f->at)
		write_at(f->home, f->logblk, "gone", 4);
	return 0;
}

/* The descriptor is the first block of a new transaction. */
START_TEST(copies_that_do_not_read_back_are_never_committed)
{
	struct forgetful forgetful = { .at = (unsigned)_i };
	const struct e2lazy_watch watch = { .progress = spoil,
					    .priv = &forgetful };
	uint32_t tid;
	struct home h;

	home_begin(&h, map_of(LARGE));
	forgetful.home = &h;
	forgetful.logblk = ring_add(e2lazy_geometry(h.f->journal),
				    e2lazy_jmap_end(h.f->map)->head,
				    _i ? 255 + 7 : 0);
	tid = e2lazy_jmap_end(h.f->map)->tid;
	h.opts.flags = E2LAZY_CHECKPOINT_COMPARE;
	h.opts.watch = &watch;
	ck_assert_int_eq(try_relog(&h), E2LAZY_ET_NOT_WRITTEN);
	ck_assert(h.done.begun && !h.done.sealed);
	ck_assert_uint_eq(h.f->where.logblk, forgetful.logblk);
	home_look(&h);
	ck_assert_uint_eq(e2lazy_jmap_end(h.f->map)->tid, tid + _i);
	ck_assert_uint_eq(e2lazy_geometry(h.f->journal)->sequence, 5);
	h.opts.watch = NULL;
	ck_assert_int_eq(try_relog(&h), 0);
	ck_assert(h.done.sealed);
	check_replay(&h);
	home_end(&h);
}
END_TEST

/* ------------------------------------------------------------- in place --- */

/* Of FIVE, two are in place; of 60001 an older copy is. */
#define IN_PLACE "damage home 9.data[0] 60032\ndamage home 8.data[1] 60031\n" \
		 "damage home 5.data[1] 60001\n"

static void recover_by_replay(void *priv, size_t end, const bool *keep)
{
	struct home *h = priv;

	home_restore(h);
	record_replay(&h->recording, end, keep);
	check_replay(h);
}

START_TEST(copies_in_place_can_be_dropped)
{
	const struct e2lazy_plan_opts opts = {
		.flags = E2LAZY_RELOG_DROP_HOME };
	struct e2lazy_relog plan;
	struct e2lazy_copy copy;
	struct home h;

	home_begin(&h, map_of(_i ? "needs_recovery off\n" FIVE IN_PLACE :
				   FIVE IN_PLACE));
	ck_assert_int_eq(e2lazy_relog_plan(&(struct e2lazy_subject){
		h.f->journal, h.f->map, h.layout, h.view }, &opts, &plan), 0);
	ck_assert_uint_eq(plan.dropped, 2);
	ck_assert_uint_eq(plan.copies, h.live - 2);
	ck_assert_uint_eq(plan.replay_before, h.live + 3);
	ck_assert_uint_eq(plan.replay_after, h.live - 2);
	home_save(&h);
	h.opts.flags = E2LAZY_RELOG_DROP_HOME;
	ck_assert_int_eq(try_relog(&h), 0);
	/* Not before the static blocks are on the disk. */
	ck_assert_ptr_null(h.recording.ops[_i ? 2 : 0].bytes);
	home_look(&h);
	ck_assert_uint_eq(e2lazy_jmap_count(h.f->map), h.live - 2);
	ck_assert_int_eq(e2lazy_jmap_lookup(h.f->map, 60032, &copy),
			 E2LAZY_ET_NOT_MAPPED);
	ck_assert_int_eq(e2lazy_jmap_lookup(h.f->map, 60001, &copy), 0);
	record_crashes(&h.recording, recover_by_replay, &h);
	home_forget(&h);
	home_end(&h);
}
END_TEST

START_TEST(with_all_copies_in_place_an_empty_transaction_is_left)
{
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60001\n"
			      "damage home 5.data[0] 60000\n"
			      "damage home 5.data[1] 60001\n"));
	h.opts.flags = E2LAZY_RELOG_DROP_HOME;
	ck_assert_int_eq(try_relog(&h), 0);
	home_look(&h);
	ck_assert_uint_eq(e2lazy_jmap_count(h.f->map), 0);
	ck_assert_uint_eq(e2lazy_jmap_stats(h.f->map)->txns, 1);
	check_replay(&h);
	home_end(&h);
}
END_TEST

/* ----------------------------------------------------------------- cost --- */

struct told {
	uint64_t	blocks, calls;
};

static void note_write(void *priv, blk64_t block, uint32_t count)
{
	struct told *told = priv;

	(void)block;
	told->blocks += count;
	told->calls++;
}

START_TEST(a_plan_counts_bytes_and_seeks_as_that_of_a_checkpoint)
{
	struct told writes = { 0 }, replay = { 0 };
	struct e2lazy_plan_opts opts = {
		.throughput = 1024, .seek_us = 1000000,
		.checkpoint = { note_write, &writes },
		.replay = { note_write, &replay },
	};
	struct e2lazy_relog plan;
	struct e2lazy_subject s;
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000\n"
			      "txn 6 write 60200-60299\n"
			      "txn 7 revoke 60200-60299 write 60001 60070\n"));
	s = (struct e2lazy_subject){ h.f->journal, h.f->map, h.layout, h.view };
	ck_assert_int_eq(e2lazy_relog_plan(&s, &opts, &plan), 0);
	ck_assert_uint_eq(plan.copies, 3);
	ck_assert_uint_eq(plan.blocks, 5);
	ck_assert_uint_eq(plan.blocks_after, 5);
	ck_assert_uint_eq(plan.read_bytes, 3 * 1024);
	ck_assert_uint_eq(plan.write_bytes, 6 * 1024);
	/* Two requests read; the log and its superblock are written. */
	ck_assert_double_eq(plan.seconds, (3 + 6) + (2 + 2));
	ck_assert_uint_eq(plan.replay_before, 3);
	ck_assert_double_eq(plan.replay_seconds_after, (3 + 3) + 2);
	ck_assert_uint_eq(writes.blocks, 6);
	ck_assert_uint_eq(replay.blocks, 3);
	ck_assert_int_eq(try_relog(&h), 0);
	ck_assert_uint_eq(h.done.blocks_written, plan.blocks);
	home_end(&h);
}
END_TEST

/* Without room for all at once it tells the numbers; a plan goes on. */
START_TEST(an_estimate_without_reading_is_the_plan_of_one_round)
{
	static const char *const specs[] = {
		FIVE, LARGE, "txn 5 revoke 60000\n",
		"txn 5 write 60000-60599\ntxn 6 write 60000-60099\n",
		"txn 5 write 60000-60251\n",	/* a whole transaction */
	};
	struct e2lazy_relog plan, estimate;
	struct e2lazy_subject s;
	struct home h;

	home_begin(&h, map_of(specs[_i]));
	s = (struct e2lazy_subject){ h.f->journal, h.f->map, h.layout, h.view };
	ck_assert_int_eq(e2lazy_relog_plan(&s, NULL, &plan), 0);
	e2lazy_relog_estimate(h.f->journal, h.f->map, &estimate);
	ck_assert_uint_eq(estimate.copies, h.live);
	ck_assert_uint_eq(estimate.control_before, plan.control_before);
	ck_assert_uint_eq(estimate.free_before, plan.free_before);
	ck_assert_int_eq(estimate.fits, plan.fits && plan.rounds == 1);
	if (estimate.fits) {
		ck_assert_uint_eq(estimate.txns, plan.txns);
		ck_assert_uint_eq(estimate.blocks, plan.blocks);
		ck_assert_uint_eq(estimate.control_after, plan.control_after);
		ck_assert_uint_eq(estimate.free_after, plan.free_after);
	} else {
		ck_assert_uint_gt(estimate.needed, estimate.room);
	}
	home_end(&h);
}
END_TEST

/* As fast as the paper's disk reads the whole log. */
START_TEST(a_lazy_mount_costs_a_read_of_the_log)
{
	struct e2lazy_mount_of of = {
		.blocksize = 4096, .log_blocks = 190 * 256,
		.control_blocks = 10, .live = 1000,
	};
	struct e2lazy_mount_cost cost;

	e2lazy_mount_cost(&of, &cost);
	ck_assert_uint_eq(cost.log_bytes, 190 << 20);
	ck_assert_uint_eq(cost.control_bytes, 40960);
	ck_assert_double_eq(cost.seconds, 1);
	ck_assert_uint_eq(cost.memory, 72000);
	of.throughput = 95 << 20;
	e2lazy_mount_cost(&of, &cost);
	ck_assert_double_eq(cost.seconds, 2);
}
END_TEST

TCase *relog_care_tests(void)
{
	TCase *tc = tcase_create("relog_care");

	tcase_add_loop_test(tc,
		no_number_that_comes_next_stands_behind_a_new_transaction, 0,
		3);
	tcase_add_loop_test(tc,
		fast_commits_of_a_later_number_never_come_to_count, 0, 3);
	tcase_add_test(tc, 
		a_commit_behind_one_of_debugfs_has_the_time_of_now);
	tcase_add_test(tc, damage_is_found_behind_a_commit_of_debugfs);
	tcase_add_loop_test(tc, no_log_begins_to_wrap_beside_fast_commits, 0,
			    5);
	tcase_add_test(tc, the_superblock_is_logged_with_needs_recovery);
	tcase_add_loop_test(tc,
		copies_that_do_not_read_back_are_never_committed, 0, 2);
	tcase_add_loop_test(tc, copies_in_place_can_be_dropped, 0, 2);
	tcase_add_test(tc,
		with_all_copies_in_place_an_empty_transaction_is_left);
	tcase_add_test(tc,
		a_plan_counts_bytes_and_seeks_as_that_of_a_checkpoint);
	tcase_add_loop_test(tc,
		an_estimate_without_reading_is_the_plan_of_one_round, 0, 5);
	tcase_add_test(tc, a_lazy_mount_costs_a_read_of_the_log);
	return tc;
}
