// SPDX-License-Identifier: GPL-2.0-only
/*
 * lazy-test.c - the rules of the map, of the mark and of the record, by KUnit
 *
 * The journal of a test is memory alone: it has a superblock and a map, no device
 * and no thread.  Transactions are staged and applied as a commit does it.
 */
#include <kunit/test.h>
#include <linux/slab.h>

#include "lazy.h"

static void set_features(journal_t *journal, u32 incompat)
{
	journal->j_superblock->s_feature_incompat = cpu_to_be32(incompat);
}

static int lazy_test_init(struct kunit *test)
{
	journal_t *journal = kunit_kzalloc(test, sizeof(*journal), GFP_KERNEL);
	journal_superblock_t *sb = kunit_kzalloc(test, sizeof(*sb), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, journal);
	KUNIT_ASSERT_NOT_NULL(test, sb);
	rwlock_init(&journal->j_state_lock);
	spin_lock_init(&journal->j_list_lock);
	journal->j_superblock = sb;
	sb->s_header.h_blocktype = cpu_to_be32(JBD2_SUPERBLOCK_V2);
	memset(sb->s_uuid, 0x5a, sizeof(sb->s_uuid));
	set_features(journal, JBD2_FEATURE_INCOMPAT_CSUM_V3 |
			      JBD2_FEATURE_INCOMPAT_64BIT);
	test->priv = journal;
	KUNIT_ASSERT_EQ(test, 0, jbd2_journal_set_lazy(journal, true, true));
	return 0;
}

static void lazy_test_exit(struct kunit *test)
{
	journal_t *journal = test->priv;

	if (journal && journal->j_lazy)
		jbd2_lazy_free(journal);
}

/* ---- the map ---- */

static void stage(journal_t *journal, unsigned long long fsblk,
		  unsigned long long pblk)
{
	journal_block_tag3_t tag = {};

	tag.t_checksum = cpu_to_be32(fsblk ^ pblk);
	jbd2_lazy_stage(journal, fsblk, pblk, (journal_block_tag_t *)&tag);
}

/* Transaction @tid begins with block @start of the log, and logs one block. */
static void commit_one(journal_t *journal, tid_t tid, unsigned long start,
		       unsigned long long fsblk)
{
	jbd2_lazy_stage_begin(journal, tid, start);
	stage(journal, fsblk, start + 1);
	jbd2_lazy_apply(journal);
}

static unsigned long long where(journal_t *journal, unsigned long long fsblk)
{
	struct lazy_entry *e = lazy_find(journal->j_lazy, fsblk);

	return e ? e->pblk : 0;
}

/* The tail's transaction; 0 if no transaction has to be kept. */
static tid_t tail(journal_t *journal)
{
	unsigned long block;
	tid_t tid;

	return jbd2_lazy_tail(journal, &tid, &block) ? tid : 0;
}

static void the_newest_copy_counts(struct kunit *test)
{
	journal_t *journal = test->priv;

	commit_one(journal, 7, 10, 500);
	KUNIT_EXPECT_EQ(test, 11ULL, where(journal, 500));
	KUNIT_EXPECT_EQ(test, 7U, tail(journal));
	commit_one(journal, 8, 20, 500);
	KUNIT_EXPECT_EQ(test, 21ULL, where(journal, 500));
	KUNIT_EXPECT_EQ(test, 1UL, journal->j_lazy->jl_nr_live);
	KUNIT_EXPECT_EQ(test, 8U, tail(journal));
}

static void what_is_staged_is_not_in_the_map(struct kunit *test)
{
	journal_t *journal = test->priv;

	commit_one(journal, 7, 10, 500);
	jbd2_lazy_stage_begin(journal, 8, 20);
	stage(journal, 500, 21);
	jbd2_lazy_stage_revoke(journal, 500);
	KUNIT_EXPECT_EQ(test, 11ULL, where(journal, 500));
	jbd2_lazy_discard(journal);
	jbd2_lazy_apply(journal);
	KUNIT_EXPECT_EQ(test, 11ULL, where(journal, 500));
}

static void a_revoke_takes_the_block_out(struct kunit *test)
{
	journal_t *journal = test->priv;
	int i;

	jbd2_lazy_stage_begin(journal, 7, 10);
	for (i = 0; i < 200; i++)
		stage(journal, 1000 + i, 11 + i);
	jbd2_lazy_apply(journal);
	jbd2_lazy_stage_begin(journal, 8, 300);
	for (i = 0; i < 200; i += 2)
		jbd2_lazy_stage_revoke(journal, 1000 + i);
	jbd2_lazy_stage_revoke(journal, 5000);
	jbd2_lazy_apply(journal);
	for (i = 0; i < 200; i++)
		KUNIT_EXPECT_EQ(test, i % 2 ? 11ULL + i : 0ULL,
				where(journal, 1000 + i));
	KUNIT_EXPECT_EQ(test, 100UL, journal->j_lazy->jl_nr_live);
}

static void entries_are_in_order_of_place(struct kunit *test)
{
	journal_t *journal = test->priv;
	struct lazy_entry *e;

	commit_one(journal, 7, 10, 900);
	commit_one(journal, 8, 20, 1ULL << 40);
	commit_one(journal, 9, 30, 3);
	e = lazy_next(journal->j_lazy, 0);
	KUNIT_ASSERT_NOT_NULL(test, e);
	KUNIT_EXPECT_EQ(test, 3ULL, e->fsblk);
	e = lazy_next(journal->j_lazy, 900);
	KUNIT_ASSERT_NOT_NULL(test, e);
	KUNIT_EXPECT_EQ(test, 900ULL, e->fsblk);
	e = lazy_next(journal->j_lazy, 901);
	KUNIT_ASSERT_NOT_NULL(test, e);
	KUNIT_EXPECT_EQ(test, 1ULL << 40, e->fsblk);
	KUNIT_EXPECT_NULL(test, lazy_next(journal->j_lazy, (1ULL << 40) + 1));
}

static void a_reader_keeps_the_tail(struct kunit *test)
{
	journal_t *journal = test->priv;
	struct lazy_copy copy;

	commit_one(journal, 7, 10, 500);
	KUNIT_ASSERT_EQ(test, 1, lazy_hold_oldest(journal->j_lazy, &copy, 1));
	commit_one(journal, 8, 20, 500);
	KUNIT_EXPECT_EQ(test, 7U, tail(journal));
	lazy_put(journal->j_lazy, &copy);
	KUNIT_EXPECT_EQ(test, 8U, tail(journal));
}

static void a_block_that_dies_is_not_moved(struct kunit *test)
{
	journal_t *journal = test->priv;
	struct jbd2_lazy *jl = journal->j_lazy;
	struct lazy_copy copy[2];

	commit_one(journal, 7, 10, 500);
	commit_one(journal, 8, 20, 600);
	jbd2_lazy_dying(journal, 500, true);
	KUNIT_ASSERT_EQ(test, 1, lazy_hold_oldest(jl, copy, 2));
	KUNIT_EXPECT_EQ(test, 600ULL, copy[0].fsblk);
	lazy_put(jl, &copy[0]);
	jbd2_lazy_dying(journal, 500, false);
	KUNIT_ASSERT_EQ(test, 2, lazy_hold_oldest(jl, copy, 2));
	KUNIT_EXPECT_EQ(test, 500ULL, copy[0].fsblk);
	jbd2_lazy_dying(journal, 500, true);
	KUNIT_EXPECT_FALSE(test, lazy_same(jl, &copy[0], false));
	KUNIT_EXPECT_TRUE(test, lazy_same(jl, &copy[1], false));
	lazy_put(jl, &copy[0]);
	lazy_put(jl, &copy[1]);
}

static void what_is_home_leaves_the_map_if_it_is_the_same(struct kunit *test)
{
	journal_t *journal = test->priv;
	struct jbd2_lazy *jl = journal->j_lazy;
	struct lazy_copy old, new;

	commit_one(journal, 7, 10, 500);
	KUNIT_ASSERT_EQ(test, 1, lazy_hold_oldest(jl, &old, 1));
	commit_one(journal, 8, 20, 500);
	KUNIT_ASSERT_EQ(test, 1, lazy_hold_oldest(jl, &new, 1));
	lazy_unmap(jl, &old);
	KUNIT_EXPECT_EQ(test, 21ULL, where(journal, 500));
	lazy_unmap(jl, &new);
	KUNIT_EXPECT_EQ(test, 0ULL, where(journal, 500));
	lazy_put(jl, &old);
	lazy_put(jl, &new);
	KUNIT_EXPECT_EQ(test, 0U, tail(journal));
}

static u8 age(journal_t *journal, unsigned long long fsblk)
{
	return lazy_find(journal->j_lazy, fsblk)->age;
}

static void only_what_the_cleaner_logs_again_ages(struct kunit *test)
{
	journal_t *journal = test->priv;
	struct lazy_copy copy;
	int i;

	commit_one(journal, 7, 10, 500);
	for (i = 1; i <= 2; i++) {
		KUNIT_ASSERT_EQ(test, 1,
				lazy_hold_oldest(journal->j_lazy, &copy, 1));
		KUNIT_EXPECT_TRUE(test, lazy_same(journal->j_lazy, &copy, true));
		lazy_put(journal->j_lazy, &copy);
		commit_one(journal, 7 + i, 10 + 10 * i, 500);
		KUNIT_EXPECT_EQ(test, i, (int)age(journal, 500));
	}
	commit_one(journal, 10, 40, 500);
	KUNIT_EXPECT_EQ(test, 0, (int)age(journal, 500));
}

static void transactions_go_round(struct kunit *test)
{
	journal_t *journal = test->priv;

	commit_one(journal, ~0U, 10, 500);
	jbd2_lazy_stage_begin(journal, 0, 20);
	jbd2_lazy_stage_revoke(journal, 500);
	stage(journal, 600, 22);
	jbd2_lazy_apply(journal);
	KUNIT_EXPECT_EQ(test, 0ULL, where(journal, 500));
	commit_one(journal, 1, 30, 600);
	KUNIT_EXPECT_EQ(test, 31ULL, where(journal, 600));
	KUNIT_EXPECT_EQ(test, 1U, tail(journal));
}

static struct lazy_entry *entry_of_tag(journal_t *journal, void *tag)
{
	jbd2_lazy_stage_begin(journal, 7, 10);
	jbd2_lazy_stage(journal, 500, 11, tag);
	jbd2_lazy_apply(journal);
	return lazy_find(journal->j_lazy, 500);
}

static void a_tag_of_each_form_is_understood(struct kunit *test)
{
	journal_t *journal = test->priv;
	journal_block_tag3_t v3 = { .t_checksum = cpu_to_be32(0x12345678),
				    .t_flags = cpu_to_be32(JBD2_FLAG_ESCAPE) };
	journal_block_tag_t v2 = { .t_checksum = cpu_to_be16(0x9abc),
				   .t_flags = cpu_to_be16(JBD2_FLAG_SAME_UUID) };
	struct lazy_entry *e = entry_of_tag(journal, &v3);

	KUNIT_EXPECT_EQ(test, 0x12345678U, e->csum);
	KUNIT_EXPECT_TRUE(test, e->escaped);
	set_features(journal, JBD2_FEATURE_INCOMPAT_CSUM_V2);
	e = entry_of_tag(journal, &v2);
	KUNIT_EXPECT_EQ(test, 0x9abcU, e->csum);
	KUNIT_EXPECT_FALSE(test, e->escaped);
	set_features(journal, 0);
	e = entry_of_tag(journal, &v2);
	KUNIT_EXPECT_EQ(test, 0U, e->csum);
}

/* ---- the mark ---- */

/* Does a mount take @commit for that of a lazy kernel? */
static bool is_marked(journal_t *journal, tid_t tid,
		      struct commit_header *commit)
{
	struct buffer_head bh = { .b_data = (char *)commit };

	journal->j_lazy->jl_unmarked = false;
	jbd2_lazy_committed(journal, tid, &bh);
	return !journal->j_lazy->jl_unmarked;
}

static void a_mark_is_of_one_transaction_of_one_log(struct kunit *test)
{
	journal_t *journal = test->priv;
	struct commit_header commit = {};

	KUNIT_EXPECT_FALSE(test, is_marked(journal, 7, &commit));
	jbd2_lazy_mark(journal, 7, &commit);
	KUNIT_EXPECT_TRUE(test, is_marked(journal, 7, &commit));
	KUNIT_EXPECT_FALSE(test, is_marked(journal, 8, &commit));
	journal->j_lazy->jl_nonce ^= 1ULL << 63;
	KUNIT_EXPECT_FALSE(test, is_marked(journal, 7, &commit));
	journal->j_lazy->jl_nonce ^= 1ULL << 63;
	journal->j_superblock->s_uuid[15] ^= 1;
	KUNIT_EXPECT_FALSE(test, is_marked(journal, 7, &commit));
}

static void a_mark_with_a_wrong_bit_is_none(struct kunit *test)
{
	journal_t *journal = test->priv;
	struct commit_header commit = {};
	char *mark = (char *)&commit.h_chksum[1];
	int i;

	jbd2_lazy_mark(journal, 7, &commit);
	for (i = 0; i < 16 * 8; i++) {
		mark[i / 8] ^= 1 << i % 8;
		KUNIT_EXPECT_FALSE(test, is_marked(journal, 7, &commit));
		mark[i / 8] ^= 1 << i % 8;
	}
	KUNIT_EXPECT_TRUE(test, is_marked(journal, 7, &commit));
}

static void a_mark_leaves_the_rest_of_the_block(struct kunit *test)
{
	journal_t *journal = test->priv;
	struct commit_header commit, before;

	memset(&commit, 0xa5, sizeof(commit));
	before = commit;
	jbd2_lazy_mark(journal, 7, &commit);
	memset(&before.h_chksum[1], 0, 16);
	memset(&commit.h_chksum[1], 0, 16);
	KUNIT_EXPECT_EQ(test, 0, memcmp(&commit, &before, sizeof(commit)));
}

/* ---- the record ---- */

static char *record_of(journal_t *journal)
{
	return (char *)journal->j_superblock + 0xe0;
}

static void write_tail(journal_t *journal, u32 start, u32 sequence)
{
	journal->j_superblock->s_start = cpu_to_be32(start);
	journal->j_superblock->s_sequence = cpu_to_be32(sequence);
}

/* What a mount decides after a scan that found all marks good. */
static bool kept(journal_t *journal)
{
	jbd2_lazy_look_at_record(journal);
	jbd2_lazy_decide(journal);
	return jbd2_lazy_keeps(journal);
}

static void a_record_names_one_tail(struct kunit *test)
{
	journal_t *journal = test->priv;
	u64 nonce = journal->j_lazy->jl_nonce;

	write_tail(journal, 10, 7);
	KUNIT_EXPECT_FALSE(test, kept(journal));
	journal->j_lazy->jl_nonce = nonce;
	jbd2_lazy_record(journal);
	KUNIT_EXPECT_TRUE(test, kept(journal));
	KUNIT_EXPECT_EQ(test, nonce, journal->j_lazy->jl_nonce);
	write_tail(journal, 11, 7);
	KUNIT_EXPECT_FALSE(test, kept(journal));
	KUNIT_EXPECT_NE(test, nonce, journal->j_lazy->jl_nonce);
	write_tail(journal, 10, 8);
	KUNIT_EXPECT_FALSE(test, kept(journal));
	write_tail(journal, 10, 7);
	KUNIT_EXPECT_TRUE(test, kept(journal));
}

static void a_record_with_a_wrong_bit_is_none(struct kunit *test)
{
	journal_t *journal = test->priv;
	char *record = record_of(journal);
	int i;

	write_tail(journal, 10, 7);
	jbd2_lazy_record(journal);
	for (i = 0; i < 28 * 8; i++) {
		record[i / 8] ^= 1 << i % 8;
		KUNIT_EXPECT_FALSE(test, kept(journal));
		record[i / 8] ^= 1 << i % 8;
	}
	journal->j_superblock->s_uuid[0] ^= 1;
	KUNIT_EXPECT_FALSE(test, kept(journal));
}

static void an_empty_log_has_no_record(struct kunit *test)
{
	journal_t *journal = test->priv;

	write_tail(journal, 10, 7);
	jbd2_lazy_record(journal);
	write_tail(journal, 0, 9);
	jbd2_lazy_record(journal);
	KUNIT_EXPECT_NULL(test, memchr_inv(record_of(journal), 0, 28));
}

static void a_record_of_another_version_stays(struct kunit *test)
{
	journal_t *journal = test->priv;
	char *record = record_of(journal), before[28];

	write_tail(journal, 10, 7);
	jbd2_lazy_record(journal);
	record[7]++;
	memcpy(before, record, sizeof(before));
	KUNIT_EXPECT_FALSE(test, kept(journal));
	write_tail(journal, 0, 9);
	jbd2_lazy_record(journal);
	KUNIT_EXPECT_EQ(test, 0, memcmp(before, record, sizeof(before)));
}

static void tags_of_another_form_are_not_kept(struct kunit *test)
{
	journal_t *journal = test->priv;

	write_tail(journal, 10, 7);
	jbd2_lazy_record(journal);
	KUNIT_EXPECT_TRUE(test, kept(journal));
	set_features(journal, JBD2_FEATURE_INCOMPAT_CSUM_V2 |
			      JBD2_FEATURE_INCOMPAT_64BIT);
	KUNIT_EXPECT_FALSE(test, kept(journal));
	set_features(journal, JBD2_FEATURE_INCOMPAT_64BIT);
	KUNIT_EXPECT_FALSE(test, kept(journal));
	set_features(journal, JBD2_FEATURE_INCOMPAT_CSUM_V3);
	KUNIT_EXPECT_FALSE(test, kept(journal));
}

static struct kunit_case lazy_test_cases[] = {
	KUNIT_CASE(the_newest_copy_counts),
	KUNIT_CASE(what_is_staged_is_not_in_the_map),
	KUNIT_CASE(a_revoke_takes_the_block_out),
	KUNIT_CASE(entries_are_in_order_of_place),
	KUNIT_CASE(a_reader_keeps_the_tail),
	KUNIT_CASE(a_block_that_dies_is_not_moved),
	KUNIT_CASE(what_is_home_leaves_the_map_if_it_is_the_same),
	KUNIT_CASE(only_what_the_cleaner_logs_again_ages),
	KUNIT_CASE(transactions_go_round),
	KUNIT_CASE(a_tag_of_each_form_is_understood),
	KUNIT_CASE(a_mark_is_of_one_transaction_of_one_log),
	KUNIT_CASE(a_mark_with_a_wrong_bit_is_none),
	KUNIT_CASE(a_mark_leaves_the_rest_of_the_block),
	KUNIT_CASE(a_record_names_one_tail),
	KUNIT_CASE(a_record_with_a_wrong_bit_is_none),
	KUNIT_CASE(an_empty_log_has_no_record),
	KUNIT_CASE(a_record_of_another_version_stays),
	KUNIT_CASE(tags_of_another_form_are_not_kept),
	{}
};

static struct kunit_suite lazy_test_suite = {
	.name = "jbd2_lazy",
	.init = lazy_test_init,
	.exit = lazy_test_exit,
	.test_cases = lazy_test_cases,
};

kunit_test_suite(lazy_test_suite);
