/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * copy.h - debuglazy: files of the file system as files of this system
 */
#ifndef DEBUGFS_EXT_COPY_H
#define DEBUGFS_EXT_COPY_H

#include "shell.h"

struct copying {
	struct shell	*shell;
	struct session	*s;
	bool		preserve;	/* mode, owner and times */
	const char	*shown;		/* what messages call the copy; NULL:
					   as the source */
};

/* One file to be copied: @path names it in messages. */
struct source {
	const char	*path;
	ext2_ino_t	ino;
	struct ext2_inode_large inode;
};

/* Who may do what with it; the umask may take away from that. */
static inline unsigned copy_mode(const struct source *from)
{
	return from->inode.i_mode & 0777;
}

/*
 * Make the new file @name in the open directory @dir, or relative to the
 * working directory for AT_FDCWD.  What could not be copied whole is removed.
 * False after a complaint.
 */
bool copy_file(const struct copying *copying, struct source *from, int dir,
	       const char *name);
/* The same of a symbolic link. */
void copy_symlink(const struct copying *copying, struct source *from, int dir,
		  const char *name);
/* Give what @fd is open on the mode, owner and times of @from. */
void copy_attributes(const struct copying *copying, const struct source *from,
		     int fd);

#endif
