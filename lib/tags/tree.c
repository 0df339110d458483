/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tree.c - does a copy name its place among the blocks of its owner?
 *
 * The checksum of a block of a directory or an extent tree has the owner's
 * number and generation, but not which block of the owner it is.  Two tags of
 * one directory may be exchanged.  So the content has to show that, too: the
 * first block of a directory begins with ".", any other one has names or hashes
 * of the range that the index gives it, and a node of an extent tree has blocks
 * of the range that its parent gives it.  A directory without an index gives
 * its later blocks no range, so nothing proves these.
 */

#include <string.h>

#include "fs/block_map.h"
#include "fs/dir_record.h"
#include "fs/extent_node.h"
#include "fs/fs_csum.h"
#include "tags.h"

#include <ext2fs/ext2_ext_attr.h>

/* A range of hashes or of blocks of a file, and who has it. */
struct range {
	uint32_t	low;
	uint64_t	high;		/* one past it */
	unsigned	level;		/* 0: a leaf */
	unsigned	times;		/* found so often */
};

/* A hostile file system has trees without end. */
static bool may_read(struct prover *p)
{
	if (!p->reads)
		return false;
	p->reads--;
	return true;
}

/* ------------------------------------------------------ extended attributes */

/* Its checksum has the number of the block itself. */
static bool xattr_is(const struct prover *p, const struct e2lazy_owner *owner)
{
	struct ext2_ext_attr_header *header = (void *)(uintptr_t)p->copy;

	return get_le32(p->copy) == EXT2_EXT_ATTR_MAGIC &&
	       ext2fs_ext_attr_block_csum_verify(p->fs, owner->ino, p->fsblk,
						 header);
}

/* --------------------------------------------------------- extent trees */

struct tree {
	struct prover	*p;
	ext2_ino_t	ino;
	uint32_t	generation;
	struct range	range;		/* of the block that is looked for */
	uint8_t		*nodes;		/* a block for each depth */
};

static bool node_is_sound(const struct tree *t, const uint8_t *node,
			  unsigned depth)
{
	ext2_filsys fs = t->p->fs;

	return extent_is_node(node, extent_room(fs->blocksize), depth) &&
	       extent_csum_fits(fs, t->p->crc, t->ino, t->generation, node);
}

static void search_nodes(struct tree *t, const uint8_t *node, unsigned depth,
			 uint64_t end);

static void search_child(struct tree *t, blk64_t child, unsigned depth,
			 uint64_t end)
{
	ext2_filsys fs = t->p->fs;
	uint8_t *node = t->nodes + (size_t)depth * fs->blocksize;

	if (may_read(t->p) && child > fs->super->s_first_data_block &&
	    child < ext2fs_blocks_count(fs->super) &&
	    !io_channel_read_blk64(fs->io, child, 1, node) &&
	    node_is_sound(t, node, depth))
		search_nodes(t, node, depth, end);
}

/* @end: the first block behind those of @node. */
static void search_nodes(struct tree *t, const uint8_t *node, unsigned depth,
			 uint64_t end)
{
	unsigned entries = extent_header(node).entries;

	for (unsigned i = 0; depth && i < entries; i++) {
		const uint8_t *entry = extent_entry(node, i);
		uint64_t next = i + 1 < entries ?
				extent_lblk(extent_entry(node, i + 1)) : end;
		blk64_t child = extent_child(entry);

		if (child == t->p->fsblk) {
			t->range.low = extent_lblk(entry);
			t->range.high = next;
			t->range.level = depth - 1;
			t->range.times++;
		} else if (depth > 1) {
			search_child(t, child, depth - 1, next);
		}
	}
}

static bool extents_are_within(const struct tree *t)
{
	const uint8_t *node = t->p->copy;
	unsigned entries = extent_header(node).entries;

	return entries && node_is_sound(t, node, t->range.level) &&
	       extent_lblk(extent_entry(node, 0)) >= t->range.low &&
	       extent_lblk(extent_entry(node, entries - 1)) < t->range.high;
}

static bool extent_is(struct prover *p, const struct e2lazy_owner *owner)
{
	struct tree t = { .p = p, .ino = owner->ino };
	struct ext2_inode inode;
	uint8_t root[sizeof(inode.i_block)];
	bool is;

	if (ext2fs_read_inode(p->fs, owner->ino, &inode) ||
	    !(inode.i_flags & EXT4_EXTENTS_FL) ||
	    io_channel_alloc_buf(p->fs->io, EXTENT_DEPTHS + 1, &t.nodes))
		return false;
	memcpy(root, inode.i_block, sizeof(root));
	t.generation = inode.i_generation;
	if (extent_header(root).depth <= EXTENT_DEPTHS &&
	    extent_is_node(root, EXTENT_IN_ROOT, extent_header(root).depth))
		search_nodes(&t, root, extent_header(root).depth,
			     (uint64_t)UINT32_MAX + 1);
	is = t.range.times == 1 && extents_are_within(&t);
	ext2fs_free_mem(&t.nodes);
	return is;
}

/* ---------------------------------------------------------- directories */

#define INFO_AT		24	/* of the root, behind "." and ".." */
#define INFO_BYTES	8
#define MOST_LEVELS	3	/* with large_dir */
#define BLOCK_MASK	0x0fffffffU	/* the upper four bits are reserved */
#define CONTINUED	1U	/* of a hash: the block before has it, too */

struct directory {
	struct prover	*p;
	const struct e2lazy_owner *owner;
	unsigned	version;	/* of the hash */
	struct range	range;
	uint8_t		*nodes;		/* a block for each level */
};

static bool dir_csum_fits(const struct directory *d, const uint8_t *block)
{
	return leaf_csum_fits(d->p->fs, d->p->crc, d->owner->ino,
			      d->owner->generation, block) ||
	       ext2fs_dir_block_csum_verify(d->p->fs, d->owner->ino,
					    (void *)(uintptr_t)block);
}

static bool is_dot(const uint8_t *record, const char *name)
{
	return dir_record_name_length(record) == strlen(name) &&
	       !memcmp(dir_record_name(record), name, strlen(name));
}

/* Only the first block has it, and with its own number. */
static bool is_first(const struct directory *d, const uint8_t *block)
{
	return dir_record_ino(block) == d->owner->ino && is_dot(block, ".") &&
	       dir_record_length(block, d->p->fs->blocksize) == 12 &&
	       is_dot(block + 12, "..");
}

/* The entries of an index node, from @offset on; 0: it makes no sense. */
static unsigned count_entries(const struct directory *d, const uint8_t *node,
			      unsigned offset)
{
	unsigned room = (d->p->fs->blocksize - offset) / 8;
	unsigned limit = get_le16(node + offset);
	unsigned count = get_le16(node + offset + 2);

	return limit <= room && count <= limit ? count : 0;
}

struct block_search {
	uint64_t	lblk;
	blk64_t		fsblk;		/* 0: not found */
};

static errcode_t take_piece(void *priv, const struct e2lazy_owner *piece,
			    blk64_t count)
{
	struct block_search *s = priv;

	if (piece->role == E2LAZY_ROLE_DIRECTORY && s->lblk >= piece->lblk &&
	    s->lblk - piece->lblk < count)
		s->fsblk = piece->fsblk + (s->lblk - piece->lblk);
	return 0;
}

static blk64_t find_block(const struct directory *d, uint64_t lblk)
{
	struct block_search found = { .lblk = lblk };
	struct e2lazy_damage damage = { .count = 0 };
	struct inode_search search;
	struct ext2_inode inode;

	if (ext2fs_read_inode(d->p->fs, d->owner->ino, &inode) ||
	    inode_search_init(&search, d->p->fs, take_piece, &found, &damage))
		return 0;
	inode_search_begin(&search, d->owner->ino, E2LAZY_ROLE_DIRECTORY);
	search.generation = inode.i_generation;
	block_map_walk(&search, &inode);
	inode_search_end(&search);
	inode_search_free(&search);
	return found.fsblk;
}

static bool read_block(struct directory *d, uint64_t lblk, uint8_t *to)
{
	blk64_t fsblk = may_read(d->p) ? find_block(d, lblk) : 0;

	return fsblk && !io_channel_read_blk64(d->p->fs->io, fsblk, 1, to) &&
	       dir_csum_fits(d, to);
}

/* Look below a node with @level nodes under it, that has hashes up to @end. */
static void search_index(struct directory *d, const uint8_t *node,
			 unsigned offset, unsigned level, uint32_t low,
			 uint64_t end)
{
	unsigned count = count_entries(d, node, offset);

	for (unsigned i = 0; i < count; i++) {
		const uint8_t *entry = node + offset + 8UL * i;
		uint32_t from = i ? get_le32(entry) : low;
		uint64_t to = i + 1 < count ? get_le32(entry + 8) : end;
		uint32_t lblk = get_le32(entry + 4) & BLOCK_MASK;
		uint8_t *child = d->nodes + (size_t)level *
				 d->p->fs->blocksize;

		if (lblk == d->owner->lblk) {
			d->range = (struct range){
				.low = from, .high = to, .level = level,
				.times = d->range.times + 1,
			};
		} else if (level && read_block(d, lblk, child)) {
			search_index(d, child, 8, level - 1, from, to);
		}
	}
}

static bool find_hashes(struct directory *d)
{
	uint8_t *root = d->nodes + (size_t)MOST_LEVELS * d->p->fs->blocksize;

	if (!read_block(d, 0, root) || !is_first(d, root) ||
	    root[INFO_AT + 5] != INFO_BYTES ||
	    root[INFO_AT + 6] >= MOST_LEVELS)
		return false;
	d->version = root[INFO_AT + 4];
	search_index(d, root, INFO_AT + INFO_BYTES, root[INFO_AT + 6], 0,
		     (uint64_t)UINT32_MAX + 1);
	return d->range.times == 1;
}

/*
 * Names of one hash may go on in the next block; then its first hash is marked.
 * Such a name may be in either, so it is allowed, but proves nothing.
 */
static bool is_within(const struct range *r, uint32_t hash)
{
	return hash >= (r->low & ~CONTINUED) && hash < r->high;
}

static bool proves(const struct range *r, uint32_t hash)
{
	return hash >= r->low && hash < (r->high & ~(uint64_t)CONTINUED);
}

static bool hash_of(const struct directory *d, const uint8_t *record,
		    uint32_t *hash)
{
	struct ext2_super_block *sb = d->p->fs->super;
	unsigned version = d->version;
	ext2_dirhash_t major, minor;

	if (version <= EXT2_HASH_TEA && sb->s_flags & EXT2_FLAGS_UNSIGNED_HASH)
		version += 3;
	if (ext2fs_dirhash2((int)version, dir_record_name(record),
			    (int)dir_record_name_length(record), NULL, 0,
			    sb->s_hash_seed, &major, &minor))
		return false;
	*hash = major;
	return true;
}

static bool names_are_within(const struct directory *d)
{
	unsigned size = d->p->fs->blocksize, length, proofs = 0;
	uint32_t hash;

	for (unsigned at = 0; at < size; at += length) {
		const uint8_t *record = d->p->copy + at;

		length = dir_record_sound(record, size, size - at);
		if (!length)
			return false;
		if (!dir_record_ino(record) || !dir_record_name_length(record))
			continue;
		if (!hash_of(d, record, &hash) || !is_within(&d->range, hash))
			return false;
		proofs += proves(&d->range, hash);
	}
	return proofs;
}

/* The first entry has no hash: its parent has. */
static bool hashes_are_within(const struct directory *d)
{
	unsigned count = count_entries(d, d->p->copy, 8);

	for (unsigned i = 1; i < count; i++) {
		uint32_t hash = get_le32(d->p->copy + 8 + 8UL * i);

		if (hash <= d->range.low || hash >= d->range.high)
			return false;
	}
	return count > 1;
}

/* A name's hash depends on its case there, or on a key. */
static bool hashes_names(const struct directory *d)
{
	struct ext2_inode inode;

	return !ext2fs_read_inode(d->p->fs, d->owner->ino, &inode) &&
	       inode.i_flags & EXT2_INDEX_FL &&
	       !(inode.i_flags & (EXT4_ENCRYPT_FL | EXT4_CASEFOLD_FL));
}

static bool later_block_is(struct directory *d)
{
	bool is;

	if (is_first(d, d->p->copy) || !hashes_names(d) ||
	    io_channel_alloc_buf(d->p->fs->io, MOST_LEVELS + 1, &d->nodes))
		return false;
	is = find_hashes(d) && (d->range.level ? hashes_are_within(d) :
						 names_are_within(d));
	ext2fs_free_mem(&d->nodes);
	return is;
}

static bool directory_is(struct prover *p, const struct e2lazy_owner *owner)
{
	struct directory d = { .p = p, .owner = owner };

	if (!dir_csum_fits(&d, p->copy))
		return false;
	return owner->lblk ? later_block_is(&d) : is_first(&d, p->copy);
}

bool tree_is_named(struct prover *p, const struct e2lazy_owner *owner)
{
	if (!ext2fs_has_feature_metadata_csum(p->fs->super))
		return false;
	switch (owner->role) {
	case E2LAZY_ROLE_DIRECTORY:
	case E2LAZY_ROLE_HTREE:
		return directory_is(p, owner);
	case E2LAZY_ROLE_EXTENT:
		return extent_is(p, owner);
	case E2LAZY_ROLE_XATTR:
		return xattr_is(p, owner);
	default:
		return false;
	}
}
