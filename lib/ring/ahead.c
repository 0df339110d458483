/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ahead.c - threads follow the chains of a ring ahead of the scan */

#include <stdlib.h>
#include <string.h>

#include "ahead.h"
#include "io/grow.h"
#include "io/halve.h"
#include "io/pread_io.h"
#include "io/thread.h"

/*
 * A thread reads up to one descriptor's copies before it meets a control block,
 * and may do so twice.  A stretch has at least twice as many blocks again.
 */
#define SEARCHES	2
#define LEAST_SEARCHES	4

/* ------------------------------------------------------------- a thread */

/* With the lock. */
static bool keep(struct stretch *st, const struct control *c)
{
	struct known *known = st->nr < AHEAD_KNOWN ?
			      grow(st->known, st->nr, &st->room,
				   sizeof(*known)) : NULL;

	if (!known)
		return false;
	st->known = known;
	known[st->nr++] = (struct known){ .control = *c, .away = st->away };
	return true;
}

/* Go past @c, or past one block if it is NULL.  False: it is over. */
static bool go_on(struct stretch *st, const struct control *c)
{
	struct ahead *a = st->ahead;
	uint32_t left = st->end - st->away, step = c ? 1 + c->copies : 1;
	bool fine;

	pthread_mutex_lock(&a->lock);
	fine = (c ? keep(st, c) : st->search-- > 1) && step < left && !a->stop;
	if (fine)
		st->away += step;
	st->is_over = !fine;
	pthread_cond_signal(&a->moved);
	pthread_mutex_unlock(&a->lock);
	return fine;
}

/* A full descriptor has at least so many copies. */
static uint32_t full_copies(const struct e2lazy_journal *journal)
{
	/* A UUID takes the place of up to two tags. */
	return e2lazy_beyond_reach(journal) - 4;
}

/*
 * A commit block follows all but a full descriptor, and the next transaction
 * follows a commit block.  A device answers a request for both as fast as for
 * one.
 */
static uint32_t wanted_behind(const struct stretch *st, const struct control *c)
{
	return c->type != JBD2_COMMIT &&
	       c->copies < full_copies(st->ahead->journal) ? 2 : 1;
}

static void *follow(void *priv)
{
	struct stretch *st = priv;
	struct e2lazy_journal *j = st->ahead->journal;
	uint32_t wanted = st->search;
	const struct control *found;
	struct control c;

	do {
		uint32_t at = lap_add(st->ahead->lap, st->ahead->origin,
				      st->away);
		const uint8_t *block;
		errcode_t err;

		block = lookahead_read(&st->span, at, wanted, &err);
		found = block && control_read(&c, j, at, block) ==
			CONTROL_SOUND ? &c : NULL;
		wanted = found ? wanted_behind(st, found) : st->search;
	} while (go_on(st, found));
	return NULL;
}

/* ------------------------------------------------------------- the scan */

static bool begin_one(struct ahead *a, struct stretch *st, uint32_t from,
		      uint32_t end)
{
	*st = (struct stretch){
		.ahead = a, .away = from, .end = end,
		.search = SEARCHES * e2lazy_beyond_reach(a->journal),
	};
	return !lookahead_direct(&st->span, a->journal) &&
	       thread_begin(&st->thread, follow, st);
}

void ahead_begin(struct ahead *a, struct e2lazy_journal *journal,
		 uint32_t origin)
{
	const struct lap lap = lap_longest(&journal->geo);
	uint32_t size = lap_size(lap);
	uint32_t most = size / (LEAST_SEARCHES * e2lazy_beyond_reach(journal));

	*a = (struct ahead){ .journal = journal, .lap = lap,
			     .origin = origin };
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->moved, NULL);
	if (journal->io->manager != pread_io_manager || most < 2)
		return;
	most = most > AHEAD_THREADS + 1 ? AHEAD_THREADS + 1 : most;
	a->length = size / most;
	while (a->nr + 1 < most) {
		struct stretch *st = &a->stretches[a->nr];
		uint32_t from = (a->nr + 1) * a->length;
		bool is_last = a->nr + 2 == most;

		if (!begin_one(a, st, from,
			       is_last ? size : from + a->length)) {
			lookahead_free(&st->span);
			return;
		}
		a->nr++;
	}
}

void ahead_end(struct ahead *a)
{
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_mutex_unlock(&a->lock);
	for (unsigned i = 0; i < a->nr; i++) {
		struct stretch *st = &a->stretches[i];

		pthread_join(st->thread, NULL);
		lookahead_free(&st->span);
		free(st->known);
	}
	pthread_cond_destroy(&a->moved);
	pthread_mutex_destroy(&a->lock);
}

static const struct known *find(const struct stretch *st, uint32_t away)
{
	struct halving h = { .high = st->nr };

	while (halve(&h))
		halved(&h, st->known[h.mid].away < away);
	return h.low < st->nr && st->known[h.low].away == away ?
		       &st->known[h.low] : NULL;
}

/* NULL: the scan has no thread there. */
static struct stretch *stretch_of(struct ahead *a, uint32_t away)
{
	for (unsigned i = a->nr; i--; )
		if (away >= (i + 1) * a->length)
			return away < a->stretches[i].end ? &a->stretches[i] :
							    NULL;
	return NULL;
}

bool ahead_get(struct ahead *a, uint32_t at, struct control *c)
{
	uint32_t away = lap_distance(a->lap, a->origin, at);
	struct stretch *st = stretch_of(a, away);
	const struct known *known;

	if (!st)
		return false;
	pthread_mutex_lock(&a->lock);
	while (!st->is_over && st->away <= away)
		pthread_cond_wait(&a->moved, &a->lock);
	known = find(st, away);
	if (known)
		*c = known->control;
	pthread_mutex_unlock(&a->lock);
	return known;
}
