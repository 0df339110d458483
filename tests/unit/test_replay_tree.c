/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that would leave a tree of directories that is none.  No kernel of
 * today writes them.
 */

#include <stdio.h>

#include "replayed.h"

#define FS	"-b 1024 -J size=2 -O fast_commit,64bit,metadata_csum"
#define DIR	(LINUX_S_IFDIR | 0755)
#define NEXT	(NEW_INO + 1)

static void move_to_another_directory(struct area *a)
{
	area_inode(a, NEW_INO, DIR, 2, 1024, 7);
	area_name(a, E2LAZY_FC_CREAT, EXT2_ROOT_INO, NEW_INO, "new");
	area_name(a, E2LAZY_FC_UNLINK, EXT2_ROOT_INO, DIR_INO, "dir");
	area_name(a, E2LAZY_FC_LINK, NEW_INO, DIR_INO, "dir");
}

static void move_into_itself(struct area *a)
{
	area_inode(a, NEW_INO, DIR, 2, 1024, 7);
	area_name(a, E2LAZY_FC_CREAT, DIR_INO, NEW_INO, "new");
	area_name(a, E2LAZY_FC_UNLINK, EXT2_ROOT_INO, DIR_INO, "dir");
	area_name(a, E2LAZY_FC_LINK, NEW_INO, DIR_INO, "dir");
}

static void make_one_in_the_other(struct area *a)
{
	area_inode(a, NEW_INO, DIR, 2, 1024, 7);
	area_inode(a, NEXT, DIR, 2, 1024, 7);
	area_name(a, E2LAZY_FC_CREAT, NEXT, NEW_INO, "first");
	area_name(a, E2LAZY_FC_CREAT, NEW_INO, NEXT, "second");
}

static void make_in_itself(struct area *a)
{
	area_inode(a, NEW_INO, DIR, 2, 1024, 7);
	area_name(a, E2LAZY_FC_CREAT, NEW_INO, NEW_INO, "self");
}

static void remove_with_a_name_in_it(struct area *a)
{
	area_name(a, E2LAZY_FC_UNLINK, EXT2_ROOT_INO, DIR_INO, "dir");
}

static void map_blocks_of_a_pipe(struct area *a)
{
	uint8_t *raw = area_inode(a, NEW_INO, LINUX_S_IFIFO | 0600, 1, 0, 7);

	raw[AREA_FLAGS + 2] = 0;
	area_name(a, E2LAZY_FC_CREAT, EXT2_ROOT_INO, NEW_INO, "pipe");
	area_range(a, NEW_INO, 0, 1, FREED);
}

static void (*const stories[])(struct area *a) = {
	move_to_another_directory, move_into_itself, make_one_in_the_other,
	make_in_itself, remove_with_a_name_in_it, map_blocks_of_a_pipe,
};

START_TEST(what_no_tree_has_is_refused)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(AREA_BLOCK);

	stories[_i](a);
	area_tail(a);
	e2lazy_view_free(replayed(f, a, E2LAZY_ET_FC_CONTRADICTS));
}
END_TEST

START_TEST(a_directory_gets_another_name_in_its_parent)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(AREA_BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	area_name(a, E2LAZY_FC_LINK, EXT2_ROOT_INO, DIR_INO, "other");
	area_name(a, E2LAZY_FC_UNLINK, EXT2_ROOT_INO, DIR_INO, "dir");
	area_tail(a);
	view = replayed(f, a, 0);
	ck_assert_uint_eq(look_up(view, "/other", &got), DIR_INO);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

static const struct {
	const char	*set;
	errcode_t	expect;
} counts[] = {
	{ "sif file links_count 64999", 0 },
	{ "sif file links_count 65000", E2LAZY_ET_FC_CONTRADICTS },
	{ "sif file links_count 65535", E2LAZY_ET_FC_CONTRADICTS },
};

START_TEST(a_file_has_65000_names_at_most)
{
	char set[200];
	struct fixture *f;
	struct area *a = area_begin(AREA_BLOCK);

	snprintf(set, sizeof(set), "debugfs -w -R '%s' %%1$s >/dev/null 2>&1",
		 counts[_i].set);
	f = area_populated(FS, set);
	area_name(a, E2LAZY_FC_LINK, EXT2_ROOT_INO, FILE_INO, "more");
	area_tail(a);
	e2lazy_view_free(replayed(f, a, counts[_i].expect));
}
END_TEST

TCase *replay_tree_tests(void)
{
	TCase *tc = tcase_create("replay_tree");

	tcase_add_checked_fixture(tc, no_orphan_file, NULL);
	tcase_add_loop_test(tc, what_no_tree_has_is_refused, 0,
			    sizeof(stories) / sizeof(stories[0]));
	tcase_add_test(tc, a_directory_gets_another_name_in_its_parent);
	tcase_add_loop_test(tc, a_file_has_65000_names_at_most, 0,
			    sizeof(counts) / sizeof(counts[0]));
	return tc;
}
