/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * schedule.c - in what order live copies are read, and written back
 *
 * Replacement selection, as in sorting on tape: of the requests that are
 * complete, the next in ascending order is written whenever more copies are
 * held than the window has room for; one that lies behind waits for the next
 * pass.  A log that was written in about the order of its blocks, as by a
 * tree being unpacked, streams through a small window, all but the bitmaps
 * and descriptors that are logged again and again until its end.  For one
 * without an order the window is all the memory there is.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../map/jmap.h"
#include "schedule.h"

#define LEAST_MEMORY	(1 << 20)
#define LEAST_WRITE	(64 << 10)
/* What is being read and written, in the rings of reader and writer. */
#define RING_BYTES	(20 << 20)
/* They and the tables leave this part of the memory to the copies. */
#define COPIES_PART	4
#define LEAST_WINDOW	(32 << 20)
/* A later pass is small if it writes this part of all blocks. */
#define SMALL_PART	64

/* ---------------------------------------------------------------- heap */

static void heap_add(struct schedule *s, uint64_t key)
{
	size_t at = s->nr_heap++;

	while (at && s->heap[(at - 1) / 2] > key) {
		s->heap[at] = s->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	s->heap[at] = key;
}

static uint64_t heap_take(struct schedule *s)
{
	uint64_t least = s->heap[0], last = s->heap[--s->nr_heap];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < s->nr_heap) {
		if (child + 1 < s->nr_heap &&
		    s->heap[child + 1] < s->heap[child])
			child++;
		if (s->heap[child] >= last)
			break;
		s->heap[at] = s->heap[child];
		at = child;
	}
	s->heap[at] = last;
	return least;
}

/* --------------------------------------------------------------- order */

/* In this pass if it still lies ahead, else in the next. */
static void queue_request(struct schedule *s, uint32_t number)
{
	bool ahead = s->pass && number > s->cursor;
	uint64_t pass = ahead ? s->pass : s->pass + 1;

	s->requests[number].queued = true;
	heap_add(s, pass << 32 | number);
}

/* What the caller did with the last read. */
static void note_arrivals(struct schedule *s)
{
	for (; s->read_from < s->next_want; s->read_from++) {
		const struct want *w = &s->wants[s->read_from];
		struct request *r = &s->requests[w->request];

		s->held += s->states[w->slot] == SLOT_HELD;
		if (!--r->missing && !r->queued)
			queue_request(s, w->request);
	}
}

/*
 * No request is complete and the memory is full: they have to be written in
 * parts.
 */
static void queue_parts(struct schedule *s)
{
	for (uint32_t n = 0; n < s->nr_requests; n++) {
		const struct request *r = &s->requests[n];
		uint32_t slot = r->first, end = r->first + r->count;

		if (!r->missing || r->missing == r->count)
			continue;
		while (slot < end && s->states[slot] != SLOT_HELD)
			slot++;
		if (slot < end)
			queue_request(s, n);
	}
}

static void begin_request(struct schedule *s)
{
	uint64_t key = heap_take(s);
	struct request *r;

	s->pass = (unsigned)(key >> 32);
	s->cursor = (uint32_t)key;
	r = &s->requests[s->cursor];
	r->queued = false;
	s->slot = r->first;
	s->slots_end = r->first + r->count;
}

/* The next run of blocks of the request at hand; false if there is none. */
static bool next_run(struct schedule *s, struct step *step)
{
	while (s->slot < s->slots_end && s->states[s->slot] != SLOT_HELD)
		s->slot++;
	step->kind = SCHEDULE_WRITE;
	step->slot = s->slot;
	for (; s->slot < s->slots_end && s->states[s->slot] == SLOT_HELD;
	     s->slot++)
		s->states[s->slot] = SLOT_DONE;
	step->count = s->slot - step->slot;
	s->held -= step->count;
	return step->count;
}

static void next_read(struct schedule *s, struct step *step)
{
	step->kind = SCHEDULE_READ;
	step->from = s->wants + s->next_want;
	step->to = wants_gather(step->from, s->wants + s->nr_wants, s->gap,
				s->most_read);
	s->read_from = s->next_want;
	s->next_want = step->to - s->wants;
}

void schedule_next(struct schedule *s, struct step *step)
{
	note_arrivals(s);
	while (!next_run(s, step)) {
		bool all = s->next_want == s->nr_wants;

		if (all ? !s->nr_heap : s->held <= s->window) {
			step->kind = SCHEDULE_END;
			if (!all)
				next_read(s, step);
			return;
		}
		if (!s->nr_heap)
			queue_parts(s);
		begin_request(s);
	}
}

/* -------------------------------------------------------------- making */

static void rewind_schedule(struct schedule *s)
{
	for (size_t n = 0; n < s->nr_requests; n++) {
		s->requests[n].missing = 0;
		s->requests[n].queued = false;
	}
	for (size_t n = 0; n < s->nr_wants; n++) {
		s->states[s->wants[n].slot] = SLOT_WANTED;
		s->requests[s->wants[n].request].missing++;
	}
	s->next_want = s->read_from = s->held = s->nr_heap = 0;
	s->cursor = s->slot = s->slots_end = s->pass = 0;
}

/* Whether with this window all but a few blocks are written in one pass. */
static bool streams(struct schedule *s, size_t window)
{
	size_t late = 0, most = s->nr_wants / SMALL_PART;
	struct step step;

	rewind_schedule(s);
	s->window = window;
	do {
		schedule_next(s, &step);
		if (step.kind == SCHEDULE_READ)
			for (; step.from < step.to; step.from++)
				s->states[step.from->slot] = SLOT_HELD;
		else if (step.kind == SCHEDULE_WRITE && s->pass > 1)
			late += step.count;
	} while (step.kind != SCHEDULE_END && late <= most && s->pass <= 2);
	return step.kind == SCHEDULE_END;
}

static void choose_window(struct schedule *s, unsigned blocksize)
{
	size_t most = s->room < s->nr_wants ? s->room - s->most_read :
					      s->nr_wants;
	size_t window = LEAST_WINDOW / blocksize;

	while (window < most && window < s->nr_wants && !streams(s, window))
		window *= 4;
	if (window > most || window >= s->nr_wants)
		window = most;
	rewind_schedule(s);
	s->window = window;
	if (window + s->most_read < s->room)
		s->room = window + s->most_read;
}

static void add_slot(struct schedule *s, uint32_t slot,
		     const struct e2lazy_copy *copy, blk64_t next)
{
	struct request *r = s->requests + s->nr_requests;
	struct want *w = s->wants + s->nr_wants++;

	if (s->nr_requests && copy->fsblk == next &&
	    r[-1].count < s->most_written) {
		r--;
	} else {
		r->first = slot;
		r->count = 0;
		s->nr_requests++;
	}
	r->count++;
	w->logblk = copy->logblk;
	w->slot = slot;
	w->request = (uint32_t)(r - s->requests);
	s->states[slot] = SLOT_WANTED;
}

static void choose_slots(struct schedule *s, blk64_t super, skip_copy skip,
			 void *priv)
{
	struct e2lazy_copy copy;
	blk64_t next = 0;

	for (uint32_t slot = 0; slot < s->slots; slot++) {
		e2lazy_jmap_get(s->map, slot, &copy);
		if (copy.fsblk == super)
			continue;
		if (skip && skip(priv, &copy)) {
			s->skipped++;
			continue;
		}
		add_slot(s, slot, &copy, next);
		next = copy.fsblk + 1;
	}
	wants_sort(s->wants, s->nr_wants);
}

/* How many copies there is room for, once there is room for the tables. */
static size_t copies_held(const struct schedule *s, unsigned blocksize,
			  uint64_t memory)
{
	uint64_t tables = s->nr_wants * (sizeof(*s->wants) + 1 + 8) +
			  s->nr_requests * (sizeof(*s->requests) + 8);
	uint64_t room, least = memory / COPIES_PART;

	memory = memory > tables + RING_BYTES ? memory - tables - RING_BYTES :
						0;
	memory = memory > least ? memory : least;
	room = (memory > LEAST_MEMORY ? memory : LEAST_MEMORY) / blocksize;
	return room < s->nr_wants ? room : s->nr_wants;
}

/* So that the requests in flight take no more than there is. */
static uint32_t largest_write(unsigned blocksize, uint64_t memory)
{
	uint64_t most = memory / (2 * RING_BYTES / WRITE_BYTES);

	most = most > LEAST_WRITE ? most : LEAST_WRITE;
	return (uint32_t)(most < WRITE_BYTES ? most : WRITE_BYTES) / blocksize;
}

errcode_t schedule_init(struct schedule *s, const struct e2lazy_jmap *map,
			unsigned blocksize, uint64_t memory, blk64_t super,
			skip_copy skip, void *priv)
{
	size_t slots = e2lazy_jmap_count(map);

	memset(s, 0, sizeof(*s));
	s->map = map;
	s->slots = slots;
	s->most_written = largest_write(blocksize, memory);
	s->gap = GAP_BYTES / blocksize;
	s->states = calloc(slots + 1, 1);
	s->wants = calloc(slots + 1, sizeof(*s->wants));
	s->requests = calloc(slots + 1, sizeof(*s->requests));
	if (!s->states || !s->wants || !s->requests)
		return EXT2_ET_NO_MEMORY;
	choose_slots(s, super, skip, priv);
	s->heap = calloc(s->nr_requests + 1, sizeof(*s->heap));
	if (!s->heap)
		return EXT2_ET_NO_MEMORY;
	s->room = copies_held(s, blocksize, memory);
	s->most_read = SPAN_BYTES / blocksize;
	if (s->room < s->nr_wants && s->most_read > s->room / 2)
		s->most_read = s->room / 2 ? (uint32_t)(s->room / 2) : 1;
	choose_window(s, blocksize);
	return 0;
}

void schedule_free(struct schedule *s)
{
	free(s->states);
	free(s->wants);
	free(s->requests);
	free(s->heap);
	memset(s, 0, sizeof(*s));
}
