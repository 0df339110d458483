/* SPDX-License-Identifier: GPL-2.0-only */
/* The next control blocks of a log are asked for before they are wanted. */

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fixture.h"
#include "io/pread_io.h"
#include "kernel_can.h"
#include "log/lookahead.h"

/* Tags of a descriptor in blocks of 1 KiB, and the blocks up to the next. */
#define FULL	62
#define STRIDE	(FULL + 1)

#define LONG_LOG "txn 5 write 60000-60399\n" \
		 "txn 6 write 60200-60299 revoke 60000-60009\n" \
		 "txn 7 write 60100-60239\n"

static struct fixture *long_log_on_disk(void)
{
	on_disk();
	return map_of(LONG_LOG);
}

static void forget_cache(const char *path)
{
	int fd = open(path, O_RDONLY);

	ck_assert_int_ge(fd, 0);
	/* The tests do without fsync(), and a dirty page is not forgotten. */
	ck_assert_int_eq(sync_file_range(fd, 0, 0,
					 SYNC_FILE_RANGE_WAIT_BEFORE |
					 SYNC_FILE_RANGE_WRITE |
					 SYNC_FILE_RANGE_WAIT_AFTER), 0);
	ck_assert_int_eq(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	close(fd);
}

static bool is_there(const struct fixture *f, uint32_t logblk)
{
	unsigned size = f->journal->geo.blocksize;
	off_t page = sysconf(_SC_PAGESIZE);
	unsigned char there;
	blk64_t physblk;
	void *at;
	int fd = open(f->image, O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(e2lazy_physblk(f->journal, logblk, &physblk), 0);
	at = mmap(NULL, page, PROT_READ, MAP_SHARED, fd,
		  (off_t)physblk * size / page * page);
	ck_assert_ptr_ne(at, MAP_FAILED);
	ck_assert_int_eq(mincore(at, 1, &there), 0);
	munmap(at, page);
	close(fd);
	return there & 1;
}

/* False: the file system of TMPDIR, or the kernel, keeps it. */
static bool forget_block(const struct fixture *f, uint32_t logblk)
{
	for (unsigned ms = 0; ms < 100; ms++) {
		forget_cache(f->image);
		if (!is_there(f, logblk))
			return true;
		usleep(1000);
	}
	return false;
}

static struct {
	blk64_t		physblk[16];
	unsigned	nr;
} asked;

static errcode_t note_asked(io_channel io, unsigned long long block,
			    unsigned long long count)
{
	(void)io;
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_lt(asked.nr, 16);
	asked.physblk[asked.nr++] = block;
	return 0;
}

/* Read @logblk after @full descriptors, and one of @last tags or 0. */
static void read_foreseeing(const struct fixture *f, unsigned full,
			    unsigned last, uint32_t logblk)
{
	struct foresight foresight = { .stride = 0 };
	errcode_t (*usual)(io_channel, unsigned long long,
			   unsigned long long) =
		pread_io_manager->cache_readahead;
	uint8_t block[1024];

	for (unsigned i = 0; i < full; i++)
		foresee_descriptor(&foresight, FULL);
	if (last)
		foresee_descriptor(&foresight, last);
	asked.nr = 0;
	pread_io_manager->cache_readahead = note_asked;
	ck_assert_int_eq(foresight_read(&foresight, f->journal, logblk, block),
			 0);
	pread_io_manager->cache_readahead = usual;
}

/* These log blocks, up to a 0, and no others were asked for. */
static void check_asked(const struct fixture *f, const uint32_t *logblks)
{
	unsigned nr = 0;
	blk64_t physblk;

	for (; logblks[nr]; nr++) {
		ck_assert_uint_lt(nr, asked.nr);
		ck_assert_int_eq(e2lazy_physblk(f->journal, logblks[nr],
						&physblk), 0);
		ck_assert_uint_eq(asked.physblk[nr], physblk);
	}
	ck_assert_uint_eq(asked.nr, nr);
}

START_TEST(full_descriptors_foretell_the_next_ones)
{
	struct fixture *f = long_log_on_disk();

	if (!kernel_reads_at_once(f->image))
		skip_test("no RWF_NOWAIT on the file system of TMPDIR");
	if (!forget_block(f, 1 + STRIDE))
		skip_test("the file system of TMPDIR drops no pages");
	read_foreseeing(f, 0, 0, 1 + STRIDE);
	check_asked(f, (uint32_t[]){ 0 });
	if (!forget_block(f, 1 + STRIDE))
		skip_test("the file system of TMPDIR drops no pages");
	read_foreseeing(f, 2, 0, 1 + STRIDE);
	check_asked(f, (uint32_t[]){ 1 + 2 * STRIDE, 1 + 3 * STRIDE, 0 });
}
END_TEST

START_TEST(a_transaction_is_expected_to_be_as_long_as_the_last_one)
{
	struct fixture *f = long_log_on_disk();

	if (!kernel_reads_at_once(f->image))
		skip_test("no RWF_NOWAIT on the file system of TMPDIR");
	if (!forget_block(f, 4))
		skip_test("the file system of TMPDIR drops no pages");
	/* A commit block is next, then a descriptor, then two more. */
	read_foreseeing(f, 3, FULL - 1, 4);
	check_asked(f, (uint32_t[]){ 5, 5 + STRIDE, 5 + 2 * STRIDE,
				     5 + 3 * STRIDE, 0 });
}
END_TEST

START_TEST(what_the_cache_holds_needs_no_foresight)
{
	struct fixture *f = long_log_on_disk();
	uint8_t block[1024];

	ck_assert_int_eq(e2lazy_read_log(f->journal, 1 + STRIDE, 1, block), 0);
	if (!is_there(f, 1 + STRIDE))
		skip_test("the file system of TMPDIR keeps no pages");
	read_foreseeing(f, 2, 0, 1 + STRIDE);
	check_asked(f, (uint32_t[]){ 0 });
}
END_TEST

START_TEST(a_log_that_no_cache_holds_maps_the_same)
{
	struct fixture *f = long_log_on_disk();
	struct e2lazy_map_stats stats = *e2lazy_jmap_stats(f->map);
	size_t live = e2lazy_jmap_count(f->map);

	ck_assert_uint_eq(live, 390);
	forget_cache(f->image);
	read_map(f, 0, 0);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), live);
	ck_assert_mem_eq(e2lazy_jmap_stats(f->map)->states, stats.states,
			 sizeof(stats.states));
	ck_assert_mapped(f, 60399, 5);
	ck_assert_mapped(f, 60299, 6);
	ck_assert_mapped(f, 60239, 7);
}
END_TEST

TCase *foresight_tests(void)
{
	TCase *tc = tcase_create("foresight");

	tcase_add_test(tc, full_descriptors_foretell_the_next_ones);
	tcase_add_test(tc,
		       a_transaction_is_expected_to_be_as_long_as_the_last_one);
	tcase_add_test(tc, what_the_cache_holds_needs_no_foresight);
	tcase_add_test(tc, a_log_that_no_cache_holds_maps_the_same);
	return tc;
}
