/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stl.h - a drive that manages its shingles: shared by stl.c and stl_surface.c
 */
#ifndef BAND_STL_H
#define BAND_STL_H

#include "cache_map.h"
#include "model_ops.h"

/* The most writes that are answered and have not reached the surface. */
#define STL_QUEUE	1024

struct stl_queued {
	uint64_t	work;		/* stl.work when the write is done */
	uint64_t	bytes;
};

/* A run: each write begins where the one before it ended. */
struct stl_run {
	uint64_t	start, next;	/* bytes of the disk */
	uint64_t	held;		/* bytes before @next, in memory */
	uint64_t	small;		/* small commands so far */
	uint64_t	last;		/* time of the latest write */
	uint64_t	turn;		/* its number among all writes */
	bool		open, streaming;
};

enum stl_cause { STL_FULL, STL_BETWEEN, STL_AFTER };

struct stl {
	struct e2lazy_model base;
	struct cache_map map;
	uint32_t	*written;	/* KiB of each band, to the last byte
					   ever written there */
	uint64_t	cache;		/* bytes; 0: a conventional disk */
	uint64_t	log;		/* place of the next entry in it */

	uint64_t	free_at;	/* time when all begun work is done */
	uint64_t	locked_until;	/* end of the latest cleaning or read,
					   which nothing interrupts */
	uint64_t	work;		/* time spent on writing and cleaning */
	uint64_t	heard;		/* time of the latest request */
	struct stl_queued queue[STL_QUEUE];
	unsigned	first, queued;
	uint64_t	queued_bytes;

	uint64_t	held;		/* bytes in memory, of all runs */
	uint64_t	turns;
	unsigned	nr_runs;
	struct stl_run	runs[];
};

/* ------------------------------------------------------ stl_surface.c */

/* Let the time go on to @t: the drive is idle, and its queue is empty. */
void stl_wait_until(struct stl *s, uint64_t t);
/* Add @ns of writing or cleaning. */
void stl_work(struct stl *s, uint64_t ns);
/* Queue a write of @bytes, which is done when the work so far is done. */
void stl_enqueue(struct stl *s, uint64_t bytes);
/* Forget the queued writes that are done at @t.  Has the memory room then? */
bool stl_has_room(struct stl *s, uint64_t t);
/* Forget the oldest queued write.  Returns the time when it is done. */
uint64_t stl_dequeue(struct stl *s);

/* Write a range to its own place, past the cache if there is one. */
errcode_t stl_write_home(struct stl *s, uint64_t start, uint64_t length);
/* Write a range to the cache. */
errcode_t stl_append(struct stl *s, uint64_t start, uint64_t length);
/* A stream ends at @end. */
errcode_t stl_end_stream(struct stl *s, uint64_t end);
/* Read a range from time @begin on.  Returns the time that it takes, in ns. */
uint64_t stl_read(struct stl *s, uint64_t begin, uint64_t start,
		  uint64_t length);
/* Clean the oldest or the fullest band, as the parameters say. */
void stl_clean(struct stl *s, enum stl_cause cause);
bool stl_wants_cleaning(const struct stl *s);
/* Copy the map's levels to the counters. */
void stl_count(struct stl *s);

#endif
