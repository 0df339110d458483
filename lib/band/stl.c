/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stl.c - a drive that manages its shingles by itself
 *
 * Two papers measured such drives from outside: Skylight (FAST'15), whose
 * authors watched the head through a window, and ext4-lazy (FAST'17).  The
 * tracks of a band overlap, so the drive rewrites a band as a whole.  It puts
 * that off: a write goes to a log, the persistent cache, and a map names the
 * bytes of the disk that have their newest copy there.  A band is dirty while
 * the cache has a byte of it.  To clean a band, the drive reads it, merges the
 * cached bytes, and writes it.  The drive cleans when it is idle, and when the
 * cache or its map is full; then requests wait.
 *
 * Long sequential writes bypass the cache.  To recognise them, the drive keeps
 * new writes in memory and follows several runs of writes at a time; a write
 * extends a run when it begins where the run ends.  A run that reaches the
 * least length of a stream goes to its bands, with everything that follows.  A
 * run that ends earlier goes to the cache.  Four things end a run: a timeout, a
 * flush, full memory, and a full table of runs.  A write somewhere else does
 * not end it: the head goes to the cache and back.  A flush does not end a
 * stream, which is on the surface already: so the commit block behind a journal's
 * flush goes on with it, and a lazy journal leaves nothing to clean.
 *
 * The model treats each part so:
 *
 *   request   read      waits for a cleaning that is going on, not for writes;
 *                       pieces from the cache and from the band in turn
 *             write     is answered as soon as it is in memory
 *             flush     ends the runs that memory holds, and is answered when
 *                       all is written
 *             discard   costs nothing; what is not needed is not cleaned
 *   cache     a ring.  An entry is a piece of a run in one band; it takes a
 *             multiple of the entry space.  Cleaning a band frees the room of
 *             all its entries, superseded ones included, wherever in the ring
 *             they are; so a place in the ring matters to the head alone
 *   cleaning  reads the band, writes it once (dynamic mapping) or twice (static:
 *             to a scratch band and back), and takes a fixed time besides.  No
 *             request interrupts it
 *
 *   buffer    a few segments of what was read and what followed it, if the
 *             parameters have any: read_ahead.c
 *
 * The model leaves out two things: the order in which a drive sorts the writes
 * in its memory, and anything that a drive learns.  A
 * conventional disk is the same without a cache: each write goes to its place.
 *
 * Memory: the dirty bands with their extents, which the map's limit bounds, and
 * a few bytes for each band of the disk.
 */

#include <stdlib.h>

#include "stl.h"

static struct stl *stl_of(struct e2lazy_model *model)
{
	return (struct stl *)model;
}

/* --------------------------------------------------------------- runs */

/* End @run at the present time of the model, s->free_at. */
static errcode_t end_run(struct stl *s, struct stl_run *run)
{
	errcode_t err;

	run->open = false;
	if (run->streaming)
		return stl_end_stream(s, run->next);
	s->held -= run->held;
	stl_work(s, run->small * param(&s->base, E2LAZY_PARAM_SMALL_COST));
	err = stl_append(s, run->next - run->held, run->held);
	stl_enqueue(s, run->held);
	return err;
}

/*
 * The open run whose latest write is the oldest, @held: of those that memory
 * holds; NULL: no such run is open.
 */
static struct stl_run *stalest_of(struct stl *s, bool held)
{
	struct stl_run *found = NULL;

	for (struct stl_run *run = s->runs; run < s->runs + s->nr_runs; run++)
		if (run->open && !(held && run->streaming) &&
		    (!found || run->turn < found->turn))
			found = run;
	return found;
}

static struct stl_run *stalest(struct stl *s)
{
	return stalest_of(s, false);
}

/* @held: a stream goes on, because memory holds nothing of it. */
static errcode_t end_runs(struct stl *s, bool held)
{
	struct stl_run *run;
	errcode_t err = 0;

	while (!err && (run = stalest_of(s, held)))
		err = end_run(s, run);
	return err;
}

/* End the runs that time out until @t. */
static errcode_t end_stale_runs(struct stl *s, uint64_t t)
{
	uint64_t timeout = param(&s->base, E2LAZY_PARAM_RUN_TIMEOUT);
	struct stl_run *run;
	errcode_t err = 0;

	while (!err && (run = stalest(s)) && run->last + timeout <= t) {
		stl_wait_until(s, run->last + timeout);
		err = end_run(s, run);
	}
	return err;
}

/* The run that a write at @offset extends; NULL: none. */
static struct stl_run *find_run(struct stl *s, uint64_t offset)
{
	for (struct stl_run *run = s->runs; run < s->runs + s->nr_runs; run++)
		if (run->open && run->next == offset)
			return run;
	return NULL;
}

/* Does one open run hold the whole range in memory? */
static bool is_held(const struct stl *s, uint64_t offset, uint64_t length)
{
	const struct stl_run *run = s->runs, *end = run + s->nr_runs;

	for (; s->held && run < end; run++)
		if (run->open && offset >= run->next - run->held &&
		    offset + length <= run->next)
			return true;
	return false;
}

static errcode_t begin_run(struct stl *s, uint64_t offset,
			   struct stl_run **out)
{
	struct stl_run *run = s->runs;
	errcode_t err = 0;

	while (run < s->runs + s->nr_runs && run->open)
		run++;
	if (run == s->runs + s->nr_runs) {
		run = stalest(s);
		err = end_run(s, run);
	}
	*run = (struct stl_run) {
		.start = offset, .next = offset, .open = true,
	};
	*out = run;
	return err;
}

static errcode_t go_on(struct stl *s, struct stl_run *run, uint64_t t,
		       uint64_t length)
{
	errcode_t err;

	run->next += length;
	run->held += length;
	run->last = t;
	run->turn = s->turns++;
	s->held += length;
	run->small += length <= param(&s->base, E2LAZY_PARAM_SMALL);
	if (run->next - run->start < param(&s->base, E2LAZY_PARAM_STREAM))
		return 0;
	run->streaming = true;
	s->held -= run->held;
	err = stl_write_home(s, run->next - run->held, run->held);
	stl_enqueue(s, run->held);
	run->held = 0;
	/* The pause that ends a stream begins when the drive has written it. */
	if (run->last < s->free_at)
		run->last = s->free_at;
	return err;
}

/* ----------------------------------------------------------- requests */

/* *@done: the time when the memory has room for all writes so far. */
static errcode_t answer(struct stl *s, uint64_t t, uint64_t *done)
{
	errcode_t err = 0;
	struct stl_run *run;

	while (!err && !stl_has_room(s, t)) {
		if (s->queued)
			t = stl_dequeue(s);
		else if (s->held && (run = stalest(s)))
			err = end_run(s, run);
		else
			break;
	}
	*done = t;
	return err;
}

static errcode_t write_conventional(struct stl *s, uint64_t offset,
				    uint64_t length)
{
	errcode_t err = stl_write_home(s, offset, length);

	stl_enqueue(s, length);
	return err;
}

static errcode_t write_shingled(struct stl *s, uint64_t t, uint64_t offset,
				uint64_t length)
{
	struct stl_run *run = find_run(s, offset);
	errcode_t err;

	if (!run && is_held(s, offset, length))
		return 0;
	err = run ? 0 : begin_run(s, offset, &run);
	return err ? err : go_on(s, run, t, length);
}

static errcode_t read_blocks(struct stl *s, uint64_t t, uint64_t offset,
			     uint64_t length, uint64_t *done)
{
	uint64_t begin = s->locked_until > t ? s->locked_until : t, ns;

	*done = t;
	if (is_held(s, offset, length))
		return 0;
	ns = stl_read(s, begin, offset, length);
	*done = begin + ns;
	s->locked_until = *done;
	s->free_at += ns;
	return 0;
}

static errcode_t flush(struct stl *s, uint64_t t, uint64_t *done)
{
	errcode_t err = 0;

	*done = t;
	if (!param(&s->base, E2LAZY_PARAM_FLUSH_ENDS_RUNS))
		return 0;
	err = end_runs(s, true);
	*done = s->free_at;
	return err;
}

/* The drive's own work until @t: end stale runs, and clean. */
static errcode_t pass_time(struct stl *s, uint64_t t)
{
	bool waits = param(&s->base, E2LAZY_PARAM_CLEAN) !=
		     E2LAZY_CLEAN_AGGRESSIVE;
	errcode_t err = end_stale_runs(s, t);
	uint64_t from = s->free_at, quiet = 0;

	if (waits)
		quiet = s->heard + param(&s->base, E2LAZY_PARAM_IDLE);
	if (from < quiet)
		from = quiet;
	while (!err && from < t && stl_wants_cleaning(s)) {
		stl_wait_until(s, from);
		stl_clean(s, STL_BETWEEN);
		from = s->free_at;
	}
	stl_wait_until(s, t);
	s->heard = t;
	return err;
}

static errcode_t stl_io(struct e2lazy_model *model, uint64_t t,
			enum e2lazy_op op, uint64_t offset, uint64_t length,
			uint64_t *done)
{
	struct stl *s = stl_of(model);
	errcode_t err = pass_time(s, t);

	if (err)
		return err;
	switch (op) {
	case E2LAZY_OP_READ:
		return read_blocks(s, t, offset, length, done);
	case E2LAZY_OP_WRITE:
		err = s->cache ? write_shingled(s, t, offset, length)
			       : write_conventional(s, offset, length);
		return err ? err : answer(s, t, done);
	case E2LAZY_OP_FLUSH:
		return flush(s, t, done);
	case E2LAZY_OP_DISCARD:
		*done = t;
		if (s->cache)
			err = cache_map_remove(&s->map, offset, length);
		stl_count(s);
		return err;
	case E2LAZY_NR_OPS:
		break;
	}
	return EXT2_ET_INVALID_ARGUMENT;
}

static errcode_t stl_settle(struct e2lazy_model *model, uint64_t *written,
			    uint64_t *done)
{
	struct stl *s = stl_of(model);
	errcode_t err = end_runs(s, false);

	*written = s->free_at;
	while (!err && stl_wants_cleaning(s))
		stl_clean(s, STL_AFTER);
	*done = s->free_at;
	return err;
}

static void stl_free(struct e2lazy_model *model)
{
	struct stl *s = stl_of(model);

	if (s->cache)
		cache_map_free(&s->map);
	free(s->written);
	free(s);
}

static errcode_t make_cache(struct stl *s)
{
	uint64_t band = param(&s->base, E2LAZY_PARAM_BAND);
	errcode_t err;

	s->cache = param(&s->base, E2LAZY_PARAM_CACHE);
	if (band > s->cache ||
	    param(&s->base, E2LAZY_PARAM_ENTRY_SPACE) > s->cache)
		return EXT2_ET_INVALID_ARGUMENT;
	err = cache_map_init(&s->map, param(&s->base, E2LAZY_PARAM_DISK),
			     band);
	if (err)
		return err;
	s->written = calloc(s->map.nr_bands, sizeof(*s->written));
	return s->written ? 0 : EXT2_ET_NO_MEMORY;
}

errcode_t stl_new(const struct e2lazy_params *params,
		  struct e2lazy_model **out)
{
	static const struct model_ops ops = {
		.io = stl_io, .settle = stl_settle, .free = stl_free,
	};
	unsigned runs = params->value[E2LAZY_PARAM_RUNS];
	struct stl *s = calloc(1, sizeof(*s) + runs * sizeof(*s->runs));
	errcode_t err = 0;

	if (!s)
		return EXT2_ET_NO_MEMORY;
	s->base.ops = &ops;
	s->base.params = *params;
	s->nr_runs = runs;
	if (params->value[E2LAZY_PARAM_KIND] == E2LAZY_MODEL_SHINGLED)
		err = make_cache(s);
	mechanics_init(&s->base.mechanics, params,
		       params->value[E2LAZY_PARAM_DISK] + s->cache);
	read_ahead_init(&s->base.ahead, params);
	if (err)
		stl_free(&s->base);
	else
		*out = &s->base;
	return err;
}
