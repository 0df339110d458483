/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * journal.c - find the journal of a file system and open it for reading
 *
 * Rules: Linux fs/ext4/super.c, ext4_load_journal(); e2fsck reads the backup
 * of the journal inode without its extents flag and so loses every ext4
 * journal whose inode is gone: here the extent header's magic decides.
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <blkid/blkid.h>
#include <ext2fs/ext3_extents.h>
#include <uuid/uuid.h>

#include "log.h"
#include "pread_io.h"
#include "sort.h"

#define OPEN_FLAGS (EXT2_FLAG_64BITS | EXT2_FLAG_SOFTSUPP_FEATURES | \
		    EXT2_FLAG_SKIP_MMP | EXT2_FLAG_JOURNAL_DEV_OK)

void copy_device_name(char name[E2LAZY_PATH_MAX], const char *device)
{
	snprintf(name, E2LAZY_PATH_MAX, "%s", device);
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

/* ------------------------------------------- journal on another device */

static bool is_block_device(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISBLK(st.st_mode);
}

/*
 * By UUID only, and never for an image: what carries that UUID on this host
 * may be the live journal of the file system that the image was taken from.
 */
static char *find_by_uuid(const char *device, const uint8_t uuid[16])
{
	char text[37];

	if (!is_block_device(device))
		return NULL;
	uuid_unparse_lower(uuid, text);
	return blkid_evaluate_tag("UUID", text, NULL);
}

static errcode_t check_external(struct e2lazy_journal *j)
{
	struct ext2_super_block *sb = j->jfs->super;
	blk64_t blocks = ext2fs_blocks_count(sb);

	if (!ext2fs_has_feature_journal_dev(j->jfs->super))
		return E2LAZY_ET_EXT_NOT_JOURNAL;
	if (memcmp(sb->s_uuid, j->fs->super->s_journal_uuid, 16))
		return E2LAZY_ET_EXT_UUID;
	if (j->jfs->blocksize != j->fs->blocksize)
		return E2LAZY_ET_JSB_BLOCKSIZE;
	if (blocks > UINT32_MAX)
		return E2LAZY_ET_GEOMETRY;
	return runs_of_device((uint32_t)blocks, &j->runs);
}

static errcode_t open_external(struct e2lazy_journal *j, const char *path,
			       io_manager manager)
{
	errcode_t err;

	copy_device_name(j->geo.journal_device, path);
	/* All else than the superblock only an ordinary file system has. */
	err = ext2fs_open2(path, NULL, OPEN_FLAGS | EXT2_FLAG_SUPER_ONLY, 0, 0,
			   manager, &j->jfs);
	if (err == EXT2_ET_SB_CSUM_INVALID)
		return E2LAZY_ET_EXT_CSUM;
	if (err == EXT2_ET_BAD_MAGIC)
		return E2LAZY_ET_EXT_NOT_JOURNAL;
	if (err == EXT2_ET_SHORT_READ)
		return E2LAZY_ET_DEVICE_SHORT;
	if (err)
		return err;
	j->io = j->jfs->io;
	return check_external(j);
}

static errcode_t find_external(struct e2lazy_journal *j, const char *device,
			       const struct e2lazy_open_opts *opts)
{
	char *found = NULL;
	const char *path = opts->journal;
	errcode_t err;

	if (!path)
		path = found = find_by_uuid(device,
					    j->fs->super->s_journal_uuid);
	if (!path)
		return E2LAZY_ET_EXT_UNKNOWN;
	err = open_external(j, path, opts->manager);
	free(found);
	return err;
}

/* ------------------------------------------------------------- opening */

static errcode_t open_fs(struct e2lazy_journal *j, const char *device,
			 const struct e2lazy_open_opts *opts)
{
	const struct ext2_super_block *sb;
	errcode_t err;

	if (opts->superblock > INT_MAX)		/* as libext2fs takes it */
		return EXT2_ET_INVALID_ARGUMENT;
	err = ext2fs_open2(device, NULL, OPEN_FLAGS, (int)opts->superblock,
			   opts->blocksize, opts->manager, &j->fs);
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
	err = ext2fs_get_device_size2(device, j->fs->blocksize,
				      &j->geo.device_blocks);
	if (err)
		return err;
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
static errcode_t find_end(struct e2lazy_journal *j, const char *device,
			  const struct e2lazy_open_opts *opts)
{
	errcode_t err = EXT2_ET_SHORT_READ;
	ext2_filsys fs;
	blk64_t blocks;

	if (ext2fs_open2(device, NULL, OPEN_FLAGS | EXT2_FLAG_SUPER_ONLY,
			 (int)opts->superblock, opts->blocksize, opts->manager,
			 &fs))
		return err;
	if (!ext2fs_get_device_size2(device, fs->blocksize, &blocks) &&
	    blocks < ext2fs_blocks_count(fs->super)) {
		j->geo.device_blocks = blocks;
		err = E2LAZY_ET_DEVICE_SHORT;
	}
	ext2fs_free(fs);
	return err;
}

/* How many blocks the device has that holds the journal. */
static errcode_t count_blocks(const struct e2lazy_journal *j, blk64_t *blocks)
{
	*blocks = j->geo.device_blocks;
	if (!j->geo.external)
		return 0;
	return ext2fs_get_device_size2(j->geo.journal_device, j->fs->blocksize,
				       blocks);
}

static bool is_cut_off(const struct e2lazy_journal *j, uint32_t logblk)
{
	blk64_t physblk, blocks;

	return !e2lazy_physblk(j, logblk, &physblk) &&
	       !count_blocks(j, &blocks) && physblk >= blocks;
}

/* The first block that is missing; an external journal counts log blocks. */
static void set_end(const struct e2lazy_journal *j, struct e2lazy_where *where)
{
	blk64_t blocks;

	where->has = 0;
	if (count_blocks(j, &blocks))
		return;
	if (j->geo.external) {
		where->has = E2LAZY_AT_LOGBLK;
		where->logblk = (uint32_t)blocks;
	} else {
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
		return find_external(j, device, opts);
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
	if (!err && j->jfs && g->version >= 2 &&
	    get_be32((uint8_t *)buf + JSB_NR_USERS) > 1)
		err = E2LAZY_ET_JSB_USERS;
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
	j = calloc(1, sizeof(*j));
	if (!j)
		return EXT2_ET_NO_MEMORY;
	if (!where)
		where = &unused;
	memset(where, 0, sizeof(*where));
	copy_device_name(where->device, device);

	err = open_fs(j, device, &o);
	if (err && o.superblock) {
		where->has = E2LAZY_AT_FSBLK;
		where->fsblk = o.superblock;
	}
	if (err == EXT2_ET_SHORT_READ)
		err = find_end(j, device, &o);
	if (!err) {
		err = find_journal(j, device, &o);
		copy_device_name(where->device, j->geo.journal_device);
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
	free(j);
}

/* ------------------------------------------------------------- reading */

const struct e2lazy_geometry *e2lazy_geometry(const struct e2lazy_journal *j)
{
	return &j->geo;
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
