/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * e2lazyck.c - judge the journal of an ext4 file system, and write it back
 */
#include <stdlib.h>
#include <string.h>

#include "ck.h"
#include "session/in_use.h"
#include "session/quantities.h"
#include "support/confine.h"
#include "support/memory.h"
#include "support/nls.h"
#include "support/status.h"

/* Without --memory: a quarter of the memory. */
#define MEMORY_PART	4
/* The library's minimum for copies. */
#define LEAST_MEMORY	(1 << 20)
/* Measured band size of drive-managed shingled disks. */
#define BAND_BYTES	(30 << 20)

enum {
	OPT_CHECKPOINT = OPTION_COMMAND, OPT_PLAN, OPT_QUICK, OPT_FSCK,
	OPT_MEMORY, OPT_BAND, OPT_COMPARE, OPT_DATA, OPT_EXPLAIN, OPT_LIST,
	OPT_THROUGHPUT, OPT_STATUS, OPT_STOP, OPT_CLEAN, OPT_TIDS, OPT_BLOCKS,
	OPT_UNTIL_FREE, OPT_FORWARD, OPT_COMPACT, OPT_FREEZE, OPT_RESTORE,
	OPT_DOWNGRADE, OPT_ROOT, OPT_UNCONFINED, OPT_UNTIL, OPT_DRIVE, OPT_OK,
};

static const struct option_line ck_options[] = {
	{ OPT_CHECKPOINT, "checkpoint", NULL,
	  N_("write the log back and empty it, unless a problem\n"
	     "forbids it") },
	{ OPT_UNTIL, "until-tid", "N",
	  N_("with --checkpoint: write back the state after\n"
	     "transaction N, and drop all later ones") },
	{ OPT_CLEAN, "clean", NULL,
	  N_("write back only the oldest transactions, and free\n"
	     "them; the rest of the log stays") },
	{ OPT_TIDS, "tids", "N", N_("with --clean: free N transactions") },
	{ OPT_BLOCKS, "blocks", "N",
	  N_("with --clean: free at least N log blocks") },
	{ OPT_UNTIL_FREE, "until-free", "PERCENT",
	  N_("with --clean: until so much of the log's ring is\n"
	     "free; default: 50") },
	{ OPT_FORWARD, "forward", NULL,
	  N_("with --clean: write no block back; log the newest\n"
	     "copies again, at the end of the log") },
	{ OPT_COMPACT, "compact", NULL,
	  N_("log the newest copies again, in few transactions,\n"
	     "and free all others") },
	{ OPT_FREEZE, "freeze-ready", NULL,
	  N_("with --compact: drop the copies that are already in\n"
	     "place, so that a later replay costs least") },
	{ OPT_RESTORE, "restore-log", NULL,
	  N_("put a lost or emptied log back in force, if nothing\n"
	     "was written since") },
	{ OPT_DOWNGRADE, "downgrade", NULL,
	  N_("before another kernel boots: check, show the plan,\n"
	     "ask, save an undo file, write the log back, check\n"
	     "again, and name what is left to do; a KERNEL like\n"
	     "5.4, or a distribution like debian11, before DEVICE:\n"
	     "say which features it lacks, too") },
	{ OPT_ROOT, "root", "DIR",
	  N_("with --downgrade: read the configuration of the\n"
	     "machine below DIR") },
	{ OPT_PLAN, "plan", NULL,
	  N_("show the work and the cost of --checkpoint or\n"
	     "--clean; write nothing") },
	{ 'n', "no", NULL,
	  N_("with --checkpoint or --clean: same as --plan") },
	{ 'p', "preen", NULL, N_("write only if no problem needs an answer") },
	{ 'y', "yes", NULL, N_("assume yes to all questions") },
	{ 'z', "undo", "FILE",
	  N_("save overwritten blocks in FILE, for e2undo") },
	{ OPT_COMPARE, "verify-after", NULL,
	  N_("read all written blocks back before the log is\n"
	     "emptied") },
	{ OPT_DATA, "data-journal", NULL,
	  N_("take copies of file contents for newer ones: the\n"
	     "file system was mounted with data=journal") },
	{ OPT_STOP, "stop-at-damage", NULL,
	  N_("take only the transactions before the damage") },
	{ OPT_MEMORY, "memory", "SIZE",
	  N_("hold at most SIZE of the log in memory; default: a\n"
	     "quarter of the memory") },
	{ OPT_BAND, "band", "SIZE",
	  N_("count bands of SIZE in the plan, 0: none; default:\n"
	     "30M") },
	{ OPT_THROUGHPUT, "throughput", "RATE",
	  N_("estimate the plan's time for a device of RATE, like\n"
	     "190M (MiB a second); default: measure it") },
	{ OPT_DRIVE, "drive", "MODEL",
	  N_("the plan's times for a model of this drive, with its\n"
	     "cleaning; see mke2lazy-drives(5)") },
	{ OPT_QUICK, "quick", NULL,
	  N_("skip the contents of the copies and the owners of\n"
	     "the blocks") },
	{ OPT_FSCK, "fsck", NULL,
	  N_("let e2fsck -fn check the file system, too, as the\n"
	     "log defines it") },
	{ OPT_STATUS, "status", NULL,
	  N_("print one word: clean, sound-in-use, damaged or\nunusable") },
	{ OPT_OK, "ok", "STATE",
	  N_("exit with 0 for a sound log in this STATE: in-use") },
	{ 'v', "verbose", NULL,
	  N_("list all places of each problem") },
	{ OPT_LIST, "list", NULL, N_("list all known problems") },
	{ OPT_EXPLAIN, "explain", "ID",
	  N_("explain the problem ID and its remedy") },
	{ OPT_UNCONFINED, "unconfined", NULL,
	  N_("keep the right to write files and run programs") },
	{ 0 }
};

static void ck_help(struct out *out)
{
	ck_columns_help(out);
	out_text(out, _("\nWith --list:"));
	ck_list_columns_help(out);
	out_text(out, _("\nWithout --checkpoint, --clean or --restore-log e2lazyck never "
			"writes.\n"
			"Exit status: 0 sound and clean, 1 written back, 4 "
			"problems found or work\n"
			"pending, 8 cannot open, read or write, 16 usage, 32 "
			"cancelled.\n"));
}

/* -------------------------------------------------------- command line */

static bool choose_answers(struct ck *ck, enum ck_answers answers)
{
	if (ck->answers != CK_TERMINAL && ck->answers != answers)
		return session_wrong(ck->s, _("-n, -p and -y are mutually "
					      "exclusive"));
	ck->answers = answers;
	return true;
}

static bool take_until(struct ck *ck, const char *arg)
{
	const char *what = source_take(&ck->s->source, "until-tid", arg);

	ck->until = true;
	return !what || session_refuse(ck->s, "--until-tid", arg, _(what));
}

static bool take_ok(struct ck *ck, const char *arg)
{
	if (strcmp(arg, "in-use"))
		return session_refuse(ck->s, "--ok", arg,
				      _("in-use, the only value"));
	return ck->ok_in_use = true;
}

static bool take_option(struct ck *ck, int id, char *arg)
{
	switch (id) {
	case OPT_CHECKPOINT:
		ck->whole = ck->checkpoint = ck->s->source.writes = true;
		return true;
	case OPT_UNTIL:		return take_until(ck, arg);
	case OPT_CLEAN:
		ck->clean = ck->checkpoint = ck->s->source.writes = true;
		return true;
	case OPT_DOWNGRADE:
		ck->downgrade = ck->whole = ck->checkpoint = true;
		return ck->compare = ck->s->source.writes = true;
	case OPT_ROOT:
		return session_directory(ck->s, "--root", arg, &ck->root);
	case OPT_FORWARD:	ck->forward = true;		return true;
	case OPT_COMPACT:
		ck->compact = ck->checkpoint = ck->s->source.writes = true;
		return true;
	case OPT_FREEZE:	ck->freeze_ready = true;	return true;
	case OPT_TIDS:		return ck_want(ck, CK_TIDS, arg);
	case OPT_BLOCKS:	return ck_want(ck, CK_BLOCKS, arg);
	case OPT_UNTIL_FREE:	return ck_want(ck, CK_UNTIL_FREE, arg);
	case OPT_RESTORE:
		ck->restore = ck->s->source.writes = true;
		return geometry_parse(&ck->s->source.geometry, "auto");
	case OPT_PLAN:		ck->plan = true;		return true;
	case OPT_QUICK:		ck->quick = true;		return true;
	case OPT_FSCK:		ck->fsck = true;		return true;
	case OPT_COMPARE:	ck->compare = true;		return true;
	case OPT_DATA:		ck->data_journal = true;	return true;
	case OPT_STATUS:	ck->status = true;		return true;
	case OPT_OK:		return take_ok(ck, arg);
	case OPT_STOP:		ck->stop_at_damage = true;	return true;
	case OPT_LIST:		ck->list = true;		return true;
	case OPT_EXPLAIN:	ck->explain = arg;		return true;
	case OPT_UNCONFINED:	confine_off();			return true;
	case 'v':		ck->verbose = true;		return true;
	case 'z':		ck->undo = arg;			return true;
	case 'n':		return choose_answers(ck, CK_NO);
	case 'p':		return choose_answers(ck, CK_PREEN);
	case 'y':		return choose_answers(ck, CK_YES);
	case OPT_MEMORY:
		return session_quantity(ck->s, &quantity_memory, arg,
					&ck->memory);
	case OPT_BAND:
		return session_quantity(ck->s, &quantity_band_or_none, arg,
					&ck->band);
	case OPT_DRIVE:		return ck_take_drive(ck, arg);
	case OPT_THROUGHPUT:
		return session_quantity(ck->s, &quantity_throughput, arg,
					&ck->throughput);
	}
	return false;
}

static bool downgrade_makes_sense(struct ck *ck)
{
	if (ck->downgrade && (ck->clean || ck->compact || ck->restore ||
			      ck->status))
		return session_wrong(ck->s, _("--downgrade excludes --clean, "
					      "--compact, --restore-log and "
					      "--status"));
	return true;
}

static bool until_makes_sense(struct ck *ck)
{
	if (ck->until && ck->answers == CK_PREEN)
		return session_wrong(ck->s, _("--until-tid excludes -p: it "
					      "asks before it drops "
					      "transactions"));
	return true;
}

static bool restore_makes_sense(struct ck *ck)
{
	if (ck->checkpoint || ck->compare || ck->data_journal || ck->status ||
	    ck->fsck || ck->quick || ck->stop_at_damage)
		return session_wrong(ck->s, _("--restore-log excludes "
					      "--checkpoint, --verify-after, "
					      "--data-journal, --status, "
					      "--fsck, --quick and "
					      "--stop-at-damage"));
	if (ck->s->source.open.superblock)
		return session_wrong(ck->s, _("--restore-log needs the primary "
					      "superblock"));
	return true;
}

/* A plan or a write has a cost; a check has none, nor has --restore-log. */
static bool has_effect(struct ck *ck)
{
	struct session *s = ck->s;

	return session_needs(s, "root", ck->downgrade, "--downgrade") &&
	       session_needs(s, "forward tids blocks until-free", ck->clean,
			     "--clean") &&
	       session_needs(s, "freeze-ready", ck->compact, "--compact") &&
	       session_needs(s, "until-tid", ck->whole && !ck->downgrade,
			     "--checkpoint") &&
	       session_without(s, "--until-tid", ck->until,
			       "stop-at-damage") &&
	       session_without(s, "--restore-log", ck->restore,
			       "band throughput drive") &&
	       session_needs(s, "band throughput drive",
			     ck->checkpoint || ck->plan, "--plan") &&
	       session_without(s, "--status", ck->status,
			       "columns no-headings raw csv json-lines "
			       "verbose");
}

/*
 * A backup superblock is older than the primary one that a checkpoint writes.
 */
static bool makes_sense(struct ck *ck)
{
	if ((ck->checkpoint || ck->restore) && ck->answers == CK_NO)
		ck->plan = true;
	if (!has_effect(ck) || !downgrade_makes_sense(ck) ||
	    !until_makes_sense(ck))
		return false;
	if (ck->clean && (ck->whole || ck->stop_at_damage))
		return session_wrong(ck->s, _("--clean excludes --checkpoint "
					      "and --stop-at-damage"));
	if (ck->compact && (ck->whole || ck->clean || ck->stop_at_damage))
		return session_wrong(ck->s, _("--compact excludes "
					      "--checkpoint, --clean and "
					      "--stop-at-damage"));
	if (ck->restore)
		return restore_makes_sense(ck);
	if (!ck->checkpoint && !ck->plan &&
	    (ck->answers == CK_YES || ck->answers == CK_PREEN || ck->undo ||
	     ck->compare || ck->data_journal))
		return session_wrong(ck->s, _("-p, -y, -z, --data-journal and "
					      "--verify-after need an option "
					      "that writes, such as "
					      "--checkpoint"));
	if (ck->ok_in_use && (ck->checkpoint || ck->plan))
		return session_wrong(ck->s, _("--ok excludes --checkpoint, "
					      "--clean and --plan"));
	if (ck->status && (ck->checkpoint || ck->plan || ck->fsck))
		return session_wrong(ck->s, _("--status excludes --checkpoint, "
					      "--plan and --fsck"));
	if ((ck->checkpoint || ck->plan) && ck->quick)
		return session_wrong(ck->s, _("writing needs the owners of the "
					      "blocks, which --quick skips"));
	if ((ck->checkpoint || ck->plan) && ck->s->source.open.superblock)
		return session_wrong(ck->s, _("writing needs the primary "
					      "superblock; 'e2fsck -b' repairs "
					      "it and replays the log"));
	return true;
}

/* A table, and a text of it. */
static bool needs_no_device(struct ck *ck)
{
	return session_only(ck->s, "--explain", ck->explain,
			    "explain json color quiet progress unconfined") &&
	       session_only(ck->s, "--list", ck->list,
			    "list columns no-headings raw csv json "
			    "json-lines color quiet progress unconfined");
}

/* "--downgrade 5.4 DEVICE": the release comes before the device. */
static bool take_release(struct ck *ck)
{
	struct session *s = ck->s;

	if (s->nr_operands < 2)
		return true;
	if (!release_parse(s->operands[0], &ck->release))
		return session_wrong(s, _("--downgrade: '%s' is neither a "
					  "version of Linux, like 5.4, nor one "
					  "of %s"), s->operands[0],
				     release_names());
	ck->older = &ck->release;
	s->operands++;
	s->nr_operands--;
	return true;
}

static bool parse(struct ck *ck)
{
	char *arg;
	int id;

	while ((id = session_option(ck->s, &ck->listing, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(ck, id, arg))
			return false;
	if (ck->list || ck->explain)
		return needs_no_device(ck) && session_operands(ck->s, 0, 0);
	return session_operands(ck->s, 1, ck->downgrade ? 2 : 1) &&
	       take_release(ck) && makes_sense(ck);
}

/* ---------------------------------------------------------- what it does */

/* Report a journal that does not open like any other finding. */
static void judge_unopened(struct ck *ck)
{
	struct session *s = ck->s;

	if (!ck_find_unopened(ck))
		return;
	if (ck->status) {
		ck_print_status(ck);
		return;
	}
	if (!ck_print_findings(ck))
		return;
	if (ck->fsck)
		session_complain(s, FSCK_ERROR,
				 _("--fsck: the log cannot be read, so e2fsck "
				   "did not run"));
	if (ck->checkpoint || ck->plan)
		ck_consent(ck);
	ck_tell_findings(ck);
	ck_tell_verdict(ck);
}

/* The journal may have been found by its UUID, and it will be written to. */
static void tell_journal(struct ck *ck)
{
	if (ck->s->log->geo->external)
		session_complain(ck->s, 0, _("the journal is on %s"),
				 ck->s->log->geo->journal_device);
}

static bool judge(struct ck *ck)
{
	struct session *s = ck->s;
	bool safe = true;

	if (!session_open(s)) {
		session_warn_mounted(s);
		judge_unopened(ck);
		return false;
	}
	if (ck->checkpoint || ck->restore || ck->plan)
		tell_journal(ck);
	/* An empty log needs no undo file, and may have one already. */
	if ((ck->downgrade || ck->until) && ck_pending(ck) && !ck_name_undo(ck))
		return false;
	if (ck->checkpoint || ck->restore || ck->plan)
		safe = ck_may_write(ck) && ck_may_undo(ck);
	else
		session_warn_mounted(s);
	if (ck->undo_made && !ck->undo)
		session_complain(s, 0, _("-z FILE gives the undo file another "
					 "name"));
	if (!safe && !ck->plan)
		return false;
	ck_begin_step(ck, CK_JUDGE);
	if (!ck_look(ck) || (!ck->status && !ck_print_findings(ck)))
		return false;
	if (s->log->view && ck_wants_fsck(ck))
		ck_fsck(ck);
	else if (ck->fsck)
		session_complain(s, FSCK_ERROR,
				 _("--fsck: the superblock's newest copy is "
				   "unusable, so e2fsck did not run"));
	return !cancelled();
}

static void mend(struct ck *ck)
{
	if (!ck_pending(ck)) {
		ck_tell_findings(ck);
		ck_tell_verdict(ck);
		ck_begin_step(ck, CK_REMAINS);
		if (ck->downgrade)
			ck_tell_remains(ck);
		return;
	}
	if (!ck->s->log->view) {
		ck_tell_findings(ck);
		ck_tell_verdict(ck);
		session_complain(ck->s, FSCK_LEFT,
				 _("the superblock's newest copy is unusable, "
				   "so nothing is written back"));
		return;
	}
	if (ck->until && !ck_drops_any(ck))
		return;
	if (!ck->plan && ck_fast_waits(ck) &&
	    (!ck_consent(ck) || !ck_may_log_fast(ck) || !ck_log_fast(ck)))
		return;
	if (ck->plan && !ck_plan_fast(ck))
		return;
	if ((ck->clean || ck->compact) && !ck_find_tail(ck)) {
		ck_tell_findings(ck);
		return;
	}
	ck_plan_void(ck);
	if ((ck->forward && ck->tail.txns) || ck->compact) {
		ck_relog(ck);
	} else if (ck->downgrade) {
		ck_downgrade(ck);
	} else if (ck->plan) {
		ck_consent(ck);
		ck_could_undo(ck);
		ck_plan(ck);
		ck_tell_findings(ck);
		ck_tell_verdict(ck);
	} else if (ck_consent(ck)) {
		if (ck_plan(ck))
			ck_write_back(ck);
	}
}

static void run(struct ck *ck)
{
	if (ck->list) {
		ck_list_problems(ck);
	} else if (ck->explain) {
		ck_explain(ck);
	} else if (judge(ck)) {
		if (ck->restore) {
			ck_restore(ck);
		} else if (ck->checkpoint || ck->plan) {
			mend(ck);
		} else if (ck->status) {
			ck_print_status(ck);
		} else {
			ck_tell_findings(ck);
			ck_tell_verdict(ck);
		}
	}
}

/* A plan writes nothing, whatever it plans; --fsck runs programs. */
static bool only_looks(const struct ck *ck)
{
	bool writes = ck->s->source.writes && !ck->plan;

	return !writes && !ck->undo && !ck->fsck;
}

static int run_ck(const struct command *self, int argc, char **argv)
{
	struct ck ck = {
		.listing = { .headings = true },
		.memory = memory_there_is() / MEMORY_PART,
		.band = BAND_BYTES,
		.fsck_status = -1,
	};

	ck.s = session_begin(self, argc, argv);
	if (!ck.s)
		return FSCK_ERROR;
	ck.s->source.open.torn = true;		/* a checkpoint to finish */
	if (parse(&ck)) {
		if (ck.memory < LEAST_MEMORY)
			ck.memory = LEAST_MEMORY;
		if (only_looks(&ck))
			confine(NULL);
		run(&ck);
	}
	ck_close_undo(&ck);
	ck_free_findings(&ck);
	free(ck.undo_journal);
	free(ck.undo_made);
	/* The findings report the damage that the session knows. */
	ck.s->log->told = true;
	ck.s->judges = true;
	return session_end(ck.s);
}

static const struct command ck_command = {
	.usage = "[KERNEL] DEVICE",
	.summary = N_("Judge the journal of an ext4 file system, and write it "
		      "back"),
	.run = run_ck,
	.options = ck_options,
	.lists = true,
	.help = ck_help,
	.kind = COMMAND_MENDS,
	.writes = WRITES_ANYTHING,
	.call = "e2lazyck",
};

int main(int argc, char **argv)
{
	if (!program_begin())
		return FSCK_ERROR;
	return ck_command.run(&ck_command, argc, argv);
}
