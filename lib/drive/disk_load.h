/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * disk_load.h - do other programs use a disk while we read from it?
 */
#ifndef DRIVE_DISK_LOAD_H
#define DRIVE_DISK_LOAD_H

#include "e2lazy_drive.h"

struct disk_load {
	char		path[320];	/* of the counters; "": none */
	uint64_t	sectors;	/* read and written */
};

/*
 * Begin to watch the disk of @fd; @drive may be NULL.  A file has no counters.
 */
void disk_load_start(int fd, const struct e2lazy_drive *drive,
		     struct disk_load *busy);

/*
 * Have other programs moved more than 1/20 of @ours bytes?  False if unknown.
 */
bool disk_load_since(const struct disk_load *busy, uint64_t ours);

#endif
