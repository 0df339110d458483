/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * models.c - read the list of drive models (misc/data/mke2lazy-drives)
 *
 * A line is "CLASS CONFIDENCE SOURCE FACTS PATTERN"; the pattern is the rest of
 * the line with all its spaces.  The source decides how much a line counts: a
 * model that only a community's list has is a hint, never more.
 */

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "models.h"

#define LEAST		(1UL << 20)
#define MOST_LINES	10000
#define MOST_LENGTH	512

struct model_line {
	regex_t		pattern;
	enum model_kind	kind;
	struct model_match match;
	uint64_t	band, stream;
	char		*params;	/* facts of a "sim" line */
	enum e2lazy_origin origin;
};

struct models {
	struct model_line *lines;
	size_t		count, room;
};

static const struct {
	const char	*word;
	enum model_kind	kind;
} classes[] = {
	{ "dm",		MODEL_DEVICE_MANAGED },
	{ "ha",		MODEL_HOST_AWARE },
	{ "hm",		MODEL_HOST_MANAGED },
	{ "cmr",	MODEL_CONVENTIONAL },
	{ "virtual",	MODEL_VIRTUAL },
	{ "sim",	MODEL_SIMULATED },
};

static const struct {
	const char	*word;
	bool		believed;
	enum e2lazy_origin origin;
} sources[] = {
	/* its maker's statement */
	{ "vendor",	true,	E2LAZY_ORIGIN_PUBLISHED },
	/* smartmontools' database */
	{ "drivedb",	true,	E2LAZY_ORIGIN_PUBLISHED },
	/* measured, published and reviewed */
	{ "paper",	true,	E2LAZY_ORIGIN_PUBLISHED },
	/* a virtual machine's name for it */
	{ "emulator",	true,	E2LAZY_ORIGIN_PUBLISHED },
	{ "community",	false,	E2LAZY_ORIGIN_PUBLISHED },
	/* of "sim" lines only */
	{ "fitted",	false,	E2LAZY_ORIGIN_FITTED },
	{ "assumed",	false,	E2LAZY_ORIGIN_ASSUMED },
};

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

static bool parse_class(const char *word, struct model_line *line)
{
	for (size_t i = 0; i < COUNT(classes); i++)
		if (!strcmp(word, classes[i].word)) {
			line->kind = classes[i].kind;
			return true;
		}
	return false;
}

static bool parse_confidence(const char *word, struct model_line *line)
{
	char *end;
	long value = strtol(word, &end, 10);

	if (*word < '0' || *word > '9' || *end || value < 1 || value > 100)
		return false;
	line->match.confidence = value;
	return true;
}

static bool is_shingled(enum model_kind kind)
{
	return kind == MODEL_DEVICE_MANAGED || kind == MODEL_HOST_AWARE ||
	       kind == MODEL_HOST_MANAGED;
}

/* "drivedb" or "drivedb/family". */
static bool parse_source(const char *word, struct model_line *line)
{
	size_t length = strcspn(word, "/");

	if (strlen(word) >= sizeof(line->match.source))
		return false;
	for (size_t i = 0; i < COUNT(sources); i++) {
		if (strlen(sources[i].word) != length ||
		    strncmp(word, sources[i].word, length))
			continue;
		if (!sources[i].believed && is_shingled(line->kind))
			line->kind = MODEL_RUMOURED;
		strcpy(line->match.source, word);
		line->origin = sources[i].origin;
		return line->kind == MODEL_SIMULATED ||
		       line->origin == E2LAZY_ORIGIN_PUBLISHED;
	}
	return false;
}

/*
 * A whole number with an optional binary unit K, M or G; bytes.  Less than 1
 * MiB is a typo, for a band and for a second of streaming.
 */
static bool parse_size(const char *text, uint64_t *out)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || !value || value > 1UL << 20)
		return false;
	*out = value;
	if (!*end)
		return value >= LEAST;
	unit = strchr(units, *end);
	if (!unit || end[1])
		return false;
	*out <<= 10 * (unit - units + 1);
	return *out >= LEAST;
}

/* Add the parameters that @params lacks; false if @facts has a wrong one. */
static bool add_params(const char *facts, struct e2lazy_params *params,
		       enum e2lazy_origin origin, const char *source,
		       bool has[E2LAZY_NR_PARAMS])
{
	char *copy = strdup(facts), *fact, *rest = NULL;
	bool good = copy != NULL;

	for (fact = copy ? strtok_r(copy, ",", &rest) : NULL; good && fact;
	     fact = strtok_r(NULL, ",", &rest)) {
		struct e2lazy_params one = *params;
		unsigned i = 0;

		good = e2lazy_params_set(&one, fact, E2LAZY_NR_ORIGINS, source);
		while (good && one.origin[i] != E2LAZY_NR_ORIGINS)
			i++;
		if (!good || has[i])
			continue;
		has[i] = true;
		e2lazy_params_set(params, fact, origin, source);
	}
	free(copy);
	return good;
}

/* "kind=shingled,band=30M": the parameters of a simulated drive. */
static bool parse_params(const char *word, struct model_line *line)
{
	bool has[E2LAZY_NR_PARAMS] = { false };
	struct e2lazy_params params;

	e2lazy_params_default(&params);
	if (!add_params(word, &params, line->origin, "", has))
		return false;
	line->params = strdup(word);
	return line->params != NULL;
}

/* "-", or "band=30M,stream=190M" with one or both. */
static bool parse_facts(char *word, struct model_line *line)
{
	char *fact, *rest = NULL;

	if (line->kind == MODEL_SIMULATED)
		return parse_params(word, line);
	if (!strcmp(word, "-"))
		return true;
	for (fact = strtok_r(word, ",", &rest); fact;
	     fact = strtok_r(NULL, ",", &rest)) {
		bool good = !strncmp(fact, "band=", 5) ?
				    parse_size(fact + 5, &line->band) :
			    !strncmp(fact, "stream=", 7) ?
				    parse_size(fact + 7, &line->stream) :
				    false;

		if (!good)
			return false;
	}
	return true;
}

/* Anchored at the start only, because INQUIRY cuts a long model. */
static bool parse_pattern(const char *text, struct model_line *line)
{
	char anchored[MOST_LENGTH + 8];

	if (!*text)
		return false;
	snprintf(anchored, sizeof(anchored), "^(%s)", text);
	return regcomp(&line->pattern, anchored, REG_EXTENDED | REG_NOSUB) == 0;
}

static char *next_word(char **text)
{
	char *word = *text + strspn(*text, " \t");

	*text = word + strcspn(word, " \t");
	if (**text)
		*(*text)++ = '\0';
	return word;
}

static bool parse_line(char *text, struct model_line *line)
{
	memset(line, 0, sizeof(*line));
	if (parse_class(next_word(&text), line) &&
	    parse_confidence(next_word(&text), line) &&
	    parse_source(next_word(&text), line) &&
	    parse_facts(next_word(&text), line) &&
	    parse_pattern(text + strspn(text, " \t"), line))
		return true;
	free(line->params);
	return false;
}

static errcode_t add_line(struct models *models, char *text)
{
	struct model_line *lines;

	if (models->count == MOST_LINES)
		return E2LAZY_ET_DRIVE_LIST;
	lines = grow(models->lines, models->count, &models->room,
		     sizeof(*lines));
	if (!lines)
		return EXT2_ET_NO_MEMORY;
	models->lines = lines;
	if (!parse_line(text, &models->lines[models->count]))
		return E2LAZY_ET_DRIVE_LIST;
	models->count++;
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static errcode_t read_lines(struct models *models, FILE *file, unsigned *line)
{
	char *text = NULL;
	errcode_t err = 0;
	size_t size = 0;
	ssize_t length;

	while (!err && (length = getline(&text, &size, file)) >= 0) {
		++*line;
		while (length && is_blank(text[length - 1]))
			text[--length] = '\0';
		if (text[strspn(text, " \t")] == '#' || !length)
			continue;
		err = length > MOST_LENGTH ||
		      strlen(text) != (size_t)length ?
			      E2LAZY_ET_DRIVE_LIST : add_line(models, text);
	}
	if (!err && ferror(file)) {
		*line = 0;
		err = E2LAZY_ET_DRIVE_LIST;
	}
	free(text);
	return err;
}

errcode_t models_open(const char *path, struct models **out, unsigned *line)
{
	struct models *models = calloc(1, sizeof(*models));
	errcode_t err = 0;
	unsigned at = 0;
	FILE *file;

	if (!models)
		return EXT2_ET_NO_MEMORY;
	if (path) {
		file = fopen(path, "re");
		err = file ? read_lines(models, file, &at) :
			     E2LAZY_ET_DRIVE_LIST;
		if (file && !err)
			fclose(file);
		else if (file) {
			int saved = errno;

			fclose(file);
			errno = saved;
		}
	}
	if (line)
		*line = err ? at : 0;
	if (err)
		models_close(models);
	else
		*out = models;
	return err;
}

void models_close(struct models *models)
{
	if (!models)
		return;
	for (size_t i = 0; i < models->count; i++) {
		regfree(&models->lines[i].pattern);
		free(models->lines[i].params);
	}
	free(models->lines);
	free(models);
}

/*
 * A SATA disk has "ATA" as vendor and its maker in the model; behind a bridge
 * the maker is the vendor.  A pattern may match either form.
 */
void models_match(const struct models *models, const char *vendor,
		  const char *model, struct model_facts *out)
{
	char both[E2LAZY_DRIVE_NAME];

	memset(out, 0, sizeof(*out));
	snprintf(both, sizeof(both), "%s %s", vendor, model);
	for (size_t i = 0; i < models->count; i++) {
		const struct model_line *line = &models->lines[i];
		struct model_match *match = &out->match[line->kind];

		if (regexec(&line->pattern, model, 0, NULL, 0) &&
		    regexec(&line->pattern, both, 0, NULL, 0))
			continue;
		if (line->match.confidence > match->confidence)
			*match = line->match;
		if (!out->band)
			out->band = line->band;
		if (!out->stream)
			out->stream = line->stream;
	}
}

errcode_t e2lazy_drive_params(const char *list, const char *model,
			      struct e2lazy_params *out, unsigned *line)
{
	bool has[E2LAZY_NR_PARAMS] = { false };
	struct models *models;
	errcode_t err = models_open(list, &models, line);

	if (err)
		return err;
	err = ENOENT;
	e2lazy_params_default(out);
	for (size_t i = 0; i < models->count; i++) {
		const struct model_line *l = &models->lines[i];

		if (!l->params || regexec(&l->pattern, model, 0, NULL, 0))
			continue;
		add_params(l->params, out, l->origin, l->match.source, has);
		err = 0;
	}
	models_close(models);
	return err;
}
