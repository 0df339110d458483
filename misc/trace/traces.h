/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * traces.h - what the commands about traces share
 */
#ifndef MISC_TRACES_H
#define MISC_TRACES_H

#include "e2lazy_trace.h"
#include "session/session.h"

extern const struct command trace_record_command, trace_import_command,
	trace_show_command;

/* Each looked at in turn: names for messages, progress by bytes. */
struct trace_file {
	struct session	*s;
	const char	*path;
	struct e2lazy_trace *trace;
	uint64_t	count;		/* of requests so far */
	struct e2lazy_trace_fs fs;	/* the facts about the file system */
	bool		again;		/* not for the first time */
	errcode_t	told;		/* complained about last */
};

/* The name of a trace to write, which is no stream.  False once refused. */
bool trace_output(struct session *s, const char *arg, const char **output);
/* Begin it, for a disk of @bytes; 0: unknown.  False once it has complained. */
bool trace_create(struct session *s, const char *output, uint64_t bytes,
		  struct e2lazy_trace_writer **writer);

/* False once it has complained. */
bool trace_begin(struct trace_file *file, struct session *s, const char *path);
/*
 * The next request.  False at the end: with a complaint where that was not the
 * trace's, and without one where a signal came.
 */
bool trace_next(struct trace_file *file, struct e2lazy_request *out);
/*
 * Go back to the first request.  What was complained about is not again.  False
 * once it has complained.
 */
bool trace_again(struct trace_file *file);
void trace_end(struct trace_file *file);

#endif
