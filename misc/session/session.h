/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session.h - what every command of e2lazy does: options, open, map, verdict
 *
 * A command's life:
 *	session_begin()
 *	session_option() until OPTION_END, then session_operands()
 *	session_open(), session_build(), session_look()
 *	prints on @out or @json
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

#include "e2lazy_mend.h"
#include "support/json.h"
#include "support/options.h"
#include "support/out.h"
#include "support/progress.h"
#include "support/rows.h"
#include "support/sheet.h"
#include "support/units.h"

/* Commit times of the transactions in the map, by tid - @first. */
struct commit_times {
	uint32_t	first;		/* tid */
	uint64_t	*sec;
	size_t		count;
	size_t		room;
};

/* What is wrong with the log or the device: one line for each kind. */
struct finding {
	errcode_t	error;
	uint64_t	count;
	struct e2lazy_where where;
};
#define MAX_FINDINGS	(E2LAZY_MAX_DAMAGE + 4)

struct command;
struct session;

/* How a listing was asked for: --columns, --no-headings, --raw. */
#define MAX_LISTS	8

struct listing {
	char		*columns[MAX_LISTS];	/* arguments of --columns */
	unsigned	nr_columns;
	bool		headings;
	bool		raw;
};

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* --tid A[-B], each time it is given; a range may run past 2^32. */
struct tid_range {
	uint32_t	first, last;
};

struct tid_ranges {
	struct tid_range at[MAX_RANGES];
	unsigned	count;		/* 0: all transactions */
};

static inline bool tid_in(const struct tid_ranges *ranges, uint32_t tid)
{
	const struct tid_range *at = ranges->at, *end = at + ranges->count;

	while (at < end && tid - at->first > at->last - at->first)
		at++;
	return at < end || !ranges->count;
}

struct session {
	const struct command	*command;
	struct e2lazy_open_opts	open;
	bool			json_wanted;
	bool			check_data;
	bool			until_set;
	uint32_t		until;
	enum color		color;

	struct options		options;
	char			**operands;	/* DEVICE first */
	int			nr_operands;
	struct out		out;
	struct json		json;
	struct progress		progress;

	bool			writes;		/* to the device: its name must
						   be one device's alone */
	char			*device;
	char			*journal_device;	/* of --journal */
	struct e2lazy_journal	*journal;
	struct finding		unopened;	/* why not, told already */
	char			unopened_on[E2LAZY_PATH_MAX]; /* the device that
						   was to hold the journal */
	const struct e2lazy_geometry *geo;
	struct e2lazy_jmap	*map;
	const struct e2lazy_map_stats *stats;
	const struct e2lazy_end	*end;
	struct e2lazy_layout	*layout;
	struct e2lazy_view	*view;
	struct e2lazy_owners	*owners;
	bool			owners_paths;	/* they know paths */
	struct e2lazy_damage	owners_damage;	/* told at each use */
	struct commit_times	times;
	bool			looked;		/* @beyond is filled in */
	struct e2lazy_beyond	beyond;

	struct session		*lender;	/* of @device and @journal */
	bool			shared;		/* the map is the lender's */
	bool			told;		/* of the damage, on stderr */
	bool			tell_again;	/* of what the lender told */

	int			status;		/* FSCK_* so far */
};

/* Which of the options that commands have in common one of them takes. */
enum command_kind {
	COMMAND_LOOKS,		/* all */
	COMMAND_OPENS,		/* not those about what is printed */
	COMMAND_MENDS,		/* not those about how much of the log counts */
	COMMAND_MAKES,		/* those about what is printed: there is no
				   log yet */
	COMMAND_PLAIN,		/* --help */
};

/* A command, as the program's table and its own --help have it. */
struct command {
	const char	*name;
	const char	*usage;		/* what stands behind the options */
	const char	*summary;
	int		(*run)(const struct command *self, int argc,
			       char **argv);
	const struct option_line *options;	/* its own, or NULL */
	bool		lists;		/* has the options of struct listing */
	void		(*help)(struct out *out);	/* the rest, or NULL */
	enum command_kind kind;
	const char	*call;		/* how it is called; NULL: e2lazy @name */
	/*
	 * What to look at, instead of a first operand DEVICE: a session whose
	 * map has commit times, E2LAZY_JMAP_STATES and E2LAZY_JMAP_CSUMS.
	 * NULL: there is that operand.
	 */
	struct session	*lender;
};

extern const struct command info_command, dump_command, log_command,
	history_command, cat_command, diff_command, view_command;

void command_help(const struct command *command, struct out *out);
void print_version(const char *program, struct out *out);

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
/* Usage error, already explained: say where help is. */
void session_usage(struct session *session);
/* "OPTION: 'ARG' is not WHAT", and session_usage(). Returns false. */
bool session_refuse(struct session *session, const char *option,
		    const char *arg, const char *what);
/* There must be from @least to @most operands, DEVICE among them. */
bool session_operands(struct session *session, int least, int most);

/* Colours as asked for; session_open() does it. */
void session_colors(struct session *session);
bool session_open(struct session *session);
/* @flags: E2LAZY_JMAP_STATES or 0; @times: collect commit times. */
bool session_build(struct session *session, unsigned flags, bool times);
bool session_layout(struct session *session);
/*
 * with_view.c: the file system as after a checkpoint, in session->view.
 * session_build() with E2LAZY_JMAP_CSUMS, or what it reads is not verified.
 */
bool session_view(struct session *session);
/* The same for those who can do without, and without a word. */
errcode_t session_try_view(struct session *session,
			   struct e2lazy_where *where);
/*
 * Who owns each block with a live copy, in session->owners; with @paths also
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
/* Look a little past the head, so that damage there is not passed over. */
bool session_look(struct session *session);

/* A walk over the same log, with the same limits, as the map was built from. */
errcode_t session_walk(struct session *session, struct e2lazy_walk **walk);
/* Opens the JSON document: program, device. */
void session_document(struct session *session);
/* A sheet that goes where the session prints, as JSON where that is wanted. */
void session_sheet(struct session *session, struct sheet *sheet);
/* Make room for the ids of this log's transactions in column @id. */
void session_fit_tids(const struct session *session, struct columns *columns,
		      unsigned id);
/* The tables of options that several commands take; the last is NULL. */
void session_common_options(const struct option_line *tables[]);
/* Columns as asked for, or a complaint and false. */
bool session_columns(struct session *session, const struct listing *listing,
		     const struct column *table, unsigned size,
		     struct columns *columns);
/*
 * Begin a listing: headings, or the JSON array @key, which the caller ends.
 * @rows keeps pointers to @session and @columns.
 */
void session_rows(struct session *session, const struct listing *listing,
		  const struct columns *columns, const char *key,
		  struct rows *rows);

/*
 * progress.c: the library's long calls move the session's bar, which goes over
 * to each phase as it comes, and end once a signal asks to stop.
 */
struct e2lazy_watch session_watch(struct session *session);
/* E2LAZY_ET_CANCELLED once a signal asks to stop; for a watch without a bar. */
errcode_t session_stop(void *unused);

/* The argument of --tid, one more of @ranges. */
bool session_tids(struct session *session, const char *text,
		  struct tid_ranges *ranges);
/* False, after a complaint, if @option has been given too often for one more. */
bool session_has_room(struct session *session, const char *option,
		      unsigned count);
/* Say so, and no more, if one of them has no transaction of the log. */
void session_tell_tids(struct session *session,
		       const struct tid_ranges *ranges);
/* Ring blocks from the tail to @logblk. */
uint32_t session_position(const struct session *session, uint32_t logblk);
/* Commit time of @tid, 0 where it is not known. */
uint64_t session_time(const struct session *session, uint32_t tid);
/* The same as a cell. */
void session_time_cell(const struct session *session, struct cell *cell,
		       uint32_t tid);
/* The name of the device that @where is on, open or not. */
const char *session_device(const struct session *session,
			   const struct e2lazy_where *where);
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

/* Everything that is wrong with log and device, at most MAX_FINDINGS. */
size_t session_findings(const struct session *session,
			struct finding findings[MAX_FINDINGS]);
/* Does the device end before the file system? That is one of them. */
static inline bool device_short(const struct e2lazy_geometry *geo)
{
	return geo->device_blocks < geo->fs_blocks;
}
/* The id of a kind of damage in JSON, "tag-outside". */
const char *finding_id(errcode_t error);
const char *severity_name(enum e2lazy_severity severity);

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

/* lend.c: for session_begin(), _open(), _build(), _look(), _end(). */
void session_inherit(struct session *session, struct session *lender);
bool session_borrow(struct session *session);
/* False where the lender's map has other limits. */
bool session_share_map(struct session *session);
/* Leave to the lender what is its own, and what it can lend to others. */
void session_give_back(struct session *session);

/* Names of states as columns and JSON have them; static storage. */
const char *reason_name(enum e2lazy_end_reason reason);
const char *csum_name(enum e2lazy_csum_state state);
const char *state_name(enum e2lazy_copy_state state);
const char *verdict_name(enum e2lazy_beyond_verdict verdict);

/* Names of the journal's features; returns how many. */
#define MAX_FEATURES	8
size_t feature_names(const struct e2lazy_geometry *geo,
		     const char *names[MAX_FEATURES]);

/* In words, not yet translated. */
const char *verdict_text(enum e2lazy_beyond_verdict verdict);
/* "Past the head: ...; looked at N of M blocks." */
void session_text_beyond(struct session *session);
/* The same as facts of a sheet. */
void session_beyond_facts(const struct session *session, struct sheet *sheet);

#endif
