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

TCase *undelete_hostile_tests(void)
{
	TCase *tc = tcase_create("undelete_hostile");

	tcase_add_test(tc, a_block_of_many_inodes_has_one_user);
	tcase_add_test(tc, each_inode_can_be_the_last);
	tcase_add_test(tc, a_record_finds_its_inode_among_many_at_once);
	tcase_add_test(tc, each_record_of_a_fast_commit_can_be_the_last);
	return tc;
}
