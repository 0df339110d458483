/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * no_super.c - a log without a journal superblock, or with a wrong one
 *
 * The search of 'e2lazy salvage' finds how the ring is to be read, and where
 * its last log begins.  The newest copy of each block in that log is compared
 * with the static block.
 */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "e2lazy_salvage.h"
#include "facts/newer.h"
#include "support/status.h"

static bool differs(struct e2lazy_journal *j, const struct e2lazy_jmap *map,
		    size_t index, uint8_t *logged, uint8_t *home)
{
	unsigned size = e2lazy_geometry(j)->blocksize;
	struct e2lazy_copy copy;
	size_t bad;

	e2lazy_jmap_get(map, index, &copy);
	/* A replay merges the superblock, so it is never equal to its copy. */
	if (copy.fsblk == 1024 / size)
		return true;
	return !e2lazy_jmap_read(map, index, 1, logged, &bad) &&
	       !io_channel_read_blk64(e2lazy_static_fs(j)->io, copy.fsblk, 1,
				      home) &&
	       memcmp(logged, home, size);
}

static bool compare(struct doctor *d, struct e2lazy_journal *j,
		    const struct e2lazy_jmap *map)
{
	const struct e2lazy_map_stats *stats = e2lazy_jmap_stats(map);
	unsigned size = e2lazy_geometry(j)->blocksize;
	uint8_t *blocks = malloc(2 * (size_t)size);

	if (!blocks)
		return false;
	d->f.txns = stats->txns;
	d->first_tid = stats->first_tid;
	d->last_tid = stats->last_tid;
	d->f.live = e2lazy_jmap_count(map);
	d->newer = 0;
	for (size_t i = 0; i < d->f.live && !cancelled(); i++)
		d->newer += differs(j, map, i, blocks, blocks + size);
	d->all = d->newer;
	d->super = newer_super(map, size);
	free(blocks);
	return true;
}

static bool count(struct doctor *d, const struct e2lazy_candidate *c)
{
	struct e2lazy_jmap_opts opts = { .flags = E2LAZY_JMAP_CSUMS };
	struct e2lazy_open_opts open = d->s->source.open;
	struct e2lazy_jmap *map = NULL;
	struct e2lazy_journal *j;
	struct e2lazy_where where;
	bool good;

	open.geometry = &c->geometry;
	open.runs = c->runs;
	open.nr_runs = c->nr_runs;
	open.journal_name = NULL;
	if (e2lazy_open(d->s->device, &open, &j, &where))
		return false;
	good = !e2lazy_jmap_build(j, &opts, &map) && compare(d, j, map);
	e2lazy_jmap_free(map);
	e2lazy_close(j);
	return good;
}

static errcode_t search(struct doctor *d, struct e2lazy_salvage **out)
{
	const struct e2lazy_watch watch = session_watch(d->s);
	const struct e2lazy_salvage_opts how = { .watch = &watch };
	struct e2lazy_where where;
	errcode_t err = e2lazy_salvage(d->s->device, &d->s->source.open, &how,
				       out, &where);

	if (d->s->print.progress.phase != PHASE_NONE)
		progress_end(&d->s->print.progress);
	return err;
}

bool doctor_look_at_ring(struct doctor *d)
{
	struct e2lazy_salvage *salvage;
	bool good = false;

	if (search(d, &salvage))
		return false;
	if (e2lazy_salvage_count(salvage))
		good = count(d, e2lazy_salvage_candidate(salvage, 0));
	else
		d->ring_empty = true;
	e2lazy_salvage_free(salvage);
	return good;
}

/* Damage at the tail leaves neither its place nor its number to a log. */
static bool contradicts(const struct e2lazy_candidate *c,
			const struct e2lazy_geometry *said)
{
	return c && !c->in_force && c->reaches_now &&
	       (c->geometry.start == said->start ||
		c->geometry.sequence == said->sequence);
}

void doctor_ask_ring(struct doctor *d)
{
	const struct e2lazy_candidate *c;
	struct e2lazy_salvage *salvage;

	if (search(d, &salvage))
		return;
	c = e2lazy_salvage_candidate(salvage, 0);
	if (contradicts(c, d->s->log->geo) && count(d, c)) {
		d->f.contradicted = d->salvaged = true;
		d->more = false;
	}
	e2lazy_salvage_free(salvage);
}
