/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compare_in_place.h - compare live copies with their static blocks */
#ifndef E2LAZY_COMPARE_IN_PLACE_H
#define E2LAZY_COMPARE_IN_PLACE_H

#include "copies.h"
#include "e2lazy.h"

struct in_place {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;		/* of that journal */
	const struct cache *kept;		/* copies in memory, or NULL */
	io_channel	io;		/* of the static blocks; NULL: the
					   journal's own */
	/* May be NULL.  Called for each sound copy that differs, in ascending
	   order of static block.  An error ends the comparison and is
	   returned. */
	errcode_t	(*differs)(void *priv, size_t index,
				   const uint8_t *copy, const uint8_t *in_place);
	/* May be NULL.  Called for each sound copy that is the same. */
	void		(*same)(void *priv, size_t index);
	void		*priv;
	const struct e2lazy_watch *watch;	/* or NULL */
	enum e2lazy_phase phase;	/* for @watch */
};

/*
 * Compare every live copy, except that of the superblock, which is merged from
 * both places.  Skips copies and static blocks that cannot be read.  It goes
 * through the map in stretches of 4 MiB at most, and reads log and static
 * blocks each in their own order; while it compares a stretch, the device reads
 * the static blocks of the next one.
 */
errcode_t compare_in_place(const struct in_place *what);

#endif
