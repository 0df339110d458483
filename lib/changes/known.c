/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* known.c - blocks of metadata as they were before the next transaction */

#include <stdlib.h>
#include <string.h>

#include "io/hash.h"
#include "known.h"
#include "log/log.h"

#define LEAST_BLOCKS	256

errcode_t known_init(struct known *k, unsigned blocksize, uint64_t bytes)
{
	uint64_t most = bytes / (blocksize + sizeof(struct known_block));

	memset(k, 0, sizeof(*k));
	k->blocksize = blocksize;
	k->most = most < LEAST_BLOCKS ? LEAST_BLOCKS :
		  most > UINT32_MAX / 2 ? UINT32_MAX / 2 : (size_t)most;
	for (k->nr_buckets = LEAST_BLOCKS; k->nr_buckets < k->most;)
		k->nr_buckets *= 2;
	k->buckets = calloc(k->nr_buckets, sizeof(*k->buckets));
	return k->buckets ? 0 : EXT2_ET_NO_MEMORY;
}

void known_free(struct known *k)
{
	struct known_block *b, *older;

	for (b = k->newest; b; b = older) {
		older = b->older;
		free(b);
	}
	free(k->buckets);
	memset(k, 0, sizeof(*k));
}

static struct known_block **place_of(const struct known *k, blk64_t fsblk)
{
	uint32_t hash = hash_number((uint32_t)(fsblk ^ fsblk >> 32));
	struct known_block **at = &k->buckets[hash & (k->nr_buckets - 1)];

	while (*at && (*at)->fsblk != fsblk)
		at = &(*at)->chain;
	return at;
}

static void unlink_age(struct known *k, struct known_block *b)
{
	*(b->newer ? &b->newer->older : &k->newest) = b->older;
	*(b->older ? &b->older->newer : &k->oldest) = b->newer;
}

static void link_newest(struct known *k, struct known_block *b)
{
	b->newer = NULL;
	b->older = k->newest;
	*(k->newest ? &k->newest->newer : &k->oldest) = b;
	k->newest = b;
}

struct known_block *known_get(struct known *k, blk64_t fsblk)
{
	struct known_block *b = *place_of(k, fsblk);

	if (b && b != k->newest) {
		unlink_age(k, b);
		link_newest(k, b);
	}
	return b;
}

void known_drop(struct known *k, blk64_t fsblk)
{
	struct known_block **at = place_of(k, fsblk), *b = *at;

	if (!b)
		return;
	*at = b->chain;
	unlink_age(k, b);
	free(b);
	k->nr--;
}

/* The block, new or not, as the newest. */
static struct known_block *make(struct known *k, blk64_t fsblk)
{
	struct known_block *b = known_get(k, fsblk), **at;

	if (b)
		return b;
	if (known_is_full(k)) {
		known_drop(k, k->oldest->fsblk);
		k->dropped = true;
	}
	b = malloc(sizeof(*b) + k->blocksize);
	if (!b)
		return NULL;
	*b = (struct known_block){ .fsblk = fsblk };
	at = place_of(k, fsblk);
	*at = b;
	link_newest(k, b);
	k->nr++;
	return b;
}

errcode_t known_put(struct known *k, blk64_t fsblk, const uint8_t *bytes)
{
	struct known_block *b = make(k, fsblk);

	if (!b)
		return EXT2_ET_NO_MEMORY;
	memcpy(b->bytes, bytes, k->blocksize);
	b->in_doubt = b->open = false;
	return 0;
}

errcode_t known_put_static(struct known *k, blk64_t fsblk,
			   const uint8_t *bytes)
{
	struct known_block *b = known_is_full(k) ? NULL : make(k, fsblk);

	if (!b)
		return known_is_full(k) ? 0 : EXT2_ET_NO_MEMORY;
	memcpy(b->bytes, bytes, k->blocksize);
	b->in_doubt = b->open = k->any_open = true;
	return 0;
}

void known_settle(struct known *k, uint32_t tid)
{
	for (struct known_block *b = k->any_open ? k->newest : NULL; b;
	     b = b->older)
		if (b->open) {
			b->open = false;
			b->sure = tid;
		}
	k->any_open = false;
}

bool known_doubts(const struct known_block *b, uint32_t tid)
{
	return b->in_doubt && (b->open || !e2lazy_tid_after(tid, b->sure));
}
