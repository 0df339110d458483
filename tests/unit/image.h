/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * image.h - images are mostly holes: copied and compared without these, and
 * without a process each time, for some tests do so hundreds of times
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct e2lazy_regions;

/*
 * The regions of what mke2fs makes of so many blocks of 4 KiB, in a file in
 * memory; @options are for mke2fs.
 */
struct e2lazy_regions *regions_made(uint64_t blocks, const char *options);

void copy_image(const char *from, const char *to);

/* Its size, and the pieces that are not zero, each behind its offset. */
struct image {
	off_t	size;
	char	*bytes;		/* to be freed */
	size_t	count;
};

struct image read_image(const char *path);
bool is_image(const char *path, const struct image *image);

#endif
