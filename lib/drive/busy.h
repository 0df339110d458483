/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * busy.h - whether others use a disk, while we read from it
 */
#ifndef DRIVE_BUSY_H
#define DRIVE_BUSY_H

#include "e2lazy_drive.h"

struct busy {
	char		path[320];	/* of the counters; "": there are none */
	uint64_t	sectors;	/* read and written */
};

/* @fd is the device's; @drive may be NULL.  Of a file nothing is known. */
void busy_start(int fd, const struct e2lazy_drive *drive, struct busy *busy);

/* Whether others moved more than a twentieth of the @ours bytes. */
bool busy_since(const struct busy *busy, uint64_t ours);

#endif
