/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* overlay.c - changed blocks in memory, above a file system */

#include <stdlib.h>
#include <string.h>

#include "view/view.h"
#include "overlay.h"

#define HEADS	4096

struct overlaid {
	struct overlaid	*next;
	blk64_t		fsblk;
	uint8_t		*bytes;
};

errcode_t overlay_begin(struct overlay *o, const struct e2lazy_view *view,
			ext2_filsys fs, struct e2lazy_where *where)
{
	errcode_t err;

	memset(o, 0, sizeof(*o));
	o->fs = fs;
	o->heads = calloc(HEADS, sizeof(*o->heads));
	if (!o->heads)
		return EXT2_ET_NO_MEMORY;
	err = e2lazy_layout_build(view->journal, view->map, &o->layout, where);
	return err ? err : io_channel_alloc_buf(fs->io, 1, &o->scratch);
}

void overlay_free(struct overlay *o)
{
	for (size_t i = 0; o->heads && i < HEADS; i++) {
		struct overlaid *b = o->heads[i], *next;

		for (; b; b = next) {
			next = b->next;
			ext2fs_free_mem(&b->bytes);
			free(b);
		}
	}
	free(o->heads);
	e2lazy_layout_free(o->layout);
	ext2fs_free_mem(&o->scratch);
	memset(o, 0, sizeof(*o));
}

static struct overlaid *find(const struct overlay *o, blk64_t fsblk)
{
	struct overlaid *b = o->heads[fsblk % HEADS];

	while (b && b->fsblk != fsblk)
		b = b->next;
	return b;
}

bool overlay_has(const struct overlay *o, blk64_t fsblk)
{
	return find(o, fsblk);
}

/* A new entry, with any bytes. */
static errcode_t add(struct overlay *o, blk64_t fsblk, struct overlaid **out)
{
	struct overlaid *b = calloc(1, sizeof(*b));
	errcode_t err;

	if (!b)
		return EXT2_ET_NO_MEMORY;
	err = io_channel_alloc_buf(o->fs->io, 1, &b->bytes);
	if (err) {
		free(b);
		return err;
	}
	b->fsblk = fsblk;
	b->next = o->heads[fsblk % HEADS];
	o->heads[fsblk % HEADS] = b;
	o->count++;
	*out = b;
	return 0;
}

errcode_t overlay_read(struct overlay *o, blk64_t fsblk, const uint8_t **out)
{
	const struct overlaid *b = find(o, fsblk);

	*out = b ? b->bytes : o->scratch;
	return b ? 0 : io_channel_read_blk64(o->fs->io, fsblk, 1, o->scratch);
}

static errcode_t check_type(const struct overlay *o, blk64_t fsblk,
			    enum e2lazy_type type)
{
	struct e2lazy_place place;

	e2lazy_layout_find(o->layout, fsblk, &place);
	return place.type == type ? 0 : E2LAZY_ET_FC_CONTRADICTS;
}

errcode_t overlay_change(struct overlay *o, blk64_t fsblk,
			 enum e2lazy_type type, uint8_t **out)
{
	struct overlaid *b = find(o, fsblk);
	errcode_t err = check_type(o, fsblk, type);

	if (err)
		return err;
	if (!b) {
		err = io_channel_read_blk64(o->fs->io, fsblk, 1, o->scratch);
		if (!err)
			err = add(o, fsblk, &b);
		if (err)
			return err;
		memcpy(b->bytes, o->scratch, o->fs->blocksize);
	}
	*out = b->bytes;
	return 0;
}

errcode_t overlay_new(struct overlay *o, blk64_t fsblk, enum e2lazy_type type,
		      uint8_t **out)
{
	struct overlaid *b = find(o, fsblk);
	errcode_t err = check_type(o, fsblk, type);

	if (!err && !b)
		err = add(o, fsblk, &b);
	if (err)
		return err;
	memset(b->bytes, 0, o->fs->blocksize);
	*out = b->bytes;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct made_block *x = a, *y = b;

	return x->fsblk < y->fsblk ? -1 : x->fsblk > y->fsblk;
}

errcode_t overlay_take(struct overlay *o, struct made_block **out, size_t *nr)
{
	struct made_block *list = calloc(o->count + 1, sizeof(*list));
	size_t n = 0;
	errcode_t err = list ? 0 : EXT2_ET_NO_MEMORY;

	for (size_t i = 0; !err && i < HEADS; i++) {
		for (struct overlaid *b = o->heads[i]; !err && b; b = b->next) {
			err = io_channel_read_blk64(o->fs->io, b->fsblk, 1,
						    o->scratch);
			if (err || !memcmp(b->bytes, o->scratch,
					   o->fs->blocksize))
				continue;
			list[n].fsblk = b->fsblk;
			list[n++].bytes = b->bytes;
			b->bytes = NULL;
		}
	}
	if (err) {
		while (n)
			ext2fs_free_mem(&list[--n].bytes);
		free(list);
		return err;
	}
	qsort(list, n, sizeof(*list), by_number);
	*out = list;
	*nr = n;
	return 0;
}
