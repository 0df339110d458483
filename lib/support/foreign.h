/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * foreign.h - what a device holds that is no ext file system
 */
#ifndef SUPPORT_FOREIGN_H
#define SUPPORT_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Complain that @device has no ext file system at byte @offset, and say what it
 * has there and what to do about it.  False, without a word, where nothing is
 * known of it.
 */
bool foreign_complain(const char *device, uint64_t offset);

#endif
