/* SPDX-License-Identifier: GPL-2.0-only */
/* The model of a shingled drive: its cache, its streams, its memory. */

#include <string.h>

#include "modelled.h"

/* ------------------------------------------------------------ streaming */

/*
 * Test 1 of the paper, from outside: write S bytes at one place and pause, with
 * S 1 MiB smaller each time, until a write goes to the cache.
 */
static uint64_t test_1(uint64_t threshold)
{
	struct e2lazy_params p = simple();
	uint64_t size = 80 * MIB;
	struct run r;

	p.value[E2LAZY_PARAM_STREAM] = threshold;
	p.value[E2LAZY_PARAM_TORN] = 0;
	r = drive(&p);
	while (size) {
		uint64_t cached = counters(&r)->cached;

		write_long(&r, 3 * GIB, size);
		r.t += 10 * SECOND;
		request(&r, E2LAZY_OP_FLUSH, 0, 0);
		if (counters(&r)->cached != cached)
			break;
		size -= MIB;
	}
	e2lazy_model_free(r.model);
	return size + MIB;
}

START_TEST(test_1_of_the_paper_finds_the_streaming_threshold)
{
	uint64_t threshold = (uint64_t)(_i + 1) * MIB;

	ck_assert_uint_eq(test_1(threshold), threshold);
}
END_TEST

START_TEST(a_small_write_in_mid_stream_goes_to_the_cache_and_ends_no_stream)
{
	struct e2lazy_params p = simple();
	struct run r = drive(&p);

	write_long(&r, 0, 30 * MIB);
	write_at(&r, 50 * GIB, 4 * KIB);
	write_long(&r, 30 * MIB, 30 * MIB);
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	ck_assert_uint_eq(counters(&r)->streamed, 60 * MIB);
	ck_assert_uint_eq(counters(&r)->cached, 4 * KIB);
	ck_assert_uint_eq(counters(&r)->dirty, 1);
	/* there, and back; the first write finds the head at the cache */
	ck_assert_uint_eq(counters(&r)->seeks, 2);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(as_many_streams_are_told_apart_as_there_are_runs)
{
	struct e2lazy_params p = simple();
	uint64_t streamed[2];

	for (int more = 0; more < 2; more++) {
		struct run r;

		p.value[E2LAZY_PARAM_RUNS] = 4;
		r = drive(&p);
		for (uint64_t at = 0; at < 16 * MIB; at += 256 * KIB)
			for (uint64_t i = 0; i < 4U + more; i++)
				write_at(&r, i * GIB + at, 256 * KIB);
		settle(&r);
		streamed[more] = counters(&r)->streamed;
		e2lazy_model_free(r.model);
	}
	ck_assert_uint_eq(streamed[0], 64 * MIB);
	ck_assert_uint_eq(streamed[1], 0);
}
END_TEST

START_TEST(a_run_ends_with_a_pause_or_a_flush)
{
	struct e2lazy_params p = simple();
	struct run r = drive(&p);

	write_long(&r, 0, 7 * MIB);
	r.t += p.value[E2LAZY_PARAM_RUN_TIMEOUT];
	write_long(&r, 7 * MIB, 7 * MIB);
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	write_long(&r, 14 * MIB, 7 * MIB);
	settle(&r);
	ck_assert_uint_eq(counters(&r)->streamed, 0);
	ck_assert_uint_eq(counters(&r)->cached, 21 * MIB);
	e2lazy_model_free(r.model);
}
END_TEST

/* As with a journal: 10 MiB, a flush, and the commit block. */
START_TEST(a_flush_does_not_end_a_stream)
{
	struct e2lazy_params p = simple();
	struct run r = drive(&p);

	write_long(&r, 0, 10 * MIB);
	write_at(&r, GIB, 4 * KIB);
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	write_at(&r, 10 * MIB, 4 * KIB);
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	write_at(&r, 10 * MIB + 4 * KIB, 4 * KIB);
	/* The other run was written out, and a write behind it is a new one. */
	write_long(&r, GIB + 4 * KIB, 8 * MIB - 4 * KIB);
	settle(&r);
	ck_assert_uint_eq(counters(&r)->streamed, 10 * MIB + 8 * KIB);
	ck_assert_uint_eq(counters(&r)->cached, 8 * MIB);
	ck_assert_uint_eq(counters(&r)->cached_writes, 2);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(a_stream_over_cached_bytes_leaves_nothing_to_clean)
{
	struct e2lazy_params p = simple();
	struct run r = drive(&p);

	for (unsigned i = 0; i < 10; i++)
		write_at(&r, i * 3 * MIB, 4 * KIB);
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	ck_assert_uint_eq(counters(&r)->dirty, 1);
	ck_assert_uint_eq(counters(&r)->entries, 10);
	write_long(&r, 0, 30 * MIB);
	ck_assert_uint_eq(settle(&r), 0);
	ck_assert_uint_eq(counters(&r)->entries, 0);
	ck_assert_uint_eq(counters(&r)->fill, 0);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(a_stream_that_ends_within_data_tears_the_band)
{
	struct e2lazy_params p = simple();
	struct run r = drive(&p);

	write_long(&r, 0, 20 * MIB);		/* nothing is behind it */
	r.t += 800 * MS;
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	ck_assert_uint_eq(counters(&r)->dirty, 0);
	write_long(&r, 0, 10 * MIB);		/* 10 MiB are */
	r.t += 800 * MS;
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	ck_assert_uint_eq(counters(&r)->torn, 1);
	ck_assert_uint_eq(counters(&r)->dirty, 1);
	/* a band read and written twice */
	ck_assert_uint_eq(settle(&r), 900 * MS);
	e2lazy_model_free(r.model);
}
END_TEST

/* ------------------------------------------------------- memory, reading */

START_TEST(a_write_is_answered_as_long_as_memory_has_room)
{
	struct e2lazy_params p = simple();
	uint64_t time = 0;
	struct run r;

	p.value[E2LAZY_PARAM_DRAM] = 10 * MIB;
	r = drive(&p);
	for (unsigned i = 0; i < 10; i++)
		time += write_at(&r, i * GIB, MIB);
	ck_assert_uint_eq(time, 0);
	ck_assert_uint_gt(write_at(&r, 50 * GIB, MIB), 0);
	/* a read from memory takes no time */
	ck_assert_uint_eq(request(&r, E2LAZY_OP_READ, 50 * GIB, MIB), 0);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(a_fragmented_read_goes_to_and_fro)
{
	struct e2lazy_params p = simple();
	struct run r = drive(&p);
	uint64_t seeks;

	write_long(&r, 0, 20 * MIB);
	for (unsigned i = 1; i <= 5; i++)
		write_at(&r, i * MIB, 4 * KIB);
	request(&r, E2LAZY_OP_FLUSH, 0, 0);
	seeks = counters(&r)->seeks;
	request(&r, E2LAZY_OP_READ, 0, 10 * MIB);
	/* band, then five times the cache and the band */
	ck_assert_uint_eq(counters(&r)->seeks - seeks, 11);
	e2lazy_model_free(r.model);
}
END_TEST

/* 512 KiB pass below the head in 5 ms. */
static struct run buffered_disk(void)
{
	struct e2lazy_params p = simple();

	p.value[E2LAZY_PARAM_KIND] = E2LAZY_MODEL_CONVENTIONAL;
	p.value[E2LAZY_PARAM_READ_AHEAD] = 512 * KIB;
	p.value[E2LAZY_PARAM_SEGMENTS] = 2;
	return drive(&p);
}

static uint64_t read_at(struct run *r, uint64_t offset)
{
	return request(r, E2LAZY_OP_READ, offset, 256 * KIB);
}

START_TEST(a_drive_reads_ahead_while_nothing_else_needs_the_head)
{
	const uint64_t turn = 2500000, bus = 873813;
	struct run r = buffered_disk();

	ck_assert_uint_eq(read_at(&r, GIB), 6 * MS + turn);
	/* at once, the platter brings it; later, the buffer has it */
	ck_assert_uint_eq(read_at(&r, GIB + 256 * KIB), turn);
	r.t += 100 * MS;
	ck_assert_uint_eq(read_at(&r, GIB + 512 * KIB), bus);
	/* one segment ahead of the host, and no more */
	r.t += 100 * MS;
	ck_assert_uint_eq(read_at(&r, GIB + 4 * MIB), 6 * MS + turn);
	/* the other segment is still there */
	ck_assert_uint_eq(read_at(&r, GIB + 768 * KIB), bus);
	ck_assert_uint_eq(counters(&r)->buffered, 3);
	ck_assert_uint_eq(counters(&r)->seeks, 2);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(a_write_elsewhere_ends_the_reading_ahead)
{
	struct run r = buffered_disk();

	read_at(&r, GIB);
	write_at(&r, 0, MIB);
	r.t += 100 * MS;
	ck_assert_uint_eq(read_at(&r, GIB + 256 * KIB), 6 * MS + 2500000);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(a_conventional_disk_writes_each_block_to_its_place)
{
	struct e2lazy_params p = simple();
	struct run r;

	p.value[E2LAZY_PARAM_KIND] = E2LAZY_MODEL_CONVENTIONAL;
	r = drive(&p);
	write_at(&r, GIB, MIB);
	write_at(&r, GIB + MIB, MIB);
	write_at(&r, 0, MIB);
	/* two moves, three transfers of 10 ms */
	ck_assert_uint_eq(request(&r, E2LAZY_OP_FLUSH, 0, 0),
			  2 * 6 * MS + 3 * 10 * MS);
	ck_assert_uint_eq(settle(&r), 0);
	ck_assert_uint_eq(counters(&r)->written, 3 * MIB);
	ck_assert_uint_eq(counters(&r)->touched, 0);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(the_inner_edge_is_slower_and_far_seeks_are_longer)
{
	struct e2lazy_params p = simple();
	struct run r;

	p.value[E2LAZY_PARAM_KIND] = E2LAZY_MODEL_CONVENTIONAL;
	p.value[E2LAZY_PARAM_RATE_OUTER] = 200 * MIB;
	p.value[E2LAZY_PARAM_SEEK_MOST] = 17 * MS;
	r = drive(&p);
	/* the root of a quarter is a half */
	ck_assert_uint_eq(request(&r, E2LAZY_OP_READ, 25 * GIB, 175 * MIB),
			  (1 + 8 + 5) * MS + SECOND);
	ck_assert_uint_eq(request(&r, E2LAZY_OP_READ, 25 * GIB + 175 * MIB, 0),
			  0);
	e2lazy_model_free(r.model);
}
END_TEST

/* ----------------------------------------------------- rules of the house */

START_TEST(the_same_requests_give_the_same_answers)
{
	struct e2lazy_params p = simple();
	struct e2lazy_counters first;
	uint64_t end = 0;

	p.value[E2LAZY_PARAM_CACHE] = 64 * MIB;
	memset(&first, 0, sizeof(first));
	for (int again = 0; again < 2; again++) {
		struct run r = drive(&p);
		uint64_t x = 88172645463325252ULL;

		for (unsigned i = 0; i < 20000; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			request(&r, x % E2LAZY_NR_OPS, x % (99 * GIB),
				x % E2LAZY_NR_OPS == E2LAZY_OP_FLUSH ? 0 :
				x >> 40 & 0xfffff);
		}
		settle(&r);
		ck_assert_uint_eq(counters(&r)->dirty, 0);
		ck_assert_uint_eq(counters(&r)->fill, 0);
		ck_assert_uint_eq(counters(&r)->entries, 0);
		if (again)
			ck_assert_mem_eq(&first, counters(&r), sizeof(first));
		ck_assert(!again || end == r.t);
		first = *counters(&r);
		end = r.t;
		e2lazy_model_free(r.model);
	}
}
END_TEST

START_TEST(the_series_has_all_of_the_run_in_as_many_samples)
{
	struct e2lazy_params p = simple();
	struct run r = drive(&p);
	const struct e2lazy_series *series = e2lazy_model_series(r.model);
	uint64_t written = 0, clean = 0;

	for (unsigned i = 0; i < 1000; i++) {
		write_at(&r, i % 7 * GIB, 4 * KIB);
		r.t += 37 * SECOND;
	}
	settle(&r);
	ck_assert_uint_le(series->count, E2LAZY_SAMPLES);
	ck_assert_uint_gt(series->count, E2LAZY_SAMPLES / 4);
	ck_assert_uint_ge(series->period * series->count, r.t);
	for (unsigned i = 0; i < series->count; i++) {
		written += series->sample[i].written;
		clean += series->sample[i].clean_ns;
	}
	ck_assert_uint_eq(written, 1000 * 4 * KIB);
	ck_assert_uint_eq(clean, counters(&r)->clean_between_ns +
				 counters(&r)->clean_after_ns);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(a_request_outside_of_the_disk_is_refused)
{
	struct e2lazy_params p = simple();
	struct run r = drive(&p);
	uint64_t done;

	ck_assert_int_eq(e2lazy_model_io(r.model, 0, E2LAZY_OP_WRITE,
					 100 * GIB - 1, 2, &done),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(e2lazy_model_io(r.model, 0, E2LAZY_OP_READ,
					 UINT64_MAX, UINT64_MAX, &done),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(e2lazy_model_io(r.model, 0, E2LAZY_NR_OPS, 0, 1,
					 &done), EXT2_ET_INVALID_ARGUMENT);
	e2lazy_model_free(r.model);
}
END_TEST

START_TEST(a_drive_that_cannot_be_is_refused)
{
	static const struct { enum e2lazy_param which; uint64_t value; } all[] = {
		{ E2LAZY_PARAM_CACHE, 10 * MIB },
		{ E2LAZY_PARAM_RATE_INNER, 101 * MIB },
		{ E2LAZY_PARAM_SEEK_LEAST, 2 * MS },
		{ E2LAZY_PARAM_DISK, (uint64_t)1 << 50 },
	};
	struct e2lazy_params p = simple();
	struct e2lazy_model *model;

	p.value[all[_i].which] = all[_i].value;
	ck_assert_int_eq(e2lazy_model_new(&p, &model),
			 EXT2_ET_INVALID_ARGUMENT);
}
END_TEST

TCase *model_tests(void)
{
	TCase *tc = tcase_create("model");

	tcase_add_loop_test(tc,
		test_1_of_the_paper_finds_the_streaming_threshold, 0, 64);
	tcase_add_test(tc,
		a_small_write_in_mid_stream_goes_to_the_cache_and_ends_no_stream);
	tcase_add_test(tc, as_many_streams_are_told_apart_as_there_are_runs);
	tcase_add_test(tc, a_run_ends_with_a_pause_or_a_flush);
	tcase_add_test(tc, a_flush_does_not_end_a_stream);
	tcase_add_test(tc, a_stream_over_cached_bytes_leaves_nothing_to_clean);
	tcase_add_test(tc, a_stream_that_ends_within_data_tears_the_band);
	tcase_add_test(tc, a_write_is_answered_as_long_as_memory_has_room);
	tcase_add_test(tc, a_fragmented_read_goes_to_and_fro);
	tcase_add_test(tc,
		a_drive_reads_ahead_while_nothing_else_needs_the_head);
	tcase_add_test(tc, a_write_elsewhere_ends_the_reading_ahead);
	tcase_add_test(tc,
		a_conventional_disk_writes_each_block_to_its_place);
	tcase_add_test(tc,
		the_inner_edge_is_slower_and_far_seeks_are_longer);
	tcase_add_test(tc, the_same_requests_give_the_same_answers);
	tcase_add_test(tc, the_series_has_all_of_the_run_in_as_many_samples);
	tcase_add_test(tc, a_request_outside_of_the_disk_is_refused);
	tcase_add_loop_test(tc, a_drive_that_cannot_be_is_refused, 0, 4);
	return tc;
}
