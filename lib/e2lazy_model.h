/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_model.h - libe2lazy: a model of a drive, shingled or not
 *
 *	e2lazy_params_default()		a conventional disk
 *	e2lazy_params_set()		KEY=VALUE of one parameter
 *	e2lazy_drive_params()		parameters from the list of drives
 *	e2lazy_model_new()		a drive with these parameters
 *	e2lazy_model_io()		the time of its answer to a request
 *	e2lazy_model_settle()		the time when all its work is done
 *	e2lazy_model_counters(), _series()
 *
 * The model only computes; it opens no device and reads no clock.  Times are
 * nanoseconds, sizes and places bytes, rates bytes a second.  All are whole
 * numbers, so the same requests give the same answers on every machine.
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
	E2LAZY_PARAM_READ_AHEAD,	/* bytes that the drive reads ahead into
					   a segment of its buffer */
	E2LAZY_PARAM_SEGMENTS,
	/* for a drive that manages its shingles */
	E2LAZY_PARAM_BAND,
	E2LAZY_PARAM_CACHE,		/* bytes of the persistent cache */
	E2LAZY_PARAM_ENTRIES,		/* extents that its map can hold */
	E2LAZY_PARAM_ENTRY_SPACE,	/* an entry takes a multiple of these
					   bytes of the cache */
	E2LAZY_PARAM_STREAM,		/* sequential bytes that bypass it */
	E2LAZY_PARAM_RUNS,		/* sequential runs told apart */
	E2LAZY_PARAM_RUN_TIMEOUT,	/* a run ends after this pause */
	E2LAZY_PARAM_FLUSH_ENDS_RUNS,	/* 0 or 1 */
	E2LAZY_PARAM_MAPPING,		/* enum e2lazy_mapping */
	E2LAZY_PARAM_CLEAN,		/* enum e2lazy_clean */
	E2LAZY_PARAM_ORDER,		/* enum e2lazy_order */
	E2LAZY_PARAM_IDLE,		/* quiet time before idle cleaning */
	E2LAZY_PARAM_THRESHOLD,		/* percent of the cache in use */
	E2LAZY_PARAM_CLEAN_FIXED,	/* time of a cleaning without its
					   transfers */
	E2LAZY_PARAM_SMALL,		/* a cached command of at most so many
					   bytes ... */
	E2LAZY_PARAM_SMALL_COST,	/* ... takes so much longer */
	E2LAZY_PARAM_TORN,		/* 1: a stream that ends within written
					   data leaves its band dirty */
	/* for a cache of whole zones in memory */
	E2LAZY_PARAM_ZONE,
	E2LAZY_PARAM_CONVENTIONAL,	/* zones at the start that take writes
					   anywhere */
	E2LAZY_PARAM_ZONES,		/* most zones in memory */
	E2LAZY_PARAM_EXPIRY,		/* most time a zone stays dirty; 0: no
					   limit */
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

/* The drive cleans bands when the cache is full, and also: */
enum e2lazy_clean {
	E2LAZY_CLEAN_AGGRESSIVE,	/* whenever it is not busy */
	E2LAZY_CLEAN_IDLE,		/* after a pause without a request */
	E2LAZY_CLEAN_THRESHOLD,		/* after a pause, above a cache level */
};

enum e2lazy_order { E2LAZY_ORDER_FIFO, E2LAZY_ORDER_GREEDY };

/* Origin of a parameter, from the most to the least certain. */
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

/* One row of the table of parameters. */
struct e2lazy_param_info {
	const char	*key;		/* "band" */
	enum e2lazy_param_type {
		E2LAZY_PARAM_SIZE,	/* bytes: 30M */
		E2LAZY_PARAM_RATE,	/* bytes a second: 190M */
		E2LAZY_PARAM_TIME,	/* nanoseconds: 500us, 3ms, 1s */
		E2LAZY_PARAM_NUMBER,
		E2LAZY_PARAM_WORD,	/* one of @words */
	} type;
	uint64_t	least, most;
	bool		zero;		/* 0 is allowed, too */
	uint64_t	usual;		/* of e2lazy_params_default() */
	const char	*const *words;	/* ends with NULL */
	const char	*help;		/* English, marked for translation */
};

const struct e2lazy_param_info *e2lazy_param_info(enum e2lazy_param param);
/* Does the parameter matter to drives of that kind? */
bool e2lazy_param_matters(enum e2lazy_param param,
			  enum e2lazy_model_kind kind);

/* A conventional disk of 8 TB; every parameter is ASSUMED. */
void e2lazy_params_default(struct e2lazy_params *out);

/*
 * e2lazy_params_set - set one parameter
 * @text:    KEY=VALUE, as in the list of drives
 * @source:  for people; up to 47 bytes are kept
 *
 * False, and no change, for an unknown key, and for a value that is wrong or
 * out of bounds.
 */
bool e2lazy_params_set(struct e2lazy_params *params, const char *text,
		       enum e2lazy_origin origin, const char *source);

/*
 * e2lazy_drive_params - the parameters of @model in the list of drives
 * @list, @line:  as for e2lazy_drive_probe()
 *
 * For each parameter the first matching line counts.  ENOENT: no line of the
 * list has parameters for this model.
 */
errcode_t e2lazy_drive_params(const char *list, const char *model,
			      struct e2lazy_params *out, unsigned *line);

/* --------------------------------------------------------------- model --- */

enum e2lazy_op {
	E2LAZY_OP_READ,
	E2LAZY_OP_WRITE,
	E2LAZY_OP_DISCARD,
	E2LAZY_OP_FLUSH,		/* without offset and length */
	E2LAZY_NR_OPS
};

struct e2lazy_counters {
	uint64_t	requests[E2LAZY_NR_OPS];
	uint64_t	bytes[E2LAZY_NR_OPS];
	uint64_t	written;	/* bytes written to the surface, for
					   any reason */
	uint64_t	read;		/* bytes read from it */
	uint64_t	buffered;	/* reads that needed no move */
	uint64_t	seeks;		/* moves of the head, without those of
					   a cleaning */
	/* shingled */
	uint64_t	streamed;	/* bytes written straight to bands */
	uint64_t	cached;		/* bytes written to the cache */
	uint64_t	cached_writes;	/* entries of those bytes */
	uint64_t	fill, fill_most;	/* bytes of cache in use */
	uint64_t	entries, entries_most;
	uint64_t	dirty, dirty_most;	/* bands */
	uint64_t	touched;	/* bands that were ever dirty */
	uint64_t	torn;		/* bands dirtied by a stream's end */
	uint64_t	full_at;	/* time when the cache was first full */
	bool		full;		/* it was full once */
	/* Bands cleaned because the cache was full, between requests, and in
	   e2lazy_model_settle(). */
	uint64_t	cleaned_full, cleaned_between, cleaned_after;
	uint64_t	clean_full_ns, clean_between_ns, clean_after_ns;
	/* cache of zones */
	uint64_t	zones_read, zones_written;
	uint64_t	zones_expired, zones_pushed_out, zones_flushed;
	uint64_t	passed_through;	/* bytes written at a write pointer */
	uint64_t	zero_filled;	/* bytes between a write pointer and a
					   write behind it */
};

/* Counts of a stretch of time. */
struct e2lazy_sample {
	uint64_t	read, written;	/* bytes of the host's requests */
	uint64_t	clean_ns;
	uint64_t	fill, dirty;	/* at its end */
};

#define E2LAZY_SAMPLES	256

/*
 * The run as a series: sample i covers [i, i + 1) * @period.  When the samples
 * are used up, the period doubles.
 */
struct e2lazy_series {
	uint64_t	period;
	unsigned	count;
	struct e2lazy_sample sample[E2LAZY_SAMPLES];
};

struct e2lazy_model;

/*
 * EXT2_ET_INVALID_ARGUMENT: the parameters contradict each other, for example a
 * band larger than the cache.
 */
errcode_t e2lazy_model_new(const struct e2lazy_params *params,
			   struct e2lazy_model **out);
void e2lazy_model_free(struct e2lazy_model *model);

/*
 * e2lazy_model_io - a request that arrives at time @t
 * @done:  time of the drive's answer
 *
 * If @t is before an earlier request, that request's time counts.
 * EXT2_ET_INVALID_ARGUMENT: the request is not within the disk, or @op is
 * unknown.
 */
errcode_t e2lazy_model_io(struct e2lazy_model *model, uint64_t t,
			  enum e2lazy_op op, uint64_t offset, uint64_t length,
			  uint64_t *done);

/*
 * e2lazy_model_settle - let the drive finish its work
 * @written:  time when all requests are written; may be NULL
 * @done:     time when it has cleaned all bands that it cleans by itself
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
