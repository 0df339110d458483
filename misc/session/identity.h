/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * identity.h - a device as a word, from e2lazy to the plugin that it starts
 */
#ifndef MISC_IDENTITY_H
#define MISC_IDENTITY_H

#include "e2lazy.h"

#define IDENTITY_TEXT	64

/* The same word of one device by whatever name, another of any other. */
void identity_text(char text[IDENTITY_TEXT],
		   const struct e2lazy_device *device);

#endif
