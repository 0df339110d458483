/* SPDX-License-Identifier: GPL-2.0-only */
/* The traces of other tools: each line is what it says, or is refused. */

#include <stdio.h>
#include <string.h>

#include "e2lazy_trace.h"
#include "fixture.h"

/* "t op offset length flags", one a request, ";" between them. */
static void told(char *text, size_t size, const struct e2lazy_request *r,
		 unsigned count)
{
	static const char *const ops[] = { "read", "write", "discard", "flush" };
	size_t n = 0;

	*text = 0;
	for (unsigned i = 0; i < count; i++)
		n += snprintf(text + n, size - n, "%s%llu %s %llu %llu %u",
			      i ? "; " : "", (unsigned long long)r[i].t,
			      ops[r[i].op], (unsigned long long)r[i].offset,
			      (unsigned long long)r[i].length, r[i].flags);
}

struct line {
	enum e2lazy_trace_format format;
	const char	*text;
	const char	*want;		/* NULL: it is refused */
};

#define BLK	E2LAZY_TRACE_BLKPARSE
#define MSR	E2LAZY_TRACE_MSR
#define FTR	E2LAZY_TRACE_FTRACE

/* Each behind one that began the trace at second 1. */
static const struct line single[] = {
	{ BLK, "  8,0    3        1     1.000000500   697  D   W 223490 + 8 [k]",
	  "500 write 114426880 4096 0" },
	{ BLK, "  8,0    3        1     2.000000000   697  D RAM 8 + 16 [k]",
	  "1000000000 read 4096 8192 9" },
	{ BLK, "8,0 3 1 1.0 697 D FWFSM 8 + 8 [k]",
	  "0 flush 0 0 0; 0 write 4096 4096 7" },
	{ BLK, "8,0 3 1 1.0 697 D FF 0 [k]", "0 flush 0 0 0" },
	{ BLK, "8,0 3 1 1.0 697 D DS 8 + 8 [k]", "0 discard 4096 4096 2" },
	/* blkparse prints a flush without data, and a command of SCSI, so. */
	{ BLK, "8,0 3 1 1.0 697 D  FN [k]", "0 flush 0 0 0" },
	{ BLK, "8,0 3 1 1.0 697 C  FN 0 [0]", "" },
	{ BLK, "8,0 3 1 1.0 697 D FWS [k]", "0 flush 0 0 0" },
	{ BLK, "8,0 3 1 1.0 697 D FWS 0 [k]", "0 flush 0 0 0" },
	{ BLK, "8,0 3 1 1.0 697 D   R 36 (12 00 00 00 24 00 ..) [k]", "" },
	{ BLK, "8,0 3 1 1.0 697 D   R (12 00 00 00 24 00 ..) [0]", "" },
	{ BLK, "8,0 3 1 1.0 697 D   W 8 [k]", "" },
	{ BLK, "8,0 3 1 1.0 697 D N 0 (00 00 00 ..) [k]", "" },
	{ BLK, "8,0 3 1 1.0 697 Q W 8 + 8 [k]", "" },
	{ BLK, "8,0 3 1 1.0 697 m N cfq schedule dispatch", "" },
	{ BLK, "CPU0 (8,0):", "" },
	{ BLK, " Reads Queued:           2,        8KiB", "" },
	{ BLK, "", "" },
	{ BLK, "8,0 3 1 1.0 697 D W", NULL },
	{ BLK, "8,0 3 1 1.0 697 D W 8", NULL },
	{ BLK, "8,0 3 1 1.0 697 D W 8 +", NULL },
	{ BLK, "8,0 3 1 1.0 697 D W x + 8 [k]", NULL },
	{ BLK, "8,0 3 1 1.0 697 D W 18446744073709551615 + 8 [k]", NULL },
	{ BLK, "8,0 3 1 1.0 697 D W 99999999999999999999 + 8 [k]", NULL },
	{ BLK, "8,0 3 1 never 697 D W 8 + 8 [k]", NULL },
	{ BLK, "8,0 3 1 1.0000000001 697 D W 8 + 8 [k]", NULL },
	{ MSR, "10000001,usr,0,Write,7014609920,24576,41286",
	  "100 write 7014609920 24576 0" },
	{ MSR, "10000000,usr,0,Read,0,512,1", "0 read 0 512 0" },
	{ MSR, "10000000,usr,0,Read,0,512", "0 read 0 512 0" },
	{ MSR, "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime",
	  "" },
	{ MSR, "10000000,usr,0,Erase,0,512,1", NULL },
	{ MSR, "10000000,usr,0,Read,-1,512,1", NULL },
	{ MSR, "10000000,usr,0,Read,9223372036854775807,1,1", NULL },
	{ MSR, "10000000,usr", NULL },
	{ MSR, "x,usr,0,Read,0,512,1", NULL },
	{ FTR, "  sh-1  [000] d..1  1.000001: block_rq_issue: "
	       "8,0 WM 4096 () 8 + 8 [sh]", "1000 write 4096 4096 1" },
	{ FTR, "sh 1 [000] 1.000002: block:block_rq_issue: "
	       "8,0 R 4096 () 8 + 8 none,0,0 [a b]", "2000 read 4096 4096 0" },
	{ FTR, "  sh-1  [000] d..1  1.000001: block_rq_issue: "
	       "8,0 FF 0 () 0 + 0 [sh]", "1000 flush 0 0 0" },
	{ FTR, "  sh-1 [000] 1.0: block_rq_complete: 8,0 R () 8 + 8 [0]", "" },
	{ FTR, "cpus=2", "" },
	{ FTR, "  sh-1  [000] d..1  1.000001: block_rq_issue: 8,0", NULL },
	{ FTR, "  sh-1  [000] d..1  1.000001: block_rq_issue: "
	       "8,0 W 4096 8 + 8", NULL },
	{ FTR, "block_rq_issue: 8,0 W 4096 () 8 + 8 [sh]", NULL },
};

static const char *const first[E2LAZY_NR_TRACE_FORMATS] = {
	[BLK] = "8,0 3 1 1.000000000 697 D R 0 + 8 [k]",
	[MSR] = "10000000,usr,0,Read,0,512,1",
	[FTR] = "sh-1 [000] d..1 1.000000: block_rq_issue: 8,0 R 0 () 0 + 1 [s]",
};

START_TEST(a_line_is_what_it_says_or_is_refused)
{
	struct e2lazy_import im = {
		.format = single[_i].format, .action = 'D',
	};
	struct e2lazy_request r[2];
	unsigned count;
	char text[256];
	errcode_t err;

	ck_assert_int_eq(e2lazy_import_line(&im, first[im.format], r, &count),
			 0);
	ck_assert_uint_eq(count, 1);
	err = e2lazy_import_line(&im, single[_i].text, r, &count);
	told(text, sizeof(text), r, count);
	if (!single[_i].want) {
		ck_assert_msg(err == E2LAZY_ET_TRACE_LINE, "%s: %s",
			      single[_i].text, text);
		return;
	}
	ck_assert_int_eq(err, 0);
	ck_assert_str_eq(text, single[_i].want);
}
END_TEST

struct iolog {
	const char	*lines[6];
	const char	*want;		/* of the last line; NULL: refused */
};

static const struct iolog iologs[] = {
	{ { "fio version 2 iolog", "/dev/sda add", "/dev/sda open",
	    "/dev/sda wait 100 0", "/dev/sda wait 50 0",
	    "/dev/sda write 4096 8192" }, "150000 write 4096 8192 0" },
	{ { "fio version 2 iolog", "/dev/sda read 100 1" },
	  "0 read 100 1 0" },
	{ { "fio version 3 iolog", "7 /dev/sda add",
	    "1500 /dev/sda trim 0 512" }, "1500000 discard 0 512 0" },
	{ { "fio version 3 iolog", "9 /dev/sda datasync 0 0" },
	  "9000 flush 0 0 0" },
	{ { "fio version 3 iolog", "9 /dev/sda close" }, "" },
	{ { "fio version 1 iolog" }, NULL },
	{ { "/dev/sda read 0 1" }, NULL },
	{ { "fio version 2 iolog", "/dev/sda" }, NULL },
	{ { "fio version 2 iolog", "/dev/sda burn 0 1" }, NULL },
	{ { "fio version 2 iolog", "/dev/sda read 0" }, NULL },
	{ { "fio version 2 iolog", "/dev/sda wait x" }, NULL },
	{ { "fio version 3 iolog", "/dev/sda read 0 1" }, NULL },
	{ { "fio version 3 iolog", "0 /dev/sda read 9223372036854775807 1" },
	  NULL },
};

START_TEST(an_iolog_is_read_from_its_first_line_on)
{
	struct e2lazy_import im = { .format = E2LAZY_TRACE_FIO };
	struct e2lazy_request r[2];
	unsigned count = 0;
	char text[256];
	errcode_t err = 0;

	for (unsigned i = 0; i < 6 && iologs[_i].lines[i]; i++) {
		ck_assert_int_eq(err, 0);
		err = e2lazy_import_line(&im, iologs[_i].lines[i], r, &count);
	}
	told(text, sizeof(text), r, count);
	if (!iologs[_i].want) {
		ck_assert_int_eq(err, E2LAZY_ET_TRACE_LINE);
		return;
	}
	ck_assert_int_eq(err, 0);
	ck_assert_str_eq(text, iologs[_i].want);
}
END_TEST

START_TEST(only_the_device_that_was_asked_for_counts)
{
	static const struct { enum e2lazy_trace_format format;
			      const char *device, *line;
			      unsigned count; } all[] = {
		{ BLK, "8,0", "8,0 3 1 1.0 697 D W 8 + 8 [k]", 1 },
		{ BLK, "8,1", "8,0 3 1 1.0 697 D W 8 + 8 [k]", 0 },
		{ BLK, "8,1", "8,16 3 1 1.0 697 D W 8 + 8 [k]", 0 },
		{ MSR, "1", "10000000,usr,1,Read,0,512,1", 1 },
		{ MSR, "1", "10000000,usr,10,Read,0,512,1", 0 },
		{ FTR, "8,0", "s-1 [0] 1.0: block_rq_issue: 8,0 W 1 () 8 + 8",
		  1 },
		{ FTR, "8,1", "s-1 [0] 1.0: block_rq_issue: 8,0 W 1 () 8 + 8",
		  0 },
	};
	struct e2lazy_request r[2];
	unsigned count;

	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct e2lazy_import im = {
			.format = all[i].format, .action = 'D',
			.device = all[i].device,
		};

		ck_assert_int_eq(e2lazy_import_line(&im, all[i].line, r,
						    &count), 0);
		ck_assert_uint_eq(count, all[i].count);
	}
}
END_TEST

START_TEST(a_format_is_known_by_a_line)
{
	ck_assert_int_eq(e2lazy_trace_guess("fio version 2 iolog"),
			 E2LAZY_TRACE_FIO);
	ck_assert_int_eq(e2lazy_trace_guess(first[BLK]), BLK);
	ck_assert_int_eq(e2lazy_trace_guess(first[MSR]), MSR);
	ck_assert_int_eq(e2lazy_trace_guess(first[FTR]), FTR);
	ck_assert_int_eq(e2lazy_trace_guess("Timestamp,Hostname"), MSR);
	ck_assert_int_eq(e2lazy_trace_guess("# tracer: nop"),
			 E2LAZY_NR_TRACE_FORMATS);
	ck_assert_int_eq(e2lazy_trace_guess(""), E2LAZY_NR_TRACE_FORMATS);
}
END_TEST

TCase *import_tests(void)
{
	TCase *tc = tcase_create("import");

	tcase_add_loop_test(tc, a_line_is_what_it_says_or_is_refused, 0,
			    sizeof(single) / sizeof(*single));
	tcase_add_loop_test(tc, an_iolog_is_read_from_its_first_line_on, 0,
			    sizeof(iologs) / sizeof(*iologs));
	tcase_add_test(tc, only_the_device_that_was_asked_for_counts);
	tcase_add_test(tc, a_format_is_known_by_a_line);
	return tc;
}
