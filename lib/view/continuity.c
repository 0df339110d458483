/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * continuity.c - do later transactions continue the inodes of earlier ones?
 *
 * Two file systems that were made on the same device with the same UUID look
 * alike in all that mke2fs writes.  The kernel's inodes differ: it gives each
 * new file a random generation.
 *
 *  - An inode in use before and after with the same generation, not 0, is the
 *    same file: the later transactions continue the earlier ones.  The inodes of
 *    mke2fs have the generation 0 in every file system.
 *  - So does an inode that was changed or created after mke2fs, in a transaction
 *    that was committed before mke2fs: the clock was set back.
 *  - An inode in use before and after that holds another file was deleted and
 *    used again in between, or is another file system's.  One such inode proves
 *    nothing; many of them, and none that continues, do.
 *
 * A static block counts up to the inodes that its group has used so far: mke2fs
 * may leave the blocks behind them as it finds them (lazy_itable_init).
 */

#include "fs/identify.h"
#include "fs/inode_life.h"
#include "io/halve.h"
#include "log/log.h"
#include "continuity.h"

struct pair {
	struct continuity_search *search;
	struct continuity *run;
	uint64_t	sec;		/* commit time */
	uint8_t		*then, *now;	/* bytes of an inode table block */
	uint32_t	known;		/* inodes of @then that count */
	bool		logged;		/* @then is a copy; the static block may
					   be newer than @now */
};

/* The run of a moment, or NULL before the first one. */
static struct continuity *run_of(const struct continuity_search *s,
				 uint32_t moment)
{
	struct halving h = { .high = s->nr_runs };

	while (halve(&h))
		halved(&h, s->runs[h.mid].first <= moment);
	return h.low ? &s->runs[h.low - 1] : NULL;
}

/* --------------------------------------------------------- two inodes */

static bool is_in_use(const struct ext2_inode_large *inode)
{
	return inode->i_mode && inode->i_links_count;
}

static bool is_since(uint64_t made, uint32_t field, uint32_t extra)
{
	int64_t sec = inode_seconds(field, extra);

	return sec > 0 && (uint64_t)sec > made;
}

/* A kernel counts it up with each change, or leaves it 0. */
static uint64_t version_of(const struct ext2_inode_large *inode)
{
	return (uint64_t)inode->i_version_hi << 32 |
	       inode->osd1.linux1.l_i_version;
}

/* Was it committed before mke2fs, yet changed after it? */
static bool is_from_future(const struct pair *p,
			   const struct ext2_inode_large *inode)
{
	uint64_t made = p->search->made;

	return p->sec && p->sec < made &&
	       (is_since(made, inode->i_ctime, inode->i_ctime_extra) ||
		is_since(made, inode->i_crtime, inode->i_crtime_extra));
}

static void compare_inodes(struct pair *p, ext2_filsys fs, uint32_t index)
{
	size_t at = (size_t)index * EXT2_INODE_SIZE(fs->super);
	struct ext2_inode_large then, now;

	inode_take(fs, p->now + at, &now);
	if (!is_in_use(&now))
		return;
	p->run->continues |= is_from_future(p, &now);
	if (index >= p->known)
		return;
	inode_take(fs, p->then + at, &then);
	if (!is_in_use(&then))
		return;
	if (now.i_generation && now.i_generation == then.i_generation) {
		p->run->continues = true;
		p->run->goes_back |= p->logged &&
				     version_of(&now) < version_of(&then);
	} else {
		p->run->replaced += !inode_same_life(&then, &now);
	}
}

/* --------------------------------------------------------- two blocks */

/* Inodes of the static block that this file system has certainly written. */
static uint32_t known_in_place(ext2_filsys fs, const struct e2lazy_place *place)
{
	uint32_t before = (place->ino - 1) % fs->super->s_inodes_per_group;
	uint32_t used = e2lazy_group_inodes(fs, place->group);

	return used > before ? used - before : 0;
}

/* Read what the block held before the run; 0 inodes count if that fails. */
static void read_then(struct pair *p, const struct e2lazy_place *place,
		      blk64_t fsblk)
{
	const struct versions *versions = p->search->versions;
	const struct e2lazy_journal *j = versions->journal;
	const struct record *r = versions_at(versions, fsblk,
					     p->run->first - 1);

	p->known = 0;
	p->logged = r != NULL;
	if (r && !versions_read(versions, r, p->then))
		p->known = EXT2_INODES_PER_BLOCK(j->fs->super);
	if (!r && !io_channel_read_blk64(j->fs->io, fsblk, 1, p->then))
		p->known = known_in_place(j->fs, place);
}

static errcode_t compare_blocks(struct pair *p, const struct record *r)
{
	struct continuity_search *s = p->search;
	ext2_filsys fs = s->versions->journal->fs;
	uint32_t inodes = EXT2_INODES_PER_BLOCK(fs->super);
	struct e2lazy_place place;

	e2lazy_layout_find(s->layout, record_fsblk(r), &place);
	if (place.type != E2LAZY_TYPE_INODE_TABLE ||
	    versions_read(s->versions, r, p->now))
		return 0;
	p->sec = s->versions->moments[r->tid].sec;
	read_then(p, &place, record_fsblk(r));
	for (uint32_t i = 0; i < inodes; i++)
		compare_inodes(p, fs, i);
	return s->tick(s->priv);
}

errcode_t continuity_find(struct continuity_search *s)
{
	const struct versions *versions = s->versions;
	struct pair p = { .search = s };
	errcode_t err;

	err = io_channel_alloc_buf(versions->journal->io, 2, &p.then);
	if (err)
		return err;
	p.now = p.then + versions->journal->geo.blocksize;
	for (size_t i = 0; !err && i < versions->list.nr; i++) {
		const struct record *r = version_get(versions, i);

		p.run = run_of(s, r->tid);
		if (p.run && !p.run->goes_back && !version_is_revoke(r))
			err = compare_blocks(&p, r);
	}
	ext2fs_free_mem(&p.then);
	return err;
}
