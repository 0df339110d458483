/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of problems: what whoever prints it relies on. */
#include "config.h"

#include <string.h>

#include "e2lazy_mend.h"
#include "fixture.h"

START_TEST(each_problem_has_an_id_of_its_own_and_texts)
{
	const struct e2lazy_problem *p;
	size_t count;

	p = e2lazy_problems(&count);
	ck_assert_uint_gt(count, 30);
	for (size_t i = 0; i < count; i++) {
		ck_assert_ptr_nonnull(p[i].id);
		ck_assert_uint_gt(strlen(p[i].text), 10);
		ck_assert_msg(strlen(p[i].meaning) > 40, "%s", p[i].id);
		ck_assert_ptr_eq(e2lazy_problem_find(p[i].id), &p[i]);
	}
	ck_assert_ptr_null(e2lazy_problem_find("no-such-id"));
}
END_TEST

START_TEST(the_gravest_come_first)
{
	const struct e2lazy_problem *p;
	size_t count;

	p = e2lazy_problems(&count);
	for (size_t i = 1; i < count; i++)
		ck_assert_msg(p[i].severity <= p[i - 1].severity, "%s",
			      p[i].id);
}
END_TEST

START_TEST(what_asks_has_a_question_and_nothing_else_does)
{
	const struct e2lazy_problem *p;
	size_t count;

	p = e2lazy_problems(&count);
	for (size_t i = 0; i < count; i++) {
		bool asks = p[i].consent == E2LAZY_ASK;

		ck_assert_msg(asks == (p[i].question != NULL), "%s", p[i].id);
		if (asks)
			ck_assert_int_eq(p[i].question[strlen(p[i].question) -
						       1], '?');
	}
}
END_TEST

START_TEST(notes_never_stand_in_the_way)
{
	const struct e2lazy_problem *p;
	size_t count;

	p = e2lazy_problems(&count);
	for (size_t i = 0; i < count; i++)
		if (p[i].severity == E2LAZY_NOTE)
			ck_assert_msg(p[i].consent == E2LAZY_GO, "%s",
				      p[i].id);
}
END_TEST

TCase *problem_tests(void)
{
	TCase *tc = tcase_create("problem");

	tcase_add_test(tc, each_problem_has_an_id_of_its_own_and_texts);
	tcase_add_test(tc, the_gravest_come_first);
	tcase_add_test(tc, what_asks_has_a_question_and_nothing_else_does);
	tcase_add_test(tc, notes_never_stand_in_the_way);
	return tc;
}
