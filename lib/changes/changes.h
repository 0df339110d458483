/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * changes.h - shared by the parts of the search for changes
 *
 *	step.c		one step: from the file system before to that after
 *	facts.c		its blocks, its inodes, and what their times tell
 *	inodes.c	inodes that differ, in the table blocks of a step
 *	entries.c	names that directories have lost and got
 *	mapped.c	whether contents are in other blocks
 *	subject.c	what an inode's names and links tell of its file
 *	owned.c		files that get and lose a block
 *	events.c	changes of an inode as events
 *	names.c		the names of inodes along the way, and paths
 *	search.c	names of files in directories that no transaction logged
 *	names_live.c	the same for a log that goes on
 *	known.c		blocks as they were before the next transaction
 *	feed.c		the transactions of a log that a kernel is writing
 *	follow.c	a step for each of them
 *	between.c	one step, from one view to another
 *	moments.c	the file system at each transaction
 *	each.c		a step for each transaction
 *
 * A step gets a list of blocks that may differ.  An inode that changes has its
 * table block in that list.  A directory that gets or loses a name changes its
 * times, so its inode is among those that differ; and the block of the name is
 * in the list.  So a step reads nothing else but the maps of such directories.
 */
#ifndef E2LAZY_CHANGES_INTERNAL_H
#define E2LAZY_CHANGES_INTERNAL_H

#include "e2lazy_changes.h"
#include "fs/dir_names.h"
#include "fs/directory.h"
#include "fs/inode_life.h"
#include "io/watch.h"
#include "log/log.h"
#include "view/since.h"

/* A commit time, for times of inodes; one beyond all of them is the last. */
static inline struct e2lazy_time commit_time(uint64_t sec, uint32_t nsec)
{
	return (struct e2lazy_time){ sec < INT64_MAX ? (int64_t)sec : INT64_MAX,
				     nsec };
}

/* An inode at one time, with all that a comparison needs. */
struct inode_at {
	bool		known;		/* its block could be read */
	bool		used;		/* it has a link */
	bool		directory;
	struct ext2_inode_large inode;
	uint64_t	attributes;	/* a sum of those in the inode */
};

/* An inode that differs. */
struct changed_inode {
	ext2_ino_t	ino;
	struct inode_at	before, after;
};

/*
 * The names that the file has more than before: negative if fewer.  A directory
 * has one; its links count those in it.
 */
static inline int64_t inode_more_names(const struct changed_inode *c)
{
	return c->after.directory ? 0 :
	       (int64_t)c->after.inode.i_links_count -
	       c->before.inode.i_links_count;
}

struct changed_inodes {
	struct changed_inode *at;	/* ascending by inode */
	size_t		nr, room;
};

/* A name in a directory, lost or got in a step. */
struct entry {
	ext2_ino_t	ino, dir;
	uint32_t	text;		/* where it begins in entries.text */
	uint8_t		length;
	bool		doubtful;	/* perhaps it is no change */
};

struct entries {
	struct entry	*at;
	size_t		nr, room;
	char		*text;
	size_t		used, text_room;
};

/* Of two inodes the next one, or 0. */
static inline ext2_ino_t least(ext2_ino_t a, ext2_ino_t b)
{
	return b && (!a || b < a) ? b : a;
}

/* -------------------------------------------------------- entries.c --- */

errcode_t entries_add(struct entries *list, ext2_ino_t dir, ext2_ino_t ino,
		      const char *name, unsigned length);
void entries_free(struct entries *list);
/* The number of the inode's entries, from that one on. */
size_t entries_of(const struct entries *list, size_t from, ext2_ino_t ino);

/* The entries from that one on: NULL, to which nothing is added, if none is. */
static inline const struct entry *entries_from(const struct entries *list,
					       size_t from)
{
	return from < list->nr ? list->at + from : NULL;
}

/* --------------------------------------------------------- names.c --- */

/*
 * The name of each inode at the present place of the search.  The first pass
 * learns what the search will ask for, and the names that were lost; the second
 * one tells paths.
 */
struct name_slot;

struct names {
	ext2_filsys	fs;		/* at the end: for directories */
	struct dir_names dirs;		/* in it */
	struct name_slot *slots;	/* open hash table */
	uint32_t	room, count;
	char		*text;
	size_t		used, text_room;
	bool		learning;	/* the first pass */
	ext2_ino_t	last_dir;	/* of the last name that it learnt */
	blk64_t		budget;		/* blocks of search.c */
	bool		live;		/* the log goes on: names_live.c */
	struct further	*further;	/* names of inodes that have several */
	size_t		nr_further, further_room;
	uint32_t	free_further;
	size_t		tidy_at;	/* bytes of text */
};

errcode_t names_init(struct names *names, ext2_filsys fs,
		     const struct e2lazy_watch *watch);
void names_release(struct names *names);
/* The first pass is over: go back to the start. */
errcode_t names_rewind(struct names *names);
/* The inode has, or had, that name. */
errcode_t names_came(struct names *names, ext2_ino_t ino, ext2_ino_t dir,
		     const char *name, unsigned length);
/* It has that name now, and perhaps had another one before. */
errcode_t names_may_have_come(struct names *names, ext2_ino_t ino,
			      ext2_ino_t dir, const char *name,
			      unsigned length);
errcode_t names_went(struct names *names, ext2_ino_t ino, ext2_ino_t dir,
		     const char *name, unsigned length);
/* A name that no step changed, seen on the way. */
errcode_t names_seen(struct names *names, ext2_ino_t ino, ext2_ino_t dir,
		     const char *name, unsigned length);
/* The next file has the inode. */
errcode_t names_over(struct names *names, ext2_ino_t ino);
/* The first pass notes that the second one will ask for the inode's path. */
errcode_t names_want(struct names *names, ext2_ino_t ino);
/* The path, to be freed; "<INODE>" at least. */
errcode_t names_tell(struct names *names, ext2_ino_t ino, char **path);
/* The path of a name in a directory. */
errcode_t names_tell_in(struct names *names, ext2_ino_t dir, const char *name,
			unsigned length, char **path);

/*
 * names_live.c: tell all paths of an inode; and, between two steps, free what
 * names that are gone take.
 */
errcode_t names_each(struct names *names, ext2_ino_t ino,
		     errcode_t (*found)(void *priv, const char *path),
		     void *priv);
errcode_t names_tidy(struct names *names);

/* search.c: the names that are still wanted, from all directories. */
errcode_t names_search(struct names *names, const struct e2lazy_watch *watch);
/* For it: is the name of that inode wanted? */
bool names_wants(const struct names *names, ext2_ino_t ino);
size_t names_wanted(const struct names *names);
errcode_t names_found(struct names *names, ext2_ino_t ino, ext2_ino_t dir,
		      const char *name, unsigned length);

/* ---------------------------------------------------------- step.c --- */

struct step {
	ext2_filsys	before, after;
	struct e2lazy_layout *layout;
	const struct e2lazy_changes_opts *opts;
	struct names	*names;
	/* the blocks that may differ: ascending, each once */
	const blk64_t	*blocks;
	size_t		nr_blocks;
	/* Has the stretch no copy of the block up to then, so that its content
	   before is the static block? */
	bool		(*from_place)(void *priv, blk64_t fsblk);
	void		*priv;
	bool		fresh;		/* then it is: see log_is_fresh() */
	bool		described;	/* the group descriptors of @before are
					   of that time */
	/* May the block before have bytes of this step, in this inode?  NULL:
	   it has none. */
	bool		(*doubts)(void *priv, blk64_t fsblk,
				  const struct e2lazy_time *changed);
	/* of the transaction; 0 if the step has several */
	uint32_t	tid;
	uint64_t	sec;
	uint32_t	nsec;
	struct e2lazy_time began;	/* later changes are the stretch's; */
	struct e2lazy_time born;	/* and these the step's; 0: not known */
	bool		beginning;	/* tell states of unknown inodes */
	bool		silent;		/* call neither found() nor lost() */
	/* found by the step */
	struct changed_inodes inodes;
	struct entries	went, came;
	struct entries	perhaps;	/* names that may be new */
	uint8_t		*old, *new;	/* a block each */
	uint8_t		*bitmap;	/* of inodes, before, of */
	dgrp_t		bitmap_of;	/* this group; UINT32_MAX: none */
	bool		bitmap_known;
	struct directories dirs_before, dirs_after;
	struct e2lazy_damage damage;
	struct owned	*owned;		/* NULL: nobody asks for owners */
	ext2_ino_t	dir;		/* that is being read */
	bool		dir_all_new;	/* it was made in this step */
	bool		dir_known;	/* so are all its names before */
};

errcode_t step_init(struct step *step);
void step_free(struct step *step);
/* Find the differences; step_events() then tells them. */
errcode_t step_gather(struct step *step);
/* ---------------------------------------------------------- facts.c --- */

/* Read a block as it was before the step; E2LAZY_ET_LOST if that is unknown. */
errcode_t step_read_before(struct step *step, blk64_t fsblk, uint8_t *block);

/* Tell of a block that could not be read; 0 to go on. */
errcode_t step_lost(struct step *step, blk64_t fsblk, bool before,
		    errcode_t why);
bool step_has(const struct step *step, blk64_t fsblk);
const struct changed_inode *step_find(const struct step *step, ext2_ino_t ino);

/* The first file that is known to have been made in this step. */
void step_find_born(struct step *step);
/* The inode is unknown before: do its times show a change in this step? */
bool step_has_begun(const struct step *step, const struct changed_inode *c);
bool step_is_born(const struct step *step, const struct changed_inode *c);
bool step_is_touched(const struct step *step, const struct changed_inode *c);
bool step_is_dead(const struct step *step, const struct changed_inode *c);
/* May the inode have got its doubtful name in this step? */
bool step_may_rename(const struct step *step, const struct changed_inode *c);

/* ------------------------------------------- the parts of a step --- */

/* inodes.c */
errcode_t step_inodes(struct step *step);
/* entries.c */
errcode_t step_directories(struct step *step);
errcode_t step_entries(struct step *step);
errcode_t step_take_perhaps(struct step *step);
/* mapped.c */
errcode_t step_is_mapped(struct step *step, const struct changed_inode *c,
			 bool *mapped);
enum likeness { LIKENESS_SAME, LIKENESS_OTHER, LIKENESS_UNKNOWN };
errcode_t step_compare_xattrs(struct step *step, const struct changed_inode *c,
			      enum likeness *likeness);
/* owned.c: with @opts->owned.  Call owned_close() even after an error. */
errcode_t owned_open(struct step *step);
void owned_close(struct step *step);
/* A pass begins. */
void owned_rewind(struct step *step);
/* An inode differs, or may: its bytes before, or NULL, and after. */
errcode_t owned_compare(struct step *step, ext2_ino_t ino, const uint8_t *old,
			const uint8_t *new);
/* Call it before names change in the step, for losses, and after, for gains. */
errcode_t owned_tell(struct step *step, bool got);
/* events.c */
errcode_t step_events(struct step *step);

/* ------------------------------------------------------- moments.c --- */

struct moments;

/*
 * The file system at each transaction of a stretch.  @base is a view of the
 * first one.
 */
errcode_t moments_open(struct e2lazy_journal *journal,
		       struct e2lazy_view *base,
		       const struct e2lazy_range *ranges, uint32_t count,
		       bool fresh, struct moments **out,
		       struct e2lazy_where *where);
void moments_close(struct moments *moments);
uint32_t moments_count(const struct moments *moments);
struct moment;
const struct moment *moments_get(const struct moments *moments,
				 uint32_t number);
/* The file system before and after transaction @number. */
errcode_t moments_go(struct moments *moments, uint32_t number);
ext2_filsys moments_before(const struct moments *moments);
ext2_filsys moments_after(const struct moments *moments);
/* The blocks that it logged or revoked, ascending. */
const blk64_t *moments_blocks(const struct moments *moments, size_t *count);
/* Has the block no copy before? */
bool moments_from_place(void *moments, blk64_t fsblk);

#endif
