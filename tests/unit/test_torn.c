/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A checkpoint is cut off in the middle of a write, between two sectors of 512
 * bytes: another run ends with the same bytes as one that nobody disturbed.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "home.h"
#include "image.h"
#include "log/log.h"

#define SUPER	1024			/* bytes from the start */

static const struct {
	const char	*mke2fs;	/* NULL: an external journal */
	const char	*flag;		/* needs_recovery */
	bool		logged;		/* the superblock is in the log */
} formats[] = {
	{ "-b 1024 -J size=1 -O 64bit,metadata_csum", "on", false },
	{ "-b 1024 -J size=1 -O 64bit,metadata_csum", "off", false },
	{ "-b 1024 -J size=1 -O 64bit,metadata_csum", "on", true },
	{ "-b 1024 -J size=1 -O 64bit,metadata_csum", "off", true },
	{ "-b 4096 -J size=4 -O 64bit,metadata_csum", "on", true },
	{ "-b 4096 -J size=4 -O 64bit,metadata_csum", "off", false },
	{ "-b 1024 -J size=1 -O 64bit,metadata_csum,orphan_file", "on", false },
	{ "-b 1024 -J size=1 -O 64bit,metadata_csum,orphan_file", "on", true },
	{ "-b 4096 -J size=4 -O 64bit,metadata_csum,orphan_file", "off", true },
	{ "-b 1024 -J size=1 -O ^metadata_csum", "off", true },
	{ "-b 4096 -J size=4 -O ^metadata_csum", "on", false },
	{ NULL, "on", true },
	{ NULL, "off", true },
};

/* ------------------------------------------------------ what is torn --- */

static void read_at(const char *file, off_t at, void *buf, size_t count)
{
	int fd = open(file, O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, buf, count, at), count);
	close(fd);
}

static void write_at(const char *file, off_t at, const void *buf, size_t count)
{
	int fd = open(file, O_WRONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, buf, count, at), count);
	close(fd);
}

/* As a mount leaves it; the checkpoint clears it. */
static void set_orphan_present(struct fixture *f)
{
	struct ext2_super_block sb;

	ck_assert_int_eq(try_open(f, NULL), 0);
	read_at(f->image, SUPER, &sb, sizeof(sb));
	sb.s_feature_ro_compat |= ext2fs_cpu_to_le32(
					EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT);
	ck_assert_int_eq(ext2fs_superblock_csum_set(f->journal->fs, &sb), 0);
	write_at(f->image, SUPER, &sb, sizeof(sb));
	drop(f);
}

/* In the log, the superblock of some time later. */
static void log_super(struct fixture *f, const struct e2lazy_open_opts *opts)
{
	struct ext2_super_block sb;
	struct e2lazy_copy copy;
	char *block;
	unsigned size;

	ck_assert_int_eq(try_open(f, opts), 0);
	read_map(f, 0, 0);
	size = e2lazy_geometry(f->journal)->blocksize;
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, SUPER / size, &copy), 0);
	block = calloc(1, size);
	read_at(f->image, SUPER, &sb, sizeof(sb));
	sb.s_wtime += 100;
	sb.s_kbytes_written += 7;
	sb.s_mnt_count += 1;
	sb.s_last_orphan = 13;
	ck_assert_int_eq(ext2fs_superblock_csum_set(f->journal->fs, &sb), 0);
	memcpy(block + SUPER % size, &sb, sizeof(sb));
	write_at(opts->journal ? opts->journal : f->image,
		 (off_t)(copy.physblk * size), block, size);
	free(block);
	drop(f);
}

static struct fixture *make(int i, struct e2lazy_open_opts *opts)
{
	struct fixture *f = new_fixture();
	char spec[256];

	snprintf(spec, sizeof(spec), "journal csum none\n"
		 "txn 5 write 60000-60004%s\ntxn 6 write 60010\n"
		 "needs_recovery %s\n", !formats[i].logged ? "" :
		 formats[i].mke2fs && strstr(formats[i].mke2fs, "4096") ?
		 " 0" : " 1", formats[i].flag);
	if (formats[i].mke2fs)
		make_image(f, strstr(formats[i].mke2fs, "4096") ? "256M" :
			   "64M", formats[i].mke2fs, spec);
	else
		make_external(f, "1024", spec);
	memset(opts, 0, sizeof(*opts));
	if (!formats[i].mke2fs)
		opts->journal = f->device;
	if (formats[i].mke2fs && strstr(formats[i].mke2fs, "orphan_file"))
		set_orphan_present(f);
	if (formats[i].logged)
		log_super(f, opts);
	return f;
}

/* Half of a write, up to the boundary of sectors that cuts it, or from it. */
static void tear(const struct recorded *op, bool second)
{
	size_t cut = op->offset < SUPER ? SUPER - op->offset + 512 : 512;
	const char *bytes = op->bytes;

	if (second)
		write_at(op->device, (off_t)(op->offset + cut), bytes + cut,
			 op->count - cut);
	else
		write_at(op->device, (off_t)op->offset, bytes, cut);
}

/* The file system, and the journal's device where there is one. */
static void read_images(struct home *h, struct image images[2])
{
	images[0] = read_image(h->f->image);
	images[1] = (struct image){ 0 };
	if (h->open.journal)
		images[1] = read_image(h->f->device);
}

static void check_images(struct home *h, const struct image images[2],
			 size_t n, bool second)
{
	ck_assert_msg(is_image(h->f->image, &images[0]) &&
		      (!h->open.journal ||
		       is_image(h->f->device, &images[1])),
		      "half %d of write %zu", second, n);
}

/* ---------------------------------------------------------- the tests --- */

static bool is_super(const struct recorded *op)
{
	return op->offset <= SUPER && SUPER < op->offset + op->count;
}

static bool is_found(const struct e2lazy_verdict *verdict, const char *id)
{
	const struct e2lazy_finding *f;

	for (size_t i = 0; (f = e2lazy_verdict_finding(verdict, i)); i++)
		if (!strcmp(f->problem->id, id))
			return true;
	return false;
}

/* Whether the checksum was wrong, which is told. */
static bool finish(struct home *h)
{
	bool torn;

	h->opts.manager = NULL;
	home_look(h);
	torn = e2lazy_geometry(h->f->journal)->super_torn;
	ck_assert_int_eq(torn, is_found(h->verdict, "super-torn"));
	ck_assert_int_eq(home_write(h), 0);
	return torn;
}

START_TEST(after_a_torn_write_another_run_ends_like_an_undisturbed_one)
{
	bool has_csum = formats[_i].mke2fs &&
			!strstr(formats[_i].mke2fs, "^metadata_csum");
	unsigned supers = 0, torn = 0;
	struct e2lazy_open_opts opts;
	struct fixture *f = make(_i, &opts);
	struct image done[2];
	struct home h;

	home_begin(&h, f);
	home_save(&h);
	ck_assert_int_eq(home_write(&h), 0);
	read_images(&h, done);
	h.open.torn = true;
	for (size_t n = 0; n < h.recording.nr; n++) {
		const struct recorded *op = &h.recording.ops[n];

		for (unsigned half = 0; op->bytes && half < 2; half++) {
			supers += is_super(op) &&
				  strcmp(op->device, f->device);
			home_restore(&h);
			record_replay(&h.recording, n, NULL);
			tear(op, half);
			torn += finish(&h);
			check_images(&h, done, n, half);
		}
	}
	ck_assert_uint_ge(supers, 4);
	if (has_csum)
		ck_assert_uint_ge(torn, 2);
	free(done[0].bytes);
	free(done[1].bytes);
	home_forget(&h);
	home_end(&h);
}
END_TEST

/* The one that was judged, with a byte changed. */
static errcode_t try_view(struct fixture *f, off_t at)
{
	struct e2lazy_open_opts opts = { .torn = true };
	struct e2lazy_view *view = NULL;
	errcode_t err;
	char byte;

	read_at(f->image, SUPER + at, &byte, 1);
	byte = (char)~byte;
	write_at(f->image, SUPER + at, &byte, 1);
	drop(f);
	ck_assert_int_eq(try_open(f, NULL), EXT2_ET_SB_CSUM_INVALID);
	ck_assert_int_eq(try_open(f, &opts), 0);
	read_map(f, E2LAZY_JMAP_CSUMS, 0);
	err = e2lazy_view_build(f->journal, f->map, &view, &f->where);
	e2lazy_view_free(view);
	byte = (char)~byte;
	write_at(f->image, SUPER + at, &byte, 1);
	return err;
}

/* s_mnt_count, s_last_orphan, s_uuid, s_mount_opts; of free counts the
   descriptors tell, and the checksum then says that they are right. */
static const off_t damaged[] = { 0x34, 0xe8, 0x68, 0x200 };

START_TEST(any_other_bad_checksum_stays_refused)
{
	struct e2lazy_open_opts opts;
	struct fixture *f = make(_i, &opts);

	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		errcode_t err = try_view(f, damaged[i]);

		ck_assert_msg(err == EXT2_ET_SB_CSUM_INVALID,
			      "byte %ld: %ld", (long)damaged[i], (long)err);
		/* The log's copy is not the bad one. */
		ck_assert_uint_eq(f->where.has, E2LAZY_AT_FSBLK);
		ck_assert_int_eq(f->where.volume, E2LAZY_FILE_SYSTEM);
	}
}
END_TEST

TCase *torn_tests(void)
{
	TCase *tc = tcase_create("torn");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc,
	     after_a_torn_write_another_run_ends_like_an_undisturbed_one, 0,
	     sizeof(formats) / sizeof(formats[0]));
	tcase_add_loop_test(tc, any_other_bad_checksum_stays_refused, 0, 4);
	return tc;
}
