/* SPDX-License-Identifier: GPL-2.0-only */
/* What programs print numbers with, against what the C library prints. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "support/out.h"

static void check_number(uint64_t value)
{
	char ours[OUT_DIGITS + 1], theirs[OUT_DIGITS + 1];
	size_t n = put_u64(ours, value);

	ours[n] = '\0';
	snprintf(theirs, sizeof(theirs), "%" PRIu64, value);
	ck_assert_str_eq(ours, theirs);
	ck_assert_uint_eq(digits_u64(value), strlen(theirs));
}

START_TEST(numbers_are_printed_as_by_printf)
{
	uint64_t power = 1;

	for (unsigned digits = 1; digits <= 20; digits++, power *= 10) {
		check_number(power - 1);
		check_number(power);
		check_number(power + 1);
	}
	check_number(UINT64_MAX);
	srand(42);
	for (unsigned i = 0; i < 100000; i++)
		check_number(((uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^
			      (uint64_t)rand()) >> rand() % 64);
}
END_TEST

/* A name in it may be as long as a path. */
START_TEST(a_line_of_a_report_is_not_cut)
{
	static struct out out;
	char value[5001];

	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	out_init(&out, -1);
	out_line(&out, "label", "%s %d", value, 5);
	ck_assert_uint_eq(out.used, OUT_VALUE + 5003);
	ck_assert_int_eq(memcmp(out.buf, "  label             x", 21), 0);
	ck_assert_int_eq(memcmp(out.buf + out.used - 4, "x 5\n", 4), 0);
}
END_TEST

START_TEST(a_line_of_a_report_shows_control_characters)
{
	static struct out out;
	static const char line[] = "  label             a\\x1b[1m\n";

	out_init(&out, -1);
	out_line(&out, "label", "a%s", "\033[1m");
	ck_assert_uint_eq(out.used, sizeof(line) - 1);
	ck_assert_int_eq(memcmp(out.buf, line, out.used), 0);
}
END_TEST

TCase *support_tests(void)
{
	TCase *tc = tcase_create("support");

	tcase_add_test(tc, numbers_are_printed_as_by_printf);
	tcase_add_test(tc, a_line_of_a_report_is_not_cut);
	tcase_add_test(tc, a_line_of_a_report_shows_control_characters);
	return tc;
}
