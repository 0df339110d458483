/* SPDX-License-Identifier: GPL-2.0-only */
/* Deleted files where the ring has lost a transaction, or has later ones. */

#include <stdio.h>
#include <string.h>

#include "deleted.h"

#define FIRST	50		/* transaction of the ring */
#define LOST	9
#define LEFT_OUT 1		/* by a mount */
#define NAME	"user.far"

static blk64_t attributes_of(struct owned *o)
{
	struct ext2_inode inode;

	inode_of(o, "/f", &inode);
	return inode.i_file_acl;
}

/* ------------------------------------------------- a copy from before it --- */

struct gap_case {
	const char	*features;
	bool		mounted;	/* since the gap, before the deletion */
	bool		proven;
	bool		spoilt;		/* the node in place is */
	bool		old;		/* so it is the copy */
};

/* Replay writes the old copies home: put back what was there. */
static void replay_around(struct owned *o, const blk64_t *blocks)
{
	static char kept[8][BLOCK];

	for (unsigned i = 0; blocks[i]; i++)
		read_block(o, blocks[i], kept[i]);
	replay_log(o);
	for (unsigned i = 0; blocks[i]; i++)
		write_block(o, blocks[i], kept[i]);
}

static void begin_log(struct owned *o)
{
	char spec[64];

	snprintf(spec, sizeof(spec), "journal csum none\nsequence %u\n", FIRST);
	write_log(o->f, spec);
}

/* Search a log that has lost transactions behind its first one. */
static void find_across_gap(struct scene *s, const blk64_t *blocks)
{
	write_txns(s->o);
	shift_ids(s->o, FIRST + 1, LOST);
	replay_around(s->o, blocks);
	find_deleted(s);
}

/* Another value, as long. */
static void alter_value(struct owned *o)
{
	char commands[] = FAR;

	for (char *p = strstr(commands, " aaa"); *p; p++)
		if (*p == 'a')
			*p = 'b';
	alter(o, commands);
}

/*
 * The ring has the node of /f and its attributes, loses a transaction in which
 * both change, and then has the inode.  The new map has other blocks, as many.
 */
static struct scene make_gap(const struct gap_case *c)
{
	struct scene s = { .o = new_owned(c->features, PIECES) };
	struct owned *o = s.o;
	blk64_t node = node_of(o, "/f"), all[] = {
		home_of(o, EXT2_ROOT_INO), block_of(o, "/", 0),
		home_of(o, ino_of(o, "/f")), 0, 0, 0 };
	uint32_t next = FIRST + 1;
	char block[BLOCK];

	begin_log(o);
	alter(o, FAR);
	all[3] = node;
	all[4] = attributes_of(o);
	keep_txn(o, all);
	alter(o, "punch f 10 10\nfallocate f 12 12\n");
	alter_value(o);
	ck_assert(attributes_of(o) == all[4] && node_of(o, "/f") == node);
	keep_txn(o, (blk64_t[]){ all[0], all[1], all[2], 0 });
	alter(o, "rm f\n");
	if (c->mounted)
		keep_txn(o, (blk64_t[]){ all[0], 0 });
	keep_txn(o, (blk64_t[]){ all[0], all[1], all[2], 0 });
	write_txns(o);
	shift_ids(o, next, LOST);
	if (c->mounted)
		shift_ids(o, next + LOST + 1, LEFT_OUT);
	replay_around(o, all);
	if (c->spoilt) {
		memset(block, 'x', sizeof(block));
		write_block(o, node, block);
	}
	return s;
}

static const struct gap_case gap_cases[] = {
	{ SUMS, .mounted = true, .proven = true },
	{ SUMS, .mounted = false },
	{ SUMS, .mounted = true, .spoilt = true, .old = true },
	/* nobody knows whose node is in place, */
	{ NO_SUMS, .mounted = true },
	/* and that is no newer one for sure */
	{ NO_SUMS, .old = true },
};
#define NR_GAP_CASES (sizeof(gap_cases) / sizeof(*gap_cases))

START_TEST(a_node_from_before_a_gap_may_be_an_older_one)
{
	const struct gap_case *c = &gap_cases[_i];
	struct scene s = make_gap(c);
	struct e2lazy_contents got;
	struct text t;

	find_deleted(&s);
	ck_assert(!(the_file(&s).flags & E2LAZY_DELETED_GAP));
	got = contents(&s, &t);
	ck_assert_int_eq(got.map_unproven, !c->proven);
	ck_assert_uint_eq(got.blocks[c->proven ? E2LAZY_GRADE_INTACT :
				     E2LAZY_GRADE_UNKNOWN], c->old ? 6 : 5);
	ck_assert_str_eq(t.bytes + 10 * BLOCK, c->old ? "10\n" : "");
	end_scene(&s);
}
END_TEST

static errcode_t take_value(void *priv, const char *name, const void *value,
			    size_t length)
{
	ck_assert_str_eq(name, NAME);
	ck_assert_uint_gt(length, 0);
	*(char *)priv = *(const char *)value;
	return 0;
}

START_TEST(so_may_a_block_of_attributes)
{
	const struct gap_case *c = &gap_cases[_i];
	struct scene s = make_gap(c);
	unsigned lost;
	char first = 0;

	find_deleted(&s);
	ck_assert_int_eq(e2lazy_undelete_xattrs(s.u, 0, take_value, &first,
						&lost), 0);
	ck_assert_uint_eq(lost, !c->mounted);
	ck_assert_int_eq(first, c->mounted ? 'b' : 0);
	end_scene(&s);
}
END_TEST

/* ------------------------------------------------------- no copy at all --- */

/* A newer one may have been forgotten with the file, and overwritten since. */
START_TEST(a_node_in_place_counts_if_it_is_sure_to_be_the_newest)
{
	/* when it was made and changed, and of the last mount: seconds ago */
	static const struct {
		int made, changed, last_mount;
		bool mounted, proven;
	} cases[] = {
		{ 90000, 900, 0, false, false },
		{ 90000, 900, 0, true, true },
		{ 90000, 900, 600, false, true },
		{ 90000, 900, 1200, false, false },
		{ 90000, 4000, 0, false, true },
		{ -100, 900, 0, false, true },
	};
	struct scene s = { .o = new_owned(SUMS, PIECES) };
	struct owned *o = s.o;
	blk64_t all[] = { home_of(o, EXT2_ROOT_INO), block_of(o, "/", 0),
			  home_of(o, ino_of(o, "/f")), 0 };
	struct e2lazy_contents got;
	struct text t;

	begin_log(o);
	set_time(o, "sif f crtime", cases[_i].made);
	set_time(o, "sif f ctime", cases[_i].changed);
	set_time(o, "ssv mtime", cases[_i].last_mount ?
				 cases[_i].last_mount : 99999);
	keep_txn(o, all);
	alter(o, "rm f\n");
	keep_txn(o, all);
	write_txns(o);
	if (cases[_i].mounted)
		shift_ids(o, FIRST + 1, LEFT_OUT);
	replay_around(o, all);
	find_deleted(&s);
	got = contents(&s, &t);
	ck_assert_int_eq(got.map_unproven, !cases[_i].proven);
	ck_assert_uint_eq(got.blocks[cases[_i].proven ? E2LAZY_GRADE_INTACT :
				     E2LAZY_GRADE_UNKNOWN], 6);
	end_scene(&s);
}
END_TEST

/* ---------------------------------------------------------------- names --- */

/* After the gap a later file has the inode: it has a name in the ring alone. */
START_TEST(a_name_from_behind_a_gap_may_be_another_file_s)
{
	static const struct { const char *tree, *next; unsigned names; } cases[] = {
		{ "mkdir f", "rmdir f\n", 1 },
		{ "echo hello >f", "rm f\n", 1 },
		{ "echo hello >f; ln f g",
		  "unlink f\nunlink g\nkill_file <12>\n", 2 },
	};
	struct scene s;
	struct owned *o;
	ext2_ino_t ino;
	blk64_t all[4] = { 0 };

	no_orphan_file();
	s = (struct scene){ .o = new_owned(SUMS, cases[_i].tree) };
	o = s.o;
	ino = ino_of(o, "/f");
	all[0] = home_of(o, EXT2_ROOT_INO);
	all[1] = block_of(o, "/", 0);
	all[2] = home_of(o, ino);
	begin_log(o);
	keep_txn(o, all);
	alter(o, cases[_i].next);
	alter(o, "write /dev/null new\nsif new generation 77\n");
	ck_assert_uint_eq(ino_of(o, "/new"), ino);
	keep_txn(o, (blk64_t[]){ all[0], all[1], 0 });
	alter(o, "rm new\n");
	keep_txn(o, all);
	find_across_gap(&s, all);
	ck_assert(the_file(&s).flags & E2LAZY_DELETED_GAP);
	ck_assert(the_file(&s).flags & E2LAZY_DELETED_NAME);
	ck_assert_uint_eq(the_file(&s).names, cases[_i].names);
	if (cases[_i].names == 1)
		check_named(&s, 0, "/f");
	end_scene(&s);
}
END_TEST

/* One name is there before the gap and behind it, the other one before it. */
START_TEST(a_name_on_both_sides_of_a_gap_comes_first)
{
	struct scene s = { .o = new_owned(SUMS, "echo hello >f; ln f a") };
	struct owned *o = s.o;
	blk64_t all[] = { home_of(o, EXT2_ROOT_INO), block_of(o, "/", 0),
			  home_of(o, ino_of(o, "/f")), 0 };

	begin_log(o);
	keep_txn(o, all);
	alter(o, "unlink a\nsif f links_count 1\n");
	keep_txn(o, (blk64_t[]){ all[0], all[1], 0 });
	alter(o, "rm f\n");
	keep_txn(o, all);
	find_across_gap(&s, all);
	ck_assert_uint_eq(the_file(&s).names, 2);
	check_named(&s, 0, "/f");
	ck_assert(the_file(&s).flags & E2LAZY_DELETED_NAME);
	end_scene(&s);
}
END_TEST

/* The inode is from behind the gap, the name from before it. */
START_TEST(a_name_may_have_changed_in_a_gap)
{
	struct scene s = { .o = new_owned(SUMS, "echo hello >f") };
	struct owned *o = s.o;
	blk64_t all[] = { home_of(o, EXT2_ROOT_INO), block_of(o, "/", 0),
			  home_of(o, ino_of(o, "/f")), 0 };

	begin_log(o);
	keep_txn(o, all);
	keep_txn(o, _i ? all : (blk64_t[]){ all[2], 0 });
	alter(o, "rm f\n");
	keep_txn(o, all);
	find_across_gap(&s, all);
	ck_assert(!(the_file(&s).flags & E2LAZY_DELETED_GAP));
	ck_assert_int_eq(!(the_file(&s).flags & E2LAZY_DELETED_NAME), _i);
	check_named(&s, 0, "/f");
	end_scene(&s);
}
END_TEST

/* ------------------------------------------------------ an earlier view --- */

/* The blocks are read as they are now, and who has them now does not count. */
START_TEST(behind_an_earlier_view_nothing_is_proven)
{
	struct scene s = make_scene(SUMS, "echo hello >f");
	struct owned *o = s.o;
	blk64_t all[] = { home_of(o, EXT2_ROOT_INO), block_of(o, "/", 0),
			  home_of(o, s.ino), 0 };
	struct e2lazy_undelete_opts opts = { .evidence = true };
	struct e2lazy_contents c;
	uint32_t tid;

	keep_txn(o, all);
	alter(o, "rm f\n");
	keep_txn(o, all);
	keep_txn(o, (blk64_t[]){ all[0], 0 });
	write_txns(o);
	read_map(o->f, E2LAZY_JMAP_CSUMS, 0);
	tid = e2lazy_jmap_stats(o->f->map)->last_tid - !_i;
	read_map(o->f, E2LAZY_JMAP_CSUMS | E2LAZY_WALK_UNTIL, tid);
	ck_assert_int_eq(e2lazy_view_build(o->f->journal, o->f->map, &o->view,
					   NULL), 0);
	ck_assert_int_eq(e2lazy_undelete_scan(o->f->journal, o->view, &opts,
					      &s.u, NULL), 0);
	ck_assert_int_eq(!(the_file(&s).flags & E2LAZY_DELETED_GAP), _i);
	ck_assert_int_eq(e2lazy_undelete_read(s.u, 0, E2LAZY_READ_NONE, NULL,
					      NULL, &c), 0);
	ck_assert_uint_eq(c.blocks[_i ? E2LAZY_GRADE_INTACT :
				   E2LAZY_GRADE_UNKNOWN], 1);
	end_scene(&s);
}
END_TEST

TCase *gaps_tests(void)
{
	TCase *tc = tcase_create("gaps");

	tcase_add_loop_test(tc, a_node_from_before_a_gap_may_be_an_older_one, 0,
			    NR_GAP_CASES);
	tcase_add_loop_test(tc, so_may_a_block_of_attributes, 0, NR_GAP_CASES);
	tcase_add_loop_test(tc,
		a_node_in_place_counts_if_it_is_sure_to_be_the_newest, 0, 6);
	tcase_add_loop_test(tc, a_name_from_behind_a_gap_may_be_another_file_s,
			    0, 3);
	tcase_add_test(tc, a_name_on_both_sides_of_a_gap_comes_first);
	tcase_add_loop_test(tc, a_name_may_have_changed_in_a_gap, 0, 2);
	tcase_add_loop_test(tc, behind_an_earlier_view_nothing_is_proven, 0, 2);
	return tc;
}
