/* SPDX-License-Identifier: GPL-2.0-only */
/* drive_tree.h - trees of sysfs and procfs for the tests of lib/drive */
#ifndef DRIVE_TREE_H
#define DRIVE_TREE_H

#include "e2lazy_drive.h"
#include "fixture.h"

/* Lay out fixtures/sysfs/@name, and more in its language; to be freed. */
char *new_tree(const char *name, const char *more);

/* The list of drives that is installed; to be freed. */
char *shipped_list(void);

/* Probe @device in a tree, with the list that is installed. */
void probe_in(const char *name, const char *more, const char *device,
	      struct e2lazy_drive *out);

/* The ids of all signs, with a space between them; static. */
const char *sign_ids(const struct e2lazy_drive *drive);

#endif
