/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * identity.h - the identity of a device, as a word that e2lazy passes to its
 * plugin
 */
#ifndef MISC_IDENTITY_H
#define MISC_IDENTITY_H

#include "e2lazy.h"

#define IDENTITY_TEXT	64

/* One device has one word under any name; two devices have two words. */
void identity_text(char text[IDENTITY_TEXT],
		   const struct e2lazy_device *device);

#endif
