/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fast.c - deletions that only a fast commit knows
 *
 * Fast commits count on top of the log, and a map does not hold them: the view
 * shows a file that one of them deleted.  An UNLINK record has the name; an
 * INODE record with another generation or creation time is the next file's.
 * So a life is over if a fast commit takes its last name, or has the next one.
 * Its blocks are not free in any bitmap yet.
 *
 * The records are read twice: first the ends of lives, and once the names from
 * directories are known, the names that these took.
 *
 * An ADD_RANGE record gives blocks to a file, which no bitmap shows yet: they
 * had another owner, if they were a deleted file's.
 */

#include <string.h>

#include "undelete.h"
#include "view/view.h"

struct fast {
	struct e2lazy_undelete *u;
	uint32_t	valid;		/* the first so many records count */
	uint32_t	record;		/* number of the next */
	bool		name;		/* the second time */
};

/* The life that the ring knows, unless a record began a later one. */
static struct life *life_of(const struct fast *f, ext2_ino_t ino)
{
	uint32_t number = lives_at(f->u, ino, MOMENT_NOW);
	struct life *life = number == NO_LIFE ? NULL : life_get(f->u, number);

	return life && !life->renewed && (f->name || life->alive) ? life : NULL;
}

static errcode_t take_unlink(struct fast *f, const struct e2lazy_fc_record *r)
{
	struct e2lazy_undelete *u = f->u;
	struct life *life = life_of(f, r->ino);

	if (!life)
		return 0;
	if (!f->name) {
		if (life->fast_links > INT16_MIN)
			life->fast_links--;
		return 0;
	}
	return life->fast ? names_add(u, life, lives_newest(u, r->parent),
				      r->parent, (const uint8_t *)r->name,
				      (uint8_t)(r->length - 8)) : 0;
}

static errcode_t take_link(struct fast *f, const struct e2lazy_fc_record *r)
{
	struct life *life = life_of(f, r->ino);

	if (life && life->fast_links < INT16_MAX)
		life->fast_links++;
	return 0;
}

/* The record has the inode's number, and its bytes up to the extra fields. */
static errcode_t take_inode(struct fast *f, const struct e2lazy_fc_record *r)
{
	struct life *life = life_of(f, r->ino);
	size_t bytes = r->length - 4;
	struct ext2_inode_large inode;

	if (!life)
		return 0;
	inode_take_first(f->u->fs, r->value + 4, bytes, &inode);
	life->renewed = inode.i_generation != life->generation ||
			(bytes > EXT2_GOOD_OLD_INODE_SIZE &&
			 (inode.i_crtime != life->crtime ||
			  inode.i_crtime_extra != life->crtime_extra));
	return 0;
}

static errcode_t note_range(struct e2lazy_undelete *u,
			    const struct e2lazy_fc_record *r)
{
	struct record range = { .logblk = r->len, .tid = r->ino };

	record_set_fsblk(&range, r->pblk);
	return r->unwritten ? 0 : records_add(&u->ranges, &range);
}

static errcode_t take_record(void *priv, const struct e2lazy_fc_record *r)
{
	struct fast *f = priv;
	errcode_t err = watch_stop(f->u->opts->watch);

	if (err || f->record++ >= f->valid)
		return err;
	if (!f->name)
		err = made_take(f->u, r);
	if (!err && !f->name && r->kind == E2LAZY_FC_ADD_RANGE)
		err = note_range(f->u, r);
	if (err)
		return err;
	switch (r->kind) {
	case E2LAZY_FC_UNLINK:	return take_unlink(f, r);
	case E2LAZY_FC_CREAT:
	case E2LAZY_FC_LINK:	return take_link(f, r);
	case E2LAZY_FC_INODE:	return take_inode(f, r);
	}
	return 0;
}

/* The area is behind the newest log; an unreadable block ends it. */
static errcode_t read_area(struct fast *f)
{
	uint32_t next = e2lazy_jmap_end(view_map(f->u->view))->tid;
	struct e2lazy_fc_summary summary = { .valid = 0 };
	struct e2lazy_journal *j = f->u->journal;

	f->record = 0;
	f->valid = 0;
	if (f->u->past ||
	    e2lazy_fc_scan(j, next, NULL, NULL, &summary, NULL))
		return 0;
	f->valid = summary.valid;
	return f->valid ? e2lazy_fc_scan(j, next, take_record, f, &summary,
					 NULL) : 0;
}

/* A directory has one name; a subdirectory's name counts as a link, too. */
static bool is_over(const struct e2lazy_undelete *u, const struct life *life)
{
	struct ext2_inode inode;

	if (life->renewed)
		return true;
	if (life->fast_links >= 0 || ext2fs_read_inode(u->fs, life->ino,
						       &inode))
		return false;
	return LINUX_S_ISDIR(life->mode) ||
	       inode.i_links_count + life->fast_links <= 0;
}

/* Blocks that two inodes had are nobody's own: inode 0 has them. */
static errcode_t join_ranges(struct e2lazy_undelete *u)
{
	struct records *list = &u->ranges;
	errcode_t err = records_sort(list);
	size_t nr = 0;

	for (size_t i = 0; !err && i < list->nr; i++) {
		struct record *to = &list->at[nr ? nr - 1 : 0];
		const struct record *r = &list->at[i];
		blk64_t end = record_fsblk(r) + r->logblk;

		if (!nr || record_fsblk(r) >= record_fsblk(to) + to->logblk) {
			list->at[nr++] = *r;
			continue;
		}
		if (end > record_fsblk(to) + to->logblk)
			to->logblk = end - record_fsblk(to) < UINT32_MAX ?
				     (uint32_t)(end - record_fsblk(to)) :
				     UINT32_MAX;
		if (to->tid != r->tid)
			to->tid = 0;
	}
	list->nr = nr;
	return err;
}

errcode_t fast_find(struct e2lazy_undelete *u)
{
	struct fast f = { .u = u };
	errcode_t err = read_area(&f);

	if (!err)
		err = join_ranges(u);

	for (uint32_t i = 0; !err && f.valid && i < u->lives.nr; i++) {
		struct life *life = life_get(u, i);

		life->fast = life->alive && is_over(u, life);
		life->renewed = false;
		if (!life->fast)
			continue;
		life->alive = false;
		life->pending = true;
		life->gone = MOMENT_NOW;
	}
	return err ? err : made_end(u);
}

errcode_t fast_names(struct e2lazy_undelete *u)
{
	struct fast f = { .u = u, .name = true };

	return read_area(&f);
}
