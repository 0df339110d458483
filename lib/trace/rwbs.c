/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rwbs.c - the letters by which the kernel's block events name a request
 */

#include <ctype.h>

#include "rwbs.h"

bool trace_rwbs(const char *text, struct e2lazy_request *r, bool *flush)
{
	static const struct { char letter; enum e2lazy_op op; } ops[] = {
		{ 'R', E2LAZY_OP_READ }, { 'W', E2LAZY_OP_WRITE },
		{ 'D', E2LAZY_OP_DISCARD },
	};
	size_t i = 0;

	*flush = *text == 'F';
	text += *flush;
	while (i < 3 && ops[i].letter != *text)
		i++;
	if (i == 3) {
		r->op = E2LAZY_OP_FLUSH;
		return *flush;
	}
	r->op = ops[i].op;
	for (text++; *text && !isspace((unsigned char)*text); text++) {
		r->flags |= *text == 'F' ? E2LAZY_REQ_FUA :
			    *text == 'A' ? E2LAZY_REQ_AHEAD :
			    *text == 'S' ? E2LAZY_REQ_SYNC :
			    *text == 'M' ? E2LAZY_REQ_META : 0;
	}
	return true;
}
