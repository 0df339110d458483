/* SPDX-License-Identifier: GPL-2.0-only */
/* A journal superblock is believed only when it can be true. */

#include <string.h>

#include "fixture.h"
#include "log/log.h"

/* Each is laid over a sound log and must be refused, for that reason. */
static const struct {
	const char	*damage;
	errcode_t	error;
} lies[] = {
	{ "damage super magic 0\n",		E2LAZY_ET_JSB_MAGIC },
	{ "damage super type 1\n",		E2LAZY_ET_JSB_MAGIC },
	{ "damage super type 9\n",		E2LAZY_ET_JSB_MAGIC },
	{ "damage super blocksize 4096\n",	E2LAZY_ET_JSB_BLOCKSIZE },
	{ "damage super maxlen 5000\n",		E2LAZY_ET_JOURNAL_SHORT },
	{ "damage super maxlen 1023\n",		E2LAZY_ET_JOURNAL_SHORT },
	{ "damage super first 0\n",		E2LAZY_ET_JSB_FIRST },
	{ "damage super first 1024\n",		E2LAZY_ET_JSB_FIRST },
	{ "damage super first 0xffffffff\n",	E2LAZY_ET_JSB_FIRST },
	{ "damage super start 1024\n",		E2LAZY_ET_JSB_START },
	{ "damage super start 5000\n",		E2LAZY_ET_JSB_START },
	{ "damage super incompat 0x8012\n",	E2LAZY_ET_JSB_FEATURE },
	{ "damage super ro_compat 1\n",		E2LAZY_ET_JSB_FEATURE },
	{ "damage super incompat 0x1a\n",	E2LAZY_ET_JSB_CSUM_TYPE },
	{ "damage super compat 1\n",		E2LAZY_ET_JSB_CSUM_TYPE },
	{ "damage super csumtype 1\n",		E2LAZY_ET_JSB_CSUM_TYPE },
	{ "damage super sequence 9 raw\n",	E2LAZY_ET_JSB_CSUM },
	{ "damage super incompat 0x32\n",	E2LAZY_ET_JSB_FAST_COMMIT },
};
#define NR_LIES (sizeof(lies) / sizeof(lies[0]))

START_TEST(a_lie_is_refused_by_name)
{
	struct fixture *f = map_of_fs(PLAIN, NULL);

	write_log(f, "txn 5 write 60000\n");
	ck_assert_int_eq(try_open(f, NULL), 0);
	write_log(f, lies[_i].damage);
	ck_assert_msg(try_open(f, NULL) == lies[_i].error,
		      "%s was not refused as it should", lies[_i].damage);
	ck_assert_uint_eq(f->where.has & ~E2LAZY_AT_VALUE, E2LAZY_AT_LOGBLK);
	ck_assert_uint_eq(f->where.logblk, 0);
	ck_assert_int_eq(f->where.volume, E2LAZY_JOURNAL);
}
END_TEST

START_TEST(what_was_refused_is_told)
{
	struct fixture *f = map_of_fs(PLAIN, NULL);

	write_log(f, "txn 5 write 60000\ndamage super start 5000\n");
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_JSB_START);
	ck_assert_uint_eq(f->where.has, E2LAZY_AT_LOGBLK | E2LAZY_AT_VALUE);
	ck_assert_uint_eq(f->where.value, 5000);
}
END_TEST

START_TEST(version_1_has_no_features)
{
	struct fixture *f = map_of("journal sb v1 csum none 32bit\ntxn 5 write 60000\n");
	const struct e2lazy_geometry *g = e2lazy_geometry(f->journal);

	ck_assert_uint_eq(g->version, 1);
	ck_assert_uint_eq(g->incompat, 0);
	ck_assert_uint_eq(g->tag_bytes, 8);
	ck_assert_mapped(f, 60000, 5);
}
END_TEST

START_TEST(version_1_ignores_what_stands_in_the_feature_words)
{
	struct fixture *f = map_of("journal sb v1 csum none 32bit\ntxn 5 write 60000\n"
				   "damage super incompat 0xffff\n"
				   "damage super compat 1\n");

	ck_assert_uint_eq(e2lazy_geometry(f->journal)->incompat, 0);
	ck_assert_mapped(f, 60000, 5);
}
END_TEST

START_TEST(errno_is_a_signed_number)
{
	struct fixture *f = map_of("txn 5 write 60000\nsuper errno -5\n");

	ck_assert_int_eq(e2lazy_geometry(f->journal)->error, -5);
}
END_TEST

START_TEST(head_counts_inside_the_ring_only)
{
	struct fixture *f = map_of("txn 5 write 60000\nsuper head 77\n");

	ck_assert_uint_eq(e2lazy_geometry(f->journal)->head, 77);
	f = map_of("txn 5 write 60000\nsuper head 70000\n");
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->head, 0);
}
END_TEST

START_TEST(shorter_maxlen_than_the_inode_is_believed)
{
	struct fixture *f = map_of_fs("-b 1024 -J size=2 -O 64bit,"
				      "metadata_csum", NULL);

	write_log(f, "txn 5 write 60000\ndamage super maxlen 1500\n");
	read_map(f, 0, 0);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->end, 1500);
	ck_assert_mapped(f, 60000, 5);
}
END_TEST

/* A kernel would take 256 blocks where the field is 0. */
START_TEST(a_log_in_force_again_has_its_own_fast_commit_area)
{
	struct fixture *f = map_of_fs("-b 1024 -J size=4 -O fast_commit",
				      "journal fast_commit 512\n"
				      "txn 5 write 60000\n");
	const struct e2lazy_geometry *g = e2lazy_geometry(f->journal);
	crc32c_fn crc = crc32c_select();
	struct e2lazy_geometry again = { .blocksize = 0 };
	uint8_t sb[1024];

	ck_assert_int_eq(e2lazy_read_log(f->journal, 0, 1, sb), 0);
	put_be32(sb + JSB_NUM_FC, 0);
	jsb_set_empty(sb, 6, crc);
	jsb_restore(sb, g, crc);
	ck_assert_int_eq(jsb_parse(sb, g->maxlen, 1024, 0, crc, &again,
				   &f->where), 0);
	ck_assert_uint_eq(again.end, g->end);
	ck_assert_uint_eq(again.start, g->start);
	ck_assert_uint_eq(again.sequence, 5);
}
END_TEST

TCase *jsb_tests(void)
{
	TCase *tc = tcase_create("jsb");

	tcase_add_loop_test(tc, a_lie_is_refused_by_name, 0, NR_LIES);
	tcase_add_test(tc, what_was_refused_is_told);
	tcase_add_test(tc, version_1_has_no_features);
	tcase_add_test(tc, version_1_ignores_what_stands_in_the_feature_words);
	tcase_add_test(tc, errno_is_a_signed_number);
	tcase_add_test(tc, head_counts_inside_the_ring_only);
	tcase_add_test(tc, shorter_maxlen_than_the_inode_is_believed);
	tcase_add_test(tc,
		       a_log_in_force_again_has_its_own_fast_commit_area);
	return tc;
}
