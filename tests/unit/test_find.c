/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the journal is: inode, backup of the inode, another device. */

#include <stdio.h>
#include <string.h>

#include "fixture.h"

#define LOG "txn 5 write 60000-60099\ntxn 6 write 60001\n"

static void check_log(struct fixture *f)
{
	ck_assert_mapped(f, 60000, 5);
	ck_assert_mapped(f, 60001, 6);
	ck_assert_mapped(f, 60099, 5);
}

START_TEST(extent_mapped_inode)
{
	struct fixture *f = map_of(LOG);

	ck_assert_uint_eq(e2lazy_geometry(f->journal)->ino, 8);
	check_log(f);
}
END_TEST

START_TEST(indirect_mapped_inode)
{
	struct fixture *f = map_of_fs("-b 1024 -J size=4 -O ^extent,^64bit,"
				      "^metadata_csum", "start end-50\n" LOG);

	check_log(f);
}
END_TEST

/* Occupy every second block, so that the journal is made of single ones. */
START_TEST(journal_in_many_pieces)
{
	const char *form = _i ? "^extent,^64bit" : "extent,64bit";
	struct fixture *f = new_fixture();
	char options[256];

	snprintf(options, sizeof(options), "-b 1024 -O ^has_journal,"
		 "^metadata_csum,^uninit_bg,%s", form);
	make_image(f, "64M", options, NULL);
	shell(f, "(for i in $(seq 1000 2 59999); do echo setb $i; done; "
		 "echo setb 60000 5535) | debugfs -w -f - %s");
	shell(f, "tune2fs -J size=8 %s");
	if (_i == 0)	/* so that the extent blocks are verified, too */
		shell(f, "tune2fs -O metadata_csum %s");
	write_log(f, "start end-30\n" LOG);
	read_map(f, 0, 0);
	ck_assert_uint_gt(e2lazy_geometry(f->journal)->runs, 100);
	check_log(f);
}
END_TEST

/*
 * libext2fs looks for an extent block's checksum where eh_max says that it is,
 * so that has to be bounded first (seen by the address sanitizer).
 */
START_TEST(extent_block_of_impossible_size_is_not_believed)
{
	struct fixture *f = new_fixture();

	make_image(f, "64M", "-b 1024 -O ^has_journal,^metadata_csum,"
		   "^uninit_bg", NULL);
	shell(f, "(for i in $(seq 1000 2 59999); do echo setb $i; done; "
		 "echo setb 60000 5535) | debugfs -w -f - %s");
	shell(f, "tune2fs -J size=8 %s");
	shell(f, "tune2fs -O metadata_csum %s");
	write_log(f, LOG);
	/* the block of the first node below the root */
	shell(f, "f=%s && b=$(debugfs -R 'ex <8>' $f | awk '$1 == \"0/\" "
		 "{ getline; print $(NF - 1); exit }') && test $b -gt 0 && "
		 "printf '\\377\\377' | "
		 "dd of=$f bs=1 seek=$((b * 1024 + 4)) conv=notrunc");
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_JOURNAL_MAP);
}
END_TEST

START_TEST(lost_inode_is_found_in_the_superblock)
{
	const char *form = _i ? "-b 1024 -J size=4 -O ^extent,^64bit,"
				"^metadata_csum" : PLAIN;
	struct fixture *f = map_of_fs(form, LOG "damage inode8 clear\n");

	ck_assert(e2lazy_geometry(f->journal)->from_backup);
	check_log(f);
}
END_TEST

/* A change of inode 8's block map by debugfs, and its result. */
static const struct {
	const char	*form;
	const char	*damage;
} bad_maps[] = {
	{ "extent", "block[3] 5" },		/* the first extent: a hole */
	{ "extent", "block[4] 0" },		/* its length */
	{ "extent", "block[5] 0xfffffff0" },	/* its place */
	{ "extent", "block[0] 0x0100f30a" },	/* entries that do not fit */
	{ "^extent", "block[0] 0" },		/* a hole */
	{ "^extent", "block[3] 0xfffffff0" },	/* a place */
	{ "^extent", "block[IND] 1" },		/* a block that maps others */
};
#define NR_BAD_MAPS (sizeof(bad_maps) / sizeof(bad_maps[0]))

START_TEST(broken_block_map_is_not_believed)
{
	struct fixture *f = new_fixture();
	char line[256];

	snprintf(line, sizeof(line), "-b 1024 -J size=1 -O %s,^64bit",
		 bad_maps[_i].form);
	make_image(f, "64M", line, LOG);
	snprintf(line, sizeof(line), "debugfs -w -R 'sif <8> %s' %%s",
		 bad_maps[_i].damage);
	shell(f, line);
	read_map(f, 0, 0);
	ck_assert(e2lazy_geometry(f->journal)->from_backup);
	check_log(f);

	drop(f);
	shell(f, "debugfs -w -R 'ssv jnl_backup_type 0' %s");
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_JOURNAL_MAP);
}
END_TEST

/* It is the device that is too short only where the file system says so. */
START_TEST(inode_larger_than_a_whole_device_is_unusable)
{
	struct fixture *f = new_fixture();

	make_image(f, "64M", "-b 1024 -J size=1", LOG);
	shell(f, "debugfs -w -R 'sif <8> size_hi 1' %s");
	shell(f, "debugfs -w -R 'ssv jnl_backup_type 0' %s");
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_JOURNAL_INODE);
	shell(f, "truncate -s 63M %s");
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_DEVICE_SHORT);
	ck_assert_uint_eq(f->where.has, E2LAZY_AT_FSBLK);
	ck_assert_uint_eq(f->where.fsblk, 63 << 10);
}
END_TEST

/* Bytes that are left: within a block, at its end, before the descriptors. */
static const unsigned ends[] = { 2000000, 2 << 20, 2500 };
#define NR_ENDS (sizeof(ends) / sizeof(ends[0]))

START_TEST(device_that_ends_before_the_journal_does_is_called_that)
{
	struct fixture *f = new_fixture();
	char line[64];

	make_image(f, "64M", PLAIN, LOG);
	snprintf(line, sizeof(line), "truncate -s %u %%s", ends[_i]);
	shell(f, line);
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_DEVICE_SHORT);
	ck_assert_int_eq(f->where.volume, E2LAZY_FILE_SYSTEM);
	ck_assert_uint_eq(f->where.has, E2LAZY_AT_FSBLK);
	ck_assert_uint_eq(f->where.fsblk, ends[_i] / 1024);
}
END_TEST

START_TEST(no_journal_is_said)
{
	struct fixture *f = map_of_fs("-b 1024 -O ^has_journal", NULL);

	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_NO_JOURNAL);
}
END_TEST

START_TEST(inode_and_device_at_once_are_refused)
{
	struct fixture *f = map_of_fs(PLAIN, NULL);

	write_log(f, LOG "damage sbjournal dev 0x0801\n");
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_AMBIGUOUS_JOURNAL);
}
END_TEST

static const char *const sizes[] = { "1024", "2048", "4096" };

START_TEST(journal_on_another_device)
{
	struct fixture *f = new_fixture();
	struct e2lazy_open_opts opts = { .journal = f->device };

	make_external(f, sizes[_i], "start end-40\n" LOG);
	ck_assert_int_eq(try_open(f, &opts), 0);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->first, _i ? 2 : 3);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->ino, 0);
	read_map(f, E2LAZY_WALK_DATA, 0);
	check_log(f);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
	/* log numbers are absolute, whatever they would be in the fs */
	ck_assert(!e2lazy_is_journal_block(f->journal, 100));
}
END_TEST

START_TEST(external_journal_must_be_named_for_an_image)
{
	struct fixture *f = new_fixture();
	char name[E2LAZY_PATH_MAX];
	struct e2lazy_open_opts opts = { .journal_name = name };

	make_external(f, "1024", LOG);
	ck_assert_int_eq(try_open(f, &opts), E2LAZY_ET_EXT_UNKNOWN);
	ck_assert_str_eq(name, f->image);
}
END_TEST

/* Within the journal superblock, before it, and within the ext4 superblock. */
static const unsigned device_ends[] = { 3000, 2048, 2000 };
#define NR_DEVICE_ENDS (sizeof(device_ends) / sizeof(device_ends[0]))

START_TEST(external_journal_that_is_cut_off_is_called_that)
{
	struct fixture *f = new_fixture();
	char line[64], name[E2LAZY_PATH_MAX];
	struct e2lazy_open_opts opts = { .journal = f->device,
					 .journal_name = name };

	make_external(f, "1024", LOG);
	snprintf(line, sizeof(line), "truncate -s %u $(dirname %%s)/journal.img",
		 device_ends[_i]);
	shell(f, line);
	ck_assert_int_eq(try_open(f, &opts), E2LAZY_ET_DEVICE_SHORT);
	ck_assert_int_eq(f->where.volume, E2LAZY_JOURNAL);
	ck_assert_str_eq(name, f->device);
	ck_assert_uint_eq(f->where.has, E2LAZY_AT_LOGBLK);
	ck_assert_uint_eq(f->where.logblk, device_ends[_i] / 1024);
}
END_TEST

START_TEST(external_journal_of_another_file_system_is_refused)
{
	struct fixture *f = new_fixture();
	char name[E2LAZY_PATH_MAX];
	struct e2lazy_open_opts opts = { .journal = f->device,
					 .journal_name = name };

	make_external(f, "1024", LOG);
	shell(f, "d=$(dirname %s)/journal.img; "
		 "mke2fs -q -F -O journal_dev -b 1024 $d");
	ck_assert_int_eq(try_open(f, &opts), E2LAZY_ET_EXT_UUID);
	ck_assert_int_eq(f->where.volume, E2LAZY_JOURNAL);
	ck_assert_str_eq(name, f->device);
	shell(f, "d=$(dirname %s)/journal.img; mke2fs -q -F -t ext4 $d");
	ck_assert_int_eq(try_open(f, &opts), E2LAZY_ET_EXT_NOT_JOURNAL);
	shell(f, "truncate -s 2500 $(dirname %s)/journal.img");
	ck_assert_int_eq(try_open(f, &opts), E2LAZY_ET_EXT_NOT_JOURNAL);
	shell(f, "d=$(dirname %s)/journal.img; "
		 "dd if=/dev/zero of=$d bs=1M count=8");
	ck_assert_int_eq(try_open(f, &opts), E2LAZY_ET_EXT_NOT_JOURNAL);
}
END_TEST

/* The jbd2 superblock has the device's UUID. */
START_TEST(an_external_journal_is_read_without_its_ext4_superblock)
{
	static const char *const sizes[] = { "1024", "4096" };
	struct fixture *f = new_fixture();
	struct e2lazy_open_opts opts = { .journal = f->device };

	make_external(f, sizes[_i], LOG);
	shell(f, "d=$(dirname %s)/journal.img; dd if=/dev/zero of=$d bs=1024 "
		 "seek=1 count=1 conv=notrunc");
	ck_assert_int_eq(try_open(f, &opts), 0);
	read_map(f, 0, 0);
	ck_assert_mapped(f, 60003, 5);
	drop(f);
	shell(f, "debugfs -w -R 'ssv journal_uuid "
		 "12345678-1234-1234-1234-123456789012' %s");
	ck_assert_int_eq(try_open(f, &opts), E2LAZY_ET_EXT_NOT_JOURNAL);
}
END_TEST

START_TEST(journal_option_for_an_internal_journal_is_refused)
{
	struct fixture *f = map_of(LOG);
	struct e2lazy_open_opts opts = { .journal = f->image };

	ck_assert_int_eq(try_open(f, &opts), E2LAZY_ET_NOT_EXTERNAL);
}
END_TEST

START_TEST(journal_device_alone_is_refused)
{
	struct fixture *f = new_fixture();

	make_external(f, "1024", LOG);
	ck_assert_int_eq(e2lazy_open(f->device, NULL, &f->journal, &f->where),
			 E2LAZY_ET_IS_JOURNAL_DEV);
}
END_TEST

START_TEST(backup_superblock_opens_what_the_primary_cannot)
{
	struct e2lazy_open_opts opts = { .superblock = 8193,
					 .blocksize = 1024 };
	struct fixture *f = map_of(LOG);

	drop(f);
	shell(f, "dd if=/dev/zero of=%s bs=1024 seek=1 count=1 conv=notrunc "
		 "2>/dev/null");
	ck_assert_int_ne(try_open(f, NULL), 0);
	ck_assert_int_eq(try_open(f, &opts), 0);
	read_map(f, 0, 0);
	check_log(f);
}
END_TEST

TCase *find_tests(void)
{
	TCase *tc = tcase_create("find");

	tcase_add_test(tc, extent_mapped_inode);
	tcase_add_test(tc, extent_block_of_impossible_size_is_not_believed);
	tcase_add_test(tc, indirect_mapped_inode);
	tcase_add_loop_test(tc, journal_in_many_pieces, 0, 2);
	tcase_add_loop_test(tc, lost_inode_is_found_in_the_superblock, 0, 2);
	tcase_add_loop_test(tc, broken_block_map_is_not_believed, 0,
			    NR_BAD_MAPS);
	tcase_add_test(tc, inode_larger_than_a_whole_device_is_unusable);
	tcase_add_loop_test(tc,
			    device_that_ends_before_the_journal_does_is_called_that,
			    0, NR_ENDS);
	tcase_add_test(tc, no_journal_is_said);
	tcase_add_test(tc, inode_and_device_at_once_are_refused);
	tcase_add_loop_test(tc, journal_on_another_device, 0, 3);
	tcase_add_test(tc, external_journal_must_be_named_for_an_image);
	tcase_add_loop_test(tc, external_journal_that_is_cut_off_is_called_that,
			    0, NR_DEVICE_ENDS);
	tcase_add_test(tc, external_journal_of_another_file_system_is_refused);
	tcase_add_loop_test(tc,
		an_external_journal_is_read_without_its_ext4_superblock, 0, 2);
	tcase_add_test(tc, journal_option_for_an_internal_journal_is_refused);
	tcase_add_test(tc, journal_device_alone_is_refused);
	tcase_add_test(tc, backup_superblock_opens_what_the_primary_cannot);
	return tc;
}
