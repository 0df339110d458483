/* SPDX-License-Identifier: GPL-2.0-only */
/* rehearse.h - between the parent of a rehearsal and the process inside */
#ifndef MISC_VIEW_REHEARSE_H
#define MISC_VIEW_REHEARSE_H

#include "session/rehearsal.h"
#include "view.h"

struct job {
	enum rehearsed_tool tool;
	uint64_t	most;		/* bytes of the overlays */
	int		report;		/* struct rehearsed, then its text */
};

/* inside.c */
int rehearse_inside(struct view *view, const sigset_t *mask);
/*
 * mounted.c: mount the overlays in a namespace of our own, and unmount them.
 * Fills in @out->status, and writes the kernel's messages to stderr.
 */
void rehearse_mount(const struct view *view, struct rehearsed *out);

#endif
