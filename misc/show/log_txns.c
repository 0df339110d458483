/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log_txns.c - e2lazy log: transactions, and with --tags their blocks
 */
#include <stdlib.h>

#include "log.h"
#include "io/grow.h"
#include "session/names.h"
#include "support/nls.h"

enum { TID, START, END, TIME, BLOCKS, REVOKES, LIVE, CSUM, STATE, TIME_NS,
       FSBLK, LOGBLK, COPY, TYPE, ROLE, INODE, PATH };

const struct column txn_columns[NR_TXN_COLUMNS] = {
	[TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("transaction id") },
	[START] = { "START", "start", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("log block of its first block") },
	[END] = { "END", "end", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("log block of its commit block") },
	[TIME] = { "TIME", "time", COLUMN_TIME, COLUMN_USUAL, 0,
		N_("commit time, UTC") },
	[BLOCKS] = { "BLOCKS", "blocks", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("number of static blocks that it logs") },
	[REVOKES] = { "REVOKES", "revokes", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("revoke records") },
	[LIVE] = { "LIVE", "live", COLUMN_NUMBER, COLUMN_USUAL, 6,
		N_("number of copies that are still the newest") },
	[CSUM] = { "CSUM", "csum", COLUMN_STRING, COLUMN_USUAL, 9,
		N_("good, torn, bad or unchecked") },
	[STATE] = { "STATE", "state", COLUMN_STRING, COLUMN_USUAL, 0,
		N_("committed or uncommitted") },
	[TIME_NS] = { "TIME_NS", "time_ns", COLUMN_STRING, 0, 30,
		N_("commit time with nanoseconds, UTC") },
	[FSBLK] = { "FSBLK", "fsblk", COLUMN_NUMBER, 0, 10,
		N_("with --tags: static block, one in a row") },
	[LOGBLK] = { "LOGBLK", "logblk", COLUMN_NUMBER, 0, 0,
		N_("with --tags: log block of its copy, or of the revoke "
		   "block") },
	[COPY] = { "COPY", "copy", COLUMN_STRING, 0, 11,
		N_("with --tags: state of the copy, or revoke") },
	[TYPE] = { "TYPE", "type", COLUMN_STRING, 0, 17,
		N_("with --tags: type of the block") },
	[ROLE] = { "ROLE", "role", COLUMN_STRING, 0, 26,
		N_("with --tags: role of the block for its owner") },
	[INODE] = { "INODE", "inode", COLUMN_NUMBER, 0, 10,
		N_("with --tags: owner of the block") },
	[PATH] = { "PATH", "path", COLUMN_STRING, 0, 0,
		N_("with --tags: a path of the owner") },
};

/* The blocks of a transaction; kept until its commit block is read. */
struct item {
	blk64_t		fsblk;
	uint32_t	logblk;
	uint16_t	flags;
	uint8_t		state;
	bool		revoke;
};

struct items {
	struct item	*item;
	size_t		count, room;
	bool		chosen;		/* one of them concerns the inode of
					   --inode */
};

/* Live copies of each transaction, by tid - first_tid. NULL: no memory. */
static uint32_t *count_live(const struct session *s)
{
	uint32_t *live = calloc(opened_ids(s->log) + (size_t)1, sizeof(*live));
	size_t count = e2lazy_jmap_count(s->log->map), i;
	struct e2lazy_copy copy;
	uint32_t index;

	for (i = 0; live && i < count; i++) {
		e2lazy_jmap_get(s->log->map, i, &copy);
		index = copy.tid - s->log->stats->first_tid;
		if (index < opened_ids(s->log))
			live[index]++;
	}
	return live;
}

static errcode_t keep(struct items *items, const struct e2lazy_event *ev,
		      const struct e2lazy_jmap *map)
{
	struct item *item = grow(items->item, items->count, &items->room,
				 sizeof(*item));

	if (!item)
		return EXT2_ET_NO_MEMORY;
	items->item = item;
	item = &items->item[items->count++];
	*item = (struct item){
		.fsblk = ev->fsblk,
		.logblk = ev->logblk,
		.revoke = ev->kind == E2LAZY_EV_REVOKE,
	};
	if (!item->revoke) {
		item->flags = ev->flags;
		item->state = e2lazy_jmap_state(map, ev);
	}
	return 0;
}

static const char *bad_flag(unsigned flags)
{
	return flags & E2LAZY_COPY_UNREADABLE ? N_(", cannot be read") :
	       flags & E2LAZY_COPY_BAD ? N_(", bad checksum") :
	       flags & E2LAZY_COPY_OUTSIDE ? N_(", outside the file system") :
	       flags & E2LAZY_COPY_IN_JOURNAL ? N_(", inside the journal") :
	       flags & E2LAZY_COPY_DELETED ? N_(", tagged as deleted") : "";
}

/* "role, <inode>, path"; the type of a block that has no live copy */
static void text_owner(struct log *l, blk64_t fsblk)
{
	struct out *out = &l->s->print.out;
	struct log_owner o;

	log_owner_find(l, fsblk, &o);
	out_format(out, "    %s", o.owned ? o.role : o.type);
	if (o.is_inode && o.ino)
		out_format(out, ", <%u>", o.ino);
	if (o.path) {
		out_text(out, ", ");
		out_printable(out, o.path, ' ');
	}
	out_char(out, '\n');
	log_owner_free(&o);
}

static void json_owner(struct log *l, blk64_t fsblk)
{
	struct json *json = &l->s->print.json;
	struct log_owner o;

	log_owner_find(l, fsblk, &o);
	json_string(json, "type", o.type);
	json_string(json, "role", o.owned ? o.role : NULL);
	json_known(json, "inode", o.ino, o.ino);
	json_string(json, "path", o.path);
	log_owner_free(&o);
}

/* --raw has fixed words, in any language and version. */
static void text_item(struct out *out, const struct item *item, bool raw)
{
	const char *bad = bad_flag(item->flags);
	const char *escaped = item->flags & E2LAZY_COPY_ESCAPED ?
			      N_(", escaped") : "";

	if (item->revoke) {
		out_format(out, raw ? "  revoke %llu by %u\n" :
				      _("  revoke %llu, log block %u\n"),
			   (unsigned long long)item->fsblk, item->logblk);
		return;
	}
	out_format(out, raw ? "  block %llu at %u, %s%s%s\n" :
			      _("  block %llu, log block %u, %s%s%s\n"),
		   (unsigned long long)item->fsblk, item->logblk,
		   state_name(item->state),
		   raw || !*escaped ? escaped : _(escaped),
		   raw || !*bad ? bad : _(bad));
}

static void json_items(struct log *l, const struct items *items, bool revokes)
{
	struct json *json = &l->s->print.json;
	const struct item *item = items->item;
	size_t left;

	/* Not "revokes", which is their number. */
	json_array(json, revokes ? "revoked" : "tags", JSON_SPREAD);
	for (left = items->count; left; left--, item++) {
		if (item->revoke != revokes)
			continue;
		json_object(json, NULL, JSON_INLINE);
		json_u64(json, "fsblk", item->fsblk);
		json_u64(json, "logblk", item->logblk);
		if (!revokes) {
			json_bool(json, "escaped",
				  item->flags & E2LAZY_COPY_ESCAPED);
			json_bool(json, "deleted",
				  item->flags & E2LAZY_COPY_DELETED);
			json_bool(json, "bad", item->flags & E2LAZY_COPY_BAD);
			json_string(json, "state", state_name(item->state));
		}
		if (l->owners)
			json_owner(l, item->fsblk);
		json_end(json);
	}
	json_end(json);
}

static void print_items(struct log *l, const struct items *items)
{
	size_t i;

	if (l->s->print.json_wanted) {
		json_items(l, items, false);
		json_items(l, items, true);
		return;
	}
	for (i = 0; i < items->count; i++) {
		text_item(&l->s->print.out, &items->item[i], l->rows.raw);
		if (l->owners)
			text_owner(l, items->item[i].fsblk);
	}
}

/* 0 for a transaction that the map lacks: a mounted log goes on growing. */
static uint32_t live_copies(const struct session *s, const uint32_t *live,
			    uint32_t tid)
{
	uint32_t index = tid - s->log->stats->first_tid;

	return index < opened_ids(s->log) ? live[index] : 0;
}

/* One row for each block; @cells has those of its transaction. */
static void put_blocks(struct log *l, const struct items *items,
		       struct cell cells[NR_TXN_COLUMNS])
{
	for (size_t i = 0; i < items->count && !rows_stop(&l->rows); i++) {
		const struct item *item = &items->item[i];
		struct log_owner owner = { .type = NULL };

		cell_number(&cells[FSBLK], item->fsblk);
		cell_number(&cells[LOGBLK], item->logblk);
		cell_text(&cells[COPY], item->revoke ? "revoke" :
					state_name(item->state));
		if (l->owners && !(item->flags & E2LAZY_COPY_OUTSIDE))
			log_owner_find(l, item->fsblk, &owner);
		log_owner_cells(&owner, &cells[TYPE]);
		rows_put(&l->rows, cells);
		log_owner_free(&owner);
	}
}

static void print_txn(struct log *l, const struct e2lazy_txn *txn,
		      const uint32_t *live, const struct items *items)
{
	struct instant at = { txn->sec, txn->nsec };
	struct cell cells[NR_TXN_COLUMNS];
	char time_ns[INSTANT_TEXT];

	if (!tid_in(&l->tids, txn->tid) || !tid_time_in(&l->tids, at))
		return;
	cell_number(&cells[TID], txn->tid);
	cell_number(&cells[START], txn->start);
	cell_number(&cells[END], txn->end);
	cell_time(&cells[TIME], txn->sec);
	cell_number(&cells[BLOCKS], txn->copies);
	cell_number(&cells[REVOKES], txn->revokes);
	cell_number(&cells[LIVE], live_copies(l->s, live, txn->tid));
	cell_text(&cells[CSUM], csum_name(txn->csum));
	cells[CSUM].alarm = txn->csum == E2LAZY_BAD;
	cell_text(&cells[STATE], txn->committed ? "committed" : "uncommitted");
	cell_none(&cells[TIME_NS]);
	if (instant_text(time_ns, at))
		cell_text(&cells[TIME_NS], time_ns);
	if (l->by_block) {
		put_blocks(l, items, cells);
		return;
	}
	rows_open(&l->rows, cells);
	if (l->tags)
		print_items(l, items);
	if (l->s->print.json_wanted)
		json_end(&l->s->print.json);
}

/* Does a block of a transaction follow the last good commit? */
static bool was_begun(const struct e2lazy_txn *txn)
{
	return txn->descriptors || txn->revoke_blocks;
}

static errcode_t each_txn(struct log *l, struct e2lazy_walk *walk,
			  const uint32_t *live, struct items *items)
{
	struct e2lazy_event ev;
	uint64_t done = 0;
	errcode_t err;

	for (;;) {
		e2lazy_walk_next(walk, &ev);
		switch (ev.kind) {
		case E2LAZY_EV_TAG:
		case E2LAZY_EV_REVOKE:
			if (!inode_filter_has(&l->filter, ev.fsblk, ev.logblk,
					      ev.kind == E2LAZY_EV_REVOKE))
				break;
			items->chosen = true;
			err = l->tags ? keep(items, &ev, l->s->log->map) : 0;
			if (err)
				return err;
			break;
		case E2LAZY_EV_COMMIT:
			if (items->chosen || !l->filter.wanted)
				print_txn(l, ev.txn, live, items);
			items->count = 0;
			items->chosen = false;
			if (!progress_tick(&l->s->print.progress, ++done,
					   l->s->log->stats->txns) ||
			    rows_stop(&l->rows))
				return 0;
			break;
		case E2LAZY_EV_END:
			if (was_begun(&ev.end->open) &&
			    (items->chosen || !l->filter.wanted))
				print_txn(l, &ev.end->open, live, items);
			return 0;
		}
	}
}

static void fit_columns(struct log *l)
{
	const struct session *s = l->s;

	session_fit_tids(s, &l->columns, TID);
	columns_fit(&l->columns, START, s->log->geo->maxlen);
	columns_fit(&l->columns, END, s->log->geo->maxlen);
	columns_fit(&l->columns, LOGBLK, s->log->geo->maxlen);
}

bool log_txns_by_block(struct log *l)
{
	for (unsigned id = FSBLK; id < NR_TXN_COLUMNS; id++)
		l->by_block |= columns_has(&l->columns, id);
	if (l->by_block && !l->tags)
		return session_wrong(l->s, _("columns of blocks need --tags"));
	if (l->by_block)
		l->owners = log_wants_owners(l, TYPE);
	return true;
}

void log_txns(struct log *l)
{
	uint32_t *live = count_live(l->s);
	struct items items = { .item = NULL };
	struct e2lazy_walk *walk;
	errcode_t err = live ? 0 : EXT2_ET_NO_MEMORY;

	fit_columns(l);
	print_rows(&l->s->print, &l->listing, &l->columns,
		   l->by_block ? "blocks" : "transactions", &l->rows);
	if (!err)
		err = session_walk(l->s, &walk);
	if (!err) {
		progress_begin(&l->s->print.progress, PHASE_COPIES);
		err = each_txn(l, walk, live, &items);
		progress_end(&l->s->print.progress);
		e2lazy_walk_close(walk);
	}
	if (err)
		session_fail(l->s, err, NULL);
	if (l->s->print.json_wanted)
		json_end(&l->s->print.json);
	session_tell_tids(l->s, &l->tids);
	session_tell_times(l->s, &l->tids);
	free(items.item);
	free(live);
}
