/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rwbs.h - the letters by which the kernel's block events name a request */
#ifndef TRACE_RWBS_H
#define TRACE_RWBS_H

#include "e2lazy_trace.h"

/*
 * The letters of rwbs, up to a blank or NUL: F for a flush before it, the
 * operation, then F for FUA, A, S and M.  A flush by itself is FF, or F without
 * a letter of an operation; blkparse writes FN.  It sets op and flags of @r.
 * False: the request neither reads nor writes nor discards.
 */
bool trace_rwbs(const char *text, struct e2lazy_request *r, bool *flush);

#endif
