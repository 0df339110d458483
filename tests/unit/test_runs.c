/* SPDX-License-Identifier: GPL-2.0-only */
/* Which blocks of a device are the log's: exact, however far its pieces lie */

#include "log/runs.h"
#include "fixture.h"

struct places {
	struct e2lazy_log_run	list[3];
	size_t			nr;
};

static const struct places cases[] = {
	{ { { 7, 1 } }, 1 },
	{ { { 100, 50 }, { 151, 9 }, { 40, 60 } }, 3 },
	{ { { 3178496, 491520 }, { 3671216, 424784 }, { 3178495, 1 } }, 3 },
	/* 2^47 blocks apart: a part has 2^36 of them */
	{ { { 1, 2 }, { 5, 1 }, { 1ULL << 47, 3 } }, 3 },
	{ { { (1ULL << 35) - 1, 2 }, { 4096ULL << 35, 1 } }, 2 },
};

static bool is_in(const struct places *p, blk64_t block)
{
	for (size_t i = 0; i < p->nr; i++)
		if (block >= p->list[i].physblk &&
		    block - p->list[i].physblk < p->list[i].count)
			return true;
	return false;
}

static void check_around(const struct runs *runs, const struct places *p,
			 blk64_t block)
{
	for (blk64_t b = block > 3 ? block - 3 : 0; b < block + 4; b++)
		ck_assert_int_eq(runs_own(runs, b), is_in(p, b));
}

START_TEST(a_block_is_the_logs_only_inside_its_runs)
{
	const struct places *p = &cases[_i];
	struct runs runs;

	ck_assert_int_eq(runs_of_list(p->list, p->nr, 1ULL << 48, &runs), 0);
	for (size_t i = 0; i < p->nr; i++) {
		const struct e2lazy_log_run *r = &p->list[i];

		check_around(&runs, p, r->physblk);
		check_around(&runs, p, r->physblk + r->count);
		for (unsigned bit = 0; bit < 48; bit++)
			check_around(&runs, p, r->physblk ^ 1ULL << bit);
	}
	check_around(&runs, p, UINT64_MAX - 4);
	runs_free(&runs);
}
END_TEST

START_TEST(a_log_on_its_own_device_owns_no_block_of_the_file_system)
{
	const struct places none = { .nr = 0 };
	struct runs runs;

	ck_assert_int_eq(runs_of_device(5000, &runs), 0);
	for (blk64_t b = 0; b < 10000; b++)
		ck_assert(!runs_own(&runs, b));
	check_around(&runs, &none, 1ULL << 40);
	runs_free(&runs);
}
END_TEST

TCase *runs_tests(void)
{
	TCase *tc = tcase_create("runs");

	tcase_add_loop_test(tc, a_block_is_the_logs_only_inside_its_runs, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(tc,
		a_log_on_its_own_device_owns_no_block_of_the_file_system);
	return tc;
}
