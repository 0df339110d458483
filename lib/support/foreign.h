/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * foreign.h - name the content of a device without an ext file system
 */
#ifndef SUPPORT_FOREIGN_H
#define SUPPORT_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Complain that @device has no ext file system at byte @offset, name its
 * content there, and give advice.  False, without a complaint, if the content
 * is unknown.
 */
bool foreign_complain(const char *device, uint64_t offset);

#endif
