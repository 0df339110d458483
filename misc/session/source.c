/* SPDX-License-Identifier: GPL-2.0-only */
/* source.c - the options that name the device and limit its log */
#include <limits.h>
#include <string.h>

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

static bool take_until(struct source *s, const char *text)
{
	uint64_t tid;

	if (!parse_number(text, UINT32_MAX, &tid))
		return false;
	s->limits.until = tid;
	s->limits.until_set = true;
	return true;
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
	{ "until-tid", take_until, N_("a transaction id") },
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
	if (s->limits.until_set)
		words_add(words, "%suntil-tid=%u", dashes, s->limits.until);
}
