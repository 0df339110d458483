/* SPDX-License-Identifier: GPL-2.0-only */
/* A superblock may declare no more groups than there are descriptors of. */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "e2lazy_view.h"
#include "fixture.h"
#include "io/bounds.h"
#include "log/log.h"

#define UNCHECKED "-J size=4 -O ^64bit,^metadata_csum,^resize_inode"

/* Offsets in the superblock. */
enum { INODES = 0, BLOCKS = 4, GROUP_BLOCKS = 32, GROUP_CLUSTERS = 36,
       GROUP_INODES = 40, INCOMPAT = 96 };

static void put(struct fixture *f, unsigned offset, uint32_t value)
{
	int fd = open(f->image, O_WRONLY);
	uint32_t le = ext2fs_cpu_to_le32(value);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, &le, sizeof(le), 1024 + offset),
			 sizeof(le));
	close(fd);
}

/* Change the declared numbers and leave the content. */
static void declare(struct fixture *f, uint32_t groups, uint32_t blocks,
		    uint32_t inodes)
{
	put(f, INODES, groups * inodes);
	put(f, BLOCKS, groups * blocks);
	put(f, GROUP_BLOCKS, blocks);
	put(f, GROUP_CLUSTERS, blocks);
	put(f, GROUP_INODES, inodes);
	ck_assert_int_eq(truncate(f->image, (off_t)groups * blocks * 4096), 0);
}

static const struct {
	const char	*why;
	uint32_t	groups, blocks, inodes;
	errcode_t	error;
} monsters[] = {
	{ "as mke2fs made it",		1, 16384, 16384, 0 },
	{ "fewer inodes than a block",	1 << 20, 512, 8, E2LAZY_ET_GEOMETRY },
	{ "more inodes than bits",	2, 32768, 32784, E2LAZY_ET_GEOMETRY },
	{ "more blocks than bits",	2, 32776, 16384, E2LAZY_ET_GEOMETRY },
	{ "groups without room for their own",
	  16, 16, 512, E2LAZY_ET_GEOMETRY },
	{ "descriptors longer than a group",
	  1 << 20, 512, 16, E2LAZY_ET_GEOMETRY },
	{ "the most that may be empty",	32768, 32768, 16, 0 },
	/* the bitmaps and inodes that lie behind the first are no zeros */
	{ "twice as many",		65536, 32768, 16, E2LAZY_ET_GROUPS },
};
#define NR_MONSTERS (sizeof(monsters) / sizeof(monsters[0]))

START_TEST(more_groups_than_can_be_are_not_believed)
{
	struct fixture *f = new_fixture();

	make_image(f, "64M", "-b 4096 " UNCHECKED, NULL);
	declare(f, monsters[_i].groups, monsters[_i].blocks,
		monsters[_i].inodes);
	ck_assert_msg(try_open(f, NULL) == monsters[_i].error, "%s",
		      monsters[_i].why);
}
END_TEST

/* One descriptor block stands at the head of every 128th group. */
START_TEST(descriptors_that_lie_apart_are_looked_at)
{
	struct fixture *f = new_fixture();

	make_image(f, "64M", "-b 4096 " UNCHECKED ",meta_bg", NULL);
	declare(f, 1 << 20, 512, 16);
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_GROUPS);
}
END_TEST

/* 40960 groups of 256 blocks by mke2fs have 1.25 MiB of descriptors. */
START_TEST(groups_that_are_described_are_believed)
{
	struct e2lazy_open_opts backup = { .superblock = 257,
					   .blocksize = 1024 };
	struct fixture *f = new_fixture();

	make_image(f, "10G", "-b 1024 -g 256 -N 163840 -O meta_bg,"
		   "^resize_inode -E lazy_itable_init=1 -J size=4", NULL);
	read_map(f, 0, 0);
	ck_assert_uint_gt(f->journal->fs->desc_blocks * 1024,
			  E2LAZY_EMPTY_DESCRIPTORS);
	drop(f);
	ck_assert_int_eq(try_open(f, &backup), 0);
}
END_TEST

/* A superblock in the log can declare more than the one in place does. */
START_TEST(groups_that_the_log_adds_must_be_described)
{
	struct fixture *f = new_fixture();
	struct e2lazy_layout *layout;
	struct e2lazy_copy copy;
	char block[1024];
	__u32 *blocks = (__u32 *)(void *)(block + BLOCKS);
	int fd;

	make_image(f, "64M", "-b 1024 " UNCHECKED, "txn 5 write 1\n");
	read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 1, &copy), 0);
	fd = open(f->image, O_RDWR);
	ck_assert_int_eq(pread(fd, block, 1024, 1024), 1024);
	*blocks = ext2fs_cpu_to_le32(1 << 30);
	ck_assert_int_eq(pwrite(fd, block, 1024, copy.physblk * 1024), 1024);
	ck_assert_int_eq(ftruncate(fd, (off_t)1 << 40), 0);
	close(fd);
	drop(f);
	read_map(f, 0, 0);
	ck_assert_uint_eq(e2lazy_jmap_fs_blocks(f->map), 1 << 30);
	ck_assert_int_eq(e2lazy_layout_build(f->journal, f->map, &layout,
					     NULL), E2LAZY_ET_GROUPS);
}
END_TEST

TCase *bounds_tests(void)
{
	TCase *tc = tcase_create("bounds");

	tcase_add_loop_test(tc, more_groups_than_can_be_are_not_believed, 0,
			    NR_MONSTERS);
	tcase_add_test(tc, descriptors_that_lie_apart_are_looked_at);
	tcase_add_test(tc, groups_that_are_described_are_believed);
	tcase_add_test(tc, groups_that_the_log_adds_must_be_described);
	return tc;
}
