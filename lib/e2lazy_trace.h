/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_trace.h - libe2lazy: traces, the requests to a disk
 *
 *	e2lazy_trace_create()		write a trace file, request by request
 *	e2lazy_trace_open(), _next()	read the requests, in their order
 *	e2lazy_trace_seek()		go on at a time
 *	e2lazy_import_line()		parse a line of another tool's trace
 *
 * Times are nanoseconds since the trace began.  Places and lengths are bytes,
 * in whole sectors of 512.  doc/format.md describes the file.
 */
#ifndef E2LAZY_TRACE_H
#define E2LAZY_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ext2fs/ext2fs.h>

#include "e2lazy_err.h"
#include "e2lazy_model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define E2LAZY_REQ_META		0x1	/* metadata, by the kernel's flag */
#define E2LAZY_REQ_SYNC		0x2	/* a process waits for it */
#define E2LAZY_REQ_FUA		0x4	/* on the surface when answered */
#define E2LAZY_REQ_AHEAD	0x8	/* readahead */

struct e2lazy_request {
	uint64_t	t;
	uint64_t	offset, length;		/* 0 for a flush */
	enum e2lazy_op	op;
	unsigned	flags;
};

/* ----------------------------------------------------------- trace file --- */

struct e2lazy_trace_writer;

/*
 * e2lazy_trace_create - begin a trace file
 * @disk_bytes:  size of the disk; 0: unknown
 *
 * The file grows under the name @path, and counts as cut off until
 * e2lazy_trace_finish().  It replaces a regular file of that name.  Errors are
 * those of the system; ENOTSUP: @path is a block device.
 */
errcode_t e2lazy_trace_create(const char *path, uint64_t disk_bytes,
			      struct e2lazy_trace_writer **out);
/*
 * Write the next request.  An older time than that of the request before
 * becomes the same; places are widened to whole sectors.  The writer counts
 * both cases.  EXT2_ET_INVALID_ARGUMENT: the request ends beyond 2^63 bytes.
 */
errcode_t e2lazy_trace_put(struct e2lazy_trace_writer *writer,
			   const struct e2lazy_request *request);
/* Frees @writer; the counts may be NULL.  On failure it removes the file. */
errcode_t e2lazy_trace_finish(struct e2lazy_trace_writer *writer,
			      uint64_t *reordered, uint64_t *widened);
/* Frees @writer and removes the file, if it is a regular one. */
void e2lazy_trace_abort(struct e2lazy_trace_writer *writer);

struct e2lazy_trace;

struct e2lazy_trace_info {
	uint64_t	disk_bytes;	/* 0: unknown */
	uint64_t	requests;	/* ~0: unknown, the file is cut off */
	uint64_t	end;		/* time of the last request, or 0 */
	bool		whole;		/* not cut off */
};

/*
 * Errors:  E2LAZY_ET_TRACE_MAGIC, _VERSION, _DAMAGED, and those of the system.
 * A file that is cut off opens; its requests end with E2LAZY_ET_TRACE_SHORT.
 */
errcode_t e2lazy_trace_open(const char *path, struct e2lazy_trace **out);
void e2lazy_trace_close(struct e2lazy_trace *trace);
const struct e2lazy_trace_info *
e2lazy_trace_info(const struct e2lazy_trace *trace);

/*
 * Read the next request.  E2LAZY_ET_TRACE_END: there is none.
 * E2LAZY_ET_TRACE_SHORT or _DAMAGED: the rest is lost; the requests before are
 * sound.
 */
errcode_t e2lazy_trace_next(struct e2lazy_trace *trace,
			    struct e2lazy_request *out);
/*
 * Go on with the first request at time @t or later.  This reads one chunk, but
 * in a trace that is cut off all chunks up to there.
 */
errcode_t e2lazy_trace_seek(struct e2lazy_trace *trace, uint64_t t);
/* Bytes of the file that were read, and all its bytes: for progress. */
void e2lazy_trace_position(const struct e2lazy_trace *trace, uint64_t *done,
			   uint64_t *total);

/* ----------------------------------------------------- others' traces --- */

enum e2lazy_trace_format {
	E2LAZY_TRACE_BLKPARSE,		/* blkparse's own output */
	E2LAZY_TRACE_FIO,		/* fio's iolog, version 2 or 3 */
	E2LAZY_TRACE_MSR,		/* MSR Cambridge's CSV */
	E2LAZY_TRACE_FTRACE,		/* block_rq_issue: trace-cmd report,
					   perf script, trace_pipe */
	E2LAZY_NR_TRACE_FORMATS
};

/* "blkparse": stable, for scripts. */
const char *e2lazy_trace_format_name(enum e2lazy_trace_format format);

/* State from line to line; the caller zeros it and sets the first three. */
struct e2lazy_import {
	enum e2lazy_trace_format format;
	char		action;		/* of blkparse: 'D' issued, 'Q' queued,
					   'C' completed */
	const char	*device;	/* only lines of this device: "8,0", or
					   a disk's number; NULL: all */
	bool		began;
	uint64_t	first;		/* the time of the first request */
	uint64_t	now;		/* sum of fio's waits, ns */
	int		version;	/* of fio's iolog */
};

/* The format of @line, one of a file's first; E2LAZY_NR_TRACE_FORMATS: none. */
enum e2lazy_trace_format e2lazy_trace_guess(const char *line);

/*
 * e2lazy_import_line - the requests of one line, which has no newline
 * @out:    up to two requests: a write may need a flush before it
 * @count:  0 for lines without a request, such as headings
 *
 * E2LAZY_ET_TRACE_LINE: the line is not of this format.
 */
errcode_t e2lazy_import_line(struct e2lazy_import *import, const char *line,
			     struct e2lazy_request out[2], unsigned *count);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_TRACE_H */
