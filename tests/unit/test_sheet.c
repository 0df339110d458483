/* SPDX-License-Identifier: GPL-2.0-only */
/* A sheet says a fact once: to scripts by its key, to people in rows. */

#include <string.h>

#include "fixture.h"
#include "support/nls.h"
#include "support/sheet.h"

static struct out out;

static const struct sheet_row rows[] = {
	{ NULL, "Plan", "" },
	{ "writes", "%llu blocks (%s)", "blocks bytes" },
	{ "left out", "%llu", "?skipped skipped" },
	{ "nothing left out", "all %llu of 100%%", "!skipped blocks" },
	{ "speed", "%.1f", "drive.rate" },
	{ "names", "%s", "names" },
	{ "", "%s", ".remark" },
	{ NULL, "Later", "?later" },
	{ "never", "%llu", "blocks" },
	{ 0 }
};

static const struct sheet_row forms[] = {
	{ "writes", PN_("%llu block (%s)", "%llu blocks (%s)"),
	  "#blocks bytes" },
	{ "holds", PN_("%s, in %llu place", "%s, in %llu places"),
	  "bytes #places" },
	{ 0 }
};

static const char *const names[] = { "a", "b" };

static void fill(struct sheet *sheet, uint64_t skipped, bool absent)
{
	sheet_section(sheet, "plan", JSON_INLINE);
	sheet_u64(sheet, "blocks", 12);
	sheet_u64(sheet, "bytes", 4096);
	sheet_u64(sheet, "skipped", skipped);
	sheet_absent(sheet, absent);
	sheet_group(sheet, "drive");
	sheet_real(sheet, "rate", 1.5);
	sheet_group_end(sheet);
	sheet_absent(sheet, false);
	sheet_words(sheet, "names", names, 2);
	sheet_text(sheet, ".remark", "for people");
	sheet_known(sheet, "later", 0);
	sheet_end(sheet, rows);
	out.buf[out.used] = '\0';
}

static const char *as_text(uint64_t skipped, bool absent)
{
	struct sheet sheet;

	out_init(&out, -1);
	sheet_init(&sheet, &out, NULL);
	fill(&sheet, skipped, absent);
	return (const char *)out.buf;
}

static const char *as_json(uint64_t skipped, bool absent)
{
	struct sheet sheet;
	struct json json;

	out_init(&out, -1);
	json_init(&json, &out);
	json_object(&json, NULL, JSON_INLINE);
	sheet_init(&sheet, &out, &json);
	fill(&sheet, skipped, absent);
	return (const char *)out.buf;
}

START_TEST(people_read_the_rows_whose_facts_are_known)
{
	const char *text = as_text(3, false);

	ck_assert_ptr_nonnull(strstr(text, "Plan"));
	ck_assert_ptr_nonnull(strstr(text, "  writes            12 blocks "
				     "(4 KiB)\n"));
	ck_assert_ptr_nonnull(strstr(text, "  left out          3\n"));
	ck_assert_ptr_null(strstr(text, "nothing left out"));
	ck_assert_ptr_nonnull(strstr(text, "  speed             1.5\n"));
	ck_assert_ptr_nonnull(strstr(text, "  names             a b\n"
				     "                    for people\n"));
	text = as_text(0, true);
	ck_assert_ptr_null(strstr(text, "  left out"));
	ck_assert_ptr_nonnull(strstr(text, "  nothing left out  all 12 of "
				     "100%\n"));
	ck_assert_ptr_null(strstr(text, "speed"));
}
END_TEST

START_TEST(the_marked_number_chooses_singular_or_plural)
{
	struct sheet sheet;

	for (unsigned one = 0; one < 2; one++) {
		out_init(&out, -1);
		sheet_init(&sheet, &out, NULL);
		sheet_section(&sheet, "plan", JSON_INLINE);
		sheet_u64(&sheet, "blocks", one ? 1 : 2);
		sheet_u64(&sheet, "bytes", 1024);
		sheet_u64(&sheet, "places", one ? 2 : 1);
		sheet_end(&sheet, forms);
		out.buf[out.used] = '\0';
		ck_assert_str_eq((const char *)out.buf, one ?
			"  writes            1 block (1 KiB)\n"
			"  holds             1 KiB, in 2 places\n" :
			"  writes            2 blocks (1 KiB)\n"
			"  holds             1 KiB, in 1 place\n");
	}
}
END_TEST

START_TEST(without_its_heading_a_part_is_left_out)
{
	const char *text = as_text(0, false);

	ck_assert_ptr_null(strstr(text, "Later"));
	ck_assert_ptr_null(strstr(text, "never"));
}
END_TEST

START_TEST(scripts_read_each_fact_once)
{
	ck_assert_str_eq(as_json(3, false),
		"{\"plan\":{\"blocks\":12,\"bytes\":4096,\"skipped\":3,"
		"\"drive\":{\"rate\":1.500},\"names\":[\"a\",\"b\"],"
		"\"later\":null}");
	/* an unknown fact is null */
	ck_assert_ptr_nonnull(strstr(as_json(3, true), "\"rate\":null"));
}
END_TEST

/* The list of facts is NULL then: the undefined-behaviour sanitizer looks on. */
START_TEST(a_section_without_facts_has_no_rows)
{
	struct sheet sheet;

	out_init(&out, -1);
	sheet_init(&sheet, &out, NULL);
	sheet_section(&sheet, "plan", JSON_INLINE);
	sheet_end(&sheet, forms);
	ck_assert_uint_eq(out.used, 0);
}
END_TEST

/* Room for them grows: none gives way to another. */
START_TEST(no_fact_is_lost_however_many_there_are)
{
	static const struct sheet_row one[] = {
		{ "first", "%llu", "n0" }, { "last", "%llu", "n299" }, { 0 },
	};
	struct sheet sheet;
	char key[8];

	out_init(&out, -1);
	sheet_init(&sheet, &out, NULL);
	sheet_section(&sheet, "many", JSON_INLINE);
	for (unsigned i = 0; i < 300; i++) {
		snprintf(key, sizeof(key), "n%u", i);
		sheet_u64(&sheet, key, i);
	}
	sheet_end(&sheet, one);
	out.buf[out.used] = '\0';
	ck_assert_str_eq((const char *)out.buf, "  first             0\n"
			 "  last              299\n");
}
END_TEST

TCase *sheet_tests(void)
{
	TCase *tc = tcase_create("sheet");

	tcase_add_test(tc, people_read_the_rows_whose_facts_are_known);
	tcase_add_test(tc, without_its_heading_a_part_is_left_out);
	tcase_add_test(tc, the_marked_number_chooses_singular_or_plural);
	tcase_add_test(tc, scripts_read_each_fact_once);
	tcase_add_test(tc, a_section_without_facts_has_no_rows);
	tcase_add_test(tc, no_fact_is_lost_however_many_there_are);
	return tc;
}
