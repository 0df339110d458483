/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pieces.c - the blocks of all deleted files, in pieces within groups
 *
 * A node of a map is one life's, so the pieces of all maps are no more than their
 * entries on the disk and in the ring.  An enemy's lives share their nodes: 38,400
 * inodes may name the same four, which makes 52 million pieces in a gigabyte of
 * memory.  So nodes that were read before give at most MOST_AGAIN
 * pieces more.  Some are left for an image without checksums, in which two lives
 * seem to have a node in place.
 */

#include <stdlib.h>

#include "io/halve.h"
#include "pieces.h"

#define MOST_AGAIN	(1 << 20)

struct collection {
	struct e2lazy_undelete *u;
	struct records	*list;
	uint32_t	life;		/* whose map is being read */
	struct records	next;		/* blocks of what came after it */
	struct records	*kept;		/* pieces of it that are among them */
};

static errcode_t add_extent(struct collection *s, blk64_t fsblk, uint32_t count,
			    bool shared)
{
	struct record extent = { .flags = shared ? SHARED : 0,
				 .logblk = count, .tid = s->life };

	if (versions_has(&s->u->versions, fsblk, count))
		extent.flags |= LOGGED;
	record_set_fsblk(&extent, fsblk);
	return records_add(s->list, &extent);
}

/* Cut at the ends of groups. */
static errcode_t add_lost(struct collection *s, blk64_t fsblk, blk64_t left)
{
	ext2_filsys fs = s->u->fs;
	blk64_t end, n;
	errcode_t err = 0;

	for (; !err && left; fsblk += n, left -= n) {
		end = ext2fs_group_last_block2(fs, ext2fs_group_of_blk2(fs,
								fsblk)) + 1;
		n = end - fsblk < left ? end - fsblk : left;
		err = add_extent(s, fsblk, (uint32_t)n, false);
	}
	return err;
}

static errcode_t add_kept(struct collection *s, blk64_t fsblk, blk64_t count)
{
	struct record r = { .logblk = (uint32_t)count, .tid = s->life };

	record_set_fsblk(&r, fsblk);
	return records_add(s->kept, &r);
}

static errcode_t add_piece(void *priv, const struct piece *p)
{
	struct collection *s = priv;
	blk64_t at = p->fsblk, end = at + p->count;
	struct halving h = { .high = s->next.nr };
	errcode_t err = 0;

	while (halve(&h))
		halved(&h, end_of(&s->next.at[h.mid]) <= at);
	for (size_t i = h.low; !err && at < end && i < s->next.nr &&
	     record_fsblk(&s->next.at[i]) < end; i++) {
		const struct record *r = &s->next.at[i];
		blk64_t from = record_fsblk(r) > at ? record_fsblk(r) : at;
		blk64_t to = end_of(r) < end ? end_of(r) : end;

		if (to <= from)
			continue;
		err = add_lost(s, at, from - at);
		if (!err)
			err = add_kept(s, from, to - from);
		at = to;
	}
	return err ? err : add_lost(s, at, end - at);
}

static errcode_t add_next(void *priv, const struct piece *p)
{
	struct records *next = priv;
	struct record r = { .logblk = p->count };

	record_set_fsblk(&r, p->fsblk);
	return records_add(next, &r);
}

/*
 * The blocks of what came after earlier contents.  They do not count as read: its
 * own turn comes, or it still exists.
 */
static errcode_t find_next(struct collection *s, const struct life *life)
{
	struct e2lazy_undelete *u = s->u;
	struct nodes_read *nodes = u->nodes;
	struct ext2_inode_large inode;
	struct map_state state;
	const uint8_t *raw;
	errcode_t err = 0;

	s->next.nr = 0;
	if (life->of == NO_LIFE)
		return 0;
	u->nodes = NULL;
	if (life_inode(u, life_get(u, life->next), &raw, &inode))
		u->unreadable++;
	else
		err = life_map(u, life_get(u, life->next), &inode, add_next,
			       &s->next, &state);
	u->nodes = nodes;
	return err ? err : records_sort(&s->next);
}

static errcode_t collect_simple(struct collection *s, const struct life *life)
{
	const struct piece p = {
		.fsblk = life->fs_low | (blk64_t)life->fs_high << 32,
		.count = life->count,
	};
	const struct ext2_super_block *sb = s->u->fs->super;

	if (p.fsblk <= sb->s_first_data_block ||
	    p.fsblk + p.count > ext2fs_blocks_count(s->u->fs->super))
		return 0;
	return add_piece(s, &p);
}

static errcode_t collect_life(struct collection *s, uint32_t number)
{
	struct e2lazy_undelete *u = s->u;
	struct life *life = life_get(u, number);
	struct ext2_inode_large inode;
	struct map_state state = { .missing = false };
	const uint8_t *raw;
	blk64_t xattrs;
	errcode_t err;

	s->life = number;
	err = find_next(s, life);
	if (err)
		return err;
	if (life->simple)
		return collect_simple(s, life);
	err = life_inode(u, life, &raw, &inode);
	if (err) {
		u->unreadable++;
		return 0;
	}
	xattrs = ext2fs_file_acl_block(u->fs, (struct ext2_inode *)&inode);
	if (xattrs > u->fs->super->s_first_data_block &&
	    xattrs < ext2fs_blocks_count(u->fs->super))
		err = add_extent(s, xattrs, 1, true);
	if (!err)
		err = life_map(u, life, &inode, add_piece, s, &state);
	/* The map may be read to its end later. */
	if (state.missing && (!u->steps || !u->nodes->again))
		life->doubted = true;
	return err;
}

static errcode_t collect_lives(struct collection *s,
			       const struct life_list *list)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < list->nr; i++) {
		err = watch_stop(s->u->opts->watch);
		if (!err)
			err = collect_life(s, list->at[i]);
	}
	return err;
}

errcode_t pieces_collect(struct e2lazy_undelete *u, struct records *list,
			 struct records *kept)
{
	struct nodes_read nodes = { .again = MOST_AGAIN };
	struct collection s = { .u = u, .list = list, .kept = kept };
	errcode_t err = ext2fs_allocate_subcluster_bitmap(u->fs, "nodes",
							  &nodes.in_place);

	if (err)
		return err;
	nodes.copies = calloc(1, u->versions.list.nr / 8 + 1);
	if (!nodes.copies)
		err = EXT2_ET_NO_MEMORY;
	u->nodes = &nodes;
	err = err ? err : collect_lives(&s, &u->deleted);
	err = err ? err : collect_lives(&s, &u->values);
	records_free(&s.next);
	u->nodes = NULL;
	free(nodes.copies);
	ext2fs_free_block_bitmap(nodes.in_place);
	return err;
}
