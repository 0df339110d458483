/* SPDX-License-Identifier: GPL-2.0-only */
/* The view's content of each block, and the ways of libext2fs to read it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2lazy_view.h"
#include "fixture.h"
#include "log/csum.h"
#include "log/log.h"

#define BLOCK 1024			/* of PLAIN */

static struct e2lazy_view *view_of(struct fixture *f, unsigned flags,
				   uint32_t until)
{
	struct e2lazy_view *view;

	read_map(f, flags | E2LAZY_JMAP_CSUMS, until);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view,
					   &f->where), 0);
	return view;
}

/* The word that mkjournal writes into a block, or "" of any other. */
static void content_of(struct e2lazy_view *view, blk64_t fsblk,
		       char text[64])
{
	char block[BLOCK];

	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					  fsblk * BLOCK, BLOCK, block, NULL),
			 0);
	memcpy(text, block, 63);
	text[63] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

#define ck_assert_shows(view, fsblk, expect) do { \
	char text_[64]; \
	content_of(view, fsblk, text_); \
	ck_assert_str_eq(text_, expect); \
} while (0)

static errcode_t read_one(struct e2lazy_view *view, blk64_t fsblk,
			  struct e2lazy_where *where)
{
	char block[BLOCK];

	return e2lazy_view_read(view, E2LAZY_FILE_SYSTEM, fsblk * BLOCK,
				BLOCK, block, where);
}

/* Fill a static block with the copy that transaction @tid has of it. */
static void write_home(struct fixture *f, blk64_t fsblk, unsigned tid)
{
	char line[256];

	snprintf(line, sizeof(line), "yes 'fsblk %llu tid %u' | head -c %u | "
		 "dd of=%%s bs=%u seek=%llu conv=notrunc iflag=fullblock",
		 (unsigned long long)fsblk, tid, BLOCK, BLOCK,
		 (unsigned long long)fsblk);
	shell(f, line);
}

/* --------------------------------------------------------- the blocks */

START_TEST(each_block_comes_from_its_newest_place)
{
	struct fixture *f = map_of("txn 5 write 60000-60002 60010\n"
				   "txn 6 write 60001 revoke 60010\n"
				   "txn 7 write 60003 nocommit\n");
	struct e2lazy_view *view;

	write_home(f, 60010, 99);
	write_home(f, 60003, 98);
	view = view_of(f, 0, 0);
	ck_assert_shows(view, 60000, "fsblk 60000 tid 5");
	ck_assert_shows(view, 60001, "fsblk 60001 tid 6");
	ck_assert_shows(view, 60002, "fsblk 60002 tid 5");
	ck_assert_shows(view, 60003, "fsblk 60003 tid 98");
	ck_assert_shows(view, 60010, "fsblk 60010 tid 99");
	e2lazy_view_free(view);
}
END_TEST

START_TEST(an_escaped_copy_is_shown_with_its_magic)
{
	struct fixture *f = map_of("txn 5 write 60000 escape 60001 "
				   "write 60002\n");
	struct e2lazy_view *view = view_of(f, 0, 0);
	unsigned char magic[4];

	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					  60001 * BLOCK, 4, magic, NULL), 0);
	ck_assert_mem_eq(magic, "\xc0\x3b\x39\x98", 4);
	ck_assert_shows(view, 60002, "fsblk 60002 tid 5");
	e2lazy_view_free(view);
}
END_TEST

/* The whole stretch at once, in odd pieces, and block by block: the same. */
START_TEST(any_offset_and_length_reads_the_same_bytes)
{
	enum { FIRST = 59990, BLOCKS = 60, BYTES = BLOCKS * BLOCK };
	static const size_t pieces[] = { 1, 511, 1024, 1025, 4096, 7777 };
	struct fixture *f = map_of("txn 5 write 60000-60009 60020 60030\n"
				   "txn 6 write 60004-60006 escape 60021\n");
	struct e2lazy_view *view = view_of(f, 0, 0);
	char *whole = malloc(BYTES), *parts = malloc(BYTES);

	for (unsigned b = 0; b < BLOCKS; b++)
		ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
						  (FIRST + b) * BLOCK, BLOCK,
						  whole + b * BLOCK, NULL), 0);
	ck_assert_int_eq(memcmp(whole + 10 * BLOCK, "fsblk 60000 tid 5", 17),
			 0);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		memset(parts, 0xee, BYTES);
		for (size_t at = 0; at < BYTES; at += pieces[i]) {
			size_t n = BYTES - at < pieces[i] ? BYTES - at :
							    pieces[i];

			ck_assert_int_eq(e2lazy_view_read(view,
				E2LAZY_FILE_SYSTEM, FIRST * BLOCK + at, n,
				parts + at, NULL), 0);
		}
		ck_assert_mem_eq(whole, parts, BYTES);
	}
	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					  FIRST * BLOCK, BYTES, parts, NULL),
			 0);
	ck_assert_mem_eq(whole, parts, BYTES);
	free(whole);
	free(parts);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(a_bad_copy_is_an_error_that_names_the_block)
{
	static const char *const logs[] = {
		"txn 5 write 60000-60004\ntxn 6 write 60001-60003\n"
		"damage flip 6.data[1] 100\n",
		"journal csum v2\n"
		"txn 5 write 60000-60004\ntxn 6 write 60001-60003\n"
		"damage flip 6.data[1] 100\n",
	};

	for (unsigned i = 0; i < 2; i++) {
		struct fixture *f = map_of(logs[i]);
		struct e2lazy_view *view = view_of(f, 0, 0);
		char five[5 * BLOCK];

		ck_assert_int_eq(read_one(view, 60002, &f->where),
				 E2LAZY_ET_DATA_CSUM);
		ck_assert_uint_eq(f->where.fsblk, 60002);
		ck_assert_uint_eq(f->where.tid, 6);
		ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
						  60000 * BLOCK, sizeof(five),
						  five, &f->where),
				 E2LAZY_ET_DATA_CSUM);
		ck_assert_uint_eq(f->where.fsblk, 60002);
		ck_assert_shows(view, 60001, "fsblk 60001 tid 6");
		ck_assert_shows(view, 60003, "fsblk 60003 tid 6");
		e2lazy_view_free(view);
	}
}
END_TEST

START_TEST(a_walk_that_verified_needs_no_checksums_kept)
{
	struct fixture *f = map_of("txn 5 write 60000-60001\n"
				   "damage flip 5.data[1] 100\n");
	struct e2lazy_view *view;

	read_map(f, E2LAZY_WALK_DATA, 0);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view, NULL),
			 0);
	ck_assert_int_eq(read_one(view, 60000, NULL), 0);
	ck_assert_int_eq(read_one(view, 60001, NULL), E2LAZY_ET_DATA_CSUM);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(pieces_tell_where_contents_lie)
{
	struct fixture *f = map_of("txn 5 write 60000-60002 60005\n"
				   "txn 6 write 60003 escape 60006\n");
	struct e2lazy_view *view = view_of(f, 0, 0);
	struct e2lazy_copy copy;
	struct e2lazy_piece p;

	e2lazy_view_piece(view, 59000, 5000, &p);
	ck_assert_int_eq(p.source, E2LAZY_IN_PLACE);
	ck_assert_uint_eq(p.count, 1000);
	e2lazy_view_piece(view, 60000, 5000, &p);
	ck_assert_int_eq(p.source, E2LAZY_IN_LOG);
	ck_assert_uint_eq(p.count, 3);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60000, &copy), 0);
	ck_assert_uint_eq(p.physblk, copy.physblk);
	ck_assert_uint_eq(p.logblk, copy.logblk);
	e2lazy_view_piece(view, 60001, 1, &p);
	ck_assert_uint_eq(p.count, 1);
	e2lazy_view_piece(view, 60004, 9, &p);
	ck_assert_int_eq(p.source, E2LAZY_IN_PLACE);
	ck_assert_uint_eq(p.count, 1);
	e2lazy_view_piece(view, 60006, 9, &p);
	ck_assert_int_eq(p.source, E2LAZY_IN_LOG);
	ck_assert_uint_eq(p.flags, E2LAZY_COPY_ESCAPED);
	ck_assert_uint_eq(p.count, 1);
	e2lazy_view_piece(view, 0, 9, &p);
	ck_assert_int_eq(p.source, E2LAZY_IN_PLACE);
	ck_assert_uint_eq(p.count, 1);
	e2lazy_view_piece(view, 1, 9, &p);
	ck_assert_int_eq(p.source, E2LAZY_MADE_UP);
	ck_assert_uint_eq(p.count, 1);
	e2lazy_view_free(view);
}
END_TEST

/* An image may end in the middle of a block. */
START_TEST(the_last_part_of_a_block_can_be_read)
{
	struct fixture *f = map_of("txn 5 write 60000\n");
	struct e2lazy_view *view;
	char block[BLOCK];

	shell(f, "truncate -s +512 %s");
	drop(f);
	view = view_of(f, 0, 0);
	ck_assert_uint_eq(e2lazy_view_size(view, E2LAZY_FILE_SYSTEM),
			  (64 << 20) + 512);
	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					  (64 << 20) - 512, 1024, block,
					  NULL), 0);
	ck_assert_int_ne(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					  (64 << 20) - 512, 1025, block,
					  &f->where), 0);
	ck_assert_uint_eq(f->where.fsblk, 64 << 10);
	e2lazy_view_free(view);
}
END_TEST

/* --------------------------------------------------- made-up superblocks */

static void read_super(struct e2lazy_view *view, struct ext2_super_block *sb)
{
	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM, 1024,
					  sizeof(*sb), sb, NULL), 0);
}

START_TEST(needs_recovery_is_clear_and_the_checksum_right)
{
	struct fixture *f = map_of("txn 5 write 60000\nsuper errno -5\n");
	struct e2lazy_view *view = view_of(f, 0, 0);
	struct ext2_super_block sb;

	ck_assert(e2lazy_geometry(f->journal)->needs_recovery);
	read_super(view, &sb);
	ck_assert(ext2fs_superblock_csum_verify(
			e2lazy_static_fs(f->journal), &sb));
	swap_super(&sb);
	ck_assert(!ext2fs_has_feature_journal_needs_recovery(&sb));
	/* s_errno of the journal ends up here */
	ck_assert_uint_eq(sb.s_state & EXT2_ERROR_FS, EXT2_ERROR_FS);
	e2lazy_view_free(view);
}
END_TEST

static void check_jsb(const uint8_t *jsb, uint32_t beyond)
{
	ck_assert_uint_eq(get_be32(jsb + JSB_START), 0);
	ck_assert_uint_eq(get_be32(jsb + JSB_ERRNO), 0);
	ck_assert(e2lazy_tid_after(get_be32(jsb + JSB_SEQUENCE), beyond));
	if (get_be32(jsb + JSB_INCOMPAT) & E2LAZY_INCOMPAT_CSUM_V3)
		ck_assert_uint_eq(get_be32(jsb + JSB_CHECKSUM),
				  csum_super(crc32c_select(), jsb));
	ck_assert_uint_eq(get_be32(jsb + JSB_INCOMPAT) &
			  E2LAZY_INCOMPAT_FAST_COMMIT, 0);
}

START_TEST(the_log_is_empty_and_goes_on_past_every_tid_in_the_ring)
{
	static const char *const logs[] = {
		"txn 5 write 60000\nsuper errno -5\n",
		"journal csum none\ntxn 5 write 60000\n",
		"journal csum none sb v1 norevoke\ntxn 5 write 60000\n",
		"journal fast_commit 0\ntxn 5 write 60000\n",
		"txn 5 write 60000\ntxn 6 write 60001 nocommit\n"
		"leftover 9 write 60002\n",
		"sequence 0xfffffffe\ntxn 0xfffffffe write 60000\n"
		"txn 0xffffffff write 60001\ntxn 0 write 60003\n",
	};
	static const uint32_t last[] = { 5, 5, 5, 5, 9, 0 };

	for (size_t i = 0; i < sizeof(logs) / sizeof(*logs); i++) {
		struct fixture *f = map_of_fs("-b 1024 -J size=4 -O "
					      "64bit,metadata_csum", logs[i]);
		struct e2lazy_view *view = view_of(f, 0, 0);
		uint8_t jsb[1024];
		blk64_t at;

		ck_assert_int_eq(e2lazy_physblk(f->journal, 0, &at), 0);
		ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
						  at * BLOCK, 1024, jsb,
						  NULL), 0);
		check_jsb(jsb, last[i]);
		e2lazy_view_free(view);
	}
}
END_TEST

START_TEST(an_external_journal_is_a_view_of_its_own)
{
	struct fixture *f = new_fixture();
	struct e2lazy_open_opts opts = { .journal = f->device };
	struct e2lazy_view *view;
	uint8_t jsb[1024];

	make_external(f, "4096", "txn 5 write 60000\n");
	ck_assert_int_eq(try_open(f, &opts), 0);
	view = view_of(f, 0, 0);
	ck_assert_uint_eq(e2lazy_view_size(view, E2LAZY_JOURNAL), 8 << 20);
	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_JOURNAL, 4096, 1024,
					  jsb, NULL), 0);
	check_jsb(jsb, 5);
	/* the copy itself stands in the log as it did */
	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_JOURNAL, 3 * 4096,
					  1024, jsb, NULL), 0);
	ck_assert_int_eq(memcmp(jsb, "fsblk 60000 tid 5", 17), 0);
	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					  60000ULL * 4096, 1024, jsb, NULL),
			 0);
	ck_assert_int_eq(memcmp(jsb, "fsblk 60000 tid 5", 17), 0);
	e2lazy_view_free(view);
}
END_TEST

/* ------------------------------------------------------ an earlier time */

START_TEST(an_earlier_time_shows_what_was_newest_then)
{
	struct fixture *f = map_of("txn 5 write 60000-60001\n"
				   "txn 6 write 60000\n"
				   "txn 7 write 60001 revoke 60000\n");
	struct e2lazy_view *view = view_of(f, E2LAZY_WALK_UNTIL, 5);
	const blk64_t *lost;

	ck_assert_shows(view, 60000, "fsblk 60000 tid 5");
	ck_assert_shows(view, 60001, "fsblk 60001 tid 5");
	ck_assert_uint_eq(e2lazy_view_lost(view, &lost), 0);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(what_was_overwritten_in_place_since_is_lost)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 write 60001-60004\n"
				   "txn 7 write 60001 revoke 60004\n"
				   "txn 8 write 60005 nocommit\n");
	struct e2lazy_view *view;
	struct e2lazy_piece p;
	const blk64_t *lost;

	write_home(f, 60001, 6);	/* an older one of the later copies */
	write_home(f, 60002, 6);
	write_home(f, 60003, 3);	/* as it was before all of them */
	write_home(f, 60005, 8);	/* nothing uncommitted is written home */
	view = view_of(f, E2LAZY_WALK_UNTIL, 5);
	ck_assert_uint_eq(e2lazy_view_lost(view, &lost), 3);
	ck_assert_uint_eq(lost[0], 60001);
	ck_assert_uint_eq(lost[1], 60002);
	ck_assert_uint_eq(lost[2], 60004);	/* revoked: used for data? */
	ck_assert_int_eq(read_one(view, 60002, &f->where), E2LAZY_ET_LOST);
	ck_assert_uint_eq(f->where.fsblk, 60002);
	ck_assert_shows(view, 60003, "fsblk 60003 tid 3");
	e2lazy_view_piece(view, 60001, 9, &p);
	ck_assert_int_eq(p.source, E2LAZY_LOST);
	ck_assert_uint_eq(p.count, 2);
	e2lazy_view_piece(view, 60003, 9, &p);
	ck_assert_int_eq(p.source, E2LAZY_IN_PLACE);
	ck_assert_uint_eq(p.count, 1);
	e2lazy_view_free(view);
}
END_TEST

/* A rotten or unreadable later copy may be what stands in place. */
START_TEST(what_cannot_be_compared_is_lost)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 write 60001-60002 65000\n"
				   "damage flip 6.data[0] 100\n");
	struct e2lazy_view *view;
	const blk64_t *lost;

	write_home(f, 60001, 6);
	shell(f, "truncate -s 62M %s");
	drop(f);
	view = view_of(f, E2LAZY_WALK_UNTIL, 5);
	ck_assert_uint_eq(e2lazy_view_lost(view, &lost), 2);
	ck_assert_uint_eq(lost[0], 60001);
	ck_assert_uint_eq(lost[1], 65000);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(a_later_copy_that_is_escaped_is_compared_as_it_was)
{
	struct fixture *f = map_of("txn 5 write 60000\n"
				   "txn 6 escape 60001\n");
	struct e2lazy_view *view;
	const blk64_t *lost;

	write_home(f, 60001, 6);
	shell(f, "printf '\\300\\073\\071\\230' | dd of=%s bs=1 "
		 "seek=$((60001 * 1024)) conv=notrunc");
	view = view_of(f, E2LAZY_WALK_UNTIL, 5);
	ck_assert_uint_eq(e2lazy_view_lost(view, &lost), 1);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(how_the_log_goes_on_is_told)
{
	struct fixture *f = map_of("txn 5 write 60000\ntxn 6 write 60001\n"
				   "txn 7 write 60002\n"
				   "damage flip 7.desc 100\n");
	struct e2lazy_view *view = view_of(f, E2LAZY_WALK_UNTIL, 5);

	ck_assert_ptr_nonnull(e2lazy_view_later(view));
	ck_assert_uint_eq(e2lazy_view_later(view)->tid, 7);
	ck_assert_int_eq(e2lazy_view_later(view)->error,
			 E2LAZY_ET_BLOCK_CSUM);
	e2lazy_view_free(view);
	view = view_of(f, 0, 0);
	ck_assert_ptr_null(e2lazy_view_later(view));
	e2lazy_view_free(view);
}
END_TEST

START_TEST(a_long_read_that_fails_names_the_block_that_did)
{
	struct fixture *f = map_of("txn 5 write 60000\n");
	struct e2lazy_view *view;
	char *buf = malloc(64 * BLOCK);

	shell(f, "truncate -s 62M %s");
	drop(f);
	view = view_of(f, 0, 0);
	ck_assert_int_ne(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					  63480 * BLOCK, 64 * BLOCK, buf,
					  &f->where), 0);
	ck_assert_uint_eq(f->where.fsblk, 62 * 1024);
	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_JOURNAL, 0, BLOCK, buf,
					  NULL), EXT2_ET_INVALID_ARGUMENT);
	e2lazy_view_free(view);
	free(buf);
}
END_TEST

/* The superblock's block also holds a boot loader. */
START_TEST(boot_bytes_come_from_their_place)
{
	struct fixture *f = map_of_fs("-b 4096 -J size=4 -O "
				      "64bit,metadata_csum",
				      "txn 5 write 60000\n");
	struct e2lazy_view *view;
	struct ext2_super_block sb;
	char block[4096];

	shell(f, "printf boots | dd of=%s bs=1 seek=17 conv=notrunc");
	shell(f, "printf after | dd of=%s bs=1 seek=2050 conv=notrunc");
	view = view_of(f, 0, 0);
	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM, 0, 4096,
					  block, NULL), 0);
	ck_assert_int_eq(memcmp(block + 17, "boots", 5), 0);
	ck_assert_int_eq(memcmp(block + 2050, "after", 5), 0);
	memcpy(&sb, block + 1024, sizeof(sb));
	swap_super(&sb);
	ck_assert_uint_eq(sb.s_magic, EXT2_SUPER_MAGIC);
	ck_assert(!ext2fs_has_feature_journal_needs_recovery(&sb));
	e2lazy_view_free(view);
}
END_TEST

START_TEST(of_the_last_transaction_nothing_is_lost)
{
	struct fixture *f = map_of("txn 5 write 60000\ntxn 6 write 60001\n");
	struct e2lazy_view *view;
	const blk64_t *lost;

	write_home(f, 60001, 6);
	view = view_of(f, E2LAZY_WALK_UNTIL, 6);
	ck_assert_uint_eq(e2lazy_view_lost(view, &lost), 0);
	ck_assert_shows(view, 60001, "fsblk 60001 tid 6");
	e2lazy_view_free(view);
}
END_TEST

/* --------------------------------------------------- through libext2fs */

START_TEST(libext2fs_opens_it_and_may_not_write)
{
	struct fixture *f = map_of("txn 5 write 60000-60003\n");
	struct e2lazy_view *view = view_of(f, 0, 0);
	char buf[3 * BLOCK];
	ext2_filsys fs;

	ck_assert_int_eq(e2lazy_view_open(view, &fs, &f->where), 0);
	ck_assert_int_eq(ext2fs_read_bitmaps(fs), 0);
	ck_assert_int_eq(io_channel_read_blk64(fs->io, 60001, 2, buf), 0);
	ck_assert_int_eq(memcmp(buf + BLOCK, "fsblk 60002 tid 5", 17), 0);
	ck_assert_int_eq(io_channel_read_blk64(fs->io, 60002, -17, buf), 0);
	ck_assert_int_eq(memcmp(buf, "fsblk 60002 tid 5", 17), 0);
	/* the superblock of 1024 bytes, in units of any size */
	ck_assert_int_eq(io_channel_set_blksize(fs->io, 512), 0);
	ck_assert_int_eq(io_channel_read_blk64(fs->io, 120002, 1, buf), 0);
	ck_assert_int_eq(memcmp(buf, "fsblk 60001 tid 5", 17), 0);
	ck_assert_int_eq(io_channel_set_blksize(fs->io, BLOCK), 0);
	ck_assert_int_eq(io_channel_write_blk64(fs->io, 60000, 1, buf),
			 EXT2_ET_RO_FILSYS);
	ck_assert_int_eq(io_channel_write_blk(fs->io, 60000, 1, buf),
			 EXT2_ET_RO_FILSYS);
	ck_assert_int_eq(io_channel_flush(fs->io), 0);
	ext2fs_free(fs);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(a_failed_read_through_libext2fs_names_the_block)
{
	struct fixture *f = map_of("txn 5 write 60000-60003\n"
				   "damage flip 5.data[2] 7\n");
	struct e2lazy_view *view = view_of(f, 0, 0);
	char buf[4 * BLOCK];
	ext2_filsys fs;

	ck_assert_int_eq(e2lazy_view_open(view, &fs, NULL), 0);
	ck_assert_ptr_null(e2lazy_view_failed(fs));
	ck_assert_int_eq(io_channel_read_blk64(fs->io, 60000, 4, buf),
			 E2LAZY_ET_DATA_CSUM);
	ck_assert_ptr_nonnull(e2lazy_view_failed(fs));
	ck_assert_uint_eq(e2lazy_view_failed(fs)->fsblk, 60002);
	ck_assert_int_eq(io_channel_read_blk64(fs->io, 60000, 2, buf), 0);
	ck_assert_ptr_null(e2lazy_view_failed(fs));
	ck_assert_int_eq(io_channel_read_blk64(fs->io, UINT64_MAX / 512, 1,
					       buf), EXT2_ET_SHORT_READ);
	ext2fs_free(fs);
	e2lazy_view_free(view);
}
END_TEST

/* A superblock in the log that is none: the view cannot be made. */
START_TEST(a_superblock_of_something_else_is_refused)
{
	struct fixture *f = map_of("txn 5 write 1\n");
	struct e2lazy_view *view;

	read_map(f, E2LAZY_JMAP_CSUMS, 0);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view,
					   &f->where),
			 EXT2_ET_CORRUPT_SUPERBLOCK);
	ck_assert_uint_eq(f->where.has & E2LAZY_AT_FSBLK, E2LAZY_AT_FSBLK);
	ck_assert_uint_eq(f->where.fsblk, 1);
}
END_TEST

TCase *view_tests(void)
{
	TCase *tc = tcase_create("view");

	tcase_add_test(tc, each_block_comes_from_its_newest_place);
	tcase_add_test(tc, an_escaped_copy_is_shown_with_its_magic);
	tcase_add_test(tc, any_offset_and_length_reads_the_same_bytes);
	tcase_add_test(tc, a_bad_copy_is_an_error_that_names_the_block);
	tcase_add_test(tc, a_walk_that_verified_needs_no_checksums_kept);
	tcase_add_test(tc, pieces_tell_where_contents_lie);
	tcase_add_test(tc, the_last_part_of_a_block_can_be_read);
	tcase_add_test(tc, needs_recovery_is_clear_and_the_checksum_right);
	tcase_add_test(tc,
		the_log_is_empty_and_goes_on_past_every_tid_in_the_ring);
	tcase_add_test(tc, an_external_journal_is_a_view_of_its_own);
	tcase_add_test(tc, an_earlier_time_shows_what_was_newest_then);
	tcase_add_test(tc, what_was_overwritten_in_place_since_is_lost);
	tcase_add_test(tc, what_cannot_be_compared_is_lost);
	tcase_add_test(tc, a_later_copy_that_is_escaped_is_compared_as_it_was);
	tcase_add_test(tc, how_the_log_goes_on_is_told);
	tcase_add_test(tc, a_long_read_that_fails_names_the_block_that_did);
	tcase_add_test(tc, boot_bytes_come_from_their_place);
	tcase_add_test(tc, of_the_last_transaction_nothing_is_lost);
	tcase_add_test(tc, libext2fs_opens_it_and_may_not_write);
	tcase_add_test(tc, a_failed_read_through_libext2fs_names_the_block);
	tcase_add_test(tc, a_superblock_of_something_else_is_refused);
	return tc;
}
