/* SPDX-License-Identifier: GPL-2.0-only */
/* identity.c - a device as a word */
#include <stdio.h>

#include "identity.h"

void identity_text(char text[IDENTITY_TEXT], const struct e2lazy_device *d)
{
	unsigned long long first = d->dev, second = d->ino;

	/* Of a block device any node is as good, of its disks one. */
	if (d->rdev) {
		first = d->rdev;
		second = d->sequence;
	}
	snprintf(text, IDENTITY_TEXT, "%s-%llx-%llx",
		 d->rdev ? "block" : "file", first, second);
}
