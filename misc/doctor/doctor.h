/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doctor.h - e2lazy doctor: one page for somebody with a broken mount
 *
 *	doctor.c	the command line and the exit status
 *	state.c		the facts: log, findings, blocks that are newer there
 *	no_super.c	the same facts without the journal superblock
 *	conditions.c	what holds, by the facts alone
 *	stories.c	which story they tell
 *	outcomes.c	what each stock tool makes of it
 *	steps.c		the commands to run
 *	page.c		the page, and the JSON document
 *	machine.c	what the machine does to the file system by itself
 *	messages.c	what a line of the kernel's means; dmesg.c reads them
 *	print_*.c	these two on the page, and what was rehearsed
 */
#ifndef MISC_DOCTOR_H
#define MISC_DOCTOR_H

#include "dmesg.h"
#include "facts/kernel.h"
#include "facts/machine.h"
#include "outcomes.h"
#include "session/rehearsal.h"
#include "session/session.h"
#include "steps.h"

/* --------------------------------------------------------------- facts --- */

/* Static blocks, in any order. */
struct blocks {
	blk64_t		*at;
	size_t		count, room;
};

struct doctor {
	struct session	*s;
	struct machine	machine;
	bool		rehearses[NR_REHEARSED];
	uint64_t	overlay;	/* most bytes of one; 0: not given */
	struct rehearsal rehearsals[NR_REHEARSED];
	const char	*messages;	/* file of --dmesg, or NULL */
	struct dmesg	dmesg;
	/* The device did not open: the reason.  Else 0. */
	errcode_t	unopened;
	struct e2lazy_where where;
	bool		backup;		/* only a backup superblock opens it */
	bool		bad_groups;	/* group descriptors point nowhere */
	bool		read_only;	/* nobody can write to the device */
	bool		mounted;
	struct kernel_says kernel;
	char		journal_uuid[37]; /* of a journal that is not there; or "" */
	char		features[FEATURES_TEXT]; /* that libext2fs does not know */
	bool		mmp_held;	/* multiple mount protection: e2fsck's */
	struct e2lazy_verdict *verdict;
	struct e2lazy_home home;
	bool		counted;	/* the numbers below are known */
	bool		salvaged;	/* without the journal superblock */
	bool		contradicted;	/* the ring has a log, and the journal
					   superblock does not lead to it */
	bool		ring_empty;	/* not even so: no whole transaction */
	uint64_t	txns;		/* transactions that can be read, */
	uint32_t	first_tid, last_tid;
	uint64_t	live;		/* and the blocks that they log */
	/* Blocks that are newer in the log than in place. */
	uint64_t	newer;
	bool		super;		/* the superblock is one of them */
	struct blocks	given_up;	/* the newest copy lies behind damage */
	uint64_t	all;		/* newer ones, with those */
	bool		more;		/* and others that nobody can list */
	uint64_t	stale;		/* the copy is an earlier file system's */
};

/* Open the device and gather the facts.  False: the page would be empty. */
bool doctor_look(struct doctor *d);
void doctor_free(struct doctor *d);
/* The superblock says that the kernel leaves the log in use on purpose. */
bool doctor_is_marked(const struct doctor *d);
/* A record of the log's tail says that, as a later kernel writes it. */
bool doctor_has_record(const struct doctor *d);
/* Number of places where the problem was found; 0: not found. */
uint64_t doctor_found(const struct doctor *d, const char *id);

/* no_super.c: count without the journal superblock.  True if that is possible. */
bool doctor_look_at_ring(struct doctor *d);
/* A log in use has no transaction: is the journal superblock wrong? */
void doctor_ask_ring(struct doctor *d);

/* ------------------------------------------------------------- stories --- */

#define MAX_STEPS	11

struct story {
	const char	*id;
	const char	*title;
	const char	*text;		/* the event behind it */
	bool		(*holds)(const struct doctor *d);
	enum behaviour	behaviour;
	enum step	steps[MAX_STEPS + 1];	/* safest first */
};

/* The first step from @at on that makes sense here; STEP_END ends them. */
const enum step *next_step(const struct doctor *d, const enum step *at);
/* The stories that hold, from @at on, gravest first; NULL: no more. */
const struct story *next_story(const struct doctor *d, size_t *at);
/* Does the user have to do anything? */
bool story_is_sound(const struct story *story);
/* The outcome if the tool were run now; NULL if it is not known. */
const struct outcome *tool_outcome(const struct doctor *d, enum tool tool);
/* The number of blocks, or of records; false: nobody knows it. */
bool loss_count(const struct doctor *d, enum loss loss, uint64_t *count);
/* Fast-commit records that go with the blocks. */
uint64_t records_lost(const struct doctor *d, enum loss loss);

/* --------------------------------------------------------------- the page */

void doctor_print(struct doctor *d);
void doctor_look_at_machine(struct doctor *d);
void doctor_print_machine(struct doctor *d);
/* Read what the messages name, before anything is printed. */
void doctor_prepare_dmesg(struct doctor *d);
void doctor_print_dmesg(struct doctor *d);
/* True if something is to be rehearsed. */
bool doctor_rehearses(const struct doctor *d);
/* Before the device is read; false after a signal. */
bool doctor_rehearse(struct doctor *d);
void doctor_print_rehearsed(const struct doctor *d);

#endif
