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

TCase *support_tests(void)
{
	TCase *tc = tcase_create("support");

	tcase_add_test(tc, numbers_are_printed_as_by_printf);
	return tc;
}
