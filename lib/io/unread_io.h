/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unread_io.h - a copy of a failing disk, read as the disk was
 *
 * A copy has zeros where the disk could not be read, and zeros in place of a
 * descriptor look like the end of a log.  GNU ddrescue says in its map file which
 * bytes these are.
 */
#ifndef E2LAZY_UNREAD_IO_H
#define E2LAZY_UNREAD_IO_H

#include "e2lazy.h"

/*
 * As pread_io_manager, but a read of bytes that unread_io_load() has named fails
 * with EIO: on the device of unread_io_device(), and on no other.
 */
extern io_manager const unread_io_manager;

/*
 * Take the bytes that the map file @name does not call finished, in place of any
 * taken before.  An errno; EINVAL: it is no map file.
 */
int unread_io_load(const char *name);
/* They are bytes of the device or image @name. */
void unread_io_device(const char *name);

#endif
