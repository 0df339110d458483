/* SPDX-License-Identifier: GPL-2.0-only */
/* target_walk.c - open a journal, walk it, map it, look beyond its end */
#include "target.h"

#include <stdlib.h>

const bool fuzz_wants_words = false;
const bool fuzz_wants_paths = false;

/* Where the longest lap ends. */
static uint32_t last_end(const struct e2lazy_geometry *g)
{
	return g->other_end > g->end ? g->other_end : g->end;
}

/* A second walk, event by event, must agree with the map. */
static void check_walk(struct e2lazy_journal *j, const struct e2lazy_jmap *map,
		       const struct input *in)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(j);
	unsigned flags = in->flags & INPUT_UNTIL ? E2LAZY_WALK_UNTIL : 0;
	uint64_t live = 0, blocks = 0;
	struct e2lazy_event ev;
	struct e2lazy_walk *walk;

	if (in->flags & INPUT_DATA)
		flags |= E2LAZY_WALK_DATA;
	if (e2lazy_walk_open(j, NULL, flags, g->sequence + in->until, &walk))
		return;
	for (e2lazy_walk_next(walk, &ev); ev.kind != E2LAZY_EV_END;
	     e2lazy_walk_next(walk, &ev)) {
		must(ev.logblk >= g->first && ev.logblk < g->end);
		if (ev.kind != E2LAZY_EV_TAG)
			continue;
		must(++blocks <= g->end - g->first);
		if (e2lazy_jmap_state(map, &ev) == E2LAZY_LIVE)
			live++;
		if (in->flags & INPUT_MORE)
			e2lazy_walk_verify(walk);
	}
	must(live == e2lazy_jmap_count(map));
	must(ev.end->walked <= g->end - g->first);
	must(ev.end->left <= g->end - g->first);
	must(ev.end->tid == e2lazy_jmap_end(map)->tid);
	e2lazy_walk_close(walk);
}

/* @end: of its longest lap */
static void check_map(struct e2lazy_journal *j, const struct e2lazy_jmap *map,
		      uint32_t end)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(j);
	struct e2lazy_copy copy, same;
	void *block = malloc(g->blocksize);
	blk64_t next = 0;
	size_t bad;

	for (size_t i = 0; i < e2lazy_jmap_count(map); i++) {
		e2lazy_jmap_get(map, i, &copy);
		must(copy.fsblk >= next);
		must(copy.fsblk < e2lazy_jmap_fs_blocks(map));
		must(!e2lazy_is_journal_block(j, copy.fsblk));
		must(copy.logblk >= g->first && copy.logblk < end);
		must(!e2lazy_jmap_lookup(map, copy.fsblk, &same));
		must(same.logblk == copy.logblk && same.tid == copy.tid);
		must(e2lazy_jmap_lower_bound(map, copy.fsblk) == i);
		if (e2lazy_jmap_read(map, i, 1, block, &bad))
			must(bad == i);
		next = copy.fsblk + 1;
	}
	free(block);
}

/* Any stretch of the ring, of the log or of an older lap. */
static void check_range(struct e2lazy_journal *j, const struct input *in)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(j);
	uint32_t ring = last_end(g) - g->first;
	const struct e2lazy_range range = {
		.start = g->first + in->until % ring,
		.tid = g->sequence + in->until / 4,
		.blocks = in->flags & INPUT_MORE ? in->until : 0,
	};
	const struct e2lazy_jmap_opts opts = { .range = &range };
	const struct e2lazy_end *end;
	struct e2lazy_jmap *map;

	if (e2lazy_jmap_build(j, &opts, &map))
		return;
	end = e2lazy_jmap_end(map);
	must(end->walked + (uint64_t)end->left <=
	     (range.blocks ? range.blocks : ring));
	check_map(j, map, last_end(g));
	e2lazy_jmap_free(map);
}

static void check_layout(struct e2lazy_journal *j,
			 const struct e2lazy_jmap *map)
{
	uint64_t counts[E2LAZY_NR_TYPES], found[E2LAZY_NR_TYPES] = { 0 };
	struct e2lazy_layout *layout;
	struct e2lazy_place place;
	struct e2lazy_where where;
	struct e2lazy_copy copy;
	void *block;

	if (e2lazy_layout_build(j, map, &layout, &where))
		return;
	block = malloc(e2lazy_geometry(j)->blocksize);
	for (size_t i = 0; i < e2lazy_jmap_count(map); i++) {
		e2lazy_jmap_get(map, i, &copy);
		e2lazy_layout_find(layout, copy.fsblk, &place);
		must(place.type <= E2LAZY_TYPE_OTHER);
		found[place.type]++;
		if (place.type == E2LAZY_TYPE_OTHER &&
		    !e2lazy_read_block(j, map, copy.fsblk, block))
			must(e2lazy_identify(layout, block) < E2LAZY_NR_TYPES);
	}
	e2lazy_layout_count(layout, map, counts);
	for (unsigned i = 0; i <= E2LAZY_TYPE_OTHER; i++)
		must(counts[i] == found[i]);
	free(block);
	e2lazy_layout_free(layout);
}

static errcode_t fast_record(void *priv, const struct e2lazy_fc_record *record)
{
	uint64_t *records = priv;
	const volatile uint8_t *value = record->value;

	/* The sanitizer says whether the bytes are there. */
	for (uint32_t i = 0; i < record->length; i++)
		(void)value[i];
	++*records;
	return 0;
}

/* One input in 16 looks up to the tail; the others as far as it matters. */
static void check_rest(struct e2lazy_journal *j, const struct e2lazy_jmap *map,
		       const struct input *in)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(j);
	const struct e2lazy_end *end = e2lazy_jmap_end(map);
	struct e2lazy_beyond_opts opts = {
		.limit = fuzz_one_in(16, in) ? UINT32_MAX :
					       e2lazy_beyond_reach(j),
	};
	struct e2lazy_fc_summary summary;
	struct e2lazy_beyond beyond;
	struct e2lazy_where where;
	uint64_t records = 0;

	if (end->reason != E2LAZY_END_UNTIL &&
	    !e2lazy_beyond(j, end, &opts, &beyond)) {
		must(beyond.looked <= last_end(g) - g->first);
		must(beyond.older + beyond.later <= beyond.looked);
	}
	if (!e2lazy_fc_scan(j, end->tid, fast_record, &records, &summary,
			    &where)) {
		must(summary.records == records);
		must(summary.valid <= summary.records);
		must(records <= (uint64_t)g->fc_blocks * g->blocksize / 4);
	}
}

void fuzz_one(struct template *t, const struct input *in)
{
	struct e2lazy_journal *j = fuzz_open(t);
	struct e2lazy_jmap *map;

	if (!j)
		return;
	map = fuzz_map(j, in, E2LAZY_JMAP_STATES | E2LAZY_JMAP_CSUMS);
	if (map) {
		check_map(j, map, e2lazy_geometry(j)->end);
		check_walk(j, map, in);
		check_layout(j, map);
		check_rest(j, map, in);
		e2lazy_jmap_free(map);
		check_range(j, in);
	}
	e2lazy_close(j);
	fuzz_bound(t, 7);
}
