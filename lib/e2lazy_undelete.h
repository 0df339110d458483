/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_undelete.h - libe2lazy: deleted files, from the whole ring
 *
 *	e2lazy_undelete_scan()	find the lives that are over
 *	e2lazy_undelete_get()	describe one of them
 *	e2lazy_undelete_path()	its names
 *	e2lazy_undelete_read()	its contents, each block with its grade
 *	e2lazy_undelete_xattrs()	its extended attributes
 *	e2lazy_undelete_missing()	deleted inodes without a copy, and why
 *
 * One file after another uses the same inode.  A *life* of the inode is the
 * time of one file; generation and creation time tell lives apart.  The library
 * describes a life by the newest copy of the inode in the ring that was in use.
 * A file that was emptied, cut or written anew, and lived on, had other contents
 * before: these count as a life, too (E2LAZY_DELETED_STATE).
 *
 * Terms and rules are those of e2lazy.h.  No function here writes.
 */
#ifndef E2LAZY_UNDELETE_H
#define E2LAZY_UNDELETE_H

#include "e2lazy_view.h"

#ifdef __cplusplus
extern "C" {
#endif

struct e2lazy_undelete;

struct e2lazy_undelete_opts {
	bool		evidence;	/* e2lazy_undelete_read() grades */
	bool		users;		/* and names the present users */
	/* PHASE_RING, PHASE_TXNS, PHASE_READ, PHASE_DIRECTORIES, PHASE_ROLES,
	   and with @users PHASE_INODES */
	const struct e2lazy_watch *watch;
};

/*
 * e2lazy_undelete_scan - find the lives that are over
 * @view:  the file system as it is now, or was at some transaction: then no later
 *	   one counts, and all files are unproven (E2LAZY_DELETED_GAP), for their
 *	   blocks are read as they are now; it and its map must outlive @out
 * @opts:  may be NULL
 * @where: may be NULL; on failure the block that could not be read
 *
 * Memory: 44 bytes for each copy in the ring, 144 for each life, 80 for each
 * regular file during the scan, 56 for each of
 * its names, 32 for each piece of a deleted file, and 4 for each log block;
 * besides 16 requests of 256 KiB.  Evidence takes 32 bytes for each run, of which
 * there are at most 4 million, and 8 for each piece.
 */
errcode_t e2lazy_undelete_scan(struct e2lazy_journal *journal,
			       struct e2lazy_view *view,
			       const struct e2lazy_undelete_opts *opts,
			       struct e2lazy_undelete **out,
			       struct e2lazy_where *where);
void e2lazy_undelete_free(struct e2lazy_undelete *undelete);

/* The oldest transaction of the ring, and the numbers of the scan. */
struct e2lazy_horizon {
	uint64_t	txns;		/* 0: the ring holds none */
	uint32_t	tid;		/* of the oldest transaction */
	uint64_t	sec;		/* its commit time */
	uint64_t	copies;		/* in all transactions */
	uint64_t	inodes;		/* inodes with at least one copy */
	uint64_t	unreadable;	/* copies that are bad or unreadable */
};
void e2lazy_undelete_horizon(const struct e2lazy_undelete *undelete,
			     struct e2lazy_horizon *out);

/* Special properties of a deleted file: e2lazy_deleted.flags. */
#define E2LAZY_DELETED_ORPHAN	0x01	/* no copy is in use: the largest copy
					   of the deletion describes it */
#define E2LAZY_DELETED_TRUNCATING 0x02	/* a truncation was going on, or
					   came after the deletion */
#define E2LAZY_DELETED_ENCRYPTED 0x04	/* contents and names */
#define E2LAZY_DELETED_VERITY	0x08
#define E2LAZY_DELETED_UNSEEN	0x10	/* its end is in no transaction */
#define E2LAZY_DELETED_GAP	0x20	/* later transactions are lost or do not
					   count, a later copy is bad, or there
					   was too much to judge all blocks: no
					   block of it is INTACT */
#define E2LAZY_DELETED_NAME	0x40	/* a lost transaction may have changed a
					   name on its path */

#define E2LAZY_DELETED_EARLIER	0x80	/* it was gone before the deletion of the
					   deleted directory that it is in began,
					   or before a file that it belongs to */

#define E2LAZY_DELETED_STATE	0x100	/* not the end of the file, but of
					   earlier contents: it lost some */

struct e2lazy_deleted {
	ext2_ino_t	ino;
	uint32_t	generation;
	unsigned	mode;
	uint32_t	uid, gid;
	unsigned	links;
	uint64_t	size;
	uint64_t	after;		/* with STATE: the size after it */
	struct e2lazy_time atime, mtime, ctime, crtime; /* crtime 0: unknown */
	unsigned	device_major, device_minor;	/* of device files */
	uint32_t	tid;		/* the copy's transaction */
	uint64_t	sec;		/* its commit time */
	uint32_t	gone_tid;	/* end of the life; not with UNSEEN */
	uint64_t	gone_sec;	/* commit time; if that is not known,
					   i_dtime, or else the inode's change
					   time at its end; 0: nor are these */
	uint32_t	gone_nsec;	/* 0: not known */
	unsigned	flags;
	unsigned	names;		/* number of names at its end */
};

/* In ascending order of inode and time. */
size_t e2lazy_undelete_count(const struct e2lazy_undelete *undelete);
/* So many of them are earlier contents: E2LAZY_DELETED_STATE. */
size_t e2lazy_undelete_states(const struct e2lazy_undelete *undelete);
errcode_t e2lazy_undelete_get(struct e2lazy_undelete *undelete, size_t index,
			      struct e2lazy_deleted *out);
/*
 * e2lazy_undelete_living - describe a file that still exists in the same terms
 *
 * Sets mode, owner, links, size, times and device numbers; the rest stays.
 */
void e2lazy_undelete_living(const struct ext2_inode_large *inode,
			    struct e2lazy_deleted *out);
/*
 * e2lazy_undelete_path - path @n of a file; the caller frees it with free()
 * @length: of the path; a name may hold any byte but a slash
 *
 * The path begins at the root, or, if the way up ends before it, with "#INODE"
 * of the topmost known directory.  @n is below e2lazy_deleted.names.  For a
 * file without any name @n is 0, and the path is "#INODE".
 *
 * After some calls the names of all directories that lost files are looked for
 * at once, in up to 96 bytes for each, and the names.
 */
errcode_t e2lazy_undelete_path(struct e2lazy_undelete *undelete, size_t index,
			       unsigned n, char **path, size_t *length);
/* Is the directory of name @n deleted, too? */
bool e2lazy_undelete_in_deleted(const struct e2lazy_undelete *undelete,
				size_t index, unsigned n);

/* The evidence about a block since its file was deleted. */
enum e2lazy_grade {
	E2LAZY_GRADE_INTACT,	/* no evidence against it */
	E2LAZY_GRADE_ZERO,	/* reads as zeros, and is no hole: discarded? */
	E2LAZY_GRADE_UNKNOWN,	/* nothing proves that it was the file's, or it
				   cannot be read */
	E2LAZY_GRADE_BETWEEN,	/* it was allocated again, and is free now */
	E2LAZY_GRADE_REUSED,	/* it is in use now */
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
	ext2_ino_t	user;		/* REUSED: its user, with opts.users */
	const void	*bytes;		/* of all blocks, up to the file's end;
					   NULL if they were not read */
	size_t		length;
};

/* The result for a whole file. */
struct e2lazy_contents {
	uint64_t	blocks[E2LAZY_NR_GRADES];
	uint64_t	blank;		/* of those that are ZERO: no discard has
					   made them, so they were written */
	bool		map_missing;	/* a part of its block map is lost */
	bool		map_unproven;	/* a part may be another file's */
	bool		read;		/* contents were read */
};

/* The blocks of a file to read. */
enum e2lazy_reading {
	E2LAZY_READ_NONE,	/* finds neither ZERO nor I/O errors */
	E2LAZY_READ_OWN,	/* all but BETWEEN and REUSED */
	E2LAZY_READ_ALL,
};

/*
 * e2lazy_undelete_read - the blocks of a file in their order, graded
 * @found:    may be NULL; a non-zero return ends the reading and is returned.
 *            It does not get holes and unwritten blocks, which are zeros.
 *
 * Directories have blocks, too; device files and pipes have none.
 */
errcode_t e2lazy_undelete_read(struct e2lazy_undelete *undelete, size_t index,
			       enum e2lazy_reading reading,
			       errcode_t (*found)(void *priv,
						  const struct e2lazy_graded *),
			       void *priv, struct e2lazy_contents *out);

/*
 * The target of a symbolic link; the caller frees it.  Length: the file's size.
 */
errcode_t e2lazy_undelete_symlink(struct e2lazy_undelete *undelete,
				  size_t index, char **target,
				  struct e2lazy_contents *out);

/*
 * e2lazy_undelete_xattrs - the extended attributes of a file
 * @found: gets the whole name, such as "user.a"; ACLs in the form of the
 *         kernel's interface
 * @lost:  number of attributes that are lost
 */
errcode_t e2lazy_undelete_xattrs(struct e2lazy_undelete *undelete,
				 size_t index,
				 errcode_t (*found)(void *priv,
						    const char *name,
						    const void *value,
						    size_t length),
				 void *priv, unsigned *lost);

/* The reason why the ring has no copy from before a deletion. */
enum e2lazy_missing_reason {
	E2LAZY_MISSING_EMPTY,	/* the ring holds no transaction */
	E2LAZY_MISSING_BEFORE,	/* deleted before the oldest transaction */
	E2LAZY_MISSING_BAD,	/* a copy of its block is bad or unreadable */
	E2LAZY_MISSING_BRIEF,	/* made and deleted within one transaction,
				   which logs only the end */
	E2LAZY_MISSING_OVERWRITTEN, /* its last change was before the oldest
				   transaction, or in a gap */
	E2LAZY_NR_MISSING
};
/* "empty", "before", ...; static storage. */
const char *e2lazy_missing_name(enum e2lazy_missing_reason reason);

struct e2lazy_missing {
	ext2_ino_t	ino;
	uint32_t	generation;
	unsigned	mode;		/* the kernel keeps these three */
	uint32_t	uid, gid;
	uint64_t	sec;		/* time of the deletion */
	enum e2lazy_missing_reason reason;
};

/*
 * e2lazy_undelete_missing - free inodes of deleted files without a usable copy
 * in the ring
 * @found: may be NULL
 *
 * Reads all inode tables: PHASE_INODES.
 */
errcode_t e2lazy_undelete_missing(struct e2lazy_undelete *undelete,
				  const struct e2lazy_watch *watch,
				  errcode_t (*found)(void *priv,
					const struct e2lazy_missing *missing),
				  void *priv);

#ifdef __cplusplus
}
#endif

#endif
