/* SPDX-License-Identifier: GPL-2.0-only */
/* sha256.c - SHA-256 of bytes that come piece by piece (FIPS 180-4) */
#include <stdio.h>
#include <string.h>

#include "sha256.h"

static const uint32_t rounds[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

/* The eight words have names: an array would be moved by one word each round. */
static void take_words(uint32_t state[8], const uint32_t w[64])
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

	for (unsigned i = 0; i < 64; i++) {
		uint32_t t1 = h + rounds[i] + w[i] +
			      (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
			      ((e & f) ^ (~e & g));
		uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
			      ((a & b) ^ (a & c) ^ (b & c));

		h = g;
		g = f;
		f = e;
		e = d + t1;
		d = c;
		c = b;
		b = a;
		a = t1 + t2;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

static void take_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t w[64];

	for (unsigned i = 0; i < 16; i++, block += 4)
		w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
		       (uint32_t)block[2] << 8 | block[3];
	for (unsigned i = 16; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] +
		       (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^
			w[i - 15] >> 3) +
		       (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^
			w[i - 2] >> 10);
	take_words(state, w);
}

void sha256_begin(struct sha256 *sum)
{
	static const uint32_t first[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};

	memcpy(sum->state, first, sizeof(first));
	sum->length = 0;
}

void sha256_put(struct sha256 *sum, const void *bytes, size_t count)
{
	const uint8_t *from = bytes;
	size_t used = sum->length % 64, room = 64 - used;

	sum->length += count;
	if (used && count >= room) {
		memcpy(sum->block + used, from, room);
		take_block(sum->state, sum->block);
		from += room;
		count -= room;
		used = 0;
	}
	if (!used)
		for (; count >= 64; from += 64, count -= 64)
			take_block(sum->state, from);
	memcpy(sum->block + used, from, count);
}

void sha256_zeros(struct sha256 *sum, uint64_t count)
{
	static const uint8_t zeros[4096];

	for (; count > sizeof(zeros); count -= sizeof(zeros))
		sha256_put(sum, zeros, sizeof(zeros));
	sha256_put(sum, zeros, (size_t)count);
}

void sha256_end(struct sha256 *sum, uint8_t out[SHA256_BYTES])
{
	uint64_t bits = sum->length * 8;
	uint8_t tail[8];

	sha256_put(sum, "\x80", 1);
	sha256_zeros(sum, (64 + 56 - sum->length % 64) % 64);
	for (unsigned i = 0; i < 8; i++)
		tail[i] = (uint8_t)(bits >> (56 - 8 * i));
	sha256_put(sum, tail, sizeof(tail));
	for (unsigned i = 0; i < SHA256_BYTES; i++)
		out[i] = (uint8_t)(sum->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_hex(char text[SHA256_TEXT], const uint8_t sum[SHA256_BYTES])
{
	for (unsigned i = 0; i < SHA256_BYTES; i++)
		snprintf(text + 2 * (size_t)i, 3, "%02x", sum[i]);
}

void sha256_text(struct sha256 *sum, char text[SHA256_TEXT])
{
	uint8_t bytes[SHA256_BYTES];

	sha256_end(sum, bytes);
	sha256_hex(text, bytes);
}
