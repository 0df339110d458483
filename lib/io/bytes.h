/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bytes.h - numbers as they lie on disk, at any alignment
 *
 * A journal is big-endian, a file system little-endian.
 */
#ifndef E2LAZY_BYTES_H
#define E2LAZY_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t get_be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t get_be32(const uint8_t *p)
{
	return get_be16(p) << 16 | get_be16(p + 2);
}

static inline uint64_t get_be64(const uint8_t *p)
{
	return (uint64_t)get_be32(p) << 32 | get_be32(p + 4);
}

static inline void put_be32(uint8_t *p, uint32_t value)
{
	p[0] = value >> 24;
	p[1] = value >> 16;
	p[2] = value >> 8;
	p[3] = value;
}

static inline uint32_t get_le16(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t get_le32(const uint8_t *p)
{
	return get_le16(p) | get_le16(p + 2) << 16;
}

static inline uint64_t get_le64(const uint8_t *p)
{
	return get_le32(p) | (uint64_t)get_le32(p + 4) << 32;
}

static inline void put_le16(uint8_t *p, uint32_t value)
{
	p[0] = value;
	p[1] = value >> 8;
}

static inline void put_le32(uint8_t *p, uint32_t value)
{
	p[0] = value;
	p[1] = value >> 8;
	p[2] = value >> 16;
	p[3] = value >> 24;
}

static inline void put_le64(uint8_t *p, uint64_t value)
{
	put_le32(p, (uint32_t)value);
	put_le32(p + 4, (uint32_t)(value >> 32));
}

static inline bool is_zeros(const uint8_t *bytes, size_t size)
{
	return !bytes[0] && !memcmp(bytes, bytes + 1, size - 1);
}

#endif
