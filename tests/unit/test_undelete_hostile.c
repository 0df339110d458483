/* SPDX-License-Identifier: GPL-2.0-only */
/* Deleted files on images of an enemy: bounds, and questions whether to stop. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deleted.h"
#include "undelete/undelete.h"

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
	const struct ext2_inode inode = { .i_mode = LINUX_S_IFREG,
					  .i_links_count = 1 };
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

/* ------------------------------------------------------------------ runs */

#define NO_UNINIT	NO_SUMS ",^uninit_bg"
#define FS_BLOCKS	65536
#define SHARED		(FS_BLOCKS - 2)	/* blocks of each file */
#define FILES		40
#define PER_BLOCK	4		/* inodes */

/* An inode that has all blocks of the file system, in two extents. */
static void put_glutton(uint8_t *raw, uint32_t generation)
{
	const uint32_t half = SHARED / 2;
	const struct ext2_inode inode = {
		.i_mode = LINUX_S_IFREG | 0644, .i_links_count = 1,
		.i_size = SHARED * BLOCK, .i_blocks = 2, .i_flags = EXT4_EXTENTS_FL,
		.i_generation = generation,
		.i_block = { 0x2f30a, 4, 0, 0, half, 2, half, half, 2 + half },
	};

	memcpy(raw, &inode, sizeof(inode));
}

/* Many deleted files, each of which has all blocks; every second one is used. */
static struct scene gluttons(void)
{
	struct scene s = { .o = new_owned(NO_UNINIT, "echo hello >f") };
	blk64_t table = home_of(s.o, FS_BLOCKS / 8 + 1), all[MAX_LOGGED] = { 0 };
	char block[BLOCK] = { 0 }, none[BLOCK] = { 0 };

	for (unsigned i = 0; i < FILES / PER_BLOCK; i++) {
		for (unsigned n = 0; n < PER_BLOCK; n++)
			put_glutton((uint8_t *)block + n * BLOCK / PER_BLOCK,
				    i * PER_BLOCK + n + 1);
		all[i] = table + i;
		write_block(s.o, all[i], block);
	}
	keep_txn(s.o, all);
	for (unsigned i = 0; i < FILES / PER_BLOCK; i++)
		write_block(s.o, all[i], none);
	keep_txn(s.o, all);
	replay_txns(s.o);
	memset(block, 0x55, BLOCK);
	for (unsigned group = 0; group < 8; group++)
		write_block(s.o, bitmap_over(s.o, 8192 * group + 8000), block);
	return s;
}

START_TEST(lives_of_the_same_blocks_have_so_many_runs_of_evidence)
{
	struct scene s = gluttons();
	struct e2lazy_contents c;

	find_deleted(&s);
	ck_assert_uint_eq(e2lazy_undelete_count(s.u), FILES);
	ck_assert_uint_gt(s.u->evidences.nr, 16 * FS_BLOCKS);
	ck_assert_uint_lt(s.u->evidences.nr, 17 * FS_BLOCKS);
	ck_assert_int_eq(e2lazy_undelete_read(s.u, 0, E2LAZY_READ_NONE, NULL,
					      NULL, &c), 0);
	ck_assert_uint_gt(c.blocks[E2LAZY_GRADE_REUSED], SHARED / 8);
	ck_assert_uint_gt(c.blocks[E2LAZY_GRADE_UNKNOWN], 8000);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], 0);
	end_scene(&s);
}
END_TEST

TCase *undelete_hostile_tests(void)
{
	TCase *tc = tcase_create("undelete_hostile");

	tcase_add_test(tc, a_block_of_many_inodes_has_one_user);
	tcase_add_test(tc, each_inode_can_be_the_last);
	tcase_add_test(tc, a_record_finds_its_inode_among_many_at_once);
	tcase_add_test(tc, each_record_of_a_fast_commit_can_be_the_last);
	tcase_add_test(tc,
		       lives_of_the_same_blocks_have_so_many_runs_of_evidence);
	return tc;
}
