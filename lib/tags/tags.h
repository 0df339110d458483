/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tags.h - the tags of damaged descriptors, one by one
 *
 *	find.c		the descriptors, and the two ways to read their tags
 *	prove.c		which of them are proven, by the file system that results
 *	place.c		... superblocks, group descriptors, bitmaps, inode tables
 *	tree.c		... directories, extent trees, extended attributes
 *	recover.c	the map with the proven ones
 */
#ifndef E2LAZY_TAGS_H
#define E2LAZY_TAGS_H

#include "map/damaged_tags.h"
#include "view/view.h"

/*
 * Find the damaged descriptors behind the end of @map, and list their tags.
 * @tags->nr stays 0 if there is none, or if the log has no checksums of copies.
 */
errcode_t tags_find(struct e2lazy_journal *journal,
		    const struct e2lazy_jmap *map,
		    const struct e2lazy_watch *watch,
		    struct damaged_tags *tags);

/*
 * Set @proven of each tag that the file system proves as @map defines it, and of
 * no other.  @changed: it was not the same before.  Call it again then, with a map
 * that has those: a proven inode names more blocks, or no longer a block.
 */
errcode_t tags_prove(struct e2lazy_journal *journal, struct e2lazy_jmap *map,
		     const struct e2lazy_watch *watch,
		     struct damaged_tags *tags, bool *changed);

/* The file system that decides, and the copy at hand. */
struct prover {
	struct e2lazy_journal *journal;
	ext2_filsys	fs;		/* on the view */
	ext2_filsys	newest;		/* newest superblock and descriptors */
	struct e2lazy_layout *layout;
	struct e2lazy_owners *owners;
	crc32c_fn	crc;
	const uint8_t	*copy;		/* as the block was before logging */
	blk64_t		fsblk;
	/* Nodes of trees and indexes that all questions may still cost. */
	unsigned	reads;
	/* The crc of each tag's copy as stored; NULL with one descriptor. */
	uint32_t	*sums;
};

/* Does the content of the copy name the place @place of the layout? */
bool place_is_named(const struct prover *p, const struct e2lazy_place *place);
/* The same of a block that @owner has. */
bool tree_is_named(struct prover *p, const struct e2lazy_owner *owner);

#endif
