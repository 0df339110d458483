/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of attributes that have an inode of their own. */

#include <stdio.h>
#include <string.h>

#include "deleted.h"
#include "undelete/undelete.h"

#define LARGE	SUMS " -O ea_inode"
#define BYTES	1000			/* more than a block has room for */

/* An attribute whose value gets an inode. */
static void set_value(struct owned *o, const char *file)
{
	char command[BYTES + 64];
	int used = snprintf(command, sizeof(command), "ea_set %s user.large ",
			    file);

	memset(command + used, 'a', BYTES);
	strcpy(command + used + BYTES, "\n");
	alter(o, command);
}

/* The root and its block, /f and what was made before it, and the value. */
static void keep_inodes(struct scene *s, blk64_t more)
{
	keep_txn(s->o, (blk64_t[]){ home_of(s->o, EXT2_ROOT_INO),
				    block_of(s->o, "/", 0),
				    home_of(s->o, s->ino),
				    home_of(s->o, s->ino + 1), more, 0 });
}

static errcode_t count_as(void *priv, const char *name, const void *value,
			  size_t length)
{
	const char *bytes = value;

	ck_assert_str_eq(name, "user.large");
	for (size_t i = 0; i < length; i++)
		ck_assert_int_eq(bytes[i], 'a');
	*(size_t *)priv += length;
	return 0;
}

static const struct value_case {
	bool	overwritten, logged, lost;
} cases[] = {
	{ .overwritten = false },
	{ .overwritten = true, .lost = true },
	{ .overwritten = true, .logged = true },
};
#define NR_CASES	(sizeof(cases) / sizeof(*cases))

/* ext4 logs values, and that says nothing about contents of files. */
START_TEST(a_value_counts_if_its_sum_does)
{
	struct scene s = { .o = new_owned(LARGE, "echo hello >f") };
	char other[BLOCK], early[64];
	size_t bytes = 0;
	unsigned lost;
	blk64_t at;

	s.ino = ino_of(s.o, "/f");
	set_value(s.o, "f");
	snprintf(early, sizeof(early), "sif <%u> mtime @1500000000\n",
		 s.ino + 1);
	alter(s.o, early);
	at = block_of_ino(s.o, s.ino + 1, 0);
	keep_inodes(&s, cases[_i].logged ? at : 0);
	replay_txns(s.o);
	alter(s.o, "rm f\n");
	memset(other, 'b', sizeof(other));
	if (cases[_i].overwritten)
		write_block(s.o, at, other);
	find_deleted(&s);
	ck_assert_uint_eq(the_file(&s).ino, s.ino);
	ck_assert(!s.u->logs_contents);
	ck_assert_int_eq(e2lazy_undelete_xattrs(s.u, 0, count_as, &bytes,
						&lost), 0);
	ck_assert_uint_eq(lost, cases[_i].lost);
	ck_assert_uint_eq(bytes, cases[_i].lost ? 0 : BYTES);
	end_scene(&s);
}
END_TEST

/* It had blocks as files have, and its inode is not listed. */
START_TEST(a_value_that_is_over_speaks_for_its_blocks)
{
	struct scene s = { .o = new_owned(LARGE, "echo hello >f; echo >g") };
	struct e2lazy_contents c;
	struct text t;
	char kill[128];

	s.ino = ino_of(s.o, "/f");
	s.block = block_of(s.o, "/f", 0);
	alter(s.o, "sif f generation 77\n");
	keep_inodes(&s, 0);
	alter(s.o, "rm f\n");
	keep_inodes(&s, 0);
	set_value(s.o, "g");
	ck_assert_uint_eq(block_of_ino(s.o, s.ino, 0), s.block);
	keep_inodes(&s, 0);
	snprintf(kill, sizeof(kill),
		 "rm g\nkill_file <%u>\nsif <%u> links_count 0\n", s.ino,
		 s.ino);
	alter(s.o, kill);
	keep_inodes(&s, 0);
	replay_txns(s.o);
	find_deleted(&s);
	ck_assert_uint_eq(e2lazy_undelete_count(s.u), 2);
	c = contents(&s, &t);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_INTACT], 0);
	ck_assert_uint_eq(c.blocks[E2LAZY_GRADE_BETWEEN], 1);
	end_scene(&s);
}
END_TEST

TCase *values_tests(void)
{
	TCase *tc = tcase_create("values");

	tcase_add_loop_test(tc, a_value_counts_if_its_sum_does, 0, NR_CASES);
	tcase_add_test(tc, a_value_that_is_over_speaks_for_its_blocks);
	return tc;
}
