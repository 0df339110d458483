/* SPDX-License-Identifier: GPL-2.0-only */
/* Text for people: numbers, sizes, times, progress, lines. */

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "support/out.h"
#include "support/progress.h"
#include "support/rows.h"
#include "support/units.h"

static const struct {
	const char	*text;
	uint64_t	value;
} numbers[] = {
	{ "0", 0 },
	{ "007", 7 },
	{ "18446744073709551615", UINT64_MAX },
	{ "0x0", 0 },
	{ "0xfF", 255 },
	{ "0X10", 16 },
	{ "0xffffffffffffffff", UINT64_MAX },
};

START_TEST(numbers_are_decimal_or_hexadecimal)
{
	uint64_t value = 42;

	ck_assert_msg(parse_number(numbers[_i].text, UINT64_MAX, &value),
		      "%s is refused", numbers[_i].text);
	ck_assert_uint_eq(value, numbers[_i].value);
}
END_TEST

static const char *const no_numbers[] = {
	"18446744073709551616", "0x10000000000000000", "", "0x", "x", "-1",
	"+1", " 1", "1 ", "1f", "1-2", "1K", "0b1",
};

START_TEST(what_is_not_all_number_is_refused)
{
	uint64_t value;

	ck_assert_msg(!parse_number(no_numbers[_i], UINT64_MAX, &value),
		      "'%s' is taken for %llu", no_numbers[_i],
		      (unsigned long long)value);
}
END_TEST

START_TEST(a_number_may_be_as_large_as_its_bound)
{
	uint64_t value;

	ck_assert(parse_number("4294967295", UINT32_MAX, &value));
	ck_assert(!parse_number("4294967296", UINT32_MAX, &value));
}
END_TEST

static const struct {
	const char	*text;
	uint64_t	bytes;
} sizes[] = {
	{ "0", 0 },
	{ "512", 512 },
	{ "3k", 3072 },
	{ "3K", 3072 },
	{ "0x10M", 16777216 },
	{ "5g", 5368709120 },
	{ "16777215T", 18446742974197923840u },
};

START_TEST(sizes_count_in_powers_of_1024)
{
	uint64_t bytes = 42;

	ck_assert_msg(parse_size(sizes[_i].text, &bytes), "%s is refused",
		      sizes[_i].text);
	ck_assert_uint_eq(bytes, sizes[_i].bytes);
}
END_TEST

static const char *const no_sizes[] = {
	"", "k", "3kB", "3MB", "3B", "3iB", "3Mi", "3MiBs", "3M/s", "3E",
	"3 k", "-3k", "+3k", "3k5", "16777216T", "16384P", "16384PiB",
	"18446744073709551616",
};

START_TEST(what_is_no_size_is_refused)
{
	uint64_t bytes;

	ck_assert_msg(!parse_size(no_sizes[_i], &bytes),
		      "'%s' is taken for %llu bytes", no_sizes[_i],
		      (unsigned long long)bytes);
}
END_TEST

static const struct {
	uint64_t	seconds;
	const char	*text;		/* NULL: no time */
} times[] = {
	{ 0, NULL },
	{ 1, "1970-01-01T00:00:01Z" },
	{ 68255999, "1972-02-29T23:59:59Z" },
	{ 68256000, "1972-03-01T00:00:00Z" },
	{ 951782400, "2000-02-29T00:00:00Z" },
	{ 978307199, "2000-12-31T23:59:59Z" },
	{ 978307200, "2001-01-01T00:00:00Z" },
	{ 4107542399, "2100-02-28T23:59:59Z" },
	{ 4107542400, "2100-03-01T00:00:00Z" },
	{ 4294967296, "2106-02-07T06:28:16Z" },
	{ 253402300799, "9999-12-31T23:59:59Z" },
	{ 253402300800, NULL },
	{ UINT64_MAX, NULL },
};

START_TEST(times_end_with_the_year_9999)
{
	char text[TIME_TEXT];

	ck_assert_int_eq(time_text(text, times[_i].seconds),
			 times[_i].text != NULL);
	ck_assert_str_eq(text, times[_i].text ? times[_i].text : "-");
}
END_TEST

START_TEST(a_date_may_be_before_1970)
{
	static const struct {
		int64_t		seconds;
		const char	*text;
	} dates[] = {
		{ 0, "1970-01-01T00:00:00Z" },
		{ -1, "1969-12-31T23:59:59Z" },
		{ -2147483648, "1901-12-13T20:45:52Z" },
		{ -62135596800, "0001-01-01T00:00:00Z" },
		{ -62135596801, NULL }, { INT64_MIN, NULL },
		{ 253402300799, "9999-12-31T23:59:59Z" },
		{ 253402300800, NULL }, { INT64_MAX, NULL },
	};
	char text[TIME_TEXT];

	for (size_t i = 0; i < sizeof(dates) / sizeof(*dates); i++) {
		ck_assert_int_eq(date_text(text, dates[i].seconds),
				 dates[i].text != NULL);
		ck_assert_str_eq(text, dates[i].text ? dates[i].text : "-");
	}
}
END_TEST

/* Collect the lines on stderr between these two. */
static int stderr_before;
static FILE *caught;

static void catch_stderr(void)
{
	fflush(stderr);
	caught = tmpfile();
	ck_assert_ptr_nonnull(caught);
	stderr_before = dup(STDERR_FILENO);
	ck_assert_int_ge(stderr_before, 0);
	ck_assert_int_ge(dup2(fileno(caught), STDERR_FILENO), 0);
}

static void caught_stderr(char *text, size_t size)
{
	fflush(stderr);
	dup2(stderr_before, STDERR_FILENO);
	close(stderr_before);
	rewind(caught);
	text[fread(text, 1, size - 1, caught)] = '\0';
	fclose(caught);
}

/* Half of the work done, after ten seconds as far as it knows. */
static void half_done(bool terminal, bool quiet, char *text, size_t size)
{
	struct progress p = { .device = "dev", .quiet = quiet, .fd = -1 };

	catch_stderr();
	progress_begin(&p, PHASE_LOG);
	p.terminal = terminal;
	p.began -= 10;
	p.shown -= 10;
	ck_assert(progress_tick(&p, 50, 100));
	caught_stderr(text, size);
}

START_TEST(on_a_terminal_progress_is_a_bar)
{
	char text[256];

	half_done(true, false, text, sizeof(text));
	ck_assert_str_eq(text, "\rreading the log "
			 "[===============               ]  50% 5 blocks/s, "
			 "10 s left\033[K");
}
END_TEST

START_TEST(elsewhere_progress_is_a_line)
{
	char text[256];
	const char *line;

	half_done(false, false, text, sizeof(text));
	line = strchr(text, ':');	/* behind the program's name */
	ck_assert_ptr_nonnull(line);
	ck_assert_str_eq(line, ": dev: reading the log: 50%, 5 blocks/s\n");
}
END_TEST

START_TEST(quiet_progress_is_nothing)
{
	char text[256];

	half_done(_i, true, text, sizeof(text));
	ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(work_of_less_than_a_second_shows_none)
{
	struct progress p = { .device = "dev", .fd = -1 };
	char text[256];

	catch_stderr();
	progress_begin(&p, PHASE_LOG);
	p.terminal = _i;
	p.began += 3600;	/* however slow the machine is */
	p.shown += 3600;
	ck_assert(progress_tick(&p, 50, 100));
	progress_end(&p);
	caught_stderr(text, sizeof(text));
	ck_assert_str_eq(text, "");
}
END_TEST

/* Each test is a process of its own, so that nothing has to be put back. */
static bool speaks_utf8(void)
{
	return setlocale(LC_CTYPE, "C.UTF-8") != NULL;
}

static const struct {
	const char	*text;
	unsigned	columns;
} widths[] = {
	{ "", 0 },
	{ "journal", 7 },
	{ "gr\u00f6\u00dfe", 5 },
	{ "e\u0301", 1 },		/* an accent of its own takes none */
	{ "\u65e5\u5fd7", 4 },		/* Chinese takes two each */
	{ "a\u65e5b", 4 },
	{ "\xff\x80", 2 },		/* no UTF-8 */
	{ "\xe6\x97", 2 },		/* nor is what is cut off */
};

START_TEST(a_character_has_as_many_columns_as_a_terminal_gives_it)
{
	if (!speaks_utf8())
		skip_test("the C library has no locale C.UTF-8");
	ck_assert_uint_eq(text_columns(widths[_i].text,
				       strlen(widths[_i].text)),
			  widths[_i].columns);
}
END_TEST

START_TEST(in_another_charset_bytes_are_columns)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C"));
	ck_assert_uint_eq(text_columns("\u65e5\u5fd7", 6), 6);
}
END_TEST

/* The output of @out as a string. */
static void ck_assert_out_eq(struct out *out, const char *expected)
{
	out_char(out, '\0');
	ck_assert_str_eq(out->buf, expected);
}

static struct out *out_to_nowhere(void)
{
	static struct out out;

	out_init(&out, -1);
	return &out;
}

START_TEST(fields_are_as_wide_with_two_bytes_a_column_as_with_one)
{
	struct out *out = out_to_nowhere();

	if (!speaks_utf8())
		skip_test("the C library has no locale C.UTF-8");
	out_left(out, "gr\u00f6\u00dfe", 7);
	out_left(out, "\u65e5\u5fd7", 7);
	out_right(out, "\u00fc", 3);
	out_left(out, "longer", 3);
	out_right(out, "longer", 3);
	ck_assert_out_eq(out, "gr\u00f6\u00dfe  \u65e5\u5fd7     \u00fc"
			 "longerlonger");
}
END_TEST

static const struct {
	const char	*text;
	const char	*lines;		/* of ten columns, the last one ended */
} wraps[] = {
	{ "", "\n" },
	{ "ten column", "ten column\n" },
	{ "ten columns", "ten\n  columns\n" },
	{ "one.  Two  three", "one. Two\n  three\n" },
	{ "eleven chars", "eleven\n  chars\n" },
	{ "incomprehensible to us", "incomprehensible\n  to us\n" },
	{ "to incomprehensible", "to\n  incomprehensible\n" },
	{ "gr\u00f6\u00dfere W\u00f6r", "gr\u00f6\u00dfere\n  W\u00f6r\n" },
	{ "gr\u00f6\u00dfe W\u00f6rt", "gr\u00f6\u00dfe W\u00f6rt\n" },
	/* five to a line, without blanks */
	{ "\u65e5\u5fd7\u65e5\u5fd7\u65e5\u5fd7",
	  "\u65e5\u5fd7\u65e5\u5fd7\u65e5\n  \u5fd7\n" },
	/* a full stop goes with what it ends, a quotation with its mark */
	{ "\u65e5\u5fd7\u65e5\u5fd7\u65e5\u3002",
	  "\u65e5\u5fd7\u65e5\u5fd7\n  \u65e5\u3002\n" },
	{ "\u65e5\u5fd7\u65e5\u5fd7\u300c\u5fd7\u300d",
	  "\u65e5\u5fd7\u65e5\u5fd7\n  \u300c\u5fd7\u300d\n" },
	/* Latin words stay whole amid them */
	{ "\u65e5\u5fd7\u65e5ext4fs\u65e5",
	  "\u65e5\u5fd7\u65e5\n  ext4fs\u65e5\n" },
	{ "\u65e5\u5fd7 e2fsck", "\u65e5\u5fd7\n  e2fsck\n" },
};

START_TEST(lines_end_before_blanks_and_beside_wide_characters)
{
	struct out *out = out_to_nowhere();

	if (!speaks_utf8())
		skip_test("the C library has no locale C.UTF-8");
	out_wrapped(out, wraps[_i].text, 2, 10);
	ck_assert_out_eq(out, wraps[_i].lines);
}
END_TEST

static const struct column two_columns[] = {
	{ "NAME", "name", COLUMN_STRING, COLUMN_USUAL, 6, "" },
	{ "BLOCKS", "blocks", COLUMN_NUMBER, COLUMN_USUAL, 0, "" },
};

START_TEST(a_row_is_aligned_whatever_a_name_is_written_in)
{
	static const char *const names[] = { "plain", "\u65e5\u5fd7", "a\n" };
	struct out *out = out_to_nowhere();
	struct columns columns;
	struct rows rows = { .out = out, .columns = &columns };
	struct cell cells[2];

	if (!speaks_utf8())
		skip_test("the C library has no locale C.UTF-8");
	columns_init(&columns, two_columns, 2, COLUMN_USUAL);
	for (unsigned i = 0; i < 3; i++) {
		cell_text(&cells[0], names[i]);
		cell_number(&cells[1], 7);
		rows_put(&rows, cells);
	}
	ck_assert_out_eq(out, "plain       7\n"
			 "\u65e5\u5fd7        7\n"
			 "a\\x0a       7\n");
}
END_TEST

static const struct column all_kinds[] = {
	{ "TEXT", "text", COLUMN_STRING, COLUMN_USUAL, 8, "" },
	{ "NUMBER", "number", COLUMN_NUMBER, COLUMN_USUAL, 0, "" },
	{ "REAL", "real", COLUMN_REAL, COLUMN_USUAL, 0, "" },
	{ "SURE", "sure", COLUMN_BOOL, COLUMN_USUAL, 0, "" },
	{ "LAST", "last", COLUMN_STRING, COLUMN_USUAL, 9, "" },
};

#define SEVENTY "abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz " \
		"abcdefghijklmnop"
#define SEVENTY_RAW "abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_" \
		"abcdefghijklmnop"

static const struct {
	const char	*text;
	size_t		length;
	uint64_t	number;
	const char	*aligned, *raw;
} kinds[] = {
	{ "a b", 0, 0,
	  "a b           0    0.000 no   a b\n", "a_b 0 0.000 no a_b\n" },
	{ "", 0, 99999999,
	  "-        99999999 99999.999 yes  -\n",
	  "- 99999999 99999.999 yes -\n" },
	{ "12345678", 0, 100000000,
	  "12345678 100000000 100000.000 yes  12345678\n",
	  "12345678 100000000 100000.000 yes 12345678\n" },
	{ "a\0b c", 5, 1234567,
	  "a\\x00b c 1234567 1234.567 yes  a\\x00b c\n",
	  "a\\x00b_c 1234567 1234.567 yes a\\x00b_c\n" },
	{ SEVENTY, 0, UINT64_MAX,
	  SEVENTY " 18446744073709551615 18446744073709551.615 yes  " SEVENTY
	  "\n",
	  SEVENTY_RAW " 18446744073709551615 18446744073709551.615 yes "
	  SEVENTY_RAW "\n" },
};

static void put_kinds(const struct rows *rows, int i)
{
	struct cell cells[5];

	cell_name(&cells[0], kinds[i].text, kinds[i].length);
	cell_number(&cells[1], kinds[i].number);
	cell_number(&cells[2], kinds[i].number);
	cell_number(&cells[3], kinds[i].number);
	cells[4] = cells[0];
	rows_put(rows, cells);
}

START_TEST(a_row_has_one_blank_between_its_cells_or_columns)
{
	struct out *out = out_to_nowhere();
	struct columns columns;
	struct rows rows = { .out = out, .columns = &columns };

	columns_init(&columns, all_kinds, 5, COLUMN_USUAL);
	columns_fit(&columns, 1, 999999);
	columns_fit(&columns, 2, 99999999);
	put_kinds(&rows, _i);
	ck_assert_out_eq(out, kinds[_i].aligned);
	out = out_to_nowhere();
	rows.raw = true;
	put_kinds(&rows, _i);
	ck_assert_out_eq(out, kinds[_i].raw);
}
END_TEST

static void put_with_word(const struct rows *rows, const char *text)
{
	struct row_line line;
	struct row_word word;
	char *to = row_begin(&line, rows);

	row_word_make(&word, rows, 0, text);
	ck_assert_uint_ne(word.length, 0);
	to = row_word(to, &word);
	row_end(&line, row_number(&line, to, 1, 7));
}

START_TEST(a_word_made_ready_is_what_its_cell_would_be)
{
	struct out *out = out_to_nowhere();
	struct columns columns;
	struct rows rows = { .out = out, .columns = &columns };
	struct json json = { 0 };
	struct row_word word;

	columns_init(&columns, two_columns, 2, COLUMN_USUAL);
	put_with_word(&rows, "in use");
	rows.raw = true;
	put_with_word(&rows, "in use");
	ck_assert_out_eq(out, "in use      7\nin_use 7\n");
	row_word_make(&word, &rows, 0, SEVENTY);
	ck_assert_uint_eq(word.length, 0);
	row_word_make(&word, &rows, 0, "a\nb");
	ck_assert_uint_eq(word.length, 0);
	rows.json = &json;
	row_word_make(&word, &rows, 0, "in use");
	ck_assert_uint_eq(word.length, 0);
}
END_TEST

START_TEST(an_unknown_cell_is_a_dash_and_an_alarm_has_a_colour)
{
	struct out *out = out_to_nowhere();
	struct columns columns;
	struct rows rows = { .out = out, .columns = &columns };
	struct cell cells[2];

	out->color = true;
	columns_init(&columns, two_columns, 2, COLUMN_USUAL);
	cell_text(&cells[0], "bad");
	cells[0].alarm = true;
	cell_none(&cells[1]);
	rows_put(&rows, cells);
	rows.raw = true;
	rows_put(&rows, cells);
	ck_assert_out_eq(out, "\033[31mbad\033[0m         -\nbad -\n");
}
END_TEST

/* Rows fill the buffer at each of its places. */
START_TEST(rows_are_whole_where_the_buffer_ends)
{
	static struct out out;
	FILE *f = tmpfile();
	struct columns columns;
	struct rows rows = { .out = &out, .columns = &columns, .raw = true };
	char row[4096];

	ck_assert_ptr_nonnull(f);
	out_init(&out, fileno(f));
	columns_init(&columns, all_kinds, 5, COLUMN_USUAL);
	for (int i = 0; i < 20000; i++)
		put_kinds(&rows, i % 5);
	ck_assert_int_eq(out_flush(&out), 0);
	rewind(f);
	for (int i = 0; i < 20000; i++)
		ck_assert_str_eq(fgets(row, sizeof(row), f),
				 kinds[i % 5].raw);
	ck_assert_ptr_null(fgets(row, sizeof(row), f));
	fclose(f);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

TCase *text_tests(void)
{
	TCase *tc = tcase_create("text");

	tcase_add_loop_test(tc, numbers_are_decimal_or_hexadecimal, 0,
			    COUNT(numbers));
	tcase_add_loop_test(tc, what_is_not_all_number_is_refused, 0,
			    COUNT(no_numbers));
	tcase_add_test(tc, a_number_may_be_as_large_as_its_bound);
	tcase_add_loop_test(tc, sizes_count_in_powers_of_1024, 0,
			    COUNT(sizes));
	tcase_add_loop_test(tc, what_is_no_size_is_refused, 0,
			    COUNT(no_sizes));
	tcase_add_loop_test(tc, times_end_with_the_year_9999, 0, COUNT(times));
	tcase_add_test(tc, a_date_may_be_before_1970);
	tcase_add_test(tc, on_a_terminal_progress_is_a_bar);
	tcase_add_test(tc, elsewhere_progress_is_a_line);
	tcase_add_loop_test(
		tc, a_character_has_as_many_columns_as_a_terminal_gives_it, 0,
		COUNT(widths));
	tcase_add_test(tc, in_another_charset_bytes_are_columns);
	tcase_add_test(tc,
		       fields_are_as_wide_with_two_bytes_a_column_as_with_one);
	tcase_add_loop_test(
		tc, lines_end_before_blanks_and_beside_wide_characters, 0,
		COUNT(wraps));
	tcase_add_test(tc, a_row_is_aligned_whatever_a_name_is_written_in);
	tcase_add_loop_test(
		tc, a_row_has_one_blank_between_its_cells_or_columns, 0,
		COUNT(kinds));
	tcase_add_test(tc,
		       an_unknown_cell_is_a_dash_and_an_alarm_has_a_colour);
	tcase_add_test(tc, a_word_made_ready_is_what_its_cell_would_be);
	tcase_add_test(tc, rows_are_whole_where_the_buffer_ends);
	tcase_add_loop_test(tc, quiet_progress_is_nothing, 0, 2);
	tcase_add_loop_test(tc, work_of_less_than_a_second_shows_none, 0, 2);
	return tc;
}
