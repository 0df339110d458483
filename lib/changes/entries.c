/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * entries.c - the names that directories have lost and got in a step
 *
 * A directory's index moves names between blocks, so the names of all blocks
 * that differ count together: a name that stands in both lists has not changed,
 * unless it is that of one file, and then of another in the same inode.
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

/* ----------------------------------------------------- one directory */

static errcode_t note_went(void *priv, const struct e2lazy_entry *e)
{
	struct step *step = priv;

	return is_dots(e) || !e->length ? 0 :
	       entries_add(&step->went, step->dir, e->ino, e->name, e->length);
}

/*
 * A name of a block that is unknown before may be an old one, unless the file
 * is new.
 */
static errcode_t note_came(void *priv, const struct e2lazy_entry *e)
{
	struct step *step = priv;
	const struct changed_inode *c;

	if (is_dots(e) || !e->length)
		return 0;
	c = step->seen_only ? step_find(step, e->ino) : NULL;
	if (step->seen_only && !(c && step_has_begun(step, c)))
		return names_seen(step->names, e->ino, step->dir, e->name,
				  e->length);
	return entries_add(&step->came, step->dir, e->ino, e->name, e->length);
}

static bool is_unknown(const struct step *step, blk64_t fsblk)
{
	size_t i = 0;

	while (i < step->nr_unknown && step->unknown[i] != fsblk)
		i++;
	return i < step->nr_unknown;
}

/* If memory is short, no name of the directory is told as new. */
static void note_unknown(struct step *step, blk64_t fsblk)
{
	blk64_t *at = grow(step->unknown, step->nr_unknown,
			   &step->unknown_room, sizeof(*at));

	if (!at) {
		step->dir_known = false;
		return;
	}
	step->unknown = at;
	at[step->nr_unknown++] = fsblk;
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
	note_unknown(step, fsblk);
	step_lost(step, fsblk, true, err);
	return false;
}

static bool wants_after(void *priv, blk64_t fsblk)
{
	struct step *step = priv;

	if (!step_has(step, fsblk))
		return false;
	step->seen_only = !step->dir_all_new &&
			  (!step->dir_known || is_unknown(step, fsblk));
	return true;
}

/* Damage of a directory: the rest of its names count. */
static errcode_t tell_damage(struct step *step, bool before, errcode_t err)
{
	struct e2lazy_damage damage = step->damage;

	memset(&step->damage, 0, sizeof(step->damage));
	if (err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED)
		return err;
	if (damage.count && damage.first.has & E2LAZY_AT_FSBLK)
		return step_lost(step, damage.first.fsblk, before,
				 damage.error);
	if (err)
		return step_lost(step, inode_home(step->after, step->dir),
				 before, err);
	return 0;
}

static errcode_t read_directory(struct step *step,
				const struct changed_inode *c)
{
	bool same = c->before.directory && c->after.directory &&
		    inode_same_life(&c->before.inode, &c->after.inode);
	errcode_t err = 0;

	step->dir = c->ino;
	step->nr_unknown = 0;
	step->dir_known = c->before.known;
	step->dir_all_new = (c->before.known && !same) ||
			    step_is_born(step, c);
	if (c->before.directory) {
		err = directories_read(&step->dirs_before, c->ino);
		err = tell_damage(step, true, err);
	}
	if (!err && c->after.directory) {
		step->seen_only = !step->dir_known && !step->dir_all_new;
		err = directories_read(&step->dirs_after, c->ino);
		err = tell_damage(step, false, err);
	}
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

static bool is_of_two(const struct step *step, ext2_ino_t ino)
{
	const struct changed_inode *c = step_find(step, ino);

	return c && step_has_begun(step, c);
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
		if (!order && is_of_two(step, w->at[i].ino))
			order = -1;
		if (order < 0) {
			w->at[kept_w++] = w->at[i++];
		} else if (order > 0) {
			c->at[kept_c++] = c->at[j++];
		} else {
			err = names_seen(step->names, c->at[j].ino,
					 c->at[j].dir,
					 c->text + c->at[j].text,
					 c->at[j].length);
			i++;
			j++;
		}
	}
	w->nr = kept_w;
	c->nr = kept_c;
	return err;
}

errcode_t step_entries(struct step *step)
{
	blk64_t budget = 4 * ext2fs_blocks_count(step->after->super);
	errcode_t err = 0;

	step->went.nr = step->went.used = 0;
	step->came.nr = step->came.used = 0;
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
	return cancel(step);
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
