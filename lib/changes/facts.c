/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* facts.c - facts of a step: its blocks, its inodes, and what their times tell */

#include <stdlib.h>

#include "changes.h"

static int by_fsblk(const void *a, const void *b)
{
	const blk64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

bool step_has(const struct step *step, blk64_t fsblk)
{
	return step->nr_blocks && bsearch(&fsblk, step->blocks,
					  step->nr_blocks, sizeof(fsblk),
					  by_fsblk);
}

errcode_t step_read_before(struct step *step, blk64_t fsblk, uint8_t *block)
{
	if (!step->fresh && step->from_place(step->priv, fsblk))
		return E2LAZY_ET_LOST;
	return io_channel_read_blk64(step->before->io, fsblk, 1, block);
}

errcode_t step_lost(struct step *step, blk64_t fsblk, bool before,
		    errcode_t why)
{
	if (why == E2LAZY_ET_CANCELLED)
		return why;
	if (step->silent || !step->opts->lost)
		return 0;
	return step->opts->lost(step->opts->priv, fsblk, before, why);
}

static bool is_after(struct e2lazy_time at, struct e2lazy_time bound)
{
	return bound.sec && time_is_later(at, bound);
}

/*
 * Since the first transaction of the stretch, each change of an inode logs its
 * block, so a later change is of this step.  And a transaction begins when all
 * changes of the one before are done: what is later than a change of this step
 * is no earlier one's.
 */
static bool is_later(const struct step *step, uint32_t field, uint32_t extra)
{
	struct e2lazy_time at = inode_time(field, extra);

	return is_after(at, step->began) || is_after(at, step->born);
}

bool step_has_begun(const struct step *step, const struct changed_inode *c)
{
	if (!c->before.known)
		return step_is_born(step, c);
	return c->after.used &&
	       (!c->before.used ||
		!inode_same_life(&c->before.inode, &c->after.inode));
}

static int by_inode(const void *a, const void *b)
{
	const ext2_ino_t *ino = a;
	const struct changed_inode *c = b;

	return (*ino > c->ino) - (*ino < c->ino);
}

const struct changed_inode *step_find(const struct step *step, ext2_ino_t ino)
{
	return step->inodes.nr ? bsearch(&ino, step->inodes.at,
					 step->inodes.nr,
					 sizeof(*step->inodes.at), by_inode) :
				 NULL;
}

void step_find_born(struct step *step)
{
	step->born.sec = 0;
	for (size_t i = 0; i < step->inodes.nr; i++) {
		const struct changed_inode *c = &step->inodes.at[i];
		const struct ext2_inode_large *x = &c->after.inode;
		struct e2lazy_time at = inode_time(x->i_crtime,
						   x->i_crtime_extra);

		if (c->before.known && c->after.used && x->i_crtime &&
		    !inode_same_life(&c->before.inode, x) &&
		    (!step->born.sec || is_after(step->born, at)))
			step->born = at;
	}
}

static bool is_made_later(const struct step *step, const struct inode_at *at)
{
	return at->inode.i_crtime && is_later(step, at->inode.i_crtime,
					      at->inode.i_crtime_extra);
}

bool step_is_born(const struct step *step, const struct changed_inode *c)
{
	return !c->before.known && c->after.used &&
	       is_made_later(step, &c->after);
}

bool step_is_touched(const struct step *step, const struct changed_inode *c)
{
	return !c->before.known && c->after.used &&
	       is_later(step, c->after.inode.i_ctime,
			c->after.inode.i_ctime_extra);
}

/*
 * When the last name goes, the change time is set.  The time of deletion is that
 * of the freed inode: later, if a program still had the file open, and without
 * nanoseconds.  A file that was made in this step, too, was there neither before
 * nor after.
 */
bool step_is_dead(const struct step *step, const struct changed_inode *c)
{
	const struct ext2_inode_large *i = &c->after.inode;

	return !c->before.known && c->after.known && !c->after.used &&
	       i->i_mode && !i->i_links_count && !i->i_blocks &&
	       !(i->i_flags & EXT4_EA_INODE_FL) &&
	       is_later(step, i->i_ctime, i->i_ctime_extra) &&
	       !is_made_later(step, &c->after);
}

/*
 * Another name changes the inode's change time.  So does much else, and a later
 * change hides that of the renaming; so only an older time tells that the name is
 * no new one.  A time without nanoseconds may be that of an inode of 128 bytes,
 * and then anywhere in its second.
 */
bool step_may_rename(const struct step *step, const struct changed_inode *c)
{
	const struct ext2_inode_large *x = &c->before.inode;
	const struct ext2_inode_large *y = &c->after.inode;
	struct e2lazy_time last = inode_time(y->i_ctime, y->i_ctime_extra);
	bool differs = x->i_ctime != y->i_ctime ||
		       x->i_ctime_extra != y->i_ctime_extra;

	if (c->before.known && (differs || last.nsec))
		return differs;
	if (!last.nsec)
		last.nsec = 999999999;
	return !step->began.sec || is_after(last, step->began);
}
