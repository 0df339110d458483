/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* window.c - neighbouring blocks that are asked for one after the other */

#include "window.h"

static bool has_block(const struct stream *s, blk64_t at)
{
	return at >= s->first && at < s->first + s->count;
}

static bool is_near(const struct stream *s, blk64_t at, unsigned most)
{
	return s->count && at + most >= s->first &&
	       at < s->first + s->count + most;
}

/* The stream that has the block, or is near it, or else was used least. */
static struct stream *choose_stream(struct window *w, blk64_t at,
				    unsigned most)
{
	struct stream *near = NULL, *oldest = w->streams;

	for (unsigned i = 0; i < WINDOW_STREAMS; i++) {
		struct stream *s = &w->streams[i];

		if (has_block(s, at))
			return s;
		if (is_near(s, at, most))
			near = s;
		if (s->used < oldest->used)
			oldest = s;
	}
	if (near)
		return near;
	oldest->count = oldest->ahead = 0;
	return oldest;
}

static errcode_t fill(struct window *w, struct stream *s, blk64_t at,
		      unsigned most)
{
	unsigned count = s->ahead ? 2 * s->ahead : 1;
	errcode_t err = 0;

	if (!s->bytes)
		err = ext2fs_get_memalign(WINDOW_BYTES, MEMORY_ALIGN,
					  &s->bytes);
	if (err)
		return err;
	if (count > most)
		count = most;
	s->ahead = count;
	if (at < w->end && count > w->end - at)
		count = (unsigned)(w->end - at);
	err = w->read(w->priv, at, count, s->bytes);
	/* Only one of them may be bad. */
	if (err && count > 1) {
		count = s->ahead = 1;
		err = w->read(w->priv, at, 1, s->bytes);
	}
	s->first = at;
	s->count = err ? 0 : count;
	return err;
}

errcode_t window_get(struct window *w, blk64_t at, const uint8_t **block)
{
	unsigned most = WINDOW_BYTES / w->blocksize;
	struct stream *s = choose_stream(w, at, most);
	errcode_t err = has_block(s, at) ? 0 : fill(w, s, at, most);

	s->used = ++w->requests;
	if (!err)
		*block = s->bytes + (size_t)(at - s->first) * w->blocksize;
	return err;
}

void window_free(struct window *w)
{
	for (unsigned i = 0; i < WINDOW_STREAMS; i++) {
		ext2fs_free_mem(&w->streams[i].bytes);
		w->streams[i].count = 0;
	}
}
