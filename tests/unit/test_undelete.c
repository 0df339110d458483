/* SPDX-License-Identifier: GPL-2.0-only */
/* Deleted files: lives, maps, names and grades, on images made by hand. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deleted.h"
#include "fault_io.h"

/* ---------------------------------------------------------------- lives */

START_TEST(a_deleted_file_is_what_it_was)
{
	struct scene s = make_scene(SUMS, "echo hello >f; chmod 640 f");
	struct e2lazy_contents c;
	struct e2lazy_deleted d;
	struct text t;

	then(&s, "rm f\n");
	find_deleted(&s);
	d = the_file(&s);
	ck_assert_uint_eq(d.ino, s.ino);
	ck_assert_uint_eq(d.size, 6);
	ck_assert_uint_eq(d.mode, LINUX_S_IFREG | 0640);
	ck_assert_uint_eq(d.names, 1);
	check_named(&s, 0, "/f");
	c = contents(&s, &t);
	ck_assert_str_eq(t.bytes, "hello\n");
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], 1);
	ck_assert(!c.map_missing && !c.map_unproven);
	end_scene(&s);
}
END_TEST

/* Open when its last name went: what its program did to it then is logged. */
START_TEST(a_file_cut_after_its_deletion_is_not_sure)
{
	static const struct { const char *size; bool cut; } cases[] = {
		{ "6", false }, { "9", false }, { "3", true },
	};
	struct scene s = { .o = new_owned(SUMS, "echo hello >f") };
	blk64_t all[] = { home_of(s.o, EXT2_ROOT_INO), block_of(s.o, "/", 0),
			  home_of(s.o, ino_of(s.o, "/f")), 0 };
	char commands[128];

	s.ino = ino_of(s.o, "/f");
	keep_txn(s.o, all);
	alter(s.o, "sif f links_count 0\nunlink f\n");
	keep_txn(s.o, all);
	snprintf(commands, sizeof(commands), "sif <%u> size %s\n", s.ino,
		 cases[_i].size);
	alter(s.o, commands);
	keep_txn(s.o, all);
	snprintf(commands, sizeof(commands), "sif <%u> size 0\n", s.ino);
	alter(s.o, commands);
	keep_txn(s.o, all);
	replay_txns(s.o);
	find_deleted(&s);
	ck_assert_uint_eq(the_file(&s).size, 6);
	ck_assert_int_eq(!!(the_file(&s).flags & E2LAZY_DELETED_TRUNCATING),
			 cases[_i].cut);
	end_scene(&s);
}
END_TEST

START_TEST(a_file_that_is_there_is_not_deleted)
{
	struct scene s = make_scene(SUMS, "echo hello >f; echo other >g");

	then(&s, "rm g\n");
	find_deleted(&s);
	for (size_t i = 0; i < e2lazy_undelete_count(s.u); i++) {
		struct e2lazy_deleted d;

		ck_assert_int_eq(e2lazy_undelete_get(s.u, i, &d), 0);
		ck_assert_uint_ne(d.ino, s.ino);
	}
	end_scene(&s);
}
END_TEST

/* The next file has the inode, in place: another generation, another life. */
START_TEST(the_next_file_of_an_inode_is_another_life)
{
	struct scene s = make_scene(SUMS, "echo hello >f");
	struct e2lazy_deleted d;

	then(&s, "rm f\nwrite /dev/null g\nsif g generation 77\n");
	ck_assert_uint_eq(ino_of(s.o, "/g"), s.ino);
	find_deleted(&s);
	d = the_file(&s);
	ck_assert_uint_eq(d.ino, s.ino);
	ck_assert_uint_ne(d.generation, 77);
	ck_assert_uint_eq(d.size, 6);
	check_named(&s, 0, "/f");
	end_scene(&s);
}
END_TEST

START_TEST(what_the_ring_has_no_copy_of_is_missing)
{
	struct scene s = { .o = new_owned(SUMS, "echo hello >f") };
	struct e2lazy_horizon h;

	alter(s.o, "rm f\n");
	find_deleted(&s);
	ck_assert_uint_eq(e2lazy_undelete_count(s.u), 0);
	e2lazy_undelete_horizon(s.u, &h);
	ck_assert_uint_eq(h.txns, 0);
	end_scene(&s);
}
END_TEST

/* --------------------------------------------------------------- grades */

START_TEST(a_block_in_use_now_names_its_user)
{
	struct scene s = make_scene(SUMS, "echo hello >f");
	struct e2lazy_contents c;
	struct text t;

	then(&s, "rm f\nmkdir d\n");
	/* another inode has the block now */
	ck_assert_uint_eq(block_of(s.o, "/d", 0), s.block);
	find_deleted(&s);
	c = contents(&s, &t);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_REUSED], 1);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], 0);
	ck_assert_uint_eq(t.user, ino_of(s.o, "/d"));
	end_scene(&s);
}
END_TEST

START_TEST(a_block_of_zeros_is_doubted)
{
	struct scene s = make_scene(SUMS, "echo hello >f");
	char zeros[BLOCK] = { 0 };
	struct e2lazy_contents c;
	struct text t;

	then(&s, "rm f\n");
	write_block(s.o, s.block, zeros);
	find_deleted(&s);
	c = contents(&s, &t);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_ZERO], 1);
	end_scene(&s);
}
END_TEST

static void change_block(struct scene *s, blk64_t fsblk, const char *word)
{
	char block[BLOCK];

	read_block(s->o, fsblk, block);
	memcpy(block, word, strlen(word));
	write_block(s->o, fsblk, block);
}

enum { ALIKE, WRITTEN_LATER, SPOILT, NR_DIFFERENCES };

/*
 * A file whose first block is logged, and is then written without data=journal;
 * or the copy is spoilt.
 */
static struct scene logged_contents(const char *tree, int difference)
{
	struct scene s = make_scene(SUMS, tree);
	struct e2lazy_copy copy;

	log_block(s.o, s.block);
	s.o->sums = difference == SPOILT;
	then(&s, "rm f\n");
	ck_assert_int_eq(e2lazy_jmap_lookup(s.o->f->map, s.block, &copy), 0);
	if (difference != ALIKE)
		change_block(&s, difference == SPOILT ? copy.physblk : s.block,
			     "later");
	return s;
}

START_TEST(contents_that_differ_from_the_log_are_not_sure)
{
	struct scene s = logged_contents("echo hello >f", _i);
	struct e2lazy_contents c;
	struct text t;

	find_deleted(&s);
	c = contents(&s, &t);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_UNKNOWN], _i != 0);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], !_i);
	end_scene(&s);
}
END_TEST

/* A run of blocks is read at once, and one by one if that fails. */
START_TEST(a_block_that_cannot_be_read_says_nothing_of_another)
{
	struct scene s = logged_contents("seq 400 >f", _i);
	struct spot_of_io bad = { .block = s.block + 1 };
	struct e2lazy_contents c;
	struct text t;

	s.manager = fault_io_manager;
	snprintf(bad.device, sizeof(bad.device), "%s", s.o->f->image);
	fault_begin(BLOCK, FAULT_READ, &bad);
	find_deleted(&s);
	c = contents(&s, &t);
	fault_begin(BLOCK, FAULT_READ, NULL);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_UNKNOWN], 1 + (_i != 0));
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], !_i);
	end_scene(&s);
}
END_TEST

/*
 * Inline data that moved to a block was logged there, and no revoke followed when
 * the block was freed.
 */
enum { EMPTIED, REPLAYED, LIVE, OWN };

START_TEST(a_copy_from_before_its_block_was_free_is_another_file_s)
{
	struct scene s = { .o = new_owned(SUMS, "echo hello >f") };
	blk64_t block = block_of(s.o, "/f", 0), map = bitmap_over(s.o, block);
	blk64_t all[] = { home_of(s.o, EXT2_ROOT_INO), block_of(s.o, "/", 0),
			  home_of(s.o, ino_of(s.o, "/f")), map, 0, 0 };
	bool other = _i == REPLAYED || _i == OWN;
	char own[BLOCK], commands[80];
	struct e2lazy_contents c;
	struct text t;

	read_block(s.o, block, own);
	change_block(&s, block, "other");
	if (_i != OWN)
		keep_txn(s.o, (blk64_t[]){ block, 0 });
	snprintf(commands, sizeof(commands), "freeb %llu\n",
		 (unsigned long long)block);
	alter(s.o, commands);
	keep_txn(s.o, (blk64_t[]){ map, 0 });
	snprintf(commands, sizeof(commands), "setb %llu\n",
		 (unsigned long long)block);
	alter(s.o, commands);
	all[4] = _i == OWN ? block : 0;
	keep_txn(s.o, all);
	alter(s.o, "rm f\n");
	all[4] = 0;
	keep_txn(s.o, all);
	(_i < LIVE ? replay_txns : write_txns)(s.o);
	if (_i != REPLAYED)
		write_block(s.o, block, own);
	find_deleted(&s);
	c = contents(&s, &t);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], _i != REPLAYED);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_UNKNOWN], _i == REPLAYED);
	ck_assert_str_eq(t.bytes, other ? "other\n" : "hello\n");
	end_scene(&s);
}
END_TEST

/* With data=writeback, a block changes its owner without a bitmap. */
START_TEST(a_copy_from_before_the_inode_s_first_is_not_sure)
{
	struct scene s = { .o = new_owned(SUMS, "echo hello >f") };
	blk64_t block = block_of(s.o, "/f", 0);
	blk64_t all[] = { home_of(s.o, EXT2_ROOT_INO), block_of(s.o, "/", 0),
			  home_of(s.o, ino_of(s.o, "/f")), 0 };
	struct e2lazy_contents c;
	struct text t;

	keep_txn(s.o, (blk64_t[]){ block, 0 });
	keep_txn(s.o, all);
	alter(s.o, "rm f\n");
	keep_txn(s.o, all);
	write_txns(s.o);
	change_block(&s, block, "other");
	find_deleted(&s);
	c = contents(&s, &t);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_UNKNOWN], 1);
	end_scene(&s);
}
END_TEST

/* Inline data moved to a block, and a later write went there directly. */
START_TEST(a_copy_of_moved_data_may_be_older_than_its_place)
{
	const char *const formats[] = { SUMS, SUMS " -O inline_data" };
	struct scene s = { .o = new_owned(formats[_i], "seq 400 >f; "
						"touch -d @1600000000 f") };
	blk64_t block = block_of(s.o, "/f", 0);
	blk64_t all[] = { home_of(s.o, EXT2_ROOT_INO), block_of(s.o, "/", 0),
			  home_of(s.o, ino_of(s.o, "/f")), block, 0 };
	struct e2lazy_contents c;
	struct text t;

	keep_txn(s.o, all);
	alter(s.o, "sif f ctime @2500000000\n");
	all[3] = 0;
	keep_txn(s.o, all);
	alter(s.o, "rm f\n");
	keep_txn(s.o, all);
	write_txns(s.o);
	change_block(&s, block, "later");
	find_deleted(&s);
	c = contents(&s, &t);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_UNKNOWN], _i);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], 2 - _i);
	end_scene(&s);
}
END_TEST

/* ----------------------------------------------------------------- maps */

/* Six extents: the map has a node, which is in its place only. */
START_TEST(a_node_in_place_counts_if_its_checksum_names_the_life)
{
	const char *const formats[] = { SUMS, NO_SUMS };
	struct scene s = make_scene(formats[_i], PIECES);
	struct e2lazy_contents c;
	struct text t;

	then(&s, "rm f\n");
	find_deleted(&s);
	c = contents(&s, &t);
	ck_assert(!c.map_missing);
	ck_assert_int_eq(c.map_unproven, _i);
	ck_assert_uint_eq(c.blocks[_i ? E2LAZY_GRADE_UNKNOWN :
					E2LAZY_GRADE_INTACT], 6);
	ck_assert_str_eq(t.bytes + 10 * BLOCK, "10\n");
	end_scene(&s);
}
END_TEST

START_TEST(a_node_of_another_life_does_not_count)
{
	struct scene s = make_scene(SUMS, PIECES);
	struct e2lazy_contents c;
	char node[BLOCK];
	struct text t;
	blk64_t at;

	at = node_of(s.o, "/f");
	then(&s, "rm f\n");
	read_block(s.o, at, node);
	node[12]++;		/* and nothing else: its checksum is old */
	write_block(s.o, at, node);
	find_deleted(&s);
	c = contents(&s, &t);
	ck_assert(c.map_missing);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], 0);
	end_scene(&s);
}
END_TEST

/* The newer one, with a seventh extent, never went home. */
START_TEST(a_node_that_has_too_few_blocks_is_an_older_one)
{
	static const struct { const char *features, *tree, *change; bool proven;
	} cases[] = {
		/* six blocks, and the node */
		{ SUMS, PIECES, "sif f blocks 14\n", true },
		{ SUMS, PIECES, "sif f blocks 16\n", false },
		{ SUMS, PIECES, "sif f blocks 12\n", false },
		{ SUMS, PIECES, FAR "sif f blocks 16\n", true },
		{ SUMS " -O huge_file", PIECES,
		  "sif f blocks 7\nsif f flags 0xc0000\n", true },
		{ SUMS " -O ea_inode", PIECES, "sif f blocks 16\n", true },
		/* these have no nodes to be older */
		{ SUMS, "echo hello >f", "sif f blocks 16\n", true },
	};
	struct scene s = { .o = new_owned(cases[_i].features,
					  cases[_i].tree) };
	blk64_t all[] = { home_of(s.o, EXT2_ROOT_INO), block_of(s.o, "/", 0),
			  home_of(s.o, ino_of(s.o, "/f")), 0 };
	struct e2lazy_contents c;
	struct text t;

	alter(s.o, cases[_i].change);
	keep_txn(s.o, all);
	replay_txns(s.o);
	alter(s.o, "rm f\n");
	find_deleted(&s);
	c = contents(&s, &t);
	ck_assert_int_eq(c.map_unproven, !cases[_i].proven);
	ck_assert_int_eq(c.blocks[E2LAZY_GRADE_INTACT] != 0, cases[_i].proven);
	end_scene(&s);
}
END_TEST

/* A large file is deleted in several transactions: it may have lost entries. */
START_TEST(a_node_logged_after_the_inode_is_not_proven)
{
	struct scene s = make_scene(SUMS, PIECES);
	struct e2lazy_contents c;
	struct text t;

	s.later = node_of(s.o, "/f");
	then(&s, "rm f\n");
	find_deleted(&s);
	c = contents(&s, &t);
	ck_assert(c.map_unproven && !c.map_missing);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_UNKNOWN], 6);
	end_scene(&s);
}
END_TEST

/* ---------------------------------------------------------------- names */

/* Put another name of the same length into the directory. */
static void rename_by_hand(struct scene *s, const char *from, const char *to)
{
	blk64_t at = block_of(s->o, "/", 0);
	char block[BLOCK], *name;

	read_block(s->o, at, block);
	name = memmem(block, BLOCK, from, strlen(from));
	ck_assert_ptr_nonnull(name);
	memcpy(name, to, strlen(to));
	write_block(s->o, at, block);
}

START_TEST(a_hostile_name_is_one_name)
{
	struct scene s;

	no_orphan_file();
	s = make_scene(NO_SUMS, "echo hello >f; ln f a-b-c-d");
	shell(s.o->f, "debugfs -w -R 'unlink f' %s");
	rename_by_hand(&s, "a-b-c-d", "../../x");
	then(&s, "kill_file <12>\nsif <12> links_count 0\n");
	ck_assert_uint_eq(s.ino, 12);
	rename_by_hand(&s, "../../x", "gone...");
	find_deleted(&s);
	the_file(&s);
	check_named(&s, 0, "/.._.._x");
	end_scene(&s);
}
END_TEST

START_TEST(a_file_without_a_name_has_its_number)
{
	struct scene s = { .o = new_owned(SUMS, "echo hello >f") };
	char expect[32];

	s.ino = ino_of(s.o, "/f");
	log_block(s.o, home_of(s.o, s.ino));
	then(&s, "rm f\n");
	find_deleted(&s);
	ck_assert_uint_eq(the_file(&s).names, 0);
	snprintf(expect, sizeof(expect), "#%u", s.ino);
	check_named(&s, 0, expect);
	end_scene(&s);
}
END_TEST

/* The same inode number and the same name, in one transaction. */
START_TEST(a_name_of_the_next_file_is_not_that_of_the_last)
{
	struct scene s = { .o = new_owned(SUMS, "echo hello >f") };
	blk64_t all[] = { home_of(s.o, EXT2_ROOT_INO), block_of(s.o, "/", 0),
			  home_of(s.o, ino_of(s.o, "/f")), 0 };

	s.ino = ino_of(s.o, "/f");
	if (_i) {
		alter(s.o, "ln f former\nunlink f\n");
		keep_txn(s.o, all);
		alter(s.o, "ln former f\nunlink former\n");
	}
	keep_txn(s.o, all);
	alter(s.o, "rm f\nwrite /dev/null f\nsif f generation 77\n");
	ck_assert_uint_eq(ino_of(s.o, "/f"), s.ino);
	keep_txn(s.o, all);
	replay_txns(s.o);
	find_deleted(&s);
	ck_assert_uint_ne(the_file(&s).generation, 77);
	ck_assert_uint_eq(the_file(&s).names, 1);
	check_named(&s, 0, "/f");
	end_scene(&s);
}
END_TEST

/* It lost that name with the directory, and kept another. */
START_TEST(a_name_in_a_dead_directory_ended_with_it)
{
	struct scene s = { .o = new_owned(SUMS, "mkdir d; echo one >d/a; "
						"ln d/a b") };
	ext2_ino_t b = ino_of(s.o, "/b");
	blk64_t all[] = { home_of(s.o, EXT2_ROOT_INO), block_of(s.o, "/", 0),
			  home_of(s.o, b), home_of(s.o, ino_of(s.o, "/d")),
			  block_of(s.o, "/d", 0), 0 };
	struct e2lazy_deleted d;

	keep_txn(s.o, all);
	alter(s.o, "unlink d/a\nsif b links_count 1\nrmdir d\n");
	all[4] = 0;		/* it is free */
	keep_txn(s.o, all);
	replay_txns(s.o);
	alter(s.o, "rm b\n");
	find_deleted(&s);
	ck_assert_uint_eq(e2lazy_undelete_count(s.u), 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(e2lazy_undelete_get(s.u, i, &d), 0);
		ck_assert_uint_eq(d.names, 1);
		check_named(&s, i, d.ino == b ? "/b" : "/d");
	}
	end_scene(&s);
}
END_TEST

#define LONG	"a-long-name-that-takes-much-room-"
#define TWO_BLOCKS "mkdir d; for i in 0 1 2 3 4 5 6 7 8 9; do " \
	"ln -s x d/" LONG "$i; ln -s x d/" LONG "1$i; ln -s x d/" LONG "2$i; " \
	"done"

/* Without checksums, entries of the block's former owner look like its own. */
START_TEST(names_before_a_directory_grew_are_not_its_own)
{
	struct scene s = { .o = new_owned(NO_SUMS, TWO_BLOCKS) };
	blk64_t grown = block_of(s.o, "/d", 1), root = block_of(s.o, "/", 0);
	blk64_t all[] = { home_of(s.o, ino_of(s.o, "/d")), grown,
			  home_of(s.o, EXT2_ROOT_INO), root, 0, 0 };
	char names[BLOCK], now[BLOCK];

	alter(s.o, "write /dev/null f\nln f d/" LONG "of-f\n");
	all[4] = home_of(s.o, ino_of(s.o, "/f"));
	ck_assert_uint_ne(all[4], all[0]);
	read_block(s.o, root, names);
	read_block(s.o, grown, now);
	ck_assert_ptr_nonnull(memmem(now, BLOCK, LONG "of-f", 37));
	write_block(s.o, grown, names);
	alter(s.o, "sif d size 1024\n");
	keep_txn(s.o, all);
	write_block(s.o, grown, now);
	alter(s.o, "sif d size 2048\n");
	all[2] = 0;
	keep_txn(s.o, all);
	replay_txns(s.o);
	alter(s.o, "unlink d/" LONG "of-f\nrm f\n");
	find_deleted(&s);
	ck_assert_uint_eq(the_file(&s).names, 2);
	end_scene(&s);
}
END_TEST

TCase *undelete_tests(void)
{
	TCase *tc = tcase_create("undelete");

	tcase_add_test(tc, a_deleted_file_is_what_it_was);
	tcase_add_loop_test(tc, a_file_cut_after_its_deletion_is_not_sure,
			    0, 3);
	tcase_add_test(tc, a_file_that_is_there_is_not_deleted);
	tcase_add_test(tc, the_next_file_of_an_inode_is_another_life);
	tcase_add_test(tc, what_the_ring_has_no_copy_of_is_missing);
	tcase_add_test(tc, a_block_in_use_now_names_its_user);
	tcase_add_test(tc, a_block_of_zeros_is_doubted);
	tcase_add_loop_test(tc, contents_that_differ_from_the_log_are_not_sure,
			    0, NR_DIFFERENCES);
	tcase_add_loop_test(tc,
			    a_block_that_cannot_be_read_says_nothing_of_another,
			    0, NR_DIFFERENCES);
	tcase_add_loop_test(tc,
			a_copy_from_before_its_block_was_free_is_another_file_s,
			EMPTIED, OWN + 1);
	tcase_add_test(tc, a_copy_from_before_the_inode_s_first_is_not_sure);
	tcase_add_loop_test(tc, a_copy_of_moved_data_may_be_older_than_its_place,
			    0, 2);
	tcase_add_loop_test(tc,
			    a_node_in_place_counts_if_its_checksum_names_the_life,
			    0, 2);
	tcase_add_test(tc, a_node_of_another_life_does_not_count);
	tcase_add_loop_test(tc, a_node_that_has_too_few_blocks_is_an_older_one,
			    0, 7);
	tcase_add_test(tc, a_node_logged_after_the_inode_is_not_proven);
	tcase_add_test(tc, a_hostile_name_is_one_name);
	tcase_add_test(tc, a_file_without_a_name_has_its_number);
	tcase_add_loop_test(tc,
			    a_name_of_the_next_file_is_not_that_of_the_last,
			    0, 2);
	tcase_add_test(tc, a_name_in_a_dead_directory_ended_with_it);
	tcase_add_test(tc, names_before_a_directory_grew_are_not_its_own);
	return tc;
}
