/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_model.h - libe2lazy: a model of a drive, shingled or not
 *
 *	e2lazy_params_default()		a conventional disk
 *	e2lazy_params_set()		KEY=VALUE of one parameter
 *	e2lazy_drive_params()		what the list of drives has of a model
 *	e2lazy_model_new()		a drive that has these parameters
 *	e2lazy_model_io()		when it answers a request
 *	e2lazy_model_settle()		when it has nothing left to do
 *	e2lazy_model_counters(), _series()
 *
 * The model computes; it opens no device and reads no clock.  Times are
 * nanoseconds, sizes and places bytes, rates bytes a second, all of them whole
 * numbers: the same requests give the same answers on every machine.
 */
#ifndef E2LAZY_MODEL_H
#define E2LAZY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ext2fs/ext2fs.h>

#include "e2lazy_err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------- parameters --- */

enum e2lazy_param {
	E2LAZY_PARAM_KIND,		/* enum e2lazy_model_kind */
	E2LAZY_PARAM_DISK,		/* bytes of the disk */
	E2LAZY_PARAM_RATE_OUTER,	/* at the outer edge */
	E2LAZY_PARAM_RATE_INNER,
	E2LAZY_PARAM_RPM,
	E2LAZY_PARAM_SEEK_LEAST,	/* to the next track */
	E2LAZY_PARAM_SEEK_MOST,		/* across the whole surface */
	E2LAZY_PARAM_DRAM,		/* bytes of writes held in memory */
	/* of a drive that manages its shingles */
	E2LAZY_PARAM_BAND,
	E2LAZY_PARAM_CACHE,		/* bytes of the persistent cache */
	E2LAZY_PARAM_ENTRIES,		/* extents that its map can hold */
	E2LAZY_PARAM_ENTRY_SPACE,	/* cache bytes that an entry takes are
					   a multiple of this */
	E2LAZY_PARAM_STREAM,		/* sequential bytes that bypass it */
	E2LAZY_PARAM_RUNS,		/* sequential runs told apart */
	E2LAZY_PARAM_RUN_TIMEOUT,	/* a run ends when nothing comes */
	E2LAZY_PARAM_FLUSH_ENDS_RUNS,	/* 0 or 1 */
	E2LAZY_PARAM_MAPPING,		/* enum e2lazy_mapping */
	E2LAZY_PARAM_CLEAN,		/* enum e2lazy_clean */
	E2LAZY_PARAM_ORDER,		/* enum e2lazy_order */
	E2LAZY_PARAM_IDLE,		/* quiet time before idle cleaning */
	E2LAZY_PARAM_THRESHOLD,		/* percent of the cache in use */
	E2LAZY_PARAM_CLEAN_FIXED,	/* time a cleaning takes beside its
					   transfers */
	E2LAZY_PARAM_SMALL,		/* a cached command of so many bytes
					   at most ... */
	E2LAZY_PARAM_SMALL_COST,	/* ... takes so much longer */
	E2LAZY_PARAM_TORN,		/* 1: a stream that ends within written
					   data leaves its band dirty */
	/* of a cache of whole zones in memory */
	E2LAZY_PARAM_ZONE,
	E2LAZY_PARAM_CONVENTIONAL,	/* zones at the start that can be
					   written anywhere */
	E2LAZY_PARAM_ZONES,		/* zones held in memory at most */
	E2LAZY_PARAM_EXPIRY,		/* a zone stays dirty so long; 0: for
					   ever */
	E2LAZY_PARAM_RESET,		/* time of a reset */
	E2LAZY_PARAM_FLUSH_ZONES,	/* 1: a flush writes all zones out */
	E2LAZY_NR_PARAMS
};

enum e2lazy_model_kind {
	E2LAZY_MODEL_CONVENTIONAL,	/* each block has its place */
	E2LAZY_MODEL_SHINGLED,		/* bands behind a persistent cache */
	E2LAZY_MODEL_ZONE_CACHE,	/* zones behind a cache in memory */
};

enum e2lazy_mapping { E2LAZY_MAPPING_STATIC, E2LAZY_MAPPING_DYNAMIC };

/* When bands are cleaned, beside when the cache is full. */
enum e2lazy_clean {
	E2LAZY_CLEAN_AGGRESSIVE,	/* whenever the drive is not busy */
	E2LAZY_CLEAN_IDLE,		/* once no request has come for a while */
	E2LAZY_CLEAN_THRESHOLD,		/* the same, above a level of the cache */
};

enum e2lazy_order { E2LAZY_ORDER_FIFO, E2LAZY_ORDER_GREEDY };

/* Who says what a parameter is, from the surest to the least sure. */
enum e2lazy_origin {
	E2LAZY_ORIGIN_GIVEN,		/* the caller: e2lazy_params_set() */
	E2LAZY_ORIGIN_PUBLISHED,	/* measured or stated, with a source */
	E2LAZY_ORIGIN_FITTED,		/* chosen so that the model meets a
					   published result */
	E2LAZY_ORIGIN_ASSUMED,
	E2LAZY_NR_ORIGINS
};

#define E2LAZY_SOURCE_TEXT	48

struct e2lazy_params {
	uint64_t	value[E2LAZY_NR_PARAMS];
	enum e2lazy_origin origin[E2LAZY_NR_PARAMS];
	char		source[E2LAZY_NR_PARAMS][E2LAZY_SOURCE_TEXT];
};

/* A row of the table that says all about a parameter. */
struct e2lazy_param_info {
	const char	*key;		/* "band" */
	enum e2lazy_param_type {
		E2LAZY_PARAM_SIZE,	/* bytes: 30M */
		E2LAZY_PARAM_RATE,	/* bytes a second: 190M */
		E2LAZY_PARAM_TIME,	/* nanoseconds: 500us, 3ms, 1s */
		E2LAZY_PARAM_NUMBER,
		E2LAZY_PARAM_WORD,	/* one of @words */
	} type;
	uint64_t	least, most;	/* 0 is taken as well where @zero is */
	bool		zero;
	uint64_t	usual;		/* of e2lazy_params_default() */
	const char	*const *words;	/* ends with NULL */
	const char	*help;		/* English, marked for translation */
};

const struct e2lazy_param_info *e2lazy_param_info(enum e2lazy_param param);
/* Does the parameter matter to drives of that kind? */
bool e2lazy_param_matters(enum e2lazy_param param,
			  enum e2lazy_model_kind kind);

/* A conventional disk of 8 TB; all is assumed. */
void e2lazy_params_default(struct e2lazy_params *out);

/*
 * e2lazy_params_set - KEY=VALUE, @text, as --set and the list of drives have it
 * @source:  up to 47 bytes of it are kept, for people
 *
 * False, and nothing is changed, for an unknown key and for a value that is
 * none or out of its bounds.
 */
bool e2lazy_params_set(struct e2lazy_params *params, const char *text,
		       enum e2lazy_origin origin, const char *source);

/*
 * e2lazy_drive_params - the parameters that the list of drives has of @model
 * @list, @line:  as for e2lazy_drive_probe()
 *
 * Of each parameter the first line counts that matches.  ENOENT: no line of
 * the list says how a drive of that name is modelled.
 */
errcode_t e2lazy_drive_params(const char *list, const char *model,
			      struct e2lazy_params *out, unsigned *line);

/* --------------------------------------------------------------- model --- */

enum e2lazy_op {
	E2LAZY_OP_READ,
	E2LAZY_OP_WRITE,
	E2LAZY_OP_DISCARD,
	E2LAZY_OP_FLUSH,		/* has neither offset nor length */
	E2LAZY_NR_OPS
};

struct e2lazy_counters {
	uint64_t	requests[E2LAZY_NR_OPS];
	uint64_t	bytes[E2LAZY_NR_OPS];
	uint64_t	written;	/* bytes put on the surface, by
					   whatever cause */
	uint64_t	read;		/* bytes taken from it */
	uint64_t	seeks;		/* moves of the head, those within a
					   cleaning apart */
	/* shingled */
	uint64_t	streamed;	/* bytes written straight to bands */
	uint64_t	cached;		/* bytes written to the cache */
	uint64_t	cached_writes;	/* entries they were made into */
	uint64_t	fill, fill_most;	/* bytes of cache in use */
	uint64_t	entries, entries_most;
	uint64_t	dirty, dirty_most;	/* bands */
	uint64_t	touched;	/* bands that were ever dirty */
	uint64_t	torn;		/* bands dirtied by a stream's end */
	uint64_t	full_at;	/* when the cache was full first, if
					   it ever was: */
	bool		full;
	/* Cleaning of bands: since the cache was full, between requests, and
	   in e2lazy_model_settle(). */
	uint64_t	cleaned_full, cleaned_between, cleaned_after;
	uint64_t	clean_full_ns, clean_between_ns, clean_after_ns;
	/* cache of zones */
	uint64_t	zones_read, zones_written;
	uint64_t	zones_expired, zones_pushed_out, zones_flushed;
	uint64_t	passed_through;	/* bytes written at a write pointer */
	uint64_t	zero_filled;	/* bytes between a write pointer and a
					   write behind it */
};

/* What happened in a stretch of time. */
struct e2lazy_sample {
	uint64_t	read, written;	/* bytes that the host asked for */
	uint64_t	clean_ns;
	uint64_t	fill, dirty;	/* at its end */
};

#define E2LAZY_SAMPLES	256

/*
 * The run as a series: sample i is of [i, i + 1) times @period.  The period
 * doubles whenever the samples are used up.
 */
struct e2lazy_series {
	uint64_t	period;
	unsigned	count;
	struct e2lazy_sample sample[E2LAZY_SAMPLES];
};

struct e2lazy_model;

/*
 * EXT2_ET_INVALID_ARGUMENT: the parameters contradict each other, as a band
 * that is larger than the cache.
 */
errcode_t e2lazy_model_new(const struct e2lazy_params *params,
			   struct e2lazy_model **out);
void e2lazy_model_free(struct e2lazy_model *model);

/*
 * e2lazy_model_io - a request that comes at time @t
 * @done:  when the drive says that it has done it
 *
 * A time before that of an earlier request is taken for that one's.
 * EXT2_ET_INVALID_ARGUMENT: it is not within the disk, or is none of the
 * operations.
 */
errcode_t e2lazy_model_io(struct e2lazy_model *model, uint64_t t,
			  enum e2lazy_op op, uint64_t offset, uint64_t length,
			  uint64_t *done);

/*
 * e2lazy_model_settle - let the drive do what it has put off
 * @written:  when the requests themselves are done with; may be NULL
 * @done:     when it has cleaned what it ever cleans by itself
 */
errcode_t e2lazy_model_settle(struct e2lazy_model *model, uint64_t *written,
			      uint64_t *done);

const struct e2lazy_counters *
e2lazy_model_counters(const struct e2lazy_model *model);
const struct e2lazy_series *
e2lazy_model_series(const struct e2lazy_model *model);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_MODEL_H */
