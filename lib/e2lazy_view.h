/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_view.h - libe2lazy: the file system as its log makes it
 *
 *	e2lazy_view_*()		every block from its newest place, the log or
 *				the static one, as if it had been written back
 *	e2lazy_layout_*()	what a static block is: its type, its group
 *	e2lazy_identify()	or what it holds
 *	e2lazy_directory_*()	entries and paths, of any directory in a known
 *	e2lazy_lookup()		number of steps
 *	e2lazy_owners_*()	which inode each block in the log belongs to
 *
 * Words and rules are those of e2lazy.h.  Nothing is ever written.
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
 * @map:   outlives the view; built with E2LAZY_JMAP_CSUMS, or its copies are
 *         not verified.  With E2LAZY_WALK_UNTIL the view is of that time.
 * @where: may be NULL; on failure the block that could not be read
 *
 * Two blocks are made up: the ext4 superblock, merged from its copy in the
 * log and the static one and with needs_recovery cleared, and the journal
 * superblock, which says that the log is empty.
 *
 * Of an earlier time, a block is *lost* that only later transactions have
 * copies of, or revoke, and that has been overwritten in place since then or
 * may have been: what it held is not known.  To find out takes a walk through
 * the rest of the log.  What never went through the log, file contents as a
 * rule, is as it is now.
 *
 * Fast commits are not part of the view: see e2lazy_fc_scan().
 */
errcode_t e2lazy_view_build(struct e2lazy_journal *journal,
			    const struct e2lazy_jmap *map,
			    struct e2lazy_view **out,
			    struct e2lazy_where *where);
void e2lazy_view_free(struct e2lazy_view *view);

/*
 * e2lazy_view_keep - read all live copies now, and keep them in memory
 * @memory: bytes that they, packed, and a checkpoint of them besides may take;
 *          where that or the memory there is does not suffice, as a quarter of
 *          the log shows at the latest if it is by far, nothing is kept
 * @watch:  may be NULL; E2LAZY_PHASE_READ
 *
 * Later reads through the view, and e2lazy_verify() and e2lazy_checkpoint() of
 * it, take from there what is sound.  A copy that cannot be read is not an
 * error here: who wants it reads it again, and is told.
 */
errcode_t e2lazy_view_keep(struct e2lazy_view *view, uint64_t memory,
			   const struct e2lazy_watch *watch);

/*
 * Bytes of a device in whole sectors; 0 for a journal that has none of its own.
 */
uint64_t e2lazy_view_size(const struct e2lazy_view *view,
			  enum e2lazy_volume volume);

/*
 * e2lazy_view_read - bytes of a device, as they would be after a checkpoint
 * @where: may be NULL; on failure the block that could not be read
 *
 * Any offset and count within the device; EXT2_ET_INVALID_ARGUMENT for a
 * journal that has none of its own.  A copy whose checksum is
 * bad is E2LAZY_ET_DATA_CSUM, a lost block E2LAZY_ET_LOST: neither is ever
 * replaced by an older copy.
 */
errcode_t e2lazy_view_read(struct e2lazy_view *view, enum e2lazy_volume volume,
			   uint64_t offset, size_t count, void *buf,
			   struct e2lazy_where *where);

enum e2lazy_source {
	E2LAZY_IN_PLACE,	/* its static place is the newest */
	E2LAZY_IN_LOG,		/* at @physblk of the journal's device */
	E2LAZY_MADE_UP,		/* a superblock */
	E2LAZY_LOST,		/* of an earlier time, and not known */
};

/* Neighbours whose contents lie side by side in one place. */
struct e2lazy_piece {
	blk64_t		fsblk;
	blk64_t		count;		/* blocks; escaped copies stand alone */
	enum e2lazy_source source;
	blk64_t		physblk;	/* IN_LOG */
	uint32_t	logblk;		/* IN_LOG */
	unsigned	flags;		/* IN_LOG: E2LAZY_COPY_* of them all */
};

/*
 * The piece that @fsblk begins, of at most @most blocks.  O(log n), and the
 * blocks in the piece.
 */
void e2lazy_view_piece(const struct e2lazy_view *view, blk64_t fsblk,
		       blk64_t most, struct e2lazy_piece *out);

/* The lost blocks, in ascending order. */
size_t e2lazy_view_lost(const struct e2lazy_view *view,
			const blk64_t **fsblks);
/*
 * Of an earlier time: how the log goes on from there and ends; else NULL.
 * Where that is damage, more may be lost than is known.
 */
const struct e2lazy_end *e2lazy_view_later(const struct e2lazy_view *view);

/*
 * e2lazy_view_open - a handle on the view, for all of libext2fs that reads
 * @out:   to be closed with ext2fs_free(), before the view is freed
 * @where: may be NULL; on failure the block that could not be read
 *
 * Without bitmaps; ext2fs_read_bitmaps() brings the newest.  Writing is
 * refused with EXT2_ET_RO_FILSYS.
 */
errcode_t e2lazy_view_open(struct e2lazy_view *view, ext2_filsys *out,
			   struct e2lazy_where *where);
/*
 * Where the last read through such a handle failed, as libext2fs does not
 * tell; NULL if the last one did not, and of any other handle. Valid until the
 * next read.
 */
const struct e2lazy_where *e2lazy_view_failed(ext2_filsys fs);
/*
 * Have @watch asked to stop before each read through a handle of
 * e2lazy_view_open(), which then fails with E2LAZY_ET_CANCELLED whatever the
 * answer was but 0.  NULL: nobody is asked.  @watch is copied.
 */
void e2lazy_view_watch(struct e2lazy_view *view,
		       const struct e2lazy_watch *watch);

/*
 * e2lazy_view_path - the inode that a path names
 * @path:  from the root; symbolic links are followed but for the last name
 * @where: may be NULL; on failure the block that could not be read, if any
 *
 * Errors: those of e2lazy_lookup().
 */
errcode_t e2lazy_view_path(struct e2lazy_view *view, const char *path,
			   ext2_ino_t *ino, struct e2lazy_where *where);

/* --------------------------------------------------------- the layout --- */

/* What a static block is. The first group is known from the layout alone. */
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
	/* from here on by content: e2lazy_identify() */
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

/* What is known of a block from the layout. */
struct e2lazy_place {
	enum e2lazy_type type;
	dgrp_t		group;		/* group it serves, or lies in */
	ext2_ino_t	ino;		/* inode table: its first inode, else 0 */
};

/*
 * e2lazy_layout_build - where the fixed metadata of the file system lies
 * @map:   NULL for the static superblock and group descriptors; otherwise
 *         they are read through the map, as an online resize makes necessary
 * @where: may be NULL; on failure the block that could not be read
 *
 * 24 bytes a piece of metadata, about three pieces a block group.
 */
errcode_t e2lazy_layout_build(struct e2lazy_journal *journal,
			      const struct e2lazy_jmap *map,
			      struct e2lazy_layout **out,
			      struct e2lazy_where *where);
void e2lazy_layout_free(struct e2lazy_layout *layout);

/* O(log groups), O(1) for ascending blocks. */
void e2lazy_layout_find(struct e2lazy_layout *layout, blk64_t fsblk,
			struct e2lazy_place *out);

/*
 * How many live mappings of @map are of each type, by the layout alone: far
 * faster than to find them one by one.  O(pieces log mappings).
 */
void e2lazy_layout_count(const struct e2lazy_layout *layout,
			 const struct e2lazy_jmap *map,
			 uint64_t counts[E2LAZY_NR_TYPES]);

/*
 * The newest superblock and descriptors, for libext2fs's arithmetic and
 * accessors.  Owned by @layout, and valid while its journal is open; must not
 * be written, flushed or closed.
 */
ext2_filsys e2lazy_layout_fs(struct e2lazy_layout *layout);

/*
 * e2lazy_identify - what a block that the layout calls "other" holds
 *
 * By content: magics, and the inner consistency of directories and block
 * lists.  E2LAZY_TYPE_DATA is said of what is none of these: journaled file
 * data, a symlink's target, quota.
 */
enum e2lazy_type e2lazy_identify(struct e2lazy_layout *layout,
				 const void *block);

/* ------------------------------------------------- names and paths --- */

/*
 * All of these take a handle of e2lazy_view_open(), and do with any other: then
 * they show its static blocks, and of a block that cannot be read @where has
 * nothing.  libext2fs goes where a map, a link or a parent leads it, and on a
 * file system that was made for it that has no end; these have one on any.
 */

struct e2lazy_entry {
	ext2_ino_t	ino;		/* never 0, but perhaps none there is */
	unsigned	type;		/* EXT2_FT_* */
	const char	*name;		/* any bytes, and no zero behind them */
	unsigned	length;		/* of the name */
	bool		removed;
};

struct e2lazy_directory_opts {
	bool		removed;	/* entries that have been, too */
	/* May be NULL. Blocks of maps and directories that may yet be read by
	   several calls together; what one reads is taken from it. */
	blk64_t		*budget;
};

/*
 * e2lazy_directory_read - the entries of a directory, as they stand in it
 * @opts:   may be NULL
 * @found:  a non-zero return ends the reading and is returned. The entry is
 *          gone thereafter.
 * @damage: as for e2lazy_owners_build(). Of a block that cannot be read or
 *          makes no sense, what follows in it is left out.
 *
 * Each block is read once, those out of order never.  EXT2_ET_NO_DIRECTORY,
 * EXT2_ET_BAD_INODE_NUM, or that the inode cannot be read.
 */
errcode_t e2lazy_directory_read(ext2_filsys fs, ext2_ino_t dir,
				const struct e2lazy_directory_opts *opts,
				errcode_t (*found)(void *priv,
						   const struct e2lazy_entry *),
				void *priv, struct e2lazy_damage *damage);

/*
 * e2lazy_directory_path - the path of a directory, to be freed with free()
 * @where: as for e2lazy_lookup()
 *
 * From the root, or where the way up ends before that, from "<INODE>".
 */
errcode_t e2lazy_directory_path(ext2_filsys fs, ext2_ino_t dir, char **path,
				struct e2lazy_where *where);

/*
 * e2lazy_lookup - the inode that a path names
 * @cwd:    the directory that it begins in, unless it does so with a slash
 * @follow: a symbolic link that it ends in, too
 * @where:  may be NULL; on failure the block that could not be read, if any
 *
 * With the limits of Linux: EXT2_ET_SYMLINK_LOOP for more than 40 links in
 * all, or so many names in them that it comes to the same,
 * E2LAZY_ET_LONG_PATH.  EXT2_ET_FILE_NOT_FOUND, EXT2_ET_NO_DIRECTORY.
 */
errcode_t e2lazy_lookup(ext2_filsys fs, ext2_ino_t cwd, const char *path,
			bool follow, ext2_ino_t *ino,
			struct e2lazy_where *where);

/*
 * The target of a symbolic link, to be freed with free();
 * EXT2_ET_INODE_CORRUPTED for one longer than a block.
 */
errcode_t e2lazy_symlink_read(ext2_filsys fs, ext2_ino_t ino, char **target);

/*
 * How many inodes of a group can be in use: the rest was never written.  0 of
 * a group that is not there.
 */
uint32_t e2lazy_group_inodes(ext2_filsys fs, dgrp_t group);
/*
 * How many of @count inodes from @ino on are not worth a read: they lie in a
 * hole of a sparse image, so none is in use.  All are of one group.  @fs is a
 * view; of another handle it is 0.
 */
uint32_t e2lazy_empty_inodes(ext2_filsys fs, ext2_ino_t ino, uint32_t count);

/* --------------------------------------------------------- the owners --- */

struct e2lazy_owners;

/* What a block is to its owner. */
enum e2lazy_role {
	E2LAZY_ROLE_LAYOUT,	/* fixed metadata: e2lazy_layout_find() */
	E2LAZY_ROLE_DIRECTORY,	/* directory block */
	E2LAZY_ROLE_HTREE,	/* directory block that is a node of its index */
	E2LAZY_ROLE_EXTENT,	/* node of an extent tree */
	E2LAZY_ROLE_INDIRECT,	/* block of block numbers */
	E2LAZY_ROLE_XATTR,	/* extended attributes; may have more owners */
	E2LAZY_ROLE_SYMLINK,	/* target of a symbolic link */
	E2LAZY_ROLE_DATA,	/* contents of a file, journaled as it seems */
	E2LAZY_ROLE_SYSTEM,	/* contents of a reserved inode or quota file */
	E2LAZY_ROLE_FREE,	/* nobody's, and free in its bitmap */
	E2LAZY_ROLE_UNOWNED,	/* nobody's, and not known to be free */
	E2LAZY_NR_ROLES
};

/* "directory", "htree node", ...; static storage. */
const char *e2lazy_role_name(enum e2lazy_role role);

struct e2lazy_owner {
	blk64_t		fsblk;
	enum e2lazy_role role;
	ext2_ino_t	ino;		/* 0: none; of a block of an inode
					   table the first in it */
	uint64_t	lblk;		/* block of the file; DIRECTORY, HTREE,
					   SYMLINK, DATA, SYSTEM */
};

struct e2lazy_owners_opts {
	bool		paths;		/* e2lazy_owners_path() will be called */
	/* PHASE_INODES, and then with @paths PHASE_DIRECTORIES. */
	const struct e2lazy_watch *watch;
};

/*
 * e2lazy_owners_build - find the owner of each block that has a live copy
 * @layout: of the same map, which outlives the owners
 * @opts:   may be NULL
 * @damage: filled with what could not be read or makes no sense; count 0 if
 *          nothing.  What stands there has no part in the answer: an inode,
 *          what is below a node of a block map, the names in a block of a
 *          directory.  On failure its place tells where, if that is known.
 *
 * Reads every inode in use, the blocks that map their contents, and with
 * @opts->paths all directories, through the view.  12 bytes a live mapping;
 * with paths 16 bytes and the name for each directory and owner besides.
 * Where several inodes have a block, it is the first one's.
 */
errcode_t e2lazy_owners_build(struct e2lazy_view *view,
			      struct e2lazy_layout *layout,
			      const struct e2lazy_owners_opts *opts,
			      struct e2lazy_owners **out,
			      struct e2lazy_damage *damage);
void e2lazy_owners_free(struct e2lazy_owners *owners);

/* E2LAZY_ET_NOT_MAPPED for a block without a live copy. O(log n). */
errcode_t e2lazy_owners_find(const struct e2lazy_owners *owners,
			     blk64_t fsblk, struct e2lazy_owner *out);

/*
 * A path of an owner or a directory, one of several perhaps; to be freed with
 * free().  EXT2_ET_FILE_NOT_FOUND for one without a name, for other inodes,
 * and without e2lazy_owners_opts.paths.
 */
errcode_t e2lazy_owners_path(const struct e2lazy_owners *owners,
			     ext2_ino_t ino, char **path);

/*
 * e2lazy_inode_blocks - the blocks that make up an inode
 * @fs:     from e2lazy_view_open()
 * @found:  called for its inode table block (E2LAZY_ROLE_LAYOUT), and for each
 *          piece of @count blocks that it owns, in no particular order; a
 *          non-zero return ends the search and is returned
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
