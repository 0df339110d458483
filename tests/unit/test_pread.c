/* SPDX-License-Identifier: GPL-2.0-only */
/* The io_manager that only reads: which bytes, and what it refuses. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fixture.h"
#include "io/cached.h"
#include "io/pread_io.h"
#include "kernel_can.h"

#define FILE_BYTES	5000	/* not quite five blocks of 1 KiB */

static unsigned char contents[FILE_BYTES];

/* A file on a disk in which no two kilobytes are alike, and a channel to it. */
static io_channel channel_to_file(void)
{
	struct fixture *f;
	io_channel channel;
	FILE *file;

	on_disk();
	f = new_fixture();
	file = fopen(f->image, "w");
	ck_assert_ptr_nonnull(file);
	for (unsigned i = 0; i < FILE_BYTES; i++)
		contents[i] = i % 251;
	ck_assert_uint_eq(fwrite(contents, 1, FILE_BYTES, file), FILE_BYTES);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(pread_io_manager->open(f->image, 0, &channel), 0);
	return channel;
}

/* @count as io_channel_read_blk64() has it; it must read @bytes from @at. */
static void check_read(io_channel channel, unsigned long long block,
		       int count, size_t at, size_t bytes)
{
	unsigned char buf[FILE_BYTES + 1];

	memset(buf, 0xee, sizeof(buf));
	ck_assert_int_eq(io_channel_read_blk64(channel, block, count, buf), 0);
	ck_assert_mem_eq(buf, contents + at, bytes);
	ck_assert_uint_eq(buf[bytes], 0xee);
}

static errcode_t try_read(io_channel channel, unsigned long long block,
			  int count)
{
	unsigned char buf[FILE_BYTES];

	return io_channel_read_blk64(channel, block, count, buf);
}

START_TEST(a_count_is_of_blocks_a_negative_one_of_bytes)
{
	io_channel channel = channel_to_file();
	unsigned char buf[1024];

	check_read(channel, 0, 1, 0, 1024);
	check_read(channel, 1, 2, 1024, 2048);
	check_read(channel, 3, -1, 3072, 1);
	check_read(channel, 2, -1500, 2048, 1500);
	check_read(channel, 4, -904, 4096, 904);	/* the very last */
	ck_assert_int_eq(io_channel_read_blk(channel, 2, 1, buf), 0);
	ck_assert_mem_eq(buf, contents + 2048, 1024);
	io_channel_close(channel);
}
END_TEST

START_TEST(what_ends_past_the_file_is_a_short_read)
{
	io_channel channel = channel_to_file();

	ck_assert_int_eq(try_read(channel, 4, 1), EXT2_ET_SHORT_READ);
	ck_assert_int_eq(try_read(channel, INT64_MAX / 1024, 1),
			 EXT2_ET_SHORT_READ);
	ck_assert_int_eq(try_read(channel, 4, -905), EXT2_ET_SHORT_READ);
	ck_assert_int_eq(try_read(channel, 5, 1), EXT2_ET_SHORT_READ);
	ck_assert_int_eq(try_read(channel, 1ULL << 40, 1), EXT2_ET_SHORT_READ);
	/* times 1024 these would be negative, and 0 once more */
	ck_assert_int_eq(try_read(channel, 1ULL << 53, 1), EXT2_ET_SHORT_READ);
	ck_assert_int_eq(try_read(channel, 1ULL << 54, 1), EXT2_ET_SHORT_READ);
	ck_assert_int_eq(try_read(channel, ~0ULL, 1), EXT2_ET_SHORT_READ);
	io_channel_close(channel);
}
END_TEST

START_TEST(blocks_are_as_large_as_was_set)
{
	io_channel channel = channel_to_file();

	ck_assert_int_eq(io_channel_set_blksize(channel, 2048), 0);
	check_read(channel, 1, 1, 2048, 2048);
	ck_assert_int_eq(try_read(channel, 2, 1), EXT2_ET_SHORT_READ);
	ck_assert_int_eq(io_channel_set_blksize(channel, 4096), 0);
	check_read(channel, 0, 1, 0, 4096);
	check_read(channel, 1, -904, 4096, 904);
	io_channel_close(channel);
}
END_TEST

START_TEST(an_offset_counts_in_bytes)
{
	io_channel channel = channel_to_file();

	ck_assert_int_eq(io_channel_set_options(channel, "offset=900"), 0);
	check_read(channel, 0, 1, 900, 1024);
	check_read(channel, 2, -5, 2948, 5);
	ck_assert_int_eq(try_read(channel, 4, 1), EXT2_ET_SHORT_READ);
	ck_assert_int_eq(try_read(channel, INT64_MAX / 1024, 1),
			 EXT2_ET_SHORT_READ);
	ck_assert_int_eq(io_channel_set_options(channel, "offset=9x"),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(io_channel_set_options(channel, "offset"),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(io_channel_set_options(channel, "cache=on"),
			 EXT2_ET_INVALID_ARGUMENT);
	check_read(channel, 0, 1, 900, 1024);
	io_channel_close(channel);
}
END_TEST

START_TEST(nothing_is_ever_written)
{
	io_channel channel = channel_to_file(), other;
	char buf[1024] = "";

	ck_assert_int_eq(io_channel_write_blk64(channel, 0, 1, buf),
			 EXT2_ET_RO_FILSYS);
	ck_assert_int_eq(io_channel_write_blk(channel, 0, 1, buf),
			 EXT2_ET_RO_FILSYS);
	ck_assert_int_eq(io_channel_flush(channel), 0);
	ck_assert_int_eq(pread_io_manager->open(channel->name, IO_FLAG_RW,
						&other), EXT2_ET_RO_FILSYS);
	check_read(channel, 0, 4, 0, 4096);
	io_channel_close(channel);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_an_error)
{
	io_channel channel;

	ck_assert_int_eq(pread_io_manager->open("/nonexistent/file", 0,
						&channel), ENOENT);
}
END_TEST

START_TEST(past_the_page_cache_the_same_bytes_are_read)
{
	io_channel channel = channel_to_file(), direct;
	_Alignas(4096) unsigned char buf[8192];

	io_channel_set_blksize(channel, 2048);
	ck_assert_int_eq(io_channel_set_options(channel, "offset=1024"), 0);
	if (!kernel_reads_direct(channel->name)) {
		io_channel_close(channel);
		skip_test("no O_DIRECT on the file system of TMPDIR");
	}
	ck_assert_int_eq(pread_io_direct(channel, &direct), 0);
	/* of no alignment, aligned, and up to the end of the file */
	check_read(direct, 0, 1, 1024, 2048);
	check_read(direct, 1, -(FILE_BYTES - 3072), 3072, FILE_BYTES - 3072);
	ck_assert_int_eq(io_channel_set_options(direct, "offset=0"), 0);
	io_channel_set_blksize(direct, 4096);
	ck_assert_int_eq(io_channel_read_blk64(direct, 0, 1, buf), 0);
	ck_assert_mem_eq(buf, contents, 4096);
	ck_assert_int_eq(io_channel_read_blk64(direct, 0, -FILE_BYTES, buf),
			 0);
	ck_assert_mem_eq(buf, contents, FILE_BYTES);
	ck_assert_int_eq(io_channel_read_blk64(direct, 0, 2, buf),
			 EXT2_ET_SHORT_READ);
	ck_assert_int_eq(io_channel_write_blk64(direct, 0, 1, buf),
			 EXT2_ET_RO_FILSYS);
	io_channel_close(direct);
	io_channel_close(channel);
}
END_TEST

/* Whatever the cache has. */
static void check_past_cache(io_channel channel, blk64_t block, int count,
			     size_t at, size_t bytes)
{
	unsigned char buf[FILE_BYTES + 2];

	memset(buf, 0xee, sizeof(buf));
	ck_assert_int_eq(pread_io_past_cache(channel, block, count, buf + 1),
			 0);
	ck_assert_mem_eq(buf + 1, contents + at, bytes);
	ck_assert_uint_eq(buf[0], 0xee);
	ck_assert_uint_eq(buf[bytes + 1], 0xee);
}

START_TEST(any_channel_can_pass_the_page_cache_once)
{
	io_channel channel = channel_to_file(), other;
	unsigned char buf[2048];

	check_past_cache(channel, 1, 2, 1024, 2048);
	check_past_cache(channel, 2, -5, 2048, 5);
	ck_assert_int_eq(io_channel_set_options(channel, "offset=900"), 0);
	check_past_cache(channel, 1, 1, 1924, 1024);
	check_past_cache(channel, 3, -1028, 3972, 1028);	/* the end */
	ck_assert_int_eq(pread_io_past_cache(channel, 3, 2, buf),
			 EXT2_ET_SHORT_READ);
	ck_assert_int_eq(unix_io_manager->open(channel->name, 0, &other), 0);
	check_past_cache(other, 1, 2, 1024, 2048);
	io_channel_close(other);
	io_channel_close(channel);
}
END_TEST

START_TEST(only_its_own_channels_have_one_past_the_page_cache)
{
	io_channel channel = channel_to_file(), other, direct;

	ck_assert_int_eq(unix_io_manager->open(channel->name, 0, &other), 0);
	ck_assert_int_eq(pread_io_direct(other, &direct),
			 EXT2_ET_INVALID_ARGUMENT);
	io_channel_close(other);
	io_channel_close(channel);
}
END_TEST

START_TEST(a_block_in_the_page_cache_is_read_at_once)
{
	io_channel channel = channel_to_file(), other;
	unsigned char buf[1024];

	ck_assert_int_eq(io_channel_set_options(channel, "offset=904"), 0);
	check_read(channel, 0, 1, 904, 1024);
	ck_assert_int_ne(pread_io_at_once(channel, UINT64_MAX, buf), 0);
	ck_assert_int_eq(unix_io_manager->open(channel->name, 0, &other), 0);
	ck_assert_int_eq(pread_io_at_once(other, 0, buf),
			 EXT2_ET_UNIMPLEMENTED);
	io_channel_close(other);
	if (!kernel_reads_at_once(channel->name))
		skip_test("no RWF_NOWAIT on the file system of TMPDIR");
	ck_assert_int_eq(pread_io_at_once(channel, 0, buf), 0);
	ck_assert_mem_eq(buf, contents + 904, 1024);
	ck_assert_int_eq(pread_io_at_once(channel, 4, buf), EAGAIN);
	io_channel_close(channel);
}
END_TEST

/* Each call that takes blocks, at numbers that no sum may make small. */
START_TEST(no_place_overflows_in_any_call)
{
	static const blk64_t blocks[] = {
		INT64_MAX / 1024 - 64, INT64_MAX / 1024, 1ULL << 53, 1ULL << 54,
		(1ULL << 54) - 1, UINT64_MAX / 1024, ~0ULL,
	};
	static const char *const offsets[] = {
		"offset=0", "offset=1", "offset=9223372036854710271",
	};
	io_channel channel = channel_to_file();
	unsigned char buf[2048];

	ck_assert_int_eq(io_channel_set_options(channel, offsets[_i]), 0);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		ck_assert_int_eq(try_read(channel, blocks[i], -5000),
				 EXT2_ET_SHORT_READ);
		ck_assert_int_eq(pread_io_past_cache(channel, blocks[i], 2,
						     buf), EXT2_ET_SHORT_READ);
		ck_assert_int_ne(pread_io_at_once(channel, blocks[i], buf), 0);
		ck_assert_uint_eq(pread_io_hole(channel, blocks[i], 9), 0);
		ck_assert_int_eq(pread_io_forget(channel, blocks[i], ~0ULL),
				 0);
		io_channel_cache_readahead(channel, blocks[i], ~0ULL);
	}
	io_channel_close(channel);
}
END_TEST

/* The kernel refuses a buffer that would end beyond its address space. */
START_TEST(the_most_negative_count_is_of_two_gibibytes)
{
	io_channel channel = channel_to_file();
	size_t bytes = (size_t)INT_MAX + 1;
	void *buf = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	ck_assert_ptr_ne(buf, MAP_FAILED);
	ck_assert_int_eq(io_channel_read_blk64(channel, 1, INT_MIN, buf),
			 EXT2_ET_SHORT_READ);
	munmap(buf, bytes);
	io_channel_close(channel);
}
END_TEST

/* ------------------------------------------------------- a block device */

/* A loop device of the file; the last close() detaches it.  NULL: none. */
static io_channel channel_to_device(void)
{
	struct fixture *f = new_fixture();
	char name[64] = "", command[700];
	io_channel channel;
	FILE *from;

	shell(f, "truncate -s 1M %s");
	snprintf(command, sizeof(command),
		 "losetup -r -f --show %s 2>/dev/null", f->image);
	from = popen(command, "r");
	if (from && !fgets(name, sizeof(name), from))
		name[0] = '\0';
	if (!from || pclose(from) || !name[0])
		return NULL;
	name[strcspn(name, "\n")] = '\0';
	if (pread_io_manager->open(name, 0, &channel))
		channel = NULL;
	snprintf(command, sizeof(command), "losetup -d %s", name);
	return system(command) ? NULL : channel;
}

static unsigned descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

/* The kernel keeps a page that is mapped and was read. */
START_TEST(only_for_a_page_that_is_kept_a_second_descriptor_is_opened)
{
	struct byte_range all = { 0, 1 << 20 };
	io_channel channel = channel_to_device();
	char *at, block[4096];
	unsigned before;
	bool known;
	int fd;

	if (!channel)
		skip_test("no loop devices");
	fd = open(channel->name, O_RDONLY);
	at = mmap(NULL, all.to, PROT_READ, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(at, MAP_FAILED);
	before = descriptors();
	io_channel_set_blksize(channel, 4096);
	ck_assert_int_eq(io_channel_read_blk64(channel, 0, 1, block), 0);
	ck_assert_int_eq(pread_io_forget(channel, 0, 256), 0);
	ck_assert_uint_eq(descriptors(), before);
	ck_assert_int_eq(*(volatile char *)(at + 65536), 0);
	known = before && kernel_counts_pages(fd, 0, all.to) > 0;
	ck_assert_int_eq(pread_io_forget(channel, 0, 256), 0);
	if (known)
		ck_assert_uint_eq(descriptors(), before + 1);
	munmap(at, 1 << 20);
	close(fd);
	io_channel_close(channel);
	if (!known)
		skip_test("no /proc, or no cachestat() before Linux 6.5");
}
END_TEST

/* libext2fs hands a channel on, and each of its users closes it. */
START_TEST(a_channel_lives_until_its_last_user_closes_it)
{
	io_channel channel = channel_to_file();
	io_stats stats;

	io_channel_bumpcount(channel);
	ck_assert_int_eq(io_channel_close(channel), 0);
	check_read(channel, 1, 1, 1024, 1024);
	ck_assert_int_eq(channel->manager->get_stats(channel, &stats), 0);
	ck_assert_uint_eq(stats->bytes_read, 1024);
	ck_assert_int_eq(io_channel_close(channel), 0);
}
END_TEST

TCase *pread_tests(void)
{
	TCase *tc = tcase_create("pread");

	tcase_add_test(tc, a_count_is_of_blocks_a_negative_one_of_bytes);
	tcase_add_test(tc, what_ends_past_the_file_is_a_short_read);
	tcase_add_test(tc, blocks_are_as_large_as_was_set);
	tcase_add_loop_test(tc, no_place_overflows_in_any_call, 0, 3);
	tcase_add_test(tc, the_most_negative_count_is_of_two_gibibytes);
	tcase_add_test(tc,
		only_for_a_page_that_is_kept_a_second_descriptor_is_opened);
	tcase_add_test(tc, an_offset_counts_in_bytes);
	tcase_add_test(tc, nothing_is_ever_written);
	tcase_add_test(tc, a_channel_lives_until_its_last_user_closes_it);
	tcase_add_test(tc, a_file_that_is_not_there_is_an_error);
	tcase_add_test(tc, past_the_page_cache_the_same_bytes_are_read);
	tcase_add_test(tc, any_channel_can_pass_the_page_cache_once);
	tcase_add_test(tc,
		       only_its_own_channels_have_one_past_the_page_cache);
	tcase_add_test(tc, a_block_in_the_page_cache_is_read_at_once);
	return tc;
}
