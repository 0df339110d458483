/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * requests.c - requests for the bench, and loops to set programs beside
 *
 *	requests trace FROM COUNT TO	the requests of a trace again and again,
 *					up to COUNT
 *	requests text TRACE		its requests as lines of blkparse
 *	requests walk TRACE		read them, and do nothing
 *	requests lines FILE		read lines, and do nothing
 *	requests issue DEVICE COUNT [RATE]
 *					direct reads of 4 KiB, up to DEPTH at a
 *					time, no more than RATE a second
 *
 * The last three print the seconds that they took.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/aio_abi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <et/com_err.h>

#include "clock.h"
#include "e2lazy_trace.h"

#define BLOCK	4096
#define DEPTH	128
#define TICK	0.001		/* seconds between two looks at the clock */
#define STRIDE	7919		/* blocks: no two in a row can be merged */
#define LINE	65536

static _Noreturn void die(const char *what, const char *why)
{
	fprintf(stderr, "requests: %s: %s\n", what, why);
	exit(1);
}

static void must(const char *what, errcode_t err)
{
	if (err)
		die(what, error_message(err));
}

/* -------------------------------------------------------------- traces */

/* From the first again after the last, as if time had gone on. */
static void next_in_turn(struct e2lazy_trace *from, const char *name,
			 uint64_t *base, struct e2lazy_request *r)
{
	errcode_t err = e2lazy_trace_next(from, r);

	if (err == E2LAZY_ET_TRACE_END) {
		*base += e2lazy_trace_info(from)->end;
		must(name, e2lazy_trace_seek(from, 0));
		err = e2lazy_trace_next(from, r);
	}
	must(name, err);
	r->t += *base;
}

static int make_trace(char **argv)
{
	uint64_t base = 0, count = strtoull(argv[1], NULL, 10);
	struct e2lazy_trace_writer *to;
	struct e2lazy_trace *from;
	struct e2lazy_trace_fs fs;
	struct e2lazy_request r;

	must(argv[0], e2lazy_trace_open(argv[0], &from));
	must(argv[0], e2lazy_trace_read_fs(from, &fs));
	must(argv[2], e2lazy_trace_create(argv[2],
				e2lazy_trace_info(from)->disk_bytes, &to));
	must(argv[2], e2lazy_trace_put_fs(to, &fs));
	e2lazy_trace_fs_free(&fs);
	while (count--) {
		next_in_turn(from, argv[0], &base, &r);
		must(argv[2], e2lazy_trace_put(to, &r));
	}
	e2lazy_trace_close(from);
	must(argv[2], e2lazy_trace_finish(to, NULL, NULL));
	return 0;
}

static void print_line(uint64_t number, const struct e2lazy_request *r)
{
	static const char letters[] = {
		[E2LAZY_OP_READ] = 'R', [E2LAZY_OP_WRITE] = 'W',
		[E2LAZY_OP_DISCARD] = 'D', [E2LAZY_OP_FLUSH] = 'F',
	};

	printf("  8,0    0 %8" PRIu64 " %5" PRIu64 ".%09" PRIu64
	       "  1234  D  %c%s%s%s ", number, r->t / 1000000000,
	       r->t % 1000000000, letters[r->op],
	       r->op == E2LAZY_OP_FLUSH || r->flags & E2LAZY_REQ_FUA ? "F" : "",
	       r->flags & E2LAZY_REQ_SYNC ? "S" : "",
	       r->flags & E2LAZY_REQ_META ? "M" : "");
	if (r->op == E2LAZY_OP_FLUSH)
		puts("0 [bench]");
	else
		printf("%" PRIu64 " + %" PRIu64 " [bench]\n", r->offset / 512,
		       r->length / 512);
}

static int print_text(char **argv)
{
	struct e2lazy_trace *trace;
	struct e2lazy_request r;
	uint64_t number = 0;
	errcode_t err;

	must(argv[0], e2lazy_trace_open(argv[0], &trace));
	while (!(err = e2lazy_trace_next(trace, &r)))
		print_line(++number, &r);
	e2lazy_trace_close(trace);
	must(argv[0], err == E2LAZY_ET_TRACE_END ? 0 : err);
	return 0;
}

static int walk(char **argv)
{
	struct e2lazy_trace *trace;
	struct e2lazy_request r;
	double start = now();
	errcode_t err;

	must(argv[0], e2lazy_trace_open(argv[0], &trace));
	while (!(err = e2lazy_trace_next(trace, &r)))
		;
	e2lazy_trace_close(trace);
	must(argv[0], err == E2LAZY_ET_TRACE_END ? 0 : err);
	printf("%.6f\n", now() - start);
	return 0;
}

static int lines(char **argv)
{
	static char line[LINE];
	FILE *f = fopen(argv[0], "r");
	double start = now();

	if (!f)
		die(argv[0], strerror(errno));
	while (fgets(line, sizeof(line), f))
		;
	if (ferror(f))
		die(argv[0], "cannot be read");
	fclose(f);
	printf("%.6f\n", now() - start);
	return 0;
}

/* ------------------------------------------------------------ requests */

struct queue {
	aio_context_t	context;
	int		fd;
	uint64_t	blocks;		/* of the device */
	uint64_t	at;		/* the next one */
	void		*buffer;	/* nobody wants what is read */
	struct iocb	iocb[DEPTH];
	unsigned	free[DEPTH], nr_free;
};

static void begin(struct queue *q, const char *device)
{
	uint64_t bytes;

	q->fd = open(device, O_RDONLY | O_DIRECT);
	if (q->fd < 0 || ioctl(q->fd, BLKGETSIZE64, &bytes) ||
	    syscall(SYS_io_setup, DEPTH, &q->context))
		die(device, strerror(errno));
	q->blocks = bytes / BLOCK;
	q->buffer = aligned_alloc(BLOCK, BLOCK);
	if (!q->blocks || !q->buffer)
		die(device, "no block, or no memory");
	while (q->nr_free < DEPTH) {
		q->free[q->nr_free] = q->nr_free;
		q->nr_free++;
	}
}

static void submit(struct queue *q, unsigned count)
{
	struct iocb *list[DEPTH];
	long done;

	for (unsigned i = 0; i < count; i++) {
		unsigned slot = q->free[--q->nr_free];

		q->at = (q->at + STRIDE) % q->blocks;
		list[i] = &q->iocb[slot];
		*list[i] = (struct iocb) {
			.aio_data = slot, .aio_lio_opcode = IOCB_CMD_PREAD,
			.aio_fildes = q->fd, .aio_buf = (uintptr_t)q->buffer,
			.aio_nbytes = BLOCK, .aio_offset = q->at * BLOCK,
		};
	}
	for (unsigned sent = 0; sent < count; sent += done) {
		done = syscall(SYS_io_submit, q->context, count - sent,
			       list + sent);
		if (done <= 0)
			die("io_submit", strerror(errno));
	}
}

static void reap(struct queue *q, unsigned least)
{
	struct io_event events[DEPTH];
	long n = syscall(SYS_io_getevents, q->context, least, DEPTH, events,
			 NULL);

	if (n < 0)
		die("io_getevents", strerror(errno));
	for (long i = 0; i < n; i++) {
		if (events[i].res != BLOCK)
			die("read", strerror(-events[i].res));
		q->free[q->nr_free++] = events[i].data;
	}
}

/* How many may have been asked for by now. */
static uint64_t due(uint64_t count, uint64_t rate, double start)
{
	double by_now = (now() - start) * rate;

	return rate && by_now < count ? by_now : count;
}

static int issue(char **argv)
{
	uint64_t count = strtoull(argv[1], NULL, 10), asked = 0, wanted;
	uint64_t rate = argv[2] ? strtoull(argv[2], NULL, 10) : 0;
	struct queue q = { .fd = -1 };
	double start;

	begin(&q, argv[0]);
	start = now();
	while (asked < count) {
		wanted = due(count, rate, start) - asked;
		if (!wanted) {
			usleep(TICK * 1000000);
			continue;
		}
		if (wanted > q.nr_free)
			wanted = q.nr_free;
		submit(&q, wanted);
		asked += wanted;
		reap(&q, q.nr_free < DEPTH / 2 ? DEPTH / 2 - q.nr_free : 0);
	}
	while (q.nr_free < DEPTH)
		reap(&q, DEPTH - q.nr_free);
	printf("%.6f\n", now() - start);
	return 0;
}

/* ---------------------------------------------------------------- main */

static const struct job {
	const char	*name;
	int		least, most;	/* arguments */
	int		(*run)(char **argv);
} jobs[] = {
	{ "trace",	3, 3, make_trace },
	{ "text",	1, 1, print_text },
	{ "walk",	1, 1, walk },
	{ "lines",	1, 1, lines },
	{ "issue",	2, 3, issue },
};

int main(int argc, char **argv)
{
	initialize_e2lz_error_table();
	for (size_t i = 0; argc > 2 && i < sizeof(jobs) / sizeof(*jobs); i++)
		if (!strcmp(argv[1], jobs[i].name) &&
		    argc - 2 >= jobs[i].least && argc - 2 <= jobs[i].most)
			return jobs[i].run(argv + 2);
	fprintf(stderr, "usage: requests trace|text|walk|lines|issue ...\n");
	return 2;
}
