/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the log ends, and which ends are damage. */

#include <fcntl.h>
#include <unistd.h>

#include "fixture.h"

/* Commit times are 1700000000 + n, so each is later than the one before. */
#define THREE "txn 5 write 60000\n" \
	      "txn 6 revoke 60900 write 60001\n" \
	      "txn 7 write 60002\n"

static errcode_t end_error(const struct fixture *f)
{
	return e2lazy_jmap_end(f->map)->error;
}

START_TEST(bad_descriptor_in_a_committed_transaction_is_damage)
{
	struct fixture *f = map_of(THREE "damage csum 6.desc\n");

	ck_assert_ends(f, E2LAZY_END_BLOCK_CSUM, 6);
	ck_assert_int_eq(end_error(f), E2LAZY_ET_BLOCK_CSUM);
	ck_assert_mapped(f, 60000, 5);
	ck_assert_not_mapped(f, 60001);
	ck_assert_not_mapped(f, 60002);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_DAMAGE);
}
END_TEST

START_TEST(bad_revoke_block_in_a_committed_transaction_is_damage)
{
	struct fixture *f = map_of(THREE "damage csum 6.revoke\n");

	ck_assert_ends(f, E2LAZY_END_BLOCK_CSUM, 6);
	ck_assert_uint_eq(e2lazy_jmap_end(f->map)->stop,
			  e2lazy_jmap_end(f->map)->head);
	ck_assert_not_mapped(f, 60001);
}
END_TEST

START_TEST(bad_descriptor_with_an_older_commit_time_is_stale)
{
	struct fixture *f = map_of(
		"txn 5 write 60000\n"
		"leftoveruuid 01234567-89ab-cdef-0123-456789abcdef\n"
		"leftover 6 write 60001 time 1600000000\n");

	ck_assert_ends(f, E2LAZY_END_STALE, 6);
	ck_assert_int_eq(end_error(f), 0);
	ck_assert_mapped(f, 60000, 5);
	ck_assert_not_mapped(f, 60001);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_OLDER_LAP);
}
END_TEST

START_TEST(bad_descriptor_without_a_commit_is_a_quiet_end)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 write 60001 nocommit\n"
				   "damage csum 6.desc\n");

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 6);
	ck_assert_int_eq(end_error(f), 0);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_UNCOMMITTED);
}
END_TEST

START_TEST(bad_first_descriptor_is_damage_whatever_its_time)
{
	struct fixture *f = map_of("txn 5 write 60000 time 0\n"
				   "damage csum 5.desc\n");

	ck_assert_ends(f, E2LAZY_END_BLOCK_CSUM, 5);
}
END_TEST

START_TEST(bad_commit_is_damage)
{
	struct fixture *f = map_of(THREE "damage csum 6.commit\n");

	ck_assert_ends(f, E2LAZY_END_COMMIT_CSUM, 6);
	ck_assert_int_eq(end_error(f), E2LAZY_ET_COMMIT_CSUM);
	ck_assert_not_mapped(f, 60001);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_DAMAGE);
}
END_TEST

START_TEST(bad_commit_with_an_older_time_is_stale)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "leftover 6 write 60001 time 1600000000\n"
				   "damage csum 6.commit\n");

	ck_assert_ends(f, E2LAZY_END_STALE, 6);
	ck_assert_int_eq(end_error(f), 0);
}
END_TEST

START_TEST(bad_last_async_commit_is_a_crash_not_damage)
{
	struct fixture *f = map_of("journal csum v3 64bit async_commit\n"
				   "txn 5 write 60000\ntxn 6 write 60001\n"
				   "damage csum 6.commit\n");

	ck_assert_ends(f, E2LAZY_END_COMMIT_CSUM, 6);
	ck_assert_int_eq(end_error(f), 0);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_UNCOMMITTED);
}
END_TEST

START_TEST(bad_async_commit_with_later_ones_is_damage)
{
	struct fixture *f = map_of("journal csum v3 64bit async_commit\n" THREE
				   "damage csum 6.commit\n");

	ck_assert_ends(f, E2LAZY_END_COMMIT_CSUM, 6);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_DAMAGE);
}
END_TEST

START_TEST(torn_commit_is_accepted_and_counted)
{
	struct fixture *f = map_of_fs("-b 4096 -J size=4 "
				      "-O 64bit,metadata_csum",
				      THREE "damage torn 6.commit\n");

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->torn, 1);
	ck_assert_int_eq(e2lazy_jmap_stats(f->map)->csum, E2LAZY_TORN);
	ck_assert_mapped(f, 60001, 6);
	ck_assert_mapped(f, 60002, 7);
}
END_TEST

START_TEST(v1_bad_data_voids_its_transaction)
{
	struct fixture *f = map_of("journal csum v1\n" THREE
				   "damage flip 6.data[0] 100\n");

	ck_assert_ends(f, E2LAZY_END_COMMIT_CSUM, 6);
	ck_assert_int_eq(end_error(f), E2LAZY_ET_COMMIT_CSUM);
	ck_assert_mapped(f, 60000, 5);
	ck_assert_not_mapped(f, 60001);
}
END_TEST

START_TEST(v1_sum_leaves_revoke_blocks_out)
{
	struct fixture *f = map_of("journal csum v1\n" THREE
				   "damage flip 6.revoke 500\n");

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
}
END_TEST

START_TEST(v1_commit_may_say_that_it_is_not_checksummed)
{
	struct fixture *f = map_of("journal csum v1\n" THREE
				   "damage flip 6.data[0] 100\n");
	static const char zeros[8];	/* type, size, padding, checksum */
	blk64_t physblk;
	int fd;

	/* 5: 1..3; 6: revoke, descriptor, copy, and its commit at 7 */
	ck_assert_int_eq(e2lazy_physblk(f->journal, 7, &physblk), 0);
	fd = open(f->image, O_WRONLY);
	ck_assert_int_eq(pwrite(fd, zeros, 8, 1024 * physblk + 12), 8);
	close(fd);
	read_map(f, 0, 0);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 3);
}
END_TEST

START_TEST(unknown_block_type_is_damage)
{
	struct fixture *f = map_of(THREE "damage type 6.desc 7\n");

	ck_assert_ends(f, E2LAZY_END_TYPE, 6);
	ck_assert_int_eq(end_error(f), E2LAZY_ET_BLOCK_TYPE);
	ck_assert_uint_eq(e2lazy_jmap_end(f->map)->found_type, 7);
}
END_TEST

START_TEST(huge_revoke_count_is_damage)
{
	struct fixture *f = map_of(THREE
				   "damage count 6.revoke 0xffffffff\n");

	ck_assert_ends(f, E2LAZY_END_REVOKE_COUNT, 6);
	ck_assert_int_eq(end_error(f), E2LAZY_ET_REVOKE_COUNT);
	ck_assert_not_mapped(f, 60001);
}
END_TEST

START_TEST(revoke_count_may_not_reach_into_the_checksum)
{
	/* 1024 bytes, of which the last four are the block's checksum */
	struct fixture *over = map_of(THREE "damage count 6.revoke 1021\n");
	struct fixture *just = map_of(THREE "damage count 6.revoke 1020\n");

	ck_assert_ends(over, E2LAZY_END_REVOKE_COUNT, 6);
	ck_assert_ends(just, E2LAZY_END_NOT_JOURNAL, 8);
}
END_TEST

START_TEST(huge_revoke_count_without_a_commit_is_no_damage)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 revoke 60001 nocommit\n"
				   "damage count 6.revoke 0xffffffff\n");

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 6);
	ck_assert_int_eq(end_error(f), 0);
}
END_TEST

START_TEST(descriptor_longer_than_the_ring_ends_the_walk)
{
	/* some ten blocks before the tail, one that claims 61 copies */
	struct fixture *f = map_of("txn 5 write 60000-60899\n"
				   "txn 6 write 61000-61060\n"
				   "txn 7 write 62000-62030\n"
				   "txn 8 write 62900 nocommit\n"
				   "damage copy 6.desc 8.desc\n"
				   "damage tid 8.desc 8\n");

	ck_assert_ends(f, E2LAZY_END_OVERLONG, 8);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->txns, 3);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)
			  ->states[E2LAZY_UNCOMMITTED], 0);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_UNCOMMITTED);
}
END_TEST

START_TEST(tag_beyond_the_file_system_is_refused)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 write 60001,60002\n"
				   "damage tag 6.desc 0 99999999\n");
	const struct e2lazy_map_stats *stats = e2lazy_jmap_stats(f->map);

	ck_assert_uint_eq(stats->nr_damage, 1);
	ck_assert_int_eq(stats->damage[0].error, E2LAZY_ET_TAG_OUTSIDE);
	ck_assert_uint_eq(stats->damage[0].count, 1);
	ck_assert_uint_eq(stats->damage[0].first.fsblk, 99999999);
	ck_assert_uint_eq(stats->damage[0].first.tid, 6);
	ck_assert_uint_eq(stats->states[E2LAZY_REFUSED], 1);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 2);
	ck_assert_mapped(f, 60002, 6);
}
END_TEST

START_TEST(tag_between_file_system_and_device_end_is_refused)
{
	struct fixture *f = map_of_fs(PLAIN, NULL);

	shell(f, "truncate -s 80M %s");
	write_log(f, "txn 5 write 60000,60001\n"
		     "damage tag 5.desc 1 70000\n");
	read_map(f, 0, 0);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 1);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->states[E2LAZY_REFUSED],
			  1);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 1);
	ck_assert_not_mapped(f, 70000);
}
END_TEST

START_TEST(tag_into_the_journal_is_refused)
{
	struct fixture *f = map_of("txn 5 write 60000,60001\n"
				   "damage tag 5.desc 0 journal\n");
	const struct e2lazy_map_stats *stats = e2lazy_jmap_stats(f->map);

	ck_assert_uint_eq(stats->nr_damage, 1);
	ck_assert_int_eq(stats->damage[0].error, E2LAZY_ET_TAG_IN_JOURNAL);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 1);
}
END_TEST

START_TEST(refused_copy_of_an_uncommitted_transaction_is_no_damage)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 write 60001 nocommit\n"
				   "damage tag 6.desc 0 99999999\n");

	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
}
END_TEST

START_TEST(bad_copy_is_flagged_and_hides_the_older_one)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 write 60000,60001\n"
				   "damage flip 6.data[0] 100\n");
	const struct e2lazy_map_stats *stats;
	struct e2lazy_copy copy;

	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
	read_map(f, E2LAZY_WALK_DATA, 0);
	stats = e2lazy_jmap_stats(f->map);
	ck_assert_uint_eq(stats->nr_damage, 1);
	ck_assert_int_eq(stats->damage[0].error, E2LAZY_ET_DATA_CSUM);
	ck_assert_uint_eq(stats->damage[0].first.fsblk, 60000);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60000, &copy), 0);
	ck_assert_uint_eq(copy.tid, 6);
	ck_assert_uint_eq(copy.flags, E2LAZY_COPY_BAD);
	ck_assert_mapped(f, 60001, 6);
}
END_TEST

TCase *end_tests(void)
{
	const TTest *const tests[] = {
		bad_descriptor_in_a_committed_transaction_is_damage,
		bad_revoke_block_in_a_committed_transaction_is_damage,
		bad_descriptor_with_an_older_commit_time_is_stale,
		bad_descriptor_without_a_commit_is_a_quiet_end,
		bad_first_descriptor_is_damage_whatever_its_time,
		bad_commit_is_damage,
		bad_commit_with_an_older_time_is_stale,
		bad_last_async_commit_is_a_crash_not_damage,
		bad_async_commit_with_later_ones_is_damage,
		torn_commit_is_accepted_and_counted,
		v1_bad_data_voids_its_transaction,
		v1_sum_leaves_revoke_blocks_out,
		v1_commit_may_say_that_it_is_not_checksummed,
		unknown_block_type_is_damage,
		huge_revoke_count_is_damage,
		revoke_count_may_not_reach_into_the_checksum,
		huge_revoke_count_without_a_commit_is_no_damage,
		descriptor_longer_than_the_ring_ends_the_walk,
		tag_beyond_the_file_system_is_refused,
		tag_between_file_system_and_device_end_is_refused,
		tag_into_the_journal_is_refused,
		refused_copy_of_an_uncommitted_transaction_is_no_damage,
		bad_copy_is_flagged_and_hides_the_older_one,
	};
	TCase *tc = tcase_create("end");

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		tcase_add_test(tc, tests[i]);
	return tc;
}
