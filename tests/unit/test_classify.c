/* SPDX-License-Identifier: GPL-2.0-only */
/* The type of a block, compared with dumpe2fs on the same file system. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "e2lazy_view.h"
#include "fixture.h"

static const struct {
	const char	*size;
	const char	*mke2fs;
} systems[] = {
	{ "64M",  "-b 1024 -J size=1" },
	{ "256M", "-b 4096 -J size=4" },
	{ "256M", "-b 1024 -J size=1 -O meta_bg,^resize_inode" },
	{ "256M", "-b 1024 -J size=1 -O sparse_super2 -E num_backup_sb=2" },
	{ "256M", "-b 1024 -J size=1 -O ^flex_bg,^sparse_super,^resize_inode" },
	{ "1G",	  "-b 4096 -J size=4 -O bigalloc -C 16384" },
	{ "256M", "-b 1024 -J size=1 -O bigalloc -C 16384" },
	{ "512M", "-b 4096 -J size=4 -O mmp -E packed_meta_blocks=1" },
};
#define NR_SYSTEMS (sizeof(systems) / sizeof(systems[0]))

struct claims {
	unsigned char	*type;		/* enum e2lazy_type a block */
	dgrp_t		*group;
	size_t		blocks;
};

static void claim(struct claims *c, const char *from, enum e2lazy_type type,
		  dgrp_t group)
{
	unsigned long a, b;
	int n = sscanf(from, "%lu-%lu", &a, &b);

	ck_assert_int_ge(n, 1);
	if (n == 1)
		b = a;
	ck_assert_uint_lt(b, c->blocks);
	for (; a <= b; a++) {
		c->type[a] = type;
		c->group[a] = group;
	}
}

/* "Group 0: ...", then lines such as "  Inode table at 43-126 (+42)". */
static void claim_line(struct claims *c, const char *line, dgrp_t *group)
{
	static const struct {
		const char *text;
		enum e2lazy_type type;
	} words[] = {
		{ "Primary superblock at ", E2LAZY_TYPE_SUPER },
		{ "Backup superblock at ", E2LAZY_TYPE_SUPER_BACKUP },
		{ "Reserved GDT blocks at ", E2LAZY_TYPE_RESERVED_DESC },
		{ "Block bitmap at ", E2LAZY_TYPE_BLOCK_BITMAP },
		{ "Inode bitmap at ", E2LAZY_TYPE_INODE_BITMAP },
		{ "Inode table at ", E2LAZY_TYPE_INODE_TABLE },
		{ "Group descriptors at ", E2LAZY_TYPE_DESC },
		{ "Group descriptor at ", E2LAZY_TYPE_DESC },
		{ "MMP block number: ", E2LAZY_TYPE_MMP },
	};

	sscanf(line, "Group %u:", group);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *at = strcasestr(line, words[i].text);
		enum e2lazy_type type = words[i].type;

		if (!at)
			continue;
		if (type == E2LAZY_TYPE_DESC && strstr(line, "Backup"))
			type = E2LAZY_TYPE_DESC_BACKUP;
		/* meta_bg: one block for 16 groups of 1 KiB blocks, in the
		   first of them, and a copy in the second and the last */
		if (type == E2LAZY_TYPE_DESC && *group % 16 &&
		    strstr(line, "Group descriptor at"))
			type = E2LAZY_TYPE_DESC_BACKUP;
		claim(c, at + strlen(words[i].text), type, *group);
	}
}

static void ask_dumpe2fs(const char *image, struct claims *c)
{
	char line[1024];
	dgrp_t group = 0;
	FILE *p;

	snprintf(line, sizeof(line), "dumpe2fs %s 2>/dev/null", image);
	p = popen(line, "r");
	ck_assert_ptr_nonnull(p);
	while (fgets(line, sizeof(line), p))
		claim_line(c, line, &group);
	ck_assert_int_eq(pclose(p), 0);
}

/* libcheck writes for each assertion, so a million blocks share one. */
static void compare(struct fixture *f, struct claims *c)
{
	struct e2lazy_layout *layout;
	ext2_filsys fs;
	size_t fixed = 0;

	ck_assert_int_eq(e2lazy_layout_build(f->journal, f->map, &layout,
					     NULL), 0);
	fs = e2lazy_layout_fs(layout);
	for (blk64_t b = 0; b < c->blocks; b++) {
		struct e2lazy_place place;

		e2lazy_layout_find(layout, b, &place);
		if (e2lazy_is_journal_block(f->journal, b)) {
			ck_assert_int_eq(place.type, E2LAZY_TYPE_JOURNAL);
			continue;
		}
		if (place.type != c->type[b])
			ck_abort_msg("block %llu is %s, dumpe2fs: %s", b,
				     e2lazy_type_name(place.type),
				     e2lazy_type_name(c->type[b]));
		if (place.group >= fs->group_desc_count)
			ck_abort_msg("block %llu is of group %u", b,
				     place.group);
		if (place.type == E2LAZY_TYPE_OTHER)
			continue;
		fixed++;
		if (place.type >= E2LAZY_TYPE_BLOCK_BITMAP &&
		    place.type <= E2LAZY_TYPE_INODE_TABLE)
			ck_assert_uint_eq(place.group, c->group[b]);
		if (place.type == E2LAZY_TYPE_INODE_TABLE)
			ck_assert_uint_eq(place.ino, 1 + place.group *
				fs->super->s_inodes_per_group +
				(b - ext2fs_inode_table_loc(fs, place.group)) *
				fs->blocksize / fs->super->s_inode_size);
	}
	ck_assert_uint_gt(fixed, fs->group_desc_count);
	e2lazy_layout_free(layout);
}

static void compare_with(struct fixture *f, const char *image, size_t blocks)
{
	struct claims c = { .blocks = blocks };

	c.type = malloc(c.blocks);
	c.group = calloc(c.blocks, sizeof(*c.group));
	memset(c.type, E2LAZY_TYPE_OTHER, c.blocks);
	ask_dumpe2fs(image, &c);
	compare(f, &c);
	free(c.type);
	free(c.group);
}

START_TEST(layout_is_what_dumpe2fs_says)
{
	struct fixture *f = new_fixture();

	make_image(f, systems[_i].size, systems[_i].mke2fs, NULL);
	read_map(f, 0, 0);
	compare_with(f, f->image, ext2fs_blocks_count(
				e2lazy_static_fs(f->journal)->super));
}
END_TEST

/* Put block @fsblk of @from where the log of @f has its copy. */
static void log_block_of(struct fixture *f, const char *from, blk64_t fsblk)
{
	int in = open(from, O_RDONLY), out = open(f->image, O_WRONLY);
	struct e2lazy_copy copy;
	char buf[1024];

	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, fsblk, &copy), 0);
	ck_assert_int_eq(pread(in, buf, 1024, 1024 * fsblk), 1024);
	ck_assert_int_eq(pwrite(out, buf, 1024, 1024 * copy.physblk), 1024);
	close(in);
	close(out);
}

/*
 * An online resize whose blocks were never written home: the log has the
 * superblock and the descriptors, blocks 1 to 5, by resize2fs.
 */
START_TEST(layout_follows_a_resize_that_only_the_log_has)
{
	struct fixture *f = map_of_fs(PLAIN, NULL);

	shell(f, "f=%s && g=$(dirname $f)/journal.img && "
		 "truncate -s 512M $f && cp --sparse=always $f $g && "
		 "resize2fs $g");
	write_log(f, "txn 5 write 1-5,70000\n");
	read_map(f, 0, 0);
	for (blk64_t fsblk = 1; fsblk <= 5; fsblk++)
		log_block_of(f, f->device, fsblk);
	drop(f);
	read_map(f, 0, 0);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
	ck_assert_mapped(f, 70000, 5);
	compare_with(f, f->device, 512 * 1024);
}
END_TEST

/*
 * With bigalloc and 1 KiB blocks s_first_data_block is 0, and the superblock
 * still in block 1: the second block of descriptors, of groups 16 and up, is
 * block 3.  Here only the log has it.
 */
START_TEST(descriptors_are_found_behind_the_superblock)
{
	struct fixture *f = new_fixture();

	make_image(f, "3G", "-b 1024 -J size=1 -O bigalloc -C 16384 "
		   "-E lazy_itable_init=1,lazy_journal_init=1", NULL);
	shell(f, "f=%s && cp --sparse=always $f $(dirname $f)/journal.img");
	write_log(f, "txn 5 write 3\n");
	read_map(f, 0, 0);
	log_block_of(f, f->device, 3);
	drop(f);
	shell(f, "dd if=/dev/zero of=%s bs=1024 seek=3 count=1 conv=notrunc");
	read_map(f, 0, 0);
	compare_with(f, f->device, 3 << 20);
}
END_TEST

/*
 * A superblock in the log that says 64bit, which the static one does not: with
 * its s_desc_size of 0, to believe it is to divide by zero.
 */
START_TEST(superblock_of_other_features_is_not_believed)
{
	struct fixture *f = map_of_fs("-b 1024 -J size=1 -O ^64bit", NULL);
	struct ext2_super_block sb;
	struct e2lazy_copy copy;
	int fd;

	shell(f, "truncate -s 80M %s");
	write_log(f, "journal csum none 32bit\ntxn 5 write 1,70000\n");
	read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 1, &copy), 0);
	fd = open(f->image, O_RDWR);
	ck_assert_int_eq(pread(fd, &sb, 1024, 1024), 1024);
	sb.s_feature_incompat |= EXT4_FEATURE_INCOMPAT_64BIT;
	sb.s_blocks_count += 8192;
	ck_assert_int_eq(pwrite(fd, &sb, 1024, 1024 * copy.physblk), 1024);
	close(fd);

	drop(f);
	read_map(f, 0, 0);
	ck_assert_uint_eq(e2lazy_jmap_fs_blocks(f->map), 65536);
	ck_assert_not_mapped(f, 70000);
	compare_with(f, f->image, 65536);
}
END_TEST

/* ------------------------------------------------------- by content */

/* A file system with each kind of block, made and named by stock tools. */
static struct fixture *sample(const char *options)
{
	struct fixture *f = new_fixture();

	make_image(f, "64M", options, NULL);
	shell(f, "(echo mkdir d; for i in $(seq 400); do echo \"write "
		 "/etc/hostname d/a-rather-long-name-of-a-file-$i\"; done) | "
		 "debugfs -w -f - %s");
	return f;
}

static enum e2lazy_type identify(struct fixture *f, blk64_t fsblk)
{
	struct e2lazy_layout *layout;
	enum e2lazy_type type;
	char buf[4096];

	if (!f->journal)
		read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_layout_build(f->journal, f->map, &layout,
					     NULL), 0);
	ck_assert_int_eq(e2lazy_read_block(f->journal, NULL, fsblk, buf), 0);
	type = e2lazy_identify(layout, buf);
	e2lazy_layout_free(layout);
	return type;
}

static blk64_t ask_debugfs(struct fixture *f, const char *command)
{
	char line[1024];
	blk64_t fsblk = 0;
	FILE *p;

	snprintf(line, sizeof(line), "debugfs -R '%s' %s 2>/dev/null", command,
		 f->image);
	p = popen(line, "r");
	ck_assert_ptr_nonnull(p);
	ck_assert_int_eq(fscanf(p, "%llu", &fsblk), 1);
	pclose(p);
	ck_assert_uint_gt(fsblk, 0);
	return fsblk;
}

START_TEST(directory_blocks_are_known)
{
	struct fixture *f = sample(_i ? "-b 1024 -J size=1 -O metadata_csum" :
					"-b 1024 -J size=1 -O ^metadata_csum");

	ck_assert_int_eq(identify(f, ask_debugfs(f, "bmap / 0")),
			 E2LAZY_TYPE_DIRECTORY);
	ck_assert_int_eq(identify(f, ask_debugfs(f, "bmap d 3")),
			 E2LAZY_TYPE_DIRECTORY);
	ck_assert_int_eq(identify(f, ask_debugfs(f, "bmap lost+found 1")),
			 E2LAZY_TYPE_DIRECTORY);
}
END_TEST

START_TEST(htree_root_is_known)
{
	struct fixture *f = sample(_i ? "-b 1024 -J size=1 -O metadata_csum" :
					"-b 1024 -J size=1 -O ^metadata_csum");

	/* e2fsck -D makes an index of the linear directory; exit 1: it did */
	shell(f, "e2fsck -fyD %s; test $? -le 1");
	ck_assert_int_eq(identify(f, ask_debugfs(f, "bmap d 0")),
			 E2LAZY_TYPE_HTREE);
	ck_assert_int_eq(identify(f, ask_debugfs(f, "bmap d 1")),
			 E2LAZY_TYPE_DIRECTORY);
}
END_TEST

START_TEST(indirect_block_is_known)
{
	struct fixture *f = sample("-b 1024 -J size=1 -O ^extent,^64bit");
	struct ext2_inode inode;
	ext2_filsys fs;

	read_map(f, 0, 0);
	fs = e2lazy_static_fs(f->journal);
	ck_assert_int_eq(ext2fs_read_inode(fs, 8, &inode), 0);
	ck_assert_int_eq(identify(f, inode.i_block[EXT2_IND_BLOCK]),
			 E2LAZY_TYPE_INDIRECT);
}
END_TEST

START_TEST(text_and_zeros_are_data)
{
	struct fixture *f = sample("-b 1024 -J size=1 -O metadata_csum");

	ck_assert_int_eq(identify(f, 60000), E2LAZY_TYPE_DATA);
	write_log(f, "txn 5 write 60000\n");
	shell(f, "e2fsck -fy -E journal_only %s; "
		 "test $? -le 1");
	ck_assert_int_eq(identify(f, 60000), E2LAZY_TYPE_DATA);
}
END_TEST

TCase *classify_tests(void)
{
	TCase *tc = tcase_create("classify");

	tcase_add_loop_test(tc, layout_is_what_dumpe2fs_says, 0, NR_SYSTEMS);
	tcase_add_test(tc, layout_follows_a_resize_that_only_the_log_has);
	tcase_add_test(tc, descriptors_are_found_behind_the_superblock);
	tcase_add_test(tc, superblock_of_other_features_is_not_believed);
	tcase_add_loop_test(tc, directory_blocks_are_known, 0, 2);
	tcase_add_loop_test(tc, htree_root_is_known, 0, 2);
	tcase_add_test(tc, indirect_block_is_known);
	tcase_add_test(tc, text_and_zeros_are_data);
	return tc;
}
