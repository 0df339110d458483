/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * undelete.h - shared by the parts of the search for deleted files
 *
 *	tables.c	copies of inode tables in the ring, and the tables now
 *	lives.c		the lives of each inode, from its copies in time order
 *	proof.c		the owner of a block of metadata, by its checksum
 *	at_time.c	a block of metadata as it was in a life
 *	life_map.c	the blocks that a life had
 *	pieces.c	the blocks of all deleted files
 *	overlaps.c	those of them that maps of other files name
 *	evidence.c	those of them that other files have had since
 *	gaps.c		from when on the ring has each transaction
 *	home.c		what went to the log first, and home later
 *	signs.c		whether contents of files do
 *	states.c	earlier contents of files that lived on
 *	names.c		names, from the history of directory blocks
 *	looks.c		the copies that a directory may yet look at
 *	name_table.c	the names of all lives, each once
 *	paths.c		paths made of names
 *	trees.c		files that were gone before their deleted directory
 *	users.c		the present users of blocks of deleted files
 *	contents.c	bytes of a file, with the grade of each block
 *	xattrs.c	its extended attributes
 *	fast.c		deletions that only a fast commit knows
 *	made.c		files that fast commits have made and deleted
 *	missing.c	deleted inodes without a copy, and why
 *	undelete.c	the order of these steps
 */
#ifndef E2LAZY_UNDELETE_INTERNAL_H
#define E2LAZY_UNDELETE_INTERNAL_H

#include "e2lazy_undelete.h"
#include "fs/dir_names.h"
#include "fs/extents.h"
#include "fs/inline_data.h"
#include "fs/inode_life.h"
#include "io/bytes.h"
#include "io/watch.h"
#include "io/window.h"
#include "log/log.h"
#include "map/versions.h"

#define NO_LIFE		UINT32_MAX
#define NO_NAME		UINT32_MAX

/* The use of a copy of an inode for its file; a greater value is better. */
enum rank {
	RANK_ORPHAN,		/* without a link: the largest one counts */
	RANK_TRUNCATING,	/* in the list of orphans all the same */
	RANK_IN_USE,
};

struct life {
	ext2_ino_t	ino;
	uint32_t	generation;
	uint32_t	crtime, crtime_extra;	/* 0 where inodes have none */
	uint32_t	earlier;	/* life of the same inode, or NO_LIFE */
	uint32_t	jump;		/* a life further back, see lives.c */
	uint32_t	copy;		/* of the inode: number of its record */
	uint32_t	first;		/* transaction of its first copy, */
	uint32_t	chosen;		/* of @copy, */
	uint32_t	gone;		/* and of the first after its end, or
					   MOMENT_NOW */
	uint32_t	freed;		/* the same, without its blocks */
	uint32_t	of;		/* the life whose earlier contents this is,
					   or NO_LIFE */
	uint32_t	state;		/* its newest earlier contents, or NO_LIFE;
					   @earlier has the one before */
	uint32_t	next;		/* with @of: what came after it */
	uint32_t	root;		/* in lives.roots, during the scan */
	uint32_t	names;		/* the first, or NO_NAME; in the end, its
					   place in names.order */
	uint32_t	dtime;
	uint32_t	ended, ended_extra;	/* change time of the inode when its
					   last name went; 0: not known */
	uint32_t	written, written_extra;	/* time of the last write, if
					   @copy has it; or 0 */
	uint32_t	fs_low;		/* with @simple: its only blocks */
	uint16_t	fs_high;
	uint16_t	mode;
	int16_t		fast_links;	/* made by fast commits, less taken */
	uint8_t		count;
	uint8_t		rank : 2;	/* of @copy */
	bool		alive : 1;	/* now */
	bool		pending : 1;	/* gone, but its blocks are not freed */
	bool		fast : 1;	/* a fast commit ended it */
	bool		renewed : 1;	/* and had the next one */
	bool		simple : 1;	/* at most one extent, and no more */
	bool		cut : 1;	/* shorter, after its last name went */
	bool		value : 1;	/* of an attribute, and no file */
	bool		climbed : 1;	/* its first path has been judged, */
	bool		sure : 1;	/* and is sure */
	bool		left : 1;	/* gone before the directory, trees.c */
	bool		doubted : 1;	/* a copy after @copy is bad, or there was
					   too much to judge all blocks */
	uint64_t	size;
	uint64_t	after;		/* with @of: the size after it */
};

/* The root of a life's map in its chosen copy, and what else shows a loss. */
struct root {
	uint8_t		map[4 * EXT2_N_BLOCKS];
	uint32_t	flags, blocks;
	uint32_t	lost;		/* the first transaction since, after which
					   it had lost blocks; MOMENT_NOW: none */
};

/* Lives in the order of the scan; inode -> its newest life. */
struct life_slot {
	ext2_ino_t	ino;
	uint32_t	newest;		/* life; NO_LIFE: the slot is free */
};

struct lives {
	struct life	*at;
	uint32_t	nr;
	size_t		room;
	struct life_slot *table;	/* open hash table of inodes */
	uint32_t	slots;		/* power of two, above 2 * inodes */
	uint32_t	inodes;
	uint64_t	looks;		/* of lives_at() at a life, in all */
	struct root	*roots;		/* of regular files, during the scan */
	uint32_t	nr_roots;
	size_t		roots_room;
};

struct life_list {
	uint32_t	*at;
	size_t		nr, room;
};

/* A name in a directory, present or former. */
struct name {
	uint32_t	next;		/* of the same life, or NO_NAME */
	uint32_t	life;		/* whose name it is */
	uint32_t	dir;		/* life of the directory, or NO_LIFE */
	ext2_ino_t	dir_ino;
	/* Transactions: of the first version that has it, of the last one, and
	   of that which lacks it. */
	uint32_t	first, last, end;
	uint32_t	text;		/* where it begins in names.text */
	uint8_t		length;
	bool		final;		/* one at the end of the life: paths.c */
};

struct names {
	struct name	*at;
	uint32_t	nr;
	size_t		room;
	char		*text;
	size_t		used, text_room;
	uint32_t	*table;		/* open hash table of numbers of names */
	uint32_t	slots;		/* power of two, at least 2 * nr */
	uint32_t	seed;
	uint64_t	probes;		/* slots that were looked at, in all */
	uint32_t	*order;		/* numbers of names, life by life */
};

/* Blocks of a life that other files have had, mostly since. */
struct evidence {
	blk64_t		fsblk;
	uint32_t	count;
	uint32_t	life;
	uint8_t		grade;		/* enum e2lazy_grade */
	ext2_ino_t	user;
};

struct evidences {
	struct evidence	*at;		/* by life and block, in the end */
	size_t		nr, room;
};

/* evidence.c */
errcode_t evidence_add(struct evidences *list, const struct evidence *e);

/* A file that a fast commit made. */
struct made {
	ext2_ino_t	ino, parent;
	uint8_t		*raw;		/* its inode */
	struct extents	map;
	int		links;
	bool		over;
	uint8_t		length;
	uint8_t		name[255];	/* the last one */
};

/* Nodes of maps that were read: a node belongs to one life. */
struct nodes_read {
	ext2fs_block_bitmap in_place;
	uint8_t		*copies;	/* bits, by the numbers of records */
	uint64_t	again;		/* entries of nodes read before that may
					   yet count */
};

struct e2lazy_undelete {
	struct e2lazy_journal *journal;
	struct e2lazy_view *view;
	ext2_filsys	fs;		/* the view */
	struct e2lazy_ring *ring;
	struct e2lazy_layout *layout;
	struct e2lazy_undelete_opts own;
	const struct e2lazy_undelete_opts *opts;	/* @own */
	struct e2lazy_watch watch;	/* whose @watch is this one */
	struct versions	versions;
	struct lives	lives;
	struct names	names;
	struct evidences evidences;
	struct evidences former;	/* blocks whose copies are from before
					   the life had them */
	struct life_list deleted;	/* files, as the caller counts them */
	struct life_list values;	/* of attributes, that are over: they had
					   blocks, too */
	uint64_t	uses;		/* that users.c noted, in all */
	struct made	*made;
	size_t		nr_made;
	uint32_t	*made_table;	/* open hash table: the newest file of
					   an inode, its number in @made + 1 */
	uint32_t	made_seed;
	uint64_t	made_looks;	/* at slots of it, in all */
	struct records	ranges;		/* blocks that fast commits gave to
					   files: logblk is the number of
					   them, tid the inode; apart */
	bool		past;		/* the ring has later transactions than the
					   view shows */
	uint32_t	*since;		/* for each transaction the first from which
					   on none is lost up to it */
	uint32_t	gapless;	/* the same for now */
	uint32_t	mounted;	/* the first transaction behind that one with
					   which a mount began, or MOMENT_NOW */
	bool		logs_contents;	/* with data=journal, by all signs */
	uint64_t	steps;		/* nodes of block maps that may yet be
					   read: maps of an enemy have no end */
	struct nodes_read *nodes;	/* NULL: each node counts */
	uint64_t	reads;		/* of copy_read(), in all */
	uint64_t	compared;	/* blocks of lives, with other lives */
	uint64_t	asked;		/* blocks of lives, after all bitmaps */
	uint64_t	runs;		/* of evidence that may yet be added */
	uint64_t	unreadable;	/* copies */
	blk64_t		*bad;		/* blocks of inode tables, of which a
					   copy is bad or unreadable */
	size_t		nr_bad, bad_room;
	uint8_t		*buffer;	/* for contents; or NULL */
	uint64_t	value_bytes;	/* of attributes in inodes of their own that
					   may yet be read: any number of files
					   of an enemy share them */
	struct dir_names dirs;		/* those that exist, for paths; fs is
					   NULL before the first path */
	ext2_ino_t	*tables;	/* first inodes of the blocks of tables
					   that the ring has copies of */
	size_t		nr_tables;
	struct window	ring_window;	/* of copies */
	struct window	home_window;	/* of contents */
	uint8_t		*block;		/* of an inode table, */
	uint32_t	block_of;	/* of which this record was read last, */
	struct ext2_inode_large inode;
	const struct life *inode_of;	/* and the inode of this life taken */
	struct e2lazy_where *where;
};

/* ---------------------------------------------------------- lives.c --- */

/* The fields of a copy of an inode that matter to its life. */
struct seen {
	ext2_ino_t	ino;
	uint32_t	when;		/* or MOMENT_NOW */
	uint32_t	copy;
	uint32_t	generation, crtime, crtime_extra;
	uint32_t	dtime, blocks;
	uint32_t	ctime, ctime_extra, mtime, mtime_extra;
	uint16_t	mode, links;
	bool		value;		/* of an attribute, and no file */
	uint64_t	size;
	const uint8_t	*raw;
};

/* Fill it from a raw inode; the first three fields stay. */
void seen_take(ext2_filsys fs, const uint8_t *raw, struct seen *s);
bool seen_same_life(const struct life *life, const struct seen *s);
/* @s is the first copy of the life that has no link. */
void life_note_end(struct life *life, const struct seen *s);

/* Take the inodes of a block that begins with inode @first. */
errcode_t lives_note_block(struct e2lazy_undelete *u, ext2_ino_t first,
			   const uint8_t *block, uint32_t when, uint32_t copy);
/* May the life have begun at the end of transaction @when, by its clock? */
bool life_began_by(const struct e2lazy_undelete *u, const struct life *life,
		   uint32_t when);
/* NO_LIFE if the inode has none. */
uint32_t lives_newest(const struct e2lazy_undelete *u, ext2_ino_t ino);
/*
 * The life that had the inode at the end of transaction @when.  O(log n) of the
 * inode's lives.
 */
uint32_t lives_at(struct e2lazy_undelete *u, ext2_ino_t ino, uint32_t when);

static inline struct life *life_get(const struct e2lazy_undelete *u,
				    uint32_t number)
{
	return &u->lives.at[number];
}

/* --------------------------------------------------------- states.c --- */

/*
 * A file that lives on may lose contents: it is emptied, cut, or written anew.
 * Compare a copy with the chosen one before it takes that one's place; if the file
 * has lost something, keep its earlier contents as a life of their own.
 */
errcode_t states_compare(struct e2lazy_undelete *u, uint32_t number,
			 const struct seen *s);
/* The copy is the chosen one now. */
errcode_t states_keep(struct e2lazy_undelete *u, uint32_t number,
		      const struct seen *s);
void states_end(struct e2lazy_undelete *u);

/* --------------------------------------------------------- tables.c --- */

/* Find all lives, and whether each goes on. */
errcode_t tables_read(struct e2lazy_undelete *u);
/* Add the blocks of files that fast commits made to u->tables. */
errcode_t tables_add_made(struct e2lazy_undelete *u);
/* versions_read(), which is faster if copies are near each other. */
errcode_t copy_read(struct e2lazy_undelete *u, const struct record *r,
		    uint8_t *to);
/*
 * The chosen copy of a life, as on the disk; valid until the next call.  An
 * error if the copy went bad since the scan.
 */
errcode_t life_inode(struct e2lazy_undelete *u, const struct life *life,
		     const uint8_t **raw, struct ext2_inode_large *out);

/* Add a life of an inode that has no copy in the ring. */
errcode_t lives_add(struct e2lazy_undelete *u, const struct seen *s);
/* Note a block of the inode table whose copy is bad. */
void lives_note_bad(struct e2lazy_undelete *u, ext2_ino_t first);

/* ----------------------------------------------------------- gaps.c --- */

errcode_t gaps_find(struct e2lazy_undelete *u);
/* May a transaction between these two be lost?  The earlier one comes first. */
static inline bool gap_between(const struct e2lazy_undelete *u, uint32_t from,
			       uint32_t to)
{
	return from < (to < u->versions.nr_moments ? u->since[to] :
						     u->gapless);
}
/* May a transaction or a copy be lost that would speak against the life? */
static inline bool life_has_gap(const struct e2lazy_undelete *u,
				const struct life *life)
{
	return life->doubted || life->chosen < u->gapless;
}

/* ----------------------------------------------------------- home.c --- */

void home_find(struct e2lazy_undelete *u);
/* Do contents of this file go to the log first?  Of directories nobody asks. */
bool home_is_asked(const struct e2lazy_undelete *u,
		   const struct ext2_inode_large *inode);
/*
 * Are contents in place as new as any that the log had from before u->gapless?
 * @changed: the second of their last change, or HOME_UNKNOWN.
 */
bool home_is_sure(const struct e2lazy_undelete *u, const struct life *life,
		  int64_t changed);
#define HOME_UNKNOWN	((int64_t)UINT32_MAX)

/* ---------------------------------------------------------- signs.c --- */

/* Set u->logs_contents. */
errcode_t signs_find(struct e2lazy_undelete *u);

/* ---------------------------------------------------------- proof.c --- */

enum proof {
	PROOF_NONE,		/* it makes no sense, or is somebody else's */
	PROOF_LIKELY,		/* it makes sense; there are no checksums */
	PROOF_SURE,		/* its checksum has inode and generation */
};

/* A node of an extent tree, @depth levels above the leaves. */
enum proof proof_extents(const struct e2lazy_undelete *u,
			 const struct life *life, unsigned depth,
			 const uint8_t *block);
/* A block of directory entries, not a node of its index. */
enum proof proof_directory(const struct e2lazy_undelete *u,
			   const struct life *life, const uint8_t *block);

/* -------------------------------------------------------- at_time.c --- */

typedef enum proof (*prove_block)(const struct e2lazy_undelete *u,
				  const struct life *life, unsigned level,
				  const uint8_t *block);

struct block_wanted {
	prove_block	prove;
	unsigned	level;		/* for @prove */
	int64_t		changed;	/* see home_is_sure() */
};

struct block_found {
	enum proof	proof;		/* PROOF_NONE: the block is lost */
	const struct record *copy;	/* NULL: it is in place */
};

/*
 * Block @fsblk as the life had it: the newest copy up to the chosen one, or
 * else the static block, or else a later copy from before the life's end.
 * PROOF_SURE: no transaction can be lost that changed it.
 */
errcode_t block_at_time(struct e2lazy_undelete *u, const struct life *life,
			blk64_t fsblk, const struct block_wanted *wanted,
			uint8_t *block, struct block_found *found);
/* The newest copy of a block of data up to the life's end; NULL: none. */
const struct record *data_at_time(const struct e2lazy_undelete *u,
				  const struct life *life, blk64_t fsblk);

/* ------------------------------------------------------- life_map.c --- */

struct piece {
	uint64_t	lblk;
	blk64_t		fsblk;
	uint32_t	count;
	bool		unwritten;
};

struct map_state {
	bool		missing;	/* a node is, and what is below it */
	bool		unproven;
};

/*
 * The blocks of a life, in the order of the file, in pieces.  @raw comes from
 * life_inode().
 */
errcode_t life_map(struct e2lazy_undelete *u, const struct life *life,
		   const struct ext2_inode_large *inode,
		   errcode_t (*found)(void *priv, const struct piece *piece),
		   void *priv, struct map_state *state);

/* Is the whole map in the inode? */
bool life_map_is_flat(const struct ext2_inode_large *inode);

/* ---------------------------------------------------------- paths.c --- */

/* Add the names of files that still exist, of which there are earlier contents. */
errcode_t names_find_living(struct e2lazy_undelete *u);
/* Let the names of each life follow each other; no more of them may come. */
errcode_t names_order(struct e2lazy_undelete *u);
/* Can no lost transaction have changed a name on its paths? */
bool life_path_is_sure(const struct e2lazy_undelete *u,
		       const struct life *life);
/* Number of names at the end of the life. */
unsigned life_names(const struct e2lazy_undelete *u, const struct life *life);
/* Its first name, or NULL. */
const struct name *life_name(const struct e2lazy_undelete *u, uint32_t number);
/* The deleted directory that its first name is in; NO_LIFE: there is none. */
uint32_t life_parent(const struct e2lazy_undelete *u, uint32_t number);

/* ---------------------------------------------------------- trees.c --- */

/* Mark the files that were gone before their deleted directory. */
errcode_t trees_judge(struct e2lazy_undelete *u);

/* ------------------------------------------------------- contents.c --- */

/* e2lazy_undelete_read() of a life. */
errcode_t life_read(struct e2lazy_undelete *u, uint32_t number,
		    enum e2lazy_reading reading,
		    errcode_t (*found)(void *priv,
				       const struct e2lazy_graded *),
		    void *priv, struct e2lazy_contents *out);

/* --------------------------------------------------------- values.c --- */

/*
 * The value of @length bytes that inode @ino held for an attribute of @file; the
 * caller frees it with free().  NULL: it is lost.
 */
errcode_t value_read(struct e2lazy_undelete *u, const struct life *file,
		     ext2_ino_t ino, uint32_t length, uint8_t **bytes);

/* ------------------------------------------------------- evidence.c --- */

errcode_t evidence_find(struct e2lazy_undelete *u);
/* Shorten *@count to blocks of one grade; their evidence, or NULL. */
const struct evidence *evidence_of(const struct e2lazy_undelete *u,
				   uint32_t life, blk64_t fsblk,
				   uint64_t *count);
/* Was the block free after its last copy, and before the life had it? */
bool evidence_of_former(const struct e2lazy_undelete *u, uint32_t life,
			blk64_t fsblk);
/* users.c: name the users of the blocks that are in use. */
errcode_t evidence_find_users(struct e2lazy_undelete *u);

/* ---------------------------------------------------------- names.c --- */

errcode_t names_find(struct e2lazy_undelete *u);

/* ----------------------------------------------------- name_table.c --- */

/* Add a name, unless the life has it in this directory: then *@known is it. */
errcode_t name_table_put(struct e2lazy_undelete *u, const struct name *name,
			 const uint8_t *text, struct name **known);
void name_table_free(struct names *n);
/* A name at the end of a life that has not this one; @dir may be NO_LIFE. */
errcode_t names_add(struct e2lazy_undelete *u, struct life *life, uint32_t dir,
		    ext2_ino_t dir_ino, const uint8_t *text, uint8_t length);

/* ------------------------------------------------------------ fast.c --- */

/* End the lives that fast commits ended, before names_find(). */
errcode_t fast_find(struct e2lazy_undelete *u);
/* Add the names that these have taken. */
errcode_t fast_names(struct e2lazy_undelete *u);

/* ------------------------------------------------------------ made.c --- */

/* Take one record after the other, and then make lives of them. */
errcode_t made_take(struct e2lazy_undelete *u,
		    const struct e2lazy_fc_record *r);
errcode_t made_end(struct e2lazy_undelete *u);
void made_free(struct e2lazy_undelete *u);

/* Its copy is none of the ring's. */
static inline bool life_is_made(const struct e2lazy_undelete *u,
				const struct life *life)
{
	return life->copy >= u->versions.list.nr;
}

#endif
