/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * copy.h - debuglazy: files of the file system as files of this system
 */
#ifndef DEBUGFS_EXT_COPY_H
#define DEBUGFS_EXT_COPY_H

#include "shell.h"

/*
 * What is copied for an operand.  No sound file system holds more bytes than it
 * has blocks and inodes for, so that is all that may be taken from it: blocks
 * that are named again and again cost each time.
 */
struct copying {
	struct shell	*shell;
	struct session	*s;
	bool		preserve;	/* mode, owner and times */
	bool		set_ids;	/* and the bits that change users */
	unsigned long	cleared;	/* files that had such bits */
	uint64_t	budget;		/* bytes that may yet be taken */
	bool		spent;		/* and more were wanted */
	const char	*shown;		/* what messages call the copy; NULL:
					   as the source */
};

/* One file to be copied: @path names it in messages. */
struct original {
	const char	*path;
	ext2_ino_t	ino;
	struct ext2_inode_large inode;
};

/* Who may do what with it; the umask may take away from that. */
static inline unsigned copy_mode(const struct original *from)
{
	return from->inode.i_mode & 0777;
}

/* An option of those that rdump and dump share, -p and -s. */
void copy_option(struct copying *copying, int id);
/* False, after a complaint, if they contradict each other. */
bool copy_options_fit(struct copying *copying);

/* The regular file that @path means. False after a complaint. */
bool copy_find_file(struct copying *copying, const char *path,
		    struct original *from);
/*
 * Make the new file @name in the open directory @dir, or relative to the
 * working directory for AT_FDCWD.  What could not be copied whole is removed.
 * False after a complaint.
 */
bool copy_file(struct copying *copying, struct original *from, int dir,
	       const char *name);
/* The same of a symbolic link. */
bool copy_symlink(struct copying *copying, struct original *from, int dir,
		  const char *name);
/* Give what @fd is open on the mode, owner and times of @from. */
void copy_attributes(struct copying *copying, const struct original *from,
		     int fd);
/* Say how many files lost set-user-ID and set-group-ID bits, if any did. */
void copy_tell_cleared(const struct copying *copying);

/* The budget of an operand begins anew. */
void copy_begin(struct copying *copying);
/* Take @bytes of it.  False after a complaint about @path. */
bool copy_charge(struct copying *copying, const char *path, uint64_t bytes);
/* Complain of @path; of E2LAZY_ET_BUDGET with the number of bytes. */
void copy_fail(struct copying *copying, const char *path, errcode_t err);

#endif
