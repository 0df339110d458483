/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * csum.c - the checksums of a journal: seeds, fields, three crc32c routines
 *
 * Rules: Linux fs/jbd2/{recovery,commit,journal}.c, jbd2_*_csum_*().
 */

#include <string.h>

#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#endif

#include "csum.h"
#include "jbd2.h"

#ifdef HAVE_ISAL
/* ISA-L picks the best of its own routines for the processor at run time. */
static uint32_t crc32c_isal(uint32_t crc, const void *buf, size_t len)
{
	return crc32_iscsi((unsigned char *)buf, (int)len, crc);
}

/* It inverts the sum before and after; the kernel and libext2fs do not. */
static uint32_t crc32_v1(uint32_t crc, const uint8_t *buf, size_t len)
{
	return ~crc32_ieee(~crc, buf, len);
}
#else
static uint32_t crc32_v1(uint32_t crc, const uint8_t *buf, size_t len)
{
	return ext2fs_crc32_be(crc, buf, len);
}
#endif

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_CRC32C_CPU 1
static int cpu_has_crc32c(void)
{
	return __builtin_cpu_supports("sse4.2");
}

__attribute__((target("sse4.2")))
static uint32_t crc32c_cpu(uint32_t crc, const void *buf, size_t len)
{
	const uint8_t *p = buf;
	uint64_t crc64 = crc;

	for (; len >= 8; p += 8, len -= 8) {
		uint64_t word;

		memcpy(&word, p, 8);
		crc64 = __builtin_ia32_crc32di(crc64, word);
	}
	crc = (uint32_t)crc64;
	while (len--)
		crc = __builtin_ia32_crc32qi(crc, *p++);
	return crc;
}
#elif defined(__aarch64__) && defined(__linux__) && defined(__GNUC__)
#define HAVE_CRC32C_CPU 1
#include <sys/auxv.h>

static int cpu_has_crc32c(void)
{
	return (getauxval(AT_HWCAP) & (1UL << 7)) != 0;	/* HWCAP_CRC32 */
}

__attribute__((target("+crc")))
static uint32_t crc32c_cpu(uint32_t crc, const void *buf, size_t len)
{
	const uint8_t *p = buf;

	for (; len >= 8; p += 8, len -= 8) {
		uint64_t word;

		memcpy(&word, p, 8);
		__asm__("crc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(word));
	}
	while (len--)
		__asm__("crc32cb %w0, %w0, %w1" : "+r"(crc)
			: "r"((uint32_t)*p++));
	return crc;
}
#endif

static uint32_t crc32c_portable(uint32_t crc, const void *buf, size_t len)
{
	return ext2fs_crc32c_le(crc, buf, len);
}

static int always(void)
{
	return 1;
}

const struct crc32c_way crc32c_ways[] = {
#ifdef HAVE_ISAL
	{ "isa-l",	always,		crc32c_isal },
#endif
#ifdef HAVE_CRC32C_CPU
	{ "processor",	cpu_has_crc32c,	crc32c_cpu },
#endif
	{ "portable",	always,		crc32c_portable },
	{ NULL,		NULL,		NULL },
};

crc32c_fn crc32c_select(void)
{
	const struct crc32c_way *way = crc32c_ways;

	while (!way->usable())
		way++;
	return way->crc;
}

void csum_init(struct csum *cs, enum e2lazy_csum kind, crc32c_fn crc,
	       const uint8_t uuid[16], unsigned blocksize)
{
	cs->kind = kind;
	cs->crc = crc;
	cs->seed = crc(~0U, uuid, 16);
	cs->blocksize = blocksize;
}

static const uint8_t zeros[1024];

static uint32_t crc_zeros(crc32c_fn fn, uint32_t crc, unsigned len)
{
	for (; len > sizeof(zeros); len -= sizeof(zeros))
		crc = fn(crc, zeros, sizeof(zeros));
	return fn(crc, zeros, len);
}

/* The sum of @len bytes whose own be32 checksum, at @field, counts as 0. */
static uint32_t crc_around(crc32c_fn fn, uint32_t crc, const uint8_t *p,
			   unsigned len, unsigned field)
{
	crc = fn(crc, p, field);
	crc = fn(crc, zeros, 4);
	return fn(crc, p + field + 4, len - field - 4);
}

uint32_t csum_super(crc32c_fn crc, const uint8_t *sb)
{
	return crc_around(crc, ~0U, sb, JBD2_SUPER_BYTES, JSB_CHECKSUM);
}

static enum e2lazy_csum_state csum_commit(const struct csum *cs,
					  const uint8_t *block)
{
	uint32_t stored = get_be32(block + COMMIT_CSUM);
	uint32_t crc;

	if (stored == crc_around(cs->crc, cs->seed, block, cs->blocksize,
				 COMMIT_CSUM))
		return E2LAZY_GOOD;

	crc = crc_around(cs->crc, cs->seed, block, COMMIT_HEADER_BYTES,
			 COMMIT_CSUM);
	crc = crc_zeros(cs->crc, crc, cs->blocksize - COMMIT_HEADER_BYTES);
	return stored == crc ? E2LAZY_TORN : E2LAZY_BAD;
}

enum e2lazy_csum_state csum_control(const struct csum *cs, uint32_t type,
				    const uint8_t *block)
{
	unsigned field = cs->blocksize - 4;

	if (cs->kind < E2LAZY_CSUM_V2)
		return E2LAZY_UNCHECKED;
	if (type == JBD2_COMMIT)
		return csum_commit(cs, block);
	return get_be32(block + field) ==
	       crc_around(cs->crc, cs->seed, block, cs->blocksize, field) ?
	       E2LAZY_GOOD : E2LAZY_BAD;
}

uint32_t csum_data(const struct csum *cs, uint32_t tid, const uint8_t *block)
{
	uint8_t be_tid[4] = { tid >> 24, tid >> 16, tid >> 8, tid };

	return cs->crc(cs->crc(cs->seed, be_tid, 4), block, cs->blocksize);
}

bool csum_copy_good(const struct csum *cs, uint32_t tid, const uint8_t *block,
		    uint32_t tagged)
{
	uint32_t mask = cs->kind == E2LAZY_CSUM_V3 ? ~0U : 0xffff;

	return (csum_data(cs, tid, block) & mask) == tagged;
}

uint32_t csum_v1(uint32_t crc, const uint8_t *block, unsigned blocksize)
{
	return crc32_v1(crc, block, blocksize);
}

enum e2lazy_csum_state csum_v1_commit(uint32_t crc, const uint8_t *block)
{
	uint32_t stored = get_be32(block + COMMIT_CSUM);
	unsigned type = block[COMMIT_CSUM_TYPE];
	unsigned size = block[COMMIT_CSUM_SIZE];

	if (type == 0 && size == 0 && stored == 0)
		return E2LAZY_UNCHECKED;
	return type == 1 && size == 4 && stored == crc ? E2LAZY_GOOD :
							 E2LAZY_BAD;
}
