/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * made.c - files that fast commits have both made and deleted
 *
 * The ring has no copy of their inodes.  But an INODE record has the fields of
 * one, ADD_RANGE records its map, and CREAT and UNLINK records its names.  The
 * inode is put together from these; a root of an extent tree has room for four
 * extents, and a file with more of them has no map.
 *
 * An inode is new if no life of the ring has its generation and creation time.
 * The file is over when its last name goes, or when the inode has a next one.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/extent_node.h"
#include "fs/inode_blocks.h"
#include "io/hash.h"
#include "undelete.h"

#define FIELD(name)	offsetof(struct ext2_inode_large, name)
#define MOST_MADE	8192	/* files */
#define SLOTS		(2 * MOST_MADE)	/* a power of two */
#define MOST_EXTENTS	64

/* The slot of an inode, or the empty one where it belongs.  An enemy chooses the
   inodes, and the table is small: so it has a seed. */
static uint32_t *slot_of(struct e2lazy_undelete *u, ext2_ino_t ino)
{
	uint32_t slot = hash_number(ino ^ u->made_seed) & (SLOTS - 1);

	while (u->made_looks++, u->made_table[slot] &&
	       u->made[u->made_table[slot] - 1].ino != ino)
		slot = (slot + 1) & (SLOTS - 1);
	return &u->made_table[slot];
}

static struct made *find(struct e2lazy_undelete *u, ext2_ino_t ino)
{
	uint32_t number = u->made_table ? *slot_of(u, ino) : 0;

	return number && !u->made[number - 1].over ? &u->made[number - 1] :
						     NULL;
}

/* -------------------------------------------------------------- records */

static errcode_t make_table(struct e2lazy_undelete *u)
{
	if (u->made_table)
		return 0;
	u->made_table = calloc(SLOTS, sizeof(*u->made_table));
	u->made_seed = hash_seed();
	return u->made_table ? 0 : EXT2_ET_NO_MEMORY;
}

static errcode_t begin(struct e2lazy_undelete *u,
		       const struct e2lazy_fc_record *r, struct made **out)
{
	struct made *made = u->nr_made == MOST_MADE ? NULL :
			    reallocarray(u->made, u->nr_made + 1,
					 sizeof(*made));
	errcode_t err;

	*out = NULL;
	if (u->nr_made == MOST_MADE)
		return 0;
	if (!made)
		return EXT2_ET_NO_MEMORY;
	u->made = made;
	err = make_table(u);
	if (err)
		return err;
	made += u->nr_made;
	memset(made, 0, sizeof(*made));
	made->ino = r->ino;
	made->raw = calloc(1, EXT2_INODE_SIZE(u->fs->super));
	if (!made->raw)
		return EXT2_ET_NO_MEMORY;
	*slot_of(u, r->ino) = (uint32_t)++u->nr_made;
	*out = made;
	return 0;
}

static void take_raw(struct e2lazy_undelete *u, struct made *made,
		     const struct e2lazy_fc_record *r)
{
	size_t size = EXT2_INODE_SIZE(u->fs->super), bytes = r->length - 4;

	memset(made->raw, 0, size);
	memcpy(made->raw, r->value + 4, bytes < size ? bytes : size);
}

static bool is_of_ring(const struct e2lazy_undelete *u, const struct seen *s)
{
	uint32_t number = lives_newest(u, s->ino);

	return number != NO_LIFE && seen_same_life(life_get(u, number), s);
}

static void see(const struct e2lazy_undelete *u, const uint8_t *raw,
		ext2_ino_t ino, struct seen *s)
{
	memset(s, 0, sizeof(*s));
	s->ino = ino;
	seen_take(u->fs, raw, s);
}

static errcode_t take_inode(struct e2lazy_undelete *u,
			    const struct e2lazy_fc_record *r)
{
	struct made *made = find(u, r->ino), now = { .ino = r->ino };
	struct seen s, before;
	errcode_t err = 0;

	now.raw = calloc(1, EXT2_INODE_SIZE(u->fs->super));
	if (!now.raw)
		return EXT2_ET_NO_MEMORY;
	take_raw(u, &now, r);
	see(u, now.raw, r->ino, &s);
	if (made) {
		see(u, made->raw, r->ino, &before);
		made->over = before.generation != s.generation ||
			     before.crtime != s.crtime ||
			     before.crtime_extra != s.crtime_extra;
	}
	if (!LINUX_S_ISREG(s.mode) || !s.links || is_of_ring(u, &s) ||
	    r->ino > u->fs->super->s_inodes_count ||
	    inode_is_system(u->fs->super, r->ino)) {
		free(now.raw);
		return 0;
	}
	if (!made || made->over)
		err = begin(u, r, &made);
	if (!err && made)
		take_raw(u, made, r);
	free(now.raw);
	return err;
}

static errcode_t take_range(struct e2lazy_undelete *u,
			    const struct e2lazy_fc_record *r)
{
	struct made *made = find(u, r->ino);
	const struct extent e = { .lblk = r->lblk, .count = r->len,
				  .fsblk = r->pblk,
				  .unwritten = r->unwritten };

	if (!made || made->map.nr > MOST_EXTENTS || !r->len ||
	    r->len > UINT32_MAX - r->lblk)
		return 0;
	return r->kind == E2LAZY_FC_ADD_RANGE ?
	       extents_add(&made->map, &e) :
	       extents_remove(&made->map, r->lblk, r->len);
}

static void take_name(struct e2lazy_undelete *u,
		      const struct e2lazy_fc_record *r)
{
	struct made *made = find(u, r->ino);

	if (!made)
		return;
	made->links += r->kind == E2LAZY_FC_UNLINK ? -1 : 1;
	made->over = made->links <= 0;
	made->parent = r->parent;
	made->length = (uint8_t)(r->length - 8);
	memcpy(made->name, r->name, made->length);
}

errcode_t made_take(struct e2lazy_undelete *u,
		    const struct e2lazy_fc_record *r)
{
	switch (r->kind) {
	case E2LAZY_FC_INODE:
		return take_inode(u, r);
	case E2LAZY_FC_ADD_RANGE:
	case E2LAZY_FC_DEL_RANGE:
		return take_range(u, r);
	case E2LAZY_FC_CREAT:
	case E2LAZY_FC_LINK:
	case E2LAZY_FC_UNLINK:
		take_name(u, r);
	}
	return 0;
}

/* ---------------------------------------------------------------- lives */

/* A root that is no root stands for a map that is lost. */
static void put_map(struct made *made)
{
	uint8_t *root = made->raw + FIELD(i_block);

	if (get_le32(made->raw + FIELD(i_flags)) & EXT4_INLINE_DATA_FL)
		return;
	memset(root, 0, 60);
	extents_tidy(&made->map);
	if (made->map.nr > EXTENT_IN_ROOT)
		return;
	extent_put_header(root, made->map.nr, EXTENT_IN_ROOT, 0);
	for (size_t i = 0; i < made->map.nr; i++) {
		const struct extent *e = &made->map.at[i];

		if (e->count > EXTENT_WRITTEN - e->unwritten) {
			memset(root, 0, 60);
			return;
		}
		extent_put(root + (i + 1) * EXTENT_ENTRY, e);
	}
}

/* Extents of a record's map are the file's, whatever its flags say. */
static errcode_t make_life(struct e2lazy_undelete *u, size_t index)
{
	struct made *made = &u->made[index];
	uint32_t moments = (uint32_t)u->versions.nr_moments;
	struct life *life;
	struct seen s;
	errcode_t err;

	put_map(made);
	put_le32(made->raw + FIELD(i_flags),
		 get_le32(made->raw + FIELD(i_flags)) | EXT4_EXTENTS_FL);
	see(u, made->raw, made->ino, &s);
	s.copy = (uint32_t)(u->versions.list.nr + index);
	s.when = moments ? moments - 1 : 0;
	err = lives_add(u, &s);
	if (err)
		return err;
	life = life_get(u, lives_newest(u, made->ino));
	life->first = MOMENT_NOW;
	life->fast = true;
	return made->length ? names_add(u, life, lives_newest(u, made->parent),
					made->parent, made->name,
					made->length) : 0;
}

errcode_t made_end(struct e2lazy_undelete *u)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < u->nr_made; i++)
		if (u->made[i].over)
			err = make_life(u, i);
	return err;
}

void made_free(struct e2lazy_undelete *u)
{
	for (size_t i = 0; i < u->nr_made; i++) {
		free(u->made[i].raw);
		extents_free(&u->made[i].map);
	}
	free(u->made);
	free(u->made_table);
}
