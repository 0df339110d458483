/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * conf.c - reads the relations of mke2fs.conf(5) that decide a layout
 *
 * The format is that of MIT Kerberos' krb5.conf: sections in brackets, in them
 * "name = value" and "name = {" up to "}", one on a line.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "io/grow.h"

/* The position in the text. */
struct place {
	enum { ELSEWHERE, IN_DEFAULTS, IN_TYPES } section;
	char	*type;		/* name of the open braces, or NULL */
	bool	ignored;	/* the type in these braces */
};

static char *trimmed(char *text)
{
	size_t n;

	while (isspace((unsigned char)*text))
		text++;
	for (n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
		;
	text[n] = 0;
	return text;
}

/* Strip the double quotes of a value, or a comment behind it. */
static char *plain(char *text)
{
	if (*text == '"') {
		text++;
		text[strcspn(text, "\"")] = 0;
		return text;
	}
	text[strcspn(text, "#;")] = 0;
	return trimmed(text);
}

static char *copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

static bool add(struct conf *conf, const char *type, const char *name,
		const char *value)
{
	struct conf_relation *at = grow(conf->at, conf->count, &conf->room,
					sizeof(*at)), *to;

	if (!at)
		return false;
	conf->at = at;
	to = &at[conf->count++];
	to->type = copy(type);
	to->name = copy(name);
	to->value = copy(value);
	to->file = conf->files;
	return !!to->type == !!type && !!to->name == !!name &&
	       !!to->value == !!value;
}

static void enter(struct place *place, const char *section)
{
	free(place->type);
	place->type = NULL;
	place->ignored = false;
	place->section = !strncmp(section, "[defaults]", 10) ? IN_DEFAULTS :
			 !strncmp(section, "[fs_types]", 10) ? IN_TYPES :
			 ELSEWHERE;
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/*
 * If a file has a type twice, the parser of e2fsprogs sees the first; in
 * several files it sees all.
 */
static bool begin_type(struct conf *conf, struct place *place, const char *name)
{
	for (size_t i = 0; i < conf->count; i++)
		if (!conf->at[i].name && same(conf->at[i].type, name) &&
		    conf->at[i].file == conf->files)
			place->ignored = true;
	place->type = strdup(name);
	return place->type && (place->ignored || add(conf, name, NULL, NULL));
}

static bool take_relation(struct conf *conf, struct place *place, char *line)
{
	char *value = strchr(line, '='), *name;

	if (!value || place->ignored)
		return true;
	*value++ = 0;
	name = trimmed(line);
	value = trimmed(value);
	if (place->section == IN_DEFAULTS)
		return add(conf, NULL, name, plain(value));
	if (place->section != IN_TYPES)
		return true;
	if (place->type)
		return add(conf, place->type, name, plain(value));
	return *value != '{' || begin_type(conf, place, name);
}

static bool take_line(struct conf *conf, struct place *place, char *line)
{
	line = trimmed(line);
	if (!*line || *line == '#' || *line == ';')
		return true;
	if (*line == '[') {
		enter(place, line);
		return true;
	}
	if (*line == '}') {
		free(place->type);
		place->type = NULL;
		place->ignored = false;
		return true;
	}
	return take_relation(conf, place, line);
}

bool conf_add_text(struct conf *conf, const char *text)
{
	struct place place = { .section = ELSEWHERE };
	char *lines = strdup(text), *line, *rest = lines;
	bool ok = lines != NULL;

	while (ok && (line = strsep(&rest, "\n")))
		ok = take_line(conf, &place, line);
	conf->files++;
	free(place.type);
	free(lines);
	return ok;
}

bool conf_add_file(struct conf *conf, const char *path)
{
	struct place place = { .section = ELSEWHERE };
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	bool ok = file != NULL;

	if (!file)
		return false;
	while (ok && getline(&line, &room, file) >= 0)
		ok = take_line(conf, &place, line);
	if (!ok)
		errno = ENOMEM;
	else if (ferror(file))
		ok = false;
	conf->files++;
	free(place.type);
	free(line);
	fclose(file);
	return ok;
}

void conf_free(struct conf *conf)
{
	while (conf->count) {
		struct conf_relation *last = &conf->at[--conf->count];

		free(last->type);
		free(last->name);
		free(last->value);
	}
	free(conf->at);
	memset(conf, 0, sizeof(*conf));
}

bool conf_has_type(const struct conf *conf, const char *type)
{
	for (size_t i = 0; i < conf->count; i++)
		if (!conf->at[i].name && same(conf->at[i].type, type))
			return true;
	return false;
}

const char *conf_own(const struct conf *conf, const char *type,
		     const char *name)
{
	for (size_t i = 0; i < conf->count; i++)
		if (conf->at[i].name && same(conf->at[i].type, type) &&
		    same(conf->at[i].name, name))
			return conf->at[i].value;
	return NULL;
}

const char *conf_get(const struct conf *conf, const struct conf_types *types,
		     const char *name)
{
	const char *value = conf_own(conf, NULL, name), *own;

	for (unsigned i = 0; i < types->count; i++) {
		own = conf_own(conf, types->at[i], name);
		if (own)
			value = own;
	}
	return value;
}
