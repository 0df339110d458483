/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * undelete.h - e2lazy undelete: deleted files, listed and restored
 *
 *	undelete.c	the command line, and one file after the other
 *	filter.c	which of them are asked for
 *	grade.c		what the grades of its blocks make of a file
 *	order.c		which one is restored first
 *	list.c		a row for each, or a member of the JSON document
 *	lost.c		deleted inodes without a copy, and why
 *	living.c	files that still exist, copied beside
 *	aged.c		those of an earlier view, whose contents may be later
 *	afterwards.c	and what later transactions say of their blocks
 *	kept.c		the names that they keep
 *	part.c		a part of a rescue
 *	restore.c	a file, link or directory is made again
 *	same.c		it had been, by an earlier run
 *	not_restored.c	files that are left out on purpose
 *	place.c		where: directories and names that are safe
 *	attributes.c	owner, mode, times and extended attributes
 */
#ifndef MISC_UNDELETE_H
#define MISC_UNDELETE_H

#include "e2lazy_undelete.h"
#include "facts/file_grade.h"
#include "kept.h"
#include "session/session.h"
#include "session/tids.h"
#include "support/sha256.h"

/* What is done with files that are not intact. */
enum partial { PARTIAL_NEVER, PARTIAL_ZERO, PARTIAL_RAW };

#define MAX_GLOBS	32

struct filter {
	const char	*globs[MAX_GLOBS];
	unsigned	nr_globs;
	uint32_t	uids[MAX_RANGES];
	unsigned	nr_uids;
	const char	*types;		/* letters, or NULL */
	bool		has_size;
	struct range	size;
	struct tid_ranges times;	/* --since, --until */
};

/* False, after a complaint, if the option's argument makes no sense. */
bool filter_option(struct session *s, struct filter *f, int id,
		   const char *arg);
/* Looks at all but the path. */
bool filter_takes(const struct filter *f, const struct e2lazy_deleted *d);
/* Looks at type, size and owner. */
bool filter_takes_inode(const struct filter *f,
			const struct e2lazy_deleted *d);
/* Looks at the time of the deletion. */
bool filter_takes_time(const struct filter *f, struct instant at);
bool filter_takes_uid(const struct filter *f, uint32_t uid);
bool filter_takes_path(const struct filter *f, const char *path);
enum {
	OPT_PATH = OPTION_COMMAND, OPT_UID, OPT_SIZE, OPT_SINCE, OPT_UNTIL,
	OPT_TYPE,
	OPT_OTHERS,		/* the command's others come after these */
};

/* "f", "d", ... as of find(1). */
char type_letter(unsigned mode);

/* A piece of a file, for the manifest. */
struct file_piece {
	uint64_t	lblk, count;
	blk64_t		fsblk;
	enum e2lazy_grade grade;
	ext2_ino_t	user;
};

enum outcome {
	OUTCOME_NONE,		/* it was not to be restored */
	OUTCOME_RESTORED,
	OUTCOME_PRESENT,	/* it had been, by an earlier run */
	OUTCOME_SKIPPED,	/* it is not intact, or not wanted */
	OUTCOME_FAILED,
};
const char *outcome_name(enum outcome outcome);

/* Why a file is skipped. */
enum left_out {
	LEFT_NOT,
	LEFT_DEVICE,
	LEFT_ENCRYPTED,
	LEFT_GRADE,		/* see enum partial */
	NR_LEFT_OUT
};
/* NULL: it is not. */
const char *left_out_name(enum left_out reason);

/* The one at hand. */
struct file {
	struct e2lazy_undelete *source;	/* has its contents, as the one */
	size_t		index;		/* of this number; NULL: it is living */
	struct e2lazy_deleted d;
	char		**paths;	/* d.names of them, or one */
	size_t		*lengths;
	char		*path;		/* where there is only one, */
	size_t		length;		/* these have it */
	unsigned	nr_paths;
	struct e2lazy_contents contents;
	enum file_grade	grade;
	bool		doubtful;	/* a damage may hide revokes of its copies */
	bool		hashed;
	uint8_t		sum[SHA256_BYTES];
	struct file_piece *pieces;
	size_t		nr_pieces, room;
	char		*target;	/* of a symbolic link */
	bool		living;		/* it has no index */
	errcode_t	error;		/* of its contents, as they were copied */
	enum outcome	outcome;
	enum left_out	left_out;	/* with OUTCOME_SKIPPED */
	char		*restored_as;	/* below DIR; or NULL */
};

struct undelete {
	struct session	*s;
	struct listing	listing;
	struct columns	columns;
	struct rows	rows;
	struct filter	filter;
	enum partial	partial;
	bool		unproven;	/* existing files with contents that may
					   be later are written, too, and */
	bool		listed;		/* the list alone tells why one failed */
	uint64_t	nr_unproven;	/* so many were */
	const char	*to;
	int		to_fd;		/* its directory; -1: none */
	bool		why, quick, special, tree;
	bool		any_owner;	/* whoever runs it may get the files */
	struct e2lazy_undelete *found;
	bool		hash;		/* sums are printed, */
	bool		pieces;		/* and grades of blocks */
	uint64_t	holes;		/* bytes of them that sums may yet go
					   over: as many as the file system */
	struct restore	*restore;	/* or NULL */
	ext2_filsys	living;		/* the view, with @tree; or NULL */
	struct e2lazy_later *later;	/* if that is of an earlier time */
	struct afterwards *afterwards;	/* likewise, with all evidence; or NULL */
	struct kept	kept;		/* names of files in it */
	const struct kept *beside;	/* names that are not copied, or NULL */
	bool		frozen;		/* mounted read-write, and frozen */
	uint64_t	grades[NR_FILE_GRADES];
	uint64_t	outcomes[OUTCOME_FAILED + 1];
	uint64_t	missing[E2LAZY_NR_MISSING];
	uint64_t	others;		/* deleted, and not asked for */
	struct e2lazy_horizon horizon;
	uint64_t	cleared;	/* that lost bits that change users */
	uint64_t	left_out[NR_LEFT_OUT];
	uint64_t	xattrs_lost;
	uint64_t	xattrs_withheld; /* they need --preserve-special */
	uint64_t	zeros_left;	/* left out for their zeros alone */
	uint64_t	earlier;	/* restored, and not of the time of their
					   directory */
};

/* grade.c */
enum file_grade grade_file(const struct file *f, bool quick);
errcode_t add_piece(struct file *f, const struct e2lazy_graded *g);
/* Why it is not intact; "" of one that is. */
#define WHY_TEXT	256
void why_text(const struct file *f, char text[WHY_TEXT]);

/* order.c: the indices of all in the order of restoring; NULL without memory. */
size_t *restore_order(struct undelete *u);

/* list.c */
extern const struct column undelete_columns[];
extern const unsigned nr_undelete_columns;
void list_begin(struct undelete *u);
/* Count and list the file at hand. */
void list_file(struct undelete *u, const struct file *f);
void list_end(struct undelete *u);
/* After the last file: inodes without a copy may follow. */
void list_files_end(struct undelete *u);
void list_lost_begin(struct undelete *u);
void list_lost(struct undelete *u, const struct e2lazy_missing *m);
void list_lost_end(struct undelete *u);
/* Are sums asked for, and the grades of blocks? */
bool list_wants_sums(const struct undelete *u);
bool list_wants_pieces(const struct undelete *u);

/* lost.c */
void tell_lost(struct undelete *u);

/* living.c */
/* Their names are kept from the deleted files; false after a complaint. */
bool keep_living_names(struct undelete *u);
void copy_living(struct undelete *u);

/* aged.c */
/* Once the view is open; false after a complaint. */
bool aged_begin(struct undelete *u);
/* Grade a file that exists in the view, with its pieces in order. */
errcode_t aged_grade(struct undelete *u, struct file *f);
/* Shorten *@count to blocks of one grade, and return it. */
enum e2lazy_grade aged_at(const struct file *f, uint64_t lblk,
			  uint64_t *count);

/* afterwards.c */
/* False after a complaint. */
bool afterwards_begin(struct undelete *u);
void afterwards_free(struct undelete *u);
/* Of a deleted file: find its contents, where there is most evidence. */
void afterwards_take(struct undelete *u, struct file *f);
/* Of a file that existed then: grade its unknown blocks. */
errcode_t afterwards_grade(struct undelete *u, struct file *f);

/* not_restored.c */
enum left_out left_out_reason(const struct undelete *u, const struct file *f);
void leave_out(struct undelete *u, struct file *f, enum left_out reason);
void tell_not_restored(struct undelete *u);

/* undelete.c */
void free_file(struct file *f);
/* List all, and restore them with @to: the deleted ones if they were searched,
   those that exist with @tree. */
void show_files(struct undelete *u);
/* Search the ring for deleted files; false after a complaint. */
bool search_ring(struct undelete *u);

/* restore.c */
struct restore;
/* NULL after a complaint. */
struct restore *restore_begin(struct undelete *u);
/*
 * Bytes of the file at hand, in their order.  Called by whoever reads it, once
 * restore_open() said that they are wanted.
 */
bool restore_open(struct restore *r, struct file *f);
errcode_t restore_bytes(struct restore *r, const struct e2lazy_graded *g);
/*
 * A further name of a living file that this run has copied.  False: there is
 * no copy to link to, so the file is to be copied.
 */
bool restore_link(struct restore *r, struct file *f);
/* All is known of it: make it, or give it up. */
void restore_finish(struct restore *r, struct file *f);
/* What follows still exists, and may have the names that it keeps. */
void restore_living(struct restore *r);
/* Attributes of directories, once they are filled. */
void restore_end(struct restore *r);

#endif
