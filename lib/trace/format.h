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
#define CHUNK_FLAGS	24		/* CHUNK_ANEW */
#define CHUNK_CSUM	28
#define CHUNK_ANEW	0x1		/* forget the chunks of this kind before */

#define CHUNK_REQUESTS	1
#define CHUNK_INDEX	2		/* the last one */
/* The file system; sections.c has their payloads.  The last FACTS count, and
   the rows of other kinds behind the last chunk of theirs that begins anew. */
#define CHUNK_FACTS	3
#define CHUNK_PIECES	4
#define CHUNK_ROLES	5
#define CHUNK_RUNS	6
#define CHUNK_TXNS	7
#define CHUNK_CHECKPOINTS	8

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

/* Seven bits a byte, in the shortest form; 10 bytes at most. */
size_t trace_put_number(uint8_t *to, uint64_t value);
/* Returns the number of bytes taken; 0: bad, or more than @left. */
size_t trace_get_number(const uint8_t *from, size_t left, uint64_t *value);
/* The sign of a difference goes to the lowest bit, and back. */
uint64_t trace_fold(uint64_t difference);
uint64_t trace_unfold(uint64_t folded);

/* The payload of CHUNK_FACTS: longer in a later version. */
#define FACTS_START	0
#define FACTS_LOOP	8
#define FACTS_LOST	16
#define FACTS_BLOCKSIZE	24
#define FACTS_FLAGS	28
#define FACTS_BLOCKS	32
#define FACTS_FIRST	40
#define FACTS_END	44
#define FACTS_UUID	48
#define FACTS_BYTES	64

/* writer.c: end the chunk of requests, and put one of another kind. */
errcode_t trace_put_section(struct e2lazy_trace_writer *writer, uint32_t kind,
			    uint32_t flags, const uint8_t *payload,
			    uint32_t bytes, uint32_t count);
/*
 * reader.c: go through the chunks that are no requests, in the file's order.
 * A non-zero return of @found ends it and is returned.
 */
struct trace_section {
	uint32_t	kind, flags, count, bytes;
	const uint8_t	*payload;
};
errcode_t trace_sections(struct e2lazy_trace *trace,
			 errcode_t (*found)(void *priv,
					    const struct trace_section *),
			 void *priv);

/* Returns the number of bytes at @to, REQ_MOST at most. */
size_t trace_encode(struct trace_state *state,
		    const struct e2lazy_request *request, uint8_t *to);
/* Returns the number of bytes taken from @from, @left at most; 0: bad. */
size_t trace_decode(struct trace_state *state, const uint8_t *from,
		    size_t left, struct e2lazy_request *out);

#endif
