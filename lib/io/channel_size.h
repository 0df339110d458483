/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* channel_size.h - the size of a device that is known by its channel only */
#ifndef E2LAZY_CHANNEL_SIZE_H
#define E2LAZY_CHANNEL_SIZE_H

#include "e2lazy.h"

/*
 * Find the size in bytes, a multiple of the channel's block size.  An
 * io_manager has no call for it, so a binary search reads single blocks until
 * it has the last one: about fifty reads.
 */
errcode_t channel_size(io_channel channel, uint64_t *bytes);

#endif
