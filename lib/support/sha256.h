/* SPDX-License-Identifier: GPL-2.0-only */
/* sha256.h - SHA-256 of bytes, piece by piece (FIPS 180-4) */
#ifndef SUPPORT_SHA256_H
#define SUPPORT_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES	32

struct sha256 {
	uint32_t	state[8];
	uint64_t	length;		/* bytes so far */
	uint8_t		block[64];
};

void sha256_begin(struct sha256 *sum);
void sha256_put(struct sha256 *sum, const void *bytes, size_t count);
void sha256_zeros(struct sha256 *sum, uint64_t count);
void sha256_end(struct sha256 *sum, uint8_t out[SHA256_BYTES]);

/* In hexadecimal, with its NUL. */
#define SHA256_TEXT	(2 * SHA256_BYTES + 1)
void sha256_hex(char text[SHA256_TEXT], const uint8_t sum[SHA256_BYTES]);
/* sha256_end() and sha256_hex() */
void sha256_text(struct sha256 *sum, char text[SHA256_TEXT]);

#endif
