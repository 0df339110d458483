/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.h - e2lazy dump: the selection of rows and their order
 */
#ifndef MISC_DUMP_H
#define MISC_DUMP_H

#include "inode_filter.h"
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
	struct row_word	words[E2LAZY_NR_TYPES];		/* of the types */

	bool		all;		/* every copy, not only the live ones */
	bool		sort_set;
	bool		by_log;		/* --sort log */
	bool		identify;
	bool		choosy;		/* one of these chooses copies: */
	struct ranges	blocks;
	struct tid_ranges tids;
	struct inode_filter filter;
	bool		type_set;
	enum e2lazy_type type;

	bool		typed;		/* a column needs the layout */
	bool		owned;		/* a column needs the owners */
	void		*block;		/* a buffer of one block */
	struct e2lazy_damage unread;	/* unreadable for --identify */
};

/* Print a row, if it is selected. */
void dump_copy(struct dump *dump, const struct e2lazy_copy *copy,
	       enum e2lazy_copy_state state);

/* Prepare @words for @rows. */
void dump_words(struct dump *dump);

/* dump_order.c: call dump_copy() for each copy, in the requested order. */
void dump_map(struct dump *dump);
void dump_all(struct dump *dump);

#endif
