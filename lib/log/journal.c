/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * journal.c - find the journal of a file system and open it for reading
 *
 * Rules: Linux fs/ext4/super.c, ext4_load_journal(); e2fsck reads the backup
 * of the journal inode without its extents flag and so loses every ext4
 * journal whose inode is gone: here the extent header's magic decides.
 */

#include <stdlib.h>
#include <string.h>

#include <ext2fs/ext2fs.h>
#include <ext2fs/ext3_extents.h>
#include <uuid/uuid.h>

#include "log.h"
#include "io/pread_io.h"
#include "sort.h"

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
	/* It bounds the memory that a wild block map can make us take. */
	if (blocks >= j->geo.device_blocks)
		return E2LAZY_ET_JOURNAL_INODE;
	return runs_of_inode(j->fs, ino, inode, (uint32_t)blocks, &j->runs);
}

/* s_jnl_blocks[]: i_block[15], then i_size_high and i_size. */
static errcode_t map_backup(struct e2lazy_journal *j)
{
	const struct ext2_super_block *sb = j->fs->super;
	struct ext2_inode inode = { .i_mode = LINUX_S_IFREG | 0600,
				    .i_links_count = 1 };
	struct ext3_extent_header *eh;
	uint32_t disk[EXT2_N_BLOCKS];

	if (sb->s_jnl_backup_type != EXT3_JNL_BACKUP_BLOCKS)
		return E2LAZY_ET_JOURNAL_INODE;
	memcpy(inode.i_block, sb->s_jnl_blocks, sizeof(inode.i_block));
	inode.i_size_high = sb->s_jnl_blocks[15];
	inode.i_size = sb->s_jnl_blocks[16];

	/* libext2fs has swapped them as block numbers; an extent root is not */
	for (unsigned i = 0; i < EXT2_N_BLOCKS; i++)
		disk[i] = ext2fs_cpu_to_le32(sb->s_jnl_blocks[i]);
	eh = (void *)disk;
	if (ext2fs_le16_to_cpu(eh->eh_magic) == EXT3_EXT_MAGIC) {
		inode.i_flags |= EXT4_EXTENTS_FL;
		memcpy(inode.i_block, disk, sizeof(disk));
	}
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
	/* Its map may be sound, and what it says simply not there. */
	if (j->geo.device_blocks < j->geo.fs_blocks)
		return E2LAZY_ET_DEVICE_SHORT;
	return err;
}

/* ------------------------------------------------------------- opening */

/* The flag is for the opening alone: nothing else passes unverified. */
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

static errcode_t open_fs(struct e2lazy_journal *j, const char *device,
			 const struct e2lazy_open_opts *opts)
{
	const struct ext2_super_block *sb;
	errcode_t err;

	err = device_hold(&j->device, device, opts->offset);
	/* Who needs it finds that it cannot be read; a backup can do without. */
	if (!err && device_read(&j->device, j->device.fd, SUPER_OFFSET,
				SUPER_BYTES, j->judged.super))
		memset(j->judged.super, 0, SUPER_BYTES);
	if (!err)
		err = device_open_fs(&j->device, OPEN_FLAGS, opts->superblock,
				     opts->blocksize, opts->manager, &j->fs);
	if (err == EXT2_ET_SB_CSUM_INVALID && opts->torn && !opts->superblock)
		err = open_torn(j, opts);
	if (err)
		return err;
	sb = j->fs->super;
	if (ext2fs_has_feature_journal_dev(j->fs->super))
		return E2LAZY_ET_IS_JOURNAL_DEV;
	if (!ext2fs_has_feature_journal(j->fs->super))
		return E2LAZY_ET_NO_JOURNAL;
	memcpy(j->geo.fs_uuid, sb->s_uuid, 16);
	j->geo.needs_recovery =
		ext2fs_has_feature_journal_needs_recovery(j->fs->super);

	/* The log may hold a resize: it can reach to the device's end. */
	j->geo.device_blocks = j->device.bytes / j->fs->blocksize;
	j->geo.fs_blocks = ext2fs_blocks_count(j->fs->super);
	j->fs_limit = j->geo.fs_blocks > j->geo.device_blocks ?
		      j->geo.fs_blocks : j->geo.device_blocks;
	if (j->fs_limit > RECORD_FSBLK_END)
		j->fs_limit = RECORD_FSBLK_END;
	return 0;
}

/*
 * An image may have the superblock and lack the group descriptors behind it:
 * where it ends.  What is short for another reason stays a short read.
 */
static errcode_t find_end(struct e2lazy_journal *j,
			  const struct e2lazy_open_opts *opts)
{
	errcode_t err = EXT2_ET_SHORT_READ;
	ext2_filsys fs;
	blk64_t blocks;

	if (j->device.fd < 0 ||
	    device_open_fs(&j->device, OPEN_FLAGS | EXT2_FLAG_SUPER_ONLY,
			   opts->superblock, opts->blocksize, opts->manager,
			   &fs))
		return err;
	blocks = j->device.bytes / fs->blocksize;
	if (blocks < ext2fs_blocks_count(fs->super)) {
		j->geo.device_blocks = blocks;
		err = E2LAZY_ET_DEVICE_SHORT;
	}
	ext2fs_free(fs);
	return err;
}

/* How many blocks the device has that holds the journal. */
static blk64_t count_blocks(const struct e2lazy_journal *j)
{
	return j->geo.external ? j->log.bytes / j->fs->blocksize :
				 j->geo.device_blocks;
}

static bool is_cut_off(const struct e2lazy_journal *j, uint32_t logblk)
{
	blk64_t physblk;

	return !e2lazy_physblk(j, logblk, &physblk) &&
	       physblk >= count_blocks(j);
}

/* The first block that is missing; an external journal counts log blocks. */
static void set_end(const struct e2lazy_journal *j, struct e2lazy_where *where)
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

/* Which of the two kinds, by s_journal_uuid alone. */
static errcode_t find_journal(struct e2lazy_journal *j, const char *device,
			      const struct e2lazy_open_opts *opts)
{
	const struct ext2_super_block *sb = j->fs->super;

	copy_device_name(j->geo.journal_device, device);
	if (!uuid_is_null(sb->s_journal_uuid)) {
		if (sb->s_journal_inum)
			return E2LAZY_ET_AMBIGUOUS_JOURNAL;
		j->geo.external = true;
		return external_find(j, opts);
	}
	if (sb->s_journal_inum && sb->s_journal_dev)
		return E2LAZY_ET_AMBIGUOUS_JOURNAL;
	if (opts->journal)
		return E2LAZY_ET_NOT_EXTERNAL;
	return find_internal(j);
}

/* An external journal's superblock follows the device's ext4 superblock. */
uint32_t journal_super_logblk(const struct e2lazy_journal *j)
{
	if (!j->jfs)
		return 0;
	return j->fs->blocksize == 1024 ? 2 : 1;
}

static errcode_t read_superblock(struct e2lazy_journal *j,
				 struct e2lazy_where *where)
{
	uint32_t at = journal_super_logblk(j);
	crc32c_fn crc = crc32c_select();
	struct e2lazy_geometry *g = &j->geo;
	void *buf;
	errcode_t err;

	where->has = E2LAZY_AT_LOGBLK;
	where->logblk = at;
	err = io_channel_alloc_buf(j->io, 1, &buf);
	if (err)
		return err;
	err = e2lazy_read_log(j, at, 1, buf);
	if (err == EXT2_ET_SHORT_READ && is_cut_off(j, at))
		err = E2LAZY_ET_DEVICE_SHORT;
	if (!err)
		err = jsb_parse(buf, j->runs.blocks, j->fs->blocksize, at,
				crc, g, where);
	if (!err && j->jfs)
		err = external_check_users(j, buf);
	memcpy(j->judged.journal, buf, SUPER_BYTES);
	ext2fs_free_mem(&buf);
	if (err)
		return err;

	g->runs = j->runs.nr_log;
	jbd2_format_init(&j->format, g->blocksize, g->csum,
			 g->incompat & E2LAZY_INCOMPAT_64BIT);
	g->tag_bytes = j->format.tag_bytes;
	csum_init(&j->csum, g->csum, crc, g->uuid, g->blocksize);
	return 0;
}

errcode_t e2lazy_open(const char *device, const struct e2lazy_open_opts *opts,
		      struct e2lazy_journal **out, struct e2lazy_where *where)
{
	struct e2lazy_open_opts o = { 0 };
	struct e2lazy_where unused;
	struct e2lazy_journal *j;
	errcode_t err;

	if (opts)
		o = *opts;
	if (!o.manager)
		o.manager = pread_io_manager;
	if (o.journal_name)
		copy_device_name(o.journal_name, device);
	if (!where)
		where = &unused;
	memset(where, 0, sizeof(*where));
	j = calloc(1, sizeof(*j));
	if (!j)
		return EXT2_ET_NO_MEMORY;
	j->device.fd = j->log.fd = -1;

	err = open_fs(j, device, &o);
	if (err && o.superblock) {
		where->has = E2LAZY_AT_FSBLK;
		where->fsblk = o.superblock;
	}
	if (err == EXT2_ET_SHORT_READ)
		err = find_end(j, &o);
	if (!err) {
		err = find_journal(j, device, &o);
		where->volume = E2LAZY_JOURNAL;
		if (o.journal_name)
			copy_device_name(o.journal_name,
					 j->geo.journal_device);
	}
	if (!err)
		err = read_superblock(j, where);
	if (err == E2LAZY_ET_DEVICE_SHORT)
		set_end(j, where);
	if (err) {
		e2lazy_close(j);
		return err;
	}
	*out = j;
	return 0;
}

void e2lazy_close(struct e2lazy_journal *j)
{
	if (!j)
		return;
	runs_free(&j->runs);
	if (j->jfs)
		ext2fs_free(j->jfs);
	if (j->fs)
		ext2fs_free(j->fs);
	device_release(&j->device);
	device_release(&j->log);
	free(j);
}

/* ------------------------------------------------------------- reading */

const struct e2lazy_geometry *e2lazy_geometry(const struct e2lazy_journal *j)
{
	return &j->geo;
}

const struct e2lazy_device *e2lazy_device(const struct e2lazy_journal *j,
					  enum e2lazy_volume volume)
{
	return volume == E2LAZY_JOURNAL && j->log.fd >= 0 ? &j->log :
							    &j->device;
}

ext2_filsys e2lazy_static_fs(const struct e2lazy_journal *j)
{
	return j->fs;
}

errcode_t e2lazy_physblk(const struct e2lazy_journal *j, uint32_t logblk,
			 blk64_t *physblk)
{
	const struct run *run;

	if (logblk >= j->runs.blocks)
		return E2LAZY_ET_OUTSIDE_LOG;
	run = runs_find(&j->runs, logblk);
	*physblk = run->physblk + (logblk - run->logblk);
	return 0;
}

bool e2lazy_is_journal_block(const struct e2lazy_journal *j, blk64_t fsblk)
{
	return runs_own(&j->runs, fsblk);
}

/* At most this many blocks in one request, so that its bytes fit an int. */
#define MAX_REQUEST_BYTES (1 << 24)

errcode_t read_log_through(const struct e2lazy_journal *j, io_channel io,
			   uint32_t logblk, uint32_t count, void *buf)
{
	uint32_t most = MAX_REQUEST_BYTES / j->fs->blocksize;
	uint8_t *to = buf;

	if (logblk >= j->runs.blocks || count > j->runs.blocks - logblk)
		return E2LAZY_ET_OUTSIDE_LOG;
	while (count) {
		const struct run *run = runs_find(&j->runs, logblk);
		uint32_t skip = logblk - run->logblk;
		uint32_t n = run->count - skip;
		errcode_t err;

		n = n < count ? n : count;
		n = n < most ? n : most;
		err = io_channel_read_blk64(io, run->physblk + skip, (int)n,
					    to);
		if (err)
			return err;
		to += (size_t)n * j->fs->blocksize;
		logblk += n;
		count -= n;
	}
	return 0;
}

errcode_t e2lazy_read_log(struct e2lazy_journal *j, uint32_t logblk,
			  uint32_t count, void *buf)
{
	errcode_t err = read_log_through(j, j->io, logblk, count, buf);

	if (!err)
		j->blocks_read += count;
	return err;
}

uint32_t log_hole(const struct e2lazy_journal *j, uint32_t logblk,
		  uint32_t count)
{
	const struct run *run = runs_find(&j->runs, logblk);
	uint32_t left = run->count - (logblk - run->logblk);

	left = left < count ? left : count;
	if (left > j->geo.end - logblk)
		left = j->geo.end - logblk;
	return (uint32_t)pread_io_hole(j->io, run->physblk +
				       (logblk - run->logblk), left);
}

void unescape(void *block, unsigned flags)
{
	if (flags & E2LAZY_COPY_ESCAPED)
		put_be32(block, JBD2_MAGIC);
}

errcode_t e2lazy_read_copy(struct e2lazy_journal *journal, uint32_t logblk,
			   unsigned flags, void *buf)
{
	errcode_t err = e2lazy_read_log(journal, logblk, 1, buf);

	if (!err)
		unescape(buf, flags);
	return err;
}

uint64_t e2lazy_blocks_read(const struct e2lazy_journal *j)
{
	return j->blocks_read;
}
