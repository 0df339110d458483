/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * read_ahead.c - a drive's buffer for reads
 *
 * The segments replace the one that was read least recently.  A write that moves
 * the head ends the reading ahead, at the place that the latest read has reached;
 * contents do not matter to the model, so a write leaves the segments alone.
 */
#include <string.h>

#include "read_ahead.h"

/* Of SATA at 3 Gbit/s: what a read from the buffer takes. */
#define BUS_RATE	((uint64_t)300 * 1000 * 1000)
#define NS		1000000000ULL

void read_ahead_init(struct read_ahead *a, const struct e2lazy_params *params)
{
	memset(a, 0, sizeof(*a));
	a->size = params->value[E2LAZY_PARAM_READ_AHEAD];
	a->nr_segments = (unsigned)params->value[E2LAZY_PARAM_SEGMENTS];
}

/* The bytes from @place on that pass below the head in @ns. */
static uint64_t passed(const struct mechanics *m, uint64_t place, uint64_t ns)
{
	uint64_t mib = mechanics_transfer(m, place, 1 << 20);

	return ns / mib * (1 << 20) + ns % mib * (1 << 20) / mib;
}

/* The segment drops its oldest bytes. */
static void grow_to(const struct read_ahead *a, struct read_segment *s,
		    uint64_t end)
{
	s->end = end;
	if (s->end - s->start > a->size)
		s->start = s->end - a->size;
}

/* Let the segment grow until @now, unless the head has gone elsewhere. */
static void go_on(struct read_ahead *a, struct mechanics *m, uint64_t now)
{
	struct read_segment *s = a->filling;
	uint64_t end;

	if (!s || now <= a->since)
		return;
	if (m->head != s->end) {
		a->filling = NULL;
		return;
	}
	end = s->end + passed(m, s->end, now - a->since);
	grow_to(a, s, end < a->limit ? end : a->limit);
	a->since = now;
	m->head = s->end;
}

/* The drive reads on until it is a segment ahead of the host. */
static void read_on(struct read_ahead *a, const struct mechanics *m,
		    struct read_segment *s, uint64_t end, uint64_t now)
{
	a->filling = s;
	a->since = now;
	a->limit = end + a->size < m->span ? end + a->size : m->span;
	if (a->limit < s->end)
		a->limit = s->end;
}

static struct read_segment *segment_of(struct read_ahead *a, uint64_t place,
				       uint64_t end)
{
	for (unsigned i = 0; i < a->nr_segments; i++)
		if (a->segments[i].start <= place && end <= a->segments[i].end)
			return &a->segments[i];
	return NULL;
}

static struct read_segment *oldest(struct read_ahead *a)
{
	struct read_segment *found = a->segments;

	for (unsigned i = 1; i < a->nr_segments; i++)
		if (a->segments[i].turn < found->turn)
			found = &a->segments[i];
	return found;
}

static uint64_t from_buffer(struct read_ahead *a, const struct mechanics *m,
			    struct read_segment *s, uint64_t begin,
			    uint64_t end, uint64_t bytes)
{
	uint64_t ns = bytes / BUS_RATE * NS + bytes % BUS_RATE * NS / BUS_RATE;

	if (s == a->filling)
		read_on(a, m, s, end, begin);
	return ns;
}

/* Waiting for the platter, if that is quicker than a move. */
static bool comes_soon(const struct read_ahead *a, const struct mechanics *m,
		       uint64_t place)
{
	const struct read_segment *s = a->filling;

	return s && place >= s->start && place <= s->end + a->size &&
	       m->head == s->end &&
	       (place <= s->end || mechanics_transfer(m, s->end, place - s->end) <
					m->seek_least + m->half_turn);
}

static uint64_t wait_for(struct read_ahead *a, struct mechanics *m,
			 uint64_t begin, uint64_t end)
{
	struct read_segment *s = a->filling;
	uint64_t ns = mechanics_transfer(m, s->end, end - s->end);

	grow_to(a, s, end);
	m->head = end;
	read_on(a, m, s, end, begin + ns);
	return ns;
}

uint64_t read_ahead_access(struct read_ahead *a, struct mechanics *m,
			   uint64_t begin, uint64_t place, uint64_t bytes)
{
	uint64_t end = place + bytes, ns;
	struct read_segment *s;

	if (!a->size)
		return mechanics_access(m, place, bytes);
	go_on(a, m, begin);
	s = segment_of(a, place, end);
	if (s || comes_soon(a, m, place)) {
		a->hits++;
		ns = s ? from_buffer(a, m, s, begin, end, bytes) :
			 wait_for(a, m, begin, end);
		(s ? s : a->filling)->turn = ++a->turns;
		return ns;
	}
	ns = mechanics_access(m, place, bytes);
	s = oldest(a);
	*s = (struct read_segment){ place, end, ++a->turns };
	read_on(a, m, s, end, begin + ns);
	return ns;
}
