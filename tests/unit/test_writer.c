/* SPDX-License-Identifier: GPL-2.0-only */
/* Several writes at a time: what is written, in what order it is told. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "io/writer.h"

#define SIZE	1024
#define BLOCKS	20000
#define LARGEST	64
#define BAD	4711		/* requests with this block fail */

/* The device, and what the tests see of it. */
static struct {
	uint8_t		at[BLOCKS][SIZE];
	unsigned	in_flight;
	bool		shut;		/* writes wait */
} disk;

static struct {
	uint32_t	settled;	/* requests */
	uint64_t	blocks;
	unsigned	failed;
} seen;

static unsigned now_in_flight(void)
{
	return __atomic_load_n(&disk.in_flight, __ATOMIC_SEQ_CST);
}

static bool has(uint64_t block, uint32_t count)
{
	return BAD - block < count;
}

/* The sooner a request ends, the fewer it overtakes: they take turns. */
static errcode_t write_to_disk(io_channel channel, unsigned long long block,
			       int count, const void *bytes)
{
	(void)channel;
	__atomic_add_fetch(&disk.in_flight, 1, __ATOMIC_SEQ_CST);
	do
		usleep(block % 3 * 20);
	while (__atomic_load_n(&disk.shut, __ATOMIC_SEQ_CST));
	if (!has(block, (uint32_t)count))
		memcpy(disk.at[block], bytes, (size_t)count * SIZE);
	__atomic_sub_fetch(&disk.in_flight, 1, __ATOMIC_SEQ_CST);
	return has(block, (uint32_t)count) ? EXT2_ET_SHORT_WRITE : 0;
}

static struct struct_io_manager manager = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "slow I/O manager",
	.write_blk64	= write_to_disk,
};

static struct struct_io_channel channel = {
	.magic		= EXT2_ET_MAGIC_IO_CHANNEL,
	.manager	= &manager,
	.block_size	= SIZE,
};

static void fill(uint8_t *to, uint64_t block, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		memset(to + (size_t)i * SIZE, (int)((block + i) % 251 + 1),
		       SIZE);
}

/* In the order of the requests, and while their bytes are still there. */
static void check_settled(void *priv, const struct job *job)
{
	uint8_t bytes[LARGEST * SIZE];

	ck_assert_ptr_eq(priv, &seen);
	ck_assert_uint_eq(job->slot, seen.settled++);
	ck_assert_uint_eq(job->fsblk, seen.blocks);
	fill(bytes, job->fsblk, job->count);
	ck_assert_mem_eq(job->bytes, bytes, (size_t)job->count * SIZE);
	ck_assert_int_eq(job->error, has(job->fsblk, job->count) ?
				     EXT2_ET_SHORT_WRITE : 0);
	if (job->error)
		seen.failed++;
	else
		ck_assert_mem_eq(disk.at[job->fsblk], bytes,
				 (size_t)job->count * SIZE);
	seen.blocks += job->count;
}

static void begin(struct writer *w, size_t room, bool threads)
{
	memset(&disk, 0, sizeof(disk));
	memset(&seen, 0, sizeof(seen));
	ck_assert_int_eq(writer_begin(w, &channel, room, threads,
				      check_settled, &seen), 0);
}

/* What is in flight fits the room, whosever memory it is in. */
static void put(struct writer *w, uint32_t number, uint64_t block,
		uint32_t count, uint8_t *own)
{
	size_t bytes = (size_t)count * SIZE;
	struct job *job = writer_job(w, count);
	uint8_t *to = own ? own : job->buffer;

	job->fsblk = block;
	job->slot = number;
	ck_assert_uint_le((block + count - seen.blocks) * SIZE, w->room);
	ck_assert_uint_eq((uintptr_t)job->buffer % 4096, 0);
	ck_assert(job->buffer >= w->ring);
	ck_assert(job->buffer + bytes <= w->ring + w->room);
	job->bytes = to;
	fill(to, block, count);
	writer_put(w);
}

/* The room: of the largest request alone, and some not of whole requests. */
static const size_t rooms[] = {
	LARGEST * SIZE, LARGEST * SIZE + 4096, 5 * LARGEST * SIZE / 2,
	24 * LARGEST * SIZE,
};
#define NR_ROOMS (sizeof(rooms) / sizeof(rooms[0]))

START_TEST(each_request_is_written_and_settled_in_order)
{
	uint8_t *own = malloc((size_t)BLOCKS * SIZE);
	uint32_t number = 0, count;
	uint64_t block;
	struct writer w;

	ck_assert_ptr_nonnull(own);
	srand((unsigned)_i);
	begin(&w, rooms[_i / 2], _i % 2);
	for (block = 0; block < BLOCKS - LARGEST; block += count, number++) {
		bool large = rand() % 4 == 0;

		count = 1 + (uint32_t)rand() % (large ? LARGEST : 4);
		put(&w, number, block, count,
		    rand() % 3 ? NULL : own + block * SIZE);
	}
	writer_drain(&w);
	ck_assert_uint_eq(seen.settled, number);
	ck_assert_uint_eq(seen.blocks, block);
	ck_assert_uint_eq(seen.failed, 1);
	ck_assert_uint_eq(now_in_flight(), 0);
	writer_end(&w);
	free(own);
}
END_TEST

/* The tests' time limit ends one that waits for ever. */
START_TEST(many_small_requests_wait_for_the_device)
{
	uint32_t number = 0;
	struct writer w;

	begin(&w, 2 * LARGEST * SIZE, true);
	ck_assert_uint_gt(w.nr_threads, 1);
	disk.shut = true;
	for (; number < 2 * LARGEST / 4; number++)
		put(&w, number, number, 1, NULL);
	while (now_in_flight() < w.nr_threads)
		usleep(1000);
	ck_assert_uint_eq(seen.settled, 0);
	__atomic_store_n(&disk.shut, false, __ATOMIC_SEQ_CST);
	writer_drain(&w);
	ck_assert_uint_eq(seen.settled, number);
	writer_end(&w);
}
END_TEST

/* Whether somebody is told of it or not. */
START_TEST(an_end_waits_for_what_was_put)
{
	struct writer w;

	begin(&w, 4 * LARGEST * SIZE, true);
	for (uint32_t number = 0; number < 100; number++)
		put(&w, number, number, 1, NULL);
	writer_end(&w);
	ck_assert_uint_eq(now_in_flight(), 0);
	for (uint64_t block = 0; block < 100; block++)
		ck_assert_uint_eq(disk.at[block][SIZE - 1], block % 251 + 1);
}
END_TEST

TCase *writer_tests(void)
{
	TCase *tc = tcase_create("writer");

	tcase_add_loop_test(tc, each_request_is_written_and_settled_in_order, 0,
			    2 * (int)NR_ROOMS);
	tcase_add_test(tc, many_small_requests_wait_for_the_device);
	tcase_add_test(tc, an_end_waits_for_what_was_put);
	return tc;
}
