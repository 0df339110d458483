/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ck_fsck.c - e2fsck's verdict on the file system as the log makes it
 */
#include <signal.h>
#include <unistd.h>

#include "ck.h"
#include "support/nls.h"
#include "support/status.h"

/* fsck's bits end here; a shell's and env's codes are beyond. */
#define FSCK_BITS	0x3f

/* What it prints is not JSON. */
static int run_with_output_aside(int argc, char **argv, bool aside)
{
	int kept = -1, status;

	if (aside) {
		kept = dup(STDOUT_FILENO);
		if (kept < 0)
			return FSCK_ERROR;
		if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
			close(kept);
			return FSCK_ERROR;
		}
	}
	status = view_command.run(&view_command, argc, argv);
	if (aside) {
		dup2(kept, STDOUT_FILENO);
		close(kept);
	}
	return status;
}

/* The view keeps signals blocked to the end of a program that is its own. */
static int judge_view(struct ck *ck)
{
	char *words[12];
	int n = 0, status;
	sigset_t before;

	words[n++] = "view";
	if (ck->s->progress.quiet)
		words[n++] = "-q";
	if (ck->s->journal_device) {
		words[n++] = "-j";
		words[n++] = ck->s->journal_device;
	}
	words[n++] = ck->s->device;
	words[n++] = "--";
	words[n++] = "e2fsck";
	words[n++] = "-fn";
	if (ck->s->geo->external) {
		words[n++] = "-j";
		words[n++] = "{journal}";
	}
	words[n++] = "{}";
	words[n] = NULL;
	sigprocmask(SIG_BLOCK, NULL, &before);
	out_flush(&ck->s->out);
	status = run_with_output_aside(n, words, ck->s->json_wanted);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

void ck_fsck(struct ck *ck)
{
	int status = judge_view(ck);

	ck->fsck_status = status;
	if (ck->s->json_wanted)
		json_u64(&ck->s->json, "fsck", status);
	if (status & ~FSCK_BITS)
		session_complain(ck->s, FSCK_ERROR,
				 _("e2fsck could not be run"));
	else if (status)
		session_complain(ck->s, status,
				 _("e2fsck -fn on the view ends with exit "
				   "status %d"), status);
}
