/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * copy.h - debuglazy: files of the file system as files of this system
 */
#ifndef DEBUGFS_EXT_COPY_H
#define DEBUGFS_EXT_COPY_H

#include "shell.h"

/*
 * The copying of one operand.  A sound file system holds at most as many bytes
 * as its blocks and inodes can; that is the budget of an operand.  Blocks that
 * are named repeatedly cost each time.
 */
struct copying {
	struct shell	*shell;
	struct session	*s;
	bool		preserve;	/* mode, owner and times */
	bool		set_ids;	/* also the bits that change users */
	unsigned long	cleared;	/* files that had such bits */
	uint64_t	budget;		/* bytes left in the budget */
	bool		spent;		/* the budget was exceeded */
	const char	*shown;		/* name of the copy in messages; NULL:
					   the source's */
};

/* One file to copy; messages call it @path. */
struct original {
	const char	*path;
	ext2_ino_t	ino;
	struct ext2_inode_large inode;
};

/* Permission bits of the copy; the umask may remove some. */
static inline unsigned copy_mode(const struct original *from)
{
	return from->inode.i_mode & 0777;
}

/* An option that rdump and dump share: -p or -s. */
void copy_option(struct copying *copying, int id);
/* False, after a complaint, if the options contradict each other. */
bool copy_options_fit(struct copying *copying);

/* Find the regular file @path. False after a complaint. */
bool copy_find_file(struct copying *copying, const char *path,
		    struct original *from);
/*
 * Make the new file @name in the open directory @dir, or in the working
 * directory for AT_FDCWD.  An incomplete copy is removed.  False after a
 * complaint.
 */
bool copy_file(struct copying *copying, struct original *from, int dir,
	       const char *name);
/* The same for a symbolic link. */
bool copy_symlink(struct copying *copying, struct original *from, int dir,
		  const char *name);
/* Give the file open at @fd the mode, owner and times of @from. */
void copy_attributes(struct copying *copying, const struct original *from,
		     int fd);
/* Report the number of files that lost set-user-ID and set-group-ID bits. */
void copy_tell_cleared(const struct copying *copying);

/*
 * For a view of an earlier time: warn if the contents of @from are later than the
 * view, and set FSCK_LEFT.
 */
void copy_tell_later(struct copying *copying, const struct original *from);

/* Begin a new operand with a fresh budget. */
void copy_begin(struct copying *copying);
/* Take @bytes off the budget. False after a complaint about @path. */
bool copy_charge(struct copying *copying, const char *path, uint64_t bytes);
/* Complain about @path; for E2LAZY_ET_BUDGET with the number of bytes. */
void copy_fail(struct copying *copying, const char *path, errcode_t err);

#endif
