/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* record.h - what the files of the recorder share */
#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include "e2lazy_trace.h"

/* ENOTBLK, ENXIO: it has no size. */
errcode_t record_device_find(const char *device, dev_t *dev,
			     struct e2lazy_record_device *out);
/* The disk of a partition; any other device is its own.  False: unknown. */
bool record_device_disk(dev_t dev, dev_t *disk);
/* Is there still a disk? @sequence: the kernel's count of disks, 0: unknown. */
bool record_device_there(dev_t dev, uint64_t *sequence);

#endif
