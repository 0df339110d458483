/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_view.h - libe2lazy: the file system as seen through its log
 *
 *	e2lazy_view_*()		every block from its newest place, the log or
 *				the static block, as if written back
 *	e2lazy_later_*()	files whose contents are later than the view
 *	e2lazy_layout_*()	type and group of a static block
 *	e2lazy_identify()	type of a block by its content
 *	e2lazy_directory_*()	entries and paths of directories, in a bounded
 *	e2lazy_lookup()		number of steps
 *	e2lazy_owners_*()	the inode that owns each block in the log
 *
 * Words and rules are those of e2lazy.h.  These functions never write.
 */
#ifndef E2LAZY_VIEW_H
#define E2LAZY_VIEW_H

#include "e2lazy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------- the view --- */

struct e2lazy_view;

/*
 * e2lazy_view_build - the file system as after a checkpoint of @map
 * @map:   must outlive the view.  Build it with E2LAZY_JMAP_CSUMS, or the view
 *         cannot verify copies.  With E2LAZY_WALK_UNTIL the view shows that
 *         time.
 * @where: may be NULL; on failure the block that could not be read
 *
 * The view makes two blocks up.  It merges the ext4 superblock from its copy in
 * the log and the static block, and clears needs_recovery.  Its journal
 * superblock says that the log is empty.
 *
 * In a view of an earlier time a block is *lost* if its content then is
 * unknown: only later transactions log or revoke it, and the static block has,
 * or may have, been overwritten since.  To find lost blocks, the call walks the
 * rest of the log.  Blocks that never went through the log, as file contents
 * usually do not, are shown as they are now.
 *
 * A map of other ranges shows an earlier time, too.  The call then scans the
 * ring for later transactions, as e2lazy_ring_scan() does.  If some are
 * missing, metadata without a copy in the map is lost, because the missing
 * transactions may have logged it: see e2lazy_view_uncovered().
 *
 * Fast commits are not part of the view: see e2lazy_view_fast_commits().
 */
errcode_t e2lazy_view_build(struct e2lazy_journal *journal,
			    const struct e2lazy_jmap *map,
			    struct e2lazy_view **out,
			    struct e2lazy_where *where);
void e2lazy_view_free(struct e2lazy_view *view);

struct e2lazy_fc_done {
	uint32_t	records;	/* replayed */
	size_t		blocks;		/* changed by them */
	ext2_ino_t	ino;		/* on failure: the inode in question */
};

/*
 * e2lazy_view_fast_commits - show the fast commits, too
 * @view:  of the log as it is, not of an earlier time; not patched yet
 * @done:  always filled
 * @where: may be NULL; on failure the block that could not be read
 *
 * Replays the valid records of e2lazy_fc_scan() in memory; the view then shows
 * the file system with them.  Without such records it does nothing.  Call it
 * once, before any other reading through the view.  A replay that would not be
 * right fails with E2LAZY_ET_FC_*, and the view stays as it was.
 */
errcode_t e2lazy_view_fast_commits(struct e2lazy_view *view,
				   struct e2lazy_fc_done *done,
				   struct e2lazy_where *where);

/*
 * e2lazy_view_leave_out - show these blocks as they are in place
 * @fsblks: ascending; copied, and in the place of an earlier list
 *
 * For copies that a checkpoint leaves out, because their blocks hold contents
 * of files now: e2lazy_verdict_leaves_out().  A checkpoint does not ask the
 * view.
 */
errcode_t e2lazy_view_leave_out(struct e2lazy_view *view,
				const blk64_t *fsblks, size_t nr);

/*
 * e2lazy_view_keep - read all live copies now, and keep them in memory
 * @memory: most bytes for the packed copies and a checkpoint of them together
 * @watch:  may be NULL; E2LAZY_PHASE_READ
 *
 * If the copies do not fit, it keeps none and returns 0; it gives up early,
 * after 1/16 of them, if they clearly will not fit.  Later reads through the
 * view, and its e2lazy_verify() and e2lazy_checkpoint(), take sound copies from
 * memory.  An unreadable copy is no error here: a later use reads it again and
 * fails.
 */
errcode_t e2lazy_view_keep(struct e2lazy_view *view, uint64_t memory,
			   const struct e2lazy_watch *watch);

/*
 * Bytes of a device, in whole sectors; 0 for E2LAZY_JOURNAL if the journal is
 * internal.
 */
uint64_t e2lazy_view_size(const struct e2lazy_view *view,
			  enum e2lazy_volume volume);

/*
 * e2lazy_view_read - bytes of a device, as after a checkpoint
 * @where: may be NULL; on failure the block that could not be read
 *
 * Any offset and count within the device.  EXT2_ET_INVALID_ARGUMENT for
 * E2LAZY_JOURNAL if the journal is internal.  E2LAZY_ET_DATA_CSUM for a copy
 * with a bad checksum, E2LAZY_ET_LOST for a lost block: the view never replaces
 * either by an older copy.
 */
errcode_t e2lazy_view_read(struct e2lazy_view *view, enum e2lazy_volume volume,
			   uint64_t offset, size_t count, void *buf,
			   struct e2lazy_where *where);

enum e2lazy_source {
	E2LAZY_IN_PLACE,	/* the static block is the newest */
	E2LAZY_IN_LOG,		/* at @physblk of the journal's device */
	E2LAZY_MADE_UP,		/* a superblock */
	E2LAZY_LOST,		/* its content at that time is unknown */
};

/* Neighbouring blocks whose contents are neighbours in one place, too. */
struct e2lazy_piece {
	blk64_t		fsblk;
	blk64_t		count;		/* blocks; escaped copies stand alone */
	enum e2lazy_source source;
	blk64_t		physblk;	/* IN_LOG */
	uint32_t	logblk;		/* IN_LOG */
	unsigned	flags;		/* IN_LOG: E2LAZY_COPY_* of them all */
};

/*
 * The piece that begins at @fsblk, of at most @most blocks.  O(log n + blocks
 * of the piece).
 */
void e2lazy_view_piece(const struct e2lazy_view *view, blk64_t fsblk,
		       blk64_t most, struct e2lazy_piece *out);

/* The lost blocks, in ascending order. */
size_t e2lazy_view_lost(const struct e2lazy_view *view, const blk64_t **fsblks);
/*
 * The real end of the log, if a view of an earlier time of the log has looked
 * for lost blocks; else NULL.  If the log ends with damage, more blocks may be
 * lost.
 */
const struct e2lazy_end *e2lazy_view_later(const struct e2lazy_view *view);
/*
 * Does the ring lack transactions that are later than the view?  Then a read of
 * metadata in place fails with E2LAZY_ET_LOST.  The content of a block decides
 * besides its place, so e2lazy_view_lost() and e2lazy_view_piece() do not name
 * these blocks.
 */
bool e2lazy_view_uncovered(const struct e2lazy_view *view);

/*
 * e2lazy_view_open - a handle on the view, for all reading of libext2fs
 * @out:   close it with ext2fs_free(), before e2lazy_view_free()
 * @where: may be NULL; on failure the block that could not be read
 *
 * The handle has no bitmaps; ext2fs_read_bitmaps() reads the newest.  A write
 * fails with EXT2_ET_RO_FILSYS.
 */
errcode_t e2lazy_view_open(struct e2lazy_view *view, ext2_filsys *out,
			   struct e2lazy_where *where);
/*
 * The place where the last read through such a handle failed, which libext2fs
 * does not report.  NULL if that read did not fail, and for any other handle.
 * Valid until the next read.
 */
const struct e2lazy_where *e2lazy_view_failed(ext2_filsys fs);
/*
 * Call @watch->stop before each read through a handle of e2lazy_view_open().
 * If it returns anything but 0, the read fails with E2LAZY_ET_CANCELLED.
 * @watch is copied; NULL ends it.
 */
void e2lazy_view_watch(struct e2lazy_view *view,
		       const struct e2lazy_watch *watch);

/*
 * e2lazy_view_path - the inode that a path names
 * @path:  from the root; follows symbolic links, except in the last name
 * @where: may be NULL; on failure the block that could not be read, if any
 *
 * Errors: those of e2lazy_lookup().
 */
errcode_t e2lazy_view_path(struct e2lazy_view *view, const char *path,
			   ext2_ino_t *ino, struct e2lazy_where *where);

/* -------------------------------------- tags of damaged descriptors --- */

/*
 * e2lazy_jmap_recover - take what is proven from behind damaged descriptors
 * @opts: those of @map's build, of the log itself
 * @map:  gets another map, if there is something to take
 *
 * A descriptor with a bad checksum still has its tags, of which one may be
 * damaged.  A tag's checksum proves its copy, but not the block's number.  So
 * the map gets those copies whose own content names their place in the file
 * system that results: by the inode's number in a checksum, by the group's
 * descriptor, or by the owner's map.  They have E2LAZY_COPY_RECOVERED.  Contents
 * of files never have such a proof.  e2lazy_verify() finds the tags of the others,
 * too.  Where the log breaks off without a bad checksum, because a damaged flag
 * hides where the tags end, @map gets the copies only if nothing of the log is
 * missing then, or with E2LAZY_JMAP_JOIN.
 *
 * Changes nothing without a damaged descriptor.  Otherwise it reads the rest of
 * the ring, and all inodes in use, once and again.
 */
errcode_t e2lazy_jmap_recover(struct e2lazy_journal *journal,
			      const struct e2lazy_jmap_opts *opts,
			      struct e2lazy_jmap **map);

/* ------------------------------------------ later contents of files --- */

/*
 * A view of an earlier time shows contents of files as they are now, but for
 * those that the log has: ext4 writes them past the log.
 */
struct e2lazy_later;

enum e2lazy_age {
	E2LAZY_AGE_SAME,	/* the contents of the view's time */
	E2LAZY_AGE_UNSURE,	/* nothing proves that they are not later */
	E2LAZY_AGE_OTHER,	/* another file has the block now */
};

/* Neighbouring blocks of a file, all of one age. */
struct e2lazy_aged {
	uint64_t	lblk;		/* in the file */
	blk64_t		fsblk;
	uint64_t	count;
	enum e2lazy_age	age;
};

/*
 * e2lazy_later_open - compare the files of a view with those of now
 * @view:  of an earlier time; it and @fs must outlive @out
 * @fs:    the handle on it
 * @where: may be NULL; on failure the block that could not be read
 *
 * Builds a map and a view of the log as it is now, with its fast commits.
 */
errcode_t e2lazy_later_open(struct e2lazy_view *view, ext2_filsys fs,
			    struct e2lazy_later **out,
			    struct e2lazy_where *where);
void e2lazy_later_free(struct e2lazy_later *later);

/*
 * e2lazy_later_file - the blocks of a regular file, and the age of each
 * @found: is called for runs of blocks that hold contents, and not at all if
 *	   nothing has changed the file since; a non-zero return ends the search
 *	   and is returned
 * @whole: false: a part of its map is damaged, and its blocks are missing
 *
 * Other files have no such blocks.  All calls together have a budget of twice the
 * blocks of the file system.
 */
errcode_t e2lazy_later_file(struct e2lazy_later *later, ext2_ino_t ino,
			    errcode_t (*found)(void *priv,
					       const struct e2lazy_aged *),
			    void *priv, bool *whole);

/*
 * e2lazy_later_each - the regular files that may have changed since the view
 * @watch: may be NULL; PHASE_INODES
 * @found: a non-zero return ends the search and is returned
 *
 * Reads only blocks of inode tables of which either time has a copy in the log;
 * in any other block both times have the same inodes.
 */
errcode_t e2lazy_later_each(struct e2lazy_later *later,
			    const struct e2lazy_watch *watch,
			    errcode_t (*found)(void *priv, ext2_ino_t ino),
			    void *priv);

/* --------------------------------------------------------- the layout --- */

/* The type of a static block.  The layout knows the types up to OTHER. */
enum e2lazy_type {
	E2LAZY_TYPE_SUPER,
	E2LAZY_TYPE_DESC,
	E2LAZY_TYPE_SUPER_BACKUP,
	E2LAZY_TYPE_DESC_BACKUP,
	E2LAZY_TYPE_RESERVED_DESC,
	E2LAZY_TYPE_BLOCK_BITMAP,
	E2LAZY_TYPE_INODE_BITMAP,
	E2LAZY_TYPE_INODE_TABLE,
	E2LAZY_TYPE_MMP,
	E2LAZY_TYPE_JOURNAL,
	E2LAZY_TYPE_OTHER,
	/* e2lazy_identify() finds the others by content */
	E2LAZY_TYPE_DIRECTORY,
	E2LAZY_TYPE_HTREE,
	E2LAZY_TYPE_EXTENT,
	E2LAZY_TYPE_INDIRECT,
	E2LAZY_TYPE_XATTR,
	E2LAZY_TYPE_DATA,
	E2LAZY_NR_TYPES
};

/* "superblock", "inode table", ...; static storage. */
const char *e2lazy_type_name(enum e2lazy_type type);

struct e2lazy_layout;

/* The facts about a block from the layout. */
struct e2lazy_place {
	enum e2lazy_type type;
	dgrp_t		group;		/* group it serves, or lies in */
	ext2_ino_t	ino;		/* first inode of an inode table block */
};

/*
 * e2lazy_layout_build - the places of the file system's fixed metadata
 * @map:   read superblock and group descriptors through the map, which is
 *         necessary after an online resize; NULL: the static ones
 * @where: may be NULL; on failure the block that could not be read
 *
 * Takes 24 bytes for each piece of metadata; a block group has about three.
 */
errcode_t e2lazy_layout_build(struct e2lazy_journal *journal,
			      const struct e2lazy_jmap *map,
			      struct e2lazy_layout **out,
			      struct e2lazy_where *where);
void e2lazy_layout_free(struct e2lazy_layout *layout);

/* A contiguous piece of fixed metadata, or of the journal. */
struct e2lazy_layout_piece {
	blk64_t		start, count;
	enum e2lazy_type type;
};

/*
 * The pieces in ascending order, from @index 0; false behind the last.  On a
 * damaged file system they may overlap.
 */
bool e2lazy_layout_piece(const struct e2lazy_layout *layout, size_t index,
			 struct e2lazy_layout_piece *out);

/* O(log groups), O(1) for ascending blocks. */
void e2lazy_layout_find(struct e2lazy_layout *layout, blk64_t fsblk,
			struct e2lazy_place *out);

/*
 * Count the live mappings of @map by type, from the layout alone.  Far faster
 * than to find each one: O(pieces log mappings).
 */
void e2lazy_layout_count(const struct e2lazy_layout *layout,
			 const struct e2lazy_jmap *map,
			 uint64_t counts[E2LAZY_NR_TYPES]);

/*
 * A handle with the newest superblock and descriptors, for libext2fs's
 * arithmetic and accessors only.  It belongs to @layout and is valid while its
 * journal is open; do not write through it, flush it or close it.
 */
ext2_filsys e2lazy_layout_fs(struct e2lazy_layout *layout);

/*
 * e2lazy_identify - the type of a block that the layout calls OTHER
 *
 * It decides by content: magics, and the inner consistency of directories and
 * block lists.  Everything else is E2LAZY_TYPE_DATA: journaled file data, a
 * symlink's target, quota.
 */
enum e2lazy_type e2lazy_identify(struct e2lazy_layout *layout,
				 const void *block);

/* ------------------------------------------------- names and paths --- */

/*
 * These functions are meant for a handle of e2lazy_view_open().  Any other
 * handle works, too: then they show its static blocks, and @where stays empty.
 * On a hostile file system libext2fs can follow a map, a link or a parent
 * forever; these functions always end.
 */

struct e2lazy_entry {
	ext2_ino_t	ino;		/* never 0; may be out of range */
	unsigned	type;		/* EXT2_FT_* */
	const char	*name;		/* any bytes, without a NUL behind */
	unsigned	length;		/* of the name */
	bool		removed;
};

struct e2lazy_directory_opts {
	bool		removed;	/* give removed entries, too */
	/* May be NULL.  Budget of blocks of maps and directories for several
	   calls together; each call subtracts the blocks that it reads. */
	blk64_t		*budget;
};

/*
 * e2lazy_directory_read - the entries of a directory, in disk order
 * @opts:   may be NULL
 * @found:  a non-zero return ends the reading and is returned.  The entry is
 *          valid in the callback only.
 * @damage: as for e2lazy_owners_build().  The rest of a block that cannot be
 *          read or makes no sense is left out.
 *
 * It reads each block once, and no block out of order.  EXT2_ET_NO_DIRECTORY,
 * EXT2_ET_BAD_INODE_NUM, or the error of reading the inode.
 */
errcode_t e2lazy_directory_read(ext2_filsys fs, ext2_ino_t dir,
				const struct e2lazy_directory_opts *opts,
				errcode_t (*found)(void *priv,
						   const struct e2lazy_entry *),
				void *priv, struct e2lazy_damage *damage);

/*
 * e2lazy_directory_path - the path of a directory; free it with free()
 * @where: as for e2lazy_lookup()
 *
 * The path begins at the root, or with "<INODE>" if the way up ends earlier.
 */
errcode_t e2lazy_directory_path(ext2_filsys fs, ext2_ino_t dir, char **path,
				struct e2lazy_where *where);

/*
 * e2lazy_lookup - the inode that a path names
 * @cwd:    start directory of a path without a leading slash
 * @follow: follow a symbolic link in the last name, too
 * @where:  may be NULL; on failure the block that could not be read, if any
 *
 * The limits are those of Linux.  EXT2_ET_SYMLINK_LOOP for more than 40 links,
 * or more than 2048 names with those of the links' targets;
 * E2LAZY_ET_LONG_PATH.  EXT2_ET_FILE_NOT_FOUND, EXT2_ET_NO_DIRECTORY.
 */
errcode_t e2lazy_lookup(ext2_filsys fs, ext2_ino_t cwd, const char *path,
			bool follow, ext2_ino_t *ino,
			struct e2lazy_where *where);

/*
 * The target of a symbolic link; free it with free().  EXT2_ET_INODE_CORRUPTED
 * if it is longer than a block.
 */
errcode_t e2lazy_symlink_read(ext2_filsys fs, ext2_ino_t ino, char **target);

/*
 * Number of inodes of a group that can be in use; the rest was never written.
 * 0 for a group that does not exist.
 */
uint32_t e2lazy_group_inodes(ext2_filsys fs, dgrp_t group);
/*
 * Number of inodes from @ino on, @count at most, that lie in a hole of a sparse
 * image, so that none is in use.  All must be of one group.  @fs is a handle of
 * e2lazy_view_open(); 0 for any other.
 */
uint32_t e2lazy_empty_inodes(ext2_filsys fs, ext2_ino_t ino, uint32_t count);

/* --------------------------------------------------------- the owners --- */

struct e2lazy_owners;

/* The role of a block for its owner. */
enum e2lazy_role {
	E2LAZY_ROLE_LAYOUT,	/* fixed metadata: e2lazy_layout_find() */
	E2LAZY_ROLE_DIRECTORY,	/* directory block */
	E2LAZY_ROLE_HTREE,	/* node of a directory's index */
	E2LAZY_ROLE_EXTENT,	/* node of an extent tree */
	E2LAZY_ROLE_INDIRECT,	/* block of block numbers */
	E2LAZY_ROLE_XATTR,	/* extended attributes; may have more owners */
	E2LAZY_ROLE_SYMLINK,	/* target of a symbolic link */
	E2LAZY_ROLE_DATA,	/* contents of a file */
	E2LAZY_ROLE_SYSTEM,	/* contents of a reserved inode or quota file */
	E2LAZY_ROLE_FREE,	/* no owner, and free in the bitmap */
	E2LAZY_ROLE_UNOWNED,	/* no owner, but not known to be free */
	E2LAZY_NR_ROLES
};

/* "directory", "htree node", ...; static storage. */
const char *e2lazy_role_name(enum e2lazy_role role);

struct e2lazy_owner {
	blk64_t		fsblk;
	enum e2lazy_role role;
	ext2_ino_t	ino;		/* 0: none; first inode of an inode
					   table block */
	uint64_t	lblk;		/* block of the file; DIRECTORY, HTREE,
					   SYMLINK, DATA, SYSTEM */
	uint32_t	generation;	/* of the inode; 0 for LAYOUT, FREE and
					   UNOWNED */
};

struct e2lazy_owners_opts {
	bool		paths;		/* for e2lazy_owners_path() */
	/* Blocks beside those with a live copy, ascending, or NULL. */
	const blk64_t	*blocks;
	size_t		nr_blocks;
	/* PHASE_INODES; with @paths then PHASE_DIRECTORIES. */
	const struct e2lazy_watch *watch;
};

/*
 * e2lazy_owners_build - find the owner of each block that has a live copy, and
 *			 of those in @opts->blocks
 * @layout: of the same map, which must outlive the owners
 * @opts:   may be NULL
 * @damage: counts metadata that cannot be read or makes no sense; count 0 if
 *          there is none.  The result lacks it: an inode, everything below a
 *          node of a block map, the names in a block of a directory.  On
 *          failure damage->first has the place, if known.
 *
 * Reads through the view every inode in use and the blocks that map their
 * contents; with @opts->paths all directories, too.  Takes 12 bytes for each
 * live mapping, 20 with more blocks; with paths also 16 bytes and the name for each directory and
 * owner.  A block of several inodes goes to the first one.
 */
errcode_t e2lazy_owners_build(struct e2lazy_view *view,
			      struct e2lazy_layout *layout,
			      const struct e2lazy_owners_opts *opts,
			      struct e2lazy_owners **out,
			      struct e2lazy_damage *damage);
void e2lazy_owners_free(struct e2lazy_owners *owners);

/* E2LAZY_ET_NOT_MAPPED for any other block. O(log n). */
errcode_t e2lazy_owners_find(const struct e2lazy_owners *owners,
			     blk64_t fsblk, struct e2lazy_owner *out);

/*
 * A path of an owner or a directory, which may have others; free it with
 * free().  EXT2_ET_FILE_NOT_FOUND for an inode without a name, for any other
 * inode, and without e2lazy_owners_opts.paths.
 */
errcode_t e2lazy_owners_path(const struct e2lazy_owners *owners,
			     ext2_ino_t ino, char **path);

/*
 * e2lazy_inode_blocks - the blocks of an inode
 * @fs:     from e2lazy_view_open()
 * @found:  called for the inode table block (E2LAZY_ROLE_LAYOUT), and for each
 *          piece of @count blocks that the inode owns, in no particular order;
 *          a non-zero return ends the search and is returned
 * @damage: as for e2lazy_owners_build()
 *
 * An inode that is not in use has its inode table block only.
 */
errcode_t e2lazy_inode_blocks(ext2_filsys fs, ext2_ino_t ino,
			      errcode_t (*found)(void *priv,
						 const struct e2lazy_owner *,
						 blk64_t count),
			      void *priv, struct e2lazy_damage *damage);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_VIEW_H */
