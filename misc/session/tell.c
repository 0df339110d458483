/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tell.c - the report of a session about its log, and its end
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "session.h"
#include "support/confine.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

static void json_stretch(struct json *json, const struct opened *log)
{
	json_array(json, "stretch", JSON_SPREAD);
	for (uint32_t i = 0; i < log->nr_ranges; i++) {
		json_object(json, NULL, JSON_INLINE);
		json_u64(json, "start", log->ranges[i].start);
		json_u64(json, "tid", log->ranges[i].tid);
		if (log->ranges[i].blocks)
			json_u64(json, "blocks", log->ranges[i].blocks);
		else
			json_null(json, "blocks");
		json_end(json);
	}
	json_end(json);
}

void session_document(struct session *s)
{
	const struct opened *log = s->log;
	struct json *json = &s->print.json;
	uint64_t offset;

	json_object(json, NULL, JSON_SPREAD);
	json_object(json, "e2lazy", JSON_INLINE);
	json_u64(json, "format", 1);
	json_string(json, "version", e2lazy_version());
	json_end(json);
	json_string(json, "device", s->device ? s->device :
		    log && s->nr_operands ? s->operands[0] : NULL);
	if (!log || !log->journal)
		return;
	offset = e2lazy_device(log->journal, E2LAZY_FILE_SYSTEM)->offset;
	if (offset)
		json_u64(json, "offset", offset);
	if (log->geo->external)
		json_string(json, "journal_device", log->geo->journal_device);
	if (log->nr_ranges)
		json_stretch(json, log);
}

/* The shell's commands are not the program's. */
void session_document_run(struct session *s)
{
	const struct e2lazy_device *d = e2lazy_device(s->log->journal,
						      E2LAZY_FILE_SYSTEM);
	struct json *json = &s->print.json;

	json_object(json, "run", JSON_INLINE);
	json_array(json, "command", JSON_INLINE);
	if (!s->lender)
		json_string(json, NULL, "e2lazy");
	for (size_t i = 0; i < s->line.count; i++)
		json_string(json, NULL, s->line.at[i]);
	json_end(json);
	json_time(json, "time", s->began);
	json_u64(json, "bytes", d->offset + d->bytes);
	json_end(json);
}

void session_fit_tids(const struct session *s, struct columns *columns,
		      unsigned id)
{
	/* If ids wrap, the first one is longer. */
	columns_fit(columns, id, opened_first_tid(s->log));
	columns_fit(columns, id, s->log->end->tid);
}

void session_fail(struct session *s, errcode_t error,
		  const struct e2lazy_where *where)
{
	print_make_way(&s->print);
	if (error == E2LAZY_ET_CANCELLED)
		return;
	device_complain(where ? opened_device_of(s->log, error, where) :
				s->device, where, error, 0);
	s->status |= FSCK_ERROR;
}

void session_tell(struct session *s, int status,
		  const struct e2lazy_damage *wrong)
{
	print_make_way(&s->print);
	opened_tell(s->log, &(struct finding){ wrong->error, wrong->count,
					       wrong->first });
	s->status |= status;
}

void session_complain(struct session *s, int status, const char *format, ...)
{
	va_list args;

	print_make_way(&s->print);
	va_start(args, format);
	vcomplain(s->device, format, args);
	va_end(args);
	s->status |= status;
}

void session_text_beyond(struct session *s)
{
	const struct e2lazy_beyond *b = &s->log->beyond;

	out_format(&s->print.out,
		   _("Past the head: %s; read %u of %u blocks.\n"),
		   _(verdict_text(b->verdict)), b->looked, b->rest);
}

void session_beyond_facts(const struct session *s, struct sheet *sheet)
{
	const struct e2lazy_beyond *b = &s->log->beyond;

	sheet_text(sheet, "verdict", verdict_name(b->verdict));
	sheet_u64(sheet, "looked", b->looked);
	sheet_u64(sheet, "rest", b->rest);
	sheet_u64(sheet, "older", b->older);
	sheet_u64(sheet, "later", b->later);
	sheet_u64(sheet, "unreadable", b->unreadable);
}

void session_json_damage(struct json *json, const struct finding *f, size_t n)
{
	json_array(json, "damage", JSON_SPREAD);
	for (; n; n--, f++) {
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "id", finding_id(f->error));
		json_string(json, "message", error_message(f->error));
		json_u64(json, "count", f->count);
		json_known(json, "logblk", f->where.has & E2LAZY_AT_LOGBLK,
			   f->where.logblk);
		json_known(json, "tid", f->where.has & E2LAZY_AT_TID,
			   f->where.tid);
		json_known(json, "fsblk", f->where.has & E2LAZY_AT_FSBLK,
			   f->where.fsblk);
		json_end(json);
	}
	json_end(json);
}

static bool same_finding(const struct finding *a, const struct finding *b)
{
	return a->error == b->error && a->count == b->count &&
	       a->where.logblk == b->where.logblk &&
	       a->where.tid == b->where.tid && a->where.fsblk == b->where.fsblk;
}

/* A command does not repeat the damage reported when the device was opened. */
static const struct opened *told_before(const struct session *s)
{
	const struct opened *lent = s->lender ? s->lender->log : NULL;

	return lent && lent->told && !s->tell_again ? lent : NULL;
}

static bool is_among(const struct opened *log, const struct finding *finding)
{
	struct finding told[MAX_FINDINGS];
	size_t n = opened_findings(log, told);

	while (n)
		if (same_finding(&told[--n], finding))
			return true;
	return false;
}

/* Blocks past the head; 0: they were not looked for, or all can be read. */
static uint32_t unreadable_of(const struct opened *log)
{
	return log->looked ? log->beyond.unreadable : 0;
}

#define UNREADABLE_TEXT	256

static const char *unreadable_text(char text[UNREADABLE_TEXT], uint32_t n)
{
	snprintf(text, UNREADABLE_TEXT,
		 P_("past the head, %u log block cannot be read",
		    "past the head, %u log blocks cannot be read", n), n);
	return text;
}

void session_tell_damage(struct session *s)
{
	const struct opened *before = told_before(s);
	struct finding findings[MAX_FINDINGS];
	size_t n = opened_findings(s->log, findings), i;
	uint32_t unreadable = unreadable_of(s->log);
	char text[UNREADABLE_TEXT];

	s->log->told = true;
	out_flush(&s->print.out);
	for (i = 0; i < n; i++)
		if (!before || !is_among(before, &findings[i]))
			opened_tell(s->log, &findings[i]);
	if (n)
		s->status |= FSCK_LEFT;
	if (!unreadable)
		return;
	if (!before || before->beyond.unreadable != unreadable)
		session_complain(s, FSCK_ERROR, "%s",
				 unreadable_text(text, unreadable));
	s->status |= FSCK_ERROR;
}

/* ------------------------------------------------------------ the document */

/* Is there damage that session_end() is going to report? */
static bool has_untold(const struct session *s)
{
	return s->log && s->log->map && !s->log->told && !cancelled();
}

/* The exit status, before all of it is said: the output may still fail. */
static int foreseen_status(const struct session *s)
{
	struct finding findings[MAX_FINDINGS];
	int status = s->status;

	if (cancelled())
		status |= FSCK_CANCELLED;
	if (has_untold(s) && opened_findings(s->log, findings))
		status |= FSCK_LEFT;
	if (has_untold(s) && unreadable_of(s->log))
		status |= FSCK_ERROR;
	return status;
}

/* What explains it. */
static struct complaint reason_of(struct session *s)
{
	const struct complaint *told = hearing_failed(&s->hearing);
	struct complaint c = { .made = true };

	if (cancelled()) {
		c.error = E2LAZY_ET_CANCELLED;
		snprintf(c.text, sizeof(c.text), "%s",
			 _("cancelled by a signal"));
	} else if (told) {
		c = *told;
	} else if (has_untold(s) && unreadable_of(s->log)) {
		char text[UNREADABLE_TEXT];

		snprintf(c.text, sizeof(c.text), "%s",
			 unreadable_text(text, unreadable_of(s->log)));
	}
	return c;
}

static void json_where(struct json *json, const struct e2lazy_where *where)
{
	json_object(json, "where", JSON_INLINE);
	json_known(json, "logblk", where->has & E2LAZY_AT_LOGBLK,
		   where->logblk);
	json_known(json, "tid", where->has & E2LAZY_AT_TID, where->tid);
	json_known(json, "fsblk", where->has & E2LAZY_AT_FSBLK, where->fsblk);
	json_end(json);
}

/* The members "status" and "error". */
static void json_status(struct session *s, struct json *json)
{
	int status = foreseen_status(s);
	struct complaint c;

	json_u64(json, "status", (unsigned)status);
	if (!(status & FSCK_FAILED)) {
		json_null(json, "error");
		return;
	}
	c = reason_of(s);
	json_object(json, "error", JSON_INLINE);
	json_string(json, "id", error_id(c.error));
	json_string(json, "device", *c.subject ? c.subject : s->device);
	json_where(json, &c.where);
	json_u64(json, "status", (unsigned)(status & FSCK_FAILED));
	json_string(json, "text", *c.text ? c.text : NULL);
	json_end(json);
}

void session_document_end(struct session *s)
{
	struct finding findings[MAX_FINDINGS];
	struct json *json = &s->print.json;

	if (!json->depth)		/* nothing could be shown */
		session_document(s);
	while (json->depth > 1)		/* a listing was cut short */
		json_end(json);
	if (s->log && s->log->map && !s->judges)
		session_json_damage(json, findings,
				    opened_findings(s->log, findings));
	json_status(s, json);
	json_end(json);
}

/* The command line makes no sense, whatever the device. */
static bool is_misused(const struct session *s)
{
	return s->status & FSCK_USAGE && !s->device;
}

/* One that began, or one that says why there is no other. */
static void end_document(struct session *s)
{
	struct json *json = &s->print.json;

	if (!json->depth && (json->begun || is_misused(s) ||
			     !(foreseen_status(s) & FSCK_FAILED)))
		return;
	session_document_end(s);
}

/* The last line of JSON lines: without it, they are not all. */
static void end_lines(struct session *s)
{
	struct json json;

	if (is_misused(s))
		return;
	json_init(&json, &s->print.out);
	json_object(&json, NULL, JSON_INLINE);
	json_object(&json, "end", JSON_INLINE);
	json_u64(&json, "rows", s->print.json.rows);
	json_status(s, &json);
	json_end(&json);
	json_end(&json);
}

void session_close(struct session *s)
{
	if (session_owns_log(s))
		opened_close(s->log);
}

void session_free(struct session *s)
{
	hearing_end(&s->hearing);
	if (session_owns_log(s)) {
		opened_free(s->log);
		free(s->log);
	}
	words_free(&s->line);
	free(s);
}

/* A command that WRITES_BELOW confines itself, and could forget it. */
static void check_confined(const struct session *s)
{
	bool did_work = s->operands && !(s->status & FSCK_USAGE);

	if (did_work && !s->lender && s->command->writes != WRITES_ANYTHING)
		assert(confine_asked());
}

int session_end(struct session *s)
{
	struct out *out = &s->print.out;
	int status;

	check_confined(s);
	if (s->print.json_wanted && !s->print.lines_wanted)
		end_document(s);
	if (cancelled()) {
		out_flush(out);
		complain(s->device, _("cancelled by a signal"));
		s->status |= FSCK_CANCELLED;
	} else if (has_untold(s)) {
		session_tell_damage(s);
	}
	if (s->print.lines_wanted)
		end_lines(s);
	if (out_flush(out) && !cancelled()) {
		complain_error(_("standard output"), out->error);
		s->status |= FSCK_ERROR;
	}
	status = s->status;
	session_free(s);
	return status;
}
