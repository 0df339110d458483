/* SPDX-License-Identifier: GPL-2.0-only */
/* A reader of single blocks has the next copies from memory, if they are good. */

#include <stdio.h>
#include <string.h>

#include "e2lazy_view.h"
#include "fixture.h"
#include "sick_io.h"

#define BLOCK 1024			/* of PLAIN */
#define MAGIC "\xc0\x3b\x39\x98"

/* Zeros over the copy of @fsblk, as a later lap of the ring writes over it. */
static void overwrite_copy(struct fixture *f, blk64_t fsblk)
{
	struct e2lazy_copy copy;
	char line[256];

	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, fsblk, &copy), 0);
	snprintf(line, sizeof(line), "dd if=/dev/zero of=%%s bs=%u seek=%llu "
		 "count=1 conv=notrunc status=none", BLOCK,
		 (unsigned long long)copy.physblk);
	shell(f, line);
}

/* Read one block, which mkjournal has filled with @expect, or fail with @err. */
static void check_block(struct e2lazy_view *view, blk64_t fsblk,
			const char *expect, errcode_t err)
{
	char block[BLOCK];

	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					  fsblk * BLOCK, BLOCK, block, NULL),
			 err);
	if (!err)
		ck_assert_mem_eq(block, expect, strlen(expect));
}

static struct e2lazy_view *view_of(struct fixture *f)
{
	struct e2lazy_view *view;

	read_map(f, E2LAZY_JMAP_CSUMS, 0);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view,
					   &f->where), 0);
	return view;
}

/* 60003 is not behind 60002 in the log, and 60008 not behind 60004 in place. */
START_TEST(one_block_after_the_other_is_read_ahead)
{
	struct fixture *f = map_of("txn 5 write 60000-60002 60010 60003-60004 "
				   "escape 60008 write 60009 60011\n");
	struct e2lazy_view *view = view_of(f);

	check_block(view, 60000, "fsblk 60000 tid 5", 0);
	check_block(view, 60001, "fsblk 60001 tid 5", 0);
	overwrite_copy(f, 60002);
	check_block(view, 60002, "fsblk 60002 tid 5", 0);
	check_block(view, 60003, "fsblk 60003 tid 5", 0);
	check_block(view, 60004, "fsblk 60004 tid 5", 0);
	overwrite_copy(f, 60008);
	overwrite_copy(f, 60009);
	check_block(view, 60008, MAGIC, 0);
	check_block(view, 60009, "fsblk 60009 tid 5", 0);
	overwrite_copy(f, 60003);
	check_block(view, 60003, NULL, E2LAZY_ET_DATA_CSUM);
	check_block(view, 60010, "fsblk 60010 tid 5", 0);
	check_block(view, 60011, "fsblk 60011 tid 5", 0);
	check_block(view, 60000, "fsblk 60000 tid 5", 0);
	check_block(view, 60001, "fsblk 60001 tid 5", 0);
	check_block(view, 60002, NULL, E2LAZY_ET_DATA_CSUM);
	e2lazy_view_free(view);
}
END_TEST

/* Once with those before it, and once for itself. */
START_TEST(a_bad_block_is_not_tried_again_and_again)
{
	struct e2lazy_open_opts opts = { .manager = sick_io_manager };
	struct fixture *f = map_of("txn 5 write 60000-60006\n");
	struct e2lazy_copy copy;
	struct e2lazy_view *view;

	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60005, &copy), 0);
	ck_assert_int_eq(try_open(f, &opts), 0);
	view = view_of(f);
	sick_begin(copy.physblk);
	for (blk64_t fsblk = 60000; fsblk < 60005; fsblk++)
		check_block(view, fsblk, "fsblk 6000", 0);
	check_block(view, 60005, NULL, EXT2_ET_SHORT_READ);
	check_block(view, 60006, "fsblk 60006 tid 5", 0);
	ck_assert_uint_eq(sick_failed, 2);
	sick_begin(0);
	e2lazy_view_free(view);
}
END_TEST

TCase *next_copies_tests(void)
{
	TCase *tc = tcase_create("next_copies");

	tcase_add_test(tc, one_block_after_the_other_is_read_ahead);
	tcase_add_test(tc, a_bad_block_is_not_tried_again_and_again);
	return tc;
}
