/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* overlay.h - changed blocks in memory, above a file system */
#ifndef E2LAZY_OVERLAY_H
#define E2LAZY_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ext2fs/ext2fs.h>

struct overlaid;

struct overlay {
	ext2_filsys	fs;
	struct overlaid	**heads;
	size_t		count;
	uint8_t		*scratch;	/* a block read from @fs */
};

errcode_t overlay_begin(struct overlay *o, ext2_filsys fs);
void overlay_free(struct overlay *o);
bool overlay_has(const struct overlay *o, blk64_t fsblk);
/* The block as it is now; valid until the next call. */
errcode_t overlay_read(struct overlay *o, blk64_t fsblk, const uint8_t **out);
/* The same, to be changed; valid until overlay_free(). */
errcode_t overlay_change(struct overlay *o, blk64_t fsblk, uint8_t **out);
/* The same, but all zeros. */
errcode_t overlay_new(struct overlay *o, blk64_t fsblk, uint8_t **out);

/*
 * Take all blocks that differ from @fs, ascending; the caller frees each
 * @bytes with ext2fs_free_mem(), and the array with free().
 */
struct made_block;
errcode_t overlay_take(struct overlay *o, struct made_block **out, size_t *nr);

#endif
