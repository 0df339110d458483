/* SPDX-License-Identifier: GPL-2.0-only */
/* Parameters of a modelled drive: KEY=VALUE, the list, and their sources. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2lazy_model.h"
#include "fixture.h"

#define MIB		((uint64_t)1 << 20)

static bool set(struct e2lazy_params *p, const char *text)
{
	return e2lazy_params_set(p, text, E2LAZY_ORIGIN_GIVEN, "--set");
}

START_TEST(a_parameter_is_set_by_its_key)
{
	struct e2lazy_params p;

	e2lazy_params_default(&p);
	ck_assert_uint_eq(p.origin[E2LAZY_PARAM_BAND], E2LAZY_ORIGIN_ASSUMED);
	ck_assert(set(&p, "band=36M"));
	ck_assert(set(&p, "clean-fixed=250ms"));
	ck_assert(set(&p, "mapping=dynamic"));
	ck_assert(set(&p, "idle=0"));
	ck_assert(set(&p, "runs=8"));
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_BAND], 36 * MIB);
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_CLEAN_FIXED], 250000000);
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_MAPPING],
			  E2LAZY_MAPPING_DYNAMIC);
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_IDLE], 0);
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_RUNS], 8);
	ck_assert_uint_eq(p.origin[E2LAZY_PARAM_BAND], E2LAZY_ORIGIN_GIVEN);
	ck_assert_str_eq(p.source[E2LAZY_PARAM_BAND], "--set");
}
END_TEST

static const char *const slips[] = {
	"", "=", "band", "band=", "band=30", "band=0", "band=-1M", "band=30m",
	"band=30MiB", "bands=30M", "ban=30M", "band=99999999999999999999M",
	"band=20000000T", "clean-fixed=5", "clean-fixed=2h", "runs=0",
	"runs=8K", "runs=1025", "mapping=", "mapping=2", "torn=2", "torn=1s",
	" band=30M", "band =30M", "band= 30M",
};

START_TEST(a_slip_changes_nothing)
{
	struct e2lazy_params p, before;

	e2lazy_params_default(&p);
	before = p;
	ck_assert_msg(!set(&p, slips[_i]), "%s", slips[_i]);
	ck_assert_mem_eq(&p, &before, sizeof(p));
}
END_TEST

START_TEST(each_usual_value_is_within_its_bounds)
{
	for (unsigned i = 0; i < E2LAZY_NR_PARAMS; i++) {
		const struct e2lazy_param_info *info = e2lazy_param_info(i);

		ck_assert_ptr_nonnull(info->key);
		ck_assert_ptr_nonnull(info->help);
		ck_assert(info->usual ? info->usual >= info->least &&
					info->usual <= info->most :
					info->zero);
		for (unsigned j = 0; j < i; j++)
			ck_assert_str_ne(info->key, e2lazy_param_info(j)->key);
	}
	ck_assert_ptr_null(e2lazy_param_info(E2LAZY_NR_PARAMS));
}
END_TEST

static errcode_t from_list(const char *text, const char *model,
			   struct e2lazy_params *p, unsigned *line)
{
	struct fixture *f = new_fixture();
	FILE *file = fopen(f->image, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
	return e2lazy_drive_params(f->image, model, p, line);
}

START_TEST(of_each_parameter_the_first_line_that_matches_counts)
{
	struct e2lazy_params p;
	unsigned line = 9;

	ck_assert_int_eq(from_list("dm 98 paper/a band=99M,stream=7M AB1\n"
				   "sim 98 paper/a band=20M,cache=1G AB1\n"
				   "sim 50 fitted/b band=21M,runs=5 AB[0-9]\n"
				   "sim 50 assumed dram=2M,runs=6 AB\n"
				   "sim 50 assumed rpm=61 CD\n",
				   "AB1", &p, &line), 0);
	ck_assert_uint_eq(line, 0);
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_BAND], 20 * MIB);
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_RUNS], 5);
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_DRAM], 2 * MIB);
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_RPM], 5980);
	ck_assert_uint_eq(p.origin[E2LAZY_PARAM_BAND],
			  E2LAZY_ORIGIN_PUBLISHED);
	ck_assert_str_eq(p.source[E2LAZY_PARAM_BAND], "paper/a");
	ck_assert_uint_eq(p.origin[E2LAZY_PARAM_RUNS], E2LAZY_ORIGIN_FITTED);
	ck_assert_str_eq(p.source[E2LAZY_PARAM_RUNS], "fitted/b");
	ck_assert_uint_eq(p.origin[E2LAZY_PARAM_DRAM], E2LAZY_ORIGIN_ASSUMED);
	ck_assert_uint_eq(p.origin[E2LAZY_PARAM_RPM], E2LAZY_ORIGIN_ASSUMED);
}
END_TEST

START_TEST(a_size_has_64_bits_on_each_machine)
{
	struct e2lazy_params p;
	unsigned line;

	ck_assert_int_eq(from_list("sim 98 paper/a disk=8001563222016 AB1\n",
				   "AB1", &p, &line), 0);
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_DISK], 8001563222016);
}
END_TEST

START_TEST(a_drive_that_the_list_does_not_model_is_not_there)
{
	struct e2lazy_params p;
	unsigned line = 9;

	ck_assert_int_eq(from_list("dm 98 paper/a band=99M AB1\n", "AB1", &p,
				   &line), ENOENT);
	ck_assert_int_eq(from_list("sim 98 paper/a band=9M AB1\n\nsim x\n",
				   "AB1", &p, &line), E2LAZY_ET_DRIVE_LIST);
	ck_assert_uint_eq(line, 3);
}
END_TEST

/* The drives of the papers are in our own list, and can all be. */
static const struct { const char *name; unsigned kind; } drives[] = {
	{ "ST8000AS0002", E2LAZY_MODEL_SHINGLED },
	{ "ST5000AS0011", E2LAZY_MODEL_SHINGLED },
	{ "ST4000LM016", E2LAZY_MODEL_SHINGLED },
	{ "WD40NMZW", E2LAZY_MODEL_SHINGLED },
	{ "WDC WD5000YS-01MPB0", E2LAZY_MODEL_CONVENTIONAL },
	{ "conventional", E2LAZY_MODEL_CONVENTIONAL },
	{ "dm-zoned", E2LAZY_MODEL_SHINGLED },
	{ "zone-cache", E2LAZY_MODEL_ZONE_CACHE },
};
#define NR_DRIVES (sizeof(drives) / sizeof(*drives))

START_TEST(the_list_models_these_drives)
{
	struct e2lazy_model *model;
	struct e2lazy_params p;
	char list[512];

	snprintf(list, sizeof(list), "%s/misc/data/mke2lazy-drives",
		 getenv("SRCDIR"));
	ck_assert_int_eq(e2lazy_drive_params(list, drives[_i].name, &p, NULL),
			 0);
	ck_assert_uint_eq(p.value[E2LAZY_PARAM_KIND], drives[_i].kind);
	ck_assert_int_eq(e2lazy_model_new(&p, &model), 0);
	e2lazy_model_free(model);
}
END_TEST

TCase *params_tests(void)
{
	TCase *tc = tcase_create("params");

	tcase_add_test(tc, a_parameter_is_set_by_its_key);
	tcase_add_loop_test(tc, a_slip_changes_nothing, 0,
			    sizeof(slips) / sizeof(*slips));
	tcase_add_test(tc, each_usual_value_is_within_its_bounds);
	tcase_add_test(tc,
		       of_each_parameter_the_first_line_that_matches_counts);
	tcase_add_test(tc, a_size_has_64_bits_on_each_machine);
	tcase_add_test(tc, a_drive_that_the_list_does_not_model_is_not_there);
	tcase_add_loop_test(tc, the_list_models_these_drives, 0,
			    NR_DRIVES);
	return tc;
}
