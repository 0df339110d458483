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
 *
 * Where that does not hold what a request lacks, requests fall to pieces, of
 * which there may be as many as blocks.  Then the log can be read several
 * times instead, each time for the next static blocks that fit: all requests
 * are whole, and the device is written in one pass.  Both are tried, dry.
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
/* And a read takes no more than this part of that. */
#define READ_PART	4
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
		if ((!--r->missing || s->parts) && !r->queued)
			queue_request(s, w->request);
	}
}

/*
 * No request is complete and the memory is full: they have to be written in
 * parts.  So it will be again: from now on what has arrived is not held until
 * the rest has.
 */
static void queue_parts(struct schedule *s)
{
	s->parts = true;
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
	s->readings += !s->next_want ||
		       step->from->logblk < step->from[-1].logblk;
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

unsigned schedule_passes(const struct schedule *s)
{
	return s->pass > s->readings ? s->pass : s->readings;
}

bool schedule_dry(struct schedule *s, struct step *step)
{
	schedule_next(s, step);
	if (step->kind == SCHEDULE_READ)
		for (const struct want *w = step->from; w < step->to; w++)
			s->states[w->slot] = SLOT_HELD;
	return step->kind != SCHEDULE_END;
}

/* -------------------------------------------------------------- trying */

static void rewind_schedule(struct schedule *s, size_t window)
{
	for (size_t n = 0; n < s->nr_requests; n++) {
		s->requests[n].missing = s->requests[n].count;
		s->requests[n].queued = false;
	}
	for (size_t n = 0; n < s->nr_wants; n++)
		s->states[s->wants[n].slot] = SLOT_WANTED;
	s->next_want = s->read_from = s->held = s->nr_heap = 0;
	s->cursor = s->slot = s->slots_end = s->pass = s->readings = 0;
	s->parts = false;
	s->window = window;
}

/* Whether with this window all but a few blocks are written in one pass. */
static bool streams(struct schedule *s, size_t window)
{
	size_t late = 0, most = s->nr_wants / SMALL_PART;
	struct step step;

	rewind_schedule(s, window);
	while (schedule_dry(s, &step)) {
		if (step.kind == SCHEDULE_WRITE && s->pass > 1)
			late += step.count;
		if (late > most || s->pass > 2)
			return false;
	}
	return true;
}

/* Blocks read and written, a request counting as a gap that is read through. */
static uint64_t cost(struct schedule *s, size_t window)
{
	uint64_t blocks = 0;
	struct step step;

	rewind_schedule(s, window);
	while (schedule_dry(s, &step))
		blocks += s->gap + (step.kind == SCHEDULE_WRITE ? step.count :
				    step.to[-1].logblk - step.from->logblk + 1);
	return blocks;
}

/* ------------------------------------------------------------- reading */

static uint32_t add_wants(struct schedule *s, uint32_t number, uint32_t at)
{
	const struct request *r = &s->requests[number];

	for (uint32_t slot = r->first; slot < r->first + r->count; slot++) {
		struct want *w = &s->wants[at++];

		w->logblk = jmap_logblk(s->map, slot);
		w->slot = slot;
		w->request = number;
	}
	return at;
}

/* Each reading is for at most @most copies; no request has as many. */
static void lay_out(struct schedule *s, size_t most)
{
	uint32_t number = 0, end = 0;

	while (number < s->nr_requests) {
		uint32_t begin = end;

		do
			end = add_wants(s, number++, end);
		while (number < s->nr_requests &&
		       end - begin + s->requests[number].count <= most);
		wants_sort(s->wants + begin, end - begin);
	}
}

/*
 * Once or, if that takes requests apart, several times.  A reading fits the
 * window, so the one before it has gone by the time that it waits for nothing.
 */
static void choose_readings(struct schedule *s, size_t window)
{
	uint64_t once;

	if (window == s->nr_wants)
		return;
	once = cost(s, window);
	if (!s->parts)
		return;
	lay_out(s, window);
	if (cost(s, window) >= once)
		lay_out(s, s->nr_wants);
}

static void choose_window(struct schedule *s, unsigned blocksize)
{
	size_t most = s->room < s->nr_wants ? s->room - s->most_read :
					      s->nr_wants;
	size_t window = LEAST_WINDOW / blocksize;

	while (window < most && !streams(s, window))
		window *= 4;
	if (window >= most) {
		window = most;
		choose_readings(s, window);
	}
	rewind_schedule(s, window);
	if (window + s->most_read < s->room)
		s->room = window + s->most_read;
}

/* -------------------------------------------------------------- making */

static void add_slot(struct schedule *s, uint32_t slot, bool neighbour)
{
	struct request *r = s->requests + s->nr_requests;

	if (s->nr_requests && neighbour && r[-1].count < s->most_written) {
		r--;
	} else {
		r->first = slot;
		r->count = 0;
		s->nr_requests++;
	}
	r->count++;
	s->nr_wants++;
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
		add_slot(s, slot, copy.fsblk == next);
		next = copy.fsblk + 1;
	}
	lay_out(s, s->nr_wants);
}

/* How many copies there is room for, once there is room for the tables. */
static size_t copies_held(const struct schedule *s, unsigned blocksize,
			  uint64_t memory)
{
	uint64_t tables = (uint64_t)s->nr_wants * (sizeof(*s->wants) + 1 + 8) +
			  (uint64_t)s->nr_requests * (sizeof(*s->requests) + 8);
	uint64_t room, least = memory / COPIES_PART;
	size_t most = most_blocks(blocksize);

	memory = memory > tables + RING_BYTES ? memory - tables - RING_BYTES :
						0;
	memory = memory > least ? memory : least;
	room = (memory > LEAST_MEMORY ? memory : LEAST_MEMORY) / blocksize;
	if (most > s->nr_wants)
		most = s->nr_wants;
	return room < most ? (size_t)room : most;
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
	if (s->room < s->nr_wants && s->most_read > s->room / READ_PART)
		s->most_read = (uint32_t)(s->room / READ_PART);
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
