/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inode_pieces.c - the blocks of an inode, as the log defines the file system
 */
#include <stdlib.h>

#include "inode_pieces.h"
#include "io/grow.h"
#include "io/halve.h"
#include "support/status.h"

static errcode_t keep_piece(void *priv, const struct e2lazy_owner *owner,
			    blk64_t count)
{
	struct inode_pieces *p = priv;
	struct inode_piece *grown = grow(p->pieces, p->count, &p->room,
					 sizeof(*grown));

	if (!grown)
		return EXT2_ET_NO_MEMORY;
	p->pieces = grown;
	p->pieces[p->count].owner = *owner;
	p->pieces[p->count++].count = count;
	return 0;
}

static int by_fsblk(const void *a, const void *b)
{
	const struct inode_piece *x = a, *y = b;

	return (x->owner.fsblk > y->owner.fsblk) -
	       (x->owner.fsblk < y->owner.fsblk);
}

static void count_blocks(const struct session *s, struct inode_pieces *p)
{
	for (size_t i = 0; i < p->count; i++) {
		blk64_t first = p->pieces[i].owner.fsblk;
		blk64_t end = first + p->pieces[i].count;

		p->blocks += p->pieces[i].count;
		p->live += e2lazy_jmap_lower_bound(s->log->map, end) -
			   e2lazy_jmap_lower_bound(s->log->map, first);
	}
}

/* A bad copy is one of the inode's own; the listing reports it. */
static void tell(struct session *s, const struct e2lazy_damage *damage)
{
	if (damage->count == 1 && damage->error == E2LAZY_ET_DATA_CSUM)
		s->status |= FSCK_ERROR;
	else
		session_tell_unread(s, damage);
}

bool inode_pieces_collect(struct session *s, ext2_ino_t ino,
			  struct inode_pieces *p)
{
	struct e2lazy_damage damage = { .count = 0 };
	struct e2lazy_where where;
	ext2_filsys fs;
	errcode_t err;

	if (!session_view(s))
		return false;
	err = e2lazy_view_open(s->log->view, &fs, &where);
	if (err) {
		session_fail(s, err, &where);
		return false;
	}
	err = e2lazy_inode_blocks(fs, ino, keep_piece, p, &damage);
	ext2fs_free(fs);
	if (err) {
		session_fail(s, err, NULL);
		return false;
	}
	tell(s, &damage);
	qsort(p->pieces, p->count, sizeof(*p->pieces), by_fsblk);
	count_blocks(s, p);
	return true;
}

const struct e2lazy_owner *inode_pieces_find(const struct inode_pieces *p,
					     blk64_t fsblk)
{
	struct halving h = { .high = p->count };
	const struct inode_piece *piece;

	while (halve(&h))
		halved(&h, p->pieces[h.mid].owner.fsblk <= fsblk);
	piece = h.low ? &p->pieces[h.low - 1] : NULL;
	return piece && fsblk - piece->owner.fsblk < piece->count ?
	       &piece->owner : NULL;
}

void inode_pieces_free(struct inode_pieces *p)
{
	free(p->pieces);
}
