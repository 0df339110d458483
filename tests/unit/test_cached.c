/* SPDX-License-Identifier: GPL-2.0-only */
/* What the page cache keeps although it was told to drop it. */

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "fixture.h"
#include "io/cached.h"
#include "kernel_can.h"

#define PAGES	300

static size_t page;

/* A file in which only mapped pages stay in the cache; the tests' fsync() is
   none, and dirty pages would stay. */
struct mapped {
	int		fd;
	char		*at;
};

static struct mapped map_file(void)
{
	struct mapped m;
	struct fixture *f;
	char *zeros;

	on_disk();
	f = new_fixture();
	m.fd = open(f->image, O_RDWR | O_CREAT | O_SYNC, 0600);
	page = (size_t)sysconf(_SC_PAGESIZE);
	zeros = calloc(PAGES, page);
	ck_assert_int_ge(m.fd, 0);
	ck_assert_int_eq(write(m.fd, zeros, PAGES * page), PAGES * page);
	free(zeros);
	cached_drop(m.fd, &(struct byte_range){ 0, PAGES * page });
	m.at = mmap(NULL, PAGES * page, PROT_READ, MAP_SHARED, m.fd, 0);
	ck_assert_ptr_ne(m.at, MAP_FAILED);
	ck_assert_int_eq(madvise(m.at, PAGES * page, MADV_RANDOM), 0);
	return m;
}

static void unmap_file(struct mapped *m)
{
	munmap(m->at, PAGES * page);
	close(m->fd);
}

static void touch(const struct mapped *m, unsigned first, unsigned end)
{
	for (; first < end; first++)
		ck_assert_int_eq(*(volatile char *)(m->at + first * page), 0);
}

/* NULL: somebody can. */
static const char *why_not_told(const struct mapped *m)
{
	struct statfs fs;

	if (fstatfs(m->fd, &fs) || fs.f_type == TMPFS_MAGIC)
		return "TMPDIR is on a tmpfs, which drops no pages";
	touch(m, 7, 8);
	posix_fadvise(m->fd, 0, 0, POSIX_FADV_DONTNEED);
	if (kernel_counts_pages(m->fd, 0, PAGES * page) < 0)
		return "no cachestat() before Linux 6.5";
	return kernel_counts_pages(m->fd, 100 * page, 100 * page) ?
	       "the file system of TMPDIR drops no pages" : NULL;
}

/* Mark the pages of the runs that are found in these bytes. */
static void find_all(const struct mapped *m, uint64_t from, uint64_t to,
		     char found[PAGES + 1])
{
	struct byte_range left = { from, to };

	memset(found, '.', PAGES);
	found[PAGES] = '\0';
	for (; left.from < to && cached_find(m->fd, &left);
	     left = (struct byte_range){ left.to, to }) {
		ck_assert_uint_eq(left.from % page, 0);
		ck_assert_uint_eq(left.to % page, 0);
		ck_assert_uint_lt(left.from, left.to);
		memset(found + left.from / page, '#',
		       (left.to - left.from) / page);
	}
}

START_TEST(the_pages_that_are_kept_are_found)
{
	static const struct {
		unsigned first, end;
	} kept[] = { { 0, 1 }, { 5, 12 }, { 13, 14 }, { 100, 229 },
		     { 299, 300 } };
	char expect[PAGES + 1], found[PAGES + 1];
	struct mapped m = map_file();
	const char *why = why_not_told(&m);

	if (why)
		skip_test(why);
	memset(expect, '.', PAGES);
	expect[PAGES] = '\0';
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		touch(&m, kept[i].first, kept[i].end);
		memset(expect + kept[i].first, '#',
		       kept[i].end - kept[i].first);
	}
	find_all(&m, 0, PAGES * page, found);
	ck_assert_str_eq(found, expect);
	memset(expect, '.', 6);
	memset(expect + 13, '.', PAGES - 13);
	find_all(&m, 6 * page + 1, 13 * page - 1, found);
	ck_assert_str_eq(found, expect);
	unmap_file(&m);
}
END_TEST

/* As of a descriptor that is none. */
START_TEST(if_nobody_can_tell_the_ends_may_be_kept)
{
	static const struct {
		unsigned from, to;	/* in quarters of a page */
		struct byte_range first, last;	/* in pages; 0: none */
	} cases[] = {
		{ 0, 16, { 0, 0 }, { 0, 0 } },
		{ 1, 16, { 0, 1 }, { 0, 0 } },
		{ 4, 15, { 3, 4 }, { 0, 0 } },
		{ 1, 15, { 0, 1 }, { 3, 4 } },
		{ 5, 7, { 1, 2 }, { 0, 0 } },
	};
	uint64_t quarter = (page = (size_t)sysconf(_SC_PAGESIZE)) / 4;
	struct byte_range left = { cases[_i].from * quarter,
				   cases[_i].to * quarter };
	uint64_t end = left.to;

	ck_assert_int_eq(cached_find(-1, &left), cases[_i].first.to > 0);
	if (cases[_i].first.to) {
		ck_assert_uint_eq(left.from, cases[_i].first.from * page);
		ck_assert_uint_eq(left.to, cases[_i].first.to * page);
		left = (struct byte_range){ left.to, end };
	}
	if (cases[_i].last.to) {
		ck_assert(cached_find(-1, &left));
		ck_assert_uint_eq(left.from, cases[_i].last.from * page);
		ck_assert_uint_eq(left.to, cases[_i].last.to * page);
	}
}
END_TEST

TCase *cached_tests(void)
{
	TCase *tc = tcase_create("cached");

	tcase_add_test(tc, the_pages_that_are_kept_are_found);
	tcase_add_loop_test(tc, if_nobody_can_tell_the_ends_may_be_kept, 0, 5);
	return tc;
}
