/* SPDX-License-Identifier: GPL-2.0-only */
/* geometry.c - the argument of --geometry, read and written */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uuid/uuid.h>

#include "geometry.h"
#include "support/nls.h"
#include "support/units.h"

#define LONGEST_UUID 36

static const char *const csums[] = {
	[E2LAZY_CSUM_NONE] = "none", [E2LAZY_CSUM_V1] = "v1",
	[E2LAZY_CSUM_V2] = "v2", [E2LAZY_CSUM_V3] = "v3",
};

const char *geometry_csum(enum e2lazy_csum csum)
{
	return csums[csum];
}

const char *geometry_none(const struct geometry *g)
{
	if (g->pieces.has || g->nr_runs)
		return _("no whole transaction of the log fits that "
			 "--geometry");
	if (g->carve)
		return _("no log was found: no block of the file system's "
			 "device belongs to a whole transaction, and a journal "
			 "device is not searched");
	return _("nothing is left of the log: its blocks hold no whole "
		 "transaction");
}

/* ----------------------------------------------------------- one key */

static bool take_csum(struct geometry *g, const char *text)
{
	for (unsigned i = 0; i < sizeof(csums) / sizeof(*csums); i++) {
		if (!strcmp(text, csums[i])) {
			g->pieces.csum = i;
			return true;
		}
	}
	return false;
}

static bool take_64bit(struct geometry *g, const char *text)
{
	g->pieces.is_64bit = !strcmp(text, "yes");
	return g->pieces.is_64bit || !strcmp(text, "no");
}

static bool take_uuid(struct geometry *g, const char *text)
{
	return !uuid_parse(text, g->pieces.uuid);
}

/* PHYSBLK+COUNT, with a slash to the next run. */
static bool take_runs(struct geometry *g, char *text)
{
	char *run, *save = NULL;

	g->nr_runs = 0;
	for (run = strtok_r(text, "/", &save); run;
	     run = strtok_r(NULL, "/", &save)) {
		char *plus = strchr(run, '+');
		uint64_t physblk, count;

		if (!plus || g->nr_runs == GEOMETRY_RUNS)
			return false;
		*plus++ = '\0';
		if (!parse_number(run, UINT64_MAX, &physblk) ||
		    !parse_number(plus, UINT32_MAX, &count))
			return false;
		g->runs[g->nr_runs++] = (struct e2lazy_log_run){
			physblk, (uint32_t)count,
		};
	}
	return g->nr_runs;
}

static bool take_number(const char *text, uint32_t *number)
{
	uint64_t value;
	bool good = parse_number(text, UINT32_MAX, &value);

	if (good)
		*number = (uint32_t)value;
	return good;
}

static bool take_key(struct geometry *g, const char *key, char *value)
{
	struct e2lazy_parts *p = &g->pieces;
	const struct {
		const char *key;
		enum e2lazy_part piece;
		uint32_t *number;
		bool (*take)(struct geometry *g, const char *text);
	} keys[] = {
		{ "blocks", E2LAZY_PART_BLOCKS, &p->blocks, NULL },
		{ "first", E2LAZY_PART_FIRST, &p->first, NULL },
		{ "fast", E2LAZY_PART_FAST, &p->fast, NULL },
		{ "start", E2LAZY_PART_START, &p->start, NULL },
		{ "sequence", E2LAZY_PART_SEQUENCE, &p->sequence, NULL },
		{ "csum", E2LAZY_PART_CSUM, NULL, take_csum },
		{ "64bit", E2LAZY_PART_64BIT, NULL, take_64bit },
		{ "uuid", E2LAZY_PART_UUID, NULL, take_uuid },
	};

	if (!strcmp(key, "runs"))
		return take_runs(g, value);
	for (unsigned i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (strcmp(key, keys[i].key))
			continue;
		p->has |= 1U << keys[i].piece;
		return keys[i].number ? take_number(value, keys[i].number) :
					keys[i].take(g, value);
	}
	return false;
}

static bool take_word(struct geometry *g, char *word)
{
	char *equals = strchr(word, '=');
	uint64_t number;

	if (equals) {
		*equals++ = '\0';
		return take_key(g, word, equals);
	}
	if (!strcmp(word, "auto"))
		return true;
	if (!strcmp(word, "carve"))
		return g->carve = true;
	if (!parse_number(word, UINT32_MAX, &number) || !number)
		return false;
	g->number = (unsigned)number;
	return true;
}

bool geometry_parse(struct geometry *g, const char *text)
{
	char *copy = strdup(text), *word, *save = NULL;
	bool good = copy && *copy;

	memset(g, 0, sizeof(*g));
	g->text = text;
	for (word = good ? strtok_r(copy, ",", &save) : NULL; good && word;
	     word = strtok_r(NULL, ",", &save))
		good = take_word(g, word);
	free(copy);
	return good;
}

/* ------------------------------------------------------------- the text */

static void put_runs(FILE *out, const struct e2lazy_candidate *c)
{
	for (size_t i = 0; i < c->nr_runs; i++)
		fprintf(out, "%s%llu+%u", i ? "/" : "runs=",
			(unsigned long long)c->runs[i].physblk,
			c->runs[i].count);
	if (c->nr_runs)
		fputc(',', out);
}

char *geometry_text(const struct e2lazy_candidate *c)
{
	const struct e2lazy_geometry *g = &c->geometry;
	char uuid[LONGEST_UUID + 1], *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	put_runs(out, c);
	fprintf(out, "blocks=%u,first=%u,fast=%u,csum=%s,64bit=%s", g->maxlen,
		g->first, g->maxlen - g->end, csums[g->csum],
		g->incompat & E2LAZY_INCOMPAT_64BIT ? "yes" : "no");
	if (g->csum >= E2LAZY_CSUM_V2) {
		uuid_unparse_lower(g->uuid, uuid);
		fprintf(out, ",uuid=%s", uuid);
	}
	fprintf(out, ",start=%u,sequence=%u", g->start, g->sequence);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* ------------------------------------------------------- the candidates */

errcode_t geometry_find(const char *device,
			const struct e2lazy_open_opts *wanted,
			const struct geometry *g,
			const struct e2lazy_watch *watch,
			struct e2lazy_salvage **out,
			struct e2lazy_where *where)
{
	struct e2lazy_open_opts opts = *wanted;
	const struct e2lazy_salvage_opts how = {
		.flags = g->carve ? E2LAZY_SALVAGE_CARVE : 0,
		.pieces = &g->pieces,
		.watch = watch,
	};

	if (g->nr_runs) {
		opts.runs = g->runs;
		opts.nr_runs = g->nr_runs;
	}
	return e2lazy_salvage(device, &opts, &how, out, where);
}
