/* SPDX-License-Identifier: GPL-2.0-only */
/* Tags that no checksum proves: copies that may belong to another block. */

#include <stdio.h>
#include <string.h>

#include "judged.h"
#include "owned.h"

/* A file system whose blocks have no checksums either. */
#define BARE "-O ^metadata_csum,^uninit_bg,^64bit,^extents,^flex_bg"
/* Too long for the inode. */
#define TARGET "/a/target/that/is/longer/than/the/sixty/bytes/of/an/inode/and/" \
	"so/has/a/block"
/*
 * A bitmap has no more than a count to be recognized by: the contents of f1 have
 * 26 bits, more than the inodes in use.
 */
#define TREE "mkdir d e; echo x >d/name; echo words >f1; echo more >f2; " \
	"ln -s " TARGET " link"

/* ------------------------------------------------- the contents of a file */

/* @spec has the block of /f1 as its first number, and that of /f2 as its second. */
static void check_files(const char *mke2fs, const char *spec,
			const char *expect)
{
	struct owned *o = new_owned(mke2fs, TREE);
	struct judged j = { .f = NULL };
	char text[512];

	snprintf(text, sizeof(text), spec,
		 (unsigned long long)block_of(o, "/f1", 0),
		 (unsigned long long)block_of(o, "/f2", 0));
	write_log(o->f, text);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT), expect);
	close_subject(&j);
	free_owned(o);
}

START_TEST(one_copy_over_a_file_is_asked_about_where_no_checksum_covers_its_tag)
{
	static const struct {
		const char *spec, *expect;
	} cases[] = {
		{ "journal csum none\ntxn 5 write %llu\n", "tag-not-proven 1" },
		{ "journal csum v1\ntxn 5 write %llu\n", "journaled-data 1" },
		{ "journal csum v2\ntxn 5 write %llu\n", "journaled-data 1" },
		{ "journal csum v3\ntxn 5 write %llu\n", "journaled-data 1" },
	};

	check_files(BARE, cases[_i].spec, cases[_i].expect);
}
END_TEST

/* COMMIT_CSUM_TYPE, _SIZE and _CSUM: as of a mount without journal_checksum. */
START_TEST(a_commit_block_of_checksum_v1_may_have_none)
{
	struct owned *o = new_owned(BARE, TREE);
	struct judged j = { .f = NULL };
	char spec[128];
	blk64_t at;
	uint8_t block[1024];

	snprintf(spec, sizeof(spec), "journal csum v1\ntxn 5 write %llu\n",
		 (unsigned long long)block_of(o, "/f1", 0));
	write_log(o->f, spec);
	ck_assert_int_eq(try_open(o->f, NULL), 0);
	read_map(o->f, 0, 0);
	ck_assert_int_eq(e2lazy_physblk(o->f->journal, 3, &at), 0);
	read_block(o, at, block);
	ck_assert_mem_eq(block, "\xc0\x3b\x39\x98\0\0\0\2", 8);
	memset(block + 12, 0, 12);
	write_block(o, at, block);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT),
			 "tag-not-proven 1");
	close_subject(&j);
	free_owned(o);
}
END_TEST

START_TEST(another_copy_of_contents_shows_that_they_are_logged)
{
	check_files(BARE, "txn 5 write %llu %llu\n", "journaled-data 2");
}
END_TEST

START_TEST(so_does_an_earlier_one_of_the_same_block)
{
	check_files(BARE, "txn 5 write %1$llu\ntxn 6 write %1$llu\n",
		    "journaled-data 1");
}
END_TEST

START_TEST(but_neither_a_void_one_nor_one_of_the_same_transaction)
{
	static const struct {
		const char *spec, *expect;
	} cases[] = {
		{ "txn 5 write %1$llu\ntxn 6 revoke %1$llu\n"
		  "txn 7 write %1$llu\n", "tag-not-proven 1" },
		{ "txn 5 write %1$llu 60000 %1$llu\n",
		  "duplicate-tag 1 tag-not-proven 1 copy-of-free 1" },
	};

	check_files(BARE, cases[_i].spec, cases[_i].expect);
}
END_TEST

START_TEST(nor_one_of_a_file_that_is_marked_as_journaled)
{
	struct owned *o = new_owned(BARE, TREE);
	struct judged j = { .f = NULL };
	char spec[128];

	alter(o, "sif /f1 flags 0x4000\n");
	snprintf(spec, sizeof(spec), "txn 5 write %llu %llu\n",
		 (unsigned long long)block_of(o, "/f1", 0),
		 (unsigned long long)block_of(o, "/f2", 0));
	write_log(o->f, spec);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT),
			 "tag-not-proven 1");
	ck_assert_uint_eq(j.first.fsblk, block_of(o, "/f2", 0));
	close_subject(&j);
	free_owned(o);
}
END_TEST

/*
 * With inline_data the first block is logged with the inode that it leaves, in one
 * transaction.
 */
START_TEST(a_file_that_grows_out_of_its_inode_is_no_sign_and_needs_none)
{
	struct owned *o = new_owned(BARE ",inline_data -I 256",
				    "seq 1000 1300 >f1; seq 2000 2300 >f2");
	blk64_t first = block_of(o, "/f1", 0), other = block_of(o, "/f2", 1);
	blk64_t home = home_of(o, ino_of(o, "/f1"));
	const struct {
		bool	before;		/* the inode was logged before */
		blk64_t	blocks[4];
		const char *expect;
	} cases[] = {
		{ false, { first, home }, "journaled-data 1" },
		{ false, { first }, "tag-not-proven 1" },
		{ true, { first }, "tag-not-proven 1" },
		{ false, { block_of(o, "/f1", 1), home }, "tag-not-proven 1" },
		{ false, { first, home, other },
		  "tag-not-proven 1 journaled-data 1" },
	};
	struct judged j = { .f = NULL };

	if (cases[_i].before)
		keep_txn(o, (blk64_t[]){ home, 0 });
	keep_txn(o, cases[_i].blocks);
	write_txns(o);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT),
			 cases[_i].expect);
	close_subject(&j);
	free_owned(o);
}
END_TEST

START_TEST(yes_writes_the_copy_and_the_second_answer_keeps_the_block)
{
	struct owned *o = new_owned(BARE, TREE);
	const struct e2lazy_problem *p = e2lazy_problem_find("tag-not-proven");
	struct judged j = { .f = NULL };
	struct e2lazy_copy copy;
	char spec[128];

	snprintf(spec, sizeof(spec), "txn 5 write %llu\n",
		 (unsigned long long)block_of(o, "/f1", 0));
	write_log(o->f, spec);
	judge(&j, o->f, E2LAZY_VERIFY_CONTENT);
	e2lazy_jmap_get(o->f->map, 0, &copy);
	ck_assert_uint_eq(e2lazy_verdict_open(j.verdict), 1);
	ck_assert_int_eq(e2lazy_verdict_answer(j.verdict, p, E2LAZY_YES), 0);
	ck_assert_uint_eq(e2lazy_verdict_open(j.verdict), 0);
	ck_assert(!e2lazy_verdict_leaves_out(j.verdict, &copy));
	ck_assert_int_eq(e2lazy_verdict_answer(j.verdict, p, E2LAZY_OTHERWISE),
			 0);
	ck_assert(e2lazy_verdict_leaves_out(j.verdict, &copy));
	close_subject(&j);
	free_owned(o);
}
END_TEST

/* --------------------------------------------------- blocks of metadata */

enum place { DIR_D, DIR_E, SYMLINK, XATTR, TABLE, TABLE_NEXT, TABLE_FILES,
	     BLOCKS, BLOCKS_1, INODES, DESCS, BACKUP, BACKUP_DESCS, RESERVED, DATA, NR_PLACES };

static void find_places(struct owned *o, blk64_t at[NR_PLACES])
{
	struct ext2_inode inode;
	ext2_filsys fs;

	ck_assert_int_eq(ext2fs_open(o->f->image, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	at[TABLE] = ext2fs_inode_table_loc(fs, 0);
	at[BLOCKS] = ext2fs_block_bitmap_loc(fs, 0);
	at[BLOCKS_1] = ext2fs_block_bitmap_loc(fs, 1);
	at[INODES] = ext2fs_inode_bitmap_loc(fs, 0);
	at[DESCS] = 2;
	ext2fs_super_and_bgd_loc2(fs, 1, &at[BACKUP], &at[BACKUP_DESCS], NULL,
				  NULL);
	at[RESERVED] = at[DESCS] + fs->desc_blocks;
	ext2fs_free(fs);
	at[TABLE_NEXT] = at[TABLE] + 1;
	at[TABLE_FILES] = home_of(o, ino_of(o, "/f1"));
	at[DIR_D] = block_of(o, "/d", 0);
	at[DIR_E] = block_of(o, "/e", 0);
	at[SYMLINK] = block_of(o, "/link", 0);
	at[DATA] = block_of(o, "/f1", 0);
	inode_of(o, "/f2", &inode);
	at[XATTR] = inode.i_file_acl;
}

static struct owned *new_places(const char *mke2fs, blk64_t at[NR_PLACES])
{
	struct owned *o = new_owned(mke2fs, TREE);
	char line[400];

	snprintf(line, sizeof(line), "ea_set /f2 user.long %0300d\n", 7);
	alter(o, line);
	find_places(o, at);
	return o;
}

/* Judge a log whose newest copy of block @to is what block @from holds. */
static const char *judge_copy(struct judged *j, struct owned *o,
			      const char *spec, blk64_t to, blk64_t from)
{
	char text[256];

	snprintf(text, sizeof(text), spec, (unsigned long long)to);
	write_log(o->f, text);
	put_other(o->f, to, from);
	return judge(j, o->f, E2LAZY_VERIFY_CONTENT);
}

#define UNPROVEN "journal csum none\ntxn 5 write %llu\n"

static bool is_backup(enum place place)
{
	return place == BACKUP || place == BACKUP_DESCS;
}

/* The backup of the descriptors is a copy of them. */
static bool hold_the_same(enum place a, enum place b)
{
	return a == b || (a == DESCS && b == BACKUP_DESCS) ||
	       (a == BACKUP_DESCS && b == DESCS);
}

/* A view through wrong metadata has more findings. */
START_TEST(a_copy_of_another_kind_or_place_is_tag_contradicted)
{
	static const enum place others[] = { DIR_E, TABLE, TABLE_NEXT, BLOCKS,
					     DESCS, DATA };
	blk64_t at[NR_PLACES];
	struct owned *o = new_places(BARE, at);
	struct judged j = { .f = NULL };

	for (unsigned n = 0; n < sizeof(others) / sizeof(*others); n++) {
		enum place from = others[n];

		ck_assert_msg(!strstr(judge_copy(&j, o, UNPROVEN, at[_i],
						 at[from]),
				      "tag-contradicted 1") ==
			      hold_the_same(_i, from), "%u from %u: %s", _i,
			      from, j.line);
	}
	close_subject(&j);
	free_owned(o);
}
END_TEST

START_TEST(a_copy_of_its_own_block_has_no_finding_of_that_kind)
{
	blk64_t at[NR_PLACES];
	struct owned *o = new_places(BARE, at);
	struct judged j = { .f = NULL };

	for (enum place i = 0; i < DATA; i++)
		ck_assert_str_eq(judge_copy(&j, o, UNPROVEN, at[i], at[i]),
				 is_backup(i) ? "tag-on-backup 1" : "");
	close_subject(&j);
	free_owned(o);
}
END_TEST

/* mkjournal's words are no directory; v2 and v3 cover the tags. */
START_TEST(what_a_checksum_proves_is_not_contradicted)
{
	static const char *const kinds[] = { "none", "v1", "v2", "v3" };
	struct owned *o = new_owned(BARE, TREE);
	struct judged j = { .f = NULL };
	char spec[128];

	snprintf(spec, sizeof(spec), "journal csum %s\ntxn 5 write %llu\n",
		 kinds[_i], (unsigned long long)block_of(o, "/d", 0));
	write_log(o->f, spec);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT),
			 _i ? "" : "tag-contradicted 1");
	close_subject(&j);
	free_owned(o);
}
END_TEST

START_TEST(a_directory_block_that_is_not_the_first_does_not_begin_with_a_dot)
{
	struct owned *o = new_owned(BARE, "mkdir d big; i=0; while [ $i -lt 99 "
		"]; do echo >big/a_name_of_some_length_$i; i=$((i + 1)); done");
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge_copy(&j, o, UNPROVEN, block_of(o, "/big", 2),
				    block_of(o, "/big", 1)), "");
	ck_assert_str_eq(judge_copy(&j, o, UNPROVEN, block_of(o, "/big", 2),
				    block_of(o, "/d", 0)),
			 "tag-contradicted 1");
	close_subject(&j);
	free_owned(o);
}
END_TEST

TCase *verify_tags_tests(void)
{
	TCase *tc = tcase_create("verify tags");

	tcase_add_loop_test(tc,
		one_copy_over_a_file_is_asked_about_where_no_checksum_covers_its_tag,
		0, 4);
	tcase_add_test(tc, a_commit_block_of_checksum_v1_may_have_none);
	tcase_add_test(tc, another_copy_of_contents_shows_that_they_are_logged);
	tcase_add_test(tc, so_does_an_earlier_one_of_the_same_block);
	tcase_add_loop_test(tc,
		but_neither_a_void_one_nor_one_of_the_same_transaction, 0, 2);
	tcase_add_test(tc, nor_one_of_a_file_that_is_marked_as_journaled);
	tcase_add_loop_test(tc,
		a_file_that_grows_out_of_its_inode_is_no_sign_and_needs_none, 0,
		5);
	tcase_add_test(tc,
		yes_writes_the_copy_and_the_second_answer_keeps_the_block);
	tcase_add_loop_test(tc,
		a_copy_of_another_kind_or_place_is_tag_contradicted, 0, DATA);
	tcase_add_test(tc,
		a_copy_of_its_own_block_has_no_finding_of_that_kind);
	tcase_add_loop_test(tc, what_a_checksum_proves_is_not_contradicted, 0,
			    4);
	tcase_add_test(tc,
		a_directory_block_that_is_not_the_first_does_not_begin_with_a_dot);
	return tc;
}
