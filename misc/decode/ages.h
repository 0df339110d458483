/* SPDX-License-Identifier: GPL-2.0-only */
/* ages.h - files of an earlier view whose contents are later than the view */
#ifndef MISC_AGES_H
#define MISC_AGES_H

#include "e2lazy_view.h"

struct session;

/* The blocks of a file by their age. */
struct ages {
	uint64_t	blocks[E2LAZY_AGE_OTHER + 1];
	blk64_t		first;		/* that is not the same; 0: none */
	bool		whole;		/* false: its map is damaged */
};

errcode_t ages_find(struct e2lazy_later *later, ext2_ino_t ino,
		    struct ages *ages);
/* Are all contents those of the view's time? */
static inline bool ages_are_same(const struct ages *ages)
{
	return ages->whole && !ages->first;
}
/* Complain in the name of @object; @path may have any bytes. */
void ages_complain(struct session *session, const char *object,
		   const char *path, const struct ages *ages);
/*
 * Name the files of the view whose contents are later, up to some, and count the
 * others.  False after a complaint.  Does nothing for a view of now.
 */
bool session_tell_later(struct session *session);

#endif
