/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * schedule.c - the order in which live copies are read and written back
 *
 * A request is a run of neighbouring static blocks; it is complete when all its
 * copies are in memory.  The method is replacement selection, as in sorting on
 * tape.  When memory holds more copies than the window allows, the schedule
 * writes the next complete request in ascending order; a request that lies
 * behind waits for the next pass.  A log in about the order of its blocks, as
 * unpacking a tree writes it, streams through a small window, except for the
 * bitmaps and descriptors that it logs again until its end.  A log without an
 * order needs all memory as its window.
 *
 * If that window is too small to complete requests, they fall apart, at worst
 * into single blocks.  Then the schedule can read the log several times
 * instead, each time for the next static blocks that fit.  All requests are
 * whole then, and the device is written in one pass.  The schedule tries both
 * ways dry and takes the cheaper one.
 */

#include <stdlib.h>
#include <string.h>

#include "map/jmap.h"
#include "schedule.h"

#define LEAST_MEMORY	(1 << 20)
#define LEAST_WRITE	(64 << 10)
/* Buffers of reader and writer: 16 spans of 1 MiB, 24 writes of 512 KiB. */
#define RING_BYTES	(28 << 20)
#define WRITES_IN_RING	24
/* A request takes at most this part of the memory: many must be in flight. */
#define WRITES_IN_MEMORY	80
/* The copies get at least this part of the memory. */
#define COPIES_PART	4
/* One read takes at most this part of the room for copies. */
#define READ_PART	4
#define LEAST_WINDOW	(32 << 20)
/* Most bytes of copies: a 32-bit process cannot allocate more in a row. */
#define MOST_COPIES	(SIZE_MAX / 2)
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

/* Queue it in this pass if it lies ahead, else in the next. */
static void queue_request(struct schedule *s, uint32_t number)
{
	bool ahead = s->pass && number > s->cursor;
	uint64_t pass = ahead ? s->pass : s->pass + 1;

	s->requests[number].queued = true;
	heap_add(s, pass << 32 | number);
}

/* Take note of the copies of the last read. */
static void note_arrivals(struct schedule *s)
{
	for (; s->read_from < s->next_want; s->read_from++) {
		const struct want *w = &s->list[s->read_from];
		struct request *r = &s->requests[w->request];

		s->held += s->states[w->slot] == SLOT_HELD;
		if ((!--r->missing || s->parts) && !r->queued)
			queue_request(s, w->request);
	}
}

/*
 * No request is complete and the memory is full, so write requests in parts.
 * It would happen again, so from now on a copy does not wait for the rest of
 * its request.
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

/*
 * The next run of held blocks of the current request; false if there is none.
 */
static bool next_run(struct schedule *s, struct step *step)
{
	while (s->slot < s->slots_end && s->states[s->slot] != SLOT_HELD)
		s->slot++;
	step->kind = SCHEDULE_WRITE;
	step->slot = s->slot;
	for (; s->slot < s->slots_end && s->states[s->slot] == SLOT_HELD;
	     s->slot++) {
		s->states[s->slot] = SLOT_DONE;
		s->held -= !cache_has(s->kept, s->slot);
	}
	step->count = s->slot - step->slot;
	return step->count;
}

static void next_read(struct schedule *s, struct step *step)
{
	step->kind = SCHEDULE_READ;
	step->from = s->list + s->next_want;
	s->readings += !s->next_want ||
		       step->from->logblk < step->from[-1].logblk;
	s->read_from = s->next_want;
	s->next_want = read_list_gather(&s->wants, s->next_want);
	step->to = s->list + s->next_want;
}

void schedule_next(struct schedule *s, struct step *step)
{
	note_arrivals(s);
	while (!next_run(s, step)) {
		bool all = s->next_want == s->wants.count;

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

uint32_t schedule_neighbours(const struct schedule *s, uint32_t slot)
{
	blk64_t fsblk = jmap_fsblk(s->map, slot);
	uint32_t n = 0;

	while (n < s->most_written && slot + n < s->slots &&
	       s->states[slot + n] != SLOT_SKIP &&
	       jmap_fsblk(s->map, slot + n) == fsblk + n)
		n++;
	return n;
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

/* A copy in the cache is held from the start and needs no room. */
static void rewind_request(struct schedule *s, uint32_t number)
{
	struct request *r = &s->requests[number];

	r->missing = r->count;
	r->queued = false;
	for (uint32_t slot = r->first; slot < r->first + r->count; slot++) {
		bool kept = cache_has(s->kept, slot);

		s->states[slot] = kept ? SLOT_HELD : SLOT_WANTED;
		r->missing -= kept;
	}
	if (!r->missing)
		queue_request(s, number);
}

static void rewind_schedule(struct schedule *s, size_t window)
{
	s->next_want = s->read_from = s->held = s->nr_heap = 0;
	s->cursor = s->slot = s->slots_end = s->pass = s->readings = 0;
	s->parts = false;
	s->window = window;
	for (uint32_t number = 0; number < s->nr_requests; number++)
		rewind_request(s, number);
}

/* With this window, are all but 1/64 of the blocks written in one pass? */
static bool streams(struct schedule *s, size_t window)
{
	size_t late = 0, most = s->wants.count / SMALL_PART;
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

/* Blocks read and written; each request adds the cost of a gap. */
static uint64_t cost(struct schedule *s, size_t window)
{
	uint64_t blocks = 0;
	struct step step;

	rewind_schedule(s, window);
	while (schedule_dry(s, &step))
		blocks += s->wants.gap +
			  (step.kind == SCHEDULE_WRITE ? step.count :
			   step.to[-1].logblk - step.from->logblk + 1);
	return blocks;
}

/* ------------------------------------------------------------- reading */

static uint32_t add_wants(struct schedule *s, uint32_t number, uint32_t at)
{
	const struct request *r = &s->requests[number];

	for (uint32_t slot = r->first; slot < r->first + r->count; slot++) {
		struct want *w = &s->list[at];

		if (cache_has(s->kept, slot))
			continue;
		at++;
		w->logblk = copies_logblk(s->map, s->older, slot);
		w->slot = slot;
		w->request = number;
	}
	return at;
}

/* Cut the list into readings of at most @most copies; requests stay whole. */
static void lay_out(struct schedule *s, size_t most)
{
	uint32_t number = 0, end = 0;

	while (number < s->nr_requests) {
		uint32_t begin = end;

		do
			end = add_wants(s, number++, end);
		while (number < s->nr_requests &&
		       end - begin + s->requests[number].count <= most);
		read_list_sort(s->list + begin, end - begin);
	}
}

/*
 * Read the log once, or several times if one reading takes requests apart and
 * several are cheaper.  A reading fits the window, so its requests are complete
 * before the next reading begins.
 */
static void choose_readings(struct schedule *s, size_t window)
{
	uint64_t once;

	if (window == s->wants.count)
		return;
	once = cost(s, window);
	if (!s->parts)
		return;
	lay_out(s, window);
	if (cost(s, window) >= once)
		lay_out(s, s->wants.count);
}

static void choose_window(struct schedule *s, unsigned blocksize)
{
	size_t most = s->room < s->wants.count ? s->room - s->wants.most :
					      s->wants.count;
	size_t window = LEAST_WINDOW / blocksize;

	while (window < most && !streams(s, window))
		window *= 4;
	if (window >= most) {
		window = most;
		choose_readings(s, window);
	}
	rewind_schedule(s, window);
	if (window + s->wants.most < s->room)
		s->room = window + s->wants.most;
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
	s->wants.count += !cache_has(s->kept, slot);
}

static void choose_slots(struct schedule *s, const struct schedule_opts *opts)
{
	struct e2lazy_copy copy;
	blk64_t next = 0;

	for (uint32_t slot = 0; slot < s->slots; slot++) {
		e2lazy_jmap_get(s->map, slot, &copy);
		if (copy.fsblk == opts->super)
			continue;
		if (opts->skip && opts->skip(opts->priv, slot, &copy)) {
			s->skipped++;
			continue;
		}
		add_slot(s, slot, copy.fsblk == next);
		next = copy.fsblk + 1;
	}
	lay_out(s, SIZE_MAX);
}

/* Requests of a small log stay below the limit. */
static uint32_t largest_request(const struct schedule *s)
{
	uint32_t largest = 1;

	for (size_t i = 0; i < s->nr_requests; i++)
		if (s->requests[i].count > largest)
			largest = s->requests[i].count;
	return largest;
}

/* Number of copies that fit the memory beside tables and buffers. */
static size_t copies_held(const struct schedule *s, unsigned blocksize,
			  uint64_t memory)
{
	uint64_t tables = (uint64_t)s->wants.count * (sizeof(*s->list) + 1 + 8) +
			  (uint64_t)s->nr_requests * (sizeof(*s->requests) + 8);
	uint64_t room, least = memory / COPIES_PART;
	size_t most = MOST_COPIES / blocksize;

	memory = memory > tables + RING_BYTES ? memory - tables - RING_BYTES :
						0;
	memory = memory > least ? memory : least;
	room = (memory > LEAST_MEMORY ? memory : LEAST_MEMORY) / blocksize;
	if (most > s->wants.count)
		most = s->wants.count;
	return room < most ? (size_t)room : most;
}

/* Blocks of a write request; small if memory is, for many are in flight. */
static uint32_t largest_write(unsigned blocksize, uint64_t memory)
{
	uint64_t most = memory / WRITES_IN_MEMORY;

	most = most > LEAST_WRITE ? most : LEAST_WRITE;
	return (uint32_t)(most < WRITE_BYTES ? most : WRITE_BYTES) / blocksize;
}

errcode_t schedule_init(struct schedule *s, const struct schedule_opts *opts)
{
	unsigned blocksize = opts->blocksize;
	size_t slots = e2lazy_jmap_count(opts->map);

	memset(s, 0, sizeof(*s));
	s->map = opts->map;
	s->kept = opts->kept;
	s->older = opts->older;
	s->slots = slots;
	s->most_written = largest_write(blocksize, opts->memory);
	s->write_room = WRITES_IN_RING * (size_t)s->most_written * blocksize;
	s->states = calloc(slots + 1, 1);
	s->list = calloc(slots + 1, sizeof(*s->list));
	s->requests = calloc(slots + 1, sizeof(*s->requests));
	if (!s->states || !s->list || !s->requests)
		return EXT2_ET_NO_MEMORY;
	s->wants.at = s->list;
	s->wants.gap = GAP_BYTES / blocksize;
	choose_slots(s, opts);
	s->most_written = largest_request(s);
	s->heap = calloc(s->nr_requests + 1, sizeof(*s->heap));
	if (!s->heap)
		return EXT2_ET_NO_MEMORY;
	s->room = copies_held(s, blocksize, opts->memory);
	s->wants.most = SPAN_BYTES / blocksize;
	if (s->room < s->wants.count && s->wants.most > s->room / READ_PART)
		s->wants.most = (uint32_t)(s->room / READ_PART);
	choose_window(s, blocksize);
	return 0;
}

void schedule_free(struct schedule *s)
{
	free(s->states);
	free(s->list);
	free(s->requests);
	free(s->heap);
	memset(s, 0, sizeof(*s));
}
