/* SPDX-License-Identifier: GPL-2.0-only */
/* undo.h - the undo files of a run */
#ifndef MISC_CK_UNDO_H
#define MISC_CK_UNDO_H

#include "ck.h"
#include "undo_file.h"

enum {
	FILE_ALL, FILE_JOURNAL, FILE_HOME, FILE_END, FILE_NEXT,
	FILE_JOURNAL_NEXT, NR_FILES
};

struct old_block {
	blk64_t		block;
	uint8_t		*bytes;
};

struct ck_undo {
	struct ck	*ck;
	struct e2lazy_keeper keeper;
	struct undo_file files[NR_FILES];
	struct e2lazy_super_states states;
	bool		kept;		/* a block of the file system */
	uint8_t		*super;		/* the superblock's block */
	bool		begun;		/* an earlier stage has written */
	/* Of an external journal: its superblock, and a transaction that is
	   made of fast commits.  The first content of a block counts. */
	struct old_block *journal;
	size_t		nr_journal, room;
};

static inline bool undo_is_of_journal(unsigned number)
{
	return number == FILE_JOURNAL || number == FILE_JOURNAL_NEXT;
}

/* undo_may.c: the name of a file, to be freed; NULL without memory. */
char *undo_name(const struct ck *ck, unsigned number);
/* False, for a reason that was given. */
bool undo_refuse(struct ck *ck);

#endif
