/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commit times that go back in the log: a clock that was set back, or an earlier
 * file system with the same UUID.  Inodes decide.
 */

#include <stdio.h>
#include <string.h>

#include "deleted.h"
#include "io/bytes.h"
#include "judged.h"
#include "log/log.h"

/* mke2fs ran at 1668464000: see MADE in fixture.c. */
#define BEFORE	INT64_C(1600000000)
#define THEN	INT64_C(1690000000)
#define NOW	INT64_C(1700000000)

#define FILES	"for i in 1 2 3 4 5 6 7 8; do echo $i >f$i; done"

static const char *const features[] = { SUMS, NO_SUMS };

/* A kernel gives each file a generation of its own. */
static void set_generations(struct owned *o, unsigned first)
{
	char commands[512] = "";
	size_t at = 0;

	for (unsigned i = 1; i <= 8; i++)
		at += snprintf(commands + at, sizeof(commands) - at,
			       "sif f%u generation %u\n", i,
			       first ? first + i : 0);
	alter(o, commands);
}

static void set_generation(struct owned *o, unsigned file, unsigned generation)
{
	char command[64];

	snprintf(command, sizeof(command), "sif f%u generation %u\n", file,
		 generation);
	alter(o, command);
}

/* The inodes of f1 to f8 as they are now, a transaction of the log. */
static void keep_inodes(struct owned *o)
{
	ext2_ino_t first = ino_of(o, "/f1"), last = ino_of(o, "/f8");
	blk64_t blocks[9], end = home_of(o, last);
	unsigned n = 0;

	for (blk64_t b = home_of(o, first); b <= end; b++)
		blocks[n++] = b;
	blocks[n] = 0;
	keep_txn(o, blocks);
}

/* One of a free block alone: no inode decides about it. */
static void keep_nothing(struct owned *o)
{
	keep_txn(o, (blk64_t[]){ FREE, 0 });
}

static void seal_commit(struct owned *o, uint8_t *block)
{
	const uint8_t *uuid = o->f->journal->geo.uuid;

	put_be32(block + COMMIT_CSUM, 0);
	put_be32(block + COMMIT_CSUM,
		 ext2fs_crc32c_le(ext2fs_crc32c_le(~0U, uuid, 16), block,
				  BLOCK));
}

/* debugfs commits now; the transactions of the log get these times instead. */
static void set_times(struct owned *o, const int64_t *times)
{
	uint8_t block[BLOCK];
	struct jbd2_header h;

	ck_assert_int_eq(try_open(o->f, NULL), 0);
	for (blk64_t at = 1; *times; at++) {
		blk64_t fsblk = block_of_ino(o, EXT2_JOURNAL_INO, at);

		ck_assert_uint_lt(at, 100);
		read_block(o, fsblk, block);
		if (!jbd2_get_header(block, &h) || h.type != JBD2_COMMIT)
			continue;
		put_be32(block + COMMIT_SEC, 0);
		put_be32(block + COMMIT_SEC + 4, (uint32_t)*times++);
		if (o->sums)
			seal_commit(o, block);
		write_block(o, fsblk, block);
	}
	drop(o->f);
}

static void check_found(struct owned *o, const int64_t *times,
			const char *expect)
{
	struct judged j = { .f = NULL };

	write_txns(o);
	set_times(o, times);
	ck_assert_str_eq(judge(&j, o->f, 0), expect);
	close_subject(&j);
	free_owned(o);
}

/*
 * Judge the kept transactions, committed at @times; a count of 0: the clock was
 * set back, and that is all.
 */
static void check_times(struct owned *o, const int64_t *times, unsigned count)
{
	char expect[64] = "";
	unsigned back = 0;

	for (size_t i = 1; times[i]; i++)
		back += times[i] < times[i - 1];
	if (count)
		snprintf(expect, sizeof(expect), "commit-before-mkfs %u",
			 count);
	else if (back)
		snprintf(expect, sizeof(expect), "times-go-back %u", back);
	check_found(o, times, expect);
}

#define CHECK_TIMES(o, count, ...) \
	check_times(o, (const int64_t[]){ __VA_ARGS__, 0 }, count)

/* All change times, and with them the only ones that are later than mke2fs. */
static void set_change_times(struct owned *o, int64_t sec)
{
	char command[64];

	for (unsigned i = 1; i <= 8; i++) {
		snprintf(command, sizeof(command), "sif f%u ctime @%lld\n", i,
			 (long long)sec);
		alter(o, command);
	}
}

static struct owned *files_of(int kind)
{
	struct owned *o = new_owned(features[kind], FILES);

	o->sums = kind == 0;
	return o;
}

START_TEST(other_files_in_many_inodes_are_an_earlier_file_system_s)
{
	struct owned *o = files_of(_i);

	set_generations(o, 100);
	keep_inodes(o);
	set_generations(o, 200);
	keep_inodes(o);
	keep_nothing(o);
	CHECK_TIMES(o, 2, NOW, THEN, THEN + 1);
}
END_TEST

START_TEST(so_are_later_ones_whose_times_go_back_again)
{
	struct owned *o = files_of(_i);

	set_generations(o, 100);
	keep_inodes(o);
	set_generations(o, 200);
	keep_inodes(o);
	keep_inodes(o);
	CHECK_TIMES(o, 2, NOW, THEN, THEN - 1);
}
END_TEST

START_TEST(without_a_time_that_goes_back_there_is_no_doubt)
{
	struct owned *o = files_of(_i);

	set_generations(o, 100);
	keep_inodes(o);
	set_generations(o, 200);
	keep_inodes(o);
	CHECK_TIMES(o, 0, NOW, NOW);
}
END_TEST

START_TEST(the_same_files_are_of_a_clock_that_was_set_back)
{
	static const int64_t times[] = { THEN, BEFORE };

	for (unsigned i = 0; i < 2; i++) {
		struct owned *o = files_of(_i);

		set_change_times(o, BEFORE);
		set_generations(o, 100);
		keep_inodes(o);
		keep_inodes(o);
		keep_nothing(o);
		CHECK_TIMES(o, 0, NOW, times[i], times[i] + 1);
	}
}
END_TEST

/* A kernel counts i_version up, and libext2fs before 1.47.0 leaves s_sequence. */
START_TEST(an_older_version_of_the_same_inode_was_replayed_before)
{
	struct owned *o = files_of(_i);

	set_generations(o, 100);
	alter(o, "sif f3 version 7\n");
	keep_inodes(o);
	alter(o, "sif f3 version 6\n");
	keep_inodes(o);
	keep_nothing(o);
	check_found(o, (const int64_t[]){ NOW, THEN, THEN + 1, 0 },
		    "replayed-before 2");
	o = files_of(_i);
	set_generations(o, 100);
	alter(o, "sif f3 version 7\n");
	keep_inodes(o);
	alter(o, "sif f3 version 8\n");
	keep_inodes(o);
	keep_nothing(o);
	CHECK_TIMES(o, 0, NOW, THEN, THEN + 1);
}
END_TEST

/* The kernel has written a later copy of the run home. */
START_TEST(a_static_block_that_is_newer_proves_no_replay)
{
	struct owned *o = files_of(_i);

	set_generations(o, 100);
	alter(o, "sif f3 version 7\n");
	keep_nothing(o);
	keep_inodes(o);
	alter(o, "sif f3 version 9\n");
	CHECK_TIMES(o, 0, NOW, THEN);
}
END_TEST

START_TEST(one_such_file_is_enough)
{
	struct owned *o = files_of(_i);

	set_generations(o, 100);
	keep_inodes(o);
	set_generations(o, 200);
	set_generation(o, 8, 108);
	keep_inodes(o);
	CHECK_TIMES(o, 0, NOW, THEN);
}
END_TEST

START_TEST(a_few_inodes_that_were_used_again_prove_nothing)
{
	struct owned *o = files_of(_i);

	keep_inodes(o);
	for (unsigned i = 1; i <= 3; i++)
		set_generation(o, i, 200 + i);
	keep_inodes(o);
	CHECK_TIMES(o, 0, NOW, THEN);
	o = files_of(_i);
	keep_inodes(o);
	for (unsigned i = 1; i <= 4; i++)
		set_generation(o, i, 200 + i);
	keep_inodes(o);
	CHECK_TIMES(o, 1, NOW, THEN);
}
END_TEST

START_TEST(inodes_that_mke2fs_made_prove_nothing)
{
	struct owned *o = files_of(_i);

	set_change_times(o, BEFORE);
	keep_inodes(o);
	keep_inodes(o);
	CHECK_TIMES(o, 0, NOW, THEN);
	o = files_of(_i);
	set_change_times(o, BEFORE);
	keep_inodes(o);
	keep_inodes(o);
	CHECK_TIMES(o, 1, NOW, BEFORE);
}
END_TEST

START_TEST(an_inode_changed_since_mke2fs_is_of_this_file_system)
{
	struct owned *o = files_of(_i);

	keep_nothing(o);
	set_change_times(o, BEFORE);
	keep_inodes(o);
	CHECK_TIMES(o, 1, NOW, BEFORE);
	o = files_of(_i);
	keep_nothing(o);
	set_change_times(o, THEN);
	keep_inodes(o);
	CHECK_TIMES(o, 0, NOW, BEFORE);
}
END_TEST

START_TEST(a_block_without_an_earlier_copy_is_compared_in_place)
{
	struct owned *o = files_of(_i);

	keep_nothing(o);
	set_generations(o, 200);
	keep_inodes(o);
	set_generations(o, 100);
	CHECK_TIMES(o, 1, NOW, THEN);
	o = files_of(_i);
	keep_nothing(o);
	set_generations(o, 200);
	set_change_times(o, BEFORE);
	keep_inodes(o);
	CHECK_TIMES(o, 0, NOW, BEFORE);
}
END_TEST

/* lazy_itable_init leaves there what an earlier file system had in place. */
START_TEST(inodes_that_the_group_has_not_used_yet_do_not_count)
{
	struct owned *o = files_of(_i);

	keep_nothing(o);
	set_generations(o, 200);
	keep_inodes(o);
	set_generations(o, 100);
	alter(o, "set_bg 0 itable_unused 2037\nset_bg 0 checksum calc\n");
	CHECK_TIMES(o, 0, NOW, THEN);
}
END_TEST

START_TEST(a_clock_set_back_before_another_file_system_excuses_itself_only)
{
	struct owned *o = files_of(_i);

	set_generations(o, 100);
	keep_inodes(o);
	keep_inodes(o);
	set_generations(o, 200);
	keep_inodes(o);
	CHECK_TIMES(o, 1, NOW, NOW - 10, THEN);
}
END_TEST

TCase *earlier_tests(void)
{
	TCase *tc = tcase_create("earlier");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc,
		other_files_in_many_inodes_are_an_earlier_file_system_s, 0, 2);
	tcase_add_loop_test(tc, so_are_later_ones_whose_times_go_back_again, 0,
			    2);
	tcase_add_loop_test(tc, without_a_time_that_goes_back_there_is_no_doubt,
			    0, 2);
	tcase_add_loop_test(tc,
		an_older_version_of_the_same_inode_was_replayed_before, 0, 2);
	tcase_add_loop_test(tc, a_static_block_that_is_newer_proves_no_replay,
			    0, 2);
	tcase_add_loop_test(tc, the_same_files_are_of_a_clock_that_was_set_back,
			    0, 2);
	tcase_add_loop_test(tc, one_such_file_is_enough, 0, 2);
	tcase_add_loop_test(tc, a_few_inodes_that_were_used_again_prove_nothing,
			    0, 2);
	tcase_add_loop_test(tc, inodes_that_mke2fs_made_prove_nothing, 0, 2);
	tcase_add_loop_test(tc,
		an_inode_changed_since_mke2fs_is_of_this_file_system, 0, 2);
	tcase_add_loop_test(tc,
		a_block_without_an_earlier_copy_is_compared_in_place, 0, 2);
	/* group descriptors without checksums do not count used inodes */
	tcase_add_loop_test(tc,
		inodes_that_the_group_has_not_used_yet_do_not_count, 0, 1);
	tcase_add_loop_test(tc,
		a_clock_set_back_before_another_file_system_excuses_itself_only,
		0, 2);
	return tc;
}
