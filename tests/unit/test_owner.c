/* SPDX-License-Identifier: GPL-2.0-only */
/* The owner and the role of a block, compared with libext2fs on the image. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "owned.h"

START_TEST(what_the_layout_has_is_of_role_layout)
{
	struct owned *o = new_owned("", "echo a >f");
	ext2_ino_t first = (ino_of(o, "/f") - 1) / 4 * 4 + 1;

	log_block(o, 1);		/* the superblock */
	log_block(o, home_of(o, first));
	find_owners(o, false);
	check_owner(o, 1, E2LAZY_ROLE_LAYOUT, 0, 0);
	check_owner(o, home_of(o, first), E2LAZY_ROLE_LAYOUT, first, 0);
	ck_assert_uint_eq(o->damage.count, 0);
	free_owned(o);
}
END_TEST

START_TEST(a_directory_owns_its_blocks)
{
	struct owned *o = new_owned("", "mkdir d");

	log_block(o, block_of(o, "/d", 0));
	log_block(o, block_of(o, "/", 0));
	log_block(o, block_of(o, "/lost+found", 3));
	find_owners(o, false);
	check_owner(o, block_of(o, "/d", 0), E2LAZY_ROLE_DIRECTORY,
		    ino_of(o, "/d"), 0);
	check_owner(o, block_of(o, "/", 0), E2LAZY_ROLE_DIRECTORY,
		    EXT2_ROOT_INO, 0);
	check_owner(o, block_of(o, "/lost+found", 3), E2LAZY_ROLE_DIRECTORY,
		    ino_of(o, "/lost+found"), 3);
	free_owned(o);
}
END_TEST

START_TEST(a_block_has_the_generation_of_its_inode)
{
	struct owned *o = new_owned("-O ^metadata_csum", "mkdir d");
	blk64_t of_d = block_of(o, "/d", 0), of_root = block_of(o, "/", 0);
	struct e2lazy_owner owner;

	alter(o, "sif /d generation 0x12345678\n");
	log_block(o, of_d);
	log_block(o, of_root);
	find_owners(o, false);
	ck_assert_int_eq(e2lazy_owners_find(o->owners, of_d, &owner), 0);
	ck_assert_uint_eq(owner.generation, 0x12345678);
	ck_assert_int_eq(e2lazy_owners_find(o->owners, of_root, &owner), 0);
	ck_assert_uint_eq(owner.generation, 0);
	free_owned(o);
}
END_TEST

/* Index entries of 8 bytes, hash and block, begin at byte 24 + info_length. */
static unsigned index_entry(const uint8_t *root, unsigned i)
{
	const uint8_t *p = root + 24 + root[29] + 8 * i + 4;

	return p[0] | p[1] << 8;
}

/* Names so long that the index of 700 of them has two levels. */
static struct owned *indexed(void)
{
	struct owned *o = new_owned("-O ^metadata_csum",
		"mkdir d && echo >d/0; t=$(head -c 200 /dev/zero | "
		"tr '\\0' x); i=1; "
		"while [ $i -lt 700 ]; do ln d/0 d/$i$t; i=$((i + 1)); done");

	shell(o->f, "e2fsck -fyD %s; test $? -le 1");
	return o;
}

START_TEST(root_and_nodes_of_an_index_are_told_from_its_leaves)
{
	struct owned *o = indexed();
	unsigned node, leaf;
	uint8_t root[1024], bytes[1024];

	read_block(o, block_of(o, "/d", 0), root);
	ck_assert_uint_eq(root[30], 1);		/* levels below the root */
	node = index_entry(root, 0);
	read_block(o, block_of(o, "/d", node), bytes);
	leaf = bytes[12] | bytes[13] << 8;	/* of its first entry */
	log_block(o, block_of(o, "/d", 0));
	log_block(o, block_of(o, "/d", node));
	log_block(o, block_of(o, "/d", leaf));
	find_owners(o, false);
	check_owner(o, block_of(o, "/d", 0), E2LAZY_ROLE_HTREE,
		    ino_of(o, "/d"), 0);
	check_owner(o, block_of(o, "/d", node), E2LAZY_ROLE_HTREE,
		    ino_of(o, "/d"), node);
	check_owner(o, block_of(o, "/d", leaf), E2LAZY_ROLE_DIRECTORY,
		    ino_of(o, "/d"), leaf);
	free_owned(o);
}
END_TEST

START_TEST(an_empty_leaf_is_no_node)
{
	static const uint8_t empty[8] = { 0, 0, 0, 0, 0, 4, 0, 0 };
	struct owned *o = indexed();
	uint8_t bytes[1024];

	read_block(o, block_of(o, "/d", 1), bytes);
	memcpy(bytes, empty, sizeof(empty));
	write_block(o, block_of(o, "/d", 1), bytes);
	log_block(o, block_of(o, "/d", 1));
	find_owners(o, false);
	check_owner(o, block_of(o, "/d", 1), E2LAZY_ROLE_DIRECTORY,
		    ino_of(o, "/d"), 1);
	free_owned(o);
}
END_TEST

START_TEST(nodes_and_extents_of_a_file_are_its_own)
{
	struct owned *o = new_owned("", PIECES);
	ext2_ino_t ino = ino_of(o, "/f");

	log_block(o, node_of(o, "/f"));
	log_block(o, block_of(o, "/f", 0));
	log_block(o, block_of(o, "/f", 10));
	find_owners(o, false);
	check_owner(o, node_of(o, "/f"), E2LAZY_ROLE_EXTENT, ino, 0);
	check_owner(o, block_of(o, "/f", 0), E2LAZY_ROLE_DATA, ino, 0);
	check_owner(o, block_of(o, "/f", 10), E2LAZY_ROLE_DATA, ino, 10);
	ck_assert_uint_eq(o->damage.count, 0);
	free_owned(o);
}
END_TEST

/* 1 KiB blocks have 256 numbers: 12 direct, 256 indirect, then twice so. */
START_TEST(blocks_of_block_numbers_are_their_inodes)
{
	struct owned *o = new_owned("-O ^extents,^64bit",
				    "dd if=/dev/urandom of=f bs=1k count=600");
	ext2_ino_t ino = ino_of(o, "/f");
	struct ext2_inode inode;
	static const unsigned at[] = { 0, 11, 12, 267, 268, 599 };
	__u32 second[256];

	inode_of(o, "/f", &inode);
	read_block(o, inode.i_block[EXT2_DIND_BLOCK], second);
	log_block(o, inode.i_block[EXT2_IND_BLOCK]);
	log_block(o, inode.i_block[EXT2_DIND_BLOCK]);
	log_block(o, ext2fs_le32_to_cpu(second[1]));
	for (unsigned i = 0; i < 6; i++)
		log_block(o, block_of(o, "/f", at[i]));
	find_owners(o, false);
	check_owner(o, inode.i_block[EXT2_IND_BLOCK], E2LAZY_ROLE_INDIRECT,
		    ino, 0);
	check_owner(o, inode.i_block[EXT2_DIND_BLOCK], E2LAZY_ROLE_INDIRECT,
		    ino, 0);
	check_owner(o, ext2fs_le32_to_cpu(second[1]), E2LAZY_ROLE_INDIRECT,
		    ino, 0);
	for (unsigned i = 0; i < 6; i++)
		check_owner(o, block_of(o, "/f", at[i]), E2LAZY_ROLE_DATA,
			    ino, at[i]);
	ck_assert_uint_eq(o->damage.count, 0);
	free_owned(o);
}
END_TEST

START_TEST(a_shared_block_of_attributes_is_the_first_owners)
{
	struct owned *o = new_owned("-I 128", "echo a >f; echo b >g; "
				    "head -c 900 /dev/zero >value");
	struct ext2_inode inode;
	char *commands;
	ext2_ino_t least;

	ck_assert_int_gt(asprintf(&commands, "ea_set -f %s/tree/value /f "
				  "user.a\n", o->f->dir), 0);
	alter(o, commands);
	free(commands);
	inode_of(o, "/f", &inode);
	ck_assert_uint_ne(inode.i_file_acl, 0);
	ck_assert_int_gt(asprintf(&commands, "sif /g file_acl %u\n",
				  inode.i_file_acl), 0);
	alter(o, commands);
	free(commands);
	log_block(o, inode.i_file_acl);
	find_owners(o, false);
	least = ino_of(o, "/f") < ino_of(o, "/g") ? ino_of(o, "/f") :
						    ino_of(o, "/g");
	check_owner(o, inode.i_file_acl, E2LAZY_ROLE_XATTR, least, 0);
	ck_assert_uint_eq(o->damage.count, 0);
	free_owned(o);
}
END_TEST

START_TEST(the_target_of_a_long_symlink_is_a_block_of_it)
{
	struct owned *o = new_owned("", "ln -s $(head -c 100 /dev/zero | "
				    "tr '\\0' x) l");

	log_block(o, block_of(o, "/l", 0));
	find_owners(o, false);
	check_owner(o, block_of(o, "/l", 0), E2LAZY_ROLE_SYMLINK,
		    ino_of(o, "/l"), 0);
	free_owned(o);
}
END_TEST

/* Inode 3 holds the users' quota. */
START_TEST(files_of_the_file_system_itself_are_of_role_system)
{
	struct owned *o = new_owned("-O quota", "echo a >f");
	ext2_filsys fs;
	blk64_t quota;

	ck_assert_int_eq(ext2fs_open(o->f->image, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	ck_assert_int_eq(ext2fs_bmap2(fs, 3, NULL, NULL, 0, 2, NULL, &quota),
			 0);
	ck_assert_uint_ne(quota, 0);
	ext2fs_free(fs);
	log_block(o, quota);
	find_owners(o, false);
	check_owner(o, quota, E2LAZY_ROLE_SYSTEM, 3, 2);
	free_owned(o);
}
END_TEST

/* The bitmap of the group of FREE was never written. */
START_TEST(what_nobody_has_is_free_or_unowned_as_its_bitmap_says)
{
	struct owned *o = new_owned("", "echo a >f");
	blk64_t behind = block_of(o, "/f", 0) + 64;
	char command[32];

	snprintf(command, sizeof(command), "setb %llu\n",
		 (unsigned long long)behind);
	alter(o, command);
	log_block(o, behind);
	log_block(o, behind + 1);
	log_block(o, FREE);
	find_owners(o, false);
	check_owner(o, behind, E2LAZY_ROLE_UNOWNED, 0, 0);
	check_owner(o, behind + 1, E2LAZY_ROLE_FREE, 0, 0);
	check_owner(o, FREE, E2LAZY_ROLE_FREE, 0, 0);
	ck_assert_uint_eq(o->damage.count, 0);
	free_owned(o);
}
END_TEST

START_TEST(a_block_is_as_free_as_its_cluster)
{
	struct owned *o = new_owned("-O bigalloc -C 16384", "echo a >f");
	blk64_t data = block_of(o, "/f", 0);

	log_block(o, data);
	log_block(o, data + 1);
	log_block(o, FREE);
	find_owners(o, false);
	check_owner(o, data, E2LAZY_ROLE_DATA, ino_of(o, "/f"), 0);
	check_owner(o, data + 1, E2LAZY_ROLE_UNOWNED, 0, 0);
	check_owner(o, FREE, E2LAZY_ROLE_FREE, 0, 0);
	free_owned(o);
}
END_TEST

START_TEST(an_orphan_still_has_its_blocks)
{
	struct owned *o = new_owned("", "echo a >f");
	ext2_ino_t ino = ino_of(o, "/f");
	blk64_t data = block_of(o, "/f", 0);

	alter(o, "sif /f links_count 0\nunlink /f\n");
	log_block(o, data);
	find_owners(o, true);
	check_owner(o, data, E2LAZY_ROLE_DATA, ino, 0);
	check_path(o, ino, NULL);
	free_owned(o);
}
END_TEST

START_TEST(a_deleted_inode_has_no_blocks)
{
	struct owned *o = new_owned("", "echo a >f");
	blk64_t data = block_of(o, "/f", 0);

	alter(o, "sif /f links_count 0\nsif /f blocks 0\nunlink /f\n");
	log_block(o, data);
	find_owners(o, false);
	check_owner(o, data, E2LAZY_ROLE_UNOWNED, 0, 0);
	free_owned(o);
}
END_TEST

START_TEST(a_block_without_a_live_copy_is_not_mapped)
{
	struct owned *o = new_owned("", "echo a >f");
	struct e2lazy_owner owner;

	log_block(o, FREE);
	find_owners(o, false);
	ck_assert_int_eq(e2lazy_owners_find(o->owners, FREE - 1, &owner),
			 E2LAZY_ET_NOT_MAPPED);
	ck_assert_int_eq(e2lazy_owners_find(o->owners, FREE + 1, &owner),
			 E2LAZY_ET_NOT_MAPPED);
	free_owned(o);
}
END_TEST

/*
 * A hole of the image is passed over, for no inode is in it; but not one that
 * the log has the only copy of.
 */
START_TEST(inodes_in_a_hole_are_empty_unless_the_log_has_them)
{
	struct owned *o = new_owned("-O ^metadata_csum", "echo a >f");
	ext2_ino_t f = ino_of(o, "/f"), first = (f - 1) / 16 * 16 + 1;
	blk64_t home = home_of(o, first);
	struct ext2_inode inode;
	ext2_filsys fs;
	char line[128];

	/* holes have 4 KiB at least, and what is logged lies in whole ones */
	for (unsigned i = 0; i < 8; i++)
		log_block(o, home / 4 * 4 + i);
	open_owned(o, NULL);
	snprintf(line, sizeof(line), "fallocate -p -o %llu -l 16384 %%s",
		 (unsigned long long)(home / 4 * 4 * 1024));
	shell(o->f, line);
	ck_assert_int_eq(e2lazy_view_open(o->view, &fs, NULL), 0);
	ck_assert_uint_eq(e2lazy_empty_inodes(fs, (f - 1) / 4 * 4 + 1, 4), 0);
	ck_assert_int_eq(ext2fs_read_inode(fs, f, &inode), 0);
	ck_assert_uint_eq(inode.i_links_count, 1);

	home = home / 4 * 4 + 8;	/* behind what is logged */
	f = first + (ext2_ino_t)(home - home_of(o, first)) * 4;
	ck_assert_uint_ge(e2lazy_empty_inodes(fs, f, 100), 16);
	ck_assert_uint_eq(e2lazy_empty_inodes(fs, f, 3), 3);
	ck_assert_uint_eq(e2lazy_empty_inodes(fs, f + 1, 3), 0);
	/* another handle than a view's is not asked */
	ck_assert_uint_eq(e2lazy_empty_inodes(e2lazy_static_fs(o->f->journal),
					      f, 100), 0);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

TCase *owner_tests(void)
{
	TCase *tc = tcase_create("owner");

	tcase_add_test(tc, what_the_layout_has_is_of_role_layout);
	tcase_add_test(tc, a_directory_owns_its_blocks);
	tcase_add_test(tc, a_block_has_the_generation_of_its_inode);
	tcase_add_test(tc, root_and_nodes_of_an_index_are_told_from_its_leaves);
	tcase_add_test(tc, an_empty_leaf_is_no_node);
	tcase_add_test(tc, nodes_and_extents_of_a_file_are_its_own);
	tcase_add_test(tc, blocks_of_block_numbers_are_their_inodes);
	tcase_add_test(tc, a_shared_block_of_attributes_is_the_first_owners);
	tcase_add_test(tc, the_target_of_a_long_symlink_is_a_block_of_it);
	tcase_add_test(tc, files_of_the_file_system_itself_are_of_role_system);
	tcase_add_test(tc, what_nobody_has_is_free_or_unowned_as_its_bitmap_says);
	tcase_add_test(tc, a_block_is_as_free_as_its_cluster);
	tcase_add_test(tc, an_orphan_still_has_its_blocks);
	tcase_add_test(tc, a_deleted_inode_has_no_blocks);
	tcase_add_test(tc, a_block_without_a_live_copy_is_not_mapped);
	tcase_add_test(tc,
		       inodes_in_a_hole_are_empty_unless_the_log_has_them);
	return tc;
}
