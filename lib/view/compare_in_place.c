/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compare_in_place.c - compare live copies with their static blocks */

#include <string.h>

#include "log/log.h"
#include "io/read_list.h"
#include "io/watch.h"
#include "map/jmap.h"
#include "map/super.h"
#include "compare_in_place.h"

/* Little beside the other memory of verifying, and enough to read many static
   blocks at a time. */
#define STRETCH_BYTES (4 << 20)

struct stretch {
	const struct in_place *what;
	unsigned	size;		/* of a block */
	size_t		first, count;	/* mappings; @count at most */
	uint8_t		*copies;	/* one a mapping */
	bool		*sound;
	uint8_t		*static_blocks;	/* @most blocks, those of one request */
	uint32_t	most;
};

static io_channel channel_of(const struct in_place *what)
{
	return what->io ? what->io : what->journal->fs->io;
}

static errcode_t compare(struct stretch *s, size_t n, const uint8_t *in_place)
{
	const struct in_place *what = s->what;
	const uint8_t *copy = s->copies + n * s->size;
	size_t index = s->first + n;

	if (!s->sound[n] ||
	    jmap_fsblk(what->map, index) == super_fsblk(what->journal))
		return 0;
	if (!memcmp(copy, in_place, s->size)) {
		if (what->same)
			what->same(what->priv, index);
		return 0;
	}
	return what->differs ?
		what->differs(what->priv, index, copy, in_place) : 0;
}

static errcode_t compare_run(struct stretch *s, size_t n, uint32_t count)
{
	io_channel io = channel_of(s->what);
	blk64_t fsblk = jmap_fsblk(s->what->map, s->first + n);
	errcode_t err = 0;

	if (io_channel_read_blk64(io, fsblk, (int)count, s->static_blocks)) {
		if (count > 1)	/* only one of them may be bad */
			for (; !err && count; count--)
				err = compare_run(s, n++, 1);
		return err;
	}
	for (uint32_t i = 0; !err && i < count; i++)
		err = compare(s, n + i, s->static_blocks + (size_t)i * s->size);
	return err;
}

/* Mappings of the stretch that begins with @first. */
static size_t in_stretch(const struct stretch *s, size_t first)
{
	size_t left = e2lazy_jmap_count(s->what->map) - first;

	return left < s->count ? left : s->count;
}

/* How many of the @left mappings from @index on one request can read. */
static uint32_t run_of(const struct stretch *s, size_t index, size_t left)
{
	const struct e2lazy_jmap *map = s->what->map;
	blk64_t fsblk = jmap_fsblk(map, index);
	uint32_t run = 1;

	while (run < s->most && run < left &&
	       jmap_fsblk(map, index + run) == fsblk + run)
		run++;
	return run;
}

/* Let the device begin with the static blocks of a stretch. */
static void begin_stretch(const struct stretch *s, size_t first)
{
	size_t count = in_stretch(s, first);
	uint32_t run;

	for (size_t n = 0; n < count; n += run) {
		run = run_of(s, first + n, count - n);
		io_channel_cache_readahead(channel_of(s->what),
					   jmap_fsblk(s->what->map, first + n),
					   run);
	}
}

/* All copies of the stretch are there: compare them, go to the next stretch. */
static errcode_t compare_stretch(struct stretch *s)
{
	const struct in_place *what = s->what;
	size_t count = in_stretch(s, s->first);
	uint32_t run;
	errcode_t err = 0;

	begin_stretch(s, s->first + count);
	for (size_t n = 0; !err && n < count; n += run) {
		run = run_of(s, s->first + n, count - n);
		err = compare_run(s, n, run);
	}
	s->first += count;
	return err ? err : watch_tick(what->watch, what->phase, s->first,
				      e2lazy_jmap_count(what->map));
}

static errcode_t take_copy(void *priv, size_t index, uint8_t *block,
			   errcode_t bad)
{
	struct stretch *s = priv;
	errcode_t err = 0;
	size_t n;

	if (index - s->first >= s->count)
		err = compare_stretch(s);
	n = index - s->first;
	s->sound[n] = !bad;
	if (!bad)
		memcpy(s->copies + n * s->size, block, s->size);
	return err;
}

static errcode_t compare_all(struct stretch *s)
{
	const struct in_place *what = s->what;
	const struct copies from = { .journal = what->journal,
				     .map = what->map, .kept = what->kept };
	const struct copy_taker taker = { .take = take_copy, .priv = s };
	errcode_t err;

	begin_stretch(s, 0);
	err = read_copies(&from, s->count, &taker);
	return err ? err : compare_stretch(s);
}

errcode_t compare_in_place(const struct in_place *what)
{
	size_t live = e2lazy_jmap_count(what->map);
	struct stretch s = { .what = what,
			     .size = what->journal->geo.blocksize };
	errcode_t err;

	if (!live)
		return 0;
	s.count = STRETCH_BYTES / s.size;
	if (s.count > live)
		s.count = live;
	s.most = SPAN_BYTES / s.size < s.count ? SPAN_BYTES / s.size :
						 (uint32_t)s.count;
	err = ext2fs_get_array(s.count, s.size, &s.copies);
	if (!err)
		err = ext2fs_get_array(s.count, sizeof(*s.sound), &s.sound);
	if (!err)
		err = io_channel_alloc_buf(channel_of(what), (int)s.most,
					   &s.static_blocks);
	if (!err)
		err = compare_all(&s);
	ext2fs_free_mem(&s.copies);
	ext2fs_free_mem(&s.sound);
	ext2fs_free_mem(&s.static_blocks);
	return err;
}
