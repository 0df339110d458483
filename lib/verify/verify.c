/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* verify.c - find problems of a log and of the blocks that it maps */

#include <stdlib.h>

#include "verify.h"

/* The reads of a step; a glance skips most of them. */
enum reads { READS_LITTLE, READS_LOG, READS_COPIES, READS_SUPERSEDED };

static const struct {
	errcode_t	(*look)(struct verify *v);
	enum reads	reads;
} steps[] = {
	{ verify_state,		READS_LITTLE },
	{ verify_fast,		READS_LITTLE },
	{ verify_dropped,	READS_LOG },
	{ verify_log,		READS_LOG },
	{ verify_mapping,	READS_LITTLE },
	{ verify_copies,	READS_COPIES },
	{ verify_escapes,	READS_COPIES },
	{ verify_superseded,	READS_SUPERSEDED },
	{ verify_discarded_on_mount,		READS_COPIES },
	{ verify_discarded,	READS_LITTLE },
	{ verify_tail,		READS_COPIES },
	{ verify_outdated,	READS_COPIES },
	{ verify_written_since,	READS_COPIES },
};

static bool is_wanted(const struct verify *v, enum reads reads)
{
	if (!(v->opts->flags & E2LAZY_VERIFY_GLANCE))
		return true;
	return reads == READS_LITTLE || reads == READS_SUPERSEDED ||
	       (reads == READS_LOG && v->opts->flags & E2LAZY_VERIFY_WALK);
}

static errcode_t search(struct verify *v)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (is_wanted(v, steps[i].reads))
			err = steps[i].look(v);
		err = err ? err : v->told;
	}
	return err ? err : verdict_reach(v->verdict);
}

static void forget(struct verify *v)
{
	if (v->fs)
		ext2fs_free(v->fs);
	e2lazy_owners_free(v->owners);
	end_proof_free(&v->proof);
	records_free(&v->escaped);
	free(v->bad.at);
	free(v->voided);
	held_then_free(v);
	free(v);
}

errcode_t e2lazy_verify(const struct e2lazy_subject *subject,
			const struct e2lazy_verify_opts *opts,
			struct e2lazy_verdict **out)
{
	struct verify *v = calloc(1, sizeof(*v));
	errcode_t err;

	*out = NULL;
	if (!v)
		return EXT2_ET_NO_MEMORY;
	v->subject = subject;
	v->opts = opts;
	v->journal = subject->journal;
	v->map = subject->map;
	err = verdict_begin(subject, opts->flags, &v->verdict);
	if (!err) {
		v->end = e2lazy_jmap_end(subject->map);
		err = search(v);
	}
	if (!err)
		*out = v->verdict;
	else
		e2lazy_verdict_free(v->verdict);
	forget(v);
	return err;
}
