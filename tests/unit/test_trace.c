/* SPDX-License-Identifier: GPL-2.0-only */
/* The trace file: its content read back, its damage, and seeks in it. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "e2lazy_trace.h"
#include "trace/kernel_page.h"
#include "fixture.h"

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

START_TEST(what_is_no_trace_is_refused)
{
	struct fixture *f = new_fixture();
	struct e2lazy_trace *trace;

	shell(f, "head -c 4096 /dev/zero >%s");
	ck_assert_int_eq(e2lazy_trace_open(f->image, &trace),
			 E2LAZY_ET_TRACE_MAGIC);
	ck_assert_int_eq(e2lazy_trace_open("/nonexistent", &trace), ENOENT);
	ck_assert_int_eq(e2lazy_trace_open(f->dir, &trace), EISDIR);
	write_trace(f->image, 1);
	shell(f, "printf '\\002' | dd of=%s bs=1 seek=8 conv=notrunc "
		 "2>/dev/null");
	ck_assert_int_eq(e2lazy_trace_open(f->image, &trace),
			 E2LAZY_ET_TRACE_VERSION);
}
END_TEST

/* A transaction with more blocks than a row takes, and one without any. */
static void make_fs(struct e2lazy_trace_fs *fs, struct e2lazy_trace_piece *p,
		    struct e2lazy_trace_run *run, struct e2lazy_trace_txn *txn,
		    uint64_t *logged, uint32_t tags)
{
	p[0] = (struct e2lazy_trace_piece){ 0, 1, E2LAZY_TYPE_SUPER };
	p[1] = (struct e2lazy_trace_piece){ 9, 512, E2LAZY_TYPE_INODE_TABLE };
	*run = (struct e2lazy_trace_run){ 0, 1024, 5000 };
	txn[0] = (struct e2lazy_trace_txn){ .tid = 7, .start = 1, .commit = 999,
		.sec = 1700000000, .nsec = 999999999, .tags = tags,
		.revokes = 3 };
	txn[1] = (struct e2lazy_trace_txn){ .tid = 8, .start = 1000,
		.commit = 1001, .first = tags + 3 };
	for (uint32_t i = 0; i < tags + 3; i++)
		logged[i] = i % 2 ? i * 77777777ULL : i;
	*fs = (struct e2lazy_trace_fs){ .start = 1 << 20, .lost = 3,
		.blocksize = 4096, .flags = E2LAZY_TRACE_LOGGED,
		.blocks = 1ULL << 33, .log_first = 1, .log_end = 1024,
		.uuid = "0123456789abcde", .pieces = p, .nr_pieces = 2,
		.roles = p + 1, .nr_roles = 1, .runs = run, .nr_runs = 1,
		.txns = txn, .nr_txns = 2, .logged = logged,
		.nr_logged = tags + 3 };
}

START_TEST(the_file_system_comes_back_and_the_last_one_counts)
{
	enum { TAGS = 250000 };
	struct fixture *f = new_fixture();
	struct e2lazy_trace_fs fs, got;
	struct e2lazy_trace_piece pieces[2];
	struct e2lazy_trace_run run;
	struct e2lazy_trace_txn txns[2];
	uint64_t *logged = calloc(TAGS + 3, sizeof(*logged));
	struct e2lazy_trace_writer *w;
	struct e2lazy_request r;
	struct e2lazy_trace *trace;

	ck_assert_ptr_nonnull(logged);
	ck_assert_int_eq(e2lazy_trace_create(f->image, 0, &w), 0);
	make_fs(&fs, pieces, &run, txns, logged, 10);
	ck_assert_int_eq(e2lazy_trace_put_fs(w, &fs), 0);
	for (uint64_t i = 0; i < 100; i++) {
		r = made(i);
		ck_assert_int_eq(e2lazy_trace_put(w, &r), 0);
	}
	make_fs(&fs, pieces, &run, txns, logged, TAGS);
	ck_assert_int_eq(e2lazy_trace_put_fs(w, &fs), 0);
	r = made(100);
	ck_assert_int_eq(e2lazy_trace_put(w, &r), 0);
	ck_assert_int_eq(e2lazy_trace_finish(w, NULL, NULL), 0);

	trace = opened(f->image);
	ck_assert_int_eq(e2lazy_trace_read_fs(trace, &got), 0);
	ck_assert_uint_eq(got.start, 1 << 20);
	ck_assert_uint_eq(got.lost, 3);
	ck_assert_uint_eq(got.blocks, 1ULL << 33);
	ck_assert_mem_eq(got.uuid, fs.uuid, 16);
	ck_assert_uint_eq(got.nr_pieces, 2);
	ck_assert_uint_eq(got.pieces[1].start, 9);
	ck_assert_uint_eq(got.pieces[1].count, 512);
	ck_assert_uint_eq(got.nr_roles, 1);
	ck_assert_uint_eq(got.nr_runs, 1);
	ck_assert_uint_eq(got.runs[0].physblk, 5000);
	ck_assert_uint_eq(got.nr_txns, 2);
	ck_assert_uint_eq(got.txns[0].tags, TAGS);
	ck_assert_uint_eq(got.txns[0].revokes, 3);
	ck_assert_uint_eq(got.txns[0].nsec, 999999999);
	ck_assert_uint_eq(got.txns[1].first, TAGS + 3);
	ck_assert_uint_eq(got.nr_logged, TAGS + 3);
	ck_assert_mem_eq(got.logged, logged, (TAGS + 3) * sizeof(*logged));
	for (uint64_t i = 0; i <= 100; i++) {
		ck_assert_int_eq(e2lazy_trace_next(trace, &r), 0);
		ck_assert_request(r, made(i));
	}
	ck_assert_int_eq(e2lazy_trace_next(trace, &r), E2LAZY_ET_TRACE_END);
	e2lazy_trace_fs_free(&got);
	e2lazy_trace_close(trace);
	free(logged);
}
END_TEST

/* A trace and a walk tell the same of a log. */
START_TEST(the_survey_finds_layout_and_transactions)
{
	struct fixture *f = map_of("txn 5 write 60000 write 60001\n"
				       "txn 6 revoke 60000\n"
				       "txn 7 write 60002\n");
	struct e2lazy_trace_fs fs = { .start = 0 };
	uint32_t next, from = 6;

	ck_assert_int_eq(e2lazy_trace_survey(f->journal, &fs, &next), 0);
	ck_assert_uint_eq(next, 8);
	ck_assert_uint_eq(fs.blocksize, e2lazy_geometry(f->journal)->blocksize);
	ck_assert_uint_gt(fs.nr_pieces, 3);
	ck_assert_uint_eq(fs.nr_runs, e2lazy_geometry(f->journal)->runs);
	ck_assert_int_eq(e2lazy_trace_log(f->journal, NULL, NULL, &fs), 0);
	ck_assert_uint_eq(fs.nr_txns, 3);
	ck_assert_uint_eq(fs.txns[0].tid, 5);
	ck_assert_uint_eq(fs.txns[0].tags, 2);
	ck_assert_uint_eq(fs.logged[1], 60001);
	ck_assert_uint_eq(fs.txns[1].revokes, 1);
	ck_assert_uint_eq(fs.logged[fs.txns[1].first], 60000);
	ck_assert_int_eq(e2lazy_trace_log(f->journal, &from, NULL, &fs), 0);
	ck_assert_uint_eq(fs.nr_txns, 2);
	ck_assert(!(fs.flags & E2LAZY_TRACE_WRAPPED));
	/* The ring begins later than the trace did. */
	from = 5 - 100;
	ck_assert_int_eq(e2lazy_trace_log(f->journal, &from, NULL, &fs), 0);
	ck_assert(fs.flags & E2LAZY_TRACE_WRAPPED);
	e2lazy_trace_fs_free(&fs);
}
END_TEST

static const char form_text[] =
	"name: block_rq_issue\nID: 2104\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\n\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:char rwbs[10];\toffset:28;\tsize:10;\tsigned:0;\n"
	"\nprint fmt: \"...\"\n";
static const char page_text[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

/* Entries of a page, made from the kernel's header_event. */
static uint8_t *entry(uint8_t *at, unsigned type, uint32_t time)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	uint32_t head = type << 27 | time;
#else
	uint32_t head = time << 5 | type;
#endif
	memcpy(at, &head, 4);
	return at + 4;
}

static uint8_t *event(uint8_t *at, uint64_t sector, const char *rwbs,
		      uint32_t time)
{
	uint16_t id = 2104;
	uint32_t sectors = 8;

	at = entry(at, 10, time);
	memset(at, 0, 40);
	memcpy(at, &id, 2);
	memcpy(at + 16, &sector, 8);
	memcpy(at + 24, &sectors, 4);
	strcpy((char *)at + 28, rwbs);
	return at + 40;
}

struct events {
	struct kernel_event at[8];
	unsigned	count;
};

static errcode_t keep_event(void *priv, const struct kernel_event *e)
{
	struct events *events = priv;

	ck_assert_uint_lt(events->count, 8);
	events->at[events->count++] = *e;
	return 0;
}

START_TEST(a_page_of_the_kernel_is_read_as_it_says)
{
	uint8_t page[4096] = { 0 }, *at = page + 16;
	uint64_t stamp = 1000, missed = 0, commit, stored = 42;
	struct events got = { .count = 0 };
	struct kernel_form form;
	uint32_t word = 3;

	ck_assert(kernel_form_parse(form_text, page_text, &form));
	ck_assert_uint_eq(form.id, 2104);
	ck_assert_uint_eq(form.rwbs.offset, 28);
	memcpy(page, &stamp, 8);
	at = event(at, 100, "WSM", 5);
	at = entry(at, 30, 7);		/* 3 << 27, and 7 more */
	memcpy(at, &word, 4);
	at = event(at + 4, 200, "FWFS", 1);
	at = entry(at, 29, 1);		/* padding of 12 bytes in all */
	word = 8;
	memcpy(at, &word, 4);
	at = event(at + 8, 300, "N", 1);
	at = event(at, 400, "RA", 1);
	commit = (at - page - 16) | 3ULL << 30;
	memcpy(page + 8, &commit, 8);
	memcpy(at, &stored, 8);
	ck_assert_int_eq(kernel_page_read(&form, page, sizeof(page),
					  keep_event, &got, &missed), 0);
	ck_assert_uint_eq(missed, 42);
	ck_assert_uint_eq(got.count, 3);
	ck_assert_uint_eq(got.at[0].t, 1005);
	ck_assert_uint_eq(got.at[0].sector, 100);
	ck_assert_uint_eq(got.at[0].r.length, 4096);
	ck_assert_uint_eq(got.at[0].r.flags,
			  E2LAZY_REQ_SYNC | E2LAZY_REQ_META);
	ck_assert_uint_eq(got.at[1].t, 1005 + (3ULL << 27) + 8);
	ck_assert(got.at[1].flush);
	ck_assert_uint_eq(got.at[2].sector, 400);
	ck_assert_uint_eq(got.at[2].r.op, E2LAZY_OP_READ);

	/* An entry that goes beyond the page's data. */
	commit = 30;
	memcpy(page + 8, &commit, 8);
	ck_assert_int_eq(kernel_page_read(&form, page, sizeof(page),
					  keep_event, &got, &missed),
			 E2LAZY_ET_TRACE_DAMAGED);
	ck_assert(!kernel_form_parse("ID: 5\n", page_text, &form));
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
	tcase_add_test(tc, a_full_disk_is_told);
	tcase_add_test(tc, what_is_no_trace_is_refused);
	tcase_add_test(tc,
		       the_file_system_comes_back_and_the_last_one_counts);
	tcase_add_test(tc, the_survey_finds_layout_and_transactions);
	tcase_add_test(tc, a_page_of_the_kernel_is_read_as_it_says);
	return tc;
}
