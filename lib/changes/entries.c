/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * entries.c - the names that directories have lost and got in a step
 *
 * A directory's index moves names between blocks, so the names of all blocks
 * that differ count together: a name that stands in both lists has not changed,
 * unless it is that of one file, and then of another in the same inode.  If one
 * of the blocks is unknown before, a name that stands only in the later list may
 * come from there: then it is doubtful, and counts if the links of its inode show
 * that it is new.  If a block is damaged after, a name that stands only in the
 * earlier list may still be there, and is doubtful likewise.
 */

#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "io/grow.h"

errcode_t entries_add(struct entries *list, ext2_ino_t dir, ext2_ino_t ino,
		      const char *name, unsigned length)
{
	struct entry *at = grow(list->at, list->nr, &list->room, sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	list->at = at;
	if (!grow_chars(&list->text, list->used, length, &list->text_room))
		return EXT2_ET_NO_MEMORY;
	memcpy(list->text + list->used, name, length);
	at[list->nr++] = (struct entry){
		.ino = ino, .dir = dir, .text = (uint32_t)list->used,
		.length = (uint8_t)length,
	};
	list->used += length;
	return 0;
}

void entries_free(struct entries *list)
{
	free(list->at);
	free(list->text);
	memset(list, 0, sizeof(*list));
}

size_t entries_of(const struct entries *list, size_t from, ext2_ino_t ino)
{
	size_t count = 0;

	while (from + count < list->nr && list->at[from + count].ino == ino)
		count++;
	return count;
}

/* ----------------------------------------------------- one directory */

static errcode_t note_went(void *priv, const struct e2lazy_entry *e)
{
	struct step *step = priv;

	return is_dots(e) || !e->length ? 0 :
	       entries_add(&step->went, step->dir, e->ino, e->name, e->length);
}

/* If a block is unknown before, no block tells which names are new. */
static errcode_t note_came(void *priv, const struct e2lazy_entry *e)
{
	struct step *step = priv;
	errcode_t err;

	if (is_dots(e) || !e->length)
		return 0;
	err = entries_add(&step->came, step->dir, e->ino, e->name, e->length);
	if (!err)
		step->came.at[step->came.nr - 1].doubtful =
			!step->dir_known && !step->dir_all_new;
	return err;
}

static bool wants_before(void *priv, blk64_t fsblk)
{
	struct step *step = priv;
	errcode_t err;

	if (!step_has(step, fsblk))
		return false;
	err = step_read_before(step, fsblk, step->old);
	if (!err || err == E2LAZY_ET_CANCELLED)
		return true;
	step->dir_known = false;
	step_lost(step, fsblk, true, err);
	return false;
}

static bool wants_after(void *priv, blk64_t fsblk)
{
	return step_has(priv, fsblk);
}

/* Damage of a directory: the rest of its names count. */
static errcode_t tell_damage(struct step *step, bool before, errcode_t err)
{
	struct e2lazy_damage damage = step->damage;

	memset(&step->damage, 0, sizeof(step->damage));
	if (err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED)
		return err;
	if (before && (err || damage.count))
		step->dir_known = false;
	if (damage.count && damage.first.has & E2LAZY_AT_FSBLK)
		return step_lost(step, damage.first.fsblk, before,
				 damage.error);
	if (err)
		return step_lost(step, inode_home(step->after, step->dir),
				 before, err);
	return 0;
}

/* Damage after may hide the directory's names of before. */
static errcode_t read_after(struct step *step, ext2_ino_t dir,
			    size_t first_went)
{
	errcode_t err = directories_read(&step->dirs_after, dir);

	if (err || step->damage.count)
		for (size_t i = first_went; i < step->went.nr; i++)
			step->went.at[i].doubtful = true;
	return tell_damage(step, false, err);
}

static errcode_t read_directory(struct step *step,
				const struct changed_inode *c)
{
	size_t first_went = step->went.nr;
	bool same = c->before.directory && c->after.directory &&
		    inode_same_life(&c->before.inode, &c->after.inode);
	errcode_t err = 0;

	step->dir = c->ino;
	step->dir_known = c->before.known;
	step->dir_all_new = (c->before.known && !same) ||
			    step_is_born(step, c);
	if (c->before.directory) {
		err = directories_read(&step->dirs_before, c->ino);
		err = tell_damage(step, true, err);
	}
	if (!err && c->after.directory)
		err = read_after(step, c->ino, same ? first_went :
						      step->went.nr);
	return err;
}

/* ------------------------------------------------------------- all of them */

static int compare(const struct entries *a, const struct entry *x,
		   const struct entries *b, const struct entry *y)
{
	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	if (x->dir != y->dir)
		return x->dir < y->dir ? -1 : 1;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return memcmp(a->text + x->text, b->text + y->text, x->length);
}

/* qsort() tells its function nothing else. */
static _Thread_local const struct entries *sorted;

static int by_name(const void *a, const void *b)
{
	return compare(sorted, a, sorted, b);
}

static void sort_entries(struct entries *list)
{
	sorted = list;
	if (list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), by_name);
}

static bool begins(const struct step *step, ext2_ino_t ino)
{
	const struct changed_inode *c = step_find(step, ino);

	return c && step_has_begun(step, c);
}

/* Tell that the step has not changed the name. */
static errcode_t pass_over(struct step *step, const struct entries *list,
			   const struct entry *e)
{
	return names_seen(step->names, e->ino, e->dir, list->text + e->text,
			  e->length);
}

/* Take out the names of both lists, which have not changed. */
static errcode_t cancel(struct step *step)
{
	struct entries *w = &step->went, *c = &step->came;
	size_t i = 0, j = 0, kept_w = 0, kept_c = 0;
	errcode_t err = 0;
	int order;

	while (!err && (i < w->nr || j < c->nr)) {
		order = i == w->nr ? 1 : j == c->nr ? -1 :
			compare(w, &w->at[i], c, &c->at[j]);
		if (!order && begins(step, w->at[i].ino))
			order = -1;
		if (order < 0) {
			w->at[kept_w++] = w->at[i++];
		} else if (order > 0) {
			c->at[kept_c++] = c->at[j++];
		} else {
			err = pass_over(step, c, &c->at[j++]);
			i++;
		}
	}
	w->nr = kept_w;
	c->nr = kept_c;
	return err;
}

/* ---------------------------------------------------------- doubtful names */

/* The names of one inode in a list. */
struct own_names {
	struct entries	*list;
	size_t		from, count;
	size_t		doubtful;	/* of them */
	size_t		kept;		/* of all before them */
};

static void take_next(struct own_names *own, ext2_ino_t ino)
{
	own->from += own->count;
	own->count = entries_of(own->list, own->from, ino);
	own->doubtful = 0;
	for (size_t i = 0; i < own->count; i++)
		own->doubtful += own->list->at[own->from + i].doubtful;
}

static int64_t count_certain(const struct own_names *own)
{
	return (int64_t)own->count - (int64_t)own->doubtful;
}

/* Do the links of the inode tell how many of its names came or went? */
static bool has_count(const struct changed_inode *c)
{
	return c && (c->before.used || c->after.directory);
}

/*
 * A name of the file went, and nobody knows how many it had: a doubtful name may
 * have come for that one.  Then subject.c judges.
 */
static bool may_replace(const struct changed_inode *c,
			const struct own_names *went)
{
	return c && !c->before.known && c->after.used && count_certain(went);
}

/*
 * How many of the inode's doubtful names are new?  The index may have moved each
 * from a block that is unknown.  Links tell the number of names that came: those
 * that the inode has more, and those that went.  Certain names come first; the
 * blocks may hide names that went, so there may be more.
 */
static int64_t count_new(const struct step *step, ext2_ino_t ino,
			 const struct own_names *went,
			 const struct own_names *came)
{
	const struct changed_inode *c = step_find(step, ino);

	if (begins(step, ino) || may_replace(c, went))
		return (int64_t)came->doubtful;
	if (!has_count(c))
		return 0;
	return inode_more_names(c) + count_certain(went) - count_certain(came);
}

/* How many have gone?  Likewise; but all names of a file go with it. */
static int64_t count_gone(const struct step *step, ext2_ino_t ino,
			  const struct own_names *went,
			  const struct own_names *came)
{
	const struct changed_inode *c = step_find(step, ino);

	if (begins(step, ino) || (c && !c->after.used))
		return (int64_t)went->doubtful;
	if (!has_count(c))
		return 0;
	return count_certain(came) - count_certain(went) - inode_more_names(c);
}

/* No block tells whether the name is new. */
static errcode_t leave_out(struct step *step, const struct entries *list,
			   const struct entry *e)
{
	const struct changed_inode *c = step_find(step, e->ino);

	if (list == &step->came && c && step_may_rename(step, c))
		return entries_add(&step->perhaps, e->dir, e->ino,
				   list->text + e->text, e->length);
	return pass_over(step, list, e);
}

errcode_t step_take_perhaps(struct step *step)
{
	const struct entries *list = &step->perhaps;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < list->nr; i++)
		err = names_may_have_come(step->names, list->at[i].ino,
					  list->at[i].dir,
					  list->text + list->at[i].text,
					  list->at[i].length);
	return err;
}

/* Which of the doubtful names count is known only if all do. */
static errcode_t keep_counted(struct step *step, struct own_names *own,
			      int64_t counted)
{
	struct entry *at = own->list->at;
	errcode_t err = 0;

	for (size_t i = own->from; !err && i < own->from + own->count; i++)
		if (!at[i].doubtful || counted >= (int64_t)own->doubtful)
			at[own->kept++] = at[i];
		else
			err = leave_out(step, own->list, &at[i]);
	return err;
}

/* 0 if the list has no more. */
static ext2_ino_t next_inode(const struct own_names *own)
{
	size_t next = own->from + own->count;

	return next < own->list->nr ? own->list->at[next].ino : 0;
}

/* Take out the doubtful names that are not known to have come or gone. */
static errcode_t leave_doubtful(struct step *step)
{
	struct own_names went = { .list = &step->went };
	struct own_names came = { .list = &step->came };
	int64_t gone, new;
	errcode_t err = 0;
	ext2_ino_t ino;

	while (!err && (ino = least(next_inode(&went), next_inode(&came)))) {
		take_next(&went, ino);
		take_next(&came, ino);
		gone = count_gone(step, ino, &went, &came);
		new = count_new(step, ino, &went, &came);
		err = keep_counted(step, &went, gone);
		if (!err)
			err = keep_counted(step, &came, new);
	}
	step->went.nr = went.kept;
	step->came.nr = came.kept;
	return err;
}

errcode_t step_entries(struct step *step)
{
	blk64_t budget = 4 * ext2fs_blocks_count(step->after->super);
	errcode_t err = 0;

	step->went.nr = step->went.used = 0;
	step->came.nr = step->came.used = 0;
	step->perhaps.nr = step->perhaps.used = 0;
	inode_reader_forget(&step->dirs_before.reader);
	inode_reader_forget(&step->dirs_after.reader);
	step->dirs_before.search.budget = budget;
	step->dirs_after.search.budget = budget;
	for (size_t i = 0; !err && i < step->inodes.nr; i++)
		if (step->inodes.at[i].before.directory ||
		    step->inodes.at[i].after.directory)
			err = read_directory(step, &step->inodes.at[i]);
	if (err)
		return err;
	sort_entries(&step->went);
	sort_entries(&step->came);
	err = cancel(step);
	return err ? err : leave_doubtful(step);
}

errcode_t step_directories(struct step *step)
{
	errcode_t err = directories_init(&step->dirs_before, step->before,
					 NULL, note_went, step, &step->damage);

	if (!err)
		err = directories_init(&step->dirs_after, step->after, NULL,
				       note_came, step, &step->damage);
	step->dirs_before.wants = wants_before;
	step->dirs_after.wants = wants_after;
	return err;
}
