/* SPDX-License-Identifier: GPL-2.0-only */
/* Times as people write them: --at, --since, --until. */

#include <stdlib.h>
#include <time.h>

#include "fixture.h"
#include "support/when.h"

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))
#define LAST		999999999

static const struct {
	const char	*text;
	struct when	when;
} samples[] = {
	{ "@0", { { 0, 0 }, { 0, LAST } } },
	{ "@1700000000", { { 1700000000, 0 }, { 1700000000, LAST } } },
	{ "@5.25", { { 5, 250000000 }, { 5, 259999999 } } },
	{ "@5.123456789", { { 5, 123456789 }, { 5, 123456789 } } },
	{ "2023-11-14T22:13:20Z", { { 1700000000, 0 }, { 1700000000, LAST } } },
	{ "2023-11-14 22:13:20Z", { { 1700000000, 0 }, { 1700000000, LAST } } },
	{ "2023-11-14T22:13:20.5Z",
	  { { 1700000000, 500000000 }, { 1700000000, 599999999 } } },
	{ "2023-11-14T22:13Z", { { 1699999980, 0 }, { 1700000039, LAST } } },
	{ "2023-11-15T00:13:20+02:00",
	  { { 1700000000, 0 }, { 1700000000, LAST } } },
	{ "2023-11-14T18:43:20-0330",
	  { { 1700000000, 0 }, { 1700000000, LAST } } },
	{ "2023-11-14T23:13:20+01",
	  { { 1700000000, 0 }, { 1700000000, LAST } } },
	/* In the time zone of the test, five hours west. */
	{ "2023-11-14T17:13:20", { { 1700000000, 0 }, { 1700000000, LAST } } },
	{ "2023-11-14", { { 1699938000, 0 }, { 1700024399, LAST } } },
	{ "2024-02-29T00:00:00Z", { { 1709164800, 0 }, { 1709164800, LAST } } },
};

static void five_hours_west(void)
{
	setenv("TZ", "FIVE5", 1);
	tzset();
}

START_TEST(a_time_is_all_of_its_last_unit)
{
	struct when when;

	five_hours_west();
	ck_assert_msg(parse_when(samples[_i].text, &when), "%s",
		      samples[_i].text);
	ck_assert_uint_eq(when.first.sec, samples[_i].when.first.sec);
	ck_assert_uint_eq(when.first.nsec, samples[_i].when.first.nsec);
	ck_assert_uint_eq(when.last.sec, samples[_i].when.last.sec);
	ck_assert_uint_eq(when.last.nsec, samples[_i].when.last.nsec);
}
END_TEST

START_TEST(half_a_time_is_no_time)
{
	static const char *const wrong[] = {
		"", "@", "@x", "@-1", "@1.", "@1.1234567890", "2023",
		"2023-11", "2023-13-01", "2023-02-29", "2023-11-31",
		"1969-12-31", "2023-11-14T", "2023-11-14T24:00",
		"2023-11-14T22:60", "2023-11-14T22:13:60",
		"2023-11-14T22:13:20.", "2023-11-14T22:13:20z",
		"2023-11-14T22:13:20+2", "2023-11-14T22:13:20+24:00",
		"2023-11-14T22:13:20Z ", "14.11.2023", "2023-11-14Z",
	};
	struct when when;

	for (size_t i = 0; i < COUNT(wrong); i++)
		ck_assert_msg(!parse_when(wrong[i], &when), "'%s'", wrong[i]);
}
END_TEST

START_TEST(an_instant_shows_its_nanoseconds)
{
	char text[INSTANT_TEXT];

	ck_assert(instant_text(text, (struct instant){ 1700000000, 7 }));
	ck_assert_str_eq(text, "2023-11-14T22:13:20.000000007Z");
	ck_assert(instant_text(text, (struct instant){ 1700000000, LAST }));
	ck_assert_str_eq(text, "2023-11-14T22:13:20.999999999Z");
	ck_assert(instant_text(text, (struct instant){ 1700000000, 0 }));
	ck_assert_str_eq(text, "2023-11-14T22:13:20.000000000Z");
	ck_assert(!instant_text(text, (struct instant){ 0, 7 }));
	ck_assert_str_eq(text, "-");
}
END_TEST

TCase *when_tests(void)
{
	TCase *tests = tcase_create("when");

	tcase_add_loop_test(tests, a_time_is_all_of_its_last_unit, 0,
			    COUNT(samples));
	tcase_add_test(tests, half_a_time_is_no_time);
	tcase_add_test(tests, an_instant_shows_its_nanoseconds);
	return tests;
}
