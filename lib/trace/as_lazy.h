/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* as_lazy.h - the requests that a lazy journal would have issued */
#ifndef TRACE_AS_LAZY_H
#define TRACE_AS_LAZY_H

#include "logged.h"

/*
 * as_lazy - what becomes of request @r of a trace
 * @log:   begun with the trace's file system, which has transactions
 * @found: each request in its place; a non-zero return ends it and is returned
 *
 * Writes of metadata are dropped.  Reads of it go to the newest copy in the log,
 * if that has one.  All else stays: data, the journal, flushes, discards.
 */
errcode_t as_lazy(struct log_state *log, const struct e2lazy_request *r,
		  errcode_t (*found)(void *priv, const struct e2lazy_request *),
		  void *priv);

#endif
