/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * missing.c - deleted inodes of which the ring has no copy in use, and why
 *
 * The inode of a deleted file keeps mode, owner, generation and the times of
 * its creation and deletion.  These and the ring's oldest transaction tell why
 * there is no copy.
 */

#include <stdlib.h>

#include "fs/inode_search.h"
#include "undelete.h"

const char *e2lazy_missing_name(enum e2lazy_missing_reason reason)
{
	static const char *const names[E2LAZY_NR_MISSING] = {
		[E2LAZY_MISSING_EMPTY] = "empty",
		[E2LAZY_MISSING_BEFORE] = "before",
		[E2LAZY_MISSING_BAD] = "bad",
		[E2LAZY_MISSING_BRIEF] = "brief",
		[E2LAZY_MISSING_OVERWRITTEN] = "overwritten",
	};

	return names[reason];
}

struct missing {
	struct e2lazy_undelete *u;
	errcode_t	(*found)(void *priv, const struct e2lazy_missing *);
	void		*priv;
	uint64_t	oldest;		/* commit times: of the first one, and */
	uint64_t	gapless;	/* of the first one without a gap since */
};

static int by_block(const void *a, const void *b)
{
	const blk64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static bool has_bad_copy(const struct e2lazy_undelete *u, blk64_t home)
{
	return u->nr_bad && bsearch(&home, u->bad, u->nr_bad,
				    sizeof(*u->bad), by_block);
}

static enum e2lazy_missing_reason
reason_of(const struct missing *m, ext2_ino_t ino,
	  const struct ext2_inode_large *i)
{
	if (!m->u->versions.nr_moments)
		return E2LAZY_MISSING_EMPTY;
	if (has_bad_copy(m->u, inode_home(m->u->fs, ino)))
		return E2LAZY_MISSING_BAD;
	if (i->i_dtime < m->oldest)
		return E2LAZY_MISSING_BEFORE;
	/* Clocks of a second: the oldest one's own files are not brief. */
	return i->i_crtime > m->gapless ? E2LAZY_MISSING_BRIEF :
					  E2LAZY_MISSING_OVERWRITTEN;
}

static errcode_t tell(const struct missing *m, ext2_ino_t ino,
		      const struct ext2_inode_large *i)
{
	const struct e2lazy_missing out = {
		.ino = ino, .generation = i->i_generation, .mode = i->i_mode,
		.uid = inode_uid(*i), .gid = inode_gid(*i),
		.sec = i->i_dtime, .reason = reason_of(m, ino, i),
	};

	return m->found ? m->found(m->priv, &out) : 0;
}

/*
 * Is it the free inode of a deleted file?  An orphan, whose i_dtime links, has
 * blocks.
 */
static bool is_gone(const struct ext2_inode_large *i)
{
	return i->i_mode && !i->i_links_count && i->i_dtime && !i->i_blocks &&
	       !(i->i_flags & EXT4_EA_INODE_FL);
}

/* Does the ring know this life, the newest of the inode or an earlier one? */
static bool is_known(const struct e2lazy_undelete *u, ext2_ino_t ino,
		     const struct ext2_inode_large *i)
{
	uint32_t number = lives_newest(u, ino);

	for (; number != NO_LIFE; number = life_get(u, number)->earlier) {
		const struct life *life = life_get(u, number);

		if (life->generation == i->i_generation &&
		    life->crtime == i->i_crtime &&
		    life->crtime_extra == i->i_crtime_extra)
			return true;
	}
	return false;
}

static errcode_t missing_in_block(const struct missing *m, ext2_ino_t first,
				  uint32_t count)
{
	struct e2lazy_undelete *u = m->u;
	unsigned size = EXT2_INODE_SIZE(u->fs->super);
	struct ext2_inode_large i;
	errcode_t err;

	u->block_of = UINT32_MAX;
	u->inode_of = NULL;
	err = io_channel_read_blk64(u->fs->io, inode_home(u->fs, first), 1,
				    u->block);
	if (err == E2LAZY_ET_CANCELLED)
		return err;
	if (err) {
		u->unreadable++;
		return 0;
	}
	for (uint32_t n = 0; !err && n < count; n++) {
		inode_take(u->fs, u->block + (size_t)n * size, &i);
		if (is_gone(&i) && first + n >= EXT2_FIRST_INO(u->fs->super) &&
		    !is_known(u, first + n, &i))
			err = tell(m, first + n, &i);
	}
	return err;
}

/* A table that lies nowhere has no inodes. */
static uint32_t written_inodes(ext2_filsys fs, dgrp_t group)
{
	blk64_t table = ext2fs_inode_table_loc(fs, group);

	return table && table < ext2fs_blocks_count(fs->super) ?
	       e2lazy_group_inodes(fs, group) : 0;
}

errcode_t e2lazy_undelete_missing(struct e2lazy_undelete *u,
				  const struct e2lazy_watch *watch,
				  errcode_t (*found)(void *priv,
					const struct e2lazy_missing *missing),
				  void *priv)
{
	struct missing m = { .u = u, .found = found, .priv = priv };
	uint32_t per_group = u->fs->super->s_inodes_per_group;
	uint32_t per_block = u->fs->blocksize / EXT2_INODE_SIZE(u->fs->super);
	errcode_t err = 0;

	if (u->versions.nr_moments) {
		m.oldest = u->versions.moments[0].sec;
		m.gapless = u->gapless < u->versions.nr_moments ?
			    u->versions.moments[u->gapless].sec : 0;
		if (!m.gapless)
			m.gapless = UINT64_MAX;
	}
	if (u->nr_bad)
		qsort(u->bad, u->nr_bad, sizeof(*u->bad), by_block);
	for (dgrp_t g = 0; !err && g < u->fs->group_desc_count; g++) {
		uint32_t used = written_inodes(u->fs, g), n;

		err = watch_tick(watch, E2LAZY_PHASE_INODES, g,
				 u->fs->group_desc_count);
		for (uint32_t i = 0; !err && i < used; i += n) {
			n = e2lazy_empty_inodes(u->fs, g * per_group + i + 1,
						used - i);
			if (n)
				continue;
			n = used - i < per_block ? used - i : per_block;
			err = missing_in_block(&m, g * per_group + i + 1, n);
		}
	}
	return err;
}
