/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * format.h - the bytes of a trace file; doc/format.md describes them
 *
 * A head, then chunks, each with a checksum of its own head and one of its
 * payload.  All numbers are little-endian.
 */
#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H


#include <ext2fs/ext2fs.h>

#include "e2lazy_trace.h"
#include "io/bytes.h"

#define TRACE_MAGIC	"e2ltrace"
#define TRACE_VERSION	1
#define TRACE_HEAD	32		/* bytes, of the file and of a chunk */

/* Offsets of fields in the head of the file. */
#define HEAD_VERSION	8
#define HEAD_DISK	12
#define HEAD_CSUM	28

/* Offsets of fields in the head of a chunk. */
#define CHUNK_KIND	0
#define CHUNK_BYTES	4		/* of its payload */
#define CHUNK_COUNT	8		/* of requests, or of entries */
#define CHUNK_PAYLOAD	12		/* the payload's checksum */
#define CHUNK_TIME	16		/* of its first request; in the index:
					   of the last request of all */
#define CHUNK_CSUM	28

#define CHUNK_REQUESTS	1
#define CHUNK_INDEX	2		/* the last one */

/* The longest payload: the bound of a reader's memory. */
#define CHUNK_MOST	(1U << 20)
/* A writer ends a chunk at this size: a seek reads one chunk. */
#define CHUNK_USUAL	(64U << 10)

/* An entry of the index: offset of a chunk, time of its first request. */
#define INDEX_ENTRY	16
#define INDEX_MOST	((CHUNK_MOST - TRACE_HEAD) / INDEX_ENTRY)

/*
 * The end of the file: 32 bytes.  The index may have fewer entries than there
 * are chunks; see writer.c.
 */
#define TAIL_MAGIC	"e2ltail"
#define TAIL_INDEX	8		/* offset of the index */
#define TAIL_REQUESTS	16
#define TAIL_CSUM	28

/* The first byte of a request. */
#define REQ_OP		0x03
#define REQ_FLAGS	0x3c
#define REQ_FLAGS_SHIFT	2
#define REQ_NEXT	0x40		/* it begins where the last one ended */
#define REQ_SAME	0x80		/* it is as long as the last one */

#define SECTOR_SHIFT	9
/* The most bytes of a request: a byte and three numbers. */
#define REQ_MOST	(1 + 3 * 10)

/* The coding of a request depends on this; zero at a chunk's begin. */
struct trace_state {
	uint64_t	t;
	uint64_t	next;		/* sector behind the last request */
	uint64_t	sectors;	/* its length */
};

static inline uint32_t trace_csum(const void *bytes, size_t length)
{
	return ext2fs_crc32c_le(~0U, bytes, length);
}

/* Returns the number of bytes at @to, REQ_MOST at most. */
size_t trace_encode(struct trace_state *state,
		    const struct e2lazy_request *request, uint8_t *to);
/* Returns the number of bytes taken from @from, @left at most; 0: bad. */
size_t trace_decode(struct trace_state *state, const uint8_t *from,
		    size_t left, struct e2lazy_request *out);

#endif
