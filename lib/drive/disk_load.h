/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * disk_load.h - whether others use a disk, while we read from it
 */
#ifndef DRIVE_DISK_LOAD_H
#define DRIVE_DISK_LOAD_H

#include "e2lazy_drive.h"

struct disk_load {
	char		path[320];	/* of the counters; "": there are none */
	uint64_t	sectors;	/* read and written */
};

/* @fd is the device's; @drive may be NULL.  Of a file nothing is known. */
void disk_load_start(int fd, const struct e2lazy_drive *drive,
		     struct disk_load *busy);

/* Whether others moved more than a twentieth of the @ours bytes. */
bool disk_load_since(const struct disk_load *busy, uint64_t ours);

#endif
