/* SPDX-License-Identifier: GPL-2.0-only */
/* test_blank.c - blocks of zeros that no discard has made */

#include "fixture.h"
#include "io/blank.h"

/* "." is a block of zeros, "#" another; the first one is @first. */
static blk64_t blank_of(blk64_t first, const char *blocks)
{
	struct blank b = { .nr = 0 };
	blk64_t count;

	for (; *blocks; blocks++, first++)
		ck_assert_int_eq(blank_add(&b, first, 1, *blocks == '.'), 0);
	count = blank_end(&b, 1 << 20);		/* granules of up to 4 blocks */
	blank_free(&b);
	return count;
}

START_TEST(a_discard_may_have_made_zeros_without_other_blocks)
{
	ck_assert_uint_eq(blank_of(16, "...."), 0);
	ck_assert_uint_eq(blank_of(17, "."), 0);
}
END_TEST

START_TEST(a_block_that_is_not_zero_excludes_a_discard_of_single_blocks)
{
	/* with granules of 2 the second pair could be one that was discarded */
	ck_assert_uint_eq(blank_of(15, "#.."), 0);
	ck_assert_uint_eq(blank_of(16, "#."), 1);
}
END_TEST

START_TEST(a_whole_granule_that_is_not_zero_excludes_all_up_to_its_size)
{
	ck_assert_uint_eq(blank_of(16, "####...."), 4);
	ck_assert_uint_eq(blank_of(16, "..#....."), 7);
	/* 16 to 19 is not whole, so 20 to 23 may have been discarded, and all
	   that follows */
	ck_assert_uint_eq(blank_of(17, "###....."), 0);
}
END_TEST

START_TEST(zeros_in_a_granule_that_has_another_block_were_not_discarded)
{
	ck_assert_uint_eq(blank_of(17, "#.#"), 1);
	ck_assert_uint_eq(blank_of(19, "#....#"), 0);
}
END_TEST

TCase *blank_tests(void)
{
	TCase *tc = tcase_create("blank");

	tcase_add_test(tc,
		       a_discard_may_have_made_zeros_without_other_blocks);
	tcase_add_test(tc,
		a_block_that_is_not_zero_excludes_a_discard_of_single_blocks);
	tcase_add_test(tc,
		a_whole_granule_that_is_not_zero_excludes_all_up_to_its_size);
	tcase_add_test(tc,
		zeros_in_a_granule_that_has_another_block_were_not_discarded);
	return tc;
}
