/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_then.c - did a file hold a block when a copy of it was logged?
 *
 * Some contents are logged without a mount with data=journal: when a file grows
 * out of its inode (inline_data), its first block goes to the log with the new
 * map.  A small number in an otherwise empty block looks like a list of blocks.
 * If the file's map had the block as contents in the copy's own transaction, the
 * copy is contents, whatever it looks like, for a block that is freed goes to
 * another owner in a later transaction.
 *
 * The inode and the nodes of its map are read as they were then.  If the first copy
 * of one of them in the log is later, as in a log that was compacted, or whose tail
 * has moved on, that counts, too: unless a bitmap in between shows the copy's block
 * free, its owner has not changed.  (A freed block goes to another owner in a later
 * transaction.)
 */

#include <stdlib.h>

#include "fs/extent_node.h"
#include "fs/inode_life.h"
#include "fs/inode_search.h"
#include "map/jmap.h"
#include "map/versions.h"
#include "verify.h"

/* Bitmaps that are read for all copies; an enemy's log has any number. */
#define MOST_BITMAPS	65536

struct then {
	struct verify	*v;
	blk64_t		fsblk;		/* of the copy */
	uint32_t	moment;
	uint8_t		*block;
};

bool verify_has_versions(struct verify *v)
{
	if (!v->versions) {
		v->versions = calloc(1, sizeof(*v->versions));
		if (v->versions &&
		    versions_of_ranges(v->journal, NULL, 0, v->versions))
			versions_free(v->versions);
	}
	return v->versions && v->versions->nr_moments;
}

void held_then_free(struct verify *v)
{
	if (v->versions)
		versions_free(v->versions);
	free(v->versions);
	ext2fs_free_mem(&v->bitmap);
}

/* The numbers of transactions follow each other. */
static bool find_moment(struct then *t, uint32_t tid)
{
	const struct versions *of = t->v->versions;

	t->moment = tid - of->moments[0].tid;
	return t->moment < of->nr_moments &&
	       of->moments[t->moment].tid == tid;
}

/* Neighbours ask for the same bitmaps. */
static bool read_bitmap(struct verify *v, const struct record *r)
{
	if (v->bitmap && v->bitmap_of == r)
		return true;
	if (!v->bitmap && io_channel_alloc_buf(v->journal->io, 1, &v->bitmap))
		return false;
	v->bitmap_of = NULL;
	if (v->bitmaps_read++ == MOST_BITMAPS ||
	    versions_read(v->versions, r, v->bitmap))
		return false;
	v->bitmap_of = r;
	return true;
}

/* Is the copy's block taken in each bitmap from then up to moment @until? */
static bool stays_taken(struct then *t, uint32_t until)
{
	const struct versions *of = t->v->versions;
	ext2_filsys fs = t->v->fs;
	dgrp_t group = ext2fs_group_of_blk2(fs, t->fsblk);
	blk64_t at = ext2fs_block_bitmap_loc(fs, group);
	uint32_t bit = (uint32_t)((t->fsblk -
				   ext2fs_group_first_block2(fs, group)) >>
				  fs->cluster_ratio_bits);

	for (size_t i = versions_from(of, at, (uint64_t)t->moment + 1);
	     version_is_of(of, i, at) && version_get(of, i)->tid <= until; i++) {
		const struct record *r = version_get(of, i);

		if (version_is_revoke(r))
			continue;
		if (!read_bitmap(t->v, r) ||
		    !(t->v->bitmap[bit / 8] >> bit % 8 & 1))
			return false;
	}
	return true;
}

/* The first copy after then, if the block's owner is still the same there. */
static const struct record *later_copy(struct then *t, blk64_t fsblk)
{
	const struct versions *of = t->v->versions;
	size_t i = versions_from(of, fsblk, (uint64_t)t->moment + 1);

	while (version_is_of(of, i, fsblk) &&
	       version_is_revoke(version_get(of, i)))
		i++;
	return version_is_of(of, i, fsblk) &&
	       stays_taken(t, version_get(of, i)->tid) ?
	       version_get(of, i) : NULL;
}

static bool read_then(struct then *t, blk64_t fsblk)
{
	const struct versions *of = t->v->versions;
	const struct record *r;

	if (!fsblk || jmap_is_outside(t->v->map, fsblk))
		return false;
	r = versions_at(of, fsblk, t->moment);
	if (!r)
		r = later_copy(t, fsblk);
	if (r)
		return !versions_read(of, r, t->block);
	return !versions_has(of, fsblk, 1) &&
	       !io_channel_read_blk64(t->v->journal->fs->io, fsblk, 1,
				      t->block);
}

/* The last entry that begins at @lblk or before; NULL: none does. */
static const uint8_t *entry_over(const uint8_t *node, uint64_t lblk)
{
	unsigned i = extent_header(node).entries;

	while (i-- && extent_lblk(extent_entry(node, i)) > lblk)
		;
	return i + 1 ? extent_entry(node, i) : NULL;
}

static bool leaf_has(const uint8_t *entry, const struct e2lazy_owner *owner)
{
	struct extent e = extent_get(entry);

	return owner->lblk - e.lblk < e.count &&
	       e.fsblk + (owner->lblk - e.lblk) == owner->fsblk;
}

static bool extents_have(struct then *t, const uint8_t *node,
			 const struct e2lazy_owner *owner)
{
	unsigned depth = extent_header(node).depth, room = EXTENT_IN_ROOT;

	while (depth <= EXTENT_DEPTHS && extent_is_node(node, room, depth)) {
		const uint8_t *entry = entry_over(node, owner->lblk);

		if (!entry || !depth)
			return entry && leaf_has(entry, owner);
		if (!read_then(t, extent_child(entry)))
			return false;
		node = t->block;
		room = extent_room(t->v->fs->blocksize);
		depth--;
	}
	return false;
}

/* Of a list of blocks, only those in the inode. */
static bool inode_has(struct then *t, const struct e2lazy_owner *owner)
{
	ext2_filsys fs = t->v->fs;
	const uint8_t *raw = t->block + inode_offset(fs, owner->ino);
	const uint8_t *map = raw + offsetof(struct ext2_inode_large, i_block);
	struct ext2_inode_large inode;

	if (!read_then(t, inode_home(fs, owner->ino)))
		return false;
	inode_take(fs, raw, &inode);
	if (inode.i_generation != owner->generation)
		return false;
	if (inode.i_flags & EXT4_EXTENTS_FL)
		return extents_have(t, map, owner);
	return !(inode.i_flags & EXT4_INLINE_DATA_FL) &&
	       owner->lblk < EXT2_NDIR_BLOCKS &&
	       get_le32(map + 4 * owner->lblk) == owner->fsblk;
}

static bool begin_then(struct then *t, const struct e2lazy_owner *owner,
		       const struct e2lazy_copy *copy)
{
	t->fsblk = copy->fsblk;
	return owner->ino && verify_has_versions(t->v) &&
	       find_moment(t, copy->tid);
}

static bool map_has(struct then *t, const struct e2lazy_owner *owner)
{
	bool has;

	if (io_channel_alloc_buf(t->v->journal->io, 1, &t->block))
		return false;
	has = inode_has(t, owner);
	ext2fs_free_mem(&t->block);
	return has;
}

bool held_then(struct verify *v, const struct e2lazy_owner *owner,
	       const struct e2lazy_copy *copy)
{
	struct then t = { .v = v };

	return begin_then(&t, owner, copy) && map_has(&t, owner);
}

/* Was the block of the inode logged in the copy's own transaction? */
static bool inode_is_of_then(const struct then *t, ext2_ino_t ino)
{
	const struct record *r = versions_at(t->v->versions,
					     inode_home(t->v->fs, ino),
					     t->moment);

	return r && r->tid == t->moment;
}

bool grew_then(struct verify *v, const struct e2lazy_owner *owner,
	       const struct e2lazy_copy *copy)
{
	struct then t = { .v = v };

	return ext2fs_has_feature_inline_data(v->fs->super) && !owner->lblk &&
	       begin_then(&t, owner, copy) &&
	       inode_is_of_then(&t, owner->ino) && map_has(&t, owner);
}
