/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lazy.c - the log that a lazy journal would write for a trace's transactions
 *
 * A lazy journal writes no metadata home.  Its log is a ring: when a transaction
 * does not fit, the cleaner takes the oldest one away, and logs those of its
 * copies again that are still the newest.  N consecutive transactions can be
 * one: then each block counts once among them.
 */

#include <stdlib.h>
#include <string.h>

#include "e2lazy_trace.h"
#include "io/grow.h"
#include "log/encode.h"

/* A transaction in the ring: its copies are ids in @ids. */
struct logged {
	size_t		first;
	uint32_t	copies, blocks;
};

struct ring {
	const struct e2lazy_trace_fs *fs;
	struct e2lazy_lazy *out;
	uint64_t	room, used;	/* blocks */
	uint64_t	*names;		/* the blocks, ascending: ids are places */
	size_t		nr_names;
	size_t		*newest;	/* its transaction in @txns + 1; 0: none */
	struct logged	*txns;
	size_t		nr_txns, room_txns, tail;
	uint32_t	*ids;
	size_t		nr_ids, room_ids;
};

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static errcode_t name_blocks(struct ring *r)
{
	size_t n = 0, bytes = r->fs->nr_logged * sizeof(*r->names);

	r->names = malloc(bytes ? bytes : 1);
	if (!r->names)
		return EXT2_ET_NO_MEMORY;
	if (bytes)
		memcpy(r->names, r->fs->logged, bytes);
	qsort(r->names, r->fs->nr_logged, sizeof(*r->names), by_number);
	for (size_t i = 0; i < r->fs->nr_logged; i++)
		if (!n || r->names[n - 1] != r->names[i])
			r->names[n++] = r->names[i];
	r->nr_names = n;
	r->newest = calloc(n ? n : 1, sizeof(*r->newest));
	return r->newest ? 0 : EXT2_ET_NO_MEMORY;
}

static uint32_t id_of(const struct ring *r, uint64_t block)
{
	size_t low = 0, high = r->nr_names;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (r->names[middle] <= block)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* As mke2fs makes journals today: checksums of version 3, 64-bit numbers. */
static uint64_t blocks_of(const struct ring *r, uint64_t copies,
			  uint64_t revokes)
{
	struct jbd2_format format;

	jbd2_format_init(&format, r->fs->blocksize, E2LAZY_CSUM_V3, true);
	return encode_blocks(&format, copies, revokes);
}

static errcode_t begin_txn(struct ring *r)
{
	struct logged *grown = grow(r->txns, r->nr_txns, &r->room_txns,
				    sizeof(*grown));

	if (!grown)
		return EXT2_ET_NO_MEMORY;
	r->txns = grown;
	grown[r->nr_txns++] = (struct logged){ .first = r->nr_ids };
	return 0;
}

/* Into the newest transaction, unless it has the block. */
static errcode_t add_copy(struct ring *r, uint32_t id)
{
	uint32_t *grown;

	if (r->newest[id] == r->nr_txns)
		return 0;
	grown = grow(r->ids, r->nr_ids, &r->room_ids, sizeof(*grown));
	if (!grown)
		return EXT2_ET_NO_MEMORY;
	r->ids = grown;
	grown[r->nr_ids++] = id;
	r->newest[id] = r->nr_txns;
	r->txns[r->nr_txns - 1].copies++;
	return 0;
}

/*
 * Take the oldest transaction away; its live copies go to the newest.  False if
 * there is none but that.
 */
static bool clean_one(struct ring *r, uint64_t *moved, errcode_t *err)
{
	struct logged *old = &r->txns[r->tail];

	if (r->tail + 1 >= r->nr_txns)
		return false;
	r->used -= old->blocks;
	for (uint32_t i = 0; i < old->copies && !*err; i++) {
		uint32_t id = r->ids[old->first + i];

		if (r->newest[id] != r->tail + 1)
			continue;
		*err = add_copy(r, id);
		++*moved;
	}
	r->tail++;
	return !*err;
}

/* Transactions [@at, @end) become one. */
static errcode_t log_txns(struct ring *r, size_t at, size_t end)
{
	uint64_t revokes = 0, moved = 0, plain, blocks;
	errcode_t err = begin_txn(r);

	for (; at < end && !err; at++) {
		const struct e2lazy_trace_txn *t = &r->fs->txns[at];
		const uint64_t *block = r->fs->logged + t->first;

		for (uint32_t i = 0; i < t->tags && !err; i++)
			err = add_copy(r, id_of(r, block[i]));
		/* A revoke voids what was logged before; a copy goes on. */
		for (uint32_t i = 0; i < t->revokes; i++) {
			size_t *newest = &r->newest[id_of(r, block[t->tags + i])];

			if (*newest != r->nr_txns)
				*newest = 0;
		}
		revokes += t->revokes;
	}
	if (err)
		return err;
	plain = blocks_of(r, r->txns[r->nr_txns - 1].copies, revokes);
	do
		blocks = blocks_of(r, r->txns[r->nr_txns - 1].copies, revokes);
	while (r->used + blocks > r->room && clean_one(r, &moved, &err));
	r->txns[r->nr_txns - 1].blocks = blocks;
	r->used += blocks;
	r->out->written += plain;
	r->out->cleaned += blocks - plain;
	r->out->moved += moved;
	r->out->full |= r->used > r->room;
	return err;
}

static uint64_t count_live(const struct ring *r)
{
	uint64_t live = 0;

	for (size_t i = 0; i < r->nr_names; i++)
		live += r->newest[i] != 0;
	return live;
}

errcode_t e2lazy_trace_lazy(const struct e2lazy_trace_fs *fs, uint64_t ring,
			    unsigned coalesce, struct e2lazy_lazy *out)
{
	struct ring r = { .fs = fs, .out = out };
	errcode_t err;

	memset(out, 0, sizeof(*out));
	if (!fs->blocksize || !coalesce)
		return EXT2_ET_INVALID_ARGUMENT;
	r.room = ring ? ring / fs->blocksize : fs->log_end - fs->log_first;
	out->ring = r.room;
	err = name_blocks(&r);
	for (size_t i = 0; i < fs->nr_txns && !err; i += coalesce) {
		size_t left = fs->nr_txns - i;

		err = log_txns(&r, i, i + (left < coalesce ? left : coalesce));
		out->txns++;
	}
	out->live = err ? 0 : count_live(&r);
	free(r.names);
	free(r.newest);
	free(r.txns);
	free(r.ids);
	return err;
}
