/* SPDX-License-Identifier: GPL-2.0-only */
/* sides.h - the file system before a tool ran, and after it */
#ifndef MISC_VIEW_SIDES_H
#define MISC_VIEW_SIDES_H

#include "session/rehearsal.h"
#include "view.h"

struct side {
	struct opened	o;
	ext2_filsys	fs;
	enum rehearsed_from from;
};

/* From FROM_NOTHING on: nothing opens it.  Close it in any case. */
void side_before(struct side *side, const struct view *view);
void side_after(struct side *side, const struct view *view);
void side_close(struct side *side);
enum rehearsed_log sides_log(const struct side *before,
			     const struct side *after);

#endif
