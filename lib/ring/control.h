/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* control.h - one block of the ring: is it a control block, and whose? */
#ifndef E2LAZY_CONTROL_H
#define E2LAZY_CONTROL_H

#include "log/log.h"

enum control_state {
	CONTROL_NONE,		/* a copy, or a block without the magic */
	CONTROL_BAD,		/* the magic, and a wrong checksum or count */
	CONTROL_SOUND,
	CONTROL_UNREADABLE,	/* not from control_read() */
};

struct control {
	uint64_t	sec;		/* time, of a commit block only */
	uint32_t	nsec;
	uint32_t	tid;
	uint32_t	copies;		/* copies that stand behind it */
	uint32_t	revokes;
	uint8_t		type;		/* enum jbd2_type */
	uint8_t		csum;		/* enum e2lazy_csum_state */
};

enum control_state control_read(struct control *control,
				const struct e2lazy_journal *journal,
				uint32_t logblk, const uint8_t *block);

#endif
