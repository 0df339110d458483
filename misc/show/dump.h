/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.h - e2lazy dump: what to list, and in what order
 */
#ifndef MISC_DUMP_H
#define MISC_DUMP_H

#include "session/session.h"
#include "session/tids.h"

enum {
	DUMP_FSBLK, DUMP_LOGBLK, DUMP_PHYSBLK, DUMP_TID, DUMP_TIME,
	DUMP_ESCAPED, DUMP_COPIES, DUMP_TYPE, DUMP_INODE, DUMP_GROUP,
	DUMP_STATE, DUMP_CSUM, DUMP_ROLE, DUMP_PATH, NR_DUMP_COLUMNS
};

struct dump {
	struct session	*s;
	struct listing	listing;
	struct columns	columns;
	struct rows	rows;

	bool		all;		/* every copy, not just the live ones */
	bool		sort_set;
	bool		by_log;		/* --sort log */
	bool		identify;
	struct ranges	blocks;
	struct tid_ranges tids;
	bool		type_set;
	enum e2lazy_type type;

	bool		typed;		/* the layout is needed */
	bool		owned;		/* the owners are */
	void		*block;		/* of the file system's block size */
	struct e2lazy_damage unread;	/* copies that --identify met */
};

/* A row, if it is among those asked for. */
void dump_copy(struct dump *dump, const struct e2lazy_copy *copy,
	       enum e2lazy_copy_state state);

/* dump_order.c: call dump_copy() for each copy, in the order asked for. */
void dump_map(struct dump *dump);
void dump_all(struct dump *dump);

#endif
