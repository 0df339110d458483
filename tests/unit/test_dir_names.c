/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of directories: many are found for the price of few. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fs/dir_names.h"
#include "owned.h"

#define MANY	300

static const char many[] =
	"mkdir d && cd d && for i in $(seq 300); do mkdir directory-$i; done";

static ext2_ino_t directories[MANY + 1];

static errcode_t take(void *priv, const struct e2lazy_entry *entry)
{
	char name[16] = "";

	(void)priv;
	if (entry->length > 10)
		directories[atoi(strncpy(name, entry->name + 10,
					 entry->length - 10U))] = entry->ino;
	return 0;
}

/* Take the inodes of them all; no block of /d is bad so far. */
static void find_many(struct owned *o, ext2_filsys fs)
{
	struct e2lazy_damage damage;

	memset(directories, 0, sizeof(directories));
	ck_assert_int_eq(e2lazy_directory_read(fs, ino_of(o, "/d"), NULL, take,
					       NULL, &damage), 0);
	for (unsigned i = 1; i <= MANY; i++)
		ck_assert_uint_ne(directories[i], 0);
}

static void want_many(struct dir_names *n)
{
	for (unsigned i = 1; i <= MANY; i++)
		ck_assert_int_eq(dir_names_want(n, directories[i]), 0);
}

static void check_climb(struct dir_names *n, ext2_ino_t dir, const char *path,
			errcode_t error, ext2_ino_t end)
{
	struct back_path p;
	ext2_ino_t top;

	back_path_init(&p);
	ck_assert_int_eq(dir_names_climb(n, dir, &p, &top), error);
	ck_assert_str_eq(p.begin, path);
	ck_assert_uint_eq(top, end);
}

/* Ask for all; returns the blocks that it took. */
static blk64_t ask_for_all(ext2_filsys fs, bool want)
{
	struct dir_names n;
	blk64_t budget;
	char path[64];

	ck_assert_int_eq(dir_names_init(&n, fs, NULL), 0);
	budget = n.budget;
	if (want)
		want_many(&n);
	for (unsigned i = 1; i <= MANY; i++) {
		sprintf(path, "/d/directory-%u", i);
		check_climb(&n, directories[i], path, 0, EXT2_ROOT_INO);
	}
	budget -= n.budget;
	dir_names_free(&n);
	return budget;
}

START_TEST(a_parent_is_not_read_for_each_name)
{
	struct owned *o = new_owned("", many);
	ext2_filsys fs = seen_through(o);
	blk64_t alone, together;

	find_many(o, fs);
	alone = ask_for_all(fs, false);
	together = ask_for_all(fs, true);
	/* It has nine blocks. */
	ck_assert_uint_gt(alone, 5 * MANY);
	ck_assert_uint_lt(together, 2 * MANY);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(what_has_no_name_says_why)
{
	struct owned *o = new_owned("", "mkdir d && echo >f");
	ext2_filsys fs = seen_through(o);
	ext2_ino_t f = ino_of(o, "/f");
	struct dir_names n;

	ck_assert_int_eq(dir_names_init(&n, fs, NULL), 0);
	check_climb(&n, EXT2_ROOT_INO, "", 0, EXT2_ROOT_INO);
	check_climb(&n, 0, "", EXT2_ET_BAD_INODE_NUM, 0);
	check_climb(&n, UINT32_MAX, "", EXT2_ET_BAD_INODE_NUM, UINT32_MAX);
	check_climb(&n, f, "", EXT2_ET_NO_DIRECTORY, f);
	check_climb(&n, ino_of(o, "/d"), "/d", 0, EXT2_ROOT_INO);
	dir_names_free(&n);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* The parent has nine blocks; one of them cannot be read. */
START_TEST(a_damaged_parent_keeps_only_its_own_names_back)
{
	struct owned *o = new_owned("-O metadata_csum", many);
	blk64_t bad = block_of(o, "/d", 1);
	unsigned found = 0, lost = 0;
	struct dir_name name;
	struct dir_names n;
	uint8_t bytes[1024];
	ext2_filsys fs = seen_through(o);
	ext2_ino_t d = ino_of(o, "/d");

	find_many(o, fs);
	ext2fs_free(fs);
	read_block(o, bad, bytes);
	bytes[1020] ^= 1;
	write_block(o, bad, bytes);
	ck_assert_int_eq(e2lazy_view_open(o->view, &fs, NULL), 0);
	ck_assert_int_eq(dir_names_init(&n, fs, NULL), 0);
	want_many(&n);
	for (unsigned i = 1; i <= MANY; i++) {
		ck_assert_int_eq(dir_names_get(&n, directories[i], &name), 0);
		ck_assert_uint_eq(name.parent, d);
		ck_assert_int_eq(name.err, name.length ? 0 :
						EXT2_ET_DIR_CSUM_INVALID);
		found += name.length > 0;
		lost += name.length == 0;
	}
	ck_assert_uint_gt(lost, 10);
	ck_assert_uint_gt(found, 200);
	ck_assert_uint_eq(n.where.has, E2LAZY_AT_FSBLK);
	ck_assert_uint_eq(n.where.fsblk, bad);
	dir_names_free(&n);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* Another directory, read first, has an entry that leads to x. */
START_TEST(only_the_parent_gives_a_name)
{
	struct owned *o = new_owned("", "true");
	struct dir_names n;
	char command[64];
	ext2_filsys fs;
	ext2_ino_t x;

	alter(o, "mkdir /b\nmkdir /a\nmkdir /a/x\n");
	x = ino_of(o, "/a/x");
	sprintf(command, "ln <%u> /b/wrong\nmkdir /b/y\n", x);
	alter(o, command);
	ck_assert_uint_lt(ino_of(o, "/b"), ino_of(o, "/a"));
	fs = seen_through(o);
	ck_assert_int_eq(dir_names_init(&n, fs, NULL), 0);
	/* Some that have no name: from now on all are looked for at once. */
	for (ext2_ino_t none = 100; none < 120; none++)
		check_climb(&n, none, "", EXT2_ET_NO_DIRECTORY, none);
	ck_assert_int_eq(dir_names_want(&n, ino_of(o, "/b/y")), 0);
	check_climb(&n, x, "/a/x", 0, EXT2_ROOT_INO);
	check_climb(&n, ino_of(o, "/b/y"), "/b/y", 0, EXT2_ROOT_INO);
	dir_names_free(&n);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(a_circle_of_many_ends)
{
	struct owned *o = new_owned("", "mkdir -p a/b");
	ext2_ino_t a = ino_of(o, "/a"), b = ino_of(o, "/a/b"), top;
	char commands[128];
	struct dir_names n;
	struct back_path p;
	ext2_filsys fs;

	sprintf(commands, "unlink /a/..\nln <%u> /a/b/a\nln <%u> /a/..\n"
		"unlink /a\n", a, b);
	alter(o, commands);
	fs = seen_through(o);
	ck_assert_int_eq(dir_names_init(&n, fs, NULL), 0);
	ck_assert_int_eq(dir_names_want(&n, a), 0);
	ck_assert_int_eq(dir_names_want(&n, b), 0);
	back_path_init(&p);
	ck_assert_int_eq(dir_names_climb(&n, b, &p, &top),
			 E2LAZY_ET_LONG_PATH);
	dir_names_free(&n);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

static errcode_t stop(void *priv)
{
	(void)priv;
	return E2LAZY_ET_CANCELLED;
}

START_TEST(a_long_search_can_be_stopped)
{
	const struct e2lazy_watch watch = { .stop = stop };
	struct owned *o = new_owned("", many);
	ext2_filsys fs = seen_through(o);
	errcode_t err = 0;
	struct dir_name name;
	struct dir_names n;

	find_many(o, fs);
	ck_assert_int_eq(dir_names_init(&n, fs, &watch), 0);
	want_many(&n);
	for (unsigned i = 1; !err && i <= MANY; i++)
		err = dir_names_get(&n, directories[i], &name);
	ck_assert_int_eq(err, E2LAZY_ET_CANCELLED);
	dir_names_free(&n);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

TCase *dir_names_tests(void)
{
	TCase *tc = tcase_create("dir_names");

	tcase_add_test(tc, a_parent_is_not_read_for_each_name);
	tcase_add_test(tc, what_has_no_name_says_why);
	tcase_add_test(tc, a_damaged_parent_keeps_only_its_own_names_back);
	tcase_add_test(tc, only_the_parent_gives_a_name);
	tcase_add_test(tc, a_circle_of_many_ends);
	tcase_add_test(tc, a_long_search_can_be_stopped);
	return tc;
}
