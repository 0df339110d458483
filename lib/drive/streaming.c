/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * streaming.c - the least sequential write that a drive puts in its place
 *
 * A drive that manages its shingles by itself writes short runs to a cache
 * somewhere else, and long ones to their bands.  The ext4-lazy paper's Test 1
 * watched the head through a window.  From outside a read tells where the head is:
 * after a run is written and flushed, a block shortly behind it is near if the run
 * went there, and far if it went to the cache.
 *
 * A read takes up to a turn of the disk besides, so each question is asked several
 * times, and the median counts.  First the shortest run is written at several
 * places: where the cache is farthest from, the answers are the clearest.  If none
 * is clear, the drive has no cache, or one beside each place.
 */

#include <stdlib.h>
#include <string.h>

#include "e2lazy_drive.h"

#define UNIT		((uint64_t)1 << 20)
#define MOST_UNITS	64
#define TRIES		9
/* A run and the read behind it, with room to the next. */
#define STEP		(2 * MOST_UNITS * UNIT)
#define GAP		(2 * UNIT)
/* A place has this many steps, and then begins anew. */
#define STEPS		8
#define PLACES		4
/* Between two answers, ns: an arm that moves takes as long at least. */
#define LEAST_MOVE	2000000

struct search {
	const struct e2lazy_streaming_ops *ops;
	struct e2lazy_streaming *out;
	uint64_t	place;
	unsigned	step;
};

static int by_time(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t median(uint64_t times[TRIES])
{
	qsort(times, TRIES, sizeof(*times), by_time);
	return times[TRIES / 2];
}

static uint64_t next_place(struct search *s)
{
	return s->place + s->step++ % STEPS * STEP;
}

/* The time of a read shortly behind one at the same place. */
static errcode_t time_near(struct search *s, uint64_t *time)
{
	uint64_t times[TRIES], unused;
	errcode_t err = 0;

	for (unsigned i = 0; !err && i < TRIES; i++) {
		uint64_t at = next_place(s);

		err = s->ops->read(s->ops->priv, at, &unused);
		if (!err)
			err = s->ops->read(s->ops->priv, at + UNIT + GAP,
					   &times[i]);
	}
	*time = err ? 0 : median(times);
	return err;
}

/* The time of a read shortly behind a run that was just written. */
static errcode_t time_behind(struct search *s, unsigned units, uint64_t *time)
{
	uint64_t times[TRIES], bytes = units * UNIT;
	errcode_t err = 0;

	for (unsigned i = 0; !err && i < TRIES; i++) {
		uint64_t at = next_place(s);

		err = s->ops->write(s->ops->priv, at, bytes);
		if (!err)
			err = s->ops->read(s->ops->priv, at + bytes + GAP,
					   &times[i]);
		s->out->written += bytes;
	}
	*time = err ? 0 : median(times);
	return err;
}

/* Where the shortest run is farthest away. */
static errcode_t choose_place(struct search *s)
{
	uint64_t room = s->ops->bytes - STEPS * STEP, best = 0, near, far;
	struct e2lazy_streaming *out = s->out;
	errcode_t err = 0;

	for (unsigned i = 0; !err && i < PLACES; i++) {
		s->place = room / (PLACES - 1) * i / UNIT * UNIT;
		err = time_near(s, &near);
		if (!err)
			err = time_behind(s, 1, &far);
		if (err || far < near || far - near < best)
			continue;
		best = far - near;
		out->place = s->place;
		out->near_ns = near;
		out->far_ns = far;
	}
	s->place = out->place;
	return err;
}

/* The least run after which the head is near, between one unit and the most. */
static errcode_t halve(struct search *s)
{
	uint64_t time, middle = s->out->near_ns / 2 + s->out->far_ns / 2;
	unsigned low = 1, high = MOST_UNITS;
	errcode_t err = time_behind(s, high, &time);

	if (err || time > middle)
		return err;
	while (!err && high - low > 1) {
		unsigned units = low + (high - low) / 2;

		err = time_behind(s, units, &time);
		if (time > middle)
			low = units;
		else
			high = units;
	}
	if (!err)
		s->out->least = high * UNIT;
	return err;
}

errcode_t e2lazy_drive_streaming(const struct e2lazy_streaming_ops *ops,
				 struct e2lazy_streaming *out)
{
	struct search s = { .ops = ops, .out = out };
	errcode_t err;

	memset(out, 0, sizeof(*out));
	if (ops->bytes < 2 * STEPS * STEP)
		return E2LAZY_ET_DEVICE_SHORT;
	err = choose_place(&s);
	if (err)
		return err;
	out->cached = out->far_ns > out->near_ns + out->near_ns / 2 &&
		      out->far_ns - out->near_ns >= LEAST_MOVE;
	return out->cached ? halve(&s) : 0;
}
