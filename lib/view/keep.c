/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * keep.c - load all live copies of a view into memory
 *
 * Verifying a log and writing it back needs each copy several times, in the
 * order of blocks and by owner.  If memory allows, the view reads the log from
 * its device once, in log order; then a checkpoint writes exactly the bytes that it
 * verified.
 */

#include "io/trim.h"
#include "io/watch.h"
#include "copies.h"
#include "cache.h"
#include "view.h"

/* Memory of a checkpoint beside the copies: for each mapping, and in all. */
#define BESIDE_MAPPING	64
#define BESIDE_ALL	(40 << 20)

#define COPIES_PER_TICK	64

struct keeping {
	struct cache	*kept;
	const struct e2lazy_watch *watch;
	uint64_t	done;		/* copies */
};

/* A copy that fails here is read from the log again when it is needed. */
static void keep_one(void *priv, size_t index, const uint8_t *block,
		     errcode_t err)
{
	struct keeping *k = priv;

	if (!err)
		cache_put(k->kept, index, block);
}

/*
 * Part of the copies is no use, for reading the missing ones needs the room.
 * So give up early when they will not fit.
 */
static errcode_t count_one(void *priv, size_t index, uint8_t *block,
			   errcode_t err)
{
	struct keeping *k = priv;

	(void)index, (void)block, (void)err;
	k->done++;
	if (!cache_fits(k->kept))
		return EXT2_ET_NO_MEMORY;
	if (k->done % COPIES_PER_TICK)
		return 0;
	return watch_tick(k->watch, E2LAZY_PHASE_READ, k->done, k->kept->count);
}

static void give_up(struct cache *kept)
{
	cache_free(kept);
	trim_memory();
}

/* The part of @memory that is left for packed copies. */
static uint64_t room_for(size_t count, uint64_t memory)
{
	uint64_t beside = BESIDE_ALL + (uint64_t)count * BESIDE_MAPPING;

	return memory > beside ? memory - beside : 0;
}

errcode_t e2lazy_view_keep(struct e2lazy_view *v, uint64_t memory,
			   const struct e2lazy_watch *watch)
{
	const struct copies from = { .journal = v->journal, .map = v->map };
	size_t count = e2lazy_jmap_count(v->map);
	uint64_t room = room_for(count, memory);
	struct keeping k = { .watch = watch };
	const struct copy_taker taker = { .store = keep_one, .take = count_one,
					  .priv = &k };
	errcode_t err;

	if (v->kept || !count || !room)
		return 0;
	k.kept = cache_new(count, v->blocksize, room);
	if (!k.kept)
		return 0;
	err = read_copies(&from, count, &taker);
	if (err)
		give_up(k.kept);
	else
		v->kept = k.kept;
	return err == EXT2_ET_NO_MEMORY ? 0 : err;
}
