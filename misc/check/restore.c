/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * restore.c - e2lazyck --restore-log: put a lost or emptied log back in force
 */
#include "ck.h"
#include "facts/newer.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

bool ck_is_in_force(const struct ck *ck)
{
	const struct opened *log = ck->s->log;

	return log->in_force && log->geo->needs_recovery;
}

static void tell_in_force(struct ck *ck)
{
	session_complain(ck->s, 0, _("the log is in force already: the next "
				     "mount replays it, and --checkpoint "
				     "writes it back"));
	ck_tell_findings(ck);
	ck_tell_verdict(ck);
}

/* The superblock's copy does not count: it is merged from both places. */
static bool is_in_place(const struct ck *ck)
{
	const struct opened *log = ck->s->log;
	size_t live = e2lazy_jmap_count(log->map);

	live -= newer_super(log->map, log->geo->blocksize);
	return !log->super_error && ck->home.known && ck->home.blocks >= live;
}

/* ----------------------------------------------------------------- plan */

static const struct sheet_row rows[] = {
	{ NULL, N_("Restore"), "" },
	{ N_("log"), N_("transactions %llu to %llu, from log block %llu on"),
	  "sequence last start" },
	{ N_("writes"), N_("the superblock: needs_recovery"), "!flagged" },
	{ N_("writes"), N_("the journal superblock: s_start %llu, "
			   "s_sequence %llu"), "start sequence" },
	{ 0 }
};

static void print_plan(struct ck *ck)
{
	const struct opened *log = ck->s->log;
	struct sheet sheet;

	print_sheet(&ck->s->print, &sheet);
	sheet_section(&sheet, "restore", JSON_SPREAD);
	sheet_u64(&sheet, "start", log->geo->start);
	sheet_u64(&sheet, "sequence", log->geo->sequence);
	sheet_u64(&sheet, "last", log->stats->last_tid);
	sheet_bool(&sheet, "flagged", log->geo->needs_recovery);
	sheet_end(&sheet, rows);
}

/* -------------------------------------------------------------- writing */

static errcode_t note_locked(void *priv)
{
	return cancelled() ? E2LAZY_ET_CANCELLED : ck_still_may_write(priv);
}

static void tell_done(struct ck *ck, const struct e2lazy_restore_done *done)
{
	const struct opened *log = ck->s->log;

	if (ck->s->print.json_wanted) {
		json_object(&ck->s->print.json, "restored", JSON_INLINE);
		json_bool(&ck->s->print.json, "done", done->in_force);
		json_string(&ck->s->print.json, "undo",
			    ck->undoable ? ck->undo : NULL);
		json_end(&ck->s->print.json);
		ck->told_done = true;
	}
	if (!done->in_force)
		return;
	session_complain(ck->s, FSCK_CORRECTED,
			 _("the log is in force again, with transactions %u to "
			   "%u; a mount, e2fsck or --checkpoint replays it"),
			 log->geo->sequence, log->stats->last_tid);
	if (ck->undoable && !ck->s->print.json_wanted)
		ck_tell_undo(ck);
}

static void write_tail(struct ck *ck)
{
	struct e2lazy_checkpoint_opts opts = { .locked = note_locked,
					       .priv = ck };
	struct e2lazy_restore_done done = { .begun = false };
	struct e2lazy_where where = { .has = 0 };
	struct session *s = ck->s;
	errcode_t err;

	out_flush(&s->print.out);
	if (ck->undo && !ck_begin_undo(ck, &opts.keeper))
		return;
	ck_tell_mmp(ck);
	err = e2lazy_restore(s->log->view, ck->verdict, &opts, &done, &where);
	if (ck->undo)
		ck_end_undo(ck, &(struct e2lazy_checkpoint_done){
			.begun = done.begun, .sealed = done.in_force });
	if (err && !ck->undo_failed)
		session_fail(s, err, &where);
	if (err)
		session_complain(s, FSCK_ERROR, done.begun ?
				 _("the log is not in force yet; run it again "
				   "to finish") : _("nothing was written"));
	tell_done(ck, &done);
}

/* The answer to -n. */
static void tell_plan(struct ck *ck, bool consent)
{
	ck_could_undo(ck);
	ck_tell_findings(ck);
	session_complain(ck->s, FSCK_LEFT, "%s", consent ?
			 _("the log may be put back in force") :
			 ck_is_refused(ck) ?
			 _("--restore-log would refuse to put the log back in "
			   "force") :
			 _("--restore-log would ask before it puts the log "
			   "back in force"));
}

void ck_restore(struct ck *ck)
{
	struct session *s = ck->s;
	bool consent;

	if (ck_is_in_force(ck)) {
		tell_in_force(ck);
		return;
	}
	if (!s->log->view) {
		ck_tell_findings(ck);
		session_complain(s, FSCK_LEFT,
				 _("the superblock's newest copy is unusable, "
				   "so nothing is restored"));
		return;
	}
	if (is_in_place(ck)) {
		ck_tell_findings(ck);
		session_complain(s, 0, _("every block of the newest log is in "
					 "place, so nothing is restored"));
		return;
	}
	print_plan(ck);
	consent = ck_consent(ck);
	if (ck->plan)
		tell_plan(ck, consent);
	else if (consent)
		write_tail(ck);
	if (!consent)
		session_complain(s, FSCK_LEFT,
				 _("'e2lazy log --geometry auto --histories' "
				   "lists what the ring holds, 'e2lazy view "
				   "--geometry auto --history N' shows the "
				   "file system as of then, and 'e2lazy "
				   "undelete --geometry start=0' restores "
				   "single files"));
}
