/* SPDX-License-Identifier: GPL-2.0-only */
/* inode_filter.c - --inode and --path: the copies that concern one inode */
#include <stdlib.h>
#include <string.h>

#include "fs/inode_life.h"
#include "inode_filter.h"
#include "io/grow.h"
#include "support/nls.h"
#include "support/status.h"

bool inode_filter_number(struct session *s, struct inode_filter *f,
			 const char *text)
{
	if (f->wanted)
		return session_wrong(s, _("--inode and --path: one of them, "
					  "once"));
	f->operand = (struct block_operand){ .inode = true };
	f->wanted = parse_number(text, UINT32_MAX, &f->operand.number);
	return f->wanted || session_refuse(s, "--inode", text,
					   _("an inode number"));
}

bool inode_filter_path(struct session *s, struct inode_filter *f,
		       const char *text)
{
	if (f->wanted)
		return session_wrong(s, _("--inode and --path: one of them, "
					  "once"));
	f->operand = (struct block_operand){ .path = text };
	f->wanted = *text == '/';
	return f->wanted || session_refuse(s, "--path", text,
					   _("a path from the root"));
}

/* ------------------------------------------------------- the inode's copies */

struct looking {
	struct session	*s;
	struct inode_filter *f;
	unsigned	size;		/* of an inode */
	size_t		offset;		/* in its block */
	uint8_t		*block, *before;	/* the inode before */
	bool		any;		/* there was a copy before */
	uint32_t	life;
	struct ext2_inode_large inode;	/* of that life */
};

/* An inode that was never used has no mode. */
static void count_life(struct looking *l, const uint8_t *raw)
{
	struct ext2_inode_large inode;

	inode_take(e2lazy_layout_fs(l->s->log->layout), raw, &inode);
	if (!inode.i_mode)
		return;
	if (!l->life || !inode_same_life(&inode, &l->inode))
		l->life++;
	l->inode = inode;
}

static errcode_t keep(struct looking *l, uint32_t logblk)
{
	struct inode_filter *f = l->f;
	struct inode_copy *at = grow(f->copies, f->nr, &f->room, sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	f->copies = at;
	at[f->nr++] = (struct inode_copy){ logblk, l->life };
	return 0;
}

/* A bad copy is shown: what it held is not known. */
static errcode_t look_at(struct looking *l, const struct e2lazy_event *ev)
{
	const uint8_t *raw = l->block + l->offset;
	errcode_t err = e2lazy_read_copy(l->s->log->journal, ev->logblk,
					 ev->flags, l->block);

	if (err)
		return keep(l, ev->logblk);
	if (l->any && !memcmp(raw, l->before, l->size))
		return 0;
	l->any = true;
	memcpy(l->before, raw, l->size);
	count_life(l, raw);
	return keep(l, ev->logblk);
}

static errcode_t look(struct looking *l)
{
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	errcode_t err = session_walk(l->s, &walk);

	if (err)
		return err;
	do {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_TAG && ev.fsblk == l->f->home)
			err = look_at(l, &ev);
	} while (!err && ev.kind != E2LAZY_EV_END && !cancelled());
	e2lazy_walk_close(walk);
	return err;
}

static int by_logblk(const void *a, const void *b)
{
	const struct inode_copy *x = a, *y = b;

	return (x->logblk > y->logblk) - (x->logblk < y->logblk);
}

static bool find_copies(struct session *s, struct inode_filter *f)
{
	ext2_filsys fs = e2lazy_layout_fs(s->log->layout);
	struct looking l = { .s = s, .f = f,
			     .size = EXT2_INODE_SIZE(fs->super) };
	errcode_t err = EXT2_ET_NO_MEMORY;

	l.offset = (size_t)((f->ino - 1) % fs->super->s_inodes_per_group) *
		   l.size % fs->blocksize;
	l.block = malloc(fs->blocksize);
	l.before = malloc(l.size);
	if (l.block && l.before)
		err = look(&l);
	free(l.block);
	free(l.before);
	if (err)
		session_fail(s, err, NULL);
	if (f->nr)
		qsort(f->copies, f->nr, sizeof(*f->copies), by_logblk);
	return !err;
}

bool inode_filter_prepare(struct session *s, struct inode_filter *f)
{
	return !f->wanted ||
	       (operand_resolve(s, &f->operand, &f->home) &&
		(f->ino = operand_ino(&f->operand),
		 inode_pieces_collect(s, f->ino, &f->pieces)) &&
		find_copies(s, f));
}

/* ------------------------------------------------------------------ asking */

static const struct inode_copy *find(const struct inode_filter *f,
				     uint32_t logblk)
{
	const struct inode_copy key = { .logblk = logblk };

	return f->nr ? bsearch(&key, f->copies, f->nr, sizeof(key), by_logblk) :
		       NULL;
}

bool inode_filter_has(const struct inode_filter *f, blk64_t fsblk,
		      uint32_t logblk, bool revoke)
{
	if (!f->wanted)
		return true;
	if (fsblk == f->home && !revoke)
		return find(f, logblk);
	return inode_pieces_find(&f->pieces, fsblk);
}

uint32_t inode_filter_life(const struct inode_filter *f, blk64_t fsblk,
			   uint32_t logblk)
{
	const struct inode_copy *copy = fsblk == f->home ? find(f, logblk) :
							   NULL;

	return copy ? copy->life : 0;
}

void inode_filter_free(struct inode_filter *f)
{
	inode_pieces_free(&f->pieces);
	free(f->copies);
}
