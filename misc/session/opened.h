/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * opened.h - an open device, its log and its map
 *
 * It knows neither options nor output: nbdkit's plugin uses it, too.
 */
#ifndef MISC_OPENED_H
#define MISC_OPENED_H

#include <stdbool.h>

#include "e2lazy_mend.h"
#include "e2lazy_ring.h"
#include "geometry.h"
#include "support/when.h"

/* Damage of the log or the device: one line for each kind. */
struct finding {
	errcode_t	error;
	uint64_t	count;
	struct e2lazy_where where;
};

/* Does the device end before the file system? That is a kind of damage. */
static inline bool device_short(const struct e2lazy_geometry *geo)
{
	return geo->device_blocks < geo->fs_blocks;
}

/* The part of the log that counts, or of another stretch of the ring. */
struct limits {
	bool		tail_set;	/* --tail: walk from there on */
	bool		tail_tid_set;
	uint32_t	tail, tail_tid;
	bool		ring;		/* --ring: the newest history */
	uint32_t	history;	/* its number; 0: none is asked for */
	bool		check_data;	/* verify the copied blocks */
	bool		until_set;
	uint32_t	until;		/* the last transaction */
	/* --at.  opened_stretch() sets @until from it, and @history if the log
	   has no transaction of that time. */
	const char	*at_text;	/* NULL: not given */
	struct when	at;
	bool		history_meant;	/* @history is from @at */
	bool		no_fast_commits;
	bool		data_journal;	/* a file's contents may be in the log */
	bool		behind;		/* go on behind damage, as a checkpoint */
};

/* The limits as flags of a walk. */
static inline unsigned limits_flags(const struct limits *limits)
{
	return (limits->check_data ? E2LAZY_WALK_DATA : 0) |
	       (limits->until_set ? E2LAZY_WALK_UNTIL : 0);
}

/* Do they mean another stretch of the ring than the log? */
static inline bool limits_stretch(const struct limits *limits)
{
	return limits->tail_set || limits->ring || limits->history;
}

/* Commit times of the transactions in the map, by tid - @first. */
struct commit_times {
	uint32_t	first;		/* tid */
	struct instant	*at;		/* sec 0: none */
	size_t		count;
	size_t		room;
	size_t		unknown;	/* transactions without one */
};

struct opened {
	/* The device. It belongs to the lender, if there is one. */
	bool			lent;
	char			*device;
	char			*journal_device;	/* of --journal */
	struct e2lazy_journal	*journal;
	const struct e2lazy_geometry *geo;
	/* With --geometry: the superblock's error, or 0; and whether it says
	   the same. */
	errcode_t		super_error;
	bool			in_force;
	/* The candidate with which it was opened, its candidates; or NULL. */
	const struct e2lazy_candidate *candidate;
	struct e2lazy_salvage	*found;
	struct finding		unopened;	/* reported already */
	char			unopened_on[E2LAZY_PATH_MAX]; /* the device that
						   was to hold the journal */
	/* The log, within these limits; or these ranges instead. */
	struct limits		limits;
	struct e2lazy_range	*ranges;
	uint32_t		nr_ranges;	/* 0: the log */
	struct e2lazy_jmap	*map;
	const struct e2lazy_map_stats *stats;
	const struct e2lazy_end	*end;
	struct commit_times	times;
	bool			looked;		/* @beyond is valid */
	struct e2lazy_beyond	beyond;
	bool			told;		/* reported on stderr */
	/* The transactions in the whole ring, after the first use. */
	struct e2lazy_ring	*ring;
	/* The file system as the log defines it, after the first use. */
	struct e2lazy_layout	*layout;
	struct e2lazy_view	*view;
	/* The same with its fast commits, after opened_shown(); NULL: there
	   are none, or @fast_error. */
	struct e2lazy_view	*shown;
	struct e2lazy_fc_done	fast;
	errcode_t		fast_error;
	/* Copies that it does not show, after opened_leave_out(). */
	size_t			left_out;
	blk64_t			left_out_first;
	const struct e2lazy_problem *left_out_why; /* of the first */
	/* Blocks of files, ascending, whose contents are proven neither in place
	   nor in the log: a damage may hide revokes. */
	blk64_t			*doubtful;
	size_t			nr_doubtful;
	struct e2lazy_owners	*owners;
	bool			owners_paths;	/* the owners have paths */
	struct e2lazy_damage	owners_damage;	/* reported at each use */
};

/*
 * Open the device that the user calls @name; if @writes, the name must match
 * one device only.  False after a complaint; @unopened tells more if a device
 * was found.  With a @geometry (its text not NULL) the log is salvaged first;
 * @watch may be NULL.
 */
bool opened_begin(struct opened *opened, const char *name,
		  const struct e2lazy_open_opts *opts,
		  const struct geometry *geometry, bool writes,
		  const struct e2lazy_watch *watch);
/*
 * stretch.c: which ranges @limits mean, and which transaction --at means.
 * False, after a complaint, if the ring has no such stretch, or that one lacks
 * the transaction of --until-tid or --at.
 */
bool opened_stretch(struct opened *opened, struct limits *limits,
		    const struct e2lazy_watch *watch);
/* All of the ring, scanned once. */
errcode_t opened_ring(struct opened *opened, const struct limits *limits,
		      const struct e2lazy_watch *watch);
/* The first transaction of the log, or of the ranges instead. */
static inline uint32_t opened_first_tid(const struct opened *o)
{
	return o->nr_ranges ? o->ranges[0].tid : o->geo->sequence;
}
/* Beside the flags of the library: take proven copies of damaged descriptors. */
#define OPENED_RECOVER	0x80000000U
/* After opened_stretch().
   @flags: E2LAZY_JMAP_*, OPENED_RECOVER; @times: collect commit times. */
errcode_t opened_build(struct opened *opened, const struct limits *limits,
		       unsigned flags, bool times,
		       const struct e2lazy_watch *watch);
/*
 * False, after a complaint, if the walk did not reach the transaction of
 * --until-tid.  The state before or after it is not the requested one; an
 * empty log has no state "as of transaction N" either.
 */
bool opened_reaches_until(const struct opened *opened);
/* Transaction ids from the map's first to its last; mounts leave some out. */
static inline uint32_t opened_ids(const struct opened *o)
{
	return o->stats->txns ? o->stats->last_tid - o->stats->first_tid + 1 : 0;
}
/* The subject that the library judges. */
/* A lazy kernel recorded the tail, but not all transactions have its mark. */
static inline bool opened_is_mixed(const struct opened *o)
{
	return o->geo && o->geo->lazy_record == E2LAZY_RECORD_FITS &&
	       o->stats && o->stats->unmarked;
}

/* Such a kernel's next mount keeps the log. */
static inline bool opened_is_kept(const struct opened *o)
{
	return o->geo && o->geo->lazy_record == E2LAZY_RECORD_FITS &&
	       !opened_is_mixed(o);
}

static inline struct e2lazy_subject opened_subject(const struct opened *o)
{
	return (struct e2lazy_subject){
		.journal = o->journal, .map = o->map, .layout = o->layout,
		.view = o->view,
	};
}
errcode_t opened_view(struct opened *opened, struct e2lazy_where *where);
/*
 * The view for people: with fast commits, if there are any, the limits allow
 * it, and they can be replayed.  Without them it is opened_view().
 */
errcode_t opened_shown(struct opened *opened, struct e2lazy_view **out,
		       struct e2lazy_where *where);
/* After opened_shown(). */
static inline struct e2lazy_view *opened_what_is_shown(const struct opened *o)
{
	return o->shown ? o->shown : o->view;
}
/*
 * left_out.c: show in place the blocks that a checkpoint would leave out,
 * because they hold contents of files now.  After opened_shown(); needs
 * E2LAZY_JMAP_STATES, and does nothing for an earlier time.
 */
errcode_t opened_leave_out(struct opened *opened,
			   const struct e2lazy_watch *watch);
/* Close everything, but keep the names. */
void opened_close(struct opened *opened);
void opened_free(struct opened *opened);

/* The device that holds the log blocks. */
const char *opened_log_device(const struct opened *opened);
/* The name of the device of @where, open or not. */
const char *opened_device(const struct opened *opened,
			  const struct e2lazy_where *where);

/* findings.c: the damage of log and device. */
#define MAX_FINDINGS	(E2LAZY_MAX_DAMAGE + 4)
size_t opened_findings(const struct opened *opened,
		       struct finding findings[MAX_FINDINGS]);
/* Damage of the file system's end, not of the log: one finding, or none. */
size_t device_findings(const struct e2lazy_geometry *geo,
		       struct finding *finding);
/* Report one kind of damage on stderr. */
void opened_tell(const struct opened *opened, const struct finding *finding);
/* The device that has the place. */
const char *opened_device_of(const struct opened *opened, errcode_t error,
			     const struct e2lazy_where *where);

/*
 * lacks.c: report on stderr the contents that the log holds, or has
 * overwritten, and the view lacks.  Returns FSCK_LEFT if the view lacks any,
 * FSCK_ERROR if that is unknown, else FSCK_OK.
 */
int opened_tell_lacks(const struct opened *opened);

/* One past the last log block that any lap may have used. */
static inline uint32_t last_end(const struct e2lazy_geometry *g)
{
	return g->other_end > g->end ? g->other_end : g->end;
}

#endif
