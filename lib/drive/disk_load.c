/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * disk_load.c - do other programs use a disk while we read from it?
 *
 * The kernel counts the sectors of a disk.  The difference minus our own reads
 * is the load of other programs.
 */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "disk_load.h"

#define SECTOR	512
#define OTHERS	20	/* 1/20 of our bytes may be others' */

static bool read_sectors(const char *path, uint64_t *sectors)
{
	unsigned long long in, out;
	FILE *file = fopen(path, "re");
	bool good;

	if (!file)
		return false;
	/* reads, merged, sectors, ms, writes, merged, sectors ... */
	good = fscanf(file, "%*u %*u %llu %*u %*u %*u %llu", &in, &out) == 2;
	fclose(file);
	*sectors = good ? in + out : 0;
	return good;
}

/*
 * For a partition, watch the disk, because others may use another part of it.
 * With several disks each one sees only a part of our reads; then watch the
 * device itself.
 */
void disk_load_start(int fd, const struct e2lazy_drive *drive,
		     struct disk_load *busy)
{
	struct stat st;

	memset(busy, 0, sizeof(*busy));
	if (fstat(fd, &st) || !S_ISBLK(st.st_mode))
		return;
	if (drive && drive->disks == 1 && *drive->disk)
		snprintf(busy->path, sizeof(busy->path),
			 "/sys/class/block/%s/stat", drive->disk);
	else
		snprintf(busy->path, sizeof(busy->path),
			 "/sys/dev/block/%u:%u/stat", major(st.st_rdev),
			 minor(st.st_rdev));
	if (!read_sectors(busy->path, &busy->sectors))
		*busy->path = '\0';
}

bool disk_load_since(const struct disk_load *busy, uint64_t ours)
{
	uint64_t sectors, moved;

	if (!*busy->path || !read_sectors(busy->path, &sectors) ||
	    sectors < busy->sectors)
		return false;
	moved = (sectors - busy->sectors) * SECTOR;
	return moved > ours && moved - ours > ours / OTHERS;
}
