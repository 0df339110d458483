/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * owned.c - the files that get and lose one block, transaction by transaction
 *
 * A file that gets a block, or loses it, changes its inode: its number of blocks,
 * and mostly its map.  So the inodes that a transaction logged are asked, with
 * their maps as they were then.  The first answer of a file whose inode is unknown
 * before shows only that it has the block by then.
 */

#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "fs/inode_blocks.h"
#include "io/grow.h"

struct one_owner {
	struct e2lazy_owner owner;
	bool		exact;
};

struct one_owners {
	struct one_owner *at;
	size_t		nr, room;
};

struct owned {
	blk64_t		block;
	struct one_owners have;		/* up to now: mostly one, or none */
	struct one_owners got, lost;	/* in the step */
	struct inode_search before, after;
	struct e2lazy_damage damage;
	struct e2lazy_owner owner;	/* in the map that is being read, */
	bool		found;		/* if it has the block */
};

static errcode_t look(void *priv, const struct e2lazy_owner *piece,
		      blk64_t count)
{
	struct owned *o = priv;

	if (o->block - piece->fsblk >= count)
		return 0;
	o->found = true;
	o->owner = *piece;
	o->owner.lblk += o->block - piece->fsblk;
	o->owner.fsblk = o->block;
	return 0;
}

errcode_t owned_open(struct step *step)
{
	struct owned *o = calloc(1, sizeof(*o));
	errcode_t err;

	step->owned = o;
	if (!o)
		return EXT2_ET_NO_MEMORY;
	o->block = step->opts->block;
	err = inode_search_init(&o->before, step->before, look, o, &o->damage);
	return err ? err : inode_search_init(&o->after, step->after, look, o,
					     &o->damage);
}

void owned_close(struct step *step)
{
	struct owned *o = step->owned;

	if (!o)
		return;
	inode_search_free(&o->before);
	inode_search_free(&o->after);
	free(o->have.at);
	free(o->got.at);
	free(o->lost.at);
	free(o);
	step->owned = NULL;
}

void owned_rewind(struct step *step)
{
	step->owned->have.nr = 0;
}

/* ---------------------------------------------------------------- lists */

static errcode_t add(struct one_owners *list, const struct e2lazy_owner *owner,
		     bool exact)
{
	struct one_owner *at = grow(list->at, list->nr, &list->room,
				    sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	list->at = at;
	at[list->nr++] = (struct one_owner){ *owner, exact };
	return 0;
}

static struct one_owner *find(const struct one_owners *list, ext2_ino_t ino)
{
	for (size_t i = 0; i < list->nr; i++)
		if (list->at[i].owner.ino == ino)
			return &list->at[i];
	return NULL;
}

static void drop(struct one_owners *list, struct one_owner *gone)
{
	*gone = list->at[--list->nr];
}

/* ------------------------------------------------------------ one inode */

/* Does the inode have the block?  Then o->owner tells what for. */
static errcode_t ask(struct step *step, struct inode_search *search,
		     ext2_ino_t ino, const uint8_t *raw)
{
	struct owned *o = step->owned;
	struct ext2_inode_large inode;
	const struct ext2_inode *i = (const struct ext2_inode *)&inode;
	errcode_t err = 0;

	o->found = false;
	memset(&o->damage, 0, sizeof(o->damage));
	inode_take(search->fs, raw, &inode);
	search->budget = 2 * ext2fs_blocks_count(search->fs->super);
	if (inode_in_use(search->fs, ino, i))
		err = inode_search_one(search, ino, i);
	if (!err && o->damage.count && o->damage.first.has & E2LAZY_AT_FSBLK)
		err = step_lost(step, o->damage.first.fsblk,
				search == &o->before, o->damage.error);
	return err;
}

/* The inode had the block up to this step, and one life of it still has. */
static bool goes_on(const struct owned *o, const struct one_owner *had)
{
	return o->found && o->owner.generation == had->owner.generation;
}

/* @old is known, and what had the block then is not listed yet. */
static errcode_t ask_before(struct step *step, ext2_ino_t ino,
			    const uint8_t *old)
{
	struct owned *o = step->owned;
	errcode_t err = ask(step, &o->before, ino, old);

	return err || !o->found ? err : add(&o->have, &o->owner, false);
}

errcode_t owned_compare(struct step *step, ext2_ino_t ino, const uint8_t *old,
			const uint8_t *new)
{
	struct owned *o = step->owned;
	struct one_owner *had = find(&o->have, ino);
	bool listed = had;
	errcode_t err = had || !old ? 0 : ask_before(step, ino, old);

	if (!err)
		err = ask(step, &o->after, ino, new);
	if (err)
		return err;
	had = find(&o->have, ino);
	if (had && !goes_on(o, had)) {
		err = add(&o->lost, &had->owner, true);
		drop(&o->have, had);
	} else if (had && !listed) {
		/* It has had the block since before the stretch. */
		return add(&o->got, &o->owner, false);
	} else if (had) {
		return 0;
	}
	if (err || !o->found)
		return err;
	err = add(&o->have, &o->owner, true);
	return err ? err : add(&o->got, &o->owner, old);
}

/* -------------------------------------------------------------- telling */

static errcode_t tell_one(struct step *step, const struct one_owner *one,
			  bool got)
{
	struct e2lazy_owner_change c = {
		.tid = step->tid, .sec = step->sec, .nsec = step->nsec,
		.got = got, .exact = one->exact, .owner = one->owner,
	};
	char *path = NULL;
	errcode_t err;

	if (step->silent)
		return names_want(step->names, one->owner.ino);
	err = names_tell(step->names, one->owner.ino, &path);
	c.path = path;
	if (!err)
		err = step->opts->owned(step->opts->priv, &c);
	free(path);
	return err;
}

errcode_t owned_tell(struct step *step, bool got)
{
	struct one_owners *list = got ? &step->owned->got : &step->owned->lost;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < list->nr; i++)
		err = tell_one(step, &list->at[i], got);
	list->nr = 0;
	return err;
}
