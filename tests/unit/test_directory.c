/* SPDX-License-Identifier: GPL-2.0-only */
/* Directories, read in bounds: true entries and false claims. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fs/dir_record.h"
#include "owned.h"

#define NUMBERS 256	/* block numbers in a block of 1 KiB */

/* The entries of a directory as a line: "name name <removed> ". */
struct listing {
	char		names[4096];
	unsigned	count;
	unsigned	most;		/* then it ends; 0: no limit */
};

static errcode_t list(void *priv, const struct e2lazy_entry *entry)
{
	struct listing *l = priv;
	char *end = l->names + strlen(l->names);

	ck_assert_uint_ne(entry->ino, 0);
	if (++l->count < 100)
		sprintf(end, entry->removed ? "<%.*s> " : "%.*s ",
			(int)entry->length, entry->name);
	return l->count == l->most ? E2LAZY_ET_NOT_MAPPED : 0;
}

static ext2_filsys handle(struct owned *o)
{
	ext2_filsys fs;

	log_block(o, FREE + 100);
	open_owned(o, NULL);
	ck_assert_int_eq(e2lazy_view_open(o->view, &fs, NULL), 0);
	return fs;
}

/* Reads it and lets go of all. */
static void read_directory(struct owned *o, const char *path, bool removed,
			   struct listing *l)
{
	struct e2lazy_directory_opts opts = { .removed = removed };
	ext2_ino_t ino = ino_of(o, path);
	ext2_filsys fs = handle(o);

	memset(l, 0, sizeof(*l));
	ck_assert_int_eq(e2lazy_directory_read(fs, ino, &opts, list, l,
					       &o->damage), 0);
	ext2fs_free(fs);
}

START_TEST(entries_come_in_the_order_of_the_directory)
{
	struct owned *o = new_owned("", "mkdir d && echo >d/f");
	struct listing l;

	alter(o, "write /dev/null /d/g\n");
	read_directory(o, "/d", false, &l);
	ck_assert_str_eq(l.names, ". .. f g ");
	ck_assert_uint_eq(o->damage.count, 0);
	free_owned(o);
}
END_TEST

START_TEST(entries_in_the_inode_come_likewise)
{
	struct owned *o = new_owned("-O inline_data -I 256",
				    "mkdir d && echo >d/f");
	struct ext2_inode inode;
	struct listing l;

	inode_of(o, "/d", &inode);
	ck_assert(inode.i_flags & EXT4_INLINE_DATA_FL);
	read_directory(o, "/d", false, &l);
	ck_assert_str_eq(l.names, ". .. f ");
	free_owned(o);
}
END_TEST

START_TEST(removed_entries_come_if_asked_for)
{
	struct owned *o = new_owned("-O ^metadata_csum", "mkdir d && "
				    "echo >d/first");
	struct listing l;

	alter(o, "ln /d/first /d/second\nln /d/first /d/third\n"
	      "ln /d/first /d/last\nunlink /d/second\nunlink /d/third\n");
	read_directory(o, "/d", true, &l);
	ck_assert_str_eq(l.names, ". .. first <second> <third> last ");
	free_owned(o);
}
END_TEST

START_TEST(removed_entries_of_an_inode_come_likewise)
{
	struct owned *o = new_owned("-O inline_data,^metadata_csum -I 256",
				    "mkdir d && echo >d/first");
	struct ext2_inode inode;
	struct listing l;

	alter(o, "ln /d/first /d/second\nln /d/first /d/third\n"
	      "unlink /d/second\n");
	/* i_block has room for three, an attribute for the others. */
	shell(o->f, "printf '\\14\\0\\0\\0\\14\\0\\1\\1a\\0\\0\\0"
		    "\\14\\0\\0\\0\\14\\0\\1\\1b\\0\\0\\0' >%1$s.ea && "
		    "debugfs -w -R 'ea_set -f %1$s.ea d system.data' %1$s "
		    ">/dev/null 2>&1");
	inode_of(o, "/d", &inode);
	ck_assert(inode.i_flags & EXT4_INLINE_DATA_FL);
	read_directory(o, "/d", true, &l);
	ck_assert_str_eq(l.names, ". .. first <second> third a b ");
	ck_assert_uint_eq(o->damage.count, 0);
	free_owned(o);
}
END_TEST

START_TEST(removed_entries_do_not_come_otherwise)
{
	struct owned *o = new_owned("-O ^metadata_csum", "mkdir d && "
				    "echo >d/first");
	struct listing l;

	alter(o, "ln /d/first /d/second\nunlink /d/second\n");
	read_directory(o, "/d", false, &l);
	ck_assert_str_eq(l.names, ". .. first ");
	free_owned(o);
}
END_TEST

START_TEST(what_ends_the_reading_is_returned)
{
	struct owned *o = new_owned("", "mkdir d && echo >d/f");
	ext2_ino_t ino = ino_of(o, "/d");
	struct listing l = { .most = 2 };
	ext2_filsys fs = handle(o);

	ck_assert_int_eq(e2lazy_directory_read(fs, ino, NULL, list, &l,
					       &o->damage),
			 E2LAZY_ET_NOT_MAPPED);
	ck_assert_str_eq(l.names, ". .. ");
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(what_is_no_directory_is_an_error)
{
	struct owned *o = new_owned("", "echo >f");
	ext2_ino_t ino = ino_of(o, "/f");
	ext2_filsys fs = handle(o);
	struct listing l = { .count = 0 };

	ck_assert_int_eq(e2lazy_directory_read(fs, ino, NULL, list, &l,
					       &o->damage),
			 EXT2_ET_NO_DIRECTORY);
	ck_assert_int_eq(e2lazy_directory_read(fs, 0, NULL, list, &l,
					       &o->damage),
			 EXT2_ET_BAD_INODE_NUM);
	ck_assert_int_eq(e2lazy_directory_read(fs, UINT32_MAX, NULL, list, &l,
					       &o->damage),
			 EXT2_ET_BAD_INODE_NUM);
	ck_assert_uint_eq(l.count, 0);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* ------------------------------------------------------------- records */

/* Of /d with f and g, the record of f: inode, length, length of name, type. */
#define AT_F 24

static const struct {
	const char	*what;
	uint8_t		length[2];
	uint8_t		name_length;
} hostile[] = {
	{ "of no length",	{ 0, 0 },	1 },
	{ "no record",		{ 4, 0 },	0 },
	{ "not of fours",	{ 14, 0 },	1 },
	{ "beyond the block",	{ 0xec, 3 },	1 },
	{ "far beyond it",	{ 0xfc, 0xff },	1 },
	{ "with a longer name",	{ 12, 0 },	5 },
};

/* Asked for removed ones, which are looked for between records. */
START_TEST(a_record_that_makes_no_sense_is_damage)
{
	struct owned *o = new_owned("-O ^metadata_csum", "mkdir d && "
				    "echo >d/f && ln d/f d/g");
	blk64_t block = block_of(o, "/d", 0);
	uint8_t bytes[1024];
	struct listing l;

	read_block(o, block, bytes);
	memcpy(bytes + AT_F + 4, hostile[_i].length, 2);
	bytes[AT_F + 6] = hostile[_i].name_length;
	write_block(o, block, bytes);
	read_directory(o, "/d", true, &l);
	ck_assert_msg(!strcmp(l.names, ". .. "), "%s: %s", hostile[_i].what,
		      l.names);
	ck_assert_uint_eq(o->damage.count, 1);
	ck_assert_int_eq(o->damage.error, EXT2_ET_DIR_CORRUPTED);
	ck_assert_uint_eq(o->damage.first.fsblk, block);
	free_owned(o);
}
END_TEST

/* 16 bits hold the length of a record that fills a block of 64 KiB. */
START_TEST(a_record_may_have_64_KiB)
{
	static const struct {
		unsigned	blocksize, length;
		uint8_t		bytes[2];
	} lengths[] = {
		{ 1024, 1024, { 0, 4 } }, { 32768, 32768, { 0, 0x80 } },
		{ 65536, 65536, { 0xff, 0xff } }, { 65536, 12, { 12, 0 } },
		{ 65536, 65532, { 0xfc, 0xff } },
	};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		uint8_t record[8] = { 1, 0, 0, 0 };

		dir_record_set_length(record, lengths[i].length);
		ck_assert_mem_eq(record + 4, lengths[i].bytes, 2);
		ck_assert_uint_eq(dir_record_length(record,
						    lengths[i].blocksize),
				  lengths[i].length);
		ck_assert_uint_eq(dir_record_sound(record, lengths[i].blocksize,
						   lengths[i].length - 4), 0);
	}
	ck_assert_uint_eq(dir_record_length((const uint8_t[8]){ 0 }, 65536),
			  65536);
}
END_TEST

START_TEST(blocks_beside_a_damaged_one_are_read)
{
	struct owned *o = new_owned("-O ^metadata_csum,^dir_index", "mkdir d; "
		"echo >d/0; n=$(yes 0 | head -50 | tr -d '\\n'); "
		"for i in $(seq 40); do ln d/0 d/$i$n; done");
	blk64_t bad = block_of(o, "/d", 1);
	static const uint8_t zeros[1024];
	struct listing all, l;

	read_directory(o, "/d", false, &all);
	ck_assert_uint_eq(all.count, 43);
	e2lazy_view_free(o->view);
	e2lazy_layout_free(o->layout);
	drop(o->f);
	o->view = NULL;
	o->layout = NULL;
	o->nr_logged = 0;
	write_block(o, bad, zeros);
	read_directory(o, "/d", false, &l);
	ck_assert_uint_lt(l.count, 43);
	ck_assert_uint_gt(l.count, 20);
	ck_assert_uint_eq(o->damage.count, 1);
	ck_assert_uint_eq(o->damage.first.fsblk, bad);
	free_owned(o);
}
END_TEST

/* ---------------------------------------------------------------- maps */

static void fill_numbers(struct owned *o, blk64_t fsblk, uint32_t number)
{
	__u32 numbers[NUMBERS];

	for (unsigned i = 0; i < NUMBERS; i++)
		numbers[i] = ext2fs_cpu_to_le32(number);
	write_block(o, fsblk, numbers);
}

/* 16 million times the same block, were it read as often as it is named. */
START_TEST(a_map_that_repeats_its_blocks_comes_to_an_end)
{
	struct owned *o = new_owned("-O ^extents,^64bit,^metadata_csum",
				    "mkdir d e && echo >e/f");
	uint8_t bytes[1024];
	struct listing l;

	read_block(o, block_of(o, "/e", 0), bytes);
	write_block(o, FREE + 3, bytes);
	fill_numbers(o, FREE, FREE + 1);
	fill_numbers(o, FREE + 1, FREE + 2);
	fill_numbers(o, FREE + 2, FREE + 3);
	alter(o, "sif /d block[TIND] 60000\n");
	read_directory(o, "/d", false, &l);
	ck_assert_str_eq(l.names, ". .. . .. f ");
	ck_assert_int_eq(o->damage.error, E2LAZY_ET_BLOCK_MAP);
	/* Each list of numbers has one that is good; the data are one run. */
	ck_assert_uint_eq(o->damage.count, 3 * 255);
	free_owned(o);
}
END_TEST

/* One extent more, which begins in the file where the last one does. */
START_TEST(extents_that_overlap_are_damage)
{
	struct owned *o = new_owned("-O ^metadata_csum,^dir_index", "mkdir d; "
		"echo >d/0; n=$(yes 0 | head -50 | tr -d '\\n'); "
		"for i in $(seq 40); do ln d/0 d/$i$n; done");
	ext2_ino_t ino = ino_of(o, "/d");
	blk64_t home = home_of(o, ino);
	uint8_t bytes[1024], *root = bytes + (ino - 1) % 4 * 256 + 40;
	struct listing l;

	read_block(o, home, bytes);
	ck_assert_uint_lt(root[2], 4);
	memcpy(root + 12 * root[2] + 12, root + 12 * root[2], 12);
	root[2]++;					/* entries */
	root[12 * root[2] + 8] ^= 0x80;			/* other blocks */
	write_block(o, home, bytes);
	read_directory(o, "/d", false, &l);
	ck_assert_uint_eq(l.count, 43);
	ck_assert_uint_eq(o->damage.count, 1);
	ck_assert_int_eq(o->damage.error, E2LAZY_ET_BLOCK_MAP);
	ck_assert_uint_eq(o->damage.first.fsblk, home);
	free_owned(o);
}
END_TEST

/* One block of a map each, and two directories of one. */
START_TEST(a_budget_is_for_several_directories)
{
	struct owned *o = new_owned("", "mkdir d e");
	ext2_ino_t d = ino_of(o, "/d"), e = ino_of(o, "/e");
	blk64_t budget = 1;
	struct e2lazy_directory_opts opts = { .budget = &budget };
	ext2_filsys fs = handle(o);
	struct listing l = { .count = 0 };

	ck_assert_int_eq(e2lazy_directory_read(fs, d, &opts, list, &l,
					       &o->damage), 0);
	ck_assert_uint_eq(o->damage.count, 0);
	ck_assert_uint_eq(budget, 0);
	ck_assert_int_eq(e2lazy_directory_read(fs, e, &opts, list, &l,
					       &o->damage), 0);
	ck_assert_int_eq(o->damage.error, E2LAZY_ET_BLOCK_MAP);
	ck_assert_uint_eq(l.count, 2);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* ------------------------------------------------------------- stopped */

static errcode_t stop_at_zero(void *priv)
{
	unsigned *left = priv;

	return *left == 0 || --*left == 0 ? E2LAZY_ET_CANCELLED : 0;
}

START_TEST(a_read_that_is_stopped_is_cancelled_and_no_damage)
{
	struct owned *o = new_owned("", "mkdir d && echo >d/f");
	ext2_ino_t ino = ino_of(o, "/d");
	ext2_filsys fs = handle(o);
	struct listing l = { .count = 0 };
	unsigned left = 2;		/* the inode's block, but not the data */
	const struct e2lazy_watch watch = { .stop = stop_at_zero,
					    .priv = &left };

	e2lazy_view_watch(o->view, &watch);
	ck_assert_int_eq(e2lazy_directory_read(fs, ino, NULL, list, &l,
					       &o->damage),
			 E2LAZY_ET_CANCELLED);
	ck_assert_uint_eq(left, 0);
	ck_assert_uint_eq(o->damage.count, 0);
	ck_assert_ptr_null(e2lazy_view_failed(fs));
	e2lazy_view_watch(o->view, NULL);
	ck_assert_int_eq(e2lazy_directory_read(fs, ino, NULL, list, &l,
					       &o->damage), 0);
	ck_assert_str_eq(l.names, ". .. f ");
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(owners_whose_search_is_stopped_are_not_built)
{
	struct e2lazy_owners_opts opts = { .paths = true };
	struct owned *o = new_owned("", "mkdir d");
	unsigned left;

	log_block(o, FREE);
	open_owned(o, NULL);
	for (left = 5; left < 50; left += 9) {
		unsigned reads = left;
		const struct e2lazy_watch watch = { .stop = stop_at_zero,
						    .priv = &reads };

		e2lazy_view_watch(o->view, &watch);
		ck_assert_int_eq(e2lazy_owners_build(o->view, o->layout, &opts,
						     &o->owners, &o->damage),
				 E2LAZY_ET_CANCELLED);
		ck_assert_uint_eq(reads, 0);
		ck_assert_uint_eq(o->damage.count, 0);
	}
	free_owned(o);
}
END_TEST

TCase *directory_tests(void)
{
	TCase *tc = tcase_create("directory");

	tcase_add_test(tc, entries_come_in_the_order_of_the_directory);
	tcase_add_test(tc, entries_in_the_inode_come_likewise);
	tcase_add_test(tc, removed_entries_come_if_asked_for);
	tcase_add_test(tc, removed_entries_of_an_inode_come_likewise);
	tcase_add_test(tc, removed_entries_do_not_come_otherwise);
	tcase_add_test(tc, a_record_may_have_64_KiB);
	tcase_add_test(tc, what_ends_the_reading_is_returned);
	tcase_add_test(tc, what_is_no_directory_is_an_error);
	tcase_add_loop_test(tc, a_record_that_makes_no_sense_is_damage, 0,
			    sizeof(hostile) / sizeof(hostile[0]));
	tcase_add_test(tc, blocks_beside_a_damaged_one_are_read);
	tcase_add_test(tc, a_map_that_repeats_its_blocks_comes_to_an_end);
	tcase_add_test(tc, extents_that_overlap_are_damage);
	tcase_add_test(tc, a_budget_is_for_several_directories);
	tcase_add_test(tc, a_read_that_is_stopped_is_cancelled_and_no_damage);
	tcase_add_test(tc, owners_whose_search_is_stopped_are_not_built);
	return tc;
}
