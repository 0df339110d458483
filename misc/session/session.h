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
#include "support/status.h"
#include "support/units.h"

struct session {
	const struct command *command;
	struct options	options;
	char		**operands;	/* DEVICE first */
	int		nr_operands;
	struct source	source;
	struct print	print;
	char		*device;	/* in messages; another's memory */
	struct opened	*log;		/* NULL: the command opens no device */
	struct session	*lender;	/* of @log, or of what is open in it */
	const char	*end_option;	/* given: --until-tid or --at */
	bool		finds_way;	/* around a damaged superblock, by itself */
	bool		tell_again;	/* damage that the lender reported */
	struct words	line;		/* the command as it was given */
	uint64_t	began;		/* in seconds */
	int		status;		/* FSCK_* bits so far */
	struct hearing	hearing;	/* the message that explains it */
	bool		judges;		/* the document has findings of the
					   command's own, instead of damage */
};

/* NULL: out of memory, complained about. */
struct session *session_begin(const struct command *command, int argc,
			      char **argv);
/*
 * Returns the next option of the command's own, or OPTION_END.  It handles the
 * common options and --help itself: OPTION_BAD ends the command with
 * session->status.
 */
int session_option(struct session *session, struct listing *listing,
		   char **arg);
/* The tables of the common options; the last is NULL. */
void session_common_options(const struct option_line *tables[]);
/* Take @arg of @option, which must be a directory. */
bool session_directory(struct session *session, const char *option,
		       const char *arg, const char **directory);
/* After the message of a usage error: point to --help. */
void session_usage(struct session *session);
/* Say why the command line makes no sense, and session_usage(): false. */
bool session_wrong(struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same: "OPTION: 'ARG' is not WHAT". */
bool session_refuse(struct session *session, const char *option,
		    const char *arg, const char *what);
/*
 * Options without effect are errors of usage; false after a complaint.
 * @options are long names with blanks between them, @mode is text for people.
 */
/* "--X needs WHAT", if one was given and that is not @met. */
bool session_needs(struct session *session, const char *options, bool met,
		   const char *what);
/* "--X has no effect with MODE", if that was @chosen; or X is any other. */
bool session_without(struct session *session, const char *mode, bool chosen,
		     const char *options);
bool session_only(struct session *session, const char *mode, bool chosen,
		  const char *options);
/* A range A-B is empty unless it is @ordered. */
bool session_range(struct session *session, const char *option,
		   const char *arg, bool ordered);

/* Take from @least to @most operands, DEVICE among them. */
bool session_operands(struct session *session, int least, int most);
/* False, after a complaint, if @option has too many arguments. */
bool session_has_room(struct session *session, const char *option,
		      unsigned count);
/* Select the columns. False after a complaint. */
bool session_columns(struct session *session, const struct listing *listing,
		     const struct column *table, unsigned size,
		     struct columns *columns);

bool session_open(struct session *session);
/*
 * Name an option with which the command could open the device after
 * all, if there is one.
 */
void session_tell_way(struct session *session, errcode_t error);
/* A word of --geometry with which the log can be read nevertheless, or NULL. */
const char *session_geometry_around(errcode_t error);
/* A backup superblock that opens the file system, in @opts. */
bool session_find_backup(const struct session *session,
			 struct e2lazy_open_opts *opts);
/* opened_build(), with a bar. */
bool session_build(struct session *session, unsigned flags, bool times);
/* Read a little past the head to find damage there. */
bool session_look(struct session *session);
bool session_layout(struct session *session);
/* False, after a complaint, if the file system has no inode @ino. */
bool session_has_inode(struct session *session, uint64_t ino);
/*
 * with_view.c: the file system as after a checkpoint, in log->view.
 * session_build() with E2LAZY_JMAP_CSUMS, or what it reads is not verified.
 */
bool session_view(struct session *session);
/* The same, but without a complaint. */
/* The same, with fast commits: log->shown, if there are any. */
bool session_shown(struct session *session);
/* Then, with E2LAZY_JMAP_STATES: opened_leave_out(). */
bool session_leave_out(struct session *session);
errcode_t session_try_view(struct session *session, struct e2lazy_where *where);
/*
 * Find the owner of each block with a live copy, in log->owners; with @paths
 * its path, too.  Unreadable metadata is reported and is no failure.
 */
bool session_owners(struct session *session, bool paths);
/* The same, and of @count other blocks, which ascend. */
bool session_owners_of(struct session *session, bool paths,
		       const blk64_t *blocks, size_t count);
/*
 * All of the ring, scanned once; NULL after a complaint.  With --check-data the
 * scan reads the copies, too.
 */
const struct e2lazy_ring *session_ring(struct session *session);
/* Report an empty log, and what the ring has. */
void session_tell_empty(struct session *session);
/* Report unreadable metadata of the file system: damage of it or of the log. */
void session_tell_unread(struct session *session,
			 const struct e2lazy_damage *unread);
/*
 * The type of a copy that the layout calls other, from its contents, read into
 * @block; it stays other if unreadable, and @unread counts it.
 */
enum e2lazy_type session_identify(struct session *session,
				  const struct e2lazy_copy *copy, void *block,
				  struct e2lazy_damage *unread);
/* Begin a walk over the same log, with the same limits as the map. */
errcode_t session_walk(struct session *session, struct e2lazy_walk **walk);
/* Number of ring blocks from the tail to @logblk. */
uint32_t session_position(const struct session *session, uint32_t logblk);
/* Commit time of @tid, sec 0 if unknown. */
struct instant session_instant(const struct session *session, uint32_t tid);
/* Its seconds as a cell. */
void session_time_cell(const struct session *session, struct cell *cell,
		       uint32_t tid);

/*
 * progress.c: the library's long calls move the session's bar, one phase after
 * another, and end once a signal asks to stop.
 */
struct e2lazy_watch session_watch(struct session *session);
/* Returns E2LAZY_ET_CANCELLED once a signal asks to stop; for a watch without
   a bar. */
errcode_t session_stop(void *unused);

/* tell.c: open the JSON document: program, device. */
void session_document(struct session *session);
/* Close it, wherever it is: damage, status, error. session_end() does that. */
void session_document_end(struct session *session);
/* The member "run": command, time and the device's size. */
void session_document_run(struct session *session);
/* Make room for the ids of this log's transactions in column @id. */
void session_fit_tids(const struct session *session, struct columns *columns,
		      unsigned id);
/* "Past the head: ...; read N of M blocks." */
void session_text_beyond(struct session *session);
/* The same as facts of a sheet. */
void session_beyond_facts(const struct session *session, struct sheet *sheet);
/* The member "damage" of a JSON document. */
void session_json_damage(struct json *json, const struct finding *findings,
			 size_t count);
/* Complain about @error at @where (or NULL), behind the output so far. */
void session_fail(struct session *session, errcode_t error,
		  const struct e2lazy_where *where);
/* Complain once about equal damage at several places. */
void session_tell(struct session *session, int status,
		  const struct e2lazy_damage *wrong);
/* Complain with a text of our own; @status is added to the session's. */
void session_complain(struct session *session, int status,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Report now the damage that the lender has not reported, and not again at the
   end. */
void session_tell_damage(struct session *session);
/*
 * End the JSON document with the damage, flush, report the damage, free
 * everything.  Returns the exit status.
 */
int session_end(struct session *session);
/* Close the device after the damage is reported; session_end() follows. */
void session_close(struct session *session);
/* End without any output. */
void session_free(struct session *session);

/* lend.c: for session_begin(), _open(), _build(), _close(). */
void session_inherit(struct session *session, struct session *lender);
bool session_borrow(struct session *session);
/* False if the lender's map has other limits. */
bool session_share_map(struct session *session);
bool session_owns_log(const struct session *session);

#endif
