/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verify_wiped.c - what an ordinary mount would lose
 *
 * With needs_recovery clear it discards the log unread, and each block whose
 * static content is not that of its live copy falls back to what is there.
 * The map is gone through in stretches that fit the memory, so that the log
 * and the static blocks are both read in their order.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../map/jmap.h"
#include "../map/super.h"
#include "gather.h"
#include "verify.h"

#define STRETCH_BYTES (64 << 20)

struct stretch {
	struct verify	*verify;
	unsigned	size;		/* of a block */
	size_t		first, count;
	uint8_t		*copies;	/* one a mapping */
	bool		*sound;
	uint8_t		*in_place;	/* as many as one request brings */
};

static errcode_t keep_copy(void *priv, size_t index, uint8_t *block,
			   errcode_t err)
{
	struct stretch *s = priv;
	size_t n = index - s->first;

	s->sound[n] = !err;
	if (!err)
		memcpy(s->copies + n * s->size, block, s->size);
	return 0;
}

static void compare(struct stretch *s, size_t n, const uint8_t *in_place)
{
	struct verify *v = s->verify;
	struct e2lazy_copy copy;

	if (!s->sound[n] ||
	    !memcmp(s->copies + n * s->size, in_place, s->size))
		return;
	e2lazy_jmap_get(v->map, s->first + n, &copy);
	/* Merged from both places, so that the one in place says nothing. */
	if (copy.fsblk != super_fsblk(v->journal))
		found_copy(v, PROBLEM_WIPED_ON_MOUNT, &copy, 0);
}

/* A static block that cannot be read is written anew by a checkpoint. */
static void compare_run(struct stretch *s, size_t n, uint32_t count)
{
	io_channel io = s->verify->journal->fs->io;
	blk64_t fsblk = jmap_fsblk(s->verify->map, s->first + n);

	if (io_channel_read_blk64(io, fsblk, (int)count, s->in_place)) {
		if (count > 1)
			for (; count; count--)
				compare_run(s, n++, 1);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		compare(s, n + i, s->in_place + (size_t)i * s->size);
}

static void compare_stretch(struct stretch *s)
{
	const struct e2lazy_jmap *map = s->verify->map;
	uint32_t most = SPAN_BYTES / s->size, run;

	for (size_t n = 0; n < s->count; n += run) {
		blk64_t fsblk = jmap_fsblk(map, s->first + n);

		for (run = 1; run < most && n + run < s->count &&
		     jmap_fsblk(map, s->first + n + run) == fsblk + run; run++)
			;
		compare_run(s, n, run);
	}
}

static errcode_t compare_all(struct stretch *s, size_t room)
{
	struct verify *v = s->verify;
	size_t live = e2lazy_jmap_count(v->map);
	errcode_t err = 0;

	for (s->first = 0; !err && s->first < live; s->first += s->count) {
		s->count = live - s->first < room ? live - s->first : room;
		err = read_copies(v->journal, v->map, s->first, s->count,
				  keep_copy, s);
		if (!err)
			compare_stretch(s);
		if (!err)
			err = verify_tick(v, E2LAZY_MEND_CONTENT,
					  s->first + s->count, live);
	}
	return err;
}

/* Of a backup nothing follows: it never carries the flag. */
static bool is_wiped(const struct verify *v)
{
	const struct e2lazy_geometry *g = &v->journal->geo;

	return g->start && !g->needs_recovery && v->journal->fs->orig_super;
}

errcode_t verify_wiped(struct verify *v)
{
	size_t live = e2lazy_jmap_count(v->map);
	struct stretch s = { .verify = v,
			     .size = v->journal->geo.blocksize };
	size_t room = pass_room(STRETCH_BYTES, s.size, live);
	errcode_t err;

	if (!is_wiped(v) || !live)
		return 0;
	err = ext2fs_get_array(room, s.size, &s.copies);
	if (!err)
		err = ext2fs_get_array(room, sizeof(*s.sound), &s.sound);
	if (!err)
		err = io_channel_alloc_buf(v->journal->fs->io, SPAN_BYTES /
					   (int)s.size, &s.in_place);
	if (!err)
		err = compare_all(&s, room);
	ext2fs_free_mem(&s.copies);
	ext2fs_free_mem(&s.sound);
	ext2fs_free_mem(&s.in_place);
	return err;
}
