/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.c - a trace file, with a bar and with complaints
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/nls.h"
#include "support/output.h"
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
	complain(f->path, err == E2LAZY_ET_TRACE_MAGIC ?
		 _("%s; e2lazy trace import makes one") : "%s",
		 _(error_message(err)));
	complaint_is(err, NULL);
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

/* The kernel's limit. */
#define MOST_LINKS	40

/* The place that a link to nothing names; NULL: it is no such link. */
static char *next_place(const struct output *o)
{
	char target[PATH_MAX], *next;
	ssize_t length = readlinkat(o->dir, o->name, target, sizeof(target));
	int above = (int)(o->name - o->path);

	if (length < 0)
		return NULL;
	if (*target == '/')
		above = 0;
	return asprintf(&next, "%.*s%.*s", above, o->path, (int)length,
			target) < 0 ? NULL : next;
}

/* A trace grows in its own place, so a link to nothing leads to a new file. */
static bool find_place(struct output *o, const char *output)
{
	char *name = strdup(output), *next = NULL;
	bool good = name;

	for (unsigned i = 0; good && i < MOST_LINKS; i++) {
		good = output_find(o, name) && output_is_ours(o, output);
		next = good ? next_place(o) : NULL;
		if (!next)
			break;
		output_close(o);
		free(name);
		name = next;
	}
	free(name);
	return good && !next;
}

static errcode_t create(const char *output, uint64_t bytes, bool *found,
			struct e2lazy_trace_writer **writer)
{
	struct output o = { .dir = -1 };
	errcode_t err = 0;

	*found = true;
	if (is_stdout(output))
		return e2lazy_trace_create(output, bytes, writer);
	*found = find_place(&o, output);
	if (*found)
		err = e2lazy_trace_create_at(o.dir, o.name, bytes, writer);
	output_close(&o);
	return err;
}

bool trace_create(struct session *s, const char *output, uint64_t bytes,
		  struct e2lazy_trace_writer **writer)
{
	errcode_t err;
	bool found;

	print_make_way(&s->print);
	err = create(output, bytes, &found, writer);
	if (err)
		complain_error(output, err);
	if (found && !err)
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
