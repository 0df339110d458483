/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* nodes.c - the inodes that the records name, as they are in the base */

#include <stdlib.h>
#include <string.h>

#include "fs/inode_blocks.h"
#include "io/grow.h"
#include "io/hash.h"
#include "replay.h"

#define FIRST_SLOTS	256

/* The empty slot where it belongs, if it has none. */
static struct node **slot_of(const struct e2lazy_replay *r, ext2_ino_t ino)
{
	size_t at = hash_number(ino) & (r->nr_slots - 1);

	while (r->node_slots[at] && r->node_slots[at]->ino != ino)
		at = (at + 1) & (r->nr_slots - 1);
	return &r->node_slots[at];
}

struct node *node_find(const struct e2lazy_replay *r, ext2_ino_t ino)
{
	return r->nr_slots ? *slot_of(r, ino) : NULL;
}

/* At most half of the slots are in use. */
static errcode_t make_slots(struct e2lazy_replay *r)
{
	size_t slots = r->nr_slots ? 2 * r->nr_slots : FIRST_SLOTS;
	struct node **table;

	if (r->nr_nodes < r->nr_slots / 2)
		return 0;
	table = calloc(slots, sizeof(*table));
	if (!table)
		return EXT2_ET_NO_MEMORY;
	free(r->node_slots);
	r->node_slots = table;
	r->nr_slots = slots;
	for (size_t i = 0; i < r->nr_nodes; i++)
		*slot_of(r, r->nodes[i]->ino) = r->nodes[i];
	return 0;
}

static errcode_t insert_node(struct e2lazy_replay *r, struct node *n)
{
	struct node **list = grow(r->nodes, r->nr_nodes, &r->room_nodes,
				  sizeof(*list));
	errcode_t err;

	if (!list)
		return EXT2_ET_NO_MEMORY;
	r->nodes = list;
	err = make_slots(r);
	if (err)
		return err;
	list[r->nr_nodes++] = n;
	*slot_of(r, n->ino) = n;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct node *const *x = a, *const *y = b;

	return ((*x)->ino > (*y)->ino) - ((*x)->ino < (*y)->ino);
}

void nodes_sort(struct e2lazy_replay *r)
{
	if (r->nr_nodes)
		qsort(r->nodes, r->nr_nodes, sizeof(*r->nodes), by_number);
}

static errcode_t load_node(struct e2lazy_replay *r, struct node *n)
{
	errcode_t err;

	n->raw = calloc(1, r->inode_size);
	n->base = calloc(1, r->inode_size);
	if (!n->raw || !n->base)
		return EXT2_ET_NO_MEMORY;
	err = inode_was_used(r, n->ino, &n->in_base);
	if (err || !n->in_base)
		return err;
	err = raw_read(r, n->ino, n->base);
	if (!err && !raw_is_sound(r, n->ino, n->base))
		err = E2LAZY_ET_FC_DAMAGED;
	memcpy(n->raw, n->base, r->inode_size);
	return err;
}

errcode_t node_get(struct e2lazy_replay *r, ext2_ino_t ino, struct node **out)
{
	struct ext2_super_block *sb = r->fs->super;
	struct node *n = node_find(r, ino);
	errcode_t err;

	r->at = ino;
	*out = n;
	if (n)
		return 0;
	if (ino > sb->s_inodes_count ||
	    (ino != EXT2_ROOT_INO && inode_is_system(sb, ino)))
		return E2LAZY_ET_FC_INODE;
	n = calloc(1, sizeof(*n));
	if (!n)
		return EXT2_ET_NO_MEMORY;
	n->ino = ino;
	err = insert_node(r, n);
	if (err) {
		free(n);
		return err;
	}
	*out = n;
	return load_node(r, n);
}

errcode_t node_load_map(struct e2lazy_replay *r, struct node *n)
{
	if (n->map_loaded)
		return 0;
	n->map_loaded = true;
	r->at = n->ino;
	return n->in_base && !n->life ?
	       tree_load(r, n->ino, n->base, &n->map) : 0;
}
