/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* look.c - find the control blocks past the end of the log */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/halve.h"
#include "io/watch.h"
#include "look.h"

/* ----------------------------------------------------- one control block */

bool sighting_read(struct sighting *s, const struct e2lazy_journal *j,
		   uint32_t logblk, const uint8_t *block)
{
	struct jbd2_header h;
	uint32_t nsec;

	if (!jbd2_get_control(block, &h))
		return false;
	memset(s, 0, sizeof(*s));
	s->csum = csum_control(&j->csum, h.type, block);
	s->logblk = logblk;
	s->type = h.type;
	s->tid = h.tid;
	s->blocks = 1;
	if (h.type == JBD2_DESCRIPTOR)
		s->blocks += jbd2_count_tags(block, &j->format);
	if (h.type == JBD2_COMMIT) {
		jbd2_commit_time(block, &s->sec, &nsec);
		s->dated = s->sec != 0;
	}
	return s->csum != E2LAZY_BAD;
}

/* --------------------------------------------------------- block by block */

errcode_t look_init(struct look *look, struct e2lazy_journal *journal,
		    const struct e2lazy_end *end, uint32_t from,
		    uint32_t rest)
{
	errcode_t err;

	memset(look, 0, sizeof(*look));
	look->journal = journal;
	look->lap = lap_of_log(&journal->geo);
	look->from = from;
	look->rest = rest;
	if (end->reason == E2LAZY_END_EMPTY) {	/* older laps only */
		look->lap = lap_longest(&journal->geo);
		look->rest = lap_size(look->lap);
	}
	/* v1: the bad commit block looks good by itself; skip it. */
	if (end->reason == E2LAZY_END_COMMIT_CSUM)
		look->judged = end->stop;
	birth_init(&look->birth, journal, end);
	err = io_channel_alloc_buf(journal->io, 1, &look->block);
	return err ? err : lookahead_init(&look->span, journal);
}

void look_free(struct look *look)
{
	lookahead_free(&look->span);
	ext2fs_free_mem(&look->block);
	free(look->at);
	look->at = NULL;
	look->nr = look->room = 0;
}

static errcode_t add_sighting(struct look *l, const struct sighting *s)
{
	struct sighting *at = grow(l->at, l->nr, &l->room, sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	l->at = at;
	l->at[l->nr++] = *s;
	return 0;
}

static void note_unreadable(struct look *l, uint32_t logblk, uint32_t count,
			    errcode_t why)
{
	if (!l->unreadable) {
		l->first_unreadable = logblk;
		l->why_unreadable = why;
	}
	l->unreadable += count;
}

static errcode_t look_at(struct look *l, uint32_t logblk, uint32_t left)
{
	const uint8_t *block;
	struct sighting s;
	errcode_t err;

	if (l->judged && logblk == l->judged)
		return 0;
	block = lookahead_read(&l->span, logblk, left, &err);
	if (!block) {
		note_unreadable(l, logblk, 1, err);
		return 0;
	}
	return sighting_read(&s, l->journal, logblk, block) ?
	       add_sighting(l, &s) : 0;
}

#define BLOCKS_PER_PROGRESS 64

static errcode_t tick(const struct look *l, uint32_t before)
{
	if (before / BLOCKS_PER_PROGRESS == l->looked / BLOCKS_PER_PROGRESS)
		return 0;
	return watch_tick(l->watch, E2LAZY_PHASE_RING, l->looked, l->rest);
}

errcode_t look_on(struct look *l, uint64_t limit)
{
	uint32_t most = limit < l->rest ? (uint32_t)limit : l->rest;
	errcode_t err = 0;

	while (!err && l->looked < most) {
		uint32_t at = lap_add(l->lap, l->from, l->looked);
		uint32_t left = most - l->looked, before = l->looked;
		bool gone = false;
		uint32_t hole = lookahead_has(&l->span, at) ? 0 :
				log_hole(l->journal, l->lap, at, left, &gone);

		if (gone)
			note_unreadable(l, at, hole, EXT2_ET_SHORT_READ);
		else if (!hole)
			err = look_at(l, at, left);
		l->looked += hole ? hole : 1;
		if (!err)
			err = tick(l, before);
	}
	return err;
}

/* ----------------------------------------------------- dates and owners */

/* The sighting @distance blocks after look->from, or NULL. */
static struct sighting *sighting_at(const struct look *l, uint32_t distance)
{
	struct halving h = { .high = l->nr };

	while (halve(&h))
		halved(&h, look_distance(l, l->at[h.mid].logblk) < distance);
	return h.low < l->nr &&
	       look_distance(l, l->at[h.low].logblk) == distance ?
		       &l->at[h.low] : NULL;
}

/* Follow a transaction past the blocks looked at, to its commit block. */
static void read_ahead(struct look *l, struct sighting *s, uint32_t distance)
{
	struct sighting next;

	for (; distance < l->rest && l->ahead; distance += next.blocks) {
		uint32_t at = lap_add(l->lap, l->from, distance);

		l->ahead--;
		if (e2lazy_read_log(l->journal, at, 1, l->block) ||
		    !sighting_read(&next, l->journal, at, l->block) ||
		    next.tid != s->tid)
			return;
		if (next.dated) {
			s->sec = next.sec;
			s->dated = true;
			return;
		}
	}
}

/* Each block of a transaction leads to the next; the last one has a date. */
static void set_dates(struct look *l)
{
	for (size_t i = l->nr; i--; ) {
		struct sighting *s = &l->at[i];
		uint64_t next = look_distance(l, s->logblk) +
				(uint64_t)s->blocks;
		const struct sighting *to;

		if (s->dated || next >= l->rest)
			continue;
		if (next >= l->looked) {
			read_ahead(l, s, (uint32_t)next);
			continue;
		}
		to = sighting_at(l, (uint32_t)next);
		if (to && to->tid == s->tid && to->dated) {
			s->sec = to->sec;
			s->dated = true;
		}
	}
}

/* A transaction without a date belongs to the owner of the one before it. */
static void set_foreign(struct look *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct sighting *s = &l->at[i], *next;
		uint64_t distance = look_distance(l, s->logblk) +
				    (uint64_t)s->blocks;

		if (s->dated)
			s->foreign = is_foreign(&l->birth, s->tid, s->sec);
		if (!s->foreign || distance >= l->looked)
			continue;
		next = sighting_at(l, (uint32_t)distance);
		if (next && !next->dated &&
		    next->tid - s->tid == (s->type == JBD2_COMMIT))
			next->foreign = true;
	}
}

void look_settle(struct look *l)
{
	if (!l->birth.made)
		return;
	l->ahead = lap_size(l->lap);
	set_dates(l);
	set_foreign(l);
}
