/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timeline.c - e2lazy timeline: one row for each event of a file
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detail.h"
#include "follow.h"
#include "path.h"
#include "session/quantities.h"
#include "session/session.h"
#include "session/tids.h"
#include "support/nls.h"
#include "support/status.h"

enum { TID, TIME, WHAT, INODE, PATH, DETAIL, OLD_PATH, GENERATION, MODE, UID,
       GID, SIZE, MTIME, ATIME, CTIME, CRTIME, BEGINNING, NR_COLUMNS };

static const struct column timeline_columns[NR_COLUMNS] = {
	[TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("transaction id") },
	[TIME] = { "TIME", "time", COLUMN_STRING, COLUMN_USUAL, 30,
		N_("commit time, UTC, with nanoseconds") },
	[WHAT] = { "WHAT", "what", COLUMN_STRING, COLUMN_USUAL, 8,
		N_("event, in a word") },
	[INODE] = { "INODE", "inode", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("inode of the file") },
	[PATH] = { "PATH", "path", COLUMN_STRING, COLUMN_USUAL, 0,
		N_("path after the event, or of the lost name") },
	[OLD_PATH] = { "OLD_PATH", "old_path", COLUMN_STRING, COLUMN_JSON, 0,
		N_("path before a renaming") },
	[DETAIL] = { "DETAIL", "detail", COLUMN_STRING, COLUMN_USUAL, 0,
		N_("size, mode, owner, set times or path, before and after") },
	[GENERATION] = { "GENERATION", "generation", COLUMN_NUMBER,
		COLUMN_JSON, 0,
		N_("generation of the inode: another file has another") },
	[MODE] = { "MODE", "mode", COLUMN_STRING, COLUMN_JSON, 10,
		N_("type and permissions after the event") },
	[UID] = { "UID", "uid", COLUMN_NUMBER, COLUMN_JSON, 0,
		N_("owner after the event") },
	[GID] = { "GID", "gid", COLUMN_NUMBER, COLUMN_JSON, 0,
		N_("group after the event") },
	[SIZE] = { "SIZE", "size", COLUMN_NUMBER, COLUMN_JSON, 0,
		N_("bytes after the event") },
	[MTIME] = { "MTIME", "mtime", COLUMN_STRING, COLUMN_JSON, 30,
		N_("time of the last write, after the event") },
	[ATIME] = { "ATIME", "atime", COLUMN_STRING, COLUMN_JSON, 30,
		N_("time of the last access, after the event") },
	[CTIME] = { "CTIME", "ctime", COLUMN_STRING, COLUMN_JSON, 30,
		N_("time of the inode's last change, after the event") },
	[CRTIME] = { "CRTIME", "crtime", COLUMN_STRING, COLUMN_JSON, 30,
		N_("time of the creation, after the event") },
	[BEGINNING] = { "BEGINNING", "beginning", COLUMN_BOOL, COLUMN_JSON, 0,
		N_("a state that the first transaction left, no event") },
};

enum { OPT_BODY = OPTION_COMMAND, OPT_SINCE, OPT_UNTIL, OPT_INODE,
       OPT_PATH, OPT_FOLLOW, OPT_PATHS0, OPT_EXPAND, OPT_ONCE, OPT_MEMORY };

/* Without --memory: for blocks of a mounted file system. */
#define FOLLOW_MEMORY	((uint64_t)256 << 20)

static const struct option_line timeline_options[] = {
	{ OPT_BODY, "body", NULL, N_("print the body file of mactime(1)") },
	{ OPT_SINCE, "since", "TIME",
	  N_("list only transactions committed at TIME or later") },
	{ OPT_UNTIL, "until", "TIME",
	  N_("list only transactions committed by TIME") },
	{ OPT_INODE, "inode", "A[-B]...",
	  N_("list only events of these inodes") },
	{ OPT_PATH, "path", "GLOB",
	  N_("list only events of such paths; * also matches /") },
	{ OPT_FOLLOW, "follow", NULL,
	  N_("show what happens on a mounted file system, as it\n"
	     "is committed; --since takes a cursor then") },
	{ OPT_PATHS0, "paths0", NULL,
	  N_("with --follow, print records for programs:\n"
	     "KIND NUL PATH NUL [NEWPATH NUL]") },
	{ OPT_EXPAND, "expand", NULL,
	  N_("with --paths0, list what is below a renamed directory") },
	{ OPT_ONCE, "once", NULL,
	  N_("with --follow, end at the end of the log") },
	{ OPT_MEMORY, "memory", "SIZE",
	  N_("with --follow, keep at most SIZE of blocks; default:\n"
	     "256M") },
	{ 0 }
};

struct timeline {
	struct session	*s;
	struct listing	listing;
	struct columns	columns;
	struct rows	rows;
	bool		body;
	struct tid_ranges times;
	struct ranges	inodes;
	const char	*glob;
	bool		named;		/* an event, chosen or not, has it */
	uint64_t	undated;	/* events that a time may leave out */
	struct e2lazy_damage lost;
	bool		begins_unknown;
	struct feeding	feeding;
};

/* ------------------------------------------------------ the command line */

static bool choose_inodes(struct timeline *t, const char *text)
{
	struct range range;

	if (!parse_range(text, UINT32_MAX, &range))
		return session_refuse(t->s, "--inode", text,
				      _("an inode or a range A-B of inodes"));
	if (!session_range(t->s, "--inode", text, range.first <= range.last) ||
	    !session_has_room(t->s, "--inode", t->inodes.count))
		return false;
	t->inodes.at[t->inodes.count++] = range;
	return true;
}

static bool take_option(struct timeline *t, int id, char *arg)
{
	switch (id) {
	case OPT_BODY:		t->body = true;		return true;
	case OPT_SINCE:		t->feeding.since = arg;	return true;
	case OPT_UNTIL:		return session_until(t->s, arg, &t->times);
	case OPT_INODE:		return choose_inodes(t, arg);
	case OPT_PATH:		t->glob = arg;		return true;
	case OPT_FOLLOW:	t->feeding.wanted = true;	return true;
	case OPT_PATHS0:	t->feeding.paths0 = true;	return true;
	case OPT_EXPAND:	t->feeding.expand = true;	return true;
	case OPT_ONCE:		t->feeding.once = true;		return true;
	case OPT_MEMORY:
		return session_quantity(t->s, &quantity_memory, arg,
					&t->feeding.memory);
	}
	return false;
}

/* A feed has no end to look back from, and no document. */
static bool may_follow(struct timeline *t)
{
	const struct feeding *f = &t->feeding;

	if (!f->wanted && f->since &&
	    !session_since(t->s, f->since, &t->times))
		return false;
	return session_needs(t->s, "paths0 once memory", f->wanted,
			     "--follow") &&
	       session_needs(t->s, "expand", f->paths0, "--paths0") &&
	       session_without(t->s, "--paths0", f->paths0,
			       "json-lines csv columns no-headings raw "
			       "inode path") &&
	       session_without(t->s, "--follow", f->wanted,
			       "body json until superblock blocksize geometry "
			       "until-tid at tail ring history bad-map "
			       "no-fast-commits check-data");
}

/* A feed is not over: objects without a document around them, and no end. */
static void feed_lines(struct timeline *t)
{
	struct print *p = &t->s->print;

	t->feeding.lines = true;
	p->json_wanted = p->lines_wanted = false;
	json_init(&p->json, &p->out);
}

static bool parse(struct timeline *t)
{
	struct print *p = &t->s->print;
	char *arg;
	int id;

	t->listing.headings = true;
	while ((id = session_option(t->s, &t->listing, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(t, id, arg))
			return false;
	if (!may_follow(t) ||
	    !session_without(t->s, "--body", t->body,
			     "columns no-headings raw csv json json-lines") ||
	    !session_columns(t->s, &t->listing, timeline_columns, NR_COLUMNS,
			     &t->columns))
		return false;
	if (t->feeding.wanted && p->lines_wanted)
		feed_lines(t);
	return session_operands(t->s, 1, 1);
}

/* -------------------------------------------------------------- the rows */

/* The commit time; if the driver left none, the inode's own time. */
static struct instant time_of(const struct e2lazy_change *c)
{
	if (!c->sec && c->changed.sec > 0)
		return (struct instant){ (uint64_t)c->changed.sec,
					 (uint32_t)c->changed.nsec };
	return (struct instant){ c->sec, c->nsec };
}

static bool is_chosen(struct timeline *t, const struct e2lazy_change *c)
{
	struct instant at = time_of(c);

	if (!ranges_have(&t->inodes, c->ino) ||
	    (t->glob && !path_matches(t->glob, c)))
		return false;
	t->undated += !at.sec && tids_timed(&t->times);
	return tid_time_in(&t->times, at);
}

/* The file after the event; of a deleted one, before. */
static const struct e2lazy_inode_state *state_of(const struct e2lazy_change *c)
{
	return c->after ? c->after : c->before;
}

static void fill_state(struct cell *cells, const struct e2lazy_inode_state *s,
		       char mode[MODE_TEXT])
{
	static const unsigned ids[] = { GENERATION, MODE, UID, GID, SIZE };

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		cell_none(&cells[ids[i]]);
	if (!s)
		return;
	mode_text(mode, s->mode);
	cell_number(&cells[GENERATION], s->generation);
	cell_text(&cells[MODE], mode);
	cell_number(&cells[UID], s->uid);
	cell_number(&cells[GID], s->gid);
	cell_number(&cells[SIZE], s->size);
}

struct time_texts {
	char	at[4][INSTANT_TEXT];
};

static void fill_times(const struct timeline *t, struct cell *cells,
		       const struct e2lazy_inode_state *s,
		       struct time_texts *texts)
{
	static const struct e2lazy_inode_state none;
	const struct e2lazy_inode_state *i = s ? s : &none;
	const struct e2lazy_time times[] = { i->mtime, i->atime, i->ctime,
					  i->crtime };

	for (unsigned n = 0; n < 4; n++) {
		cell_none(&cells[MTIME + n]);
		if (columns_has(&t->columns, MTIME + n) &&
		    inode_time_text(texts->at[n], times[n]))
			cell_text(&cells[MTIME + n], texts->at[n]);
	}
}

/* A path may be long: the caller frees it. NULL: no detail. */
static char *detail_of(const struct timeline *t, const struct e2lazy_change *c)
{
	char text[DETAIL_TEXT], *from = NULL;

	if (c->kind == E2LAZY_RENAMED && c->old_path)
		return asprintf(&from, "from %s", c->old_path) < 0 ?
		       NULL : from;
	if (t->feeding.wanted && !c->before && c->kind == E2LAZY_CHANGED)
		return strdup("before unknown");
	return detail_text(text, c) ? strdup(text) : NULL;
}

static void put_row(struct timeline *t, const struct e2lazy_change *c)
{
	char time[INSTANT_TEXT], mode[MODE_TEXT];
	char *detail = detail_of(t, c);
	struct cell cells[NR_COLUMNS];
	struct time_texts texts;

	cell_number(&cells[TID], c->tid);
	cell_none(&cells[TIME]);
	if (instant_text(time, (struct instant){ c->sec, c->nsec }))
		cell_text(&cells[TIME], time);
	cell_text(&cells[WHAT], e2lazy_change_name(c->kind));
	cell_number(&cells[INODE], c->ino);
	cell_text(&cells[PATH], c->path);
	cell_none(&cells[OLD_PATH]);
	if (c->old_path)
		cell_text(&cells[OLD_PATH], c->old_path);
	cell_none(&cells[DETAIL]);
	if (detail)
		cell_text(&cells[DETAIL], detail);
	fill_state(cells, state_of(c), mode);
	fill_times(t, cells, state_of(c), &texts);
	cell_number(&cells[BEGINNING], c->kind == E2LAZY_STATE);
	cells[WHAT].alarm = c->kind == E2LAZY_DELETED;
	rows_put(&t->rows, cells);
	free(detail);
}

/* A name in a body file: no '|', which ends a field, and nothing unprintable. */
static void put_name(struct out *out, const char *name)
{
	const char *end = name + strlen(name);
	char shown[PRINTABLE];

	while (name < end) {
		size_t bytes = printable(shown, &name, (size_t)(end - name));

		if (bytes == 1 && *shown == '|')
			out_text(out, "\\x7c");
		else
			out_bytes(out, shown, bytes);
	}
}

/* A body file has no times before 1970. */
static long long body_time(struct e2lazy_time t)
{
	return t.sec > 0 ? (long long)t.sec : 0;
}

/*
 * MD5|name|inode|mode|UID|GID|size|atime|mtime|ctime|crtime.  The times are the
 * inode's after the event, so that the letters of mactime are those of the times
 * that the event has set.  Where the event has left no inode, as a deletion, ctime
 * is the time of the event.
 */
static void put_body(struct timeline *t, const struct e2lazy_change *c)
{
	static const struct e2lazy_inode_state unknown;
	const struct e2lazy_inode_state *s = state_of(c);
	struct out *out = &t->s->print.out;
	long long ctime;
	char mode[MODE_TEXT];

	s = s ? s : &unknown;
	ctime = c->after ? body_time(s->ctime) : (long long)time_of(c).sec;
	mode_text(mode, s->mode);
	out_text(out, "0|");
	put_name(out, c->path);
	out_format(out, " (%s", c->kind == E2LAZY_STATE ?
		   "state at the beginning" : e2lazy_change_name(c->kind));
	if (c->old_path) {
		out_text(out, " from ");
		put_name(out, c->old_path);
	}
	out_format(out, ", transaction %u)|%u|%c/%s|%u|%u|%llu|%lld|%lld|%lld|"
		   "%lld\n", c->tid, c->ino, mode[0], mode, s->uid, s->gid,
		   (unsigned long long)s->size, body_time(s->atime),
		   body_time(s->mtime), ctime, body_time(s->crtime));
}

static errcode_t note_change(void *priv, const struct e2lazy_change *c)
{
	struct timeline *t = priv;

	if (t->glob && !t->named)
		t->named = path_is_told(t->glob, c);
	if (is_chosen(t, c)) {
		if (t->body)
			put_body(t, c);
		else
			put_row(t, c);
	}
	return rows_stop(&t->rows) ? E2LAZY_ET_CANCELLED : 0;
}

static errcode_t note_lost(void *priv, blk64_t fsblk, bool before,
			   errcode_t why)
{
	struct timeline *t = priv;

	if (before && why == E2LAZY_ET_LOST) {
		t->begins_unknown = true;
		return 0;
	}
	if (t->lost.count++)
		return 0;
	t->lost.error = why;
	t->lost.first = (struct e2lazy_where){ .has = E2LAZY_AT_FSBLK,
					       .fsblk = fsblk };
	return 0;
}

/* --------------------------------------------------------------------- all */

static void begin_rows(struct timeline *t)
{
	struct session *s = t->s;

	if (s->print.json_wanted) {
		session_document(s);
		session_document_run(s);
	}
	if (s->log->end)
		session_fit_tids(s, &t->columns, TID);
	if (t->body)
		t->listing.headings = false;
	if (t->feeding.lines)
		t->rows = (struct rows){ .out = &s->print.out,
					 .json = &s->print.json,
					 .columns = &t->columns };
	else
		print_rows(&s->print, &t->listing, &t->columns, "events",
			   &t->rows);
}

/*
 * The first transaction of the ring has nothing before it to compare with, nor
 * has that of a log whose blocks are in place, or which follows another.
 */
static void tell_begin(struct timeline *t)
{
	struct session *s = t->s;
	const struct opened *log = s->log;

	session_tell_empty(s);
	if (log->nr_ranges)
		session_complain(s, 0, _("the timeline begins with transaction "
					 "%u, and may lack changes of that "
					 "one"), log->stats->first_tid);
	else if (t->begins_unknown)
		session_complain(s, 0, _("the timeline begins with transaction "
					 "%u, and may lack changes of that "
					 "one; the ring may know them: --ring"),
				 log->stats->first_tid);
}

static void tell_undated(struct timeline *t)
{
	unsigned long n = (unsigned long)t->undated;

	if (n)
		session_complain(t->s, 0, P_(
			"%lu event has no known time: --since and --until "
			"leave it out",
			"%lu events have no known time: --since and --until "
			"leave them out", n), n);
}

/* Does the timeline show all that the first transaction changed? */
static bool begins_complete(const struct timeline *t)
{
	return !t->begins_unknown && !t->s->log->nr_ranges;
}

static void put_begins(struct timeline *t)
{
	struct json *json = &t->s->print.json;
	const struct e2lazy_map_stats *stats = t->s->log->stats;

	json_object(json, "begins", JSON_INLINE);
	json_known(json, "tid", stats->txns, stats->first_tid);
	json_bool(json, "complete", begins_complete(t));
	json_end(json);
}

static void end_rows(struct timeline *t)
{
	if (!t->s->print.json_wanted)
		return;
	json_end(&t->s->print.json);
	put_begins(t);
}

static void list_events(struct timeline *t)
{
	struct session *s = t->s;
	const struct e2lazy_watch watch = session_watch(s);
	const struct e2lazy_changes_opts opts = {
		.found = note_change, .lost = note_lost, .priv = t,
		.has_until = s->source.limits.until_set,
		.until = s->source.limits.until, .watch = &watch,
		.beginning = true,
	};
	struct e2lazy_where where;
	errcode_t err;

	begin_rows(t);
	err = e2lazy_changes_each(s->log->journal, s->log->view, s->log->ranges,
				  s->log->nr_ranges, &opts, &where);
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	end_rows(t);
	if (err)
		session_fail(s, err, &where);
	if (t->lost.count)
		session_tell(s, FSCK_LEFT, &t->lost);
	if (err || cancelled())
		return;
	if (t->glob && !t->named)
		path_tell_unknown(s, t->glob);
	tell_undated(t);
	tell_begin(t);
}

/* A range that only begins or ends outside the file system is good. */
static bool has_inodes(struct timeline *t)
{
	for (unsigned i = 0; i < t->inodes.count; i++) {
		const struct range *r = &t->inodes.at[i];

		if (!session_has_inode(t->s, r->first || !r->last ? r->first :
								    1))
			return false;
	}
	return true;
}

static void begin_feed(void *priv)
{
	begin_rows(priv);
}

static void follow(struct timeline *t)
{
	t->feeding.put = note_change;
	t->feeding.begin = begin_feed;
	t->feeding.priv = t;
	feed_follow(t->s, &t->feeding);
}

static int run_timeline(const struct command *self, int argc, char **argv)
{
	struct timeline t = { .s = session_begin(self, argc, argv),
			      .feeding.memory = FOLLOW_MEMORY };

	if (!t.s)
		return FSCK_ERROR;
	if (!parse(&t) || !session_open(t.s))
		return session_end(t.s);
	if (t.feeding.wanted)
		follow(&t);
	else if (session_build(t.s, E2LAZY_JMAP_CSUMS, false) &&
		 session_look(t.s) && has_inodes(&t) && session_view(t.s))
		list_events(&t);
	return session_end(t.s);
}

static void timeline_help(struct out *out)
{
	columns_help(out, timeline_columns, NR_COLUMNS);
}

const struct command timeline_command = {
	.name = "timeline",
	.usage = "DEVICE",
	.summary = N_("List what happened to files, transaction by transaction"),
	.run = run_timeline,
	.options = timeline_options,
	.lists = true,
	.help = timeline_help,
};
