/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The live copies of old transactions are logged again: the log says the same
 * as before, at each moment.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "home.h"
#include "log/log.h"

/* -------------------------------------------------------------- the log --- */

static errcode_t try_relog(struct home *h, const struct e2lazy_tail *tail)
{
	errcode_t err;

	h->opts.tail = tail;
	err = e2lazy_relog(h->view, h->verdict, &h->opts, &h->done,
			   &h->f->where);
	h->opts.tail = NULL;
	return err;
}

static struct e2lazy_relog plan(const struct home *h,
				const struct e2lazy_tail *tail)
{
	const struct e2lazy_subject subject = {
		h->f->journal, h->f->map, h->layout, h->view,
	};
	const struct e2lazy_plan_opts opts = { .tail = tail };
	struct e2lazy_relog relog;

	ck_assert_int_eq(e2lazy_relog_plan(&subject, &opts, &relog), 0);
	return relog;
}

/* Each block that was live is, with the same bytes, and no other. */
static void check_log(struct home *h)
{
	char *block = malloc(h->size);
	struct e2lazy_copy copy;

	ck_assert_uint_eq(e2lazy_jmap_count(h->f->map), h->live);
	for (size_t i = 0; i < h->live; i++) {
		e2lazy_jmap_get(h->f->map, i, &copy);
		if (copy.fsblk != h->fsblks[i] ||
		    e2lazy_read_copy(h->f->journal, copy.logblk, copy.flags,
				     block) ||
		    memcmp(block, h->contents[i], h->size))
			ck_abort_msg("block %llu differs",
				     (unsigned long long)copy.fsblk);
	}
	free(block);
}

static void check_sound(struct home *h)
{
	struct e2lazy_map_stats stats;

	drop(h->f);
	ck_assert_int_eq(try_open(h->f, &h->open), 0);
	read_map(h->f, E2LAZY_WALK_DATA, 0);
	stats = *e2lazy_jmap_stats(h->f->map);
	ck_assert_uint_eq(stats.nr_damage, 0);
	ck_assert_int_ne(stats.csum, E2LAZY_BAD);
	check_log(h);
	home_look(h);
	ck_assert(e2lazy_verdict_is_sound(h->verdict));
}

static const struct {
	const char	*mke2fs, *head;
} formats[] = {
	{ PLAIN, "" },
	{ PLAIN, "needs_recovery off\nstart end-15\n" },
	{ "-b 1024 -J size=1 -O ^64bit,^metadata_csum", "start end-27\n" },
	{ "-b 4096 -J size=4 -O ^metadata_csum", "journal csum v1\n" },
	{ "-b 4096 -J size=4 -O ^metadata_csum", "journal csum v2 64bit\n"
						 "start end-30\n" },
};
#define NR_FORMATS (sizeof(formats) / sizeof(formats[0]))

static void begin(struct home *h, unsigned format)
{
	char spec[1024];

	snprintf(spec, sizeof(spec), "%s" FIVE, formats[format].head);
	home_begin(h, map_of_fs(formats[format].mke2fs, spec));
}

START_TEST(the_log_becomes_its_live_copies_alone)
{
	struct e2lazy_relog relog;
	struct e2lazy_map_stats stats;
	struct home h;

	begin(&h, _i);
	relog = plan(&h, NULL);
	ck_assert(relog.fits);
	ck_assert_uint_eq(relog.rounds, 1);
	ck_assert_uint_eq(relog.txns, 1);
	ck_assert_uint_eq(relog.copies, h.live);
	ck_assert_uint_eq(relog.control_before, 12);
	ck_assert_uint_eq(relog.control_after, 2);
	ck_assert_int_eq(try_relog(&h, NULL), 0);
	ck_assert(h.done.sealed);
	ck_assert_uint_eq(h.done.blocks_written, relog.blocks);
	check_sound(&h);
	stats = *e2lazy_jmap_stats(h.f->map);
	ck_assert_uint_eq(stats.txns, 1);
	ck_assert_uint_eq(stats.first_tid, 10);
	ck_assert_uint_eq(stats.states[E2LAZY_SUPERSEDED], 0);
	ck_assert(e2lazy_geometry(h.f->journal)->needs_recovery);
	home_end(&h);
}
END_TEST

START_TEST(a_tail_goes_forward_and_the_rest_stays)
{
	struct e2lazy_relog relog;
	struct e2lazy_tail tail;
	struct home h;

	begin(&h, _i);
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 2);
	relog = plan(&h, &tail);
	ck_assert_uint_eq(relog.copies, 5);
	ck_assert_uint_eq(relog.control_after, 7 + 2);
	ck_assert_int_eq(try_relog(&h, &tail), 0);
	check_sound(&h);
	ck_assert_uint_eq(e2lazy_geometry(h.f->journal)->start, tail.start);
	ck_assert_uint_eq(e2lazy_geometry(h.f->journal)->sequence, 7);
	ck_assert_uint_eq(e2lazy_jmap_end(h.f->map)->tid, 11);
	home_end(&h);
}
END_TEST

/* A commit is not older than the one before it, whatever the clock says. */
START_TEST(time_does_not_go_back)
{
	const struct e2lazy_map_stats *stats;
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000\n"
			      "txn 6 write 60001 time 8000000000\n"));
	ck_assert_int_eq(try_relog(&h, NULL), 0);
	check_sound(&h);
	stats = e2lazy_jmap_stats(h.f->map);
	ck_assert_uint_ge(stats->last_sec, 8000000000);
	home_end(&h);
}
END_TEST

START_TEST(a_log_without_a_live_copy_becomes_an_empty_transaction)
{
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000\ntxn 6 revoke 60000\n"));
	ck_assert_int_eq(try_relog(&h, NULL), 0);
	check_sound(&h);
	ck_assert_uint_eq(e2lazy_jmap_stats(h.f->map)->txns, 1);
	home_end(&h);
}
END_TEST

/* 600 live copies, and 252 free blocks in a ring of 1023. */
static const char *const crowded =
	"txn 5 write 60000-60199\ntxn 6 write 60200-60299\n"
	"txn 7 write 60300-60399 revoke 60000-60049\n"
	"txn 8 write 60400-60599\ntxn 9 write 60500-60649\n";

START_TEST(without_room_for_all_it_takes_rounds)
{
	struct e2lazy_relog relog;
	struct home h;

	home_begin(&h, map_of(crowded));
	relog = plan(&h, NULL);
	ck_assert(relog.fits);
	ck_assert_uint_gt(relog.rounds, 1);
	ck_assert_int_eq(try_relog(&h, NULL), 0);
	ck_assert_uint_eq(h.done.passes, relog.rounds);
	ck_assert_uint_eq(h.done.blocks_written, relog.blocks);
	check_sound(&h);
	home_end(&h);
}
END_TEST

START_TEST(each_new_transaction_is_at_most_a_quarter_of_the_ring)
{
	const struct e2lazy_map_stats *stats;
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60399\n"));
	ck_assert_int_eq(try_relog(&h, NULL), 0);
	check_sound(&h);
	stats = e2lazy_jmap_stats(h.f->map);
	ck_assert_uint_eq(stats->txns, 2);
	ck_assert_int_eq(e2lazy_walk_open(h.f->journal, NULL, 0, 0, &walk), 0);
	do {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT)
			ck_assert_uint_le(ring_distance(
				e2lazy_geometry(h.f->journal),
				ev.txn->start, ev.txn->end) + 1, 1023 / 4);
	} while (ev.kind != E2LAZY_EV_END);
	e2lazy_walk_close(walk);
	home_end(&h);
}
END_TEST

/* ------------------------------------------------------------ refusals --- */

START_TEST(without_room_for_one_transaction_it_tells_the_numbers)
{
	struct e2lazy_relog relog;
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60599\n"
			      "txn 6 write 61000-61199\n"));
	relog = plan(&h, NULL);
	ck_assert(!relog.fits);
	ck_assert_uint_eq(relog.room, relog.free_before - 1);
	ck_assert_uint_gt(relog.needed, 600);
	ck_assert_int_eq(try_relog(&h, NULL), E2LAZY_ET_NO_ROOM);
	ck_assert_uint_eq(h.recording.nr, 0);
	home_end(&h);
}
END_TEST

START_TEST(a_log_with_a_question_stays_as_it_is)
{
	struct home h;

	home_begin(&h, map_of(FIVE "damage flip 8.data[1] 9\n"));
	ck_assert_int_eq(try_relog(&h, NULL), E2LAZY_ET_UNSOUND);
	ck_assert_uint_eq(h.recording.nr, 0);
	home_end(&h);
}
END_TEST

/* -------------------------------------------------------------- crashes --- */

static size_t failing;		/* writes and flushes until e2fsck does not
				   fail at the log any more */

static void recover_each_way(void *priv, size_t end, const bool *keep)
{
	struct home *h = priv;

	home_crash(h, end, keep);
	home_look(h);
	check_log(h);
	ck_assert(e2lazy_verdict_is_sound(h->verdict));
	h->opts.manager = NULL;
	ck_assert_int_eq(try_relog(h, NULL), 0);
	check_sound(h);

	if (end < failing)
		return;
	home_crash(h, end, keep);
	drop(h->f);
	home_replay(h);
	home_check(h);
}

static void crash_everywhere(struct home *h, const struct e2lazy_tail *tail)
{
	home_save(h);
	ck_assert_int_eq(try_relog(h, tail), 0);
	ck_assert_uint_ge(h->recording.nr, 6);
	record_crashes(&h->recording, recover_each_way, h);
	home_forget(h);
	home_end(h);
}

START_TEST(a_crash_at_any_write_leaves_the_old_log_or_the_new_one)
{
	struct e2lazy_tail tail;
	struct home h;

	begin(&h, _i / 2);
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 3);
	crash_everywhere(&h, _i % 2 ? &tail : NULL);
}
END_TEST

START_TEST(so_does_one_between_rounds)
{
	struct home h;

	home_begin(&h, map_of(crowded));
	crash_everywhere(&h, NULL);
}
END_TEST

START_TEST(so_does_one_that_clears_fast_commits)
{
	static const char *const records[] = {
		"fc 9 creat 2 12 name tail\n", "fc 10 creat 2 12 name\n",
		"fc 9 tail\ndamage flip @3905 2\n",
	};
	char spec[1024];
	struct home h;

	snprintf(spec, sizeof(spec), "journal fast_commit 256\n" FIVE "%s",
		 records[_i]);
	home_begin(&h, map_of_fs("-b 1024 -J size=4 -O fast_commit", spec));
	failing = 2;
	crash_everywhere(&h, NULL);
	failing = 0;
}
END_TEST

START_TEST(so_does_one_of_an_external_journal)
{
	struct fixture *f = new_fixture();
	struct home h;

	make_external(f, "4096", FIVE);
	home_begin(&h, f);
	crash_everywhere(&h, NULL);
}
END_TEST

/* A power cut may come between the sectors of a superblock. */
static void tear(struct home *h, size_t at)
{
	const struct recorded *op = &h->recording.ops[at];

	for (size_t half = 0; half < op->count; half += op->count / 2) {
		int fd;

		home_restore(h);
		record_replay(&h->recording, at, NULL);
		fd = open(h->f->image, O_WRONLY);
		ck_assert_int_eq(pwrite(fd, (char *)op->bytes + half,
					op->count / 2,
					(off_t)(op->offset + half)),
				 (ssize_t)(op->count / 2));
		close(fd);
		h->opts.manager = NULL;
		home_look(h);
		check_log(h);
		ck_assert_int_eq(try_relog(h, NULL), 0);
		check_sound(h);
	}
}

START_TEST(sectors_of_a_superblock_may_come_apart)
{
	unsigned torn = 0;
	blk64_t journal;
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=1 -O ^64bit,^metadata_csum",
				 "needs_recovery off\n" FIVE));
	ck_assert_int_eq(e2lazy_physblk(h.f->journal, 0, &journal), 0);
	home_save(&h);
	ck_assert_int_eq(try_relog(&h, NULL), 0);
	for (size_t i = 0; i < h.recording.nr; i++) {
		const struct recorded *op = &h.recording.ops[i];

		if (!op->bytes || (op->offset != 1024 &&
				   op->offset != journal * h.size))
			continue;
		tear(&h, i);
		torn++;
	}
	ck_assert_uint_eq(torn, 2);
	home_forget(&h);
	home_end(&h);
}
END_TEST

/* --------------------------------------------------------------- order --- */

/* Flushes stand before each commit block, behind it, and behind the tail. */
START_TEST(a_commit_block_is_written_when_its_copies_are_durable)
{
	const struct recorded *op;
	bool durable = true;
	unsigned commits = 0;
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000-60399\n"));
	ck_assert_int_eq(try_relog(&h, NULL), 0);
	for (size_t i = 0; i < h.recording.nr; i++) {
		op = &h.recording.ops[i];
		if (!op->bytes) {
			durable = true;
			continue;
		}
		if (op->count == h.size && get_be32(op->bytes) == JBD2_MAGIC) {
			ck_assert(durable);
			commits++;
		}
		durable = false;
	}
	ck_assert(durable);
	ck_assert_uint_eq(commits, 3);		/* and the journal superblock */
	home_end(&h);
}
END_TEST

TCase *relog_tests(void)
{
	TCase *tc = tcase_create("relog");

	tcase_add_loop_test(tc, the_log_becomes_its_live_copies_alone, 0,
			    NR_FORMATS);
	tcase_add_loop_test(tc, a_tail_goes_forward_and_the_rest_stays, 0,
			    NR_FORMATS);
	tcase_add_test(tc, time_does_not_go_back);
	tcase_add_test(tc,
		a_log_without_a_live_copy_becomes_an_empty_transaction);
	tcase_add_test(tc, without_room_for_all_it_takes_rounds);
	tcase_add_test(tc,
		each_new_transaction_is_at_most_a_quarter_of_the_ring);
	tcase_add_test(tc,
		without_room_for_one_transaction_it_tells_the_numbers);
	tcase_add_test(tc, a_log_with_a_question_stays_as_it_is);
	tcase_add_test(tc,
		a_commit_block_is_written_when_its_copies_are_durable);
	tcase_add_loop_test(tc,
		a_crash_at_any_write_leaves_the_old_log_or_the_new_one, 0,
		2 * NR_FORMATS);
	tcase_add_test(tc, so_does_one_between_rounds);
	tcase_add_test(tc, sectors_of_a_superblock_may_come_apart);
	tcase_add_loop_test(tc, so_does_one_that_clears_fast_commits, 0, 3);
	tcase_add_test(tc, so_does_one_of_an_external_journal);
	return tc;
}
