/* SPDX-License-Identifier: GPL-2.0-only */
/* identity.c - the identity of a device, as a word */
#include <stdio.h>

#include "identity.h"

void identity_text(char text[IDENTITY_TEXT], const struct e2lazy_device *d)
{
	unsigned long long first = d->dev, second = d->ino;

	/* Any node will do; the sequence tells disks apart. */
	if (d->rdev) {
		first = d->rdev;
		second = d->sequence;
	}
	snprintf(text, IDENTITY_TEXT, "%s-%llx-%llx",
		 d->rdev ? "block" : "file", first, second);
}
