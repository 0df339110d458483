/* SPDX-License-Identifier: GPL-2.0-only */
/* The last transactions of a log are dropped, and the state before them is
   written back. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "home.h"
#include "judged.h"
#include "owned.h"

#define THREE "txn 5 write 60000-60004\n" \
	      "txn 6 write 60001 60020\n" \
	      "txn 7 write 60003 60030\n"

#define FAST "journal fast_commit 256\n"

static struct fixture *log_of(const char *spec)
{
	return map_of_fs(strstr(spec, FAST) ?
			 "-b 1024 -J size=4 -O fast_commit,64bit,metadata_csum" :
			 PLAIN, spec);
}

/* All blocks of these logs are free: a note, which is the last. */
static void check_until(const char *spec, uint32_t until, const char *expect)
{
	struct judged j = { .map_flags = E2LAZY_WALK_UNTIL, .until = until };
	char *note;

	judge(&j, log_of(spec), E2LAZY_VERIFY_CONTENT | E2LAZY_VERIFY_UNTIL);
	note = strstr(j.line, "copy-of-free");
	ck_assert_ptr_nonnull(note);
	*note = '\0';
	ck_assert_str_eq(j.line, expect);
	close_subject(&j);
}

static void read_static(const struct home *h, blk64_t fsblk, char *block)
{
	int fd = open(h->f->image, O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, block, h->size, (off_t)(fsblk * h->size)),
			 h->size);
	close(fd);
}

/* -------------------------------------------------------------- writing */

START_TEST(the_state_before_the_last_transaction_is_written_back)
{
	char before[1024], after[1024];
	struct home h;

	home_begin_until(&h, map_of(THREE "damage csum 7.data[0]\n"), 6);
	read_static(&h, 60030, before);
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert_uint_eq(h.done.blocks_written, 6);
	home_check(&h);
	read_static(&h, 60030, after);
	ck_assert_mem_eq(before, after, sizeof(before));
	h.until = 0;
	home_check_empty(&h);
	ck_assert_uint_gt(e2lazy_geometry(h.f->journal)->sequence, 8);
	home_end(&h);
}
END_TEST

/* Transaction 6 has freed 60001, and a file has it since. */
#define GIVEN_TO_A_FILE "txn 5 write 60000-60004\n" \
			"txn 6 revoke 60001 write 60003 60030\n" \
			"txn 7 write 60040\n"

struct before {
	struct home	*h;
	char		file[1024], later[1024];
	bool		replays;	/* e2fsck */
	bool		all, then;	/* have been seen */
};

/* All transactions are in force, or none after 5. */
static void check_replayed(struct before *b)
{
	char now[1024];

	home_replay(b->h);
	read_static(b->h, 60030, now);
	if (!memcmp(now, b->later, sizeof(now))) {
		home_check(b->h);
		b->then = true;
	} else {
		read_static(b->h, 60001, now);
		ck_assert_mem_eq(now, b->file, sizeof(now));
		b->all = true;
	}
}

/* A log that is empty already has no such transaction. */
static void check_finished(struct before *b, uint32_t until)
{
	struct home *h = b->h;
	char now[1024];

	ck_assert_int_eq(try_open(h->f, &h->open), 0);
	h->until = e2lazy_geometry(h->f->journal)->start ? until : 0;
	home_look(h);
	h->opts.manager = NULL;
	ck_assert_int_eq(home_write(h), 0);
	read_static(h, 60030, now);
	ck_assert_mem_eq(now, b->later, sizeof(now));
	home_check(h);
	home_check_empty(h);
}

static bool has_all(struct home *h)
{
	ck_assert_int_eq(try_open(h->f, &h->open), 0);
	read_map(h->f, E2LAZY_JMAP_CSUMS, 0);
	return e2lazy_jmap_end(h->f->map)->tid > 6;
}

static void recover_each_way(void *priv, size_t end, const bool *keep)
{
	struct before *b = priv;

	if (b->replays) {
		home_crash(b->h, end, keep);
		check_replayed(b);
	}
	home_crash(b->h, end, keep);
	check_finished(b, 5);
	/* Without --until-tid the log ends there, too. */
	home_crash(b->h, end, keep);
	if (!has_all(b->h) || !e2lazy_geometry(b->h->f->journal)->start)
		check_finished(b, 0);
}

/* e2fsck drops the log at the last one's, which do not count. */
static const struct {
	const char	*spec;
	bool		replays;
} crashing[] = {
	{ GIVEN_TO_A_FILE, true },
	{ FAST GIVEN_TO_A_FILE "fc 8 tail\n", true },
	{ FAST GIVEN_TO_A_FILE
	  "fc 6 unlink 2 12 gone tail\n", false },
};

START_TEST(each_crash_leaves_all_transactions_or_none_of_the_dropped)
{
	struct home h;
	struct before b = { .h = &h, .replays = crashing[_i].replays };

	home_begin_until(&h, log_of(crashing[_i].spec), 5);
	home_save(&h);
	read_static(&h, 60001, b.file);
	read_static(&h, 60030, b.later);
	ck_assert_int_eq(home_write(&h), 0);
	record_crashes(&h.recording, recover_each_way, &b);
	ck_assert(b.all == b.replays && b.then == b.replays);
	home_forget(&h);
	home_end(&h);
}
END_TEST

/* What only they have can still be found. */
START_TEST(the_ring_keeps_the_dropped_transactions)
{
	char before[1024], after[1024];
	struct e2lazy_end end;
	struct home h;
	blk64_t at;

	home_begin_until(&h, map_of(GIVEN_TO_A_FILE), 5);
	end = *e2lazy_jmap_end(h.f->map);
	ck_assert_int_eq(e2lazy_physblk(h.f->journal, end.stop, &at), 0);
	read_static(&h, at, before);
	ck_assert_int_eq(home_write(&h), 0);
	read_static(&h, at, after);
	ck_assert_mem_eq(before, after, sizeof(before));
	home_end(&h);
}
END_TEST

START_TEST(no_other_writer_takes_such_a_verdict)
{
	struct e2lazy_tail tail;
	struct home h;

	home_begin_until(&h, map_of(THREE), 6);
	ck_assert(!e2lazy_verdict_is_sound(h.verdict));
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 1);
	h.opts.tail = &tail;
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_UNSOUND);
	h.opts.tail = NULL;
	ck_assert_int_eq(e2lazy_relog(h.view, h.verdict, &h.opts, &h.done,
				      &h.f->where), E2LAZY_ET_UNSOUND);
	home_end(&h);
}
END_TEST

START_TEST(only_a_caller_that_asks_for_it_judges_such_a_map)
{
	struct judged j = { .map_flags = E2LAZY_WALK_UNTIL, .until = 6 };
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT,
	};

	open_subject(&j, map_of(THREE));
	ck_assert_int_eq(e2lazy_verify(&j.subject, &opts, &j.verdict),
			 EXT2_ET_INVALID_ARGUMENT);
	close_subject(&j);
}
END_TEST

/* -------------------------------------------------------------- judging */

static const struct {
	const char	*spec;
	uint32_t	until;
	const char	*expect;
} judgements[] = {
	{ THREE, 6, "dropped-transactions 1 " },
	{ THREE, 5, "dropped-transactions 2 " },
	{ THREE, 7, "" },
	/* in place, and nothing else has the block at 6 */
	{ THREE "damage home 7.data[1] 60030\n", 6,
	  "dropped-in-place 1 dropped-transactions 1 " },
	/* the log has the block at 6 */
	{ THREE "damage home 7.data[0] 60003\n", 6, "dropped-transactions 1 " },
	/* a damaged copy is compared by its checksum */
	{ THREE "damage flip 7.data[1] 9\n", 6, "dropped-transactions 1 " },
	{ THREE "damage home 7.data[1] 60030\ndamage flip 7.data[1] 9\n", 6,
	  "dropped-in-place 1 dropped-transactions 1 " },
	{ "txn 6 write 60000\ntxn 7 escape 60030\n"
	  "damage home 7.data[0] 60030\ndamage flip 7.data[0] 9\n", 6,
	  "dropped-in-place 1 dropped-transactions 1 " },
	/* freed metadata may hold anything */
	{ "txn 6 write 60000\ntxn 7 revoke 60030 60000 write 60001\n", 6,
	  "dropped-in-place 1 dropped-transactions 1 " },
	/* what follows 6 is not all known */
	{ THREE "txn 8 write 60040\ndamage csum 7.desc\n", 6,
	  "dropped-unknown 1 " },
	{ THREE "txn 8 write 60040\ndamage zero 7.desc\n", 6,
	  "dropped-unknown 1 " },
	{ THREE "txn 8 write 60040\ndamage csum 8.commit\n", 6,
	  "dropped-unknown 1 dropped-transactions 1 " },
	/* but its copy in place shows that it was committed */
	{ THREE "txn 8 write 60003 60040 nocommit\n"
	  "damage home 8.data[1] 60040\n", 6,
	  "dropped-in-place 1 dropped-transactions 1 " },
	/* not if the log has the block at 6 */
	{ THREE "txn 8 write 60003 60040 nocommit\n"
	  "damage home 8.data[0] 60003\n", 6, "dropped-transactions 1 " },
	/* nothing shows that a copy is damaged */
	{ "journal csum none\n" THREE, 6,
	  "dropped-not-proven 1 dropped-transactions 1 " },
	{ "journal csum none\n" THREE, 5,
	  "dropped-not-proven 2 dropped-transactions 2 " },
	{ "journal csum none\ntxn 5 write 60000\ntxn 6 write 60000\n"
	  "txn 7 write 60001 nocommit\n", 5, "dropped-transactions 1 " },
	{ "journal csum v1\n" THREE, 6, "dropped-transactions 1 " },
	/* fast commits behind 6 are dropped, and never replayed */
	{ FAST THREE "fc 7 unlink 2 12 gone tail\n", 6,
	  "fast-commits-later 3 dropped-transactions 1 " },
	{ FAST THREE "fc 8 unlink 2 12 gone tail\n", 6,
	  "fast-commits-later 3 dropped-transactions 1 " },
	{ FAST THREE "fc 7 unlink 2 12 gone\n", 6,
	  "fast-commits-later 2 dropped-transactions 1 " },
	{ FAST THREE "fc 6 unlink 2 12 gone tail\n", 6,
	  "dropped-transactions 1 fast-commits-stale 3 " },
	/* a transaction that was never committed is in nobody's state */
	{ THREE "txn 8 write 60040 nocommit\n", 6, "dropped-transactions 1 " },
};

START_TEST(what_cannot_be_proven_refuses)
{
	check_until(judgements[_i].spec, judgements[_i].until,
		    judgements[_i].expect);
}
END_TEST

/* ------------------------------------------------------------ freed data */

static void check_freed(struct owned *o, const char *expect)
{
	struct judged j = { .map_flags = E2LAZY_WALK_UNTIL, .until = 1 };

	write_txns(o);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT |
					 E2LAZY_VERIFY_UNTIL), expect);
	close_subject(&j);
	free_owned(o);
}

static void keep_freed(struct owned *o, const char *command, blk64_t fsblk)
{
	char line[64];

	snprintf(line, sizeof(line), "%s %llu\n", command,
		 (unsigned long long)fsblk);
	alter(o, line);
	keep_txn(o, (blk64_t[]){ bitmap_over(o, fsblk), 0 });
}

#define PLAIN_TREE "-O ^metadata_csum,64bit"

/* It is taken again in the last one: by another file, perhaps. */
START_TEST(blocks_that_a_dropped_transaction_freed_are_named)
{
	struct owned *o = new_owned(PLAIN_TREE, PIECES);
	blk64_t fsblk = block_of(o, "/f", 2);

	keep_txn(o, (blk64_t[]){ bitmap_over(o, fsblk), 0 });
	keep_freed(o, "freeb", fsblk);
	keep_freed(o, "setb", fsblk);
	check_freed(o, "dropped-freed 1 dropped-transactions 2");
}
END_TEST

START_TEST(blocks_that_one_took_are_not)
{
	struct owned *o = new_owned(PLAIN_TREE, PIECES);

	keep_txn(o, (blk64_t[]){ bitmap_over(o, 60000), 0 });
	keep_freed(o, "setb", 60000);
	check_freed(o, "dropped-transactions 1");
}
END_TEST

/* Nobody knows which: the bitmap's own block is not one of them. */
START_TEST(what_a_damaged_bitmap_freed_is_not_known)
{
	struct owned *o = new_owned("-O metadata_csum,64bit", PIECES);
	struct judged j = { .map_flags = E2LAZY_WALK_UNTIL, .until = 1 };
	blk64_t fsblk = block_of(o, "/f", 2), bitmap = bitmap_over(o, fsblk);

	o->sums = true;
	keep_txn(o, (blk64_t[]){ bitmap, 0 });
	keep_freed(o, "freeb", fsblk);
	write_txns(o);
	ck_assert_int_eq(try_open(o->f, NULL), 0);
	read_map(o->f, E2LAZY_JMAP_CSUMS, 0);
	flip_copy(o->f, bitmap, 9);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT |
					 E2LAZY_VERIFY_UNTIL),
			 "dropped-freed-unknown 1 dropped-transactions 1 "
			 "block-bitmap-csum 1");	/* by its descriptor */
	close_subject(&j);
	free_owned(o);
}
END_TEST

/* -------------------------------------------------------- the superblock */

#define SUPER 1		/* of blocks of 1 KiB */

static struct owned *begin_super(struct ext2_super_block *sb)
{
	struct owned *o = new_owned(PLAIN_TREE, PIECES);

	keep_txn(o, (blk64_t[]){ bitmap_over(o, 60000), 0 });
	read_block(o, SUPER, sb);
	return o;
}

static void put_super(struct owned *o, const struct ext2_super_block *sb)
{
	write_block(o, SUPER, sb);
}

static void drop_super(struct owned *o, const struct ext2_super_block *sb)
{
	put_super(o, sb);
	keep_txn(o, (blk64_t[]){ SUPER, 0 });
}

/* Its backup says the same, so the transaction has changed no such field. */
START_TEST(a_dropped_superblock_that_changed_little_is_no_loss)
{
	struct ext2_super_block sb;
	struct owned *o = begin_super(&sb);

	sb.s_wtime++;
	drop_super(o, &sb);
	check_freed(o, "dropped-transactions 1");
}
END_TEST

START_TEST(one_that_is_in_place_already_refuses)
{
	struct ext2_super_block sb;
	struct owned *o = begin_super(&sb);

	switch (_i) {
	case 0:
		sb.s_last_orphan = ext2fs_cpu_to_le32(12);
		break;
	case 1:
		sb.s_reserved_gdt_blocks = ext2fs_cpu_to_le16(7);
		break;
	default:
		sb.s_feature_compat ^= ext2fs_cpu_to_le32(
			EXT2_FEATURE_COMPAT_LAZY_BG);
	}
	drop_super(o, &sb);
	check_freed(o, _i ? "dropped-in-place 1 dropped-transactions 1" :
			    "dropped-in-place 1 dropped-transactions 1 "
			    "orphans 1");
}
END_TEST

START_TEST(one_that_is_not_in_place_does_not)
{
	struct ext2_super_block sb, before;
	struct owned *o = begin_super(&sb);

	before = sb;
	sb.s_reserved_gdt_blocks = ext2fs_cpu_to_le16(7);
	drop_super(o, &sb);
	put_super(o, &before);
	check_freed(o, "dropped-transactions 1");
}
END_TEST

START_TEST(one_with_an_earlier_copy_does_not)
{
	struct ext2_super_block sb;
	struct owned *o = new_owned(PLAIN_TREE, PIECES);

	keep_txn(o, (blk64_t[]){ SUPER, 0 });
	read_block(o, SUPER, &sb);
	sb.s_reserved_gdt_blocks = ext2fs_cpu_to_le16(7);
	drop_super(o, &sb);
	check_freed(o, "dropped-transactions 1 superblock-newer 1");
}
END_TEST

TCase *dropped_tests(void)
{
	TCase *tc = tcase_create("dropped");

	tcase_add_test(tc,
		the_state_before_the_last_transaction_is_written_back);
	tcase_add_loop_test(tc,
		each_crash_leaves_all_transactions_or_none_of_the_dropped, 0,
		sizeof(crashing) / sizeof(crashing[0]));
	tcase_add_test(tc, the_ring_keeps_the_dropped_transactions);
	tcase_add_test(tc, no_other_writer_takes_such_a_verdict);
	tcase_add_test(tc, only_a_caller_that_asks_for_it_judges_such_a_map);
	tcase_add_loop_test(tc, what_cannot_be_proven_refuses, 0,
			    sizeof(judgements) / sizeof(judgements[0]));
	tcase_add_test(tc, blocks_that_a_dropped_transaction_freed_are_named);
	tcase_add_test(tc, blocks_that_one_took_are_not);
	tcase_add_test(tc, what_a_damaged_bitmap_freed_is_not_known);
	tcase_add_test(tc,
		a_dropped_superblock_that_changed_little_is_no_loss);
	tcase_add_loop_test(tc, one_that_is_in_place_already_refuses, 0, 3);
	tcase_add_test(tc, one_that_is_not_in_place_does_not);
	tcase_add_test(tc, one_with_an_earlier_copy_does_not);
	return tc;
}
