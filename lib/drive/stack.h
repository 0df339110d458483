/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stack.h - find the disks under a device
 */
#ifndef DRIVE_STACK_H
#define DRIVE_STACK_H

#include "sysfs.h"

#define STACK_DISKS	64	/* most disks to look at */

struct stack {
	struct node	disks[STACK_DISKS];
	unsigned	nr_disks;
	char		layers[E2LAZY_DRIVE_NAME];	/* "dm-lvm, partition" */
	uint64_t	start;		/* of the device on the disk, bytes */
	bool		start_known;	/* only partitions lie between */
	bool		on_file;	/* a loop device's file, whose device
					   is not known */
	bool		cut;		/* some layers were not looked at */
};

/* Call stack_close() even after an error. */
errcode_t stack_open(const char *root, const struct node *top,
		     struct stack *stack);
void stack_close(struct stack *stack);

/*
 * Find the device of file @path in the mounts of the machine at @root.  ENOENT
 * if it is on no device, or on an unknown one.
 */
errcode_t device_of_file(const char *root, const char *path, struct node *out);

#endif
