/* SPDX-License-Identifier: GPL-2.0-only */
/* until.c - --until-tid: is the transaction asked for in the log? */
#include <stdio.h>

#include "support/nls.h"
#include "until.h"

bool until_is_missing(char why[UNTIL_TEXT], const struct e2lazy_geometry *geo,
		      const struct e2lazy_end *end, uint32_t until)
{
	if (end->reason == E2LAZY_END_EMPTY)
		snprintf(why, UNTIL_TEXT,
			 _("transaction %u: the log is empty"), until);
	else if (e2lazy_tid_after(geo->sequence, until))
		snprintf(why, UNTIL_TEXT,
			 _("transaction %u: the log begins with %u"), until,
			 geo->sequence);
	else if (end->reason != E2LAZY_END_UNTIL)
		snprintf(why, UNTIL_TEXT,
			 _("transaction %u: the log ends before %u"), until,
			 end->tid);
	else
		return false;
	return true;
}
