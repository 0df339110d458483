/* SPDX-License-Identifier: GPL-2.0-only */
/* Live copies of blocks in use: their owners, and ext4's own checksums. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"
#include "owned.h"

#define FEATURES "-O metadata_csum,64bit"
/* A directory of a block, a file of a block, a tree of extents, and room. */
#define TREE "mkdir d; echo x >d/name; echo text >f1; " PIECES

/* ------------------------------------------------------------- helpers */

struct content {
	struct owned	*o;
	struct judged	j;
	blk64_t		fsblk;
};

/* Log @fsblk as it stands in place. */
static void begin(struct content *c, struct owned *o, blk64_t fsblk)
{
	char spec[128];

	memset(c, 0, sizeof(*c));
	c->o = o;
	c->fsblk = fsblk;
	snprintf(spec, sizeof(spec), "journal csum none\ntxn 5 write %llu\n",
		 (unsigned long long)fsblk);
	write_log(o->f, spec);
	put_real(o->f, fsblk);
}

static const char *content(struct content *c)
{
	return judge(&c->j, c->o->f, E2LAZY_VERIFY_CONTENT);
}

static void end(struct content *c)
{
	close_subject(&c->j);
	free_owned(c->o);
}

/* Sound as it is; with the byte at @offset inverted, @expect. */
static void check_flipped(struct owned *o, blk64_t fsblk, unsigned offset,
			  const char *expect)
{
	struct content c;

	begin(&c, o, fsblk);
	ck_assert_str_eq(content(&c), "");
	flip_copy(o->f, fsblk, offset);
	ck_assert_str_eq(content(&c), expect);
	ck_assert_uint_eq(c.j.first.fsblk, fsblk);
	ck_assert_uint_eq(c.j.places, c.j.in_findings);
	end(&c);
}

static ext2_filsys look_into(struct owned *o)
{
	ext2_filsys fs;

	ck_assert_int_eq(ext2fs_open(o->f->image, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	return fs;
}

static blk64_t bitmap_of(struct owned *o, bool inodes)
{
	ext2_filsys fs = look_into(o);
	blk64_t fsblk = inodes ? ext2fs_inode_bitmap_loc(fs, 0) :
				 ext2fs_block_bitmap_loc(fs, 0);

	ext2fs_free(fs);
	return fsblk;
}

/* ------------------------------------------------------------ checksums */

START_TEST(a_superblock_that_fails_its_checksum_is_super_csum)
{
	struct content c;

	begin(&c, new_owned(FEATURES, TREE), 1);
	ck_assert_str_eq(content(&c), "");
	flip_copy(c.o->f, 1, 0x78);		/* s_volume_name */
	c.j.no_view = EXT2_ET_SB_CSUM_INVALID;
	ck_assert_str_eq(content(&c), "super-csum 1");
	end(&c);
}
END_TEST

START_TEST(a_descriptor_is_desc_csum)
{
	/* bg_itable_unused_lo of group 3 */
	check_flipped(new_owned(FEATURES, TREE), 2, 3 * 64 + 0x10,
		      "desc-csum 1");
}
END_TEST

START_TEST(a_block_bitmap_is_block_bitmap_csum_and_counts)
{
	struct owned *o = new_owned(FEATURES, TREE);

	check_flipped(o, bitmap_of(o, false), 900,
		      "block-bitmap-csum 1 bitmap-count 1");
}
END_TEST

START_TEST(an_inode_bitmap_is_inode_bitmap_csum_and_counts)
{
	struct owned *o = new_owned(FEATURES, TREE);

	check_flipped(o, bitmap_of(o, true), 20,
		      "inode-bitmap-csum 1 bitmap-count 1");
}
END_TEST

/* The log has the descriptor of an inode that was made, and nothing else. */
START_TEST(a_descriptor_without_its_bitmap_does_not_fit_the_one_in_place)
{
	struct owned *o = new_owned(FEATURES, TREE);
	blk64_t bitmap = bitmap_of(o, true);
	uint8_t before[2][1024];
	struct content c;

	read_block(o, 2, before[0]);
	read_block(o, bitmap, before[1]);
	alter(o, "write /dev/null made\n");
	begin(&c, o, 2);
	ck_assert_str_eq(content(&c), "");
	write_block(o, 2, before[0]);
	write_block(o, bitmap, before[1]);
	ck_assert_str_eq(content(&c), "inode-bitmap-csum 1 bitmap-count 1");
	ck_assert_uint_eq(c.j.first.fsblk, bitmap);
	end(&c);
}
END_TEST

/* The bitmap in place is as wrong as its copy. */
START_TEST(counts_are_compared_without_checksums_too)
{
	struct owned *o = new_owned("-O ^metadata_csum,^uninit_bg", TREE);
	struct content c;

	begin(&c, o, bitmap_of(o, false));
	ck_assert_str_eq(content(&c), "");
	flip_copy(o->f, c.fsblk, 900);
	flip_static(o->f, c.fsblk, 901);
	ck_assert_str_eq(content(&c), "bitmap-count 1");
	end(&c);
}
END_TEST

START_TEST(so_they_are_of_clusters)
{
	struct owned *o = new_owned(FEATURES ",bigalloc -C 16384", TREE);

	check_flipped(o, bitmap_of(o, false), 200,
		      "block-bitmap-csum 1 bitmap-count 1");
}
END_TEST

/* One block less than the others, because the first block is in no group. */
START_TEST(the_last_group_has_fewer_blocks)
{
	struct owned *o = new_owned(FEATURES, TREE);
	ext2_filsys fs = look_into(o);
	dgrp_t last = fs->group_desc_count - 1;
	blk64_t fsblk = ext2fs_block_bitmap_loc(fs, last);

	ck_assert_uint_eq(ext2fs_group_blocks_count(fs, last), 8191);
	ck_assert(!ext2fs_bg_flags_test(fs, last, EXT2_BG_BLOCK_UNINIT));
	ext2fs_free(fs);
	check_flipped(o, fsblk, 8191 / 8,
		      "block-bitmap-csum 1 bitmap-count 1");
}
END_TEST

/* Damage the copy of @fsblk: no check reads it. */
static void check_ignored(struct owned *o, blk64_t fsblk)
{
	struct content c;

	begin(&c, o, fsblk);
	flip_copy(o->f, fsblk, 40);
	ck_assert_str_eq(content(&c), "");
	end(&c);
}

START_TEST(bitmaps_not_in_use_yet_are_not_judged)
{
	for (unsigned inodes = 0; inodes < 2; inodes++) {
		struct owned *o = new_owned(FEATURES, TREE);
		ext2_filsys fs = look_into(o);
		uint16_t flag = inodes ? EXT2_BG_INODE_UNINIT :
					 EXT2_BG_BLOCK_UNINIT;
		dgrp_t g = 0;

		while (!ext2fs_bg_flags_test(fs, g, flag))
			ck_assert_uint_lt(++g, fs->group_desc_count);
		check_ignored(o, inodes ? ext2fs_inode_bitmap_loc(fs, g) :
					  ext2fs_block_bitmap_loc(fs, g));
		ext2fs_free(fs);
	}
}
END_TEST

START_TEST(nor_are_inodes_not_in_use_yet)
{
	struct owned *o = new_owned(FEATURES, TREE);
	ext2_filsys fs = look_into(o);

	ck_assert_uint_ge(ext2fs_bg_itable_unused(fs, 0), 4);
	check_ignored(o, ext2fs_inode_table_loc(fs, 0) +
			 fs->inode_blocks_per_group - 1);
	ext2fs_free(fs);
}
END_TEST

START_TEST(an_inode_is_inode_csum)
{
	struct owned *o = new_owned(FEATURES, TREE);
	ext2_ino_t ino = ino_of(o, "/f1");

	/* i_mtime */
	check_flipped(o, home_of(o, ino), (ino - 1) % 4 * 256 + 0x10,
		      "inode-csum 1");
}
END_TEST

START_TEST(a_directory_block_is_directory_csum)
{
	struct owned *o = new_owned(FEATURES, TREE);

	check_flipped(o, block_of(o, "/d", 0), 32, "directory-csum 1");
}
END_TEST

#define NAMES "mkdir d; i=0; while [ $i -lt 200 ]; do " \
	"echo >d/a_name_of_some_length_$i; i=$((i + 1)); done"

START_TEST(a_node_of_an_index_is_htree_csum)
{
	struct owned *o = new_owned(FEATURES, NAMES);

	shell(o->f, "e2fsck -fyD %s || test $? = 1");
	/* the hash of an entry in use */
	check_flipped(o, block_of(o, "/d", 0), 0x28, "htree-csum 1");
}
END_TEST

START_TEST(a_node_of_extents_is_extent_csum)
{
	struct owned *o = new_owned(FEATURES, TREE);

	/* bytes behind the last entry in use, which no map has */
	check_flipped(o, node_of(o, "/f"), 600,
		      "extent-csum 1 owners-unknown 1");
}
END_TEST

START_TEST(one_that_claims_more_entries_than_fit_is_too)
{
	struct owned *o = new_owned(FEATURES, TREE);

	/* eh_max, high byte */
	check_flipped(o, node_of(o, "/f"), 5,
		      "extent-csum 1 owners-unknown 1");
}
END_TEST

START_TEST(attributes_are_xattr_csum)
{
	struct owned *o = new_owned(FEATURES, TREE);
	struct ext2_inode inode;
	char line[400];

	snprintf(line, sizeof(line), "ea_set /f1 user.long %0300d\n", 7);
	alter(o, line);
	inode_of(o, "/f1", &inode);
	ck_assert_uint_ne(inode.i_file_acl, 0);
	check_flipped(o, inode.i_file_acl, 1020, "xattr-csum 1");
}
END_TEST

/* --------------------------------------------------------------- owners */

/* A file whose block looks like a node of an extent tree. */
#define NODE_FILE "; { printf '\\012\\363\\001\\000\\124'; " \
		  "head -c 1019 /dev/zero; } >f2"

START_TEST(metadata_over_a_file_is_copy_of_data)
{
	struct owned *o = new_owned(FEATURES, TREE NODE_FILE);
	struct content c;

	begin(&c, o, block_of(o, "/f2", 0));
	ck_assert_str_eq(content(&c), "copy-of-data 1");
	ck_assert_uint_eq(c.j.first.fsblk, c.fsblk);
	end(&c);
}
END_TEST

START_TEST(contents_over_a_file_are_journaled_data)
{
	struct owned *o = new_owned(FEATURES, TREE);
	struct judged j = { .f = NULL };
	char spec[128];

	snprintf(spec, sizeof(spec), "txn 5 write %llu\n",
		 (unsigned long long)block_of(o, "/f1", 0));
	write_log(o->f, spec);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT),
			 "journaled-data 1");
	ck_assert_uint_eq(j.first.fsblk, block_of(o, "/f1", 0));
	close_subject(&j);
	free_owned(o);
}
END_TEST

/* The tree has a block like a node; a file that gets it has not written it. */
START_TEST(over_an_unwritten_block_it_is_copy_of_free)
{
	struct owned *o = new_owned(FEATURES, TREE NODE_FILE "; echo >f1");
	struct content c;
	char block[1024];

	read_block(o, block_of(o, _i ? "/f2" : "/f1", 0), block);
	alter(o, "write /dev/null f3\nfallocate /f3 0 2\n");
	write_block(o, block_of(o, "/f3", 1), block);
	begin(&c, o, block_of(o, "/f3", 1));
	ck_assert_str_eq(content(&c), "copy-of-free 1");
	ck_assert_uint_eq(c.j.first.fsblk, c.fsblk);
	end(&c);
}
END_TEST

START_TEST(of_a_journaled_file_it_is_none)
{
	struct owned *o = new_owned(FEATURES, TREE);
	struct content c;

	alter(o, "sif /f1 flags 0x84000\n");	/* extents, journal data */
	begin(&c, o, block_of(o, "/f1", 0));
	ck_assert_str_eq(content(&c), "");
	end(&c);
}
END_TEST

START_TEST(each_file_speaks_for_itself)
{
	struct owned *o = new_owned(FEATURES, TREE "; echo >f2");
	struct judged j = { .f = NULL };
	char spec[128];

	alter(o, "sif /f1 flags 0x84000\n");
	snprintf(spec, sizeof(spec), "txn 5 write %llu %llu\n",
		 (unsigned long long)block_of(o, "/f1", 0),
		 (unsigned long long)block_of(o, "/f2", 0));
	write_log(o->f, spec);
	ck_assert_str_eq(judge(&j, o->f, E2LAZY_VERIFY_CONTENT),
			 "journaled-data 1");
	ck_assert_uint_eq(j.first.fsblk, block_of(o, "/f2", 0));
	close_subject(&j);
	free_owned(o);
}
END_TEST

static void check_data_mode(const char *tune)
{
	struct owned *o = new_owned(FEATURES, TREE);
	struct content c;

	shell(o->f, tune);
	begin(&c, o, block_of(o, "/f1", 0));
	ck_assert_str_eq(content(&c), "");
	end(&c);
}

START_TEST(nor_where_all_data_is_journaled_by_default)
{
	check_data_mode("tune2fs -o journal_data %s");
	check_data_mode("tune2fs -E mount_opts=data=journal %s");
}
END_TEST

START_TEST(of_a_free_block_it_is_a_note)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge(&j, map_of("txn 5 write 60000-60004\n"),
			       E2LAZY_VERIFY_CONTENT), "copy-of-free 5");
	ck_assert_int_eq(j.worst, E2LAZY_NOTE);
	close_subject(&j);
}
END_TEST

START_TEST(an_inode_that_is_unusable_hides_what_it_owns)
{
	struct owned *o = new_owned(FEATURES, TREE);
	ext2_ino_t ino = ino_of(o, "/f1");
	struct content c;

	begin(&c, o, block_of(o, "/f1", 0));
	flip_static(o->f, home_of(o, ino), (ino - 1) % 4 * 256 + 0x10);
	ck_assert_str_eq(content(&c), "owners-unknown 1");
	ck_assert_uint_eq(c.j.first.fsblk, home_of(o, ino));
	end(&c);
}
END_TEST

/* Zeros lie there, which need no checksum. */
START_TEST(a_table_that_leaves_the_file_system_hides_what_its_inodes_own)
{
	struct owned *o = new_owned(FEATURES, TREE);
	struct content c;

	alter(o, "set_bg 1 flags 4\nset_bg 1 itable_unused 0\n"
	      "set_bg 1 inode_table 65528\nset_bg 1 checksum calc\n");
	begin(&c, o, FREE);
	ck_assert_str_eq(content(&c), "owners-unknown 1 copy-of-free 1");
	end(&c);
}
END_TEST

START_TEST(a_bad_copy_of_metadata_is_judged_by_its_copy_alone)
{
	struct judged j = { .f = NULL };
	struct fixture *f = map_of("txn 5 write 60000-60001\n"
				   "damage flip 5.data[1] 9\n");

	ck_assert_str_eq(judge(&j, f, E2LAZY_VERIFY_CONTENT),
			 "data-csum 1 copy-of-free 2");
	close_subject(&j);
}
END_TEST

TCase *verify_content_tests(void)
{
	TCase *tc = tcase_create("verify content");

	tcase_add_test(tc,
		       a_superblock_that_fails_its_checksum_is_super_csum);
	tcase_add_test(tc, a_descriptor_is_desc_csum);
	tcase_add_test(tc, a_block_bitmap_is_block_bitmap_csum_and_counts);
	tcase_add_test(tc, an_inode_bitmap_is_inode_bitmap_csum_and_counts);
	tcase_add_test(tc, counts_are_compared_without_checksums_too);
	tcase_add_test(tc, so_they_are_of_clusters);
	tcase_add_test(tc, the_last_group_has_fewer_blocks);
	tcase_add_test(tc, a_descriptor_without_its_bitmap_does_not_fit_the_one_in_place);
	tcase_add_test(tc, bitmaps_not_in_use_yet_are_not_judged);
	tcase_add_test(tc, nor_are_inodes_not_in_use_yet);
	tcase_add_test(tc, an_inode_is_inode_csum);
	tcase_add_test(tc, a_directory_block_is_directory_csum);
	tcase_add_test(tc, a_node_of_an_index_is_htree_csum);
	tcase_add_test(tc, a_node_of_extents_is_extent_csum);
	tcase_add_test(tc, one_that_claims_more_entries_than_fit_is_too);
	tcase_add_test(tc, attributes_are_xattr_csum);
	tcase_add_test(tc, metadata_over_a_file_is_copy_of_data);
	tcase_add_test(tc, contents_over_a_file_are_journaled_data);
	tcase_add_loop_test(tc, over_an_unwritten_block_it_is_copy_of_free, 0,
			    2);
	tcase_add_test(tc, of_a_journaled_file_it_is_none);
	tcase_add_test(tc, each_file_speaks_for_itself);
	tcase_add_test(tc, nor_where_all_data_is_journaled_by_default);
	tcase_add_test(tc, of_a_free_block_it_is_a_note);
	tcase_add_test(tc, an_inode_that_is_unusable_hides_what_it_owns);
	tcase_add_test(tc,
		a_table_that_leaves_the_file_system_hides_what_its_inodes_own);
	tcase_add_test(tc,
		       a_bad_copy_of_metadata_is_judged_by_its_copy_alone);
	return tc;
}
