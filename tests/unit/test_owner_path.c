/* SPDX-License-Identifier: GPL-2.0-only */
/* The owners' names, their search on damaged file systems, one inode alone. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "owned.h"

START_TEST(a_path_leads_from_the_root_to_an_owner)
{
	struct owned *o = new_owned("", "mkdir -p a/bc/d && echo >a/bc/d/efg");
	ext2_ino_t ino = ino_of(o, "/a/bc/d/efg");

	log_block(o, block_of(o, "/a/bc/d/efg", 0));
	find_owners(o, true);
	check_path(o, ino, "/a/bc/d/efg");
	check_path(o, ino_of(o, "/a"), "/a");
	check_path(o, EXT2_ROOT_INO, "/");
	ck_assert_uint_eq(o->damage.count, 0);
	free_owned(o);
}
END_TEST

START_TEST(files_that_own_no_live_block_have_no_path)
{
	struct owned *o = new_owned("", "echo a >f; echo b >g");

	log_block(o, block_of(o, "/f", 0));
	find_owners(o, true);
	check_path(o, ino_of(o, "/f"), "/f");
	check_path(o, ino_of(o, "/g"), NULL);
	free_owned(o);
}
END_TEST

START_TEST(without_paths_nothing_has_a_path)
{
	struct owned *o = new_owned("", "mkdir d");

	log_block(o, block_of(o, "/d", 0));
	find_owners(o, false);
	check_path(o, ino_of(o, "/d"), NULL);
	free_owned(o);
}
END_TEST

START_TEST(directories_that_hold_each_other_have_no_path)
{
	struct owned *o = new_owned("", "mkdir -p a/b && echo >a/b/f");
	ext2_ino_t a = ino_of(o, "/a"), f = ino_of(o, "/a/b/f");
	char *commands;

	log_block(o, block_of(o, "/a/b/f", 0));
	ck_assert_int_gt(asprintf(&commands, "ln <%u> /a/b/a\nunlink /a\n", a),
			 0);
	alter(o, commands);
	free(commands);
	find_owners(o, true);
	check_path(o, f, NULL);
	check_path(o, a, NULL);
	free_owned(o);
}
END_TEST

/* ---------------------------------------------------------- damage */

START_TEST(a_block_number_beyond_the_end_is_damage_and_no_more)
{
	struct owned *o = new_owned("-O ^extents,^64bit",
				    "dd if=/dev/urandom of=f bs=1k count=20");
	ext2_ino_t ino = ino_of(o, "/f");
	blk64_t before = block_of(o, "/f", 2), after = block_of(o, "/f", 15);

	alter(o, "sif /f block[3] 99999999\n");
	log_block(o, before);
	log_block(o, after);
	find_owners(o, false);
	check_owner(o, before, E2LAZY_ROLE_DATA, ino, 2);
	check_owner(o, after, E2LAZY_ROLE_DATA, ino, 15);
	ck_assert_uint_eq(o->damage.count, 1);
	ck_assert_int_eq(o->damage.error, E2LAZY_ET_BLOCK_MAP);
	ck_assert_uint_eq(o->damage.first.has, E2LAZY_AT_FSBLK);
	ck_assert_uint_eq(o->damage.first.fsblk, home_of(o, ino));
	free_owned(o);
}
END_TEST

/* 256 times 256 times 256 times itself, were each of them looked at. */
START_TEST(a_block_map_that_holds_itself_comes_to_an_end)
{
	struct owned *o = new_owned("-O ^extents,^64bit", "echo a >f");
	__u32 self[256];

	for (unsigned i = 0; i < 256; i++)
		self[i] = ext2fs_cpu_to_le32(FREE);
	write_block(o, FREE, self);
	alter(o, "sif /f block[TIND] 60000\n");
	log_block(o, FREE);
	find_owners(o, false);
	check_owner(o, FREE, E2LAZY_ROLE_INDIRECT, ino_of(o, "/f"), 0);
	ck_assert_uint_gt(o->damage.count, 0);
	ck_assert_int_eq(o->damage.error, E2LAZY_ET_BLOCK_MAP);
	free_owned(o);
}
END_TEST

/* eh_max of 65535 would have a checksum looked for 768 KiB further on. */
START_TEST(a_node_that_claims_too_much_room_is_damage)
{
	struct owned *o = new_owned("", PIECES);
	blk64_t node = node_of(o, "/f");
	uint8_t bytes[1024];

	read_block(o, node, bytes);
	bytes[4] = bytes[5] = 0xff;
	write_block(o, node, bytes);
	log_block(o, node);
	find_owners(o, false);
	check_owner(o, node, E2LAZY_ROLE_EXTENT, ino_of(o, "/f"), 0);
	ck_assert_uint_eq(o->damage.count, 1);
	ck_assert_int_eq(o->damage.error, E2LAZY_ET_BLOCK_MAP);
	ck_assert_uint_eq(o->damage.first.fsblk, node);
	free_owned(o);
}
END_TEST

START_TEST(a_node_with_a_bad_checksum_is_not_believed)
{
	struct owned *o = new_owned("-O metadata_csum", PIECES);
	blk64_t node = node_of(o, "/f"), data = block_of(o, "/f", 4);
	uint8_t bytes[1024];

	read_block(o, node, bytes);
	bytes[12 + 12 * 5 + 8] ^= 1;	/* where the last extent starts */
	write_block(o, node, bytes);
	log_block(o, data);
	find_owners(o, false);
	check_owner(o, data, E2LAZY_ROLE_UNOWNED, 0, 0);
	ck_assert_uint_eq(o->damage.count, 1);
	ck_assert_int_eq(o->damage.error, EXT2_ET_EXTENT_CSUM_INVALID);
	ck_assert_uint_eq(o->damage.first.fsblk, node);
	free_owned(o);
}
END_TEST

START_TEST(an_inode_with_a_bad_checksum_is_not_believed)
{
	struct owned *o = new_owned("-O metadata_csum",
				    "echo a >f; echo b >g");
	ext2_ino_t ino = ino_of(o, "/f");
	blk64_t home = home_of(o, ino), f = block_of(o, "/f", 0);
	blk64_t g = block_of(o, "/g", 0);
	uint8_t bytes[1024];

	log_block(o, f);
	log_block(o, g);
	read_block(o, home, bytes);
	bytes[(ino - 1) % 4 * 256 + 2] ^= 1;	/* i_uid */
	write_block(o, home, bytes);
	find_owners(o, false);
	check_owner(o, f, E2LAZY_ROLE_UNOWNED, 0, 0);
	check_owner(o, g, E2LAZY_ROLE_DATA, ino_of(o, "/g"), 0);
	ck_assert_uint_eq(o->damage.count, 1);
	ck_assert_int_eq(o->damage.error, EXT2_ET_INODE_CSUM_INVALID);
	ck_assert_uint_eq(o->damage.first.fsblk, home);
	free_owned(o);
}
END_TEST

/* The names behind it are lost, those in other directories are not. */
START_TEST(a_directory_block_with_a_bad_checksum_is_damage)
{
	struct owned *o = new_owned("-O metadata_csum", "mkdir d e && "
				    "echo >d/f && echo >e/g");
	blk64_t bad = block_of(o, "/d", 0);
	ext2_ino_t f = ino_of(o, "/d/f"), g = ino_of(o, "/e/g");
	uint8_t bytes[1024];

	log_block(o, block_of(o, "/d/f", 0));
	log_block(o, block_of(o, "/e/g", 0));
	read_block(o, bad, bytes);
	bytes[1020] ^= 1;
	write_block(o, bad, bytes);
	find_owners(o, true);
	check_path(o, f, NULL);
	check_path(o, g, "/e/g");
	ck_assert_uint_eq(o->damage.count, 1);
	ck_assert_int_eq(o->damage.error, EXT2_ET_DIR_CSUM_INVALID);
	free_owned(o);
}
END_TEST

/* One bad copy is one damage, though it holds four inodes. */
START_TEST(a_bad_copy_of_inodes_is_damage_and_the_others_are_found)
{
	struct owned *o = new_owned("", "for i in $(seq 20); do mkdir d$i; "
				    "done");
	blk64_t bad = home_of(o, ino_of(o, "/d9"));
	blk64_t block = block_of(o, "/d20", 0);
	struct e2lazy_owners_opts opts = { .paths = false };
	char *spec;

	ck_assert_uint_ne(bad, home_of(o, ino_of(o, "/d20")));
	ck_assert_int_gt(asprintf(&spec, "journal csum v3\n"
				  "txn 1 write %llu,%llu\n"
				  "damage csum 1.data[0]\n",
				  (unsigned long long)bad,
				  (unsigned long long)block), 0);
	open_owned(o, spec);
	free(spec);
	ck_assert_int_eq(e2lazy_owners_build(o->view, o->layout, &opts,
					     &o->owners, &o->damage), 0);
	check_owner(o, block, E2LAZY_ROLE_DIRECTORY, ino_of(o, "/d20"), 0);
	ck_assert_uint_eq(o->damage.count, 1);
	ck_assert_int_eq(o->damage.error, E2LAZY_ET_DATA_CSUM);
	ck_assert_uint_eq(o->damage.first.fsblk, bad);
	ck_assert(o->damage.first.has & E2LAZY_AT_LOGBLK);
	free_owned(o);
}
END_TEST

static errcode_t cancel(void *priv, enum e2lazy_phase phase,
			uint64_t done, uint64_t total)
{
	unsigned *wanted = priv;

	ck_assert_uint_le(done, total);
	return phase == *wanted ? E2LAZY_ET_CANCELLED : 0;
}

START_TEST(either_phase_of_the_search_can_be_cancelled)
{
	unsigned phase = E2LAZY_PHASE_INODES;
	const struct e2lazy_watch watch = { .progress = cancel,
					    .priv = &phase };
	struct e2lazy_owners_opts opts = { .paths = true, .watch = &watch };
	struct owned *o = new_owned("-N 16384", "mkdir d");

	log_block(o, FREE);
	open_owned(o, NULL);
	for (; phase <= E2LAZY_PHASE_DIRECTORIES; phase++)
		ck_assert_int_eq(e2lazy_owners_build(o->view, o->layout, &opts,
						     &o->owners, &o->damage),
				 E2LAZY_ET_CANCELLED);
	free_owned(o);
}
END_TEST

/* -------------------------------------------------------- one inode */

struct tally {
	blk64_t		blocks[E2LAZY_NR_ROLES];
	blk64_t		home;
	ext2_ino_t	ino;
};

static errcode_t count_role(void *priv, const struct e2lazy_owner *owner,
			    blk64_t count)
{
	struct tally *tally = priv;

	tally->blocks[owner->role] += count;
	if (owner->role == E2LAZY_ROLE_LAYOUT)
		tally->home = owner->fsblk;
	ck_assert_uint_eq(owner->ino, tally->ino);
	return 0;
}

static void count_blocks(struct owned *o, ext2_ino_t ino, struct tally *tally)
{
	ext2_filsys fs;

	memset(tally, 0, sizeof(*tally));
	tally->ino = ino;
	ck_assert_int_eq(e2lazy_view_open(o->view, &fs, NULL), 0);
	ck_assert_int_eq(e2lazy_inode_blocks(fs, ino, count_role, tally,
					     &o->damage), 0);
	ext2fs_free(fs);
}

static blk64_t others(const struct tally *tally)
{
	blk64_t sum = 0;

	for (unsigned i = 0; i < E2LAZY_NR_ROLES; i++)
		sum += i == E2LAZY_ROLE_LAYOUT ? 0 : tally->blocks[i];
	return sum;
}

START_TEST(an_inode_has_its_table_block_its_node_and_its_data)
{
	struct owned *o = new_owned("", PIECES);
	struct tally tally;

	log_block(o, FREE);
	open_owned(o, NULL);
	count_blocks(o, ino_of(o, "/f"), &tally);
	ck_assert_uint_eq(tally.home, home_of(o, ino_of(o, "/f")));
	ck_assert_uint_eq(tally.blocks[E2LAZY_ROLE_LAYOUT], 1);
	ck_assert_uint_eq(tally.blocks[E2LAZY_ROLE_EXTENT], 1);
	ck_assert_uint_eq(tally.blocks[E2LAZY_ROLE_DATA], 6);
	ck_assert_uint_eq(others(&tally), 7);
	free_owned(o);
}
END_TEST

START_TEST(targets_devices_and_data_inside_an_inode_are_no_blocks)
{
	static const char *const names[] = { "/l", "/p", "/small", "/c" };
	struct owned *o = new_owned("-O inline_data", "ln -s target l; "
				    "mkfifo p; echo a >small");
	struct tally tally;

	alter(o, "mknod c c 8 9\n");
	log_block(o, FREE);
	open_owned(o, NULL);
	for (unsigned i = 0; i < 4; i++) {
		count_blocks(o, ino_of(o, names[i]), &tally);
		ck_assert_uint_eq(tally.blocks[E2LAZY_ROLE_LAYOUT], 1);
		ck_assert_uint_eq(others(&tally), 0);
		ck_assert_uint_eq(o->damage.count, 0);
	}
	free_owned(o);
}
END_TEST

START_TEST(an_unused_inode_has_its_table_block_only)
{
	struct owned *o = new_owned("", "echo a >f");
	struct tally tally;

	log_block(o, FREE);
	open_owned(o, NULL);
	count_blocks(o, 1000, &tally);
	ck_assert_uint_eq(tally.blocks[E2LAZY_ROLE_LAYOUT], 1);
	ck_assert_uint_eq(others(&tally), 0);
	free_owned(o);
}
END_TEST

START_TEST(an_inode_that_cannot_be_is_an_error)
{
	struct owned *o = new_owned("", "echo a >f");
	struct e2lazy_damage damage;
	struct tally tally;
	ext2_filsys fs;

	log_block(o, FREE);
	open_owned(o, NULL);
	ck_assert_int_eq(e2lazy_view_open(o->view, &fs, NULL), 0);
	ck_assert_int_eq(e2lazy_inode_blocks(fs, 0, count_role, &tally,
					     &damage), EXT2_ET_BAD_INODE_NUM);
	ck_assert_int_eq(e2lazy_inode_blocks(fs, fs->super->s_inodes_count + 1,
					     count_role, &tally, &damage),
			 EXT2_ET_BAD_INODE_NUM);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

TCase *owner_path_tests(void)
{
	TCase *tc = tcase_create("owner path");

	tcase_add_test(tc, a_path_leads_from_the_root_to_an_owner);
	tcase_add_test(tc, files_that_own_no_live_block_have_no_path);
	tcase_add_test(tc, without_paths_nothing_has_a_path);
	tcase_add_test(tc, directories_that_hold_each_other_have_no_path);
	tcase_add_test(tc, a_block_number_beyond_the_end_is_damage_and_no_more);
	tcase_add_test(tc, a_block_map_that_holds_itself_comes_to_an_end);
	tcase_add_test(tc, a_node_that_claims_too_much_room_is_damage);
	tcase_add_test(tc, a_node_with_a_bad_checksum_is_not_believed);
	tcase_add_test(tc, an_inode_with_a_bad_checksum_is_not_believed);
	tcase_add_test(tc, a_directory_block_with_a_bad_checksum_is_damage);
	tcase_add_test(tc, a_bad_copy_of_inodes_is_damage_and_the_others_are_found);
	tcase_add_test(tc, either_phase_of_the_search_can_be_cancelled);
	tcase_add_test(tc, an_inode_has_its_table_block_its_node_and_its_data);
	tcase_add_test(tc, targets_devices_and_data_inside_an_inode_are_no_blocks);
	tcase_add_test(tc, an_unused_inode_has_its_table_block_only);
	tcase_add_test(tc, an_inode_that_cannot_be_is_an_error);
	return tc;
}
