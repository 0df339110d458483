/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.c - names of the library's enums in columns and in JSON
 *
 * They are part of the output contract, so they are not translated.
 */
#include <string.h>

#include "names.h"
#include "support/nls.h"

/* A function that tells the name of each value of an enum. */
#define NAMES(function, type, ...)					\
const char *function(type value)					\
{									\
	static const char *const names[] = { __VA_ARGS__ };		\
									\
	return names[value];						\
}

NAMES(csum_name, enum e2lazy_csum_state,
	[E2LAZY_UNCHECKED] = "unchecked",
	[E2LAZY_GOOD] = "good",
	[E2LAZY_TORN] = "torn",
	[E2LAZY_BAD] = "bad")

NAMES(state_name, enum e2lazy_copy_state,
	[E2LAZY_LIVE] = "live",
	[E2LAZY_SUPERSEDED] = "superseded",
	[E2LAZY_REVOKED] = "revoked",
	[E2LAZY_UNCOMMITTED] = "uncommitted",
	[E2LAZY_STALE] = "stale",
	[E2LAZY_REFUSED] = "refused")

NAMES(verdict_name, enum e2lazy_beyond_verdict,
	[E2LAZY_BEYOND_NOTHING] = "nothing",
	[E2LAZY_BEYOND_OLDER_LAP] = "older",
	[E2LAZY_BEYOND_UNCOMMITTED] = "uncommitted",
	[E2LAZY_BEYOND_DAMAGE] = "damage")

const char *finding_id(errcode_t error)
{
	const struct e2lazy_problem *p = e2lazy_problem_of(error);

	return p ? p->id : "unreadable";
}

const char *error_id(errcode_t error)
{
	static const struct {
		errcode_t	error;
		const char	*id;
	} ids[] = {
#include "error_ids.inc"
		{ EXT2_ET_BAD_MAGIC, "bad-magic" },
		{ EXT2_ET_SB_CSUM_INVALID, "superblock-csum" },
		{ EXT2_ET_UNSUPP_FEATURE, "unsupported-feature" },
		{ EXT2_ET_RO_UNSUPP_FEATURE, "unsupported-feature" },
		{ EXT2_ET_SHORT_READ, "short-read" },
		{ EXT2_ET_SHORT_WRITE, "short-write" },
		{ EXT2_ET_NO_MEMORY, "ENOMEM" },
	};
	const struct e2lazy_problem *p = e2lazy_problem_of(error);

	if (p)
		return p->id;
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		if (ids[i].error == error)
			return ids[i].id;
	return error > 0 && error < 4096 ? strerrorname_np((int)error) : NULL;
}

NAMES(severity_name, enum e2lazy_severity,
	[E2LAZY_NOTE] = "note",
	[E2LAZY_WARNING] = "warning",
	[E2LAZY_GRAVE] = "grave")

NAMES(consent_name, enum e2lazy_consent,
	[E2LAZY_GO] = "go",
	[E2LAZY_ASK] = "ask",
	[E2LAZY_REFUSE] = "refuse")

NAMES(consent_text, enum e2lazy_consent,
	[E2LAZY_GO] = N_("--checkpoint goes on."),
	[E2LAZY_ASK] = N_("--checkpoint asks:"),
	[E2LAZY_REFUSE] = N_("--checkpoint is refused."))

NAMES(status_name, enum e2lazy_status,
	[E2LAZY_CLEAN] = "clean",
	[E2LAZY_SOUND_IN_USE] = "sound-in-use",
	[E2LAZY_DAMAGED] = "damaged",
	[E2LAZY_UNUSABLE] = "unusable")

NAMES(verdict_text, enum e2lazy_beyond_verdict,
	[E2LAZY_BEYOND_NOTHING] = N_("no block of this journal"),
	[E2LAZY_BEYOND_OLDER_LAP] = N_("earlier transactions only"),
	[E2LAZY_BEYOND_UNCOMMITTED] =
		N_("an uncommitted transaction"),
	[E2LAZY_BEYOND_DAMAGE] =
		N_("later transactions, so the log is damaged"))

NAMES(reason_name, enum e2lazy_end_reason,
	[E2LAZY_END_EMPTY] = "empty",
	[E2LAZY_END_NOT_JOURNAL] = "not-journal",
	[E2LAZY_END_OTHER_TID] = "other-tid",
	[E2LAZY_END_FULL] = "full",
	[E2LAZY_END_OVERLONG] = "overlong",
	[E2LAZY_END_STALE] = "stale",
	[E2LAZY_END_UNTIL] = "until",
	[E2LAZY_END_TYPE] = "block-type",
	[E2LAZY_END_BLOCK_CSUM] = "block-csum",
	[E2LAZY_END_COMMIT_CSUM] = "commit-csum",
	[E2LAZY_END_REVOKE_COUNT] = "revoke-count",
	[E2LAZY_END_UNREADABLE] = "unreadable",
	[E2LAZY_END_RANGE] = "range")

NAMES(edge_name, enum e2lazy_edge,
	[E2LAZY_EDGE_FIRST] = "first",
	[E2LAZY_EDGE_NEWEST] = "newest",
	[E2LAZY_EDGE_OVERWRITTEN] = "overwritten",
	[E2LAZY_EDGE_RESTART] = "restart",
	[E2LAZY_EDGE_FOREIGN] = "foreign",
	[E2LAZY_EDGE_DAMAGE] = "damage",
	[E2LAZY_EDGE_GAP] = "gap")

size_t feature_names(const struct e2lazy_geometry *geo,
		     const char *names[MAX_FEATURES])
{
	static const struct {
		uint32_t bit;
		const char *name;
	} incompat[] = {
		{ E2LAZY_INCOMPAT_REVOKE, "revoke" },
		{ E2LAZY_INCOMPAT_64BIT, "64bit" },
		{ E2LAZY_INCOMPAT_ASYNC_COMMIT, "async_commit" },
		{ E2LAZY_INCOMPAT_CSUM_V2, "csum_v2" },
		{ E2LAZY_INCOMPAT_CSUM_V3, "csum_v3" },
		{ E2LAZY_INCOMPAT_FAST_COMMIT, "fast_commit" },
	};
	size_t n = 0, i;

	if (geo->compat & E2LAZY_COMPAT_CHECKSUM)
		names[n++] = "checksum";
	for (i = 0; i < sizeof(incompat) / sizeof(*incompat); i++)
		if (geo->incompat & incompat[i].bit)
			names[n++] = incompat[i].name;
	return n;
}

const struct e2lazy_finding *finding_of(const struct e2lazy_verdict *verdict,
					const char *id)
{
	const struct e2lazy_finding *f;

	for (size_t i = 0; (f = e2lazy_verdict_finding(verdict, i)); i++)
		if (!strcmp(f->problem->id, id))
			return f;
	return NULL;
}
