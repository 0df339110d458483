/* SPDX-License-Identifier: GPL-2.0-only */
/* The programs' own number printing, compared with the C library's. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fixture.h"
#include "session/words.h"
#include "support/file_time.h"
#include "support/json.h"
#include "support/out.h"
#include "support/scaled.h"

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
	for (unsigned i = 0; i < 10000; i++)
		check_number(i * UINT64_C(1000010001) + i);
	srand(42);
	for (unsigned i = 0; i < 100000; i++)
		check_number(((uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^
			      (uint64_t)rand()) >> rand() % 64);
}
END_TEST

/* The results are those of a language whose integers have no end. */
static const struct {
	uint64_t	value;
	uint32_t	times;
	uint64_t	by, result;
} products[] = {
	{ UINT64_C(0), UINT32_C(5),
	  UINT64_C(3), UINT64_C(0) },
	{ UINT64_C(18446744073709551615), UINT32_C(1),
	  UINT64_C(1), UINT64_C(18446744073709551615) },
	{ UINT64_C(18446744073709551615), UINT32_C(100),
	  UINT64_C(100), UINT64_C(18446744073709551615) },
	{ UINT64_C(18446744073709551615), UINT32_C(4294967295),
	  UINT64_C(18446744073709551615), UINT64_C(4294967295) },
	{ UINT64_C(18446744073709551615), UINT32_C(4294967295),
	  UINT64_C(4294967295), UINT64_C(18446744073709551615) },
	{ UINT64_C(18446744073709551614), UINT32_C(4294967295),
	  UINT64_C(18446744073709551615), UINT64_C(4294967294) },
	{ UINT64_C(9223372036854775808), UINT32_C(3),
	  UINT64_C(9223372036854775808), UINT64_C(3) },
	{ UINT64_C(9223372036854775809), UINT32_C(4294967295),
	  UINT64_C(9223372036854775810), UINT64_C(4294967294) },
	{ UINT64_C(10000000000000000000), UINT32_C(1920),
	  UINT64_C(10000000000000000001), UINT64_C(1919) },
	{ UINT64_C(12345678901234567890), UINT32_C(4000000000),
	  UINT64_C(17000000000000000001), UINT64_C(2904865623) },
	{ UINT64_C(18446744073709551614), UINT32_C(3),
	  UINT64_C(18446744073709551615), UINT64_C(2) },
	{ UINT64_C(864000000000000), UINT32_C(2048),
	  UINT64_C(86400000000000), UINT64_C(20480) },
};

START_TEST(a_product_beyond_64_bits_is_divided_exactly)
{
	ck_assert_uint_eq(scaled(products[_i].value, products[_i].times,
				 products[_i].by), products[_i].result);
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

/* ------------------------------------------------- what steers a terminal */

/* The expected output of printable() and json_string(). */
static const struct {
	const char *bytes, *text, *json;
} steering[] = {
	{ "\x01", "\\x01", "\\u0001" },
	{ "\n", "\\x0a", "\\u000a" },
	{ "\x1b", "\\x1b", "\\u001b" },
	{ "\x1f", "\\x1f", "\\u001f" },
	{ "\x7f", "\\x7f", "\\u007f" },
	{ "\xc2\x80", "\\xc2\\x80", "\\u0080" },
	{ "\xc2\x9b", "\\xc2\\x9b", "\\u009b" },
	{ "\xc2\x9f", "\\xc2\\x9f", "\\u009f" },
	{ "\xd8\x9c", "\\xd8\\x9c", "\\u061c" },
	{ "\xe2\x80\x8e", "\\xe2\\x80\\x8e", "\\u200e" },
	{ "\xe2\x80\x8f", "\\xe2\\x80\\x8f", "\\u200f" },
	{ "\xe2\x80\xa8", "\\xe2\\x80\\xa8", "\\u2028" },
	{ "\xe2\x80\xa9", "\\xe2\\x80\\xa9", "\\u2029" },
	{ "\xe2\x80\xaa", "\\xe2\\x80\\xaa", "\\u202a" },
	{ "\xe2\x80\xae", "\\xe2\\x80\\xae", "\\u202e" },
	{ "\xe2\x81\xa6", "\\xe2\\x81\\xa6", "\\u2066" },
	{ "\xe2\x81\xa9", "\\xe2\\x81\\xa9", "\\u2069" },
};

/* The nearest that do not. */
static const char *const harmless[] = {
	" ", "~", "\xc2\xa0", "\xd8\x9b", "\xd8\x9d", "\xe2\x80\x8d",
	"\xe2\x80\x90", "\xe2\x80\xa7", "\xe2\x80\xaf", "\xe2\x81\xa5",
	"\xe2\x81\xb0", "\xf0\x9f\x98\x80",
};

static char *as_json(const char *bytes, size_t length)
{
	static struct out out;
	struct json json;

	out_init(&out, -1);
	json_init(&json, &out);
	json_object(&json, NULL, JSON_INLINE);
	json_bytes(&json, "name", bytes, length);
	out_char(&out, '\0');
	return out.buf;
}

static void check_text(const char *bytes, const char *text, const char *json)
{
	char *shown = printable_text(bytes), *member;

	ck_assert_str_eq(shown, text);
	ck_assert_int_ge(asprintf(&member, "{\"name\":\"%s\"", json), 0);
	ck_assert_str_eq(as_json(bytes, strlen(bytes)), member);
	free(shown);
	free(member);
}

START_TEST(characters_that_steer_a_terminal_are_escaped)
{
	for (size_t i = 0; i < sizeof(steering) / sizeof(*steering); i++)
		check_text(steering[i].bytes, steering[i].text,
			   steering[i].json);
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		check_text(harmless[i], harmless[i], harmless[i]);
}
END_TEST

START_TEST(every_c1_control_is_escaped_as_a_byte_and_as_a_character)
{
	for (unsigned c = 0x80; c < 0xa0; c++) {
		char byte[] = { (char)c, 0 }, both[] = { '\xc2', (char)c, 0 };
		char text[16], json[64];

		snprintf(text, sizeof(text), "\\xc2\\x%02x", c);
		snprintf(json, sizeof(json), "\\u%04x", c);
		check_text(both, text, json);
		snprintf(text, sizeof(text), "\\x%02x", c);
		snprintf(json, sizeof(json), "\\ufffd\",\"name_hex\":\"%02x",
			 c);
		check_text(byte, text, json);
	}
}
END_TEST

START_TEST(json_keeps_the_bytes_of_a_name_that_is_not_utf8)
{
	ck_assert_str_eq(as_json("a\xff", 2), "{\"name\":\"a\\ufffd\","
			 "\"name_hex\":\"61ff\"");
	ck_assert_str_eq(as_json("\xed\xa0\x80", 3),
			 "{\"name\":\"\\ufffd\\ufffd\\ufffd\","
			 "\"name_hex\":\"eda080\"");
	ck_assert_str_eq(as_json("a\0b", 3), "{\"name\":\"a\\\\x00b\","
			 "\"name_hex\":\"610062\"");
	ck_assert_str_eq(as_json("a\\x00b", 6),
			 "{\"name\":\"a\\\\x00b\"");
}
END_TEST

START_TEST(a_list_of_words_has_room_for_any_number_and_can_be_used_again)
{
	struct words words = { .count = 0 };

	for (unsigned round = 0; round < 2; round++) {
		words_list(&words, "a", "", "--b=%s", NULL);
		for (unsigned i = 3; i < 200; i++)
			words_add(&words, "%u", i);
		ck_assert(!words.failed);
		ck_assert_uint_eq(words.count, 200);
		ck_assert_str_eq(words.at[1], "");
		ck_assert_str_eq(words.at[2], "--b=%s");
		ck_assert_str_eq(words.at[199], "199");
		ck_assert_ptr_null(words.at[200]);
		words_free(&words);
		ck_assert_uint_eq(words.count, 0);
	}
}
END_TEST

/* Where time_t has 32 bits, stat() fails with EOVERFLOW. */
START_TEST(a_file_of_the_year_2100_can_be_looked_at)
{
	const struct e2lazy_time day = { .sec = 4102444800, .nsec = 5 };
	const struct timespec times[2] = { file_time(day), file_time(day) };
	FILE *file = tmpfile();
	struct stat st;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(futimens(fileno(file), times), 0);
	ck_assert_int_eq(fstat(fileno(file), &st), 0);
	fclose(file);
	ck_assert_int_eq(st.st_mtim.tv_sec, day.sec);
}
END_TEST

TCase *support_tests(void)
{
	TCase *tc = tcase_create("support");

	tcase_add_test(tc, numbers_are_printed_as_by_printf);
	tcase_add_loop_test(tc, a_product_beyond_64_bits_is_divided_exactly, 0,
			    sizeof(products) / sizeof(products[0]));
	tcase_add_test(tc, a_line_of_a_report_is_not_cut);
	tcase_add_test(tc,
		       a_list_of_words_has_room_for_any_number_and_can_be_used_again);
	tcase_add_test(tc, a_line_of_a_report_shows_control_characters);
	tcase_add_test(tc, characters_that_steer_a_terminal_are_escaped);
	tcase_add_test(tc,
		       every_c1_control_is_escaped_as_a_byte_and_as_a_character);
	tcase_add_test(tc, a_file_of_the_year_2100_can_be_looked_at);
	tcase_add_test(tc, json_keeps_the_bytes_of_a_name_that_is_not_utf8);
	return tc;
}
