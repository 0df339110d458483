/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_trace.h - libe2lazy: traces, the requests to a disk
 *
 *	e2lazy_trace_create()		write a trace file, request by request
 *	e2lazy_trace_open(), _next()	read the requests, in their order
 *	e2lazy_trace_seek()		go on at a time
 *	e2lazy_trace_fs_*()		the file system on the disk, and its log
 *	e2lazy_trace_part()		data, metadata or journal
 *	e2lazy_trace_lazy()		the log of a lazy journal
 *	e2lazy_import_line()		parse a line of another tool's trace
 *	e2lazy_record_*()		the requests that the kernel issues now
 *
 * Times are nanoseconds since the trace began.  Places and lengths are bytes,
 * in whole sectors of 512.  doc/format.md describes the file.
 */
#ifndef E2LAZY_TRACE_H
#define E2LAZY_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ext2fs/ext2fs.h>

#include "e2lazy_err.h"
#include "e2lazy_model.h"
#include "e2lazy_view.h"

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
 * e2lazy_trace_finish().  It replaces an empty file or a trace of that name,
 * which stays as it was until something is put.  Errors are those of the system;
 * ENOTSUP: @path is a block device; E2LAZY_ET_OTHER_KIND: it is a regular file
 * that is neither empty nor a trace, or that cannot be read.
 */
errcode_t e2lazy_trace_create(const char *path, uint64_t disk_bytes,
			      struct e2lazy_trace_writer **out);
/* The same in the open directory @dir, where no link of that name is followed. */
errcode_t e2lazy_trace_create_at(int dir, const char *name,
				 uint64_t disk_bytes,
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
/* Frees @writer and removes the file, if it is a regular one and not still an
   older one. */
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

/* -------------------------------------------------------- file system --- */

/*
 * The facts beside the requests: where the disk's file system has fixed
 * metadata and its journal, and which blocks its log held.  A trace file has
 * them if it was recorded, and each array may be empty.  Blocks are those of
 * the file system, which begins where the device does.
 */
struct e2lazy_trace_piece {
	uint64_t	start, count;	/* blocks */
	enum e2lazy_type type;
};

/* Log blocks [logblk, logblk + count) are at @physblk and behind. */
struct e2lazy_trace_run {
	uint32_t	logblk, count;
	uint64_t	physblk;
};

/* A committed transaction; its blocks are in @blocks of the file system. */
struct e2lazy_trace_txn {
	uint32_t	tid;
	uint32_t	start, commit;	/* log blocks: its first, its last */
	uint64_t	sec;		/* commit time */
	uint32_t	nsec;
	uint32_t	tags, revokes;
	size_t		first;		/* @tags copies, then @revokes */
};

#define E2LAZY_TRACE_EXTERNAL	0x1	/* the journal is on another device */
#define E2LAZY_TRACE_WRAPPED	0x2	/* the ring has overwritten some of the
					   trace's transactions */
#define E2LAZY_TRACE_LOGGED	0x4	/* the transactions were looked for */
#define E2LAZY_TRACE_WATCHED	0x8	/* the kernel's checkpoints were */

/*
 * A checkpoint of the kernel's: its begin, when somebody waits for room in the log
 * or unmounts; or its end, when a transaction needs the log no more.
 */
struct e2lazy_trace_checkpoint {
	uint64_t	t;		/* as of a request */
	enum e2lazy_trace_step {
		E2LAZY_CHECKPOINT_FREE,	/* began: there was room to be had */
		E2LAZY_CHECKPOINT_WRITE,	/* began: blocks go home first */
		E2LAZY_CHECKPOINT_DONE,	/* the rest is of this alone */
	} step;
	uint32_t	tid;
	uint32_t	written;	/* blocks that a checkpoint wrote */
};

struct e2lazy_trace_fs {
	uint64_t	start;		/* of the device on its disk, bytes */
	uint64_t	loop_start;	/* of a loop device in its file */
	uint64_t	lost;		/* requests that the kernel dropped */
	uint32_t	blocksize;	/* 0: no file system is known */
	uint32_t	flags;		/* E2LAZY_TRACE_* */
	uint64_t	blocks;
	uint32_t	log_first, log_end;
	uint8_t		uuid[16];
	struct e2lazy_trace_piece *pieces;	/* ascending, no overlap: fixed
						   metadata, and the journal */
	size_t		nr_pieces, room_pieces;
	struct e2lazy_trace_piece *roles;	/* the same of other blocks that
						   the log held */
	size_t		nr_roles, room_roles;
	struct e2lazy_trace_run *runs;		/* ascending by logblk */
	size_t		nr_runs, room_runs;
	struct e2lazy_trace_txn *txns;		/* oldest first */
	size_t		nr_txns, room_txns;
	uint64_t	*logged;		/* blocks of transactions */
	size_t		nr_logged, room_logged;
	struct e2lazy_trace_checkpoint *checkpoints;	/* ascending by t */
	size_t		nr_checkpoints, room_checkpoints;
};

/* Frees the arrays, and zeros @fs, which may be all zero. */
void e2lazy_trace_fs_free(struct e2lazy_trace_fs *fs);

/*
 * e2lazy_trace_put_fs - write the facts, at any time before the finish
 *
 * What is written last counts, so it may be written at the beginning, in case
 * the recorder dies, and again at the end.  An array without elements is left
 * as it was written before.
 */
errcode_t e2lazy_trace_put_fs(struct e2lazy_trace_writer *writer,
			      const struct e2lazy_trace_fs *fs);
/*
 * e2lazy_trace_read_fs - the facts of a trace file; free them with _free()
 *
 * All zero if it has none.  It reads the heads of all chunks, and does not move
 * the place of e2lazy_trace_next().  E2LAZY_ET_TRACE_DAMAGED.
 */
errcode_t e2lazy_trace_read_fs(struct e2lazy_trace *trace,
			       struct e2lazy_trace_fs *out);

/*
 * e2lazy_trace_survey - the layout of a journal's file system
 *
 * It sets everything but start, loop_start, lost, the checkpoints and what belongs
 * to transactions.  @next: the transaction id that comes next.
 */
errcode_t e2lazy_trace_survey(struct e2lazy_journal *journal,
			      struct e2lazy_trace_fs *out, uint32_t *next);
/*
 * e2lazy_trace_log - the ring's transactions from id @from on, and the roles of
 * the blocks that they log
 * @from:  NULL: all
 * @watch: may be NULL
 *
 * It scans the ring, and reads the newest copy of each block that has no fixed
 * place.
 */
errcode_t e2lazy_trace_log(struct e2lazy_journal *journal,
			   const uint32_t *from,
			   const struct e2lazy_watch *watch,
			   struct e2lazy_trace_fs *fs);

/* ------------------------------------------------------------ classes --- */

enum e2lazy_trace_class {
	E2LAZY_TRACE_DATA, E2LAZY_TRACE_METADATA, E2LAZY_TRACE_JOURNAL,
};

/* Bytes of a request that are of one class and type. */
struct e2lazy_trace_part {
	uint64_t	offset, length;
	enum e2lazy_trace_class cls;
	enum e2lazy_type type;		/* OTHER: metadata of unknown type */
};

/*
 * e2lazy_trace_part - the part of a read or write that begins at byte @at
 *
 * The next part begins at its end.  Fixed metadata and the journal go by their
 * place; elsewhere, and if @fs is all zero, the kernel's mark decides.
 * O(log n).
 */
void e2lazy_trace_part(const struct e2lazy_trace_fs *fs,
		       const struct e2lazy_request *request, uint64_t at,
		       struct e2lazy_trace_part *out);
/* The log block at block @block of the device; false: there is none. */
bool e2lazy_trace_logblk(const struct e2lazy_trace_fs *fs, uint64_t block,
			 uint32_t *logblk);

/* What a lazy journal would have logged; blocks. */
struct e2lazy_lazy {
	uint64_t	ring, txns;
	uint64_t	written;	/* descriptors and commit blocks too */
	uint64_t	cleaned;	/* written besides, by the cleaner */
	uint64_t	moved;		/* copies that it logged again */
	uint64_t	live;		/* at the end */
	bool		full;		/* they did not fit in the ring */
};

/*
 * e2lazy_trace_lazy - the log of a lazy journal for a trace's transactions
 * @ring:     bytes; 0: the trace's own
 * @coalesce: so many transactions in a row become one; at least 1
 */
errcode_t e2lazy_trace_lazy(const struct e2lazy_trace_fs *fs, uint64_t ring,
			    unsigned coalesce, struct e2lazy_lazy *out);

/* ----------------------------------------------------- others' traces --- */

enum e2lazy_trace_format {
	E2LAZY_TRACE_BLKPARSE,		/* blkparse's own output */
	E2LAZY_TRACE_FIO,		/* fio's iolog, version 2 or 3 */
	E2LAZY_TRACE_MSR,		/* MSR Cambridge's CSV */
	E2LAZY_TRACE_FTRACE,		/* block_rq_issue: trace-cmd report,
					   perf script, trace_pipe */
	E2LAZY_TRACE_BLKTRACE,		/* blktrace's own records: no lines */
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
	/* For the functions, and 0 at first: */
	bool		began;
	char		taken[32];	/* device of the first request, cut off */
	bool		several;	/* there were requests to another one: the
					   trace has them all, as of one */
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

/*
 * e2lazy_import_record - the requests of a record of blktrace, version 7
 * @more:  bytes behind the record that belong to it
 *
 * For the format E2LAZY_TRACE_BLKTRACE; otherwise like e2lazy_import_line().
 */
#define E2LAZY_BLKTRACE_RECORD	48
errcode_t e2lazy_import_record(struct e2lazy_import *import,
			       const uint8_t record[E2LAZY_BLKTRACE_RECORD],
			       struct e2lazy_request out[2], unsigned *count,
			       unsigned *more);
/* Do these 4 bytes begin such a record? */
bool e2lazy_is_blktrace(const void *bytes);

/* ------------------------------------------------------------- record --- */

/*
 * The kernel's block events of one device.  A recorder has a tracefs instance
 * of its own, so that it disturbs no other user of tracefs, and needs root.
 */
struct e2lazy_recorder;

struct e2lazy_record_opts {
	uint64_t	buffer;		/* bytes for each CPU; 0: 16 MiB */
	const char	*tracefs;	/* its mount point; NULL: the usual
					   ones, or else one that the recorder
					   mounts for itself */
};

struct e2lazy_record_device {
	dev_t		disk;		/* the events' device */
	uint64_t	start, bytes;	/* of the device on it */
	bool		partition;
	bool		queued;		/* its driver has no queue of requests,
					   so these are what is asked of it */
	bool		loop;
	uint64_t	loop_start;	/* of a loop device in its file */
};

/*
 * e2lazy_record_open - prepare to record the requests to a block device
 *
 * It does not hold @device open.  ENOTBLK: @device is none.
 * E2LAZY_ET_NO_TRACEFS: the kernel has no tracefs, or none can be mounted;
 * E2LAZY_ET_TRACEFS: it has no block events, or its files have another form.
 * EPERM or EACCES: not root.
 */
errcode_t e2lazy_record_open(const char *device,
			     const struct e2lazy_record_opts *opts,
			     struct e2lazy_recorder **out);
/* Removes the instance. */
void e2lazy_record_close(struct e2lazy_recorder *recorder);
const struct e2lazy_record_device *
e2lazy_record_device(const struct e2lazy_recorder *recorder);

/* From now on requests count, and this is time 0. */
errcode_t e2lazy_record_start(struct e2lazy_recorder *recorder);
/* From now on they do not; e2lazy_record_take() gives the rest. */
errcode_t e2lazy_record_stop(struct e2lazy_recorder *recorder);
/*
 * e2lazy_record_take - the requests since the last call, by time
 * @found: a non-zero return ends the call and is returned
 *
 * Call it several times a second.  It keeps back requests of the last
 * milliseconds, because another CPU may still report an earlier one, until
 * e2lazy_record_stop().  Places count from the device's start; requests to
 * other parts of the disk are left out.  E2LAZY_ET_RECORD_GONE: the device is
 * not there any more, or another one has its number.
 */
errcode_t e2lazy_record_take(struct e2lazy_recorder *recorder,
			     errcode_t (*found)(void *priv,
						const struct e2lazy_request *),
			     void *priv);
/*
 * Move the kernel's checkpoints of the device's own file system to @fs, after the
 * last _take(), and set E2LAZY_TRACE_WATCHED unless this kernel does not tell of any.
 */
void e2lazy_record_checkpoints(struct e2lazy_recorder *recorder,
			       struct e2lazy_trace_fs *fs);
/* Events that the kernel dropped because nobody took them in time. */
uint64_t e2lazy_record_lost(const struct e2lazy_recorder *recorder);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_TRACE_H */
