/* SPDX-License-Identifier: GPL-2.0-only */
/* The streaming threshold of a modelled drive, found from outside. */

#include <stdio.h>
#include <stdlib.h>

#include "e2lazy_drive.h"
#include "modelled.h"

static errcode_t write_run(void *priv, uint64_t offset, uint64_t bytes)
{
	struct run *r = priv;

	write_long(r, offset, bytes);
	request(r, E2LAZY_OP_FLUSH, 0, 0);
	return 0;
}

/* In memory: some reads are much slower than others, and none is slow. */
static errcode_t write_nothing(void *priv, uint64_t offset, uint64_t bytes)
{
	(void)priv;
	(void)offset;
	(void)bytes;
	return 0;
}

static errcode_t read_unsteadily(void *priv, uint64_t offset, uint64_t *ns)
{
	unsigned *count = priv;

	(void)offset;
	*ns = ++*count % 20 < 9 ? 10000 : 100000;
	return 0;
}

START_TEST(a_memory_has_no_arm_whose_moves_tell)
{
	unsigned count = 0;
	const struct e2lazy_streaming_ops ops = {
		.write = write_nothing, .read = read_unsteadily,
		.priv = &count, .bytes = 8 * GIB,
	};
	struct e2lazy_streaming found;

	ck_assert_int_eq(e2lazy_drive_streaming(&ops, &found), 0);
	ck_assert(!found.cached);
}
END_TEST

static errcode_t read_block(void *priv, uint64_t offset, uint64_t *ns)
{
	*ns = request(priv, E2LAZY_OP_READ, offset, 4096);
	return 0;
}

/* A drive of the list, with another threshold unless @least is 0. */
static struct e2lazy_streaming probed(const char *name, uint64_t least)
{
	char list[4096];
	struct e2lazy_streaming_ops ops = {
		.write = write_run, .read = read_block,
	};
	struct e2lazy_streaming found;
	struct e2lazy_params p;
	struct run r;

	snprintf(list, sizeof(list), "%s/../../misc/data/mke2lazy-drives",
		 getenv("FIXTURES"));
	ck_assert_int_eq(e2lazy_drive_params(list, name, &p, NULL), 0);
	if (least)
		p.value[E2LAZY_PARAM_STREAM] = least;
	r = drive(&p);
	ops.priv = &r;
	ops.bytes = p.value[E2LAZY_PARAM_DISK];
	ck_assert_int_eq(e2lazy_drive_streaming(&ops, &found), 0);
	e2lazy_model_free(r.model);
	return found;
}

START_TEST(each_threshold_is_found_from_the_time_of_reads_alone)
{
	static const unsigned mib[] = { 2, 3, 5, 8, 13, 16, 32, 63, 64 };

	for (size_t i = 0; i < sizeof(mib) / sizeof(*mib); i++) {
		struct e2lazy_streaming found = probed("ST8000AS0002",
						       mib[i] * MIB);

		ck_assert(found.cached);
		ck_assert_uint_eq(found.least, mib[i] * MIB);
	}
}
END_TEST

START_TEST(a_drive_that_streams_nothing_so_short_has_no_threshold)
{
	struct e2lazy_streaming found = probed("ST8000AS0002", 100 * MIB);

	ck_assert(found.cached);
	ck_assert_uint_eq(found.least, 0);
}
END_TEST

START_TEST(a_conventional_drive_has_no_cache_elsewhere)
{
	struct e2lazy_streaming found = probed("conventional", 0);

	ck_assert(!found.cached);
	ck_assert_uint_eq(found.least, 0);
}
END_TEST

TCase *streaming_tests(void)
{
	TCase *tc = tcase_create("streaming");

	tcase_add_test(tc,
		       each_threshold_is_found_from_the_time_of_reads_alone);
	tcase_add_test(tc,
		       a_drive_that_streams_nothing_so_short_has_no_threshold);
	tcase_add_test(tc, a_conventional_drive_has_no_cache_elsewhere);
	tcase_add_test(tc, a_memory_has_no_arm_whose_moves_tell);
	return tc;
}
