/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * view.c - e2lazy view: the file system as if its log had been written back
 */
#include <string.h>

#include "support/nls.h"
#include "support/saved.h"
#include "support/status.h"
#include "view.h"

enum {
	OPT_FILE = OPTION_COMMAND, OPT_MOUNT, OPT_SOCKET, OPT_TABLE, OPT_PATCH,
	OPT_COW, OPT_DATA_JOURNAL, OPT_BEHIND,
};

static const struct option_line view_options[] = {
	{ OPT_FILE, "file", "FILE", N_("show it as FILE, which must not exist") },
	{ OPT_MOUNT, "mount", "DIR", N_("mount it at DIR, read-only") },
	{ OPT_SOCKET, "socket", "PATH",
	  N_("serve it as a network block device at socket\n"
	     "PATH") },
	{ OPT_TABLE, "dm-table", NULL,
	  N_("print a device-mapper table instead") },
	{ OPT_PATCH, "patch", "FILE",
	  N_("write the table's blocks that no device holds to\n"
	     "FILE") },
	{ OPT_DATA_JOURNAL, "data-journal", NULL,
	  N_("show also copies of blocks that hold contents of\n"
	     "files: they are newer if the file system was\n"
	     "mounted with data=journal") },
	{ OPT_BEHIND, "behind-damage", NULL,
	  N_("show also what is sound behind a damaged block of the\n"
	     "log, and older copies in place of bad ones, as\n"
	     "'e2lazyck --checkpoint -y' writes them") },
	{ OPT_COW, "cow", NULL,
	  N_("allow writes, and discard them at the end") },
	{ 0 }
};

static void view_help(struct out *out)
{
	out_text(out, _("\nCOMMAND may name the view as {} and an external "
			"journal as {journal}: e2lazy\n"
			"replaces {} with the file, or with the argument of "
			"--file, --mount or --socket.\n"
			"Without COMMAND e2lazy prints the name of the view, "
			"which stays until SIGINT or\n"
			"SIGTERM.\n"));
}

/* -------------------------------------------------------- command line */

/* The options that choose the place of the view; at most one. */
static const struct {
	int		option;
	const char	*name;
} modes[NR_VIEW_MODES] = {
	[VIEW_FILE] = { OPT_FILE, "--file" },
	[VIEW_MOUNT] = { OPT_MOUNT, "--mount" },
	[VIEW_SOCKET] = { OPT_SOCKET, "--socket" },
	[VIEW_TABLE] = { OPT_TABLE, "--dm-table" },
};

static bool choose_mode(struct view *v, int option, const char *place)
{
	for (enum view_mode mode = 0; mode < NR_VIEW_MODES; mode++) {
		if (modes[mode].option != option)
			continue;
		if (v->mode != VIEW_PRIVATE && v->mode != mode)
			return session_wrong(v->s,
					     _("%s and %s are mutually "
					       "exclusive"),
					     modes[v->mode].name,
					     modes[mode].name);
		v->mode = mode;
		v->named = place;
	}
	return true;
}

static bool makes_sense(struct view *v)
{
	bool table = v->mode == VIEW_TABLE;

	if (v->command && !v->command[0])
		return session_wrong(v->s, _("no command follows --"));
	if (table && v->command)
		return session_wrong(v->s, _("--dm-table runs no command"));
	if (table && v->cow)
		return session_wrong(v->s, _("--dm-table excludes --cow: a "
					     "table is read-only"));
	if (v->patch && !table)
		return session_wrong(v->s, _("--patch needs --dm-table"));
	if (v->command && !view_has_mark(v, VIEW_MARK) &&
	    !view_has_mark(v, VIEW_JOURNAL_MARK))
		return session_wrong(v->s, _("the command does not name the "
					     "view: put {} in place of the "
					     "file"));
	return true;
}

static bool parse(struct view *v)
{
	char *arg;
	int id;

	while ((id = session_option(v->s, NULL, &arg)) != OPTION_END) {
		if (id == OPTION_BAD)
			return false;
		if (id == OPT_PATCH)
			v->patch = arg;
		else if (id == OPT_COW)
			v->cow = true;
		else if (id == OPT_DATA_JOURNAL)
			v->s->source.limits.data_journal = true;
		else if (id == OPT_BEHIND)
			v->s->source.limits.behind = true;
		else if (!choose_mode(v, id, arg))
			return false;
	}
	return session_operands(v->s, 1, 1) && makes_sense(v);
}

/*
 * Options behind "--" belong to the command: our part of the line ends there.
 */
static int own_words(int argc, char **argv, char ***command)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--")) {
			*command = argv + i + 1;
			return i;
		}
	}
	return argc;
}

/* ---------------------------------------------------------------- view */

static int show(struct view *v)
{
	/* Then nbdkit need not look for them again. */
	v->s->source.limits.data_journal |= v->seen.whole;
	return view_settle(v) ? view_run(v) : 0;
}

static void print_table(struct view *v)
{
	saved_confine(v->patch);
	if (view_look(v))
		view_table(v);
}

static int run_view(const struct command *self, int argc, char **argv)
{
	struct view v = { .mode = VIEW_PRIVATE };
	int words = own_words(argc, argv, &v.command), status = 0, lacks;

	v.s = session_begin(self, words, argv);
	if (!v.s)
		return FSCK_ERROR;
	if (parse(&v)) {
		/* --dm-table reports the bad copies itself; other views report
		   them to the reader. */
		v.s->source.limits.check_data |= v.mode == VIEW_TABLE;
		if (v.mode == VIEW_TABLE)
			print_table(&v);
		else if (view_find_tools(&v) && view_choose_places(&v) &&
			 view_look_apart(&v))
			status = show(&v);
	}
	view_free_places(&v);
	view_free_tools(&v.tools);
	lacks = session_end(v.s);
	return status ? status : lacks;
}

const struct command view_command = {
	.name = "view",
	.usage = "DEVICE [-- COMMAND [ARG {}...]]",
	.summary = N_("Show the file system as if its log had been written "
		      "back"),
	.run = run_view,
	.options = view_options,
	.help = view_help,
	.writes = WRITES_ANYTHING,
	.kind = COMMAND_OPENS,
};
