/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file system that fast-commit records make.  e2fsck must find no fault in
 * it; tests/fastcommit compares it with the kernel's own.
 */

#include <stdio.h>
#include <string.h>

#include "replayed.h"

#define BLOCK	AREA_BLOCK
#define FS	"-b 1024 -J size=2 -O fast_commit,64bit,metadata_csum"

/* ---------------------------------------------------------------- tests */

START_TEST(a_new_file_has_its_name_blocks_and_size)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	area_inode(a, NEW_INO, LINUX_S_IFREG | 0640, 1, 3000, 7);
	area_range(a, NEW_INO, 0, 3, FREED);
	area_name(a, E2LAZY_FC_CREAT, EXT2_ROOT_INO, NEW_INO, "new");
	area_tail(a);
	view = replayed(f, a, 0);
	ck_assert_uint_eq(look_up(view, "/new", &got), NEW_INO);
	ck_assert_uint_eq(got.i_size, 3000);
	ck_assert_uint_eq(got.i_blocks, 6);
	ck_assert_uint_eq(got.i_links_count, 1);
	ck_assert_uint_eq(got.i_generation, 7);
	look_up(view, "/", &got);
	ck_assert_uint_eq(got.i_mtime, AREA_TIME > got.i_mtime ? AREA_TIME :
			  got.i_mtime);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(a_new_directory_has_a_block_and_its_parent_a_link)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	area_inode(a, NEW_INO, LINUX_S_IFDIR | 0755, 2, 1024, 7);
	area_name(a, E2LAZY_FC_CREAT, DIR_INO, NEW_INO, "made");
	area_inode(a, NEW_INO + 1, LINUX_S_IFREG | 0644, 1, 0, 8);
	area_name(a, E2LAZY_FC_CREAT, NEW_INO, NEW_INO + 1, "inside");
	area_tail(a);
	view = replayed(f, a, 0);
	ck_assert_uint_eq(look_up(view, "/dir", &got), DIR_INO);
	ck_assert_uint_eq(got.i_links_count, 3);
	ck_assert_uint_eq(look_up(view, "/dir/made", &got), NEW_INO);
	ck_assert_uint_eq(got.i_links_count, 2);
	ck_assert_uint_eq(look_up(view, "/dir/made/..", &got), DIR_INO);
	ck_assert_uint_eq(look_up(view, "/dir/made/inside", &got),
			  NEW_INO + 1);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(what_loses_its_last_name_is_freed)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	area_name(a, E2LAZY_FC_UNLINK, DIR_INO, INNER_INO, "inner");
	area_name(a, E2LAZY_FC_UNLINK, EXT2_ROOT_INO, DIR_INO, "dir");
	area_tail(a);
	view = replayed(f, a, 0);
	ck_assert_uint_eq(look_up(view, "/dir", &got), 0);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(a_name_taken_over_frees_its_file)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	area_name(a, E2LAZY_FC_UNLINK, DIR_INO, INNER_INO, "inner");
	area_name(a, E2LAZY_FC_LINK, DIR_INO, FILE_INO, "inner");
	area_name(a, E2LAZY_FC_UNLINK, EXT2_ROOT_INO, FILE_INO, "file");
	area_tail(a);
	view = replayed(f, a, 0);
	ck_assert_uint_eq(look_up(view, "/dir/inner", &got), FILE_INO);
	ck_assert_uint_eq(got.i_links_count, 1);
	ck_assert_uint_eq(look_up(view, "/file", &got), 0);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(a_second_life_has_none_of_the_first_ones_blocks)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	area_name(a, E2LAZY_FC_UNLINK, EXT2_ROOT_INO, FILE_INO, "file");
	area_tail(a);
	/* Without a CREAT, ranges precede their inode. */
	area_name(a, E2LAZY_FC_LINK, EXT2_ROOT_INO, FILE_INO, "again");
	area_range(a, FILE_INO, 0, 1, FREED);
	area_inode(a, FILE_INO, LINUX_S_IFREG | 0600, 1, 100, 99);
	area_tail(a);
	view = replayed(f, a, 0);
	ck_assert_uint_eq(look_up(view, "/again", &got), FILE_INO);
	ck_assert_uint_eq(got.i_size, 100);
	ck_assert_uint_eq(got.i_blocks, 2);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

/* A kernel stops at it, whatever its checksum, and keeps what was before. */
START_TEST(a_record_longer_than_an_inode_ends_the_area)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	area_name(a, E2LAZY_FC_LINK, EXT2_ROOT_INO, FILE_INO, "before");
	area_tail(a);
	area_long_inode(a, FILE_INO, 256 + 4);
	area_name(a, E2LAZY_FC_LINK, EXT2_ROOT_INO, FILE_INO, "behind");
	area_tail(a);
	view = replayed(f, a, 0);
	ck_assert_uint_eq(look_up(view, "/before", &got), FILE_INO);
	ck_assert_uint_eq(look_up(view, "/behind", &got), 0);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(a_map_of_many_pieces_gets_a_tree_and_loses_it)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	area_inode(a, NEW_INO, LINUX_S_IFREG | 0600, 1, 2000 * BLOCK, 7);
	for (uint32_t i = 0; i < 1000; i++)
		area_range(a, NEW_INO, 2 * i, 1, FREED + 2 * i);
	area_name(a, E2LAZY_FC_CREAT, EXT2_ROOT_INO, NEW_INO, "pieces");
	area_inode(a, NEW_INO + 1, LINUX_S_IFREG | 0600, 1, 50 * BLOCK, 8);
	area_range(a, NEW_INO + 1, 0, 50, FREED + 2500);
	area_hole(a, NEW_INO + 1, 10, 20);
	area_range(a, NEW_INO + 1, 60, 32768 + 5, FREED + 2600); /* unwritten */
	area_name(a, E2LAZY_FC_CREAT, DIR_INO, NEW_INO + 1, "holes");
	area_tail(a);
	view = replayed(f, a, 0);
	ck_assert_uint_eq(look_up(view, "/pieces", &got), NEW_INO);
	/* 84 entries a node: 12 leaves, one index above them. */
	ck_assert_uint_eq(got.i_blocks, (1000 + 12 + 1) * 2);
	ck_assert_uint_eq(look_up(view, "/dir/holes", &got), NEW_INO + 1);
	ck_assert_uint_eq(got.i_blocks, (30 + 5) * 2);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

static void add_links(struct area *a, uint32_t dir, unsigned count)
{
	char text[80];

	for (unsigned i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%040u-%u", i, i);
		area_name(a, E2LAZY_FC_LINK, dir, FILE_INO, text);
	}
	area_tail(a);
}

#define INDEXED \
	"seq -f 'write /dev/null dir/%%04g-with-a-name-that-takes-room' 200 | " \
	"debugfs -w -f - %1$s >/dev/null 2>&1; e2fsck -fyD %1$s >/dev/null; " \
	"debugfs -R 'htree dir' %1$s 2>&1 | grep -q 'Root node dump'"

START_TEST(names_go_into_directories_that_grow)
{
	static const char *const made[] = { NULL, INDEXED };
	struct fixture *f = area_populated(FS, made[_i]);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;
	char path[100];

	add_links(a, DIR_INO, 250);
	view = replayed(f, a, 0);
	for (unsigned i = 0; i < 250; i += 10) {
		snprintf(path, sizeof(path), "/dir/%040u-%u", i, i);
		ck_assert_uint_eq(look_up(view, path, &got), FILE_INO);
	}
	ck_assert_uint_eq(got.i_links_count, 251);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(a_full_index_is_refused)
{
	struct fixture *f = area_populated(FS, INDEXED);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;

	add_links(a, DIR_INO, 1600);
	view = replayed(f, a, E2LAZY_ET_FC_HTREE);
	e2lazy_view_free(view);
}
END_TEST

/* Without the feature nobody reads or mends an index, so it must not stay. */
START_TEST(a_name_put_beside_an_index_ends_it)
{
	struct fixture *f = area_populated("-b 1024 -J size=2 "
		"-O fast_commit,64bit,^metadata_csum,uninit_bg", INDEXED
		" && tune2fs -O ^dir_index %1$s >/dev/null");
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	add_links(a, DIR_INO, 3);
	view = replayed(f, a, 0);
	look_up(view, "/dir", &got);
	ck_assert_uint_eq(got.i_flags & EXT2_INDEX_FL, 0);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

/* The record is of a directory with an index, its blocks here have none. */
START_TEST(a_record_of_a_directory_makes_no_index)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(BLOCK);
	uint8_t *raw = area_inode(a, DIR_INO, LINUX_S_IFDIR | 0755, 2, 1024, 0);
	struct e2lazy_view *view;
	struct ext2_inode got;

	raw[AREA_FLAGS + 1] |= EXT2_INDEX_FL >> 8;
	add_links(a, DIR_INO, 3);
	view = replayed(f, a, 0);
	look_up(view, "/dir", &got);
	ck_assert_uint_eq(got.i_flags & EXT2_INDEX_FL, 0);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

/*
 * The file gets a tree in which all entries of a node name the same node below,
 * and the lowest node is an empty leaf: each level multiplies the ways down.
 */
static void plant_empty_leaf(struct fixture *f, unsigned depth)
{
	uint8_t node[BLOCK] = { 0x0a, 0xf3, 0, 0, 84 };
	struct ext2_inode inode;
	ext2_filsys fs;
	blk64_t at = FREED;

	ck_assert_int_eq(ext2fs_open(f->image, EXT2_FLAG_RW, 0, 0,
				     unix_io_manager, &fs), 0);
	for (unsigned level = 0; level < depth; level++, at++) {
		ck_assert_int_eq(io_channel_write_blk64(fs->io, at, 1, node),
				 0);
		node[2] = 84;
		node[6] = (uint8_t)(level + 1);
		for (unsigned i = 1; i <= 84; i++) {
			uint8_t *entry = node + 12 * i;

			memset(entry, 0, 12);
			entry[4] = (uint8_t)at;
			entry[5] = (uint8_t)(at >> 8);
		}
	}
	node[2] = node[4] = 4;
	ck_assert_int_eq(ext2fs_read_inode(fs, FILE_INO, &inode), 0);
	memcpy(inode.i_block, node, sizeof(inode.i_block));
	ck_assert_int_eq(ext2fs_write_inode(fs, FILE_INO, &inode), 0);
	ck_assert_int_eq(ext2fs_close(fs), 0);
}

START_TEST(an_extent_tree_of_empty_leaves_is_refused)
{
	struct fixture *f = area_populated("-b 1024 -J size=2 "
					   "-O fast_commit,^metadata_csum",
					   NULL);
	struct area *a = area_begin(BLOCK);

	plant_empty_leaf(f, 2);
	area_range(a, FILE_INO, 0, 1, FREED + 100);
	area_tail(a);
	e2lazy_view_free(replayed(f, a, E2LAZY_ET_FC_DAMAGED));
}
END_TEST

/* Claimed by a range that another record takes away again. */
static void claim(struct area *a, uint32_t first, uint32_t end)
{
	area_range(a, FILE_INO, 0, end - first, first);
	area_hole(a, FILE_INO, 0, end - first);
}

START_TEST(no_directory_gets_a_block_that_a_record_claims)
{
	struct fixture *f = area_populated(FS, NULL);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;
	const uint8_t *map;

	claim(a, FREED, FREED + 3000);
	claim(a, 20000, 40000);		/* one in the other, and overlaps */
	claim(a, 25000, 26000);
	claim(a, 39000, FREED + 10);
	claim(a, 1, 20001);
	claim(a, FREED + 3001, 65536);
	area_inode(a, FILE_INO, LINUX_S_IFREG | 0644, 1, 0, 0);
	area_inode(a, NEW_INO, LINUX_S_IFDIR | 0755, 2, 1024, 7);
	area_name(a, E2LAZY_FC_CREAT, EXT2_ROOT_INO, NEW_INO, "made");
	area_tail(a);
	view = replayed(f, a, 0);
	ck_assert_uint_eq(look_up(view, "/made", &got), NEW_INO);
	map = (const uint8_t *)got.i_block;
	ck_assert_uint_eq(map[20] | map[21] << 8, FREED + 3000);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

/* Each changes the image, or the records, in one way that is not replayed. */
static const struct {
	const char	*mke2fs, *more;
	uint32_t	parent, ino;
	const char	*name;
	uint32_t	fsblk;		/* for a range of @ino, or 0 */
	errcode_t	expect;
} refusals[] = {
	{ FS, NULL, 2, NEW_INO, "nobody", 0, E2LAZY_ET_FC_CONTRADICTS },
	{ FS, NULL, 2, FILE_INO, ".", 0, E2LAZY_ET_FC_CONTRADICTS },
	{ FS, NULL, 2, FILE_INO, "dir", 0, E2LAZY_ET_FC_CONTRADICTS },
	{ FS, NULL, 2, FILE_INO, "a/b", 0, E2LAZY_ET_FC_CONTRADICTS },
	{ FS, NULL, 2, DIR_INO, "second", 0, E2LAZY_ET_FC_CONTRADICTS },
	{ FS, NULL, FILE_INO, INNER_INO, "x", 0, E2LAZY_ET_FC_CONTRADICTS },
	{ FS, NULL, 2, 8, "journal", 0, E2LAZY_ET_FC_INODE },
	{ FS, NULL, 2, 99999999, "far", 0, E2LAZY_ET_FC_INODE },
	{ FS, "tune2fs -O orphan_file %s >/dev/null", 2, 15, "orphans", 0,
	  E2LAZY_ET_FC_INODE },
	{ FS, NULL, 2, FILE_INO, "ok", 1, E2LAZY_ET_FC_CONTRADICTS },
	{ FS, NULL, 2, FILE_INO, "ok", 99999999, E2LAZY_ET_FC_CONTRADICTS },
	{ FS, "debugfs -w -R 'sif file links_count 0' %s 2>/dev/null",
	  2, FILE_INO, "back", 0, E2LAZY_ET_FC_ORPHAN },
	{ FS, "debugfs -w -R 'sif file links_count 0' %1$s 2>/dev/null && "
	      "debugfs -w -R 'sif file dtime @12' %1$s 2>/dev/null && "
	      "debugfs -w -R 'ssv last_orphan 12' %1$s 2>/dev/null",
	  2, INNER_INO, "round", 0, E2LAZY_ET_FC_DAMAGED },
	{ FS ",^metadata_csum", "tune2fs -O orphan_file %1$s >/dev/null && "
	      "debugfs -w -R 'feature orphan_present' %1$s >/dev/null 2>&1 && "
	      "printf '\\014' | dd of=%1$s bs=1024 conv=notrunc status=none "
	      "seek=$(debugfs -R 'blocks <15>' %1$s 2>/dev/null | "
	      "cut -d' ' -f2)",
	  2, FILE_INO, "shrinks", 0, E2LAZY_ET_FC_ORPHAN },
	{ FS, "debugfs -w -R 'sif dir flags 0x80800' %s 2>/dev/null",
	  DIR_INO, FILE_INO, "secret", 0, E2LAZY_ET_FC_NAMES },
	{ FS, "debugfs -w -R 'sif dir flags 0' %s 2>/dev/null",
	  DIR_INO, FILE_INO, "x", 0, E2LAZY_ET_FC_MAP },
	{ FS, "debugfs -w -R 'sif file checksum 1' %s 2>/dev/null",
	  2, FILE_INO, "x", 0, E2LAZY_ET_FC_DAMAGED },
	{ FS ",quota", NULL, 2, FILE_INO, "x", 0, E2LAZY_ET_FC_QUOTA },
	{ FS ",bigalloc", NULL, 2, FILE_INO, "x", 0, E2LAZY_ET_FC_BIGALLOC },
};

START_TEST(what_would_not_be_right_is_refused)
{
	struct fixture *f = area_populated(refusals[_i].mke2fs, refusals[_i].more);
	struct area *a = area_begin(BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	area_name(a, E2LAZY_FC_LINK, refusals[_i].parent, refusals[_i].ino,
	     refusals[_i].name);
	if (refusals[_i].fsblk)
		area_range(a, refusals[_i].ino, 0, 1, refusals[_i].fsblk);
	area_tail(a);
	view = replayed(f, a, refusals[_i].expect);
	ck_assert_uint_eq(look_up(view, "/dir", &got), DIR_INO);
	e2lazy_view_free(view);
}
END_TEST

/* The bitmap calls the superblock's block free, and a directory needs one. */
START_TEST(the_superblock_becomes_no_directory)
{
	struct fixture *f = area_populated(FS,
		"n=$(dumpe2fs %1$s 2>/dev/null | "
		"awk '/free blocks,/ { print $1 + 1; exit }') && "
		"printf 'freeb 1\\nset_bg 0 free_blocks_count %%d\\n' $n | "
		"debugfs -w -f - %1$s >/dev/null 2>&1");
	struct area *a = area_begin(BLOCK);

	area_inode(a, NEW_INO, LINUX_S_IFDIR | 0755, 2, BLOCK, 7);
	area_name(a, E2LAZY_FC_CREAT, EXT2_ROOT_INO, NEW_INO, "new");
	area_tail(a);
	e2lazy_view_free(replayed(f, a, E2LAZY_ET_FC_CONTRADICTS));
}
END_TEST

START_TEST(a_view_of_another_time_has_no_fast_commits)
{
	struct fixture *f = area_populated(FS, NULL);
	struct e2lazy_fc_done done;
	struct e2lazy_view *view;

	read_map(f, E2LAZY_JMAP_CSUMS | E2LAZY_WALK_UNTIL, 5);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view, NULL),
			 0);
	ck_assert_int_eq(e2lazy_view_fast_commits(view, &done, NULL),
			 EXT2_ET_INVALID_ARGUMENT);
	e2lazy_view_free(view);
}
END_TEST

static uint32_t pick(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 8) % below;
}

/* Records that make sense one by one, in no order. */
static struct area *at_random(uint32_t *state)
{
	static const char *const names[] = { "file", "dir", "inner", "x", "y" };
	static const uint32_t modes[] = { LINUX_S_IFREG | 0600,
		LINUX_S_IFDIR | 0700, 0 };
	struct area *a = area_begin(BLOCK);
	unsigned count = 1 + pick(state, 6);

	while (count--) {
		uint32_t ino = FILE_INO + pick(state, 6);
		uint32_t dir = pick(state, 3) ? EXT2_ROOT_INO :
			       FILE_INO + pick(state, 6);

		switch (pick(state, 6)) {
		case 0:
			area_range(a, ino, pick(state, 100), 1 + pick(state, 40),
			      FREED + pick(state, 200));
			break;
		case 1:
			area_hole(a, ino, pick(state, 100), pick(state, 100));
			break;
		case 2:
			area_inode(a, ino, modes[pick(state, 3)], pick(state, 3),
			      pick(state, 90000), pick(state, 3));
			break;
		case 3:
			area_tail(a);
			break;
		default:
			area_name(a, E2LAZY_FC_CREAT + pick(state, 3), dir, ino,
			     names[pick(state, 5)]);
		}
	}
	area_tail(a);
	return a;
}

/* A sanitizer looks on.  If the records are taken, no block is lost or shared. */
START_TEST(records_at_random_do_no_harm)
{
	struct fixture *f = area_populated(FS, NULL);
	uint32_t state = 1;
	unsigned taken = 0;

	for (unsigned i = 0; i < 400; i++) {
		struct e2lazy_fc_done done;
		struct e2lazy_view *view;
		errcode_t err;

		area_write(f, at_random(&state), NULL);
		ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view,
						   NULL), 0);
		err = e2lazy_view_fast_commits(view, &done, NULL);
		ck_assert(!err || (err >= E2LAZY_ET_FC_BIGALLOC &&
				   err <= E2LAZY_ET_FC_DAMAGED));
		if (!err && done.blocks) {
			e2fsck_finds_nothing(f, view);
			taken++;
		}
		e2lazy_view_free(view);
		drop(f);
	}
	ck_assert_uint_gt(taken, 10);	/* compilers order the picks */
}
END_TEST

TCase *replay_tests(void)
{
	TCase *tc = tcase_create("replay");

	tcase_add_checked_fixture(tc, no_orphan_file, NULL);
	tcase_add_test(tc, a_new_file_has_its_name_blocks_and_size);
	tcase_add_test(tc, a_new_directory_has_a_block_and_its_parent_a_link);
	tcase_add_test(tc, what_loses_its_last_name_is_freed);
	tcase_add_test(tc, a_name_taken_over_frees_its_file);
	tcase_add_test(tc, a_second_life_has_none_of_the_first_ones_blocks);
	tcase_add_test(tc, a_record_longer_than_an_inode_ends_the_area);
	tcase_add_test(tc, a_map_of_many_pieces_gets_a_tree_and_loses_it);
	tcase_add_loop_test(tc, names_go_into_directories_that_grow, 0, 2);
	tcase_add_test(tc, a_full_index_is_refused);
	tcase_add_test(tc, a_name_put_beside_an_index_ends_it);
	tcase_add_test(tc, a_record_of_a_directory_makes_no_index);
	tcase_add_test(tc, an_extent_tree_of_empty_leaves_is_refused);
	tcase_add_test(tc, no_directory_gets_a_block_that_a_record_claims);
	tcase_add_loop_test(tc, what_would_not_be_right_is_refused, 0,
			    sizeof(refusals) / sizeof(refusals[0]));
	tcase_add_test(tc, the_superblock_becomes_no_directory);
	tcase_add_test(tc, a_view_of_another_time_has_no_fast_commits);
	tcase_add_test(tc, records_at_random_do_no_harm);
	return tc;
}
