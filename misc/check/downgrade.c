/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * downgrade.c - e2lazyck --downgrade: the steps before another kernel boots
 *
 * Each step is one that e2lazyck has anyway: judge, plan, checkpoint, judge.
 * This file puts them in order, names the undo file, and says what the log
 * itself does not have: options of mounts, and the mark in the superblock.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck.h"
#include "facts/machine.h"
#include "facts/spelled.h"
#include "map/super.h"
#include "session/names.h"
#include "support/nls.h"
#include "support/status.h"

/* e2fsprogs' name for the directory of undo files. */
#define UNDO_DIR_VARIABLE	"E2FSPROGS_UNDO_DIR"
/* A directory that outlives a boot. */
#define UNDO_DIR		"/var/tmp"

#define REST_INDENT		2
#define REST_WIDTH		74

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

/* ---------------------------------------------------------- what is left */

static bool is_marked(const struct ck *ck)
{
	ext2_filsys fs = e2lazy_static_fs(ck->s->log->journal);

	return super_has_option(fs->super, SUPER_LAZY);
}

static bool is_of_options(const struct habit *h)
{
	return !strcmp(h->id, HABIT_LAZY_ROOT) ||
	       !strcmp(h->id, HABIT_LAZY_MOUNT);
}

static void begin_item(struct out *out, const char *text)
{
	out_spaces(out, REST_INDENT);
	out_wrapped(out, text, REST_INDENT, REST_WIDTH);
}

/* A command for the shell. */
static void print_command(struct ck *ck, const char *command, enum takes takes)
{
	struct out *out = &ck->s->print.out;

	out_spaces(out, 2 * REST_INDENT);
	spell_command(ck->s, command, takes, out);
	out_char(out, '\n');
}

/* An empty log needs no undo file, whether -z names one or not. */
static bool has_undo(struct ck *ck)
{
	return ck->plan ? ck->undo && ck_pending(ck) : ck->undoable;
}

/* e2undo compares the superblock, which each of these programs changes. */
static void print_undo(struct ck *ck)
{
	if (!has_undo(ck))
		return;
	begin_item(&ck->s->print.out,
		   _("The undo file fits only until the next write: e2fsck -f, "
		     "tune2fs and a mount for writing end it, and e2undo -f "
		     "would then mix old blocks with new ones. So keep a copy "
		     "of the device. Look first; this writes nothing:"));
	print_command(ck, "e2fsck -fn", TAKES_JOURNAL);
}

static void print_mark(struct ck *ck)
{
	if (!is_marked(ck))
		return;
	begin_item(&ck->s->print.out,
		   _("The superblock has journal_lazy. This clears all its "
		     "mount options:"));
	print_command(ck, "tune2fs -E mount_opts=", TAKES_OFFSET);
}

static void print_options(struct ck *ck, const struct machine *m)
{
	struct out *out = &ck->s->print.out;
	bool any = false;

	for (size_t i = 0; i < m->count; i++) {
		const struct habit *h = &m->habits[i];

		if (!is_of_options(h))
			continue;
		any = true;
		habit_text(h, 2 * REST_INDENT, REST_WIDTH, out);
	}
	if (!any)
		begin_item(out, _("No mount option journal_lazy was found in "
				  "/etc/fstab or on the kernel's command line; "
				  "look into units and scripts of your own."));
}

static void json_remains(struct ck *ck, const struct machine *m)
{
	struct json *json = &ck->s->print.json;

	json_object(json, "remains", JSON_SPREAD);
	json_bool(json, "lazy_marker", is_marked(ck));
	json_array(json, "mount_options", JSON_SPREAD);
	for (size_t i = 0; i < m->count; i++) {
		if (!is_of_options(&m->habits[i]))
			continue;
		json_object(json, NULL, JSON_INLINE);
		habit_json(&m->habits[i], json);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

void ck_tell_remains(struct ck *ck)
{
	ext2_filsys fs = e2lazy_static_fs(ck->s->log->journal);
	struct machine m = { .root = ck->root ? ck->root : "" };
	struct out *out = &ck->s->print.out;

	machine_names(&m, ck->s->device, fs->super);
	machine_look(&m);
	ck_begin_step(ck, CK_REMAINS);
	if (ck->s->print.json_wanted) {
		json_remains(ck, &m);
	} else {
		print_undo(ck);
		print_mark(ck);
		print_options(ck, &m);
		begin_item(out, _("Check the whole file system, as before any "
				  "other kernel:"));
		print_command(ck, "e2fsck -f", TAKES_JOURNAL);
	}
	machine_free(&m);
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
	out_spaces(out, 2 * REST_INDENT);
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
	if (ck_write_back(ck) && !cancelled() && judge_again(ck))
		ck_tell_remains(ck);
}
