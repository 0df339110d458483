/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * info_json.c - e2lazy info as a JSON document
 */
#include <uuid/uuid.h>

#include "session/bands.h"
#include "info.h"

static void json_filesystem(struct info *info)
{
	struct json *json = &info->s->json;
	const struct e2lazy_geometry *g = info->s->geo;
	ext2_filsys fs = e2lazy_static_fs(info->s->journal);
	char uuid[UUID_STR_LEN];

	uuid_unparse_lower(g->fs_uuid, uuid);
	json_object(json, "filesystem", JSON_SPREAD);
	json_string(json, "uuid", uuid);
	json_u64(json, "blocks", ext2fs_blocks_count(fs->super));
	json_u64(json, "block_size", g->blocksize);
	json_u64(json, "groups", fs->group_desc_count);
	if (info->s->open.superblock)	/* a backup does not know */
		json_null(json, "needs_recovery");
	else
		json_bool(json, "needs_recovery", g->needs_recovery);
	json_bool(json, "lazy_marker", info->lazy_marker);
	json_bool(json, "mounted", info->mounted);
	json_end(json);
}

static const char *const checksum_ids[] = {
	[E2LAZY_CSUM_NONE] = NULL,
	[E2LAZY_CSUM_V1] = "v1",
	[E2LAZY_CSUM_V2] = "v2",
	[E2LAZY_CSUM_V3] = "v3",
};

static void json_journal(struct json *json, const struct e2lazy_geometry *g)
{
	const char *names[MAX_FEATURES];
	size_t n = feature_names(g, names), i;
	char uuid[UUID_STR_LEN];

	uuid_unparse_lower(g->uuid, uuid);
	json_object(json, "journal", JSON_SPREAD);
	json_string(json, "device", g->journal_device);
	json_bool(json, "external", g->external);
	if (g->ino)
		json_u64(json, "inode", g->ino);
	else
		json_null(json, "inode");
	json_bool(json, "from_backup", g->from_backup);
	json_u64(json, "pieces", g->runs);
	json_u64(json, "blocks", g->maxlen);
	json_u64(json, "bytes", (uint64_t)g->maxlen * g->blocksize);
	json_u64(json, "version", g->version);
	json_string(json, "uuid", uuid);
	json_array(json, "features", JSON_INLINE);
	for (i = 0; i < n; i++)
		json_string(json, NULL, names[i]);
	json_end(json);
	json_string(json, "checksum", checksum_ids[g->csum]);
	json_u64(json, "tag_bytes", g->tag_bytes);
	json_u64(json, "first", g->first);
	json_u64(json, "end", g->end);
	json_u64(json, "start", g->start);
	json_u64(json, "sequence", g->sequence);
	json_u64(json, "head", g->head);
	json_i64(json, "errno", g->error);
	json_end(json);
}

static void json_log(struct info *info)
{
	struct json *json = &info->s->json;
	const struct e2lazy_map_stats *stats = info->s->stats;

	json_object(json, "log", JSON_SPREAD);
	json_u64(json, "transactions", stats->txns);
	if (stats->txns) {
		json_u64(json, "first_tid", stats->first_tid);
		json_u64(json, "last_tid", stats->last_tid);
		json_time(json, "first_time", stats->first_sec);
		json_time(json, "last_time", stats->last_sec);
	} else {
		json_null(json, "first_tid");
		json_null(json, "last_tid");
		json_null(json, "first_time");
		json_null(json, "last_time");
	}
	json_u64(json, "tail", info->s->geo->start);
	json_u64(json, "head", info->s->end->head);
	json_u64(json, "blocks", info->s->end->walked);
	json_bool(json, "wrapped", info->wrapped);
	json_u64(json, "descriptors", stats->descriptors);
	json_u64(json, "revoke_blocks", stats->revoke_blocks);
	json_u64(json, "revokes", stats->revokes);
	json_u64(json, "torn", stats->torn);
	json_string(json, "csum", csum_name(stats->csum));
	json_bool(json, "copies_verified", info->copies_verified);
	json_end(json);
}

static void json_end_reason(struct json *json, const struct e2lazy_end *end)
{
	json_object(json, "end", JSON_SPREAD);
	json_string(json, "reason", reason_name(end->reason));
	json_string(json, "text", e2lazy_end_text(end->reason));
	json_u64(json, "next_tid", end->tid);
	json_u64(json, "stop", end->stop);
	json_object(json, "begun", JSON_INLINE);
	json_u64(json, "descriptors", end->open.descriptors);
	json_u64(json, "revoke_blocks", end->open.revoke_blocks);
	json_u64(json, "copies", end->open.copies);
	json_end(json);
	json_end(json);
}

static void json_map(struct info *info)
{
	struct json *json = &info->s->json;
	const uint64_t *states = info->s->stats->states;
	unsigned i;

	json_object(json, "map", JSON_SPREAD);
	json_u64(json, "logged", info->logged);
	for (i = 0; i < E2LAZY_NR_STATES; i++)
		json_u64(json, state_name(i), states[i]);
	json_real(json, "live_fraction", (double)info->live / info->ring);
	if (info->live)
		json_real(json, "overwrite_ratio",
			  (double)info->logged / info->live);
	else
		json_null(json, "overwrite_ratio");
	json_end(json);
}

static void json_types(struct info *info)
{
	struct json *json = &info->s->json;
	unsigned i;

	if (!info->typed) {
		json_null(json, "types");
		return;
	}
	json_array(json, "types", JSON_SPREAD);
	for (i = 0; i < E2LAZY_NR_TYPES; i++) {
		if (!info->types[i])
			continue;
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "type", e2lazy_type_name(i));
		json_u64(json, "blocks", info->types[i]);
		json_u64(json, "bytes",
			 info->types[i] * info->s->geo->blocksize);
		json_end(json);
	}
	json_end(json);
}

static void json_fast_commit(struct info *info)
{
	struct json *json = &info->s->json;

	if (!info->s->geo->fc_blocks) {
		json_null(json, "fast_commit");
		return;
	}
	json_object(json, "fast_commit", JSON_INLINE);
	json_u64(json, "first", info->s->geo->fc_first);
	json_u64(json, "blocks", info->s->geo->fc_blocks);
	json_u64(json, "records", info->fc.records);
	json_u64(json, "valid", info->fc.valid);
	json_end(json);
}

static void json_bands(struct info *info)
{
	struct json *json = &info->s->json;

	if (info->banded)
		bands_json(json, info->band, &info->bands, &info->dynamic,
			   BANDS_PAPER | BANDS_EXACT);
	else
		json_null(json, "bands");
}

static void json_estimates(struct info *info)
{
	struct json *json = &info->s->json;
	double bytes = (double)info->s->end->walked * info->s->geo->blocksize;

	json_object(json, "estimates", JSON_SPREAD);
	json_u64(json, "replay_writes", info->replayed);
	json_u64(json, "live_writes", info->live);
	json_u64(json, "control_blocks", info->control);
	json_u64(json, "jmap_bytes", info->live * KERNEL_MAPPING_BYTES);
	json_real(json, "read_seconds", bytes / DISK_RATE);
	json_u64(json, "read_rate", DISK_RATE);
	json_end(json);
}

static void json_hazards(struct info *info)
{
	struct json *json = &info->s->json;
	const struct e2lazy_problem *p;
	size_t at = 0;

	json_array(json, "hazards", JSON_SPREAD);
	while ((p = next_hazard(info, &at))) {
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "id", p->id);
		json_string(json, "severity", severity_name(p->severity));
		json_string(json, "text", p->text);
		json_string(json, "advice", p->advice);
		json_end(json);
	}
	json_end(json);
}

void info_json(struct info *info)
{
	struct session *s = info->s;

	session_document(s);
	json_filesystem(info);
	json_journal(&s->json, s->geo);
	json_log(info);
	json_end_reason(&s->json, s->end);
	if (s->looked) {
		json_object(&s->json, "beyond", JSON_INLINE);
		session_json_beyond(s);
		json_end(&s->json);
	} else {
		json_null(&s->json, "beyond");
	}
	json_map(info);
	json_types(info);
	json_fast_commit(info);
	json_bands(info);
	json_estimates(info);
	json_hazards(info);
}
