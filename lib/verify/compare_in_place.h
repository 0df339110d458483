/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compare_in_place.h - live copies beside what stands in their static places */
#ifndef E2LAZY_COMPARE_IN_PLACE_H
#define E2LAZY_COMPARE_IN_PLACE_H

#include "view/copies.h"
#include "e2lazy_mend.h"

struct in_place {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;		/* of that journal */
	const struct cache *kept;		/* copies of that map, or NULL */
	/* Called for each sound copy that differs, in ascending order of static
	   block.  An error ends the comparison and is returned. */
	errcode_t	(*differs)(void *priv, size_t index,
				   const uint8_t *copy, const uint8_t *in_place);
	/* May be NULL. Called for each sound copy that is the same. */
	void		(*same)(void *priv, size_t index);
	void		*priv;
	const struct e2lazy_watch *watch;	/* or NULL */
	enum e2lazy_phase phase;	/* that it is told of */
};

/*
 * Compare every live copy, but for the superblock's: that is merged from both
 * places.  A static block that cannot be read is passed over, as is a copy.
 * Goes through the map in stretches of 4 MiB at the most, so that the log and
 * the static blocks are both read in their order.
 */
errcode_t compare_in_place(const struct in_place *what);

#endif
