/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * keep.c - a view that has its live copies in memory
 *
 * To judge a log and write it back is to need each copy several times, in the
 * order of the blocks and by their owners.  Where memory allows the log is
 * read from its device once, in its own order, and what was judged is what is
 * written.
 */

#include <stdlib.h>
#ifdef __GLIBC__	/* which stdlib.h tells */
#include <malloc.h>
#endif

#include "io/watch.h"
#include "copies.h"
#include "cache.h"
#include "packed.h"
#include "view.h"

/* For a mapping, and in all, what a checkpoint takes beside the blocks. */
#define BESIDE_MAPPING	64
#define BESIDE_ALL	(40 << 20)
/* What malloc() takes for one that is packed, about. */
#define BESIDE_PACKED	16

#define COPIES_PER_TICK	64
#define PART_TO_JUDGE_BY 16

struct keeping {
	struct cache	*kept;
	uint64_t	room, taken;	/* bytes */
	uint64_t	stored;		/* copies that have taken them */
	const struct e2lazy_watch *watch;
	uint64_t	done;		/* copies */
};

/* What cannot be had is asked of the log again by who wants it. */
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
 * A part of them is of no use, for what is missing needs its room: better to
 * give up as soon as it looks so.
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
	return watch_tick(k->watch, E2LAZY_PHASE_READ, k->done,
			  k->kept->count);
}

/* What malloc() would not give back comes on top of what is read next. */
static void give_up(struct cache *kept)
{
	cache_free(kept);
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

/* What is left of @memory for what is packed. */
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
