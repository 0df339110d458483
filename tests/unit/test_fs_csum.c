/* SPDX-License-Identifier: GPL-2.0-only */
/* Checksums of inodes and directories, and inodes: as libext2fs has them. */

#include <stdlib.h>
#include <string.h>

#include "fs/fs_csum.h"
#include "fs/inode_reader.h"
#include "fs/inode_search.h"
#include "owned.h"

#define TREE "mkdir d; echo x >d/name; echo text >f1; ln -s f1 link"
#define BLOCK 1024

static const char *const formats[] = {
	"-I 128 -O metadata_csum,^64bit", "-I 256 -O metadata_csum",
	"-I 1024 -O metadata_csum,64bit",
	"-I 256 -O metadata_csum,metadata_csum_seed,64bit",
};
#define NR_FORMATS 4

/* An inode with the block that it is in. */
struct raw {
	struct owned	*o;
	ext2_filsys	fs;
	ext2_ino_t	ino;
	uint8_t		block[BLOCK];
	uint8_t		*at;
};

static void get_raw(struct raw *r, struct owned *o, ext2_filsys fs,
		    ext2_ino_t ino)
{
	r->o = o;
	r->fs = fs;
	r->ino = ino;
	read_block(o, inode_home(fs, ino), r->block);
	r->at = r->block + inode_offset(fs, ino);
}

/* The inode of /f1 in a new file system. */
static void begin(struct raw *r, const char *format)
{
	struct owned *o = new_owned(format, TREE);

	get_raw(r, o, seen_through(o), ino_of(o, "/f1"));
}

static void end(struct raw *r)
{
	ext2fs_free(r->fs);
	free_owned(r->o);
}

static bool fits(const struct raw *r)
{
	return inode_csum_fits(r->fs, crc32c_select(), r->ino, r->at);
}

static bool is_sound(const struct raw *r)
{
	return ext2fs_inode_csum_verify(r->fs, r->ino, (void *)r->at);
}

START_TEST(every_inode_that_was_made_fits)
{
	struct owned *o = new_owned(formats[_i], TREE);
	ext2_filsys fs = seen_through(o);
	struct raw r;

	for (ext2_ino_t ino = 1; ino <= ino_of(o, "/link"); ino++) {
		get_raw(&r, o, fs, ino);
		ck_assert_int_eq(fits(&r), is_sound(&r));
		ck_assert(fits(&r));
	}
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* Its own checksum among them, and what says how long that is. */
START_TEST(a_changed_byte_fits_no_more)
{
	unsigned differ = 0;
	struct raw r;

	begin(&r, formats[_i]);
	for (unsigned i = 0; i < EXT2_INODE_SIZE(r.fs->super); i++) {
		r.at[i] ^= 0x40;
		ck_assert_int_eq(fits(&r), is_sound(&r));
		differ += !fits(&r);
		r.at[i] ^= 0x40;
	}
	ck_assert_uint_eq(differ, EXT2_INODE_SIZE(r.fs->super));
	r.ino++;
	ck_assert(!fits(&r));
	end(&r);
}
END_TEST

START_TEST(an_inode_of_zeros_needs_no_sum)
{
	struct raw r;

	begin(&r, formats[1]);
	memset(r.at, 0, EXT2_INODE_SIZE(r.fs->super));
	ck_assert(fits(&r) && is_sound(&r));
	/* Its sum has 16 bits: by chance one of them may be 0, too. */
	for (uint8_t value = 1; value < 4 && fits(&r); value++)
		r.at[64] = value;
	ck_assert(!fits(&r) && !is_sound(&r));
	end(&r);
}
END_TEST

START_TEST(without_metadata_csum_libext2fs_is_asked)
{
	struct raw r;

	begin(&r, "-O ^metadata_csum");
	ck_assert(!fits(&r) && is_sound(&r));
	end(&r);
}
END_TEST

START_TEST(a_directory_fits_its_own_inode_and_life)
{
	struct owned *o = new_owned(formats[_i], TREE);
	ext2_filsys fs = seen_through(o);
	crc32c_fn crc = crc32c_select();
	ext2_ino_t ino = ino_of(o, "/d");
	struct ext2_inode inode;
	uint8_t block[BLOCK];

	inode_of(o, "/d", &inode);
	read_block(o, block_of(o, "/d", 0), block);
	ck_assert(leaf_csum_fits(fs, crc, ino, inode.i_generation, block));
	ck_assert(!leaf_csum_fits(fs, crc, ino + 1, inode.i_generation,
				  block));
	ck_assert(!leaf_csum_fits(fs, crc, ino, inode.i_generation + 1,
				  block));
	for (unsigned i = 0; i < BLOCK; i++) {
		block[i] ^= 1;
		ck_assert(!leaf_csum_fits(fs, crc, ino, inode.i_generation,
					  block));
		block[i] ^= 1;
	}
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

START_TEST(a_node_of_extents_fits_its_own_inode_and_life)
{
	struct owned *o = new_owned(PLAIN, "for i in 0 2 4 6 8 10 12; do echo x |"
				    " dd of=f bs=1024 seek=$i conv=notrunc"
				    " status=none; done");
	ext2_filsys fs = seen_through(o);
	crc32c_fn crc = crc32c_select();
	ext2_ino_t ino = ino_of(o, "/f");
	struct ext2_inode inode;
	uint8_t block[BLOCK];

	inode_of(o, "/f", &inode);
	/* The root has one child. */
	ck_assert_uint_eq(ext2fs_le32_to_cpu(inode.i_block[1]) >> 16, 1);
	read_block(o, ext2fs_le32_to_cpu(inode.i_block[4]), block);
	ck_assert(extent_csum_fits(fs, crc, ino, inode.i_generation, block));
	ck_assert(!extent_csum_fits(fs, crc, ino + 1, inode.i_generation,
				    block));
	ck_assert(!extent_csum_fits(fs, crc, ino, inode.i_generation + 1,
				    block));
	block[13] ^= 1;
	ck_assert(!extent_csum_fits(fs, crc, ino, inode.i_generation, block));
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/*
 * All bytes and all errors are those of ext2fs_read_inode(), down from the last
 * inode, and up again: how often is it @expect?
 */
static unsigned check_reader(ext2_filsys fs, ext2_ino_t first, ext2_ino_t count,
			     errcode_t expect)
{
	struct inode_reader reader;
	unsigned failed = 0;

	ck_assert_int_eq(inode_reader_init(&reader, fs, crc32c_select()), 0);
	for (ext2_ino_t n = 0; n < 2 * count; n++) {
		ext2_ino_t ino = first + (n < count ? count - 1 - n :
						      n - count);
		struct ext2_inode a, b;
		errcode_t err = ext2fs_read_inode(fs, ino, &a);

		ck_assert_int_eq(inode_reader_get(&reader, ino, &b), err);
		if (!err)
			ck_assert(!memcmp(&a, &b, sizeof(a)));
		failed += err == expect;
	}
	inode_reader_free(&reader);
	return failed;
}

static const char *const with_and_without[] = {
	"-I 256 -O metadata_csum,64bit", "-I 256 -O ^metadata_csum",
};

START_TEST(inodes_are_read_as_libext2fs_reads_them)
{
	struct owned *o = new_owned(with_and_without[_i], TREE);
	ext2_ino_t ino = ino_of(o, "/f1");
	uint8_t block[BLOCK];
	ext2_filsys fs;

	read_block(o, home_of(o, ino), block);
	block[(ino - 1) % (BLOCK / 256) * 256 + 0x10] ^= 1;
	write_block(o, home_of(o, ino), block);
	fs = seen_through(o);
	/* some blocks beyond the last inode in use */
	ck_assert_uint_eq(check_reader(fs, 1, ino_of(o, "/link") + 20,
				       EXT2_ET_INODE_CSUM_INVALID),
			  _i == 0 ? 2 : 0);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* Tables of group 1, before the end of the file system by so many blocks. */
static const struct {
	int64_t before_end;
	errcode_t err;		/* of all inodes of the group */
} tables[] = {
	{ 8, EXT2_ET_GDESC_BAD_INODE_TABLE },
	{ 1, EXT2_ET_GDESC_BAD_INODE_TABLE },
	{ 0, EXT2_ET_GDESC_BAD_INODE_TABLE },
	{ -8, EXT2_ET_GDESC_BAD_INODE_TABLE },
	{ 65536, EXT2_ET_MISSING_INODE_TABLE }, { 1024, 0 },
};

START_TEST(a_table_beyond_the_file_system_is_refused_as_a_whole)
{
	struct owned *o = new_owned("-O metadata_csum", TREE);
	ext2_filsys fs = seen_through(o);
	blk64_t blocks = ext2fs_blocks_count(fs->super);
	uint32_t per_group = fs->super->s_inodes_per_group;

	/* the last case has zeros there */
	ck_assert_uint_le(fs->inode_blocks_per_group, 1024);
	ext2fs_inode_table_loc_set(fs, 1, blocks -
				   (blk64_t)tables[_i].before_end);
	ck_assert_uint_eq(check_reader(fs, per_group + 1, per_group,
				       tables[_i].err), 2 * per_group);
	ck_assert_int_eq(inode_has_table(fs, 1), !tables[_i].err);
	ext2fs_free(fs);
	free_owned(o);
}
END_TEST

/* An old inode that tune2fs has made longer: half a checksum. */
START_TEST(without_room_for_it_half_a_checksum_counts)
{
	struct raw r;

	begin(&r, formats[1]);
	r.at[0x80] = r.at[0x81] = 0;
	ck_assert_int_eq(ext2fs_inode_csum_set(r.fs, r.ino, (void *)r.at), 0);
	ck_assert(fits(&r) && is_sound(&r));
	r.at[0x83] ^= 1;
	ck_assert(!fits(&r) && !is_sound(&r));
	end(&r);
}
END_TEST

TCase *fs_csum_tests(void)
{
	TCase *tc = tcase_create("fs_csum");

	tcase_add_loop_test(tc, every_inode_that_was_made_fits, 0, NR_FORMATS);
	tcase_add_loop_test(tc, a_changed_byte_fits_no_more, 0, NR_FORMATS);
	tcase_add_test(tc, an_inode_of_zeros_needs_no_sum);
	tcase_add_test(tc, without_room_for_it_half_a_checksum_counts);
	tcase_add_test(tc, without_metadata_csum_libext2fs_is_asked);
	tcase_add_test(tc, a_node_of_extents_fits_its_own_inode_and_life);
	tcase_add_loop_test(tc, a_directory_fits_its_own_inode_and_life, 0,
			    NR_FORMATS);
	tcase_add_loop_test(tc, inodes_are_read_as_libext2fs_reads_them, 0, 2);
	tcase_add_loop_test(tc,
			    a_table_beyond_the_file_system_is_refused_as_a_whole,
			    0, sizeof(tables) / sizeof(tables[0]));
	return tc;
}
