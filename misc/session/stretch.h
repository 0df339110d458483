/* SPDX-License-Identifier: GPL-2.0-only */
/* stretch.h - --tail, --ring, --history: which stretch of the ring is meant */
#ifndef MISC_STRETCH_H
#define MISC_STRETCH_H

#include "session.h"

/*
 * What all of the ring holds, scanned once; NULL after a complaint.  With
 * --check-data its copies are read, too.
 */
const struct e2lazy_ring *session_ring(struct session *session);

#endif
