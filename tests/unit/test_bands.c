/* SPDX-License-Identifier: GPL-2.0-only */
/* Where metadata lies, and the bands that it dirties. */

#include <stdlib.h>
#include <string.h>

#include "e2lazy_drive.h"
#include "fixture.h"
#include "image.h"

#define MIB		((uint64_t)1 << 20)
#define GIB		(1024 * MIB)
#define BAND		(30 * MIB)

/* Blocks of real drives, in 4 KiB. */
#define TB4		976754646
#define TB5		1220942646
#define TB8		1953506646
#define TB14		3418095615

/* What mke2fs makes; @options begin with more words for its -E. */
static struct e2lazy_bands count_as(uint64_t blocks, const char *options,
				    const struct e2lazy_band_model *model)
{
	struct e2lazy_regions *regions = regions_made(blocks, options);
	struct e2lazy_bands bands;

	e2lazy_bands(regions, blocks * 4096, model, &bands);
	e2lazy_regions_free(regions);
	return bands;
}

static struct e2lazy_bands count(uint64_t blocks, const char *options)
{
	struct e2lazy_band_model model = { .band_bytes = BAND };

	return count_as(blocks, options, &model);
}

#define USUAL	" -i 32768"
#define PACKED	",packed_meta_blocks=1,num_backup_sb=1 " \
		"-O sparse_super2,^resize_inode,^has_journal "

/* In GiB, rounded. */
static uint64_t hundredths(uint64_t bytes)
{
	return (bytes * 100 + GIB / 2) / GIB;
}

/* -------------------------------------------- what was measured of mke2fs */

struct measured {
	uint64_t	blocks, ratio;
	unsigned	flex;
	uint64_t	regions, bands, with_super;
	unsigned	gib;		/* of tables, in hundredths */
};

static const struct measured layouts[] = {
	{ TB4, 16384, 16, 1864, 3851, 3874, 5845 },
	{ TB4, 1048576, 16, 1864, 1864, 1887, 114 },
	{ TB4, 1048576, 256, 117, 148, 171, 114 },
	{ TB5, 32768, 16, 2329, 3571, 3597, 3667 },
	{ TB5, 1048576, 256, 146, 184, 210, 142 },
	{ TB8, 32768, 16, 3727, 5713, 5740, 5867 },
	{ TB8, 16384, 16, 3727, 7701, 7728, 11689 },
	{ TB8, 32768, 256, 233, 2221, 2247, 5867 },
	{ TB8, 32768, 1024, 59, 2058, 2079, 5867 },
	{ TB8, 1048576, 16, 3727, 3727, 3754, 227 },
	{ TB8, 1048576, 256, 233, 295, 322, 227 },
	{ TB14, 32768, 16, 6520, 9996, 10024, 10266 },
	{ TB14, 1048576, 256, 408, 516, 544, 398 },
};

/* Counted in images that mke2fs 1.47.0 made, by hand. */
START_TEST(flex_groups_dirty_the_bands_that_were_counted)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		const struct measured *m = &layouts[i];
		struct e2lazy_bands b;
		char options[64];

		snprintf(options, sizeof(options), " -i %u -G %u",
			 (unsigned)m->ratio, m->flex);
		b = count(m->blocks, options);
		ck_assert_uint_eq(b.exact, m->bands);
		ck_assert_uint_eq(b.exact_super, m->with_super);
		ck_assert_uint_eq(hundredths(b.metadata_bytes), m->gib);
		/* superblocks part the tables of the largest flex groups */
		ck_assert_uint_ge(b.regions, m->regions);
		ck_assert_uint_le(b.regions, m->regions + 5);
	}
}
END_TEST

START_TEST(packed_tables_dirty_the_bands_that_were_counted)
{
	static const struct { uint64_t blocks, ratio, bands; } all[] = {
		{ TB4, 1048576, 39 }, { TB5, 1048576, 49 },
		{ TB8, 1048576, 78 }, { TB8, 32768, 2004 },
		{ TB8, 4194304, 32 }, { TB14, 1048576, 137 },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct e2lazy_bands b;
		char options[160];

		snprintf(options, sizeof(options), PACKED "-i %u",
			 (unsigned)all[i].ratio);
		b = count(all[i].blocks, options);
		ck_assert_uint_eq(b.exact, all[i].bands);
		ck_assert_uint_eq(b.exact_super, all[i].bands);
		ck_assert_uint_eq(b.regions, 1);
	}
}
END_TEST

START_TEST(packed_with_all_backups_still_has_those)
{
	struct e2lazy_bands b;

	b = count(TB8, ",packed_meta_blocks=1 -i 1048576");
	ck_assert_uint_eq(b.exact, 80);
	ck_assert_uint_eq(b.exact_super, 100);
	b = count(TB8, ",packed_meta_blocks=1" USUAL);
	ck_assert_uint_eq(b.exact_super, 2019);
}
END_TEST

START_TEST(clusters_make_groups_larger_and_inodes_fewer)
{
	struct e2lazy_bands b;

	b = count(TB8, " -O bigalloc -C 1M -N 7630886");
	ck_assert_uint_eq(b.exact, 77);
	ck_assert_uint_eq(hundredths(b.metadata_bytes), 182);
}
END_TEST

START_TEST(more_than_2_to_the_32_blocks_are_counted_in_full)
{
	struct e2lazy_bands b = count(5859442688, " -i 65536");

	ck_assert_uint_eq(b.regions, 11176);
	ck_assert_uint_eq(b.exact, 14156);
	ck_assert_uint_eq(b.exact_super, 14189);
}
END_TEST

START_TEST(smaller_bands_are_dirtied_in_greater_number)
{
	static const struct { uint64_t mib, bands; } all[] = {
		{ 15, 7701 }, { 20, 6708 }, { 30, 5713 }, { 36, 5383 },
		{ 40, 5217 }, { 256, 3727 },
	};
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct e2lazy_band_model model = {
			.band_bytes = all[i].mib * MIB,
		};

		ck_assert_uint_eq(count_as(TB8, USUAL, &model).exact,
				  all[i].bands);
	}
}
END_TEST

/* --------------------------------------------------- what the paper says */

/* The paper's disk: 4,000 flex groups of 16 MiB of tables, in 30 MB bands. */
START_TEST(the_papers_disk_cleans_120_gb_and_moves_360_gb)
{
	const uint64_t blocks = 4000ULL * 16 * 32768;
	struct e2lazy_band_model model = { .band_bytes = 30000000 };
	struct e2lazy_bands b;

	b = count_as(blocks, USUAL, &model);
	ck_assert_uint_eq(b.regions, 4000);
	ck_assert_uint_eq(b.paper, 4000);
	ck_assert_uint_eq(b.paper_clean, 120000000000);
	ck_assert_uint_eq(b.paper_traffic, 360000000000);
	model.dynamic = true;
	ck_assert_uint_eq(count_as(blocks, USUAL, &model).paper_traffic, 240000000000);
}
END_TEST

/* With the paper's MiB: 117.2 GiB and 351.6, not 120 and 360. */
START_TEST(in_mib_it_is_two_percent_less_than_it_says)
{
	const uint64_t blocks = 4000ULL * 16 * 32768;
	struct e2lazy_bands b;

	b = count(blocks, USUAL);
	ck_assert_uint_eq(b.paper, 4000);
	ck_assert_uint_eq(b.paper_clean / MIB, 120000);
	ck_assert_uint_eq(b.paper_traffic / MIB, 360000);
	ck_assert_uint_eq(b.paper_clean * 10 / GIB, 1171);
	ck_assert_uint_eq(b.paper_traffic * 10 / GIB, 3515);
}
END_TEST

START_TEST(a_sixteenth_of_the_disk_moves_22_5_gb)
{
	const uint64_t blocks = 250ULL * 16 * 32768;
	struct e2lazy_band_model model = { .band_bytes = 30000000 };
	struct e2lazy_bands b;

	b = count_as(blocks, USUAL, &model);
	ck_assert_uint_eq(b.paper, 250);
	ck_assert_uint_eq(b.paper_traffic, 22500000000);
	b = count(blocks, USUAL);
	ck_assert_uint_eq(b.paper_traffic / MIB, 22500);
	/* 21.97 GiB */
	ck_assert_uint_eq(b.paper_traffic * 100 / GIB, 2197);
}
END_TEST

/* "Over 260,000 bands": in MB; in MiB it is 254,363. */
START_TEST(the_disk_has_260000_bands_of_30_mb)
{
	const uint64_t blocks = TB8;
	struct e2lazy_band_model model = { .band_bytes = 30000000 };

	ck_assert_uint_eq(count(blocks, USUAL).disk, 254363);
	ck_assert_uint_eq(count_as(blocks, USUAL, &model).disk, 266719);
}
END_TEST

START_TEST(the_real_8_tb_drive_cleans_more_than_the_paper_counts)
{
	const uint64_t blocks = TB8;
	struct e2lazy_bands b;

	b = count(blocks, USUAL);
	ck_assert_uint_eq(b.paper, 3727);
	ck_assert_uint_eq(b.exact_clean, 5713 * BAND);
	ck_assert_uint_eq(b.exact_traffic, 3 * 5713 * BAND);
	ck_assert_uint_eq(b.exact_traffic / GIB, 502);
}
END_TEST

/* ------------------------------------------------------------- the model */

START_TEST(a_partition_shifts_its_tables_against_the_bands)
{
	const uint64_t blocks = TB8;
	const char *packed = PACKED "-i 1048576";
	struct e2lazy_band_model model = { .band_bytes = BAND };

	/* 2,328.6 MiB of tables from 3.6 MiB on: 77.6 bands, in 78 or 79 */
	ck_assert_uint_eq(count_as(blocks, packed, &model).exact, 78);
	model.start = 10 * MIB;
	ck_assert_uint_eq(count_as(blocks, packed, &model).exact, 79);
	model.start = BAND;
	ck_assert_uint_eq(count_as(blocks, packed, &model).exact, 78);
}
END_TEST

START_TEST(a_region_is_not_counted_as_less_than_it_holds)
{
	const uint64_t blocks = TB8;
	const char *packed = PACKED "-i 1048576";
	struct e2lazy_bands b = count(blocks, packed);

	ck_assert_uint_eq(b.paper, (b.metadata_bytes + BAND - 1) / BAND);
}
END_TEST

START_TEST(regions_ascend_and_do_not_overlap)
{
	struct e2lazy_regions *regions = regions_made(TB4, " -G 1024");
	struct e2lazy_region last, next;

	ck_assert_uint_gt(e2lazy_regions_count(regions), 50);
	e2lazy_regions_get(regions, 0, &last);
	ck_assert_uint_eq(last.start, 0);
	ck_assert_int_eq(last.kind, E2LAZY_REGION_SUPER);
	for (size_t i = 1; i < e2lazy_regions_count(regions); i++) {
		uint64_t end = last.start + last.length;

		e2lazy_regions_get(regions, i, &next);
		ck_assert_uint_ge(next.start, end);
		ck_assert(next.start > end || next.kind != last.kind);
		last = next;
	}
	ck_assert_uint_le(last.start + last.length, TB4 * 4096ULL);
	e2lazy_regions_free(regions);
}
END_TEST

/* --------------------------------------------- of a file system that is */

/* Bands that dumpe2fs's list of a real file system, made by hand, comes to. */
START_TEST(a_real_file_system_is_counted_by_its_descriptors)
{
	struct fixture *f = new_fixture();
	struct e2lazy_band_model model = { .band_bytes = MIB };
	struct e2lazy_regions *regions;
	struct e2lazy_region r;
	struct e2lazy_bands b;
	ext2_filsys fs;

	/*
	 * 8 groups of 8 MiB. Superblock and descriptors: 2 blocks in 0, 1, 3,
	 * 5 and 7. Tables: 8 + 8 + 8 x 32 blocks from block 3 on.
	 */
	make_image(f, "64M", "-b 1024 -N 1024 -I 256 -O ^resize_inode,64bit "
		   "-J size=1", "txn 5 write 60000\n");
	ck_assert_int_eq(ext2fs_open(f->image, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	ck_assert_int_eq(e2lazy_regions_of(fs, &regions), 0);
	ck_assert_uint_eq(e2lazy_regions_count(regions), 6);
	e2lazy_regions_get(regions, 0, &r);
	ck_assert_uint_eq(r.start, 1024);
	ck_assert_uint_eq(r.length, 2048);
	ck_assert_int_eq(r.kind, E2LAZY_REGION_SUPER);
	e2lazy_regions_get(regions, 1, &r);
	ck_assert_uint_eq(r.start, 3072);
	ck_assert_uint_eq(r.length, 272 * 1024);
	ck_assert_int_eq(r.kind, E2LAZY_REGION_TABLES);
	e2lazy_regions_get(regions, 5, &r);
	ck_assert_uint_eq(r.start, (7 * 8192 + 1) * 1024);
	ck_assert_int_eq(r.kind, E2LAZY_REGION_SUPER);
	e2lazy_bands(regions, 64 * MIB, &model, &b);
	ck_assert_uint_eq(b.exact, 1);
	ck_assert_uint_eq(b.exact_super, 5);
	ck_assert_uint_eq(b.disk, 64);
	/* and in smaller bands */
	model.band_bytes = 65536;
	e2lazy_bands(regions, 64 * MIB, &model, &b);
	ck_assert_uint_eq(b.exact, 5);
	e2lazy_regions_free(regions);
	ext2fs_close(fs);
	drop(f);
}
END_TEST

/* Descriptors that point into the blue and onto each other. */
START_TEST(damaged_descriptors_are_believed_within_the_file_system)
{
	struct fixture *f = new_fixture();
	struct e2lazy_regions *regions;
	struct e2lazy_region r;
	uint64_t end = 0;
	ext2_filsys fs;

	make_image(f, "64M", "-b 1024 -N 1024 -O ^resize_inode -J size=1",
		   "txn 5 write 60000\n");
	ck_assert_int_eq(ext2fs_open(f->image, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	ext2fs_inode_table_loc_set(fs, 0, 0xfffffff0);
	ext2fs_inode_table_loc_set(fs, 1, 65535);	/* the last block */
	ext2fs_inode_table_loc_set(fs, 2, 1);		/* the superblock */
	ext2fs_inode_table_loc_set(fs, 3, 8);		/* and table 2 */
	ext2fs_block_bitmap_loc_set(fs, 4, 0);		/* not there yet */
	ck_assert_int_eq(e2lazy_regions_of(fs, &regions), 0);
	e2lazy_regions_get(regions, 0, &r);
	ck_assert_uint_eq(r.start, 1024);
	ck_assert_int_eq(r.kind, E2LAZY_REGION_SUPER);
	for (size_t i = 0; i < e2lazy_regions_count(regions); i++) {
		e2lazy_regions_get(regions, i, &r);
		ck_assert_uint_ge(r.start, end);
		ck_assert_uint_gt(r.length, 0);
		end = r.start + r.length;
	}
	ck_assert_uint_eq(end, 64 * MIB);
	e2lazy_regions_free(regions);
	ext2fs_free(fs);	/* nothing of that is written */
	drop(f);
}
END_TEST

TCase *bands_tests(void)
{
	TCase *tc = tcase_create("bands");

	tcase_add_test(tc, flex_groups_dirty_the_bands_that_were_counted);
	tcase_add_test(tc, packed_tables_dirty_the_bands_that_were_counted);
	tcase_add_test(tc, packed_with_all_backups_still_has_those);
	tcase_add_test(tc, clusters_make_groups_larger_and_inodes_fewer);
	tcase_add_test(tc, more_than_2_to_the_32_blocks_are_counted_in_full);
	tcase_add_test(tc, smaller_bands_are_dirtied_in_greater_number);
	tcase_add_test(tc, the_papers_disk_cleans_120_gb_and_moves_360_gb);
	tcase_add_test(tc, in_mib_it_is_two_percent_less_than_it_says);
	tcase_add_test(tc, a_sixteenth_of_the_disk_moves_22_5_gb);
	tcase_add_test(tc, the_disk_has_260000_bands_of_30_mb);
	tcase_add_test(tc,
		       the_real_8_tb_drive_cleans_more_than_the_paper_counts);
	tcase_add_test(tc, a_partition_shifts_its_tables_against_the_bands);
	tcase_add_test(tc, a_region_is_not_counted_as_less_than_it_holds);
	tcase_add_test(tc, regions_ascend_and_do_not_overlap);
	tcase_add_test(tc, a_real_file_system_is_counted_by_its_descriptors);
	tcase_add_test(tc,
		       damaged_descriptors_are_believed_within_the_file_system);
	return tc;
}
