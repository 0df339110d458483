/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * zone_cache.c - whole zones in memory, before a drive that is zoned
 *
 * Hannes Reinecke showed this scheme at SDC 2015; ext4 and btrfs run with it on
 * a host-managed drive.  Each zone has a write pointer.  A write at the pointer
 * passes through to the drive, and so does a read before it; a read behind it
 * gets zeroes.  Any other write needs the zone in memory: the host reads the
 * zone up to its write pointer, changes it in memory, and extends it with
 * zeroes where the write begins behind its end.  Writing a zone out takes two
 * steps, a reset of the write pointer and a write of the whole zone.  Three
 * events cause it: the zone was dirty for the time `expiry'; another zone needs
 * its place, and this one was used longest ago; or a flush, if the parameters
 * say so.  After a flush a zone stays in memory, clean; otherwise it goes.
 *
 * The memory is the host's, so a request that it answers takes no time.  The
 * other requests take the head, one after the other.
 */

#include <stdlib.h>

#include "model_ops.h"

/* Only whole blocks of the drive pass through. */
#define BLOCK		4096

#define MOST_ZONES	((uint64_t)1 << 22)

struct held_zone {
	uint64_t	number;
	uint64_t	length;		/* bytes of its content */
	uint64_t	used;		/* time of the latest use */
	uint64_t	dirty_since;
	bool		held, dirty;
};

struct zone_cache {
	struct e2lazy_model base;
	uint64_t	zone;
	uint64_t	*pointer;	/* of each zone, bytes from its start */
	uint64_t	free_at;
	unsigned	nr_held;	/* places below, in use or free */
	struct held_zone held[];
};

static struct zone_cache *cache_of(struct e2lazy_model *model)
{
	return (struct zone_cache *)model;
}

/* ------------------------------------------------------------ the head */

static void access_media(struct zone_cache *z, uint64_t place, uint64_t bytes)
{
	z->free_at += mechanics_access(&z->base.mechanics, place, bytes);
}

static void put(struct zone_cache *z, uint64_t place, uint64_t bytes)
{
	access_media(z, place, bytes);
	z->base.counters.written += bytes;
}

static void get(struct zone_cache *z, uint64_t place, uint64_t bytes)
{
	if (!bytes)
		return;
	access_media(z, place, bytes);
	z->base.counters.read += bytes;
}

static void wait_until(struct zone_cache *z, uint64_t t)
{
	if (z->free_at < t)
		z->free_at = t;
}

/* --------------------------------------------------------------- zones */

static void write_out(struct zone_cache *z, struct held_zone *h)
{
	uint64_t place = h->number * z->zone;

	z->free_at += mechanics_move(&z->base.mechanics, place);
	z->free_at += param(&z->base, E2LAZY_PARAM_RESET);
	put(z, place, h->length);
	z->pointer[h->number] = h->length;
	h->dirty = false;
	z->base.counters.zones_written++;
	z->base.counters.dirty--;
}

static struct held_zone *find_held(struct zone_cache *z, uint64_t number)
{
	for (struct held_zone *h = z->held; h < z->held + z->nr_held; h++)
		if (h->held && h->number == number)
			return h;
	return NULL;
}

/* A free place, or else the place of the zone used longest ago. */
static struct held_zone *free_place(struct zone_cache *z)
{
	struct held_zone *oldest = z->held;

	for (struct held_zone *h = z->held; h < z->held + z->nr_held; h++) {
		if (!h->held)
			return h;
		if (h->used < oldest->used)
			oldest = h;
	}
	if (oldest->dirty) {
		z->base.counters.zones_pushed_out++;
		write_out(z, oldest);
	}
	return oldest;
}

static struct held_zone *hold(struct zone_cache *z, uint64_t number)
{
	struct held_zone *h = find_held(z, number);

	if (h)
		return h;
	h = free_place(z);
	*h = (struct held_zone) {
		.number = number, .length = z->pointer[number], .held = true,
	};
	get(z, number * z->zone, h->length);
	z->base.counters.zones_read += h->length > 0;
	return h;
}

/* Write out the zones that expire until @t, the longest dirty one first. */
static void expire(struct zone_cache *z, uint64_t t)
{
	uint64_t expiry = param(&z->base, E2LAZY_PARAM_EXPIRY);
	struct held_zone *first;

	while (expiry) {
		first = NULL;
		for (unsigned i = 0; i < z->nr_held; i++) {
			struct held_zone *h = &z->held[i];

			if (h->held && h->dirty &&
			    (!first || h->dirty_since < first->dirty_since))
				first = h;
		}
		if (!first || first->dirty_since + expiry > t)
			return;
		wait_until(z, first->dirty_since + expiry);
		z->base.counters.zones_expired++;
		write_out(z, first);
		first->held = false;
	}
}

static void write_all(struct zone_cache *z, uint64_t *count)
{
	for (unsigned i = 0; i < z->nr_held; i++)
		if (z->held[i].held && z->held[i].dirty) {
			write_out(z, &z->held[i]);
			++*count;
		}
}

/* ------------------------------------------------------------ requests */

static bool passes(struct zone_cache *z, uint64_t number, uint64_t at,
		   uint64_t length)
{
	return !find_held(z, number) && at == z->pointer[number] &&
	       at % BLOCK == 0 && length % BLOCK == 0;
}

/* The range lies in zone @number and begins at its byte @at. */
static void write_zone(struct zone_cache *z, uint64_t t, uint64_t number,
		       uint64_t at, uint64_t length)
{
	struct e2lazy_counters *c = &z->base.counters;
	struct held_zone *h;

	if (number < param(&z->base, E2LAZY_PARAM_CONVENTIONAL)) {
		put(z, number * z->zone + at, length);
		if (z->pointer[number] < at + length)
			z->pointer[number] = at + length;
		return;
	}
	if (passes(z, number, at, length)) {
		put(z, number * z->zone + at, length);
		z->pointer[number] += length;
		c->passed_through += length;
		return;
	}
	h = hold(z, number);
	h->used = t;
	if (at > h->length)
		c->zero_filled += at - h->length;
	if (at + length > h->length)
		h->length = at + length;
	if (h->dirty)
		return;
	h->dirty = true;
	h->dirty_since = t;
	if (++c->dirty > c->dirty_most)
		c->dirty_most = c->dirty;
}

static void read_zone(struct zone_cache *z, uint64_t t, uint64_t number,
		      uint64_t at, uint64_t length)
{
	struct held_zone *h = find_held(z, number);
	uint64_t end = z->pointer[number];

	if (h) {
		h->used = t;
		return;
	}
	if (at >= end)
		return;
	get(z, number * z->zone + at,
	    length < end - at ? length : end - at);
}

static void each_zone(struct zone_cache *z, uint64_t t, uint64_t offset,
		      uint64_t length,
		      void (*one)(struct zone_cache *z, uint64_t t,
				  uint64_t number, uint64_t at,
				  uint64_t length))
{
	while (length) {
		uint64_t at = offset % z->zone;
		uint64_t part = length < z->zone - at ? length : z->zone - at;

		one(z, t, offset / z->zone, at, part);
		offset += part;
		length -= part;
	}
}

static errcode_t zone_io(struct e2lazy_model *model, uint64_t t,
			 enum e2lazy_op op, uint64_t offset, uint64_t length,
			 uint64_t *done)
{
	struct zone_cache *z = cache_of(model);
	uint64_t before;

	expire(z, t);
	wait_until(z, t);
	before = z->free_at;
	if (op == E2LAZY_OP_WRITE)
		each_zone(z, t, offset, length, write_zone);
	else if (op == E2LAZY_OP_READ)
		each_zone(z, t, offset, length, read_zone);
	else if (op == E2LAZY_OP_FLUSH &&
		 param(&z->base, E2LAZY_PARAM_FLUSH_ZONES))
		write_all(z, &z->base.counters.zones_flushed);
	*done = z->free_at == before ? t : z->free_at;
	return 0;
}

static errcode_t zone_settle(struct e2lazy_model *model, uint64_t *written,
			     uint64_t *done)
{
	struct zone_cache *z = cache_of(model);
	struct e2lazy_counters *c = &z->base.counters;

	*written = z->free_at;
	write_all(z, &c->cleaned_after);
	*done = z->free_at;
	c->clean_after_ns += *done - *written;
	return 0;
}

static void zone_free(struct e2lazy_model *model)
{
	struct zone_cache *z = cache_of(model);

	free(z->pointer);
	free(z);
}

errcode_t zone_cache_new(const struct e2lazy_params *params,
			 struct e2lazy_model **out)
{
	static const struct model_ops ops = {
		.io = zone_io, .settle = zone_settle, .free = zone_free,
	};
	uint64_t disk = params->value[E2LAZY_PARAM_DISK];
	uint64_t zone = params->value[E2LAZY_PARAM_ZONE], count;
	unsigned held = params->value[E2LAZY_PARAM_ZONES];
	struct zone_cache *z;

	count = (disk + zone - 1) / zone;
	if (count > MOST_ZONES || zone % BLOCK)
		return EXT2_ET_INVALID_ARGUMENT;
	z = calloc(1, sizeof(*z) + held * sizeof(*z->held));
	if (!z)
		return EXT2_ET_NO_MEMORY;
	z->base.ops = &ops;
	z->base.params = *params;
	z->zone = zone;
	z->nr_held = held;
	z->pointer = calloc(count, sizeof(*z->pointer));
	mechanics_init(&z->base.mechanics, params, disk);
	if (!z->pointer) {
		zone_free(&z->base);
		return EXT2_ET_NO_MEMORY;
	}
	*out = &z->base;
	return 0;
}
