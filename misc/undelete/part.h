/* SPDX-License-Identifier: GPL-2.0-only */
/* part.h - files of one kind, copied below one directory: a part of a rescue */
#ifndef MISC_UNDELETE_PART_H
#define MISC_UNDELETE_PART_H

#include "kept.h"
#include "session/session.h"

struct part {
	const char	*to;		/* for messages */
	int		to_fd;		/* an empty directory */
	bool		deleted;	/* those that the ring remembers; else those
					   that exist */
	bool		in_place;	/* without the log */
	const struct kept *beside;	/* names that are left out, or NULL */
	struct kept	*names;		/* takes those that exist, or NULL */
};

struct part_counts {
	uint64_t	restored;
	uint64_t	present;	/* an earlier run had restored them */
	uint64_t	left_out;	/* on purpose, */
	uint64_t	failed;
	uint64_t	unproven;	/* restored, with contents that may be of
					   another time */
};

/* The file system of the session's view, or without the log; ext2fs_free(). */
errcode_t part_open(struct session *s, bool in_place, ext2_filsys *fs);
/*
 * Copy the files below part->to_fd, with all that can be kept of each, and list
 * them on the session's output.  The session has its view.
 */
void part_copy(struct session *s, const struct part *part,
	       struct part_counts *counts);

#endif
