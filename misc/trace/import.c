/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * import.c - e2lazy trace import: a trace file from another tool's trace
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/nls.h"
#include "support/status.h"
#include "traces.h"

enum { OPT_FORMAT = OPTION_COMMAND, OPT_ACTION, OPT_ONLY, OPT_DISK };

static const struct option_line import_options[] = {
	{ 'o', "output", "FILE", N_("write the trace to FILE") },
	{ OPT_FORMAT, "format", "FORMAT",
	  N_("format of TEXT: blkparse, blktrace, fio, msr or\n"
	     "ftrace; default: guess it from its lines") },
	{ OPT_ACTION, "action", "D|Q|C",
	  N_("event of blkparse that counts: D (issued, the\n"
	     "default), Q (queued) or C (completed)") },
	{ OPT_ONLY, "only", "NAME|N",
	  N_("take only requests to this device, as the trace\n"
	     "names it: 8,0, /dev/sda, or a disk's number") },
	{ OPT_DISK, "disk", "SIZE", N_("record this size of the disk in the "
				       "trace") },
	{ 0 }
};

/* Beyond, it is no line of text. */
#define LINE		65536

struct importing {
	struct session	*s;
	const char	*output;
	uint64_t	disk;			/* bytes; 0: not given */
	uint64_t	reach;			/* end of the farthest request */
	struct e2lazy_import import;
	bool		known;		/* the format is */
	struct e2lazy_trace_writer *writer;
	FILE		*input;
	uint64_t	line, size, bytes;	/* of the input */
	uint64_t	requests[E2LAZY_NR_OPS], length[E2LAZY_NR_OPS];
	uint64_t	metadata, end, reordered, widened;
	char		text[LINE];
};

static bool choose_format(struct importing *im, const char *arg)
{
	for (unsigned i = 0; i < E2LAZY_NR_TRACE_FORMATS; i++)
		if (!strcmp(e2lazy_trace_format_name(i), arg)) {
			im->import.format = i;
			im->known = true;
			return true;
		}
	return session_refuse(im->s, "--format", arg,
			      _("blkparse, blktrace, fio, msr or "
				"ftrace"));
}

static bool choose_action(struct importing *im, const char *arg)
{
	im->import.action = *arg;
	return (strchr("DQC", *arg) && *arg && !arg[1]) ||
	       session_refuse(im->s, "--action", arg, _("D, Q or C"));
}

static bool take_option(struct importing *im, int id, char *arg)
{
	switch (id) {
	case 'o':	return trace_output(im->s, arg, &im->output);
	case OPT_ONLY:		im->import.device = arg;	return true;
	case OPT_FORMAT:	return choose_format(im, arg);
	case OPT_ACTION:	return choose_action(im, arg);
	case OPT_DISK:
		return parse_size(arg, &im->disk) ||
		       session_refuse(im->s, "--disk", arg, _("a size"));
	}
	return false;
}

/* The other formats have one line a request. */
static bool action_counts(struct importing *im)
{
	enum e2lazy_trace_format format = im->import.format;

	return session_needs(im->s, "action",
			     !im->known || format == E2LAZY_TRACE_BLKPARSE ||
			     format == E2LAZY_TRACE_BLKTRACE,
			     "--format blkparse");
}

static bool parse(struct importing *im)
{
	struct listing none;
	char *arg;
	int id;

	while ((id = session_option(im->s, &none, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(im, id, arg))
			return false;
	if (!session_operands(im->s, 1, 1) || !action_counts(im))
		return false;
	if (im->output)
		return true;
	complain(im->s->command->name, _("--output is missing"));
	session_usage(im->s);
	return false;
}

static bool fail(struct importing *im, const char *name, errcode_t err)
{
	print_make_way(&im->s->print);
	complain_error(name, err);
	im->s->status |= FSCK_ERROR;
	return false;
}

static bool fail_line(struct importing *im, errcode_t err)
{
	print_make_way(&im->s->print);
	complain(im->s->device, _("line %llu: %s"),
		 (unsigned long long)im->line, _(error_message(err)));
	complaint_is(err, NULL);
	im->s->status |= FSCK_ERROR;
	return false;
}

/* It would be empty before it is read. */
static bool is_other_file(struct importing *im)
{
	struct stat in, out;

	if (fstat(fileno(im->input), &in))
		return fail(im, im->s->device, errno);
	im->size = in.st_size;
	if (stat(im->output, &out) || in.st_dev != out.st_dev ||
	    in.st_ino != out.st_ino)
		return true;
	session_complain(im->s, FSCK_ERROR,
			 _("the input and the output are the same file"));
	return false;
}

static bool open_input(struct importing *im)
{
	const char *name = im->s->operands[0];

	im->s->device = im->s->operands[0];
	im->s->print.progress.device = name;
	im->input = strcmp(name, "-") ? fopen(name, "re") : stdin;
	return im->input ? is_other_file(im) : fail(im, name, errno);
}

static bool put(struct importing *im, const struct e2lazy_request *r)
{
	errcode_t err = e2lazy_trace_put(im->writer, r);

	im->requests[r->op]++;
	im->length[r->op] += r->length;
	im->metadata += (r->flags & E2LAZY_REQ_META) != 0;
	if (r->offset + r->length > im->reach)
		im->reach = r->offset + r->length;
	if (r->t > im->end)
		im->end = r->t;
	return !err || fail(im, im->output, err);
}

static bool put_all(struct importing *im, const struct e2lazy_request r[2],
		    unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!put(im, &r[i]))
			return false;
	return true;
}

/* Lines before the first that tells of a format are no requests. */
static bool take_line(struct importing *im)
{
	struct e2lazy_request r[2];
	unsigned count;
	errcode_t err;

	if (!im->known) {
		im->import.format = e2lazy_trace_guess(im->text);
		im->known = im->import.format != E2LAZY_NR_TRACE_FORMATS;
		if (!im->known)
			return true;
	}
	err = e2lazy_import_line(&im->import, im->text, r, &count);
	if (err)
		return fail_line(im, err);
	return put_all(im, r, count);
}

/* A line of text ends with a newline, or the file does, and has no NUL. */
static bool read_lines(struct importing *im)
{
	struct progress *progress = &im->s->print.progress;
	size_t length;

	while (fgets(im->text, LINE, im->input)) {
		length = strlen(im->text);
		im->bytes += length;
		im->line++;
		if (im->line % 4096 == 0 && im->size &&
		    !progress_tick(progress, im->bytes, im->size))
			return false;
		if (!length || (im->text[length - 1] != '\n' &&
				!feof(im->input)))
			return fail_line(im, E2LAZY_ET_TRACE_LINE);
		while (length && strchr("\r\n", im->text[length - 1]))
			im->text[--length] = 0;
		if (!take_line(im))
			return false;
	}
	return !ferror(im->input) || fail(im, im->s->device, errno);
}

/* Version and byte order begin each record; no text begins with the former. */
static bool is_binary(struct importing *im)
{
	int first;

	if (im->known)
		return im->import.format == E2LAZY_TRACE_BLKTRACE;
	first = getc(im->input);
	ungetc(first, im->input);
	if (first != 7)
		return false;
	im->import.format = E2LAZY_TRACE_BLKTRACE;
	im->known = true;
	return true;
}

static bool skip_bytes(struct importing *im, unsigned count)
{
	return count < LINE && fread(im->text, 1, count, im->input) == count;
}

static bool fail_record(struct importing *im)
{
	print_make_way(&im->s->print);
	complain(im->s->device, _("record %llu: not one of blktrace, version "
				  "7"), (unsigned long long)im->line);
	im->s->status |= FSCK_ERROR;
	return false;
}

static bool read_records(struct importing *im)
{
	struct progress *progress = &im->s->print.progress;
	uint8_t record[E2LAZY_BLKTRACE_RECORD];
	struct e2lazy_request r[2];
	unsigned count, more;
	size_t n;

	while ((n = fread(record, 1, sizeof(record), im->input)) > 0) {
		im->line++;
		if (n < sizeof(record) ||
		    e2lazy_import_record(&im->import, record, r, &count,
					 &more) || !skip_bytes(im, more))
			return fail_record(im);
		im->bytes += n + more;
		if (!put_all(im, r, count))
			return false;
		if (im->line % 4096 == 0 && im->size &&
		    !progress_tick(progress, im->bytes, im->size))
			return false;
	}
	return !ferror(im->input) || fail(im, im->s->device, errno);
}

static bool has_requests(struct importing *im)
{
	if (im->requests[E2LAZY_OP_READ] || im->requests[E2LAZY_OP_WRITE] ||
	    im->requests[E2LAZY_OP_DISCARD] || im->requests[E2LAZY_OP_FLUSH])
		return true;
	print_make_way(&im->s->print);
	if (!im->known)
		complain(im->s->device, _("no line has a known format; name "
					  "one with --format"));
	else
		complain(im->s->device, _("it has no such request; see "
					  "--action and --only"));
	im->s->status |= FSCK_ERROR;
	return false;
}

static bool fits_disk(struct importing *im)
{
	if (!im->disk || im->reach <= im->disk)
		return true;
	print_make_way(&im->s->print);
	complain(im->s->device, _("a request ends %llu bytes into the disk, "
				  "which has %llu by --disk"),
		 (unsigned long long)im->reach, (unsigned long long)im->disk);
	im->s->status |= FSCK_ERROR;
	return false;
}

static bool finish(struct importing *im)
{
	struct e2lazy_trace_writer *writer = im->writer;
	errcode_t err;

	im->writer = NULL;
	err = e2lazy_trace_finish(writer, &im->reordered, &im->widened);
	return !err || fail(im, im->output, err);
}

static void print(struct importing *im)
{
	static const struct sheet_row rows[] = {
		{ N_("reads"), "%llu (%s)", "reads read" },
		{ N_("writes"), "%llu (%s)", "writes written" },
		{ N_("metadata requests"), "%llu", "metadata" },
		{ N_("discards"), "%llu (%s)", "?discards discards discarded" },
		{ N_("flushes"), "%llu", "flushes" },
		{ N_("duration"), N_("%.3f s"), "seconds" },
		{ N_("out of order"),
		  PN_("%llu request, kept in its order",
		      "%llu requests, kept in their order"),
		  "?reordered #reordered" },
		{ N_("not in sectors"),
		  PN_("%llu request, widened to sectors",
		      "%llu requests, widened to sectors"),
		  "?widened #widened" },
		{ 0 }
	};
	struct sheet sheet;

	if (im->s->print.json_wanted)
		session_document(im->s);
	print_sheet(&im->s->print, &sheet);
	sheet_section(&sheet, "trace", JSON_SPREAD);
	sheet_text(&sheet, "file", im->output);
	sheet_text(&sheet, "format",
		   e2lazy_trace_format_name(im->import.format));
	sheet_u64(&sheet, "reads", im->requests[E2LAZY_OP_READ]);
	sheet_u64(&sheet, "read", im->length[E2LAZY_OP_READ]);
	sheet_u64(&sheet, "writes", im->requests[E2LAZY_OP_WRITE]);
	sheet_u64(&sheet, "written", im->length[E2LAZY_OP_WRITE]);
	sheet_u64(&sheet, "metadata", im->metadata);
	sheet_u64(&sheet, "discards", im->requests[E2LAZY_OP_DISCARD]);
	sheet_u64(&sheet, "discarded", im->length[E2LAZY_OP_DISCARD]);
	sheet_u64(&sheet, "flushes", im->requests[E2LAZY_OP_FLUSH]);
	sheet_real(&sheet, "seconds", im->end / 1e9);
	sheet_u64(&sheet, "reordered", im->reordered);
	sheet_u64(&sheet, "widened", im->widened);
	sheet_bool(&sheet, "several_devices", im->import.several);
	sheet_end(&sheet, rows);
	if (im->import.several)
		session_complain(im->s, 0,
				 _("it has requests to several devices, and "
				   "the trace takes them for one: see --only"));
}

static bool convert(struct importing *im)
{
	struct progress *progress = &im->s->print.progress;
	bool ok;

	if (!open_input(im))
		return false;
	if (!trace_create(im->s, im->output, im->disk, &im->writer))
		return false;
	status_catch_signals();
	progress_begin(progress, PHASE_TRACE);
	ok = (is_binary(im) ? read_records(im) : read_lines(im)) &&
	     !cancelled();
	progress_end(progress);
	return ok && has_requests(im) && fits_disk(im) && finish(im);
}

static int run_import(const struct command *self, int argc, char **argv)
{
	struct importing *im = calloc(1, sizeof(*im));
	int status = FSCK_ERROR;

	if (!im) {
		complain_error(NULL, ENOMEM);
		return status;
	}
	im->import.action = 'D';
	im->s = session_begin(self, argc, argv);
	if (im->s) {
		if (parse(im) && convert(im))
			print(im);
		e2lazy_trace_abort(im->writer);
		if (im->input && im->input != stdin)
			fclose(im->input);
		status = session_end(im->s);
	}
	free(im);
	return status;
}

const struct command trace_import_command = {
	.name = "trace import",
	.usage = "TEXT",
	.summary = N_("Make a trace file of another tool's trace"),
	.run = run_import,
	.options = import_options,
	.writes = WRITES_ANYTHING,
	.kind = COMMAND_READS,
};
