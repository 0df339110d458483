/* SPDX-License-Identifier: GPL-2.0-only */
/* How large a journal has to be: the paper's numbers, and every clamp. */

#include "e2lazy_drive.h"
#include "fixture.h"

#define MIB	((uint64_t)1 << 20)
#define GIB	((uint64_t)1 << 30)

/* 8 TB, 4 KiB blocks, kernel defaults, the paper's drive. */
static struct e2lazy_size_request usual(void)
{
	return (struct e2lazy_size_request) {
		.throughput = 190 * MIB,
		.timer = { .expire_ms = 30000, .wakeup_ms = 5000,
			   .kernel_major = 6, .kernel_minor = 1 },
		.blocksize = 4096,
		.fs_blocks = 1953506646,
		.free_blocks = 1938000000,
	};
}

static struct e2lazy_journal_size size_of(const struct e2lazy_size_request *r)
{
	struct e2lazy_journal_size size;

	ck_assert_int_eq(e2lazy_journal_size(r, &size), 0);
	return size;
}

static void refused(const struct e2lazy_size_request *r, errcode_t why)
{
	struct e2lazy_journal_size size;

	ck_assert_int_eq(e2lazy_journal_size(r, &size), why);
}

START_TEST(the_papers_drive_needs_5700_mib)
{
	struct e2lazy_size_request r = usual();
	struct e2lazy_journal_size size = size_of(&r);

	ck_assert_uint_eq(size.paper, 5976883200);
	ck_assert_uint_eq(size.bytes, 5700 * MIB);
	ck_assert_uint_eq(size.bytes / r.blocksize, 1459200);
	ck_assert_uint_eq(size.clamps, 0);
}
END_TEST

/* MiB a second; MiB by the paper, and by strict before 6.11 and since. */
static const struct { uint64_t rate, paper, quarter, third; } drives[] = {
	{ 120, 3600, 5600, 6300 },
	{ 150, 4500, 7000, 7875 },
	{ 190, 5700, 8867, 9975 },
	{ 210, 6300, 9800, 11025 },
	{ 255, 7650, 11900, 13388 },
};

START_TEST(strict_adds_the_wakeup_and_the_reserve_of_the_kernel)
{
	struct e2lazy_size_request r = usual();

	r.policy = E2LAZY_SIZE_STRICT;
	for (size_t i = 0; i < sizeof(drives) / sizeof(*drives); i++) {
		struct e2lazy_journal_size size;

		r.throughput = drives[i].rate * MIB;
		r.timer.kernel_minor = 10;
		size = size_of(&r);
		ck_assert_uint_eq(size.paper, drives[i].paper * MIB);
		ck_assert_uint_eq(size.bytes, drives[i].quarter * MIB);
		ck_assert_uint_eq(size.reserve_den, 4);
		r.timer.kernel_minor = 11;
		size = size_of(&r);
		ck_assert_uint_eq(size.bytes, drives[i].third * MIB);
		ck_assert_uint_eq(size.reserve_den, 3);
		ck_assert_uint_eq(size.reserve_num, 1);
	}
}
END_TEST

START_TEST(the_reserve_is_a_third_from_6_11_on_and_where_nothing_is_known)
{
	static const struct { unsigned major, minor, den; } kernels[] = {
		{ 4, 19, 4 }, { 5, 15, 4 }, { 6, 0, 4 }, { 6, 10, 4 },
		{ 6, 11, 3 }, { 6, 12, 3 }, { 7, 0, 3 }, { 0, 0, 3 },
	};
	struct e2lazy_size_request r = usual();

	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
		r.timer.kernel_major = kernels[i].major;
		r.timer.kernel_minor = kernels[i].minor;
		ck_assert_uint_eq(size_of(&r).reserve_den, kernels[i].den);
	}
}
END_TEST

START_TEST(what_is_no_whole_mib_is_rounded_up)
{
	struct e2lazy_size_request r = usual();
	struct e2lazy_journal_size size;

	r.throughput = 190 * MIB + 1;
	size = size_of(&r);
	ck_assert_uint_eq(size.paper, 5700 * MIB + 30);
	ck_assert_uint_eq(size.bytes, 5701 * MIB);
	ck_assert_uint_eq(size.clamps, E2LAZY_CLAMP_MIB);
	/* a part of a byte counts as one */
	r.throughput = 2 * GIB + 1;
	r.timer.expire_ms = 1001;
	ck_assert_uint_eq(size_of(&r).paper, 2149631133);
}
END_TEST

START_TEST(a_live_set_fills_seven_tenths_at_the_most)
{
	struct e2lazy_size_request r = usual();
	struct e2lazy_journal_size size;

	r.live_bytes = 7 * GIB;
	size = size_of(&r);
	ck_assert_uint_eq(size.live_bound, 10 * GIB);
	ck_assert_uint_eq(size.bytes, 10 * GIB);
	ck_assert_uint_eq(size.clamps, E2LAZY_CLAMP_LIVE);
	/* the paper's 0.98 GiB in 1.4 GiB */
	r.live_bytes = 1003 * MIB;
	size = size_of(&r);
	ck_assert_uint_eq(size.live_bound, 1502459612);
	ck_assert_uint_eq(size.bytes, 5700 * MIB);
	ck_assert_uint_eq(size.clamps, 0);
}
END_TEST

START_TEST(never_less_than_e2fsprogs_makes)
{
	struct e2lazy_size_request r = usual();
	struct e2lazy_journal_size size;

	r.throughput = 10 * MIB;
	size = size_of(&r);
	ck_assert_uint_eq(size.fallback, GIB);
	ck_assert_uint_eq(size.bytes, GIB);
	ck_assert_uint_eq(size.clamps, E2LAZY_CLAMP_DEFAULT);
}
END_TEST

/* e2fsprogs 1.47, mkjournal.c: blocks of the file system, of the journal. */
START_TEST(the_default_is_that_of_e2fsprogs_in_blocks)
{
	static const struct { uint64_t fs, blocks; } sizes[] = {
		{ 2048, 1024 }, { 32767, 1024 }, { 32768, 4096 },
		{ 262144, 8192 }, { 524288, 16384 }, { 4194304, 32768 },
		{ 8388608, 65536 }, { 16777216, 131072 },
		{ 33554432, 262144 }, { 1953506646, 262144 },
	};
	struct e2lazy_size_request r = usual();

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		r.fs_blocks = sizes[i].fs;
		r.blocksize = 1024;
		ck_assert_uint_eq(size_of(&r).fallback,
				  sizes[i].blocks * 1024);
		r.blocksize = 4096;
		ck_assert_uint_eq(size_of(&r).fallback,
				  sizes[i].blocks * 4096);
	}
}
END_TEST

START_TEST(zones_are_filled)
{
	struct e2lazy_size_request r = usual();
	struct e2lazy_journal_size size;

	r.zone_bytes = 256 * MIB;
	size = size_of(&r);
	ck_assert_uint_eq(size.bytes, 23 * 256 * MIB);
	ck_assert_uint_eq(size.clamps, E2LAZY_CLAMP_ZONE);
	/* a lowered size is whole zones, too */
	r.throughput = 2 * GIB;
	size = size_of(&r);
	ck_assert_uint_eq(size.most, 40000 * MIB);
	ck_assert_uint_eq(size.bytes, 156 * 256 * MIB);
	ck_assert_uint_eq(size.clamps, E2LAZY_CLAMP_MOST);
}
END_TEST

START_TEST(no_more_than_the_format_allows)
{
	struct e2lazy_size_request r = usual();
	struct e2lazy_journal_size size;

	r.throughput = 1333 * MIB;
	ck_assert_uint_eq(size_of(&r).clamps, 0);
	r.throughput = 1334 * MIB;
	size = size_of(&r);
	ck_assert_uint_eq(size.bytes, 40000 * MIB);
	ck_assert_uint_eq(size.clamps, E2LAZY_CLAMP_MOST);
	r.blocksize = 1024;
	ck_assert_uint_eq(size_of(&r).bytes, 10000 * MIB);
}
END_TEST

START_TEST(no_more_than_half_of_what_is_free)
{
	struct e2lazy_size_request r = usual();
	struct e2lazy_journal_size size;

	r.fs_blocks = 2621440;		/* 10 GiB */
	r.free_blocks = 2500000;
	size = size_of(&r);
	ck_assert_uint_eq(size.half_free, 1250000ULL * 4096);
	ck_assert_uint_eq(size.bytes, 4882 * MIB);
	ck_assert_uint_eq(size.clamps, E2LAZY_CLAMP_FREE);
	/* not even a zone: then whole MiB will do */
	r.zone_bytes = 8 * GIB;
	size = size_of(&r);
	ck_assert_uint_eq(size.bytes, 4882 * MIB);
	ck_assert_uint_eq(size.clamps, E2LAZY_CLAMP_ZONE | E2LAZY_CLAMP_FREE);
}
END_TEST

START_TEST(a_fast_commit_area_takes_its_part_of_both_limits)
{
	struct e2lazy_size_request r = usual();
	struct e2lazy_journal_size size;

	r.fast_commit_blocks = 25600;		/* 100 MiB */
	r.wanted = 39900 * MIB;
	size = size_of(&r);
	ck_assert_uint_eq(size.bytes, 39900 * MIB);
	ck_assert_uint_eq(size.most, 39900 * MIB);
	r.wanted = 39901 * MIB;
	refused(&r, E2LAZY_ET_JOURNAL_SIZE);
	r.free_blocks = 2 * (25600 + 1024);
	r.wanted = 4 * MIB;
	ck_assert_uint_eq(size_of(&r).half_free, 4 * MIB);
	r.fast_commit_blocks++;
	refused(&r, E2LAZY_ET_JOURNAL_SIZE);
	r.fast_commit_blocks = UINT64_MAX;
	refused(&r, E2LAZY_ET_JOURNAL_SIZE);
}
END_TEST

START_TEST(a_sum_beyond_64_bits_is_the_most_there_is)
{
	struct e2lazy_size_request r = usual();

	r.throughput = UINT64_MAX;
	r.timer.expire_ms = UINT64_MAX;
	r.live_bytes = UINT64_MAX;
	ck_assert_uint_eq(size_of(&r).bytes, 40000 * MIB);
	r.policy = E2LAZY_SIZE_STRICT;
	ck_assert_uint_eq(size_of(&r).bytes, 40000 * MIB);
}
END_TEST

START_TEST(a_size_that_the_user_wants_is_taken_or_refused)
{
	struct e2lazy_size_request r = usual();
	struct e2lazy_journal_size size;

	r.throughput = 0;		/* a given size needs no throughput */
	r.timer.expire_ms = 0;
	r.wanted = 4 * MIB;
	size = size_of(&r);
	ck_assert_uint_eq(size.bytes, 4 * MIB);
	ck_assert_uint_eq(size.clamps, 0);
	r.wanted = 4 * MIB + 1;
	size = size_of(&r);
	ck_assert_uint_eq(size.bytes, 5 * MIB);
	ck_assert_uint_eq(size.clamps, E2LAZY_CLAMP_MIB);
	r.wanted = 40000 * MIB;
	ck_assert_uint_eq(size_of(&r).bytes, 40000 * MIB);
	r.wanted = 3 * MIB;
	refused(&r, E2LAZY_ET_JOURNAL_SIZE);
	r.wanted = 40001 * MIB;
	refused(&r, E2LAZY_ET_JOURNAL_SIZE);
	r.wanted = 4194320 * MIB;	/* 16 MiB to mke2fs's 32 bits */
	refused(&r, E2LAZY_ET_JOURNAL_SIZE);
	r.wanted = UINT64_MAX;
	refused(&r, E2LAZY_ET_JOURNAL_SIZE);
	r.wanted = 2 * GIB;
	r.free_blocks = 1048575;
	refused(&r, E2LAZY_ET_JOURNAL_SIZE);
	r.free_blocks = 1048576;
	ck_assert_uint_eq(size_of(&r).bytes, 2 * GIB);
}
END_TEST

START_TEST(too_small_for_any_journal)
{
	struct e2lazy_size_request r = usual();

	r.fs_blocks = 2047;
	refused(&r, E2LAZY_ET_JOURNAL_SIZE);
	r = usual();
	r.free_blocks = 2047;
	refused(&r, E2LAZY_ET_JOURNAL_SIZE);
	r.free_blocks = 2048;
	ck_assert_uint_eq(size_of(&r).bytes, 4 * MIB);
}
END_TEST

START_TEST(a_timer_that_is_off_makes_no_size)
{
	struct e2lazy_size_request r = usual();

	r.timer.wakeup_ms = 0;
	ck_assert_uint_eq(size_of(&r).strict, 0);
	ck_assert_uint_eq(size_of(&r).bytes, 5700 * MIB);
	r.policy = E2LAZY_SIZE_STRICT;
	refused(&r, E2LAZY_ET_DIRTY_TIMER);
	r = usual();
	r.timer.expire_ms = 0;
	refused(&r, E2LAZY_ET_DIRTY_TIMER);
}
END_TEST

START_TEST(a_request_that_makes_no_sense_is_refused)
{
	struct e2lazy_size_request r = usual();

	r.blocksize = 4095;
	refused(&r, EXT2_ET_INVALID_ARGUMENT);
	r = usual();
	r.throughput = 0;
	refused(&r, EXT2_ET_INVALID_ARGUMENT);
	r = usual();
	r.zone_bytes = 256 * MIB + 4096;
	refused(&r, EXT2_ET_INVALID_ARGUMENT);
	r = usual();
	r.fs_blocks = 0;
	refused(&r, EXT2_ET_INVALID_ARGUMENT);
}
END_TEST

/* At the shares that were measured, between them, and beyond. */
START_TEST(a_cleaner_writes_more_the_more_is_live)
{
	ck_assert_double_eq(e2lazy_cleaner_percent(0, 100), 0);
	ck_assert_double_eq_tol(e2lazy_cleaner_percent(11, 100), 1.4, 1e-9);
	ck_assert_double_eq_tol(e2lazy_cleaner_percent(43, 100), 47, 1e-9);
	ck_assert_double_eq_tol(e2lazy_cleaner_percent(56, 100), 131.5, 1e-9);
	ck_assert_double_eq_tol(e2lazy_cleaner_percent(69, 100), 216, 1e-9);
	ck_assert_double_lt(e2lazy_cleaner_percent(70, 100), 0);
	ck_assert_double_lt(e2lazy_cleaner_percent(1, 0), 0);
}
END_TEST

/* 4,448 MiB of them: 10 GiB, as the paper chose. */
START_TEST(a_lazy_log_has_room_for_its_live_blocks_and_the_cleaner)
{
	struct e2lazy_size_request r = {
		.throughput = 190 << 20, .timer = { 30000, 5000, 0, 0 },
		.blocksize = 4096, .fs_blocks = 1953506646,
		.free_blocks = 1953506646, .live_bytes = 4448ULL << 20,
	};
	struct e2lazy_journal_size size;

	ck_assert_int_eq(e2lazy_journal_size(&r, &size), 0);
	ck_assert_uint_eq(size.bytes >> 20, 6355);
	r.lazy = true;
	ck_assert_int_eq(e2lazy_journal_size(&r, &size), 0);
	ck_assert_uint_eq(size.bytes >> 20, 10345);
	ck_assert_uint_eq(size.clamps, E2LAZY_CLAMP_LIVE | E2LAZY_CLAMP_MIB);
	r.live_bytes = 1ULL << 30;	/* then the flusher's rule is larger */
	ck_assert_int_eq(e2lazy_journal_size(&r, &size), 0);
	ck_assert_uint_eq(size.bytes >> 20, 5700);
}
END_TEST

TCase *size_tests(void)
{
	TCase *tc = tcase_create("size");

	tcase_add_test(tc, the_papers_drive_needs_5700_mib);
	tcase_add_test(tc,
		       strict_adds_the_wakeup_and_the_reserve_of_the_kernel);
	tcase_add_test(tc,
		the_reserve_is_a_third_from_6_11_on_and_where_nothing_is_known);
	tcase_add_test(tc, what_is_no_whole_mib_is_rounded_up);
	tcase_add_test(tc, a_live_set_fills_seven_tenths_at_the_most);
	tcase_add_test(tc, never_less_than_e2fsprogs_makes);
	tcase_add_test(tc, the_default_is_that_of_e2fsprogs_in_blocks);
	tcase_add_test(tc, zones_are_filled);
	tcase_add_test(tc, no_more_than_the_format_allows);
	tcase_add_test(tc, no_more_than_half_of_what_is_free);
	tcase_add_test(tc,
		       a_fast_commit_area_takes_its_part_of_both_limits);
	tcase_add_test(tc, a_sum_beyond_64_bits_is_the_most_there_is);
	tcase_add_test(tc, a_size_that_the_user_wants_is_taken_or_refused);
	tcase_add_test(tc, too_small_for_any_journal);
	tcase_add_test(tc, a_timer_that_is_off_makes_no_size);
	tcase_add_test(tc, a_request_that_makes_no_sense_is_refused);
	tcase_add_test(tc, a_cleaner_writes_more_the_more_is_live);
	tcase_add_test(tc,
		a_lazy_log_has_room_for_its_live_blocks_and_the_cleaner);
	return tc;
}
