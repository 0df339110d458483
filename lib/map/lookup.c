/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lookup.c - finds copies in a map: entries, states, and their bytes
 */

#include <string.h>

#include "io/halve.h"
#include "log/block_events.h"
#include "log/log.h"
#include "jmap_build.h"
#include "super.h"

/* --------------------------------------------------------------- asking */

const struct e2lazy_map_stats *e2lazy_jmap_stats(const struct e2lazy_jmap *map)
{
	return &map->stats;
}

const struct e2lazy_end *e2lazy_jmap_end(const struct e2lazy_jmap *map)
{
	return &map->end;
}

size_t e2lazy_jmap_count(const struct e2lazy_jmap *map)
{
	return map->set.nr_live;
}

blk64_t e2lazy_jmap_fs_blocks(const struct e2lazy_jmap *map)
{
	return map->fs_blocks;
}

bool jmap_is_outside(const struct e2lazy_jmap *map, blk64_t fsblk)
{
	return fsblk < map->fs_first || fsblk >= map->fs_blocks;
}

void e2lazy_jmap_get(const struct e2lazy_jmap *map, size_t index,
		     struct e2lazy_copy *out)
{
	const struct runs *runs = &map->journal->runs;
	const struct mapping *m = &map->set.live[index];

	out->fsblk = mapping_fsblk(m);
	out->logblk = m->logblk;
	out->tid = m->tid;
	out->copies = m->copies;
	out->flags = m->flags;
	out->physblk = m->logblk < runs->blocks ?
		       runs_physblk(runs, m->logblk) : 0;
}

size_t e2lazy_jmap_lower_bound(const struct e2lazy_jmap *map, blk64_t fsblk)
{
	struct halving h = { .high = map->set.nr_live };

	while (halve(&h))
		halved(&h, mapping_fsblk(&map->set.live[h.mid]) < fsblk);
	return h.low;
}

static bool is_mapping_of(const struct e2lazy_jmap *map, size_t index,
			  blk64_t fsblk)
{
	return index < map->set.nr_live &&
	       mapping_fsblk(&map->set.live[index]) == fsblk;
}

size_t jmap_lower_bound_near(const struct e2lazy_jmap *map, blk64_t fsblk,
			     size_t near)
{
	const struct mapping *live = map->set.live;
	size_t nr = map->set.nr_live;

	if (near <= nr &&
	    (near == nr || mapping_fsblk(&live[near]) >= fsblk) &&
	    (!near || mapping_fsblk(&live[near - 1]) < fsblk))
		return near;
	return e2lazy_jmap_lower_bound(map, fsblk);
}

errcode_t e2lazy_jmap_lookup(const struct e2lazy_jmap *map, blk64_t fsblk,
			     struct e2lazy_copy *out)
{
	size_t i = e2lazy_jmap_lower_bound(map, fsblk);

	if (!is_mapping_of(map, i, fsblk))
		return E2LAZY_ET_NOT_MAPPED;
	e2lazy_jmap_get(map, i, out);
	return 0;
}

enum e2lazy_copy_state jmap_state_near(const struct e2lazy_jmap *map,
				       const struct e2lazy_event *tag,
				       size_t *near)
{
	uint32_t revoke;
	size_t i;

	if (!e2lazy_tid_after(map->end.tid, tag->tid))
		return map->end.reason == E2LAZY_END_STALE ?
		       E2LAZY_STALE : E2LAZY_UNCOMMITTED;
	if (tag->flags & BLOCK_TAG_REFUSED)
		return E2LAZY_REFUSED;
	/* An older lap may have had a copy of another block there. */
	if (!map->live_at.parts ||
	    by_logblk_marked(&map->live_at, tag->logblk)) {
		i = jmap_lower_bound_near(map, tag->fsblk, *near);
		*near = i + 1;
		if (is_mapping_of(map, i, tag->fsblk) &&
		    map->set.live[i].logblk == tag->logblk)
			return E2LAZY_LIVE;
	}
	if (revoke_find(&map->revokes, tag->fsblk, &revoke) &&
	    revoke_voids(revoke, tag->tid))
		return E2LAZY_REVOKED;
	/* See refuse_outside() in jmap.c. */
	return jmap_is_outside(map, tag->fsblk) ? E2LAZY_REFUSED :
						  E2LAZY_SUPERSEDED;
}

enum e2lazy_copy_state e2lazy_jmap_state(const struct e2lazy_jmap *map,
					 const struct e2lazy_event *tag)
{
	size_t near = 0;

	return jmap_state_near(map, tag, &near);
}

/* -------------------------------------------------------------- reading */

const struct e2lazy_journal *jmap_journal(const struct e2lazy_jmap *map)
{
	return map->journal;
}

bool jmap_is_of_log(const struct e2lazy_jmap *map)
{
	return map->nr_ranges == 1 && range_is_log(map->journal, &map->range);
}

bool e2lazy_jmap_is_past(const struct e2lazy_jmap *map)
{
	return !jmap_is_of_log(map) || map->end.reason == E2LAZY_END_UNTIL;
}

const uint8_t *jmap_fs_uuid(const struct e2lazy_jmap *map)
{
	return map->fs_uuid;
}

bool jmap_wraps(const struct e2lazy_jmap *map, uint32_t freed,
		uint64_t blocks)
{
	const struct e2lazy_geometry *g = &map->journal->geo;
	uint64_t end = (uint64_t)ring_add(g, g->start, freed) +
		       map->end.walked - freed;

	return g->fc_blocks && end <= g->end && end + blocks > g->end;
}

uint64_t jmap_last_stored(const struct e2lazy_jmap *map)
{
	return map->last_stored;
}

bool jmap_is_joined(const struct e2lazy_jmap *map)
{
	return map->joined;
}

uint64_t jmap_unsound(const struct e2lazy_jmap *map)
{
	return map->unsound;
}

const struct damaged_tags *jmap_damaged_tags(const struct e2lazy_jmap *map)
{
	return &map->tags;
}

unsigned jmap_flags(const struct e2lazy_jmap *map)
{
	return map->flags;
}

blk64_t jmap_fsblk(const struct e2lazy_jmap *map, size_t index)
{
	return mapping_fsblk(&map->set.live[index]);
}

uint32_t jmap_logblk(const struct e2lazy_jmap *map, size_t index)
{
	return map->set.live[index].logblk;
}

bool jmap_is_good(const struct e2lazy_jmap *map, uint32_t tid, uint32_t logblk,
		  const void *block)
{
	const struct e2lazy_journal *j = map->journal;

	return !map->csums.parts ||
	       csum_copy_good(&j->csum, tid, block,
			      by_logblk_get(&map->csums, logblk));
}

/* With E2LAZY_WALK_DATA the walk has already verified the copy. */
bool jmap_take(const struct e2lazy_jmap *map, size_t index, void *block)
{
	const struct mapping *m = &map->set.live[index];

	if (m->flags & E2LAZY_COPY_BAD ||
	    !jmap_is_good(map, m->tid, m->logblk, block))
		return false;
	unescape(block, m->flags);
	return true;
}

bool jmap_read_at_home(const struct e2lazy_jmap *map, size_t index,
		       void *block)
{
	const struct mapping *m = &map->set.live[index];
	const struct e2lazy_journal *j = map->journal;
	blk64_t fsblk = mapping_fsblk(m);
	uint8_t begin[JBD2_ESCAPED_BYTES];
	struct jbd2_header unused;
	bool good;

	/* The superblock in place has changes that no log has. */
	if (j->geo.csum != E2LAZY_CSUM_V3 || !map->csums.parts ||
	    fsblk == super_fsblk(j) ||
	    io_channel_read_blk64(j->fs->io, fsblk, 1, block))
		return false;
	if (!(m->flags & E2LAZY_COPY_ESCAPED))
		return jmap_is_good(map, m->tid, m->logblk, block);
	if (!jbd2_get_header(block, &unused))
		return false;
	memcpy(begin, block, sizeof(begin));
	memset(block, 0, sizeof(begin));
	good = jmap_is_good(map, m->tid, m->logblk, block);
	memcpy(block, begin, sizeof(begin));
	return good;
}

errcode_t e2lazy_jmap_read(const struct e2lazy_jmap *map, size_t index,
			   uint32_t count, void *buf, size_t *bad)
{
	unsigned size = map->journal->geo.blocksize;
	uint8_t *block = buf;
	errcode_t err;

	*bad = index;
	err = e2lazy_read_log(map->journal, jmap_logblk(map, index), count,
			      buf);
	for (uint32_t i = 0; !err && i < count; i++, block += size) {
		*bad = index + i;
		if (!jmap_take(map, *bad, block))
			err = E2LAZY_ET_DATA_CSUM;
	}
	return err;
}

errcode_t e2lazy_read_block(struct e2lazy_journal *journal,
			    const struct e2lazy_jmap *map, blk64_t fsblk,
			    void *buf)
{
	struct e2lazy_copy copy;

	if (map && !e2lazy_jmap_lookup(map, fsblk, &copy))
		return e2lazy_read_copy(journal, copy.logblk, copy.flags, buf);
	return io_channel_read_blk64(journal->fs->io, fsblk, 1, buf);
}
