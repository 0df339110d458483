/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print.c - prints the findings as rows and sets the exit status
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck.h"
#include "io/grow.h"
#include "session/names.h"
#include "states/states.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

enum {
	COL_SEVERITY, COL_ID, COL_COUNT, COL_DEVICE, COL_LOGBLK, COL_TID,
	COL_FSBLK, COL_VALUE, COL_AGE, COL_CONSENT, COL_MESSAGE,
	COL_ADVICE,
	NR_COLS
};

static const struct column columns[NR_COLS] = {
	[COL_SEVERITY] = { "SEVERITY", "severity", COLUMN_STRING, COLUMN_USUAL,
			   8, N_("grave, warning or note") },
	[COL_ID] = { "ID", "id", COLUMN_STRING, COLUMN_USUAL, 19,
		     N_("name of the problem, for --explain") },
	[COL_COUNT] = { "COUNT", "count", COLUMN_NUMBER, COLUMN_USUAL, 5,
			N_("number of places") },
	[COL_DEVICE] = { "DEVICE", "device", COLUMN_STRING, COLUMN_JSON, 6,
			 N_("device of the first place; with LOGBLK the "
			    "journal's device") },
	[COL_LOGBLK] = { "LOGBLK", "logblk", COLUMN_NUMBER, COLUMN_USUAL, 6,
			 N_("log block of the first place") },
	[COL_TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 3,
		      N_("transaction of the first place") },
	[COL_FSBLK] = { "FSBLK", "fsblk", COLUMN_NUMBER, COLUMN_USUAL, 5,
			N_("static block of the first place") },
	[COL_VALUE] = { "VALUE", "value", COLUMN_NUMBER, COLUMN_JSON, 5,
			N_("the impossible value") },
	[COL_AGE] = { "AGE", "age", COLUMN_NUMBER, COLUMN_JSON, 3,
		      N_("age of the first older copy, in transactions") },
	[COL_CONSENT] = { "CONSENT", "consent", COLUMN_STRING, COLUMN_JSON, 7,
			  N_("effect on --checkpoint: go, ask or refuse") },
	[COL_MESSAGE] = { "MESSAGE", "message", COLUMN_STRING, COLUMN_USUAL,
			  7, N_("the problem in words") },
	[COL_ADVICE] = { "ADVICE", "advice", COLUMN_STRING, COLUMN_JSON, 6,
			 N_("advice for the user") },
};

void ck_columns_help(struct out *out)
{
	columns_help(out, columns, NR_COLS);
}

static void number_if(struct cell *cell, bool known, uint64_t number)
{
	cell_none(cell);
	if (known)
		cell_number(cell, number);
}

static void place_cells(struct cell cells[NR_COLS], const struct ck_place *p)
{
	number_if(&cells[COL_LOGBLK], p->has & E2LAZY_AT_LOGBLK, p->logblk);
	number_if(&cells[COL_TID], p->has & E2LAZY_AT_TID, p->tid);
	number_if(&cells[COL_FSBLK], p->has & E2LAZY_AT_FSBLK, p->fsblk);
	number_if(&cells[COL_AGE], p->has & E2LAZY_AT_AGE, p->age);
}

/* The text, the bad value, and the reason if known; to be freed. */
static char *message_of(const struct e2lazy_finding *f)
{
	const char *why = f->error ? _(error_message(f->error)) : "";
	char value[VALUE_TEXT];
	char *text;

	device_value(value, &f->first);
	if (asprintf(&text, "%s%s%s%s", _(diagnosis_of(f->problem)->text), value,
		     f->error ? ": " : "", why) < 0)
		return NULL;
	return text;
}

static void finding_cells(struct cell cells[NR_COLS],
			  const struct e2lazy_finding *f, const char *device,
			  const char *message)
{
	const struct e2lazy_problem *p = f->problem;

	cell_text(&cells[COL_SEVERITY], severity_name(p->severity));
	cell_text(&cells[COL_ID], p->id);
	cell_number(&cells[COL_COUNT], f->count);
	cell_text(&cells[COL_DEVICE], device);
	place_cells(cells, &(struct ck_place){
		.fsblk = f->first.fsblk, .logblk = f->first.logblk,
		.tid = f->first.tid, .age = f->first.age,
		.has = f->first.has });
	number_if(&cells[COL_VALUE], f->first.has & E2LAZY_AT_VALUE,
		  f->first.value);
	cell_text(&cells[COL_CONSENT], consent_name(p->consent));
	cell_text(&cells[COL_MESSAGE], message);
	cell_text(&cells[COL_ADVICE], _(diagnosis_of(p)->advice));
	cells[COL_SEVERITY].alarm = p->severity == E2LAZY_GRAVE;
}

/* A row for one more place. */
static void text_place(const struct rows *rows, const struct ck_found *found,
		       const struct ck_place *p)
{
	struct cell cells[NR_COLS];

	for (unsigned i = 0; i < NR_COLS; i++)
		cell_none(&cells[i]);
	cell_text(&cells[COL_SEVERITY],
		  severity_name(found->finding.problem->severity));
	cell_text(&cells[COL_ID], found->finding.problem->id);
	place_cells(cells, p);
	rows_put(rows, cells);
}

static void json_place(struct json *json, const struct ck_place *p)
{
	json_object(json, NULL, JSON_INLINE);
	json_known(json, "logblk", p->has & E2LAZY_AT_LOGBLK, p->logblk);
	json_known(json, "tid", p->has & E2LAZY_AT_TID, p->tid);
	json_known(json, "fsblk", p->has & E2LAZY_AT_FSBLK, p->fsblk);
	if (p->has & E2LAZY_AT_AGE)
		json_u64(json, "age", p->age);
	json_end(json);
}

static void put_places(const struct rows *rows, const struct ck_found *found)
{
	const struct ck_place *p = found->places.at;
	const struct ck_place *end = array_end(p, found->places.count);

	if (rows->json)
		json_array(rows->json, "places", JSON_INLINE);
	for (; p < end && !rows_stop(rows); p++) {
		if (rows->json)
			json_place(rows->json, p);
		else
			text_place(rows, found, p);
	}
	if (rows->json)
		json_end(rows->json);
}

static bool put_finding(const struct ck *ck, const struct rows *rows,
			const struct ck_found *found)
{
	const struct e2lazy_finding *f = &found->finding;
	struct cell cells[NR_COLS];
	char *message = message_of(f);

	if (!message)
		return false;
	finding_cells(cells, f, opened_device(ck->s->log, &f->first), message);
	if (ck->verbose && rows->json) {
		rows_open(rows, cells);
		put_places(rows, found);
		json_end(rows->json);
	} else {
		rows_put(rows, cells);
		if (ck->verbose && found->places.count > 1)
			put_places(rows, found);
	}
	free(message);
	return true;
}

static void fit(const struct ck *ck, struct columns *picked)
{
	const struct session *s = ck->s;

	for (size_t i = 0; i < ck->nr_problems; i++)
		columns_fit(picked, COL_COUNT, ck->found[i].finding.count);
	if (!s->log->journal)
		return;
	session_fit_tids(s, picked, COL_TID);
	columns_fit(picked, COL_LOGBLK, s->log->geo->maxlen);
	columns_fit(picked, COL_FSBLK, s->log->geo->fs_blocks);
}

static size_t found_in_all(const struct ck *ck)
{
	size_t n = 0;

	for (size_t i = 0; i < ck->nr_problems; i++)
		n += ck->found[i].finding.count > 0;
	return n;
}

/* The number of superseded copies whose checksum nobody verified. */
static uint64_t unverified(const struct ck *ck)
{
	const struct session *s = ck->s;

	if (s->log->geo->csum < E2LAZY_CSUM_V2 ||
	    !(ck->quick || ck->checkpoint || ck->plan))
		return 0;
	return s->log->stats->states[E2LAZY_SUPERSEDED];
}

/* Only --quick skips copies whose state matters. */
static void tell_unverified(struct ck *ck)
{
	if (ck->quick && unverified(ck))
		session_complain(ck->s, 0,
				 P_("--quick leaves %llu superseded copy "
				    "unverified",
				    "--quick leaves %llu superseded copies "
				    "unverified", unverified(ck)),
				 (unsigned long long)unverified(ck));
}

/* The contents of an unreadable log are unknown. */
static void json_state(struct ck *ck)
{
	const struct e2lazy_jmap *map = ck->s->log->map;
	struct json *json = &ck->s->print.json;

	json_known(json, "live", map, map ? e2lazy_jmap_count(map) : 0);
	if (map)
		json_bool(json, "pending", ck_pending(ck));
	else
		json_null(json, "pending");
	json_known(json, "home", map && ck->home.known, ck->home.blocks);
	json_known(json, "unverified", map, map ? unverified(ck) : 0);
	ck_json_status(ck);
}

bool ck_print_findings(struct ck *ck)
{
	struct session *s = ck->s;
	struct columns picked;
	struct rows rows;
	bool good = true, any = found_in_all(ck) > 0;

	if (!session_columns(s, &ck->listing, columns, NR_COLS, &picked))
		return false;
	fit(ck, &picked);
	if (s->print.json_wanted)
		session_document(s);
	if (s->print.json_wanted || any)
		print_rows(&s->print, &ck->listing, &picked, "findings", &rows);
	for (size_t i = 0; good && i < ck->nr_problems; i++)
		if (ck->found[i].finding.count)
			good = put_finding(ck, &rows, &ck->found[i]);
	if (s->print.json_wanted) {
		json_end(&s->print.json);
		json_state(ck);
	}
	if (s->log->map)
		tell_unverified(ck);
	if (!good)
		session_fail(s, EXT2_ET_NO_MEMORY, NULL);
	return good;
}
