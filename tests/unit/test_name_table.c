/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of deleted files: each once, and found without a look at all. */

#include <stdio.h>
#include <stdlib.h>

#include "fixture.h"
#include "undelete/undelete.h"

#define MANY	20000

/* @count lives that have no name. */
static struct e2lazy_undelete *lives(uint32_t count)
{
	struct e2lazy_undelete *u = calloc(1, sizeof(*u));

	ck_assert_ptr_nonnull(u);
	u->lives.at = calloc(count, sizeof(*u->lives.at));
	ck_assert_ptr_nonnull(u->lives.at);
	u->lives.nr = count;
	for (uint32_t i = 0; i < count; i++)
		u->lives.at[i] = (struct life){ .names = NO_NAME,
						.of = NO_LIFE,
						.state = NO_LIFE };
	return u;
}

static void end(struct e2lazy_undelete *u)
{
	name_table_free(&u->names);
	free(u->lives.at);
	free(u);
}

static void put(struct e2lazy_undelete *u, uint32_t life, uint32_t dir,
		uint32_t number)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "name-%u", number);

	ck_assert_int_eq(names_add(u, life_get(u, life), dir, 2,
				   (const uint8_t *)text, (uint8_t)length), 0);
}

static uint32_t names_of(struct e2lazy_undelete *u, uint32_t life)
{
	uint32_t count = 0;

	for (uint32_t i = life_get(u, life)->names; i != NO_NAME;
	     i = u->names.at[i].next) {
		ck_assert_uint_eq(u->names.at[i].life, life);
		count++;
	}
	return count;
}

START_TEST(each_name_of_a_life_counts_once)
{
	struct e2lazy_undelete *u = lives(3);

	for (unsigned twice = 0; twice < 2; twice++)
		for (uint32_t number = 0; number < 5000; number++) {
			put(u, 1, 0, number);
			if (number < 7)
				put(u, 1, 2, number);
			if (number == 9)
				put(u, 2, 0, number);
		}
	ck_assert_uint_eq(names_of(u, 1), 5007);
	ck_assert_uint_eq(names_of(u, 2), 1);
	ck_assert_uint_eq(names_of(u, 0), 0);
	end(u);
}
END_TEST

/* All names are of one life, or one name is of all lives; each comes twice. */
START_TEST(many_names_cost_a_few_looks_each)
{
	struct e2lazy_undelete *u = lives(MANY);

	for (uint32_t i = 0; i < 2 * MANY; i++)
		put(u, _i ? i % MANY : 7, 0, _i ? 1 : i % MANY);
	ck_assert_uint_eq(u->names.nr, MANY);
	ck_assert_uint_lt(u->names.probes, 8 * MANY);
	end(u);
}
END_TEST

/* A name in life 0, which is no more, or in a directory without a life. */
static void put_seen(struct e2lazy_undelete *u, bool in_deleted, uint32_t last,
		     uint32_t end)
{
	const struct name name = {
		.life = 1, .dir = in_deleted ? 0 : NO_LIFE, .dir_ino = 2,
		.last = last, .end = end, .length = 1,
	};
	const uint8_t text = (uint8_t)('a' + last);
	struct name *known;

	ck_assert_int_eq(name_table_put(u, &name, &text, &known), 0);
}

static void check_order(struct e2lazy_undelete *u, unsigned count,
			const bool *in_deleted)
{
	uint32_t deleted[] = { 1 };

	put(u, 0, 2, 1);
	put(u, 2, 0, 1);
	ck_assert_int_eq(names_order(u), 0);
	ck_assert_uint_eq(life_names(u, life_get(u, 1)), count);
	u->deleted.at = deleted;
	for (unsigned n = 0; n < count; n++)
		ck_assert_int_eq(e2lazy_undelete_in_deleted(u, 0, n),
				 in_deleted[n]);
	ck_assert(!e2lazy_undelete_in_deleted(u, 0, count));
	ck_assert_uint_eq(life_names(u, life_get(u, 0)), 1);
	ck_assert_uint_eq(life_names(u, life_get(u, 3)), 0);
	end(u);
}

START_TEST(names_at_the_end_count_before_former_ones)
{
	struct e2lazy_undelete *u = lives(4);

	u->lives.at[1].chosen = 5;
	put_seen(u, true, 4, 5);
	put_seen(u, false, 3, 6);
	put_seen(u, true, 2, 3);
	put_seen(u, false, 6, 7);
	put_seen(u, true, 1, 2);
	check_order(u, 2, (bool[]){ false, false });
}
END_TEST

START_TEST(the_last_of_former_names_is_the_name)
{
	struct e2lazy_undelete *u = lives(4);

	u->lives.at[1].chosen = 9;
	for (uint32_t i = 0; i < 5; i++)
		put_seen(u, i == (uint32_t)_i, i == (uint32_t)_i ? 7 : i, 8);
	check_order(u, 1, (bool[]){ true });
}
END_TEST

TCase *name_table_tests(void)
{
	TCase *tc = tcase_create("name_table");

	tcase_add_test(tc, each_name_of_a_life_counts_once);
	tcase_add_loop_test(tc, many_names_cost_a_few_looks_each, 0, 2);
	tcase_add_test(tc, names_at_the_end_count_before_former_ones);
	tcase_add_loop_test(tc, the_last_of_former_names_is_the_name, 0, 5);
	return tc;
}
