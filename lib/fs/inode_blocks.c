/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * inode_blocks.c - the blocks of an inode, and the role of each
 */

#include <string.h>

#include "block_map.h"
#include "identify.h"
#include "inode_blocks.h"

/* ------------------------------------------------------------- inodes */

uint32_t e2lazy_group_inodes(ext2_filsys fs, dgrp_t group)
{
	uint32_t count = fs->super->s_inodes_per_group;
	uint32_t unused;

	if (group >= fs->group_desc_count)
		return 0;
	if (!ext2fs_has_group_desc_csum(fs))
		return count;
	if (ext2fs_bg_flags_test(fs, group, EXT2_BG_INODE_UNINIT))
		return 0;
	unused = ext2fs_bg_itable_unused(fs, group);
	return unused < count ? count - unused : 0;
}

/*
 * A deleted inode keeps its mode.  An orphan, which waits for deletion, keeps
 * its blocks, too.  The inode of bad blocks has neither mode nor links.
 */
bool inode_in_use(ext2_filsys fs, ext2_ino_t ino,
		  const struct ext2_inode *inode)
{
	struct ext2_inode copy = *inode;

	if (inode->i_links_count)
		return true;
	return (inode->i_mode || ino == EXT2_BAD_INO) &&
	       ext2fs_inode_i_blocks(fs, &copy) != 0;
}

bool inode_is_indexed(const struct ext2_inode *inode)
{
	return LINUX_S_ISDIR(inode->i_mode) && inode->i_flags & EXT2_INDEX_FL;
}

bool inode_is_system(struct ext2_super_block *sb, ext2_ino_t ino)
{
	if (ino < EXT2_FIRST_INO(sb) || ino == sb->s_journal_inum)
		return true;
	if (ext2fs_has_feature_quota(sb) &&
	    (ino == sb->s_usr_quota_inum || ino == sb->s_grp_quota_inum ||
	     ino == sb->s_prj_quota_inum))
		return true;
	return ext2fs_has_feature_orphan_file(sb) &&
	       ino == sb->s_orphan_file_inum;
}

static enum e2lazy_role content_role(ext2_filsys fs, ext2_ino_t ino,
				     const struct ext2_inode *inode)
{
	if (LINUX_S_ISDIR(inode->i_mode))
		return E2LAZY_ROLE_DIRECTORY;
	if (inode_is_system(fs->super, ino))
		return E2LAZY_ROLE_SYSTEM;
	if (LINUX_S_ISLNK(inode->i_mode))
		return E2LAZY_ROLE_SYMLINK;
	if (inode->i_flags & EXT4_EA_INODE_FL)
		return E2LAZY_ROLE_XATTR;	/* the value of one */
	return E2LAZY_ROLE_DATA;
}

/* Does i_block map blocks?  Else it is a link's target, a device or data. */
static bool has_map(const struct ext2_inode *inode, enum e2lazy_role role)
{
	if (inode->i_flags & EXT4_INLINE_DATA_FL)
		return false;
	if (LINUX_S_ISLNK(inode->i_mode))
		return inode->i_flags & EXT4_EXTENTS_FL ||
		       EXT2_I_SIZE(inode) >= sizeof(inode->i_block);
	return LINUX_S_ISREG(inode->i_mode) || LINUX_S_ISDIR(inode->i_mode) ||
	       role == E2LAZY_ROLE_SYSTEM;
}

/* ---------------------------------------------------------- the search */

/* Many inodes may share a block of attributes, so it costs no budget. */
static errcode_t give_xattr(struct inode_search *s,
			    const struct ext2_inode *inode)
{
	blk64_t fsblk = ext2fs_file_acl_block(s->fs, inode);
	blk64_t left = s->left;
	errcode_t err;

	if (!fsblk)
		return 0;
	s->left = 1;
	err = inode_search_give(s, E2LAZY_ROLE_XATTR, fsblk, 0, 1,
				inode_home(s->fs, s->ino));
	s->left = left;
	return err;
}

errcode_t inode_search_one(struct inode_search *s, ext2_ino_t ino,
			   const struct ext2_inode *inode)
{
	uint64_t damaged;
	errcode_t err;

	inode_search_begin(s, ino, content_role(s->fs, ino, inode));
	s->generation = inode->i_generation;
	err = give_xattr(s, inode);
	damaged = s->damage->count;
	if (!err && has_map(inode, s->role))
		err = block_map_walk(s, inode);
	s->sound = s->damage->count == damaged;
	inode_search_end(s);
	return err;
}

errcode_t directory_role(struct inode_search *s, blk64_t fsblk, uint64_t lblk,
			 uint8_t *role)
{
	errcode_t err;

	*role = E2LAZY_ROLE_HTREE;
	if (lblk == 0)		/* the root */
		return 0;
	err = io_channel_read_blk64(s->fs->io, fsblk, 1, s->block);
	if (err || !is_htree(s->fs, s->block))
		*role = E2LAZY_ROLE_DIRECTORY;
	return err ? note_unread(s->damage, s->fs, err, fsblk) : 0;
}

/* ----------------------------------------------------------- one inode */

struct one_inode {
	struct inode_search search;
	bool		indexed;
	found_piece	found;
	void		*priv;
};

/* Pass the blocks of an indexed directory one by one, other pieces whole. */
static errcode_t pass_on(void *priv, const struct e2lazy_owner *owner,
			 blk64_t count)
{
	struct one_inode *one = priv;
	struct e2lazy_owner block = *owner;
	errcode_t err = 0;
	uint8_t role;

	if (!one->indexed || owner->role != E2LAZY_ROLE_DIRECTORY)
		return one->found(one->priv, owner, count);
	for (; !err && count; count--, block.fsblk++, block.lblk++) {
		err = directory_role(&one->search, block.fsblk, block.lblk,
				     &role);
		block.role = role;
		if (!err)
			err = one->found(one->priv, &block, 1);
	}
	return err;
}

static errcode_t give_home(struct one_inode *one, ext2_ino_t ino)
{
	struct e2lazy_owner owner = {
		.fsblk = inode_home(one->search.fs, ino),
		.role = E2LAZY_ROLE_LAYOUT, .ino = ino,
	};

	if (!owner.fsblk ||
	    owner.fsblk >= ext2fs_blocks_count(one->search.fs->super))
		return EXT2_ET_GDESC_BAD_INODE_TABLE;
	return one->found(one->priv, &owner, 1);
}

errcode_t e2lazy_inode_blocks(ext2_filsys fs, ext2_ino_t ino,
			      errcode_t (*found)(void *priv,
						 const struct e2lazy_owner *,
						 blk64_t count),
			      void *priv, struct e2lazy_damage *damage)
{
	struct one_inode one = { .found = found, .priv = priv };
	uint32_t per_group = fs->super->s_inodes_per_group;
	struct ext2_inode inode;
	errcode_t err;

	memset(damage, 0, sizeof(*damage));
	if (ino == 0 || ino > fs->super->s_inodes_count)
		return EXT2_ET_BAD_INODE_NUM;
	err = inode_search_init(&one.search, fs, pass_on, &one, damage);
	if (!err)
		err = give_home(&one, ino);
	if (err || (ino - 1) % per_group >=
		   e2lazy_group_inodes(fs, (ino - 1) / per_group))
		goto out;
	err = ext2fs_read_inode(fs, ino, &inode);
	if (err) {
		err = note_unread(damage, fs, err, inode_home(fs, ino));
	} else if (inode_in_use(fs, ino, &inode)) {
		one.indexed = inode_is_indexed(&inode);
		err = inode_search_one(&one.search, ino, &inode);
	}
out:
	inode_search_free(&one.search);
	return err;
}
