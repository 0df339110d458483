/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gather.c - gathers the facts about a journal
 */
#include <stdlib.h>

#include "info.h"
#include "map/super.h"
#include "support/device.h"
#include "support/status.h"

/* Version 1 has one checksum for a transaction and its copies; later versions
   have separate ones. */
static bool copies_verified(const struct session *s)
{
	if (s->log->stats->csum == E2LAZY_UNCHECKED)
		return false;
	return s->source.limits.check_data ||
	       s->log->geo->csum == E2LAZY_CSUM_V1;
}

static void gather_numbers(struct info *info)
{
	const struct session *s = info->s;
	const struct e2lazy_geometry *geo = s->log->geo;
	const struct e2lazy_map_stats *stats = s->log->stats;
	const uint64_t *states = stats->states;

	info->lazy_marker =
		super_has_option(e2lazy_static_fs(s->log->journal)->super,
				 SUPER_LAZY);
	info->mounted = device_is_mounted(s->device);
	info->copies_verified = copies_verified(s);
	info->ring = geo->end - geo->first;
	info->wrapped = geo->start &&
			s->log->end->walked > geo->end - geo->start;
	info->live = states[E2LAZY_LIVE];
	/* A replay skips revoked copies and writes every other one. */
	info->replayed = info->live + states[E2LAZY_SUPERSEDED];
	info->logged = info->replayed + states[E2LAZY_REVOKED] +
		       states[E2LAZY_REFUSED];
	info->control = stats->descriptors + stats->revoke_blocks +
			stats->txns;
}

/* Read the blocks that the layout calls other, and count their types again. */
static errcode_t identify_others(struct info *info, void *block,
				 struct e2lazy_damage *unread)
{
	struct session *s = info->s;
	size_t count = e2lazy_jmap_count(s->log->map), i;
	struct e2lazy_place place;
	struct e2lazy_copy copy;

	for (i = 0; i < count; i++) {
		if (i % PROGRESS_ROWS == 0 &&
		    !progress_tick(&s->print.progress, i, count))
			return E2LAZY_ET_CANCELLED;
		e2lazy_jmap_get(s->log->map, i, &copy);
		e2lazy_layout_find(s->log->layout, copy.fsblk, &place);
		if (place.type != E2LAZY_TYPE_OTHER)
			continue;
		info->types[E2LAZY_TYPE_OTHER]--;
		info->types[session_identify(s, &copy, block, unread)]++;
		if (unread->count)
			return unread->error;
	}
	return 0;
}

static errcode_t identify(struct info *info, struct e2lazy_damage *unread)
{
	struct session *s = info->s;
	void *block = malloc(s->log->geo->blocksize);
	errcode_t err;

	if (!block)
		return EXT2_ET_NO_MEMORY;
	progress_begin(&s->print.progress, PHASE_COPIES);
	err = identify_others(info, block, unread);
	progress_end(&s->print.progress);
	free(block);
	return err;
}

/*
 * Report a layout that cannot be built, and print the rest: the user needs it
 * most then.
 */
static void gather_types(struct info *info)
{
	struct session *s = info->s;
	struct e2lazy_damage unread = { .count = 0 };
	errcode_t err = 0;

	if (!session_layout(s))
		return;
	e2lazy_layout_count(s->log->layout, s->log->map, info->types);
	if (info->identify)
		err = identify(info, &unread);
	if (unread.count)
		session_tell(s, FSCK_ERROR, &unread);
	else if (err)
		session_fail(s, err, NULL);
	info->typed = !err;
}

/* The current place of the tables: a resize may be only in the log. */
static void gather_bands(struct info *info)
{
	struct e2lazy_band_model model = { .band_bytes = info->band };
	const struct e2lazy_geometry *g = info->s->log->geo;
	uint64_t bytes = g->fs_blocks * g->blocksize;
	struct e2lazy_regions *regions;
	errcode_t err;

	if (!info->band || !info->s->log->layout)
		return;
	err = e2lazy_regions_of(e2lazy_layout_fs(info->s->log->layout),
				&regions);
	if (err) {
		session_fail(info->s, err, NULL);
		return;
	}
	e2lazy_bands(regions, bytes, &model, &info->bands);
	model.dynamic = true;
	e2lazy_bands(regions, bytes, &model, &info->dynamic);
	e2lazy_regions_free(regions);
	info->banded = true;
}

/*
 * A sound log in use is walked once: only e2lazyck, and a thorough look, look
 * for structures that jbd2 never writes.  An empty log is read to the end of
 * the ring.
 */
static unsigned verify_flags(const struct info *info)
{
	if (info->thorough)
		return E2LAZY_VERIFY_CONTENT | E2LAZY_VERIFY_SUPERSEDED;
	return E2LAZY_VERIFY_GLANCE |
	       (info->damage ? E2LAZY_VERIFY_WALK : 0) |
	       (info->s->source.limits.check_data ?
			E2LAZY_VERIFY_SUPERSEDED | E2LAZY_VERIFY_OWNERS |
			E2LAZY_VERIFY_WALK : 0);
}

static void judge(struct info *info)
{
	struct session *s = info->s;
	const struct e2lazy_watch watch = session_watch(s);
	struct e2lazy_subject subject;
	struct e2lazy_where where;
	const struct e2lazy_verify_opts opts = {
		.flags = verify_flags(info), .watch = &watch,
	};
	errcode_t err;

	if (!s->log->layout || s->log->nr_ranges ||
	    s->log->end->reason == E2LAZY_END_UNTIL)
		return;
	/* Without a view there are no owners; the verdict says why. */
	if (s->source.limits.check_data)
		opened_view(s->log, &where);
	subject = opened_subject(s->log);
	err = e2lazy_verify(&subject, &opts, &info->verdict);
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	if (err)
		session_fail(s, err, NULL);
}

void info_gather(struct info *info)
{
	struct finding findings[MAX_FINDINGS];
	struct session *s = info->s;
	struct e2lazy_where where;
	errcode_t err = 0;

	gather_numbers(info);
	gather_types(info);
	gather_bands(info);
	if (s->log->geo->fc_blocks)
		err = e2lazy_fc_scan(s->log->journal, s->log->end->tid, NULL,
				     NULL, &info->fc, &where);
	if (err)
		session_fail(s, err, &where);
	info->damage = opened_findings(s->log, findings);
	/* A short device does not damage the log; it is a hazard of its own. */
	info->damage -= device_short(s->log->geo);
	judge(info);
}
