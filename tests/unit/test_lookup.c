/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths: the inodes that they name; and the lookup of each ends. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "owned.h"

static void check_inode(struct owned *o, ext2_filsys fs, ext2_ino_t cwd,
			const char *path, bool follow, const char *same)
{
	ext2_ino_t ino = 0;

	ck_assert_int_eq(e2lazy_lookup(fs, cwd, path, follow, &ino, NULL), 0);
	ck_assert_uint_eq(ino, strcmp(same, "/") ? ino_of(o, same)
						 : EXT2_ROOT_INO);
}

static void check_fails(ext2_filsys fs, const char *path, errcode_t error)
{
	struct e2lazy_where where;
	ext2_ino_t ino = 0;

	ck_assert_int_eq(e2lazy_lookup(fs, EXT2_ROOT_INO, path, true, &ino,
				       &where), error);
	ck_assert_uint_eq(ino, 0);
	ck_assert_uint_eq(where.has, 0);
}

START_TEST(a_path_is_walked_from_the_root_or_the_working_directory)
{
	struct owned *o = new_owned("", "mkdir -p a/b && echo >a/b/f");
	ext2_filsys fs = seen_through(o);
	ext2_ino_t a = ino_of(o, "/a");

	check_inode(o, fs, a, "/a/b/f", false, "/a/b/f");
	check_inode(o, fs, a, "b/f", false, "/a/b/f");
	check_inode(o, fs, a, "///a//b/./f", false, "/a/b/f");
	check_inode(o, fs, a, "b/", false, "/a/b");
	check_inode(o, fs, a, ".", false, "/a");
	check_inode(o, fs, a, "/", false, "/");
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(dots_lead_to_the_parent_and_at_the_root_nowhere)
{
	struct owned *o = new_owned("", "mkdir -p a/b c");
	ext2_filsys fs = seen_through(o);

	check_inode(o, fs, ino_of(o, "/a/b"), "../../c", false, "/c");
	check_inode(o, fs, ino_of(o, "/a/b"), "..", false, "/a");
	check_inode(o, fs, EXT2_ROOT_INO, "/../../a/..", false, "/");
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(a_link_at_the_end_is_followed_if_asked_or_with_a_slash)
{
	struct owned *o = new_owned("", "mkdir d && ln -s d l");
	ext2_filsys fs = seen_through(o);

	check_inode(o, fs, EXT2_ROOT_INO, "l", false, "/l");
	check_inode(o, fs, EXT2_ROOT_INO, "l", true, "/d");
	check_inode(o, fs, EXT2_ROOT_INO, "l/", false, "/d");
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* In the inode, in a block of its own, and in the inode's attributes. */
START_TEST(links_of_every_kind_are_followed)
{
	struct owned *o = new_owned("-O inline_data -I 256", "mkdir -p d/e && "
		"echo >d/e/f && ln -s /d/e abs && ln -s d/e rel && "
		"ln -s ../d/./e d/up && "
		"ln -s $(yes ./ | head -40 | tr -d '\\n')d/e middle && "
		"ln -s $(yes ./ | head -400 | tr -d '\\n')d/e long");
	static const char *const links[] = {
		"abs", "rel", "d/up", "middle", "long",
	};
	ext2_filsys fs = seen_through(o);
	char path[32];

	for (unsigned i = 0; i < 5; i++) {
		sprintf(path, "%s/f", links[i]);
		check_inode(o, fs, EXT2_ROOT_INO, path, false, "/d/e/f");
	}
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(forty_links_in_all_are_followed_and_no_more)
{
	struct owned *o = new_owned("", "echo >f; ln -s . here; p=f; "
		"for i in $(seq 41); do ln -s $p l$i; p=l$i; done");
	ext2_filsys fs = seen_through(o);

	check_inode(o, fs, EXT2_ROOT_INO, "l40", true, "/f");
	check_fails(fs, "l41", EXT2_ET_SYMLINK_LOOP);
	/* They count wherever in the path they stand. */
	check_inode(o, fs, EXT2_ROOT_INO, "here/l39", true, "/f");
	check_fails(fs, "here/l40", EXT2_ET_SYMLINK_LOOP);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(links_to_themselves_are_loops)
{
	struct owned *o = new_owned("", "ln -s l l; ln -s b a; ln -s a b");
	ext2_filsys fs = seen_through(o);

	check_fails(fs, "l", EXT2_ET_SYMLINK_LOOP);
	check_fails(fs, "a/x", EXT2_ET_SYMLINK_LOOP);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* 300 to the power of 7 steps, were all of them taken. */
START_TEST(links_to_many_links_come_to_an_end)
{
	struct owned *o = new_owned("", "echo >f; ln -s . l8; "
		"for i in 7 6 5 4 3 2 1; do ln -s "
		"$(yes l$((i + 1))/ | head -300 | tr -d '\\n') l$i; done");
	ext2_filsys fs = seen_through(o);

	check_fails(fs, "l1/f", EXT2_ET_SYMLINK_LOOP);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* Few links, but of many names each. */
START_TEST(names_in_targets_are_counted)
{
	struct owned *o = new_owned("", "mkdir d; "
		"ln -s $(yes d/../ | head -170 | tr -d '\\n') l");
	ext2_filsys fs = seen_through(o);
	char path[64] = "";

	for (unsigned i = 0; i < 6; i++)
		strcat(path, "l/");
	check_inode(o, fs, EXT2_ROOT_INO, path, true, "/");
	strcat(path, "l/");
	check_fails(fs, path, EXT2_ET_SYMLINK_LOOP);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(names_and_paths_have_the_limits_of_linux)
{
	struct owned *o = new_owned("", "echo >$(yes 0 | head -255 | tr -d '\\n')");
	ext2_filsys fs = seen_through(o);
	char name[260] = "/", path[4097];

	memset(name + 1, '0', 256);
	name[256] = 0;
	check_inode(o, fs, EXT2_ROOT_INO, name, true, name);
	name[256] = '0';
	name[257] = 0;
	check_fails(fs, name, E2LAZY_ET_LONG_PATH);
	memset(path, '/', 4096);
	path[4095] = 0;
	check_inode(o, fs, EXT2_ROOT_INO, path, true, "/");
	path[4095] = '/';
	path[4096] = 0;
	check_fails(fs, path, E2LAZY_ET_LONG_PATH);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(only_a_directory_has_something_below_it)
{
	struct owned *o = new_owned("", "echo >f; ln -s f l; mkfifo p");
	ext2_filsys fs = seen_through(o);
	ext2_ino_t ino;

	check_fails(fs, "f/x", EXT2_ET_NO_DIRECTORY);
	check_fails(fs, "f/", EXT2_ET_NO_DIRECTORY);
	check_fails(fs, "f/.", EXT2_ET_NO_DIRECTORY);
	check_fails(fs, "l/", EXT2_ET_NO_DIRECTORY);
	check_fails(fs, "p/..", EXT2_ET_NO_DIRECTORY);
	ck_assert_int_eq(e2lazy_lookup(fs, ino_of(o, "/f"), ".", true, &ino,
				       NULL), EXT2_ET_NO_DIRECTORY);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(what_is_not_there_is_not_found)
{
	struct owned *o = new_owned("", "echo >file; ln -s nosuch l");
	ext2_filsys fs = seen_through(o);

	check_fails(fs, "fil", EXT2_ET_FILE_NOT_FOUND);
	check_fails(fs, "file2", EXT2_ET_FILE_NOT_FOUND);
	check_fails(fs, "nosuch/file", EXT2_ET_FILE_NOT_FOUND);
	check_fails(fs, "l", EXT2_ET_FILE_NOT_FOUND);
	check_fails(fs, "", EXT2_ET_FILE_NOT_FOUND);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(an_entry_of_an_inode_that_cannot_be_is_an_error)
{
	struct owned *o = new_owned("-O ^metadata_csum", "mkdir d && echo >d/f");
	uint8_t bytes[1024];
	ext2_filsys fs;

	read_block(o, block_of(o, "/d", 0), bytes);
	memset(bytes + 24, 0xff, 4);		/* behind . and .. */
	write_block(o, block_of(o, "/d", 0), bytes);
	fs = seen_through(o);
	check_fails(fs, "d/f", EXT2_ET_BAD_INODE_NUM);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* It may be there, in what cannot be read. */
START_TEST(a_name_is_not_called_missing_where_the_directory_is_damaged)
{
	struct owned *o = new_owned("-O metadata_csum", "mkdir d && echo >d/f");
	blk64_t bad = block_of(o, "/d", 0);
	struct e2lazy_where where;
	uint8_t bytes[1024];
	ext2_filsys fs;
	ext2_ino_t ino;

	read_block(o, bad, bytes);
	bytes[1020] ^= 1;
	write_block(o, bad, bytes);
	fs = seen_through(o);
	ck_assert_int_eq(e2lazy_lookup(fs, EXT2_ROOT_INO, "d/f", true, &ino,
				       &where), EXT2_ET_DIR_CSUM_INVALID);
	ck_assert_uint_eq(where.has, E2LAZY_AT_FSBLK);
	ck_assert_uint_eq(where.fsblk, bad);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* ----------------------------------------------------------- the way up */

static void check_way(struct owned *o, ext2_filsys fs, ext2_ino_t dir,
		      const char *path)
{
	char *found = NULL;

	(void)o;
	ck_assert_int_eq(e2lazy_directory_path(fs, dir, &found, NULL), 0);
	ck_assert_str_eq(found, path);
	free(found);
}

START_TEST(the_way_up_from_a_directory_is_its_path)
{
	struct owned *o = new_owned("", "mkdir -p a/bc/d");
	ext2_filsys fs = seen_through(o);

	check_way(o, fs, EXT2_ROOT_INO, "/");
	check_way(o, fs, ino_of(o, "/a"), "/a");
	check_way(o, fs, ino_of(o, "/a/bc/d"), "/a/bc/d");
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(a_way_up_that_leads_nowhere_begins_with_an_inode)
{
	struct owned *o = new_owned("", "mkdir -p a/b");
	ext2_ino_t a = ino_of(o, "/a"), b = ino_of(o, "/a/b");
	ext2_filsys fs;
	char path[32];

	alter(o, "unlink /a\n");
	fs = seen_through(o);
	sprintf(path, "<%u>/b", a);
	check_way(o, fs, b, path);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(a_way_up_in_a_circle_comes_to_an_end)
{
	struct owned *o = new_owned("", "mkdir -p a/b");
	ext2_ino_t a = ino_of(o, "/a"), b = ino_of(o, "/a/b");
	char commands[128], *path;
	ext2_filsys fs;

	sprintf(commands, "unlink /a/..\nln <%u> /a/b/a\nln <%u> /a/..\n"
		"unlink /a\n", a, b);
	alter(o, commands);
	fs = seen_through(o);
	ck_assert_int_eq(e2lazy_directory_path(fs, a, &path, NULL),
			 E2LAZY_ET_LONG_PATH);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

TCase *lookup_tests(void)
{
	TCase *tc = tcase_create("lookup");

	tcase_add_test(tc, a_path_is_walked_from_the_root_or_the_working_directory);
	tcase_add_test(tc, dots_lead_to_the_parent_and_at_the_root_nowhere);
	tcase_add_test(tc, a_link_at_the_end_is_followed_if_asked_or_with_a_slash);
	tcase_add_test(tc, links_of_every_kind_are_followed);
	tcase_add_test(tc, forty_links_in_all_are_followed_and_no_more);
	tcase_add_test(tc, links_to_themselves_are_loops);
	tcase_add_test(tc, links_to_many_links_come_to_an_end);
	tcase_add_test(tc, names_in_targets_are_counted);
	tcase_add_test(tc, names_and_paths_have_the_limits_of_linux);
	tcase_add_test(tc, only_a_directory_has_something_below_it);
	tcase_add_test(tc, what_is_not_there_is_not_found);
	tcase_add_test(tc, an_entry_of_an_inode_that_cannot_be_is_an_error);
	tcase_add_test(tc, a_name_is_not_called_missing_where_the_directory_is_damaged);
	tcase_add_test(tc, the_way_up_from_a_directory_is_its_path);
	tcase_add_test(tc, a_way_up_that_leads_nowhere_begins_with_an_inode);
	tcase_add_test(tc, a_way_up_in_a_circle_comes_to_an_end);
	return tc;
}
