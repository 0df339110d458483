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

#include "fs/orphan_file.h"
#include "replay.h"

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

static errcode_t check_number(void *priv, ext2_ino_t ino)
{
	uint8_t raw[4096];

	return check_one(priv, ino, raw);
}

static errcode_t check_file(struct e2lazy_replay *r)
{
	bool sound;
	errcode_t err;

	r->at = r->fs->super->s_orphan_file_inum;
	err = orphan_file_each(r->fs, r->view->journal->csum.crc, check_number,
			       r, &sound);
	return err || sound ? err : E2LAZY_ET_FC_DAMAGED;
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
