/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.c - a trace file, with a bar and with complaints
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/nls.h"
#include "support/status.h"
#include "support/trust.h"
#include "traces.h"

/* Requests between two looks at the clock. */
#define TICK		4096

static void tell(struct trace_file *f, errcode_t err)
{
	if (f->again || err == f->told)
		return;
	f->told = err;
	print_make_way(&f->s->print);
	complain(f->path, "%s", _(error_message(err)));
	f->s->status |= err == E2LAZY_ET_TRACE_SHORT ||
			err == E2LAZY_ET_TRACE_DAMAGED ? FSCK_LEFT :
							 FSCK_ERROR;
}

/* A trace with gaps counts too few requests. */
static void tell_lost(struct trace_file *f)
{
	print_make_way(&f->s->print);
	complain(f->path, _("the kernel dropped requests, which the trace "
			    "lacks: %llu"),
		 (unsigned long long)f->fs.lost);
	f->s->status |= FSCK_LEFT;
}

bool trace_output(struct session *s, const char *arg, const char **output)
{
	*output = arg;
	return strcmp(arg, "-") ||
	       session_refuse(s, "--output", arg,
			      _("a file for a trace"));
}

/* What the caller has opened is no choice of another user's. */
static bool is_stdout(const char *name)
{
	struct stat is, out;

	return !stat(name, &is) && !fstat(STDOUT_FILENO, &out) &&
	       is.st_dev == out.st_dev && is.st_ino == out.st_ino;
}

bool trace_create(struct session *s, const char *output, uint64_t bytes,
		  struct e2lazy_trace_writer **writer)
{
	char *path = NULL;
	errcode_t err = 0;
	bool good;

	print_make_way(&s->print);
	good = is_stdout(output) || believed_link(output, &path);
	if (good)
		err = e2lazy_trace_create(path ? path : output, bytes, writer);
	free(path);
	if (err)
		complain(output, "%s", _(error_message(err)));
	if (good && !err)
		return true;
	s->status |= FSCK_ERROR;
	return false;
}

bool trace_begin(struct trace_file *f, struct session *s, const char *path)
{
	errcode_t err;

	*f = (struct trace_file) { .s = s, .path = path };
	s->print.progress.device = path;
	err = e2lazy_trace_open(path, &f->trace);
	if (err) {
		tell(f, err);
		return false;
	}
	err = e2lazy_trace_read_fs(f->trace, &f->fs);
	if (err)
		tell(f, err);
	if (f->fs.lost)
		tell_lost(f);
	progress_begin(&s->print.progress, PHASE_TRACE);
	return true;
}

static bool tick(struct trace_file *f)
{
	uint64_t done, total;

	e2lazy_trace_position(f->trace, &done, &total);
	return progress_tick(&f->s->print.progress, done, total);
}

bool trace_next(struct trace_file *f, struct e2lazy_request *out)
{
	errcode_t err;

	if (f->count % TICK == 0 && !tick(f))
		return false;
	err = e2lazy_trace_next(f->trace, out);
	f->count++;
	if (err && err != E2LAZY_ET_TRACE_END)
		tell(f, err);
	return !err;
}

bool trace_again(struct trace_file *f)
{
	errcode_t err = e2lazy_trace_seek(f->trace, 0);

	if (err)
		tell(f, err);
	f->again = true;
	f->count = 0;
	return !err;
}

void trace_end(struct trace_file *f)
{
	if (f->trace && f->s->print.progress.phase != PHASE_NONE)
		progress_end(&f->s->print.progress);
	e2lazy_trace_fs_free(&f->fs);
	e2lazy_trace_close(f->trace);
	f->trace = NULL;
}
