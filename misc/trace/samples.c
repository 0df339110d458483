/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * samples.c - the series in a document of e2lazy simulate --json --series
 *
 * It reads JSON as far as that document needs it: the members "series", which
 * are arrays of flat objects of numbers, and before each of them "trace" and
 * "journal", its names.  Everything else is passed over.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "support/nls.h"
#include "support/status.h"
#include "trace/regular.h"

#define MOST_BYTES	(16 << 20)	/* of a document */
#define MOST_WORD	64

struct scan {
	const char	*at, *end;
	char		word[MOST_WORD];	/* the last string or number */
};

/*
 * The next token: its first character, '"' for a string and '0' for a number
 * or a name, 0 at the end.
 */
static char next(struct scan *s)
{
	size_t n = 0;
	char kind;

	while (s->at < s->end && strchr(" \t\r\n,:", *s->at))
		s->at++;
	if (s->at == s->end)
		return 0;
	kind = *s->at++;
	if (strchr("{}[]", kind))
		return kind;
	if (kind != '"') {
		s->at--;
		kind = '0';
	}
	for (; s->at < s->end; s->at++) {
		if (kind == '"' ? *s->at == '"' :
				  strchr(" \t\r\n,:{}[]\"", *s->at) != NULL)
			break;
		if (*s->at == '\\' && s->at + 1 < s->end)
			s->at++;
		if (n < MOST_WORD - 1)
			s->word[n++] = *s->at;
	}
	s->at += kind == '"' && s->at < s->end;
	s->word[n] = '\0';
	return kind;
}

/* A number of the document as our unit; false for another word. */
static bool number(const struct scan *s, double unit, uint64_t *value)
{
	char *end;
	double read = strtod(s->word, &end) * unit;

	if (!*s->word || *end || !(read >= 0 && read < 1e19))
		return false;
	*value = (uint64_t)(read + 0.5);
	return true;
}

/* One sample, behind its '{'. */
static bool read_sample(struct scan *s, struct e2lazy_sample *out,
			uint64_t *at)
{
	const struct {
		const char	*key;
		uint64_t	*value;
		double		unit;
	} keys[] = {
		{ "at_s", at, 1e9 }, { "cleaning_s", &out->clean_ns, 1e9 },
		{ "read", &out->read, 1 }, { "written", &out->written, 1 },
		{ "fill", &out->fill, 1 }, { "dirty", &out->dirty, 1 },
	};
	char kind;

	while ((kind = next(s)) == '"') {
		uint64_t unused, *value = &unused;
		double unit = 1;

		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			if (!strcmp(keys[i].key, s->word)) {
				value = keys[i].value;
				unit = keys[i].unit;
			}
		if (next(s) != '0' || !number(s, unit, value))
			return false;
	}
	return kind == '}';
}

static bool read_series(struct scan *s, struct e2lazy_series *series)
{
	uint64_t at[E2LAZY_SAMPLES];
	char kind;

	memset(series, 0, sizeof(*series));
	memset(at, 0, sizeof(at));
	while ((kind = next(s)) == '{') {
		unsigned i = series->count++;

		if (i == E2LAZY_SAMPLES ||
		    !read_sample(s, &series->sample[i], &at[i]))
			return false;
	}
	series->period = series->count > 1 && at[1] > at[0] ? at[1] - at[0] :
							      1000000000;
	/* The times of all samples fit in the number. */
	return kind == ']' && series->count &&
	       series->period <= UINT64_MAX / (4 * E2LAZY_SAMPLES);
}

/* A string behind the key @key, if that is what the scan has just read. */
static void take_name(struct scan *s, const char *key, char name[MOST_WORD])
{
	struct scan ahead = *s;

	if (!strcmp(s->word, key) && next(&ahead) == '"') {
		*s = ahead;
		memcpy(name, s->word, MOST_WORD);
	}
}

/* The @wanted series of the document, from 1. */
static bool find(struct scan s, uint64_t wanted, struct result *out)
{
	char trace[MOST_WORD] = "", journal[MOST_WORD] = "", kind;

	while ((kind = next(&s))) {
		if (kind != '"')
			continue;
		if (!strcmp(s.word, "series") && next(&s) == '[' && !--wanted) {
			snprintf(out->label, sizeof(out->label), "%.60s, %.20s",
				 trace, journal);
			return read_series(&s, &out->series);
		}
		take_name(&s, "trace", trace);
		take_name(&s, "journal", journal);
	}
	return false;
}

static bool find_all(struct plot *p, const char *text, size_t size)
{
	struct scan scan = { .at = text, .end = text + size };

	for (unsigned i = 0; i < p->nr_results; i++) {
		const char *path = p->s->operands[0];

		if (!find(scan, p->wanted[i], &p->results[i]))
			complain(path, _("no series %llu, as of e2lazy "
					 "simulate --json --series"),
				 (unsigned long long)p->wanted[i]);
		else if (!window_crop(&p->window, &p->results[i]))
			complain(path, _("result %llu has no sample since that "
					 "time"),
				 (unsigned long long)p->wanted[i]);
		else
			continue;
		p->s->status |= FSCK_ERROR;
		return false;
	}
	return true;
}

static errcode_t open_document(const char *path, FILE **f)
{
	uint64_t unused;
	int fd;
	errcode_t err = open_regular(path, &fd, &unused);

	*f = err ? NULL : fdopen(fd, "r");
	if (*f || err)
		return err;
	err = errno;
	close(fd);
	return err;
}

bool samples_are(const char *path)
{
	FILE *f;
	int c = open_document(path, &f) ? EOF : getc(f);

	if (f)
		fclose(f);
	return c == '{';
}

static errcode_t read_document(const char *path, char *text, size_t *size)
{
	FILE *f;
	errcode_t err = open_document(path, &f);

	if (err)
		return err;
	errno = 0;
	*size = fread(text, 1, MOST_BYTES, f);
	if (ferror(f))
		err = errno ? errno : EIO;
	fclose(f);
	return err;
}

static char *whole_file(const char *path, size_t *size)
{
	char *text = malloc(MOST_BYTES);
	errcode_t err = text ? read_document(path, text, size) : ENOMEM;

	if (!err)
		return text;
	complain_error(path, err);
	free(text);
	return NULL;
}

bool samples_read(struct plot *p)
{
	size_t size;
	char *text = whole_file(p->s->operands[0], &size);
	bool ok;

	if (!text) {
		p->s->status |= FSCK_ERROR;
		return false;
	}
	ok = find_all(p, text, size);
	free(text);
	return ok;
}

static void tsv_of(const struct result *r, uint64_t number, struct out *out)
{
	const struct e2lazy_series *series = &r->series;

	for (unsigned i = 0; i < series->count; i++) {
		const struct e2lazy_sample *s = &series->sample[i];

		out_format(out, "%.3f\t%llu\t%llu\t%.3f\t%llu\t%llu\t%llu\n",
			   ((double)r->first + (double)series->period * i) /
			   1e9,
			   (unsigned long long)s->read,
			   (unsigned long long)s->written,
			   (double)s->clean_ns / 1e9,
			   (unsigned long long)s->fill,
			   (unsigned long long)s->dirty,
			   (unsigned long long)number);
	}
}

/* Two empty lines begin another data set for gnuplot. */
void samples_tsv(const struct plot *p, struct out *out)
{
	out_text(out, "# at_s\tread\twritten\tcleaning_s\tfill\tdirty\t"
		      "result\n");
	for (unsigned i = 0; i < p->nr_results; i++) {
		out_text(out, i ? "\n\n" : "");
		tsv_of(&p->results[i], p->wanted[i], out);
	}
}
