/* SPDX-License-Identifier: GPL-2.0-only */
/* Contents that only the log had: the proofs that they have gone home. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deleted.h"

#define LONG	"ln -s $(seq -s, 30) f"
#define OPTION	"tune2fs -o journal_data %s"
/* A lazy kernel has been here. */
#define RECORD	"f=%s; at=$(debugfs -R 'blocks <8>' $f 2>/dev/null | " \
	"cut -d ' ' -f 1); python3 $FIXTURES/../linux/lazy_record.py $f " \
	"$((at * $(dumpe2fs -h $f 2>/dev/null | " \
	"sed -n 's/^Block size: *//p'))) plant"
#define BLOCK_NUMBERS "-b 1024 -J size=1 -O ^64bit,^metadata_csum,^extents"
#define PIECES_OF(file) "for i in 0 2 4; do echo $i | dd of=" file \
	" bs=1024 seek=$i conv=notrunc; done"

struct home_case {
	const char	*features, *tree;
	const char	*before;	/* commands for debugfs, before all is logged */
	uint32_t	tid;		/* of the ring's first transaction */
	const char	*shell;		/* before the search; or NULL */
	bool		mounted;	/* an id is left out before the deletion */
	bool		beside;		/* the first block of /g is logged */
	bool		second;		/* and its second one */
	/* the first block of this file of the file system's own is logged */
	ext2_ino_t	(*own)(const struct ext2_super_block *sb);
	bool		alive;		/* the deletion is in no transaction */
	/* so many seconds ago, and the deletion is now; 0: as it is made */
	unsigned	born, last_mount;
	bool		home;		/* the contents are intact */
};

static ext2_ino_t orphan_file(const struct ext2_super_block *sb)
{
	return sb->s_orphan_file_inum;
}

static ext2_ino_t quota_file(const struct ext2_super_block *sb)
{
	return sb->s_prj_quota_inum;
}

static ext2_ino_t own_ino(struct owned *o, const struct home_case *c)
{
	ext2_filsys fs;
	ext2_ino_t ino;

	ck_assert_int_eq(ext2fs_open(o->f->image, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	ino = c->own(fs->super);
	ck_assert_uint_ge(ino, EXT2_FIRST_INODE(fs->super));
	ext2fs_free(fs);
	return ino;
}

static struct scene make_case(const struct home_case *c)
{
	struct scene s = { .o = new_owned(c->features, c->tree) };
	struct owned *o = s.o;
	blk64_t all[8] = { home_of(o, EXT2_ROOT_INO), block_of(o, "/", 0),
			   home_of(o, ino_of(o, "/f")) };
	char spec[64];
	unsigned nr = 3;

	snprintf(spec, sizeof(spec), "journal csum none\nsequence %u\n", c->tid);
	write_log(o->f, spec);
	if (c->before)
		alter(o, c->before);
	if (c->born)
		set_time(o, "sif f crtime", c->born);
	if (c->last_mount)
		set_time(o, "ssv mtime", c->last_mount);
	s.block = block_of(o, "/f", 0);
	if (c->beside || c->second)
		all[nr++] = home_of(o, ino_of(o, "/g"));
	if (c->beside)
		all[nr++] = block_of(o, "/g", 0);
	if (c->second)
		all[nr++] = block_of(o, "/g", 1);
	if (c->own) {
		all[nr++] = home_of(o, own_ino(o, c));
		all[nr++] = block_of_ino(o, own_ino(o, c), 0);
	}
	keep_txn(o, all);
	alter(o, "rm f\n");
	all[3] = 0;
	if (!c->alive)
		keep_txn(o, all);
	write_txns(o);
	if (c->mounted)
		shift_ids(o, c->tid + 1, 1);
	replay_log(o);
	if (c->alive || c->mounted)	/* nobody replays the other one */
		alter(o, "rm f\n");
	if (c->shell)
		shell(o->f, c->shell);
	return s;
}

static const struct home_case cases[] = {
	/* a link's target is always logged */
	{ SUMS, LONG, .tid = 50, .born = 900 },
	{ SUMS, LONG, .tid = 50, .born = 900, .alive = true, .home = true },
	{ SUMS, LONG, .tid = 50, .born = 900, .mounted = true, .home = true },
	/* the ring has all */
	{ SUMS, LONG, .tid = 2, .born = 900, .home = true },
	{ SUMS, LONG, .tid = 3, .born = 900 },
	{ SUMS, LONG, "sif f crtime @2500000000\n", .tid = 50, .home = true },
	/* the last mount was after the link was made, and before its end */
	{ SUMS, LONG, .tid = 50, .born = 900, .last_mount = 600, .home = true },
	{ SUMS, LONG, "ssv mtime @2500000000\n", .tid = 50, .born = 900 },
	{ SUMS, LONG, .tid = 50, .born = 900, .last_mount = 1200 },
	/* the kernel has had more than an hour to write it back, if it does */
	{ SUMS, LONG, .tid = 50, .born = 4000, .home = true },
	{ SUMS, LONG, "ssv mount_opts noatime,journal_lazy\n", .tid = 50,
	  .born = 4000 },
	{ SUMS, LONG, .tid = 50, .born = 4000, .shell = RECORD },
	/* contents of files are logged with data=journal alone */
	{ SUMS, "echo hello >f", .tid = 50, .home = true },
	{ SUMS, "echo hello >f", .tid = 50, .shell = OPTION },
	{ SUMS, "echo hello >f", "ssv mount_opts noatime,data=journal\n",
	  .tid = 50 },
	{ SUMS, "echo hello >f", "sif f flags 0x84000\n", .tid = 50 },
	{ SUMS, "echo hello >f; seq 400 >g", .tid = 50, .beside = true },
	{ SUMS, "echo hello >f; seq 400 >g", .tid = 50, .second = true },
	/* whatever maps them */
	{ SUMS, "echo hello >f; " PIECES_OF("g"), .tid = 50, .beside = true },
	{ BLOCK_NUMBERS, "echo hello >f; seq 400 >g", .tid = 50, .beside = true },
	{ BLOCK_NUMBERS, "echo hello >f; seq 400 >g", .tid = 50, .home = true },
	/* the kernel logs the contents of its own files */
	{ SUMS " -O orphan_file", "echo hello >f", .tid = 50,
	  .own = orphan_file, .home = true },
	{ SUMS " -I 256 -O quota,project", "echo hello >f", .tid = 50,
	  .own = quota_file, .home = true },
	/* but once also when data moves from an inode */
	{ SUMS " -O inline_data", "seq 400 >f; seq 400 >g", .tid = 50,
	  .beside = true, .home = true },
	{ SUMS " -O inline_data", "seq 400 >f; seq 400 >g", .tid = 50,
	  .second = true },
	/* and times of a file prove nothing */
	{ SUMS, "echo hello >f", "sif f crtime @1500000000\n"
	  "sif f ctime @1500000000\nssv mtime @1600000000\n",
	  .tid = 50, .shell = OPTION },
};

#define NR_CASES	(sizeof(cases) / sizeof(*cases))

START_TEST(contents_that_the_log_had_count_if_they_went_home)
{
	const char *shell = cases[_i].shell;
	struct e2lazy_contents c;
	struct scene s;
	struct text t;

	if (shell && strstr(shell, "python3") &&
	    system("command -v python3 >/dev/null"))
		skip_test("no python3");
	s = make_case(&cases[_i]);
	find_deleted(&s);
	(void)the_file(&s);
	c = contents(&s, &t);
	ck_assert_int_eq(c.blocks[E2LAZY_GRADE_UNKNOWN] != 0, !cases[_i].home);
	ck_assert_int_eq(c.blocks[E2LAZY_GRADE_INTACT] != 0, cases[_i].home);
	/* without a look at the contents, too */
	ck_assert_int_eq(e2lazy_undelete_read(s.u, 0, E2LAZY_READ_NONE, NULL,
					      NULL, &c), 0);
	ck_assert_int_eq(c.blocks[E2LAZY_GRADE_UNKNOWN] != 0, !cases[_i].home);
	end_scene(&s);
}
END_TEST

static errcode_t count_value(void *priv, const char *name, const void *value,
			     size_t length)
{
	(void)name, (void)value;
	*(size_t *)priv += length;
	return 0;
}

static const struct home_case attribute_cases[] = {
	{ SUMS, "echo hello >f", FAR, .tid = 50 },
	{ SUMS, "echo hello >f", FAR, .tid = 2, .home = true },
	{ SUMS, "echo hello >f", FAR, .tid = 50, .mounted = true, .home = true },
	{ SUMS, "echo hello >f", FAR "sif f ctime @1500000000\n"
	  "ssv mtime @1600000000\n", .tid = 50, .home = true },
	{ SUMS, "echo hello >f", FAR "sif f crtime @1500000000\n"
	  "ssv mtime @1600000000\n", .tid = 50 },
};

#define NR_ATTRIBUTES	(sizeof(attribute_cases) / sizeof(*attribute_cases))

START_TEST(a_block_of_attributes_counts_if_it_went_home)
{
	struct scene s = make_case(&attribute_cases[_i]);
	size_t bytes = 0;
	unsigned lost;

	find_deleted(&s);
	(void)the_file(&s);
	ck_assert_int_eq(e2lazy_undelete_xattrs(s.u, 0, count_value, &bytes,
						&lost), 0);
	ck_assert_uint_eq(lost, !attribute_cases[_i].home);
	ck_assert_int_eq(bytes != 0, attribute_cases[_i].home);
	end_scene(&s);
}
END_TEST

TCase *went_home_tests(void)
{
	TCase *tc = tcase_create("went_home");

	tcase_add_loop_test(tc, contents_that_the_log_had_count_if_they_went_home,
			    0, NR_CASES);
	tcase_add_loop_test(tc, a_block_of_attributes_counts_if_it_went_home, 0,
			    NR_ATTRIBUTES);
	return tc;
}
