/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * htree.c - put a name into a directory with an index
 *
 * A full leaf is split in two by hash.  Its index node gets one entry more; a
 * full one is not split: the replay stops.  (Format: Linux fs/ext4/namei.c.)
 */

#include <stdlib.h>
#include <string.h>

#include "fs/dir_record.h"
#include "replay.h"

#define INFO_AT		24	/* of the root, behind "." and ".." */
#define MOST_LEVELS	2

/* An index node: its entries begin with their limit and count. */
struct index {
	uint8_t		*block;
	unsigned	entries;	/* offset */
	unsigned	at;		/* the entry that leads to the leaf */
};

struct place {
	uint32_t	hash;
	unsigned	version;
	struct index	index;		/* above the leaf */
	uint32_t	leaf;
};

bool dir_is_indexed(const struct e2lazy_replay *r, const struct node *dir)
{
	return ext2fs_has_feature_dir_index(r->fs->super) &&
	       get_le32(dir->raw + I_FLAGS) & EXT2_INDEX_FL;
}

static unsigned limit_of(const struct index *x)
{
	return get_le16(x->block + x->entries);
}

static unsigned count_of(const struct index *x)
{
	return get_le16(x->block + x->entries + 2);
}

static uint32_t index_csum(struct e2lazy_replay *r, const struct node *dir,
			   const struct index *x)
{
	const uint8_t *tail = x->block + x->entries + 8 * limit_of(x);
	const uint8_t zero[4] = { 0 };
	uint32_t crc;

	crc = ext2fs_crc32c_le(raw_seed(r, dir->ino, dir->raw), x->block,
			       x->entries + 8 * count_of(x));
	crc = ext2fs_crc32c_le(crc, tail, 4);
	return ext2fs_crc32c_le(crc, zero, 4);
}

static bool index_is_sound(struct e2lazy_replay *r, const struct node *dir,
			   const struct index *x)
{
	bool csums = ext2fs_has_feature_metadata_csum(r->fs->super);
	unsigned tail = csums ? 8 : 0;

	if (limit_of(x) != (r->size - x->entries - tail) / 8 ||
	    !count_of(x) || count_of(x) > limit_of(x))
		return false;
	return !csums || index_csum(r, dir, x) ==
	       get_le32(x->block + x->entries + 8 * limit_of(x) + 4);
}

static uint32_t entry_hash(const struct index *x, unsigned i)
{
	return i ? get_le32(x->block + x->entries + 8 * i) : 0;
}

/* The upper four bits are reserved. */
static uint32_t entry_block(const struct index *x, unsigned i)
{
	return get_le32(x->block + x->entries + 8 * i + 4) & 0x0fffffff;
}

static errcode_t hash_name(struct e2lazy_replay *r, unsigned version,
			   const char *text, unsigned length, uint32_t *out)
{
	ext2_dirhash_t hash, minor;
	errcode_t err;

	if (version <= EXT2_HASH_TEA &&
	    r->fs->super->s_flags & EXT2_FLAGS_UNSIGNED_HASH)
		version += 3;
	err = ext2fs_dirhash2((int)version, text, (int)length, NULL, 0,
			      r->fs->super->s_hash_seed, &hash, &minor);
	*out = hash;
	return err ? E2LAZY_ET_FC_NAMES : 0;
}

/* Go down to the leaf of the hash. */
static errcode_t find_leaf(struct e2lazy_replay *r, struct node *dir,
			   const struct name *name, struct place *p)
{
	struct index *x = &p->index;
	unsigned levels, i;
	errcode_t err = dir_block(r, dir, 0, &x->block);

	if (err)
		return err;
	p->version = x->block[INFO_AT + 4];
	levels = x->block[INFO_AT + 6];
	x->entries = INFO_AT + x->block[INFO_AT + 5];
	if (levels > MOST_LEVELS || x->block[INFO_AT + 5] != 8)
		return E2LAZY_ET_FC_DAMAGED;
	err = hash_name(r, p->version, name->text, name->length, &p->hash);
	for (unsigned level = 0; !err; level++) {
		if (!index_is_sound(r, dir, x))
			return E2LAZY_ET_FC_DAMAGED;
		for (i = 1; i < count_of(x) && entry_hash(x, i) <= p->hash; i++)
			;
		x->at = i - 1;
		p->leaf = entry_block(x, i - 1);
		if (level == levels)
			return 0;
		err = dir_block(r, dir, p->leaf, &x->block);
		x->entries = 8;
	}
	return err;
}

/* ------------------------------------------------------------ splitting */

struct hashed {
	uint32_t	hash;
	const uint8_t	*entry;		/* in a copy of the leaf */
};

static int by_hash(const void *a, const void *b)
{
	const struct hashed *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static errcode_t list_leaf(struct e2lazy_replay *r, unsigned version,
			   const uint8_t *leaf, struct hashed *list,
			   size_t *nr)
{
	unsigned end = dir_end(r), length;
	errcode_t err = 0;

	*nr = 0;
	for (unsigned at = 0; !err && at < end; at += length) {
		const uint8_t *e = leaf + at;

		length = dir_record_sound(e, r->size, end - at);
		if (!length)
			return E2LAZY_ET_FC_DAMAGED;
		if (!dir_record_ino(e) || !dir_record_name_length(e))
			continue;
		list[*nr].entry = e;
		err = hash_name(r, version, dir_record_name(e),
				dir_record_name_length(e),
				&list[(*nr)++].hash);
	}
	qsort(list, *nr, sizeof(*list), by_hash);
	return err;
}

/* The first of the upper half, by bytes; at least one stays below. */
static size_t middle(const struct e2lazy_replay *r, const struct hashed *list,
		     size_t nr)
{
	size_t bytes = 0, i;

	for (i = 0; i < nr && bytes < r->size / 2; i++)
		bytes += dir_record_need(dir_record_name_length(list[i].entry));
	return i < nr ? i : nr - 1;
}

static void fill(struct e2lazy_replay *r, struct node *dir, uint8_t *block,
		 const struct hashed *list, size_t nr)
{
	dir_empty_block(r, block);
	for (size_t i = 0; i < nr; i++)
		dir_put(r, block, dir_record_ino(list[i].entry),
			(uint8_t)dir_record_type(list[i].entry),
			dir_record_name(list[i].entry),
			dir_record_name_length(list[i].entry));
	dir_set_csum(r, dir, block);
}

static void add_index(struct e2lazy_replay *r, struct node *dir,
		      struct index *x, uint32_t hash, uint32_t lblk)
{
	unsigned count = count_of(x);
	uint8_t *to = x->block + x->entries + 8 * (x->at + 1);

	memmove(to + 8, to, 8UL * (count - x->at - 1));
	put_le32(to, hash);
	put_le32(to + 4, lblk);
	put_le16(x->block + x->entries + 2, count + 1);
	if (ext2fs_has_feature_metadata_csum(r->fs->super))
		put_le32(x->block + x->entries + 8 * limit_of(x) + 4,
			 index_csum(r, dir, x));
}

/* Split the leaf; @block becomes the half that the name belongs to. */
static errcode_t split(struct e2lazy_replay *r, struct node *dir,
		       struct place *p, uint8_t **block)
{
	uint8_t *copy, *upper;
	struct hashed *list = NULL;
	uint32_t lblk, hash;
	size_t nr = 0, from;
	errcode_t err = 0;

	if (count_of(&p->index) == limit_of(&p->index))
		return E2LAZY_ET_FC_HTREE;
	copy = malloc(r->size);
	list = calloc(r->size / 8, sizeof(*list));
	if (!copy || !list)
		err = EXT2_ET_NO_MEMORY;
	if (!err) {
		memcpy(copy, *block, r->size);
		err = list_leaf(r, p->version, copy, list, &nr);
	}
	if (!err && nr < 2)
		err = E2LAZY_ET_FC_DAMAGED;
	if (!err)
		err = dir_append(r, dir, &lblk, &upper);
	if (!err) {
		from = middle(r, list, nr);
		hash = list[from].hash;
		fill(r, dir, *block, list, from);
		fill(r, dir, upper, list + from, nr - from);
		/* Bit 0: equal hashes continue from the block before. */
		add_index(r, dir, &p->index, hash +
			  (hash == list[from - 1].hash), lblk);
		if (p->hash >= hash)
			*block = upper;
	}
	free(copy);
	free(list);
	return err;
}

errcode_t htree_insert(struct e2lazy_replay *r, struct node *dir,
		       const struct name *name, uint8_t type)
{
	struct place p;
	uint8_t *block;
	errcode_t err = find_leaf(r, dir, name, &p);

	if (!err)
		err = dir_leaf(r, dir, p.leaf, &block);
	if (err)
		return err;
	for (unsigned tries = 0; !dir_put(r, block, name->now, type,
					  name->text, name->length); tries++) {
		err = tries ? E2LAZY_ET_FC_HTREE : split(r, dir, &p, &block);
		if (err)
			return err;
	}
	dir_set_csum(r, dir, block);
	return 0;
}
