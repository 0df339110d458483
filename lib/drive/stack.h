/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stack.h - from a device down to the disks that hold its data
 */
#ifndef DRIVE_STACK_H
#define DRIVE_STACK_H

#include "sysfs.h"

#define STACK_DISKS	64	/* that are looked at */

struct stack {
	struct node	disks[STACK_DISKS];
	unsigned	nr_disks;
	char		layers[E2LAZY_DRIVE_NAME];	/* "dm-lvm, partition" */
	uint64_t	start;		/* of the device on the disk, bytes */
	bool		start_known;	/* nothing but partitions between */
	bool		on_file;	/* a loop device's file, of which it
					   is not known where it lies */
	bool		cut;		/* there is more than was looked at */
};

/* @stack is to be closed, even after an error. */
errcode_t stack_open(const char *root, const struct node *top,
		     struct stack *stack);
void stack_close(struct stack *stack);

/*
 * The device that file @path is on, by the mounts of the machine at @root.
 * ENOENT: on none, or it is not known.
 */
errcode_t device_of_file(const char *root, const char *path,
			 struct node *out);

#endif
