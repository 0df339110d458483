/* SPDX-License-Identifier: GPL-2.0-only */
/* super.c - the newest superblock, as far as geometry goes */
#include "config.h"

#include <string.h>

#include "../log/log.h"
#include "super.h"

/* An online resize goes over to META_BG when reserved descriptors end. */
#define MAY_CHANGE (EXT2_FEATURE_INCOMPAT_META_BG | \
		    EXT3_FEATURE_INCOMPAT_RECOVER)

/* A resize changes none of these, on which the arithmetic of groups stands. */
static bool same_file_system(const struct ext2_super_block *a,
			     const struct ext2_super_block *b)
{
	return a->s_magic == b->s_magic &&
	       !memcmp(a->s_uuid, b->s_uuid, sizeof(a->s_uuid)) &&
	       !((a->s_feature_incompat ^ b->s_feature_incompat) &
		 ~MAY_CHANGE) &&
	       a->s_log_block_size == b->s_log_block_size &&
	       a->s_log_cluster_size == b->s_log_cluster_size &&
	       a->s_first_data_block == b->s_first_data_block &&
	       a->s_blocks_per_group == b->s_blocks_per_group &&
	       a->s_clusters_per_group == b->s_clusters_per_group &&
	       a->s_inodes_per_group == b->s_inodes_per_group &&
	       a->s_inode_size == b->s_inode_size &&
	       a->s_desc_size == b->s_desc_size;
}

static bool has_grown(const struct e2lazy_journal *j,
		      struct ext2_super_block *sb)
{
	return same_file_system(sb, j->fs->super) &&
	       ext2fs_blocks_count(sb) > ext2fs_blocks_count(j->fs->super) &&
	       ext2fs_blocks_count(sb) <= j->fs_limit;
}

blk64_t super_fsblk(const struct e2lazy_journal *j)
{
	return 1024 / j->fs->blocksize;
}

errcode_t newest_super(struct e2lazy_journal *j,
		       const struct e2lazy_copy *logged,
		       struct ext2_super_block *out)
{
	unsigned offset = 1024 % j->fs->blocksize;
	struct ext2_super_block sb;
	char *buf;
	errcode_t err;

	memcpy(out, j->fs->super, sizeof(*out));
	if (!logged)
		return 0;
	err = io_channel_alloc_buf(j->io, 1, &buf);
	if (err)
		return err;
	if (!e2lazy_read_copy(j, logged->logblk, logged->flags, buf)) {
		memcpy(&sb, buf + offset, sizeof(sb));
#ifdef WORDS_BIGENDIAN
		ext2fs_swap_super(&sb);
#endif
		if (has_grown(j, &sb))
			memcpy(out, &sb, sizeof(*out));
	}
	ext2fs_free_mem(&buf);
	return 0;
}
