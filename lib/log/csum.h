/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_CSUM_H
#define E2LAZY_CSUM_H

#include <stddef.h>
#include <stdint.h>

#include "e2lazy.h"

/* crc32c without inversion before or after; jbd2 begins with crc ~0 */
typedef uint32_t (*crc32c_fn)(uint32_t crc, const void *buf, size_t len);

struct crc32c_way {
	const char	*name;
	int		(*usable)(void);
	crc32c_fn	crc;
};

/* Fastest first; ends with a NULL name. The last one works everywhere. */
extern const struct crc32c_way crc32c_ways[];

/* The fastest routine that this processor has. */
crc32c_fn crc32c_select(void);

/* The parameters of one journal's checksums. */
struct csum {
	enum e2lazy_csum kind;
	crc32c_fn	crc;
	uint32_t	seed;		/* crc32c of the journal's UUID */
	unsigned	blocksize;
};

void csum_init(struct csum *cs, enum e2lazy_csum kind, crc32c_fn crc,
	       const uint8_t uuid[16], unsigned blocksize);

/* Journal superblock: over 1024 bytes whatever the block size, unseeded. */
uint32_t csum_super(crc32c_fn crc, const uint8_t *sb);

/*
 * csum_control - a control block's own checksum
 * @type: JBD2_DESCRIPTOR, JBD2_REVOKE (be32 in the last four bytes) or
 *        JBD2_COMMIT (a field of its header)
 *
 * UNCHECKED if the format has none, and for v1, whose commit block sums up the
 * blocks before it.  TORN: the sum fits the header followed by zeros, so only
 * bytes without meaning were lost.  Linux 6.12 accepts a torn commit block.
 */
enum e2lazy_csum_state csum_control(const struct csum *cs, uint32_t type,
				    const uint8_t *block);

/* v2, v3: the checksum of a copy as stored, so still escaped. */
uint32_t csum_data(const struct csum *cs, uint32_t tid, const uint8_t *block);
/*
 * v2, v3: does the copy's tag hold the checksum of @block as stored, so still
 * escaped?  v2 stores the low 16 bits.
 */
bool csum_copy_good(const struct csum *cs, uint32_t tid, const uint8_t *block,
		    uint32_t tagged);

/* v1: add one descriptor or copy, in log order; @crc begins with ~0. */
uint32_t csum_v1(uint32_t crc, const uint8_t *block, unsigned blocksize);

/* v1: UNCHECKED if type, size and sum in the commit block are all zero. */
enum e2lazy_csum_state csum_v1_commit(uint32_t crc, const uint8_t *block);

#endif
