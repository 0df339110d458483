/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * undo_older.c - the blocks that a complete undo file already has
 *
 * After the head come groups, each of a block of keys and the runs of blocks
 * that they name.  A run fills whole blocks of the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/bytes.h"
#include "io/grow.h"
#include "io/halve.h"
#include "undo_older.h"

/* The layout of a block of keys in e2undo, little-endian. */
#define KEYS_MAGIC	0xcadecade
#define KEYS_FIRST	16
#define KEY_BYTES	16
#define KEY_BLOCK	0		/* 64 bits */
#define KEY_SIZE	12		/* in bytes */

static errcode_t read_at(int fd, uint64_t at, void *to, size_t count)
{
	ssize_t got = pread(fd, to, count, (off_t)at);

	if (got < 0)
		return errno;
	return got == (ssize_t)count ? 0 : EXT2_ET_SHORT_READ;
}

static errcode_t add_run(struct undo_older *o, const uint8_t *key,
			 unsigned size, uint64_t at)
{
	struct undo_run *runs = grow(o->runs, o->nr, &o->room, sizeof(*runs));

	if (!runs)
		return EXT2_ET_NO_MEMORY;
	o->runs = runs;
	o->runs[o->nr++] = (struct undo_run){
		.block = get_le64(key + KEY_BLOCK),
		.count = get_le32(key + KEY_SIZE) / size,
		.at = at,
	};
	return 0;
}

/* Of one group, whose runs follow the keys at @at; moves @at to the next one. */
static errcode_t find_group(struct undo_older *o, const uint8_t *keys,
			    uint64_t count, unsigned size, uint64_t *at)
{
	errcode_t err = get_le32(keys) == KEYS_MAGIC ?
			0 : EXT2_ET_UNDO_FILE_CORRUPT;

	*at += size;
	for (uint64_t i = 0; !err && i < count; i++) {
		const uint8_t *key = keys + KEYS_FIRST + i * KEY_BYTES;

		err = add_run(o, key, size, *at);
		*at += get_le32(key + KEY_SIZE);
	}
	return err;
}

static errcode_t find_all(struct undo_older *o, uint8_t *keys, unsigned size,
			  uint64_t left, uint64_t at)
{
	const uint64_t most = (size - KEYS_FIRST) / KEY_BYTES;
	errcode_t err = 0;

	while (!err && left) {
		uint64_t count = left < most ? left : most;

		err = read_at(o->fd, at, keys, size);
		if (!err)
			err = find_group(o, keys, count, size, &at);
		left -= count;
	}
	return err;
}

static int by_block(const void *a, const void *b)
{
	const struct undo_run *x = a, *y = b;

	return x->block < y->block ? -1 : x->block > y->block;
}

errcode_t undo_older_find(struct undo_older *o, int fd, unsigned size,
			  uint64_t nr_keys, uint64_t first)
{
	uint8_t *keys = malloc(size);
	errcode_t err;

	*o = (struct undo_older){ .fd = fd };
	if (!keys)
		return EXT2_ET_NO_MEMORY;
	err = find_all(o, keys, size, nr_keys, first);
	free(keys);
	if (!err && o->nr)
		qsort(o->runs, o->nr, sizeof(*o->runs), by_block);
	return err;
}

errcode_t undo_older_read(const struct undo_older *o, blk64_t block,
			  unsigned size, uint8_t *to)
{
	struct halving h = { .high = o->nr };
	const struct undo_run *run;

	while (halve(&h))
		halved(&h, o->runs[h.mid].block <= block);
	if (!h.low)
		return EXT2_ET_UNDO_FILE_WRONG;
	run = &o->runs[h.low - 1];
	if (block - run->block >= run->count)
		return EXT2_ET_UNDO_FILE_WRONG;
	return read_at(o->fd, run->at + (block - run->block) * size, to, size);
}

void undo_older_free(struct undo_older *o)
{
	free(o->runs);
	memset(o, 0, sizeof(*o));
	o->fd = -1;
}
