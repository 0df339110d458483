/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session.h - what every command of e2lazy does: options, open, map, verdict
 *
 * A command's life:
 *	session_begin()
 *	session_option() until OPTION_END, then session_operands()
 *	session_open(), session_build(), session_look()
 *	prints on @print
 *	session_end()	damage, exit code, clean up
 * Each step returns false when it has failed, and then has said why.
 *
 * A shell keeps a session of its own from one command to the next.  What that
 * one has open it lends to the commands' sessions: see struct command.
 */
#ifndef MISC_SESSION_H
#define MISC_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"
#include "opened.h"
#include "print.h"
#include "source.h"
#include "support/units.h"

struct session {
	const struct command *command;
	struct options	options;
	char		**operands;	/* DEVICE first */
	int		nr_operands;
	struct source	source;
	struct print	print;
	char		*device;	/* in messages; another's memory */
	struct opened	*log;		/* NULL: the command opens none */
	struct session	*lender;	/* of @log, or of what is open in it */
	bool		tell_again;	/* of what the lender told */
	int		status;		/* FSCK_* so far */
};

/* NULL: out of memory, complained about. */
struct session *session_begin(const struct command *command, int argc,
			      char **argv);
/*
 * The next option that is the command's own, or OPTION_END.  The common ones
 * are dealt with here, and so is --help: OPTION_BAD ends the command with
 * session->status.
 */
int session_option(struct session *session, struct listing *listing,
		   char **arg);
/* The tables of options that several commands take; the last is NULL. */
void session_common_options(const struct option_line *tables[]);
/* Usage error, already explained: say where help is. */
void session_usage(struct session *session);
/* Say why the command line makes no sense, and session_usage(): false. */
bool session_wrong(struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same: "OPTION: 'ARG' is not WHAT". */
bool session_refuse(struct session *session, const char *option,
		    const char *arg, const char *what);
/* There must be from @least to @most operands, DEVICE among them. */
bool session_operands(struct session *session, int least, int most);
/* False, after a complaint, if @option was given too often for one more. */
bool session_has_room(struct session *session, const char *option,
		      unsigned count);
/* Columns as asked for, or a complaint and false. */
bool session_columns(struct session *session, const struct listing *listing,
		     const struct column *table, unsigned size,
		     struct columns *columns);

bool session_open(struct session *session);
/* opened_build(), with a bar. */
bool session_build(struct session *session, unsigned flags, bool times);
/* Look a little past the head, so that damage there is not passed over. */
bool session_look(struct session *session);
bool session_layout(struct session *session);
/*
 * with_view.c: the file system as after a checkpoint, in log->view.
 * session_build() with E2LAZY_JMAP_CSUMS, or what it reads is not verified.
 */
bool session_view(struct session *session);
/* The same for those who can do without, and without a word. */
errcode_t session_try_view(struct session *session,
			   struct e2lazy_where *where);
/*
 * Who owns each block with a live copy, in log->owners; with @paths also
 * by what name.  What could not be read for it is told, and no failure.
 */
bool session_owners(struct session *session, bool paths);
/* Tell of what could not be read of the file system: its damage or the log's. */
void session_tell_unread(struct session *session,
			 const struct e2lazy_damage *unread);
/*
 * What a copy that the layout calls other holds, read into @block; still
 * other where it cannot be read, which @unread then counts.
 */
enum e2lazy_type session_identify(struct session *session,
				  const struct e2lazy_copy *copy, void *block,
				  struct e2lazy_damage *unread);
/* A walk over the same log, with the same limits, as the map was built from. */
errcode_t session_walk(struct session *session, struct e2lazy_walk **walk);
/* Ring blocks from the tail to @logblk. */
uint32_t session_position(const struct session *session, uint32_t logblk);
/* Commit time of @tid, 0 where it is not known. */
uint64_t session_time(const struct session *session, uint32_t tid);
/* The same as a cell. */
void session_time_cell(const struct session *session, struct cell *cell,
		       uint32_t tid);

/*
 * progress.c: the library's long calls move the session's bar, which goes over
 * to each phase as it comes, and end once a signal asks to stop.
 */
struct e2lazy_watch session_watch(struct session *session);
/* E2LAZY_ET_CANCELLED once a signal asks to stop; for a watch without a bar. */
errcode_t session_stop(void *unused);

/* tell.c: opens the JSON document: program, device. */
void session_document(struct session *session);
/* Make room for the ids of this log's transactions in column @id. */
void session_fit_tids(const struct session *session, struct columns *columns,
		      unsigned id);
/* "Past the head: ...; looked at N of M blocks." */
void session_text_beyond(struct session *session);
/* The same as facts of a sheet. */
void session_beyond_facts(const struct session *session, struct sheet *sheet);
/* Complain of @error at @where (or NULL), behind what was printed so far. */
void session_fail(struct session *session, errcode_t error,
		  const struct e2lazy_where *where);
/* Complain once of what is wrong in the same way at several places. */
void session_tell(struct session *session, int status,
		  const struct e2lazy_damage *wrong);
/* Complain in words of our own; @status is added to the session's. */
void session_complain(struct session *session, int status,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Tell now of damage that the lender has not told; no more at the end. */
void session_tell_damage(struct session *session);
/*
 * End the JSON document with the damage found, flush, tell of the damage,
 * free everything. Returns the exit status.
 */
int session_end(struct session *session);
/* Give up what is open, once the damage was told of; the end is yet to come. */
void session_close(struct session *session);
/* End without a word. */
void session_free(struct session *session);

/* lend.c: for session_begin(), _open(), _build(), _close(). */
void session_inherit(struct session *session, struct session *lender);
bool session_borrow(struct session *session);
/* False where the lender's map has other limits. */
bool session_share_map(struct session *session);
bool session_owns_log(const struct session *session);

#endif
