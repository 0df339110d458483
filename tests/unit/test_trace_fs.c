/* SPDX-License-Identifier: GPL-2.0-only */
/* What a trace knows of the file system, and how the kernel's pages are read. */

#include <stdlib.h>
#include <string.h>

#include "e2lazy_trace.h"
#include "fixture.h"
#include "trace/kernel_page.h"

static void put_requests(struct e2lazy_trace_writer *w, uint64_t first,
			 uint64_t end)
{
	for (uint64_t i = first; i < end; i++) {
		struct e2lazy_request r = { .t = i, .offset = i * 8192,
			.length = 4096, .op = E2LAZY_OP_WRITE };

		ck_assert_int_eq(e2lazy_trace_put(w, &r), 0);
	}
}

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

START_TEST(checkpoints_come_back)
{
	struct e2lazy_trace_checkpoint all[] = {
		{ 5, E2LAZY_CHECKPOINT_WRITE, 0, 0 },
		{ 5, E2LAZY_CHECKPOINT_DONE, 4000000000U, 77 },
		{ 900000000000ULL, E2LAZY_CHECKPOINT_FREE, 0, 0 },
	};
	struct e2lazy_trace_fs got, fs = { .flags = E2LAZY_TRACE_WATCHED,
		.checkpoints = all, .nr_checkpoints = 3 };
	struct fixture *f = new_fixture();
	struct e2lazy_trace_writer *w;
	struct e2lazy_trace *trace;

	ck_assert_int_eq(e2lazy_trace_create(f->image, 0, &w), 0);
	ck_assert_int_eq(e2lazy_trace_put_fs(w, &fs), 0);
	ck_assert_int_eq(e2lazy_trace_put_fs(w, &fs), 0);
	ck_assert_int_eq(e2lazy_trace_finish(w, NULL, NULL), 0);
	ck_assert_int_eq(e2lazy_trace_open(f->image, &trace), 0);
	ck_assert_int_eq(e2lazy_trace_read_fs(trace, &got), 0);
	ck_assert_uint_eq(got.flags, E2LAZY_TRACE_WATCHED);
	ck_assert_uint_eq(got.nr_checkpoints, 3);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(got.checkpoints[i].t, all[i].t);
		ck_assert_uint_eq(got.checkpoints[i].step, all[i].step);
		ck_assert_uint_eq(got.checkpoints[i].tid, all[i].tid);
		ck_assert_uint_eq(got.checkpoints[i].written, all[i].written);
	}
	e2lazy_trace_fs_free(&got);
	e2lazy_trace_close(trace);
}
END_TEST

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
	put_requests(w, 0, 100);
	make_fs(&fs, pieces, &run, txns, logged, TAGS);
	ck_assert_int_eq(e2lazy_trace_put_fs(w, &fs), 0);
	put_requests(w, 100, 101);
	ck_assert_int_eq(e2lazy_trace_finish(w, NULL, NULL), 0);

	ck_assert_int_eq(e2lazy_trace_open(f->image, &trace), 0);
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
		ck_assert_uint_eq(r.offset, i * 8192);
	}
	ck_assert_int_eq(e2lazy_trace_next(trace, &r), E2LAZY_ET_TRACE_END);
	e2lazy_trace_fs_free(&got);
	e2lazy_trace_close(trace);
	free(logged);
}
END_TEST

/* The end of the last block would pass 2^64, and a request never end. */
START_TEST(more_blocks_than_bytes_can_count_are_damage)
{
	static const uint64_t blocks[] = { 1ULL << 51, (1ULL << 51) - 1 };
	struct fixture *f = new_fixture();
	struct e2lazy_trace_fs fs = { .blocksize = 4096 }, got;
	struct e2lazy_trace_writer *w;
	struct e2lazy_trace *trace;

	for (unsigned i = 0; i < 2; i++) {
		fs.blocks = blocks[i];
		ck_assert_int_eq(e2lazy_trace_create(f->image, 0, &w), 0);
		ck_assert_int_eq(e2lazy_trace_put_fs(w, &fs), 0);
		ck_assert_int_eq(e2lazy_trace_finish(w, NULL, NULL), 0);
		ck_assert_int_eq(e2lazy_trace_open(f->image, &trace), 0);
		ck_assert_int_eq(e2lazy_trace_read_fs(trace, &got),
				 i ? 0 : E2LAZY_ET_TRACE_DAMAGED);
		e2lazy_trace_fs_free(&got);
		e2lazy_trace_close(trace);
	}
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

/* One of jbd2's events: three words behind the common ones. */
static uint8_t *jbd2_event(uint8_t *at, uint16_t id, uint32_t first,
			   uint32_t second)
{
	at = entry(at, 5, 1);
	memset(at, 0, 20);
	memcpy(at, &id, 2);
	memcpy(at + 12, &first, 4);
	memcpy(at + 16, &second, 4);
	return at + 20;
}

START_TEST(checkpoints_are_told_from_requests_by_their_ids)
{
	static const char begins[] = "ID: 1286\nformat:\n"
		"\tfield:int result;\toffset:12;\tsize:4;\tsigned:1;\n";
	static const char ends[] = "ID: 1273\nformat:\n"
		"\tfield:tid_t tid;\toffset:12;\tsize:4;\tsigned:0;\n"
		"\tfield:__u32 written;\toffset:16;\tsize:4;\tsigned:0;\n";
	uint8_t page[4096] = { 0 }, *at = page + 16;
	struct events got = { .count = 0 };
	uint64_t missed = 0, commit;
	struct kernel_form form;

	ck_assert(kernel_form_parse(form_text, page_text, &form));
	ck_assert(!kernel_form_add_jbd2(begins, "ID: 1\n", &form));
	ck_assert_uint_eq(form.begins.id, 0);
	ck_assert(kernel_form_add_jbd2(begins, ends, &form));
	at = jbd2_event(at, 1286, 1, 0);
	at = event(at, 100, "WSM", 5);
	at = jbd2_event(at, 1286, 0, 0);
	at = jbd2_event(at, 1273, 4000000000U, 12);
	at = jbd2_event(at, 1274, 1, 1);
	commit = at - page - 16;
	memcpy(page + 8, &commit, 8);
	ck_assert_int_eq(kernel_page_read(&form, page, sizeof(page),
					  keep_event, &got, &missed), 0);
	ck_assert_uint_eq(got.count, 4);
	ck_assert_int_eq(got.at[0].checkpoint.step, E2LAZY_CHECKPOINT_WRITE);
	ck_assert(!got.at[1].is_checkpoint);
	ck_assert_int_eq(got.at[2].checkpoint.step, E2LAZY_CHECKPOINT_FREE);
	ck_assert_int_eq(got.at[3].checkpoint.step, E2LAZY_CHECKPOINT_DONE);
	ck_assert_uint_eq(got.at[3].checkpoint.tid, 4000000000U);
	ck_assert_uint_eq(got.at[3].checkpoint.written, 12);
}
END_TEST

/* Blocks 0: superblock, 9 to 520: inode table, 5000 to 6023: journal. */
START_TEST(a_request_is_split_where_its_class_changes)
{
	struct e2lazy_trace_piece pieces[] = {
		{ 0, 1, E2LAZY_TYPE_SUPER }, { 9, 512, E2LAZY_TYPE_INODE_TABLE },
		{ 5000, 1024, E2LAZY_TYPE_JOURNAL },
	}, roles[] = { { 523, 2, E2LAZY_TYPE_DIRECTORY },
		      { 525, 1, E2LAZY_TYPE_DATA } };
	struct e2lazy_trace_run run = { 0, 1024, 5000 };
	struct e2lazy_trace_fs fs = { .blocksize = 1024, .blocks = 8192,
		.pieces = pieces, .nr_pieces = 3, .roles = roles,
		.nr_roles = 2, .runs = &run, .nr_runs = 1 }, none = { 0 };
	struct e2lazy_request r = { .op = E2LAZY_OP_WRITE,
		.flags = E2LAZY_REQ_META, .offset = 520 * 1024,
		.length = 6 * 1024 };
	static const struct { uint64_t blocks; enum e2lazy_type type; } want[] = {
		{ 1, E2LAZY_TYPE_INODE_TABLE }, { 2, E2LAZY_TYPE_OTHER },
		{ 2, E2LAZY_TYPE_DIRECTORY }, { 1, E2LAZY_TYPE_OTHER },
	};
	struct e2lazy_trace_part part;
	uint64_t at = r.offset;
	uint32_t logblk;

	for (unsigned i = 0; i < 4; i++, at += part.length) {
		e2lazy_trace_part(&fs, &r, at, &part);
		ck_assert_uint_eq(part.length, want[i].blocks * 1024);
		ck_assert_int_eq(part.type, want[i].type);
		ck_assert_int_eq(part.cls, E2LAZY_TRACE_METADATA);
	}
	/* Readahead of inode tables has no mark; data that once was a
	   directory has none either. */
	r.flags = 0;
	e2lazy_trace_part(&fs, &r, r.offset, &part);
	ck_assert_int_eq(part.cls, E2LAZY_TRACE_METADATA);
	e2lazy_trace_part(&fs, &r, 523 * 1024, &part);
	ck_assert_int_eq(part.cls, E2LAZY_TRACE_DATA);
	r.offset = 6000 * 1024;
	r.length = 100 * 1024;
	e2lazy_trace_part(&fs, &r, r.offset, &part);
	ck_assert_int_eq(part.cls, E2LAZY_TRACE_JOURNAL);
	ck_assert_uint_eq(part.length, 24 * 1024);
	/* Without a file system the mark is all. */
	e2lazy_trace_part(&none, &r, r.offset, &part);
	ck_assert_int_eq(part.cls, E2LAZY_TRACE_DATA);
	ck_assert_uint_eq(part.length, r.length);
	ck_assert(e2lazy_trace_logblk(&fs, 6023, &logblk));
	ck_assert_uint_eq(logblk, 1023);
	ck_assert(!e2lazy_trace_logblk(&fs, 4999, &logblk));
}
END_TEST

/*
 * Blocks of 1 KiB: a transaction takes a descriptor, its copies and a commit
 * block, and for revokes one more.
 */
START_TEST(a_lazy_log_keeps_what_is_live)
{
	static uint64_t logged[] = { 10, 11,   10, 12,   11,   12 };
	struct e2lazy_trace_txn txns[] = {
		{ .tid = 1, .tags = 2, .first = 0 },
		{ .tid = 2, .tags = 2, .first = 2 },
		{ .tid = 3, .tags = 1, .revokes = 1, .first = 4 },
	};
	struct e2lazy_trace_fs fs = { .blocksize = 1024, .log_first = 1,
		.log_end = 101, .txns = txns, .nr_txns = 3, .logged = logged,
		.nr_logged = 6 };
	struct e2lazy_lazy lazy;

	ck_assert_int_eq(e2lazy_trace_lazy(&fs, 0, 1, &lazy), 0);
	ck_assert_uint_eq(lazy.ring, 100);
	ck_assert_uint_eq(lazy.written, 4 + 4 + 4);
	ck_assert_uint_eq(lazy.cleaned, 0);
	ck_assert_uint_eq(lazy.live, 2);	/* 10 and 11; 12 is revoked */
	/* In one transaction each block has one copy. */
	ck_assert_int_eq(e2lazy_trace_lazy(&fs, 0, 2, &lazy), 0);
	ck_assert_uint_eq(lazy.txns, 2);
	ck_assert_uint_eq(lazy.written, 5 + 4);
	/* The third does not fit.  The first has nothing live by then, so the
	   second stays. */
	ck_assert_int_eq(e2lazy_trace_lazy(&fs, 8 << 10, 1, &lazy), 0);
	ck_assert_uint_eq(lazy.cleaned, 0);
	ck_assert(!lazy.full);
	/* Without room for two, block 10 of the second is logged again. */
	ck_assert_int_eq(e2lazy_trace_lazy(&fs, 7 << 10, 1, &lazy), 0);
	ck_assert_uint_gt(lazy.moved, 0);
	ck_assert_uint_eq(lazy.live, 2);
	ck_assert(!lazy.full);
	ck_assert_int_eq(e2lazy_trace_lazy(&fs, 3 << 10, 1, &lazy), 0);
	ck_assert(lazy.full);
}
END_TEST

TCase *trace_fs_tests(void)
{
	TCase *tc = tcase_create("trace_fs");

	tcase_add_test(tc, checkpoints_come_back);
	tcase_add_test(tc,
		       the_file_system_comes_back_and_the_last_one_counts);
	tcase_add_test(tc, more_blocks_than_bytes_can_count_are_damage);
	tcase_add_test(tc, the_survey_finds_layout_and_transactions);
	tcase_add_test(tc, a_request_is_split_where_its_class_changes);
	tcase_add_test(tc, a_lazy_log_keeps_what_is_live);
	tcase_add_test(tc, a_page_of_the_kernel_is_read_as_it_says);
	tcase_add_test(tc, checkpoints_are_told_from_requests_by_their_ids);
	return tc;
}
