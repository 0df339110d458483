/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* nodes.c - the inodes that the records name, as they are in the base */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/halve.h"
#include "replay.h"

struct node *node_find(struct e2lazy_replay *r, ext2_ino_t ino)
{
	struct halving h = { .high = r->nr_nodes };

	while (halve(&h))
		halved(&h, r->nodes[h.mid]->ino < ino);
	return h.low < r->nr_nodes && r->nodes[h.low]->ino == ino ?
	       r->nodes[h.low] : NULL;
}

static errcode_t insert_node(struct e2lazy_replay *r, struct node *n)
{
	struct node **list = grow(r->nodes, r->nr_nodes, &r->room_nodes,
				  sizeof(*list));
	size_t i = r->nr_nodes;

	if (!list)
		return EXT2_ET_NO_MEMORY;
	r->nodes = list;
	for (; i && list[i - 1]->ino > n->ino; i--)
		list[i] = list[i - 1];
	list[i] = n;
	r->nr_nodes++;
	return 0;
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
	const struct ext2_super_block *sb = r->fs->super;
	struct node *n = node_find(r, ino);
	errcode_t err;

	r->at = ino;
	*out = n;
	if (n)
		return 0;
	if (ino > sb->s_inodes_count ||
	    (ino < EXT2_FIRST_INODE(sb) && ino != EXT2_ROOT_INO))
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
	       tree_load(r, n->ino, n->base, &n->map, NULL) : 0;
}
