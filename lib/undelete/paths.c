/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * paths.c - paths of deleted files, made of their names
 *
 * A life has the names that ended after its chosen copy.  Where transactions are
 * lost, a name may have ended among them, and so may the life.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/name_search.h"
#include "undelete.h"

/* The deepest path, with names of one byte. */
#define MAX_DEPTH	2048

struct building {
	struct e2lazy_undelete *u;
	struct back_path path;
};

/* ------------------------------------------------ files that still exist */

static bool is_nameless(void *priv, ext2_ino_t ino)
{
	struct e2lazy_undelete *u = priv;
	uint32_t number = lives_newest(u, ino);
	const struct life *life = number == NO_LIFE ? NULL :
				  life_get(u, number);

	return life && life->alive && life->state != NO_LIFE &&
	       life->names == NO_NAME;
}

static errcode_t take_name(void *priv, ext2_ino_t ino, ext2_ino_t dir,
			   const char *name, unsigned length)
{
	struct e2lazy_undelete *u = priv;

	return names_add(u, life_get(u, lives_newest(u, ino)),
			 lives_newest(u, dir), dir, (const uint8_t *)name,
			 (uint8_t)length);
}

/* One name of each: further names of a file are left out. */
errcode_t names_find_living(struct e2lazy_undelete *u)
{
	blk64_t budget = 2 * ext2fs_blocks_count(u->fs->super);
	struct name_search search = {
		.fs = u->fs, .wants = is_nameless, .found = take_name,
		.priv = u, .budget = &budget,
	};

	for (uint32_t i = 0; i < u->lives.nr; i++)
		search.left += life_get(u, i)->of == NO_LIFE &&
			       is_nameless(u, life_get(u, i)->ino) &&
			       lives_newest(u, life_get(u, i)->ino) == i;
	return name_search(&search, u->opts->watch);
}

/* ---------------------------------------------------- the names of a life */

/* What a name is worth; the best ones come first. */
enum worth {
	WORTH_SURE,	/* the life had it at its end */
	WORTH_LAST,	/* a lost transaction may have taken it before */
	WORTH_PERHAPS,	/* it came behind a lost transaction, in which another
			   file may have got the inode */
	WORTH_FORMER,	/* the life lost it before its end */
	NR_WORTHS
};

static enum worth worth_of(const struct e2lazy_undelete *u,
			   const struct life *life, const struct name *name)
{
	if (name->end <= life->chosen)
		return WORTH_FORMER;
	if (name->first > life->chosen &&
	    gap_between(u, life->chosen, name->first))
		return WORTH_PERHAPS;
	return gap_between(u, name->last, name->end) ? WORTH_LAST : WORTH_SURE;
}

/* The names of one worth, of which the newest is the first. */
static size_t put_names(struct e2lazy_undelete *u, const struct life *life,
			enum worth worth, size_t from)
{
	struct names *n = &u->names;
	const struct name *name;
	size_t to = from;

	for (uint32_t i = life->names; i != NO_NAME; i = name->next) {
		name = &n->at[i];
		if (worth_of(u, life, name) != worth)
			continue;
		n->order[to++] = i;
		if (name->last > n->at[n->order[from]].last) {
			n->order[to - 1] = n->order[from];
			n->order[from] = i;
		}
	}
	return to;
}

/* The names that the inode counts, at least one. */
static size_t links_of(struct e2lazy_undelete *u, const struct life *life)
{
	struct ext2_inode_large inode;
	const uint8_t *raw;

	if (LINUX_S_ISDIR(life->mode) || life_inode(u, life, &raw, &inode) ||
	    !inode.i_links_count)
		return 1;
	return inode.i_links_count;
}

/* Of names that are not sure it has no more than the inode counts. */
static size_t count_final(struct e2lazy_undelete *u, const struct life *life,
			  const size_t count[NR_WORTHS])
{
	size_t final = count[WORTH_SURE], links;

	if (!count[WORTH_LAST] && (final || !count[WORTH_PERHAPS]))
		return final;
	links = links_of(u, life);
	if (final >= links)
		return final;
	final += count[WORTH_LAST];
	if (!final)
		final = count[WORTH_PERHAPS];
	return final < links ? final : links;
}

/* The names at the end come first, and behind them the last one of the others. */
static size_t order_life(struct e2lazy_undelete *u, struct life *life,
			 size_t from)
{
	size_t count[NR_WORTHS], final, to = from;
	struct names *n = &u->names;

	for (unsigned worth = 0; worth < NR_WORTHS; worth++) {
		size_t next = put_names(u, life, worth, to);

		count[worth] = next - to;
		to = next;
	}
	final = count_final(u, life, count);
	for (size_t i = 0; i < final; i++)
		n->at[n->order[from + i]].final = true;
	if (to > from)
		life->names = (uint32_t)from;
	return to;
}

errcode_t names_order(struct e2lazy_undelete *u)
{
	size_t nr = 0;

	u->names.order = calloc((size_t)u->names.nr + 1,
				sizeof(*u->names.order));
	if (!u->names.order)
		return EXT2_ET_NO_MEMORY;
	for (uint32_t i = 0; i < u->lives.nr; i++)
		nr = order_life(u, life_get(u, i), nr);
	return 0;
}

/* Earlier contents have the names of their file. */
static const struct life *named(const struct e2lazy_undelete *u,
				const struct life *life)
{
	return life->of == NO_LIFE ? life : life_get(u, life->of);
}

/* The names of the life, one by one; NULL behind the last. */
static const struct name *name_of(const struct e2lazy_undelete *u,
				  const struct life *life, unsigned n)
{
	size_t place = (size_t)life->names + n;
	const struct name *name;

	if (life->names == NO_NAME || place >= u->names.nr)
		return NULL;
	name = &u->names.at[u->names.order[place]];
	return life_get(u, name->life) == life ? name : NULL;
}

/* The names at the end of the life; if there are none, the last name. */
static const struct name *nth_name(const struct e2lazy_undelete *u,
				   const struct life *life, unsigned n)
{
	const struct name *name = name_of(u, named(u, life), n);

	return name && (!n || name->final) ? name : NULL;
}

unsigned life_names(const struct e2lazy_undelete *u, const struct life *life)
{
	unsigned count = 0;

	while (nth_name(u, life, count))
		count++;
	return count;
}

const struct name *life_name(const struct e2lazy_undelete *u, uint32_t number)
{
	return nth_name(u, life_get(u, number), 0);
}

uint32_t life_parent(const struct e2lazy_undelete *u, uint32_t number)
{
	const struct name *name = life_name(u, number);

	return name && name->dir != NO_LIFE &&
	       !life_get(u, name->dir)->alive ? name->dir : NO_LIFE;
}

/* -------------------------------------------------------------- paths */

/* A directory without a copy in the ring has not changed since. */
static bool is_in_living(const struct e2lazy_undelete *u,
			 const struct name *name)
{
	return name->dir == NO_LIFE || life_get(u, name->dir)->alive;
}

static errcode_t put_number(struct building *b, ext2_ino_t ino)
{
	return back_path_put_inode(&b->path, "#%u", ino);
}

/* All that a path may end at: most callers ask for all paths. */
static errcode_t want_living(struct e2lazy_undelete *u)
{
	const struct life *life;
	const struct name *name;
	errcode_t err;

	err = dir_names_init(&u->dirs, u->fs, u->opts->watch);
	for (size_t i = 0; i < u->deleted.nr; i++) {
		life = named(u, life_get(u, u->deleted.at[i]));
		for (unsigned n = 0; !err && (name = name_of(u, life, n));
		     n++)
			if (is_in_living(u, name))
				err = dir_names_want(&u->dirs, name->dir_ino);
	}
	return err;
}

/* A directory that still exists has its present path. */
static errcode_t put_living(struct building *b, ext2_ino_t ino)
{
	struct e2lazy_undelete *u = b->u;
	ext2_ino_t top;
	errcode_t err = u->dirs.fs ? 0 : want_living(u);

	if (err)
		return err;
	err = dir_names_climb(&u->dirs, ino, &b->path, &top);
	if (err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED ||
	    err == E2LAZY_ET_LONG_PATH)
		return err;
	return top == EXT2_ROOT_INO ? 0 : put_number(b, top);
}

static errcode_t put_up(struct building *b, const struct life *life,
			unsigned n)
{
	const struct name *name = nth_name(b->u, life, n);
	errcode_t err = watch_stop(b->u->opts->watch);

	for (unsigned depth = 0; !err; depth++) {
		if (!name || depth == MAX_DEPTH)
			return put_number(b, life->ino);
		err = back_path_put_name(&b->path,
					 b->u->names.text + name->text,
					 name->length);
		if (err)
			return err;
		if (is_in_living(b->u, name))
			return put_living(b, name->dir_ino);
		life = life_get(b->u, name->dir);
		name = nth_name(b->u, life, 0);
	}
	return err;
}

/*
 * May a lost transaction have changed the first path of a deleted directory?  All
 * on the way up share the answer, which they keep: an enemy's ways are long.
 */
static bool climb_is_sure(const struct e2lazy_undelete *u, struct life *from)
{
	struct life *at = from, *last;
	const struct name *name;
	bool sure = true;

	for (unsigned depth = 0; !at->climbed; at = life_get(u, name->dir)) {
		name = nth_name(u, at, 0);
		sure = !name || (depth++ < MAX_DEPTH &&
				 worth_of(u, at, name) == WORTH_SURE);
		if (!name || !sure || is_in_living(u, name))
			break;
	}
	if (at->climbed)
		sure = at->sure;
	last = at;
	for (at = from; at != last; at = life_get(u, nth_name(u, at, 0)->dir)) {
		at->climbed = true;
		at->sure = sure;
	}
	last->climbed = true;
	last->sure = sure;
	return sure;
}

bool life_path_is_sure(const struct e2lazy_undelete *u,
		       const struct life *life)
{
	const struct name *name;

	for (unsigned n = 0; (name = nth_name(u, life, n)) != NULL; n++)
		if (worth_of(u, life, name) != WORTH_SURE ||
		    (!is_in_living(u, name) &&
		     !climb_is_sure(u, life_get(u, name->dir))))
			return false;
	return true;
}

errcode_t e2lazy_undelete_path(struct e2lazy_undelete *u, size_t index,
			       unsigned n, char **path, size_t *length)
{
	struct building b;
	errcode_t err;

	b.u = u;
	back_path_init(&b.path);
	err = put_up(&b, life_get(u, u->deleted.at[index]), n);
	*length = back_path_length(&b.path);
	*path = err ? NULL : malloc(*length + 1);
	if (err)
		return err;
	if (!*path)
		return EXT2_ET_NO_MEMORY;
	memcpy(*path, b.path.begin, *length + 1);
	return 0;
}

bool e2lazy_undelete_in_deleted(const struct e2lazy_undelete *u, size_t index,
				unsigned n)
{
	const struct life *life = life_get(u, u->deleted.at[index]);
	const struct name *name = nth_name(u, life, n);

	return name && !is_in_living(u, name);
}
