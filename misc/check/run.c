/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.c - runs the checkpoint and reports the result
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "ck.h"
#include "states/states.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

/* Number of failed blocks that are named; the others are counted. */
#define FAILURES_TOLD	8

/* ----------------------------------------------------------- callbacks */

static errcode_t note_locked(void *priv)
{
	struct ck *ck = priv;

	/* A signal cuts the waits of multiple mount protection short. */
	return cancelled() ? E2LAZY_ET_CANCELLED : ck_still_may_write(ck);
}

static errcode_t note_failed(void *priv, errcode_t error,
			     const struct e2lazy_where *where)
{
	struct ck *ck = priv;

	if (ck->failures++ >= FAILURES_TOLD)
		return 0;
	progress_hide(&ck->s->print.progress);
	device_complain(opened_device(ck->s->log, where), where, error, 0);
	return 0;
}

/* Reads and writes alternate: one bar shows the writes. */
static errcode_t note_progress(void *priv, enum e2lazy_phase phase,
			       uint64_t done, uint64_t total)
{
	struct session *s = priv;
	const struct progress *bar = &s->print.progress;
	const struct e2lazy_watch plain = session_watch(s);

	if (phase == E2LAZY_PHASE_READ) {
		phase = E2LAZY_PHASE_WRITE;
		done = bar->phase == PHASE_WRITE ? bar->done : 0;
	}
	return plain.progress(s, phase, done, total);
}

/* -------------------------------------------------------------- errors */

/* The reason of an error, and the remedy. */
static const struct {
	errcode_t	error;
	const char	*text;
} reasons[] = {
	{ E2LAZY_ET_LOCKED,
	  N_("wait for the other program to end") },
	{ E2LAZY_ET_CHANGED,
	  N_("run it again when no other program uses the device") },
	{ EXT2_ET_MMP_FAILED,
	  N_("multiple mount protection: another host uses the device") },
	{ EXT2_ET_MMP_CHANGE_ABORT,
	  N_("multiple mount protection: another host has begun to use the "
	     "device") },
	{ EXT2_ET_MMP_FSCK_ON,
	  N_("multiple mount protection: e2fsck or a similar program is "
	     "running or was killed; if none runs, use 'tune2fs -f -E "
	     "clear_mmp'") },
	{ EXT2_ET_MMP_UNKNOWN_SEQ,
	  N_("multiple mount protection: unknown sequence number") },
	{ EBUSY,
	  N_("another program uses the device") },
	{ EXT2_ET_NO_MEMORY,
	  N_("use a smaller --memory") },
	{ ENOMEM,
	  N_("use a smaller --memory") },
};

static void explain_error(struct ck *ck, errcode_t error)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].error == error)
			session_complain(ck->s, 0, "%s", _(reasons[i].text));
}

/* An empty log has no transactions that could be dropped. */
static const char *next_step(const struct ck *ck, bool home)
{
	if (!home)
		return _("the log is kept; run it again to finish");
	return ck->until ? _("all blocks are home; run it again without "
			     "--until-tid to finish") :
			   _("all blocks are home; run it again to finish");
}

/* Report the state of the run and the next step. */
static void tell_state(struct ck *ck, const struct e2lazy_checkpoint_done *done)
{
	struct session *s = ck->s;

	if (!done->begun) {
		session_complain(s, 0, _("nothing was written"));
		return;
	}
	if (!done->failed)
		session_complain(s, 0, "%s", next_step(ck, done->home));
	if (ck->undoable)
		session_complain(s, 0, _("another run with -z needs another "
					 "file; undo the later file first"));
	if (ck->undoable && !s->print.json_wanted)
		ck_tell_undo(ck);
}

static void tell_failure(struct ck *ck, errcode_t err,
			 const struct e2lazy_where *where,
			 const struct e2lazy_checkpoint_done *done)
{
	struct session *s = ck->s;

	if (done->failed) {
		session_complain(s, FSCK_ERROR | FSCK_LEFT,
				 P_("%llu block could not be written home; "
				    "the log is kept",
				    "%llu blocks could not be written home; "
				    "the log is kept", done->failed),
				 (unsigned long long)done->failed);
	} else if (err != E2LAZY_ET_CANCELLED && !ck->undo_failed) {
		device_complain(opened_device(s->log, where), where, err, 0);
		s->status |= FSCK_ERROR;
		explain_error(ck, err);
	}
	tell_state(ck, done);
}

/* ------------------------------------------------------------- results */

/* The orphans are a note, but the user must act on it. */
static void tell_orphans(struct ck *ck)
{
	for (size_t i = 0; i < ck->nr_problems; i++) {
		const struct e2lazy_finding *f = &ck->found[i].finding;

		if (f->count && !strcmp(f->problem->id, "orphans"))
			session_complain(ck->s, 0, "%s: %s", f->problem->id,
					 _(diagnosis_of(f->problem)->text));
	}
}

/*
 * Group descriptors that are bad in place only, or the inode's own block, come
 * home with the log; then the inode locates the journal again.
 */
static bool locates_journal(const struct ck *ck)
{
	struct e2lazy_journal *journal;
	struct e2lazy_where where;
	bool found;

	if (e2lazy_open(ck->s->device, &ck->s->source.open, &journal, &where))
		return false;
	found = !e2lazy_geometry(journal)->from_backup;
	e2lazy_close(journal);
	return found;
}

static bool is_mended(const struct ck *ck, const struct e2lazy_problem *problem)
{
	return problem->mended || (!strcmp(problem->id, "journal-inode-lost") &&
				   locates_journal(ck));
}

static void tell_rest(struct ck *ck)
{
	for (size_t i = 0; i < ck->nr_problems; i++) {
		const struct e2lazy_finding *f = &ck->found[i].finding;

		if (!f->count || f->problem->severity == E2LAZY_NOTE ||
		    is_mended(ck, f->problem))
			continue;
		session_complain(ck->s, FSCK_LEFT,
				 _("%s: a checkpoint does not mend it; run "
				   "e2fsck -f"), f->problem->id);
	}
}

static void json_done(struct ck *ck, const struct e2lazy_checkpoint_done *d)
{
	struct json *json = &ck->s->print.json;

	json_object(json, ck->clean ? "clean" : "checkpoint", JSON_SPREAD);
	json_bool(json, "done", d->sealed);
	json_u64(json, "blocks", d->blocks_written);
	json_u64(json, "writes", d->writes);
	json_u64(json, "skipped", d->skipped);
	json_u64(json, "in_place", d->in_place);
	json_u64(json, "failed", d->failed);
	json_u64(json, "passes", d->passes);
	json_string(json, "undo", ck->undoable ? ck->undo : NULL);
	json_string(json, "undo_journal",
		    ck->undoable ? ck->undo_journal : NULL);
	json_end(json);
	ck->told_done = true;
}

static void tell_emptied(struct ck *ck, const struct e2lazy_checkpoint_done *d)
{
	session_complain(ck->s, FSCK_CORRECTED,
			 P_("written back: %llu block, requests: %llu, left "
			    "out: %llu; the log is empty",
			    "written back: %llu blocks, requests: %llu, left "
			    "out: %llu; the log is empty", d->blocks_written),
			 (unsigned long long)d->blocks_written,
			 (unsigned long long)d->writes,
			 (unsigned long long)d->skipped);
	if (d->in_place)
		session_complain(ck->s, FSCK_CORRECTED,
				 P_("%llu more block was already in place",
				    "%llu more blocks were already in place",
				    d->in_place),
				 (unsigned long long)d->in_place);
}

static void tell_success(struct ck *ck, const struct e2lazy_checkpoint_done *d)
{
	struct session *s = ck->s;

	if (ck->clean) {
		ck_tell_freed(ck, d);
	} else {
		tell_emptied(ck, d);
		tell_orphans(ck);
	}
	if (ck->undoable && !s->print.json_wanted)
		ck_tell_undo(ck);
	tell_rest(ck);
}

/* The comparison used the page cache, not the disk. */
void ck_tell_cached(struct ck *ck, const struct e2lazy_checkpoint_done *d)
{
	if (ck->compare && d->cached && d->blocks_written)
		session_complain(ck->s, 0,
				 _("direct I/O is impossible there, so "
				   "--verify-after read from the page cache"));
}

/* ------------------------------------------------------------ all of it */

bool ck_write_back(struct ck *ck)
{
	const struct e2lazy_watch watch = { .progress = note_progress,
					    .stop = session_stop,
					    .priv = ck->s };
	struct e2lazy_checkpoint_opts opts = {
		.flags = ck->compare ? E2LAZY_CHECKPOINT_COMPARE : 0,
		.memory = ck->memory,
		.locked = note_locked,
		.failed = note_failed,
		.priv = ck,
		.watch = &watch,
		.tail = ck->clean ? &ck->tail : NULL,
	};
	struct e2lazy_checkpoint_done done = { 0 };
	struct e2lazy_where where = { .has = 0 };
	struct session *s = ck->s;
	errcode_t err;

	out_flush(&s->print.out);
	if (ck->undo && !ck_begin_undo(ck, &opts.keeper))
		return false;
	ck_tell_mmp(ck);
	err = e2lazy_checkpoint(s->log->view, ck->verdict, &opts, &done,
				&where);
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	/* Once the log is empty, an error is an error of closing and loses no
	   data. */
	if (err && done.sealed)
		session_fail(s, err, &where);
	if (ck->undo)
		ck_end_undo(ck, &done);
	if (s->print.json_wanted)
		json_done(ck, &done);
	ck_tell_cached(ck, &done);
	if (err && !done.sealed)
		tell_failure(ck, err, &where, &done);
	else
		tell_success(ck, &done);
	return done.sealed;
}
