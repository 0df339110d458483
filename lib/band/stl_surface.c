/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stl_surface.c - the head of a shingled drive: its ways, and the time they
 * take
 *
 * The cache lies at the outer edge, the bands behind it in their order.
 */

#include "stl.h"

static uint64_t place_of(const struct stl *s, uint64_t start)
{
	return s->cache + start;
}

/* --------------------------------------------------------------- time */

void stl_wait_until(struct stl *s, uint64_t t)
{
	if (s->free_at >= t)
		return;
	s->free_at = t;
	s->queued = 0;
	s->queued_bytes = 0;
}

void stl_work(struct stl *s, uint64_t ns)
{
	s->free_at += ns;
	s->work += ns;
}

void stl_enqueue(struct stl *s, uint64_t bytes)
{
	struct stl_queued *last;

	if (s->queued == STL_QUEUE)
		stl_dequeue(s);
	last = &s->queue[(s->first + s->queued++) % STL_QUEUE];
	last->work = s->work;
	last->bytes = bytes;
	s->queued_bytes += bytes;
}

/*
 * Reads overtake the writes that wait.  A read adds to free_at and not to work,
 * so the result also holds for the writes that it put off.
 */
static uint64_t oldest_done(const struct stl *s)
{
	return s->free_at - (s->work - s->queue[s->first].work);
}

uint64_t stl_dequeue(struct stl *s)
{
	uint64_t done = oldest_done(s);

	s->queued_bytes -= s->queue[s->first].bytes;
	s->first = (s->first + 1) % STL_QUEUE;
	s->queued--;
	return done;
}

bool stl_has_room(struct stl *s, uint64_t t)
{
	while (s->queued && oldest_done(s) <= t)
		stl_dequeue(s);
	return s->queued < STL_QUEUE &&
	       s->held + s->queued_bytes <= param(&s->base, E2LAZY_PARAM_DRAM);
}

/* ----------------------------------------------------------- cleaning */

void stl_count(struct stl *s)
{
	struct e2lazy_counters *c = &s->base.counters;

	c->fill = s->map.space;
	c->entries = s->map.entries;
	c->dirty = s->map.dirty;
	c->touched = s->map.touched;
	if (c->fill > c->fill_most)
		c->fill_most = c->fill;
	if (c->entries > c->entries_most)
		c->entries_most = c->entries;
	if (c->dirty > c->dirty_most)
		c->dirty_most = c->dirty;
}

static void count_clean(struct stl *s, enum stl_cause cause, uint64_t ns)
{
	struct e2lazy_counters *c = &s->base.counters;
	const struct {
		uint64_t	*bands, *ns;
	} of[] = {
		[STL_FULL] = { &c->cleaned_full, &c->clean_full_ns },
		[STL_BETWEEN] = { &c->cleaned_between, &c->clean_between_ns },
		[STL_AFTER] = { &c->cleaned_after, &c->clean_after_ns },
	};

	++*of[cause].bands;
	*of[cause].ns += ns;
}

static uint64_t band_length(const struct stl *s, uint64_t start)
{
	uint64_t left = param(&s->base, E2LAZY_PARAM_DISK) - start;

	return left < s->map.band_bytes ? left : s->map.band_bytes;
}

static void note_written(struct stl *s, uint64_t band, uint64_t bytes)
{
	if (bytes >> 10 > s->written[band])
		s->written[band] = bytes >> 10;
}

/*
 * The drive reads the band and writes it, merged with its cached bytes: once
 * under dynamic mapping, twice under static mapping, where the band returns to
 * its place.  The fixed time covers gathering the entries and moving the head.
 */
void stl_clean(struct stl *s, enum stl_cause cause)
{
	struct cached_band *band =
		cache_map_pick(&s->map, param(&s->base, E2LAZY_PARAM_ORDER));
	uint64_t start = band->number * s->map.band_bytes;
	uint64_t bytes = band_length(s, start), place = place_of(s, start);
	bool dynamic = param(&s->base, E2LAZY_PARAM_MAPPING) ==
		       E2LAZY_MAPPING_DYNAMIC;
	unsigned writes = dynamic ? 1 : 2;
	uint64_t began = s->free_at, ns;

	ns = param(&s->base, E2LAZY_PARAM_CLEAN_FIXED) + (1 + writes) *
	     mechanics_transfer(&s->base.mechanics, place, bytes);
	if (band->count) {
		const struct cache_extent *last =
			&band->extents[band->count - 1];

		note_written(s, band->number,
			     last->start + last->length - start);
	}
	cache_map_drop(&s->map, band);
	stl_work(s, ns);
	s->base.mechanics.head = place + bytes;
	s->locked_until = s->free_at;
	s->base.counters.read += bytes;
	s->base.counters.written += writes * bytes;
	count_clean(s, cause, ns);
	stl_count(s);
	series_clean(&s->base.series, began, ns, &s->base.counters);
}

bool stl_wants_cleaning(const struct stl *s)
{
	uint64_t percent = param(&s->base, E2LAZY_PARAM_THRESHOLD);

	if (!s->map.dirty)
		return false;
	if (param(&s->base, E2LAZY_PARAM_CLEAN) != E2LAZY_CLEAN_THRESHOLD)
		return true;
	return s->map.space > s->cache / 100 * percent ||
	       s->map.entries * 100 >
		       param(&s->base, E2LAZY_PARAM_ENTRIES) * percent;
}

/* Reserve two entries: a new entry that splits an old one adds two. */
static void make_room(struct stl *s, uint64_t space)
{
	struct e2lazy_counters *c = &s->base.counters;

	while (s->map.dirty &&
	       (s->map.space + space > s->cache || s->map.entries + 2 >
			param(&s->base, E2LAZY_PARAM_ENTRIES))) {
		if (!c->full)
			c->full_at = s->free_at;
		c->full = true;
		stl_clean(s, STL_FULL);
	}
}

/* ------------------------------------------------------ to and from it */

errcode_t stl_write_home(struct stl *s, uint64_t start, uint64_t length)
{
	struct e2lazy_counters *c = &s->base.counters;
	errcode_t err;

	c->written += length;
	stl_work(s, mechanics_access(&s->base.mechanics, place_of(s, start),
				     length));
	if (!s->cache)
		return 0;
	c->streamed += length;
	err = cache_map_remove(&s->map, start, length);
	while (length) {
		uint64_t part = cache_map_in_band(&s->map, start, length);
		uint64_t band = start / s->map.band_bytes;

		note_written(s, band,
			     start + part - band * s->map.band_bytes);
		start += part;
		length -= part;
	}
	stl_count(s);
	return err;
}

/* A stream damages the bytes behind its end in its band: the tracks overlap. */
errcode_t stl_end_stream(struct stl *s, uint64_t end)
{
	uint64_t band = (end - 1) / s->map.band_bytes;
	uint64_t bytes = end - band * s->map.band_bytes;
	errcode_t err;

	if (!param(&s->base, E2LAZY_PARAM_TORN) ||
	    s->written[band] <= bytes >> 10)
		return 0;
	s->base.counters.torn++;
	err = cache_map_tear(&s->map, band);
	stl_count(s);
	return err;
}

static errcode_t append_in_band(struct stl *s, uint64_t start, uint64_t length)
{
	uint64_t grain = param(&s->base, E2LAZY_PARAM_ENTRY_SPACE);
	uint64_t space = (length + grain - 1) / grain * grain;
	struct e2lazy_counters *c = &s->base.counters;
	errcode_t err;

	make_room(s, space);
	if (s->log + space > s->cache)
		s->log = 0;
	stl_work(s, mechanics_access(&s->base.mechanics, s->log, length));
	err = cache_map_add(&s->map, start, length, s->log, space);
	s->log += space;
	/* The next entry follows without a move: the log has no gaps. */
	s->base.mechanics.head = s->log;
	c->written += length;
	c->cached += length;
	c->cached_writes++;
	stl_count(s);
	return err;
}

errcode_t stl_append(struct stl *s, uint64_t start, uint64_t length)
{
	errcode_t err = 0;

	while (length && !err) {
		uint64_t part = cache_map_in_band(&s->map, start, length);

		err = append_in_band(s, start, part);
		start += part;
		length -= part;
	}
	return err;
}

static uint64_t read_place(struct stl *s, uint64_t begin, uint64_t place,
			   uint64_t length)
{
	return read_ahead_access(&s->base.ahead, &s->base.mechanics, begin,
				 place, length);
}

uint64_t stl_read(struct stl *s, uint64_t begin, uint64_t start,
		  uint64_t length)
{
	uint64_t ns = 0, log, part;

	s->base.counters.read += length;
	if (!s->cache)
		return read_place(s, begin, start, length);
	while (length) {
		part = cache_map_in_band(&s->map, start, length);
		part = cache_map_piece(&s->map, start, part, &log);
		ns += read_place(s, begin + ns, log == UINT64_MAX ?
				 place_of(s, start) : log, part);
		start += part;
		length -= part;
	}
	return ns;
}
