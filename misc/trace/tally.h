/* SPDX-License-Identifier: GPL-2.0-only */
/* tally.h - bytes, runs, bands and distinct blocks of one kind of requests */
#ifndef MISC_TALLY_H
#define MISC_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers that were met: bits in pages that are made when needed. */
struct seen {
	uint8_t		**pages;
	size_t		room;
	uint64_t	count;
	bool		beyond;		/* some are too large, and not counted */
};

/* False: out of memory. */
bool seen_add(struct seen *seen, uint64_t number);
void seen_free(struct seen *seen);

struct tally_sizes {
	uint64_t	band, stream;	/* bytes */
	uint32_t	block;		/* 0: do not count distinct blocks */
};

struct tally {
	uint64_t	requests, bytes, streamable;
	uint64_t	next, run;	/* of the run that goes on */
	struct seen	bands, blocks;
};

/* Add bytes of a request; the caller counts requests.  False: no memory. */
bool tally_add(struct tally *tally, const struct tally_sizes *sizes,
	       uint64_t offset, uint64_t length);
void tally_free(struct tally *tally);

#endif
