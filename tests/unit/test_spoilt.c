/* SPDX-License-Identifier: GPL-2.0-only */
/* The rules that fuzzing found broken: see doc/testing.md. */

#include <string.h>

#include "e2lazy_view.h"
#include "fixture.h"
#include "log/log.h"

/*
 * A descriptor that puts a bitmap into the inode table: which of the two a
 * block is, is told the same whether blocks are asked for or counted.
 */
START_TEST(what_overlaps_is_counted_as_it_is_found)
{
	uint64_t counts[E2LAZY_NR_TYPES], found[E2LAZY_NR_TYPES] = { 0 };
	struct fixture *f = map_of(NULL);
	struct e2lazy_layout *layout;
	struct e2lazy_place place;
	struct e2lazy_copy copy;
	char spec[64];
	blk64_t table;

	ck_assert_int_eq(try_open(f, NULL), 0);
	table = ext2fs_inode_table_loc(f->journal->fs, 0);
	snprintf(spec, sizeof(spec), "txn 5 write %llu-%llu\n",
		 (unsigned long long)table, (unsigned long long)table + 7);
	write_log(f, spec);
	read_map(f, 0, 0);
	ext2fs_inode_bitmap_loc_set(f->journal->fs, 0, table + 3);
	ck_assert_int_eq(e2lazy_layout_build(f->journal, f->map, &layout,
					     NULL), 0);
	for (size_t i = 0; i < 8; i++) {
		e2lazy_jmap_get(f->map, i, &copy);
		e2lazy_layout_find(layout, copy.fsblk, &place);
		found[place.type]++;
	}
	ck_assert_uint_eq(found[E2LAZY_TYPE_INODE_TABLE], 3);
	ck_assert_uint_eq(found[E2LAZY_TYPE_INODE_BITMAP], 1);
	e2lazy_layout_count(layout, f->map, counts);
	for (unsigned i = 0; i <= E2LAZY_TYPE_OTHER; i++)
		ck_assert_uint_eq(counts[i], found[i]);
	e2lazy_layout_free(layout);
}
END_TEST

/* A superblock that the view can show, and libext2fs does not take. */
START_TEST(a_view_that_cannot_be_opened_names_its_device)
{
	struct fixture *f = map_of("txn 5 write 60000\n");
	struct e2lazy_view *view;
	struct e2lazy_where where;
	ext2_filsys fs;

	f->journal->fs->super->s_feature_incompat |=
		EXT2_FEATURE_INCOMPAT_COMPRESSION;
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view,
					   &f->where), 0);
	ck_assert_int_eq(e2lazy_view_open(view, &fs, &where),
			 EXT2_ET_UNSUPP_FEATURE);
	ck_assert_ptr_null(fs);
	ck_assert_uint_eq(where.has, 0);
	ck_assert_int_eq(where.volume, E2LAZY_FILE_SYSTEM);
	e2lazy_view_free(view);
}
END_TEST

TCase *spoilt_tests(void)
{
	TCase *tc = tcase_create("spoilt");

	tcase_add_test(tc, what_overlaps_is_counted_as_it_is_found);
	tcase_add_test(tc, a_view_that_cannot_be_opened_names_its_device);
	return tc;
}
