/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* medium.c - a device by its path, or one that the caller has open */

#include <stdio.h>

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

static errcode_t set_shape(io_channel io, uint64_t offset)
{
	char option[sizeof("offset=") + 20];
	errcode_t err = io_channel_set_blksize(io, SUPER_BYTES);

	if (err || !offset)
		return err;
	snprintf(option, sizeof(option), "offset=%llu",
		 (unsigned long long)offset);
	return io_channel_set_options(io, option);
}

errcode_t medium_read_super(const struct e2lazy_device *d, io_manager manager,
			    uint64_t at, uint8_t *buf)
{
	io_channel io;
	errcode_t err = manager->open(d->name, 0, &io);

	if (err)
		return err;
	err = set_shape(io, d->offset);
	if (!err)
		err = io_channel_read_blk64(io, at / SUPER_BYTES, 1, buf);
	io_channel_close(io);
	return err;
}
