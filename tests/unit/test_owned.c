/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that have had a block, of images made by hand. */

#include "changed.h"

/* debugfs changes neither times nor links of its own accord. */
#define NOTED	"sif / mtime 5\nsif /d mtime 5\nsif /e mtime 5\n"
#define AGAIN	"sif / mtime 6\nsif /d mtime 6\nsif /e mtime 6\n"
#define TREE	"mkdir d e; echo hello >f; echo you >g"

/*
 * A file's block goes to another one, in the first transaction that shows it (0),
 * or is another life's of the same inode (1); or the log shows only that the file
 * has the block (2).
 */
START_TEST(a_block_has_one_owner_after_another)
{
	static const char *const told[] = {
		"2 lost 15 0 /g\n2 got 17 0 /e/new\n",
		"2 lost 15 0 /g\n2 got 15 0 /e/new\n",
		"1 has 15 0 /g\n2 lost 15 0 /g\n2 got 17 0 /e/new\n",
	};
	struct story s = new_story(SUMS, TREE);
	blk64_t block = block_of(s.o, "/g", 0);

	s.follows = _i == 2;
	step(&s, "sif /f mtime 7\n");
	step(&s, _i == 1 ? NOTED "sif <15> generation 77\nln <15> /e/new\n"
			   "unlink /g\n" :
			   NOTED "copy_inode <15> <17>\nclri <15>\n"
			   "ln <17> /e/new\nunlink /g\n");
	step(&s, AGAIN "sif /e/new mode 0100600\n");
	write_story(&s);
	check_owners(&s, block, told[_i]);
	check_owners(&s, block + 100, "");
	end_story(&s);
}
END_TEST

TCase *owned_tests(void)
{
	TCase *tests = tcase_create("owned");

	tcase_add_checked_fixture(tests, no_orphan_file, NULL);
	tcase_add_loop_test(tests, a_block_has_one_owner_after_another, 0, 3);
	return tests;
}
