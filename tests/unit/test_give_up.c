/* SPDX-License-Identifier: GPL-2.0-only */
/* What an inode that goes gives back.  e2fsck must find no block lost. */

#include <stdio.h>
#include <string.h>

#include "replayed.h"

#define FS	"-b 1024 -J size=2 -O fast_commit,^64bit,metadata_csum"

/* The next inode of an image by area_populate(). */
#define GOES	15

/* Made without extents, but in a directory that has them. */
#define WITHOUT_EXTENTS(commands) \
	"{ echo feature -extent; " commands "; echo feature extent; } | " \
	"debugfs -w -f - %1$s >/dev/null 2>&1"
#define LONG_TARGET	"$(printf 't%%.0s' $(seq 200))"
#define ATTRIBUTES(name) \
	"; echo ea_set -f %1$s.data " name " user.x"
/* Direct blocks, and one level and two levels of blocks of numbers. */
#define BIG \
	"head -c 400000 /dev/zero | tr '\\0' x >%1$s.big && "

static const struct {
	const char	*make, *name;
} gone[] = {
	{ WITHOUT_EXTENTS("echo symlink goes " LONG_TARGET), "goes" },
	{ WITHOUT_EXTENTS("echo symlink goes short"), "goes" },
	{ BIG WITHOUT_EXTENTS("echo write %1$s.big goes"), "goes" },
	{ WITHOUT_EXTENTS("echo mkdir goes"), "goes" },
	{ "head -c 700 /dev/zero >%1$s.data; "
	  WITHOUT_EXTENTS("echo symlink goes " LONG_TARGET
			  ATTRIBUTES("goes")), "goes" },
	{ "head -c 700 /dev/zero >%1$s.data; "
	  WITHOUT_EXTENTS("echo symlink goes short" ATTRIBUTES("goes")),
	  "goes" },
	{ "echo symlink goes " LONG_TARGET
	  " | debugfs -w -f - %1$s >/dev/null 2>&1", "goes" },
};

START_TEST(whatever_its_map_a_dead_inode_gives_up_its_blocks)
{
	struct fixture *f = area_populated(FS, gone[_i].make);
	struct area *a = area_begin(AREA_BLOCK);
	struct e2lazy_view *view;
	struct ext2_inode got;

	area_name(a, E2LAZY_FC_UNLINK, EXT2_ROOT_INO, GOES, gone[_i].name);
	area_tail(a);
	view = replayed(f, a, 0);
	ck_assert_uint_eq(look_up(view, "/goes", &got), 0);
	e2fsck_finds_nothing(f, view);
	e2lazy_view_free(view);
}
END_TEST

static const struct {
	const char	*damage;
	errcode_t	expect;
} damages[] = {
	{ "sif goes block[IND] 99999999", E2LAZY_ET_FC_DAMAGED },
	{ "sif goes block[3] 99999999", E2LAZY_ET_FC_DAMAGED },
	{ "sif goes block[3] 0x30000001", E2LAZY_ET_FC_DAMAGED },
	{ "sif goes block[3] 60000", E2LAZY_ET_FC_CONTRADICTS },
	{ "sif goes file_acl 60000", E2LAZY_ET_FC_DAMAGED },
	{ "sif goes file_acl 99999999", E2LAZY_ET_FC_DAMAGED },
};

START_TEST(a_damaged_map_gives_up_nothing)
{
	struct fixture *f = area_populated(FS,
		BIG WITHOUT_EXTENTS("echo write %1$s.big goes"));
	struct area *a = area_begin(AREA_BLOCK);
	char command[200];

	snprintf(command, sizeof(command),
		 "debugfs -w -R '%s' %%s >/dev/null 2>&1", damages[_i].damage);
	shell(f, command);
	area_name(a, E2LAZY_FC_UNLINK, EXT2_ROOT_INO, GOES, "goes");
	area_tail(a);
	e2lazy_view_free(replayed(f, a, damages[_i].expect));
}
END_TEST

/* Records of a link whose target needs a block, by its number. */
static struct area *link_record(uint32_t ino, uint32_t size, uint32_t generation,
				uint8_t first)
{
	struct area *a = area_begin(AREA_BLOCK);
	uint8_t *raw = area_inode(a, ino, LINUX_S_IFLNK | 0777, 1, size,
				  generation);

	memset(raw + AREA_FLAGS, 0, 4);
	memset(raw + AREA_MAP, first, 2);
	if (ino == NEW_INO)
		area_name(a, E2LAZY_FC_CREAT, EXT2_ROOT_INO, ino, "new");
	area_tail(a);
	return a;
}

static const struct {
	uint32_t	ino, size, generation;
	errcode_t	expect;
} links[] = {
	{ NEW_INO, 200, 7, E2LAZY_ET_FC_MAP },
	{ NEW_INO, 59, 7, 0 },
	{ GOES, 59, 7, E2LAZY_ET_FC_CONTRADICTS },	/* in use */
	{ GOES, 59, 0, E2LAZY_ET_FC_CONTRADICTS },
	{ GOES, 200, 0, 0 },
};

START_TEST(a_link_s_record_maps_no_block)
{
	struct fixture *f = area_populated(FS,
		WITHOUT_EXTENTS("echo symlink goes " LONG_TARGET));
	struct area *a = link_record(links[_i].ino, links[_i].size,
				     links[_i].generation, 0xee);
	struct e2lazy_view *view = replayed(f, a, links[_i].expect);
	struct ext2_inode got;

	if (!links[_i].expect && links[_i].ino == GOES) {
		look_up(view, "/goes", &got);
		ck_assert_uint_ne(got.i_block[0], 0xeeee);
		ck_assert_uint_eq(got.i_ctime, AREA_TIME);
		e2fsck_finds_nothing(f, view);
	}
	e2lazy_view_free(view);
}
END_TEST

TCase *give_up_tests(void)
{
	TCase *tc = tcase_create("give_up");

	tcase_add_checked_fixture(tc, no_orphan_file, NULL);
	tcase_add_loop_test(tc,
			    whatever_its_map_a_dead_inode_gives_up_its_blocks,
			    0, sizeof(gone) / sizeof(gone[0]));
	tcase_add_loop_test(tc, a_damaged_map_gives_up_nothing, 0,
			    sizeof(damages) / sizeof(damages[0]));
	tcase_add_loop_test(tc, a_link_s_record_maps_no_block, 0,
			    sizeof(links) / sizeof(links[0]));
	return tc;
}
