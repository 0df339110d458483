/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_undelete.h - libe2lazy: deleted files, from the whole ring
 *
 *	e2lazy_undelete_scan()	which inodes had lives that are over
 *	e2lazy_undelete_get()	one of them: what it was, when it ended
 *	e2lazy_undelete_path()	its names
 *	e2lazy_undelete_read()	its contents, each block with its grade
 *	e2lazy_undelete_xattrs()	its extended attributes
 *
 * An inode is used for one file after another.  A *life* of it is the time of
 * one file, told from others by generation and creation time.  Each life is
 * shown as the newest copy of the inode in the ring has it that was in use.
 *
 * Words and rules are those of e2lazy.h.  Nothing is ever written.
 */
#ifndef E2LAZY_UNDELETE_H
#define E2LAZY_UNDELETE_H

#include "e2lazy_view.h"

#ifdef __cplusplus
extern "C" {
#endif

struct e2lazy_undelete;

struct e2lazy_undelete_opts {
	bool		has_until;
	uint32_t	until;		/* @view is of this transaction */
	bool		evidence;	/* e2lazy_undelete_read() will grade */
	bool		users;		/* and name who uses blocks now */
	/* PHASE_RING, PHASE_TXNS, PHASE_READ, PHASE_DIRECTORIES, PHASE_ROLES,
	   and with @users PHASE_INODES */
	const struct e2lazy_watch *watch;
};

/*
 * e2lazy_undelete_scan - find the lives that are over
 * @view:  the file system as it is now; outlives @out, as its map does
 * @opts:  may be NULL
 * @where: may be NULL; on failure the block that could not be read
 *
 * Takes 40 bytes a copy in the ring, 64 a life, 24 a piece of a deleted file,
 * and 4 a log block.
 */
errcode_t e2lazy_undelete_scan(struct e2lazy_journal *journal,
			       struct e2lazy_view *view,
			       const struct e2lazy_undelete_opts *opts,
			       struct e2lazy_undelete **out,
			       struct e2lazy_where *where);
void e2lazy_undelete_free(struct e2lazy_undelete *undelete);

/* How far back the ring goes, and what it gave. */
struct e2lazy_horizon {
	uint64_t	txns;		/* 0: nothing is known */
	uint32_t	tid;		/* of the oldest transaction */
	uint64_t	sec;		/* its commit time */
	uint64_t	copies;		/* in all transactions */
	uint64_t	inodes;		/* inodes with at least one copy */
	uint64_t	unreadable;	/* copies that could not be used */
};
void e2lazy_undelete_horizon(const struct e2lazy_undelete *undelete,
			     struct e2lazy_horizon *out);

/* What is special about a deleted file: e2lazy_deleted.flags. */
#define E2LAZY_DELETED_ORPHAN	0x01	/* no copy has it in use: of those where
					   it is going, the largest is shown */
#define E2LAZY_DELETED_TRUNCATING 0x02	/* it was being cut off */
#define E2LAZY_DELETED_ENCRYPTED 0x04	/* contents and names are */
#define E2LAZY_DELETED_VERITY	0x08
#define E2LAZY_DELETED_UNSEEN	0x10	/* its end is in no transaction */

struct e2lazy_deleted {
	ext2_ino_t	ino;
	uint32_t	generation;
	unsigned	mode;
	uint32_t	uid, gid;
	unsigned	links;
	uint64_t	size;
	struct timespec	atime, mtime, ctime, crtime; /* crtime 0: unknown */
	unsigned	device_major, device_minor;	/* of device files */
	uint32_t	tid;		/* the copy's transaction */
	uint64_t	sec;		/* its commit time */
	uint32_t	gone_tid;	/* where the life is over; not with UNSEEN */
	uint64_t	gone_sec;	/* its commit time, or i_dtime; 0: unknown */
	unsigned	flags;
	unsigned	names;		/* at its end */
};

/* In ascending order of inode and time. */
size_t e2lazy_undelete_count(const struct e2lazy_undelete *undelete);
errcode_t e2lazy_undelete_get(struct e2lazy_undelete *undelete, size_t index,
			      struct e2lazy_deleted *out);
/*
 * e2lazy_undelete_path - name @n of a file, to be freed with free()
 * @length: of the path, which may hold any byte but a slash in a name
 *
 * From the root.  Where the way up ends before it, the path begins with "#INODE"
 * of the last directory that is known.  @n is below e2lazy_deleted.names; or it
 * is 0, and the path of a file without any name is "#INODE".
 */
errcode_t e2lazy_undelete_path(struct e2lazy_undelete *undelete, size_t index,
			       unsigned n, char **path, size_t *length);
/* True where the directory that has name @n is deleted itself. */
bool e2lazy_undelete_in_deleted(const struct e2lazy_undelete *undelete,
				size_t index, unsigned n);

/* What became of a block after the file was deleted. */
enum e2lazy_grade {
	E2LAZY_GRADE_INTACT,	/* no evidence against it */
	E2LAZY_GRADE_ZERO,	/* reads as zeros, and is no hole: discarded? */
	E2LAZY_GRADE_UNKNOWN,	/* nothing proves that it was the file's, or it
				   cannot be read */
	E2LAZY_GRADE_BETWEEN,	/* was allocated again, and is free */
	E2LAZY_GRADE_REUSED,	/* is in use now */
	E2LAZY_NR_GRADES
};
/* "intact", "zero", ...; static storage. */
const char *e2lazy_grade_name(enum e2lazy_grade grade);

/* Neighbouring blocks of a file, all of one grade. */
struct e2lazy_graded {
	uint64_t	lblk;		/* in the file */
	blk64_t		fsblk;		/* 0: in the inode itself */
	uint64_t	count;
	enum e2lazy_grade grade;
	ext2_ino_t	user;		/* REUSED: who uses it, if asked for */
	const void	*bytes;		/* of all of it, cut off at the file's
					   end; NULL where it was not read */
	size_t		length;
};

/* What was found of a file as a whole. */
struct e2lazy_contents {
	uint64_t	blocks[E2LAZY_NR_GRADES];
	bool		map_missing;	/* a part of its block map is lost */
	bool		map_unproven;	/* and another may be somebody else's */
	bool		read;		/* contents were */
};

/* Which blocks of a file are read. */
enum e2lazy_reading {
	E2LAZY_READ_NONE,	/* ZERO is never found, nor is an I/O error */
	E2LAZY_READ_OWN,	/* those that nobody else has had since */
	E2LAZY_READ_ALL,
};

/*
 * e2lazy_undelete_read - the blocks of a file in their order, graded
 * @found:    may be NULL; a non-zero return ends the reading and is returned.
 *            Holes and unwritten blocks, which are zeros, are left out.
 *
 * Directories, too, have blocks; device files and pipes have none.
 */
errcode_t e2lazy_undelete_read(struct e2lazy_undelete *undelete, size_t index,
			       enum e2lazy_reading reading,
			       errcode_t (*found)(void *priv,
						  const struct e2lazy_graded *),
			       void *priv, struct e2lazy_contents *out);

/* Where a symbolic link led, to be freed; its length is the file's size. */
errcode_t e2lazy_undelete_symlink(struct e2lazy_undelete *undelete,
				  size_t index, char **target,
				  struct e2lazy_contents *out);

/*
 * e2lazy_undelete_xattrs - the extended attributes of a file
 * @found: gets the whole name, as "user.a"; ACLs as the kernel's interface has
 *         them
 * @lost:  how many could not be had
 */
errcode_t e2lazy_undelete_xattrs(struct e2lazy_undelete *undelete,
				 size_t index,
				 errcode_t (*found)(void *priv,
						    const char *name,
						    const void *value,
						    size_t length),
				 void *priv, unsigned *lost);

/*
 * e2lazy_undelete_missing - inodes that are free now, and of which nothing is
 * in the ring that could be restored
 * @found: may be NULL; @sec is when it was deleted
 *
 * Reads all inode tables: PHASE_INODES.
 */
errcode_t e2lazy_undelete_missing(struct e2lazy_undelete *undelete,
				  const struct e2lazy_watch *watch,
				  errcode_t (*found)(void *priv, ext2_ino_t ino,
						     uint64_t sec),
				  void *priv);

#ifdef __cplusplus
}
#endif

#endif
