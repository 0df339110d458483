/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * give_up.c - the blocks that an inode gives back
 *
 * One rule for each kind of inode: its blocks are those that the search of
 * lib/fs finds.  So a tree of extents, blocks of numbers, the target of a long
 * symbolic link and a directory all count.  A block of attributes may have more
 * users, and counts them.
 */

#include "fs/inode_blocks.h"
#include "fs/inode_life.h"
#include "replay.h"

#include <ext2fs/ext2_ext_attr.h>

#define XATTR_REFCOUNT	4

struct giving {
	struct e2lazy_replay *r;
	unsigned	what;
};

/* One inode less uses the block of attributes. */
static errcode_t give_up_xattrs(struct e2lazy_replay *r, ext2_ino_t ino,
				blk64_t fsblk)
{
	uint8_t *block;
	uint32_t count;
	errcode_t err = overlay_change(&r->overlay, fsblk, E2LAZY_TYPE_OTHER,
				       &block);

	if (err)
		return err;
	count = get_le32(block + XATTR_REFCOUNT);
	if (get_le32(block) != EXT2_EXT_ATTR_MAGIC || !count ||
	    !ext2fs_ext_attr_block_csum_verify(r->fs, ino, fsblk,
					       (void *)block))
		return E2LAZY_ET_FC_DAMAGED;
	if (count == 1)
		return space_give_up(r, fsblk, 1);
	put_le32(block + XATTR_REFCOUNT, count - 1);
	return ext2fs_ext_attr_block_csum_set(r->fs, ino, fsblk,
					      (void *)block);
}

static errcode_t give_up_piece(void *priv, const struct e2lazy_owner *owner,
			       blk64_t count)
{
	struct giving *g = priv;
	unsigned part = owner->role == E2LAZY_ROLE_XATTR ? GIVE_UP_XATTRS :
			owner->role == E2LAZY_ROLE_EXTENT ||
			owner->role == E2LAZY_ROLE_INDIRECT ? GIVE_UP_NODES :
			GIVE_UP_CONTENTS;

	if (!(g->what & part))
		return 0;
	return part == GIVE_UP_XATTRS ?
	       give_up_xattrs(g->r, owner->ino, owner->fsblk) :
	       space_give_up(g->r, owner->fsblk, count);
}

/* A map that makes no sense is damage; an unread one has its own reason. */
static errcode_t reason(const struct e2lazy_damage *damage)
{
	if (!damage->count)
		return 0;
	return damage->error == E2LAZY_ET_BLOCK_MAP ||
	       damage->error == EXT2_ET_EXTENT_CSUM_INVALID ?
	       E2LAZY_ET_FC_DAMAGED : damage->error;
}

errcode_t give_up(struct e2lazy_replay *r, const struct node *n, unsigned what)
{
	struct giving giving = { .r = r, .what = what };
	struct e2lazy_damage damage = { .count = 0 };
	struct ext2_inode_large inode;
	struct inode_search search;
	errcode_t err;

	/* An attribute's value may be a file that many inodes share. */
	if (what & GIVE_UP_XATTRS && ext2fs_has_feature_ea_inode(r->fs->super))
		return E2LAZY_ET_FC_XATTR;
	err = inode_search_init(&search, r->fs, give_up_piece, &giving,
				&damage);
	if (!err) {
		inode_take(r->fs, n->base, &inode);
		err = inode_search_one(&search, n->ino, (void *)&inode);
	}
	inode_search_free(&search);
	return err ? err : reason(&damage);
}
