/* SPDX-License-Identifier: GPL-2.0-only */
/* until.h - --until-tid: is the transaction asked for in the log? */
#ifndef MISC_UNTIL_H
#define MISC_UNTIL_H

#include <stdbool.h>
#include <stdint.h>

#include "e2lazy.h"

/* Room for the longest reason in any language. */
#define UNTIL_TEXT 256

/*
 * Where the walk that @end ended did not reach transaction @until, @why says
 * so, translated.  The state before or after it is not the one asked for: an
 * empty log, too, has no state "as of transaction N" to show.
 */
bool until_is_missing(char why[UNTIL_TEXT], const struct e2lazy_geometry *geo,
		      const struct e2lazy_end *end, uint32_t until);

#endif
