/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a log cannot be written back as a whole, it is kept. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "home.h"
#include "scarce.h"

static errcode_t note_failed(void *priv, errcode_t error,
			const struct e2lazy_where *where)
{
	struct e2lazy_where *to = priv;

	(void)error;
	*to = *where;
	return 0;
}

START_TEST(a_copy_that_goes_bad_once_it_was_judged_keeps_the_log)
{
	struct e2lazy_where failed = { .has = 0 };
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60004\n"));
	home_spoil(&h, 60002);
	h.opts.failed = note_failed;
	h.opts.priv = &failed;
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_DATA_CSUM);
	ck_assert_uint_eq(failed.fsblk, 60002);
	ck_assert_uint_eq(h.done.failed, 1);
	ck_assert_uint_eq(h.done.blocks_written, 4);
	ck_assert(!h.done.sealed);
	ck_assert_int_eq(try_open(h.f, NULL), 0);
	ck_assert_uint_ne(e2lazy_geometry(h.f->journal)->start, 0);
	ck_assert(e2lazy_geometry(h.f->journal)->needs_recovery);
	home_end(&h);
}
END_TEST

struct failures {
	blk64_t		fsblks[8];
	unsigned	count;
};

static errcode_t note_each(void *priv, errcode_t error,
		      const struct e2lazy_where *where)
{
	struct failures *f = priv;

	ck_assert_int_eq(error, EXT2_ET_SHORT_READ);
	ck_assert_uint_lt(f->count, 8);
	f->fsblks[f->count++] = where->fsblk;
	return 0;
}

/* The end of the journal's device is gone once the map is built. */
START_TEST(copies_that_cannot_be_read_are_named_and_the_others_come_home)
{
	struct fixture *f = new_fixture();
	struct failures failures = { .count = 0 };
	struct e2lazy_copy copy;
	struct home h;

	make_external(f, "4096", "txn 5 write 60000-60004\n");
	home_begin(&h, f);
	h.opts.failed = note_each;
	h.opts.priv = &failures;
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60003, &copy), 0);
	ck_assert_int_eq(truncate(f->device, (off_t)copy.logblk * 4096), 0);
	ck_assert_int_eq(home_write(&h), EXT2_ET_SHORT_READ);
	ck_assert_uint_eq(failures.count, 2);
	ck_assert_uint_eq(failures.fsblks[0], 60003);
	ck_assert_uint_eq(failures.fsblks[1], 60004);
	ck_assert_uint_eq(h.done.failed, 2);
	ck_assert_uint_eq(h.done.blocks_written, 3);
	ck_assert(!h.done.sealed);
	h.live = 3;
	home_check(&h);
	h.live = 5;
	home_end(&h);
}
END_TEST

/* Stop at the fourth call, when a part of the log is kept. */
static errcode_t stop_soon(void *priv, enum e2lazy_phase phase,
			   uint64_t done, uint64_t total)
{
	int *calls = priv;

	(void)phase, (void)done, (void)total;
	return ++*calls > 3 ? E2LAZY_ET_CANCELLED : 0;
}

START_TEST(who_stops_it_has_the_log_kept)
{
	int calls = 0;
	const struct e2lazy_watch watch = { .progress = stop_soon,
					    .priv = &calls };
	struct home h;

	home_begin(&h, map_of_fs("-b 4096 -J size=32",
			    "bulk 15 tags 200 from 60000 step 7 mod 3000 "
			    "whole\n"));
	h.opts.manager = NULL;
	h.opts.memory = 3 << 20;
	h.opts.watch = &watch;
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_CANCELLED);
	ck_assert_int_eq(calls, 4);
	ck_assert(!h.done.sealed);
	home_look(&h);
	ck_assert_uint_ne(e2lazy_geometry(h.f->journal)->start, 0);
	h.opts.watch = NULL;
	ck_assert_int_eq(home_write(&h), 0);
	home_check(&h);
	home_end(&h);
}
END_TEST

/* The blocks written by then; the writes are two requests. */
static const struct {
	enum e2lazy_phase phase;
	uint64_t	written;
} stops[] = {
	{ E2LAZY_PHASE_READ, 0 },
	{ E2LAZY_PHASE_WRITE, 5 },
	{ E2LAZY_PHASE_COMPARE, 7 },
};

static errcode_t stop_in_phase(void *priv, enum e2lazy_phase phase,
			       uint64_t done, uint64_t total)
{
	const enum e2lazy_phase *stop = priv;

	ck_assert_uint_le(done, total);
	return phase == *stop ? E2LAZY_ET_CANCELLED : 0;
}

START_TEST(who_stops_it_in_any_phase_has_the_log_kept)
{
	enum e2lazy_phase phase = stops[_i].phase;
	const struct e2lazy_watch watch = { .progress = stop_in_phase,
					    .priv = &phase };
	struct home h;

	home_begin(&h, map_of(LOG));
	h.opts.flags = E2LAZY_CHECKPOINT_COMPARE;
	h.opts.watch = &watch;
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_CANCELLED);
	ck_assert(!h.done.sealed);
	ck_assert_uint_eq(h.done.failed, 0);
	ck_assert_uint_eq(h.done.blocks_written, stops[_i].written);
	home_look(&h);
	ck_assert_uint_ne(e2lazy_geometry(h.f->journal)->start, 0);
	h.opts.watch = NULL;
	ck_assert_int_eq(home_write(&h), 0);
	home_check(&h);
	home_check_empty(&h);
	home_end(&h);
}
END_TEST

struct forgetful {
	struct home	*home;
	struct e2lazy_where failed;
};

/* All has been written, and another hand spoils the third. */
static errcode_t spoil_60002(void *priv, enum e2lazy_phase phase,
			     uint64_t done, uint64_t total)
{
	struct forgetful *f = priv;
	FILE *image;

	if (phase != E2LAZY_PHASE_WRITE || done != total)
		return 0;
	image = fopen(f->home->f->image, "r+");
	ck_assert_int_eq(fseeko(image, (off_t)(60002 * f->home->size),
				SEEK_SET), 0);
	ck_assert_int_eq(fputs("gone", image) < 0, 0);
	ck_assert_int_eq(fclose(image), 0);
	return 0;
}

static errcode_t note_forgotten(void *priv, errcode_t error,
				const struct e2lazy_where *where)
{
	struct forgetful *f = priv;

	ck_assert_int_eq(error, E2LAZY_ET_NOT_WRITTEN);
	f->failed = *where;
	return 0;
}

START_TEST(what_does_not_read_back_does_not_count_as_written)
{
	struct forgetful forgetful;
	const struct e2lazy_watch watch = { .progress = spoil_60002,
					    .priv = &forgetful };
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60004\n"));
	forgetful.home = &h;
	h.opts.flags = E2LAZY_CHECKPOINT_COMPARE;
	h.opts.watch = &watch;
	h.opts.failed = note_forgotten;
	h.opts.priv = &forgetful;
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_NOT_WRITTEN);
	ck_assert_uint_eq(forgetful.failed.fsblk, 60002);
	ck_assert(!(forgetful.failed.has & E2LAZY_AT_LOGBLK));
	ck_assert_uint_eq(h.done.blocks_written, 4);
	ck_assert_uint_eq(h.done.failed, 1);
	ck_assert(!h.done.sealed);
	home_look(&h);
	ck_assert_uint_ne(e2lazy_geometry(h.f->journal)->start, 0);
	home_end(&h);
}
END_TEST

static errcode_t second_thoughts(void *priv)
{
	struct home *h = priv;

	ck_assert_uint_eq(h->recording.nr, 0);
	return E2LAZY_ET_CHANGED;
}

START_TEST(nothing_is_written_if_the_caller_objects_under_the_lock)
{
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60004\n"
			      "needs_recovery off\n"));
	h.opts.locked = second_thoughts;
	h.opts.priv = &h;
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_CHANGED);
	ck_assert_uint_eq(h.recording.nr, 0);
	ck_assert(!h.done.sealed);
	home_end(&h);
}
END_TEST

START_TEST(a_write_that_fails_once_is_tried_again)
{
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60004\n"));
	h.recording.fail_at = 0;
	h.recording.fail_once = true;
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_eq(h.done.blocks_written, 5);
	home_check(&h);
	home_check_empty(&h);
	home_end(&h);
}
END_TEST

/* From each write on all fail, as if the disk were gone: no block is lost. */
START_TEST(writes_that_fail_lose_nothing)
{
	struct home h;
	errcode_t err;
	long at = 0;

	home_begin(&h, map_of(LOG));
	home_save(&h);
	do {
		home_restore(&h);
		home_look(&h);
		record_free(&h.recording);
		record_begin(&h.recording);
		h.recording.fail_at = at++;
		err = home_write(&h);
		home_look(&h);
		record_free(&h.recording);
		record_begin(&h.recording);
		ck_assert_int_eq(home_write(&h), 0);
		home_check(&h);
		home_check_empty(&h);
	} while (err);
	ck_assert_int_gt(at, 5);
	home_forget(&h);
	home_end(&h);
}
END_TEST

/* Each allocation fails in its turn: written blocks stay, and the log. */
START_TEST(where_memory_runs_out_nothing_is_lost)
{
	unsigned failures = 0;
	struct home h;
	bool failed;
	long at = 0;

	home_begin(&h, map_of("needs_recovery off\n" LOG));
	h.opts.manager = NULL;
	h.opts.flags = E2LAZY_CHECKPOINT_COMPARE;
	home_save(&h);
	do {
		errcode_t err;

		home_restore(&h);
		home_look(&h);
		scarce_memory(at++);
		err = home_write(&h);
		failed = scarce_memory_failed();
		ck_assert_int_eq(h.done.sealed, !err);
		if (err) {
			ck_assert(failed);
			ck_assert_int_eq(err, EXT2_ET_NO_MEMORY);
			failures++;
			home_look(&h);
			ck_assert_int_eq(home_write(&h), 0);
		}
		home_check(&h);
		home_check_empty(&h);
	} while (failed);
	/* A ring to write from, 8 buffers to read to, and what is kept. */
	ck_assert_uint_gt(failures, 20);
	home_forget(&h);
	home_end(&h);
}
END_TEST

START_TEST(without_threads_it_does_all_itself)
{
	struct home h;

	home_begin(&h, map_of_fs("-b 4096 -J size=32",
			    "bulk 15 tags 200 from 60000 step 7 mod 3000 "
			    "whole\n"));
	h.opts.manager = NULL;
	h.opts.memory = 64 << 20;
	scarce_threads(true);
	ck_assert_int_eq(home_write(&h), 0);
	scarce_threads(false);
	ck_assert_uint_eq(h.done.blocks_written, 3000);
	home_check(&h);
	home_check_empty(&h);
	home_end(&h);
}
END_TEST

TCase *kept_tests(void)
{
	TCase *tc = tcase_create("kept");

	tcase_add_test(tc, a_copy_that_goes_bad_once_it_was_judged_keeps_the_log);
	tcase_add_test(tc,
	     copies_that_cannot_be_read_are_named_and_the_others_come_home);
	tcase_add_test(tc, who_stops_it_has_the_log_kept);
	tcase_add_loop_test(tc, who_stops_it_in_any_phase_has_the_log_kept, 0,
			    sizeof(stops) / sizeof(stops[0]));
	tcase_add_test(tc, what_does_not_read_back_does_not_count_as_written);
	tcase_add_test(tc,
		       nothing_is_written_if_the_caller_objects_under_the_lock);
	tcase_add_test(tc, a_write_that_fails_once_is_tried_again);
	tcase_add_test(tc, writes_that_fail_lose_nothing);
	tcase_add_test(tc, where_memory_runs_out_nothing_is_lost);
	tcase_add_test(tc, without_threads_it_does_all_itself);
	return tc;
}
