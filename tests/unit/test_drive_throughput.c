/* SPDX-License-Identifier: GPL-2.0-only */
/* Measure how fast a device reads: the reads it does, not their time. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "drive/disk_load.h"
#include "drive_tree.h"

#define MIB	(1ULL << 20)

static struct e2lazy_throughput measured;

static errcode_t measure(const char *device, uint64_t offset)
{
	return e2lazy_drive_throughput(device, NULL, offset, 40, NULL,
				       &measured);
}

static void check_figures(uint64_t offset)
{
	ck_assert_uint_ge(measured.samples, 1);
	ck_assert_uint_gt(measured.slowest, 0);
	ck_assert_uint_le(measured.slowest, measured.bytes_per_second);
	ck_assert_uint_le(measured.bytes_per_second, measured.fastest);
	ck_assert_uint_eq(measured.offset, offset);
	ck_assert(!measured.busy);
}

START_TEST(a_file_is_measured_at_its_place)
{
	struct fixture *f = new_fixture();

	shell(f, "truncate -s 64M %s");
	ck_assert_int_eq(measure(f->image, 0), 0);
	check_figures(0);
	ck_assert_int_eq(measure(f->image, 32 * MIB), 0);
	check_figures(32 * MIB);
	ck_assert_int_eq(measure(f->image, 32 * MIB + 4097), 0);
	check_figures(32 * MIB + 4096);
	/* near to the end, it goes on at the beginning */
	ck_assert_int_eq(measure(f->image, 64 * MIB - 1), 0);
	check_figures(64 * MIB - 4096);
}
END_TEST

/* With blocks: holes are read in any piece even by direct I/O. */
static void measure_of(unsigned bytes)
{
	struct fixture *f = new_fixture();
	char command[64];

	snprintf(command, sizeof(command), "head -c %u /dev/zero >%%s", bytes);
	shell(f, command);
	ck_assert_int_eq(measure(f->image, 0), 0);
	check_figures(0);
}

START_TEST(a_file_may_be_as_small_as_one_byte)
{
	static const unsigned sizes[] = { 1, 511, 4095, 4096 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		measure_of(sizes[i]);
}
END_TEST

START_TEST(an_odd_end_is_no_reason_to_give_up_direct_io)
{
	bool direct;

	measure_of(4096);
	direct = measured.direct;	/* as the file system has it */
	measure_of(4097);
	ck_assert(measured.direct == direct);
	measure_of(5000000);
	ck_assert(measured.direct == direct);
}
END_TEST

START_TEST(nothing_is_read_where_there_is_nothing)
{
	struct fixture *f = new_fixture();

	ck_assert_int_eq(measure(f->image, 0), ENOENT);
	shell(f, ": >%s");
	ck_assert_int_eq(measure(f->image, 0), E2LAZY_ET_DEVICE_SHORT);
	shell(f, "truncate -s 1M %s");
	ck_assert_int_eq(measure(f->image, MIB), E2LAZY_ET_DEVICE_SHORT);
	ck_assert_int_eq(measure(f->image, UINT64_MAX),
			 E2LAZY_ET_DEVICE_SHORT);
	ck_assert_int_eq(measure(f->dir, 0), EISDIR);
	ck_assert_uint_eq(measured.samples, 0);
}
END_TEST

START_TEST(nothing_is_written)
{
	struct fixture *f = new_fixture();
	struct stat before, after;

	shell(f, "truncate -s 8M %s");
	ck_assert_int_eq(stat(f->image, &before), 0);
	ck_assert_int_eq(measure(f->image, 0), 0);
	ck_assert_int_eq(stat(f->image, &after), 0);
	ck_assert_int_eq(memcmp(&before.st_mtim, &after.st_mtim,
				sizeof(before.st_mtim)), 0);
	ck_assert_int_eq(memcmp(&before.st_ctim, &after.st_ctim,
				sizeof(before.st_ctim)), 0);
	ck_assert_int_eq(before.st_blocks, after.st_blocks);
}
END_TEST

static errcode_t stop_at_third(void *priv)
{
	unsigned *asked = priv;

	return ++*asked == 3 ? E2LAZY_ET_CANCELLED : 0;
}

START_TEST(it_stops_when_told_and_says_so)
{
	struct fixture *f = new_fixture();
	unsigned asked = 0;
	const struct e2lazy_watch watch = { .stop = stop_at_third,
					    .priv = &asked };

	shell(f, "truncate -s 64M %s");
	ck_assert_int_eq(e2lazy_drive_throughput(f->image, NULL, 0, 3600000,
						 &watch, &measured),
			 E2LAZY_ET_CANCELLED);
	ck_assert_uint_eq(asked, 3);
}
END_TEST

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/*
 * A stop that is asked between reads, and takes its time after the first
 * moments, of which one sample has most.
 */
static errcode_t slow_down(void *priv)
{
	const struct timespec pause = { .tv_nsec = 100000000 };
	uint64_t *start = priv;

	if (!*start)
		*start = now_ms();
	if (now_ms() - *start > 40)
		nanosleep(&pause, NULL);
	return 0;
}

/* Holes read at the speed of memory, like blocks never written. */
START_TEST(no_turning_disk_reads_as_fast_as_memory)
{
	struct e2lazy_drive drive = { .cls = E2LAZY_DRIVE_ROTATIONAL,
				      .disks = 1, .rotational = true };
	struct fixture *f = new_fixture();
	uint64_t start = 0;
	const struct e2lazy_watch watch = { .stop = slow_down,
					    .priv = &start };

	shell(f, "truncate -s 256M %s");
	ck_assert_int_eq(e2lazy_drive_throughput(f->image, &drive, 0, 40, NULL, &measured), 0);
	ck_assert(measured.implausible == (measured.fastest > 300 * MIB));
	/* One sample that was too fast is enough. */
	ck_assert_int_eq(e2lazy_drive_throughput(f->image, &drive, 0, 400,
						 &watch, &measured), 0);
	ck_assert(measured.implausible == (measured.fastest > 300 * MIB));
	drive.rotational = false;
	ck_assert_int_eq(e2lazy_drive_throughput(f->image, &drive, 0, 40, NULL, &measured), 0);
	ck_assert(!measured.implausible);
	/* several disks read at once */
	drive.rotational = true;
	drive.disks = 8;
	ck_assert_int_eq(e2lazy_drive_throughput(f->image, &drive, 0, 40, NULL, &measured), 0);
	ck_assert(!measured.implausible);
}
END_TEST

static bool others(const char *counters, uint64_t before, uint64_t ours)
{
	struct fixture *f = new_fixture();
	struct disk_load busy = { .sectors = before };
	char command[256];

	snprintf(command, sizeof(command), "echo '%s' >%%s", counters);
	shell(f, command);
	snprintf(busy.path, sizeof(busy.path), "%s", f->image);
	return disk_load_since(&busy, ours);
}

/* reads merged SECTORS ms, writes merged SECTORS ms, in flight ... */
START_TEST(what_others_move_is_what_the_counters_have_more)
{
	ck_assert(!others("9 9 3000 9 9 9 2000 9 0 9 9", 5000, 0));
	ck_assert(!others("9 9 3000 9 9 9 2000 9 0 9 9", 4000, 512000));
	/* a twentieth may be others' */
	ck_assert(!others("9 9 3050 9 9 9 2000 9 0 9 9", 4000, 512000));
	ck_assert(others("9 9 3051 9 9 9 2000 9 0 9 9", 4000, 512000));
	ck_assert(others("9 9 3000 9 9 9 2051 9 0 9 9", 4000, 512000));
	/* a counter that went back or is none tells nothing */
	ck_assert(!others("9 9 3000 9 9 9 2000 9 0 9 9", 9000, 0));
	ck_assert(!others("not there", 0, 0));
}
END_TEST

START_TEST(a_file_has_no_counters)
{
	struct fixture *f = new_fixture();
	struct disk_load busy;
	FILE *file;

	shell(f, ": >%s");
	file = fopen(f->image, "r");
	ck_assert_ptr_nonnull(file);
	disk_load_start(fileno(file), NULL, &busy);
	fclose(file);
	ck_assert_str_eq(busy.path, "");
	ck_assert(!disk_load_since(&busy, 0));
}
END_TEST

TCase *drive_throughput_tests(void)
{
	TCase *tc = tcase_create("drive: throughput");

	tcase_add_test(tc, a_file_is_measured_at_its_place);
	tcase_add_test(tc, a_file_may_be_as_small_as_one_byte);
	tcase_add_test(tc, an_odd_end_is_no_reason_to_give_up_direct_io);
	tcase_add_test(tc, nothing_is_read_where_there_is_nothing);
	tcase_add_test(tc, nothing_is_written);
	tcase_add_test(tc, it_stops_when_told_and_says_so);
	tcase_add_test(tc, no_turning_disk_reads_as_fast_as_memory);
	tcase_add_test(tc, what_others_move_is_what_the_counters_have_more);
	tcase_add_test(tc, a_file_has_no_counters);
	return tc;
}
