/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doctor.h - e2lazy doctor: one page for somebody with a broken mount
 *
 *	doctor.c	the command line and the exit status
 *	state.c		the facts: log, findings, blocks that are newer there
 *	no_super.c	the same facts without the journal superblock
 *	metadata.c	the file system's own inodes, descriptors and bitmaps
 *	named.c		which states hold, and what the tools lose there
 *	page.c		the page, and the JSON document
 *	machine.c	what the machine does to the file system by itself
 *	messages.c	what a line of the kernel's means; dmesg.c reads them
 *	print_*.c	these two on the page, and what was rehearsed
 *
 * The states, what tools make of them, and the commands are the table of
 * misc/states.
 */
#ifndef MISC_DOCTOR_H
#define MISC_DOCTOR_H

#include "dmesg.h"
#include "facts/machine.h"
#include "session/rehearsal.h"
#include "session/session.h"
#include "states/states.h"

/* --------------------------------------------------------------- facts --- */

struct doctor {
	struct session	*s;
	struct machine	machine;
	bool		rehearses[NR_REHEARSED];
	uint64_t	overlay;	/* most bytes of one; 0: not given */
	struct rehearsal rehearsals[NR_REHEARSED];
	const char	*messages;	/* file of --dmesg, or NULL */
	struct dmesg	dmesg;
	struct facts	f;
	char		journal_uuid[37]; /* of a journal that is not there; or "" */
	char		features[FEATURES_TEXT]; /* that libext2fs does not know */
	bool		counted;	/* the numbers below are known */
	bool		salvaged;	/* without the journal superblock */
	bool		ring_empty;	/* not even so: no whole transaction */
	uint32_t	first_tid, last_tid;	/* of the transactions */
	/* Blocks that are newer in the log than in place. */
	uint64_t	newer;
	bool		super;		/* the superblock is one of them */
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

/* metadata.c: what is damaged, however sound the log is. */
void doctor_look_at_metadata(struct doctor *d);
struct metadata_name {
	const char	*id, *text;
};
const struct metadata_name *metadata_name(enum metadata what);

/* no_super.c: count without the journal superblock.  True if that is possible. */
bool doctor_look_at_ring(struct doctor *d);
/* A log in use has no transaction: is the journal superblock wrong? */
void doctor_ask_ring(struct doctor *d);

/* -------------------------------------------------------------- states --- */

/* The states that hold, after @row, and the first one names the log. */
const struct diagnosis *next_state(const struct doctor *d,
				   const struct diagnosis *row);
/* The first step of the row from *@at on that makes sense here; NULL: no more. */
const struct step_text *next_step(const struct doctor *d,
				  const struct diagnosis *row, size_t *at);
/* The outcome if the tool were run now. */
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
