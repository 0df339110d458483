/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * model.c - the records in order, applied to inodes and names in memory
 *
 * A fast commit first writes the changes of names, each new inode before its
 * name, and then the ranges and the inode of each changed file.  So ranges
 * belong to the life of the inode record that follows them in their commit, if
 * one does.  (Linux fs/ext4/fast_commit.c: ext4_fc_perform_commit().)
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "replay.h"

/* An inode without names waits for the kernel to free it. */
static bool is_orphan(const struct node *n)
{
	return n->in_base && !n->life && !get_le16(n->base + I_LINKS);
}

/* -------------------------------------------------------------- inodes */

static void begin_life(struct e2lazy_replay *r, struct node *n,
		       const uint8_t *logged)
{
	n->life++;
	extents_free(&n->map);
	n->map_loaded = n->map_changed = true;
	memset(n->raw, 0, r->inode_size);
	memcpy(n->raw + I_GENERATION, logged + I_GENERATION, 4);
}

static bool is_other_life(const struct node *n, const uint8_t *logged)
{
	return (!n->in_base && !n->life) ||
	       get_le32(n->raw + I_GENERATION) !=
	       get_le32(logged + I_GENERATION);
}

/* Numbers of blocks are not replayed: no record says which were freed. */
static bool maps_numbers(const uint8_t *raw)
{
	return raw_is_mapped(raw) &&
	       !(get_le32(raw + I_FLAGS) & EXT4_EXTENTS_FL);
}

/* May the record's inode follow @n->raw in the same life? */
static errcode_t check_successor(struct e2lazy_replay *r, const struct node *n,
				 const uint8_t *logged, size_t bytes)
{
	uint32_t was = get_le32(n->raw + I_FLAGS);
	uint32_t is = get_le32(logged + I_FLAGS);
	bool fresh = !get_le16(n->raw + I_MODE);

	if (raw_acl(logged) != raw_acl(n->raw))
		return E2LAZY_ET_FC_XATTR;
	if (maps_numbers(logged) && (fresh ? !raw_is_dir(logged) :
			LINUX_S_ISREG(get_le16(logged + I_MODE))))
		return E2LAZY_ET_FC_MAP;
	if (fresh)
		return 0;
	if (get_le16(n->raw + I_MODE) >> 12 != get_le16(logged + I_MODE) >> 12)
		return E2LAZY_ET_FC_CONTRADICTS;
	if ((was ^ is) & EXT4_INLINE_DATA_FL)
		return E2LAZY_ET_FC_INLINE;
	if ((was ^ is) & EXT4_EXTENTS_FL)
		return E2LAZY_ET_FC_MAP;
	if (raw_is_mapped(n->raw) != raw_is_mapped(logged))
		return E2LAZY_ET_FC_CONTRADICTS;
	if (r->inode_size > 128 && bytes > 128 &&
	    get_le16(n->raw + I_EXTRA) != get_le16(logged + I_EXTRA))
		return E2LAZY_ET_FC_XATTR;
	return 0;
}

/* Bytes of a record's inode that are of use; 0: it makes no sense. */
static size_t logged_bytes(const struct e2lazy_replay *r,
			   const struct e2lazy_fc_record *rec)
{
	size_t bytes = rec->length - 4, extra;
	const uint8_t *raw = rec->value + 4;

	if (bytes > r->inode_size)
		return 0;
	if (bytes < I_EXTRA + 4)
		return 128;
	extra = get_le16(raw + I_EXTRA);
	return 128 + extra <= bytes && extra % 4 == 0 ? bytes : 0;
}

/* The blocks of a directory are those of the base, so its index is, too. */
static void keep_index(uint8_t *raw, uint32_t base_flags)
{
	put_le32(raw + I_FLAGS,
		 (get_le32(raw + I_FLAGS) & ~(uint32_t)EXT2_INDEX_FL) |
		 (base_flags & EXT2_INDEX_FL));
}

static errcode_t take_inode(struct e2lazy_replay *r, struct node *n,
			    const struct e2lazy_fc_record *rec)
{
	const uint8_t *raw = rec->value + 4;
	size_t bytes = logged_bytes(r, rec);
	uint8_t block[I_BLOCK_BYTES];
	uint32_t flags = get_le32(raw + I_FLAGS), before;
	errcode_t err;

	if (!bytes || !get_le16(raw + I_MODE))
		return E2LAZY_ET_FC_CONTRADICTS;
	if (is_other_life(n, raw))
		begin_life(r, n, raw);
	err = check_successor(r, n, raw, bytes);
	if (err)
		return err;
	/* Only inline data needs the room behind the fixed fields. */
	if (bytes > 128 && (!(flags & EXT4_INLINE_DATA_FL) || raw_is_dir(raw)))
		bytes = 128 + get_le16(raw + I_EXTRA);
	memcpy(block, n->raw + I_BLOCK, sizeof(block));
	before = get_le32(n->raw + I_FLAGS);
	memcpy(n->raw, raw, bytes);
	if (raw_is_dir(raw))
		keep_index(n->raw, before);
	if (raw_is_mapped(raw) || raw_is_dir(raw))
		memcpy(n->raw + I_BLOCK, block, sizeof(block));
	n->logged = true;
	if (get_le32(raw + I_CTIME) > r->newest)
		r->newest = get_le32(raw + I_CTIME);
	return 0;
}

/* -------------------------------------------------------------- ranges */

/* The next record of the inode itself in the same fast commit. */
static const struct e2lazy_fc_record *
following_inode(struct e2lazy_replay *r, struct node *n, size_t at)
{
	size_t i = n->searched > at ? n->searched : at + 1;

	if (n->next_inode > at && n->next_inode < r->nr_records)
		return &r->records[n->next_inode].r;
	for (; i < r->nr_records && r->records[i].r.kind != E2LAZY_FC_TAIL; i++)
		if (r->records[i].r.kind == E2LAZY_FC_INODE &&
		    r->records[i].r.ino == n->ino) {
			n->next_inode = i;
			return &r->records[i].r;
		}
	n->searched = i;
	return NULL;
}

static errcode_t add_claim(struct e2lazy_replay *r,
			   const struct e2lazy_fc_record *rec)
{
	struct claim *list = grow(r->claims, r->nr_claims, &r->room_claims,
				  sizeof(*list));

	if (!list)
		return EXT2_ET_NO_MEMORY;
	r->claims = list;
	list[r->nr_claims].first = rec->pblk;
	list[r->nr_claims++].end = rec->pblk + rec->len;
	return 0;
}

static int by_first(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Ascending, and one claim for all that touch each other. */
static void merge_claims(struct e2lazy_replay *r)
{
	struct claim *at = r->claims;
	size_t kept = 0;

	if (!r->nr_claims)
		return;
	qsort(at, r->nr_claims, sizeof(*at), by_first);
	for (size_t i = 1; i < r->nr_claims; i++) {
		if (at[i].first > at[kept].end)
			at[++kept] = at[i];
		else if (at[i].end > at[kept].end)
			at[kept].end = at[i].end;
	}
	r->nr_claims = kept + 1;
}

static errcode_t take_range(struct e2lazy_replay *r, struct node *n,
			    const struct e2lazy_fc_record *rec, size_t at)
{
	const struct e2lazy_fc_record *next = following_inode(r, n, at);
	struct extent e = { .lblk = rec->lblk, .count = rec->len,
			    .fsblk = rec->pblk, .unwritten = rec->unwritten };
	errcode_t err;

	if (next && logged_bytes(r, next) &&
	    is_other_life(n, next->value + 4))
		begin_life(r, n, next->value + 4);
	if (raw_is_dir(n->raw))
		return E2LAZY_ET_FC_CONTRADICTS;
	err = node_load_map(r, n);
	if (err)
		return err;
	n->map_changed = true;
	if (rec->kind == E2LAZY_FC_DEL_RANGE)
		return extents_remove(&n->map, rec->lblk, rec->len);
	if (!rec->len || (uint64_t)rec->lblk + rec->len > 0xffffffffULL)
		return E2LAZY_ET_FC_CONTRADICTS;
	return extents_add(&n->map, &e);
}

/* --------------------------------------------------------------- names */

static errcode_t take_name(struct e2lazy_replay *r, struct node *n,
			   const struct e2lazy_fc_record *rec)
{
	struct node *dir;
	struct name *name = NULL;
	errcode_t err = node_get(r, rec->parent, &dir);

	if (!err)
		err = name_add(r, dir, rec->name, rec->length - 8, &name);
	if (err)
		return err;
	if (rec->kind == E2LAZY_FC_UNLINK) {
		if (name->now == n->ino)
			name->now = 0;
		return 0;
	}
	if (name->now && name->now != n->ino)
		return E2LAZY_ET_FC_CONTRADICTS;
	name->now = n->ino;
	return 0;
}

/* ----------------------------------------------------------------- all */

static errcode_t take_record(struct e2lazy_replay *r, size_t at)
{
	const struct e2lazy_fc_record *rec = &r->records[at].r;
	struct node *n;
	errcode_t err;

	if (rec->kind == E2LAZY_FC_HEAD || rec->kind == E2LAZY_FC_TAIL ||
	    rec->kind == E2LAZY_FC_PAD)
		return 0;
	err = node_get(r, rec->ino, &n);
	if (err)
		return err;
	switch (rec->kind) {
	case E2LAZY_FC_INODE:
		if (is_orphan(n))
			return is_other_life(n, rec->value + 4) ?
			       E2LAZY_ET_FC_ORPHAN : 0;
		return take_inode(r, n, rec);
	case E2LAZY_FC_ADD_RANGE:
	case E2LAZY_FC_DEL_RANGE:
		return is_orphan(n) ? 0 : take_range(r, n, rec, at);
	case E2LAZY_FC_UNLINK:
		return take_name(r, n, rec);
	default:
		return is_orphan(n) ? E2LAZY_ET_FC_ORPHAN :
				      take_name(r, n, rec);
	}
}

errcode_t model_run(struct e2lazy_replay *r)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->nr_records; i++)
		if (r->records[i].r.kind == E2LAZY_FC_ADD_RANGE)
			err = add_claim(r, &r->records[i].r);
	merge_claims(r);
	for (size_t i = 0; !err && i < r->nr_records; i++)
		err = take_record(r, i);
	return err;
}
