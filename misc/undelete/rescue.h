/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rescue.h - e2lazy rescue: the best state that can be had, copied out
 *
 *	rescue.c	the command line, and one step after the other
 *	rescue_states.c	the states that the device may be read in, best first
 *	rescue_state.c	one of them is opened
 *	rescue_assess.c	how much of a state holds together
 *	rescue_target.c	whether the directory can take it
 *	rescue_report.c	the states and the parts, for people and as a manifest
 */
#ifndef MISC_RESCUE_H
#define MISC_RESCUE_H

#include "session/session.h"
#include "part.h"

/* What a walk over the tree of a state finds. */
struct assessed {
	uint64_t	good;		/* files and directories that verify */
	uint64_t	bad;		/* names that lead to none */
	uint64_t	blocks;		/* that the good ones take */
};

#define MAX_STATES	12
#define STATE_TEXT	128

/* One way to read the device. */
struct state {
	char		name[STATE_TEXT];	/* for people: "log", "ring" */
	char		options[STATE_TEXT];	/* of e2lazy, that choose it; "" */
	struct source	source;
	bool		joined;		/* with what follows a damage */
	bool		mixture;	/* of several times: never the best one */
	bool		in_place;	/* without any log: with this empty one */
	struct e2lazy_geometry empty;
	struct e2lazy_log_run run;
	struct e2lazy_salvage *found;	/* by a search: @source names one of it */
	bool		readable;
	bool		has_tid;
	uint32_t	last_tid;	/* of its last transaction */
	unsigned	blocksize;
	struct assessed	assessed;
};

/* What has been copied below DIR. */
struct done {
	char		place[STATE_TEXT];	/* below DIR */
	char		list[STATE_TEXT];	/* the list of its files, too */
	struct state	*state;
	struct part_counts counts;
};

/* Below the directory; a rescue of before has left it. */
#define RESCUE_MANIFEST	"manifest/rescue.json"

#define MAX_PARTS	(MAX_STATES + 1)

struct rescue {
	struct session	*s;		/* the command's own */
	const char	*to;
	int		to_fd;
	struct state	states[MAX_STATES];
	unsigned	nr_states;
	struct state	*best;		/* NULL: none can be read */
	bool		sound;		/* the log needs no other state */
	char		uuid[37];	/* of the file system; "": not known */
	struct kept	names;		/* of the best state's files */
	struct done	parts[MAX_PARTS];
	unsigned	nr_parts;
};

/* rescue_states.c */
/*
 * Find the states of the device, assess them, and choose the best one.  False
 * after a complaint: it cannot be read in any.
 */
bool states_find(struct rescue *r);

/* rescue_state.c */
/* A session of the state, with its map and its view; NULL after a complaint. */
struct session *state_open(struct rescue *r, struct state *state,
			   errcode_t *error, struct e2lazy_where *where);
/* Free it.  A state that cannot be read is no failure of the others. */
void state_close(struct rescue *r, struct session *s);

/* rescue_assess.c */
/* Without the log if @in_place. */
errcode_t assess(struct session *s, bool in_place, struct assessed *out);

/* rescue_target.c */
/* May files be made in the directory?  False after a complaint. */
bool target_is_writable(struct rescue *r);
/* Has an earlier rescue to there copied the same file system, or none has? */
bool target_is_of(struct rescue *r, const struct session *s);
/* Has the directory room for @blocks?  False after a complaint. */
bool target_has_room(struct rescue *r);
/* Say what cannot be kept there: owners, attributes. */
void target_tell_limits(struct rescue *r);

/* rescue_report.c */
void report_states(struct rescue *r);
void report_parts(struct rescue *r);
/*
 * Say in the directory which file system it is for, before the first copy: a
 * rescue that is killed must not let another one in.  False after a complaint.
 */
bool report_begin(struct rescue *r);
/* False after a complaint. */
bool report_save(struct rescue *r);

#endif
