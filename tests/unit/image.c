/* SPDX-License-Identifier: GPL-2.0-only */

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "e2lazy_drive.h"
#include "image.h"

/* The data from @at to @end, but for chunks of zeros: the copy has holes there. */
static void copy_data(int in, int out, off_t at, off_t end)
{
	static const char zeros[1 << 16];
	static char chunk[1 << 16];

	while (at < end) {
		size_t most = end - at < (off_t)sizeof(chunk) ?
			      (size_t)(end - at) : sizeof(chunk);
		ssize_t n = pread(in, chunk, most, at);

		ck_assert_int_gt(n, 0);
		if (memcmp(chunk, zeros, (size_t)n) &&
		    pwrite(out, chunk, (size_t)n, at) != n)
			ck_abort_msg("a copy cannot be written");
		at += n;
	}
}

void copy_image(const char *from, const char *to)
{
	int in = open(from, O_RDONLY);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	off_t size, at = 0;

	ck_assert_int_ge(in, 0);
	ck_assert_int_ge(out, 0);
	size = lseek(in, 0, SEEK_END);
	ck_assert_int_eq(ftruncate(out, size), 0);
	while ((at = lseek(in, at, SEEK_DATA)) >= 0) {
		off_t end = lseek(in, at, SEEK_HOLE);

		copy_data(in, out, at, end);
		at = end;
	}
	close(in);
	ck_assert_int_eq(close(out), 0);
}

#define PIECE 4096

static void add_piece(struct image *image, off_t at, const char *piece)
{
	static const char zeros[PIECE];
	size_t room = sizeof(at) + PIECE;

	if (!memcmp(piece, zeros, PIECE))
		return;
	/* Room for 64 at a time. */
	if (image->count % (64 * room) == 0)
		image->bytes = realloc(image->bytes, image->count + 64 * room);
	if (!image->bytes)
		ck_abort_msg("no memory");
	memcpy(image->bytes + image->count, &at, sizeof(at));
	memcpy(image->bytes + image->count + sizeof(at), piece, PIECE);
	image->count += room;
}

struct image read_image(const char *path)
{
	struct image image = { 0 };
	int fd = open(path, O_RDONLY);
	off_t at = 0, end;
	char piece[PIECE];

	ck_assert_int_ge(fd, 0);
	image.size = lseek(fd, 0, SEEK_END);
	while ((at = lseek(fd, at, SEEK_DATA)) >= 0)
		for (end = lseek(fd, at, SEEK_HOLE); at < end; at += PIECE) {
			memset(piece, 0, PIECE);
			if (pread(fd, piece, PIECE, at) <= 0)
				ck_abort_msg("%s: cannot be read", path);
			add_piece(&image, at, piece);
		}
	ck_assert_uint_gt(image.count, 0);
	close(fd);
	return image;
}

bool is_image(const char *path, const struct image *image)
{
	struct image now = read_image(path);
	bool same = now.size == image->size && now.count == image->count &&
		    !memcmp(now.bytes, image->bytes, now.count);

	free(now.bytes);
	return same;
}

struct e2lazy_regions *regions_made(uint64_t blocks, const char *options)
{
	int fd = memfd_create("made", 0);	/* mke2fs inherits it */
	struct e2lazy_regions *regions;
	char name[32], command[512];
	ext2_filsys fs;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, blocks * 4096), 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	snprintf(command, sizeof(command), "PATH=$PATH:/usr/sbin:/sbin "
		 "exec mke2fs -q -F -t ext4 -b 4096 -O ^has_journal "
		 "-E nodiscard%s %s", options, name);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(ext2fs_open(name, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	ck_assert_int_eq(e2lazy_regions_of(fs, &regions), 0);
	ext2fs_close(fs);
	close(fd);
	return regions;
}
