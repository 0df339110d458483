/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - e2lazy report: a page about a journal, with pictures
 *
 *	report.c	the command line
 *	look.c		one walk through the log fills all pictures
 *	input.c		the devices, their sizes and checksums
 *	ring.c		the blocks of the ring, in cells
 *	lists.c		block groups and transactions, in cells
 *	files.c		deleted files and events
 *	json.c		all of it as JSON
 *	evidence.c	e2lazy evidence: a folder with report and all lists
 *	folder.c	its files, their checksums and its manifest
 *	page.c		the page: its head, its sections, its tables
 *	style.c		its style sheet, which its policy names by checksum
 *	figure.c	what all pictures share
 *	figure_*.c	the pictures
 *
 * All pictures are made of a fixed number of cells, so that page and memory
 * stay small however large the log is.
 */
#ifndef MISC_REPORT_H
#define MISC_REPORT_H

#include "e2lazy_changes.h"
#include "facts/file_grade.h"
#include "facts/info.h"
#include "facts/plan.h"
#include "session/session.h"
#include "support/sha256.h"

/* One seek and half a revolution of a common disk. */
#define PLAN_SEEK_US	12000

/* ------------------------------------------------------------ pictures --- */

/* The kinds of ring blocks: copies by state, and: */
enum {
	RING_CONTROL = E2LAZY_NR_STATES, /* descriptor, revoke, commit block */
	RING_FREE,			/* of no whole transaction */
	RING_UNREAD,			/* with --quick */
	NR_RING_KINDS
};

#define RING_CELLS	1024
#define RING_ACROSS	64		/* cells of a row */

struct ring_cell {
	uint32_t	blocks[NR_RING_KINDS];
	uint32_t	covered;	/* blocks of the log's transactions */
	bool		known;		/* the transactions: */
	uint32_t	first_tid, last_tid;
};

struct ring_picture {
	uint32_t	first, size;	/* of the ring, in log blocks */
	uint32_t	each;		/* blocks of a cell */
	unsigned	count;
	struct ring_cell cell[RING_CELLS];
};

#define GROUP_CELLS	512
#define GROUP_ACROSS	64

struct group_cell {
	uint64_t	live;		/* live copies with static blocks here */
	uint64_t	logged;		/* and all committed copies */
};

struct group_picture {
	uint64_t	groups, each;	/* groups in all, and of a cell */
	unsigned	count;
	uint64_t	most_live, most_logged;
	struct group_cell cell[GROUP_CELLS];
};

#define TIME_CELLS	192
#define SIZE_CELLS	33

struct txn_cell {
	uint64_t	txns, logged, live, revokes;
	uint32_t	first_tid, last_tid;
};

struct txn_picture {
	uint64_t	count;		/* transactions */
	uint64_t	begins, ends;	/* commit times, ns */
	uint64_t	each;		/* ns of a cell */
	unsigned	cells;
	uint64_t	most;		/* logged copies of a cell */
	struct txn_cell	cell[TIME_CELLS];
	/* Transactions without a copy, with 1, 2 or 3, 4 to 7, ... */
	uint64_t	size[SIZE_CELLS];
};

/* A device, all of it. */
struct report_input {
	const char	*name;		/* NULL: there is none */
	uint64_t	bytes;
	char		sum[SHA256_TEXT];	/* "": not computed */
};

/* Deleted files, and events, that are listed at most. */
#define FILES_LISTED	500

struct report_deleted {
	struct e2lazy_deleted d;
	enum file_grade	grade;
	char		*path;
	size_t		length;
};

struct report_event {
	enum e2lazy_change_kind kind;
	uint32_t	tid;
	uint64_t	sec;
	ext2_ino_t	ino;
	char		*path, *old_path;
};

struct report_files {
	bool		wanted;
	uint64_t	count, grades[NR_FILE_GRADES];	/* deleted files */
	struct report_deleted deleted[FILES_LISTED];	/* the newest first */
	size_t		nr_deleted;
	uint64_t	nr_events, kinds[E2LAZY_NR_CHANGES];
	struct report_event events[FILES_LISTED];	/* in turn */
};

struct report {
	struct session	*s;
	const char	*output;	/* NULL: only JSON */
	bool		quick, hash;
	uint64_t	time;		/* when it began to read the devices */
	struct report_input device, journal;
	uint64_t	throughput;	/* bytes a second */
	uint64_t	memory;
	struct info	info;
	bool		planned;
	struct e2lazy_plan plan;
	struct e2lazy_band_writes checkpoint, replay;
	ext2_filsys	fs;
	struct ring_picture ring;
	struct group_picture groups;
	struct txn_picture txns;
	struct report_files files;
};

/*
 * input.c: the checksum of @in->bytes bytes; @piece has HASH_PIECE bytes, aligned
 * for direct reads.  0, or errno; without a sum if it was cancelled.
 */
#define HASH_PIECE	(1 << 20)
int report_hash(struct session *s, int fd, struct report_input *in,
		char *piece);
/* input.c: false if it was cancelled, or after a complaint. */
bool report_take_input(struct report *r);
/* The section "input". */
void report_input(struct report *r, struct sheet *sheet);

/* look.c: false after a complaint. */
bool report_look(struct report *r);

/* ring.c */
void ring_begin(struct ring_picture *p, const struct e2lazy_geometry *g);
struct ring_cell *ring_cell_of(struct ring_picture *p, uint32_t logblk);
/* The log's blocks of a transaction. */
void ring_cover(struct ring_picture *p, const struct e2lazy_txn *txn);
/* The blocks of a transaction that the log has left behind. */
void ring_cover_old(struct ring_picture *p, const struct e2lazy_txn *txn);
/* All blocks are counted; @rest is the kind of the others. */
void ring_end(struct ring_picture *p, unsigned rest);
/* Number of log blocks of cell @i. */
uint32_t ring_cell_blocks(const struct ring_picture *p, unsigned i);
/* A name for scripts; a text for people, not yet translated. */
const char *ring_kind_name(unsigned kind);
const char *ring_kind_text(unsigned kind);
uint64_t ring_total(const struct ring_picture *p, unsigned kind);

/* lists.c */
void groups_begin(struct group_picture *p, ext2_filsys fs);
void groups_add(struct group_picture *p, ext2_filsys fs, blk64_t fsblk,
		bool live);
void groups_end(struct group_picture *p);
/* The groups of cell @i: from *@first on. */
uint64_t groups_of_cell(const struct group_picture *p, unsigned i,
			uint64_t *first);
void txns_begin(struct txn_picture *p, const struct commit_times *times);
void txns_add(struct txn_picture *p, const struct e2lazy_txn *txn,
	      uint64_t live);
void txns_end(struct txn_picture *p);
/* Nanoseconds since 1970; a time that no clock has is a large one. */
uint64_t instant_ns(uint64_t sec, uint32_t nsec);

/* files.c: false after a complaint. */
bool report_look_at_files(struct report *r);
void report_free_files(struct report *r);
void report_files_json(const struct report *r, struct json *json);

/* json.c */
void report_json(struct report *r);

/* -------------------------------------------------------------- page --- */

/* page.c: false after a complaint. */
bool report_page(struct report *r);
/* sections.c */
void page_verdict(struct report *r, struct out *out);
void page_findings(struct report *r, struct out *out);
void page_types(struct report *r, struct out *out);
void page_plan(struct report *r, struct out *out);
void page_facts(struct report *r, struct out *out);
/* files.c */
void page_deleted(struct report *r, struct out *out);
void page_timeline(struct report *r, struct out *out);
/* The sections "plan" and "volume", on the page or as JSON. */
void report_plan(struct report *r, struct sheet *sheet);
void report_volume(struct report *r, struct sheet *sheet);
/* figure_ring.c, figure_groups.c, figure_txns.c */
void page_ring(struct report *r, struct out *out);
void page_groups(struct report *r, struct out *out);
void page_txns(struct report *r, struct out *out);

/* style.c */
extern const char page_style[];

/* figure.c */
void section_begin(struct out *out, const char *id, const char *title);
void section_end(struct out *out);
void paragraph(struct out *out, const char *text);
/* A picture of this size, described by @label for those who cannot see it. */
void figure_begin(struct out *out, unsigned width, unsigned height,
		  const char *label);
void figure_end(struct out *out);
/* A filled rectangle of the class @kind and a number. */
void figure_box(struct out *out, char kind, unsigned number, unsigned x,
		unsigned y, unsigned width, unsigned height);
/* The numbers behind a picture, folded away. */
void numbers_begin(struct out *out, const char *const *headings,
		   unsigned count);
void numbers_end(struct out *out);
void number_cell(struct out *out, uint64_t number);

#endif
