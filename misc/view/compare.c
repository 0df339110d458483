/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compare.c - the file system before a tool ran with that after it
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare.h"
#include "support/status.h"
#include "tree.h"

/* Of the changes; the counts have all. */
#define MOST_LISTED	1000

struct comparison {
	const struct view *v;
	const struct cow *overlay;
	struct side	before, after;
	struct tree	trees[2];
	struct rehearsed *out;
	FILE		*list;
};

/* ------------------------------------------------------------- the blocks */

struct blocks {
	int		then, now;	/* the device, and its overlay */
	unsigned	size;
	uint64_t	offset;		/* on the device */
	char		*bytes;		/* three of them */
};

/* Where did the newest copy of this block get to? */
static void compare_block(struct comparison *c, const struct blocks *b,
			  blk64_t fsblk)
{
	char *newest = b->bytes, *then = newest + b->size, *now = then + b->size;
	off_t at = (off_t)(fsblk * b->size);

	if (io_channel_read_blk64(c->before.fs->io, fsblk, 1, newest) ||
	    pread(b->then, then, b->size, at + (off_t)b->offset) != (ssize_t)b->size ||
	    pread(b->now, now, b->size, at) != (ssize_t)b->size ||
	    !memcmp(newest, then, b->size))
		return;
	c->out->newer++;
	if (!memcmp(now, newest, b->size))
		c->out->written++;
	else if (memcmp(now, then, b->size))
		c->out->other++;
	else if (c->out->log != LOG_KEPT && c->out->log != LOG_UNREADABLE)
		c->out->lost++;
}

static void compare_blocks(struct comparison *c)
{
	const struct e2lazy_jmap *map = c->before.o.map;
	struct blocks b = {
		.then = open(c->v->device, O_RDONLY | O_CLOEXEC),
		.now = open(c->v->volumes[0].file, O_RDONLY | O_CLOEXEC),
		.offset = c->v->s->source.open.offset,
	};
	struct e2lazy_copy copy;

	if (map) {
		b.size = c->before.o.geo->blocksize;
		b.bytes = malloc(3 * (size_t)b.size);
	}
	for (size_t i = 0; b.bytes && !cancelled() &&
			   i < e2lazy_jmap_count(map); i++) {
		e2lazy_jmap_get(map, i, &copy);
		/* Each tool makes a superblock of its own. */
		if (copy.fsblk != SUPERBLOCK_OFFSET / b.size)
			compare_block(c, &b, copy.fsblk);
	}
	free(b.bytes);
	close(b.then);
	close(b.now);
}

/* -------------------------------------------------------------- the files */

static bool block_differs(void *priv, blk64_t fsblk)
{
	const struct comparison *c = priv;
	unsigned size = c->before.fs->blocksize;
	struct e2lazy_copy copy;

	return !c->overlay || cow_has(c->overlay, fsblk * size, size) ||
	       (c->before.o.map &&
		!e2lazy_jmap_lookup(c->before.o.map, fsblk, &copy));
}

static errcode_t read_tree(struct comparison *c, struct tree *t,
			   struct side *side)
{
	t->fs = side->fs;
	t->differs = block_differs;
	t->priv = c;
	return tree_read(t);
}

static bool same_contents_of(struct comparison *c, const struct tree_file *x,
			     const struct tree_file *y)
{
	uint8_t a[SHA256_BYTES], b[SHA256_BYTES];

	return !memcmp(x->sum, y->sum, sizeof(x->sum)) ||
	       (tree_sum(&c->trees[0], x->ino, true, a) &&
		tree_sum(&c->trees[1], y->ino, true, b) &&
		!memcmp(a, b, sizeof(a)));
}

static void put(struct comparison *c, enum rehearsed_change what,
		const char *path)
{
	if (c->out->listed >= MOST_LISTED)
		return;
	c->out->listed++;
	fprintf(c->list, "%c%s", 'a' + (char)what, *path ? path : "/");
	putc(0, c->list);
}

static void compare_file(struct comparison *c, const struct tree_file *x,
			 const struct tree_file *y)
{
	if (y->unread && !x->unread) {
		c->out->unread++;
		put(c, CHANGE_UNREAD, x->path);
	} else if ((x->unread && y->unread) || same_contents_of(c, x, y)) {
		c->out->same++;
	} else {
		c->out->changed++;
		put(c, CHANGE_CHANGED, x->path);
	}
}

/* Where one list is at its end, the other one's path comes first. */
static int order(const struct tree *x, size_t i, const struct tree *y, size_t j)
{
	if (i == x->count || j == y->count)
		return i == x->count ? 1 : -1;
	return strcmp(x->files[i].path, y->files[j].path);
}

static void compare_files(struct comparison *c)
{
	const struct tree *x = &c->trees[0], *y = &c->trees[1];
	size_t i = 0, j = 0;

	while ((i < x->count || j < y->count) && !cancelled()) {
		int which = order(x, i, y, j);

		if (which < 0) {
			c->out->gone++;
			put(c, CHANGE_GONE, x->files[i].path);
		} else if (which > 0) {
			c->out->made++;
			put(c, CHANGE_NEW, y->files[j].path);
		} else {
			compare_file(c, &x->files[i], &y->files[j]);
		}
		i += which <= 0;
		j += which >= 0;
	}
	c->out->before = x->count;
	c->out->after = y->count;
}

static void compare(struct comparison *c)
{
	struct rehearsed *out = c->out;

	out->from = c->before.from;
	out->log = sides_log(&c->before, &c->after);
	if (!c->before.fs || (c->after.fs && read_tree(c, &c->trees[1],
						       &c->after)))
		return;
	compare_blocks(c);
	if (read_tree(c, &c->trees[0], &c->before))
		return;
	compare_files(c);
	out->compared = !cancelled();
}

void rehearsal_compare(const struct view *v, const struct cow *overlay,
		       struct rehearsed *out, FILE *list)
{
	struct comparison c = { .v = v, .overlay = overlay, .out = out,
				.list = list };

	side_before(&c.before, v);
	side_after(&c.after, v);
	compare(&c);
	tree_free(&c.trees[0]);
	tree_free(&c.trees[1]);
	side_close(&c.before);
	side_close(&c.after);
}
