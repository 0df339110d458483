/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.c - e2lazy dump: the newest copy of every block in the log
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "operand.h"
#include "support/nls.h"
#include "support/status.h"

static const struct column dump_columns[NR_DUMP_COLUMNS] = {
	[DUMP_FSBLK] = { "FSBLK", "fsblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("static block: its place in the file system") },
	[DUMP_LOGBLK] = { "LOGBLK", "logblk", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("log block that holds the copy") },
	[DUMP_PHYSBLK] = { "PHYSBLK", "physblk", COLUMN_NUMBER, COLUMN_USUAL,
		0, N_("physical block of the copy on the journal's device") },
	[DUMP_TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("transaction that wrote the copy") },
	[DUMP_TIME] = { "TIME", "time", COLUMN_TIME, 0, 0,
		N_("commit time of the transaction, UTC") },
	[DUMP_ESCAPED] = { "ESCAPED", "escaped", COLUMN_BOOL, COLUMN_JSON, 0,
		N_("whether the log stores the first word as 0") },
	[DUMP_COPIES] = { "COPIES", "copies", COLUMN_NUMBER, 0, 0,
		N_("copies since the block was last revoked") },
	[DUMP_TYPE] = { "TYPE", "type", COLUMN_STRING, COLUMN_USUAL, 26,
		N_("type of the block") },
	[DUMP_INODE] = { "INODE", "inode", COLUMN_NUMBER, 0, 8,
		N_("inode that owns the block now; first inode of a table "
		   "block") },
	[DUMP_GROUP] = { "GROUP", "group", COLUMN_NUMBER, 0, 0,
		N_("group that the block serves or lies in") },
	[DUMP_STATE] = { "STATE", "state", COLUMN_STRING, 0, 11,
		N_("fate of the copy (shown with --all)") },
	[DUMP_CSUM] = { "CSUM", "csum", COLUMN_STRING, 0, 9,
		N_("data checksum; unchecked without --check-data") },
	[DUMP_ROLE] = { "ROLE", "role", COLUMN_STRING, 0, 26,
		N_("role of the block for its owner") },
	[DUMP_PATH] = { "PATH", "path", COLUMN_STRING, 0, 0,
		N_("one path of the owner") },
};

enum { OPT_ALL = OPTION_COMMAND, OPT_SORT, OPT_BLOCK, OPT_TID, OPT_TYPE,
       OPT_IDENTIFY, OPT_SINCE, OPT_UNTIL, OPT_INODE, OPT_PATH };

static const struct option_line dump_options[] = {
	{ OPT_ALL, "all", NULL, N_("list every copy and its fate, in log "
				   "order") },
	{ OPT_SORT, "sort", "ORDER",
	  N_("sort by static block (fs) or log block (log)") },
	{ OPT_BLOCK, "block", "A[-B]...", N_("list only these static blocks") },
	{ OPT_TID, "tid", "A[-B]...",
	  N_("list only copies of these transactions") },
	{ OPT_SINCE, "since", "TIME",
	  N_("list only transactions committed at TIME or later") },
	{ OPT_UNTIL, "until", "TIME",
	  N_("list only transactions committed by TIME") },
	{ OPT_INODE, "inode", "N",
	  N_("list only copies that changed inode N, or its\n"
	     "other blocks") },
	{ OPT_PATH, "path", "PATH", N_("the same for the inode of PATH") },
	{ OPT_TYPE, "type", "TYPE", N_("list only blocks of this type") },
	{ OPT_IDENTIFY, "identify", NULL,
	  N_("read blocks of type other to find their type") },
	{ 0 }
};

/* "inode table", "inode-table" and "Inode_Table" are the same. */
static bool same_name(const char *name, const char *asked)
{
	char c;

	for (; *name && *asked; name++, asked++) {
		c = *asked == '-' || *asked == '_' ? ' ' : *asked;
		if (tolower((unsigned char)c) != tolower((unsigned char)*name))
			return false;
	}
	return *name == *asked;
}

static void list_types(struct out *out)
{
	unsigned i;

	out_text(out, _("\nTypes (directory and all below need "
			"--identify):\n"));
	for (i = 0; i < E2LAZY_NR_TYPES; i++)
		out_format(out, "  %s\n", e2lazy_type_name(i));
}

static bool choose_type(struct dump *d, const char *name)
{
	unsigned i;

	for (i = 0; i < E2LAZY_NR_TYPES; i++) {
		if (same_name(e2lazy_type_name(i), name)) {
			d->type = i;
			d->type_set = true;
			return true;
		}
	}
	return session_refuse(d->s, "--type", name,
			      _("a type that --help lists"));
}

static bool choose_order(struct dump *d, const char *order)
{
	if (strcmp(order, "fs") && strcmp(order, "log"))
		return session_refuse(d->s, "--sort", order, _("fs or log"));
	d->sort_set = true;
	d->by_log = !strcmp(order, "log");
	return true;
}

static bool choose_blocks(struct dump *d, const char *text)
{
	struct range range;

	if (!parse_range(text, UINT64_MAX, &range))
		return session_refuse(d->s, "--block", text,
				      _("a block or a range A-B of blocks"));
	if (!session_range(d->s, "--block", text, range.first <= range.last) ||
	    !session_has_room(d->s, "--block", d->blocks.count))
		return false;
	d->blocks.at[d->blocks.count++] = range;
	return true;
}

static bool take_option(struct dump *d, int id, char *arg)
{
	switch (id) {
	case OPT_ALL:		d->all = true;			return true;
	case OPT_SORT:		return choose_order(d, arg);
	case OPT_BLOCK:		return choose_blocks(d, arg);
	case OPT_TID:		return session_tids(d->s, arg, &d->tids);
	case OPT_SINCE:		return session_since(d->s, arg, &d->tids);
	case OPT_UNTIL:		return session_until(d->s, arg, &d->tids);
	case OPT_INODE:
		return inode_filter_number(d->s, &d->filter, arg);
	case OPT_PATH:
		return inode_filter_path(d->s, &d->filter, arg);
	case OPT_TYPE:		return choose_type(d, arg);
	case OPT_IDENTIFY:	d->identify = true;		return true;
	}
	return false;
}

/* False ends the command with the session's status. */
static bool parse(struct dump *d)
{
	struct session *s = d->s;
	char *arg;
	int id;

	d->listing.headings = true;
	while ((id = session_option(s, &d->listing, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(d, id, arg))
			return false;
	if (!session_columns(s, &d->listing, dump_columns, NR_DUMP_COLUMNS,
			     &d->columns))
		return false;
	if (d->all && !d->listing.nr_columns)
		columns_add(&d->columns, DUMP_STATE);
	if (d->type_set && d->type > E2LAZY_TYPE_OTHER && !d->identify)
		return session_wrong(s, _("--type '%s' needs --identify"),
				     e2lazy_type_name(d->type));
	d->typed = d->type_set ||
		   columns_has(&d->columns, DUMP_TYPE) ||
		   columns_has(&d->columns, DUMP_INODE) ||
		   columns_has(&d->columns, DUMP_GROUP);
	d->owned = columns_has(&d->columns, DUMP_INODE) ||
		   columns_has(&d->columns, DUMP_ROLE) ||
		   columns_has(&d->columns, DUMP_PATH);
	return session_needs(s, "identify", d->typed,
			     _("a column of the type, or --type")) &&
	       session_operands(s, 1, 1);
}

static void fit_columns(struct dump *d)
{
	const struct session *s = d->s;

	columns_fit(&d->columns, DUMP_FSBLK, s->log->geo->fs_blocks);
	columns_fit(&d->columns, DUMP_LOGBLK, s->log->geo->maxlen);
	columns_fit(&d->columns, DUMP_PHYSBLK, s->log->geo->external ?
		    s->log->geo->maxlen : s->log->geo->fs_blocks);
	session_fit_tids(s, &d->columns, DUMP_TID);
}

/*
 * Report an unreadable layout; the map is still useful without types, unless
 * --type selects blocks.
 */
static bool prepare_types(struct dump *d)
{
	if (!d->typed || session_layout(d->s))
		return true;
	d->typed = false;
	return !d->type_set;
}

/* Report unknown owners in the same way. */
static void prepare_owners(struct dump *d)
{
	bool paths = columns_has(&d->columns, DUMP_PATH);

	d->owned = d->owned && session_owners(d->s, paths);
}

static unsigned map_flags(const struct dump *d)
{
	return (d->all ? E2LAZY_JMAP_STATES : 0) |
	       (d->owned || d->filter.wanted ? E2LAZY_JMAP_CSUMS : 0);
}

/* A damaged log may name a block outside, which --all lists. */
static bool has_blocks(struct dump *d)
{
	for (unsigned i = 0; i < d->blocks.count; i++)
		if (!operand_known(d->s, d->blocks.at[i].first,
				   d->blocks.at[i].last))
			return false;
	return true;
}

static bool prepare(struct dump *d)
{
	struct session *s = d->s;

	if (!session_open(s) ||
	    !session_build(s, map_flags(d),
			   columns_has(&d->columns, DUMP_TIME) ||
			   tids_timed(&d->tids)) ||
	    !prepare_types(d) || !session_look(s) || !has_blocks(d) ||
	    !inode_filter_prepare(s, &d->filter))
		return false;
	prepare_owners(d);
	d->choosy = d->blocks.count || d->tids.count || tids_timed(&d->tids) ||
		    d->filter.wanted;
	if (cancelled())
		return false;
	d->block = malloc(s->log->geo->blocksize);
	if (!d->block) {
		session_fail(s, EXT2_ET_NO_MEMORY, NULL);
		return false;
	}
	fit_columns(d);
	return true;
}

static int run_dump(const struct command *self, int argc, char **argv)
{
	struct dump d = { .s = session_begin(self, argc, argv) };

	if (!d.s)
		return FSCK_ERROR;
	if (parse(&d) && prepare(&d)) {
		if (d.s->print.json_wanted)
			session_document(d.s);
		print_rows(&d.s->print, &d.listing, &d.columns,
			     d.all ? "copies" : "mappings", &d.rows);
		dump_words(&d);
		progress_begin(&d.s->print.progress, PHASE_COPIES);
		if (d.all)
			dump_all(&d);
		else
			dump_map(&d);
		progress_end(&d.s->print.progress);
		if (d.s->print.json_wanted)
			json_end(&d.s->print.json);
		session_tell_tids(d.s, &d.tids);
		session_tell_times(d.s, &d.tids);
		if (d.unread.count)
			session_tell(d.s, FSCK_ERROR, &d.unread);
	}
	free(d.block);
	inode_filter_free(&d.filter);
	return session_end(d.s);
}

static void dump_help(struct out *out)
{
	columns_help(out, dump_columns, NR_DUMP_COLUMNS);
	list_types(out);
}

const struct command dump_command = {
	.name = "dump",
	.usage = "DEVICE",
	.summary = N_("List the newest copy of every block in the log"),
	.run = run_dump,
	.options = dump_options,
	.lists = true,
	.help = dump_help,
};
