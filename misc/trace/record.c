/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.c - e2lazy trace record: the requests to a device, as they come
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "session/child.h"
#include "support/nls.h"
#include "support/status.h"
#include "trace/record.h"
#include "traces.h"

enum { OPT_BUFFER = OPTION_COMMAND, OPT_FOR };

static const struct option_line record_options[] = {
	{ 'o', "output", "FILE", N_("write the trace to FILE") },
	{ OPT_FOR, "for", "TIME",
	  N_("record for TIME: 90s, 5min; with COMMAND, go on\n"
	     "for TIME behind its end") },
	{ OPT_BUFFER, "buffer", "SIZE",
	  N_("the kernel's buffer for each CPU; default: 16M") },
	{ 0 }
};

#define LOOK_MS		25	/* between two looks at the buffers */
#define MIB		((double)(1 << 20))

struct recording {
	struct session	*s;
	const char	*output;
	char		**command;	/* NULL: none */
	uint64_t	limit;		/* of --for, ms; 0: none */
	uint64_t	buffer;
	struct e2lazy_recorder *recorder;
	struct e2lazy_trace_writer *writer;
	struct e2lazy_trace_fs fs;
	bool		known;		/* @next is */
	uint32_t	next;		/* the first transaction id to come */
	uint64_t	requests, bytes, written;
	uint64_t	logged;		/* bytes written to the journal */
	uint64_t	began;		/* ms */
	struct child	child;
	bool		ended;		/* the command has */
};

/* -------------------------------------------------------- command line */

static bool take_option(struct recording *r, int id, char *arg)
{
	switch (id) {
	case 'o':
		return trace_output(r->s, arg, &r->output);
	case OPT_FOR:
		return (parse_time(arg, &r->limit) && r->limit) ||
		       session_refuse(r->s, "--for", arg,
				      _("a time, such as 90s"));
	case OPT_BUFFER:
		return (parse_size(arg, &r->buffer) &&
			r->buffer >= 65536 && r->buffer <= 1 << 30) ||
		       session_refuse(r->s, "--buffer", arg,
				      _("a size from 64K to 1G"));
	}
	return false;
}

static bool parse(struct recording *r)
{
	char *arg;
	int id;

	while ((id = session_option(r->s, NULL, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(r, id, arg))
			return false;
	if (!session_operands(r->s, 1, 1))
		return false;
	if (r->command && !r->command[0])
		return session_wrong(r->s, _("no command follows --"));
	if (r->output)
		return true;
	complain(r->s->command->name, _("--output is missing"));
	session_usage(r->s);
	return false;
}

/* --------------------------------------------------------- file system */

static bool fail(struct recording *r, const char *name, errcode_t err)
{
	print_make_way(&r->s->print);
	complain_error(name, err);
	r->s->status |= err == E2LAZY_ET_CANCELLED ? FSCK_CANCELLED :
						     FSCK_ERROR;
	return false;
}

static errcode_t survey(struct recording *r)
{
	struct e2lazy_journal *journal = NULL;
	errcode_t err = e2lazy_open(r->s->device, NULL, &journal, NULL);

	if (!err)
		err = e2lazy_trace_survey(journal, &r->fs, &r->next);
	e2lazy_close(journal);
	return err;
}

/* Without a file system the trace serves still: it has the kernel's marks. */
static void survey_first(struct recording *r)
{
	const struct e2lazy_record_device *d =
		e2lazy_record_device(r->recorder);
	errcode_t err = survey(r);

	r->known = !err;
	if (err)
		e2lazy_trace_fs_free(&r->fs);
	r->fs.start = d->start;
	r->fs.loop_start = d->loop_start;
}

/* The file system may have been made while the recording went on. */
static errcode_t survey_last(struct recording *r)
{
	struct e2lazy_trace_fs before = r->fs;
	struct e2lazy_journal *journal = NULL;
	struct e2lazy_watch watch = session_watch(r->s);
	/* SIGTERM has ended the recording, not what follows. */
	const struct e2lazy_watch *watched = cancelled() ? NULL : &watch;
	uint32_t next;
	errcode_t err;

	memset(&r->fs, 0, sizeof(r->fs));
	r->fs.start = before.start;
	r->fs.loop_start = before.loop_start;
	r->fs.lost = e2lazy_record_lost(r->recorder);
	e2lazy_record_checkpoints(r->recorder, &r->fs);
	e2lazy_record_close(r->recorder);
	r->recorder = NULL;
	err = e2lazy_open(r->s->device, NULL, &journal, NULL);
	if (!err)
		err = e2lazy_trace_survey(journal, &r->fs, &next);
	if (r->known && memcmp(before.uuid, r->fs.uuid, sizeof(before.uuid)))
		r->known = false;
	if (!err)
		err = e2lazy_trace_log(journal, r->known ? &r->next : NULL,
				       watched, &r->fs);
	/* A few transactions can be overwritten without a gap in the ids. */
	if (r->logged > (uint64_t)(r->fs.log_end - r->fs.log_first) *
			r->fs.blocksize)
		r->fs.flags |= E2LAZY_TRACE_WRAPPED;
	e2lazy_close(journal);
	e2lazy_trace_fs_free(&before);
	return err;
}

static void tell_fs(struct recording *r, errcode_t err)
{
	print_make_way(&r->s->print);
	if (err)
		complain(r->s->device,
			 _("the trace knows of no file system there: %s"),
			 _(error_message(err)));
	else if (r->fs.flags & E2LAZY_TRACE_WRAPPED)
		complain(r->s->device,
			 _("the journal went round: the trace lacks the blocks "
			   "of its first transactions"));
}

/* ------------------------------------------------------------ recording */

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * (uint64_t)1000 + t.tv_nsec / 1000000;
}

static uint64_t bytes_to_journal(const struct e2lazy_trace_fs *fs,
				 const struct e2lazy_request *q)
{
	uint64_t at = q->offset, end = at + q->length, sum = 0;
	struct e2lazy_trace_part part;

	for (; at < end; at += part.length) {
		e2lazy_trace_part(fs, q, at, &part);
		if (part.cls == E2LAZY_TRACE_JOURNAL)
			sum += part.length;
	}
	return sum;
}

static errcode_t put(void *priv, const struct e2lazy_request *q)
{
	struct recording *r = priv;

	r->requests++;
	r->bytes += q->length;
	if (q->op == E2LAZY_OP_WRITE) {
		r->written += q->length;
		r->logged += bytes_to_journal(&r->fs, q);
	}
	return e2lazy_trace_put(r->writer, q);
}

static void show_progress(struct recording *r)
{
	double seconds = (now_ms() - r->began) / 1000.0;
	char text[128];

	/* TRANSLATORS: beside "recording:" */
	snprintf(text, sizeof(text), P_("%llu request, %.1f MiB, %.0f/s",
					 "%llu requests, %.1f MiB, %.0f/s",
					 (unsigned long)r->requests),
		 (unsigned long long)r->requests, r->bytes / MIB,
		 seconds > 0 ? r->requests / seconds : 0);
	progress_note(&r->s->print.progress, text);
}

/* True when the recording is to end. */
static bool is_over(struct recording *r)
{
	if (cancelled())
		return true;
	if (r->command && !r->ended) {
		if (!child_ended(&r->child))
			return false;
		r->ended = true;
		r->began = now_ms();
	}
	if (!r->limit)
		return r->ended;
	return now_ms() - r->began >= r->limit;
}

/* The device's end ends the recording: what came before is kept. */
static bool take(struct recording *r, bool *gone)
{
	errcode_t err = e2lazy_record_take(r->recorder, put, r);

	if (err == E2LAZY_ET_RECORD_GONE) {
		*gone = true;
		return fail(r, r->s->device, err);
	}
	return !err || fail(r, r->output, err);
}

static bool start_command(struct recording *r)
{
	struct words words = { .count = 0 };
	sigset_t mask;
	bool ok;

	if (!r->command)
		return true;
	for (char **word = r->command; *word; word++)
		words_add(&words, "%s", *word);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	ok = child_start(&r->child, r->command[0], &words, &mask);
	words_free(&words);
	if (!ok)
		r->s->status |= FSCK_ERROR;
	return ok;
}

/* What came before leaves an older trace of that name as it was. */
static bool put_first(struct recording *r)
{
	errcode_t err = e2lazy_trace_put_fs(r->writer, &r->fs);

	return !err || fail(r, r->output, err);
}

static void end_command(struct recording *r)
{
	char text[CHILD_TEXT];

	if (!r->command)
		return;
	child_stop(&r->child);
	if (!r->ended || !r->child.status)
		return;
	child_text(&r->child, text);
	session_complain(r->s, FSCK_ERROR, "%s: %s", r->command[0], text);
}

/* Until the command ends, the time is over, or a signal comes. */
static bool record(struct recording *r)
{
	bool gone = false, ok = true;
	errcode_t err = e2lazy_record_start(r->recorder);

	if (err)
		return fail(r, r->s->device, err);
	r->began = now_ms();
	progress_begin(&r->s->print.progress, PHASE_RECORD);
	ok = start_command(r) && put_first(r);
	while (ok && !is_over(r)) {
		pause_ms(LOOK_MS);
		ok = take(r, &gone);
		show_progress(r);
	}
	e2lazy_record_stop(r->recorder);
	/* A command that is still there got the signal, too. */
	end_command(r);
	progress_end(&r->s->print.progress);
	/* The rest that the buffers have. */
	if (ok)
		ok = take(r, &gone);
	/* That is how a recording ends; a second one ends the rest. */
	status_forget_interrupt();
	return ok || gone;
}

/* -------------------------------------------------------------- result */

static void print(struct recording *r)
{
	static const struct sheet_row rows[] = {
		{ N_("requests"), "%llu (%s)", "requests bytes" },
		{ N_("written"), "%s", "written" },
		{ N_("lost requests"), "%llu", "?lost lost" },
		{ N_("transactions"), N_("%llu, of %llu copies"),
		  "?blocksize transactions copies" },
		{ 0 }
	};
	uint64_t copies = 0;
	struct sheet sheet;

	for (size_t i = 0; i < r->fs.nr_txns; i++)
		copies += r->fs.txns[i].tags;
	if (r->s->print.json_wanted)
		session_document(r->s);
	print_sheet(&r->s->print, &sheet);
	sheet_section(&sheet, "trace", JSON_SPREAD);
	sheet_text(&sheet, "file", r->output);
	sheet_u64(&sheet, "requests", r->requests);
	sheet_u64(&sheet, "bytes", r->bytes);
	sheet_u64(&sheet, "written", r->written);
	sheet_u64(&sheet, "lost", r->fs.lost);
	sheet_u64(&sheet, "start", r->fs.start);
	sheet_u64(&sheet, "loop_start", r->fs.loop_start);
	sheet_known(&sheet, "blocksize", r->fs.blocksize);
	sheet_u64(&sheet, "transactions", r->fs.nr_txns);
	sheet_u64(&sheet, "copies", copies);
	sheet_bool(&sheet, "wrapped", r->fs.flags & E2LAZY_TRACE_WRAPPED);
	sheet_end(&sheet, rows);
}

/* A trace that lacks requests is kept, and says so whoever reads it. */
static bool finish(struct recording *r)
{
	struct e2lazy_trace_writer *writer = r->writer;
	errcode_t err = e2lazy_trace_put_fs(writer, &r->fs);

	r->writer = NULL;
	if (err)
		e2lazy_trace_abort(writer);
	else
		err = e2lazy_trace_finish(writer, NULL, NULL);
	if (err)
		return fail(r, r->output, err);
	if (r->fs.lost)
		session_complain(r->s, FSCK_ERROR,
				 P_("the kernel dropped %llu request: "
				    "give it a larger --buffer",
				    "the kernel dropped %llu requests: "
				    "give it a larger --buffer",
				    r->fs.lost),
				 (unsigned long long)r->fs.lost);
	return true;
}

/* A trace that grows on its own device would record itself. */
static bool is_elsewhere(struct recording *r)
{
	struct stat device, file;
	dev_t disk;

	if (stat(r->s->device, &device) || stat(r->output, &file) ||
	    (device.st_rdev != file.st_dev &&
	     (!record_device_disk(file.st_dev, &disk) ||
	      device.st_rdev != disk)))
		return true;
	session_complain(r->s, FSCK_ERROR,
			 _("%s is on this device, so the trace would record "
			   "itself"), r->output);
	return false;
}

static bool open_all(struct recording *r)
{
	struct e2lazy_record_opts opts = { .buffer = r->buffer };
	errcode_t err;

	r->s->device = r->s->operands[0];
	r->s->print.progress.device = r->s->device;
	err = e2lazy_record_open(r->s->device, &opts, &r->recorder);
	if (err == EPERM || err == EACCES) {
		session_complain(r->s, FSCK_ERROR, geteuid() ?
				 _("only root may record requests: %s") :
				 _("root has no right to tracefs here, as in "
				   "a container: %s"),
				 _(error_message(err)));
		return false;
	}
	if (err)
		return fail(r, r->s->device, err);
	return trace_create(r->s, r->output,
			    e2lazy_record_device(r->recorder)->bytes,
			    &r->writer) &&
	       is_elsewhere(r);
}

static void do_record(struct recording *r)
{
	if (!open_all(r))
		return;
	status_catch_signals();
	survey_first(r);
	if (!record(r))
		return;
	tell_fs(r, survey_last(r));
	if (finish(r))
		print(r);
}

static int run_record(const struct command *self, int argc, char **argv)
{
	struct recording r = { .command = NULL };

	for (int i = 1; i < argc && !r.command; i++)
		if (!strcmp(argv[i], "--")) {
			r.command = argv + i + 1;
			argc = i;
		}
	r.s = session_begin(self, argc, argv);
	if (!r.s)
		return FSCK_ERROR;
	if (parse(&r))
		do_record(&r);
	e2lazy_record_close(r.recorder);
	e2lazy_trace_abort(r.writer);
	e2lazy_trace_fs_free(&r.fs);
	return session_end(r.s);
}

const struct command trace_record_command = {
	.name = "trace record",
	.usage = "DEVICE [-- COMMAND ...]",
	.summary = N_("Record the requests to a block device"),
	.run = run_record,
	.options = record_options,
	.writes = WRITES_ANYTHING,
	.kind = COMMAND_READS,
};
