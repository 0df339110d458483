/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * disk.h - the facts of one disk, and the judgement on them
 */
#ifndef DRIVE_DISK_H
#define DRIVE_DISK_H

#include "models.h"
#include "sysfs.h"

enum disk_zoned {
	ZONED_NO,
	ZONED_HOST_AWARE,
	ZONED_HOST_MANAGED,
};

/* A drive's own statement, as SCSI and ATA encode it. */
enum disk_says {
	SAYS_NOTHING = 0,
	SAYS_HOST_AWARE = 1,
	SAYS_DEVICE_MANAGED = 2,
};

struct disk {
	char		vendor[32], model[64];
	bool		rotation_known, rotational;
	enum disk_zoned	zoned;
	uint64_t	zone_bytes;
	uint64_t	bytes;
	unsigned	logical_sector, physical_sector;
	uint64_t	discard_granularity;	/* 0: takes no TRIM */
	bool		identify_trim;
	enum disk_says	says;
	const char	*says_where;		/* not freed */
	unsigned	rpm;			/* 0: unknown */
	unsigned	form_tenths;		/* of an inch; 0: unknown */
	struct model_facts listed;
	char		doubt[64];		/* attribute with a bad value */

	/* the device on top of it */
	bool		zones_hidden;		/* takes writes anywhere */
	bool		cut;			/* has layers unseen */
	bool		no_sysfs;
};

/* Read all facts in @node, and its @doubt. */
void disk_read(struct node *node, const struct models *models,
	       struct disk *out);

/* For disk_read(): the drive's own statements, see vpd.c. */
void disk_read_vpd(struct node *node, struct disk *disk);

/* Fill the class, the score and the signs of @out. */
void disk_judge(const struct disk *disk, struct e2lazy_drive *out);

#endif
