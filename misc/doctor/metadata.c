/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metadata.c - what the log says nothing of: the root directory, the inodes that
 * the file system keeps for itself, group descriptors and bitmaps
 *
 * As after a replay.  Other inodes and directories are for e2fsck.
 */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "fs/kind.h"
#include "fs/orphan_file.h"
#include "io/bytes.h"
#include "log/log.h"
#include "map/super.h"
#include "support/nls.h"
#include "support/status.h"

struct look {
	ext2_filsys	fs;
	const struct e2lazy_journal *journal;
	uint8_t		*block;
	unsigned	bad;		/* METADATA_*, in bits */
};

static void note(struct look *l, enum metadata what, bool good)
{
	if (!good)
		l->bad |= 1U << what;
}

static bool read_inode(const struct look *l, ext2_ino_t ino, unsigned type,
		       struct ext2_inode *inode)
{
	return !ext2fs_read_inode(l->fs, ino, inode) &&
	       (inode->i_mode & LINUX_S_IFMT) == type && inode->i_links_count;
}

/* ---------------------------------------------------------- the inodes --- */

struct root {
	ext2_ino_t	lost_found;
	unsigned	dots;
};

static errcode_t take_entry(void *priv, const struct e2lazy_entry *entry)
{
	static const char name[] = "lost+found";
	struct root *root = priv;

	if (entry->length == sizeof(name) - 1 &&
	    !memcmp(entry->name, name, sizeof(name) - 1))
		root->lost_found = entry->ino;
	root->dots += entry->ino == EXT2_ROOT_INO && entry->length <= 2;
	return 0;
}

static void look_at_root(struct look *l)
{
	struct e2lazy_damage damage = { .count = 0 };
	struct root root = { .lost_found = 0 };
	struct ext2_inode inode;
	errcode_t err;

	if (!read_inode(l, EXT2_ROOT_INO, LINUX_S_IFDIR, &inode)) {
		note(l, METADATA_ROOT, false);
		return;
	}
	err = e2lazy_directory_read(l->fs, EXT2_ROOT_INO, NULL, take_entry,
				    &root, &damage);
	note(l, METADATA_ROOT_NAMES, !err && !damage.count && root.dots == 2);
	note(l, METADATA_LOST_FOUND, root.lost_found &&
	     read_inode(l, root.lost_found, LINUX_S_IFDIR, &inode));
}

static errcode_t ignore(void *priv, ext2_ino_t ino)
{
	(void)priv;
	(void)ino;
	return 0;
}

static void look_at_orphans(struct look *l)
{
	bool sound = false;

	if (ext2fs_has_feature_orphan_file(l->fs->super))
		note(l, METADATA_ORPHAN_FILE,
		     !orphan_file_each(l->fs, l->journal->csum.crc, ignore,
				       NULL, &sound) && sound);
}

/* As e2fsck: the only block is one of pointers, to the descriptors' next blocks. */
static bool resize_is_good(const struct look *l)
{
	const struct ext2_super_block *sb = l->fs->super;
	blk64_t next = super_fsblk(l->journal) + 1 + l->fs->desc_blocks;
	unsigned per_block = l->fs->blocksize / 4;
	struct ext2_inode inode;

	if (!read_inode(l, EXT2_RESIZE_INO, LINUX_S_IFREG, &inode))
		return false;
	for (unsigned i = 0; i < EXT2_N_BLOCKS; i++)
		if (!inode.i_block[i] == (i == EXT2_DIND_BLOCK))
			return false;
	if (io_channel_read_blk64(l->fs->io, inode.i_block[EXT2_DIND_BLOCK], 1,
				  l->block))
		return false;
	for (unsigned i = 0; i < sb->s_reserved_gdt_blocks; i++)
		if (get_le32(l->block + (l->fs->desc_blocks + i) % per_block *
			     4) != next + i)
			return false;
	return true;
}

static bool quota_is_good(const struct look *l, ext2_ino_t ino, uint32_t magic)
{
	struct ext2_inode inode;
	blk64_t fsblk = 0;

	return !ino ||
	       (read_inode(l, ino, LINUX_S_IFREG, &inode) &&
		!ext2fs_bmap2(l->fs, ino, &inode, NULL, 0, 0, NULL, &fsblk) &&
		fsblk && !io_channel_read_blk64(l->fs->io, fsblk, 1, l->block) &&
		get_le32(l->block) == magic);
}

static void look_at_quota(struct look *l)
{
	const struct ext2_super_block *sb = l->fs->super;

	note(l, METADATA_QUOTA,
	     quota_is_good(l, sb->s_usr_quota_inum, 0xd9c01f11) &&
	     quota_is_good(l, sb->s_grp_quota_inum, 0xd9c01927) &&
	     quota_is_good(l, sb->s_prj_quota_inum, 0xd9c03f14));
}

/* None of the file system's own; opening it has proved that each comes once. */
static bool journal_is_good(const struct look *l)
{
	const struct e2lazy_geometry *geo = e2lazy_geometry(l->journal);
	ext2fs_block_bitmap seen;
	blk64_t fsblk;
	bool good = true;

	if (geo->external || ext2fs_allocate_subcluster_bitmap(l->fs,
						"blocks of the journal", &seen))
		return true;
	for (dgrp_t i = 0; i < l->fs->group_desc_count; i++) {
		ext2fs_reserve_super_and_bgd(l->fs, i, seen);
		ext2fs_mark_block_bitmap_range2(seen,
				ext2fs_inode_table_loc(l->fs, i),
				l->fs->inode_blocks_per_group);
	}
	for (uint32_t i = 0; good && i < geo->maxlen; i++)
		good = !e2lazy_physblk(l->journal, i, &fsblk) &&
		       !ext2fs_mark_block_bitmap2(seen, fsblk);
	ext2fs_free_block_bitmap(seen);
	return good;
}

static void look_at_inodes(struct look *l)
{
	note(l, METADATA_JOURNAL_BLOCKS, journal_is_good(l));
	look_at_root(l);
	look_at_orphans(l);
	if (ext2fs_has_feature_resize_inode(l->fs->super))
		note(l, METADATA_RESIZE, resize_is_good(l));
	if (ext2fs_has_feature_quota(l->fs->super))
		look_at_quota(l);
}

/* ---------------------------------------------------------- the groups --- */

static bool read_bitmap(const struct look *l, dgrp_t group, unsigned flag,
			blk64_t fsblk, bool *used)
{
	*used = !(ext2fs_has_group_desc_csum(l->fs) &&
		  ext2fs_bg_flags_test(l->fs, group, (uint16_t)flag));
	return !*used || !io_channel_read_blk64(l->fs->io, fsblk, 1, l->block);
}

static bool blocks_are_good(const struct look *l, dgrp_t group)
{
	unsigned bits = EXT2_CLUSTERS_PER_GROUP(l->fs->super), clusters;
	bool used;

	if (!read_bitmap(l, group, EXT2_BG_BLOCK_UNINIT,
			 ext2fs_block_bitmap_loc(l->fs, group), &used))
		return false;
	clusters = ((unsigned)ext2fs_group_blocks_count(l->fs, group) +
		    EXT2FS_CLUSTER_RATIO(l->fs) - 1) >>
		   l->fs->cluster_ratio_bits;
	return !used ||
	       (ext2fs_block_bitmap_csum_verify(l->fs, group, (char *)l->block,
						(int)bits / 8) &&
		bits_clear(l->block, clusters) ==
		ext2fs_bg_free_blocks_count(l->fs, group));
}

static bool inodes_are_good(const struct look *l, dgrp_t group)
{
	unsigned bits = EXT2_INODES_PER_GROUP(l->fs->super);
	bool used;

	if (!read_bitmap(l, group, EXT2_BG_INODE_UNINIT,
			 ext2fs_inode_bitmap_loc(l->fs, group), &used))
		return false;
	return !used ||
	       (ext2fs_inode_bitmap_csum_verify(l->fs, group, (char *)l->block,
						(int)bits / 8) &&
		bits_clear(l->block, bits) ==
		ext2fs_bg_free_inodes_count(l->fs, group));
}

/* A kernel looks at the one in place before it replays the log. */
static bool group_is_good(const struct look *l, dgrp_t group)
{
	ext2_filsys in_place = e2lazy_static_fs(l->journal);

	return group >= in_place->group_desc_count ||
	       ext2fs_group_desc_csum_verify(in_place, group);
}

static void look_at_groups(struct look *l)
{
	for (dgrp_t i = 0; i < l->fs->group_desc_count && !cancelled(); i++) {
		bool good = ext2fs_group_desc_csum_verify(l->fs, i);

		note(l, METADATA_GROUPS, good && group_is_good(l, i));
		note(l, METADATA_BLOCK_BITMAPS, !good || blocks_are_good(l, i));
		note(l, METADATA_INODE_BITMAPS, !good || inodes_are_good(l, i));
	}
}

/* ------------------------------------------------------------------------ */

void doctor_look_at_metadata(struct doctor *d)
{
	struct opened *log = d->s->log;
	struct e2lazy_where where;
	struct look l = { .journal = log->journal };
	bool through_log = opened_what_is_shown(log);

	l.fs = e2lazy_static_fs(log->journal);
	if (through_log && e2lazy_view_open(opened_what_is_shown(log), &l.fs,
					    &where))
		return;
	if (!io_channel_alloc_buf(l.fs->io, 1, &l.block)) {
		look_at_inodes(&l);
		look_at_groups(&l);
		ext2fs_free_mem(&l.block);
	}
	d->f.metadata = l.bad;
	if (through_log)
		ext2fs_free(l.fs);
}

const struct metadata_name *metadata_name(enum metadata what)
{
	static const struct metadata_name names[NR_METADATA] = {
		[METADATA_ROOT] = { "root", N_("the root directory") },
		[METADATA_ORPHAN_FILE] = { "orphan_file",
			N_("the orphan file") },
		[METADATA_GROUPS] = { "group_descriptors",
			N_("group descriptors") },
		[METADATA_ROOT_NAMES] = { "root_names",
			N_("names in the root directory") },
		[METADATA_LOST_FOUND] = { "lost_found", "lost+found" },
		[METADATA_RESIZE] = { "resize_inode", N_("the resize inode") },
		[METADATA_QUOTA] = { "quota", N_("quota files") },
		[METADATA_BLOCK_BITMAPS] = { "block_bitmaps",
			N_("block bitmaps") },
		[METADATA_JOURNAL_BLOCKS] = { "journal_blocks",
			N_("the journal's block map") },
		[METADATA_INODE_BITMAPS] = { "inode_bitmaps",
			N_("inode bitmaps") },
	};

	return &names[what];
}
