/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.c - what a session prints, and how it ends
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

void session_sheet(struct session *s, struct sheet *sheet)
{
	sheet_init(sheet, &s->out, s->json_wanted ? &s->json : NULL);
}

void session_document(struct session *s)
{
	uint64_t offset = 0;

	json_object(&s->json, NULL, JSON_SPREAD);
	json_object(&s->json, "e2lazy", JSON_INLINE);
	json_u64(&s->json, "format", 1);
	json_string(&s->json, "version", e2lazy_version());
	json_end(&s->json);
	json_string(&s->json, "device", s->device);
	if (s->journal)
		offset = e2lazy_device(s->journal, E2LAZY_FILE_SYSTEM)->offset;
	if (offset)
		json_u64(&s->json, "offset", offset);
	if (s->geo && s->geo->external)
		json_string(&s->json, "journal_device",
			    s->geo->journal_device);
}

bool session_columns(struct session *s, const struct listing *listing,
		     const struct column *table, unsigned size,
		     struct columns *columns)
{
	const char *unknown = NULL;

	columns_init(columns, table, size,
		     s->json_wanted ? COLUMN_JSON : COLUMN_SHOWN);
	for (unsigned i = 0; !unknown && i < listing->nr_columns; i++)
		unknown = columns_choose(columns, listing->columns[i]);
	return !unknown || session_refuse(s, "--columns", unknown,
					  _("a column that --help lists"));
}

void session_fit_tids(const struct session *s, struct columns *columns,
		      unsigned id)
{
	/* Where ids wrap, the first is the longer one. */
	columns_fit(columns, id, s->geo->sequence);
	columns_fit(columns, id, s->end->tid);
}

void session_rows(struct session *s, const struct listing *listing,
		  const struct columns *columns, const char *key,
		  struct rows *rows)
{
	*rows = (struct rows){
		.out = &s->out,
		.json = s->json_wanted ? &s->json : NULL,
		.columns = columns,
		.raw = listing->raw,
	};
	if (s->json_wanted)
		json_array(&s->json, key, JSON_SPREAD);
	else if (listing->headings)
		rows_heading(rows);
}

/* What was printed so far comes first, and the bar goes out of the way. */
static void make_way(struct session *s)
{
	out_flush(&s->out);
	progress_hide(&s->progress);
}

/* The device that a log block's number is about. */
static const char *log_device(const struct session *s)
{
	return s->geo->external ? s->geo->journal_device : s->device;
}

const char *session_device(const struct session *s,
			   const struct e2lazy_where *where)
{
	if (s->journal)
		return e2lazy_device(s->journal, where->volume)->name;
	return where->volume == E2LAZY_JOURNAL ? s->unopened_on : s->device;
}

void session_fail(struct session *s, errcode_t error,
		  const struct e2lazy_where *where)
{
	make_way(s);
	if (error != E2LAZY_ET_CANCELLED) {
		device_complain(where ? log_device(s) : s->device, where,
				error, 0);
		s->status |= FSCK_ERROR;
	}
}

void session_tell(struct session *s, int status,
		  const struct e2lazy_damage *wrong)
{
	make_way(s);
	device_complain(log_device(s), &wrong->first, wrong->error,
			wrong->count - 1);
	s->status |= status;
}

void session_complain(struct session *s, int status, const char *format, ...)
{
	va_list args;

	make_way(s);
	va_start(args, format);
	vcomplain(s->device, format, args);
	va_end(args);
	s->status |= status;
}

/* Of the @count transactions from @first on. */
static bool has_any(const struct tid_range *range, uint32_t first,
		    uint32_t count)
{
	return (count && first - range->first <= range->last - range->first) ||
	       range->first - first < count;
}

void session_tell_tids(struct session *s, const struct tid_ranges *ranges)
{
	uint32_t first = s->geo->sequence, count = s->end->tid - first;
	unsigned i = 0;

	/* One that was begun and never committed is in the log, too. */
	if (s->end->open.descriptors || s->end->open.revoke_blocks)
		count++;
	while (i < ranges->count && has_any(&ranges->at[i], first, count))
		i++;
	if (i == ranges->count)
		return;
	if (!count)
		session_complain(s, 0, _("--tid: the log has no transaction"));
	else
		session_complain(s, 0, _("--tid: the log has transactions %u "
					 "to %u only"), first,
				 first + count - 1);
}

void session_text_beyond(struct session *s)
{
	out_format(&s->out,
		   _("Past the head: %s; looked at %u of %u blocks.\n"),
		   _(verdict_text(s->beyond.verdict)), s->beyond.looked,
		   s->beyond.rest);
}

void session_beyond_facts(const struct session *s, struct sheet *sheet)
{
	const struct e2lazy_beyond *b = &s->beyond;

	sheet_text(sheet, "verdict", verdict_name(b->verdict));
	sheet_u64(sheet, "looked", b->looked);
	sheet_u64(sheet, "rest", b->rest);
	sheet_u64(sheet, "older", b->older);
	sheet_u64(sheet, "later", b->later);
	sheet_u64(sheet, "unreadable", b->unreadable);
}

/* Of the file system's end, not of the log. */
static struct finding *add_short(struct finding *to,
				 const struct e2lazy_geometry *geo)
{
	memset(to, 0, sizeof(*to));
	to->error = E2LAZY_ET_FS_SHORT;
	to->count = 1;
	to->where.has = E2LAZY_AT_FSBLK;
	to->where.fsblk = geo->device_blocks;
	return to + 1;
}

/* Of the journal's device as a whole. */
static struct finding *add_not_user(struct finding *to)
{
	memset(to, 0, sizeof(*to));
	to->error = E2LAZY_ET_EXT_NOT_USER;
	to->count = 1;
	return to + 1;
}

static struct finding *add_finding(struct finding *to, errcode_t error,
				   uint32_t logblk, uint32_t tid)
{
	memset(to, 0, sizeof(*to));
	to->error = error;
	to->count = 1;
	to->where.has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID;
	to->where.logblk = logblk;
	to->where.tid = tid;
	return to + 1;
}

size_t session_findings(const struct session *s,
			struct finding findings[MAX_FINDINGS])
{
	struct finding *to = findings;
	size_t i;

	for (i = 0; i < s->stats->nr_damage; i++, to++) {
		to->error = s->stats->damage[i].error;
		to->count = s->stats->damage[i].count;
		to->where = s->stats->damage[i].first;
	}
	if (s->end->error)
		to = add_finding(to, s->end->error, s->end->stop, s->end->tid);
	if (s->looked && s->beyond.verdict == E2LAZY_BEYOND_DAMAGE)
		to = add_finding(to, E2LAZY_ET_LATER_TXN,
				 s->beyond.first.logblk, s->beyond.first.tid);
	if (device_short(s->geo))
		to = add_short(to, s->geo);
	if (s->geo->external && !s->geo->listed)
		to = add_not_user(to);
	return to - findings;
}

static void json_findings(struct json *json, const struct finding *f, size_t n)
{
	json_array(json, "damage", JSON_SPREAD);
	for (; n; n--, f++) {
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "id", finding_id(f->error));
		json_string(json, "message", error_message(f->error));
		json_u64(json, "count", f->count);
		if (f->where.has & E2LAZY_AT_LOGBLK)
			json_u64(json, "logblk", f->where.logblk);
		else
			json_null(json, "logblk");
		if (f->where.has & E2LAZY_AT_TID)
			json_u64(json, "tid", f->where.tid);
		else
			json_null(json, "tid");
		if (f->where.has & E2LAZY_AT_FSBLK)
			json_u64(json, "fsblk", f->where.fsblk);
		else
			json_null(json, "fsblk");
		json_end(json);
	}
	json_end(json);
}

static void end_document(struct session *s)
{
	struct finding findings[MAX_FINDINGS];

	while (s->json.depth > 1)	/* a listing broke off */
		json_end(&s->json);
	json_findings(&s->json, findings, session_findings(s, findings));
	json_end(&s->json);
}

static bool same_finding(const struct finding *a, const struct finding *b)
{
	return a->error == b->error && a->count == b->count &&
	       a->where.logblk == b->where.logblk &&
	       a->where.tid == b->where.tid && a->where.fsblk == b->where.fsblk;
}

/* What was told when the device was opened need not be told by each command. */
static bool lender_told(const struct session *s, const struct finding *finding)
{
	struct finding told[MAX_FINDINGS];
	size_t n;

	if (!s->lender || !s->lender->told || s->tell_again)
		return false;
	n = session_findings(s->lender, told);
	while (n)
		if (same_finding(&told[--n], finding))
			return true;
	return false;
}

static bool lender_told_unreadable(const struct session *s)
{
	return s->lender && s->lender->told && !s->tell_again &&
	       s->lender->beyond.unreadable == s->beyond.unreadable;
}

static void tell_finding(struct session *s, const struct finding *finding)
{
	device_complain(finding->error == E2LAZY_ET_FS_SHORT ? s->device
							     : log_device(s),
			&finding->where, finding->error, finding->count - 1);
}

void session_tell_damage(struct session *s)
{
	struct finding findings[MAX_FINDINGS];
	size_t n = session_findings(s, findings), i;

	s->told = true;
	out_flush(&s->out);
	for (i = 0; i < n; i++)
		if (!lender_told(s, &findings[i]))
			tell_finding(s, &findings[i]);
	if (n)
		s->status |= FSCK_LEFT;
	if (!s->looked || !s->beyond.unreadable)
		return;
	s->status |= FSCK_ERROR;
	if (!lender_told_unreadable(s))
		session_complain(s, FSCK_ERROR, _("%u log blocks past the "
						  "head: cannot be read"),
				 s->beyond.unreadable);
}

void session_close(struct session *s)
{
	session_give_back(s);
	e2lazy_owners_free(s->owners);
	e2lazy_view_free(s->view);
	e2lazy_layout_free(s->layout);
	e2lazy_jmap_free(s->map);
	e2lazy_close(s->journal);
	s->owners = NULL;
	s->view = NULL;
	s->layout = NULL;
	s->map = NULL;
	s->journal = NULL;
}

void session_free(struct session *s)
{
	session_close(s);
	free(s->times.sec);
	free(s->journal_device);
	free(s->device);
	free(s);
}

int session_end(struct session *s)
{
	int status;

	if (cancelled()) {
		out_flush(&s->out);
		complain(s->device, _("cancelled by a signal"));
		s->status |= FSCK_CANCELLED;
	} else if (s->map) {
		if (s->json.depth)
			end_document(s);
		if (!s->told)
			session_tell_damage(s);
	}
	if (out_flush(&s->out) && !cancelled()) {
		complain(_("standard output"), "%s", strerror(s->out.error));
		s->status |= FSCK_ERROR;
	}
	status = s->status;
	session_free(s);
	return status;
}
