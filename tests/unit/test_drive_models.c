/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of drive models: its language, its matching, and itself. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/models.h"
#include "drive_tree.h"

static errcode_t open_text(const char *text, struct models **models,
			   unsigned *line)
{
	struct fixture *f = new_fixture();
	FILE *file = fopen(f->image, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
	return models_open(f->image, models, line);
}

static struct models *list_of(const char *text)
{
	struct models *models;
	unsigned line = 99;

	ck_assert_int_eq(open_text(text, &models, &line), 0);
	ck_assert_uint_eq(line, 0);
	return models;
}

START_TEST(a_line_has_five_fields_and_the_last_may_have_spaces)
{
	struct models *models = list_of(
		"# a comment\n"
		"\n"
		"  \t \n"
		"  # another\n"
		"dm 98\tpaper/x   band=30M,stream=190M   ST8000 AS[0-9]  \n"
		"cmr 1 vendor - ST8000 AS7\r\n"
		"\r\n");
	struct model_facts facts;

	models_match(models, "ATA", "ST8000 AS7", &facts);
	ck_assert_uint_eq(facts.match[MODEL_DEVICE_MANAGED].confidence, 98);
	ck_assert_str_eq(facts.match[MODEL_DEVICE_MANAGED].source, "paper/x");
	ck_assert_uint_eq(facts.match[MODEL_CONVENTIONAL].confidence, 1);
	ck_assert_str_eq(facts.match[MODEL_CONVENTIONAL].source, "vendor");
	ck_assert_uint_eq(facts.band, 30 << 20);
	ck_assert_uint_eq(facts.stream, 190 << 20);
	models_match(models, "ATA", "ST8000AS7", &facts);
	ck_assert_uint_eq(facts.match[MODEL_DEVICE_MANAGED].confidence, 0);
	ck_assert_uint_eq(facts.band, 0);
	models_close(models);
}
END_TEST

static const char *const bad_lines[] = {
	"smr 90 vendor - X",
	"dm 0 vendor - X",
	"dm 101 vendor - X",
	"dm +5 vendor - X",
	"dm 9x vendor - X",
	"dm 90 hearsay - X",
	"dm 90 vendor band=1023K X",
	"dm 90 vendor stream=1 X",
	"dm 90 vendors/x - X",
	"dm 90 vendor/0123456789012345678901234567890123456789012345 - X",
	"dm 90 vendor band=30 ",
	"dm 90 vendor band=0 X",
	"dm 90 vendor band=-1 X",
	"dm 90 vendor band=30T X",
	"dm 90 vendor band=30MiB X",
	"dm 90 vendor band=1048577 X",
	"dm 90 vendor cache=25G X",
	"dm 90 fitted - X",
	"sim 90 vendor - X",
	"sim 90 vendor band=30 X",
	"sim 90 vendor kind=cmr X",
	"sim 90 hearsay band=30M X",
	"dm 90 vendor - ST(8000",
	"dm 90 vendor - [a-",
	"dm 90 vendor",
	"dm",
};

START_TEST(a_bad_line_is_named)
{
	struct models *models;
	unsigned line = 0;
	char text[512];

	snprintf(text, sizeof(text), "# one\ndm 90 vendor - Y\n%s\ncmr\n",
		 bad_lines[_i]);
	ck_assert_int_eq(open_text(text, &models, &line),
			 E2LAZY_ET_DRIVE_LIST);
	ck_assert_uint_eq(line, 3);
}
END_TEST

START_TEST(a_line_without_end_or_with_nuls_is_bad)
{
	struct fixture *f = new_fixture();
	struct models *models;
	unsigned line = 0;

	shell(f, "printf 'dm 90 vendor - %%0600d' 0 >%s");
	ck_assert_int_eq(models_open(f->image, &models, &line),
			 E2LAZY_ET_DRIVE_LIST);
	ck_assert_uint_eq(line, 1);
	shell(f, "printf '\\ndm 90 vendor - ST\\0\\n' >%s");
	ck_assert_int_eq(models_open(f->image, &models, &line),
			 E2LAZY_ET_DRIVE_LIST);
	ck_assert_uint_eq(line, 2);
}
END_TEST

START_TEST(a_list_that_cannot_be_read_is_an_error_without_a_line)
{
	struct fixture *f = new_fixture();
	struct e2lazy_drive_opts opts = { .models = f->image };
	struct e2lazy_drive drive;
	unsigned line = 9;

	errno = 0;
	ck_assert_int_eq(e2lazy_drive_probe("/dev/null", &opts, &drive, &line),
			 E2LAZY_ET_DRIVE_LIST);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_uint_eq(line, 0);
	opts.models = f->dir;
	line = 9;
	ck_assert_int_eq(e2lazy_drive_probe("/dev/null", &opts, &drive, &line),
			 E2LAZY_ET_DRIVE_LIST);
	ck_assert_int_eq(errno, EISDIR);
	ck_assert_uint_eq(line, 0);
}
END_TEST

START_TEST(users_lists_are_hints_whatever_they_are_sure_of)
{
	struct models *models = list_of("dm 100 community/x - A\n"
					"hm 100 community/x - B\n"
					"cmr 70 community/x - A\n");
	struct model_facts facts;

	models_match(models, "", "A", &facts);
	ck_assert_uint_eq(facts.match[MODEL_DEVICE_MANAGED].confidence, 0);
	ck_assert_uint_eq(facts.match[MODEL_RUMOURED].confidence, 100);
	ck_assert_uint_eq(facts.match[MODEL_CONVENTIONAL].confidence, 70);
	models_match(models, "", "B", &facts);
	ck_assert_uint_eq(facts.match[MODEL_HOST_MANAGED].confidence, 0);
	ck_assert_uint_eq(facts.match[MODEL_RUMOURED].confidence, 100);
	models_close(models);
}
END_TEST

START_TEST(the_surest_line_of_a_class_counts)
{
	struct models *models = list_of("dm 50 drivedb/a - ST\n"
					"dm 90 vendor/b band=1M ST8\n"
					"dm 70 paper/c band=2M ST\n");
	struct model_facts facts;

	models_match(models, "", "ST8000", &facts);
	ck_assert_uint_eq(facts.match[MODEL_DEVICE_MANAGED].confidence, 90);
	ck_assert_str_eq(facts.match[MODEL_DEVICE_MANAGED].source, "vendor/b");
	ck_assert_uint_eq(facts.band, 1 << 20);
	models_close(models);
}
END_TEST

START_TEST(a_pattern_begins_where_the_model_or_the_vendor_does)
{
	struct models *models = list_of("dm 90 vendor - WDC WD40|X1\n");
	struct model_facts facts;
	static const struct {
		const char *vendor, *model;
		bool matches;
	} cases[] = {
		{ "ATA", "WDC WD40EFAX", true },
		{ "WDC", "WD40NMZW-11GX6", true },
		{ "ATA", "OLD WDC WD40", false },
		{ "ATA", "WD40", false },
		{ "ATA", "X1", true },
		{ "ATA", "Y X1", false },	/* both, not just the first */
		{ "", "", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		models_match(models, cases[i].vendor, cases[i].model, &facts);
		ck_assert_msg(!!facts.match[MODEL_DEVICE_MANAGED].confidence ==
			      cases[i].matches, "%s %s", cases[i].vendor,
			      cases[i].model);
	}
	models_close(models);
}
END_TEST

/* The list that is installed, and models as INQUIRY gives them. */
static const struct {
	const char	*vendor, *model;
	enum model_kind	kind;
} known[] = {
	{ "ATA", "ST8000AS0002-1NA", MODEL_DEVICE_MANAGED },
	{ "ATA", "ST8000DM004-2CX1", MODEL_DEVICE_MANAGED },
	{ "ATA", "WDC WD40EFAX-68J", MODEL_DEVICE_MANAGED },
	{ "ATA", "WDC WD20EZBX-00A", MODEL_DEVICE_MANAGED },
	{ "ATA", "TOSHIBA MQ04UBB4", MODEL_DEVICE_MANAGED },
	{ "ATA", "TOSHIBA MQ04ABF1", MODEL_DEVICE_MANAGED },
	{ "ATA", "TOSHIBA DT02ABA4", MODEL_DEVICE_MANAGED },
	{ "ATA", "TOSHIBA HDWD240", MODEL_DEVICE_MANAGED },
	{ "ATA", "TOSHIBA HDWL120", MODEL_DEVICE_MANAGED },
	{ "WDC", "WD40NMZW-11GX6S1", MODEL_DEVICE_MANAGED },
	{ "ATA", "ST1000LM035-1RK1", MODEL_RUMOURED },
	{ "ATA", "WDC WD10SPWX-24S", MODEL_RUMOURED },
	{ "ATA", "ST4000DM000-1F21", MODEL_CONVENTIONAL },
	{ "ATA", "WDC WD40EFRX-68N", MODEL_CONVENTIONAL },
	{ "ATA", "ST4000VN006-3CW1", MODEL_CONVENTIONAL },
	{ "ATA", "HGST HSH721415AL", MODEL_HOST_MANAGED },
	{ "ATA", "WDC  WSH722020AL", MODEL_HOST_MANAGED },
	{ "ATA", "ST8000AS0022-1WL", MODEL_HOST_AWARE },
	{ "ATA", "QEMU HARDDISK", MODEL_VIRTUAL },
	{ "QEMU", "QEMU HARDDISK", MODEL_VIRTUAL },
	{ "VMware,", "VMware Virtual S", MODEL_VIRTUAL },
	{ "VMware", "Virtual disk", MODEL_VIRTUAL },
	{ "Msft", "Virtual Disk", MODEL_VIRTUAL },
	{ "ATA", "WDC WD80EFAX-68L", NR_MODEL_KINDS },
	{ "ATA", "ST8000NM0055-1RM", NR_MODEL_KINDS },
	{ "ATA", "WDC WD10EZEX-08W", NR_MODEL_KINDS },
	{ "", "Samsung SSD 980 1TB", NR_MODEL_KINDS },
};

START_TEST(the_installed_list_knows_its_drives_and_no_others)
{
	char *path = shipped_list();
	struct models *models;
	unsigned line = 0;

	ck_assert_int_eq(models_open(path, &models, &line), 0);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct model_facts facts;
		unsigned best = NR_MODEL_KINDS, sure = 0;

		models_match(models, known[i].vendor, known[i].model, &facts);
		for (unsigned k = 0; k < NR_MODEL_KINDS; k++)
			if (facts.match[k].confidence > sure) {
				sure = facts.match[k].confidence;
				best = k;
			}
		ck_assert_msg(best == known[i].kind, "%s: %u", known[i].model,
			      best);
	}
	models_close(models);
	free(path);
}
END_TEST

TCase *drive_models_tests(void)
{
	TCase *tc = tcase_create("drive: the list of models");

	tcase_add_test(tc,
		       a_line_has_five_fields_and_the_last_may_have_spaces);
	tcase_add_loop_test(tc, a_bad_line_is_named, 0,
			    sizeof(bad_lines) / sizeof(*bad_lines));
	tcase_add_test(tc, a_line_without_end_or_with_nuls_is_bad);
	tcase_add_test(tc,
		       a_list_that_cannot_be_read_is_an_error_without_a_line);
	tcase_add_test(tc, users_lists_are_hints_whatever_they_are_sure_of);
	tcase_add_test(tc, the_surest_line_of_a_class_counts);
	tcase_add_test(tc, a_pattern_begins_where_the_model_or_the_vendor_does);
	tcase_add_test(tc, the_installed_list_knows_its_drives_and_no_others);
	return tc;
}
