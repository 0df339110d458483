/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ck.h - e2lazyck: what its files share
 *
 * A run: ck_find(), ck_print_findings(), then perhaps ck_fsck(), ck_consent(),
 * ck_plan() and ck_write_back().  A step that returns
 * false has failed or was declined, and has said why in the session's status.
 */
#ifndef MISC_CK_H
#define MISC_CK_H

#include "e2lazy_drive.h"
#include "e2lazy_mend.h"
#include "session/session.h"

/* Who answers the questions. */
enum ck_answers {
	CK_TERMINAL,
	CK_YES,			/* -y */
	CK_NO,			/* -n */
	CK_PREEN,		/* -p */
};

/* Where the throughput is from. */
enum ck_source {
	CK_UNKNOWN,
	CK_GIVEN,		/* --throughput */
	CK_MEASURED,
};

/* The device, as far as it says how long something takes. */
struct ck_speed {
	enum ck_source	source;
	uint64_t	rate;		/* bytes a second; 0: unknown */
	unsigned	seek_us;	/* 0: nothing moves, or it is unknown */
	struct e2lazy_throughput measured;	/* no samples: it was not */
};

/* Where something is wrong. */
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

/* Of a problem so many places are kept, with -v all. */
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

	bool		checkpoint;
	bool		plan;		/* and nothing else is written */
	bool		quick;
	bool		fsck;
	bool		compare;	/* --verify-after */
	bool		verbose;
	bool		status;		/* print just the word */
	bool		list;
	enum ck_answers	answers;
	uint64_t	memory, band;	/* bytes */
	uint64_t	throughput;	/* bytes a second; 0: not given */
	const char	*undo;		/* file of -z */
	char		*undo_journal;	/* and of an external journal, or NULL */
	const char	*explain;	/* id */

	struct e2lazy_verdict *verdict;	/* NULL: the journal does not open */
	struct ck_found	*found;		/* as the table of problems */
	size_t		nr_problems;
	bool		data_journal;	/* answers copy-of-data otherwise */
	struct ck_undo	*undo_files;	/* while it is written back */
	struct e2lazy_home home;	/* copies that are in place already */
	bool		undoable;	/* by the files of -z */
	bool		undo_failed;	/* to be kept, and it was said why */
	uint64_t	failures;	/* blocks that were not written back */
	int		fsck_status;	/* of e2fsck; -1: it was not run */
};

/* table.c: without a device */
void ck_list_problems(struct ck *ck);
void ck_list_columns_help(struct out *out);
void ck_explain(struct ck *ck);
const char *ck_consent_name(enum e2lazy_consent consent);

/* in_use.c */
/* Nobody else uses the devices, and they can be written to. */
bool ck_safe(struct ck *ck);
/* The same, while they are locked. */
errcode_t ck_still_safe(struct ck *ck);

/* loop.c: no loop device has the file, but @device if it is one. */
bool ck_has_no_loop(struct session *s, const struct e2lazy_device *device);
/* The block device that the loop device @device stands on; "": there is none. */
bool ck_find_below(struct session *s, const char *device,
		   char below[E2LAZY_PATH_MAX]);

/* find.c */
bool ck_find(struct ck *ck);
/* Why the journal could not be opened; false where that is no problem. */
bool ck_find_unopened(struct ck *ck);
void ck_free_findings(struct ck *ck);
/* There is something that a checkpoint would do. */
bool ck_pending(const struct ck *ck);

/* print.c */
bool ck_print_findings(struct ck *ck);
void ck_columns_help(struct out *out);

/* verdict.c: whether the log is sound. */
const char *ck_status_name(enum e2lazy_status status);
enum e2lazy_status ck_status(const struct ck *ck);
/* Nothing but the word, and for the exit status its line. */
void ck_print_status(struct ck *ck);
void ck_json_status(struct ck *ck);
/* How much is wrong; then whether the log is sound, in a line: on stdout where
   it is clean, else on stderr and in the exit status. */
void ck_tell_findings(struct ck *ck);
void ck_tell_verdict(struct ck *ck);

/* fsck.c: e2fsck's verdict on the file system as the log makes it. */
void ck_fsck(struct ck *ck);

/* ask.c: true if the log may be written back. */
bool ck_consent(struct ck *ck);

/* speed.c: false only where a signal ended it. */
bool ck_speed(struct ck *ck, struct ck_speed *speed);

/* plan.c */
bool ck_plan(struct ck *ck);

/* undo.c: without -z ck_may_undo() and ck_could_undo() alone may be called. */
bool ck_may_undo(struct ck *ck);
bool ck_could_undo(struct ck *ck);
bool ck_begin_undo(struct ck *ck, const struct e2lazy_keeper **keeper);
/* If nothing was written there is nothing to keep. */
void ck_end_undo(struct ck *ck, const struct e2lazy_checkpoint_done *done);
void ck_tell_undo(struct ck *ck);

/* mmp.c: why it will be a while until the device is open, unless -q. */
void ck_tell_mmp(struct ck *ck);

/* run.c */
void ck_write_back(struct ck *ck);

#endif
