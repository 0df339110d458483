/* SPDX-License-Identifier: GPL-2.0-only */
/* A log written back: the writes and their order. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "home.h"
#include "judged.h"

/* ---------------------------------------------------------- what is written */

START_TEST(each_live_block_is_written_home_once)
{
	struct home h;

	home_begin(&h, map_of(LOG));
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert(h.done.sealed);
	ck_assert_uint_eq(h.done.blocks_written, 7);
	ck_assert_uint_eq(h.done.writes, 2);	/* 60000-4, 60020-1 */
	ck_assert_uint_eq(h.done.passes, 1);
	home_check(&h);
	home_check_empty(&h);
	home_end(&h);
}
END_TEST

START_TEST(a_second_time_nothing_is_written)
{
	struct home h;

	home_begin(&h, map_of(LOG));
	ck_assert_int_eq(home_write(&h), 0);
	home_look(&h);
	record_free(&h.recording);
	record_begin(&h.recording);
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_eq(h.recording.nr, 0);
	home_end(&h);
}
END_TEST

START_TEST(what_is_in_place_is_found_again_under_the_locks)
{
	struct home h;

	home_begin(&h, map_of(LOG));
	put_home(h.f, 60000, 60021);
	home_look(&h);
	flip_static(h.f, 60002, 100);
	home_look(&h);
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert(h.done.sealed);
	ck_assert_uint_eq(h.done.in_place, 6);
	ck_assert_uint_eq(h.done.blocks_written, 1);
	home_check(&h);
	home_check_empty(&h);
	home_end(&h);
}
END_TEST

START_TEST(little_memory_takes_more_passes_and_ends_the_same)
{
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=4",
				 "txn 5 write 60000-61999\n"
				 "txn 6 write 60500-60999\n"));
	h.opts.memory = 1;	/* which is a MiB at the least */
	h.opts.flags = E2LAZY_CHECKPOINT_COMPARE;
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_eq(h.done.passes, 2);
	ck_assert_uint_eq(h.done.blocks_written, 2000);
	home_check(&h);
	home_check_empty(&h);
	home_end(&h);
}
END_TEST

/* 12 MiB in no order, by libext2fs's own channel: with and without threads. */
START_TEST(many_requests_at_once_end_the_same)
{
	static const uint64_t memories[] = { 64 << 20, 3 << 20 };
	struct home h;

	home_begin(&h, map_of_fs("-b 4096 -J size=32",
			    "bulk 15 tags 200 from 60000 step 7 mod 3000 "
			    "whole\ntxn 16 write 60000-60300 62000\n"));
	home_save(&h);
	for (unsigned i = 0; i < 2; i++) {
		home_restore(&h);
		home_look(&h);
		h.opts.manager = NULL;
		h.opts.memory = memories[i];
		h.opts.flags = i ? E2LAZY_CHECKPOINT_COMPARE : 0;
		ck_assert_int_eq(home_write(&h), 0);
		ck_assert_uint_eq(h.done.blocks_written, 3000);
		ck_assert_int_eq(h.done.passes > 1, i == 1);
		home_check(&h);
		home_check_empty(&h);
	}
	home_forget(&h);
	home_end(&h);
}
END_TEST

/* How many writes lie before the one before them. */
static unsigned steps_back(const struct home *h)
{
	uint64_t at = 0, super = 1024;
	unsigned back = 0;

	for (size_t i = 0; i < h->recording.nr; i++) {
		const struct recorded *op = &h->recording.ops[i];

		if (!op->bytes || op->offset == super)
			break;		/* the seal */
		back += op->offset < at;
		at = op->offset + op->count;
	}
	return back;
}

/* No two of them neighbours. */
START_TEST(within_a_pass_writes_go_forward_only)
{
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=16",
			    "bulk 13 tags 200 from 60000 step 14 mod 5000 "
			    "whole\n"));
	h.opts.memory = 1;
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_gt(h.done.passes, 1);
	ck_assert_uint_eq(steps_back(&h), h.done.passes - 1);
	home_check(&h);
	home_end(&h);
}
END_TEST

START_TEST(where_the_log_is_read_again_all_writes_go_forward)
{
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=16",
			    "bulk 20 tags 200 from 60000 step 7 mod 4000 "
			    "whole\n"));
	h.opts.memory = 1;
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_gt(h.done.passes, 1);
	ck_assert_uint_eq(steps_back(&h), 0);
	ck_assert_uint_eq(h.done.writes, 63);	/* of 64 KiB */
	home_check(&h);
	home_check_empty(&h);
	home_end(&h);
}
END_TEST

/* A file system that cannot do without its page cache. */
static errcode_t open_cached(const char *name, int flags, io_channel *out)
{
	return flags & IO_FLAG_DIRECT_IO ?
	       EINVAL : unix_io_manager->open(name, flags, out);
}

/* One that can, or has others believe so. */
static errcode_t open_direct(const char *name, int flags, io_channel *out)
{
	return unix_io_manager->open(name, flags & ~IO_FLAG_DIRECT_IO, out);
}

START_TEST(without_direct_io_it_says_that_it_went_through_the_cache)
{
	struct struct_io_manager manager = *unix_io_manager;
	struct home h;

	manager.open = _i ? open_cached : open_direct;
	home_begin(&h, map_of(LOG));
	h.opts.manager = &manager;
	h.opts.flags = E2LAZY_CHECKPOINT_COMPARE;
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_int_eq(h.done.cached, _i == 1);
	home_check(&h);
	home_check_empty(&h);
	home_end(&h);
}
END_TEST

START_TEST(a_block_that_the_verdict_leaves_out_stays_as_it_is)
{
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60004\n"
			      "damage flip 5.data[2] 9\n"));
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_eq(h.done.blocks_written, 4);
	ck_assert_uint_eq(h.done.skipped, 1);
	memset(h.contents[2], 0, h.size);	/* as it was made */
	home_check(&h);
	home_end(&h);
}
END_TEST

/* ---------------------------------------------------------------- crashes */

/* Recovery after a crash: each block is home. */
static void recover_each_way(void *priv, size_t done, const bool *keep)
{
	struct home *h = priv;

	home_crash(h, done, keep);
	home_replay(h);
	home_check(h);

	home_crash(h, done, keep);
	home_look(h);
	h->opts.manager = NULL;
	ck_assert_int_eq(home_write(h), 0);
	home_check(h);
	home_check_empty(h);
}

static void crash_everywhere(struct home *h)
{
	home_save(h);
	ck_assert_int_eq(home_write(h), 0);
	home_check(h);
	ck_assert_uint_ge(h->recording.nr, 6);
	record_crashes(&h->recording, recover_each_way, h);
	home_forget(h);
	home_end(h);
}

START_TEST(a_crash_at_any_write_loses_nothing)
{
	struct home h;

	home_begin(&h, map_of(LOG));
	crash_everywhere(&h);
}
END_TEST

START_TEST(nor_does_one_of_a_log_that_wraps)
{
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=1 -O ^64bit,^metadata_csum",
				 "start end-5\n" LOG));
	crash_everywhere(&h);
}
END_TEST

START_TEST(nor_does_one_of_an_external_journal)
{
	struct fixture *f = new_fixture();
	struct home h;

	make_external(f, "4096", LOG);
	home_begin(&h, f);
	crash_everywhere(&h);
}
END_TEST

START_TEST(nor_does_one_where_needs_recovery_was_clear)
{
	struct home h;

	home_begin(&h, map_of("needs_recovery off\n" LOG));
	ck_assert(!e2lazy_geometry(h.f->journal)->needs_recovery);
	crash_everywhere(&h);
}
END_TEST

TCase *checkpoint_tests(void)
{
	TCase *tc = tcase_create("checkpoint");

	tcase_add_test(tc, each_live_block_is_written_home_once);
	tcase_add_test(tc, a_second_time_nothing_is_written);
	tcase_add_test(tc, what_is_in_place_is_found_again_under_the_locks);
	tcase_add_test(tc, little_memory_takes_more_passes_and_ends_the_same);
	tcase_add_test(tc, many_requests_at_once_end_the_same);
	tcase_add_loop_test(tc,
			    without_direct_io_it_says_that_it_went_through_the_cache,
			    0, 2);
	tcase_add_test(tc, within_a_pass_writes_go_forward_only);
	tcase_add_test(tc, where_the_log_is_read_again_all_writes_go_forward);
	tcase_add_test(tc, a_block_that_the_verdict_leaves_out_stays_as_it_is);
	tcase_add_test(tc, a_crash_at_any_write_loses_nothing);
	tcase_add_test(tc, nor_does_one_of_a_log_that_wraps);
	tcase_add_test(tc, nor_does_one_of_an_external_journal);
	tcase_add_test(tc, nor_does_one_where_needs_recovery_was_clear);
	return tc;
}
