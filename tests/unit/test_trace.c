/* SPDX-License-Identifier: GPL-2.0-only */
/* The trace file: its content read back, its damage, and seeks in it. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "e2lazy_trace.h"
#include "fixture.h"
#include "trace/format.h"

#define MANY	60000

/* Request @i of a trace that has something of everything. */
static struct e2lazy_request made(uint64_t i)
{
	struct e2lazy_request r = {
		.t = i * 1000003, .op = i % E2LAZY_NR_OPS,
		.flags = i * 7 % 16,
	};

	if (r.op == E2LAZY_OP_FLUSH)
		return r;
	r.offset = i % 3 ? i * 4096 : (i * 2654435761U % (1ULL << 40)) * 512;
	r.length = (i % 5 + 1) * 4096;
	return r;
}

static void write_trace(const char *path, uint64_t count)
{
	struct e2lazy_trace_writer *w;
	struct e2lazy_request r;
	uint64_t reordered, widened;

	ck_assert_int_eq(e2lazy_trace_create(path, 8000000, &w), 0);
	for (uint64_t i = 0; i < count; i++) {
		r = made(i);
		ck_assert_int_eq(e2lazy_trace_put(w, &r), 0);
	}
	ck_assert_int_eq(e2lazy_trace_finish(w, &reordered, &widened), 0);
	ck_assert_uint_eq(reordered, 0);
	ck_assert_uint_eq(widened, 0);
}

#define ck_assert_request(got, want) do { \
	ck_assert_uint_eq((got).t, (want).t); \
	ck_assert_uint_eq((got).op, (want).op); \
	ck_assert_uint_eq((got).flags, (want).flags); \
	ck_assert_uint_eq((got).offset, (want).offset); \
	ck_assert_uint_eq((got).length, (want).length); \
} while (0)

static struct e2lazy_trace *opened(const char *path)
{
	struct e2lazy_trace *trace;

	ck_assert_int_eq(e2lazy_trace_open(path, &trace), 0);
	return trace;
}

START_TEST(what_was_put_comes_back)
{
	struct fixture *f = new_fixture();
	const struct e2lazy_trace_info *info;
	struct e2lazy_trace *trace;
	struct e2lazy_request r;

	write_trace(f->image, MANY);
	trace = opened(f->image);
	info = e2lazy_trace_info(trace);
	ck_assert(info->whole);
	ck_assert_uint_eq(info->requests, MANY);
	ck_assert_uint_eq(info->disk_bytes, 8000000);
	ck_assert_uint_eq(info->end, made(MANY - 1).t);
	for (uint64_t i = 0; i < MANY; i++) {
		ck_assert_int_eq(e2lazy_trace_next(trace, &r), 0);
		ck_assert_request(r, made(i));
	}
	for (unsigned again = 0; again < 2; again++)
		ck_assert_int_eq(e2lazy_trace_next(trace, &r),
				 E2LAZY_ET_TRACE_END);
	e2lazy_trace_close(trace);
}
END_TEST

/* A long write in sequence, like a journal's. */
START_TEST(what_goes_on_in_sequence_is_small)
{
	struct fixture *f = new_fixture();
	struct e2lazy_trace_writer *w;
	struct stat st;

	ck_assert_int_eq(e2lazy_trace_create(f->image, 0, &w), 0);
	for (uint64_t i = 0; i < 10000; i++) {
		struct e2lazy_request r = {
			.t = i * 100, .op = E2LAZY_OP_WRITE,
			.offset = i * 4096, .length = 4096,
		};

		ck_assert_int_eq(e2lazy_trace_put(w, &r), 0);
	}
	ck_assert_int_eq(e2lazy_trace_finish(w, NULL, NULL), 0);
	ck_assert_int_eq(stat(f->image, &st), 0);
	ck_assert_int_lt(st.st_size, 2 * 10000 + 200);
}
END_TEST

START_TEST(a_seek_goes_to_the_first_request_of_a_time_or_later)
{
	static const uint64_t places[] = { 0, 1, 17, 30000, 30001, MANY - 1 };
	struct fixture *f = new_fixture();
	struct e2lazy_trace *trace;
	struct e2lazy_request r;

	write_trace(f->image, MANY);
	trace = opened(f->image);
	for (int i = 5; i >= 0; i--) {
		struct e2lazy_request want = made(places[i]);

		ck_assert_int_eq(e2lazy_trace_seek(trace, want.t), 0);
		ck_assert_int_eq(e2lazy_trace_next(trace, &r), 0);
		ck_assert_request(r, want);
		if (places[i] == MANY - 1)
			continue;
		ck_assert_int_eq(e2lazy_trace_seek(trace, want.t + 1), 0);
		ck_assert_int_eq(e2lazy_trace_next(trace, &r), 0);
		ck_assert_request(r, made(places[i] + 1));
	}
	ck_assert_int_eq(e2lazy_trace_seek(trace, UINT64_MAX), 0);
	ck_assert_int_eq(e2lazy_trace_next(trace, &r), E2LAZY_ET_TRACE_END);
	e2lazy_trace_close(trace);
}
END_TEST

/* Every length that the file may be cut to, in a trace of one chunk. */
START_TEST(a_trace_that_is_cut_off_is_never_taken_for_a_whole_one)
{
	struct fixture *f = new_fixture();
	struct e2lazy_trace *trace;
	struct e2lazy_request r;
	struct stat st;
	errcode_t err;

	write_trace(f->image, 20);
	ck_assert_int_eq(stat(f->image, &st), 0);
	while (--st.st_size >= 0) {
		uint64_t i = 0;

		ck_assert_int_eq(truncate(f->image, st.st_size), 0);
		err = e2lazy_trace_open(f->image, &trace);
		if (err) {
			ck_assert_int_lt(st.st_size, 32);
			ck_assert_int_eq(err, E2LAZY_ET_TRACE_MAGIC);
			continue;
		}
		ck_assert(!e2lazy_trace_info(trace)->whole);
		for (; !(err = e2lazy_trace_next(trace, &r)); i++)
			ck_assert_request(r, made(i));
		ck_assert_int_eq(err, E2LAZY_ET_TRACE_SHORT);
		e2lazy_trace_close(trace);
	}
}
END_TEST

/* Bytes of a whole chunk of requests. */
static size_t chunk_of(const uint8_t *at)
{
	ck_assert_uint_eq(get_le32(at + CHUNK_KIND), CHUNK_REQUESTS);
	return TRACE_HEAD + get_le32(at + CHUNK_BYTES);
}

/* The first two chunks change places. */
static void swap_chunks(const char *path)
{
	static uint8_t bytes[4 << 20];
	FILE *file = fopen(path, "r+");
	size_t size = fread(bytes, 1, sizeof(bytes), file), first, second;

	ck_assert_uint_lt(size, sizeof(bytes));
	first = chunk_of(bytes + TRACE_HEAD);
	second = chunk_of(bytes + TRACE_HEAD + first);
	fseek(file, TRACE_HEAD, SEEK_SET);
	fwrite(bytes + TRACE_HEAD + first, 1, second, file);
	fwrite(bytes + TRACE_HEAD, 1, first, file);
	ck_assert_int_eq(fclose(file), 0);
}

/* Each chunk is sound by itself, but time would go back. */
START_TEST(chunks_in_another_order_are_found)
{
	struct fixture *f = new_fixture();
	struct e2lazy_trace *trace;
	struct e2lazy_request r;
	errcode_t err;

	write_trace(f->image, MANY);
	swap_chunks(f->image);
	trace = opened(f->image);
	while (!(err = e2lazy_trace_next(trace, &r)))
		;
	ck_assert_int_eq(err, E2LAZY_ET_TRACE_DAMAGED);
	e2lazy_trace_close(trace);
}
END_TEST

/* A chunk is believed whole or not at all. */
START_TEST(a_flipped_bit_is_found)
{
	struct fixture *f = new_fixture();
	struct e2lazy_trace *trace;
	struct e2lazy_request r;
	struct stat st;
	errcode_t err;
	FILE *file;
	int byte;

	write_trace(f->image, 20);
	ck_assert_int_eq(stat(f->image, &st), 0);
	for (long at = 0; at < st.st_size; at++) {
		uint64_t i = 0;

		file = fopen(f->image, "r+");
		fseek(file, at, SEEK_SET);
		byte = getc(file);
		fseek(file, at, SEEK_SET);
		putc(byte ^ (1 << at % 8), file);
		fclose(file);
		err = e2lazy_trace_open(f->image, &trace);
		if (!err) {
			for (; !(err = e2lazy_trace_next(trace, &r)); i++)
				ck_assert_request(r, made(i));
			e2lazy_trace_close(trace);
		}
		ck_assert_int_ne(err, E2LAZY_ET_TRACE_END);
		file = fopen(f->image, "r+");
		fseek(file, at, SEEK_SET);
		putc(byte, file);
		fclose(file);
	}
}
END_TEST

START_TEST(what_is_not_in_order_or_not_in_sectors_is_made_so_and_counted)
{
	static const struct e2lazy_request put[] = {
		{ 50, 100, 1000, E2LAZY_OP_WRITE, 0 },
		{ 40, 4096, 512, E2LAZY_OP_READ, 0 },
	};
	static const struct e2lazy_request want[] = {
		{ 50, 0, 1536, E2LAZY_OP_WRITE, 0 },
		{ 50, 4096, 512, E2LAZY_OP_READ, 0 },
	};
	struct fixture *f = new_fixture();
	struct e2lazy_trace_writer *w;
	struct e2lazy_trace *trace;
	struct e2lazy_request r;
	uint64_t reordered, widened;

	ck_assert_int_eq(e2lazy_trace_create(f->image, 0, &w), 0);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_int_eq(e2lazy_trace_put(w, &put[i]), 0);
	r = (struct e2lazy_request) { .offset = INT64_MAX, .length = 1 };
	ck_assert_int_eq(e2lazy_trace_put(w, &r), EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(e2lazy_trace_finish(w, &reordered, &widened), 0);
	ck_assert_uint_eq(reordered, 1);
	ck_assert_uint_eq(widened, 1);
	trace = opened(f->image);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(e2lazy_trace_next(trace, &r), 0);
		ck_assert_request(r, want[i]);
	}
	e2lazy_trace_close(trace);
}
END_TEST

START_TEST(a_full_disk_is_told)
{
	struct e2lazy_trace_writer *w;
	errcode_t err;

	ck_assert_int_eq(e2lazy_trace_create("/dev/full", 0, &w), 0);
	for (uint64_t i = 0; i < 10; i++) {
		struct e2lazy_request r = made(i);

		ck_assert_int_eq(e2lazy_trace_put(w, &r), 0);
	}
	err = e2lazy_trace_finish(w, NULL, NULL);
	ck_assert_int_eq(err, ENOSPC);
	/* It is not a file of ours to remove. */
	ck_assert_int_eq(access("/dev/full", F_OK), 0);
}
END_TEST

/* One chunk is put; an open one is not. */
START_TEST(an_older_file_stays_until_something_is_put)
{
	static const struct e2lazy_trace_fs fs;
	struct fixture *f = new_fixture();
	struct e2lazy_trace_writer *w;
	struct e2lazy_request r = made(0);
	struct stat was, is;

	write_trace(f->image, 1);
	ck_assert_int_eq(stat(f->image, &was), 0);
	ck_assert_int_gt(was.st_size, 0);
	ck_assert_int_eq(e2lazy_trace_create(f->image, 0, &w), 0);
	if (_i)
		ck_assert_int_eq(e2lazy_trace_put(w, &r), 0);
	if (_i == 2)
		ck_assert_int_eq(e2lazy_trace_put_fs(w, &fs), 0);
	e2lazy_trace_abort(w);
	if (_i == 2) {
		ck_assert_int_eq(access(f->image, F_OK), -1);
		return;
	}
	ck_assert_int_eq(stat(f->image, &is), 0);
	ck_assert(was.st_size == is.st_size);
	ck_assert(was.st_mtim.tv_sec == is.st_mtim.tv_sec &&
		  was.st_mtim.tv_nsec == is.st_mtim.tv_nsec);
	ck_assert_int_eq(unlink(f->image), 0);
	ck_assert_int_eq(e2lazy_trace_create(f->image, 0, &w), 0);
	e2lazy_trace_abort(w);
	ck_assert_int_eq(access(f->image, F_OK), -1);
}
END_TEST

/* It may be an image, even that of the device whose trace this is to be. */
START_TEST(a_file_of_another_kind_is_not_replaced)
{
	static const char *const others[] = {
		"truncate -s 1M %s", "printf e2ltrac >%s",
		"printf E2ltrace >%s",
	};
	struct fixture *f = new_fixture();
	struct e2lazy_trace_writer *w;
	struct stat was, is;

	shell(f, others[_i]);
	ck_assert_int_eq(stat(f->image, &was), 0);
	ck_assert_int_eq(e2lazy_trace_create(f->image, 0, &w),
			 E2LAZY_ET_OTHER_KIND);
	ck_assert_int_eq(stat(f->image, &is), 0);
	ck_assert(was.st_size == is.st_size);
	ck_assert(was.st_mtim.tv_sec == is.st_mtim.tv_sec &&
		  was.st_mtim.tv_nsec == is.st_mtim.tv_nsec);
}
END_TEST

/* Many files of the kernel's have contents, but no size. */
START_TEST(a_file_with_contents_and_no_size_is_not_empty)
{
	struct e2lazy_trace_writer *w;

	ck_assert_int_eq(e2lazy_trace_create("/proc/self/comm", 0, &w),
			 E2LAZY_ET_OTHER_KIND);
}
END_TEST

START_TEST(an_empty_file_and_a_trace_are_replaced)
{
	struct fixture *f = new_fixture();

	shell(f, ">%s");
	write_trace(f->image, 2);
	write_trace(f->image, 1);
}
END_TEST

START_TEST(what_is_no_trace_is_refused)
{
	struct fixture *f = new_fixture();
	struct e2lazy_trace *trace;

	shell(f, "head -c 4096 /dev/zero >%s");
	ck_assert_int_eq(e2lazy_trace_open(f->image, &trace),
			 E2LAZY_ET_TRACE_MAGIC);
	ck_assert_int_eq(e2lazy_trace_open("/nonexistent", &trace), ENOENT);
	ck_assert_int_eq(e2lazy_trace_open(f->dir, &trace), EISDIR);
	shell(f, "rm %s");
	write_trace(f->image, 1);
	shell(f, "printf '\\002' | dd of=%s bs=1 seek=8 conv=notrunc "
		 "2>/dev/null");
	ck_assert_int_eq(e2lazy_trace_open(f->image, &trace),
			 E2LAZY_ET_TRACE_VERSION);
}
END_TEST

TCase *trace_tests(void)
{
	TCase *tc = tcase_create("trace");

	tcase_add_test(tc, what_was_put_comes_back);
	tcase_add_test(tc, what_goes_on_in_sequence_is_small);
	tcase_add_test(tc,
		       a_seek_goes_to_the_first_request_of_a_time_or_later);
	tcase_add_test(tc,
		a_trace_that_is_cut_off_is_never_taken_for_a_whole_one);
	tcase_add_test(tc, a_flipped_bit_is_found);
	tcase_add_test(tc,
		what_is_not_in_order_or_not_in_sectors_is_made_so_and_counted);
	tcase_add_test(tc, chunks_in_another_order_are_found);
	tcase_add_test(tc, a_full_disk_is_told);
	tcase_add_loop_test(tc, an_older_file_stays_until_something_is_put, 0,
			    3);
	tcase_add_loop_test(tc, a_file_of_another_kind_is_not_replaced, 0, 3);
	tcase_add_test(tc, a_file_with_contents_and_no_size_is_not_empty);
	tcase_add_test(tc, an_empty_file_and_a_trace_are_replaced);
	tcase_add_test(tc, what_is_no_trace_is_refused);
	return tc;
}
