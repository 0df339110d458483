/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clean.c - frees the oldest transactions of the log alone
 */
#include "ck.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/units.h"

/* Without an option: half of the ring, so that a mount need not wait. */
#define FREE_PERCENT	50

static const struct {
	int		id;
	enum e2lazy_tail_by by;
	const char	*option;
	uint64_t	most;
	const char	*what;
} wants[] = {
	{ CK_TIDS, E2LAZY_TAIL_TIDS, "--tids", UINT32_MAX,
	  N_("a number of transactions") },
	{ CK_BLOCKS, E2LAZY_TAIL_BLOCKS, "--blocks", UINT32_MAX,
	  N_("a number of log blocks") },
	{ CK_UNTIL_FREE, E2LAZY_TAIL_FREE, "--until-free", 100,
	  N_("a percentage from 1 to 100") },
};

bool ck_want(struct ck *ck, enum ck_want want, const char *arg)
{
	unsigned n = 0;
	uint64_t least;

	while (wants[n].id != (int)want)
		n++;
	if (!parse_number(arg, wants[n].most, &least) || !least)
		return session_refuse(ck->s, wants[n].option, arg,
				      _(wants[n].what));
	if (ck->want.least && ck->want.by != wants[n].by)
		return session_wrong(ck->s, _("--tids, --blocks and "
					      "--until-free are mutually "
					      "exclusive"));
	ck->want.by = wants[n].by;
	ck->want.least = least;
	return true;
}

/*
 * It is no complaint where the log is as it was asked for, or where a plan shows
 * the fast commits that go first.
 */
static void tell_nothing(struct ck *ck, bool none)
{
	const struct e2lazy_tail *t = &ck->tail;

	if (ck->plan && ck_fast_waits(ck))
		session_complain(ck->s, 0,
				 _("nothing to free before the fast commits "
				   "are a transaction"));
	else if (none)
		session_complain(ck->s, 0, _("nothing to free: the log has no "
					     "committed transaction"));
	else if (t->enough)
		session_complain(ck->s, 0,
				 P_("nothing to free: %u log block is free",
				    "nothing to free: %u log blocks are free",
				    t->free_blocks), t->free_blocks);
	else
		session_complain(ck->s, FSCK_LEFT,
				 _("nothing to free: the newest transaction "
				   "stays, and there is no other; "
				   "--checkpoint empties the log"));
}

bool ck_find_tail(struct ck *ck)
{
	const struct e2lazy_subject subject = opened_subject(ck->s->log);
	bool clears = e2lazy_verdict_void_fast(ck->verdict), none;
	errcode_t err;

	if (!ck->want.least)
		ck->want = (struct e2lazy_tail_want){ E2LAZY_TAIL_FREE,
						      FREE_PERCENT };
	err = e2lazy_tail_find(&subject, &ck->want, &ck->tail);
	none = err == E2LAZY_ET_EMPTY_LOG;
	if (err && !none) {
		session_fail(ck->s, err, NULL);
		return false;
	}
	if (ck->tail.txns || clears || (ck->compact && !none))
		return true;
	tell_nothing(ck, none);
	return false;
}

/*
 * A problem that a checkpoint asks about; the rest of the log would keep it.  No
 * question is answered yet but that of --data-journal: a replay writes the
 * copies, too.
 */
bool ck_is_sound(struct ck *ck)
{
	bool sound = true;

	for (size_t i = 0; i < ck->nr_problems; i++) {
		const struct e2lazy_finding *f = &ck->found[i].finding;

		if (!f->count || f->problem->consent == E2LAZY_GO ||
		    ck->found[i].answer)
			continue;
		sound = false;
		session_complain(ck->s, FSCK_LEFT,
				 _("%s: --clean and --compact need a sound "
				   "log; nothing is written"), f->problem->id);
	}
	return sound;
}

void ck_sheet_tail(const struct ck *ck, struct sheet *sheet)
{
	const struct e2lazy_tail *t = &ck->tail;

	if (!ck->clean)
		return;
	sheet_group(sheet, "tail");
	sheet_u64(sheet, "transactions", t->txns);
	sheet_u64(sheet, "log_blocks", t->blocks);
	sheet_u64(sheet, "live", t->live);
	sheet_u64(sheet, "dropped", t->dropped);
	sheet_u64(sheet, "free_before", t->free_before);
	sheet_u64(sheet, "free_after", t->free_blocks);
	sheet_u64(sheet, "tid", t->tid);
	sheet_u64(sheet, "start", t->start);
	sheet_bool(sheet, "enough", t->enough);
	sheet_group_end(sheet);
}

void ck_tell_cleared(struct ck *ck)
{
	unsigned long long records = e2lazy_verdict_void_fast(ck->verdict);

	session_complain(ck->s, FSCK_CORRECTED,
			 P_("cleared %llu fast-commit record that does not "
			    "count; nothing to free",
			    "cleared %llu fast-commit records that do not "
			    "count; nothing to free", records), records);
}

void ck_tell_freed(struct ck *ck, const struct e2lazy_checkpoint_done *d)
{
	const struct e2lazy_tail *t = &ck->tail;

	if (!t->txns)
		ck_tell_cleared(ck);
	else
		session_complain(ck->s, FSCK_CORRECTED,
				 _("freed transactions: %u, log blocks: %u, "
				   "blocks written back: %llu; the log begins "
				   "with transaction %u"),
				 t->txns, t->blocks,
				 (unsigned long long)d->blocks_written,
				 t->tid);
	if (!t->enough)
		session_complain(ck->s, FSCK_LEFT,
				 _("less than was asked for: the newest "
				   "transaction stays"));
}
