/* SPDX-License-Identifier: GPL-2.0-only */
/* orphan_present: kept only as long as the orphan file may have an inode. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "home.h"
#include "owned.h"

#define BLOCK	1024
#define SUMS	"-O 64bit,metadata_csum,orphan_file"
#define NONE	"-O ^64bit,^metadata_csum,^metadata_csum_seed,orphan_file"

static ext2_filsys open_whole(struct owned *o)
{
	ext2_filsys fs;

	ck_assert_int_eq(ext2fs_open(o->f->image, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	ck_assert_uint_ne(fs->super->s_orphan_file_inum, 0);
	return fs;
}

/* Block @lblk of the orphan file; -1: its last one. */
static blk64_t orphan_block(struct owned *o, int lblk)
{
	ext2_filsys fs = open_whole(o);
	ext2_ino_t ino = fs->super->s_orphan_file_inum;
	struct ext2_inode inode;

	ck_assert_int_eq(ext2fs_read_inode(fs, ino, &inode), 0);
	if (lblk < 0)
		lblk += (int)(EXT2_I_SIZE(&inode) / BLOCK);
	ext2fs_free(fs);
	return block_of_ino(o, ino, (blk64_t)lblk);
}

static void set_super(struct owned *o, const char *format)
{
	ext2_filsys fs = open_whole(o);
	char line[256];

	snprintf(line, sizeof(line), format, fs->super->s_orphan_file_inum,
		 fs->super->s_orphan_file_inum);
	ext2fs_free(fs);
	alter(o, line);
}

/* The checksums by libext2fs. */
static void put_number(struct owned *o, int lblk, unsigned place, uint32_t ino)
{
	ext2_filsys fs = open_whole(o);
	blk64_t fsblk = orphan_block(o, lblk);
	uint32_t block[BLOCK / 4];

	read_block(o, fsblk, block);
	block[place] = ext2fs_cpu_to_le32(ino);
	ck_assert_int_eq(ext2fs_orphan_file_block_csum_set(fs,
				fs->super->s_orphan_file_inum, fsblk,
				(char *)block), 0);
	write_block(o, fsblk, block);
	ext2fs_free(fs);
}

static void flip(struct owned *o, int lblk, unsigned at)
{
	blk64_t fsblk = orphan_block(o, lblk);
	uint8_t block[BLOCK];

	read_block(o, fsblk, block);
	block[at] ^= 1;
	write_block(o, fsblk, block);
}

/* ---------------------------------------------------------- the changes --- */

#define LAST	(BLOCK / 4 - 3)		/* place for a number */

static void nothing(struct owned *o)		{ (void)o; }
static void first_place(struct owned *o)	{ put_number(o, 0, 0, 11); }
static void last_place(struct owned *o)		{ put_number(o, -1, LAST, 11); }
static void magic_at_end(struct owned *o)	{ flip(o, -1, BLOCK - 8); }
static void checksum_at_end(struct owned *o)	{ flip(o, -1, BLOCK - 4); }

static void hole(struct owned *o)
{
	set_super(o, "punch <%u> 3 3\n");
}

/* As many blocks as its size says, and the last one past that. */
static void hole_and_end(struct owned *o)
{
	set_super(o, "punch <%u> 3 3\nsif <%u> size 31744\n");
}

static void short_end(struct owned *o)
{
	set_super(o, "sif <%u> size 2000\n");
}

static void longer(struct owned *o)
{
	set_super(o, "sif <%u> size 1024000\n");
}

static void no_file(struct owned *o)
{
	set_super(o, "sif <%u> mode 040600\n");
}

static void no_inode(struct owned *o)
{
	set_super(o, "ssv orphan_file_inum 0\n");
}

static void beyond_inodes(struct owned *o)
{
	set_super(o, "ssv orphan_file_inum 4000000\n");
}

static void bad_inode(struct owned *o)
{
	set_super(o, "sif <%u> checksum 1\n");
}

static void logged_empty(struct owned *o)
{
	log_block(o, orphan_block(o, 0));
	keep_txn(o, (blk64_t[]){ orphan_block(o, 0), 0 });
	put_number(o, 0, 0, 11);
}

static void logged_number(struct owned *o)
{
	log_block(o, orphan_block(o, 0));
	put_number(o, 0, 0, 11);
	keep_txn(o, (blk64_t[]){ orphan_block(o, 0), 0 });
	put_number(o, 0, 0, 0);
}

static const struct {
	const char	*mke2fs;
	void		(*change)(struct owned *o);
	bool		stays;
} cases[] = {
	{ SUMS, nothing, false }, { NONE, nothing, false },
	{ SUMS ",metadata_csum_seed", nothing, false },
	{ SUMS, first_place, true }, { SUMS, last_place, true },
	{ NONE, last_place, true },
	{ SUMS, magic_at_end, true }, { NONE, magic_at_end, true },
	{ SUMS, checksum_at_end, true }, { NONE, checksum_at_end, false },
	{ SUMS, hole, true }, { SUMS, hole_and_end, true },
	{ SUMS, short_end, true }, { SUMS, longer, true },
	{ SUMS, no_file, true }, { SUMS, no_inode, true },
	{ SUMS, beyond_inodes, true }, { SUMS, bad_inode, true },
	/* the newest copy counts, wherever it is */
	{ SUMS, logged_empty, false }, { SUMS, logged_number, true },
};

#define NR_CASES	(sizeof(cases) / sizeof(*cases))

/* The log has a block of nobody, too. */
static struct owned *make(size_t i)
{
	struct owned *o = new_owned(cases[i].mke2fs, "echo hello >f");

	alter(o, "feature orphan_present\n");
	cases[i].change(o);
	keep_txn(o, (blk64_t[]){ FREE, 0 });
	write_txns(o);
	return o;
}

static bool is_set(const uint8_t *super)
{
	return super[0x66] & 1;		/* 0x10000 of s_feature_ro_compat */
}

static void check_view(struct home *h, bool stays)
{
	uint8_t super[1024];

	ck_assert_int_eq(e2lazy_view_read(h->view, E2LAZY_FILE_SYSTEM, 1024,
					  sizeof(super), super, NULL), 0);
	ck_assert_int_eq(is_set(super), stays);
}

static bool finds_orphans(const struct e2lazy_verdict *verdict)
{
	const struct e2lazy_finding *f;

	for (size_t i = 0; (f = e2lazy_verdict_finding(verdict, i)); i++)
		if (!strcmp(f->problem->id, "orphans"))
			return f->count;
	return false;
}

START_TEST(orphan_present_stays_while_the_orphan_file_may_have_an_inode)
{
	bool stays = cases[_i].stays;
	struct owned *o = make(_i);
	uint8_t super[1024];
	struct home h;

	read_block(o, 1, super);
	ck_assert(is_set(super));
	home_begin(&h, o->f);
	check_view(&h, stays);
	ck_assert_int_eq(finds_orphans(h.verdict), stays);
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert(h.done.sealed);
	home_end(&h);
	read_block(o, 1, super);
	ck_assert_int_eq(is_set(super), stays);
	/* e2fsck looks at the field of a checksum that nobody uses. */
	if (!stays && cases[_i].change != checksum_at_end)
		shell(o->f, "e2fsck -fn %s");
	free_owned(o);
}
END_TEST

TCase *orphan_flag_tests(void)
{
	TCase *tc = tcase_create("orphan_flag");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc,
	     orphan_present_stays_while_the_orphan_file_may_have_an_inode, 0,
	     NR_CASES);
	return tc;
}
