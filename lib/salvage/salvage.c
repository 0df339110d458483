/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * salvage.c - from a device to the candidates for its log
 *
 * A place is where a log may lie: in the journal inode, its backup, the
 * external device, the caller's runs, or a piece of the device that a carving
 * has found.  The survey of a place reads its control blocks (survey.c).  Each
 * UUID that some of them fit gives a shape (shape.c).  By that shape the log
 * opens, and the scan of its ring shows where the log begins (tail.c).
 */

#include <stdlib.h>
#include <string.h>

#include "io/pread_io.h"
#include "io/watch.h"
#include "salvage.h"

/* What stays the same from place to place. */
struct search {
	struct e2lazy_salvage *out;
	struct sought	sought;		/* its opts: the caller's */
	const struct e2lazy_salvage_opts *how;
	struct e2lazy_where *where;
	bool		carved;
};

/* ------------------------------------------------------------- one shape */

static errcode_t open_shape(const struct search *s,
			    const struct e2lazy_candidate *shape,
			    struct e2lazy_journal **out)
{
	struct e2lazy_open_opts opts = s->sought.opts;
	struct e2lazy_geometry geometry = shape->geometry;
	struct e2lazy_where unused;
	uint32_t start = geometry.start;

	/* A wild tail is no reason not to look at the ring. */
	if (start < geometry.first || start >= geometry.end)
		geometry.start = 0;
	opts.geometry = &geometry;
	opts.runs = shape->runs;
	opts.nr_runs = shape->nr_runs;
	opts.journal_name = NULL;
	if (s->sought.path)
		return e2lazy_open(s->sought.path, &opts, out, &unused);
	return e2lazy_open_medium(s->sought.fs, s->sought.journal, &opts, out,
				  &unused);
}

static errcode_t scan_shape(struct search *s,
			    const struct e2lazy_candidate *shape)
{
	const struct e2lazy_watch quiet = stop_alone(s->how->watch);
	const struct e2lazy_ring_opts opts = {
		/* v1 has no other proof than the sum over the copies. */
		.flags = shape->geometry.csum == E2LAZY_CSUM_V1 ?
			 E2LAZY_RING_DATA : 0,
		.watch = &quiet,
	};
	struct e2lazy_journal *journal;
	struct e2lazy_ring *ring;
	errcode_t err = open_shape(s, shape, &journal);

	/* Such a shape is no log, unless the caller insists. */
	if (err == EXT2_ET_NO_MEMORY)
		return err;
	if (err)
		return s->how->pieces && s->how->pieces->has ? err : 0;
	err = e2lazy_ring_scan(journal, &opts, &ring, s->where);
	if (!err) {
		err = tail_find(s->out, ring, s->how->pieces, shape);
		e2lazy_ring_free(ring);
	}
	e2lazy_close(journal);
	return err;
}

static errcode_t try_shape(struct search *s, const struct survey *survey,
			   unsigned uuid)
{
	const struct e2lazy_open_opts *opts = &s->sought.opts;
	struct e2lazy_candidate shape;
	errcode_t err = shape_find(survey, uuid, s->how->pieces, &shape);

	if (err)
		return err;
	shape.runs = (struct e2lazy_log_run *)opts->runs;
	shape.nr_runs = opts->nr_runs;
	if (opts->runs)
		shape.facts[E2LAZY_PART_WHERE].origin = s->carved ?
			E2LAZY_FROM_CARVING : E2LAZY_FROM_CALLER;
	if (opts->runs && shape.facts[E2LAZY_PART_BLOCKS].origin ==
			  E2LAZY_FROM_INODE)
		shape.facts[E2LAZY_PART_BLOCKS].origin =
			shape.facts[E2LAZY_PART_WHERE].origin;
	return scan_shape(s, &shape);
}

/* ------------------------------------------------------------- one place */

static void note_device(struct search *s, const struct e2lazy_journal *journal)
{
	s->out->device.fs_blocks = journal->geo.fs_blocks;
	s->out->device.device_blocks = journal->geo.device_blocks;
}

/* By hand, a UUID is one more to try, and then the only one. */
static bool is_wanted(const struct search *s, const uint8_t uuid[16])
{
	const struct e2lazy_parts *p = s->how->pieces;

	return !p || !(p->has & 1U << E2LAZY_PART_UUID) ||
	       !memcmp(p->uuid, uuid, 16);
}

static bool wants_none(const struct search *s)
{
	const struct e2lazy_parts *p = s->how->pieces;

	return p && p->has & 1U << E2LAZY_PART_CSUM &&
	       p->csum < E2LAZY_CSUM_V2;
}

/* A block of file contents fits a checksum once in 2^32 times: one proves. */
static errcode_t try_shapes(struct search *s, const struct survey *survey)
{
	bool fits = false;
	errcode_t err = 0;

	for (unsigned i = 0; !err && i < survey->nr_uuids; i++) {
		if (!survey->fit[i] || wants_none(s) ||
		    !is_wanted(s, survey->uuids[i]))
			continue;
		fits = true;
		err = try_shape(s, survey, i);
	}
	return err || fits ? err : try_shape(s, survey, MOST_UUIDS);
}

static errcode_t search_place(struct search *s)
{
	struct e2lazy_watch watch = stop_alone(s->how->watch);
	struct survey survey = { .signs = NULL };
	struct e2lazy_journal *journal;
	errcode_t err = journal_place(&s->sought, &s->sought.opts, &journal,
				      s->where);

	if (err)
		return err;
	note_device(s, journal);
	/* The bar shows one survey; carve() counts the places. */
	if (!s->carved && s->how->watch)
		watch = *s->how->watch;
	err = survey_place(&survey, journal, s->how->pieces, &watch);
	if (!err && survey.nr)
		err = try_shapes(s, &survey);
	survey_free(&survey);
	e2lazy_close(journal);
	return err;
}

/* -------------------------------------------------------------- carving */

/* Some file system must be there; its journal, or lack of one, is no matter. */
static errcode_t open_device(struct search *s, struct e2lazy_journal **out)
{
	static const struct e2lazy_log_run any = { .physblk = 1, .count = 1 };
	struct sought sought = s->sought;

	sought.opts.runs = &any;
	sought.opts.nr_runs = 1;
	return journal_place(&sought, &sought.opts, out, s->where);
}

/* Another guess may fit, so only these end the search. */
static bool ends_search(errcode_t err)
{
	return err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED;
}

static void note_failed(struct search *s, errcode_t err)
{
	struct e2lazy_carved *c = &s->out->carved;

	if (c->failed++)
		return;
	c->error = err;
	c->where = *s->where;
}

static errcode_t search_runs(struct search *s, ext2_filsys fs,
			     uint64_t device_blocks, const struct place *place,
			     enum carve_guess guess)
{
	struct e2lazy_open_opts *opts = &s->sought.opts;
	struct e2lazy_log_run *runs;
	errcode_t err = EXT2_ET_NO_MEMORY;

	runs = carve_runs(fs, device_blocks, place, guess, &opts->nr_runs);
	opts->runs = runs;
	/* Around nothing it is the same as in one piece. */
	if (runs && guess != CARVE_IN_ONE_PIECE && opts->nr_runs < 2) {
		err = 0;
	} else if (runs) {
		s->out->carved.searched++;
		err = search_place(s);
	}
	/* A guess that fits nowhere is none. */
	if (err == E2LAZY_ET_JOURNAL_SHORT || err == E2LAZY_ET_JOURNAL_MAP)
		err = 0;
	opts->runs = NULL;
	free(runs);
	if (!err || ends_search(err))
		return err;
	note_failed(s, err);
	return 0;
}

static errcode_t search_places(struct search *s, struct e2lazy_journal *device,
			       const struct places *places)
{
	uint64_t blocks = device->geo.device_blocks;
	unsigned guesses = ext2fs_has_feature_extents(device->fs->super) ?
			   CARVE_MAPPED : NR_CARVE_GUESSES;
	errcode_t err = 0;

	for (unsigned i = 0; !err && i < places->nr; i++) {
		err = watch_tick(s->how->watch, E2LAZY_PHASE_SURVEY, i,
				 places->nr);
		for (unsigned g = 0; !err && g < guesses; g++)
			err = search_runs(s, device->fs, blocks,
					  &places->at[i], g);
	}
	if (!err && places->nr)
		err = watch_tick(s->how->watch, E2LAZY_PHASE_SURVEY, places->nr,
				 places->nr);
	return err;
}

static errcode_t carve(struct search *s)
{
	const struct e2lazy_carved *carved = &s->out->carved;
	struct e2lazy_journal *device;
	struct places places;
	errcode_t err = open_device(s, &device);

	if (err)
		return err;
	note_device(s, device);
	s->carved = true;
	err = carve_device(device->fs, device->geo.device_blocks,
			   s->how->watch, &places);
	s->out->carved.dropped = places.dropped;
	if (!err)
		err = search_places(s, device, &places);
	if (!err && !s->out->nr && carved->failed) {
		err = carved->error;
		*s->where = carved->where;
	}
	e2lazy_close(device);
	return err;
}

/* ---------------------------------------------------------- all of them */

/* More proven transactions, then the newer log. */
static int is_better(const void *left, const void *right)
{
	const struct e2lazy_candidate *a = left, *b = right;

	if (a->in_force != b->in_force)
		return a->in_force ? -1 : 1;
	if ((a->proven != 0) != (b->proven != 0))
		return a->proven ? -1 : 1;
	if (a->last_sec && b->last_sec && a->last_sec != b->last_sec)
		return a->last_sec > b->last_sec ? -1 : 1;
	if (a->ring.txns != b->ring.txns)
		return a->ring.txns > b->ring.txns ? -1 : 1;
	/* The tail that the superblock names comes first. */
	if (a->txns != b->txns)
		return a->txns < b->txns ? -1 : 1;
	return (a->nr_runs > b->nr_runs) - (a->nr_runs < b->nr_runs);
}

static errcode_t salvage(struct search *s, struct e2lazy_salvage **out)
{
	static const struct e2lazy_salvage_opts plain;
	struct e2lazy_where unused;
	errcode_t err;

	s->out = calloc(1, sizeof(*s->out));
	if (!s->out)
		return EXT2_ET_NO_MEMORY;
	if (!s->how)
		s->how = &plain;
	if (!s->where)
		s->where = &unused;
	memset(s->where, 0, sizeof(*s->where));
	if (!s->sought.opts.manager)
		s->sought.opts.manager = pread_io_manager;
	if (s->how->flags & E2LAZY_SALVAGE_CARVE && !s->sought.opts.runs)
		err = carve(s);
	else
		err = search_place(s);
	if (err) {
		e2lazy_salvage_free(s->out);
		return err;
	}
	if (s->out->nr)
		qsort(s->out->at, s->out->nr, sizeof(*s->out->at), is_better);
	*out = s->out;
	return 0;
}

errcode_t e2lazy_salvage(const char *device,
			 const struct e2lazy_open_opts *opts,
			 const struct e2lazy_salvage_opts *how,
			 struct e2lazy_salvage **out,
			 struct e2lazy_where *where)
{
	struct search s = { .sought = { .path = device }, .how = how,
			    .where = where };

	if (opts)
		s.sought.opts = *opts;
	return salvage(&s, out);
}

errcode_t e2lazy_salvage_medium(const struct e2lazy_medium *fs,
				const struct e2lazy_medium *journal,
				const struct e2lazy_open_opts *opts,
				const struct e2lazy_salvage_opts *how,
				struct e2lazy_salvage **out,
				struct e2lazy_where *where)
{
	struct search s = { .sought = { .fs = fs, .journal = journal },
			    .how = how, .where = where };

	if (opts)
		s.sought.opts = *opts;
	return salvage(&s, out);
}

void e2lazy_salvage_free(struct e2lazy_salvage *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr; i++)
		free(s->at[i].runs);
	free(s->at);
	free(s);
}

const struct e2lazy_geometry *
e2lazy_salvage_device(const struct e2lazy_salvage *s)
{
	return &s->device;
}

const struct e2lazy_carved *
e2lazy_salvage_carved(const struct e2lazy_salvage *s)
{
	return &s->carved;
}

size_t e2lazy_salvage_count(const struct e2lazy_salvage *s)
{
	return s->nr;
}

const struct e2lazy_candidate *
e2lazy_salvage_candidate(const struct e2lazy_salvage *s, size_t index)
{
	return index < s->nr ? &s->at[index] : NULL;
}
