/* SPDX-License-Identifier: GPL-2.0-only */
/* Deleted files on images of an enemy: bounds, and questions whether to stop. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deleted.h"
#include "undelete/pieces.h"

/* ------------------------------------------------------------- questions */

struct asked {
	enum e2lazy_phase phase;
	unsigned	times[E2LAZY_NR_PHASES];	/* in each phase */
};

static errcode_t note_phase(void *priv, enum e2lazy_phase phase, uint64_t done,
			    uint64_t total)
{
	struct asked *asked = priv;

	(void)done, (void)total;
	asked->phase = phase;
	return 0;
}

static errcode_t note_question(void *priv)
{
	struct asked *asked = priv;

	asked->times[asked->phase]++;
	return 0;
}

static struct asked count_questions(struct scene *s)
{
	struct asked asked = { .phase = 0 };
	const struct e2lazy_watch watch = {
		.progress = note_phase, .stop = note_question, .priv = &asked,
	};

	s->watch = &watch;
	find_deleted(s);
	s->watch = NULL;
	return asked;
}

/* -------------------------------------------------------------- versions */

/* An enemy's ring has any number of them. */
static void check_questions(struct scene *s, const blk64_t *all,
			    enum e2lazy_phase phase, unsigned expect)
{
	for (unsigned i = 0; i < 20; i++)
		keep_txn(s->o, all);
	alter(s->o, "rm f\n");
	keep_txn(s->o, all);
	replay_txns(s->o);
	ck_assert_uint_ge(count_questions(s).times[phase], expect);
	end_scene(s);
}

START_TEST(each_version_of_a_bitmap_can_be_the_last)
{
	struct scene s = { .o = new_owned(SUMS, "echo hello >f") };
	blk64_t all[] = { home_of(s.o, EXT2_ROOT_INO), block_of(s.o, "/", 0),
			  home_of(s.o, ino_of(s.o, "/f")),
			  bitmap_over(s.o, block_of(s.o, "/f", 0)), 0 };

	check_questions(&s, all, E2LAZY_PHASE_ROLES, 21);
}
END_TEST

/* Where directories may be inline, each version of the inode as well. */
START_TEST(each_version_of_a_directory_can_be_the_last)
{
	const char *const formats[] = { SUMS, SUMS " -O inline_data" };
	struct scene s = { .o = new_owned(formats[_i], "seq 400 >f") };
	blk64_t all[] = { home_of(s.o, EXT2_ROOT_INO), block_of(s.o, "/", 0),
			  home_of(s.o, ino_of(s.o, "/f")), 0 };

	check_questions(&s, all, E2LAZY_PHASE_DIRECTORIES, _i ? 42 : 21);
}
END_TEST

/* A directory that is made and removed time and again has the same block. */
START_TEST(each_life_of_a_directory_has_versions_of_its_own)
{
	struct scene s = { .o = new_owned(SUMS, "mkdir d") };
	blk64_t all[] = { home_of(s.o, ino_of(s.o, "/d")),
			  block_of(s.o, "/d", 0), 0 };
	struct asked asked;
	char command[40];

	for (unsigned i = 0; i < 20; i++) {
		snprintf(command, sizeof(command), "sif d generation %u\n", i);
		alter(s.o, command);
		keep_txn(s.o, all);
	}
	replay_txns(s.o);
	asked = count_questions(&s);
	ck_assert_uint_ge(asked.times[E2LAZY_PHASE_DIRECTORIES], 20);
	ck_assert_uint_lt(asked.times[E2LAZY_PHASE_DIRECTORIES], 5 * 20);
	end_scene(&s);
}
END_TEST

/* ----------------------------------------------------------------- users */

#define SHARERS	20

/* A deleted file whose block is a directory's now, and also all sharers'. */
static struct scene shared_block(void)
{
	struct scene s = make_scene(SUMS, "echo hello >f; for i in $(seq 20); "
					  "do : >g$i; done");
	char commands[64 * SHARERS], *at = commands;

	then(&s, "rm f\nmkdir d\n");
	ck_assert_uint_eq(block_of(s.o, "/d", 0), s.block);
	for (unsigned i = 1; i <= SHARERS; i++)
		at += sprintf(at, "sif g%u flags 0\nsif g%u block[0] %llu\n",
			      i, i, (unsigned long long)s.block);
	alter(s.o, commands);
	return s;
}

START_TEST(a_block_of_many_inodes_has_one_user)
{
	struct scene s = shared_block();
	struct text t;

	ck_assert_uint_eq(block_of(s.o, "/g20", 0), s.block);
	find_deleted(&s);
	contents(&s, &t);
	ck_assert_uint_eq(t.user, ino_of(s.o, "/d"));
	ck_assert_uint_eq(s.u->uses, 1);
	end_scene(&s);
}
END_TEST

START_TEST(each_inode_can_be_the_last)
{
	struct scene s = shared_block();
	struct asked asked = count_questions(&s);

	/* One for each inode, one for each of its two pieces. */
	ck_assert_uint_ge(asked.times[E2LAZY_PHASE_INODES], 3 * SHARERS);
	end_scene(&s);
}
END_TEST

/* ------------------------------------------------------- fast commits */

#define FIRST	1000
#define MANY	8000

static void take(struct e2lazy_undelete *u, uint32_t kind, ext2_ino_t ino)
{
	const struct ext2_inode inode = {
		.i_mode = ext2fs_cpu_to_le16(LINUX_S_IFREG),
		.i_links_count = ext2fs_cpu_to_le16(1),
	};
	uint8_t value[4 + sizeof(inode)] = { 0 };
	const struct e2lazy_fc_record r = {
		.kind = kind, .ino = ino, .value = value,
		.length = sizeof(value), .len = 1, .pblk = 1,
	};

	memcpy(value + 4, &inode, sizeof(inode));
	ck_assert_int_eq(made_take(u, &r), 0);
}

START_TEST(a_record_finds_its_inode_among_many_at_once)
{
	struct ext2_super_block super = {
		.s_rev_level = EXT2_DYNAMIC_REV, .s_inode_size = 128,
		.s_first_ino = 11, .s_inodes_count = FIRST + MANY,
	};
	struct struct_ext2_filsys fs = { .super = &super };
	struct e2lazy_undelete u = { .fs = &fs };

	for (uint32_t i = 0; i < MANY; i++)
		take(&u, E2LAZY_FC_INODE, FIRST + i);
	for (uint32_t i = 0; i < MANY; i++)
		take(&u, E2LAZY_FC_ADD_RANGE, FIRST + i);
	ck_assert_uint_eq(u.nr_made, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		ck_assert_uint_eq(u.made[i].map.nr, 1);
	ck_assert_uint_lt(u.made_looks, 3 * 20 * MANY);
	made_free(&u);
}
END_TEST

#define FAST	"-b 1024 -J size=4 -O 64bit,metadata_csum"

/* The questions of a search with @count records in the fast-commit area. */
static unsigned questions_about(unsigned count)
{
	struct scene s = { .o = new_owned(FAST, "echo hello >f") };
	char spec[4096], *at = spec;
	struct asked asked;
	unsigned sum = 0;

	at += sprintf(at, "journal fast_commit 64\ntxn 5 write %u\nfc 6",
		      FREE);
	for (unsigned i = 0; i < count; i++)
		at += sprintf(at, " unlink 2 99 name-%u", i);
	sprintf(at, " tail\n");
	write_log(s.o->f, spec);
	asked = count_questions(&s);
	for (unsigned i = 0; i < E2LAZY_NR_PHASES; i++)
		sum += asked.times[i];
	end_scene(&s);
	return sum;
}

START_TEST(each_record_of_a_fast_commit_can_be_the_last)
{
	/* They are read twice. */
	ck_assert_uint_ge(questions_about(60), questions_about(10) + 2 * 50);
}
END_TEST

/* --------------------------------------------------------------- bitmaps */

START_TEST(a_block_is_judged_once_by_all_its_bitmaps)
{
	struct scene s = { .o = new_owned(SUMS, "echo hello >f") };
	blk64_t all[] = { home_of(s.o, ino_of(s.o, "/f")),
			  bitmap_over(s.o, block_of(s.o, "/f", 0)), 0 };

	for (unsigned i = 0; i < 20; i++)
		keep_txn(s.o, all);
	alter(s.o, "rm f\n");
	keep_txn(s.o, all);
	replay_txns(s.o);
	find_deleted(&s);
	ck_assert_uint_eq(the_file(&s).size, 6);
	ck_assert_uint_eq(s.u->asked, 1);
	end_scene(&s);
}
END_TEST

/* ------------------------------------------------------------------ runs */

#define NO_UNINIT	"-N 16384 " NO_SUMS ",^uninit_bg"
#define FS_BLOCKS	65536
#define EATEN		(FS_BLOCKS - 2)	/* blocks of each file */
#define FILES		40
#define PER_BLOCK	4		/* inodes */

/* Its fields that are used here, in the order of the disk. */
static void put_inode(uint8_t *raw, struct ext2_inode inode)
{
	inode.i_mode = ext2fs_cpu_to_le16(inode.i_mode);
	inode.i_links_count = ext2fs_cpu_to_le16(inode.i_links_count);
	inode.i_size = ext2fs_cpu_to_le32(inode.i_size);
	inode.i_blocks = ext2fs_cpu_to_le32(inode.i_blocks);
	inode.i_flags = ext2fs_cpu_to_le32(inode.i_flags);
	inode.i_generation = ext2fs_cpu_to_le32(inode.i_generation);
	for (unsigned i = 0; i < EXT2_N_BLOCKS; i++)
		inode.i_block[i] = ext2fs_cpu_to_le32(inode.i_block[i]);
	memcpy(raw, &inode, sizeof(inode));
}

/* An inode that has all blocks of the file system, in two extents. */
static void put_glutton(uint8_t *raw, uint32_t generation)
{
	const uint32_t half = EATEN / 2;
	const struct ext2_inode inode = {
		.i_mode = LINUX_S_IFREG | 0644, .i_links_count = 1,
		.i_size = EATEN * BLOCK, .i_blocks = 2, .i_flags = EXT4_EXTENTS_FL,
		.i_generation = generation,
		.i_block = { 0x2f30a, 4, 0, 0, half, 2, half, half, 2 + half },
	};

	put_inode(raw, inode);
}

/* Log many inodes that @put makes; @all are their blocks. */
static struct scene make_files(void (*put)(uint8_t *raw, uint32_t generation),
			       blk64_t *all)
{
	struct scene s = { .o = new_owned(NO_UNINIT, "echo hello >f") };
	blk64_t table = home_of(s.o, FS_BLOCKS / 8 + 1);
	char block[BLOCK] = { 0 };

	for (unsigned i = 0; i < FILES / PER_BLOCK; i++) {
		for (unsigned n = 0; n < PER_BLOCK; n++)
			put((uint8_t *)block + n * BLOCK / PER_BLOCK,
			    i * PER_BLOCK + n + 1);
		all[i] = table + i;
		write_block(s.o, all[i], block);
	}
	keep_txn(s.o, all);
	return s;
}

static void delete_files(struct scene *s, const blk64_t *all)
{
	const char none[BLOCK] = { 0 };

	for (unsigned i = 0; i < FILES / PER_BLOCK; i++)
		write_block(s->o, all[i], none);
	keep_txn(s->o, all);
	replay_txns(s->o);
}

static struct scene many_files(void (*put)(uint8_t *raw, uint32_t generation))
{
	blk64_t all[MAX_LOGGED] = { 0 };
	struct scene s = make_files(put, all);

	delete_files(&s, all);
	return s;
}

/* Every second block is in use. */
static void use_blocks(struct scene *s)
{
	char block[BLOCK];

	memset(block, 0x55, BLOCK);
	for (unsigned group = 0; group < 8; group++)
		write_block(s->o, bitmap_over(s->o, 8192 * group + 8000),
			    block);
}

START_TEST(lives_of_the_same_blocks_have_so_many_runs_of_evidence)
{
	struct scene s = many_files(put_glutton);
	struct e2lazy_contents c;

	use_blocks(&s);
	find_deleted(&s);
	ck_assert_uint_eq(e2lazy_undelete_count(s.u), FILES);
	ck_assert_uint_gt(s.u->evidences.nr, 16 * FS_BLOCKS);
	ck_assert_uint_lt(s.u->evidences.nr, 17 * FS_BLOCKS);
	ck_assert_int_eq(e2lazy_undelete_read(s.u, 0, E2LAZY_READ_NONE, NULL,
					      NULL, &c), 0);
	ck_assert_uint_gt(c.blocks[E2LAZY_GRADE_REUSED], EATEN / 8);
	ck_assert_uint_gt(c.blocks[E2LAZY_GRADE_UNKNOWN], 8000);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], 0);
	end_scene(&s);
}
END_TEST

START_TEST(lives_of_the_same_blocks_are_compared_block_by_block)
{
	struct scene s = many_files(put_glutton);
	struct e2lazy_contents c;

	find_deleted(&s);
	/* Each block twice: with the lives before, and with those behind. */
	ck_assert_uint_le(s.u->compared, 2ULL * FILES * EATEN);
	ck_assert_int_eq(e2lazy_undelete_read(s.u, 0, E2LAZY_READ_NONE, NULL,
					      NULL, &c), 0);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_UNKNOWN], 0);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], 0);
	ck_assert_uint_gt(c.blocks[E2LAZY_GRADE_BETWEEN], EATEN * 9ULL / 10);
	end_scene(&s);
}
END_TEST

/* ----------------------------------------------------------------- nodes */

#define NODE		30000
#define LEAF		(NODE + 1)
#define NUMBERS		(BLOCK / 4)
#define MOST_AGAIN	(1 << 20)	/* pieces of nodes read before */

/* A map whose 65,536 numbers are 256 times the same leaf. */
static void put_sharer(uint8_t *raw, uint32_t generation)
{
	struct ext2_inode inode = {
		.i_mode = LINUX_S_IFREG | 0644, .i_links_count = 1,
		.i_size = BLOCK, .i_blocks = 2, .i_generation = generation,
	};

	inode.i_block[EXT2_DIND_BLOCK] = NODE;
	put_inode(raw, inode);
}

static void write_nodes(struct scene *s)
{
	uint32_t node[NUMBERS], leaf[NUMBERS];

	for (uint32_t i = 0; i < NUMBERS; i++) {
		node[i] = ext2fs_cpu_to_le32(LEAF);
		leaf[i] = ext2fs_cpu_to_le32(40000 + 2 * i);
	}
	write_block(s->o, NODE, node);
	write_block(s->o, LEAF, leaf);
}

START_TEST(a_node_of_many_lives_has_so_many_pieces)
{
	struct scene s = many_files(put_sharer);
	struct records pieces = { .nr = 0 };
	struct records kept = { .nr = 0 };

	write_nodes(&s);
	s.blind = true;
	find_deleted(&s);
	ck_assert_uint_eq(e2lazy_undelete_count(s.u), FILES);
	ck_assert_int_eq(pieces_collect(s.u, &pieces, &kept), 0);
	ck_assert_uint_eq(pieces.nr, MOST_AGAIN + NUMBERS);
	ck_assert(!life_get(s.u, s.u->deleted.at[0])->doubted);
	ck_assert(life_get(s.u, s.u->deleted.at[FILES - 1])->doubted);
	ck_assert_uint_eq(kept.nr, 0);
	records_free(&kept);
	records_free(&pieces);
	end_scene(&s);
}
END_TEST

/* ----------------------------------------------------------- directories */

#define VERSIONS	200	/* of a block of directories */
#define TURNS		120

static void put_directory(uint8_t *raw, uint32_t generation)
{
	const struct ext2_inode inode = {
		.i_mode = LINUX_S_IFDIR | 0755, .i_links_count = 2,
		.i_size = BLOCK, .i_blocks = 2, .i_flags = EXT4_EXTENTS_FL,
		.i_generation = generation,
		.i_block = { 0x1f30a, 4, 0, 0, 1, NODE },
	};

	put_inode(raw, inode);
}

/* Without checksums, it may be the block of each of them. */
START_TEST(versions_of_a_block_of_many_directories_are_read_so_many_times)
{
	blk64_t all[MAX_LOGGED] = { 0 };
	struct scene s = make_files(put_directory, all);
	uint64_t records = VERSIONS + 2 * FILES / PER_BLOCK;
	char block[BLOCK];

	read_block(s.o, block_of(s.o, "/", 0), block);
	write_block(s.o, NODE, block);
	for (unsigned i = 0; i < VERSIONS; i++)
		keep_txn(s.o, (blk64_t[]){ NODE, 0 });
	delete_files(&s, all);
	s.blind = true;
	find_deleted(&s);
	ck_assert_uint_eq(e2lazy_undelete_count(s.u), FILES);
	/* Each directory's inode is read twice. */
	ck_assert_uint_lt(s.u->reads,
			  records + 8 * (records + 256) + 2 * FILES);
	ck_assert_uint_gt(s.u->reads, 8 * records);
	ck_assert_uint_gt(s.u->unreadable, 0);
	end_scene(&s);
}
END_TEST

/* No enemy: one directory after the other has the block. */
START_TEST(directories_that_have_a_block_in_turn_read_its_versions_once)
{
	struct scene s = { .o = new_owned(NO_UNINIT, "echo hello >f") };
	blk64_t table = home_of(s.o, FS_BLOCKS / 8 + 1);
	char block[BLOCK];

	read_block(s.o, block_of(s.o, "/", 0), block);
	write_block(s.o, NODE, block);
	memset(block, 0, BLOCK);
	for (unsigned i = 0; i < TURNS; i++) {
		put_directory((uint8_t *)block, i + 1);
		write_block(s.o, table + i, block);
		keep_txn(s.o, (blk64_t[]){ table + i, NODE, 0 });
		memset(block, 0, BLOCK);
		write_block(s.o, table + i, block);
		keep_txn(s.o, (blk64_t[]){ table + i, 0 });
	}
	replay_txns(s.o);
	s.blind = true;
	find_deleted(&s);
	ck_assert_uint_eq(e2lazy_undelete_count(s.u), TURNS);
	/* It reads the directory's inode twice, and the version. */
	ck_assert_uint_eq(s.u->reads, 3 * TURNS);
	ck_assert_uint_eq(s.u->unreadable, 0);
	end_scene(&s);
}
END_TEST

#define GUESTS		20

/* A directory whose block other directories name as well. */
static struct scene block_of_a_directory(void)
{
	struct scene s = { .o = new_owned(SUMS, "mkdir d; echo hello >d/f; "
					  "for i in $(seq 20); do mkdir g$i; "
					  "done") };
	blk64_t block = block_of(s.o, "/d", 0), all[MAX_LOGGED] = { 0 };
	char commands[64 * GUESTS], *at = commands, path[16];
	unsigned nr = 0;

	keep_txn(s.o, (blk64_t[]){ home_of(s.o, ino_of(s.o, "/d")), block, 0 });
	for (unsigned i = 1; i <= GUESTS; i++)
		at += sprintf(at, "sif g%u block[5] %llu\n", i,
			      (unsigned long long)block);
	alter(s.o, commands);
	for (unsigned i = 1; i <= GUESTS; i++) {
		blk64_t home;

		snprintf(path, sizeof(path), "/g%u", i);
		ck_assert_uint_eq(block_of(s.o, path, 0), block);
		home = home_of(s.o, ino_of(s.o, path));
		if (!nr || all[nr - 1] != home)
			all[nr++] = home;
		ck_assert_uint_lt(nr, MAX_LOGGED);
	}
	keep_txn(s.o, all);
	keep_txn(s.o, (blk64_t[]){ home_of(s.o, ino_of(s.o, "/d/f")), 0 });
	for (unsigned i = 1; i < VERSIONS; i++)
		keep_txn(s.o, (blk64_t[]){ block, 0 });
	all[0] = home_of(s.o, ino_of(s.o, "/d/f"));
	all[1] = block;
	all[2] = 0;
	alter(s.o, "rm d/f\n");
	keep_txn(s.o, all);
	replay_txns(s.o);
	return s;
}

START_TEST(a_version_of_a_directory_with_a_checksum_is_read_for_its_owner)
{
	struct scene s = block_of_a_directory();

	find_deleted(&s);
	ck_assert_uint_eq(the_file(&s).names, 1);
	check_named(&s, 0, "/d/f");
	/* Neighbours of the owner's inode may be read before it. */
	ck_assert_uint_lt(s.u->reads, PER_BLOCK * (VERSIONS + GUESTS));
	ck_assert_uint_eq(s.u->unreadable, 0);
	end_scene(&s);
}
END_TEST

TCase *undelete_hostile_tests(void)
{
	TCase *tc = tcase_create("undelete_hostile");

	tcase_add_test(tc, each_version_of_a_bitmap_can_be_the_last);
	tcase_add_loop_test(tc, each_version_of_a_directory_can_be_the_last,
			    0, 2);
	tcase_add_test(tc, each_life_of_a_directory_has_versions_of_its_own);
	tcase_add_test(tc, a_block_of_many_inodes_has_one_user);
	tcase_add_test(tc, each_inode_can_be_the_last);
	tcase_add_test(tc, a_record_finds_its_inode_among_many_at_once);
	tcase_add_test(tc, each_record_of_a_fast_commit_can_be_the_last);
	tcase_add_test(tc, a_block_is_judged_once_by_all_its_bitmaps);
	tcase_add_test(tc,
		       lives_of_the_same_blocks_have_so_many_runs_of_evidence);
	tcase_add_test(tc,
		       lives_of_the_same_blocks_are_compared_block_by_block);
	tcase_add_test(tc, a_node_of_many_lives_has_so_many_pieces);
	tcase_add_test(tc,
	    versions_of_a_block_of_many_directories_are_read_so_many_times);
	tcase_add_test(tc,
	    directories_that_have_a_block_in_turn_read_its_versions_once);
	tcase_add_test(tc,
	    a_version_of_a_directory_with_a_checksum_is_read_for_its_owner);
	return tc;
}
