/* SPDX-License-Identifier: GPL-2.0-only */
/* The file system as of a transaction that the log has left behind. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "e2lazy_ring.h"
#include "e2lazy_view.h"
#include "fixture.h"

#define BLOCK 1024

/* Write the copy that transaction @tid has of a block to its static place. */
static void write_home(struct fixture *f, const struct e2lazy_ring *ring,
		       uint32_t tid, blk64_t fsblk)
{
	struct e2lazy_ring_txn txn;
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	char block[BLOCK];
	int fd = open(f->image, O_WRONLY);
	uint32_t index;

	ck_assert(e2lazy_ring_find(ring, tid, &index));
	e2lazy_ring_txn(ring, index, &txn);
	ck_assert_int_eq(e2lazy_walk_open(f->journal, &txn.range, 0, 0, &walk),
			 0);
	do
		e2lazy_walk_next(walk, &ev);
	while (ev.kind != E2LAZY_EV_END &&
	       (ev.kind != E2LAZY_EV_TAG || ev.fsblk != fsblk));
	ck_assert_int_eq(ev.kind, E2LAZY_EV_TAG);
	ck_assert_int_eq(e2lazy_read_copy(f->journal, ev.logblk, ev.flags,
					  block), 0);
	ck_assert_int_eq(pwrite(fd, block, BLOCK, (off_t)(fsblk * BLOCK)),
			 BLOCK);
	close(fd);
	e2lazy_walk_close(walk);
}

static struct e2lazy_ring *scan(struct fixture *f)
{
	struct e2lazy_ring *ring = NULL;

	if (!f->journal)
		ck_assert_int_eq(try_open(f, NULL), 0);
	ck_assert_int_eq(e2lazy_ring_scan(f->journal, NULL, &ring, NULL), 0);
	return ring;
}

/* The view of history @n as of transaction @tid. */
static struct e2lazy_view *view_of(struct fixture *f, uint32_t n, uint32_t tid)
{
	struct e2lazy_ring *ring = scan(f);
	struct e2lazy_jmap_opts opts = {
		.flags = E2LAZY_WALK_UNTIL | E2LAZY_JMAP_CSUMS, .until = tid,
	};
	struct e2lazy_view *view = NULL;
	struct e2lazy_range *ranges;
	struct e2lazy_history h;

	ck_assert_uint_lt(n, e2lazy_ring_counts(ring)->histories);
	e2lazy_ring_history(ring, n, &h);
	ranges = e2lazy_ring_ranges(ring, h.first, h.count, &opts.nr_ranges);
	opts.range = ranges;
	e2lazy_jmap_free(f->map);
	f->map = NULL;
	ck_assert_int_eq(e2lazy_jmap_build(f->journal, &opts, &f->map), 0);
	ck_assert_int_eq(e2lazy_jmap_end(f->map)->reason, E2LAZY_END_UNTIL);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view, NULL),
			 0);
	free(ranges);
	e2lazy_ring_free(ring);
	return view;
}

/* The view's source of a block: "tid 5", "in place", "lost". */
static const char *shown(struct e2lazy_view *view, blk64_t fsblk)
{
	char block[BLOCK], expected[64];
	static char text[64];
	struct e2lazy_where where;
	unsigned long long at;
	unsigned tid;
	errcode_t err = e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					 fsblk * BLOCK, BLOCK, block, &where);

	if (err == E2LAZY_ET_LOST) {
		ck_assert_uint_eq(where.fsblk, fsblk);
		return "lost";
	}
	ck_assert_int_eq(err, 0);
	if (sscanf(block, "fsblk %llu tid %u", &at, &tid) != 2)
		return "nothing";
	snprintf(expected, sizeof(expected), "fsblk %llu", at);
	ck_assert_uint_eq(at, fsblk);
	snprintf(text, sizeof(text), "tid %u", tid);
	return text;
}

#define ck_assert_shows(view, fsblk, what) \
	ck_assert_str_eq(shown(view, fsblk), what)

/* A log that was emptied: all of it is home. */
#define EMPTIED "sequence 9\n" \
	"leftover@1 5 write 60000-60002 time 1700000000\n" \
	"leftover 6 write 60001 time 1700000001\n" \
	"leftover 7 write 60003 revoke 60005 time 1700000002\n"

START_TEST(an_emptied_log_shows_each_of_its_transactions)
{
	struct fixture *f = map_of(EMPTIED);
	struct e2lazy_ring *ring = scan(f);
	struct e2lazy_view *view;

	write_home(f, ring, 5, 60000);
	write_home(f, ring, 6, 60001);
	write_home(f, ring, 5, 60002);
	write_home(f, ring, 7, 60003);
	e2lazy_ring_free(ring);
	view = view_of(f, 0, 5);
	ck_assert(!e2lazy_view_uncovered(view));
	ck_assert_shows(view, 60000, "tid 5");
	ck_assert_shows(view, 60001, "tid 5");
	/* 7's copy is home since, and 60005 may have been used again */
	ck_assert_shows(view, 60003, "lost");
	ck_assert_shows(view, 60005, "lost");
	/* and what nobody logged is as it is now */
	ck_assert_shows(view, 60010, "nothing");
	e2lazy_view_free(view);
	view = view_of(f, 0, 6);
	ck_assert_shows(view, 60001, "tid 6");
	ck_assert_shows(view, 60003, "lost");
	e2lazy_view_free(view);
	view = view_of(f, 0, 7);
	ck_assert_shows(view, 60003, "tid 7");
	ck_assert_shows(view, 60005, "nothing");
	e2lazy_view_free(view);
}
END_TEST

/* A copy that is not home yet: the static block is the old one. */
START_TEST(what_is_in_place_is_held_against_later_copies)
{
	struct fixture *f = map_of("sequence 9\n"
			"leftover@1 2 write 60000-60002 time 1700000000\n"
			"leftover 3 write 60003 time 1700000001\n");
	struct e2lazy_view *view = view_of(f, 0, 2);

	ck_assert_shows(view, 60003, "nothing");
	e2lazy_view_free(view);
}
END_TEST

/* Transaction 4 is gone. If it had a copy of 60003, that never went home. */
START_TEST(what_is_in_place_may_be_older_than_the_first_transaction)
{
	struct fixture *f = map_of(EMPTIED);
	struct e2lazy_view *view = view_of(f, 0, 6);

	ck_assert_shows(view, 60003, "lost");
	e2lazy_view_free(view);
}
END_TEST

/* The same for the log: its tail has passed 5, whose copy 7 made needless. */
START_TEST(behind_a_tail_that_moved_only_copies_are_known)
{
	struct fixture *f = map_of("txn 5 write 60003\ntxn 6 write 60000\n"
				   "txn 7 write 60003\ntail 6\n");
	struct e2lazy_view *view;

	read_map(f, E2LAZY_JMAP_CSUMS | E2LAZY_WALK_UNTIL, 6);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view,
					   &f->where), 0);
	ck_assert_shows(view, 60000, "tid 6");
	ck_assert_shows(view, 60003, "lost");
	ck_assert_shows(view, 60010, "nothing");
	e2lazy_view_free(view);
}
END_TEST

/* The log goes on from an older history: its copies are newer. */
START_TEST(older_transactions_are_seen_behind_the_log)
{
	struct fixture *f = map_of("sequence 9\n"
			"leftover@1 5 write 60000-60002 time 1700000000\n"
			"leftover 6 write 60001 time 1700000001\n"
			"txn 7 write 60003 time 1700000002\n");
	struct e2lazy_ring *ring;
	struct e2lazy_view *view;

	write_log(f, "lap\nstart 1\ntxn 5 write 60000-60002\ntxn 6 write 60001\n"
		  "txn 7 write 60003\ntxn 8 write 60000\ntail 7\n");
	ring = scan(f);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->histories, 1);
	write_home(f, ring, 5, 60000);
	e2lazy_ring_free(ring);
	view = view_of(f, 0, 6);
	ck_assert(!e2lazy_view_uncovered(view));
	ck_assert_shows(view, 60000, "tid 5");
	ck_assert_shows(view, 60001, "tid 6");
	ck_assert_shows(view, 60003, "lost");
	e2lazy_view_free(view);
	view = view_of(f, 0, 8);
	ck_assert_shows(view, 60000, "tid 8");
	ck_assert_shows(view, 60003, "tid 7");
	e2lazy_view_free(view);
}
END_TEST

/* Ids are missing between 5 and 108: their copies are unknown. */
#define GAP "sequence 110\n" \
	"leftover@1 5 write 60000 time 1700000000\n" \
	"leftover 108 write 60001 time 1700000003\n"

static void write_directory(struct fixture *f, blk64_t fsblk)
{
	char *command;

	/* the root directory's block */
	ck_assert_int_gt(asprintf(&command,
		"b=$(debugfs -R 'blocks <2>' %s 2>/dev/null) && dd if=%s "
		"of=%s bs=1024 count=1 conv=notrunc skip=$b seek=%llu",
		f->image, f->image, f->image, (unsigned long long)fsblk), 0);
	shell(f, command);
	free(command);
}

START_TEST(behind_a_gap_metadata_in_place_is_not_known)
{
	struct fixture *f = map_of(GAP);
	struct e2lazy_view *view;
	struct e2lazy_layout *layout;
	struct e2lazy_place place;
	blk64_t table = 3;

	write_directory(f, 60002);
	ck_assert_int_eq(try_open(f, NULL), 0);
	view = view_of(f, 0, 5);
	ck_assert(e2lazy_view_uncovered(view));
	ck_assert_shows(view, 60000, "tid 5");
	ck_assert_shows(view, 60002, "lost");
	ck_assert_shows(view, 60004, "nothing");
	ck_assert_int_eq(e2lazy_layout_build(f->journal, NULL, &layout, NULL),
			 0);
	do
		e2lazy_layout_find(layout, ++table, &place);
	while (place.type != E2LAZY_TYPE_INODE_TABLE);
	e2lazy_layout_free(layout);
	ck_assert_shows(view, table, "lost");
	e2lazy_view_free(view);
	/* the newest reaches to now */
	view = view_of(f, 1, 108);
	ck_assert(!e2lazy_view_uncovered(view));
	ck_assert_shows(view, 60001, "tid 108");
	ck_assert_shows(view, 60004, "nothing");
	e2lazy_view_free(view);
}
END_TEST

/* A mount left out 7.  Before it the log was written home, or thrown away. */
#define MOUNTS "sequence 11\n" \
	"leftover@1 5 write 60000-60001 time 1700000000\n" \
	"leftover 6 write 60001 time 1700000001\n" \
	"leftover 8 write 60002 time 1700000002\n" \
	"leftover 9 write 60003 time 1700000003\n"

START_TEST(what_was_written_home_counts_after_a_mount)
{
	struct fixture *f = map_of(MOUNTS);
	struct e2lazy_ring *ring = scan(f);
	struct e2lazy_view *view;

	write_home(f, ring, 5, 60000);
	write_home(f, ring, 6, 60001);
	e2lazy_ring_free(ring);
	view = view_of(f, 0, 8);
	ck_assert_shows(view, 60000, "tid 5");
	ck_assert_shows(view, 60001, "tid 6");
	ck_assert_shows(view, 60002, "tid 8");
	ck_assert_shows(view, 60003, "nothing");
	e2lazy_view_free(view);
}
END_TEST

START_TEST(what_a_mount_threw_away_does_not)
{
	struct fixture *f = map_of(MOUNTS);
	struct e2lazy_ring *ring = scan(f);
	struct e2lazy_view *view;

	/* 60001 is not in place, so the log of 5 and 6 was not written home */
	write_home(f, ring, 5, 60000);
	e2lazy_ring_free(ring);
	view = view_of(f, 0, 8);
	ck_assert_shows(view, 60000, "tid 5");
	ck_assert_shows(view, 60001, "lost");
	ck_assert_shows(view, 60002, "tid 8");
	e2lazy_view_free(view);
	/* as of 6 only the kernel's memory had it */
	view = view_of(f, 0, 6);
	ck_assert_shows(view, 60001, "tid 6");
	e2lazy_view_free(view);
}
END_TEST

/* ------------------------------------------------------ several ranges */

START_TEST(a_walk_goes_over_from_one_range_to_the_next)
{
	struct fixture *f = map_of(MOUNTS);
	static const struct e2lazy_range ranges[] = {
		{ 1, 5, 7 }, { 8, 8, 6 },
	};
	static const uint32_t expect[] = { 5, 6, 8, 9 };
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	unsigned n = 0;

	ck_assert_int_eq(e2lazy_walk_ranges(f->journal, ranges, 2, 0, 0,
					    &walk), 0);
	for (e2lazy_walk_next(walk, &ev); ev.kind != E2LAZY_EV_END;
	     e2lazy_walk_next(walk, &ev))
		if (ev.kind == E2LAZY_EV_COMMIT) {
			ck_assert_uint_lt(n, 4);
			ck_assert_uint_eq(ev.tid, expect[n++]);
		}
	ck_assert_uint_eq(n, 4);
	ck_assert_int_eq(ev.end->reason, E2LAZY_END_RANGE);
	ck_assert_uint_eq(ev.end->tid, 10);
	ck_assert_uint_eq(ev.end->walked, 13);
	e2lazy_walk_close(walk);
}
END_TEST

/* A transaction without a commit ends with its range. */
START_TEST(a_walk_ends_with_a_range_that_breaks_off)
{
	struct fixture *f = map_of(MOUNTS);
	static const struct e2lazy_range ranges[] = {
		{ 1, 5, 6 }, { 8, 8, 6 },
	};
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;

	ck_assert_int_eq(e2lazy_walk_ranges(f->journal, ranges, 2, 0, 0,
					    &walk), 0);
	do
		e2lazy_walk_next(walk, &ev);
	while (ev.kind != E2LAZY_EV_END);
	ck_assert_int_eq(ev.end->reason, E2LAZY_END_RANGE);
	ck_assert_uint_eq(ev.end->tid, 6);
	e2lazy_walk_close(walk);
	ck_assert_int_eq(e2lazy_walk_ranges(f->journal, ranges, 0, 0, 0,
					    &walk), EXT2_ET_INVALID_ARGUMENT);
}
END_TEST

TCase *stretch_tests(void)
{
	TCase *tc = tcase_create("stretch");

	tcase_add_test(tc, an_emptied_log_shows_each_of_its_transactions);
	tcase_add_test(tc, what_is_in_place_is_held_against_later_copies);
	tcase_add_test(tc, what_is_in_place_may_be_older_than_the_first_transaction);
	tcase_add_test(tc, behind_a_tail_that_moved_only_copies_are_known);
	tcase_add_test(tc, older_transactions_are_seen_behind_the_log);
	tcase_add_test(tc, behind_a_gap_metadata_in_place_is_not_known);
	tcase_add_test(tc, what_was_written_home_counts_after_a_mount);
	tcase_add_test(tc, what_a_mount_threw_away_does_not);
	tcase_add_test(tc, a_walk_goes_over_from_one_range_to_the_next);
	tcase_add_test(tc, a_walk_ends_with_a_range_that_breaks_off);
	return tc;
}
