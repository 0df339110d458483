/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bytes.h - numbers of 16 bits in a block */
#ifndef E2LAZY_REPLAY_BYTES_H
#define E2LAZY_REPLAY_BYTES_H

#include "io/bytes.h"

static inline void put_le16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)value;
	p[1] = (uint8_t)(value >> 8);
}

#endif
