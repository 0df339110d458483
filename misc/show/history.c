/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history.c - e2lazy history: every copy of one block, or of all the blocks
 * of an inode, oldest first
 */
#include "history.h"
#include "inode_filter.h"
#include "operand.h"
#include "role.h"
#include "session/names.h"
#include "session/tids.h"
#include "support/nls.h"
#include "support/status.h"

enum { EVENT, TID, LOGBLK, PHYSBLK, TIME, STATE, ESCAPED, CSUM, FSBLK, ROLE,
       LIFE, NR_COLUMNS };

enum { OPT_INODE = OPTION_COMMAND, OPT_PATH, OPT_SINCE, OPT_UNTIL,
       OPT_QUICK };

static const struct option_line history_options[] = {
	{ OPT_INODE, "inode", "N",
	  N_("list only copies that changed inode N, or its\n"
	     "other blocks") },
	{ OPT_PATH, "path", "PATH", N_("the same for the inode of PATH") },
	{ OPT_SINCE, "since", "TIME",
	  N_("list only transactions committed at TIME or later") },
	{ OPT_UNTIL, "until", "TIME",
	  N_("list only transactions committed by TIME") },
	{ OPT_QUICK, "quick", NULL,
	  N_("do not look for the files that have had the block") },
	{ 0 }
};

static const struct column history_columns[NR_COLUMNS] = {
	[EVENT] = { "EVENT", "event", COLUMN_STRING, COLUMN_USUAL, 6,
		N_("copy or revoke") },
	[TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("transaction of the copy or revoke") },
	[LOGBLK] = { "LOGBLK", "logblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("log block of the copy or of the revoke block") },
	[PHYSBLK] = { "PHYSBLK", "physblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("physical block of the copy on the journal's device") },
	[TIME] = { "TIME", "time", COLUMN_TIME, COLUMN_USUAL, 0,
		N_("commit time, UTC") },
	[STATE] = { "STATE", "state", COLUMN_STRING, COLUMN_USUAL, 11,
		N_("fate of the copy") },
	[ESCAPED] = { "ESCAPED", "escaped", COLUMN_BOOL, COLUMN_USUAL, 0,
		N_("whether the log stores the first word as 0") },
	[CSUM] = { "CSUM", "csum", COLUMN_STRING, COLUMN_USUAL, 9,
		N_("data checksum; unchecked if the format has none") },
	[FSBLK] = { "FSBLK", "fsblk", COLUMN_NUMBER, 0, 0,
		N_("static block (shown for an inode)") },
	[ROLE] = { "ROLE", "role", COLUMN_STRING, 0, 26,
		N_("role of the block for the inode (shown for an inode)") },
	[LIFE] = { "LIFE", "life", COLUMN_NUMBER, 0, 0,
		N_("which file had the inode, from 1 (shown with --inode)") },
};

struct history {
	struct session	*s;
	struct listing	listing;
	struct columns	columns;
	struct rows	rows;
	blk64_t		fsblk;		/* the block of the inode table */
	ext2_ino_t	ino;		/* 0: the history of a block */
	struct inode_pieces pieces;	/* blocks of the inode */
	struct inode_filter filter;
	struct tid_ranges times;
	bool		quick;
	struct e2lazy_damage bad;	/* copies with a bad checksum */
};

/*
 * An uncommitted copy may be incomplete, which is no damage.  --check-data
 * reports the other bad copies itself.
 */
static void note_bad(struct history *h, const struct e2lazy_event *ev,
		     enum e2lazy_copy_state state)
{
	if (h->s->source.limits.check_data || state == E2LAZY_UNCOMMITTED ||
	    state == E2LAZY_STALE || h->bad.count++)
		return;
	h->bad.error = E2LAZY_ET_DATA_CSUM;
	h->bad.first.has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID | E2LAZY_AT_FSBLK;
	h->bad.first.logblk = ev->logblk;
	h->bad.first.tid = ev->tid;
	h->bad.first.fsblk = ev->fsblk;
}

static void copy_cells(struct history *h, struct cell *cells,
		       const struct e2lazy_event *ev,
		       struct e2lazy_walk *walk)
{
	enum e2lazy_copy_state state = e2lazy_jmap_state(h->s->log->map, ev);
	enum e2lazy_csum_state csum = e2lazy_walk_verify(walk);

	cell_text(&cells[EVENT], "copy");
	cell_text(&cells[STATE], state_name(state));
	cell_number(&cells[ESCAPED], ev->flags & E2LAZY_COPY_ESCAPED);
	cell_text(&cells[CSUM], csum_name(csum));
	cells[CSUM].alarm = csum == E2LAZY_BAD;
	if (csum == E2LAZY_BAD)
		note_bad(h, ev, state);
}

static void revoke_cells(struct history *h, struct cell *cells,
			 const struct e2lazy_event *ev)
{
	/* Only a committed revoke record has an effect. */
	bool committed = ev->tid - h->s->log->stats->first_tid <
			 opened_ids(h->s->log);

	cell_text(&cells[EVENT], "revoke");
	cell_none(&cells[STATE]);
	if (!committed)
		cell_text(&cells[STATE], state_name(E2LAZY_UNCOMMITTED));
	cell_none(&cells[ESCAPED]);
	cell_none(&cells[CSUM]);
}

/* The piece of the inode that the event concerns, or NULL. */
static const struct e2lazy_owner *owner_of(const struct history *h,
					   blk64_t fsblk)
{
	return h->ino ? inode_pieces_find(&h->pieces, fsblk) : NULL;
}

static void owner_cells(struct history *h, struct cell *cells, blk64_t fsblk,
			char text[ROLE_TEXT])
{
	const struct e2lazy_owner *piece = owner_of(h, fsblk);
	struct e2lazy_owner owner;

	cell_number(&cells[FSBLK], fsblk);
	cell_none(&cells[ROLE]);
	if (!piece)
		return;
	owner = *piece;
	owner.fsblk = fsblk;
	role_text(h->s, &owner, text);
	cell_text(&cells[ROLE], text);
}

static void life_cell(const struct history *h, struct cell *cell,
		      const struct e2lazy_event *ev)
{
	uint32_t life = ev->kind == E2LAZY_EV_TAG ?
			inode_filter_life(&h->filter, ev->fsblk, ev->logblk) :
			0;

	cell_none(cell);
	if (life)
		cell_number(cell, life);
}

static bool is_chosen(const struct history *h, const struct e2lazy_event *ev)
{
	return (h->ino ? owner_of(h, ev->fsblk) != NULL :
			 ev->fsblk == h->fsblk) &&
	       inode_filter_has(&h->filter, ev->fsblk, ev->logblk,
				ev->kind == E2LAZY_EV_REVOKE) &&
	       tid_time_in(&h->times, session_instant(h->s, ev->tid));
}

static void print_event(struct history *h, const struct e2lazy_event *ev,
			struct e2lazy_walk *walk)
{
	struct cell cells[NR_COLUMNS];
	char role[ROLE_TEXT];
	blk64_t physblk;

	if (ev->kind == E2LAZY_EV_TAG)
		copy_cells(h, cells, ev, walk);
	else
		revoke_cells(h, cells, ev);
	cell_number(&cells[TID], ev->tid);
	cell_number(&cells[LOGBLK], ev->logblk);
	cell_none(&cells[PHYSBLK]);
	if (!e2lazy_physblk(h->s->log->journal, ev->logblk, &physblk))
		cell_number(&cells[PHYSBLK], physblk);
	session_time_cell(h->s, &cells[TIME], ev->tid);
	life_cell(h, &cells[LIFE], ev);
	owner_cells(h, cells, ev->fsblk, role);
	rows_put(&h->rows, cells);
}

static void each_event(struct history *h, struct e2lazy_walk *walk)
{
	struct e2lazy_event ev;
	uint64_t done = 0;

	for (;;) {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_END)
			return;
		if (ev.kind == E2LAZY_EV_COMMIT) {
			if (!progress_tick(&h->s->print.progress, ++done,
					   h->s->log->stats->txns) ||
			    rows_stop(&h->rows))
				return;
		} else if (is_chosen(h, &ev)) {
			print_event(h, &ev, walk);
		}
	}
}

/*
 * The place of the newest contents: the log or the static block; none for a
 * block that only a damaged log names.
 */
static void print_newest(struct history *h)
{
	struct json *json = &h->s->print.json;
	struct out *out = &h->s->print.out;
	struct e2lazy_copy copy = { .logblk = 0 };
	bool logged = !e2lazy_jmap_lookup(h->s->log->map, h->fsblk, &copy);

	if (h->fsblk >= e2lazy_jmap_fs_blocks(h->s->log->map)) {
		if (h->s->print.json_wanted)
			json_null(json, "newest");
		return;
	}
	if (h->s->print.json_wanted) {
		json_object(json, "newest", JSON_INLINE);
		json_string(json, "place", logged ? "log" : "static");
		json_known(json, "logblk", logged, copy.logblk);
		json_known(json, "tid", logged, copy.tid);
		json_end(json);
		return;
	}
	if (h->listing.raw)
		return;
	if (logged)
		out_format(out, _("\nThe newest version of block %llu is in "
				  "log block %u, transaction %u.\n"),
			   (unsigned long long)h->fsblk, copy.logblk, copy.tid);
	else
		out_format(out, _("\nThe newest version of block %llu is in "
				  "its static place.\n"),
			   (unsigned long long)h->fsblk);
}

/* The number of the inode's blocks that are in the log. */
static void print_inode(struct history *h)
{
	struct json *json = &h->s->print.json;

	if (h->s->print.json_wanted) {
		json_object(json, "inode", JSON_INLINE);
		json_u64(json, "ino", h->ino);
		json_u64(json, "blocks", h->pieces.blocks);
		json_u64(json, "live", h->pieces.live);
		json_end(json);
	} else if (!h->listing.raw) {
		out_format(&h->s->print.out,
			   P_("\nInode %u has %llu block; blocks with a live "
			      "copy: %llu.\n",
			      "\nInode %u has %llu blocks; blocks with a live "
			      "copy: %llu.\n", h->pieces.blocks), h->ino,
			   (unsigned long long)h->pieces.blocks,
			   (unsigned long long)h->pieces.live);
	}
}

/* A script that picks columns of a text has one list to read. */
static bool wants_owners(const struct history *h)
{
	return h->s->print.json_wanted ||
	       !(h->listing.raw || h->listing.nr_columns);
}

static void print_history(struct history *h)
{
	struct session *s = h->s;
	struct e2lazy_walk *walk;
	errcode_t err;

	if (s->print.json_wanted) {
		session_document(s);
		json_u64(&s->print.json, "fsblk", h->fsblk);
	}
	session_fit_tids(s, &h->columns, TID);
	columns_fit(&h->columns, LOGBLK, s->log->geo->maxlen);
	columns_fit(&h->columns, FSBLK, s->log->geo->fs_blocks);
	print_rows(&s->print, &h->listing, &h->columns, "events", &h->rows);
	err = session_walk(s, &walk);
	if (!err) {
		progress_begin(&s->print.progress, PHASE_COPIES);
		each_event(h, walk);
		progress_end(&s->print.progress);
		e2lazy_walk_close(walk);
	}
	if (err)
		session_fail(s, err, NULL);
	if (s->print.json_wanted)
		json_end(&s->print.json);
	if (h->ino)
		print_inode(h);
	else
		print_newest(h);
	if (!h->ino && !h->quick && wants_owners(h) && !cancelled())
		history_owners(h->s, h->fsblk, &h->times);
	session_tell_times(s, &h->times);
	session_tell_empty(s);
	if (h->bad.count)
		session_tell(s, FSCK_LEFT, &h->bad);
}

static bool take_option(struct history *h, int id, char *arg)
{
	switch (id) {
	case OPT_INODE:
		return inode_filter_number(h->s, &h->filter, arg);
	case OPT_PATH:
		return inode_filter_path(h->s, &h->filter, arg);
	case OPT_SINCE:		return session_since(h->s, arg, &h->times);
	case OPT_UNTIL:		return session_until(h->s, arg, &h->times);
	case OPT_QUICK:		h->quick = true;	return true;
	}
	return false;
}

/* --inode and --path take the place of the operand. */
static bool parse(struct history *h, struct block_operand *operand)
{
	int id, operands;
	char *arg;

	h->listing.headings = true;
	while ((id = session_option(h->s, &h->listing, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(h, id, arg))
			return false;
	operands = h->filter.wanted ? 1 : 2;
	if (!session_columns(h->s, &h->listing, history_columns, NR_COLUMNS,
			     &h->columns) ||
	    !session_operands(h->s, operands, operands))
		return false;
	*operand = h->filter.operand;
	return h->filter.wanted ||
	       operand_parse(h->s, h->s->operands[1], operand);
}

static void add_columns(struct history *h)
{
	if (h->listing.nr_columns)
		return;
	columns_add(&h->columns, FSBLK);
	columns_add(&h->columns, ROLE);
	if (h->filter.wanted)
		columns_add(&h->columns, LIFE);
}

/* The pieces stay the filter's. */
static bool resolve_filter(struct history *h)
{
	if (!inode_filter_prepare(h->s, &h->filter))
		return false;
	h->ino = h->filter.ino;
	h->fsblk = h->filter.home;
	h->pieces = h->filter.pieces;
	add_columns(h);
	return true;
}

static bool resolve(struct history *h, struct block_operand *operand)
{
	struct block_operand home = { .inode = true };

	if (h->filter.wanted)
		return resolve_filter(h);
	if (!operand_is_inode(operand))
		return operand_resolve(h->s, operand, &h->fsblk);
	if (!operand_inode(h->s, operand, &h->ino))
		return false;
	home.number = h->ino;
	if (!operand_resolve(h->s, &home, &h->fsblk) ||
	    !inode_pieces_collect(h->s, h->ino, &h->pieces))
		return false;
	add_columns(h);
	return true;
}

static int run_history(const struct command *self, int argc, char **argv)
{
	struct history h = { .s = session_begin(self, argc, argv) };
	struct block_operand operand;

	if (!h.s)
		return FSCK_ERROR;
	if (parse(&h, &operand) && session_open(h.s) &&
	    session_build(h.s, E2LAZY_JMAP_STATES | E2LAZY_JMAP_CSUMS, true) &&
	    session_look(h.s) && resolve(&h, &operand) &&
	    (h.ino || operand_known(h.s, h.fsblk, h.fsblk)))
		print_history(&h);
	if (!h.filter.wanted)
		inode_pieces_free(&h.pieces);
	inode_filter_free(&h.filter);
	return session_end(h.s);
}

static void history_help(struct out *out)
{
	columns_help(out, history_columns, NR_COLUMNS);
}

const struct command history_command = {
	.name = "history",
	.usage = "DEVICE BLOCK|<INODE>|PATH",
	.summary = N_("List every copy of a block or an inode, oldest first"),
	.run = run_history,
	.options = history_options,
	.lists = true,
	.help = history_help,
};
