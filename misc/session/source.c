/* SPDX-License-Identifier: GPL-2.0-only */
/* source.c - the options that name the device and limit its log */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/unread_io.h"
#include "source.h"
#include "support/nls.h"
#include "support/units.h"

static bool take_journal(struct source *s, const char *text)
{
	s->open.journal = text;
	return true;
}

static bool take_superblock(struct source *s, const char *text)
{
	uint64_t block;

	if (!parse_number(text, INT_MAX, &block) || !block)
		return false;
	s->open.superblock = block;
	return true;
}

static bool take_blocksize(struct source *s, const char *text)
{
	uint64_t bytes;

	if (!parse_size(text, &bytes) || bytes < EXT2_MIN_BLOCK_SIZE ||
	    bytes > EXT2_MAX_BLOCK_SIZE || (bytes & (bytes - 1)))
		return false;
	s->open.blocksize = bytes;
	return true;
}

static bool take_offset(struct source *s, const char *text)
{
	return parse_offset(text, &s->open.offset);
}

static bool take_bad_map(struct source *s, const char *text)
{
	char *path = unread_io_load(text) ? NULL : realpath(text, NULL);

	if (!path)
		return false;
	snprintf(s->bad_map, sizeof(s->bad_map), "%s", path);
	free(path);
	s->open.manager = unread_io_manager;
	return true;
}

static bool take_until(struct source *s, const char *text)
{
	uint64_t tid;

	if (!parse_number(text, UINT32_MAX, &tid))
		return false;
	s->limits.until = tid;
	s->limits.until_set = true;
	return true;
}

static bool take_at(struct source *s, const char *text)
{
	s->limits.at_text = text;
	s->limits.until_set = false;
	return parse_when(text, &s->limits.at);
}

/* LOGBLK[:TID] */
static bool take_tail(struct source *s, const char *text)
{
	struct limits *limits = &s->limits;
	const char *colon = strchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : strlen(text);
	uint64_t logblk, tid = 0;
	char number[32];

	if (length >= sizeof(number))
		return false;
	memcpy(number, text, length);
	number[length] = 0;
	if (!parse_number(number, UINT32_MAX, &logblk) ||
	    (colon && !parse_number(colon + 1, UINT32_MAX, &tid)))
		return false;
	s->tail = text;
	limits->tail_set = true;
	limits->tail = (uint32_t)logblk;
	limits->tail_tid_set = colon;
	limits->tail_tid = (uint32_t)tid;
	return true;
}

static bool take_ring(struct source *s, const char *text)
{
	s->limits.ring = !strcmp(text, SOURCE_RING);
	return s->limits.ring;
}

static bool take_history(struct source *s, const char *text)
{
	uint64_t number;

	if (!parse_number(text, UINT32_MAX, &number) || !number)
		return false;
	s->limits.history = (uint32_t)number;
	return true;
}

static bool take_geometry(struct source *s, const char *text)
{
	return geometry_parse(&s->geometry, text);
}

static bool take_no_fast_commits(struct source *s, const char *text)
{
	s->limits.no_fast_commits = !strcmp(text, SOURCE_RING);
	return s->limits.no_fast_commits;
}

static bool take_data_journal(struct source *s, const char *text)
{
	s->limits.data_journal = !strcmp(text, SOURCE_RING);
	return s->limits.data_journal;
}

static bool take_behind(struct source *s, const char *text)
{
	s->limits.behind = !strcmp(text, SOURCE_RING);
	return s->limits.behind;
}

static const struct way {
	const char	*name;
	bool		(*take)(struct source *source, const char *text);
	const char	*what;		/* description of a valid value */
} ways[] = {
	{ "journal", take_journal, NULL },
	{ "superblock", take_superblock, N_("a block number") },
	{ "blocksize", take_blocksize, N_("a block size of ext4") },
	{ "offset", take_offset, N_("a multiple of 512 bytes") },
	{ "bad-map", take_bad_map, N_("a map file of ddrescue") },
	{ "geometry", take_geometry,
	  N_("auto, carve, a number, or a list of KEY=VALUE") },
	{ "until-tid", take_until, N_("a transaction id") },
	{ "at", take_at, N_("a time, like 2026-01-31T23:59:59Z or @SECONDS") },
	{ "tail", take_tail, N_("a log block, or LOGBLK:TID") },
	{ "ring", take_ring, SOURCE_RING },
	{ "history", take_history, N_("a number of log --histories") },
	{ "no-fast-commits", take_no_fast_commits, SOURCE_RING },
	{ "data-journal", take_data_journal, SOURCE_RING },
	{ "behind-damage", take_behind, SOURCE_RING },
	{ NULL }
};

static const struct way *find(const char *name)
{
	const struct way *way = ways;

	while (way->name && strcmp(way->name, name))
		way++;
	return way;
}

bool source_knows(const char *name)
{
	return find(name)->name;
}

const char *source_take(struct source *s, const char *name, const char *text)
{
	const struct way *way = find(name);

	return way->take(s, text) ? NULL : way->what;
}

void source_forget_at(struct source *s)
{
	struct limits *limits = &s->limits;

	if (!limits->at_text)
		return;
	limits->at_text = NULL;
	limits->until_set = false;
	if (limits->history_meant)
		limits->history = 0;
	limits->history_meant = false;
}

void source_words(const struct source *s, const char *dashes,
		  struct words *words)
{
	if (s->open.superblock)
		words_add(words, "%ssuperblock=%llu", dashes,
			  (unsigned long long)s->open.superblock);
	if (s->open.blocksize)
		words_add(words, "%sblocksize=%u", dashes, s->open.blocksize);
	if (s->open.offset)
		words_add(words, "%soffset=%llu", dashes,
			  (unsigned long long)s->open.offset);
	if (*s->bad_map)
		words_add(words, "%sbad-map=%s", dashes, s->bad_map);
	if (s->geometry.text)
		words_add(words, "%sgeometry=%s", dashes, s->geometry.text);
	if (s->limits.tail_set)
		words_add(words, "%stail=%s", dashes, s->tail);
	if (s->limits.ring)
		words_add(words, "%sring=" SOURCE_RING, dashes);
	if (s->limits.no_fast_commits)
		words_add(words, "%sno-fast-commits=" SOURCE_RING, dashes);
	if (s->limits.data_journal)
		words_add(words, "%sdata-journal=" SOURCE_RING, dashes);
	if (s->limits.behind)
		words_add(words, "%sbehind-damage=" SOURCE_RING, dashes);
	if (s->limits.history)
		words_add(words, "%shistory=%u", dashes, s->limits.history);
	if (s->limits.at_text && !s->limits.until_set)
		words_add(words, "%sat=%s", dashes, s->limits.at_text);
	if (s->limits.until_set)
		words_add(words, "%suntil-tid=%u", dashes, s->limits.until);
}
