/* SPDX-License-Identifier: GPL-2.0-only */
/* The lives of one inode: any number of them, and one at each moment. */

#include <stdlib.h>

#include "fixture.h"
#include "undelete/undelete.h"

#define INO		12
#define MANY		20000
#define COPIES		(2 * MANY)	/* in the ring: moments, too */
#define CRTIME		1000

/* An inode whose life @n begins with transaction 2n + 1. */
static struct e2lazy_undelete *lives(uint32_t count)
{
	struct e2lazy_undelete *u = calloc(1, sizeof(*u));

	ck_assert_ptr_nonnull(u);
	u->versions.list.nr = COPIES;
	u->versions.moments = calloc(COPIES, sizeof(*u->versions.moments));
	ck_assert_ptr_nonnull(u->versions.moments);
	for (uint32_t n = 0; n < count; n++)
		ck_assert_int_eq(lives_add(u, &(struct seen){
			.ino = INO, .when = 2 * n + 1, .generation = n,
			.crtime = CRTIME, .copy = n }), 0);
	return u;
}

static void end(struct e2lazy_undelete *u)
{
	free(u->versions.moments);
	free(u->lives.at);
	ext2fs_free_mem(&u->lives.table);
	free(u);
}

START_TEST(each_moment_has_the_life_that_began_last)
{
	for (uint32_t count = 1; count < 70; count++) {
		struct e2lazy_undelete *u = lives(count);

		for (uint32_t when = 1; when < 2 * count + 3; when++) {
			uint32_t n = (when - 1) / 2;

			ck_assert_uint_eq(lives_at(u, INO, when),
					  n < count ? n : count - 1);
		}
		ck_assert_uint_eq(lives_at(u, INO, MOMENT_NOW), count - 1);
		ck_assert_uint_eq(lives_at(u, INO + 1, 1), NO_LIFE);
		end(u);
	}
}
END_TEST

/* It may have begun before its first copy, but not before its creation. */
START_TEST(the_oldest_life_began_when_it_was_created)
{
	struct e2lazy_undelete *u = lives(5);

	u->versions.moments[0].sec = CRTIME - 2;
	ck_assert_uint_eq(lives_at(u, INO, 0), NO_LIFE);
	u->versions.moments[0].sec = CRTIME;
	ck_assert_uint_eq(lives_at(u, INO, 0), 0);
	end(u);
}
END_TEST

/* A second has many transactions; a commit of debugfs has no nanoseconds. */
START_TEST(nanoseconds_tell_when_a_life_began)
{
	static const struct {
		uint64_t sec;
		uint32_t nsec;
		bool begun;
	} commits[] = {
		{ CRTIME, 499000000, true }, { CRTIME, 480000000, false },
		{ CRTIME, 510000000, true }, { CRTIME - 1, 999000000, false },
		{ CRTIME + 1, 1, true }, { CRTIME, 0, true },
		{ CRTIME - 1, 0, true }, { CRTIME - 2, 999000000, false },
	};
	struct e2lazy_undelete *u = lives(1);

	life_get(u, 0)->crtime_extra = 500000000U << EXT4_EPOCH_BITS;
	u->versions.moments[0].sec = commits[_i].sec;
	u->versions.moments[0].nsec = commits[_i].nsec;
	ck_assert_uint_eq(lives_at(u, INO, 0),
			  commits[_i].begun ? 0 : NO_LIFE);
	end(u);
}
END_TEST

/* Without a copy in the ring, a life has no transaction. */
START_TEST(lives_that_fast_commits_made_are_of_no_moment)
{
	struct e2lazy_undelete *u = lives(_i);

	for (uint32_t n = 0; n < 5; n++)
		ck_assert_int_eq(lives_add(u, &(struct seen){
			.ino = INO, .when = MOMENT_NOW,
			.copy = COPIES + n }), 0);
	ck_assert_uint_eq(lives_newest(u, INO), _i + 4);
	ck_assert_uint_eq(lives_at(u, INO, MOMENT_NOW),
			  _i ? (uint32_t)_i - 1 : NO_LIFE);
	ck_assert_uint_eq(lives_at(u, INO, 1), _i ? 0 : NO_LIFE);
	end(u);
}
END_TEST

START_TEST(a_moment_costs_a_few_looks_at_many_lives)
{
	struct e2lazy_undelete *u = lives(MANY);

	for (uint32_t n = 0; n < MANY; n++)
		ck_assert_uint_eq(lives_at(u, INO, 2 * n + 1), n);
	ck_assert_uint_lt(u->lives.looks, 60 * MANY);
	end(u);
}
END_TEST

TCase *lives_tests(void)
{
	TCase *tc = tcase_create("lives");

	tcase_add_test(tc, each_moment_has_the_life_that_began_last);
	tcase_add_test(tc, the_oldest_life_began_when_it_was_created);
	tcase_add_loop_test(tc, nanoseconds_tell_when_a_life_began, 0, 8);
	tcase_add_loop_test(tc, lives_that_fast_commits_made_are_of_no_moment,
			    0, 20);
	tcase_add_test(tc, a_moment_costs_a_few_looks_at_many_lives);
	return tc;
}
