/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * spelled.h - spells commands for the user to run on the session's device
 */
#ifndef MISC_SPELLED_H
#define MISC_SPELLED_H

#include "session/session.h"

/* The options of the session that the command takes. */
enum takes {
	TAKES_NONE,
	TAKES_OFFSET,		/* libext2fs: in the name of the device */
	TAKES_JOURNAL,		/* the same, and -j */
	TAKES_BACKUP,		/* the same, and those of a backup superblock */
	TAKES_LOOP,		/* mount: options */
	TAKES_JOURNAL_ALONE,	/* the journal's device in place of the other */
	TAKES_ALL,		/* those of this toolkit */
};

/* @command, those options, and the device, each quoted for a shell. */
void spell_command(const struct session *session, const char *command,
		   enum takes takes, struct out *out);

#endif
