/* SPDX-License-Identifier: GPL-2.0-only */
/* The queries of a map, and the fate of unreadable blocks. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "map/jmap.h"
#include "sick_io.h"

#define MIXED "txn 5 write 60000-60004\n" \
	      "txn 6 write 60001 revoke 60002\n" \
	      "txn 7 revoke 60003 write 60002\n" \
	      "txn 8 write 60000 nocommit\n"

/* A descriptor of the lap before may name a block that the log has since used. */
START_TEST(no_copy_is_live_where_another_block_has_its_own)
{
	struct fixture *f = new_fixture();
	struct e2lazy_event ev = { .kind = E2LAZY_EV_TAG, .tid = 4,
				   .fsblk = 60001, .logblk = 2 };

	make_image(f, "64M", PLAIN, "txn 5 write 60000\n");
	read_map(f, E2LAZY_JMAP_STATES, 0);
	ck_assert_mapped(f, 60000, 5);
	ck_assert_int_eq(e2lazy_jmap_state(f->map, &ev), E2LAZY_SUPERSEDED);
	ev.fsblk = 60000;
	ck_assert_int_eq(e2lazy_jmap_state(f->map, &ev), E2LAZY_LIVE);
}
END_TEST

START_TEST(every_copy_has_one_fate)
{
	static const struct {
		uint32_t tid;
		blk64_t fsblk;
		enum e2lazy_copy_state state;
	} expect[] = {
		{ 5, 60000, E2LAZY_LIVE },	{ 5, 60001, E2LAZY_SUPERSEDED },
		{ 5, 60002, E2LAZY_REVOKED },	{ 5, 60003, E2LAZY_REVOKED },
		{ 5, 60004, E2LAZY_LIVE },	{ 6, 60001, E2LAZY_LIVE },
		{ 7, 60002, E2LAZY_LIVE },	{ 8, 60000, E2LAZY_UNCOMMITTED },
	};
	struct fixture *f = map_of(MIXED);
	uint64_t states[E2LAZY_NR_STATES] = { 0 };
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	size_t i = 0, near = 0;

	ck_assert_int_eq(e2lazy_walk_open(f->journal, NULL, 0, 0, &walk), 0);
	for (;;) {
		enum e2lazy_copy_state state;

		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_END)
			break;
		if (ev.kind != E2LAZY_EV_TAG)
			continue;
		state = e2lazy_jmap_state(f->map, &ev);
		ck_assert_uint_lt(i, 8);
		ck_assert_uint_eq(ev.tid, expect[i].tid);
		ck_assert_uint_eq(ev.fsblk, expect[i].fsblk);
		ck_assert_int_eq(state, expect[i].state);
		ck_assert_int_eq(jmap_state_near(f->map, &ev, &near), state);
		states[state]++;
		i++;
	}
	e2lazy_walk_close(walk);
	ck_assert_uint_eq(i, 8);
	ck_assert_mem_eq(states, e2lazy_jmap_stats(f->map)->states,
			 sizeof(states));
}
END_TEST

START_TEST(transactions_are_told_whole)
{
	struct fixture *f = map_of(MIXED);
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;

	ck_assert_int_eq(e2lazy_walk_open(f->journal, NULL, 0, 0, &walk), 0);
	do
		e2lazy_walk_next(walk, &ev);
	while (ev.kind != E2LAZY_EV_COMMIT || ev.tid != 6);
	/* 5: descriptor, 5 copies, commit at 1..7; 6: 8 desc, copy, revoke */
	ck_assert_uint_eq(ev.txn->start, 8);
	ck_assert_uint_eq(ev.txn->end, 11);
	ck_assert_uint_eq(ev.txn->copies, 1);
	ck_assert_uint_eq(ev.txn->descriptors, 1);
	ck_assert_uint_eq(ev.txn->revoke_blocks, 1);
	ck_assert_uint_eq(ev.txn->revokes, 1);
	ck_assert_uint_eq(ev.txn->sec, 1700000001);
	ck_assert_int_eq(ev.txn->csum, E2LAZY_GOOD);
	do
		e2lazy_walk_next(walk, &ev);
	while (ev.kind != E2LAZY_EV_END);
	ck_assert_uint_eq(ev.end->open.tid, 8);
	ck_assert_uint_eq(ev.end->open.copies, 1);
	ck_assert(!ev.end->open.committed);
	ck_assert_uint_eq(ev.end->head, 16);
	ck_assert_uint_eq(ev.end->stop, 18);
	/* the end is told again, not read past */
	e2lazy_walk_next(walk, &ev);
	ck_assert_int_eq(ev.kind, E2LAZY_EV_END);
	e2lazy_walk_close(walk);
}
END_TEST

START_TEST(mappings_ascend_and_can_be_searched)
{
	struct fixture *f = map_of("txn 5 write 60010,60000,60020\n");
	struct e2lazy_copy copy;

	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 3);
	for (size_t i = 0; i < 3; i++) {
		e2lazy_jmap_get(f->map, i, &copy);
		ck_assert_uint_eq(copy.fsblk, 60000 + 10 * i);
	}
	ck_assert_uint_eq(e2lazy_jmap_lower_bound(f->map, 0), 0);
	ck_assert_uint_eq(e2lazy_jmap_lower_bound(f->map, 60010), 1);
	ck_assert_uint_eq(e2lazy_jmap_lower_bound(f->map, 60011), 2);
	ck_assert_uint_eq(e2lazy_jmap_lower_bound(f->map, 60021), 3);
}
END_TEST

START_TEST(a_wrong_guess_finds_the_same)
{
	struct fixture *f = map_of("txn 5 write 60010,60000,60020\n");
	const struct e2lazy_jmap *map = f->map;

	for (blk64_t fsblk = 59999; fsblk < 60022; fsblk++) {
		size_t is = e2lazy_jmap_lower_bound(map, fsblk);

		for (size_t near = 0; near < 6; near++)
			ck_assert_uint_eq(jmap_lower_bound_near(map, fsblk,
								near), is);
		ck_assert_uint_eq(jmap_lower_bound_near(map, fsblk, SIZE_MAX),
				  is);
	}
}
END_TEST

START_TEST(block_is_read_from_its_newest_place)
{
	struct fixture *f = map_of("txn 5 write 60000\n");
	char buf[1024];

	ck_assert_int_eq(e2lazy_read_block(f->journal, f->map, 60000, buf), 0);
	ck_assert_int_eq(strncmp(buf, "fsblk 60000 tid 5\n", 18), 0);
	ck_assert_int_eq(e2lazy_read_block(f->journal, f->map, 60001, buf), 0);
	ck_assert_int_eq(buf[0], 0);
	ck_assert_int_eq(e2lazy_read_block(f->journal, NULL, 60000, buf), 0);
	ck_assert_int_eq(buf[0], 0);
}
END_TEST

static errcode_t stop_at_six(void *priv, const struct e2lazy_txn *txn)
{
	unsigned *seen = priv;

	++*seen;
	return txn->tid == 6 ? E2LAZY_ET_CANCELLED : 0;
}

/* An image larger than its file system: the end is known with the map only. */
START_TEST(fates_beyond_the_file_system_add_up)
{
	struct fixture *f = map_of_fs(PLAIN, NULL);
	uint64_t states[E2LAZY_NR_STATES] = { 0 };
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;

	shell(f, "truncate -s 128M %s");
	write_log(f, "txn 5 write 60000,60001,60002\n"
		     "txn 6 revoke 60000 write 60003,60004\n"
		     "damage tag 5.desc 0 70000\n"
		     "damage tag 6.desc 0 70001\n");
	read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_walk_open(f->journal, NULL, 0, 0, &walk), 0);
	for (;;) {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_END)
			break;
		if (ev.kind == E2LAZY_EV_TAG)
			states[e2lazy_jmap_state(f->map, &ev)]++;
	}
	e2lazy_walk_close(walk);
	ck_assert_uint_eq(states[E2LAZY_REFUSED], 2);
	ck_assert_mem_eq(states, e2lazy_jmap_stats(f->map)->states,
			 sizeof(states));
}
END_TEST

START_TEST(a_copy_can_be_verified_alone)
{
	static const enum e2lazy_csum_state expect[] = {
		E2LAZY_GOOD, E2LAZY_BAD, E2LAZY_GOOD,
	};
	struct fixture *f = map_of("txn 5 write 60000-60002\n"
				   "damage flip 5.data[1] 77\n");
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;

	ck_assert_int_eq(e2lazy_walk_open(f->journal, NULL, 0, 0, &walk), 0);
	for (unsigned i = 0; i < 3; i++) {
		e2lazy_walk_next(walk, &ev);
		ck_assert_int_eq(ev.kind, E2LAZY_EV_TAG);
		ck_assert_uint_eq(ev.flags, 0);
		ck_assert_int_eq(e2lazy_walk_verify(walk), expect[i]);
	}
	e2lazy_walk_close(walk);

	f = map_of("journal csum none\ntxn 5 write 60000\n");
	ck_assert_int_eq(e2lazy_walk_open(f->journal, NULL, 0, 0, &walk), 0);
	e2lazy_walk_next(walk, &ev);
	ck_assert_int_eq(e2lazy_walk_verify(walk), E2LAZY_UNCHECKED);
	e2lazy_walk_close(walk);
}
END_TEST

START_TEST(a_caller_may_stop_the_build)
{
	struct fixture *f = map_of(MIXED);
	unsigned seen = 0;
	struct e2lazy_jmap_opts opts = { .commit = stop_at_six,
					 .priv = &seen };
	struct e2lazy_jmap *map = NULL;

	ck_assert_int_eq(e2lazy_jmap_build(f->journal, &opts, &map),
			 E2LAZY_ET_CANCELLED);
	ck_assert_ptr_null(map);
	ck_assert_uint_eq(seen, 2);
}
END_TEST

/* -------------------------------------------------- unreadable blocks */

/* The map of a log of which block @logblk cannot be read. */
static struct fixture *sick_map(const char *spec, uint32_t logblk,
				unsigned flags)
{
	struct e2lazy_open_opts opts = { .manager = sick_io_manager };
	struct fixture *f = map_of(spec);
	blk64_t block;

	ck_assert_int_eq(e2lazy_physblk(f->journal, logblk, &block), 0);
	sick_begin(block);
	ck_assert_int_eq(try_open(f, &opts), 0);
	read_map(f, flags, 0);
	return f;
}

START_TEST(unreadable_control_block_ends_the_walk_there)
{
	/* 1..7 is transaction 5; 8 the descriptor of 6 */
	struct fixture *f = sick_map(MIXED, 8, 0);

	ck_assert_ends(f, E2LAZY_END_UNREADABLE, 6);
	ck_assert_uint_eq(e2lazy_jmap_end(f->map)->stop, 8);
	ck_assert_int_eq(e2lazy_jmap_end(f->map)->error, EXT2_ET_SHORT_READ);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 5);
	ck_assert_int_eq(beyond(f), E2LAZY_BEYOND_DAMAGE);
}
END_TEST

START_TEST(unreadable_copy_is_bad_and_only_that_one)
{
	struct fixture *f = sick_map(MIXED, 4, E2LAZY_WALK_DATA);
	const struct e2lazy_map_stats *stats = e2lazy_jmap_stats(f->map);

	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	ck_assert_uint_eq(stats->nr_damage, 1);
	ck_assert_int_eq(stats->damage[0].error, EIO);
	ck_assert_uint_eq(stats->damage[0].count, 1);
	ck_assert_uint_eq(stats->damage[0].first.logblk, 4);
}
END_TEST

START_TEST(unreadable_v1_copy_ends_the_walk)
{
	struct fixture *f = sick_map("journal csum v1\n" MIXED, 9, 0);

	ck_assert_ends(f, E2LAZY_END_UNREADABLE, 6);
	ck_assert_uint_eq(e2lazy_jmap_end(f->map)->stop, 9);
}
END_TEST

static void ck_same_maps(const struct e2lazy_jmap *a,
			 const struct e2lazy_jmap *b)
{
	struct e2lazy_copy x, y;

	ck_assert_mem_eq(e2lazy_jmap_stats(a), e2lazy_jmap_stats(b),
			 sizeof(*e2lazy_jmap_stats(a)));
	ck_assert_int_eq(e2lazy_jmap_end(a)->reason,
			 e2lazy_jmap_end(b)->reason);
	ck_assert_mem_eq(&e2lazy_jmap_end(a)->open, &e2lazy_jmap_end(b)->open,
			 sizeof(e2lazy_jmap_end(a)->open));
	ck_assert_uint_eq(e2lazy_jmap_count(a), e2lazy_jmap_count(b));
	for (size_t i = 0; i < e2lazy_jmap_count(a); i++) {
		e2lazy_jmap_get(a, i, &x);
		e2lazy_jmap_get(b, i, &y);
		ck_assert_uint_eq(x.fsblk, y.fsblk);
		ck_assert_uint_eq(x.logblk, y.logblk);
		ck_assert_uint_eq(x.physblk, y.physblk);
		ck_assert_uint_eq(x.tid, y.tid);
		ck_assert_uint_eq(x.flags, y.flags);
		ck_assert_uint_eq(x.copies, y.copies);
	}
}

/* A map with checksums takes one tag at a time, any other many at once. */
START_TEST(tags_taken_at_once_make_the_same_map)
{
	static const char *const kinds[] = {
		"csum none", "csum v1", "csum v2", "csum v3",
	};
	static const char *const damages[] = {
		"", "damage tag 5.desc 0 900000\n",
		"damage tag 5.desc 7 900000\ndamage tag 5.desc 8 journal\n",
		"damage tag 5.desc 19 900000\ndamage tag 6.desc 0 900001\n",
		"damage tag 8.desc 2 900000\n",
	};
	const char *damage = damages[_i / 4];
	struct e2lazy_jmap_opts opts = { .flags = E2LAZY_JMAP_CSUMS };
	struct e2lazy_jmap *singly;
	struct fixture *f;
	char spec[400];

	snprintf(spec, sizeof(spec), "journal %s\nstart end-9\n"
		 "txn 5 write 60000-60018 escape 60050\n"
		 "txn 6 write 60003 60001 revoke 60002\n"
		 "txn 7 revoke 60003 write 60002 60500-60900\n"
		 "txn 8 write 60000-60003 nocommit\n%s",
		 kinds[_i % 4], damage);
	f = map_of(spec);
	ck_assert_int_eq(e2lazy_jmap_build(f->journal, &opts, &singly), 0);
	ck_assert_uint_gt(e2lazy_jmap_stats(f->map)->txns, 0);
	ck_same_maps(f->map, singly);
	e2lazy_jmap_free(singly);
}
END_TEST

/* Where no checksum shows the damage, a caller must ask for it. */
START_TEST(the_log_is_joined_with_what_follows_any_damage)
{
	static const struct {
		const char *damage;
		unsigned flags;
		bool joined;
	} cases[] = {
		{ "damage zero 6.desc\n", 0, false },
		{ "damage zero 6.desc\n", E2LAZY_JMAP_BEHIND, false },
		{ "damage zero 6.desc\n", E2LAZY_JMAP_JOIN, true },
		{ "damage csum 6.commit\n", E2LAZY_JMAP_BEHIND, false },
		{ "damage csum 6.commit\n", E2LAZY_JMAP_JOIN, true },
		{ "damage csum 6.desc\n", E2LAZY_JMAP_JOIN, true },
		{ "damage zero 5.commit\n", E2LAZY_JMAP_JOIN, true },
		{ "damage type 6.desc 9\n", E2LAZY_JMAP_JOIN, true },
	};
	struct fixture *f = new_fixture();
	char spec[256];

	snprintf(spec, sizeof(spec), "txn 5 write 60000 60001\n"
				     "txn 6 write 60002\n"
				     "txn 7 write 60001 60003\n%s",
		 cases[_i].damage);
	make_image(f, "64M", PLAIN, spec);
	read_map(f, cases[_i].flags, 0);
	if (!cases[_i].joined) {
		ck_assert_not_mapped(f, 60003);
		return;
	}
	ck_assert_mapped(f, 60001, 7);
	ck_assert_mapped(f, 60003, 7);
}
END_TEST

/* A transaction that was not committed, an empty log, one without checksums. */
START_TEST(what_is_no_damage_joins_nothing)
{
	static const struct {
		const char *mke2fs, *spec;
	} cases[] = {
		{ PLAIN, "txn 5 write 60000\ntxn 6 write 60003 nocommit\n" },
		{ PLAIN, "txn 5 write 60000\nleftover 6 write 60003\n"
			 "damage csum 6.desc\n" },
		{ PLAIN, "sequence 7\nleftover 5 write 60003\n" },
		{ "-b 1024 -J size=1 -O ^metadata_csum",
		  "txn 5 write 60000\ntxn 6 write 60002\ntxn 7 write 60003\n"
		  "damage zero 6.desc\n" },
	};
	struct fixture *f = new_fixture();

	make_image(f, "64M", cases[_i].mke2fs, cases[_i].spec);
	read_map(f, E2LAZY_JMAP_JOIN, 0);
	ck_assert_not_mapped(f, 60003);
}
END_TEST

TCase *jmap_tests(void)
{
	TCase *tc = tcase_create("jmap");

	tcase_add_test(tc, every_copy_has_one_fate);
	tcase_add_test(tc, transactions_are_told_whole);
	tcase_add_test(tc, mappings_ascend_and_can_be_searched);
	tcase_add_test(tc, a_wrong_guess_finds_the_same);
	tcase_add_test(tc, block_is_read_from_its_newest_place);
	tcase_add_test(tc, fates_beyond_the_file_system_add_up);
	tcase_add_test(tc, a_copy_can_be_verified_alone);
	tcase_add_test(tc, a_caller_may_stop_the_build);
	tcase_add_test(tc, unreadable_control_block_ends_the_walk_there);
	tcase_add_test(tc, unreadable_copy_is_bad_and_only_that_one);
	tcase_add_test(tc, no_copy_is_live_where_another_block_has_its_own);
	tcase_add_test(tc, unreadable_v1_copy_ends_the_walk);
	tcase_add_loop_test(tc, the_log_is_joined_with_what_follows_any_damage,
			    0, 8);
	tcase_add_loop_test(tc, what_is_no_damage_joins_nothing, 0, 4);
	tcase_add_loop_test(tc, tags_taken_at_once_make_the_same_map, 0, 20);
	return tc;
}
