/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verdict.c - the state of the log: as a word, as a line, and as the exit
 * status
 */
#include <stdio.h>
#include <stdlib.h>

#include "ck.h"
#include "facts/newer.h"
#include "map/super.h"
#include "session/names.h"
#include "support/nls.h"
#include "support/status.h"

/* A journal that does not open has one finding, which tells why. */
static enum e2lazy_status ck_status(const struct ck *ck)
{
	enum e2lazy_status status = E2LAZY_CLEAN;

	if (ck->verdict)
		return e2lazy_verdict_status(ck->verdict);
	for (size_t i = 0; i < ck->nr_problems; i++) {
		const struct e2lazy_finding *f = &ck->found[i].finding;

		if (f->count && f->problem->status > status)
			status = f->problem->status;
	}
	return status;
}

/* ---------------------------------------------------------------- a line */

/* The exit status is 0, so this line is no complaint. */
static void print_sound(struct ck *ck, const char *text)
{
	struct out *out = &ck->s->print.out;

	if (ck->s->print.json_wanted || ck->status || ck->listing.raw)
		return;
	out_printable(out, ck->s->device, ' ');
	out_format(out, ": %s\n", text);
}

static void tell(struct ck *ck, bool sound, const char *text)
{
	if (sound && ck->ok_in_use)
		print_sound(ck, text);
	else
		session_complain(ck->s, FSCK_LEFT, "%s", text);
}

static void tell_newer(struct ck *ck, bool sound, unsigned long live)
{
	const struct opened *log = ck->s->log;
	char *newer, *text = NULL;

	if (!live) {
		tell(ck, sound, sound ?
		     _("the log is sound and in use; no block is newer in the "
		       "log than in place") :
		     _("the log is damaged; no block is newer in the log than "
		       "in place"));
		return;
	}
	newer = newer_text(live, newer_super(log->map, log->geo->blocksize));
	if (newer && asprintf(&text, sound ?
			      _("the log is sound and in use; %s") :
			      _("the log is damaged; %s"), newer) < 0)
		text = NULL;
	if (text)
		tell(ck, sound, text);
	else
		session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
	free(newer);
	free(text);
}

/* Blocks that are as new in place, which a checkpoint leaves alone unasked. */
static unsigned long left_alone(const struct ck *ck)
{
	unsigned long blocks = 0;

	for (size_t i = 0; i < ck->nr_problems; i++) {
		const struct e2lazy_finding *f = &ck->found[i].finding;

		if (f->count && f->problem->consent == E2LAZY_GO &&
		    f->problem->effect == E2LAZY_EFFECT_LEAVE_OUT)
			blocks += f->count;
	}
	return blocks;
}

/* Then a log in use is no sign of a crash. */
static void tell_lazy(struct ck *ck)
{
	struct e2lazy_journal *journal = ck->s->log->journal;

	if (!journal || !e2lazy_geometry(journal)->start)
		return;
	if (opened_is_mixed(ck->s->log))
		session_complain(ck->s, 0,
				 _("a kernel with journal_lazy recorded this "
				   "log, but another one wrote transaction %u; "
				   "the next mount with journal_lazy replays the "
				   "log"), ck->s->log->stats->first_unmarked);
	else if (e2lazy_geometry(journal)->lazy_record == E2LAZY_RECORD_FITS)
		session_complain(ck->s, 0,
				 _("a kernel with journal_lazy leaves this log "
				   "in use on purpose"));
	else if (super_has_option(e2lazy_static_fs(journal)->super, SUPER_LAZY))
		session_complain(ck->s, 0,
				 _("the superblock has journal_lazy: a kernel "
				   "with this option leaves the log in use on "
				   "purpose"));
}

void ck_tell_verdict(struct ck *ck)
{
	const struct e2lazy_jmap *map = ck->s->log->map;
	enum e2lazy_status status = ck_status(ck);
	unsigned long live = map ? e2lazy_jmap_count(map) : 0;
	unsigned long home = ck->home.blocks, apart = home + left_alone(ck);

	live -= apart < live ? apart : live;
	switch (status) {
	case E2LAZY_CLEAN:
		print_sound(ck, _("the log is clean; no block is newer in the "
				  "log than in place"));
		break;
	case E2LAZY_SOUND_IN_USE:
	case E2LAZY_DAMAGED:
		tell_newer(ck, status == E2LAZY_SOUND_IN_USE, live);
		break;
	case E2LAZY_UNUSABLE:
		session_complain(ck->s, FSCK_LEFT,
				 _("the log is unusable; nothing in it can be "
				   "written back"));
		break;
	}
	if (home)
		session_complain(ck->s, 0,
				 P_("%lu more block is already in place",
				    "%lu more blocks are already in place",
				    home), home);
	tell_lazy(ck);
}

/* --------------------------------------------------------------- a word */

void ck_json_status(struct ck *ck)
{
	json_string(&ck->s->print.json, "verdict", status_name(ck_status(ck)));
}

void ck_print_status(struct ck *ck)
{
	struct session *s = ck->s;

	if (s->print.json_wanted) {
		session_document(s);
		ck_json_status(ck);
	} else {
		out_format(&s->print.out, "%s\n", status_name(ck_status(ck)));
	}
	ck_tell_verdict(ck);
}

/* ------------------------------------------------------ how much is wrong */

void ck_tell_findings(struct ck *ck)
{
	uint64_t kinds[E2LAZY_GRAVE + 1] = { 0 };

	for (size_t i = 0; i < ck->nr_problems; i++)
		if (ck->found[i].finding.count)
			kinds[ck->found[i].finding.problem->severity]++;
	if (kinds[E2LAZY_GRAVE] || kinds[E2LAZY_WARNING])
		session_complain(ck->s, FSCK_LEFT,
				 _("grave problems: %llu, warnings: %llu; "
				   "--explain ID explains them"),
				 (unsigned long long)kinds[E2LAZY_GRAVE],
				 (unsigned long long)kinds[E2LAZY_WARNING]);
}
