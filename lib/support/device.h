/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * device.h - from the user's name of a device to an open journal
 */
#ifndef SUPPORT_DEVICE_H
#define SUPPORT_DEVICE_H

#include <stdbool.h>
#include <sys/types.h>

#include "e2lazy.h"

/*
 * The path that @name means: itself, or the device that carries UUID=... or
 * LABEL=...  If several carry it, a complaint names two, and the first one
 * counts, or with @alone none.  The caller frees the path.  NULL, with a
 * complaint, if there is no device, or if it cannot hold a file system at byte
 * @offset.
 */
char *device_resolve(const char *name, uint64_t offset, bool alone);

/* e2lazy_open(), with a complaint when it fails; @where may be NULL. */
errcode_t device_open(const char *device, const struct e2lazy_open_opts *opts,
		      struct e2lazy_journal **journal,
		      struct e2lazy_where *where);

/* Has the kernel mounted the file system right now? */
bool device_is_mounted(const char *device);

/* Is dm, md or bcache built on a block device?  @holder gets one. */
#define HOLDER_NAME	256
bool device_is_held(dev_t number, char holder[HOLDER_NAME]);

/*
 * The sentence of @error, translated.  Of a path it has the system's words, not
 * those of libext2fs, which name its function.
 */
const char *error_text(errcode_t error);

/*
 * Print "program: device: log block N, transaction T: why", with the fields of
 * @where, which may be NULL.  @more: number of further cases of the same kind.
 */
void device_complain(const char *device, const struct e2lazy_where *where,
		     errcode_t error, uint64_t more);

/* The same without program and device. */
#define DEVICE_TEXT	512
void device_explain(char text[DEVICE_TEXT], const struct e2lazy_where *where,
		    errcode_t error, uint64_t more);

/* The end of it: ": it says N" for an impossible value, or "". */
#define VALUE_TEXT	128
void device_value(char text[VALUE_TEXT], const struct e2lazy_where *where);

#endif
