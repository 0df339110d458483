/* SPDX-License-Identifier: GPL-2.0-only */
/* Sizes, rates and times as options take them, and their bounds. */

#include <inttypes.h>
#include <string.h>

#include "fixture.h"
#include "support/units.h"

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))
#define REFUSED		UINT64_MAX

struct sample {
	const char	*text;
	uint64_t	value;
};

static void check(bool (*parse)(const char *text, uint64_t *value),
		  const struct sample *sample)
{
	uint64_t value = REFUSED;
	bool taken = parse(sample->text, &value);

	ck_assert_msg(taken == (sample->value != REFUSED), "'%s' is %s",
		      sample->text, taken ? "taken" : "refused");
	if (taken)
		ck_assert_uint_eq(value, sample->value);
}

static const struct sample sizes[] = {
	{ "0", 0 },
	{ "5KiB", 5 << 10 },
	{ "5miB", 5 << 20 },
	{ "1GiB", 1 << 30 },
	{ "2PiB", (uint64_t)2 << 50 },
	{ "16383P", (uint64_t)16383 << 50 },
	{ "5MIB", REFUSED },
	{ "5MiB/s", REFUSED },
};

START_TEST(a_size_may_have_a_binary_unit_in_full)
{
	check(parse_size, &sizes[_i]);
}
END_TEST

static const struct sample rates[] = {
	{ "190", 190 },
	{ "190M", (uint64_t)190 << 20 },
	{ "190MiB", (uint64_t)190 << 20 },
	{ "190M/s", (uint64_t)190 << 20 },
	{ "190MiB/s", (uint64_t)190 << 20 },
	{ "190/s", 190 },
	{ "190MB/s", 190000000 },
	{ "1GB/s", 1000000000 },
	{ "190MB", REFUSED },
	{ "99999999999999999MB/s", REFUSED },
	{ "190M/", REFUSED },
	{ "190M/min", REFUSED },
	{ "190M/s/s", REFUSED },
	{ "/s", REFUSED },
	{ "", REFUSED },
	{ "-190M", REFUSED },
};

START_TEST(a_rate_is_a_size_in_a_second)
{
	check(parse_rate, &rates[_i]);
}
END_TEST

static const struct sample times[] = {
	{ "1ms", 1 },
	{ "30s", 30000 },
	{ "2min", 120000 },
	{ "0s", 0 },
	{ "30", REFUSED },
	{ "s", REFUSED },
	{ "1.5s", REFUSED },
	{ "30 s", REFUSED },
	{ "30S", REFUSED },
	{ "1h", REFUSED },
	{ "30sec", REFUSED },
	{ "18446744073709551s", 18446744073709551000U },
	{ "18446744073709552s", REFUSED },
	{ "18446744073709551616ms", REFUSED },
};

START_TEST(a_time_has_its_unit)
{
	check(parse_time, &times[_i]);
}
END_TEST

static const struct sample mke2fs_sizes[] = {
	{ "4096", 4096 },
	{ "4k", 4096 },
	{ "1T", (uint64_t)1 << 40 },
	{ "0x1B", 27 },
	{ "1P", REFUSED },
	{ "4KiB", REFUSED },
};

START_TEST(mke2fs_reads_fewer_units)
{
	check(parse_mke2fs_size, &mke2fs_sizes[_i]);
}
END_TEST

/* -------------------------------------------------------------- bounds */

static const struct quantity band = {
	"--band", QUANTITY_SIZE, 1 << 20, (uint64_t)100 << 40, true
};
static const struct quantity memory = {
	"--memory", QUANTITY_SIZE, 1000, (uint64_t)1 << 50, false
};
static const struct quantity rate = {
	"--throughput", QUANTITY_RATE, 1 << 20, (uint64_t)100 << 30, false
};
static const struct quantity timer = {
	"--dirty-timer", QUANTITY_TIME, 1, 3600000, false
};

static const struct {
	const struct quantity *quantity;
	struct sample sample;
} bounded[] = {
	{ &band, { "1M", 1 << 20 } },
	{ &band, { "1048575", REFUSED } },
	{ &band, { "100T", (uint64_t)100 << 40 } },
	{ &band, { "101T", REFUSED } },
	{ &band, { "0", 0 } },
	{ &band, { "0M", REFUSED } },
	{ &band, { "30", REFUSED } },
	{ &memory, { "0", REFUSED } },
	{ &memory, { "1000", 1000 } },
	{ &memory, { "999", REFUSED } },
	{ &rate, { "0", REFUSED } },
	{ &rate, { "190", REFUSED } },
	{ &rate, { "1M/s", 1 << 20 } },
	{ &rate, { "100G", (uint64_t)100 << 30 } },
	{ &rate, { "101G", REFUSED } },
	{ &timer, { "0ms", REFUSED } },
	{ &timer, { "60min", 3600000 } },
	{ &timer, { "61min", REFUSED } },
};

START_TEST(a_quantity_is_refused_beyond_its_bounds)
{
	const struct sample *sample = &bounded[_i].sample;
	uint64_t value = REFUSED;
	bool taken = parse_quantity(bounded[_i].quantity, sample->text,
				    &value);

	ck_assert_msg(taken == (sample->value != REFUSED), "%s %s is %s",
		      bounded[_i].quantity->option, sample->text,
		      taken ? "taken" : "refused");
	if (taken)
		ck_assert_uint_eq(value, sample->value);
}
END_TEST

START_TEST(bounds_are_told_as_they_are_typed)
{
	char text[QUANTITY_TEXT];

	quantity_text(text, &band);
	ck_assert_str_eq(text, "a size from 1M to 100T, or 0 for none");
	quantity_text(text, &memory);
	ck_assert_str_eq(text, "a size from 1000 to 1P");
	quantity_text(text, &rate);
	ck_assert_str_eq(text, "a throughput from 1M to 100G a second; 190M "
			 "is 190 MiB a second");
	quantity_text(text, &timer);
	ck_assert_str_eq(text, "a time from 1ms to 60min, like 30s");
}
END_TEST

/* -------------------------------------------------------------- ranges */

START_TEST(several_ranges_all_count)
{
	struct ranges ranges = { .count = 0 };

	ck_assert(ranges_have(&ranges, 0));
	ck_assert(ranges_have(&ranges, UINT64_MAX));
	ranges.at[ranges.count++] = (struct range){ 10, 20 };
	ranges.at[ranges.count++] = (struct range){ 5, 5 };
	ranges.at[ranges.count++] = (struct range){ 15, 30 };
	for (uint64_t n = 0; n < 40; n++)
		ck_assert_int_eq(ranges_have(&ranges, n),
				 n == 5 || (n >= 10 && n <= 30));
	ck_assert_uint_eq(ranges_span(&ranges).first, 5);
	ck_assert_uint_eq(ranges_span(&ranges).last, 30);
}
END_TEST

TCase *units_tests(void)
{
	TCase *tc = tcase_create("units");

	tcase_add_loop_test(tc, a_size_may_have_a_binary_unit_in_full, 0,
			    COUNT(sizes));
	tcase_add_loop_test(tc, a_rate_is_a_size_in_a_second, 0, COUNT(rates));
	tcase_add_loop_test(tc, a_time_has_its_unit, 0, COUNT(times));
	tcase_add_loop_test(tc, mke2fs_reads_fewer_units, 0,
			    COUNT(mke2fs_sizes));
	tcase_add_loop_test(tc, a_quantity_is_refused_beyond_its_bounds, 0,
			    COUNT(bounded));
	tcase_add_test(tc, bounds_are_told_as_they_are_typed);
	tcase_add_test(tc, several_ranges_all_count);
	return tc;
}
