/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that read ahead change nothing about what a scan of the ring finds. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "e2lazy_ring.h"
#include "fixture.h"
#include "ring/ahead.h"

/* unix_io bears no threads, so this manager makes the scan a serial one. */
static struct e2lazy_ring *scan_by(struct fixture *f, io_manager manager,
				   unsigned flags)
{
	const struct e2lazy_open_opts open = { .manager = manager };
	const struct e2lazy_ring_opts opts = { .flags = flags };
	struct e2lazy_ring *ring = NULL;

	ck_assert_int_eq(try_open(f, &open), 0);
	ck_assert_int_eq(e2lazy_ring_scan(f->journal, &opts, &ring, NULL), 0);
	return ring;
}

/* All that the scan tells, as text. */
static char *told_by(struct fixture *f, io_manager manager, unsigned flags)
{
	struct e2lazy_ring *ring = scan_by(f, manager, flags);
	const struct e2lazy_ring_counts *c = e2lazy_ring_counts(ring);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (uint32_t i = 0; i < c->txns; i++) {
		struct e2lazy_ring_txn t;

		e2lazy_ring_txn(ring, i, &t);
		fprintf(to, "%u: %u-%u %u %llu+%u+%u %d %d %llu\n", t.txn.tid,
			t.txn.start, t.txn.end, t.history,
			(unsigned long long)t.txn.copies,
			(unsigned)t.txn.descriptors, (unsigned)t.txn.revokes,
			t.txn.csum, t.proof, (unsigned long long)t.txn.sec);
	}
	for (uint32_t i = 0; i < c->histories; i++) {
		struct e2lazy_history h;

		e2lazy_ring_history(ring, i, &h);
		fprintf(to, "%u+%u %d %d %u %d %d\n", h.first, h.count,
			h.begins, h.ends, h.pieces, h.is_log, h.reaches_now);
	}
	fprintf(to, "blocks %u, read %u, unreadable %u, cut %u, broken %u, "
		"foreign %u, bad %u\n", c->blocks, c->read, c->unreadable,
		c->cut, c->broken, c->foreign, c->bad);
	fclose(to);
	e2lazy_ring_free(ring);
	return text;
}

/*
 * unix_io reads holes. Where mke2fs leaves some in the journal, on a tmpfs, the
 * two would differ in what they read.
 */
static void fill_holes(struct fixture *f)
{
	shell(f, "cp --sparse=never %1$s %1$s.full && cat %1$s.full >%1$s && "
		 "rm %1$s.full");
}

static void check_same(struct fixture *f, unsigned flags)
{
	char *serial, *threads;

	fill_holes(f);
	serial = told_by(f, unix_io_manager, flags);
	threads = told_by(f, NULL, flags);
	ck_assert_str_eq(threads, serial);
	free(serial);
	free(threads);
}

static const char *const rings[] = {
	"txn 5 write 60000-60002 revoke 60100\ntxn 6 write 60001\ntxn 7\n",
	"sequence 99\n",
	"start 1\nbulk 16 tags 61 from 60000 tid 5\n",
	"start 1000\nbulk 16 tags 61 from 60000 tid 5\n",
	"start 300\nbulk 100 tags 3 from 60000 tid 5\n",
	"journal csum none\nstart 700\nbulk 90 tags 7 from 60000 tid 5\n",
	"journal csum v1\nstart 513\nbulk 12 tags 61 from 60000 tid 5\n",
	"journal csum v2\nstart 900\nbulk 12 tags 61 from 60000 tid 5\n",
	/* longer than a stretch of one thread */
	"start 200\ntxn 5 write 60000-60600\ntxn 6 write 60001\n",
	("sequence 99\nleftover@1 5 write 60000-60300\nleftover@500 9 "
	 "write 60000-60200\nleftover@900 7 write 60000-60400\n"),
};

START_TEST(threads_find_the_same)
{
	check_same(map_of(rings[_i]), 0);
}
END_TEST

/* The block of the image that holds log block @at. */
static blk64_t home_of(struct fixture *f, uint32_t at)
{
	const struct run *run = runs_find(&f->journal->runs, at);

	return run->physblk + at - run->logblk;
}

/* Zeros, noise or another part of the ring in its place. */
static void damage(struct fixture *f, unsigned *seed)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(f->journal);
	uint32_t size = g->end - g->first;
	uint32_t at = g->first + (uint32_t)rand_r(seed) % size;
	uint32_t from = g->first + (uint32_t)rand_r(seed) % size;
	uint8_t block[1024];
	blk64_t home;
	int fd;

	ck_assert_int_eq(e2lazy_read_log(f->journal, from, 1, block), 0);
	if (rand_r(seed) % 2)
		memset(block + 12, rand_r(seed), sizeof(block) - 12);
	home = home_of(f, at);
	fd = open(f->image, O_WRONLY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, block, sizeof(block),
				(off_t)(home * sizeof(block))), sizeof(block));
	close(fd);
}

/* Transactions of any size at any place over those of earlier laps. */
static void write_lap(struct fixture *f, unsigned tid, unsigned *seed)
{
	char *spec = NULL;
	size_t size;
	FILE *to = open_memstream(&spec, &size);
	unsigned at = 1 + (unsigned)rand_r(seed) % 1000;
	unsigned widest = rand_r(seed) % 2 ? 150 : 8;

	fprintf(to, "sequence 999\n");
	for (int left = 300; left > 0; tid++) {
		int copies = rand_r(seed) % (int)widest;

		fprintf(to, at ? "leftover@%u " : "leftover ", at);
		fprintf(to, "%u write 60000-%d%s\n", tid, 60000 + copies,
			rand_r(seed) % 9 ? "" : " revoke 60500");
		left -= copies + 3;
		at = 0;
	}
	fclose(to);
	write_log(f, spec);
	free(spec);
}

START_TEST(threads_find_the_same_in_a_worn_ring)
{
	struct fixture *f = map_of("sequence 999\n");
	unsigned seed = 7 + (unsigned)_i, tid = 10;

	for (int lap = 0; lap < 6; lap++, tid += rand_r(&seed) % 3 ? 150 : 400)
		write_lap(f, tid, &seed);
	check_same(f, 0);
	for (int spot = 0; spot < 40; spot++)
		damage(f, &seed);
	check_same(f, 0);
	check_same(f, E2LAZY_RING_DATA);
}
END_TEST

/* Nothing past the end of a cut image can be read. */
START_TEST(threads_find_the_same_where_blocks_are_unreadable)
{
	struct fixture *f = map_of("start 1\nbulk 60 tags 15 from 60000 tid 5\n");
	char *told;

	ck_assert_int_eq(truncate(f->image, (off_t)home_of(f, 600) * 1024), 0);
	check_same(f, 0);
	told = told_by(f, NULL, 0);
	ck_assert_ptr_nonnull(strstr(told, "unreadable 424,"));
	free(told);
}
END_TEST

/* A thread is past them before the scan is there. */
START_TEST(threads_know_control_blocks)
{
	struct fixture *f = map_of("start 1\n"
				   "bulk 16 tags 61 from 60000 tid 5\n");
	struct ahead ahead;
	struct control c;
	unsigned known = 0;

	ahead_begin(&ahead, f->journal, 1);
	ck_assert_uint_eq(ahead.nr, 2);
	for (uint32_t at = 1; at <= 16 * 63; at++) {
		bool there = ahead_get(&ahead, at, &c);

		ck_assert(!there || at % 63 < 2);
		ck_assert(!there || c.tid == 5 + (at - 1) / 63);
		known += there;
	}
	/* all but those of the first stretch, a third of the ring */
	ck_assert_uint_eq(known, 21);
	ahead_end(&ahead);
}
END_TEST

START_TEST(threads_end_when_nobody_waits)
{
	struct fixture *f = map_of("start 1\n"
				   "bulk 300 tags 1 from 60000 tid 5\n");
	struct ahead ahead;

	for (int i = 0; i < 50; i++) {
		ahead_begin(&ahead, f->journal, 1 + 20 * (uint32_t)i);
		ahead_end(&ahead);
	}
}
END_TEST

TCase *laps_ahead_tests(void)
{
	TCase *tc = tcase_create("laps_ahead");

	tcase_add_loop_test(tc, threads_find_the_same, 0,
			    sizeof(rings) / sizeof(*rings));
	tcase_add_loop_test(tc, threads_find_the_same_in_a_worn_ring, 0, 6);
	tcase_add_test(tc, threads_find_the_same_where_blocks_are_unreadable);
	tcase_add_test(tc, threads_know_control_blocks);
	tcase_add_test(tc, threads_end_when_nobody_waits);
	return tc;
}
