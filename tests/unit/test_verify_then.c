/* SPDX-License-Identifier: GPL-2.0-only */
/* Contents that look like a list of blocks: whose the block was when logged. */

#include <stdio.h>

#include "judged.h"
#include "owned.h"

#define FEATURES "-O metadata_csum,64bit"
/* "1\n" and zeros; each piece of f holds such a number, too. */
#define TREE PIECES "; echo 1 >small"

static void keep_one(struct owned *o, blk64_t fsblk)
{
	keep_txn(o, (blk64_t[]){ fsblk, 0 });
}

static void check(struct owned *o, const char *expect)
{
	struct judged j = { .f = NULL };

	o->sums = true;		/* they prove the tag: the block is the question */
	write_txns(o);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT), expect);
	close_subject(&j);
	free_owned(o);
}

static blk64_t home_of_small(struct owned *o)
{
	return home_of(o, ino_of(o, "/small"));
}

START_TEST(a_map_that_the_log_does_not_change_tells)
{
	struct owned *o = new_owned(_i ? "-O ^extents,^64bit" : FEATURES, TREE);

	keep_one(o, block_of(o, "/small", 0));
	check(o, "journaled-data 1");
}
END_TEST

START_TEST(so_does_one_of_the_same_transaction)
{
	struct owned *o = new_owned(FEATURES, TREE);

	keep_txn(o, (blk64_t[]){ block_of(o, "/small", 0), home_of_small(o),
				 0 });
	check(o, "journaled-data 1");
}
END_TEST

/* Have the bitmap logged with the block free or taken, and perhaps others. */
static void keep_bitmap(struct owned *o, blk64_t fsblk, bool taken, blk64_t also)
{
	char command[64];

	snprintf(command, sizeof(command), "%s %llu\n",
		 taken ? "setb" : "freeb", (unsigned long long)fsblk);
	alter(o, command);
	keep_txn(o, (blk64_t[]){ bitmap_over(o, fsblk), also, 0 });
}

/* A freed block goes to another owner in a later transaction. */
START_TEST(so_does_a_later_one_unless_the_block_was_free)
{
	static const struct {
		bool before, between, together, free;
		const char *expect;
	} cases[] = {
		{ .expect = "journaled-data 1" },
		{ .before = true, .expect = "journaled-data 1" },
		{ .between = true, .expect = "journaled-data 1" },
		{ .between = true, .free = true, .expect = "copy-of-data 1" },
		{ .together = true, .free = true, .expect = "copy-of-data 1" },
	};
	struct owned *o = new_owned(FEATURES, TREE);
	blk64_t fsblk = block_of(o, "/small", 0), home = home_of_small(o);

	if (cases[_i].before)
		keep_bitmap(o, fsblk, false, 0);
	keep_one(o, fsblk);
	if (cases[_i].between)
		keep_bitmap(o, fsblk, !cases[_i].free, 0);
	if (cases[_i].together)
		keep_bitmap(o, fsblk, false, home);
	else
		keep_one(o, home);
	keep_bitmap(o, fsblk, true, 0);
	check(o, cases[_i].expect);
}
END_TEST

/* Another generation is another file; another flag, another map. */
START_TEST(nor_one_of_the_inodes_former_file)
{
	static const char *const former[] = {
		"sif /small generation 77\n", "sif /small flags 0\n",
		"sif /small block[5] 9999\n",
	};
	struct owned *o = new_owned(FEATURES, TREE);
	blk64_t fsblk = block_of(o, "/small", 0);
	char inode[1024];

	read_block(o, home_of_small(o), inode);
	alter(o, former[_i]);
	keep_one(o, home_of_small(o));
	write_block(o, home_of_small(o), inode);
	keep_one(o, fsblk);
	keep_one(o, home_of_small(o));
	check(o, "copy-of-data 1");
}
END_TEST

START_TEST(nodes_are_read_as_they_were_too)
{
	struct owned *o = new_owned(FEATURES, TREE);

	if (_i == 1)
		keep_one(o, node_of(o, "/f"));
	keep_one(o, block_of(o, "/f", 4));
	if (_i == 2)
		keep_one(o, node_of(o, "/f"));
	check(o, "journaled-data 1");
}
END_TEST

/* A node's magic is no number by chance. */
START_TEST(what_looks_like_more_than_a_list_is_asked_about)
{
	struct owned *o = new_owned(FEATURES,
		"{ printf '\\012\\363\\001\\000\\124'; "
		"head -c 1019 /dev/zero; } >small");

	keep_one(o, block_of(o, "/small", 0));
	check(o, "copy-of-data 1");
}
END_TEST

TCase *verify_then_tests(void)
{
	TCase *tc = tcase_create("verify then");

	tcase_add_loop_test(tc, a_map_that_the_log_does_not_change_tells, 0,
			    2);
	tcase_add_test(tc, so_does_one_of_the_same_transaction);
	tcase_add_loop_test(tc, so_does_a_later_one_unless_the_block_was_free,
			    0, 5);
	tcase_add_loop_test(tc, nor_one_of_the_inodes_former_file, 0, 3);
	tcase_add_loop_test(tc, nodes_are_read_as_they_were_too, 0, 3);
	tcase_add_test(tc, what_looks_like_more_than_a_list_is_asked_about);
	return tc;
}
