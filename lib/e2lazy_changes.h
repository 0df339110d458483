/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_changes.h - libe2lazy: the changes of files, from transaction to
 * transaction
 *
 *	e2lazy_changes_between()	between two times, net
 *	e2lazy_changes_each()		in each transaction of a stretch
 *
 * Both read only blocks that the transactions logged: inodes, directories and
 * what leads to them.  Words and rules are those of e2lazy.h.  These functions
 * never write.
 */
#ifndef E2LAZY_CHANGES_H
#define E2LAZY_CHANGES_H

#include "e2lazy_view.h"

#ifdef __cplusplus
extern "C" {
#endif

enum e2lazy_change_kind {
	E2LAZY_CREATED,
	E2LAZY_DELETED,		/* its last link is gone */
	E2LAZY_RENAMED,
	E2LAZY_LINKED,		/* got one more name */
	E2LAZY_UNLINKED,	/* lost a name, and goes on */
	E2LAZY_RESIZED,
	E2LAZY_WRITTEN,		/* modification time, at the same size */
	E2LAZY_MAPPED,		/* contents are in other blocks now */
	E2LAZY_MODE,
	E2LAZY_OWNER,
	E2LAZY_XATTRS,
	E2LAZY_FLAGS,		/* attributes of lsattr(1) */
	E2LAZY_TIMES,		/* a program set a time: it is earlier than a
				   change before, or than the creation, or later
				   than the commit */
	E2LAZY_TOUCHED,		/* only other times */
	E2LAZY_CHANGED,		/* the earlier inode is unknown: by its time, or
				   a name came or went, perhaps of another
				   file; or its earlier attributes are */
	E2LAZY_STATE,		/* no change: the inode as the first transaction
				   left it; what it changed is unknown */
	E2LAZY_NR_CHANGES
};

/* "created", "deleted", "chmod", ...; static storage. */
const char *e2lazy_change_name(enum e2lazy_change_kind kind);

/* An inode at one time. */
struct e2lazy_inode_state {
	uint32_t	generation;
	unsigned	mode;
	unsigned	links;
	uint32_t	uid, gid;
	uint64_t	size;
	struct e2lazy_time atime, mtime, ctime, crtime; /* crtime 0: unknown */
	struct e2lazy_time dtime; /* of a deleted file, without links; else 0 */
};

struct e2lazy_change {
	enum e2lazy_change_kind kind;
	uint32_t	tid;		/* of e2lazy_changes_each() only, */
	uint64_t	sec;		/* and its commit time */
	uint32_t	nsec;
	ext2_ino_t	ino;
	const struct e2lazy_inode_state *before;	/* NULL: none, or not
							   known */
	const struct e2lazy_inode_state *after;		/* NULL: likewise */
	/*
	 * The path after the change; of a deleted or lost name, the path
	 * before.  "<INODE>", or that and the rest of the path, if the way up
	 * ends before the root.
	 */
	const char	*path;
	const char	*old_path;	/* of RENAMED, and of CHANGED if it may
					   be that; else NULL */
	struct e2lazy_time changed;	/* the inode's change time after it, of
					   a deleted file that of its end;
					   0: unknown */
};

/* A file has got a block, or lost it. */
struct e2lazy_owner_change {
	uint32_t	tid;
	uint64_t	sec;		/* commit time */
	uint32_t	nsec;
	bool		got;
	bool		exact;		/* false: by this transaction; GOT only */
	struct e2lazy_owner owner;	/* as long as it has the block */
	const char	*path;		/* as in struct e2lazy_change */
};

struct e2lazy_changes_opts {
	/* A non-zero return ends the search and is returned.  NULL: none. */
	errcode_t	(*found)(void *priv, const struct e2lazy_change *);
	/* May be NULL.  A block whose earlier or later content is unknown: its
	   changes are left out.  The content before the first copy often is,
	   with E2LAZY_ET_LOST: then times tell some of the changes.  It may
	   come several times. */
	errcode_t	(*lost)(void *priv, blk64_t fsblk, bool before,
				errcode_t why);
	void		*priv;
	bool		has_until;
	uint32_t	until;		/* the last transaction */
	/* e2lazy_changes_each() tells E2LAZY_STATE, too: of inodes that are or
	   were files, if their block has no content before the first
	   transaction. */
	bool		beginning;
	/* If set, e2lazy_changes_each() tells which files have had @block, too, as
	   contents, as a node of their map or for attributes: as far as the
	   stretch logs their inodes. */
	errcode_t	(*owned)(void *priv,
				 const struct e2lazy_owner_change *);
	blk64_t		block;
	/* PHASE_TXNS, and PHASE_DIRECTORIES if files have no name in the
	   blocks that were logged. */
	const struct e2lazy_watch *watch;
};

/*
 * e2lazy_changes_between - the net changes from one view to another
 * @before, @after: views of the same journal, each with a map of its own
 * @ranges: the stretch, @count of them, NULL for the log, of both views
 * @first:  the last transaction of @before; the one of @after ends the search
 * @where:  may be NULL; on failure the block that could not be read
 *
 * Changes of an inode come one after another, in the order of enum
 * e2lazy_change_kind; inodes ascend.  Memory: some 250 bytes for each inode that
 * differs, and the names that directories have lost and got.
 */
errcode_t e2lazy_changes_between(struct e2lazy_journal *journal,
				 struct e2lazy_view *before,
				 struct e2lazy_view *after,
				 const struct e2lazy_range *ranges,
				 uint32_t count, uint32_t first, uint32_t last,
				 const struct e2lazy_changes_opts *opts,
				 struct e2lazy_where *where);

/*
 * e2lazy_changes_each - the changes in each transaction of a stretch
 * @view:   the end of the stretch, for names that no transaction logged
 * @ranges: the stretch, @count of them; NULL for the log
 *
 * The contents of a block before its first copy in the stretch are known only if
 * the log has lost no transaction since it was empty, and if the static block
 * is older than all copies.  Otherwise an inode counts as created or changed by
 * its own times: all changes since the first transaction of the stretch log its
 * block.  Memory: 40 bytes for each copy in the stretch and 4 for each log block,
 * 160 for each inode and directory that changes, and 800 for each inode of the
 * transaction that changes most.  It reads each copy at most four times, and asks
 * for those of a transaction together.
 */
errcode_t e2lazy_changes_each(struct e2lazy_journal *journal,
			      struct e2lazy_view *view,
			      const struct e2lazy_range *ranges, uint32_t count,
			      const struct e2lazy_changes_opts *opts,
			      struct e2lazy_where *where);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_CHANGES_H */
