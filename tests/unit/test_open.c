/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A journal is opened without a path: on a handle or a name of the caller's;
 * and without its superblock, where the caller knows what that said.
 */

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "e2lazy_medium.h"
#include "home.h"
#include "judged.h"
#include "log/log.h"

/* ------------------------------------------------- a manager with names */

/* The images behind the names "fs" and "journal". */
static struct fixture *meant;

static errcode_t named_open(const char *name, int flags, io_channel *out)
{
	const char *path = !strcmp(name, "fs") ? meant->image :
			   !strcmp(name, "journal") ? meant->device : NULL;

	return path ? unix_io_manager->open(path, flags, out) : ENOENT;
}

static struct struct_io_manager named_manager = {
	.magic	= EXT2_ET_MAGIC_IO_MANAGER,
	.name	= "names, and no paths",
	.open	= named_open,
};

/* The calls of the guard of those names, and its answer. */
static struct {
	errcode_t	lock, check;
	int		locks, unlocks, checks;
	void		(*when_locked)(void);
} guarded;

static errcode_t guard_lock(void *priv)
{
	(void)priv;
	guarded.locks++;
	if (guarded.when_locked)
		guarded.when_locked();
	return guarded.lock;
}

static void guard_unlock(void *priv)
{
	(void)priv;
	guarded.unlocks++;
}

static errcode_t guard_check(void *priv)
{
	(void)priv;
	guarded.checks++;
	return guarded.check;
}

static const struct e2lazy_medium_guard guard = {
	.lock = guard_lock, .unlock = guard_unlock, .check = guard_check,
};
static const struct e2lazy_medium_guard *guard_of_names;

static errcode_t open_named(struct fixture *f, uint64_t bytes,
			    const char *journal)
{
	const struct e2lazy_open_opts opts = { .manager = &named_manager };
	const struct e2lazy_medium fs = {
		.name = "fs", .bytes = bytes, .guard = guard_of_names,
	};
	const struct e2lazy_medium log = {
		.name = journal, .guard = guard_of_names,
	};

	meant = f;
	drop(f);
	return e2lazy_open_medium(&fs, journal ? &log : NULL, &opts,
				  &f->journal, &f->where);
}

static ext2_filsys handle(const char *path, int flags)
{
	ext2_filsys fs;

	ck_assert_int_eq(ext2fs_open2(path, NULL, EXT2_FLAG_64BITS |
				      EXT2_FLAG_JOURNAL_DEV_OK | flags, 0, 0,
				      unix_io_manager, &fs), 0);
	return fs;
}

/* -------------------------------------------------------- without a path */

START_TEST(a_handle_that_is_open_is_read_and_left_open)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct e2lazy_medium fs = { .fs = handle(f->image, 0) };
	struct ext2_inode inode;

	drop(f);
	ck_assert_int_eq(e2lazy_open_medium(&fs, NULL, NULL, &f->journal,
					    &f->where), 0);
	read_map(f, 0, 0);
	ck_assert_mapped(f, 60003, 5);
	ck_assert_str_eq(e2lazy_device(f->journal, E2LAZY_FILE_SYSTEM)->name, f->image);
	ck_assert_int_eq(e2lazy_device(f->journal, E2LAZY_FILE_SYSTEM)->fd, -1);
	ck_assert_ptr_eq(e2lazy_static_fs(f->journal), fs.fs);
	drop(f);
	ck_assert_int_eq(ext2fs_read_inode(fs.fs, EXT2_ROOT_INO, &inode), 0);
	ext2fs_free(fs.fs);
}
END_TEST

START_TEST(a_handle_of_a_superblock_alone_is_not_enough)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct e2lazy_medium fs = {
		.fs = handle(f->image, EXT2_FLAG_SUPER_ONLY),
	};

	drop(f);
	ck_assert_int_eq(e2lazy_open_medium(&fs, NULL, NULL, &f->journal,
					    &f->where),
			 EXT2_ET_INVALID_ARGUMENT);
	ext2fs_free(fs.fs);
}
END_TEST

START_TEST(an_external_journal_is_read_through_handles)
{
	struct fixture *f = new_fixture();
	struct e2lazy_medium fs, log;

	make_external(f, "1024", LOG);
	fs = (struct e2lazy_medium) { .fs = handle(f->image, 0) };
	log = (struct e2lazy_medium) {
		.fs = handle(f->device, EXT2_FLAG_SUPER_ONLY),
	};
	ck_assert_int_eq(e2lazy_open_medium(&fs, NULL, NULL, &f->journal,
					    &f->where),
			 E2LAZY_ET_EXT_UNKNOWN);
	ck_assert_int_eq(e2lazy_open_medium(&fs, &fs, NULL, &f->journal,
					    &f->where),
			 E2LAZY_ET_EXT_NOT_JOURNAL);
	ck_assert_int_eq(e2lazy_open_medium(&fs, &log, NULL, &f->journal,
					    &f->where), 0);
	read_map(f, 0, 0);
	ck_assert_mapped(f, 60003, 5);
	ck_assert_str_eq(e2lazy_device(f->journal, E2LAZY_JOURNAL)->name, f->device);
	ck_assert_uint_eq(e2lazy_device(f->journal, E2LAZY_JOURNAL)->bytes, 8 << 20);
	drop(f);
	ext2fs_free(log.fs);
	ext2fs_free(fs.fs);
}
END_TEST

START_TEST(a_name_needs_no_file_but_a_manager)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	const struct e2lazy_medium fs = { .name = f->image };

	ck_assert_int_eq(open_named(f, 0, NULL), 0);
	read_map(f, 0, 0);
	ck_assert_mapped(f, 60003, 5);
	drop(f);
	ck_assert_int_eq(open_named(f, 0, "journal"), E2LAZY_ET_NOT_EXTERNAL);
	ck_assert_int_eq(e2lazy_open_medium(&fs, NULL, NULL, &f->journal,
					    &f->where),
			 EXT2_ET_INVALID_ARGUMENT);
}
END_TEST

START_TEST(an_external_journal_is_read_by_names)
{
	struct fixture *f = new_fixture();

	make_external(f, "1024", LOG);
	ck_assert_int_eq(open_named(f, 0, "journal"), 0);
	read_map(f, 0, 0);
	ck_assert_mapped(f, 60003, 5);
	ck_assert_int_eq(open_named(f, 0, "fs"), E2LAZY_ET_EXT_NOT_JOURNAL);
}
END_TEST

START_TEST(the_size_is_what_can_be_read_unless_it_is_said)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);

	drop(f);
	shell(f, "truncate -s 70000k %s");
	ck_assert_int_eq(open_named(f, 0, NULL), 0);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->device_blocks, 70000);
	ck_assert_uint_eq(e2lazy_device(f->journal, E2LAZY_FILE_SYSTEM)->bytes,
			  70000 << 10);
	ck_assert_int_eq(open_named(f, 65000 << 10, NULL), 0);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->device_blocks, 65000);
	shell(f, "truncate -s 60000k %s");
	ck_assert_int_eq(open_named(f, 0, NULL), 0);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->device_blocks, 60000);
	/* It has the superblock, and nothing that leads on. */
	shell(f, "truncate -s 2k %s");
	ck_assert_int_eq(open_named(f, 2048, NULL), E2LAZY_ET_DEVICE_SHORT);
	ck_assert_uint_eq(f->where.fsblk, 2);
}
END_TEST

static void check_written(struct fixture *f, errcode_t expected)
{
	struct e2lazy_subject s = { .journal = f->journal };
	struct e2lazy_checkpoint_done done;
	struct e2lazy_verdict *verdict;

	read_map(f, E2LAZY_JMAP_CSUMS, 0);
	s.map = f->map;
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &s.view,
					   &f->where), 0);
	ck_assert_int_eq(e2lazy_layout_build(f->journal, f->map, &s.layout,
					     &f->where), 0);
	verdict = agreed(&s);
	ck_assert_int_eq(e2lazy_checkpoint(s.view, verdict, NULL, &done,
					   &f->where), expected);
	ck_assert(done.begun == !expected);
	ck_assert(done.sealed == !expected);
	e2lazy_verdict_free(verdict);
	e2lazy_layout_free(s.layout);
	e2lazy_view_free(s.view);
	drop(f);
}

START_TEST(what_is_not_held_is_not_written)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);

	ck_assert_int_eq(open_named(f, 0, NULL), 0);
	ck_assert_int_eq(e2lazy_unchanged(f->journal, &f->where),
			 E2LAZY_ET_NOT_HELD);
	check_written(f, E2LAZY_ET_NOT_HELD);
	ck_assert_int_eq(try_open(f, NULL), 0);
	read_map(f, 0, 0);
	ck_assert_mapped(f, 60003, 5);
}
END_TEST

static struct fixture *guarded_fs(void)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);

	memset(&guarded, 0, sizeof(guarded));
	guard_of_names = &guard;
	return f;
}

START_TEST(what_a_guard_holds_is_written_under_its_lock)
{
	struct fixture *f = guarded_fs();

	ck_assert_int_eq(open_named(f, 0, NULL), 0);
	ck_assert_int_eq(e2lazy_unchanged(f->journal, &f->where), 0);
	ck_assert_int_eq(guarded.locks, 0);
	check_written(f, 0);
	ck_assert_int_eq(guarded.locks, 1);
	ck_assert_int_eq(guarded.unlocks, 1);
	ck_assert_int_gt(guarded.checks, 2);
	ck_assert_int_eq(try_open(f, NULL), 0);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->start, 0);
}
END_TEST

START_TEST(a_guard_holds_an_external_journal_too)
{
	struct fixture *f = guarded_fs();

	make_external(f, "1024", LOG);
	ck_assert_int_eq(open_named(f, 0, "journal"), 0);
	check_written(f, 0);
	ck_assert_int_eq(guarded.locks, 2);
	ck_assert_int_eq(guarded.unlocks, 2);
}
END_TEST

START_TEST(a_guard_refuses)
{
	struct fixture *f = guarded_fs();

	guarded.lock = E2LAZY_ET_LOCKED;
	ck_assert_int_eq(open_named(f, 0, NULL), 0);
	check_written(f, E2LAZY_ET_LOCKED);
	ck_assert_int_eq(guarded.unlocks, 0);
	guarded.lock = 0;
	guarded.check = E2LAZY_ET_CHANGED;
	ck_assert_int_eq(open_named(f, 0, NULL), 0);
	ck_assert_int_eq(e2lazy_unchanged(f->journal, &f->where),
			 E2LAZY_ET_CHANGED);
	check_written(f, E2LAZY_ET_CHANGED);
	ck_assert_int_eq(guarded.unlocks, 1);
}
END_TEST

/* Change the time of the last mount, like a mount. */
static void mount_meanwhile(void)
{
	shell(meant, "debugfs -w -R 'ssv mtime 20200101' %s >/dev/null 2>&1");
}

START_TEST(a_superblock_that_changed_before_the_lock_refuses)
{
	struct fixture *f = guarded_fs();

	guarded.when_locked = mount_meanwhile;
	ck_assert_int_eq(open_named(f, 0, NULL), 0);
	check_written(f, E2LAZY_ET_CHANGED);
	ck_assert_int_eq(f->where.volume, E2LAZY_FILE_SYSTEM);
	ck_assert_int_eq(guarded.unlocks, 1);
}
END_TEST

/* libext2fs would look for the block of multiple mount protection in a file. */
START_TEST(multiple_mount_protection_needs_a_path)
{
	struct fixture *f = guarded_fs();

	shell(f, "debugfs -w -R 'feature mmp' %s >/dev/null 2>&1");
	ck_assert_int_eq(open_named(f, 0, NULL), 0);
	check_written(f, E2LAZY_ET_NOT_HELD);
	ck_assert_int_eq(guarded.locks, 0);
}
END_TEST

/* The file system through the log, by a handle that has no file either. */
START_TEST(a_view_of_what_is_not_held_is_opened)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct e2lazy_view *view;
	struct ext2_inode inode;
	ext2_filsys fs;

	ck_assert_int_eq(open_named(f, 0, NULL), 0);
	read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view,
					   &f->where), 0);
	ck_assert_int_eq(e2lazy_view_open(view, &fs, &f->where), 0);
	ck_assert_int_eq(ext2fs_read_inode(fs, EXT2_ROOT_INO, &inode), 0);
	ext2fs_free(fs);
	e2lazy_view_free(view);
}
END_TEST

/* ------------------------------------------------------ a given geometry */

static struct e2lazy_geometry geometry_of(struct fixture *f)
{
	return *e2lazy_geometry(f->journal);
}

static errcode_t open_given(struct fixture *f,
			    const struct e2lazy_geometry *geometry)
{
	const struct e2lazy_open_opts opts = { .geometry = geometry };

	return try_open(f, &opts);
}

static const char *const forms[] = {
	PLAIN, "-b 1024 -J size=4 -O ^metadata_csum",
	"-b 4096 -J size=16 -O fast_commit",
};
#define NR_FORMS (sizeof(forms) / sizeof(forms[0]))

START_TEST(a_log_without_its_superblock_is_read_by_what_it_said)
{
	struct fixture *f = map_of_fs(forms[_i], LOG);
	struct e2lazy_geometry before = geometry_of(f), now;

	ck_assert(!before.given);
	write_log(f, "damage super magic 0\n");
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_JSB_MAGIC);
	ck_assert_int_eq(open_given(f, &before), 0);
	read_map(f, 0, 0);
	ck_assert_mapped(f, 60003, 5);
	ck_assert_mapped(f, 60020, 6);
	now = geometry_of(f);
	ck_assert(now.given);
	/* All that a journal superblock says stands before that. */
	ck_assert_mem_eq(&now, &before,
			 offsetof(struct e2lazy_geometry, external));
}
END_TEST

/* Fill what malloc() gives from now on; a sanitizer does that by itself. */
static void fill_memory(void)
{
#ifdef M_PERTURB
	mallopt(M_PERTURB, 0x5a);
#endif
}

START_TEST(its_journal_superblock_has_zeros_behind_it)
{
	struct fixture *f = map_of_fs(forms[_i], LOG);
	struct e2lazy_geometry given = geometry_of(f);
	unsigned size = given.blocksize;
	struct e2lazy_view *view;
	uint8_t block[4096];
	blk64_t physblk;

	ck_assert_int_eq(open_given(f, &given), 0);
	read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_physblk(f->journal, 0, &physblk), 0);
	fill_memory();
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view,
					   &f->where), 0);
	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					  physblk * size, size, block, NULL),
			 0);
	for (unsigned i = SUPER_BYTES; i < size; i++)
		ck_assert_uint_eq(block[i], 0);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(by_a_given_geometry_nothing_is_written)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct e2lazy_geometry given = geometry_of(f);

	ck_assert_int_eq(open_given(f, &given), 0);
	check_written(f, E2LAZY_ET_NOT_HELD);
}
END_TEST

/* A view shows the superblock that the caller described. */
START_TEST(a_view_has_a_superblock_for_a_lost_one)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct e2lazy_geometry given = geometry_of(f);
	struct e2lazy_view *view;
	blk64_t physblk;
	uint8_t block[1024];

	write_log(f, "damage super magic 0\n");
	ck_assert_int_eq(open_given(f, &given), 0);
	read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view,
					   &f->where), 0);
	ck_assert_int_eq(e2lazy_physblk(f->journal, 0, &physblk), 0);
	ck_assert_int_eq(e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					  physblk * 1024, 1024, block,
					  &f->where), 0);
	ck_assert_mem_eq(block, "\xc0\x3b\x39\x98\0\0\0\4", 8);
	ck_assert_mem_eq(block + 0x1c, "\0\0\0\0", 4);
	e2lazy_view_free(view);
}
END_TEST

START_TEST(what_no_superblock_could_say_is_refused)
{
	struct fixture *f = map_of_fs(PLAIN, LOG);
	struct e2lazy_geometry good = geometry_of(f), bad;

#define ck_assert_refused(field, value, error) do { \
	bad = good; \
	bad.field = value; \
	ck_assert_int_eq(open_given(f, &bad), error); \
} while (0)
	ck_assert_refused(blocksize, 4096, E2LAZY_ET_JSB_BLOCKSIZE);
	ck_assert_refused(maxlen, 5000, E2LAZY_ET_JOURNAL_SHORT);
	ck_assert_refused(first, 0, E2LAZY_ET_JSB_FIRST);
	ck_assert_refused(start, 5000, E2LAZY_ET_JSB_START);
	ck_assert_refused(incompat, 0x8012, E2LAZY_ET_JSB_FEATURE);
	ck_assert_refused(end, 1000, E2LAZY_ET_GEOMETRY);
	ck_assert_refused(end, 5000, E2LAZY_ET_GEOMETRY);
	ck_assert_int_eq(open_given(f, &good), 0);
}
END_TEST

TCase *open_tests(void)
{
	TCase *tc = tcase_create("open");

	tcase_add_test(tc, a_handle_that_is_open_is_read_and_left_open);
	tcase_add_test(tc, a_handle_of_a_superblock_alone_is_not_enough);
	tcase_add_test(tc, an_external_journal_is_read_through_handles);
	tcase_add_test(tc, a_name_needs_no_file_but_a_manager);
	tcase_add_test(tc, an_external_journal_is_read_by_names);
	tcase_add_test(tc, the_size_is_what_can_be_read_unless_it_is_said);
	tcase_add_test(tc, what_is_not_held_is_not_written);
	tcase_add_test(tc, what_a_guard_holds_is_written_under_its_lock);
	tcase_add_test(tc, a_guard_holds_an_external_journal_too);
	tcase_add_test(tc, a_guard_refuses);
	tcase_add_test(tc, a_superblock_that_changed_before_the_lock_refuses);
	tcase_add_test(tc, multiple_mount_protection_needs_a_path);
	tcase_add_test(tc, a_view_of_what_is_not_held_is_opened);
	tcase_add_loop_test(tc,
		a_log_without_its_superblock_is_read_by_what_it_said, 0,
		NR_FORMS);
	tcase_add_loop_test(tc, its_journal_superblock_has_zeros_behind_it, 0,
			    NR_FORMS);
	tcase_add_test(tc, by_a_given_geometry_nothing_is_written);
	tcase_add_test(tc, a_view_has_a_superblock_for_a_lost_one);
	tcase_add_test(tc, what_no_superblock_could_say_is_refused);
	return tc;
}
