/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * patch.c - blocks that a replay of fast commits has changed in a view, and
 * blocks whose copies it does not show
 */

#include <stdlib.h>
#include <string.h>

#include "io/halve.h"
#include "map/super.h"
#include "view.h"

/* The superblock counts what is free, and the patched descriptors differ. */
static errcode_t count_free(struct e2lazy_view *v, ext2_filsys fs)
{
	struct ext2_super_block sb;
	uint8_t *at = v->made.super.bytes + super_offset(v->blocksize);
	errcode_t err;

	memcpy(&sb, at, sizeof(sb));
#ifdef WORDS_BIGENDIAN
	ext2fs_swap_super(&sb);
#endif
	super_count_free(fs, &sb);
#ifdef WORDS_BIGENDIAN
	ext2fs_swap_super(&sb);
#endif
	err = ext2fs_superblock_csum_set(fs, &sb);
	memcpy(at, &sb, sizeof(sb));
	return err;
}

errcode_t view_patch(struct e2lazy_view *v, struct made_block *blocks,
		     size_t nr, ext2_filsys fs)
{
	v->patched = blocks;
	v->nr_patched = nr;
	return count_free(v, fs);
}

void made_blocks_free(struct made_block *blocks, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		ext2fs_free_mem(&blocks[i].bytes);
	free(blocks);
}

/* Both ascend; a block of both is the view's own. */
static size_t merge(struct e2lazy_view *v, struct made_block *more, size_t nr,
		    struct made_block *to)
{
	size_t own = 0, n = 0;

	for (size_t i = 0; i < nr; i++) {
		while (own < v->nr_patched &&
		       v->patched[own].fsblk < more[i].fsblk)
			to[n++] = v->patched[own++];
		if (own < v->nr_patched &&
		    v->patched[own].fsblk == more[i].fsblk)
			ext2fs_free_mem(&more[i].bytes);
		else
			to[n++] = more[i];
	}
	while (own < v->nr_patched)
		to[n++] = v->patched[own++];
	return n;
}

errcode_t view_patch_more(struct e2lazy_view *v, struct made_block *blocks,
			  size_t nr)
{
	struct made_block *all;

	if (!nr)
		return 0;
	all = calloc(v->nr_patched + nr, sizeof(*all));
	if (!all) {
		made_blocks_free(blocks, nr);
		return EXT2_ET_NO_MEMORY;
	}
	nr = merge(v, blocks, nr, all);
	free(blocks);
	free(v->patched);
	v->patched = all;
	v->nr_patched = nr;
	return 0;
}

void patches_free(struct e2lazy_view *v)
{
	made_blocks_free(v->patched, v->nr_patched);
	free(v->left_out);
}

const struct made_block *view_next_patch(const struct e2lazy_view *v,
					 blk64_t fsblk)
{
	struct halving h = { .high = v->nr_patched };

	while (halve(&h))
		halved(&h, v->patched[h.mid].fsblk < fsblk);
	return h.low < v->nr_patched ? &v->patched[h.low] : NULL;
}

errcode_t e2lazy_view_leave_out(struct e2lazy_view *v, const blk64_t *fsblks,
				size_t nr)
{
	blk64_t *own = malloc((nr ? nr : 1) * sizeof(*own));

	if (!own)
		return EXT2_ET_NO_MEMORY;
	if (nr)
		memcpy(own, fsblks, nr * sizeof(*own));
	free(v->left_out);
	v->left_out = own;
	v->nr_left_out = nr;
	return 0;
}
