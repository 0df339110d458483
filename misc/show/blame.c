/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blame.c - e2lazy blame: the transaction that last changed a block, or a part
 * of it
 *
 * The copies of a block follow each other in the log.  A transaction changed the
 * part if its value differs from that in the copy before.  Before the first copy,
 * after a revoke and after a bad copy the value is unknown: then the change is of
 * that transaction or an earlier one, and the row says so.
 */
#include <stdlib.h>
#include <string.h>

#include "blame.h"
#include "session/tids.h"
#include "support/nls.h"
#include "support/status.h"

enum { TID, TIME, LOGBLK, PHYSBLK, FSBLK, EXACT, BEFORE, AFTER, NR_COLUMNS };

static const struct column blame_columns[NR_COLUMNS] = {
	[TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("transaction that changed it") },
	[TIME] = { "TIME", "time", COLUMN_TIME, COLUMN_USUAL, 0,
		N_("commit time, UTC") },
	[LOGBLK] = { "LOGBLK", "logblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("log block of the copy") },
	[PHYSBLK] = { "PHYSBLK", "physblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("physical block of the copy on the journal's device") },
	[FSBLK] = { "FSBLK", "fsblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("static block") },
	[EXACT] = { "EXACT", "exact", COLUMN_BOOL, COLUMN_USUAL, 0,
		N_("no: this transaction or an earlier one") },
	[BEFORE] = { "BEFORE", "before", COLUMN_STRING, COLUMN_USUAL, 0,
		N_("value before, if known") },
	[AFTER] = { "AFTER", "after", COLUMN_STRING, COLUMN_USUAL, 0,
		N_("value after; '-' if it was gone") },
};

enum { OPT_ALL = OPTION_COMMAND, OPT_FREED, OPT_ALLOCATED };

static const struct option_line blame_options[] = {
	{ OPT_ALL, "all", NULL, N_("list all changes, not only the last one") },
	{ OPT_FREED, "freed", "BLOCK",
	  N_("find the transaction that last freed BLOCK") },
	{ OPT_ALLOCATED, "allocated", "BLOCK",
	  N_("find the transaction that last allocated BLOCK") },
	{ 0 }
};

/* One of the blocks that may have the part. */
struct place {
	char		*value;		/* NULL: unknown */
	uint8_t		*bytes;		/* of the transaction being read */
	bool		copied, revoked, bad;	/* in it */
	struct e2lazy_event ev;		/* of its last copy in it */
};

struct change {
	uint32_t	tid, logblk;
	blk64_t		fsblk;
	bool		exact;
	char		*before, *after;
};

struct blame {
	struct session	*s;
	struct listing	listing;
	struct columns	columns;
	struct rows	rows;
	bool		all;
	const char	*bit_option;	/* --freed or --allocated, */
	const char	*bit_block;	/* its argument, */
	const char	*only;		/* and the value that is looked for */
	struct blame_target target;
	struct place	*places;
	struct change	last;
	uint64_t	copies;
	bool		any;
	bool		seen;		/* some copy has the part */
	struct e2lazy_damage bad;
};

/* ------------------------------------------------------- the command line */

static bool choose_bit(struct blame *b, const char *option, char *arg,
		       const char *only)
{
	if (b->bit_block)
		return session_wrong(b->s, _("--freed and --allocated are "
					     "mutually exclusive"));
	b->bit_option = option;
	b->bit_block = arg;
	b->only = only;
	return true;
}

static bool take_option(struct blame *b, int id, char *arg)
{
	switch (id) {
	case OPT_ALL:		b->all = true;		return true;
	case OPT_FREED:		return choose_bit(b, "--freed", arg, "free");
	case OPT_ALLOCATED:
		return choose_bit(b, "--allocated", arg, "used");
	}
	return false;
}

static bool parse(struct blame *b)
{
	int id, operands;
	char *arg;

	b->listing.headings = true;
	while ((id = session_option(b->s, &b->listing, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(b, id, arg))
			return false;
	operands = b->bit_block ? 1 : 2;
	return session_columns(b->s, &b->listing, blame_columns, NR_COLUMNS,
			       &b->columns) &&
	       session_operands(b->s, operands, operands);
}

/* -------------------------------------------------------------- the rows */

/* More bytes go into JSON only. */
#define SHOWN_BYTES	16

static void value_cell(const struct blame *b, struct cell *cell,
		       const char *value)
{
	cell_none(cell);
	if (value && *value && (b->s->print.json_wanted ||
				b->target.kind != BLAME_BYTES ||
				strlen(value) <= 2 * SHOWN_BYTES))
		cell_text(cell, value);
}

static void put_change(struct blame *b, const struct change *c)
{
	struct cell cells[NR_COLUMNS];
	blk64_t physblk;

	cell_number(&cells[TID], c->tid);
	session_time_cell(b->s, &cells[TIME], c->tid);
	cell_number(&cells[LOGBLK], c->logblk);
	cell_none(&cells[PHYSBLK]);
	if (!e2lazy_physblk(b->s->log->journal, c->logblk, &physblk))
		cell_number(&cells[PHYSBLK], physblk);
	cell_number(&cells[FSBLK], c->fsblk);
	cell_number(&cells[EXACT], c->exact);
	value_cell(b, &cells[BEFORE], c->before);
	value_cell(b, &cells[AFTER], c->after);
	rows_put(&b->rows, cells);
}

static void forget(struct change *c)
{
	free(c->before);
	free(c->after);
	memset(c, 0, sizeof(*c));
}

/* Takes the values. */
static void note_change(struct blame *b, const struct change *c)
{
	struct change one = *c;

	if (b->only && strcmp(one.after, b->only)) {
		/* A later state is no change that was asked for. */
		forget(&one);
		return;
	}
	forget(&b->last);
	b->last = one;
	b->any = true;
	if (b->all)
		put_change(b, &b->last);
}

/* ------------------------------------------------------ one transaction */

/*
 * The value over all blocks: an entry may move from one of them to another.  NULL
 * if it is unknown.
 */
static const char *value_now(const struct blame *b)
{
	bool known = true;

	for (size_t i = 0; i < b->target.nr_blocks; i++) {
		const char *value = b->places[i].value;

		if (value && *value)
			return value;
		known &= value != NULL;
	}
	return known ? "" : NULL;
}

static errcode_t read_place(struct blame *b, size_t index, uint32_t tid)
{
	struct place *p = &b->places[index];

	p->copied = p->copied && p->ev.tid == tid;
	if (!p->copied && !p->revoked)
		return 0;
	free(p->value);
	p->value = NULL;
	if (p->copied && !p->revoked && !p->bad) {
		p->value = blame_value(b->s, &b->target, b->target.blocks[index],
				       p->bytes);
		if (!p->value)
			return EXT2_ET_NO_MEMORY;
		b->seen |= *p->value;
	}
	p->copied = p->revoked = p->bad = false;
	return 0;
}

/* The copy that shows the value; of one that is gone, any copy. */
static const struct place *place_of(const struct blame *b, uint32_t tid)
{
	const struct place *found = NULL;

	for (size_t i = 0; i < b->target.nr_blocks; i++) {
		const struct place *p = &b->places[i];

		if (p->ev.tid == tid && p->value && (!found || *p->value))
			found = p;
	}
	return found;
}

static void compare(struct blame *b, uint32_t tid, char *before)
{
	const char *after = value_now(b);
	const struct place *p = place_of(b, tid);
	struct change c = { .tid = tid, .exact = before, .before = before };

	if (!after || !p || (before && !strcmp(before, after)) ||
	    (!before && !*after)) {
		free(before);
		return;
	}
	c.logblk = p->ev.logblk;
	c.fsblk = p->ev.fsblk;
	c.after = strdup(after);
	note_change(b, &c);
}

static errcode_t end_txn(struct blame *b, uint32_t tid)
{
	const char *now = value_now(b);
	char *before = now ? strdup(now) : NULL;
	errcode_t err = now && !before ? EXT2_ET_NO_MEMORY : 0;

	for (size_t i = 0; !err && i < b->target.nr_blocks; i++)
		err = read_place(b, i, tid);
	if (err)
		free(before);
	else
		compare(b, tid, before);
	return err;
}

/* ------------------------------------------------------------ the log */

static struct place *find_place(struct blame *b, blk64_t fsblk)
{
	for (size_t i = 0; i < b->target.nr_blocks; i++)
		if (b->target.blocks[i] == fsblk)
			return &b->places[i];
	return NULL;
}

static void note_copy(struct blame *b, struct place *p,
		      const struct e2lazy_event *ev, struct e2lazy_walk *walk)
{
	errcode_t err = 0;

	if (ev->flags & (E2LAZY_COPY_OUTSIDE | E2LAZY_COPY_IN_JOURNAL))
		return;
	p->ev = *ev;
	p->copied = true;
	b->copies++;
	if (e2lazy_walk_verify(walk) == E2LAZY_BAD)
		err = E2LAZY_ET_DATA_CSUM;
	else
		err = e2lazy_read_copy(b->s->log->journal, ev->logblk,
				       ev->flags, p->bytes);
	p->bad = err;
	if (!err || b->bad.count++)
		return;
	b->bad.error = err;
	b->bad.first = (struct e2lazy_where){
		.has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID | E2LAZY_AT_FSBLK,
		.logblk = ev->logblk, .tid = ev->tid, .fsblk = ev->fsblk,
	};
}

static errcode_t take_event(struct blame *b, const struct e2lazy_event *ev,
			    struct e2lazy_walk *walk)
{
	struct place *p;

	if (ev->kind == E2LAZY_EV_COMMIT)
		return end_txn(b, ev->tid);
	p = find_place(b, ev->fsblk);
	if (p && ev->kind == E2LAZY_EV_TAG)
		note_copy(b, p, ev, walk);
	else if (p && ev->kind == E2LAZY_EV_REVOKE)
		p->revoked = true;
	return 0;
}

static errcode_t each_event(struct blame *b, struct e2lazy_walk *walk)
{
	struct progress *progress = &b->s->print.progress;
	struct e2lazy_event ev;
	errcode_t err = 0;
	uint64_t done = 0;

	for (;;) {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_END)
			return 0;
		err = take_event(b, &ev, walk);
		if (err || (ev.kind == E2LAZY_EV_COMMIT &&
			    (!progress_tick(progress, ++done,
					    b->s->log->stats->txns) ||
			     rows_stop(&b->rows))))
			return err;
	}
}

static errcode_t look(struct blame *b)
{
	struct e2lazy_walk *walk;
	errcode_t err;

	b->places = calloc(b->target.nr_blocks + 1, sizeof(*b->places));
	if (!b->places)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < b->target.nr_blocks; i++) {
		b->places[i].bytes = malloc(b->s->log->geo->blocksize);
		if (!b->places[i].bytes)
			return EXT2_ET_NO_MEMORY;
	}
	err = session_walk(b->s, &walk);
	if (err)
		return err;
	progress_begin(&b->s->print.progress, PHASE_COPIES);
	err = each_event(b, walk);
	progress_end(&b->s->print.progress);
	e2lazy_walk_close(walk);
	return err;
}

/* ---------------------------------------------------------------- all */

static void tell(struct blame *b)
{
	struct session *s = b->s;

	if (!b->copies)
		session_complain(s, FSCK_ERROR,
				 _("no copy of its block is committed"));
	else if (!b->seen && b->target.want)
		session_complain(s, FSCK_ERROR,
				 _("no copy has a part '%s'; cat --decode "
				   "lists the parts"), b->target.want);
	else if (!b->any)
		session_complain(s, FSCK_ERROR,
				 _("no copy shows a transaction that changed "
				   "it"));
	else if (!b->last.exact)
		session_complain(s, 0, _("transaction %u, or an earlier one: "
					 "the value before it is unknown"),
				 b->last.tid);
	session_tell_empty(s);
	if (b->bad.count)
		session_tell(s, FSCK_LEFT, &b->bad);
}

static void run_all(struct blame *b)
{
	struct session *s = b->s;
	errcode_t err;

	if (s->print.json_wanted)
		session_document(s);
	session_fit_tids(s, &b->columns, TID);
	print_rows(&s->print, &b->listing, &b->columns, "changes", &b->rows);
	err = look(b);
	if (!err && b->any && !b->all)
		put_change(b, &b->last);
	if (s->print.json_wanted)
		json_end(&s->print.json);
	if (err)
		session_fail(s, err, NULL);
	else if (!cancelled())
		tell(b);
}

static void release(struct blame *b)
{
	for (size_t i = 0; b->places && i < b->target.nr_blocks; i++) {
		free(b->places[i].value);
		free(b->places[i].bytes);
	}
	free(b->places);
	forget(&b->last);
	blame_release(&b->target);
}

static bool find(struct blame *b)
{
	if (b->bit_block)
		return blame_find_bit(b->s, b->bit_option, b->bit_block,
				      &b->target);
	return blame_find(b->s, b->s->operands[1], &b->target);
}

static int run_blame(const struct command *self, int argc, char **argv)
{
	struct blame b = { .s = session_begin(self, argc, argv) };

	if (!b.s)
		return FSCK_ERROR;
	if (parse(&b) && session_open(b.s) &&
	    session_build(b.s, E2LAZY_JMAP_CSUMS, true) && session_look(b.s) &&
	    find(&b))
		run_all(&b);
	release(&b);
	return session_end(b.s);
}

static void blame_help(struct out *out)
{
	columns_help(out, blame_columns, NR_COLUMNS);
}

const struct command blame_command = {
	.name = "blame",
	.usage = "DEVICE [BLOCK|<INODE>|PATH[:PART]]",
	.summary = N_("Find the transaction that last changed a block or a part of it"),
	.run = run_blame,
	.options = blame_options,
	.lists = true,
	.help = blame_help,
};
