/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stl.h - a drive that manages its shingles: what stl.c and stl_surface.c share
 */
#ifndef BAND_STL_H
#define BAND_STL_H

#include "cache_map.h"
#include "model.h"

/* Writes that were answered and have not reached the surface. */
#define STL_QUEUE	1024

struct stl_queued {
	uint64_t	work;		/* stl.work once it is done */
	uint64_t	bytes;
};

/* Writes that go on where the one before ended. */
struct stl_run {
	uint64_t	start, next;	/* bytes of the disk */
	uint64_t	held;		/* the last of them, still in memory */
	uint64_t	small;		/* commands among those held */
	uint64_t	last;		/* when the latest came */
	uint64_t	turn;		/* which of all writes it was */
	bool		open, streaming;
};

enum stl_cause { STL_FULL, STL_BETWEEN, STL_AFTER };

struct stl {
	struct e2lazy_model base;
	struct cache_map map;
	uint32_t	*written;	/* KiB of each band, to the last byte
					   ever written there */
	uint64_t	cache;		/* bytes; 0: a conventional disk */
	uint64_t	log;		/* where in it the next entry goes */

	uint64_t	free_at;	/* when all that was begun is done */
	uint64_t	locked_until;	/* neither cleanings nor reads can be
					   interrupted */
	uint64_t	work;		/* time that writing has taken so far */
	uint64_t	heard;		/* time of the latest request */
	struct stl_queued queue[STL_QUEUE];
	unsigned	first, queued;
	uint64_t	queued_bytes;

	uint64_t	held;		/* bytes of all runs */
	uint64_t	turns;
	unsigned	nr_runs;
	struct stl_run	runs[];
};

/* ------------------------------------------------------ stl_surface.c */

/* Nothing happens before @t. */
void stl_wait_until(struct stl *s, uint64_t t);
/* Writing takes so much longer. */
void stl_work(struct stl *s, uint64_t ns);
/* Bytes that are being written, up to now. */
void stl_enqueue(struct stl *s, uint64_t bytes);
/* When there is room in memory for what has come at @t. */
bool stl_has_room(struct stl *s, uint64_t t);
/* When the oldest queued write is done, which is then forgotten. */
uint64_t stl_dequeue(struct stl *s);

/* To their own places; past a cache, if there is one. */
errcode_t stl_write_home(struct stl *s, uint64_t start, uint64_t length);
/* To the cache. */
errcode_t stl_append(struct stl *s, uint64_t start, uint64_t length);
/* A stream ends at @end. */
errcode_t stl_end_stream(struct stl *s, uint64_t end);
/* The time that reading takes. */
uint64_t stl_read(struct stl *s, uint64_t start, uint64_t length);
/* Those of the oldest or the fullest band. */
void stl_clean(struct stl *s, enum stl_cause cause);
bool stl_wants_cleaning(const struct stl *s);
/* The counters tell of the map as it is. */
void stl_count(struct stl *s);

#endif
