/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log.c - e2lazy log: the choice of a listing
 */
#include "log.h"
#include "support/nls.h"
#include "support/status.h"

enum { OPT_TAGS = OPTION_COMMAND, OPT_TID, OPT_BEYOND, OPT_FAST_COMMIT,
       OPT_DECODE, OPT_HISTORIES, OPT_SINCE, OPT_UNTIL,
       OPT_INODE, OPT_PATH, OPT_OWNERS };

static const struct option_line log_options[] = {
	{ OPT_TAGS, "tags", NULL,
	  N_("list the blocks that each transaction logs and\n"
	     "revokes") },
	{ OPT_TID, "tid", "A[-B]...", N_("list only these transactions") },
	{ OPT_SINCE, "since", "TIME",
	  N_("list only transactions committed at TIME or later") },
	{ OPT_UNTIL, "until", "TIME",
	  N_("list only transactions committed by TIME") },
	{ OPT_INODE, "inode", "N",
	  N_("list only transactions that changed inode N, or\n"
	     "logged its other blocks") },
	{ OPT_PATH, "path", "PATH", N_("the same for the inode of PATH") },
	{ OPT_OWNERS, "owners", NULL,
	  N_("with --tags: also role, inode and path of each\n"
	     "block") },
	{ OPT_BEYOND, "beyond", NULL,
	  N_("list the control blocks past the head instead") },
	{ OPT_FAST_COMMIT, "fast-commit", NULL,
	  N_("list the records of the fast-commit area instead") },
	{ OPT_DECODE, "decode", NULL,
	  N_("with --fast-commit: say each record in words") },
	{ OPT_HISTORIES, "histories", NULL,
	  N_("list the histories of the whole ring instead") },
	{ 0 }
};

enum subject { TXNS, BEYOND, FAST_COMMITS, HISTORIES };

static const struct {
	const struct column *columns;
	unsigned nr_columns;
	void (*print)(struct log *log);
	bool (*by_block)(struct log *log);	/* NULL: it has no blocks */
} subjects[] = {
	[TXNS] = { txn_columns, NR_TXN_COLUMNS, log_txns,
		   log_txns_by_block },
	[BEYOND] = { beyond_columns, NR_BEYOND_COLUMNS, log_beyond,
		     log_beyond_by_block },
	[FAST_COMMITS] = { fc_columns, NR_FC_COLUMNS, log_fast_commits },
	[HISTORIES] = { history_list_columns, NR_HISTORY_LIST_COLUMNS,
			log_histories },
};

static bool choose_subject(struct log *l, enum subject *subject,
			   enum subject chosen)
{
	if (*subject == TXNS || *subject == chosen) {
		*subject = chosen;
		return true;
	}
	return session_wrong(l->s, _("--beyond, --fast-commit and --histories "
				     "are mutually exclusive"));
}

static bool take_option(struct log *l, enum subject *subject, int id, char *arg)
{
	switch (id) {
	case OPT_TAGS:		l->tags = true;		return true;
	case OPT_TID:		return session_tids(l->s, arg, &l->tids);
	case OPT_SINCE:		return session_since(l->s, arg, &l->tids);
	case OPT_UNTIL:		return session_until(l->s, arg, &l->tids);
	case OPT_INODE:
		return inode_filter_number(l->s, &l->filter, arg);
	case OPT_PATH:
		return inode_filter_path(l->s, &l->filter, arg);
	case OPT_OWNERS:	l->owners = true;	return true;
	case OPT_BEYOND:	return choose_subject(l, subject, BEYOND);
	case OPT_FAST_COMMIT:	return choose_subject(l, subject, FAST_COMMITS);
	case OPT_DECODE:	l->decode = true;	return true;
	case OPT_HISTORIES:	return choose_subject(l, subject, HISTORIES);
	}
	return false;
}

static bool parse(struct log *l, enum subject *subject)
{
	char *arg;
	int id;

	l->listing.headings = true;
	while ((id = session_option(l->s, &l->listing, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(l, subject, id, arg))
			return false;
	if (*subject == BEYOND && (l->s->source.limits.until_set ||
				   l->s->source.limits.at_text))
		return session_wrong(l->s, _("--beyond reads past the end of "
					     "the log, --until-tid and --at "
					     "stop before it"));
	if (*subject != TXNS && (tids_timed(&l->tids) || l->filter.wanted))
		return session_wrong(l->s, _("--since, --until, --inode and "
					     "--path select transactions "
					     "only"));
	if (!session_needs(l->s, "owners", l->tags, "--tags") ||
	    !session_needs(l->s, "decode", *subject == FAST_COMMITS,
			   "--fast-commit") ||
	    !session_without(l->s, "--fast-commit", *subject == FAST_COMMITS,
			     "tid") ||
	    !session_without(l->s, "--histories", *subject == HISTORIES,
			     "tid until-tid at tail ring history"))
		return false;
	if (*subject == BEYOND && limits_stretch(&l->s->source.limits))
		return session_wrong(l->s, _("--beyond reads past the end of "
					     "the log itself: not with --tail, "
					     "--ring or --history"));
	if (!subjects[*subject].by_block && l->tags)
		return session_wrong(l->s, _("--tags is for transactions and "
					     "--beyond"));
	if (!session_columns(l->s, &l->listing, subjects[*subject].columns,
			     subjects[*subject].nr_columns, &l->columns))
		return false;
	if (l->decode)
		log_decode(&l->columns, l->s->print.json_wanted,
			   l->listing.nr_columns);
	if (subjects[*subject].by_block && !subjects[*subject].by_block(l))
		return false;
	if (l->tags && l->listing.csv && !l->by_block)
		return session_wrong(l->s, _("--tags with --csv needs a column "
					     "of blocks"));
	return session_operands(l->s, 1, 1);
}

static unsigned map_flags(const struct log *l)
{
	return (l->tags ? E2LAZY_JMAP_STATES : 0) |
	       (l->filter.wanted || l->owners ? E2LAZY_JMAP_CSUMS : 0);
}

static int run_log(const struct command *self, int argc, char **argv)
{
	struct log l = { .s = session_begin(self, argc, argv) };
	enum subject subject = TXNS;

	if (!l.s)
		return FSCK_ERROR;
	if (parse(&l, &subject) && session_open(l.s) &&
	    session_build(l.s, map_flags(&l), tids_timed(&l.tids)) &&
	    session_look(l.s) && inode_filter_prepare(l.s, &l.filter) &&
	    (!l.owners || subject == BEYOND || session_owners(l.s, true))) {
		if (l.s->print.json_wanted)
			session_document(l.s);
		subjects[subject].print(&l);
	}
	inode_filter_free(&l.filter);
	return session_end(l.s);
}

static void log_help(struct out *out)
{
	columns_help(out, txn_columns, NR_TXN_COLUMNS);
	out_text(out, _("\nWith --beyond:"));
	columns_help(out, beyond_columns, NR_BEYOND_COLUMNS);
	out_text(out, _("\nWith --fast-commit:"));
	columns_help(out, fc_columns, NR_FC_COLUMNS);
	out_text(out, _("\nWith --histories:"));
	columns_help(out, history_list_columns, NR_HISTORY_LIST_COLUMNS);
}

const struct command log_command = {
	.name = "log",
	.usage = "DEVICE",
	.summary = N_("List the transactions of the log, oldest first"),
	.run = run_log,
	.options = log_options,
	.lists = true,
	.help = log_help,
};
