/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log_beyond.c - e2lazy log --beyond: the control blocks past the head, and
 * with --tags the blocks that they name
 *
 * Owners are those at the end of the log.  They need the list of blocks first,
 * so the rest of the ring is read twice then.
 */
#include <stdlib.h>

#include "log.h"
#include "io/grow.h"
#include "log/block_events.h"
#include "session/names.h"
#include "support/nls.h"

enum { LOGBLK, TYPE, TID, CSUM, SHOWS, TIME, TIME_NS,
       FSBLK, HOLDS, ROLE, INODE, PATH };

const struct column beyond_columns[NR_BEYOND_COLUMNS] = {
	[LOGBLK] = { "LOGBLK", "logblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("log block") },
	[TYPE] = { "TYPE", "type", COLUMN_STRING, COLUMN_USUAL, 10,
		N_("descriptor, commit or revoke") },
	[TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("transaction that the block belongs to") },
	[CSUM] = { "CSUM", "csum", COLUMN_STRING, COLUMN_USUAL, 9,
		N_("good, torn or unchecked; a bad block is not listed") },
	[SHOWS] = { "SHOWS", "shows", COLUMN_STRING, COLUMN_USUAL, 11,
		N_("older, uncommitted or damage") },
	[TIME] = { "TIME", "time", COLUMN_TIME, 0, 0,
		N_("commit time, UTC; of a commit block") },
	[TIME_NS] = { "TIME_NS", "time_ns", COLUMN_STRING, 0, 30,
		N_("commit time with nanoseconds, UTC") },
	[FSBLK] = { "FSBLK", "fsblk", COLUMN_NUMBER, 0, 10,
		N_("with --tags: static block that it logs or revokes, one in "
		   "a row") },
	[HOLDS] = { "HOLDS", "holds", COLUMN_STRING, 0, 17,
		N_("with --tags: type of the static block") },
	[ROLE] = { "ROLE", "role", COLUMN_STRING, 0, 26,
		N_("with --tags: role of the block for its owner") },
	[INODE] = { "INODE", "inode", COLUMN_NUMBER, 0, 10,
		N_("with --tags: owner of the block, at the end of the log") },
	[PATH] = { "PATH", "path", COLUMN_STRING, 0, 0,
		N_("with --tags: a path of the owner") },
};

static const char *block_type(uint32_t type)
{
	switch (type) {
	case 1:		return "descriptor";
	case 2:		return "commit";
	case 5:		return "revoke";
	}
	return "other";
}

struct looking {
	struct log	*l;
	bool		printing;	/* the rows have begun */
	uint8_t		*block;		/* NULL: its content is not wanted */
	/* Blocks whose owners are wanted, while they are collected. */
	blk64_t		*at;
	size_t		count, room;
};

/* The events of a control block; false: it cannot be read again. */
static bool read_events(const struct looking *g, uint32_t logblk,
			struct block_events *events)
{
	struct e2lazy_journal *j = g->l->s->log->journal;

	return !e2lazy_read_log(j, logblk, 1, g->block) &&
	       block_events_begin(events, j, lap_of_log(&j->geo), logblk,
				  g->block);
}

static void put_time(struct cell cells[NR_BEYOND_COLUMNS],
		     const struct e2lazy_txn *txn, char text[INSTANT_TEXT])
{
	struct instant at = { txn->sec, txn->nsec };

	cell_time(&cells[TIME], txn->sec);
	if (instant_text(text, at))
		cell_text(&cells[TIME_NS], text);
}

static void put_owned(struct looking *g, const struct e2lazy_event *ev,
		      struct cell cells[NR_BEYOND_COLUMNS])
{
	struct log_owner owner = { .type = NULL };

	cell_number(&cells[FSBLK], ev->fsblk);
	if (g->l->owners && ev->fsblk < g->l->s->log->geo->fs_blocks)
		log_owner_find(g->l, ev->fsblk, &owner);
	log_owner_cells(&owner, &cells[HOLDS]);
	rows_put(&g->l->rows, cells);
	log_owner_free(&owner);
}

static errcode_t print_block(void *priv, const struct e2lazy_beyond_block *b)
{
	struct looking *g = priv;
	struct log *l = g->l;
	struct cell cells[NR_BEYOND_COLUMNS];
	struct block_events events;
	char time_ns[INSTANT_TEXT];
	struct e2lazy_event ev;
	bool put = false;

	if (!tid_in(&l->tids, b->tid))
		return 0;
	for (unsigned i = 0; i < NR_BEYOND_COLUMNS; i++)
		cell_none(&cells[i]);
	cell_number(&cells[LOGBLK], b->logblk);
	cell_text(&cells[TYPE], block_type(b->type));
	cell_number(&cells[TID], b->tid);
	cell_text(&cells[CSUM], csum_name(b->csum));
	cell_text(&cells[SHOWS], verdict_name(b->verdict));
	cells[SHOWS].alarm = b->verdict == E2LAZY_BEYOND_DAMAGE;
	if (g->block && read_events(g, b->logblk, &events))
		while (block_events_next(&events, &ev) &&
		       !rows_stop(&l->rows)) {
			if (ev.kind == E2LAZY_EV_COMMIT) {
				put_time(cells, ev.txn, time_ns);
			} else if (l->by_block) {
				put_owned(g, &ev, cells);
				put = true;
			}
		}
	if (!put)
		rows_put(&l->rows, cells);
	return 0;
}

static errcode_t note_block(void *priv, const struct e2lazy_beyond_block *b)
{
	struct looking *g = priv;
	struct block_events events;
	struct e2lazy_event ev;

	if (!tid_in(&g->l->tids, b->tid) || !read_events(g, b->logblk, &events))
		return 0;
	while (block_events_next(&events, &ev)) {
		blk64_t *at;

		if (ev.kind == E2LAZY_EV_COMMIT ||
		    ev.fsblk >= g->l->s->log->geo->fs_blocks)
			continue;
		at = grow(g->at, g->count, &g->room, sizeof(*at));
		if (!at)
			return EXT2_ET_NO_MEMORY;
		g->at = at;
		at[g->count++] = ev.fsblk;
	}
	return 0;
}

static int by_number(const void *left, const void *right)
{
	const blk64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static errcode_t note_progress(void *priv, enum e2lazy_phase phase,
			       uint64_t done, uint64_t total)
{
	const struct looking *g = priv;

	(void)phase;
	return progress_tick(&g->l->s->print.progress, done, total) &&
	       !(g->printing && rows_stop(&g->l->rows)) ? 0 :
							  E2LAZY_ET_CANCELLED;
}

static errcode_t look(struct looking *g,
		      errcode_t (*found)(void *priv,
					 const struct e2lazy_beyond_block *),
		      struct e2lazy_beyond *beyond)
{
	struct session *s = g->l->s;
	const struct e2lazy_watch watch = { .progress = note_progress,
					    .priv = g };
	const struct e2lazy_beyond_opts opts = {
		.limit = UINT32_MAX, .found = found, .priv = g,
		.watch = &watch,
	};
	errcode_t err;

	progress_begin(&s->print.progress, PHASE_BEYOND);
	err = e2lazy_beyond(s->log->journal, s->log->end, &opts, beyond);
	progress_end(&s->print.progress);
	if (err)
		session_fail(s, err, NULL);
	return err;
}

static bool find_owners(struct looking *g)
{
	struct e2lazy_beyond beyond;
	bool good = !look(g, note_block, &beyond);

	if (good && g->count)
		qsort(g->at, g->count, sizeof(*g->at), by_number);
	good = good && session_owners_of(g->l->s,
					 columns_has(&g->l->columns, PATH),
					 g->at, g->count);
	free(g->at);
	return good;
}

bool log_beyond_by_block(struct log *l)
{
	if (l->tags)
		columns_add(&l->columns, FSBLK);
	for (unsigned i = 0; l->owners && i < NR_OWNER_COLUMNS; i++)
		columns_add(&l->columns, HOLDS + i);
	for (unsigned id = FSBLK; id < NR_BEYOND_COLUMNS; id++)
		l->by_block |= columns_has(&l->columns, id);
	if (l->by_block && !l->tags)
		return session_wrong(l->s, _("columns of blocks need --tags"));
	l->owners = log_wants_owners(l, HOLDS);
	return true;
}

/* False after a complaint. */
static bool prepare(struct looking *g)
{
	const struct log *l = g->l;
	bool wanted = l->by_block || columns_has(&l->columns, TIME) ||
		      columns_has(&l->columns, TIME_NS);
	errcode_t err = wanted ? io_channel_alloc_buf(l->s->log->journal->io,
						      1, &g->block) : 0;

	if (err)
		session_fail(l->s, err, NULL);
	return !err && (!l->owners || find_owners(g));
}

void log_beyond(struct log *l)
{
	struct session *s = l->s;
	struct looking g = { .l = l };
	struct e2lazy_beyond beyond;
	struct sheet sheet;
	errcode_t err;

	if (!prepare(&g)) {
		ext2fs_free_mem(&g.block);
		return;
	}
	columns_fit(&l->columns, LOGBLK, s->log->geo->maxlen);
	session_fit_tids(s, &l->columns, TID);
	if (s->print.json_wanted)
		json_object(&s->print.json, "beyond", JSON_SPREAD);
	print_rows(&s->print, &l->listing, &l->columns, "blocks", &l->rows);
	g.printing = true;
	err = look(&g, print_block, &beyond);
	ext2fs_free_mem(&g.block);
	if (err)
		return;
	s->log->beyond = beyond;
	s->log->looked = true;
	if (s->print.json_wanted) {
		json_end(&s->print.json);
		print_sheet(&s->print, &sheet);
		session_beyond_facts(s, &sheet);
		json_end(&s->print.json);
	} else if (!l->listing.raw) {
		out_char(&s->print.out, '\n');
		session_text_beyond(s);
	}
}
