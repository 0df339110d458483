/* SPDX-License-Identifier: GPL-2.0-only */
/* file_grade.h - what the grades of its blocks make of a deleted file */
#ifndef MISC_FILE_GRADE_H
#define MISC_FILE_GRADE_H

#include "e2lazy_undelete.h"

/* What a file can be said to be; better ones first. */
enum file_grade {
	FILE_LIVING,		/* not deleted: --tree copies it */
	FILE_INTACT,		/* all of it, and nothing speaks against it */
	FILE_UNREAD,		/* the same, but its blocks were not read */
	FILE_UNPROVEN,		/* it may be all there */
	FILE_PARTIAL,		/* some blocks are intact */
	FILE_LOST,		/* none */
	NR_FILE_GRADES
};

/* "intact", "unread", ...; static storage. */
const char *file_grade_name(enum file_grade grade);
/* @living: it still exists; @quick: its blocks were not to be read. */
enum file_grade file_grade_of(const struct e2lazy_deleted *d,
			      const struct e2lazy_contents *c, bool living,
			      bool quick);
/* The number of blocks of all grades. */
uint64_t graded_blocks(const struct e2lazy_contents *c);

#endif
