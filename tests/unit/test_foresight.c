/* SPDX-License-Identifier: GPL-2.0-only */
/* The next control blocks of a log are asked for before they are wanted. */

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fixture.h"
#include "io/pread_io.h"
#include "log/lookahead.h"

/* Tags of a descriptor in blocks of 1 KiB, and the blocks up to the next. */
#define FULL	62
#define STRIDE	(FULL + 1)

#define LONG_LOG "txn 5 write 60000-60399\n" \
		 "txn 6 write 60200-60299 revoke 60000-60009\n" \
		 "txn 7 write 60100-60239\n"

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

/* The device may take its time. */
static bool comes(const struct fixture *f, uint32_t logblk)
{
	for (unsigned ms = 0; ms < 3000 && !is_there(f, logblk); ms++)
		usleep(1000);
	return is_there(f, logblk);
}

/* Read @logblk uncached, after @full descriptors, and one of @last tags or 0. */
static void read_foreseeing(const struct fixture *f, unsigned full,
			    unsigned last, uint32_t logblk)
{
	struct foresight foresight = { .stride = 0 };
	uint8_t block[1024];

	forget_cache(f->image);
	if (is_there(f, logblk))
		skip_test("the file system of TMPDIR drops no pages");
	for (unsigned i = 0; i < full; i++)
		foresee_descriptor(&foresight, FULL);
	if (last)
		foresee_descriptor(&foresight, last);
	ck_assert_int_eq(foresight_read(&foresight, f->journal, logblk, block),
			 0);
}

/* A busy kernel may drop advice, but not each time. */
#define ck_assert_foreseen(read, come) do {				\
	unsigned tries = 3;						\
									\
	do								\
		read;							\
	while (!(come) && --tries);					\
	ck_assert_msg(tries, "nobody asked: " #come);			\
} while (0)

START_TEST(full_descriptors_foretell_the_next_ones)
{
	struct fixture *f = map_of(LONG_LOG);

	read_foreseeing(f, 0, 0, 1);
	ck_assert(!is_there(f, 1 + STRIDE));
	ck_assert_foreseen(read_foreseeing(f, 2, 0, 1 + STRIDE),
			   comes(f, 1 + 2 * STRIDE) &&
			   comes(f, 1 + 3 * STRIDE));
	ck_assert(!is_there(f, 1 + 4 * STRIDE));
}
END_TEST

START_TEST(a_transaction_is_expected_to_be_as_long_as_the_last_one)
{
	struct fixture *f = map_of(LONG_LOG);

	/* A commit block is next, then a descriptor, then two more. */
	ck_assert_foreseen(read_foreseeing(f, 3, FULL - 1, 4),
			   comes(f, 5) && comes(f, 5 + STRIDE) &&
			   comes(f, 5 + 3 * STRIDE));
	ck_assert(!is_there(f, 5 + 4 * STRIDE));
}
END_TEST

START_TEST(a_log_that_no_cache_holds_maps_the_same)
{
	struct fixture *f = map_of(LONG_LOG);
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
	tcase_add_test(tc, a_log_that_no_cache_holds_maps_the_same);
	return tc;
}
