/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes of files, from transaction to transaction, of images made by hand. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "changed.h"

/* ------------------------------------------------------------------ rules */

/* debugfs changes neither times nor links of its own accord. */
#define NOTED	"sif / mtime 5\nsif /d mtime 5\nsif /e mtime 5\n"
#define AGAIN	"sif / mtime 6\nsif /d mtime 6\nsif /e mtime 6\n"
#define TREE	"mkdir d e; echo hello >f; echo you >g"

START_TEST(a_name_for_a_name_is_a_renaming)
{
	struct story s = new_story(_i ? NO_SUMS : SUMS, TREE);

	step(&s, "sif /g mtime 7\n");
	step(&s, NOTED "ln /f /d/moved\nunlink /f\n");
	step(&s, AGAIN "ln /d/moved /e/more\nsif /e/more links_count 2\n");
	write_story(&s);
	check_each(&s, "1 written /g\n2 renamed /f -> /d/moved\n"
		       "3 linked /e/more\n");
	check_between(&s, 1, "renamed /f -> /d/moved\nlinked /e/more\n");
	check_between(&s, 2, "linked /e/more\n");
	ck_assert_uint_eq(s.lost, 0);
	end_story(&s);
}
END_TEST

START_TEST(each_field_has_its_word)
{
	struct story s = new_story(_i ? NO_SUMS : SUMS, TREE);

	step(&s, "sif /f size 3\nsif /g ctime 8\n");
	step(&s, "sif /f mode 0100600\nsif /f uid 7\n");
	step(&s, "ea_set /f user.a b\nsif /g flags 0x80010\nsif /g ctime 9\n");
	step(&s, "sif /g atime 9\nsif /g ctime 10\nsif /d size 4096\n");
	write_story(&s);
	check_each(&s, "1 resized /f\n1 touched /g\n2 chmod /f\n2 chown /f\n"
		       "3 xattrs /f\n3 flags /g\n4 times set /g\n");
	check_between(&s, 1, "chmod /f\nchown /f\nxattrs /f\nflags /g\n"
			     "times set /g\n");
	end_story(&s);
}
END_TEST

START_TEST(a_file_begins_and_ends_with_its_links)
{
	struct story s = new_story(_i ? NO_SUMS : SUMS, TREE);

	step(&s, NOTED "unlink /g\nsif <15> links_count 0\n");
	step(&s, AGAIN "ln <15> /e/new\nsif <15> links_count 1\n"
		       "sif <15> generation 77\n");
	write_story(&s);
	check_each(&s, "1 deleted /g\n2 created /e/new\n");
	check_between(&s, 1, "created /e/new\n");
	end_story(&s);
}
END_TEST

/* Another file may have the inode before anybody looks. */
START_TEST(another_life_is_another_file)
{
	struct story s = new_story(SUMS, TREE);

	step(&s, "sif /f mtime 7\n");
	step(&s, NOTED "unlink /g\nln <15> /e/new\nsif <15> generation 77\n");
	write_story(&s);
	check_each(&s, "1 written /f\n2 deleted /g\n2 created /e/new\n");
	check_between(&s, 1, "deleted /g\ncreated /e/new\n");
	end_story(&s);
}
END_TEST

START_TEST(paths_follow_renamed_directories)
{
	struct story s = new_story(SUMS, "mkdir d e; echo hello >d/f; echo x >d/g");

	step(&s, "sif /d/f mtime 7\n");
	step(&s, NOTED "ln /d /e/in\nunlink /d\nunlink /e/in/g\n"
		       "sif <14> links_count 0\n");
	step(&s, "sif /e/in/f mode 0100600\n");
	write_story(&s);
	check_each(&s, "1 written /d/f\n2 renamed /d -> /e/in\n"
		       "2 deleted /d/g\n3 chmod /e/in/f\n");
	check_between(&s, 1, "renamed /d -> /e/in\nchmod /e/in/f\n"
			     "deleted /d/g\n");
	end_story(&s);
}
END_TEST

#define RENAMED	"ln /d /new\nunlink /d\n"

/*
 * The block with the directory's name is unknown before, so no block tells whether
 * that name is new.  The directory's change time tells that it is not (0), or that
 * it may be (1), also if a name in the directory changed later (2), and if both
 * times are of one second (3).
 */
START_TEST(a_name_that_may_be_new_is_in_no_earlier_path)
{
	static const char *const commands[] = {
		"sif /d atime 5\n", RENAMED "sif /new ctime 7\n",
		RENAMED "sif /new ctime 7\nsif /new mtime 7\n", RENAMED "sif /new mtime 77777\n",
	};
	struct story s = new_story(NO_SUMS, "mkdir d e; echo hello >d/f");

	ck_assert_uint_eq(ino_of(s.o, "/d"), 12);
	s.follows = s.later = true;
	comes_late(&s, block_of(s.o, "/", 0));
	alter(s.o, _i == 3 ? "sif /d ctime 77777\n" : "sif /d ctime 5\n");
	s.dated = _i == 3 ? 77777 : 0;
	step(&s, "sif / mode 040700\n");
	step(&s, "sif /d/f mtime 7\n");
	alter(s.o, NOTED "sif /d/f mode 0100600\n");
	step(&s, commands[_i]);
	step(&s, "sif / mode 040755\n");
	write_story(&s);
	check_each(&s, _i ? "2 written <12>/f\n3 chmod /new/f\n4 chmod /\n" :
		   "2 written /d/f\n3 chmod /d/f\n4 chmod /\n");
	end_story(&s);
}
END_TEST

START_TEST(a_doubtful_name_of_a_file_is_in_no_earlier_event)
{
	struct story s = new_story(NO_SUMS, "mkdir d e; echo hello >d/f");

	ck_assert_uint_eq(ino_of(s.o, "/d/f"), 13);
	s.follows = s.later = true;
	comes_late(&s, block_of(s.o, "/d", 0));
	step(&s, "sif / mode 040700\n");
	step(&s, "sif /d/f mtime 7\n");
	step(&s, NOTED "ln /d/f /d/new\nunlink /d/f\nsif /d/new ctime 7\n");
	write_story(&s);
	check_each(&s, "2 written <13>\n3 touched /d/new\n");
	end_story(&s);
}
END_TEST

/* No transaction logs the block of /x, so only a search finds the older name. */
START_TEST(the_search_takes_no_link_for_an_older_name)
{
	struct story s = new_story(NO_SUMS, "mkdir d e x; echo hello >x/f");
	ext2_ino_t ino = ino_of(s.o, "/x/f");
	char *expect;

	s.follows = true;
	also(&s, home_of(s.o, ino));
	step(&s, "sif / mode 040700\n");
	step(&s, "sif /x/f mtime 7\n");
	step(&s, "sif / mtime 5\nsif /d mtime 5\nln /x/f /d/more\n"
		 "sif /x/f links_count 2\n");
	write_story(&s);
	ck_assert_int_gt(asprintf(&expect, "2 written <%u>\n"
				  "3 linked /d/more\n", ino), 0);
	check_each(&s, expect);
	free(expect);
	end_story(&s);
}
END_TEST

/*
 * The file is unknown before.  A name of it went, and in a block that is unknown
 * before it has another one, which may be new or not (0).  If that block is known,
 * it is not (1).
 */
START_TEST(a_name_that_went_may_have_become_a_doubtful_one)
{
	struct story s = new_story(NO_SUMS, TREE "; ln g d/more");

	ck_assert_uint_eq(ino_of(s.o, "/g"), 13);
	s.follows = true;
	comes_late(&s, home_of(s.o, 13));
	if (!_i)
		comes_late(&s, block_of(s.o, "/d", 0));
	step(&s, "sif / mode 040700\n");
	step(&s, NOTED "unlink /g\nsif <13> links_count 1\n"
		       "sif <13> crtime 5\nsif <13> ctime 2147000000\n");
	write_story(&s);
	check_each(&s, _i ? "2 unlinked /g\n2 changed <13>\n" :
			    "2 changed /g -> /d/more\n");
	check_between(&s, 1, _i ? "unlinked /g\nchanged /d/more\n" :
				  "changed /g -> /d/more\n");
	end_story(&s);
}
END_TEST

START_TEST(contents_elsewhere_are_mapped)
{
	struct story s = new_story(SUMS, TREE);

	step(&s, "sif /f mtime 7\n");
	step(&s, "sif /f block[5] 9000\n");
	write_story(&s);
	check_each(&s, "1 written /f\n2 mapped /f\n");
	check_between(&s, 1, "mapped /f\n");
	end_story(&s);
}
END_TEST

/* The static block equals the last copy, which may have been written home. */
START_TEST(a_state_before_a_block_that_may_be_home_is_unknown)
{
	struct story s = new_story(SUMS, TREE);

	s.blocks[0] = home_of(s.o, EXT2_ROOT_INO);
	s.nr_blocks = 1;
	step(&s, "sif / mode 040700\n");
	step(&s, "sif / mode 040755\n");
	write_story(&s);
	check_each(&s, "2 chmod /\n");
	ck_assert_uint_gt(s.lost, 0);
	check_between(&s, 1, "chmod /\n");
	end_story(&s);
}
END_TEST

#define DESCRIPTORS 2

/* They may be home, so nobody knows them before their first copy. */
START_TEST(descriptors_of_another_time_lead_to_the_tables)
{
	struct story s = new_story(_i ? NO_SUMS : SUMS, TREE);

	comes_late(&s, DESCRIPTORS);
	step(&s, "sif /f mtime 7\n");
	step(&s, NOTED "ln /f /d/moved\nunlink /f\n");
	write_story(&s);
	/* Whether /f's block had been written before is unknown, too. */
	check_each(&s, "2 renamed /f -> /d/moved\n");
	check_between(&s, 1, "renamed /f -> /d/moved\n");
	end_story(&s);
}
END_TEST

/*
 * Nobody had written the block of inode 401 before, and it holds inodes of an
 * earlier file system.  The descriptors in place are later, and count it.
 */
START_TEST(descriptors_of_another_time_tell_no_counts)
{
	struct story s = new_story(NO_SUMS ",uninit_bg", TREE);
	char block[BLOCK];

	read_block(s.o, home_of(s.o, 14), block);
	write_block(s.o, home_of(s.o, 401), block);
	count_as_written(&s);
	comes_late(&s, home_of(s.o, 401));
	comes_late(&s, DESCRIPTORS);
	step(&s, "sif /f mtime 7\n");
	step(&s, "clri <401>\nclri <402>\nclri <403>\nclri <404>\n");
	write_story(&s);
	check_each(&s, "");
	check_between(&s, 1, "");
	ck_assert_uint_eq(s.lost, 1);
	end_story(&s);
}
END_TEST

/* A time later than that of any transaction. */
#define NEW_LIFE "sif <15> generation 77\nsif <15> crtime 2147000000\n"

/* The inode before is unknown, and its name was another file's. */
START_TEST(a_name_of_an_earlier_life_is_deleted)
{
	struct story s = new_story(SUMS, TREE);

	s.follows = true;
	comes_late(&s, home_of(s.o, 15));
	step(&s, "sif / mode 040700\n");
	step(&s, NOTED "unlink /g\nln <15> /e/new\n" NEW_LIFE);
	write_story(&s);
	check_each(&s, "2 deleted /g\n2 created /e/new\n");
	check_between(&s, 1, "deleted /g\ncreated /e/new\n");
	end_story(&s);
}
END_TEST

START_TEST(a_new_file_may_have_name_and_inode_of_the_old_one)
{
	struct story s = new_story(SUMS, TREE);

	s.follows = _i;
	if (_i)
		comes_late(&s, home_of(s.o, 15));
	step(&s, "sif / mode 040700\n");
	step(&s, NOTED "unlink /g\nln <15> /g\n" NEW_LIFE);
	step(&s, "sif /g mode 0100600\n");
	write_story(&s);
	check_each(&s, _i ? "2 deleted /g\n2 created /g\n3 chmod /g\n" :
		   "1 chmod /\n2 deleted /g\n2 created /g\n3 chmod /g\n");
	check_between(&s, 1, "deleted /g\ncreated /g\n");
	end_story(&s);
}
END_TEST

static void swap_leaves(struct story *s, blk64_t a, blk64_t b)
{
	char of_a[BLOCK], of_b[BLOCK];

	read_block(s->o, a, of_a);
	read_block(s->o, b, of_b);
	write_block(s->o, a, of_b);
	write_block(s->o, b, of_a);
}

/*
 * A directory's index moves names from block to block.  Of two that change
 * places the first is unknown before, so its names in the second look new.
 */
START_TEST(a_name_from_an_unknown_leaf_is_no_new_one)
{
	struct story s = new_story(NO_SUMS, "mkdir d e; echo hello >f; echo you >g; "
			      "for i in $(seq 12); do >d/$i$(seq -s x 80); done");
	blk64_t second = block_of(s.o, "/d", 1), third = block_of(s.o, "/d", 2);

	s.follows = true;
	comes_late(&s, second);
	also(&s, third);
	also(&s, home_of(s.o, ino_of(s.o, "/f")));
	also(&s, home_of(s.o, ino_of(s.o, "/g")));
	step(&s, "sif / mode 040700\n");
	swap_leaves(&s, second, third);
	step(&s, NOTED "ln /f /d/more\nsif /f links_count 2\n"
		       "ln /g /d/moved\nunlink /g\nsif /d/moved ctime 7\n");
	write_story(&s);
	check_each(&s, "2 linked /d/more\n2 renamed /g -> /d/moved\n");
	check_between(&s, 1, "linked /d/more\nrenamed /g -> /d/moved\n");
	end_story(&s);
}
END_TEST

/*
 * All names in /d are doubtful, as one of its blocks is unknown before.  A link
 * elsewhere is the new name (0); in /d, one of two names is (1); and a name that
 * came for one that nobody sees is no link (2).
 */
START_TEST(links_tell_which_names_are_new)
{
	static const char *const commands[] = {
		"ln /d/f /e/more\nsif /e/more links_count 2\n",
		"ln /d/f /d/more\nsif /d/more links_count 2\n",
		"ln /d/f /e/more\nunlink /d/f\nsif /e/more ctime 7\n",
	};
	static const char *const told[] = {
		"linked /e/more\n", "linked <13>\n",
		"renamed <13> -> /e/more\n",
	};
	struct story s = new_story(NO_SUMS, "mkdir d e; echo hello >d/f");

	ck_assert_uint_eq(ino_of(s.o, "/d/f"), 13);
	s.follows = true;
	comes_late(&s, block_of(s.o, "/d", 0));
	step(&s, "sif / mode 040700\n");
	alter(s.o, NOTED);
	step(&s, commands[_i]);
	write_story(&s);
	check_second(&s, told[_i]);
	end_story(&s);
}
END_TEST

/*
 * The second transaction's copy of /d's block is damaged.  Nothing shows that its
 * names went (0), unless the inode has lost a link (1), is free (2), or got a name
 * elsewhere that is no further link (3).
 */
START_TEST(a_name_that_cannot_be_read_has_not_gone)
{
	static const char *const commands[] = {
		"sif /e mtime 7\n",
		"unlink /d/f\nsif /more links_count 1\n",
		"rm /d/f\nrm /more\n",
		"ln /d/g /e/moved\nunlink /d/g\nsif /e/moved ctime 7\n",
	};
	static const char *const told[] = {
		"", "unlinked /d/f\n", "deleted /more\nunlinked /d/f\n",
		"renamed /d/g -> /e/moved\n",
	};
	struct story s = new_story(NO_SUMS, "mkdir -p d/sub e; echo hello >d/f; "
			      "ln d/f more; echo you >d/g");

	step(&s, "sif / mtime 4\n");
	alter(s.o, NOTED);
	step(&s, commands[_i]);
	spoil_copy(&s, block_of(s.o, "/d", 0));
	write_story(&s);
	check_second(&s, told[_i]);
	ck_assert_uint_eq(s.damaged, 1);
	end_story(&s);
}
END_TEST

/*
 * A directory always has one name.  So if the known one goes, a name in a block
 * that is unknown before is new (0); if the block of the new one is damaged, there
 * still is one (1), although it may be that of a new directory (2).  And if a name
 * came, the one in a block that is damaged now has gone (3).
 */
START_TEST(a_directory_that_is_there_has_a_name)
{
	static const char *const told[] = {
		"renamed /d -> /e/moved\nchanged /e/moved\n",
		"renamed /d -> <12>\nchanged <12>\n",
		"changed /d\n",
		"changed /d -> /e/moved\n",
	};
	struct story s = new_story(NO_SUMS, "mkdir d e");

	ck_assert_uint_eq(ino_of(s.o, "/d"), 12);
	s.follows = true;
	comes_late(&s, home_of(s.o, 12));
	if (_i < 3)
		comes_late(&s, block_of(s.o, "/e", 0));
	step(&s, "sif / mode 040700\n");
	alter(s.o, "sif <12> crtime 5\n");
	alter(s.o, _i >= 2 ? "sif <12> ctime 7\n" :
	      "sif <12> ctime 2147000000\n");
	step(&s, NOTED "ln /d /e/moved\nunlink /d\n");
	if (_i)
		spoil_copy(&s, block_of(s.o, _i < 3 ? "/e" : "/", 0));
	write_story(&s);
	check_second(&s, told[_i]);
	end_story(&s);
}
END_TEST

/* The end of the file's data is the value of an attribute, too. */
static void spoil_data(struct story *s, const char *path)
{
	blk64_t home = home_of(s->o, ino_of(s->o, path));
	char block[BLOCK], *tail;

	read_block(s->o, home, block);
	tail = memmem(block, BLOCK, "tail", 4);
	ck_assert_ptr_nonnull(tail);
	*tail = 'T';
	write_block(s->o, home, block);
}

START_TEST(inline_data_are_no_attributes)
{
	struct story s = new_story(NO_SUMS ",inline_data",
			      "mkdir d e; echo $(seq 30) tail >f");

	step(&s, "ea_set /f user.a b\nea_set /d user.a b\n");
	spoil_data(&s, "/f");
	step(&s, "sif /f mtime 7\n");
	step(&s, "ea_set /f user.a c\n");
	write_story(&s);
	check_each(&s, "1 xattrs /d\n1 xattrs /f\n2 written /f\n"
		       "3 xattrs /f\n");
	check_between(&s, 1, "written /f\nxattrs /f\n");
	end_story(&s);
}
END_TEST

/* Taken as a number with a sign, the time would be before those of all files. */
START_TEST(no_change_is_later_than_the_last_time)
{
	struct story s = new_story(NO_SUMS, TREE);

	s.follows = s.undated = true;
	comes_late(&s, home_of(s.o, 15));
	step(&s, "sif / mode 040700\n");
	step(&s, "sif /g mode 0100600\nsif /g ctime 5\n");
	write_story(&s);
	check_each(&s, "");
	check_between(&s, 1, "");
	end_story(&s);
}
END_TEST

#define FILE_20	"sif <20> mode 0100644\nsif <20> links_count 1\n" \
		"ln <20> /file\n"
#define TIMES	"sif <20> extra_isize 32\nsif <20> crtime 5\n" \
		"sif <20> ctime 2147000000\n"
/* Its last change was to be made. */
#define MADE	"sif <20> extra_isize 32\nsif <20> crtime 5\n" \
		"sif <20> ctime 5\n"

START_TEST(a_first_name_is_no_link)
{
	struct story s = new_story(SUMS, TREE);

	count_as_written(&s);
	s.follows = true;
	comes_late(&s, home_of(s.o, 20));
	step(&s, "sif / mode 040700\n");
	step(&s, _i ? NOTED FILE_20 TIMES : NOTED FILE_20 MADE);
	step(&s, "sif /file mode 0100600\n");
	write_story(&s);
	check_each(&s, _i ? "2 renamed <20> -> /file\n2 changed /file\n"
			    "3 chmod /file\n" :
		   /* its creation time is made later than the others */
		   "2 created /file\n2 times set /file\n3 chmod /file\n");
	check_between(&s, 1, _i ? "renamed <20> -> /file\nchanged /file\n" :
		      "created /file\ntimes set /file\n");
	end_story(&s);
}
END_TEST

/*
 * Inodes of 128 bytes have no time of creation: a first name may be that of a new
 * file or of one renamed, and for another name that of another file, too.
 * Descriptors of before tell that nobody had used the inode.
 */
START_TEST(a_file_without_birth_is_new_if_its_inode_was_unused)
{
	struct story s = new_story(_i ? NO_SUMS ",uninit_bg -I 128" :
				   NO_SUMS " -I 128", TREE);

	s.follows = true;
	if (_i)
		also(&s, DESCRIPTORS);
	comes_late(&s, home_of(s.o, 15));
	comes_late(&s, home_of(s.o, 20));
	step(&s, "sif / mode 040700\n");
	step(&s, NOTED "ln /g /h\nunlink /g\n" FILE_20);
	step(&s, "sif /file mode 0100600\n");
	write_story(&s);
	check_each(&s, _i ? "2 changed /g -> /h\n2 created /file\n"
			    "3 chmod /file\n" :
		   "2 changed /g -> /h\n2 changed /file\n3 chmod /file\n");
	check_between(&s, 1, _i ? "changed /g -> /h\ncreated /file\n" :
		      "changed /g -> /h\nchanged /file\n");
	end_story(&s);
}
END_TEST

TCase *changes_tests(void)
{
	TCase *tests = tcase_create("changes");

	tcase_add_checked_fixture(tests, no_orphan_file, NULL);
	tcase_add_loop_test(tests, a_name_for_a_name_is_a_renaming, 0, 2);
	tcase_add_loop_test(tests, each_field_has_its_word, 0, 2);
	tcase_add_loop_test(tests, a_file_begins_and_ends_with_its_links, 0,
			    2);
	tcase_add_loop_test(tests,
			    descriptors_of_another_time_lead_to_the_tables, 0,
			    2);
	tcase_add_test(tests, descriptors_of_another_time_tell_no_counts);
	tcase_add_test(tests, another_life_is_another_file);
	tcase_add_test(tests, a_name_of_an_earlier_life_is_deleted);
	tcase_add_loop_test(tests,
			    a_new_file_may_have_name_and_inode_of_the_old_one,
			    0, 2);
	tcase_add_test(tests, paths_follow_renamed_directories);
	tcase_add_loop_test(tests, a_name_that_may_be_new_is_in_no_earlier_path,
			    0, 4);
	tcase_add_test(tests, a_doubtful_name_of_a_file_is_in_no_earlier_event);
	tcase_add_test(tests, the_search_takes_no_link_for_an_older_name);
	tcase_add_loop_test(tests,
			    a_name_that_went_may_have_become_a_doubtful_one, 0,
			    2);
	tcase_add_test(tests, a_name_from_an_unknown_leaf_is_no_new_one);
	tcase_add_test(tests, inline_data_are_no_attributes);
	tcase_add_test(tests, no_change_is_later_than_the_last_time);
	tcase_add_loop_test(tests, a_first_name_is_no_link, 0, 2);
	tcase_add_loop_test(
		tests, a_file_without_birth_is_new_if_its_inode_was_unused, 0,
		2);
	tcase_add_loop_test(tests, links_tell_which_names_are_new, 0, 3);
	tcase_add_loop_test(tests, a_name_that_cannot_be_read_has_not_gone, 0,
			    4);
	tcase_add_loop_test(tests, a_directory_that_is_there_has_a_name, 0, 4);
	tcase_add_test(tests, contents_elsewhere_are_mapped);
	tcase_add_test(tests,
		       a_state_before_a_block_that_may_be_home_is_unknown);
	return tests;
}
