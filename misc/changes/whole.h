/* SPDX-License-Identifier: GPL-2.0-only */
/* whole.h - e2lazy diff without a block: two times of the whole file system */
#ifndef MISC_WHOLE_H
#define MISC_WHOLE_H

#include "session/session.h"

/* From the command line to the end of the output; failures are reported. */
void diff_whole(struct session *session, uint32_t first, uint32_t last,
		bool summary);

#endif
