/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* channel_size.h - how large a device is that has nothing but a channel */
#ifndef E2LAZY_CHANNEL_SIZE_H
#define E2LAZY_CHANNEL_SIZE_H

#include "e2lazy.h"

/*
 * Bytes, in whole blocks of the channel's size: an io_manager has no call that
 * tells, so single blocks are read until the last one that is there is found.
 * About fifty reads.
 */
errcode_t channel_size(io_channel channel, uint64_t *bytes);

#endif
