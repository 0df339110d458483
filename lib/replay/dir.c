/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dir.c - names in the blocks of a directory
 *
 * insert.c puts a name into a directory.
 */

#include <string.h>

#include "fs/dir_record.h"
#include "replay.h"

#define TAIL_BYTES	12
#define TAIL_TYPE	0xde

unsigned dir_end(const struct e2lazy_replay *r)
{
	return ext2fs_has_feature_metadata_csum(r->fs->super) ?
	       r->size - TAIL_BYTES : r->size;
}

uint32_t dir_blocks(const struct e2lazy_replay *r, const struct node *dir)
{
	(void)r;
	return dir->map.nr ? dir->map.at[dir->map.nr - 1].lblk +
			     dir->map.at[dir->map.nr - 1].count : 0;
}

uint8_t dir_type(const uint8_t *raw)
{
	return dir_type_of(get_le16(raw + I_MODE));
}

void dir_set_csum(struct e2lazy_replay *r, const struct node *dir,
		  uint8_t *block)
{
	unsigned end = dir_end(r);

	if (end == r->size)
		return;
	memset(block + end, 0, TAIL_BYTES);
	put_le16(block + end + 4, TAIL_BYTES);
	block[end + 7] = TAIL_TYPE;
	put_le32(block + end + 8,
		 ext2fs_crc32c_le(raw_seed(r, dir->ino, dir->raw), block, end));
}

void dir_empty_block(struct e2lazy_replay *r, uint8_t *block)
{
	memset(block, 0, r->size);
	dir_record_set_length(block, dir_end(r));
}

/* Does the block end in its checksum, and is that right? */
static bool is_sound(struct e2lazy_replay *r, const struct node *dir,
		     const uint8_t *block)
{
	unsigned end = dir_end(r);

	return end == r->size ||
	       (block[end + 7] == TAIL_TYPE && get_le32(block + end + 8) ==
		ext2fs_crc32c_le(raw_seed(r, dir->ino, dir->raw), block, end));
}

errcode_t dir_block(struct e2lazy_replay *r, struct node *dir, uint32_t lblk,
		    uint8_t **out)
{
	blk64_t fsblk = extents_find(&dir->map, lblk);

	r->at = dir->ino;
	return fsblk ? overlay_change(&r->overlay, fsblk, E2LAZY_TYPE_OTHER,
				      out) :
		       E2LAZY_ET_FC_DAMAGED;
}

/* A block of names, in order. */
errcode_t dir_leaf(struct e2lazy_replay *r, struct node *dir, uint32_t lblk,
		   uint8_t **out)
{
	unsigned length, end = dir_end(r);
	errcode_t err = dir_block(r, dir, lblk, out);

	if (err)
		return err;
	if (!is_sound(r, dir, *out))
		return E2LAZY_ET_FC_DAMAGED;
	for (unsigned at = 0; at < end; at += length) {
		length = dir_record_sound(*out + at, r->size, end - at);
		if (!length)
			return E2LAZY_ET_FC_DAMAGED;
	}
	return 0;
}

/* ------------------------------------------------------------- growing */

errcode_t dir_append(struct e2lazy_replay *r, struct node *dir,
		     uint32_t *lblk, uint8_t **out)
{
	struct extent e = { .lblk = dir_blocks(r, dir), .count = 1 };
	blk64_t near = dir->map.nr ? dir->map.at[0].fsblk :
		ext2fs_group_first_block2(r->fs, (dir->ino - 1) /
				r->fs->super->s_inodes_per_group);
	errcode_t err = space_new(r, near, &e.fsblk);

	if (!err)
		err = extents_add(&dir->map, &e);
	if (!err)
		err = overlay_new(&r->overlay, e.fsblk, E2LAZY_TYPE_OTHER,
				  out);
	dir->map_changed = true;
	*lblk = e.lblk;
	return err;
}

static void put_entry(struct e2lazy_replay *r, uint8_t *entry,
		      unsigned bytes, ext2_ino_t ino, uint8_t type,
		      const char *text, unsigned length)
{
	memset(entry, 0, dir_record_need(length));
	put_le32(entry, ino);
	dir_record_set_length(entry, bytes);
	entry[6] = (uint8_t)length;
	if (ext2fs_has_feature_filetype(r->fs->super))
		entry[7] = type;
	memcpy(entry + DIR_RECORD, text, length);
}

errcode_t dir_begin(struct e2lazy_replay *r, struct node *dir,
		    struct node *parent)
{
	unsigned end = dir_end(r);
	uint32_t lblk;
	uint8_t *block;
	errcode_t err;

	if (get_le32(dir->raw + I_FLAGS) & (EXT4_ENCRYPT_FL | EXT4_CASEFOLD_FL))
		return E2LAZY_ET_FC_NAMES;
	if (dir->map.nr)
		return E2LAZY_ET_FC_CONTRADICTS;
	put_le32(dir->raw + I_FLAGS, (get_le32(dir->raw + I_FLAGS) |
				      EXT4_EXTENTS_FL) &
		 ~(EXT2_INDEX_FL | EXT4_INLINE_DATA_FL));
	err = dir_append(r, dir, &lblk, &block);
	if (err)
		return err;
	put_entry(r, block, 12, dir->ino, EXT2_FT_DIR, ".", 1);
	put_entry(r, block + 12, end - 12, parent->ino, EXT2_FT_DIR, "..", 2);
	dir_set_csum(r, dir, block);
	return 0;
}

/* --------------------------------------------------------------- names */

/* The bytes of a record that its name takes. */
static unsigned taken(const uint8_t *entry)
{
	return dir_record_ino(entry) ?
	       dir_record_need(dir_record_name_length(entry)) : 0;
}

bool dir_put(struct e2lazy_replay *r, uint8_t *block, ext2_ino_t ino,
	     uint8_t type, const char *text, unsigned length)
{
	unsigned end = dir_end(r), bytes, used;

	for (unsigned at = 0; at < end; at += bytes) {
		uint8_t *entry = block + at;

		bytes = dir_record_length(entry, r->size);
		used = taken(entry);
		if (bytes < used + dir_record_need(length))
			continue;
		if (used)
			dir_record_set_length(entry, used);
		put_entry(r, entry + used, bytes - used, ino, type, text,
			  length);
		return true;
	}
	return false;
}

bool dir_is_full(const struct e2lazy_replay *r, const uint8_t *block)
{
	unsigned end = dir_end(r), bytes;

	for (unsigned at = 0; at < end; at += bytes) {
		bytes = dir_record_length(block + at, r->size);
		if (bytes >= dir_record_need(1) + taken(block + at))
			return false;
	}
	return true;
}

/* The entry goes to the one before it, as the kernel does. */
static void cut_out(struct e2lazy_replay *r, uint8_t *block, unsigned before,
		    unsigned at)
{
	unsigned bytes = dir_record_length(block + at, r->size);

	if (at == before)
		memset(block + at + DIR_RECORD, 0, bytes - DIR_RECORD);
	else
		memset(block + at, 0, bytes);
	if (at == before) {
		put_le32(block + at, 0);
		block[at + 6] = block[at + 7] = 0;
	} else {
		dir_record_set_length(block + before, at + bytes - before);
	}
}

/* Remove a name that the base has, or give it to its new inode. */
errcode_t dir_change(struct e2lazy_replay *r, const struct name *name)
{
	unsigned end = dir_end(r), bytes, before = 0;
	struct node *n = node_find(r, name->now);
	uint8_t *block;
	errcode_t err = dir_leaf(r, name->dir, name->lblk, &block);

	for (unsigned at = 0; !err && at < end; before = at, at += bytes) {
		uint8_t *entry = block + at;

		bytes = dir_record_length(entry, r->size);
		if (dir_record_ino(entry) != name->base ||
		    dir_record_name_length(entry) != name->length ||
		    memcmp(dir_record_name(entry), name->text, name->length))
			continue;
		if (name->now) {
			put_le32(entry, name->now);
			if (ext2fs_has_feature_filetype(r->fs->super))
				entry[7] = dir_type(n->raw);
		} else {
			cut_out(r, block, before, at);
		}
		if (name->lblk < name->dir->room_from)
			name->dir->room_from = name->lblk;
		dir_set_csum(r, name->dir, block);
		return 0;
	}
	return err ? err : E2LAZY_ET_FC_DAMAGED;
}
