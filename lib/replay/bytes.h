/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bytes.h - little-endian numbers in a block */
#ifndef E2LAZY_REPLAY_BYTES_H
#define E2LAZY_REPLAY_BYTES_H

#include <stdint.h>

static inline uint32_t get_le16(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t get_le32(const uint8_t *p)
{
	return get_le16(p) | get_le16(p + 2) << 16;
}

static inline void put_le16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)value;
	p[1] = (uint8_t)(value >> 8);
}

static inline void put_le32(uint8_t *p, uint32_t value)
{
	put_le16(p, value);
	put_le16(p + 2, value >> 16);
}

#endif
