/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blame.h - the part of a block whose changes are looked for
 *
 * Its value in a copy is a text; two copies with the same text have not changed
 * it.
 */
#ifndef MISC_BLAME_H
#define MISC_BLAME_H

#include "operand.h"

enum blame_kind {
	BLAME_BYTES,		/* @begin to @end */
	BLAME_BIT,		/* bit @begin of a bitmap */
	BLAME_FIELD,		/* the decoded record, or field, @want */
};

struct blame_target {
	enum blame_kind	kind;
	size_t		begin, end;
	char		*want;		/* as in the records of cat --decode */
	ext2_ino_t	ino;		/* 0: a block */
	bool		entry;		/* of a directory: in any of its blocks */
	blk64_t		*blocks;	/* that may have it, ascending */
	size_t		nr_blocks;
};

/* Which blocks have it, and where? After session_build() with CSUMS. */
bool blame_find(struct session *session, const char *text,
		struct blame_target *target);
/* The bit of block @text in its group's bitmap. */
bool blame_find_bit(struct session *session, const char *option,
		    const char *text, struct blame_target *target);
/* To be freed; "" if the block has no such record; NULL after a complaint. */
char *blame_value(struct session *session, const struct blame_target *target,
		  blk64_t fsblk, const uint8_t *bytes);
void blame_release(struct blame_target *target);

#endif
