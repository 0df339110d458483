/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* since.c - find the transactions later than those of a map */

#include <stdlib.h>
#include <string.h>

#include "e2lazy_ring.h"
#include "log/log.h"
#include "map/jmap.h"
#include "since.h"

static errcode_t add_ranges(struct since *s, const struct e2lazy_ring *ring,
			    uint32_t first, uint32_t count)
{
	struct e2lazy_range *more, *ranges;
	uint32_t nr;

	if (!count)
		return 0;
	more = e2lazy_ring_ranges(ring, first, count, &nr);
	ranges = more ? realloc(s->ranges, (s->nr_ranges + (size_t)nr) *
					   sizeof(*ranges)) : NULL;
	if (ranges) {
		s->ranges = ranges;
		memcpy(ranges + s->nr_ranges, more, nr * sizeof(*more));
		s->nr_ranges += nr;
	}
	free(more);
	return ranges ? 0 : EXT2_ET_NO_MEMORY;
}

/* The map's last transaction among those of the ring. */
static bool find_last(const struct e2lazy_journal *j,
		      const struct e2lazy_jmap *map,
		      const struct e2lazy_ring *ring,
		      struct e2lazy_ring_txn *last, uint32_t *index)
{
	const struct e2lazy_map_stats *stats = e2lazy_jmap_stats(map);
	const struct e2lazy_end *end = e2lazy_jmap_end(map);
	uint32_t count = e2lazy_ring_counts(ring)->txns;

	for (*index = 0; stats->txns && *index < count; ++*index) {
		e2lazy_ring_txn(ring, *index, last);
		if (last->txn.tid == stats->last_tid &&
		    lap_follows(&j->geo, end->head, last->txn.end))
			return true;
	}
	return false;
}

/* Find the first transaction of the mount that wrote number @index. */
static void find_mount(struct since *s, const struct e2lazy_ring *ring,
		       const struct e2lazy_history *h, uint32_t index,
		       uint32_t first_tid)
{
	struct e2lazy_ring_txn txn, before;

	e2lazy_ring_txn(ring, index, &txn);
	for (; index > h->first; index--, txn = before) {
		e2lazy_ring_txn(ring, index - 1, &before);
		if (before.txn.tid + 1 != txn.txn.tid)
			break;
	}
	s->mount = txn.txn.tid;
	s->mounts = e2lazy_tid_after(txn.txn.tid, first_tid);
}

static errcode_t find_in_ring(struct since *s, struct e2lazy_journal *j,
			      const struct e2lazy_jmap *map,
			      const struct e2lazy_ring *ring)
{
	uint32_t histories = e2lazy_ring_counts(ring)->histories, index, n = 0;
	struct e2lazy_ring_txn last;
	struct e2lazy_history h;
	errcode_t err = 0;

	if (find_last(j, map, ring, &last, &index)) {
		n = last.history + 1;
		e2lazy_ring_history(ring, last.history, &h);
		s->covered = h.reaches_now;
		find_mount(s, ring, &h, index,
			   e2lazy_jmap_stats(map)->first_tid);
		err = add_ranges(s, ring, index + 1,
				 h.first + h.count - index - 1);
	}
	for (; !err && n < histories; n++) {
		e2lazy_ring_history(ring, n, &h);
		err = add_ranges(s, ring, h.first, h.count);
	}
	return err;
}

/* Log block @before ends transaction @tid - 1, or cannot be read. */
static bool ends_another(struct e2lazy_journal *j, uint32_t before,
			 uint32_t tid)
{
	struct jbd2_header h;
	uint8_t *block = NULL;
	bool found;

	if (io_channel_alloc_buf(j->io, 1, &block))
		return true;
	found = e2lazy_read_log(j, before, 1, block) ||
		(jbd2_get_header(block, &h) && h.type == JBD2_COMMIT &&
		 h.tid + 1 == tid);
	ext2fs_free_mem(&block);
	return found;
}

/* The block before @logblk, also at the end of an older lap. */
static bool follows_another(struct e2lazy_journal *j, uint32_t logblk,
			    uint32_t tid)
{
	const struct e2lazy_geometry *g = &j->geo;

	if (logblk > g->first)
		return ends_another(j, logblk - 1, tid);
	return ends_another(j, g->end - 1, tid) ||
	       (g->other_end && ends_another(j, g->other_end - 1, tid));
}

/* s_head stays from the time when the log was empty.  Linux before 6.4 writes
   none, and each of its mounts begins at s_first. */
bool log_is_fresh(struct e2lazy_journal *journal)
{
	const struct e2lazy_geometry *g = &journal->geo;

	return g->start && g->start == (g->head ? g->head : g->first) &&
	       !follows_another(journal, g->start, g->sequence);
}

/* mke2fs begins with transaction 1, and the first mount with 2. */
static bool is_first_mount(const struct e2lazy_jmap *map)
{
	uint32_t tid = e2lazy_jmap_stats(map)->first_tid;

	return tid == 1 || tid == 2;
}

errcode_t since_find(struct since *s, struct e2lazy_journal *j,
		     const struct e2lazy_jmap *map)
{
	struct e2lazy_ring *ring;
	errcode_t err;

	memset(s, 0, sizeof(*s));
	if (jmap_is_of_log(map)) {
		s->covered = true;
		s->fresh = log_is_fresh(j);
		s->ranges = malloc(sizeof(*s->ranges));
		if (!s->ranges)
			return EXT2_ET_NO_MEMORY;
		s->ranges[s->nr_ranges++] = range_of_log(j);
		return 0;
	}
	err = e2lazy_ring_scan(j, NULL, &ring, NULL);
	if (err)
		return err;
	err = find_in_ring(s, j, map, ring);
	s->fresh = s->mounts || is_first_mount(map);
	e2lazy_ring_free(ring);
	return err;
}

void since_free(struct since *s)
{
	free(s->ranges);
}
