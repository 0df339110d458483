/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target_carve.c - salvage a log, in its place or anywhere on the device
 *
 * INPUT_MORE carves.  INPUT_DATA zeroes the journal superblock first, for few
 * inputs would do so by chance.  INPUT_UNTIL gives pieces by hand: @until and
 * @spare say which, and the first operation's payload has their values.
 */
#include <stdlib.h>
#include <string.h>

#include "e2lazy_salvage.h"
#include "target.h"

const bool fuzz_wants_words = false;
const bool fuzz_wants_paths = false;

struct media {
	struct e2lazy_medium fs, log;
	const struct e2lazy_medium *journal;
};

static void parts_of(const struct input *in, struct e2lazy_parts *parts)
{
	const uint8_t *from = in->ops[0].payload;

	memcpy(&parts->blocks, from, 4);
	memcpy(&parts->first, from + 4, 4);
	memcpy(&parts->fast, from + 8, 4);
	memcpy(&parts->start, from + 12, 4);
	memcpy(&parts->sequence, from + 16, 4);
	memcpy(parts->uuid, from + 20, 16);
	parts->csum = from[36] % 4;
	parts->is_64bit = from[37] & 1;
	/* Without a value nearly nothing opens. */
	if (in->spare & 2)
		parts->start %= 256;
	if (in->spare & 4)
		parts->blocks %= 4096;
	if (in->spare & 8)
		parts->first %= 16;
	parts->has = in->until & ~(1U << E2LAZY_PART_WHERE);
	parts->has |= (in->spare & 1U) << E2LAZY_PART_SEQUENCE;
}

static void zero_super(struct template *t)
{
	uint32_t at = t->log_at[t->mkj.img.jsb_log];

	memset(device_block(t->log, at), 0, t->bs);
}

/*
 * A candidate opens, and its tail is one of its ring's transactions, or by hand
 * it is empty.  Runs by a carving have room for all of it.
 */
static void check_candidate(const struct media *m,
			    const struct e2lazy_candidate *c, bool by_hand)
{
	const struct e2lazy_geometry *g = &c->geometry;
	const struct e2lazy_open_opts opts = {
		.manager = device_io_manager, .geometry = g,
		.runs = c->runs, .nr_runs = c->nr_runs,
	};
	struct e2lazy_journal *journal;
	struct e2lazy_where where;
	struct e2lazy_jmap *map;
	uint64_t blocks = 0;

	must(c->txns > 0 && c->proven <= c->txns);
	must(c->txns <= c->ring.txns);
	must(by_hand || g->start);
	must(!g->start || (g->start >= g->first && g->start < g->end));
	must(g->end <= g->maxlen);
	must(!c->in_force || (!c->super_error && !c->runs));
	for (unsigned i = 0; i < E2LAZY_NR_PARTS; i++)
		must(c->facts[i].origin < E2LAZY_NR_WITNESSES);
	for (size_t i = 0; i < c->nr_runs; i++) {
		must(c->runs[i].count > 0);
		must(c->runs[i].physblk + c->runs[i].count <=
		     m->fs.bytes / g->blocksize);
		blocks += c->runs[i].count;
	}
	must(!c->runs || blocks >= g->maxlen);
	must(!e2lazy_open_medium(&m->fs, c->runs ? NULL : m->journal, &opts,
				 &journal, &where));
	must(e2lazy_geometry(journal)->given);
	if (!e2lazy_jmap_build(journal, NULL, &map)) {
		/* v1: without the copies' sum a transaction is no proof. */
		must(!g->start || by_hand || g->csum == E2LAZY_CSUM_V1 ||
		     e2lazy_jmap_stats(map)->txns > 0);
		e2lazy_jmap_free(map);
	}
	e2lazy_close(journal);
}

void fuzz_one(struct template *t, const struct input *in)
{
	struct media m = {
		.fs = { .name = t->fs.name, .bytes = t->fs.size },
		.log = { .name = t->journal.name, .bytes = t->journal.size },
	};
	const struct e2lazy_open_opts opts = { .manager = device_io_manager };
	bool by_hand = in->flags & INPUT_UNTIL;
	struct e2lazy_parts parts = { .has = 0 };
	const struct e2lazy_salvage_opts how = {
		.flags = in->flags & INPUT_MORE ? E2LAZY_SALVAGE_CARVE : 0,
		.pieces = by_hand ? &parts : NULL,
	};
	struct e2lazy_salvage *found;
	struct e2lazy_where where;

	if (t->journal.bytes)
		m.journal = &m.log;
	if (by_hand)
		parts_of(in, &parts);
	if (in->flags & INPUT_DATA)
		zero_super(t);
	device_bytes_read = 0;
	if (e2lazy_salvage_medium(&m.fs, m.journal, &opts, &how, &found,
				  &where))
		return;
	/* Each guess of a carving may read as much as a journal does. */
	fuzz_bound(t, 12 + 12 * (unsigned)e2lazy_salvage_carved(found)
				->searched);
	for (size_t i = 0; i < e2lazy_salvage_count(found); i++)
		check_candidate(&m, e2lazy_salvage_candidate(found, i),
				by_hand);
	e2lazy_salvage_free(found);
}
