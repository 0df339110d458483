/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* medium.c - a device by its path, or one that the caller has open */

#include "io/channel_size.h"
#include "opening.h"

errcode_t medium_hold(struct e2lazy_device *d, const char *path,
		      const struct e2lazy_medium *m, uint64_t offset)
{
	if (path)
		return device_hold(d, path, offset);
	copy_device_name(d->name, m->fs ? m->fs->device_name : m->name);
	d->offset = m->fs ? 0 : offset;
	d->bytes = m->bytes;
	return 0;
}

errcode_t medium_measure(struct e2lazy_device *d, io_channel io)
{
	return d->fd < 0 && !d->bytes ? channel_size(io, &d->bytes) : 0;
}
