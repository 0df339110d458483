/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * device.h - from what the user calls a device to an open journal
 */
#ifndef SUPPORT_DEVICE_H
#define SUPPORT_DEVICE_H

#include <stdbool.h>
#include <sys/types.h>

#include "e2lazy.h"

/*
 * The path that @name means: itself, or of UUID=... and LABEL=... the device
 * that has it; of several the first, or with @alone none, with a complaint that
 * names two.  To be freed; NULL, with a complaint, where there is none or where
 * it is nothing that can hold a file system @offset bytes from its beginning.
 */
char *device_resolve(const char *name, uint64_t offset, bool alone);

/* e2lazy_open(), with a complaint when it fails; @where may be NULL. */
errcode_t device_open(const char *device, const struct e2lazy_open_opts *opts,
		      struct e2lazy_journal **journal,
		      struct e2lazy_where *where);

/* Whether the kernel has the file system mounted, right now. */
bool device_is_mounted(const char *device);

/* Whether dm, md or bcache is built on a block device: @holder is one. */
#define HOLDER_NAME	256
bool device_is_held(dev_t number, char holder[HOLDER_NAME]);

/*
 * "program: device: log block N, transaction T: why", with what @where knows;
 * @where may be NULL.  @more further cases of the same kind are mentioned.
 */
void device_complain(const char *device, const struct e2lazy_where *where,
		     errcode_t error, uint64_t more);

/* The same without program and device. */
#define DEVICE_TEXT	512
void device_explain(char text[DEVICE_TEXT], const struct e2lazy_where *where,
		    errcode_t error, uint64_t more);

/* The end of it: ": it says N" of a value that cannot be true, or "". */
#define VALUE_TEXT	128
void device_value(char text[VALUE_TEXT], const struct e2lazy_where *where);

#endif
