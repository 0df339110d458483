/* SPDX-License-Identifier: GPL-2.0-only */
/* When a modelled drive cleans its bands, which, and what that costs. */

#include "e2lazy_drive.h"
#include "image.h"
#include "modelled.h"

START_TEST(reading_cleans_nothing)
{
	struct e2lazy_params p = simple();
	struct run r = drive(&p);

	/* 4 KiB at 100 MiB/s, behind a move of 6 ms */
	ck_assert_uint_eq(request(&r, E2LAZY_OP_READ, 7 * GIB, 4 * KIB),
			  6 * MS + 39062);
	for (unsigned i = 0; i < 1000; i++) {
		request(&r, E2LAZY_OP_READ, i * 80 * MIB, 64 * KIB);
		r.t += SECOND;
	}
	ck_assert_uint_eq(settle(&r), 0);
	ck_assert_uint_eq(counters(&r)->clean_between_ns, 0);
	ck_assert_uint_eq(counters(&r)->written, 0);
	ck_assert_uint_eq(counters(&r)->touched, 0);
	e2lazy_model_free(r.model);
}
END_TEST

/* 30 MiB at 100 MiB/s are 300 ms: read and written once, or twice. */
START_TEST(static_mapping_writes_a_band_twice_and_dynamic_once)
{
	static const uint64_t times[] = {
		[E2LAZY_MAPPING_STATIC] = 900 * MS + 70 * MS,
		[E2LAZY_MAPPING_DYNAMIC] = 600 * MS + 70 * MS,
	};
	struct e2lazy_params p = simple();
	struct run r;

	p.value[E2LAZY_PARAM_MAPPING] = _i;
	p.value[E2LAZY_PARAM_CLEAN_FIXED] = 70 * MS;
	r = drive(&p);
	write_at(&r, 45 * MIB, 4 * KIB);
	ck_assert_uint_eq(settle(&r), times[_i]);
	ck_assert_uint_eq(counters(&r)->cleaned_after, 1);
	ck_assert_uint_eq(counters(&r)->read, 30 * MIB);
	ck_assert_uint_eq(counters(&r)->written, 4 * KIB +
			  (_i == E2LAZY_MAPPING_STATIC ? 60 : 30) * MIB);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(the_last_band_is_as_long_as_the_disk_has_room)
{
	struct e2lazy_params p = simple();
	struct run r;

	p.value[E2LAZY_PARAM_DISK] = 100 * MIB;
	p.value[E2LAZY_PARAM_CACHE] = 30 * MIB;
	r = drive(&p);
	write_at(&r, 100 * MIB - 4 * KIB, 4 * KIB);
	ck_assert_uint_eq(settle(&r), 300 * MS);	/* of 10 MiB */
	e2lazy_model_free(r.model);
}
END_TEST

/* Each of its tables is updated, a group after the other. */
START_TEST(updating_all_tables_dirties_the_bands_that_are_counted)
{
	static const char *const layouts[] = {
		" -i 16384", " -i 16384 -G 256", " -i 1048576",
	};
	const uint64_t blocks = 97675464;
	const struct e2lazy_band_model model = { .band_bytes = 30 * MIB };
	struct e2lazy_params p = simple();
	struct e2lazy_regions *regions;
	struct e2lazy_region at;
	struct e2lazy_bands bands;
	struct run r;

	p.value[E2LAZY_PARAM_DISK] = blocks * 4096;
	regions = regions_made(blocks, layouts[_i]);
	e2lazy_bands(regions, blocks * 4096, &model, &bands);
	r = drive(&p);
	for (size_t i = 0; i < e2lazy_regions_count(regions); i++) {
		e2lazy_regions_get(regions, i, &at);
		if (at.kind != E2LAZY_REGION_TABLES)
			continue;
		/* not in sequence, so that none of it is streamed */
		for (uint64_t to = at.length; to; ) {
			uint64_t part = to < MIB ? to : MIB;

			to -= part;
			write_at(&r, at.start + to, part);
		}
	}
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	ck_assert_uint_gt(bands.exact, 100);
	ck_assert_uint_eq(counters(&r)->touched, bands.exact);
	ck_assert_uint_eq(counters(&r)->dirty, bands.exact);
	settle(&r);
	ck_assert_uint_eq(counters(&r)->cleaned_after, bands.exact);
	e2lazy_regions_free(regions);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(a_full_cache_cleans_before_it_answers)
{
	struct e2lazy_params p = simple();
	struct run r;

	p.value[E2LAZY_PARAM_CACHE] = 30 * MIB;
	p.value[E2LAZY_PARAM_DRAM] = MIB;
	r = drive(&p);
	for (unsigned i = 0; i < 60; i++) {
		write_at(&r, i * 30 * MIB, 512 * KIB);
		request(&r, E2LAZY_OP_FLUSH, 0, 0);
	}
	ck_assert(!counters(&r)->full);
	ck_assert_uint_eq(counters(&r)->fill, 30 * MIB);
	write_at(&r, 2 * GIB, 512 * KIB);
	/* one band, and the write itself: its own move and 5 ms */
	ck_assert_uint_eq(request(&r, E2LAZY_OP_FLUSH, 0, 0),
			  900 * MS + 6 * MS + 5 * MS);
	ck_assert(counters(&r)->full);
	ck_assert_uint_eq(counters(&r)->cleaned_full, 1);
	ck_assert_uint_eq(counters(&r)->clean_full_ns, 900 * MS);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(a_full_map_cleans_although_the_cache_is_empty)
{
	struct e2lazy_params p = simple();
	struct run r;

	p.value[E2LAZY_PARAM_ENTRIES] = 100;
	p.value[E2LAZY_PARAM_CLEAN] = E2LAZY_CLEAN_THRESHOLD;
	p.value[E2LAZY_PARAM_THRESHOLD] = 100;
	r = drive(&p);
	for (unsigned i = 0; i < 200; i++) {
		write_at(&r, i * 30 * MIB, 4 * KIB);
		request(&r, E2LAZY_OP_FLUSH, 0, 0);
	}
	ck_assert(counters(&r)->full);
	ck_assert_uint_le(counters(&r)->entries_most, 100);
	ck_assert_uint_ge(counters(&r)->cleaned_full, 100);
	ck_assert_uint_lt(counters(&r)->fill_most, 10 * MIB);
	e2lazy_model_free(r.model);
}
END_TEST

/* Band 0 is the oldest, band 1 has most in the cache. */
START_TEST(fifo_takes_the_oldest_band_and_greedy_the_fullest)
{
	struct e2lazy_params p = simple();
	struct run r;

	p.value[E2LAZY_PARAM_CACHE] = 30 * MIB;
	p.value[E2LAZY_PARAM_ORDER] = _i;
	r = drive(&p);
	for (unsigned i = 0; i < 60; i++) {
		write_at(&r, (i == 0 || i == 59 ? 0 : 30 * MIB) +
			 (59 - i) * 512 * KIB, 512 * KIB);
		request(&r, E2LAZY_OP_FLUSH, 0, 0);
	}
	write_at(&r, GIB, 512 * KIB);
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	ck_assert_uint_eq(counters(&r)->cleaned_full, 1);
	ck_assert_uint_eq(counters(&r)->fill,
			  _i == E2LAZY_ORDER_FIFO ? 59 * 512 * KIB :
						    3 * 512 * KIB);
	e2lazy_model_free(r.model);
}
END_TEST

/* Ten dirty bands, each 0.9 s to clean, and a minute of quiet. */
START_TEST(policies_differ_in_when_they_clean)
{
	static const struct { uint64_t pause, between, after; } all[] = {
		[E2LAZY_CLEAN_AGGRESSIVE] = { 1000, 2, 8 },
		[E2LAZY_CLEAN_IDLE] = { 3000, 2, 8 },
		[E2LAZY_CLEAN_THRESHOLD] = { 60000, 0, 0 },
	};
	struct e2lazy_params p = simple();
	struct run r;

	p.value[E2LAZY_PARAM_CLEAN] = _i;
	p.value[E2LAZY_PARAM_IDLE] = 2000 * MS;
	r = drive(&p);
	for (unsigned i = 0; i < 10; i++)
		write_at(&r, i * GIB, 4 * KIB);
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	r.t += all[_i].pause * MS;
	/* idle cleaning counts from the request, 60 ms before */
	request(&r, E2LAZY_OP_READ, 90 * GIB, 4 * KIB);
	ck_assert_uint_eq(counters(&r)->cleaned_between, all[_i].between);
	settle(&r);
	ck_assert_uint_eq(counters(&r)->cleaned_after, all[_i].after);
	ck_assert_uint_eq(counters(&r)->touched, 10);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(a_request_waits_for_the_cleaning_that_has_begun)
{
	struct e2lazy_params p = simple();
	struct run r;

	p.value[E2LAZY_PARAM_CLEAN] = E2LAZY_CLEAN_AGGRESSIVE;
	r = drive(&p);
	write_at(&r, 0, 4 * KIB);
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	r.t += 100 * MS;
	/* 800 ms are left, then a move and 40 us */
	ck_assert_uint_eq(request(&r, E2LAZY_OP_READ, 90 * GIB, 4 * KIB),
			  800 * MS + 6 * MS + 39062);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(what_is_discarded_is_not_cleaned)
{
	struct e2lazy_params p = simple();
	struct run r = drive(&p);

	write_at(&r, 0, 4 * KIB);
	write_at(&r, GIB, 4 * KIB);
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	request(&r, E2LAZY_OP_DISCARD, 0, 30 * MIB);
	settle(&r);
	ck_assert_uint_eq(counters(&r)->cleaned_after, 1);
	e2lazy_model_free(r.model);
}
END_TEST

TCase *cleaning_tests(void)
{
	TCase *tc = tcase_create("cleaning");

	tcase_add_test(tc, reading_cleans_nothing);
	tcase_add_loop_test(tc,
		static_mapping_writes_a_band_twice_and_dynamic_once, 0, 2);
	tcase_add_test(tc, the_last_band_is_as_long_as_the_disk_has_room);
	tcase_add_loop_test(tc,
		updating_all_tables_dirties_the_bands_that_are_counted, 0, 3);
	tcase_add_test(tc, a_full_cache_cleans_before_it_answers);
	tcase_add_test(tc, a_full_map_cleans_although_the_cache_is_empty);
	tcase_add_loop_test(tc,
		fifo_takes_the_oldest_band_and_greedy_the_fullest, 0, 2);
	tcase_add_loop_test(tc, policies_differ_in_when_they_clean, 0, 3);
	tcase_add_test(tc, a_request_waits_for_the_cleaning_that_has_begun);
	tcase_add_test(tc, what_is_discarded_is_not_cleaned);
	return tc;
}
