/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * locate.c - the first step of opening: find the log's device and blocks
 *
 * A journal lies in an inode, in the backup of that inode in the superblock, or
 * on a device of its own (external.c).  This step finds the device's handle and
 * the runs of blocks that hold the log; it reads nothing of the log.
 *
 * Rules: Linux fs/ext4/super.c, ext4_load_journal().  e2fsck reads the backup
 * of the journal inode without its extents flag and so loses every ext4 journal
 * whose inode is gone; here the magic of the extent header decides.
 */

#include <string.h>

#include <ext2fs/ext2fs.h>
#include <uuid/uuid.h>

#include "opening.h"

/* ----------------------------------------------- the file system's device */

/* Only the superblock may pass unverified, so clear the flag at once. */
static errcode_t open_torn(struct e2lazy_journal *j,
			   const struct e2lazy_open_opts *opts)
{
	errcode_t err;

	if (j->fs)
		ext2fs_free(j->fs);
	err = device_open_fs(&j->device, OPEN_FLAGS |
			     EXT2_FLAG_IGNORE_CSUM_ERRORS, 0, 0, opts->manager,
			     &j->fs);
	if (!err) {
		j->fs->flags &= ~EXT2_FLAG_IGNORE_CSUM_ERRORS;
		j->geo.super_torn = true;
	}
	return err;
}

static errcode_t open_handle(struct e2lazy_journal *j, const struct sought *s)
{
	const struct e2lazy_open_opts *opts = &s->opts;
	errcode_t err;

	if (s->fs && s->fs->fs) {
		j->fs = s->fs->fs;
		j->fs_lent = true;
		return j->fs->flags & EXT2_FLAG_SUPER_ONLY ?
		       EXT2_ET_INVALID_ARGUMENT : 0;
	}
	err = device_open_fs(&j->device, OPEN_FLAGS, opts->superblock,
			     opts->blocksize, opts->manager, &j->fs);
	if (err == EXT2_ET_SB_CSUM_INVALID && opts->torn && !opts->superblock)
		err = open_torn(j, opts);
	return err;
}

/* An error is no failure here: a backup superblock may still be readable. */
static void keep_super(struct e2lazy_journal *j)
{
	if (device_read(&j->device, j->device.fd, SUPER_OFFSET, SUPER_BYTES,
			j->judged.super))
		memset(j->judged.super, 0, SUPER_BYTES);
}

/* The same through the channel, for a device without a descriptor. */
static errcode_t keep_read_super(struct e2lazy_journal *j)
{
	unsigned size = j->fs->blocksize;
	uint8_t *buf = NULL;
	errcode_t err = io_channel_alloc_buf(j->fs->io, 1, &buf);

	if (err)
		return err;
	if (!io_channel_read_blk64(j->fs->io, SUPER_OFFSET / size, 1, buf))
		memcpy(j->judged.super, buf + super_offset(size), SUPER_BYTES);
	ext2fs_free_mem(&buf);
	return 0;
}

static errcode_t open_fs(struct e2lazy_journal *j, const struct sought *s)
{
	const struct ext2_super_block *sb;
	errcode_t err;

	err = medium_hold(&j->device, s->path, s->fs, s->opts.offset);
	if (!s->path && !s->fs->fs)
		j->guards[E2LAZY_FILE_SYSTEM] = s->fs->guard;
	if (!err && j->device.fd >= 0)
		keep_super(j);
	if (!err)
		err = open_handle(j, s);
	if (!err)
		err = medium_measure(&j->device, j->fs->io);
	if (!err && j->device.fd < 0)
		err = keep_read_super(j);
	if (err)
		return err;
	sb = j->fs->super;
	if (ext2fs_has_feature_journal_dev(j->fs->super))
		return E2LAZY_ET_IS_JOURNAL_DEV;
	if (!ext2fs_has_feature_journal(j->fs->super) && !s->opts.runs)
		return E2LAZY_ET_NO_JOURNAL;
	memcpy(j->geo.fs_uuid, sb->s_uuid, 16);
	j->geo.needs_recovery =
		ext2fs_has_feature_journal_needs_recovery(j->fs->super);
	j->geo.device_blocks = j->device.bytes / j->fs->blocksize;
	j->geo.fs_blocks = ext2fs_blocks_count(j->fs->super);
	return 0;
}

/*
 * An image may end behind the superblock and lack group descriptors: find its
 * end.  Any other short read stays EXT2_ET_SHORT_READ.
 */
static errcode_t find_end(struct e2lazy_journal *j, const struct sought *s)
{
	errcode_t err = EXT2_ET_SHORT_READ;
	ext2_filsys fs;
	blk64_t blocks;

	if (!j->device.bytes || j->fs_lent ||
	    device_open_fs(&j->device, OPEN_FLAGS | EXT2_FLAG_SUPER_ONLY,
			   s->opts.superblock, s->opts.blocksize,
			   s->opts.manager, &fs))
		return err;
	blocks = j->device.bytes / fs->blocksize;
	if (blocks < ext2fs_blocks_count(fs->super)) {
		j->geo.device_blocks = blocks;
		err = E2LAZY_ET_DEVICE_SHORT;
	}
	ext2fs_free(fs);
	return err;
}

/* ------------------------------------------------- journal in an inode */

static bool usable_inode(const struct ext2_inode *inode, blk64_t blocks)
{
	return LINUX_S_ISREG(inode->i_mode) && inode->i_links_count > 0 &&
	       !(inode->i_flags & (EXT4_ENCRYPT_FL | EXT4_INLINE_DATA_FL)) &&
	       blocks >= JBD2_MIN_BLOCKS && blocks <= UINT32_MAX;
}

static errcode_t map_inode(struct e2lazy_journal *j, ext2_ino_t ino,
			   const struct ext2_inode *inode)
{
	blk64_t blocks = EXT2_I_SIZE(inode) / j->fs->blocksize;

	if (!usable_inode(inode, blocks))
		return E2LAZY_ET_JOURNAL_INODE;
	/* This bounds the memory that a wild block map can cost. */
	if (blocks >= j->geo.device_blocks)
		return E2LAZY_ET_JOURNAL_INODE;
	return runs_of_inode(j->fs, ino, inode, (uint32_t)blocks, &j->runs);
}

/*
 * s_jnl_blocks[] holds i_block[15], then i_size_high and i_size.  libext2fs has
 * swapped the superblock on a big-endian host, but no root of extents, there as
 * in an inode.
 */
static errcode_t map_backup(struct e2lazy_journal *j)
{
	const struct ext2_super_block *sb = j->fs->super;
	struct ext2_inode inode = { .i_mode = LINUX_S_IFREG | 0600,
				    .i_links_count = 1 };

	if (sb->s_jnl_backup_type != EXT3_JNL_BACKUP_BLOCKS)
		return E2LAZY_ET_JOURNAL_INODE;
	memcpy(inode.i_block, sb->s_jnl_blocks, sizeof(inode.i_block));
	inode.i_size_high = sb->s_jnl_blocks[15];
	inode.i_size = sb->s_jnl_blocks[16];
	if (!ext2fs_extent_header_verify(inode.i_block, sizeof(inode.i_block)))
		inode.i_flags |= EXT4_EXTENTS_FL;
	return map_inode(j, 0, &inode);
}

static errcode_t find_internal(struct e2lazy_journal *j)
{
	ext2_ino_t ino = j->fs->super->s_journal_inum;
	struct ext2_inode inode;
	errcode_t err;

	j->io = j->fs->io;
	j->geo.ino = ino;
	if (ino == 0 || ino > j->fs->super->s_inodes_count)
		err = E2LAZY_ET_JOURNAL_INODE;
	else
		err = ext2fs_read_inode(j->fs, ino, &inode);
	if (!err)
		err = map_inode(j, ino, &inode);
	if (!err)
		return 0;
	if (!map_backup(j)) {
		j->geo.from_backup = true;
		return 0;
	}
	/* The map may be sound, and the image too short for it. */
	if (j->geo.device_blocks < j->geo.fs_blocks)
		return E2LAZY_ET_DEVICE_SHORT;
	return err;
}

/* ------------------------------------------------------------- the log */

/* Blocks of the device that holds the journal. */
static blk64_t count_blocks(const struct e2lazy_journal *j)
{
	return j->geo.external ? j->log.bytes / j->fs->blocksize :
				 j->geo.device_blocks;
}

bool is_cut_off(const struct e2lazy_journal *j, uint32_t logblk)
{
	blk64_t physblk;

	return !e2lazy_physblk(j, logblk, &physblk) &&
	       physblk >= count_blocks(j);
}

void locate_end(const struct e2lazy_journal *j, struct e2lazy_where *where)
{
	blk64_t blocks = count_blocks(j);

	where->has = 0;
	if (j->geo.external) {
		where->has = E2LAZY_AT_LOGBLK;
		where->logblk = (uint32_t)blocks;
	} else {
		where->volume = E2LAZY_FILE_SYSTEM;
		where->has = E2LAZY_AT_FSBLK;
		where->fsblk = blocks;
	}
}

/* The journal's inode is lost, and the caller knows its blocks. */
static errcode_t take_runs(struct e2lazy_journal *j,
			   const struct e2lazy_open_opts *opts)
{
	j->io = j->fs->io;
	return runs_of_list(opts->runs, opts->nr_runs, j->geo.device_blocks,
			    &j->runs);
}

/*
 * A kernel takes the inode, whatever s_journal_uuid says, and refuses only an
 * inode and a device.  e2fsck goes by s_journal_uuid and ignores s_journal_dev.
 */
static errcode_t find_journal(struct e2lazy_journal *j, const struct sought *s)
{
	const struct ext2_super_block *sb = j->fs->super;

	copy_device_name(j->geo.journal_device, j->device.name);
	if (s->opts.runs)
		return take_runs(j, &s->opts);
	if (sb->s_journal_inum && sb->s_journal_dev)
		return E2LAZY_ET_AMBIGUOUS_JOURNAL;
	if (!sb->s_journal_inum && !uuid_is_null(sb->s_journal_uuid)) {
		j->geo.external = true;
		return external_find(j, s);
	}
	if (s->opts.journal || s->journal)
		return E2LAZY_ET_NOT_EXTERNAL;
	return find_internal(j);
}

errcode_t journal_locate(struct e2lazy_journal *j, const struct sought *s,
			 struct e2lazy_where *where)
{
	errcode_t err = open_fs(j, s);

	if (s->opts.journal_name)
		copy_device_name(s->opts.journal_name, j->device.name);
	if (err && s->opts.superblock && !j->fs_lent) {
		where->has = E2LAZY_AT_FSBLK;
		where->fsblk = s->opts.superblock;
	}
	if (err == EXT2_ET_SHORT_READ)
		err = find_end(j, s);
	if (!err) {
		err = find_journal(j, s);
		where->volume = E2LAZY_JOURNAL;
		if (s->opts.journal_name)
			copy_device_name(s->opts.journal_name,
					 j->geo.journal_device);
	}
	return err;
}
