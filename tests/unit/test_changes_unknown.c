/* SPDX-License-Identifier: GPL-2.0-only */
/* What times tell of changes where a block of before is unknown. */

#include "changed.h"

#define TREE	"mkdir d e; echo hello >f; echo you >g"

#define DEAD	"sif <20> mode 0100644\nsif <20> extra_isize 32\n" \
		"sif <20> dtime 2147000000\n"

/*
 * Nobody has seen a file that began and ended between two times.  One that was
 * open when its last name went is freed later: only its change time tells.
 */
START_TEST(an_unknown_inode_that_began_later_has_not_ended)
{
	static const char *const dead[] = {
		DEAD "sif <20> ctime 2147000000\nsif <20> crtime 5\n",
		DEAD "sif <20> ctime 2147000000\nsif <20> crtime 2147000000\n",
		DEAD "sif <20> ctime 6\nsif <20> crtime 5\n",
	};
	struct story s = new_story(SUMS, TREE);

	count_as_written(&s);
	s.follows = true;
	comes_late(&s, home_of(s.o, 20));
	step(&s, "sif / mode 040700\n");
	step(&s, dead[_i]);
	write_story(&s);
	check_each(&s, _i ? "" : "2 deleted <20>\n");
	check_between(&s, 1, _i ? "" : "deleted <20>\n");
	end_story(&s);
}
END_TEST

/* A value that has no room in the inode. */
#define FAR(letters)	"ea_set /f user.far " letters letters letters letters \
			letters letters letters letters "\n"

/* If the log has lost older transactions, the place may be older than those. */
START_TEST(attributes_unknown_before_are_more_than_other_times)
{
	struct story s = new_story(SUMS, TREE);
	struct ext2_inode inode;

	s.follows = _i;
	alter(s.o, FAR("aaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	inode_of(s.o, "/f", &inode);
	comes_late(&s, inode.i_file_acl);
	step(&s, "sif /g mtime 7\n");
	step(&s, FAR("bbbbbbbbbbbbbbbbbbbbbbbbbbb") "sif /f ctime 2147000000\n");
	write_story(&s);
	check_each(&s, _i ? "2 changed /f\n" :
			    "1 xattrs /f\n1 written /g\n2 xattrs /f\n");
	check_between(&s, 1, _i ? "changed /f\n" : "xattrs /f\n");
	ck_assert_int_eq(s.lost != 0, _i);
	end_story(&s);
}
END_TEST

/*
 * Nothing tells what the first transaction of a log that follows another has
 * changed in an inode, but what the inode was then is known, and its deletion.
 */
START_TEST(unknown_inodes_of_the_first_transaction_are_shown_as_states)
{
	struct story s;

	no_orphan_file();
	s = new_story(SUMS, TREE);
	count_as_written(&s);
	s.follows = true;
	s.beginning = _i;
	step(&s, DEAD "sif <20> ctime 2147000000\nsif <20> crtime 5\n"
	     "sif /f mode 0100600\n");
	step(&s, "sif /f mode 0100640\nsif /f ctime 2147000000\n");
	write_story(&s);
	check_each(&s, _i ? "1 state /\n1 state /lost+found\n1 state /d\n"
			    "1 state /e\n1 state /f\n1 state /g\n"
			    "1 state <20>\n2 chmod /f\n" : "2 chmod /f\n");
	ck_assert_uint_gt(s.lost, 0);
	end_story(&s);
}
END_TEST

/* The block before the first transaction is in place: its changes are events. */
START_TEST(a_log_that_follows_no_other_has_no_states_at_the_beginning)
{
	struct story s;

	no_orphan_file();
	s = new_story(SUMS, TREE);
	s.beginning = true;
	step(&s, "sif / mode 040700\nsif /d mode 040700\n"
	     "sif /f mode 0100600\n");
	step(&s, "sif /f mode 0100640\n");
	write_story(&s);
	check_each(&s, "1 chmod /\n1 chmod /d\n1 chmod /f\n2 chmod /f\n");
	end_story(&s);
}
END_TEST

TCase *changes_unknown_tests(void)
{
	TCase *tc = tcase_create("changes unknown");

	tcase_add_loop_test(tc,
			    an_unknown_inode_that_began_later_has_not_ended, 0,
			    3);
	tcase_add_loop_test(tc,
			    attributes_unknown_before_are_more_than_other_times,
			    0, 2);
	tcase_add_loop_test(tc,
		unknown_inodes_of_the_first_transaction_are_shown_as_states,
		0, 2);
	tcase_add_test(tc,
		a_log_that_follows_no_other_has_no_states_at_the_beginning);
	return tc;
}
