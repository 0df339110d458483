/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - the options that name the device and limit its log: options of
 * the commands, parameters of nbdkit's plugin
 */
#ifndef MISC_SOURCE_H
#define MISC_SOURCE_H

#include "geometry.h"
#include "opened.h"
#include "words.h"

struct source {
	struct e2lazy_open_opts open;
	bool		writes;		/* its name must be one device's
					   alone */
	struct limits	limits;
	const char	*tail;		/* --tail, as given */
	char		bad_map[E2LAZY_PATH_MAX]; /* --bad-map; "": none */
	struct geometry	geometry;
};

/* The value of "ring", the option that has none. */
#define SOURCE_RING "true"

/*
 * Is @name one of journal, superblock, blocksize, offset, geometry, until-tid,
 * at, tail, ring, history, bad-map and no-fast-commits?
 */
bool source_knows(const char *name);
/*
 * Set one of these to @text, which must persist.  Returns NULL, or a
 * description of a valid value, not yet translated.
 */
const char *source_take(struct source *source, const char *name,
			const char *text);
/* Forget --at, and the transaction and the history found by it. */
void source_forget_at(struct source *source);
/* All but the journal as words for another program: @dashes, name=value. */
void source_words(const struct source *source, const char *dashes,
		  struct words *words);

#endif
