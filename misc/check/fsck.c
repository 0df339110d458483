/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fsck.c - e2fsck's verdict on the file system as the log defines it
 */
#include <signal.h>
#include <unistd.h>

#include "ck.h"
#include "support/nls.h"
#include "support/status.h"
#include "session/child.h"

/* The bits of fsck end here; a shell and env use larger codes. */
#define FSCK_BITS	0x3f

/* The output of e2fsck is not JSON, so it goes to stderr. */
static int run_with_output_aside(int argc, char **argv, bool aside, int *ran)
{
	struct command view = view_command;
	int kept = -1, status;

	view.called = true;
	view.ran = ran;
	if (aside) {
		kept = dup(STDOUT_FILENO);
		if (kept < 0)
			return FSCK_ERROR;
		if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
			close(kept);
			return FSCK_ERROR;
		}
	}
	status = view.run(&view, argc, argv);
	if (aside) {
		dup2(kept, STDOUT_FILENO);
		close(kept);
	}
	return status;
}

/*
 * Pass the options that select the log and the superblock.  e2fsck itself
 * needs no -b: the view has a new primary superblock.
 */
static void add_looks(const struct ck *ck, struct words *words)
{
	const struct session *s = ck->s;

	words_add(words, "view");
	/* The file system must be the one that the checkpoint writes. */
	if (judge_flags(ck) & E2LAZY_JMAP_BEHIND)
		words_add(words, "--behind-damage");
	if (s->print.progress.quiet)
		words_add(words, "-q");
	if (s->log->journal_device)
		words_add(words, "--journal=%s", s->log->journal_device);
	source_words(&s->source, "--", words);
	/* The command follows the first "--". */
	words_add(words, *s->device == '-' ? "./%s" : "%s", s->device);
}

/*
 * The view blocks signals until its program ends; restore them here.  Returns its
 * status, and in @ran that of e2fsck; -1: it did not run.
 */
static int judge_view(struct ck *ck, int *ran)
{
	struct words words = { .count = 0 };
	int status = FSCK_ERROR;
	sigset_t before;

	*ran = -1;
	add_looks(ck, &words);
	words_list(&words, "--", "e2fsck", "-fn", NULL);
	if (ck->s->log->geo->external) {
		words_list(&words, "-j", "{journal}", NULL);
	}
	words_add(&words, "{}");
	sigprocmask(SIG_BLOCK, NULL, &before);
	out_flush(&ck->s->print.out);
	if (words.failed)
		session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
	else
		status = run_with_output_aside(words.count, words.at,
					       ck->s->print.json_wanted, ran);
	sigprocmask(SIG_SETMASK, &before, NULL);
	words_free(&words);
	return status;
}

/*
 * Copies that prove their own place make a mixture: before the question about
 * them the user must know what it costs.  -p does not ask.
 */
bool ck_wants_fsck(struct ck *ck)
{
	return ck->fsck || (ck->whole && !ck->plan &&
			    ck->answers != CK_PREEN && !ck_is_refused(ck) &&
			    ck_found_of(ck, "tag-recovered"));
}

void ck_fsck(struct ck *ck)
{
	int status, view = judge_view(ck, &status);

	/* The view opened the device by its name, which may have changed. */
	if (e2lazy_unchanged(ck->s->log->journal, NULL) == E2LAZY_ET_CHANGED)
		session_complain(ck->s, FSCK_ERROR,
				 _("--fsck: the device changed meanwhile, so "
				   "e2fsck may have seen another state"));
	ck->fsck_status = status < 0 ? FSCK_ERROR : status;
	if (ck->s->print.json_wanted)
		json_known(&ck->s->print.json, "fsck", status >= 0,
			   (unsigned)status);
	if (status < 0)
		session_complain(ck->s, view & FSCK_CANCELLED ? view : FSCK_ERROR,
				 _("--fsck: the view was not shown, so e2fsck "
				   "did not run"));
	else if (status & ~FSCK_BITS)
		session_complain(ck->s, FSCK_ERROR, _("cannot run e2fsck"));
	else if (status)
		session_complain(ck->s, status,
				 _("e2fsck -fn on the view ends with exit "
				   "status %d"), status);
}
