/* SPDX-License-Identifier: GPL-2.0-only */
/* named.c - which states hold, what to do, and what the tools lose there */
#include <sys/stat.h>

#include "doctor.h"
#include "session/names.h"
#include "states/conditions.h"

const struct diagnosis *next_state(const struct doctor *d,
				   const struct diagnosis *row)
{
	/* While the log moves, no other state counts. */
	if (row && row->holds == is_moving)
		return NULL;
	while ((row = diagnosis_next(row)) && !diagnosis_holds(row, &d->f))
		;
	return row;
}

const struct outcome *tool_outcome(const struct doctor *d, enum tool tool)
{
	return outcome_of(diagnosis_tool(&d->f, tool));
}

static bool is_external(const struct doctor *d)
{
	const struct e2lazy_geometry *g = d->s->log->geo;

	return d->s->source.open.journal || (g && g->external);
}

/* A kernel takes a block device for the journal, and nothing else. */
static bool journal_is_file(const struct doctor *d)
{
	const char *name = d->s->source.open.journal;
	struct stat st;

	if (!name && is_external(d))
		name = d->s->log->geo->journal_device;
	return name && !stat(name, &st) && S_ISREG(st.st_mode);
}

static bool is_block_device(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISBLK(st.st_mode);
}

static bool last_is_bad(const struct doctor *d)
{
	const struct e2lazy_verdict *v = d->f.verdict;
	const struct e2lazy_finding *bad;
	struct e2lazy_copy copy;

	bad = v ? finding_of(v, "older-copy") : NULL;
	if (!bad && v)
		bad = finding_of(v, "data-csum");
	return bad && d->first_tid != d->last_tid &&
	       bad->first.has & E2LAZY_AT_FSBLK &&
	       !e2lazy_jmap_lookup(d->s->log->map, bad->first.fsblk, &copy) &&
	       copy.tid == d->last_tid;
}

const struct step_text *next_step(const struct doctor *d,
				  const struct diagnosis *row, size_t *at)
{
	static const enum step usual[MAX_STEPS] = {
		STEP_COPY, STEP_COPY_JOURNAL, STEP_VERIFY, STEP_FILES,
		STEP_VIEW,
	};
	const enum step *steps = *row->steps ? row->steps : usual;
	const bool has[] = {
		[NEEDS_NOTHING] = true,
		[NEEDS_RING] = !d->ring_empty,
		[NEEDS_NO_RING] = d->ring_empty && !is_external(d),
		[NEEDS_MARK] = doctor_is_marked(d),
		[NEEDS_INTERNAL] = !is_external(d),
		[NEEDS_EXTERNAL] = is_external(d),
		[NEEDS_JOURNAL_FILE] = journal_is_file(d),
		[NEEDS_MOUNTABLE] = !journal_is_file(d),
		[NEEDS_BLOCK_DEVICE] = !journal_is_file(d) &&
				       is_block_device(d->s->device),
		[NEEDS_BAD_LAST] = last_is_bad(d),
	};

	while (*at < MAX_STEPS && steps[*at]) {
		const struct step_text *text = step_text(steps[(*at)++]);

		if (has[text->needs])
			return text;
	}
	return NULL;
}

bool loss_count(const struct doctor *d, enum loss loss, uint64_t *count)
{
	const uint64_t counts[] = {
		[LOSS_NONE] = 0,
		[LOSS_ALL] = d->all,
		[LOSS_END] = d->f.given_up.count,
		[LOSS_COPIES] = facts_found(&d->f, "older-copy") +
				facts_found(&d->f, "data-csum"),
		[LOSS_STALE] = d->stale,
		[LOSS_HIDDEN] = d->f.contradicted ? d->all :
				facts_found(&d->f, "tail-contradicted"),
		[LOSS_UNKNOWN] = 0,
	};

	*count = counts[loss];
	/* Of an old log, some blocks are older than those in place. */
	if (loss == LOSS_ALL && facts_found(&d->f, "place-newer"))
		return false;
	return loss == LOSS_NONE || (loss != LOSS_UNKNOWN && d->counted);
}

uint64_t records_lost(const struct doctor *d, enum loss loss)
{
	return loss == LOSS_ALL ? facts_found(&d->f, "fast-commits-valid") : 0;
}
