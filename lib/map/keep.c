/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keep.c - a view that has its live copies in memory
 *
 * To judge a log and write it back is to need each copy several times, in the
 * order of the blocks and by their owners.  Where memory allows the log is
 * read from its device once, in its own order, and what was judged is what is
 * written.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "keep.h"
#include "view.h"

/* For a mapping, and in all, what a checkpoint takes beside the blocks. */
#define BESIDE_MAPPING	64
#define BESIDE_ALL	(32 << 20)
/* What a large page has: fewer of them are to be found and cleared. */
#define BLOCKS_ALIGN	(2 << 20)

#define COPIES_PER_TICK	1024

struct keeping {
	struct kept	*kept;
	errcode_t	(*progress)(void *priv, uint64_t done, uint64_t total);
	void		*priv;
	uint64_t	done;
};

void kept_free(struct kept *kept)
{
	if (!kept)
		return;
	ext2fs_free_mem(&kept->blocks);
	free(kept->has);
	free(kept);
}

/* NULL where there is no memory. */
static struct kept *kept_new(size_t count, unsigned size)
{
	struct kept *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->size = size;
	k->count = count;
	k->has = calloc(count, sizeof(*k->has));
	if (!k->has || ext2fs_get_memalign(count * size, BLOCKS_ALIGN,
					   &k->blocks)) {
		kept_free(k);
		return NULL;
	}
	/* It does without them as well. */
	(void)madvise(k->blocks, count * size, MADV_HUGEPAGE);
	return k;
}

/*
 * What cannot be had is asked of the log again by who wants it.  In threads,
 * for memory that was never used before costs more than the copying.
 */
static void keep_one(void *priv, size_t index, const uint8_t *block,
		     errcode_t err)
{
	const struct keeping *k = priv;
	const struct kept *kept = k->kept;

	if (!err)
		memcpy(kept->blocks + index * kept->size, block, kept->size);
	kept->has[index] = !err;
}

static errcode_t count_one(void *priv, size_t index, const uint8_t *block,
			   errcode_t err)
{
	struct keeping *k = priv;

	(void)index, (void)block, (void)err;
	if (++k->done % COPIES_PER_TICK || !k->progress)
		return 0;
	return k->progress(k->priv, k->done, k->kept->count);
}

static bool fits(size_t count, unsigned size, uint64_t memory)
{
	return count && memory > BESIDE_ALL &&
	       count <= (memory - BESIDE_ALL) / (size + BESIDE_MAPPING) &&
	       count <= SIZE_MAX / 2 / size;
}

errcode_t e2lazy_view_keep(struct e2lazy_view *v, uint64_t memory,
			   errcode_t (*progress)(void *priv, uint64_t done,
						 uint64_t total),
			   void *priv)
{
	const struct copies from = { .journal = v->journal, .map = v->map };
	struct keeping k = { .progress = progress, .priv = priv };
	const struct copy_taker taker = { .store = keep_one, .take = count_one,
					  .priv = &k };
	size_t count = e2lazy_jmap_count(v->map);
	errcode_t err;

	if (v->kept || !fits(count, v->blocksize, memory))
		return 0;
	k.kept = kept_new(count, v->blocksize);
	if (!k.kept)
		return 0;
	err = read_copies(&from, 0, count, &taker);
	if (err)
		kept_free(k.kept);
	else
		v->kept = k.kept;
	return err;
}

bool kept_read(const struct kept *kept, size_t index, size_t count, void *to)
{
	for (size_t i = 0; i < count; i++)
		if (!kept_block(kept, index + i))
			return false;
	memcpy(to, kept->blocks + index * kept->size, count * kept->size);
	return true;
}
