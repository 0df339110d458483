/* SPDX-License-Identifier: GPL-2.0-only */
/* Every lap of the ring: its whole transactions, and their order. */

#include <stdio.h>
#include <stdlib.h>

#include "e2lazy_ring.h"
#include "fixture.h"

static struct e2lazy_ring *scan(struct fixture *f, unsigned flags)
{
	const struct e2lazy_ring_opts opts = { .flags = flags };
	struct e2lazy_ring *ring = NULL;

	if (!f->journal)
		ck_assert_int_eq(try_open(f, NULL), 0);
	ck_assert_int_eq(e2lazy_ring_scan(f->journal, &opts, &ring, NULL), 0);
	return ring;
}

static struct e2lazy_ring *scan_of(struct fixture **f, const char *spec)
{
	*f = map_of(spec);
	return scan(*f, 0);
}

/*
 * The ring's transactions in words: "5 6 | 9": histories with their ids, the
 * log's in brackets.
 */
static const char *words_of(const struct e2lazy_ring *ring)
{
	const struct e2lazy_ring_counts *counts = e2lazy_ring_counts(ring);
	static char text[4096];
	size_t at = 0;

	text[0] = '\0';
	for (uint32_t n = 0; n < counts->histories; n++) {
		struct e2lazy_history h;

		e2lazy_ring_history(ring, n, &h);
		at += snprintf(text + at, sizeof(text) - at, "%s%s",
			       n ? " | " : "", h.is_log ? "[" : "");
		for (uint32_t i = 0; i < h.count; i++) {
			struct e2lazy_ring_txn txn;

			e2lazy_ring_txn(ring, h.first + i, &txn);
			ck_assert_uint_eq(txn.history, n);
			at += snprintf(text + at, sizeof(text) - at, "%s%u",
				       i ? " " : "", txn.txn.tid);
		}
		at += snprintf(text + at, sizeof(text) - at, "%s",
			       h.is_log ? "]" : "");
	}
	return text;
}

#define ck_assert_ring(ring, expected) \
	ck_assert_str_eq(words_of(ring), expected)

static struct e2lazy_history history(const struct e2lazy_ring *ring,
				     uint32_t n)
{
	struct e2lazy_history h;

	ck_assert_uint_lt(n, e2lazy_ring_counts(ring)->histories);
	e2lazy_ring_history(ring, n, &h);
	return h;
}

/* The range of each transaction walks that one, and no other. */
static void check_ranges(struct fixture *f, const struct e2lazy_ring *ring)
{
	for (uint32_t i = 0; i < e2lazy_ring_counts(ring)->txns; i++) {
		struct e2lazy_ring_txn txn;
		struct e2lazy_event ev;
		struct e2lazy_walk *walk;
		unsigned commits = 0;

		e2lazy_ring_txn(ring, i, &txn);
		ck_assert_int_eq(e2lazy_walk_open(f->journal, &txn.range, 0, 0,
						  &walk), 0);
		for (e2lazy_walk_next(walk, &ev); ev.kind != E2LAZY_EV_END;
		     e2lazy_walk_next(walk, &ev)) {
			if (ev.kind != E2LAZY_EV_COMMIT)
				continue;
			commits++;
			ck_assert_uint_eq(ev.txn->tid, txn.txn.tid);
			ck_assert_uint_eq(ev.txn->start, txn.txn.start);
			ck_assert_uint_eq(ev.txn->end, txn.txn.end);
			ck_assert_uint_eq(ev.txn->copies, txn.txn.copies);
			ck_assert_uint_eq(ev.txn->descriptors,
					  txn.txn.descriptors);
			ck_assert_uint_eq(ev.txn->revokes, txn.txn.revokes);
			ck_assert_uint_eq(ev.txn->revoke_blocks,
					  txn.txn.revoke_blocks);
			ck_assert_uint_eq(ev.txn->sec, txn.txn.sec);
		}
		ck_assert_int_eq(ev.end->reason, E2LAZY_END_RANGE);
		e2lazy_walk_close(walk);
		ck_assert_uint_eq(commits, 1);
	}
}

#define THREE "txn 5 write 60000-60002 revoke 60100\n" \
	      "txn 6 write 60001\ntxn 7\n"

START_TEST(the_log_is_one_history)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f, THREE);
	struct e2lazy_history h = history(ring, 0);

	ck_assert_ring(ring, "[5 6 7]");
	check_ranges(f, ring);
	ck_assert_uint_eq(h.first_tid, 5);
	ck_assert_uint_eq(h.last_tid, 7);
	ck_assert_uint_eq(h.last_sec - h.first_sec, 2);
	ck_assert_int_eq(h.begins, E2LAZY_EDGE_FIRST);
	ck_assert_int_eq(h.ends, E2LAZY_EDGE_NEWEST);
	ck_assert(h.reaches_now);
	ck_assert_uint_eq(h.pieces, 1);
	ck_assert_uint_eq(h.range.start, 1);
	ck_assert_uint_eq(h.range.blocks, 10);
	e2lazy_ring_free(ring);
}
END_TEST

/* The log is emptied, and what it held stands in the ring all the same. */
START_TEST(an_emptied_log_is_still_there)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f, "sequence 8\n"
			"leftover@1 5 write 60000\nleftover 6 write 60001\n");

	ck_assert_ends(f, E2LAZY_END_EMPTY, 8);
	ck_assert_ring(ring, "5 6");
	check_ranges(f, ring);
	ck_assert(history(ring, 0).reaches_now);
	ck_assert(!history(ring, 0).is_log);
	e2lazy_ring_free(ring);
	ring = scan_of(&f, "");
	ck_assert_ring(ring, "");
	e2lazy_ring_free(ring);
}
END_TEST

START_TEST(what_was_not_committed_is_none)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f, "txn 5 write 60000\n"
					   "txn 6 write 60001 nocommit\n");

	ck_assert_ring(ring, "[5]");
	ck_assert(history(ring, 0).reaches_now);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->broken, 1);
	e2lazy_ring_free(ring);
}
END_TEST

/* The last descriptors of 20 lead to a commit block: it is not whole. */
START_TEST(one_that_has_lost_its_begin_is_not_whole)
{
	struct fixture *f = map_of("");
	struct e2lazy_ring *ring;

	/* in this order, as the disk was written */
	write_log(f, "sequence 23\n"
		  "leftover@1 20 write 60100-60299 time 1600000000\n"
		  "leftover 21 write 60300 time 1600000001\n"
		  "leftover 22 write 60301 time 1600000002\n");
	write_log(f, "txn 30 write 60000-60079\n");
	ring = scan(f, 0);
	ck_assert_ring(ring, "21 22 | [30]");
	check_ranges(f, ring);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->cut, 1);
	ck_assert_int_eq(history(ring, 0).begins, E2LAZY_EDGE_OVERWRITTEN);
	ck_assert(!history(ring, 0).reaches_now);
	ck_assert_int_eq(history(ring, 1).begins, E2LAZY_EDGE_FIRST);
	e2lazy_ring_free(ring);
}
END_TEST

/* 1 KiB blocks hold 61 tags: 20's second descriptor is right behind the head. */
START_TEST(one_whose_second_descriptor_is_at_the_head_is_not_whole)
{
	struct fixture *f = map_of("");
	struct e2lazy_ring *ring;

	write_log(f, "sequence 23\n"
		  "leftover@1 20 write 60100-60299 time 1600000000\n");
	/* descriptor, 60 copies, commit: 62 blocks, as 20's first 61 tags take */
	write_log(f, "txn 30 write 60000-60059\n");
	ring = scan(f, 0);
	ck_assert_ring(ring, "[30]");
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->cut, 1);
	e2lazy_ring_free(ring);
}
END_TEST

START_TEST(the_order_in_the_ring_does_not_matter)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f,
			"start end-6\ntxn 90 write 60000-60009\n"
			"txn 91 write 60001\n"
			"leftover 80 write 60002 time 1600000000\n");

	/* 90 goes round the end; 80 stands behind the head, and is older, so
	   it may be the rest of a larger one */
	ck_assert_ring(ring, "[90 91]");
	check_ranges(f, ring);
	e2lazy_ring_free(ring);
}
END_TEST

/* Of 90 there is the commit block, of 70 all, but nothing leads to it. */
START_TEST(one_without_a_known_begin_is_not_whole)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f, "sequence 8\n"
			"leftover@1 90 write 60000 time 1700000000\n"
			"leftover@1000 70 write 60000 time 1600000000\n"
			"damage zero @1\n");

	ck_assert_ring(ring, "");
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->cut, 2);
	e2lazy_ring_free(ring);
}
END_TEST

/* An emptied log that wraps: the scan begins in the midst of a transaction. */
START_TEST(one_around_the_end_of_an_emptied_ring_is_whole)
{
	struct fixture *f = map_of("start 900\nbulk 30 tags 2 from 60000 "
				   "tid 40 whole\ntxn 70 write 60000-60070\n"
				   "txn 71 write 60001\n"
				   "damage super start 0\n"
				   "damage super sequence 73\n");
	struct e2lazy_ring *ring = scan(f, 0);
	struct e2lazy_ring_txn txn;
	uint32_t index;

	ck_assert(e2lazy_ring_find(ring, 70, &index));
	e2lazy_ring_txn(ring, index, &txn);
	ck_assert_uint_lt(txn.txn.end, txn.txn.start);
	check_ranges(f, ring);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->cut, 1);
	ck_assert_uint_eq(history(ring, 0).last_tid, 71);
	e2lazy_ring_free(ring);
}
END_TEST

START_TEST(a_mount_leaves_out_one_id)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f, "sequence 12\n"
			"leftover@1 5 write 60000 time 1700000000\n"
			"leftover 6 write 60001 time 1700000001\n"
			"leftover 8 write 60002 time 1700000002\n"
			"leftover 9 write 60003 time 1700000003\n"
			"leftover 11 write 60003 time 1700000004\n");
	struct e2lazy_history h = history(ring, 0);
	struct e2lazy_range *ranges;
	uint32_t nr;

	ck_assert_ring(ring, "5 6 8 9 11");
	ck_assert_uint_eq(h.pieces, 3);
	ck_assert_uint_eq(h.range.blocks, 6);
	ranges = e2lazy_ring_ranges(ring, h.first, h.count, &nr);
	ck_assert_uint_eq(nr, 3);
	ck_assert_uint_eq(ranges[1].start, 7);
	ck_assert_uint_eq(ranges[1].tid, 8);
	ck_assert_uint_eq(ranges[1].blocks, 6);
	ck_assert_uint_eq(ranges[2].tid, 11);
	free(ranges);
	ranges = e2lazy_ring_ranges(ring, h.first + 1, 2, &nr);
	ck_assert_uint_eq(nr, 2);
	ck_assert_uint_eq(ranges[0].tid, 6);
	ck_assert_uint_eq(ranges[0].blocks, 3);
	free(ranges);
	e2lazy_ring_free(ring);
}
END_TEST

/* Two for a clean one, and one for one that replays. */
START_TEST(mounts_leave_out_a_few_ids)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f, "sequence 72\n"
			"leftover@1 5 write 60000 time 1700000000\n"
			"leftover 8 write 60002 time 1700000002\n"
			"leftover 10 write 60002 time 1700000002\n"
			"leftover 11 write 60002 time 1700000001\n");

	/* where 11 follows, a clock was set back */
	ck_assert_ring(ring, "5 8 10 11");
	e2lazy_ring_free(ring);
	/* none of them stands elsewhere */
	ring = scan_of(&f, "sequence 72\n"
			"leftover@1 6 write 60001 time 1700000000\n"
			"leftover 5 write 60000 time 1700000001\n"
			"leftover 8 write 60002 time 1700000002\n");
	ck_assert_ring(ring, "6 | 8");
	e2lazy_ring_free(ring);
}
END_TEST

/* Three are one too many: the log that had one of them is lost. */
START_TEST(many_ids_left_out_are_a_gap)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f, "sequence 112\n"
			"leftover@1 5 write 60000 time 1700000000\n"
			"leftover 9 write 60002 time 1700000002\n");

	ck_assert_ring(ring, "5 | 9");
	ck_assert_int_eq(history(ring, 0).ends, E2LAZY_EDGE_OVERWRITTEN);
	ck_assert_int_eq(history(ring, 1).ends, E2LAZY_EDGE_NEWEST);
	e2lazy_ring_free(ring);
}
END_TEST

/* e2fsck made the journal anew: the ids begin again, and the time goes on. */
START_TEST(ids_that_begin_anew_are_another_history)
{
	struct fixture *f = map_of("");
	struct e2lazy_ring *ring;

	write_log(f, "sequence 99\n"
		  "leftover@1 40 write 60000-60009 time 1690000000\n"
		  "leftover 41 write 60001 time 1690000001\n"
		  "leftover 42 write 60002 time 1690000002\n"
		  "leftover 43 write 60003 time 1690000003\n");
	write_log(f, "txn 2 write 60000-60009 time 1700000000\n"
		  "txn 3 write 60001 time 1700000001\n");
	ring = scan(f, 0);
	/* 42 may have been larger */
	ck_assert_ring(ring, "43 | [2 3]");
	ck_assert(history(ring, 1).is_log);
	ck_assert(history(ring, 1).reaches_now);
	ck_assert(!history(ring, 0).reaches_now);
	e2lazy_ring_free(ring);
}
END_TEST

/* Behind the head stands one with a higher id, but of an earlier count. */
START_TEST(a_higher_id_of_an_earlier_count_does_not_follow)
{
	struct fixture *f = map_of("");
	struct e2lazy_ring *ring;

	write_log(f, "sequence 99\n"
		  "leftover@1 6 write 60000 time 1700000000.1\n"
		  "leftover 7 write 60001 time 1700000000.2\n"
		  "leftover 8 write 60001 time 1700000000.3\n");
	write_log(f, "sequence 99\n"
		  "leftover@1 3 write 60000 time 1700000000.5\n");
	ring = scan(f, 0);
	ck_assert_ring(ring, "8 | 3");
	e2lazy_ring_free(ring);
}
END_TEST

START_TEST(damage_parts_two_histories)
{
	static const char *const damage[] = {
		"damage zero 7.desc\n", "damage zero 7.commit\n",
		"damage csum 7.desc\n", "damage csum 7.commit\n",
		"damage garbage 7.commit\n",
	};
	char spec[512];
	struct fixture *f;
	struct e2lazy_ring *ring;

	snprintf(spec, sizeof(spec), "txn 5 write 60000\ntxn 6 write 60001\n"
		 "txn 7 write 60002\ntxn 8 write 60003\ntxn 9 write 60004\n%s",
		 damage[_i]);
	ring = scan_of(&f, spec);
	ck_assert_ring(ring, "8 9 | [5 6]");
	check_ranges(f, ring);
	ck_assert_int_eq(history(ring, 0).begins, E2LAZY_EDGE_DAMAGE);
	ck_assert_int_eq(history(ring, 1).ends, E2LAZY_EDGE_DAMAGE);
	/* something is behind the log */
	ck_assert(!history(ring, 1).reaches_now);
	e2lazy_ring_free(ring);
}
END_TEST

/* ------------------------------------------------- checksums, and without them */

START_TEST(another_journal_fails_its_checksums)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f, "txn 5 write 60000\n"
			"leftoveruuid 01234567-89ab-cdef-0123-456789abcdef\n"
			"leftover 6 write 60100\nleftover 7 write 60101\n");

	ck_assert_ring(ring, "[5]");
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->bad, 4);
	e2lazy_ring_free(ring);
}
END_TEST

#define EACH_FORMAT "journal csum %s\nsequence 99\n" \
		    "leftover@1 5 write 60000 revoke 60100\n" \
		    "leftover 6 write 60001\n"

START_TEST(each_format_is_read)
{
	static const struct {
		const char *csum;
		enum e2lazy_proof proof;
		enum e2lazy_csum_state state;
	} formats[] = {
		{ "none", E2LAZY_PLAUSIBLE, E2LAZY_UNCHECKED },
		{ "v1", E2LAZY_PLAUSIBLE, E2LAZY_UNCHECKED },
		{ "v2", E2LAZY_BY_CHECKSUM, E2LAZY_GOOD },
		{ "v3", E2LAZY_BY_CHECKSUM, E2LAZY_GOOD },
	};
	char spec[256];
	struct fixture *f;
	struct e2lazy_ring *ring;
	struct e2lazy_ring_txn txn;

	snprintf(spec, sizeof(spec), EACH_FORMAT, formats[_i].csum);
	ring = scan_of(&f, spec);
	ck_assert_ring(ring, "5 6");
	e2lazy_ring_txn(ring, 0, &txn);
	ck_assert_int_eq(txn.proof, formats[_i].proof);
	ck_assert_int_eq(txn.txn.csum, formats[_i].state);
	ck_assert_uint_eq(txn.txn.revokes, 1);
	check_ranges(f, ring);
	e2lazy_ring_free(ring);
}
END_TEST

/* Version 1 sums a transaction up with its copies: it takes reading them. */
START_TEST(copies_are_checked_when_asked)
{
	struct fixture *f = map_of("journal csum v1\nsequence 99\n"
				   "leftover@1 5 write 60000\n"
				   "leftover 6 write 60001\n"
				   "damage garbage 6.data[0]\n");
	struct e2lazy_ring *ring = scan(f, 0);
	struct e2lazy_ring_txn txn;

	ck_assert_ring(ring, "5 6");
	e2lazy_ring_free(ring);
	ring = scan(f, E2LAZY_RING_DATA);
	ck_assert_ring(ring, "5");
	e2lazy_ring_txn(ring, 0, &txn);
	ck_assert_int_eq(txn.proof, E2LAZY_BY_CHECKSUM);
	ck_assert_int_eq(txn.txn.csum, E2LAZY_GOOD);
	e2lazy_ring_free(ring);

	f = map_of("sequence 99\nleftover@1 5 write 60000\n"
		   "leftover 6 write 60001\ndamage garbage 6.data[0]\n");
	ring = scan(f, E2LAZY_RING_DATA);
	ck_assert_ring(ring, "5 6");
	e2lazy_ring_txn(ring, 0, &txn);
	ck_assert_int_eq(txn.txn.csum, E2LAZY_GOOD);
	e2lazy_ring_txn(ring, 1, &txn);
	ck_assert_int_eq(txn.txn.csum, E2LAZY_BAD);
	e2lazy_ring_free(ring);
}
END_TEST

/* Without checksums the time tells, and tags that cannot be. */
START_TEST(without_checksums_other_journals_are_told_by_other_means)
{
	struct fixture *f;
	/* made in 2022: see MADE in fixture.c */
	struct e2lazy_ring *ring = scan_of(&f, "journal csum none\n"
			"txn 9 write 60000 time 1700000000\n"
			"leftover@100 5 write 60001 time 1500000000\n"
			"leftover@1 9 write 60000 time 1700000000\n");

	ck_assert_ring(ring, "[9]");
	e2lazy_ring_free(ring);
	ring = scan_of(&f, "journal csum none\nsequence 99\n"
		       "leftover@1 5 write 60001 time 1500000000\n");
	ck_assert_ring(ring, "");
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->foreign, 1);
	e2lazy_ring_free(ring);
	ring = scan_of(&f, "journal csum none\nsequence 99\n"
		       "leftover@1 5 write 600000\n");
	ck_assert_ring(ring, "");
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->bad, 1);
	e2lazy_ring_free(ring);
}
END_TEST

/* A ring of nothing but descriptors, each of which leads to another one. */
START_TEST(no_block_is_followed_twice)
{
	struct fixture *f = map_of("sequence 9\n");
	const struct e2lazy_geometry *g = e2lazy_geometry(f->journal);
	uint32_t blocks = g->end - g->first;
	char *spec = NULL;
	size_t size;
	FILE *to = open_memstream(&spec, &size);
	struct e2lazy_ring *ring;

	fputs("sequence 9\n", to);
	for (uint32_t i = 0; i + 4 < blocks; i++)
		fprintf(to, "leftover@%u 5 write 60000 nocommit\n", i + 1);
	fclose(to);
	write_log(f, spec);
	free(spec);
	ring = scan(f, 0);
	ck_assert_uint_eq(e2lazy_ring_counts(ring)->txns, 0);
	ck_assert_uint_le(e2lazy_ring_counts(ring)->read, 2 * blocks);
	e2lazy_ring_free(ring);
}
END_TEST

START_TEST(a_scan_reads_control_blocks_alone)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f, "start 1\n"
			"bulk 16 tags 61 from 60000 tid 5\n");
	const struct e2lazy_ring_counts *counts = e2lazy_ring_counts(ring);

	/* two control blocks each; 16 * 63 of 1023 blocks are theirs */
	ck_assert_uint_eq(counts->txns, 16);
	ck_assert_uint_le(counts->read, 16 * 2 + (1023 - 16 * 63));
	e2lazy_ring_free(ring);
}
END_TEST

static errcode_t stop_it(void *priv)
{
	(void)priv;
	return E2LAZY_ET_CANCELLED;
}

START_TEST(a_scan_can_be_stopped)
{
	struct fixture *f = map_of(THREE);
	const struct e2lazy_watch watch = { .stop = stop_it };
	const struct e2lazy_ring_opts opts = { .watch = &watch };
	struct e2lazy_ring *ring = NULL;

	ck_assert_int_eq(e2lazy_ring_scan(f->journal, &opts, &ring, NULL),
			 E2LAZY_ET_CANCELLED);
	ck_assert_ptr_null(ring);
}
END_TEST

START_TEST(a_transaction_is_found_by_its_id)
{
	struct fixture *f;
	struct e2lazy_ring *ring = scan_of(&f, "sequence 12\n"
			"leftover@1 5 write 60000 time 1700000000\n"
			"leftover 7 write 60001 time 1700000001\n"
			"leftover 8 write 60002 time 1700000002\n");
	uint32_t index;

	ck_assert(e2lazy_ring_find(ring, 5, &index));
	ck_assert_uint_eq(index, 0);
	ck_assert(e2lazy_ring_find(ring, 8, &index));
	ck_assert_uint_eq(index, 2);
	for (uint32_t none = 3; none < 10; none += 3)
		ck_assert(!e2lazy_ring_find(ring, none, &index));
	e2lazy_ring_free(ring);
}
END_TEST

TCase *laps_tests(void)
{
	TCase *tc = tcase_create("laps");

	tcase_add_test(tc, the_log_is_one_history);
	tcase_add_test(tc, an_emptied_log_is_still_there);
	tcase_add_test(tc, what_was_not_committed_is_none);
	tcase_add_test(tc, one_that_has_lost_its_begin_is_not_whole);
	tcase_add_test(tc,
		       one_whose_second_descriptor_is_at_the_head_is_not_whole);
	tcase_add_test(tc, the_order_in_the_ring_does_not_matter);
	tcase_add_test(tc, one_without_a_known_begin_is_not_whole);
	tcase_add_test(tc, one_around_the_end_of_an_emptied_ring_is_whole);
	tcase_add_test(tc, a_mount_leaves_out_one_id);
	tcase_add_test(tc, mounts_leave_out_a_few_ids);
	tcase_add_test(tc, many_ids_left_out_are_a_gap);
	tcase_add_test(tc, ids_that_begin_anew_are_another_history);
	tcase_add_test(tc, a_higher_id_of_an_earlier_count_does_not_follow);
	tcase_add_loop_test(tc, damage_parts_two_histories, 0, 5);
	tcase_add_test(tc, another_journal_fails_its_checksums);
	tcase_add_loop_test(tc, each_format_is_read, 0, 4);
	tcase_add_test(tc, copies_are_checked_when_asked);
	tcase_add_test(tc,
		       without_checksums_other_journals_are_told_by_other_means);
	tcase_add_test(tc, no_block_is_followed_twice);
	tcase_add_test(tc, a_scan_reads_control_blocks_alone);
	tcase_add_test(tc, a_scan_can_be_stopped);
	tcase_add_test(tc, a_transaction_is_found_by_its_id);
	return tc;
}
