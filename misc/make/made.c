/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * made.c - reads what mke2fs has made: for a plan in memory, later on the device
 */
#include <string.h>

#include "make.h"
#include "map/super.h"

static errcode_t read_journal(struct e2lazy_journal *journal,
			      struct make_layout *l)
{
	const struct e2lazy_geometry *geo = e2lazy_geometry(journal);
	blk64_t start = 0;
	errcode_t err = e2lazy_physblk(journal, 0, &start);

	l->journal_blocks = geo->maxlen;
	l->journal_runs = geo->runs;
	l->journal_start = start;
	return err;
}

static void read_super(const struct ext2_super_block *super,
		       struct make_layout *l)
{
	struct ext2_super_block *sb = (struct ext2_super_block *)super;

	l->blocksize = EXT2_BLOCK_SIZE(sb);
	l->blocks = ext2fs_blocks_count(sb);
	l->cluster_blocks = EXT2_CLUSTER_SIZE(sb) / l->blocksize;
	l->inode_size = EXT2_INODE_SIZE(sb);
	l->inodes = sb->s_inodes_count;
	l->inode_ratio = (uint64_t)sb->s_blocks_per_group * l->blocksize /
			 sb->s_inodes_per_group;
	l->flex_groups = ext2fs_has_feature_flex_bg(sb) ?
			 1U << sb->s_log_groups_per_flex : 1;
	l->fast_commit = ext2fs_has_feature_fast_commit(sb);
	l->sparse_super2 = ext2fs_has_feature_sparse_super2(sb);
	/* Where 32 bits do not suffice, the kernel grows by meta_bg. */
	l->resizable = ext2fs_has_feature_resize_inode(sb) ||
		       (!l->sparse_super2 && l->blocks > UINT32_MAX);
	l->marked = super_has_option(sb, SUPER_LAZY);
}

/*
 * mke2fs allows a journal half of what is free before it places the tables, from
 * which libext2fs has deducted them only if there are no flex groups.
 */
static uint64_t free_blocks(const struct make_layout *l)
{
	uint64_t used = 0;
	struct e2lazy_region r;

	for (size_t i = 0; i < e2lazy_regions_count(l->regions); i++) {
		e2lazy_regions_get(l->regions, i, &r);
		if (r.kind == E2LAZY_REGION_SUPER || l->flex_groups == 1)
			used += r.length / l->blocksize;
	}
	return used < l->blocks ? l->blocks - used : 0;
}

errcode_t make_read(const struct make *m, struct e2lazy_journal *journal,
		    struct make_layout *l)
{
	struct e2lazy_band_model model = {
		.band_bytes = m->band, .start = m->drive.start,
	};
	ext2_filsys fs = e2lazy_static_fs(journal);
	errcode_t err;

	make_layout_free(l);
	read_super(fs->super, l);
	err = read_journal(journal, l);
	if (!err)
		err = e2lazy_regions_of(fs, &l->regions);
	if (err)
		return err;
	l->free_blocks = free_blocks(l);
	e2lazy_bands(l->regions, l->blocks * l->blocksize, &model, &l->bands);
	model.dynamic = true;
	e2lazy_bands(l->regions, l->blocks * l->blocksize, &model,
		     &l->dynamic);
	return 0;
}

bool make_same_regions(const struct make_layout *a,
		       const struct make_layout *b)
{
	size_t count = e2lazy_regions_count(a->regions);
	struct e2lazy_region x, y;

	if (count != e2lazy_regions_count(b->regions))
		return false;
	for (size_t i = 0; i < count; i++) {
		e2lazy_regions_get(a->regions, i, &x);
		e2lazy_regions_get(b->regions, i, &y);
		if (x.start != y.start || x.length != y.length ||
		    x.kind != y.kind)
			return false;
	}
	return true;
}

void make_layout_free(struct make_layout *l)
{
	e2lazy_regions_free(l->regions);
	memset(l, 0, sizeof(*l));
}
