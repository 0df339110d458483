/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log.h - e2lazy log: its four listings
 */
#ifndef MISC_LOG_H
#define MISC_LOG_H

#include "inode_filter.h"
#include "role.h"
#include "session/session.h"
#include "session/tids.h"

#define NR_OWNER_COLUMNS	4	/* type, role, inode, path */
#define NR_TXN_COLUMNS		17
#define NR_BEYOND_COLUMNS	12
#define NR_FC_COLUMNS		13
#define NR_HISTORY_LIST_COLUMNS	14

extern const struct column txn_columns[NR_TXN_COLUMNS];
extern const struct column beyond_columns[NR_BEYOND_COLUMNS];
extern const struct column fc_columns[NR_FC_COLUMNS];
extern const struct column history_list_columns[NR_HISTORY_LIST_COLUMNS];

struct log {
	struct session	*s;
	struct listing	listing;
	struct columns	columns;
	struct rows	rows;
	bool		tags;		/* also list the blocks of each one */
	bool		decode;		/* say fast-commit records in words */
	bool		owners;		/* with @tags: their types and owners */
	bool		by_block;	/* with @tags: a row for each block */
	struct tid_ranges tids;
	struct inode_filter filter;
};

/* Print the listing; failures are reported and kept in the session. */
void log_txns(struct log *log);
void log_beyond(struct log *log);
void log_fast_commits(struct log *log);
void log_histories(struct log *log);

/* ------------------------------------------------------ log_owner.c --- */

/* A block, as of the end of the log. */
struct log_owner {
	const char	*type;
	bool		owned;		/* the rest is known */
	bool		is_inode;	/* and more than the layout tells */
	ext2_ino_t	ino;		/* 0: none */
	char		role[ROLE_TEXT];
	char		*path;		/* NULL: none */
};

/* Needs session_owners_of(), with @fsblk inside the file system. */
void log_owner_find(const struct log *log, blk64_t fsblk,
		    struct log_owner *owner);
void log_owner_free(struct log_owner *owner);
void log_owner_cells(const struct log_owner *owner,
		     struct cell cells[NR_OWNER_COLUMNS]);
/* Is one of the columns from @first on chosen? */
bool log_wants_owners(const struct log *log, unsigned first);

/* Choose the columns of blocks: log_txns.c, log_beyond.c.  False after a
   complaint. */
bool log_txns_by_block(struct log *log);
bool log_beyond_by_block(struct log *log);

/* Add the column WORDS; text whose columns nobody has @chosen gets only it
   and the place. */
void log_decode(struct columns *columns, bool json, bool chosen);

#define FC_WORDS_BYTES	512
/*
 * Say a record in words, in at most @room bytes with the NUL.  Returns the
 * number of bytes before it; a name among them may hold any byte.
 */
size_t fc_words(const struct e2lazy_fc_record *record, char *to, size_t room);

#endif
