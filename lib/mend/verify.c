/* SPDX-License-Identifier: GPL-2.0-only */
/* verify.c - find what is wrong with a log and with what it maps */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "verify.h"

/* ------------------------------------------------------------- finding */

void verify_found_where(struct verify *v, enum problem problem, uint64_t count,
		 const struct e2lazy_where *where, errcode_t error)
{
	struct e2lazy_finding *f = &v->findings[problem];

	if (f->count == 0) {
		f->first = *where;
		f->error = error;
	}
	f->count += count;
	if (v->opts->place)
		v->opts->place(v->opts->priv, &problem_table[problem], error,
			       where);
}

void verify_found(struct verify *v, enum problem problem, const struct spot *spot,
	   errcode_t error)
{
	static const struct spot nowhere;
	struct e2lazy_where where;

	/* Of millions of places, few are looked at. */
	if (v->findings[problem].count && !v->opts->place) {
		v->findings[problem].count++;
		return;
	}
	if (!spot)
		spot = &nowhere;
	memset(&where, 0, sizeof(where));
	copy_device_name(where.device, spot->has & E2LAZY_AT_LOGBLK ?
				       v->journal->geo.journal_device :
				       v->journal->fs->device_name);
	where.has = spot->has;
	where.logblk = spot->logblk;
	where.tid = spot->tid;
	where.fsblk = spot->fsblk;
	verify_found_where(v, problem, 1, &where, error);
}

void verify_found_copy(struct verify *v, enum problem problem,
		const struct e2lazy_copy *copy, errcode_t error)
{
	struct spot spot = {
		.has = E2LAZY_AT_FSBLK | E2LAZY_AT_LOGBLK | E2LAZY_AT_TID,
		.fsblk = copy->fsblk, .logblk = copy->logblk,
		.tid = copy->tid,
	};

	verify_found(v, problem, &spot, error);
}

bool verify_read(const struct verify *v, size_t index, uint8_t *block)
{
	size_t bad;

	return kept_get(verify_kept(v), index, block) ||
	       !e2lazy_jmap_read(v->map, index, 1, block, &bad);
}

errcode_t verify_tick(struct verify *v, enum e2lazy_mend_phase phase,
		      uint64_t done, uint64_t total)
{
	if (!v->opts->progress)
		return 0;
	return v->opts->progress(v->opts->priv, phase, done, total);
}

/* -------------------------------------------------------- all of it */

static errcode_t (*const steps[])(struct verify *v) = {
	verify_state, verify_log, verify_mapping, verify_copies,
	verify_escapes, verify_wiped, verify_discarded,
};

static void report(const struct verify *v)
{
	for (unsigned i = 0; i < NR_PROBLEMS; i++)
		if (v->findings[i].count)
			v->opts->found(v->opts->priv, &v->findings[i]);
}

errcode_t e2lazy_verify(const struct e2lazy_subject *subject,
			const struct e2lazy_verify_opts *opts)
{
	struct verify *v;
	errcode_t err = 0;

	if (e2lazy_jmap_end(subject->map)->reason == E2LAZY_END_UNTIL)
		return EXT2_ET_INVALID_ARGUMENT;
	v = calloc(1, sizeof(*v));
	if (!v)
		return EXT2_ET_NO_MEMORY;
	v->subject = subject;
	v->opts = opts;
	v->journal = subject->journal;
	v->map = subject->map;
	v->end = e2lazy_jmap_end(subject->map);
	for (size_t i = 0; i < NR_PROBLEMS; i++)
		v->findings[i].problem = &problem_table[i];
	for (size_t i = 0; !err && i < sizeof(steps) / sizeof(steps[0]); i++)
		err = steps[i](v);
	if (!err)
		report(v);
	if (v->fs)
		ext2fs_free(v->fs);
	e2lazy_owners_free(v->owners);
	records_free(&v->escaped);
	free(v->voided);
	free(v);
	return err;
}
