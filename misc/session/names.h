/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.h - names of the library's enums in columns and in JSON
 *
 * They are part of the output contract, so they are not translated; static
 * storage.
 */
#ifndef MISC_NAMES_H
#define MISC_NAMES_H

#include "e2lazy_mend.h"
#include "e2lazy_ring.h"

const char *reason_name(enum e2lazy_end_reason reason);
const char *csum_name(enum e2lazy_csum_state state);
const char *state_name(enum e2lazy_copy_state state);
const char *verdict_name(enum e2lazy_beyond_verdict verdict);
const char *edge_name(enum e2lazy_edge edge);
/* The finding with this id of a verdict, or NULL. */
const struct e2lazy_finding *finding_of(const struct e2lazy_verdict *verdict,
					const char *id);
/* A text for people, not yet translated. */
const char *verdict_text(enum e2lazy_beyond_verdict verdict);
/* The id of a kind of damage, "tag-outside". */
const char *finding_id(errcode_t error);
/* The same of any error, as "no-journal" or "ENOENT"; NULL: it has none. */
const char *error_id(errcode_t error);
const char *severity_name(enum e2lazy_severity severity);
const char *consent_name(enum e2lazy_consent consent);
/* The effect on --checkpoint, for people; not yet translated. */
const char *consent_text(enum e2lazy_consent consent);
const char *status_name(enum e2lazy_status status);

/* Names of the journal's features; returns how many. */
#define MAX_FEATURES	8
size_t feature_names(const struct e2lazy_geometry *geo,
		     const char *names[MAX_FEATURES]);

#endif
