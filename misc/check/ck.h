/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ck.h - e2lazyck: declarations that its files share
 *
 * A run calls ck_find() and ck_print_findings(), then perhaps ck_fsck(),
 * ck_consent(), ck_plan() and ck_write_back().  A step returns false if it
 * failed or was declined; it has then put the reason into the session's
 * status.
 */
#ifndef MISC_CK_H
#define MISC_CK_H

#include "e2lazy_drive.h"
#include "e2lazy_mend.h"
#include "e2lazy_model.h"
#include "facts/releases.h"
#include "session/session.h"
#include "support/sheet.h"

/* The source of the answers. */
enum ck_answers {
	CK_TERMINAL,
	CK_YES,			/* -y */
	CK_NO,			/* -n */
	CK_PREEN,		/* -p */
};

/* How much --clean frees. */
enum ck_want {
	CK_TIDS,
	CK_BLOCKS,
	CK_UNTIL_FREE,
};

/* The source of the throughput. */
enum ck_source {
	CK_UNKNOWN,
	CK_GIVEN,		/* --throughput */
	CK_MEASURED,
};

/* The speed of the device, for an estimate of the time. */
struct ck_speed {
	enum ck_source	source;
	uint64_t	rate;		/* bytes a second; 0: unknown */
	unsigned	seek_us;	/* 0: no moving head, or unknown */
	struct e2lazy_throughput measured;	/* 0 samples: not measured */
};

/* A place of a problem. */
struct ck_place {
	uint64_t	fsblk;
	uint32_t	logblk;
	uint32_t	tid;
	uint32_t	age;
	unsigned	has;		/* E2LAZY_AT_* */
};

struct ck_places {
	struct ck_place	*at;
	size_t		count, room;
};

/* Number of places kept for a problem; -v keeps all. */
#define CK_PLACES_SHOWN	8

/* A problem of the library's table, by its number. */
struct ck_found {
	struct e2lazy_finding finding;	/* count 0: not found */
	struct ck_places places;
	enum e2lazy_answer answer;
};

struct ck {
	struct session	*s;
	struct listing	listing;

	bool		checkpoint;	/* or --clean */
	bool		whole;		/* --checkpoint */
	bool		until;		/* and --until-tid: not all of the log */
	bool		clean;		/* --clean: only the oldest part */
	bool		forward;	/* its copies go to the log's head */
	bool		compact;	/* all live copies do */
	bool		freeze_ready;	/* but those that are in place */
	struct e2lazy_tail_want want;	/* least 0: the default */
	struct e2lazy_tail tail;	/* with @clean */
	bool		restore;	/* --restore-log */
	bool		downgrade;	/* --checkpoint, step by step */
	struct release	*older;		/* it is before this one; or NULL */
	struct release	release;
	unsigned	lacks;		/* features that it does not have */
	const char	*root;		/* of the machine; NULL: this one */
	bool		plan;		/* show the plan only */
	bool		quick;
	bool		fsck;
	bool		compare;	/* --verify-after */
	bool		verbose;
	bool		status;		/* print one word */
	bool		ok_in_use;	/* a sound log in use is no work to do */
	bool		stop_at_damage;
	bool		list;
	enum ck_answers	answers;
	uint64_t	memory, band;	/* bytes */
	uint64_t	throughput;	/* bytes a second; 0: not given */
	const char	*drive;		/* model, for the plan; or NULL */
	struct e2lazy_params params;	/* of it */
	const char	*undo;		/* file of -z */
	char		*undo_made;	/* its name, unless given */
	char		*undo_journal;	/* the same for an external journal */
	const char	*explain;	/* id */

	struct e2lazy_verdict *verdict;	/* NULL: the journal does not open */
	struct ck_found	*found;		/* indexed like the table of problems */
	size_t		nr_problems;
	bool		agreed;		/* all questions had a yes */
	bool		data_journal;	/* answers whether copies are contents */
	struct ck_undo	*undo_files;	/* from the first stage that writes */
	struct e2lazy_home home;	/* copies already in place */
	uint64_t	undo_blocks;	/* that are overwritten; 0: by the map */
	bool		undoable;	/* the files of -z are complete */
	bool		undo_told;	/* and were named */
	bool		told_done;	/* the document says what was written */
	bool		undo_failed;	/* the reason was printed */
	uint64_t	failures;	/* blocks that were not written back */
	int		fsck_status;	/* exit status of e2fsck; -1: not run */
};

static inline bool ck_shows_plan(const struct ck *ck)
{
	return ck->plan || ck->downgrade || ck->verbose ||
	       ck->s->print.json_wanted;
}

/* table.c: the table of problems; needs no device */
void ck_list_problems(struct ck *ck);
void ck_list_columns_help(struct out *out);
void ck_explain(struct ck *ck);

/* in_use.c */
/* No other program uses the devices, and they are writable. */
bool ck_may_write(struct ck *ck);
/* The same, under the writer's lock. */
errcode_t ck_still_may_write(struct ck *ck);

/* loop.c: no loop device other than @device has the file. */
bool ck_has_no_loop(struct session *s, const struct e2lazy_device *device);
/* Find the block device below the loop device @device; "": there is none. */
bool ck_find_below(struct session *s, const char *device,
		   char below[E2LAZY_PATH_MAX]);

/* find.c */
bool ck_find(struct ck *ck);
/* Record why the journal does not open; false if that is no problem. */
bool ck_find_unopened(struct ck *ck);
void ck_free_findings(struct ck *ck);
/* A checkpoint would have work to do. */
bool ck_pending(const struct ck *ck);

/* print.c */
bool ck_print_findings(struct ck *ck);
void ck_columns_help(struct out *out);

/* verdict.c: the state of the log. */
/* Print only the word, and the reason for the exit status. */
void ck_print_status(struct ck *ck);
void ck_json_status(struct ck *ck);
/* Print the number of problems; then the state of the log in one line: on
   stdout if it is clean, else on stderr and in the exit status. */
void ck_tell_findings(struct ck *ck);
void ck_tell_verdict(struct ck *ck);

/* fsck.c: e2fsck's verdict on the file system as the log defines it. */
void ck_fsck(struct ck *ck);
/* Is it asked for, by the user or by what was found? */
bool ck_wants_fsck(struct ck *ck);

/* ask.c: true if the log may be written back. */
bool ck_consent(struct ck *ck);
/* One more question; @member of the document has its answer. */
bool ck_ask(struct ck *ck, const char *id, const char *member,
	    const char *question);
/* A problem forbids it; the reasons are given by ck_consent(). */
bool ck_is_refused(const struct ck *ck);

/* downgrade.c: --downgrade */
enum ck_step { CK_JUDGE, CK_COST, CK_WRITE, CK_JUDGE_AGAIN, CK_REMAINS };
/* Print the heading of a step; without --downgrade nothing. */
void ck_begin_step(struct ck *ck, enum ck_step step);
/* Without -z: choose a name for the undo file. */
bool ck_name_undo(struct ck *ck);
/* Ask before fast commits become a transaction. */
bool ck_may_log_fast(struct ck *ck);
/* The log is in use, and no fast commits wait. */
void ck_downgrade(struct ck *ck);

/* remains.c: the last step of --downgrade */
/* The log is empty, and nobody has to write it back. */
void ck_tell_remains(struct ck *ck);

/* fast.c: fast commits become a transaction before all else. */
bool ck_plan_fast(struct ck *ck);
/* Show that --clean and --compact clear those that do not count. */
void ck_plan_void(struct ck *ck);
/* The log is open and judged anew then. */
bool ck_log_fast(struct ck *ck);
/* judge.c: the map, the view and the findings of an open device, with the answer
   that --data-journal gives. */
bool ck_look(struct ck *ck);
bool ck_answer(struct ck *ck, struct ck_found *found,
	       enum e2lazy_answer answer);
/* The finding of that id, or NULL. */
struct ck_found *ck_found_of(struct ck *ck, const char *id);
/* The flags of the map that is judged, and written. */
unsigned judge_flags(const struct ck *ck);
/* Open and judge anew without a word, with the answers given. */
bool ck_judge_again(struct ck *ck);
/* False, after a complaint, if --until-tid names the last transaction. */
bool ck_drops_any(struct ck *ck);
/* Are there fast commits that count, or may count? */
bool ck_fast_waits(const struct ck *ck);
/* The same as if it were the first time. */
bool ck_look_again(struct ck *ck);

/* speed.c: false only if a signal ended it. */
bool ck_speed(struct ck *ck, struct ck_speed *speed);

/* plan.c */
bool ck_plan(struct ck *ck);
/* Facts of a plan: the throughput. */
void ck_sheet_speed(struct sheet *sheet, const struct ck_speed *speed);
/* For struct e2lazy_plan_writes; @priv is a struct e2lazy_band_writes. */
/* window.c: --drive; false with a complaint. */
bool ck_take_drive(struct ck *ck, const char *arg);
void ck_count_bands(void *priv, blk64_t block, uint32_t count);

/* undo.c: without -z only ck_may_undo() and ck_could_undo() may be called. */
bool ck_may_undo(struct ck *ck);
bool ck_could_undo(struct ck *ck);
/* For each stage of a run; false after a complaint. */
bool ck_begin_undo(struct ck *ck, const struct e2lazy_keeper **keeper);
/* Remove the files if no stage has written. */
void ck_end_undo(struct ck *ck, const struct e2lazy_checkpoint_done *done);
void ck_tell_undo(struct ck *ck);
/* At the end of the run: name the files, unless that was done. */
void ck_close_undo(struct ck *ck);

/* clean.c: --clean */
/* Take the argument of an option; false after a complaint. */
bool ck_want(struct ck *ck, enum ck_want want, const char *arg);
/* Choose the new tail, which --compact does not need; false if there is nothing
   to free, to log again or to clear. */
bool ck_find_tail(struct ck *ck);
/* No problem forbids it; else the reason was given. */
bool ck_is_sound(struct ck *ck);
/* Facts of a plan, and the result. */
void ck_sheet_tail(const struct ck *ck, struct sheet *sheet);
void ck_tell_freed(struct ck *ck, const struct e2lazy_checkpoint_done *done);
/* The result where fast commits that do not count were all there was to do. */
void ck_tell_cleared(struct ck *ck);

/* relog.c: --clean --forward and --compact */
void ck_relog(struct ck *ck);

/* restore.c */
/* The log is one that the next mount replays anyway. */
bool ck_is_in_force(const struct ck *ck);
void ck_restore(struct ck *ck);

/* mmp.c: announce the wait before the device is open, unless -q. */
void ck_tell_mmp(struct ck *ck);

/* run.c */
/* True if the log is empty now. */
bool ck_write_back(struct ck *ck);
/* --verify-after used the page cache, not the disk. */
void ck_tell_cached(struct ck *ck, const struct e2lazy_checkpoint_done *done);

#endif
