/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * import.c - the traces of other tools, line by line
 *
 *	blkparse  "8,0 3 1 0.000000000 697 D WSM 223490 + 8 [kjournald]"
 *	fio       "/dev/sda write 4096 8192", version 3 with microseconds before
 *	msr       "128166372003061629,usr,0,Write,7014609920,24576,41286"
 *	ftrace    "sh-1 [000] d..1 5.000001: block_rq_issue: 8,0 W 4096 () 8 + 8 [sh]"
 */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "rwbs.h"

#define SECTOR		512
#define MOST_SECTOR	((uint64_t)INT64_MAX / SECTOR)
#define EVENT		"block_rq_issue:"

const char *e2lazy_trace_format_name(enum e2lazy_trace_format format)
{
	static const char *const names[E2LAZY_NR_TRACE_FORMATS] = {
		[E2LAZY_TRACE_BLKPARSE] = "blkparse",
		[E2LAZY_TRACE_FIO] = "fio",
		[E2LAZY_TRACE_MSR] = "msr",
		[E2LAZY_TRACE_FTRACE] = "ftrace",
		[E2LAZY_TRACE_BLKTRACE] = "blktrace",
	};

	return format < E2LAZY_NR_TRACE_FORMATS ? names[format] : NULL;
}

/* --------------------------------------------------------------- words */

/* A number up to @most, followed by @end; moves @text on. */
static bool take_number(const char **text, const char *end, uint64_t most,
			uint64_t *value)
{
	const char *p = *text;

	*value = 0;
	if (!isdigit((unsigned char)*p))
		return false;
	for (; isdigit((unsigned char)*p); p++) {
		unsigned digit = *p - '0';

		if (*value > (most - digit) / 10)
			return false;
		*value = *value * 10 + digit;
	}
	if (*p ? !strchr(end, *p) : strchr(end, '$') == NULL)
		return false;
	*text = p;
	return true;
}

/* "12.000345" as nanoseconds; up to nine digits behind the point. */
static bool parse_seconds(const char *text, const char *end, uint64_t *ns)
{
	uint64_t seconds, unit = 1000000000;

	if (!take_number(&text, ".", INT64_MAX / 1000000000 - 1, &seconds))
		return false;
	*ns = seconds * unit;
	while (isdigit((unsigned char)*++text)) {
		unit /= 10;
		*ns += (*text - '0') * unit;
	}
	return unit && unit < 1000000000 && text == end;
}

/* The word behind the blanks; NULL: there is none. */
static const char *skip_words(const char *text, unsigned count)
{
	text += strspn(text, " \t");
	while (count-- && *text) {
		text += strcspn(text, " \t");
		text += strspn(text, " \t");
	}
	return *text ? text : NULL;
}

static bool is_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	return !strncmp(text, word, length) &&
	       (!text[length] || isspace((unsigned char)text[length]));
}

bool import_takes(struct e2lazy_import *im, const char *name, size_t length)
{
	size_t most = sizeof(im->taken) - 1;

	if (im->device)
		return strlen(im->device) == length &&
		       !strncmp(name, im->device, length);
	if (length > most)
		length = most;
	if (!*im->taken)
		memcpy(im->taken, name, length);
	else if (strlen(im->taken) != length ||
		 memcmp(name, im->taken, length))
		im->several = true;
	return true;
}

/* Does it still end within 2^63 when widened to sectors? */
static bool is_possible(const struct e2lazy_request *r)
{
	return r->offset <= INT64_MAX - SECTOR &&
	       r->length <= INT64_MAX - SECTOR - r->offset;
}

static uint64_t since_first(struct e2lazy_import *im, uint64_t t)
{
	if (!im->began)
		im->first = t;
	im->began = true;
	return t > im->first ? t - im->first : 0;
}

/* -------------------------------------------- the kernel's letters */

/*
 * blkparse prints a place for data only.  Without data there may be a number,
 * then the words in brackets follow: of a flush, or of a command of SCSI.
 */
static bool is_without_data(const char *place)
{
	uint64_t number;

	if (take_number(&place, " \t", UINT64_MAX, &number))
		place += strspn(place, " \t");
	return *place == '(' || *place == '[';
}

/* @place is "SECTOR + COUNT". */
static errcode_t put_requests(const char *rwbs, const char *place, uint64_t t,
			      struct e2lazy_request out[2], unsigned *count)
{
	struct e2lazy_request r = { .t = t };
	uint64_t sector, sectors;
	bool flush;

	if (!trace_rwbs(rwbs, &r, &flush))
		return 0;
	if (flush)
		out[(*count)++] = (struct e2lazy_request) {
			.t = t, .op = E2LAZY_OP_FLUSH,
		};
	if (r.op == E2LAZY_OP_FLUSH || (place && is_without_data(place)))
		return 0;
	if (!place || !take_number(&place, " \t", UINT64_MAX, &sector) ||
	    strncmp(place += strspn(place, " \t"), "+ ", 2) ||
	    (place += 2, !take_number(&place, " \t$", MOST_SECTOR, &sectors)))
		return E2LAZY_ET_TRACE_LINE;
	if (!sectors)
		return 0;
	if (sector > MOST_SECTOR - sectors)
		return E2LAZY_ET_TRACE_LINE;
	r.offset = sector * SECTOR;
	r.length = sectors * SECTOR;
	out[(*count)++] = r;
	return 0;
}

/* ------------------------------------------------------------ blkparse */

static bool is_device(const char *text)
{
	uint64_t number;

	return take_number(&text, ",", UINT32_MAX, &number) && text++ &&
	       take_number(&text, " \t", UINT32_MAX, &number);
}

/*
 * Skips summaries and messages: they begin differently or have other actions.
 */
static errcode_t line_of_blkparse(struct e2lazy_import *im, const char *line,
				  struct e2lazy_request out[2],
				  unsigned *count)
{
	const char *device = skip_words(line, 0), *time = skip_words(line, 3);
	const char *action = skip_words(line, 5), *rwbs = skip_words(line, 6);
	uint64_t t;

	if (!device || !is_device(device) || !rwbs)
		return 0;
	if (action[0] != im->action || !isspace((unsigned char)action[1]) ||
	    !import_takes(im, device, strcspn(device, " \t")))
		return 0;
	if (!parse_seconds(time, time + strcspn(time, " \t"), &t))
		return E2LAZY_ET_TRACE_LINE;
	return put_requests(rwbs, skip_words(line, 7), since_first(im, t), out,
			    count);
}

/* -------------------------------------------------------------- ftrace */

/* The word before the event is the time, with a colon behind it. */
static const char *time_before(const char *line, const char *event)
{
	while (event > line && isspace((unsigned char)event[-1]))
		event--;
	while (event > line && !isspace((unsigned char)event[-1]))
		event--;
	return event;
}

/* perf writes "block:" before the name, where no blank is. */
static errcode_t line_of_ftrace(struct e2lazy_import *im, const char *line,
				struct e2lazy_request out[2], unsigned *count)
{
	const char *event = strstr(line, EVENT), *rest, *place, *time;
	uint64_t t;

	if (!event)
		return 0;
	rest = skip_words(event + strlen(EVENT), 0);
	if (event - line > 6 && !strncmp(event - 6, "block:", 6))
		event -= 6;
	time = time_before(line, event);
	if (!rest || !is_device(rest) || !skip_words(rest, 1) ||
	    !parse_seconds(time, time + strcspn(time, ":"), &t))
		return E2LAZY_ET_TRACE_LINE;
	if (!import_takes(im, rest, strcspn(rest, " \t")))
		return 0;
	/* A command may stand in the parentheses. */
	place = strchr(rest, ')');
	return put_requests(skip_words(rest, 1),
			    place ? skip_words(place + 1, 0) : NULL,
			    since_first(im, t), out, count);
}

/* ----------------------------------------------------------------- fio */

static errcode_t head_of_fio(struct e2lazy_import *im, const char *line)
{
	if (sscanf(line, "fio version %d iolog", &im->version) != 1 ||
	    im->version < 2 || im->version > 3)
		return E2LAZY_ET_TRACE_LINE;
	return 0;
}

static errcode_t action_of_fio(struct e2lazy_import *im, const char *action,
			       struct e2lazy_request out[2], unsigned *count)
{
	static const struct { const char *word; enum e2lazy_op op; } ops[] = {
		{ "read", E2LAZY_OP_READ }, { "write", E2LAZY_OP_WRITE },
		{ "trim", E2LAZY_OP_DISCARD }, { "sync", E2LAZY_OP_FLUSH },
		{ "datasync", E2LAZY_OP_FLUSH },
		{ "sync_file_range", E2LAZY_OP_FLUSH },
		{ "wait", E2LAZY_NR_OPS }, { "add", E2LAZY_NR_OPS },
		{ "open", E2LAZY_NR_OPS }, { "close", E2LAZY_NR_OPS },
	};
	struct e2lazy_request r = { .t = im->now };
	const char *numbers;
	size_t i = 0;

	while (i < 10 && !is_word(action, ops[i].word))
		i++;
	if (i == 10)
		return E2LAZY_ET_TRACE_LINE;
	r.op = ops[i].op;
	numbers = skip_words(action, 1);
	if (is_word(action, "wait")) {
		if (!numbers || !take_number(&numbers, " \t$",
					     INT64_MAX / 1000, &r.offset) ||
		    r.offset * 1000 > INT64_MAX - im->now)
			return E2LAZY_ET_TRACE_LINE;
		im->now += r.offset * 1000;
	}
	if (r.op == E2LAZY_NR_OPS)
		return 0;
	if (r.op != E2LAZY_OP_FLUSH &&
	    (!numbers || !take_number(&numbers, " \t", INT64_MAX, &r.offset) ||
	     (numbers += strspn(numbers, " \t"),
	      !take_number(&numbers, " \t$", INT64_MAX, &r.length)) ||
	     !is_possible(&r)))
		return E2LAZY_ET_TRACE_LINE;
	if (r.length || r.op == E2LAZY_OP_FLUSH)
		out[(*count)++] = r;
	return 0;
}

static errcode_t line_of_fio(struct e2lazy_import *im, const char *line,
			     struct e2lazy_request out[2], unsigned *count)
{
	const char *name = skip_words(line, 0);
	uint64_t us;

	if (!im->version)
		return head_of_fio(im, line);
	if (!name)
		return 0;
	if (im->version == 3) {
		if (!take_number(&name, " \t", INT64_MAX / 1000, &us))
			return E2LAZY_ET_TRACE_LINE;
		im->now = us * 1000;
		name = skip_words(name, 0);
	}
	if (!name || !skip_words(name, 1))
		return E2LAZY_ET_TRACE_LINE;
	if (!import_takes(im, name, strcspn(name, " \t")))
		return 0;
	return action_of_fio(im, skip_words(name, 1), out, count);
}

/* ----------------------------------------------------------------- MSR */

/* Timestamp (100 ns), Hostname, DiskNumber, Type, Offset, Size, ResponseTime */
static errcode_t line_of_msr(struct e2lazy_import *im, const char *line,
			     struct e2lazy_request out[2], unsigned *count)
{
	struct e2lazy_request r = { .t = 0 };
	uint64_t t;
	const char *disk;

	if (!*line || !strncmp(line, "Timestamp,", 10))
		return 0;
	if (!take_number(&line, ",", INT64_MAX, &t) ||
	    !(line = strchr(line + 1, ',')))
		return E2LAZY_ET_TRACE_LINE;
	disk = ++line;
	line += strcspn(line, ",");
	if (*line++ != ',')
		return E2LAZY_ET_TRACE_LINE;
	if (!import_takes(im, disk, strcspn(disk, ",")))
		return 0;
	if (!strncmp(line, "Read,", 5))
		r.op = E2LAZY_OP_READ;
	else if (!strncmp(line, "Write,", 6))
		r.op = E2LAZY_OP_WRITE;
	else
		return E2LAZY_ET_TRACE_LINE;
	line = strchr(line, ',') + 1;
	if (!take_number(&line, ",", INT64_MAX, &r.offset) || !line++ ||
	    !take_number(&line, ",$", INT64_MAX, &r.length) ||
	    !is_possible(&r))
		return E2LAZY_ET_TRACE_LINE;
	t = since_first(im, t);
	if (t > INT64_MAX / 100)
		return E2LAZY_ET_TRACE_LINE;
	r.t = t * 100;
	if (r.length)
		out[(*count)++] = r;
	return 0;
}

/* ----------------------------------------------------------- any of them */

typedef errcode_t (*line_fn)(struct e2lazy_import *im, const char *line,
			     struct e2lazy_request out[2], unsigned *count);

static const line_fn lines[E2LAZY_NR_TRACE_FORMATS] = {
	[E2LAZY_TRACE_BLKPARSE] = line_of_blkparse,
	[E2LAZY_TRACE_FIO] = line_of_fio,
	[E2LAZY_TRACE_MSR] = line_of_msr,
	[E2LAZY_TRACE_FTRACE] = line_of_ftrace,
};

errcode_t e2lazy_import_line(struct e2lazy_import *im, const char *line,
			     struct e2lazy_request out[2], unsigned *count)
{
	errcode_t err;

	*count = 0;
	if (im->format >= E2LAZY_NR_TRACE_FORMATS || !lines[im->format])
		return EXT2_ET_INVALID_ARGUMENT;
	err = lines[im->format](im, line, out, count);
	if (err)
		*count = 0;
	return err;
}

enum e2lazy_trace_format e2lazy_trace_guess(const char *line)
{
	const char *device = skip_words(line, 0);
	uint64_t number;

	if (!strncmp(line, "fio version ", 12))
		return E2LAZY_TRACE_FIO;
	if (!strncmp(line, "Timestamp,", 10) ||
	    take_number(&line, ",", INT64_MAX, &number))
		return device && is_device(device) ? E2LAZY_TRACE_BLKPARSE :
						     E2LAZY_TRACE_MSR;
	if (device && is_device(device))
		return E2LAZY_TRACE_BLKPARSE;
	return strstr(line, EVENT) ? E2LAZY_TRACE_FTRACE :
				     E2LAZY_NR_TRACE_FORMATS;
}
