/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * role.h - the role of a block for its owner, as a column
 */
#ifndef MISC_ROLE_H
#define MISC_ROLE_H

#include "session/session.h"

#define ROLE_TEXT	48

/*
 * "directory", "inodes 17-32", "block bitmap of group 3".  Needs
 * session_layout().
 */
void role_text(struct session *session, const struct e2lazy_owner *owner,
	       char text[ROLE_TEXT]);

#endif
