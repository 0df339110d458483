/* SPDX-License-Identifier: GPL-2.0-only */
/* json.c - everything that the page shows, as JSON */
#include "report.h"
#include "session/names.h"
#include "states/states.h"
#include "support/nls.h"

static void json_ring_cell(struct json *json, const struct ring_picture *p,
			   unsigned i)
{
	const struct ring_cell *c = &p->cell[i];

	json_object(json, NULL, JSON_INLINE);
	json_u64(json, "logblk", p->first + i * p->each);
	json_u64(json, "blocks", ring_cell_blocks(p, i));
	for (unsigned kind = 0; kind < NR_RING_KINDS; kind++)
		if (c->blocks[kind])
			json_u64(json, ring_kind_name(kind), c->blocks[kind]);
	json_known(json, "first_tid", c->known, c->first_tid);
	json_known(json, "last_tid", c->known, c->last_tid);
	json_end(json);
}

static void json_ring(const struct ring_picture *p, struct json *json)
{
	json_object(json, "ring", JSON_SPREAD);
	json_u64(json, "first", p->first);
	json_u64(json, "blocks", p->size);
	json_u64(json, "cell_blocks", p->each);
	for (unsigned kind = 0; kind < NR_RING_KINDS; kind++)
		json_u64(json, ring_kind_name(kind), ring_total(p, kind));
	json_array(json, "cells", JSON_SPREAD);
	for (unsigned i = 0; i < p->count; i++)
		json_ring_cell(json, p, i);
	json_end(json);
	json_end(json);
}

static void json_groups(const struct group_picture *p, struct json *json)
{
	uint64_t first;

	json_object(json, "groups", JSON_SPREAD);
	json_u64(json, "groups", p->groups);
	json_u64(json, "cell_groups", p->each);
	json_array(json, "cells", JSON_SPREAD);
	for (unsigned i = 0; i < p->count; i++) {
		json_object(json, NULL, JSON_INLINE);
		json_u64(json, "groups", groups_of_cell(p, i, &first));
		json_u64(json, "group", first);
		json_u64(json, "live", p->cell[i].live);
		json_u64(json, "overwritten",
			 p->cell[i].logged - p->cell[i].live);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void json_txn_cell(struct json *json, const struct txn_picture *p,
			  unsigned i)
{
	const struct txn_cell *c = &p->cell[i];

	json_object(json, NULL, JSON_INLINE);
	json_u64(json, "time_ns", p->begins + i * p->each);
	json_u64(json, "transactions", c->txns);
	json_u64(json, "first_tid", c->first_tid);
	json_u64(json, "last_tid", c->last_tid);
	json_u64(json, "copies", c->logged);
	json_u64(json, "live", c->live);
	json_u64(json, "revokes", c->revokes);
	json_end(json);
}

static void json_txns(const struct txn_picture *p, struct json *json)
{
	json_object(json, "transactions", JSON_SPREAD);
	json_u64(json, "count", p->count);
	json_u64(json, "cell_ns", p->each);
	json_array(json, "cells", JSON_SPREAD);
	for (unsigned i = 0; i < p->cells; i++)
		if (p->cell[i].txns)
			json_txn_cell(json, p, i);
	json_end(json);
	json_array(json, "sizes", JSON_SPREAD);
	for (unsigned i = 0; i < SIZE_CELLS; i++) {
		if (!p->size[i])
			continue;
		json_object(json, NULL, JSON_INLINE);
		json_u64(json, "copies", i ? UINT64_C(1) << (i - 1) : 0);
		json_u64(json, "transactions", p->size[i]);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void json_finding(const struct e2lazy_finding *f, struct json *json)
{
	const struct e2lazy_problem *p = f->problem;
	const struct diagnosis *row = diagnosis_of(p);

	json_object(json, NULL, JSON_SPREAD);
	json_string(json, "id", p->id);
	json_string(json, "severity", severity_name(p->severity));
	json_u64(json, "count", f->count);
	json_known(json, "logblk", f->first.has & E2LAZY_AT_LOGBLK,
		   f->first.logblk);
	json_known(json, "tid", f->first.has & E2LAZY_AT_TID, f->first.tid);
	json_known(json, "fsblk", f->first.has & E2LAZY_AT_FSBLK,
		   f->first.fsblk);
	json_string(json, "consent", consent_name(p->consent));
	json_string(json, "message", _(row->text));
	json_string(json, "meaning", _(row->meaning));
	json_string(json, "question", row->question ? _(row->question) : NULL);
	json_string(json, "advice", _(row->advice));
	json_end(json);
}

static void json_findings(const struct report *r, struct json *json)
{
	const struct e2lazy_verdict *verdict = r->info.verdict;
	const struct e2lazy_finding *f;

	json_string(json, "verdict", verdict ?
		    status_name(e2lazy_verdict_status(verdict)) : NULL);
	json_bool(json, "verified", verdict && r->info.thorough);
	json_array(json, "findings", JSON_SPREAD);
	for (size_t i = 0; verdict && (f = e2lazy_verdict_finding(verdict, i));
	     i++)
		json_finding(f, json);
	json_end(json);
}

void report_json(struct report *r)
{
	struct json *json = &r->s->print.json;
	struct sheet sheet;

	info_print(&r->info);
	session_document_run(r->s);
	print_sheet(&r->s->print, &sheet);
	report_input(r, &sheet);
	report_volume(r, &sheet);
	json_findings(r, json);
	json_ring(&r->ring, json);
	json_groups(&r->groups, json);
	json_txns(&r->txns, json);
	if (r->planned)
		report_plan(r, &sheet);
	else
		json_null(json, "plan");
	report_files_json(r, json);
}
