/* SPDX-License-Identifier: GPL-2.0-only */
/* print_rehearsed.c - what tools did to overlays of the devices, on the page */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "doctor.h"
#include "support/nls.h"
#include "support/status.h"

#define INDENT		2
#define MORE_INDENT	6
/* Lines of the page; the JSON document has all. */
#define MOST_PATHS	20
#define MOST_LINES	20

/* ------------------------------------------------------------- the running */

bool doctor_rehearses(const struct doctor *d)
{
	bool any = false;

	for (unsigned i = 0; i < NR_REHEARSED; i++)
		any |= d->rehearses[i];
	return any;
}

/* nbdkit makes its file there. */
static uint64_t half_of_free(void)
{
	const char *tmp = getenv("TMPDIR");
	struct statvfs st;

	return statvfs(tmp ? tmp : "/var/tmp", &st) ? UINT64_MAX :
	       (uint64_t)st.f_bavail * st.f_frsize / 2;
}

static bool stopped(const struct doctor *d)
{
	return cancelled() || d->s->status & FSCK_CANCELLED;
}

bool doctor_rehearse(struct doctor *d)
{
	uint64_t most = d->overlay ? d->overlay : half_of_free();
	struct progress *progress = &d->s->print.progress;

	if (!doctor_rehearses(d))
		return true;
	progress->device = d->s->operands[0];
	progress_begin(progress, PHASE_REHEARSE);
	for (unsigned i = 0; i < NR_REHEARSED && !stopped(d); i++) {
		progress_tick(progress, i, NR_REHEARSED);
		if (d->rehearses[i] &&
		    !rehearse(d->s, i, most, &d->rehearsals[i]))
			break;		/* nor would the next one */
	}
	progress_tick(progress, NR_REHEARSED, NR_REHEARSED);
	progress_end(progress);
	return !stopped(d);
}

/* --------------------------------------------------------------- the words */

static const char *const log_ids[NR_REHEARSED_LOG] = {
	[LOG_UNREADABLE] = "unreadable", [LOG_KEPT] = "kept",
	[LOG_EMPTIED] = "emptied", [LOG_WAS_EMPTY] = "was-empty",
	[LOG_REMOVED] = "removed",
};

static const char *const log_texts[NR_REHEARSED_LOG] = {
	[LOG_UNREADABLE] = N_("the journal superblock is not usable afterwards"),
	[LOG_KEPT] = N_("the log is still there"),
	[LOG_EMPTIED] = N_("the log is empty"),
	[LOG_WAS_EMPTY] = N_("the log was empty before"),
	[LOG_REMOVED] = N_("the file system has no journal afterwards"),
};

static const char *const from_ids[NR_REHEARSED_FROM] = {
	[FROM_NOTHING] = NULL, [FROM_VIEW] = "view",
	[FROM_SALVAGED] = "salvaged", [FROM_PLACE] = "in-place",
};

static const char *const from_texts[NR_REHEARSED_FROM] = {
	[FROM_NOTHING] = N_("nothing opens the file system before it runs"),
	[FROM_VIEW] = N_("before: as 'e2lazy view' shows them"),
	[FROM_SALVAGED] = N_("before: by the log that 'e2lazy salvage' finds"),
	[FROM_PLACE] = N_("before: without the log, which cannot be read"),
};

static const char *const change_ids[] = {
	[CHANGE_GONE] = "gone", [CHANGE_CHANGED] = "changed",
	[CHANGE_NEW] = "new", [CHANGE_UNREAD] = "unreadable",
};

static const char *change_id(char letter)
{
	unsigned i = (unsigned char)letter - 'a';

	return i < sizeof(change_ids) / sizeof(*change_ids) ? change_ids[i]
							    : "changed";
}

/* --------------------------------------------------------------- the text */

static void text_end(const struct rehearsed *r, enum rehearsed_tool tool,
		     struct out *out)
{
	if (r->full)
		out_text(out, _("ended: the overlay reached its limit"));
	else if (!r->ended)
		out_text(out, _("did not run"));
	else if (r->signal)
		out_format(out, _("killed by signal %d"), r->signal);
	else if (tool != REHEARSE_MOUNT)
		out_format(out, _("exit status %d"), r->status);
	else
		out_text(out, r->status ? strerror(r->status) : _("mounted"));
}

static void text_count(struct out *out, const char *label, uint64_t count)
{
	if (count)
		out_format(out, ", %llu %s", (unsigned long long)count, label);
}

static void text_blocks(const struct rehearsed *r, struct out *out)
{
	if (!r->newer)
		return;
	out_spaces(out, MORE_INDENT);
	out_format(out, P_("%lu block newer in the log",
			   "%lu blocks newer in the log",
			   (unsigned long)r->newer), (unsigned long)r->newer);
	text_count(out, _("written"), r->written);
	text_count(out, _("lost"), r->lost);
	text_count(out, _("otherwise changed"), r->other);
	out_char(out, '\n');
}

static void text_files(const struct rehearsed *r, struct out *out)
{
	out_spaces(out, MORE_INDENT);
	out_format(out, _("%llu files and directories before, %llu after: %llu "
			  "the same"), (unsigned long long)r->before,
		   (unsigned long long)r->after, (unsigned long long)r->same);
	text_count(out, _("gone"), r->gone);
	text_count(out, _("changed"), r->changed);
	text_count(out, _("new"), r->made);
	text_count(out, _("unreadable"), r->unread);
	out_char(out, '\n');
	if (r->from == FROM_VIEW)
		return;
	out_spaces(out, MORE_INDENT);
	out_text(out, _(from_texts[r->from]));
	out_char(out, '\n');
}

/* Returns the place behind the last one. */
static const char *text_paths(const struct rehearsal *h, struct out *out)
{
	const char *at = h->text;

	for (uint64_t i = 0; i < h->r.listed; i++, at += strlen(at) + 1) {
		if (i >= MOST_PATHS)
			continue;
		out_spaces(out, MORE_INDENT);
		out_left(out, _(change_id(*at)), 8);
		out_char(out, ' ');
		out_printable(out, *at ? at + 1 : at, ' ');
		out_char(out, '\n');
	}
	if (h->r.listed > MOST_PATHS) {
		out_spaces(out, MORE_INDENT);
		out_text(out, _("... --json lists more\n"));
	}
	return at;
}

static void text_said(const char *at, struct out *out)
{
	for (unsigned i = 0; *at && i < MOST_LINES; i++) {
		size_t length = strcspn(at, "\n");

		out_spaces(out, MORE_INDENT);
		out_text(out, "| ");
		out_printable_bytes(out, at, length, ' ');
		out_char(out, '\n');
		at += length + (at[length] == '\n');
	}
	if (*at) {
		out_spaces(out, MORE_INDENT);
		out_text(out, _("... --json has the rest\n"));
	}
}

static void text_rehearsal(const struct rehearsal *h, struct out *out)
{
	const struct rehearsed *r = &h->r;
	const char *said;

	out_spaces(out, INDENT);
	out_left(out, rehearsed_command(h->tool), 12);
	text_end(r, h->tool, out);
	if (r->compared)
		out_format(out, "; %s", _(log_texts[r->log]));
	out_char(out, '\n');
	if (r->compared) {
		text_blocks(r, out);
		text_files(r, out);
	} else if (r->ended) {
		out_spaces(out, MORE_INDENT);
		out_format(out, "%s\n", r->from == FROM_NOTHING ?
			   _(from_texts[FROM_NOTHING]) :
			   _("the files could not be compared"));
	}
	said = text_paths(h, out);
	text_said(said, out);
}

static void text_all(const struct doctor *d, struct out *out)
{
	bool any = false;

	for (unsigned i = 0; i < NR_REHEARSED; i++) {
		if (!d->rehearsals[i].done)
			continue;
		if (!any)
			out_heading(out, _("Rehearsed on overlays (nbdkit's "
					   "cow, nbdfuse): nothing changed"));
		any = true;
		text_rehearsal(&d->rehearsals[i], out);
	}
}

/* --------------------------------------------------------------- the JSON */

static void json_blocks(const struct rehearsed *r, struct json *json)
{
	json_object(json, "blocks", JSON_INLINE);
	json_u64(json, "newer", r->newer);
	json_u64(json, "written", r->written);
	json_u64(json, "lost", r->lost);
	json_u64(json, "otherwise", r->other);
	json_end(json);
}

static void json_files(const struct rehearsed *r, struct json *json)
{
	json_object(json, "files", JSON_INLINE);
	json_u64(json, "before", r->before);
	json_u64(json, "after", r->after);
	json_u64(json, "same", r->same);
	json_u64(json, "gone", r->gone);
	json_u64(json, "changed", r->changed);
	json_u64(json, "new", r->made);
	json_u64(json, "unreadable", r->unread);
	json_end(json);
}

static const char *json_paths(const struct rehearsal *h, struct json *json)
{
	const char *at = h->text;

	json_array(json, "changes", JSON_SPREAD);
	for (uint64_t i = 0; i < h->r.listed; i++, at += strlen(at) + 1) {
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "what", change_id(*at));
		json_string(json, "path", *at ? at + 1 : at);
		json_end(json);
	}
	json_end(json);
	return at;
}

static void json_said(const char *at, struct json *json)
{
	json_array(json, "messages", JSON_SPREAD);
	while (*at) {
		size_t length = strcspn(at, "\n");
		char *line = strndup(at, length);

		json_string(json, NULL, line);
		free(line);
		at += length + (at[length] == '\n');
	}
	json_end(json);
}

static void json_rehearsal(const struct rehearsal *h, struct json *json)
{
	const struct rehearsed *r = &h->r;
	bool mounts = h->tool == REHEARSE_MOUNT;
	const char *said;

	json_object(json, NULL, JSON_SPREAD);
	json_string(json, "command", rehearsed_command(h->tool));
	json_string(json, "mechanism", mounts ? "nbdkit-cow nbdfuse loop" :
						"nbdkit-cow nbdfuse");
	json_bool(json, "ended", r->ended);
	json_bool(json, "overlay_full", r->full);
	json_u64(json, "overlay_bytes", r->overlay);
	json_known(json, mounts ? "errno" : "exit_status",
		   r->ended && !r->signal, (unsigned)r->status);
	json_known(json, "signal", r->signal, (unsigned)r->signal);
	json_string(json, "log", r->compared ? log_ids[r->log] : NULL);
	json_string(json, "before_from", from_ids[r->from]);
	if (r->compared) {
		json_blocks(r, json);
		json_files(r, json);
	}
	said = json_paths(h, json);
	json_said(said, json);
	json_end(json);
}

void doctor_print_rehearsed(const struct doctor *d)
{
	struct json *json = print_json(&d->s->print);

	if (!json) {
		text_all(d, &d->s->print.out);
		return;
	}
	if (!doctor_rehearses(d))
		return;
	json_array(json, "rehearsals", JSON_SPREAD);
	for (unsigned i = 0; i < NR_REHEARSED; i++)
		if (d->rehearsals[i].done)
			json_rehearsal(&d->rehearsals[i], json);
	json_end(json);
}
