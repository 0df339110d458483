/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order in which a checkpoint writes, where no recovery shows it: e2fsck
 * asks before it discards a log that needs_recovery does not announce, but a
 * mount does not ask.
 */

#include <string.h>

#include "judged.h"
#include "record_io.h"

#define BLOCK 1024			/* of PLAIN */

static void write_back(struct fixture *f, struct recording *r)
{
	struct e2lazy_checkpoint_opts opts = { .manager = record_io_manager };
	struct e2lazy_checkpoint_done done;
	struct judged j = { .f = NULL };

	open_subject(&j, f);
	agree(&j);
	record_begin(r);
	ck_assert_int_eq(e2lazy_checkpoint(j.subject.view, j.verdict, &opts,
					   &done, &f->where), 0);
	close_subject(&j);
}

/* A write of the superblock, and whether that says that a log is there. */
static bool is_super(const struct recorded *op, bool needs_recovery)
{
	const struct ext2_super_block *sb = op->bytes;

	return sb && op->offset == BLOCK && op->count == BLOCK &&
	       !(sb->s_feature_incompat & EXT3_FEATURE_INCOMPAT_RECOVER) ==
	       !needs_recovery;
}

START_TEST(needs_recovery_is_set_and_flushed_before_anything_else)
{
	struct recording r;

	write_back(map_of("needs_recovery off\ntxn 5 write 60000-60004\n"),
		   &r);
	ck_assert_uint_gt(r.nr, 3);
	ck_assert(is_super(&r.ops[0], true));
	ck_assert_ptr_null(r.ops[1].bytes);
	record_free(&r);
}
END_TEST

START_TEST(where_it_is_set_it_is_not_written_again_first)
{
	struct recording r;

	write_back(map_of("txn 5 write 60000-60004\n"), &r);
	ck_assert_uint_gt(r.nr, 3);
	ck_assert_uint_eq(r.ops[0].offset, 60000 * BLOCK);
	record_free(&r);
}
END_TEST

START_TEST(it_is_cleared_and_flushed_last)
{
	struct recording r;

	write_back(map_of("txn 5 write 60000-60004\n"), &r);
	ck_assert_ptr_null(r.ops[r.nr - 1].bytes);
	ck_assert(is_super(&r.ops[r.nr - 2], false));
	ck_assert_ptr_null(r.ops[r.nr - 3].bytes);
	record_free(&r);
}
END_TEST

TCase *seal_tests(void)
{
	TCase *tc = tcase_create("seal");

	tcase_add_test(tc,
		needs_recovery_is_set_and_flushed_before_anything_else);
	tcase_add_test(tc, where_it_is_set_it_is_not_written_again_first);
	tcase_add_test(tc, it_is_cleared_and_flushed_last);
	return tc;
}
