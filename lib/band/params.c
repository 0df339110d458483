/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * params.c - the parameters of a modelled drive: the table, and KEY=VALUE
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_ahead.h"

#define N_(text)	text

#define KIB		((uint64_t)1 << 10)
#define MIB		(KIB << 10)
#define GIB		(MIB << 10)
#define TIB		(GIB << 10)
#define PIB		(TIB << 10)
#define US		((uint64_t)1000)
#define MS		(1000 * US)
#define SECOND		(1000 * MS)
#define HOUR		(3600 * SECOND)

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

static const char *const kinds[] = {
	[E2LAZY_MODEL_CONVENTIONAL] = "conventional",
	[E2LAZY_MODEL_SHINGLED] = "shingled",
	[E2LAZY_MODEL_ZONE_CACHE] = "zone-cache",
	NULL
};
static const char *const mappings[] = {
	[E2LAZY_MAPPING_STATIC] = "static",
	[E2LAZY_MAPPING_DYNAMIC] = "dynamic",
	NULL
};
static const char *const cleans[] = {
	[E2LAZY_CLEAN_AGGRESSIVE] = "aggressive",
	[E2LAZY_CLEAN_IDLE] = "idle",
	[E2LAZY_CLEAN_THRESHOLD] = "threshold",
	NULL
};
static const char *const orders[] = {
	[E2LAZY_ORDER_FIFO] = "fifo",
	[E2LAZY_ORDER_GREEDY] = "greedy",
	NULL
};

#define WORDS(list)	E2LAZY_PARAM_WORD, 0, COUNT(list) - 2, true
#define SWITCH		E2LAZY_PARAM_NUMBER, 0, 1, true

static const struct e2lazy_param_info infos[E2LAZY_NR_PARAMS] = {
	[E2LAZY_PARAM_KIND] = { "kind", WORDS(kinds),
		E2LAZY_MODEL_CONVENTIONAL, kinds,
		N_("kind of the drive: conventional, shingled or zone-cache") },
	[E2LAZY_PARAM_DISK] = { "disk", E2LAZY_PARAM_SIZE, MIB, PIB, false,
		8001563222016ULL, NULL, N_("size of the disk") },
	[E2LAZY_PARAM_RATE_OUTER] = { "rate-outer", E2LAZY_PARAM_RATE, MIB,
		10 * GIB, false, 190 * MIB, NULL,
		N_("bytes per second at the outer edge") },
	[E2LAZY_PARAM_RATE_INNER] = { "rate-inner", E2LAZY_PARAM_RATE, MIB,
		10 * GIB, false, 100 * MIB, NULL,
		N_("bytes per second at the inner edge") },
	[E2LAZY_PARAM_RPM] = { "rpm", E2LAZY_PARAM_NUMBER, 60, 60000, false,
		5980, NULL, N_("revolutions per minute") },
	[E2LAZY_PARAM_SEEK_LEAST] = { "seek-least", E2LAZY_PARAM_TIME, 0,
		SECOND, true, 1500 * US, NULL, N_("time of a seek to the next "
						  "track") },
	[E2LAZY_PARAM_SEEK_MOST] = { "seek-most", E2LAZY_PARAM_TIME, 0, SECOND,
		true, 20 * MS, NULL, N_("time of a seek across the whole "
					"surface") },
	[E2LAZY_PARAM_DRAM] = { "dram", E2LAZY_PARAM_SIZE, MIB, 16 * GIB,
		false, 128 * MIB, NULL, N_("bytes of writes that memory "
					   "holds") },
	[E2LAZY_PARAM_READ_AHEAD] = { "read-ahead", E2LAZY_PARAM_SIZE,
		4 * KIB, GIB, true, 0, NULL,
		N_("bytes that the drive reads ahead; 0: none") },
	[E2LAZY_PARAM_SEGMENTS] = { "segments", E2LAZY_PARAM_NUMBER, 1,
		READ_SEGMENTS, false, 16, NULL, N_("places that it reads ahead at") },
	[E2LAZY_PARAM_BAND] = { "band", E2LAZY_PARAM_SIZE, MIB, TIB, false,
		30 * MIB, NULL, N_("size of a band, which is rewritten as a "
				   "whole") },
	[E2LAZY_PARAM_CACHE] = { "cache", E2LAZY_PARAM_SIZE, MIB, 100 * TIB,
		false, 25 * GIB, NULL, N_("size of the persistent cache") },
	[E2LAZY_PARAM_ENTRIES] = { "entries", E2LAZY_PARAM_NUMBER, 16,
		100000000, false, 250000, NULL,
		N_("limit of extents in the cache") },
	[E2LAZY_PARAM_ENTRY_SPACE] = { "entry-space", E2LAZY_PARAM_SIZE, 512,
		16 * MIB, false, 32 * KIB, NULL,
		N_("an extent takes a multiple of this in the cache") },
	[E2LAZY_PARAM_STREAM] = { "stream-least", E2LAZY_PARAM_SIZE, 4 * KIB,
		GIB, false, 8 * MIB, NULL,
		N_("length of a sequential run that bypasses the cache") },
	[E2LAZY_PARAM_RUNS] = { "runs", E2LAZY_PARAM_NUMBER, 1, 1024, false,
		32, NULL, N_("number of sequential runs that the drive follows "
			     "at once") },
	[E2LAZY_PARAM_RUN_TIMEOUT] = { "run-timeout", E2LAZY_PARAM_TIME, US,
		HOUR, false, 500 * MS, NULL,
		N_("a run ends after this time without a write") },
	[E2LAZY_PARAM_FLUSH_ENDS_RUNS] = { "flush-ends-runs", SWITCH, 1, NULL,
		N_("1: a flush ends the runs that memory holds") },
	[E2LAZY_PARAM_MAPPING] = { "mapping", WORDS(mappings),
		E2LAZY_MAPPING_STATIC, mappings,
		N_("static (writes a band twice) or dynamic (once)") },
	[E2LAZY_PARAM_CLEAN] = { "clean", WORDS(cleans), E2LAZY_CLEAN_IDLE,
		cleans, N_("aggressive, idle or threshold") },
	[E2LAZY_PARAM_ORDER] = { "order", WORDS(orders), E2LAZY_ORDER_FIFO,
		orders, N_("fifo (oldest first) or greedy (fullest first)") },
	[E2LAZY_PARAM_IDLE] = { "idle", E2LAZY_PARAM_TIME, 0, HOUR, true,
		SECOND, NULL, N_("idle time before cleaning begins") },
	[E2LAZY_PARAM_THRESHOLD] = { "threshold", E2LAZY_PARAM_NUMBER, 1, 100,
		true, 50, NULL,
		N_("percentage of the cache above which idle cleaning "
		   "begins") },
	[E2LAZY_PARAM_CLEAN_FIXED] = { "clean-fixed", E2LAZY_PARAM_TIME, 0,
		HOUR, true, 1800 * MS, NULL,
		N_("extra time of one cleaning besides its transfers") },
	[E2LAZY_PARAM_SMALL] = { "small", E2LAZY_PARAM_SIZE, 512, GIB, true,
		64 * KIB, NULL, N_("largest size of a small cached write") },
	[E2LAZY_PARAM_SMALL_COST] = { "small-cost", E2LAZY_PARAM_TIME, 0,
		SECOND, true, 3 * MS, NULL,
		N_("extra time of a small cached write") },
	[E2LAZY_PARAM_TORN] = { "torn", SWITCH, 1, NULL,
		N_("1: a stream that ends within data makes the band dirty") },
	[E2LAZY_PARAM_ZONE] = { "zone", E2LAZY_PARAM_SIZE, MIB, TIB, false,
		256 * MIB, NULL, N_("size of a zone") },
	[E2LAZY_PARAM_CONVENTIONAL] = { "conventional", E2LAZY_PARAM_NUMBER, 0,
		1000000, true, 0, NULL,
		N_("number of zones at the start that accept writes "
		   "anywhere") },
	[E2LAZY_PARAM_ZONES] = { "zones", E2LAZY_PARAM_NUMBER, 1, 65536, false,
		32, NULL, N_("limit of zones in memory") },
	[E2LAZY_PARAM_EXPIRY] = { "expiry", E2LAZY_PARAM_TIME, MS, 24 * HOUR,
		true, 30 * SECOND, NULL,
		N_("the drive writes a zone out after this time; 0: never by "
		   "itself") },
	[E2LAZY_PARAM_RESET] = { "reset", E2LAZY_PARAM_TIME, 0, SECOND, true,
		10 * MS, NULL, N_("time of a zone's reset") },
	[E2LAZY_PARAM_FLUSH_ZONES] = { "flush-zones", SWITCH, 0, NULL,
		N_("1: a flush writes out all zones") },
};

const struct e2lazy_param_info *e2lazy_param_info(enum e2lazy_param param)
{
	return param < E2LAZY_NR_PARAMS ? &infos[param] : NULL;
}

bool e2lazy_param_matters(enum e2lazy_param param, enum e2lazy_model_kind kind)
{
	if (param >= E2LAZY_PARAM_ZONE)
		return kind == E2LAZY_MODEL_ZONE_CACHE;
	if (param >= E2LAZY_PARAM_BAND)
		return kind == E2LAZY_MODEL_SHINGLED;
	return param < E2LAZY_PARAM_DRAM || kind != E2LAZY_MODEL_ZONE_CACHE;
}

void e2lazy_params_default(struct e2lazy_params *out)
{
	memset(out, 0, sizeof(*out));
	for (unsigned i = 0; i < E2LAZY_NR_PARAMS; i++) {
		out->value[i] = infos[i].usual;
		out->origin[i] = E2LAZY_ORIGIN_ASSUMED;
	}
}

/* ---------------------------------------------------------- KEY=VALUE */

struct unit {
	const char	*name;
	uint64_t	factor;
};

static const struct unit sizes[] = {
	{ "", 1 }, { "K", KIB }, { "M", MIB }, { "G", GIB }, { "T", TIB },
	{ NULL, 0 }
};
static const struct unit times[] = {
	{ "us", US }, { "ms", MS }, { "s", SECOND }, { "min", 60 * SECOND },
	{ NULL, 0 }
};
static const struct unit plain[] = { { "", 1 }, { NULL, 0 } };

/* Digits and one of @units; no sign, no blanks, no overflow. */
static bool parse_with(const char *text, const struct unit *units,
		       uint64_t *out)
{
	size_t digits = strspn(text, "0123456789");
	uint64_t value;

	if (!digits || digits > 18)
		return false;
	value = strtoull(text, NULL, 10);
	if (!value && !text[digits]) {
		*out = 0;
		return true;
	}
	for (; units->name; units++)
		if (!strcmp(text + digits, units->name)) {
			*out = value * units->factor;
			return value <= UINT64_MAX / units->factor;
		}
	return false;
}

static bool parse_word(const char *text, const char *const *words,
		       uint64_t *out)
{
	for (*out = 0; words[*out]; ++*out)
		if (!strcmp(words[*out], text))
			return true;
	return false;
}

static bool parse_value(const struct e2lazy_param_info *info, const char *text,
			uint64_t *out)
{
	bool good = false;

	switch (info->type) {
	case E2LAZY_PARAM_SIZE:
	case E2LAZY_PARAM_RATE:
		good = parse_with(text, sizes, out);
		break;
	case E2LAZY_PARAM_TIME:
		good = parse_with(text, times, out);
		break;
	case E2LAZY_PARAM_NUMBER:
		good = parse_with(text, plain, out);
		break;
	case E2LAZY_PARAM_WORD:
		return parse_word(text, info->words, out);
	}
	return good && (*out ? *out >= info->least && *out <= info->most :
			       info->zero);
}

bool e2lazy_params_set(struct e2lazy_params *params, const char *text,
		       enum e2lazy_origin origin, const char *source)
{
	size_t length = strcspn(text, "=");
	uint64_t value;

	for (unsigned i = 0; text[length] && i < E2LAZY_NR_PARAMS; i++) {
		if (strlen(infos[i].key) != length ||
		    strncmp(infos[i].key, text, length))
			continue;
		if (!parse_value(&infos[i], text + length + 1, &value))
			return false;
		params->value[i] = value;
		params->origin[i] = origin;
		snprintf(params->source[i], E2LAZY_SOURCE_TEXT, "%s", source);
		return true;
	}
	return false;
}
