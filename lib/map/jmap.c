/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * jmap.c - static block -> its newest committed, unrevoked copy
 *
 * One walk builds the map; afterwards it never changes.  The build holds a
 * transaction's events back until the walk has accepted its commit block, so
 * the map never holds an uncommitted copy, although one walk is enough.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/watch.h"
#include "log/behind.h"
#include "log/block_events.h"
#include "log/end_proof.h"
#include "log/log.h"
#include "log/walk.h"
#include "jmap_build.h"
#include "super.h"

/* ----------------------------------------------- one transaction's part */

#define UNREADABLE (E2LAZY_COPY_BAD | E2LAZY_COPY_UNREADABLE)

static const struct {
	unsigned	mask, flags;
	errcode_t	error;
} flag_damage[] = {
	{ E2LAZY_COPY_OUTSIDE,	E2LAZY_COPY_OUTSIDE, E2LAZY_ET_TAG_OUTSIDE },
	{ E2LAZY_COPY_IN_JOURNAL, E2LAZY_COPY_IN_JOURNAL,
	  E2LAZY_ET_TAG_IN_JOURNAL },
	{ UNREADABLE,		E2LAZY_COPY_BAD, E2LAZY_ET_DATA_CSUM },
	{ UNREADABLE,		UNREADABLE, EIO },
};
#define NR_FLAG_DAMAGE (sizeof(flag_damage) / sizeof(flag_damage[0]))

/* Counts that the open transaction adds if it commits. */
struct open_part {
	uint64_t	refused;
	struct e2lazy_damage damage[NR_FLAG_DAMAGE];
};

struct build {
	struct e2lazy_jmap *map;
	struct open_part open;
	const struct damaged_tags *tags;	/* or NULL */
	size_t		next_tag;	/* the first that was not looked at */
};

static void set_where(struct e2lazy_where *where, uint32_t logblk,
		      blk64_t fsblk, uint32_t tid)
{
	where->volume = E2LAZY_JOURNAL;
	where->has = E2LAZY_AT_LOGBLK | E2LAZY_AT_FSBLK | E2LAZY_AT_TID;
	where->logblk = logblk;
	where->fsblk = fsblk;
	where->tid = tid;
}

static void note_damage(struct build *b, const struct e2lazy_event *ev)
{
	for (size_t i = 0; i < NR_FLAG_DAMAGE; i++) {
		struct e2lazy_damage *d = &b->open.damage[i];

		if ((ev->flags & flag_damage[i].mask) != flag_damage[i].flags)
			continue;
		d->error = flag_damage[i].error;
		if (d->count++ == 0)
			set_where(&d->first, ev->logblk, ev->fsblk, ev->tid);
	}
}

static void add_damage(struct e2lazy_map_stats *stats,
		       const struct e2lazy_damage *more)
{
	size_t i = 0;

	while (i < stats->nr_damage && stats->damage[i].error != more->error)
		i++;
	if (i < stats->nr_damage) {
		stats->damage[i].count += more->count;
	} else if (i < E2LAZY_MAX_DAMAGE) {
		stats->damage[i] = *more;
		stats->nr_damage++;
	}
}

static errcode_t take_copy(struct build *b, const struct e2lazy_event *ev)
{
	struct record r = { .flags = (uint16_t)ev->flags,
			    .logblk = ev->logblk, .tid = ev->tid };
	errcode_t err = 0;

	if (ev->flags)
		note_damage(b, ev);
	if (ev->flags & BLOCK_TAG_REFUSED) {
		b->open.refused++;
		return 0;
	}
	if (b->map->csums.parts)
		err = by_logblk_set(&b->map->csums, ev->logblk, ev->csum);
	if (err)
		return err;
	record_set_fsblk(&r, ev->fsblk);
	return live_set_add(&b->map->set, &r);
}

static errcode_t take_revoke(struct build *b, const struct e2lazy_event *ev)
{
	struct record r = { .flags = RECORD_REVOKE,
			    .logblk = ev->logblk, .tid = ev->tid };
	errcode_t err = 0;

	if (ev->fsblk >= RECORD_FSBLK_END)
		return 0;
	record_set_fsblk(&r, ev->fsblk);
	if (b->map->flags & E2LAZY_JMAP_STATES)
		err = revoke_add(&b->map->revokes, ev->fsblk, ev->tid);
	return err ? err : live_set_add(&b->map->set, &r);
}

static void take_open_part(struct build *b)
{
	struct e2lazy_map_stats *stats = &b->map->stats;

	for (size_t i = 0; i < NR_FLAG_DAMAGE; i++) {
		if (b->open.damage[i].count)
			add_damage(stats, &b->open.damage[i]);
		b->open.damage[i].count = 0;
	}
	stats->states[E2LAZY_REFUSED] += b->open.refused;
	b->open.refused = 0;
}

static errcode_t take_commit(struct build *b, const struct e2lazy_txn *txn)
{
	struct e2lazy_map_stats *stats = &b->map->stats;
	errcode_t err;

	take_open_part(b);
	if (stats->txns++ == 0) {
		stats->first_tid = txn->tid;
		stats->first_sec = txn->sec;
	}
	stats->last_tid = txn->tid;
	if (txn->sec)
		stats->last_sec = txn->sec;
	/* Count every copy as superseded; count_states() corrects that. */
	stats->states[E2LAZY_SUPERSEDED] += txn->copies;
	stats->revokes += txn->revokes;
	stats->descriptors += txn->descriptors;
	stats->revoke_blocks += txn->revoke_blocks;
	stats->torn += txn->torn;
	if (!txn->marked && stats->unmarked++ == 0)
		stats->first_unmarked = txn->tid;
	if (txn->csum > stats->csum)
		stats->csum = txn->csum;
	err = revoke_commit(&b->map->revokes);
	return err ? err : live_set_commit(&b->map->set);
}

/* ------------------------------------------------------------- the walk */

/* Often enough for a progress bar, rare enough to cost nothing. */
#define EVENTS_PER_PROGRESS 4096

static errcode_t take_event(struct build *b, const struct e2lazy_event *ev,
			    const struct e2lazy_jmap_opts *opts)
{
	errcode_t err;

	switch (ev->kind) {
	case E2LAZY_EV_TAG:
		return take_copy(b, ev);
	case E2LAZY_EV_REVOKE:
		return take_revoke(b, ev);
	case E2LAZY_EV_COMMIT:
		err = take_commit(b, ev->txn);
		if (!err && opts->commit)
			err = opts->commit(opts->priv, ev->txn);
		return err;
	case E2LAZY_EV_END:
		b->map->end = *ev->end;
		break;
	}
	return 0;
}

/* Without a word about each, as most of millions need none. */
static errcode_t take_more_tags(struct build *b, struct e2lazy_walk *walk,
				uint64_t *events)
{
	uint32_t taken;
	errcode_t err;

	if (b->map->flags & E2LAZY_JMAP_CSUMS)
		return 0;
	err = walk_take_tags(walk, &b->map->set.pending, &taken);
	*events += taken;
	return err;
}

static errcode_t fold_walk(struct build *b, const struct e2lazy_jmap_opts *opts)
{
	const struct lap lap = lap_longest(&b->map->journal->geo);
	const struct e2lazy_range *r = &b->map->range;
	struct e2lazy_event ev = { .kind = E2LAZY_EV_COMMIT };
	struct e2lazy_walk *walk;
	uint64_t events = 0, due = 0;
	errcode_t err;

	err = e2lazy_walk_ranges(b->map->journal, opts->range,
				 b->map->nr_ranges, opts->flags, opts->until,
				 &walk);
	if (err)
		return err;
	while (!err && ev.kind != E2LAZY_EV_END) {
		e2lazy_walk_next(walk, &ev);
		err = take_event(b, &ev, opts);
		if (!err && ev.kind == E2LAZY_EV_TAG)
			err = take_more_tags(b, walk, &events);
		if (err || ev.kind == E2LAZY_EV_END || events++ < due)
			continue;
		due = events + EVENTS_PER_PROGRESS;
		err = watch_tick(opts->watch, E2LAZY_PHASE_WALK,
				 lap_distance(lap, r->start, ev.logblk),
				 b->map->nr_ranges > 1 ?
				 lap_size(lap) : r->blocks);
	}
	b->map->last_stored = walk_last_stored(walk);
	e2lazy_walk_close(walk);
	return err;
}

/* --------------------------------------------------- behind the damage */

/* @block: room for the copy.  What cannot be verified is not taken. */
static errcode_t take_behind(struct build *b, const struct e2lazy_event *ev,
			     uint8_t *block)
{
	struct e2lazy_journal *j = b->map->journal;

	if (ev->kind == E2LAZY_EV_REVOKE)
		return take_revoke(b, ev);
	if (e2lazy_read_log(j, ev->logblk, 1, block) ||
	    !csum_copy_good(&j->csum, ev->tid, block, ev->csum)) {
		b->map->unsound++;
		return 0;
	}
	b->map->stats.states[E2LAZY_SUPERSEDED]++;
	/* The walk did not count the copies of a damaged descriptor. */
	b->map->taken_open += ev->tid == b->map->end.tid &&
			      !(ev->flags & E2LAZY_COPY_RECOVERED);
	b->map->joined = true;
	return take_copy(b, ev);
}

static errcode_t commit_behind(struct build *b)
{
	errcode_t err = revoke_commit(&b->map->revokes);

	take_open_part(b);
	return err ? err : live_set_commit(&b->map->set);
}

/* The transactions ascend; @tid is the one that is open. */
static errcode_t enter_txn(struct build *b, uint32_t *tid, uint32_t next)
{
	errcode_t err = next == *tid ? 0 : commit_behind(b);

	*tid = next;
	return err;
}

/* The proven tags of the transactions up to @last, wherever they are in these. */
static errcode_t take_tags_to(struct build *b, uint32_t *tid, uint32_t last,
			      uint8_t *block)
{
	errcode_t err = 0;

	while (!err && b->tags && b->next_tag < b->tags->nr) {
		const struct damaged_tag *tag = &b->tags->at[b->next_tag];
		const struct e2lazy_event ev = {
			.kind = E2LAZY_EV_TAG, .tid = tag->tid,
			.logblk = tag->logblk, .fsblk = tag->fsblk,
			.csum = tag->csum,
			.flags = tag->flags | E2LAZY_COPY_RECOVERED,
		};

		if (e2lazy_tid_after(tag->tid, last))
			break;
		b->next_tag++;
		if (!tag->proven || e2lazy_tid_after(*tid, tag->tid))
			continue;
		err = enter_txn(b, tid, tag->tid);
		if (!err)
			err = take_behind(b, &ev, block);
	}
	return err;
}

static errcode_t take_all_behind(struct build *b, struct behind *behind,
				 uint8_t *block)
{
	uint32_t tid = b->map->end.tid;
	struct e2lazy_event ev;
	errcode_t err = 0;

	while (!err && behind_next(behind, &ev)) {
		if (e2lazy_tid_after(behind->passed, ev.tid))
			continue;
		err = take_tags_to(b, &tid, ev.tid, block);
		if (!err)
			err = enter_txn(b, &tid, ev.tid);
		if (!err)
			err = take_behind(b, &ev, block);
	}
	if (!err)
		err = take_tags_to(b, &tid, tid + behind->committed, block);
	return err ? err : commit_behind(b);
}

static errcode_t read_behind(struct build *b, const struct look *look)
{
	struct behind behind;
	uint8_t *block = NULL;
	errcode_t err = behind_init(&behind, look, &b->map->end);

	if (!err)
		err = io_channel_alloc_buf(b->map->journal->io, 1, &block);
	if (!err)
		err = take_all_behind(b, &behind, block);
	ext2fs_free_mem(&block);
	behind_free(&behind);
	return err;
}

static bool goes_on(const struct build *b, unsigned flags)
{
	switch (b->map->end.reason) {
	case E2LAZY_END_BLOCK_CSUM:
		return flags & (E2LAZY_JMAP_BEHIND | E2LAZY_JMAP_JOIN);
	case E2LAZY_END_EMPTY:
	case E2LAZY_END_UNTIL:
	case E2LAZY_END_FULL:
		return false;
	default:
		return flags & E2LAZY_JMAP_JOIN &&
		       b->map->journal->geo.csum >= E2LAZY_CSUM_V2;
	}
}

static errcode_t fold_behind(struct build *b,
			     const struct e2lazy_jmap_opts *opts)
{
	struct e2lazy_journal *j = b->map->journal;
	const struct e2lazy_watch quiet = stop_alone(opts->watch);
	const struct end_proof_opts whole = { .near = ring_size(&j->geo),
					      .watch = &quiet };
	struct end_proof proof;
	errcode_t err;

	if (!goes_on(b, opts->flags))
		return 0;
	live_set_drop(&b->map->set);
	revoke_drop(&b->map->revokes);
	memset(&b->open, 0, sizeof(b->open));
	err = end_proof_look(&proof, j, &b->map->end, &whole);
	if (!err && (b->map->end.error ||
		     proof.verdict == E2LAZY_BEYOND_DAMAGE))
		err = read_behind(b, &proof.look);
	end_proof_free(&proof);
	return err;
}

/* ------------------------------------------------------------ finishing */

/* Refuse the mappings [@from, @to). */
static void refuse(struct e2lazy_jmap *map, size_t from, size_t to)
{
	struct e2lazy_damage outside = { .error = E2LAZY_ET_TAG_OUTSIDE };
	struct mapping *m;

	if (from == to)
		return;
	m = &map->set.live[from];
	for (size_t i = from; i < to; i++)
		outside.count += map->set.live[i].copies;
	set_where(&outside.first, m->logblk, mapping_fsblk(m), m->tid);
	add_damage(&map->stats, &outside);
	map->stats.states[E2LAZY_REFUSED] += outside.count;
	memmove(m, map->set.live + to, (map->set.nr_live - to) * sizeof(*m));
	map->set.nr_live -= to - from;
}

/*
 * The device may be larger than the file system.  The walk lets copies pass
 * that lie on the device; this refuses those past the file system's end, and the
 * boot block of one with blocks of 1 KiB, which is in front of it.
 */
static void refuse_outside(struct e2lazy_jmap *map)
{
	refuse(map, e2lazy_jmap_lower_bound(map, map->fs_blocks),
	       map->set.nr_live);
	refuse(map, 0, e2lazy_jmap_lower_bound(map, map->fs_first));
}

/* Each copy has exactly one state; the remaining ones are superseded. */
static void count_states(struct e2lazy_jmap *map)
{
	uint64_t *states = map->stats.states;
	bool stale = map->end.reason == E2LAZY_END_STALE;

	states[E2LAZY_LIVE] = map->set.nr_live;
	states[E2LAZY_REVOKED] = map->set.revoked;
	/* The walk has counted all copies of the damaged transaction. */
	states[stale ? E2LAZY_STALE : E2LAZY_UNCOMMITTED] =
		map->end.open.copies > map->taken_open ?
		map->end.open.copies - map->taken_open : 0;
	states[E2LAZY_SUPERSEDED] -= states[E2LAZY_LIVE] +
		states[E2LAZY_REVOKED] + states[E2LAZY_REFUSED];
}

/* Most copies of a log are superseded: one look at a bit tells. */
static errcode_t mark_live(struct e2lazy_jmap *map)
{
	errcode_t err = by_logblk_init(&map->live_at, &map->journal->geo, 1);

	for (size_t i = 0; !err && i < map->set.nr_live; i++)
		err = by_logblk_mark(&map->live_at, map->set.live[i].logblk);
	return err;
}

static errcode_t finish(struct e2lazy_jmap *map)
{
	struct ext2_super_block sb;
	struct e2lazy_copy logged;
	bool is_logged;
	errcode_t err;

	err = live_set_finish(&map->set);
	if (!err)
		err = revoke_close(&map->revokes);
	if (err)
		return err;
	is_logged = !e2lazy_jmap_lookup(map, super_fsblk(map->journal),
					&logged);
	err = newest_super(map->journal, is_logged ? &logged : NULL,
			   e2lazy_jmap_is_past(map), &sb);
	if (err)
		return err;
	map->fs_first = sb.s_first_data_block;
	map->fs_blocks = ext2fs_blocks_count(&sb);
	memcpy(map->fs_uuid, sb.s_uuid, sizeof(map->fs_uuid));
	refuse_outside(map);
	count_states(map);
	return map->flags & E2LAZY_JMAP_STATES ? mark_live(map) : 0;
}

errcode_t jmap_build_with(struct e2lazy_journal *journal,
			  const struct e2lazy_jmap_opts *opts,
			  const struct damaged_tags *tags,
			  struct e2lazy_jmap **out)
{
	static const struct e2lazy_jmap_opts plain;
	struct build build = { .tags = tags };
	errcode_t err;

	if (!opts)
		opts = &plain;
	build.map = calloc(1, sizeof(*build.map));
	if (!build.map)
		return EXT2_ET_NO_MEMORY;
	build.map->journal = journal;
	build.map->flags = opts->flags;
	build.map->nr_ranges = opts->range && opts->nr_ranges ?
			       opts->nr_ranges : 1;
	err = range_set(journal, opts->range, &build.map->range);
	if (!err && build.map->flags & E2LAZY_JMAP_CSUMS &&
	    journal->geo.csum >= E2LAZY_CSUM_V2)
		err = by_logblk_init(&build.map->csums, &journal->geo, 32);
	if (!err)
		err = fold_walk(&build, opts);
	if (!err)
		err = fold_behind(&build, opts);
	if (!err)
		err = finish(build.map);
	if (err) {
		e2lazy_jmap_free(build.map);
		return err;
	}
	*out = build.map;
	return 0;
}

errcode_t e2lazy_jmap_build(struct e2lazy_journal *journal,
			    const struct e2lazy_jmap_opts *opts,
			    struct e2lazy_jmap **out)
{
	return jmap_build_with(journal, opts, NULL, out);
}

void jmap_keep_tags(struct e2lazy_jmap *map, struct damaged_tags *tags)
{
	free(map->tags.at);
	map->tags = *tags;
	memset(tags, 0, sizeof(*tags));
}

void e2lazy_jmap_free(struct e2lazy_jmap *map)
{
	if (!map)
		return;
	live_set_free(&map->set);
	revoke_free(&map->revokes);
	by_logblk_free(&map->live_at);
	by_logblk_free(&map->csums);
	free(map->tags.at);
	free(map);
}
