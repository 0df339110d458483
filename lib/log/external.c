/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * external.c - a journal on a device of its own: find it, check its user
 *
 * The journal's UUID alone proves nothing: any disk can carry it as
 * s_journal_uuid.  Writing a foreign log back would put another file system's
 * blocks on this disk and empty that file system's log.  So the journal must
 * name the file system, too: its superblock lists its users.
 * Rules: e2fsprogs lib/ext2fs/mkjournal.c, which adds to the list, and
 * misc/tune2fs.c, which keeps it when a UUID changes; Linux fs/ext4/super.c
 * mounts only a journal with exactly one user.
 */

#include <string.h>

#include <uuid/uuid.h>

#include "opening.h"
#include "log.h"

/* An external journal's superblock follows the device's ext4 superblock. */
uint32_t journal_super_logblk(const struct e2lazy_journal *j)
{
	if (!j->geo.external)
		return 0;
	return j->fs->blocksize == 1024 ? 2 : 1;
}

/*
 * Search by UUID, but never for an image: a device with that UUID on this host
 * may be the live journal of the file system that the image came from.
 */
static errcode_t find_by_uuid(const struct e2lazy_device *device,
			      const uint8_t uuid[16], char ***paths)
{
	char tag[sizeof("UUID=") + 36] = "UUID=";

	if (!device->rdev)
		return E2LAZY_ET_EXT_UNKNOWN;
	uuid_unparse_lower(uuid, tag + strlen(tag));
	*paths = e2lazy_tagged_devices(tag);
	if (!*paths)
		return EXT2_ET_NO_MEMORY;
	if (!(*paths)[0])
		return E2LAZY_ET_EXT_UNKNOWN;
	return (*paths)[1] ? E2LAZY_ET_EXT_SEVERAL : 0;
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
	if (device_is_same(&j->log, &j->device))
		return E2LAZY_ET_EXT_SAME;
	return runs_of_device((uint32_t)blocks, &j->runs);
}

/* ------------------------------------------- without the ext4 superblock */

/* A handle as libext2fs makes it, with what an ext4 superblock would say. */
static errcode_t make_handle(const struct e2lazy_journal *j, io_channel io,
			     const uint8_t uuid[16], ext2_filsys *out)
{
	errcode_t err = ext2fs_get_memzero(sizeof(**out), out);
	ext2_filsys fs = *out;

	if (err)
		return err;
	fs->magic = EXT2_ET_MAGIC_EXT2FS_FILSYS;
	fs->blocksize = j->fs->blocksize;
	err = ext2fs_get_memzero(SUPERBLOCK_SIZE, &fs->super);
	if (err) {
		ext2fs_free_mem(out);
		return err;
	}
	fs->io = io;
	fs->super->s_magic = EXT2_SUPER_MAGIC;
	fs->super->s_feature_incompat = EXT3_FEATURE_INCOMPAT_JOURNAL_DEV;
	fs->super->s_log_block_size = j->fs->super->s_log_block_size;
	memcpy(fs->super->s_uuid, uuid, 16);
	ext2fs_blocks_count_set(fs->super, j->log.bytes / fs->blocksize);
	return 0;
}

/* The jbd2 superblock has the UUID of its device; its checksum comes later. */
static bool is_the_journal(const struct e2lazy_journal *j, const uint8_t *sb)
{
	struct jbd2_header h;

	return jbd2_get_header(sb, &h) && h.type == JBD2_SUPER_V2 &&
	       !memcmp(sb + JSB_UUID, j->fs->super->s_journal_uuid, 16);
}

static errcode_t take_bare(struct e2lazy_journal *j, io_channel io,
			   uint8_t *block)
{
	errcode_t err = io_channel_set_blksize(io, (int)j->fs->blocksize);

	if (!err)
		err = io_channel_read_blk64(io, journal_super_logblk(j), 1,
					    block);
	if (!err && !is_the_journal(j, block))
		err = E2LAZY_ET_EXT_NOT_JOURNAL;
	return err ? err : make_handle(j, io, block + JSB_UUID, &j->jfs);
}

/* Only for reading: a writer opens the device as ext4, and fails. */
static errcode_t open_bare(struct e2lazy_journal *j, io_manager manager)
{
	char path[DEVICE_PATH_TEXT];
	uint8_t *block = NULL;
	io_channel io = NULL;
	errcode_t err;

	if (j->log.fd < 0 || !j->log.bytes)
		return E2LAZY_ET_EXT_NOT_JOURNAL;
	device_path(&j->log, path);
	err = manager->open(path, 0, &io);
	if (!err)
		err = ext2fs_get_mem(j->fs->blocksize, &block);
	if (!err)
		err = take_bare(j, io, block);
	ext2fs_free_mem(&block);
	if (err && io)
		io_channel_close(io);
	j->bare = !err;
	return err ? E2LAZY_ET_EXT_NOT_JOURNAL : 0;
}

/* ---------------------------------------------------------------- with it */

static errcode_t open_external(struct e2lazy_journal *j, const char *path,
			       const struct e2lazy_medium *medium,
			       io_manager manager)
{
	errcode_t err = medium_hold(&j->log, path, medium, 0);

	copy_device_name(j->geo.journal_device, j->log.name);
	if (err)
		return err;
	if (medium && !medium->fs)
		j->guards[E2LAZY_JOURNAL] = medium->guard;
	if (medium && medium->fs) {
		j->jfs = medium->fs;
		j->jfs_lent = true;
		return 0;
	}
	/* Only an ordinary file system has more than the superblock. */
	err = device_open_fs(&j->log, OPEN_FLAGS | EXT2_FLAG_SUPER_ONLY, 0, 0,
			     manager, &j->jfs);
	if (err == EXT2_ET_SB_CSUM_INVALID)
		return E2LAZY_ET_EXT_CSUM;
	if (err == EXT2_ET_BAD_MAGIC)
		return open_bare(j, manager);
	return err == EXT2_ET_SHORT_READ ? E2LAZY_ET_DEVICE_SHORT : err;
}

errcode_t external_find(struct e2lazy_journal *j, const struct sought *s)
{
	const char *path = s->opts.journal;
	char **found = NULL;
	errcode_t err = 0;

	j->named = path || s->journal;
	if (!j->named)
		err = find_by_uuid(&j->device, j->fs->super->s_journal_uuid,
				   &found);
	if (!err)
		err = open_external(j, found ? found[0] : path,
				    path ? NULL : s->journal,
				    s->opts.manager);
	e2lazy_free_paths(found);
	if (!err) {
		j->io = j->jfs->io;
		err = medium_measure(&j->log, j->io);
	}
	return err ? err : check_external(j);
}

static bool is_listed(const struct e2lazy_journal *j, const uint8_t *sb)
{
	uint32_t count = get_be32(sb + JSB_NR_USERS);

	for (uint32_t i = 0; i < count && i < JSB_MAX_USERS; i++)
		if (!memcmp(sb + JSB_USERS + i * 16, j->geo.fs_uuid, 16))
			return true;
	return false;
}

/* If the caller names the journal, reading it needs no other proof. */
errcode_t external_check_users(struct e2lazy_journal *j, const uint8_t *sb)
{
	if (j->geo.version >= 2 && get_be32(sb + JSB_NR_USERS) > 1)
		return E2LAZY_ET_JSB_USERS;
	j->geo.listed = is_listed(j, sb);
	return j->geo.listed || j->named ? 0 : E2LAZY_ET_EXT_NOT_USER;
}

void external_ask_damaged(struct e2lazy_journal *j, const uint8_t *sb)
{
	struct jbd2_header h;

	j->users_lost = !jbd2_get_header(sb, &h) || h.type != JBD2_SUPER_V2 ||
			!jsb_has_good_csum(sb, crc32c_select());
	j->geo.listed = is_listed(j, sb);
}
