/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session_out.c - what a session prints, and how it ends
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

void session_document(struct session *s)
{
	json_object(&s->json, NULL, JSON_SPREAD);
	json_object(&s->json, "e2lazy", JSON_INLINE);
	json_u64(&s->json, "format", 1);
	json_string(&s->json, "version", e2lazy_version());
	json_end(&s->json);
	json_string(&s->json, "device", s->device);
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

void session_text_beyond(struct session *s)
{
	out_format(&s->out,
		   _("Past the head: %s; looked at %u of %u blocks.\n"),
		   _(verdict_text(s->beyond.verdict)), s->beyond.looked,
		   s->beyond.rest);
}

void session_json_beyond(struct session *s)
{
	const struct e2lazy_beyond *b = &s->beyond;

	json_string(&s->json, "verdict", verdict_name(b->verdict));
	json_u64(&s->json, "looked", b->looked);
	json_u64(&s->json, "rest", b->rest);
	json_u64(&s->json, "older", b->older);
	json_u64(&s->json, "later", b->later);
	json_u64(&s->json, "unreadable", b->unreadable);
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

void session_tell_damage(struct session *s)
{
	struct finding findings[MAX_FINDINGS];
	size_t n = session_findings(s, findings), i;

	s->told = true;
	out_flush(&s->out);
	for (i = 0; i < n; i++)
		device_complain(log_device(s), &findings[i].where,
				findings[i].error, findings[i].count - 1);
	if (n)
		s->status |= FSCK_LEFT;
	if (s->looked && s->beyond.unreadable)
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
