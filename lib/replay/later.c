/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * later.c - files of an earlier view whose contents are later than the view
 *
 * A view of an earlier time has the metadata of that time, and contents of files
 * as they are now: ext4 writes those past the log.  A file that has the same
 * inode now has not been written since.  Of any other file each block is asked
 * for by itself.  If the log has its contents, the view shows these.  If the file
 * has lost the block, and it is taken, another file has it.  Else it may have been
 * written since, or not: nothing proves either.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/extents.h"
#include "fs/inode_blocks.h"
#include "fs/inode_life.h"
#include "io/watch.h"
#include "view/view.h"

struct e2lazy_later {
	struct e2lazy_view *then;
	ext2_filsys	then_fs;
	struct e2lazy_jmap *map;	/* of now, */
	struct e2lazy_view *now;
	ext2_filsys	now_fs;
	bool		unsure;		/* which may lack transactions */
	struct inode_search then_search, now_search;
	struct e2lazy_damage damage;	/* of either search */
	struct extents	mapped;		/* blocks of the file at hand, now */
	bool		same_life, written;
	bool		all_mapped;	/* none of them is missing there */
	uint64_t	end;		/* of the file then, in blocks */
	uint8_t		*bitmap;
	dgrp_t		group;		/* whose bitmap that is, */
	bool		has_group, readable;
	errcode_t	(*found)(void *priv, const struct e2lazy_aged *);
	void		*priv;
};

/* ---------------------------------------------------------------- now */

static errcode_t open_now(struct e2lazy_later *l, struct e2lazy_where *where)
{
	const struct e2lazy_jmap_opts opts = { .flags = E2LAZY_JMAP_CSUMS };
	struct e2lazy_journal *j = l->then->journal;
	struct e2lazy_fc_done done;
	errcode_t err = e2lazy_jmap_build(j, &opts, &l->map);

	if (!err)
		err = e2lazy_view_build(j, l->map, &l->now, where);
	if (err)
		return err;
	l->unsure = e2lazy_jmap_end(l->map)->error != 0;
	err = e2lazy_view_fast_commits(l->now, &done, where);
	if (err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED)
		return err;
	l->unsure |= err != 0;
	return e2lazy_view_open(l->now, &l->now_fs, where);
}

/* Is the block taken now?  In doubt, no: then nothing proves another owner. */
static bool is_taken(struct e2lazy_later *l, blk64_t fsblk)
{
	ext2_filsys fs = l->now_fs;
	dgrp_t group = ext2fs_group_of_blk2(fs, fsblk);
	uint64_t bit = (fsblk - ext2fs_group_first_block2(fs, group)) >>
		       fs->cluster_ratio_bits;

	if (!l->has_group || l->group != group) {
		l->has_group = true;
		l->group = group;
		l->readable = !ext2fs_bg_flags_test(fs, group,
						    EXT2_BG_BLOCK_UNINIT) &&
			      !io_channel_read_blk64(fs->io,
				ext2fs_block_bitmap_loc(fs, group), 1,
				l->bitmap);
	}
	return l->readable && l->bitmap[bit / 8] >> bit % 8 & 1;
}

static errcode_t take_now(void *priv, const struct e2lazy_owner *owner,
			  blk64_t count)
{
	struct e2lazy_later *l = priv;
	const struct extent e = { .lblk = (uint32_t)owner->lblk,
				  .count = (uint32_t)count,
				  .fsblk = owner->fsblk };

	return owner->role == E2LAZY_ROLE_DATA && owner->lblk <= UINT32_MAX ?
	       extents_add(&l->mapped, &e) : 0;
}

/* ------------------------------------------------------------- one block */

/* The view shows the contents that the log had then. */
static bool is_logged(const struct e2lazy_later *l, blk64_t fsblk)
{
	struct e2lazy_piece piece;

	e2lazy_view_piece(l->then, fsblk, 1, &piece);
	return piece.source == E2LAZY_IN_LOG;
}

static enum e2lazy_age age_of(struct e2lazy_later *l, uint64_t lblk,
			      blk64_t fsblk)
{
	bool kept = l->same_life && lblk <= UINT32_MAX &&
		    extents_find(&l->mapped, (uint32_t)lblk) == fsblk;

	if (is_logged(l, fsblk))
		return E2LAZY_AGE_SAME;
	if (kept)
		return l->written || l->unsure ? E2LAZY_AGE_UNSURE :
						 E2LAZY_AGE_SAME;
	return l->all_mapped && is_taken(l, fsblk) ? E2LAZY_AGE_OTHER :
						     E2LAZY_AGE_UNSURE;
}

/* In runs of one age; blocks past the end show nothing. */
static errcode_t take_then(void *priv, const struct e2lazy_owner *owner,
			   blk64_t count)
{
	struct e2lazy_later *l = priv;
	errcode_t err = 0;

	if (owner->role != E2LAZY_ROLE_DATA || l->then_search.unwritten ||
	    owner->lblk >= l->end)
		return 0;
	if (count > l->end - owner->lblk)
		count = l->end - owner->lblk;
	for (blk64_t i = 0, n; !err && i < count; i = n) {
		struct e2lazy_aged run = {
			.lblk = owner->lblk + i, .fsblk = owner->fsblk + i,
			.age = age_of(l, owner->lblk + i, owner->fsblk + i),
		};

		for (n = i + 1; n < count &&
		     age_of(l, owner->lblk + n, owner->fsblk + n) == run.age;
		     n++)
			;
		run.count = n - i;
		err = l->found(l->priv, &run);
	}
	return err;
}

/* ------------------------------------------------------------- one file */

static bool is_unchanged(const struct ext2_inode_large *a,
			 const struct ext2_inode_large *b)
{
	return inode_same_life(a, b) && b->i_links_count &&
	       a->i_ctime == b->i_ctime &&
	       a->i_ctime_extra == b->i_ctime_extra &&
	       a->i_mtime == b->i_mtime &&
	       a->i_mtime_extra == b->i_mtime_extra &&
	       a->i_size == b->i_size && a->i_size_high == b->i_size_high &&
	       a->i_flags == b->i_flags &&
	       !memcmp(a->i_block, b->i_block, sizeof(a->i_block));
}

static errcode_t read_inode(ext2_filsys fs, ext2_ino_t ino,
			    struct ext2_inode_large *inode)
{
	return ext2fs_read_inode_full(fs, ino, (struct ext2_inode *)inode,
				      sizeof(*inode));
}

/* What the file maps now, if it still is the same file. */
static errcode_t map_now(struct e2lazy_later *l, ext2_ino_t ino,
			 const struct ext2_inode_large *then,
			 const struct ext2_inode_large *now)
{
	uint64_t damage = l->damage.count;
	errcode_t err = 0;

	l->mapped.nr = 0;
	l->same_life = inode_same_life(then, now) && now->i_links_count;
	l->written = then->i_mtime != now->i_mtime ||
		     then->i_mtime_extra != now->i_mtime_extra;
	if (l->same_life)
		err = inode_search_one(&l->now_search, ino,
				       (const struct ext2_inode *)now);
	l->all_mapped = damage == l->damage.count;
	return err;
}

static bool has_blocks(const struct ext2_inode_large *inode)
{
	return LINUX_S_ISREG(inode->i_mode) &&
	       !(inode->i_flags & EXT4_INLINE_DATA_FL);
}

errcode_t e2lazy_later_file(struct e2lazy_later *l, ext2_ino_t ino,
			    errcode_t (*found)(void *priv,
					       const struct e2lazy_aged *),
			    void *priv, bool *whole)
{
	struct ext2_inode_large then, now;
	uint64_t damage = l->damage.count;
	errcode_t err = read_inode(l->then_fs, ino, &then);
	bool known;

	*whole = true;
	if (err || !has_blocks(&then))
		return err;
	memset(&now, 0, sizeof(now));
	err = read_inode(l->now_fs, ino, &now);
	if (err == E2LAZY_ET_CANCELLED)
		return err;
	known = !err;
	if (known && !l->unsure && is_unchanged(&then, &now))
		return 0;
	l->found = found;
	l->priv = priv;
	l->end = (EXT2_I_SIZE((struct ext2_inode *)&then) +
		  l->then_fs->blocksize - 1) / l->then_fs->blocksize;
	err = map_now(l, ino, &then, &now);
	l->all_mapped &= known;
	if (!err)
		err = inode_search_one(&l->then_search, ino,
				       (struct ext2_inode *)&then);
	*whole = damage == l->damage.count;
	return err;
}

/* -------------------------------------------------------------- all files */

static errcode_t take_table_block(struct e2lazy_later *l, ext2_ino_t first,
				  uint32_t count,
				  errcode_t (*found)(void *priv,
						     ext2_ino_t ino),
				  void *priv)
{
	struct ext2_inode_large inode;
	errcode_t err = 0;

	for (ext2_ino_t ino = first; !err && ino < first + count; ino++) {
		err = read_inode(l->then_fs, ino, &inode);
		if (err == E2LAZY_ET_CANCELLED)
			return err;
		/* The view reports lost blocks by itself. */
		if (!err && has_blocks(&inode) && inode.i_links_count &&
		    !inode_is_system(l->then_fs->super, ino))
			err = found(priv, ino);
		else
			err = 0;
	}
	return err;
}

/*
 * Blocks from @fsblk on, @most at most, that both views read in place: these are
 * the same bytes.  0: one of them has a copy of the first.
 */
static blk64_t count_shared(const struct e2lazy_later *l, blk64_t fsblk,
			    blk64_t most)
{
	struct e2lazy_piece then, now;

	e2lazy_view_piece(l->then, fsblk, most, &then);
	if (then.source != E2LAZY_IN_PLACE)
		return 0;
	e2lazy_view_piece(l->now, fsblk, then.count, &now);
	return now.source == E2LAZY_IN_PLACE ? now.count : 0;
}

static errcode_t take_group(struct e2lazy_later *l, dgrp_t group,
			    errcode_t (*found)(void *priv, ext2_ino_t ino),
			    void *priv)
{
	ext2_filsys fs = l->then_fs;
	uint32_t per_block = fs->blocksize / EXT2_INODE_SIZE(fs->super);
	uint32_t used = e2lazy_group_inodes(fs, group);
	ext2_ino_t first = group * fs->super->s_inodes_per_group + 1;
	blk64_t table = ext2fs_inode_table_loc(fs, group), shared;
	blk64_t blocks = (used + per_block - 1) / per_block;
	errcode_t err = 0;

	if (!inode_has_table(fs, group))
		return 0;
	for (blk64_t i = 0; !err && i < blocks; i += shared ? shared : 1) {
		uint32_t at = (uint32_t)i * per_block;

		shared = count_shared(l, table + i, blocks - i);
		if (!shared)
			err = take_table_block(l, first + at,
					       used - at < per_block ?
					       used - at : per_block,
					       found, priv);
	}
	return err;
}

errcode_t e2lazy_later_each(struct e2lazy_later *l,
			    const struct e2lazy_watch *watch,
			    errcode_t (*found)(void *priv, ext2_ino_t ino),
			    void *priv)
{
	dgrp_t groups = l->then_fs->group_desc_count;
	errcode_t err = 0;

	for (dgrp_t g = 0; !err && g < groups; g++) {
		err = watch_tick(watch, E2LAZY_PHASE_INODES, g, groups);
		if (!err)
			err = take_group(l, g, found, priv);
	}
	return err;
}

errcode_t e2lazy_later_open(struct e2lazy_view *view, ext2_filsys fs,
			    struct e2lazy_later **out,
			    struct e2lazy_where *where)
{
	struct e2lazy_later *l = calloc(1, sizeof(*l));
	struct e2lazy_where unused;
	errcode_t err;

	*out = NULL;
	if (!l)
		return EXT2_ET_NO_MEMORY;
	l->then = view;
	l->then_fs = fs;
	err = open_now(l, where ? where : &unused);
	if (!err)
		err = io_channel_alloc_buf(fs->io, 1, &l->bitmap);
	if (!err)
		err = inode_search_init(&l->then_search, fs, take_then, l,
					&l->damage);
	if (!err)
		err = inode_search_init(&l->now_search, l->now_fs, take_now, l,
					&l->damage);
	if (err)
		e2lazy_later_free(l);
	else
		*out = l;
	return err;
}

void e2lazy_later_free(struct e2lazy_later *l)
{
	if (!l)
		return;
	inode_search_free(&l->then_search);
	inode_search_free(&l->now_search);
	extents_free(&l->mapped);
	ext2fs_free_mem(&l->bitmap);
	if (l->now_fs)
		ext2fs_free(l->now_fs);
	e2lazy_view_free(l->now);
	e2lazy_jmap_free(l->map);
	free(l);
}
