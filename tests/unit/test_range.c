/* SPDX-License-Identifier: GPL-2.0-only */
/* A stretch of the ring other than the log: walked, mapped and compared. */

#include <fcntl.h>
#include <unistd.h>

#include "judged.h"
#include "log/block_events.h"
#include "view/compare_in_place.h"

/*
 * The log is transaction 9 in blocks 1 to 3.  Behind it stand 5 in blocks 4 to
 * 8 and 6 in blocks 9 to 12, left over from an earlier lap.
 */
#define OLDER "txn 9 write 60000\n" \
	      "leftover 5 write 60000-60002\n" \
	      "leftover 6 write 60001 revoke 60002\n"

static const struct e2lazy_range older = { .start = 4, .tid = 5 };

static uint32_t ring_blocks(const struct fixture *f)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(f->journal);

	return g->end - g->first;
}

static errcode_t try_map(struct fixture *f, const struct e2lazy_range *range,
			 unsigned flags, uint32_t until)
{
	const struct e2lazy_jmap_opts opts = {
		.flags = flags | E2LAZY_JMAP_STATES | E2LAZY_JMAP_CSUMS,
		.until = until, .range = range,
	};

	e2lazy_jmap_free(f->map);
	f->map = NULL;
	return e2lazy_jmap_build(f->journal, &opts, &f->map);
}

static const struct e2lazy_end *map_range(struct fixture *f, uint32_t start,
					  uint32_t tid, uint32_t blocks)
{
	const struct e2lazy_range range = { start, tid, blocks };

	ck_assert_int_eq(try_map(f, &range, 0, 0), 0);
	return e2lazy_jmap_end(f->map);
}

START_TEST(an_older_chain_is_mapped)
{
	struct fixture *f = map_of(OLDER);
	const struct e2lazy_end *end;

	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 1);
	end = map_range(f, older.start, older.tid, 0);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 2);
	ck_assert_mapped(f, 60000, 5);
	ck_assert_mapped(f, 60001, 6);
	ck_assert_not_mapped(f, 60002);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 7);
	ck_assert_uint_eq(end->head, 13);
	ck_assert_uint_eq(end->walked, 9);
	ck_assert_uint_eq(end->left, ring_blocks(f) - 9);
}
END_TEST

START_TEST(its_copies_have_the_fates_of_their_own_time)
{
	static const enum e2lazy_copy_state expect[] = {
		E2LAZY_LIVE, E2LAZY_SUPERSEDED, E2LAZY_REVOKED, E2LAZY_LIVE,
	};
	struct fixture *f = map_of(OLDER);
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	size_t i = 0;

	map_range(f, older.start, older.tid, 0);
	ck_assert_int_eq(e2lazy_walk_open(f->journal, &older, 0, 0, &walk), 0);
	for (e2lazy_walk_next(walk, &ev); ev.kind != E2LAZY_EV_END;
	     e2lazy_walk_next(walk, &ev)) {
		if (ev.kind != E2LAZY_EV_TAG)
			continue;
		ck_assert_uint_lt(i, 4);
		ck_assert_int_eq(e2lazy_jmap_state(f->map, &ev), expect[i]);
		ck_assert_int_eq(e2lazy_walk_verify(walk), E2LAZY_GOOD);
		i++;
	}
	e2lazy_walk_close(walk);
	ck_assert_uint_eq(i, 4);
}
END_TEST

/* An empty log has ranges like any other. */
START_TEST(a_range_of_an_emptied_log_is_not_empty)
{
	struct fixture *f = map_of("sequence 8\nleftover 5 write 60000\n");

	ck_assert_ends(f, E2LAZY_END_EMPTY, 8);
	map_range(f, 1, 5, 0);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 6);
	ck_assert_mapped(f, 60000, 5);
}
END_TEST

/* ------------------------------------------------- where it begins and ends */

/* 5 stands in blocks 1 to 5, 6 in 6 to 8, 7 in 9 to 11. */
#define THREE "txn 5 write 60000-60002\ntxn 6 write 60001\n" \
	      "txn 7 write 60003\n"

START_TEST(a_walk_may_begin_in_the_middle_of_the_log)
{
	struct fixture *f = map_of(THREE);
	const struct e2lazy_end *end = map_range(f, 6, 6, 0);

	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 2);
	ck_assert_not_mapped(f, 60000);
	ck_assert_mapped(f, 60001, 6);
	ck_assert_mapped(f, 60003, 7);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	ck_assert_uint_eq(end->walked, 6);
	ck_assert_uint_eq(end->left, ring_blocks(f) - 6);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->first_tid, 6);
	/* the tid is believed, not guessed */
	map_range(f, 6, 5, 0);
	ck_assert_ends(f, E2LAZY_END_OTHER_TID, 5);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 0);
}
END_TEST

START_TEST(a_range_ends_when_its_blocks_are_used_up)
{
	static const struct {
		uint32_t blocks, tid, head, stop, left, copies;
	} expect[] = {
		{ 1, 5, 1, 1, 1, 0 },	/* of 5 the copies are missing */
		{ 4, 5, 1, 5, 0, 3 },	/* of 5 the commit block */
		{ 5, 6, 6, 6, 0, 0 },
		{ 6, 6, 6, 6, 1, 0 },	/* of 6 the copy */
		{ 7, 6, 6, 8, 0, 1 },	/* of 6 the commit block */
		{ 8, 7, 9, 9, 0, 0 },
	};
	struct fixture *f = map_of(THREE);
	const struct e2lazy_end *end;

	end = map_range(f, 1, 5, expect[_i].blocks);
	ck_assert_ends(f, E2LAZY_END_RANGE, expect[_i].tid);
	ck_assert_uint_eq(end->head, expect[_i].head);
	ck_assert_uint_eq(end->stop, expect[_i].stop);
	ck_assert_uint_eq(end->left, expect[_i].left);
	ck_assert_uint_eq(end->walked, expect[_i].head - 1);
	ck_assert_uint_eq(end->open.copies, expect[_i].copies);
	ck_assert_int_eq(end->error, 0);
	if (expect[_i].tid > 5)
		ck_assert_mapped(f, 60000, 5);
	else
		ck_assert_not_mapped(f, 60000);
}
END_TEST

/* One whose end lies behind the log's ends with the log. */
START_TEST(a_range_that_is_longer_than_what_it_holds_ends_with_that)
{
	struct fixture *f = map_of(THREE);
	const struct e2lazy_end *end = map_range(f, 1, 5, 20);

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	ck_assert_uint_eq(end->walked, 11);
	ck_assert_uint_eq(end->left, 9);
}
END_TEST

START_TEST(a_range_may_go_round_the_end_of_the_ring)
{
	struct fixture *f = map_of("sequence 8\n"
				   "leftover@end-5 5 write 60000-60009\n"
				   "leftover 6 write 60003\n");
	const struct e2lazy_geometry *g = e2lazy_geometry(f->journal);
	const struct e2lazy_end *end;

	end = map_range(f, g->end - 5, 5, 0);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 7);
	ck_assert_uint_eq(end->walked, 15);
	ck_assert_uint_eq(end->head, g->first + 10);
	ck_assert_uint_eq(end->left, ring_blocks(f) - 15);
	ck_assert_mapped(f, 60003, 6);
	ck_assert_mapped(f, 60009, 5);
	/* 5 takes twelve blocks */
	end = map_range(f, g->end - 5, 5, 12);
	ck_assert_ends(f, E2LAZY_END_RANGE, 6);
	ck_assert_mapped(f, 60003, 5);
	map_range(f, g->end - 5, 5, 11);
	ck_assert_ends(f, E2LAZY_END_RANGE, 5);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 0);
}
END_TEST

/* Its end is the ring's, or before that its own. */
START_TEST(a_range_of_the_whole_ring_ends_as_the_ring_does)
{
	struct fixture *f = map_of("start 11\n"
				   "bulk 1021 tags 0 from 60000 tid 5\n");

	ck_assert_uint_eq(ring_blocks(f), 1023);
	map_range(f, 11, 5, 0);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 1026);
	map_range(f, 11, 5, 1021);
	ck_assert_ends(f, E2LAZY_END_RANGE, 1026);
	write_log(f, "start 11\nbulk 1023 tags 0 from 60000 tid 5\n");
	ck_assert_int_eq(try_open(f, NULL), 0);
	map_range(f, 11, 5, 0);
	ck_assert_ends(f, E2LAZY_END_FULL, 1028);
	map_range(f, 11, 5, 1023);
	ck_assert_ends(f, E2LAZY_END_FULL, 1028);
}
END_TEST

START_TEST(a_range_outside_the_ring_is_refused)
{
	struct fixture *f = map_of_fs("-b 1024 -J size=4", "journal fast_commit"
				      " 256\ntxn 5 write 60000\n");
	const struct e2lazy_geometry *g = e2lazy_geometry(f->journal);
	const struct e2lazy_range outside[] = {
		{ 0, 5, 0 }, { g->maxlen, 5, 0 }, { g->maxlen + 1, 5, 0 },
		{ UINT32_MAX, 5, 1 }, { 1, 5, g->maxlen - g->first + 1 },
		{ 1, 5, UINT32_MAX },
	};
	struct e2lazy_walk *walk = NULL;

	ck_assert_uint_ne(g->fc_blocks, 0);
	for (size_t i = 0; i < 6; i++) {
		const errcode_t err = i < 4 ? E2LAZY_ET_OUTSIDE_LOG :
					      EXT2_ET_INVALID_ARGUMENT;

		ck_assert_int_eq(e2lazy_walk_open(f->journal, &outside[i], 0, 0,
						  &walk), err);
		ck_assert_ptr_null(walk);
		ck_assert_int_eq(try_map(f, &outside[i], 0, 0), err);
		ck_assert_ptr_null(f->map);
	}
	map_range(f, g->end - 1, 5, g->end - g->first);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 5);
}
END_TEST

START_TEST(a_range_may_end_at_a_transaction)
{
	struct fixture *f = map_of(OLDER);

	ck_assert_int_eq(try_map(f, &older, E2LAZY_WALK_UNTIL, 5), 0);
	ck_assert_ends(f, E2LAZY_END_UNTIL, 6);
	ck_assert_mapped(f, 60002, 5);
	/* one that is before it, though the log's own are not */
	ck_assert_int_eq(try_map(f, &older, E2LAZY_WALK_UNTIL, 4), 0);
	ck_assert_ends(f, E2LAZY_END_UNTIL, 5);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 0);
}
END_TEST

static errcode_t first_progress(void *priv, enum e2lazy_phase phase,
				uint64_t done, uint64_t total)
{
	uint64_t *told = priv;

	told[0] = done;
	told[1] = total;
	ck_assert_int_eq(phase, E2LAZY_PHASE_WALK);
	return E2LAZY_ET_CANCELLED;
}

START_TEST(progress_is_that_of_the_range)
{
	struct fixture *f = map_of(OLDER);
	const struct e2lazy_range range = { .start = 4, .tid = 5,
					    .blocks = 20 };
	uint64_t told[2] = { 0 };
	const struct e2lazy_watch watch = { .progress = first_progress,
					    .priv = told };
	const struct e2lazy_jmap_opts opts = { .range = &range,
					       .watch = &watch };
	struct e2lazy_jmap *map = NULL;

	ck_assert_int_eq(e2lazy_jmap_build(f->journal, &opts, &map),
			 E2LAZY_ET_CANCELLED);
	ck_assert_uint_eq(told[0], 1);
	ck_assert_uint_eq(told[1], 20);
}
END_TEST

/* ------------------------------------------------------ beside what is home */

static errcode_t count_difference(void *priv, size_t index,
				  const uint8_t *copy, const uint8_t *in_place)
{
	unsigned *differ = priv;

	(void)index, (void)copy, (void)in_place;
	++*differ;
	return 0;
}

static unsigned differing(const struct fixture *f)
{
	unsigned differ = 0;
	const struct in_place what = {
		.journal = f->journal, .map = f->map,
		.differs = count_difference,
		.priv = &differ,
	};

	ck_assert_int_eq(compare_in_place(&what), 0);
	return differ;
}

START_TEST(its_copies_are_compared_with_what_is_in_place)
{
	struct fixture *f = map_of(OLDER);
	int fd = open(f->image, O_WRONLY);
	struct e2lazy_copy copy;
	char block[1024];

	map_range(f, older.start, older.tid, 0);
	ck_assert_uint_eq(differing(f), 2);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60001, &copy), 0);
	ck_assert_int_eq(e2lazy_read_copy(f->journal, copy.logblk, copy.flags,
					  block), 0);
	ck_assert_int_eq(pwrite(fd, block, 1024, 60001LL * 1024), 1024);
	close(fd);
	ck_assert_int_eq(try_open(f, NULL), 0);
	map_range(f, older.start, older.tid, 0);
	ck_assert_uint_eq(differing(f), 1);
}
END_TEST

/* --------------------------------------------------------- never written back */

static errcode_t try_verify(struct fixture *f, struct e2lazy_view *view)
{
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT,
	};
	struct e2lazy_subject s = { .journal = f->journal, .map = f->map,
				    .view = view };
	struct e2lazy_verdict *verdict = NULL;
	errcode_t err;

	ck_assert_int_eq(e2lazy_layout_build(f->journal, f->map, &s.layout,
					     NULL), 0);
	err = e2lazy_verify(&s, &opts, &verdict);
	e2lazy_verdict_free(verdict);
	e2lazy_layout_free(s.layout);
	return err;
}

START_TEST(only_the_log_itself_is_judged)
{
	static const struct e2lazy_range others[] = {
		{ 6, 6, 0 }, { 1, 5, 11 }, { 1, 6, 0 }, { 12, 4, 0 },
	};
	struct fixture *f = map_of(THREE "leftover 4 write 60007\n");
	struct e2lazy_view *view = NULL;

	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(try_map(f, &others[i], 0, 0), 0);
		ck_assert_int_eq(try_verify(f, NULL),
				 EXT2_ET_INVALID_ARGUMENT);
	}
	/* in other words it is the log */
	map_range(f, 1, 5, 0);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view, NULL), 0);
	ck_assert_int_eq(try_verify(f, view), 0);
	e2lazy_view_free(view);
}
END_TEST

/* ------------------------------------------------------- one control block */

/* Blocks 1 to 7: revoke, descriptor, three copies, commit; 8 is empty. */
#define ONE "txn 5 revoke 60100-60101 write 60000,60010 escape 60020 " \
	    "time 1700000123\n"

START_TEST(a_control_block_yields_the_events_of_a_walk)
{
	static const struct e2lazy_event expect[] = {
		{ .kind = E2LAZY_EV_REVOKE, .logblk = 1, .fsblk = 60100 },
		{ .kind = E2LAZY_EV_REVOKE, .logblk = 1, .fsblk = 60101 },
		{ .kind = E2LAZY_EV_TAG, .logblk = 3, .fsblk = 60000 },
		{ .kind = E2LAZY_EV_TAG, .logblk = 4, .fsblk = 60010 },
		{ .kind = E2LAZY_EV_TAG, .logblk = 5, .fsblk = 60020,
		  .flags = E2LAZY_COPY_ESCAPED },
		{ .kind = E2LAZY_EV_COMMIT, .logblk = 6 },
	};
	static const uint32_t control[] = { 1, 2, 6 };
	struct fixture *f = map_of(ONE);
	struct block_events events;
	struct e2lazy_event ev;
	uint8_t block[1024];
	size_t n = 0;

	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(e2lazy_read_log(f->journal, control[i], 1,
						 block), 0);
		ck_assert(block_events_begin(&events, f->journal,
					     lap_of_log(&f->journal->geo),
					     control[i],
					     block));
		for (; block_events_next(&events, &ev); n++) {
			ck_assert_uint_lt(n, 6);
			ck_assert_int_eq(ev.kind, expect[n].kind);
			ck_assert_uint_eq(ev.tid, 5);
			ck_assert_uint_eq(ev.logblk, expect[n].logblk);
			if (ev.kind == E2LAZY_EV_COMMIT)
				continue;
			ck_assert_uint_eq(ev.fsblk, expect[n].fsblk);
			ck_assert_uint_eq(ev.flags, expect[n].flags);
		}
	}
	ck_assert_uint_eq(n, 6);
	ck_assert_uint_eq(ev.txn->tid, 5);
	ck_assert_uint_eq(ev.txn->sec, 1700000123);
	ck_assert(ev.txn->committed);
}
END_TEST

START_TEST(what_is_no_control_block_yields_none)
{
	struct fixture *f = map_of(ONE "damage count 5.revoke 5000\n");
	static const uint32_t others[] = { 0, 1, 3, 7 };
	struct block_events events;
	uint8_t block[1024];

	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(e2lazy_read_log(f->journal, others[i], 1,
						 block), 0);
		ck_assert(!block_events_begin(&events, f->journal,
					       lap_of_log(&f->journal->geo),
					       others[i], block));
	}
}
END_TEST

TCase *range_tests(void)
{
	TCase *tc = tcase_create("range");

	tcase_add_test(tc, an_older_chain_is_mapped);
	tcase_add_test(tc, its_copies_have_the_fates_of_their_own_time);
	tcase_add_test(tc, a_range_of_an_emptied_log_is_not_empty);
	tcase_add_test(tc, a_walk_may_begin_in_the_middle_of_the_log);
	tcase_add_loop_test(tc, a_range_ends_when_its_blocks_are_used_up, 0,
			    6);
	tcase_add_test(tc,
		       a_range_that_is_longer_than_what_it_holds_ends_with_that);
	tcase_add_test(tc, a_range_may_go_round_the_end_of_the_ring);
	tcase_add_test(tc, a_range_of_the_whole_ring_ends_as_the_ring_does);
	tcase_add_test(tc, a_range_outside_the_ring_is_refused);
	tcase_add_test(tc, a_range_may_end_at_a_transaction);
	tcase_add_test(tc, progress_is_that_of_the_range);
	tcase_add_test(tc, its_copies_are_compared_with_what_is_in_place);
	tcase_add_test(tc, only_the_log_itself_is_judged);
	tcase_add_test(tc, a_control_block_yields_the_events_of_a_walk);
	tcase_add_test(tc, what_is_no_control_block_yields_none);
	return tc;
}
