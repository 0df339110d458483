/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device is the opened descriptor, not its name: no part of a name is an
 * option, and writes go only to the judged device.
 */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "home.h"
#include "image.h"

/* ------------------------------------------------------------- names */

/* Behind a '?' libext2fs would look for options of its manager. */
static const char *const odd_names[] = {
	"a?offset=0", "a?b.img", "?", "offset=512", "-y", "--checkpoint",
	"two words", "two\nlines", "%s", "a?",
};
#define NR_ODD_NAMES (sizeof(odd_names) / sizeof(odd_names[0]))

START_TEST(a_name_is_opened_as_it_stands)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	char other[sizeof(f->image)];

	drop(f);
	memcpy(other, f->image, sizeof(other));
	snprintf(f->image, sizeof(f->image), "%s/%s", f->dir, odd_names[_i]);
	ck_assert_int_eq(rename(other, f->image), 0);
	read_map(f, 0, 0);
	ck_assert_mapped(f, 60003, 5);
	ck_assert_str_eq(e2lazy_device(f->journal, E2LAZY_FILE_SYSTEM)->name, f->image);
	ck_assert_str_eq(e2lazy_geometry(f->journal)->journal_device,
			 f->image);
	ck_assert_str_eq(e2lazy_static_fs(f->journal)->device_name, f->image);
}
END_TEST

/* The part of the name before the '?' is a file of its own, with a log. */
START_TEST(what_is_judged_by_an_odd_name_is_what_is_written)
{
	struct fixture *beside = map_of_fs(PLAIN, LOG);
	struct fixture *f = map_of_fs(PLAIN, "txn 9 write 60100\n");
	struct home h, other;
	char odd[sizeof(f->image)];

	drop(f);
	drop(beside);
	snprintf(odd, sizeof(odd), "%.250s?offset=0", beside->image);
	ck_assert_int_eq(rename(f->image, odd), 0);
	memcpy(f->image, odd, sizeof(odd));
	home_begin(&h, f);
	h.opts.manager = NULL;
	ck_assert_int_eq(home_write(&h), 0);
	home_check(&h);
	home_check_empty(&h);
	home_end(&h);

	home_begin(&other, beside);
	ck_assert_uint_eq(e2lazy_geometry(beside->journal)->sequence, 5);
	ck_assert_uint_gt(other.live, 4);
	home_end(&other);
}
END_TEST

/* --------------------------------------------------- another one by then */

static void check_same(const char *path, struct image *before)
{
	ck_assert_msg(is_image(path, before), "%s was written to", path);
	free(before->bytes);
}

/* Unlinked at the end as what the fixture knows by name. */
static void take_away(struct fixture *f, const char *path)
{
	ck_assert_int_eq(rename(path, f->said), 0);
}

static void check_refused(struct home *h, enum e2lazy_volume volume)
{
	ck_assert_int_eq(e2lazy_unchanged(h->f->journal, &h->f->where),
			 E2LAZY_ET_CHANGED);
	ck_assert_int_eq(h->f->where.volume, volume);
	ck_assert_int_eq(home_write(h), E2LAZY_ET_CHANGED);
	ck_assert_int_eq(h->f->where.volume, volume);
	ck_assert(!h->done.begun);
	ck_assert_uint_eq(h->recording.nr, 0);
}

/* A copy with the same bytes is another device. */
START_TEST(another_file_of_that_name_is_not_written)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct image before;
	struct home h;

	home_begin(&h, f);
	ck_assert_int_eq(e2lazy_unchanged(f->journal, NULL), 0);
	before = read_image(f->image);
	take_away(f, f->image);
	copy_image(f->said, f->image);
	check_refused(&h, E2LAZY_FILE_SYSTEM);
	check_same(f->image, &before);
	home_end(&h);
}
END_TEST

START_TEST(a_file_without_its_name_is_not_written)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct image before;
	struct home h;

	home_begin(&h, f);
	before = read_image(f->image);
	take_away(f, f->image);
	check_refused(&h, E2LAZY_FILE_SYSTEM);
	check_same(f->said, &before);
	home_end(&h);
}
END_TEST

START_TEST(a_file_that_has_its_name_again_is_written)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct home h;

	home_begin(&h, f);
	take_away(f, f->image);
	ck_assert_int_eq(rename(f->said, f->image), 0);
	ck_assert_int_eq(home_write(&h), 0);
	home_check(&h);
	home_end(&h);
}
END_TEST

START_TEST(a_symlink_that_is_switched_leads_to_no_write)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct fixture *other = map_of_fs(PLAIN, LOG);
	struct image before[2];
	struct home h;
	char real[sizeof(f->image)];

	drop(f);
	memcpy(real, f->image, sizeof(real));
	snprintf(f->image, sizeof(f->image), "%s/link", f->dir);
	ck_assert_int_eq(symlink(real, f->image), 0);
	home_begin(&h, f);
	before[0] = read_image(real);
	before[1] = read_image(other->image);
	ck_assert_int_eq(unlink(f->image), 0);
	ck_assert_int_eq(symlink(other->image, f->image), 0);
	check_refused(&h, E2LAZY_FILE_SYSTEM);
	check_same(real, &before[0]);
	check_same(other->image, &before[1]);
	home_end(&h);
	unlink(real);
}
END_TEST

/* By its own name, and once it is there again by that of the other. */
START_TEST(another_journal_device_is_not_written)
{
	struct fixture *f = new_fixture();
	struct image before[2];
	struct home h;

	make_external(f, "1024", LOG);
	home_begin(&h, f);
	before[0] = read_image(f->image);
	before[1] = read_image(f->device);
	take_away(f, f->device);
	copy_image(f->said, f->device);
	check_refused(&h, E2LAZY_JOURNAL);
	check_same(f->image, &before[0]);
	check_same(f->device, &before[1]);
	home_end(&h);
}
END_TEST

/* -------------------------------------------------- the same one, changed */

static void write_byte(const char *path, off_t at, uint8_t value)
{
	int fd = open(path, O_WRONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, &value, 1, at), 1);
	close(fd);
}

/* Change the count of mounts and the last mount point, like a mount. */
static const off_t mount_writes[] = { 1024 + 0x34, 1024 + 0x88 };

START_TEST(a_file_system_mounted_since_is_not_written)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct image before;
	struct home h;

	home_begin(&h, f);
	write_byte(f->image, mount_writes[_i], 0x77);
	before = read_image(f->image);
	check_refused(&h, E2LAZY_FILE_SYSTEM);
	check_same(f->image, &before);
	home_end(&h);
}
END_TEST

/* s_sequence and s_start, which a commit and a replay write. */
static const off_t replay_writes[] = { 24, 28 };

START_TEST(a_log_written_to_since_is_not_written_back)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct image before;
	struct home h;
	blk64_t block;

	home_begin(&h, f);
	ck_assert_int_eq(e2lazy_physblk(f->journal, 0, &block), 0);
	write_byte(f->image, (off_t)block * 1024 + replay_writes[_i], 0x77);
	before = read_image(f->image);
	check_refused(&h, E2LAZY_JOURNAL);
	check_same(f->image, &before);
	home_end(&h);
}
END_TEST

START_TEST(an_external_log_written_to_since_is_not_written_back)
{
	struct fixture *f = new_fixture();
	struct image before;
	struct home h;

	make_external(f, "4096", LOG);
	home_begin(&h, f);
	write_byte(f->device, 4096 + 28, 0x77);
	before = read_image(f->image);
	check_refused(&h, E2LAZY_JOURNAL);
	check_same(f->image, &before);
	home_end(&h);
}
END_TEST

/* -------------------------------------------------- another's journal */

static const char *const not_users[] = {
	LOG "damage super users 0\n", LOG "damage super user 0x77777777\n",
};

START_TEST(a_journal_that_does_not_name_the_file_system_is_not_written_back)
{
	struct fixture *f = new_fixture();
	struct image before[2];
	struct home h;

	make_external(f, "1024", not_users[_i]);
	home_begin(&h, f);
	ck_assert(!e2lazy_geometry(f->journal)->listed);
	ck_assert_uint_gt(h.live, 4);
	before[0] = read_image(f->image);
	before[1] = read_image(f->device);
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_CONSENT);
	ck_assert(!h.done.begun);
	check_same(f->image, &before[0]);
	check_same(f->device, &before[1]);
	home_end(&h);
}
END_TEST

START_TEST(a_journal_that_names_the_file_system_is_written_back)
{
	struct fixture *f = new_fixture();
	struct home h;

	make_external(f, "4096", LOG);
	home_begin(&h, f);
	ck_assert(e2lazy_geometry(f->journal)->listed);
	ck_assert_int_eq(home_write(&h), 0);
	home_check(&h);
	home_end(&h);
}
END_TEST

/* An image of a disk that begins with a journal, and a file system in it. */
START_TEST(a_device_cannot_be_its_own_external_journal)
{
	struct fixture *f = new_fixture();
	struct e2lazy_open_opts opts = { .journal = f->image };

	make_external(f, "1024", LOG);
	shell(f, "d=$(dirname %s) && cp $d/journal.img $d/said.img && "
		 "truncate -s 64M $d/said.img && dd if=$d/fs.img of=$d/said.img "
		 "bs=64k seek=1024 conv=sparse,notrunc && "
		 "mv $d/said.img $d/fs.img");
	opts.offset = 64 << 20;
	ck_assert_int_eq(try_open(f, &opts), E2LAZY_ET_EXT_SAME);
	opts.journal = f->device;
	ck_assert_int_eq(try_open(f, &opts), 0);
	ck_assert_uint_eq(e2lazy_device(f->journal, E2LAZY_FILE_SYSTEM)->offset,
			  64 << 20);
	ck_assert_uint_eq(e2lazy_device(f->journal, E2LAZY_JOURNAL)->offset, 0);
	read_map(f, 0, 0);
	ck_assert_mapped(f, 60003, 5);
}
END_TEST

/* ------------------------------------------------- without any options */

static errcode_t refuse_option(io_channel channel, const char *option,
			       const char *arg)
{
	(void)channel;
	(void)option;
	(void)arg;
	return EXT2_ET_INVALID_ARGUMENT;
}

static struct struct_io_manager plain_io_manager;

static errcode_t plain_open(const char *name, int flags, io_channel *out)
{
	errcode_t err = unix_io_manager->open(name, flags, out);

	if (!err)
		(*out)->manager = &plain_io_manager;
	return err;
}

START_TEST(a_manager_that_knows_no_offset_fails)
{
	struct fixture *f = new_fixture();
	struct home h = { .f = f, .open.offset = 1 << 20 };

	plain_io_manager = *unix_io_manager;
	plain_io_manager.open = plain_open;
	plain_io_manager.set_option = refuse_option;
	make_image(f, "64M", PLAIN, LOG);
	shell(f, "d=$(dirname %s) && truncate -s 1M $d/said.img && "
		 "cat $d/fs.img >>$d/said.img && mv $d/said.img $d/fs.img");
	home_look(&h);
	h.opts.manager = &plain_io_manager;
	ck_assert_int_eq(home_write(&h), EXT2_ET_INVALID_ARGUMENT);
	ck_assert(!h.done.begun);
	home_end(&h);
}
END_TEST

/* -------------------------------------------------------- without /proc */

/* False where this user or this kernel does not let us. */
static bool hide_proc(void)
{
	return (!unshare(CLONE_NEWNS) ||
		!unshare(CLONE_NEWUSER | CLONE_NEWNS)) &&
	       !mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) &&
	       !mount("none", "/proc", "tmpfs", 0, NULL);
}

START_TEST(without_proc_all_is_read_and_nothing_is_written)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct image before = read_image(f->image);
	struct home h;

	if (!hide_proc()) {
		free(before.bytes);
		skip_test("cannot hide /proc");
	}
	home_begin(&h, f);
	ck_assert_uint_gt(h.live, 4);
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_NO_PROC);
	ck_assert_int_eq(f->where.volume, E2LAZY_FILE_SYSTEM);
	check_same(f->image, &before);
	home_end(&h);
	/* The leak sanitizer looks there as the process ends. */
	ck_assert_int_eq(umount2("/proc", MNT_DETACH), 0);
}
END_TEST

/* --------------------------------------------------------- what it is */

START_TEST(what_holds_no_blocks_is_not_opened)
{
	struct fixture *f = new_fixture();

	ck_assert_int_eq(e2lazy_open(f->dir, NULL, &f->journal, &f->where),
			 EISDIR);
	ck_assert_int_eq(e2lazy_open("/dev/null", NULL, &f->journal,
				     &f->where), ENOTBLK);
	ck_assert_int_eq(e2lazy_open(f->image, NULL, &f->journal, &f->where),
			 ENOENT);
	/* with nobody at its other end */
	ck_assert_int_eq(mkfifo(f->image, 0600), 0);
	ck_assert_int_eq(e2lazy_open(f->image, NULL, &f->journal, &f->where),
			 ENOTBLK);
	ck_assert_int_eq(f->where.volume, E2LAZY_FILE_SYSTEM);
}
END_TEST

TCase *device_tests(void)
{
	TCase *tc = tcase_create("device");

	tcase_add_loop_test(tc, a_name_is_opened_as_it_stands, 0,
			    NR_ODD_NAMES);
	tcase_add_test(tc, what_is_judged_by_an_odd_name_is_what_is_written);
	tcase_add_test(tc, another_file_of_that_name_is_not_written);
	tcase_add_test(tc, a_file_without_its_name_is_not_written);
	tcase_add_test(tc, a_file_that_has_its_name_again_is_written);
	tcase_add_test(tc, a_symlink_that_is_switched_leads_to_no_write);
	tcase_add_test(tc, another_journal_device_is_not_written);
	tcase_add_loop_test(tc, a_file_system_mounted_since_is_not_written, 0,
			    2);
	tcase_add_loop_test(tc, a_log_written_to_since_is_not_written_back, 0,
			    2);
	tcase_add_test(tc, an_external_log_written_to_since_is_not_written_back);
	tcase_add_loop_test(tc,
		a_journal_that_does_not_name_the_file_system_is_not_written_back,
			    0, 2);
	tcase_add_test(tc,
		       a_journal_that_names_the_file_system_is_written_back);
	tcase_add_test(tc, a_device_cannot_be_its_own_external_journal);
	tcase_add_test(tc, a_manager_that_knows_no_offset_fails);
	tcase_add_test(tc, without_proc_all_is_read_and_nothing_is_written);
	tcase_add_test(tc, what_holds_no_blocks_is_not_opened);
	return tc;
}
