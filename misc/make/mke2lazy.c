/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mke2lazy.c - make an ext4 file system whose journal suits the drive
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "e2lazy_model.h"
#include "make.h"
#include "session/drive_list.h"
#include "session/quantities.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

enum {
	OPT_THROUGHPUT = OPTION_COMMAND, OPT_TIMER, OPT_DRIVE, OPT_BAND,
	OPT_BANDS, OPT_POLICY, OPT_PROFILE, OPT_JOURNAL, OPT_LIVE, OPT_MARK,
	OPT_SYSROOT, OPT_LIST, OPT_SIMULATE, OPT_KERNEL, OPT_LIKE, OPT_TRACE,
	OPT_STREAMING,
};

static const struct option_line make_options[] = {
	{ 'n', "no", NULL, N_("print the plan and write nothing") },
	{ OPT_THROUGHPUT, "throughput", "RATE",
	  N_("throughput of the drive, like 190M (MiB a second);\n"
	     "default: measure it") },
	{ OPT_TIMER, "dirty-timer", "TIME",
	  N_("longest time that a block stays dirty, like 30s;\n"
	     "default: the kernel's") },
	{ OPT_POLICY, "policy", "WHICH",
	  N_("paper (RATE x TIME, the default) or strict (adds the\n"
	     "kernel's reserves)") },
	{ OPT_KERNEL, "kernel", "KERNEL",
	  N_("stock (the default), or lazy: size the journal by live\n"
	     "metadata, too; --mark implies it") },
	{ OPT_LIVE, "live", "SIZE",
	  N_("measured size of the live set") },
	{ OPT_LIKE, "like", "DEVICE",
	  N_("a lazy journal for as many inodes and directories as\n"
	     "this file system has") },
	{ OPT_TRACE, "trace", "FILE",
	  N_("a lazy journal for the transactions of this trace") },
	{ OPT_JOURNAL, "journal-size", "SIZE",
	  N_("size of the journal, instead of a computed one") },
	{ OPT_DRIVE, "drive", "KIND",
	  N_("kind of the drive: cmr, dm-smr, zoned, auto, or a model\n"
	     "of mke2lazy-drives(5) like ST8000AS0002") },
	{ OPT_PROFILE, "profile", "NAME", N_("layout profile; --list shows "
					     "all") },
	{ OPT_LIST, "list", NULL, N_("list the profiles") },
	{ OPT_SIMULATE, "simulate", "WORK",
	  N_("compare the profiles at work: makedirs, postmark,\n"
	     "untar; write nothing to DEVICE") },
	{ OPT_STREAMING, "probe-streaming", NULL,
	  N_("overwrite a part of DEVICE, and find from which length on\n"
	     "it streams a write past its cache") },
	{ OPT_BAND, "band", "SIZE", N_("size of a band; default: 30M") },
	{ OPT_BANDS, "bands", "HOW",
	  N_("count bands like the paper, exactly, or both") },
	{ OPT_MARK, "mark", NULL,
	  N_("set mount_opts=journal_lazy in the superblock") },
	{ 'F', "force", NULL, N_("pass -F to mke2fs") },
	{ 'z', "undo", "FILE", N_("save overwritten blocks in FILE, for "
				  "e2undo") },
	{ OPT_SYSROOT, "sysroot", "DIR",
	  N_("read sysfs and /proc below DIR, for tests; with -n") },
	{ 'q', "quiet", NULL, N_("print errors only, as mke2fs -q does") },
	{ 0 }
};

static void make_help(struct out *out)
{
	out_text(out, _("\nDEVICE is a block device or a file. SIZE has a "
			"unit, like 8T; default: the whole\n"
			"device. Options for mke2fs follow '--'.\n"
			"Exit status: 0 made as planned, 4 made otherwise, 8 "
			"not made, 16 usage, 32\n"
			"cancelled.\n"));
}

/* -------------------------------------------------------- command line */

/* The index of @arg in a list of words that ends with NULL, or a refusal. */
static bool choose(struct make *m, const char *option, const char *arg,
		   const char *const *words, const char *what, int *chosen)
{
	for (*chosen = 0; words[*chosen]; ++*chosen)
		if (!strcmp(words[*chosen], arg))
			return true;
	return session_refuse(m->s, option, arg, what);
}

static const char *const drive_words[] = {
	[MAKE_AUTO] = "auto",
	[MAKE_CMR] = "cmr",
	[MAKE_DM_SMR] = "dm-smr",
	[MAKE_ZONED] = "zoned",
	NULL
};

static bool is_drive(const char *arg)
{
	const char *const *word = drive_words;

	while (*word && strcmp(*word, arg))
		word++;
	return *word;
}

/* False if the list of drives has no parameters for a model @arg. */
static bool find_model(struct make *m, const char *arg)
{
	struct e2lazy_params params;
	unsigned line = 0;
	char *list = NULL;
	bool found;

	found = drive_list(&list) && list &&
		!e2lazy_drive_params(list, arg, &params, &line);
	free(list);
	if (!found)
		return false;
	m->model = arg;
	m->model_rate = params.value[E2LAZY_PARAM_RATE_OUTER];
	m->choice = params.value[E2LAZY_PARAM_KIND] ==
		    E2LAZY_MODEL_CONVENTIONAL ? MAKE_CMR :
		    params.value[E2LAZY_PARAM_KIND] ==
		    E2LAZY_MODEL_ZONE_CACHE || !strcmp(arg, "dm-zoned") ?
		    MAKE_ZONED : MAKE_DM_SMR;
	return true;
}

/* The names of drives and of profiles are alike: dm-smr and smr-dm. */
static bool choose_drive(struct make *m, const char *arg)
{
	int chosen;

	if (!is_drive(arg) && find_model(m, arg))
		return true;
	if (!is_drive(arg) && profile_find(arg))
		return session_wrong(m->s, _("--drive: '%s' is a --profile; "
					     "drives are cmr, dm-smr, zoned "
					     "and auto"), arg);
	if (!choose(m, "--drive", arg, drive_words,
		    _("cmr, dm-smr, zoned, auto or a model of "
		      "mke2lazy-drives(5)"), &chosen))
		return false;
	m->choice = chosen;
	return true;
}

static bool choose_policy(struct make *m, const char *arg)
{
	static const char *const words[] = {
		[E2LAZY_SIZE_PAPER] = "paper",
		[E2LAZY_SIZE_STRICT] = "strict",
		NULL
	};
	int chosen;

	if (!choose(m, "--policy", arg, words, _("paper or strict"), &chosen))
		return false;
	m->policy = chosen;
	return true;
}

static bool choose_kernel(struct make *m, const char *arg)
{
	static const char *const words[] = {
		[MAKE_STOCK] = "stock",
		[MAKE_LAZY] = "lazy",
		NULL
	};
	int chosen;

	if (!choose(m, "--kernel", arg, words, _("stock or lazy"), &chosen))
		return false;
	m->kernel = chosen;
	m->kernel_given = true;
	return true;
}

static bool choose_bands(struct make *m, const char *arg)
{
	static const char *const words[] = { "paper", "exact", "both", NULL };
	static const unsigned shown[] = {
		BANDS_PAPER, BANDS_EXACT, BANDS_PAPER | BANDS_EXACT,
	};
	int chosen;

	if (!choose(m, "--bands", arg, words, _("paper, exact or both"),
		    &chosen))
		return false;
	m->shown_bands = shown[chosen];
	return true;
}

static bool choose_profile(struct make *m, const char *arg)
{
	m->wanted = profile_find(arg);
	if (!m->wanted && is_drive(arg))
		return session_wrong(m->s, _("--profile: '%s' is a --drive; "
					     "--list shows the profiles"),
				     arg);
	return m->wanted || session_refuse(m->s, "--profile", arg,
					   _("a profile that --list shows"));
}

/*
 * The target of the argument and its bounds; @own is false for other options.
 */
static bool take_quantity(struct make *m, int id, const char *arg, bool *own)
{
	const struct {
		int		id;
		const struct quantity *quantity;
		uint64_t	*value;
	} all[] = {
		{ OPT_THROUGHPUT, &quantity_throughput, &m->given_throughput },
		{ OPT_TIMER, &quantity_timer, &m->given_timer },
		{ OPT_BAND, &quantity_band, &m->band },
		{ OPT_LIVE, &quantity_live, &m->live },
		{ OPT_JOURNAL, &quantity_journal, &m->given_journal },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].id == id)
			return session_quantity(m->s, all[i].quantity, arg,
						all[i].value);
	*own = false;
	return true;
}

static bool take_option(struct make *m, int id, char *arg)
{
	bool own = true;

	if (!take_quantity(m, id, arg, &own))
		return false;
	if (own)
		return true;
	switch (id) {
	case 'n':		m->dry = true;			return true;
	case 'F':		m->force = true;		return true;
	case 'z':		m->undo = arg;			return true;
	case OPT_MARK:		m->mark = true;			return true;
	case OPT_LIST:		m->list = true;			return true;
	case OPT_STREAMING:	m->streaming = true;		return true;
	case OPT_SYSROOT:	m->sysroot = arg;		return true;
	case OPT_DRIVE:		return choose_drive(m, arg);
	case OPT_POLICY:	return choose_policy(m, arg);
	case OPT_KERNEL:	return choose_kernel(m, arg);
	case OPT_LIKE:		m->like = arg;			return true;
	case OPT_TRACE:		m->trace = arg;			return true;
	case OPT_PROFILE:	return choose_profile(m, arg);
	case OPT_BANDS:		return choose_bands(m, arg);
	case OPT_SIMULATE:	return make_choose_work(m, arg);
	}
	return false;
}

/* A bare number is ambiguous: mke2lazy counts bytes, mke2fs KiB. */
static bool take_size(struct make *m, const char *arg)
{
	uint64_t bytes, page = sysconf(_SC_PAGESIZE);

	if (parse_number(arg, UINT64_MAX, &bytes))
		return session_refuse(m->s, "SIZE", arg,
				      _("a size with a unit, like 500G"));
	if (!session_quantity(m->s, &quantity_device, arg, &bytes))
		return false;
	m->size = bytes - bytes % page;
	return true;
}

/* Each profile gets the same journal, and what else it asks for. */
static bool makes_sense(struct make *m)
{
	if (m->work && m->planning)
		return session_wrong(m->s, _("of mke2lazy's own options, only "
					     "--drive goes with --simulate"));
	if (!session_needs(m->s, "sysroot", m->dry, "-n") ||
	    !session_without(m->s, "--journal-size", m->given_journal,
			     "policy"))
		return false;
	if (m->mark && !m->kernel_given)
		m->kernel = MAKE_LAZY;
	if (!session_needs(m->s, "like", m->kernel == MAKE_LAZY,
			   "--kernel lazy") ||
	    !session_needs(m->s, "trace", m->kernel == MAKE_LAZY,
			   "--kernel lazy"))
		return false;
	if (!!m->live + !!m->like + !!m->trace > 1)
		return session_wrong(m->s, _("--live, --like and --trace are "
					     "mutually exclusive"));
	if (m->live && m->given_journal)
		return session_wrong(m->s, _("--journal-size and --live are "
					     "mutually exclusive"));
	return true;
}

static bool parse(struct make *m, int passed, char **words)
{
	struct listing none;
	struct session *s = m->s;
	char *arg;
	int id;

	while ((id = session_option(s, &none, &arg)) != OPTION_END) {
		if (id == OPTION_BAD || !take_option(m, id, arg))
			return false;
		m->planning |= id != OPT_DRIVE && id != OPT_SIMULATE &&
			       id != OPT_SYSROOT;
	}
	m->planning |= passed > 0;
	if (m->list)
		return session_only(s, "--list", true, "list json color quiet") &&
		       session_operands(s, 0, 0);
	if (m->streaming)
		return session_only(s, "--probe-streaming", true,
				    "probe-streaming force json color quiet") &&
		       session_operands(s, 1, 1);
	return session_operands(s, 1, 2) &&
	       (s->nr_operands < 2 || take_size(m, s->operands[1])) &&
	       makes_sense(m) && (!passed || make_take_passed(m, passed, words));
}

/* ---------------------------------------------------------- what it does */

/* Below another root a device is only a name. */
static bool find_device(struct make *m)
{
	struct session *s = m->s;

	m->device = m->sysroot ? strdup(s->operands[0])
			       : device_resolve(s->operands[0], 0, true);
	if (!m->device) {
		if (m->sysroot)
			session_fail(s, EXT2_ET_NO_MEMORY, NULL);
		s->status |= FSCK_ERROR;
	}
	s->print.progress.device = s->device = m->device;
	return m->device;
}

static bool fits(struct make *m)
{
	char size[SIZE_TEXT];

	if (!make_bytes(m)) {
		session_complain(m->s, FSCK_ERROR,
				 _("cannot determine its size; give a size"));
		return false;
	}
	if (!m->drive.bytes || m->size <= m->drive.bytes)
		return true;
	size_text(size, m->drive.bytes);
	session_complain(m->s, FSCK_ERROR, _("it has only %s"), size);
	return false;
}

static bool print_plan(struct make *m)
{
	const struct print *print = &m->s->print;
	bool unasked = print->progress.quiet && !m->dry && !print->json_wanted;

	return unasked || make_print(m);
}

/* tune2fs cuts a name at '?', and would mark another file. */
static bool can_mark(struct make *m)
{
	if (!m->mark || !strchr(m->s->device, '?'))
		return true;
	session_complain(m->s, FSCK_ERROR,
			 _("--mark: tune2fs takes the part of a name behind "
			   "'?' for options"));
	return false;
}

/* A plan of a device in use is possible; the use is reported. */
static void run(struct make *m)
{
	bool safe;

	if (!find_device(m) || !can_mark(m))
		return;
	status_catch_signals();
	print_colors(&m->s->print);
	if (!make_probe(m))
		return;
	if (m->streaming) {
		make_probe_streaming(m);
		return;
	}
	if (m->work) {
		if (fits(m) && make_choose_profile(m) && make_check_config(m))
			make_simulate(m);
		return;
	}
	safe = m->sysroot || make_may_write(m);
	if ((!safe && !m->dry) || !fits(m) || !make_choose_profile(m) ||
	    !make_plan(m) || cancelled() || !print_plan(m))
		return;
	if (!m->dry && !out_flush(&m->s->print.out) && make_still_same(m) &&
	    make_run(m))
		make_verify(m);
}

static void free_make(struct make *m)
{
	make_free_passed(&m->passed);
	make_layout_free(&m->layout);
	free(m->config);
	words_free(&m->command);
	words_free(&m->marking);
	free(m->device);
}

/* Hide the words behind "--" from getopt, which would permute them. */
static int count_own(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return i;
	return argc;
}

static int run_make(const struct command *self, int argc, char **argv)
{
	struct make m = {
		.shown_bands = BANDS_PAPER | BANDS_EXACT,
	};
	int own = count_own(argc, argv), status;
	/* getopt stops at a NULL, which argv has at its end. */
	char **words = argv + own, *mark = argv[own];

	argv[own] = NULL;
	m.s = session_begin(self, own, argv);
	if (!m.s)
		return FSCK_ERROR;
	argv[own] = mark;
	if (parse(&m, argc - own, words)) {
		if (m.list)
			make_list_profiles(&m);
		else
			run(&m);
	}
	status = session_end(m.s);
	free_make(&m);
	return status;
}

static const struct command make_command_line = {
	.usage = "DEVICE [SIZE] [-- MKE2FS-OPTIONS]",
	.summary = N_("Make an ext4 file system whose journal and layout suit "
		      "the drive"),
	.run = run_make,
	.options = make_options,
	.help = make_help,
	.kind = COMMAND_MAKES,
	.writes = WRITES_ANYTHING,
	.call = "mke2lazy",
};

int main(int argc, char **argv)
{
	if (!program_begin())
		return FSCK_ERROR;
	return make_command_line.run(&make_command_line, argc, argv);
}
