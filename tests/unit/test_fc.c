/* SPDX-License-Identifier: GPL-2.0-only */
/* Which fast commits count on top of a log. */

#include <string.h>

#include "fixture.h"

#define FS "-b 1024 -J size=2 -O 64bit,metadata_csum"
#define LOG "journal fast_commit 256\ntxn 5 write 60000\n"

struct seen {
	unsigned	nr;
	struct e2lazy_fc_record records[16];
	uint8_t		values[16][1024];
};

static errcode_t keep(void *priv, const struct e2lazy_fc_record *r)
{
	struct seen *seen = priv;

	ck_assert_uint_lt(seen->nr, 16);
	ck_assert_uint_le(r->length, sizeof(seen->values[0]));
	memcpy(seen->values[seen->nr], r->value, r->length);
	seen->records[seen->nr++] = *r;
	return 0;
}

static struct e2lazy_fc_summary scan(const char *spec, struct seen *seen)
{
	struct fixture *f = map_of_fs(FS, spec);
	struct e2lazy_fc_summary sum;

	memset(seen, 0, sizeof(*seen));
	ck_assert_int_eq(e2lazy_fc_scan(f->journal,
					e2lazy_jmap_end(f->map)->tid,
					keep, seen, &sum, NULL), 0);
	return sum;
}

START_TEST(records_for_the_next_tid_are_valid)
{
	struct seen s;
	struct e2lazy_fc_summary sum = scan(LOG
		"fc 6 creat 2 12 name link 2 13 other range 12 7 3 50000 "
		"del 12 20 5 tail\n", &s);

	ck_assert_uint_eq(s.nr, 6);
	ck_assert_uint_eq(sum.records, 6);
	ck_assert_uint_eq(sum.valid, 6);
	ck_assert_uint_eq(sum.tid, 6);
	ck_assert_uint_eq(s.records[0].kind, E2LAZY_FC_HEAD);
	ck_assert_uint_eq(s.records[0].tid, 6);
	ck_assert_uint_eq(s.records[1].kind, E2LAZY_FC_CREAT);
	ck_assert_uint_eq(s.records[1].parent, 2);
	ck_assert_uint_eq(s.records[1].ino, 12);
	ck_assert_str_eq(s.records[1].name, "name");
	ck_assert_uint_eq(s.records[2].kind, E2LAZY_FC_LINK);
	ck_assert_uint_eq(s.records[3].ino, 12);
	ck_assert_uint_eq(s.records[3].lblk, 7);
	ck_assert_uint_eq(s.records[3].len, 3);
	ck_assert_uint_eq(s.records[3].pblk, 50000);
	ck_assert_uint_eq(s.records[4].lblk, 20);
	ck_assert_uint_eq(s.records[4].len, 5);
	ck_assert_uint_eq(s.records[5].kind, E2LAZY_FC_TAIL);
	ck_assert_int_eq(s.records[5].csum, E2LAZY_GOOD);
}
END_TEST

START_TEST(a_record_has_the_bytes_of_its_value)
{
	static const uint8_t name[] = { 2, 0, 0, 0, 12, 0, 0, 0, 'a', 'b' };
	static const uint8_t head[] = { 0, 0, 0, 0, 6, 0, 0, 0 };
	static const uint8_t root[] = { 2, 0, 0, 0 };
	struct seen s;
	struct fixture *f = map_of_fs(FS, LOG
		"fc 6 creat 2 12 ab inode 2 tail\n");
	ext2_filsys fs = e2lazy_static_fs(f->journal);
	struct ext2_inode_large inode;
	struct e2lazy_fc_summary sum;

	memset(&s, 0, sizeof(s));
	ck_assert_int_eq(e2lazy_fc_scan(f->journal, 6, keep, &s, &sum, NULL),
			 0);
	ck_assert_uint_eq(s.nr, 4);
	ck_assert_uint_eq(s.records[0].length, sizeof(head));
	ck_assert_mem_eq(s.values[0], head, sizeof(head));
	ck_assert_uint_eq(s.records[1].length, sizeof(name));
	ck_assert_mem_eq(s.values[1], name, sizeof(name));
	/* The number, and the inode as it stands in its table. */
	ck_assert_uint_eq(s.records[2].length,
			  4 + EXT2_INODE_SIZE(fs->super));
	ck_assert_mem_eq(s.values[2], root, sizeof(root));
	ck_assert_int_eq(ext2fs_read_inode_full(fs, 2, (void *)&inode,
						sizeof(inode)), 0);
	ck_assert_mem_eq(s.values[2] + 4 + offsetof(struct ext2_inode, i_block),
			 inode.i_block, sizeof(inode.i_block));
}
END_TEST

START_TEST(a_range_says_whether_it_is_unwritten)
{
	struct seen s;

	scan(LOG "fc 6 range 12 0 32768 50000 range 12 40000 32769 90000 "
	     "tail\n", &s);
	ck_assert_uint_eq(s.records[1].len, 32768);
	ck_assert(!s.records[1].unwritten);
	ck_assert_uint_eq(s.records[2].len, 1);
	ck_assert(s.records[2].unwritten);
}
END_TEST

/* Count first, like a replay. */
static errcode_t replay(void *priv, const struct e2lazy_fc_record *r)
{
	struct seen *seen = priv;

	(void)r;
	if (!seen->nr)
		return E2LAZY_ET_CANCELLED;
	seen->nr--;
	return 0;
}

START_TEST(a_scan_ends_with_the_error_of_its_caller)
{
	struct fixture *f = map_of_fs(FS, LOG
		"fc 6 creat 2 12 a tail creat 2 13 b tail badcrc\n");
	struct e2lazy_fc_summary sum, again;
	struct seen s;

	ck_assert_int_eq(e2lazy_fc_scan(f->journal, 6, NULL, NULL, &sum, NULL),
			 0);
	s.nr = sum.valid;
	ck_assert_int_eq(e2lazy_fc_scan(f->journal, 6, replay, &s, &again,
					NULL), E2LAZY_ET_CANCELLED);
	ck_assert_uint_eq(again.records, sum.valid + 1);
}
END_TEST

START_TEST(records_for_another_tid_are_not)
{
	struct seen s;
	struct e2lazy_fc_summary sum = scan(LOG
		"fc 5 unlink 2 12 name tail\n", &s);

	ck_assert_uint_eq(sum.records, 3);
	ck_assert_uint_eq(sum.valid, 0);
	ck_assert_uint_eq(sum.tid, 5);
}
END_TEST

START_TEST(records_count_up_to_the_last_good_tail)
{
	struct seen s;
	struct e2lazy_fc_summary sum = scan(LOG
		"fc 6 unlink 2 12 a tail unlink 2 13 b tail badcrc\n", &s);

	ck_assert_uint_eq(sum.records, 5);
	ck_assert_uint_eq(sum.valid, 3);
}
END_TEST

START_TEST(area_must_begin_with_a_head)
{
	struct seen s;
	struct e2lazy_fc_summary sum = scan(LOG
		"fc 6 nohead unlink 2 12 a tail\n", &s);

	ck_assert_uint_eq(sum.records, 0);
	ck_assert_uint_eq(sum.valid, 0);
}
END_TEST

START_TEST(records_carry_on_in_the_next_block)
{
	struct seen s;
	struct e2lazy_fc_summary sum = scan(LOG
		"fc 6 creat 2 12 a tail block unlink 2 12 a tail\n", &s);

	ck_assert_uint_eq(sum.valid, 5);
	ck_assert_uint_eq(s.records[3].logblk, s.records[0].logblk + 1);
}
END_TEST

/* Each of these a kernel refuses to replay, or does not look at. */
static const char *const invalid[] = {
	LOG "fc 6 features 1 unlink 2 12 name tail\n",
	LOG "fc 6 creat 2 12 a tail\ndamage super start 0\n"
	    "damage super sequence 6\n",
};

START_TEST(records_that_no_kernel_replays_are_not_valid)
{
	struct seen s;
	struct e2lazy_fc_summary sum = scan(invalid[_i], &s);

	ck_assert_uint_eq(sum.records, 3);
	ck_assert_uint_eq(sum.valid, 0);
}
END_TEST

START_TEST(no_area_no_records)
{
	struct fixture *f = map_of("txn 5 write 60000\n");
	struct e2lazy_fc_summary sum;

	ck_assert_int_eq(e2lazy_fc_scan(f->journal, 6, NULL, NULL, &sum,
					NULL), 0);
	ck_assert_uint_eq(sum.records, 0);
}
END_TEST

static struct e2lazy_fc_lost lost(const char *spec)
{
	struct fixture *f = map_of_fs(FS, spec);
	struct e2lazy_fc_lost out;

	ck_assert_int_eq(e2lazy_fc_find_lost(f->journal,
					     e2lazy_jmap_end(f->map)->tid,
					     &out), 0);
	ck_assert_int_eq(out.error, 0);
	return out;
}

static const struct {
	const char	*spec;
	uint32_t	commits;
} losses[] = {
	{ LOG "fc 6 unlink 2 12 a tail unlink 2 13 b tail\n", 0 },
	{ LOG "fc 6 unlink 2 12 a tail unlink 2 13 b tail badcrc\n", 1 },
	{ LOG "fc 6 creat 2 12 a tail creat 2 13 b tail badcrc "
	  "creat 2 14 c tail creat 2 15 d tail\n", 3 },
	{ LOG "fc 6 nohead unlink 2 12 a tail\n", 1 },
	{ LOG "fc 6 features 1 unlink 2 12 a tail\n", 1 },
	/* A crash in the middle, and areas of other transactions. */
	{ LOG "fc 6 unlink 2 12 a tail unlink 2 13 b\n", 0 },
	{ LOG "fc 5 unlink 2 12 a tail unlink 2 13 b tail badcrc\n", 0 },
	{ LOG "fc 7 unlink 2 12 a tail\n", 0 },
};

START_TEST(a_tail_behind_damage_is_a_lost_fast_commit)
{
	struct e2lazy_fc_lost got = lost(losses[_i].spec);

	ck_assert_uint_eq(got.commits, losses[_i].commits);
	ck_assert_int_eq(got.logblk != 0, losses[_i].commits != 0);
}
END_TEST

START_TEST(an_emptied_log_has_lost_none)
{
	ck_assert_uint_eq(lost(LOG "fc 6 nohead unlink 2 12 a tail\n"
			       "damage super start 0\n").commits, 0);
}
END_TEST

TCase *fc_tests(void)
{
	TCase *tc = tcase_create("fast commit");

	tcase_add_test(tc, records_for_the_next_tid_are_valid);
	tcase_add_test(tc, a_record_has_the_bytes_of_its_value);
	tcase_add_test(tc, a_range_says_whether_it_is_unwritten);
	tcase_add_test(tc, a_scan_ends_with_the_error_of_its_caller);
	tcase_add_test(tc, records_for_another_tid_are_not);
	tcase_add_test(tc, records_count_up_to_the_last_good_tail);
	tcase_add_test(tc, area_must_begin_with_a_head);
	tcase_add_test(tc, records_carry_on_in_the_next_block);
	tcase_add_loop_test(tc, records_that_no_kernel_replays_are_not_valid,
			    0, 2);
	tcase_add_test(tc, no_area_no_records);
	tcase_add_loop_test(tc, a_tail_behind_damage_is_a_lost_fast_commit, 0,
			    sizeof(losses) / sizeof(losses[0]));
	tcase_add_test(tc, an_emptied_log_has_lost_none);
	return tc;
}
