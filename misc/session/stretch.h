/* SPDX-License-Identifier: GPL-2.0-only */
/* stretch.h - --tail, --ring, --history: the options that select a stretch of
   the ring */
#ifndef MISC_STRETCH_H
#define MISC_STRETCH_H

#include "session.h"

/*
 * Scan the whole ring once; NULL after a complaint.  With --check-data read
 * its copies, too.
 */
const struct e2lazy_ring *session_ring(struct session *session);

#endif
