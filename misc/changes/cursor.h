/* SPDX-License-Identifier: GPL-2.0-only */
/* cursor.h - a place in a feed, as text */
#ifndef MISC_CHANGES_CURSOR_H
#define MISC_CHANGES_CURSOR_H

#include <stdbool.h>

#include "changes/feed.h"

/* Two UUIDs, and the numbers of the place. */
#define CURSOR_TEXT	128

struct cursor {
	uint8_t		fs[16], journal[16];	/* UUIDs */
	struct feed_place at;
};

void cursor_text(char text[CURSOR_TEXT], const struct cursor *cursor);
bool cursor_parse(const char *text, struct cursor *cursor);

#endif
