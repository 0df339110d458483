/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * downgrade.c - e2lazyck --downgrade: the steps before another kernel boots
 *
 * Each step is one that e2lazyck has anyway: judge, plan, checkpoint, judge.
 * This file puts them in order and names the undo file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck.h"
#include "facts/spelled.h"
#include "session/names.h"
#include "support/nls.h"
#include "support/status.h"

/* e2fsprogs' name for the directory of undo files. */
#define UNDO_DIR_VARIABLE	"E2FSPROGS_UNDO_DIR"
/* A directory that outlives a boot. */
#define UNDO_DIR		"/var/tmp"

#define COMMAND_INDENT		4

/* ------------------------------------------------------------------ steps */

static const char *const steps[] = {
	[CK_JUDGE] = N_("check the log"),
	[CK_COST] = N_("the plan"),
	[CK_WRITE] = N_("write the log back"),
	[CK_JUDGE_AGAIN] = N_("check the log again"),
	[CK_REMAINS] = N_("left for you to do"),
};

void ck_begin_step(struct ck *ck, enum ck_step step)
{
	struct out *out = &ck->s->print.out;

	if (!ck->downgrade || ck->s->print.json_wanted)
		return;
	out_format(out, _("Step %d of %d: %s\n"), step + 1, CK_REMAINS + 1,
		   _(steps[step]));
	out_flush(out);
}

bool ck_name_undo(struct ck *ck)
{
	const char *directory = getenv(UNDO_DIR_VARIABLE);
	const char *slash = strrchr(ck->s->device, '/');

	if (ck->undo)
		return true;
	if (asprintf(&ck->undo_made, "%s/e2lazyck-%s.e2undo",
		     directory && *directory ? directory : UNDO_DIR,
		     slash ? slash + 1 : ck->s->device) < 0) {
		ck->undo_made = NULL;
		session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
		return false;
	}
	ck->undo = ck->undo_made;
	return true;
}

/* ------------------------------------------------------- all of it */

/* The document has its findings already. */
static void json_again(struct ck *ck)
{
	struct json *json = &ck->s->print.json;

	json_object(json, "again", JSON_SPREAD);
	json_array(json, "findings", JSON_SPREAD);
	for (size_t i = 0; i < ck->nr_problems; i++) {
		const struct e2lazy_finding *f = &ck->found[i].finding;

		if (!f->count)
			continue;
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "severity",
			    severity_name(f->problem->severity));
		json_string(json, "id", f->problem->id);
		json_u64(json, "count", f->count);
		json_end(json);
	}
	json_end(json);
	ck_json_status(ck);
	json_end(json);
}

static bool judge_again(struct ck *ck)
{
	bool good;

	ck_begin_step(ck, CK_JUDGE_AGAIN);
	good = ck_look_again(ck);
	if (good && ck->s->print.json_wanted)
		json_again(ck);
	else if (good)
		good = ck_print_findings(ck);
	if (good) {
		ck_tell_findings(ck);
		ck_tell_verdict(ck);
	}
	return good && !cancelled();
}

/* -p is a yes as long as no problem asks. */
static bool goes_on(struct ck *ck, const char *id, const char *member,
		    const char *question)
{
	return ck->answers == CK_PREEN || ck_ask(ck, id, member, question);
}

bool ck_may_log_fast(struct ck *ck)
{
	if (!ck->downgrade)
		return true;
	return (ck->s->print.json_wanted || ck_plan_fast(ck)) &&
	       goes_on(ck, "log-fast-commits", "log_fast_commits",
		       _("Add the fast commits to the log now?"));
}

static bool plan(struct ck *ck)
{
	struct out *out = &ck->s->print.out;

	if (!ck_plan(ck))
		return false;
	if (ck->undo && !ck->s->print.json_wanted) {
		out_text(out, _("Undo file: "));
		out_file_word(out, ck->undo);
		out_char(out, '\n');
	}
	return true;
}

/* The steps that are left out are the ones that write. */
static void tell_unwritten(struct ck *ck)
{
	struct out *out = &ck->s->print.out;

	if (ck->s->print.json_wanted)
		return;
	out_text(out, _("Nothing was written. To do it:\n"));
	out_spaces(out, COMMAND_INDENT);
	out_text(out, "e2lazyck");
	if (ck->root) {
		out_text(out, " --root ");
		out_file_word(out, ck->root);
	}
	if (ck->undo && !ck->undo_made) {
		out_text(out, " -z ");
		out_file_word(out, ck->undo);
	}
	spell_command(ck->s, " --downgrade", TAKES_ALL, out);
	out_char(out, '\n');
}

static void show_plan(struct ck *ck)
{
	ck_tell_findings(ck);
	ck_tell_verdict(ck);
	ck_begin_step(ck, CK_COST);
	ck_consent(ck);
	ck_could_undo(ck);
	plan(ck);
	tell_unwritten(ck);
	ck_begin_step(ck, CK_REMAINS);
	ck_tell_remains(ck);
}

void ck_downgrade(struct ck *ck)
{
	if (ck->plan) {
		show_plan(ck);
		return;
	}
	ck_begin_step(ck, CK_COST);
	if (!ck_consent(ck) || !ck_could_undo(ck) || !plan(ck) ||
	    !goes_on(ck, "write-back", "write_back",
		     _("Write the log back now?")))
		return;
	ck_begin_step(ck, CK_WRITE);
	if (!ck_write_back(ck) || cancelled() || !judge_again(ck))
		return;
	ck_begin_step(ck, CK_REMAINS);
	ck_tell_remains(ck);
}
