/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * orphans.c - files that wait for their deletion or their truncation
 *
 * They are in a list that begins in the superblock and goes through the inodes,
 * or, with the feature orphan_file, in a file of inode numbers.  A record does
 * not tell when a file leaves that list.  An inode without links stays as it
 * is.  One with links waits for its truncation, and the replay refuses to
 * change it.
 */

#include <string.h>

#include "replay.h"

#define ORPHAN_TAIL	8	/* magic and checksum, at the end of a block */
#define MOST_BYTES	(8 << 20)	/* of a file that a kernel takes */

static errcode_t check_one(struct e2lazy_replay *r, ext2_ino_t ino,
			   uint8_t raw[4096])
{
	errcode_t err;

	if (ino > r->fs->super->s_inodes_count)
		return E2LAZY_ET_FC_DAMAGED;
	r->at = ino;
	err = raw_read(r, ino, raw);
	if (!err && node_find(r, ino) && get_le16(raw + I_LINKS))
		err = E2LAZY_ET_FC_ORPHAN;
	return err;
}

/* Brent's way to notice that a list comes back to one of its inodes. */
static errcode_t check_list(struct e2lazy_replay *r)
{
	const struct ext2_super_block *sb = r->fs->super;
	ext2_ino_t ino = sb->s_last_orphan, seen = 0;
	uint64_t steps = 0, due = 1;
	uint8_t raw[4096];
	errcode_t err = 0;

	for (; !err && ino; steps++) {
		if (ino == seen)
			return E2LAZY_ET_FC_DAMAGED;
		if (steps == due) {
			seen = ino;
			due *= 2;
		}
		err = check_one(r, ino, raw);
		ino = get_le32(raw + I_DTIME);
	}
	return err;
}

static errcode_t check_block(struct e2lazy_replay *r, blk64_t fsblk)
{
	uint8_t raw[4096], numbers[65536];
	const uint8_t *block;
	errcode_t err;

	if (fsblk >= ext2fs_blocks_count(r->fs->super))
		return E2LAZY_ET_FC_DAMAGED;
	err = overlay_read(&r->overlay, fsblk, &block);
	if (err)
		return err;
	memcpy(numbers, block, r->size);	/* reading inodes takes its place */
	for (unsigned at = 0; !err && at + ORPHAN_TAIL < r->size; at += 4)
		if (get_le32(numbers + at))
			err = check_one(r, get_le32(numbers + at), raw);
	return err;
}

static errcode_t check_file(struct e2lazy_replay *r)
{
	ext2_ino_t ino = r->fs->super->s_orphan_file_inum;
	struct extents map = { 0 };
	uint8_t raw[4096];
	errcode_t err;

	if (!ino || ino > r->fs->super->s_inodes_count)
		return E2LAZY_ET_FC_DAMAGED;
	r->at = ino;
	err = raw_read(r, ino, raw);
	if (!err && !(get_le32(raw + I_FLAGS) & EXT4_EXTENTS_FL))
		err = E2LAZY_ET_FC_ORPHAN;
	if (!err)
		err = tree_load(r, ino, raw, &map);
	if (!err && extents_blocks(&map) > MOST_BYTES / r->size)
		err = E2LAZY_ET_FC_DAMAGED;
	for (size_t i = 0; !err && i < map.nr; i++)
		for (uint32_t n = 0; !err && n < map.at[i].count; n++)
			err = check_block(r, map.at[i].fsblk + n);
	extents_free(&map);
	return err;
}

/* Like the kernel, read the file only if the superblock says it has some. */
errcode_t orphans_check(struct e2lazy_replay *r)
{
	const struct ext2_super_block *sb = r->fs->super;
	errcode_t err = check_list(r);

	if (!err && sb->s_feature_ro_compat &
		    EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT)
		err = check_file(r);
	return err;
}
