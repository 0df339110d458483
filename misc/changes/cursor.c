/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cursor.c - a place in a feed, as text
 *
 * UUID of the file system, that of its journal, transaction, log block and
 * checksum of its commit block: 1:UUID:UUID:TID:BLOCK:CHECKSUM.  The first field
 * is the version.  Block 0 is a log that was empty.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>

#include "cursor.h"
#include "support/units.h"

#define UUID_TEXT	37

void cursor_text(char text[CURSOR_TEXT], const struct cursor *c)
{
	char fs[UUID_TEXT], journal[UUID_TEXT];

	uuid_unparse_lower(c->fs, fs);
	uuid_unparse_lower(c->journal, journal);
	snprintf(text, CURSOR_TEXT, "1:%s:%s:%u:%u:%08x", fs, journal,
		 c->at.tid, c->at.logblk, c->at.sum);
}

static bool parse_uint(const char *text, uint32_t *out)
{
	uint64_t value;

	if (!text || !parse_number(text, UINT32_MAX, &value))
		return false;
	*out = (uint32_t)value;
	return true;
}

/* Eight digits, without 0x. */
static bool parse_sum(const char *text, uint32_t *out)
{
	char number[12];

	if (!text || strlen(text) != 8)
		return false;
	snprintf(number, sizeof(number), "0x%s", text);
	return parse_uint(number, out);
}

bool cursor_parse(const char *text, struct cursor *c)
{
	char copy[CURSOR_TEXT], *rest = copy, *field[6] = { NULL };

	if (strlen(text) >= sizeof(copy))
		return false;
	strcpy(copy, text);
	for (unsigned i = 0; i < 6; i++)
		field[i] = strsep(&rest, ":");
	return !rest && field[5] && !strcmp(field[0], "1") &&
	       !uuid_parse(field[1], c->fs) &&
	       !uuid_parse(field[2], c->journal) &&
	       parse_uint(field[3], &c->at.tid) &&
	       parse_uint(field[4], &c->at.logblk) &&
	       parse_sum(field[5], &c->at.sum);
}
