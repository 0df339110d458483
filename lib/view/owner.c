/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * owner.c - find the inode that owns each block with a live copy, or each block
 * that somebody asks for
 *
 * The layout claims its blocks first, then each inode claims its own.  The
 * block bitmaps decide whether a remaining block is free or unowned.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/inode_blocks.h"
#include "fs/inode_reader.h"
#include "io/halve.h"
#include "io/watch.h"
#include "map/jmap.h"
#include "owner_path.h"
#include "view.h"

#define UNKNOWN E2LAZY_NR_ROLES	/* no owner found yet */

/* Inodes between two ticks, and whose blocks are read ahead together. */
#define PROGRESS_INODES 4096

/* The owner of the block with the same index. */
struct entry {
	ext2_ino_t	ino;
	uint32_t	lblk;
	uint32_t	generation;
	uint8_t		role;		/* enum e2lazy_role, or UNKNOWN */
	bool		unwritten;
};

struct e2lazy_owners {
	const struct e2lazy_jmap *map;
	blk64_t		*blocks;	/* NULL: those of @map */
	size_t		count;
	struct entry	*entries;
	struct names	names;
};

struct building {
	struct e2lazy_owners *owners;
	const struct e2lazy_owners_opts *opts;
	ext2_filsys	fs;
	struct e2lazy_damage *damage;
	struct inode_reader reader;
	struct inode_search search;
	size_t		near;		/* of the block after the last piece */
	size_t		unknown;	/* blocks without an owner yet */
	bool		indexed;	/* the current inode is */
	struct inode_list directories;
};

/* ---------------------------------------------------------- the blocks */

static blk64_t block_at(const struct e2lazy_owners *o, size_t i)
{
	return o->blocks ? o->blocks[i] : jmap_fsblk(o->map, i);
}

/* The first one that is not below @fsblk; @near may be it. */
static size_t lower_bound(const struct e2lazy_owners *o, blk64_t fsblk,
			  size_t near)
{
	struct halving h = { .high = o->count };

	if (!o->blocks)
		return jmap_lower_bound_near(o->map, fsblk, near);
	while (halve(&h))
		halved(&h, o->blocks[h.mid] < fsblk);
	return h.low;
}

/* Merge the blocks of the map with others; both ascend. */
static errcode_t collect_blocks(struct e2lazy_owners *o,
				const struct e2lazy_owners_opts *opts)
{
	size_t live = e2lazy_jmap_count(o->map), i = 0, other = 0;

	o->count = live;
	if (!opts->nr_blocks)
		return 0;
	o->blocks = malloc((live + opts->nr_blocks) * sizeof(*o->blocks));
	if (!o->blocks)
		return EXT2_ET_NO_MEMORY;
	o->count = 0;
	while (i < live || other < opts->nr_blocks) {
		blk64_t next;

		if (other == opts->nr_blocks ||
		    (i < live && jmap_fsblk(o->map, i) <= opts->blocks[other]))
			next = jmap_fsblk(o->map, i++);
		else
			next = opts->blocks[other++];
		if (!o->count || o->blocks[o->count - 1] != next)
			o->blocks[o->count++] = next;
	}
	return 0;
}

/* ---------------------------------------------------------- the layout */

static void claim_layout(struct building *b, struct e2lazy_layout *layout)
{
	struct e2lazy_place place;

	for (size_t i = 0; i < b->owners->count; i++) {
		struct entry *entry = &b->owners->entries[i];

		e2lazy_layout_find(layout, block_at(b->owners, i), &place);
		entry->role = UNKNOWN;
		if (place.type == E2LAZY_TYPE_OTHER) {
			b->unknown++;
			continue;
		}
		entry->role = E2LAZY_ROLE_LAYOUT;
		entry->ino = place.ino;
	}
}

/* ---------------------------------------------------------- the inodes */

static errcode_t claim_piece(void *priv, const struct e2lazy_owner *owner,
			     blk64_t count)
{
	struct building *b = priv;
	size_t i = lower_bound(b->owners, owner->fsblk, b->near);
	errcode_t err = 0;

	for (; !err && i < b->owners->count; i++) {
		struct entry *entry = &b->owners->entries[i];
		blk64_t fsblk = block_at(b->owners, i);

		if (fsblk - owner->fsblk >= count)
			break;
		if (entry->role != UNKNOWN)
			continue;
		entry->ino = owner->ino;
		entry->lblk = (uint32_t)(owner->lblk + (fsblk - owner->fsblk));
		entry->generation = owner->generation;
		entry->role = owner->role;
		entry->unwritten = b->search.unwritten;
		if (b->indexed && owner->role == E2LAZY_ROLE_DIRECTORY)
			err = directory_role(&b->search, fsblk,
					     entry->lblk, &entry->role);
		b->unknown--;
	}
	b->near = i;
	return err;
}

/* Only a directory with a sound map is read for names: that map ends. */
static errcode_t claim_inode(struct building *b, ext2_ino_t ino,
			     const struct ext2_inode *inode)
{
	errcode_t err;

	if (!inode_in_use(b->fs, ino, inode))
		return 0;
	b->indexed = inode_is_indexed(inode);
	err = inode_search_one(&b->search, ino, inode);
	if (err || !b->opts->paths || !LINUX_S_ISDIR(inode->i_mode) ||
	    !b->search.sound)
		return err;
	return inode_list_add(&b->directories, ino);
}

/*
 * If the block of @ino cannot be read, all other inodes in it are lost, too.
 * If only the inode's checksum is wrong, skip that inode alone.
 */
static errcode_t pass_unread(struct building *b, errcode_t err, ext2_ino_t *ino)
{
	blk64_t home = inode_home(b->fs, *ino);

	do {
		++*ino;
	} while (err != EXT2_ET_INODE_CSUM_INVALID &&
		 *ino <= b->fs->super->s_inodes_count &&
		 inode_home(b->fs, *ino) == home);
	return note_unread(b->damage, b->fs, err, home);
}

/* Claim for inode @ino, or skip the empty inodes that begin with it. */
static errcode_t claim_next(struct building *b, ext2_ino_t *ino, ext2_ino_t end)
{
	uint32_t empty = e2lazy_empty_inodes(b->fs, *ino, end - *ino);
	struct ext2_inode inode;
	errcode_t err;

	if (empty) {
		*ino += empty;
		return 0;
	}
	err = inode_reader_get(&b->reader, *ino, &inode);
	if (err)
		return pass_unread(b, err, ino);
	return claim_inode(b, (*ino)++, &inode);
}

static blk64_t descriptor_of(ext2_filsys fs, dgrp_t group)
{
	return ext2fs_descriptor_block_loc2(fs, fs->super->s_first_data_block,
				group / EXT2_DESC_PER_BLOCK(fs->super));
}

/* The blocks of inodes [@ino, @end), as many as go between two ticks. */
static void read_ahead(ext2_filsys fs, ext2_ino_t ino, ext2_ino_t end)
{
	if (end - ino > PROGRESS_INODES)
		end = ino + PROGRESS_INODES;
	io_channel_cache_readahead(fs->io, inode_home(fs, ino),
				   inode_home(fs, end - 1) -
				   inode_home(fs, ino) + 1);
}

static errcode_t claim_group(struct building *b, dgrp_t group)
{
	uint32_t per_group = b->fs->super->s_inodes_per_group;
	ext2_ino_t first = group * per_group + 1, ino = first;
	ext2_ino_t end = first + e2lazy_group_inodes(b->fs, group);
	ext2_ino_t told = 0;
	errcode_t err = 0;

	/* Without a table there is no need to read each inode. */
	if (first < end && !inode_has_table(b->fs, group))
		return note_unread(b->damage, b->fs,
				   EXT2_ET_GDESC_BAD_INODE_TABLE,
				   descriptor_of(b->fs, group));
	while (!err && ino < end) {
		if (ino >= told) {
			err = watch_tick(b->opts->watch, E2LAZY_PHASE_INODES,
					 ino, b->fs->super->s_inodes_count);
			told = ino + PROGRESS_INODES;
			read_ahead(b->fs, ino, end);
		}
		if (!err)
			err = claim_next(b, &ino, end);
	}
	return err;
}

static errcode_t claim_inodes(struct building *b)
{
	crc32c_fn crc = jmap_journal(b->owners->map)->csum.crc;
	errcode_t err;

	err = inode_search_init(&b->search, b->fs, claim_piece, b, b->damage);
	if (!err)
		err = inode_reader_init(&b->reader, b->fs, crc);
	for (dgrp_t g = 0; !err && g < b->fs->group_desc_count &&
	     (b->unknown || b->opts->paths); g++)
		err = claim_group(b, g);
	inode_reader_free(&b->reader);
	inode_search_free(&b->search);
	return err;
}

/* ------------------------------------------------------------ the rest */

static errcode_t read_bitmap(ext2_filsys fs, dgrp_t group, char *bitmap)
{
	blk64_t fsblk = ext2fs_block_bitmap_loc(fs, group);
	errcode_t err;

	if (ext2fs_has_group_desc_csum(fs) &&
	    ext2fs_bg_flags_test(fs, group, EXT2_BG_BLOCK_UNINIT)) {
		/* Only the layout uses blocks of such a group. */
		memset(bitmap, 0, fs->blocksize);
		return 0;
	}
	if (!fsblk || fsblk >= ext2fs_blocks_count(fs->super))
		return EXT2_ET_GDESC_BAD_BLOCK_MAP;
	err = io_channel_read_blk64(fs->io, fsblk, 1, bitmap);
	if (!err && !ext2fs_block_bitmap_csum_verify(fs, group, bitmap,
				EXT2_CLUSTERS_PER_GROUP(fs->super) / 8))
		err = EXT2_ET_BLOCK_BITMAP_CSUM_INVALID;
	return err;
}

/* The bitmap read last. */
struct group_bitmap {
	blk64_t		first, end;	/* blocks of its group */
	bool		known;
	char		*bits;
};

/* Mappings ascend by block, so each bitmap is read once. */
static errcode_t is_free(struct building *b, blk64_t fsblk,
			 struct group_bitmap *in, bool *is)
{
	ext2_filsys fs = b->fs;
	errcode_t err = 0;
	dgrp_t group;

	*is = false;
	if (fsblk < fs->super->s_first_data_block ||
	    fsblk >= ext2fs_blocks_count(fs->super))
		return 0;
	if (fsblk >= in->end) {
		group = ext2fs_group_of_blk2(fs, fsblk);
		in->first = ext2fs_group_first_block2(fs, group);
		in->end = in->first + EXT2_BLOCKS_PER_GROUP(fs->super);
		err = read_bitmap(fs, group, in->bits);
		in->known = !err;
		if (err)
			err = note_unread(b->damage, fs, err,
					  ext2fs_block_bitmap_loc(fs, group));
	}
	*is = in->known &&
	      !ext2fs_test_bit((unsigned)((fsblk - in->first) >>
					  fs->cluster_ratio_bits), in->bits);
	return err;
}

static errcode_t decide_rest(struct building *b)
{
	struct group_bitmap bitmap = { .end = 0 };
	errcode_t err;
	bool is;

	err = io_channel_alloc_buf(b->fs->io, 1, &bitmap.bits);
	for (size_t i = 0; !err && b->unknown && i < b->owners->count; i++) {
		struct entry *entry = &b->owners->entries[i];

		if (entry->role != UNKNOWN)
			continue;
		b->unknown--;
		err = is_free(b, block_at(b->owners, i), &bitmap, &is);
		entry->role = is ? E2LAZY_ROLE_FREE : E2LAZY_ROLE_UNOWNED;
	}
	ext2fs_free_mem(&bitmap.bits);
	return err;
}

static errcode_t read_names(struct building *b)
{
	struct inode_list wanted = { .inodes = NULL };
	errcode_t err = 0;

	for (size_t i = 0; !err && i < b->owners->count; i++) {
		const struct entry *entry = &b->owners->entries[i];

		if (entry->role != E2LAZY_ROLE_LAYOUT && entry->ino)
			err = inode_list_add(&wanted, entry->ino);
	}
	if (!err)
		err = names_read(&b->owners->names, b->fs, &wanted,
				 &b->directories, b->opts, b->damage);
	free(wanted.inodes);
	return err;
}

/* ------------------------------------------------------------ together */

static errcode_t build(struct building *b, struct e2lazy_layout *layout)
{
	errcode_t err = collect_blocks(b->owners, b->opts);

	if (err)
		return err;
	b->owners->entries = calloc(b->owners->count ? b->owners->count : 1,
				    sizeof(*b->owners->entries));
	if (!b->owners->entries)
		return EXT2_ET_NO_MEMORY;
	claim_layout(b, layout);
	err = claim_inodes(b);
	if (!err)
		err = decide_rest(b);
	if (!err && b->opts->paths)
		err = read_names(b);
	return err;
}

errcode_t owners_of_view(struct e2lazy_view *view, ext2_filsys fs,
			 struct e2lazy_layout *layout,
			 const struct e2lazy_owners_opts *opts,
			 struct e2lazy_owners **out,
			 struct e2lazy_damage *damage)
{
	static const struct e2lazy_owners_opts none;
	struct building b = {
		.owners = calloc(1, sizeof(*b.owners)),
		.opts = opts ? opts : &none,
		.fs = fs,
		.damage = damage,
	};
	errcode_t err;

	memset(damage, 0, sizeof(*damage));
	if (!b.owners)
		return EXT2_ET_NO_MEMORY;
	b.owners->map = view_map(view);
	err = build(&b, layout);
	free(b.directories.inodes);
	if (err) {
		e2lazy_owners_free(b.owners);
		return err;
	}
	*out = b.owners;
	return 0;
}

errcode_t e2lazy_owners_build(struct e2lazy_view *view,
			      struct e2lazy_layout *layout,
			      const struct e2lazy_owners_opts *opts,
			      struct e2lazy_owners **out,
			      struct e2lazy_damage *damage)
{
	ext2_filsys fs;
	errcode_t err;

	memset(damage, 0, sizeof(*damage));
	err = e2lazy_view_open(view, &fs, &damage->first);
	if (err)
		return err;
	err = owners_of_view(view, fs, layout, opts, out, damage);
	ext2fs_free(fs);
	return err;
}

void e2lazy_owners_free(struct e2lazy_owners *o)
{
	if (!o)
		return;
	names_free(&o->names);
	free(o->blocks);
	free(o->entries);
	free(o);
}

bool owners_unwritten(const struct e2lazy_owners *o, blk64_t fsblk, size_t near)
{
	size_t i = lower_bound(o, fsblk, near);

	return i < o->count && block_at(o, i) == fsblk &&
	       o->entries[i].unwritten;
}

errcode_t owners_find_near(const struct e2lazy_owners *o, blk64_t fsblk,
			   size_t near, struct e2lazy_owner *out)
{
	size_t i = lower_bound(o, fsblk, near);

	if (i == o->count || block_at(o, i) != fsblk)
		return E2LAZY_ET_NOT_MAPPED;
	out->fsblk = fsblk;
	out->role = o->entries[i].role;
	out->ino = o->entries[i].ino;
	out->lblk = o->entries[i].lblk;
	out->generation = o->entries[i].generation;
	return 0;
}

errcode_t e2lazy_owners_find(const struct e2lazy_owners *o, blk64_t fsblk,
			     struct e2lazy_owner *out)
{
	return owners_find_near(o, fsblk, 0, out);
}

errcode_t e2lazy_owners_path(const struct e2lazy_owners *o, ext2_ino_t ino,
			     char **path)
{
	return names_path(&o->names, ino, path);
}

static const char *const role_names[E2LAZY_NR_ROLES] = {
	[E2LAZY_ROLE_LAYOUT]	= "layout",
	[E2LAZY_ROLE_DIRECTORY]	= "directory",
	[E2LAZY_ROLE_HTREE]	= "htree node",
	[E2LAZY_ROLE_EXTENT]	= "extent node",
	[E2LAZY_ROLE_INDIRECT]	= "indirect",
	[E2LAZY_ROLE_XATTR]	= "xattr",
	[E2LAZY_ROLE_SYMLINK]	= "symlink",
	[E2LAZY_ROLE_DATA]	= "data",
	[E2LAZY_ROLE_SYSTEM]	= "system",
	[E2LAZY_ROLE_FREE]	= "free",
	[E2LAZY_ROLE_UNOWNED]	= "unowned",
};

const char *e2lazy_role_name(enum e2lazy_role role)
{
	return role_names[role];
}
