/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* view.h - a view, for the rooms of the library; not for programs */
#ifndef E2LAZY_VIEW_INTERNAL_H
#define E2LAZY_VIEW_INTERNAL_H

#include "e2lazy_view.h"
#include "log/log.h"
#include "cache.h"
#include "next_copies.h"
#include "past.h"
#include "superblocks.h"

struct volume {
	io_channel	io;
	uint64_t	bytes;
};

struct e2lazy_view {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;
	unsigned	blocksize;
	struct volume	volumes[2];	/* by enum e2lazy_volume */
	struct superblocks made;
	struct past	past;		/* of an earlier time */
	struct e2lazy_layout *layout;	/* if past.covered is false: metadata
					   by place; else NULL */
	struct e2lazy_watch watch;	/* asked to stop before a read */
	size_t		near;		/* mapping behind the last one read */
	struct cache	*kept;		/* live copies; or NULL */
	struct next_copies next;	/* for readers of single blocks */
	struct made_block *patched;	/* by fast commits, ascending; or NULL */
	size_t		nr_patched;
	blk64_t		*left_out;	/* blocks shown in place, ascending */
	size_t		nr_left_out;
	bool		opening;	/* view_open_frame() */
	bool		borrowed;	/* view_read_frame() took a block in
					   place, which may be of another time */
};

static inline const struct e2lazy_jmap *view_map(const struct e2lazy_view *view)
{
	return view->map;
}

/*
 * Blocks from @fsblk on, @count at most, that lie in a hole of the image and so
 * read as zeros; the log has no copy of them.
 */
blk64_t view_hole(const struct e2lazy_view *view, blk64_t fsblk, blk64_t count);

/*
 * A handle for its superblock and the places of the tables.  A handle needs all
 * group descriptors.  Where a view of an earlier time has lost some, those in
 * place lead to the same tables: only an online resize changes that.  Their
 * counts and flags may be of another time; then @view->borrowed is set.
 */
errcode_t view_open_frame(struct e2lazy_view *view, ext2_filsys *out,
			  struct e2lazy_where *where);
/* The reads of such an opening. */
errcode_t view_read_frame(struct e2lazy_view *view, uint64_t offset,
			  size_t count, void *buf, struct e2lazy_where *where);

/*
 * patch.c: from now on show @blocks instead of what the view had there; they
 * belong to the view then.  @fs has the descriptors that fit them.
 */
errcode_t view_patch(struct e2lazy_view *view, struct made_block *blocks,
		     size_t nr, ext2_filsys fs);
/*
 * The same beside what is patched already, which counts.  After an error, too,
 * @blocks are the view's, or freed.
 */
errcode_t view_patch_more(struct e2lazy_view *view, struct made_block *blocks,
			  size_t nr);
void made_blocks_free(struct made_block *blocks, size_t nr);
void patches_free(struct e2lazy_view *view);
/* The first patched block from @fsblk on, or NULL. */
const struct made_block *view_next_patch(const struct e2lazy_view *view,
					 blk64_t fsblk);

/* e2lazy_owners_build() through @fs, which e2lazy_view_open() has opened. */
errcode_t owners_of_view(struct e2lazy_view *view, ext2_filsys fs,
			 struct e2lazy_layout *layout,
			 const struct e2lazy_owners_opts *opts,
			 struct e2lazy_owners **out,
			 struct e2lazy_damage *damage);
/*
 * As e2lazy_owners_find(), with a guess at the index of the block's mapping: any
 * number will do.
 */
errcode_t owners_find_near(const struct e2lazy_owners *owners, blk64_t fsblk,
			   size_t near, struct e2lazy_owner *out);
/*
 * Does a file own the block, and its map has it as unwritten?  Then the file
 * shows zeros, whatever the block holds.
 */
bool owners_unwritten(const struct e2lazy_owners *owners, blk64_t fsblk,
		      size_t near);

/*
 * orphan_flag.c: the file system may have orphans in its orphan file.  Settle it
 * once all blocks can be read.
 */
errcode_t view_settle_orphan_flag(struct e2lazy_view *view);
bool view_orphan_present(const struct e2lazy_view *view);

/* The superblocks that a checkpoint writes at its end. */
static inline const struct made_block *view_super(const struct e2lazy_view *view)
{
	return &view->made.super;
}

static inline const struct made_block *
view_journal_super(const struct e2lazy_view *view)
{
	return &view->made.journal;
}

#endif
