/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * codec.c - one request as bytes
 *
 * A byte has operation and flags.  Up to three numbers of seven bits a byte
 * follow: the time since the last request, the distance from its end, and the
 * length.  A request that goes on in sequence with the same length takes only
 * the first byte and the time.
 */

#include "format.h"

size_t trace_put_number(uint8_t *to, uint64_t value)
{
	size_t n = 0;

	while (value >= 0x80) {
		to[n++] = value | 0x80;
		value >>= 7;
	}
	to[n++] = value;
	return n;
}

/*
 * Accept the shortest coding only, so that each request has one form. 0: bad.
 */
size_t trace_get_number(const uint8_t *from, size_t left, uint64_t *value)
{
	size_t n = 0;

	*value = 0;
	while (n < left && n < 10) {
		uint8_t byte = from[n];

		if (n == 9 && byte > 1)
			return 0;
		*value |= (uint64_t)(byte & 0x7f) << 7 * n++;
		if (!(byte & 0x80))
			return byte || n == 1 ? n : 0;
	}
	return 0;
}

/* The sign goes to the lowest bit, so that small steps back are short. */
uint64_t trace_fold(uint64_t difference)
{
	return difference >> 63 ? ~(difference << 1) : difference << 1;
}

uint64_t trace_unfold(uint64_t folded)
{
	return folded & 1 ? ~(folded >> 1) : folded >> 1;
}

size_t trace_encode(struct trace_state *state,
		    const struct e2lazy_request *r, uint8_t *to)
{
	uint64_t sector = r->offset >> SECTOR_SHIFT;
	uint64_t sectors = r->length >> SECTOR_SHIFT;
	bool placed = r->op != E2LAZY_OP_FLUSH;
	bool next = placed && sector == state->next;
	bool same = placed && sectors == state->sectors;
	size_t n = 1;

	to[0] = r->op | r->flags << REQ_FLAGS_SHIFT |
		(next ? REQ_NEXT : 0) | (same ? REQ_SAME : 0);
	n += trace_put_number(to + n, r->t - state->t);
	state->t = r->t;
	if (!placed)
		return n;
	if (!next)
		n += trace_put_number(to + n, trace_fold(sector - state->next));
	if (!same)
		n += trace_put_number(to + n, sectors);
	state->next = sector + sectors;
	state->sectors = sectors;
	return n;
}

static bool get_place(struct trace_state *state, uint8_t head,
		      const uint8_t *from, size_t left, size_t *used)
{
	uint64_t step = 0, sectors = state->sectors;
	size_t n;

	if (!(head & REQ_NEXT)) {
		n = trace_get_number(from + *used, left - *used, &step);
		if (!n)
			return false;
		*used += n;
	}
	if (!(head & REQ_SAME)) {
		n = trace_get_number(from + *used, left - *used, &sectors);
		if (!n)
			return false;
		*used += n;
	}
	state->next += trace_unfold(step);
	state->sectors = sectors;
	return sectors <= INT64_MAX >> SECTOR_SHIFT &&
	       state->next <= (INT64_MAX >> SECTOR_SHIFT) - sectors;
}

size_t trace_decode(struct trace_state *state, const uint8_t *from,
		    size_t left, struct e2lazy_request *out)
{
	uint64_t later;
	size_t used = 1, n;

	if (!left)
		return 0;
	n = trace_get_number(from + used, left - used, &later);
	if (!n || later > INT64_MAX - state->t)
		return 0;
	used += n;
	state->t += later;
	*out = (struct e2lazy_request) {
		.t = state->t, .op = from[0] & REQ_OP,
		.flags = (from[0] & REQ_FLAGS) >> REQ_FLAGS_SHIFT,
	};
	if (out->op == E2LAZY_OP_FLUSH)
		return from[0] & (REQ_NEXT | REQ_SAME) ? 0 : used;
	if (!get_place(state, from[0], from, left, &used))
		return 0;
	out->offset = state->next << SECTOR_SHIFT;
	out->length = state->sectors << SECTOR_SHIFT;
	state->next += state->sectors;
	return used;
}
