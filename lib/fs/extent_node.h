/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * extent_node.h - a node of an extent tree, as it lies on disk
 *
 * A header of 12 bytes, then entries of 12 bytes: extents in a leaf, whose depth
 * is 0, and children in any other node.  The root is in the inode.  A checksum
 * follows the last entry that there is room for; the root has none.  (Linux
 * fs/ext4/ext4_extents.h.)
 */
#ifndef E2LAZY_EXTENT_NODE_H
#define E2LAZY_EXTENT_NODE_H

#include <string.h>

#include "extents.h"
#include "io/bytes.h"

#define EXTENT_ENTRY	12	/* bytes of an entry, and of the header */
#define EXTENT_IN_ROOT	4	/* entries that the inode has room for */
#define EXTENT_DEPTHS	5	/* levels below the root, at most */
/* Blocks of a written extent, at most; a larger count marks an unwritten one. */
#define EXTENT_WRITTEN	32768U

struct extent_header {
	bool		magic;		/* it has a node's first bytes */
	unsigned	entries, most, depth;
};

static inline struct extent_header extent_header(const uint8_t *node)
{
	return (struct extent_header){
		.magic = get_le16(node) == 0xf30a,
		.entries = get_le16(node + 2),
		.most = get_le16(node + 4),
		.depth = get_le16(node + 6),
	};
}

/* Entries that @bytes have room for, beside a header. */
static inline unsigned extent_room(size_t bytes)
{
	return (unsigned)(bytes / EXTENT_ENTRY) - 1;
}

/* Offset of a node's checksum, which may lie outside of a damaged one's block. */
static inline size_t extent_tail(const uint8_t *node)
{
	return (size_t)EXTENT_ENTRY * (extent_header(node).most + 1);
}

/* Is it a node of @depth that has room for @room entries at most? */
static inline bool extent_is_node(const uint8_t *node, unsigned room,
				  unsigned depth)
{
	struct extent_header h = extent_header(node);

	return h.magic && h.most <= room && h.entries <= h.most &&
	       h.depth == depth;
}

/* Entry @index, which must be in the node. */
static inline const uint8_t *extent_entry(const uint8_t *node, unsigned index)
{
	return node + (size_t)EXTENT_ENTRY * (index + 1);
}

/* An entry's first block in the file. */
static inline uint32_t extent_lblk(const uint8_t *entry)
{
	return get_le32(entry);
}

static inline struct extent extent_get(const uint8_t *entry)
{
	uint32_t count = get_le16(entry + 4);
	bool unwritten = count > EXTENT_WRITTEN;

	return (struct extent){
		.lblk = extent_lblk(entry),
		.count = unwritten ? count - EXTENT_WRITTEN : count,
		.fsblk = (blk64_t)get_le16(entry + 6) << 32 |
			 get_le32(entry + 8),
		.unwritten = unwritten,
	};
}

/* The block of the child. */
static inline blk64_t extent_child(const uint8_t *entry)
{
	return (blk64_t)get_le16(entry + 8) << 32 | get_le32(entry + 4);
}

static inline void extent_put_header(uint8_t *node, size_t entries,
				     unsigned most, unsigned depth)
{
	memset(node, 0, EXTENT_ENTRY);
	put_le16(node, 0xf30a);
	put_le16(node + 2, (uint32_t)entries);
	put_le16(node + 4, most);
	put_le16(node + 6, depth);
}

static inline void extent_put(uint8_t *entry, const struct extent *e)
{
	put_le32(entry, e->lblk);
	put_le16(entry + 4, e->count + (e->unwritten ? EXTENT_WRITTEN : 0));
	put_le16(entry + 6, (uint32_t)(e->fsblk >> 32));
	put_le32(entry + 8, (uint32_t)e->fsblk);
}

static inline void extent_put_child(uint8_t *entry, uint32_t lblk,
				    blk64_t fsblk)
{
	put_le32(entry, lblk);
	put_le32(entry + 4, (uint32_t)fsblk);
	put_le16(entry + 8, (uint32_t)(fsblk >> 32));
	put_le16(entry + 10, 0);
}

#endif
