/* SPDX-License-Identifier: GPL-2.0-only */
/* The differences between two lists of records. */

#include <string.h>

#include "fixture.h"
#include "decode/field.h"
#include "show/diff.h"

static struct decoded before, after;
static struct out out;

static void set_up(void)
{
	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
}

static void tear_down(void)
{
	decoded_free(&before);
	decoded_free(&after);
}

/* Records of one letter, each with a digit behind it: "a1 b2". */
static void put(struct decoded *d, const char *records)
{
	for (; *records; records += records[2] ? 3 : 2) {
		begin_brief(d, "%c", records[0]);
		put_number(d, "n", (unsigned)(records[1] - '0'));
	}
}

static const char *difference(size_t *changes)
{
	out_init(&out, -1);
	ck_assert_int_eq(diff_records(&before, &after, &out, NULL, changes),
			 0);
	out.buf[out.used] = '\0';
	return out.buf;
}

static const struct {
	const char	*before, *after, *difference;
	size_t		changes;
} lists[] = {
	{ "", "", "", 0 },
	{ "a1 b2", "a1 b2", "", 0 },
	{ "a1 b2", "a1 b3", "b\n- n 2\n+ n 3\n", 1 },
	{ "", "a1", "+ a: n 1\n", 1 },
	{ "a1", "", "- a: n 1\n", 1 },
	{ "a1 b2 c3", "a1 c3", "- b: n 2\n", 1 },
	{ "a1 c3", "a1 b2 c3", "+ b: n 2\n", 1 },
	{ "a1 b2 c3", "c3 a1 b2", "", 0 },		/* moved */
	{ "a1 b2", "b2 a4", "a\n- n 1\n+ n 4\n", 1 },
	{ "a1 a2", "a1 a2 a3", "+ a: n 3\n", 1 },	/* of one label */
	{ "a1 a2 a3", "a1 a3", "a\n- n 2\n+ n 3\n- a: n 3\n", 2 },
	{ "x1 a1", "y1 a2", "- x: n 1\n+ y: n 1\na\n- n 1\n+ n 2\n", 3 },
};

START_TEST(records_of_one_label_belong_together)
{
	size_t changes;

	put(&before, lists[_i].before);
	put(&after, lists[_i].after);
	ck_assert_str_eq(difference(&changes), lists[_i].difference);
	ck_assert_uint_eq(changes, lists[_i].changes);
}
END_TEST

START_TEST(a_field_may_come_and_go)
{
	size_t changes;

	begin_record(&before, "r");
	put_number(&before, "old", 1);
	put_bool(&before, "both", true);
	begin_record(&after, "r");
	put_bool(&after, "both", true);
	put_text(&after, "new", "x");
	ck_assert_str_eq(difference(&changes), "r\n- old 1\n+ new x\n");
}
END_TEST

START_TEST(values_of_different_kinds_are_different)
{
	size_t changes;

	begin_record(&before, "r");
	put_time(&before, "time", 0, -1);
	begin_record(&after, "r");
	put_time(&after, "time", 1, -1);
	ck_assert_str_eq(difference(&changes),
			 "r\n- time -\n+ time 1970-01-01T00:00:01Z\n");
}
END_TEST

START_TEST(a_whole_record_is_told_field_by_field)
{
	size_t changes;

	begin_record(&after, "r");
	put_number(&after, "one", 1);
	put_number(&after, "two", 2);
	ck_assert_str_eq(difference(&changes), "+ r\n+   one 1\n+   two 2\n");
}
END_TEST

static const struct {
	int64_t		sec;
	int32_t		nsec;
	const char	*text;		/* NULL: no time */
} times[] = {
	{ 0, -1, NULL },
	{ 0, 0, NULL },
	{ 0, 1, "1970-01-01T00:00:00.000000001Z" },
	{ -1, -1, "1969-12-31T23:59:59Z" },
	{ -62135596800, -1, "0001-01-01T00:00:00Z" },
	{ -62135596801, -1, NULL },
	{ 253402300799, 0, "9999-12-31T23:59:59.000000000Z" },
	{ 253402300800, -1, NULL },
	{ INT64_MIN, -1, NULL },
	{ INT64_MAX, 0x3fffffff, NULL },
};

START_TEST(times_have_a_year_of_four_digits)
{
	begin_record(&after, "r");
	put_time(&after, "time", times[_i].sec, times[_i].nsec);
	if (times[_i].text)
		ck_assert_str_eq(decoded_text(&after, after.fields[0].text),
				 times[_i].text);
	else
		ck_assert_int_eq(after.fields[0].kind, VALUE_NONE);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

TCase *diff_tests(void)
{
	TCase *tc = tcase_create("diff");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_loop_test(tc, records_of_one_label_belong_together, 0,
			    COUNT(lists));
	tcase_add_test(tc, a_field_may_come_and_go);
	tcase_add_test(tc, values_of_different_kinds_are_different);
	tcase_add_test(tc, a_whole_record_is_told_field_by_field);
	tcase_add_loop_test(tc, times_have_a_year_of_four_digits, 0,
			    COUNT(times));
	return tc;
}
