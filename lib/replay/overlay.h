/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* overlay.h - changed blocks in memory, above a file system */
#ifndef E2LAZY_OVERLAY_H
#define E2LAZY_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "e2lazy_view.h"

struct overlaid;

struct overlay {
	ext2_filsys	fs;
	struct e2lazy_layout *layout;	/* of @fs */
	struct overlaid	**heads;
	size_t		count;
	uint8_t		*scratch;	/* a block read from @fs */
};

/* @fs is a handle of the view, which must stay. */
errcode_t overlay_begin(struct overlay *o, const struct e2lazy_view *view,
			ext2_filsys fs, struct e2lazy_where *where);
void overlay_free(struct overlay *o);
bool overlay_has(const struct overlay *o, blk64_t fsblk);
/* The block as it is now; valid until the next call. */
errcode_t overlay_read(struct overlay *o, blk64_t fsblk, const uint8_t **out);
/*
 * The same, to be changed; valid until overlay_free().  A map of an enemy can
 * lead to the superblock: E2LAZY_ET_FC_CONTRADICTS if the layout has the block
 * for another purpose than @type.
 */
errcode_t overlay_change(struct overlay *o, blk64_t fsblk,
			 enum e2lazy_type type, uint8_t **out);
/* The same, but all zeros. */
errcode_t overlay_new(struct overlay *o, blk64_t fsblk, enum e2lazy_type type,
		      uint8_t **out);

/*
 * Take all blocks that differ from @fs, ascending; the caller frees each
 * @bytes with ext2fs_free_mem(), and the array with free().
 */
struct made_block;
errcode_t overlay_take(struct overlay *o, struct made_block **out, size_t *nr);

#endif
