/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * keep.c - load all live copies of a view into memory
 *
 * Verifying a log and writing it back needs each copy several times, in the
 * order of blocks and by owner.  If memory allows, the view reads the log from
 * its device once, in log order; then e2lazyck writes exactly the bytes that it
 * verified.
 */

#include "io/trim.h"
#include "io/watch.h"
#include "copies.h"
#include "cache.h"
#include "packed.h"
#include "view.h"

/* Memory of a checkpoint beside the copies: for each mapping, and in all. */
#define BESIDE_MAPPING	64
#define BESIDE_ALL	(40 << 20)
/* malloc()'s own cost of a packed copy, about. */
#define BESIDE_PACKED	16

#define COPIES_PER_TICK	64
#define PART_TO_JUDGE_BY 16

struct keeping {
	struct cache	*kept;
	uint64_t	room, taken;	/* bytes */
	uint64_t	stored;		/* copies stored in @taken */
	const struct e2lazy_watch *watch;
	uint64_t	done;		/* copies */
};

/* A copy that fails here is read from the log again when it is needed. */
static void keep_one(void *priv, size_t index, const uint8_t *block,
		     errcode_t err)
{
	struct keeping *k = priv;
	size_t bytes;

	if (err || __atomic_load_n(&k->taken, __ATOMIC_RELAXED) > k->room)
		return;
	k->kept->packed[index] = block_pack(block, k->kept->size, &bytes);
	if (!k->kept->packed[index])
		bytes = k->room;
	__atomic_fetch_add(&k->taken, bytes + BESIDE_PACKED, __ATOMIC_RELAXED);
	__atomic_fetch_add(&k->stored, 1, __ATOMIC_RELAXED);
}

/*
 * Part of the copies is no use, for reading the missing ones needs the room.
 * So give up early when the copies will not fit: the average so far exceeds the
 * room by half.
 */
static bool is_too_much(const struct keeping *k)
{
	uint64_t stored = __atomic_load_n(&k->stored, __ATOMIC_RELAXED);
	uint64_t taken = __atomic_load_n(&k->taken, __ATOMIC_RELAXED);

	return taken > k->room ||
	       (stored > k->kept->count / PART_TO_JUDGE_BY &&
		taken / stored > k->room / 2 * 3 / k->kept->count);
}

static errcode_t count_one(void *priv, size_t index, uint8_t *block,
			   errcode_t err)
{
	struct keeping *k = priv;

	(void)index, (void)block, (void)err;
	k->done++;
	if (is_too_much(k))
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
	struct keeping k = {
		.room = room_for(count, memory),
		.watch = watch,
	};
	const struct copy_taker taker = { .store = keep_one, .take = count_one,
					  .priv = &k };
	errcode_t err;

	if (v->kept || !count || !k.room)
		return 0;
	k.kept = cache_new(count, v->blocksize);
	if (!k.kept)
		return 0;
	err = read_copies(&from, count, &taker);
	if (err)
		give_up(k.kept);
	else
		v->kept = k.kept;
	return err == EXT2_ET_NO_MEMORY ? 0 : err;
}
