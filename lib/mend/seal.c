/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * seal.c - the order in which a log is written back and emptied
 *
 *	needs_recovery set, where it was clear		flush
 *	static copies (the caller's), merged superblock	flush
 *	journal superblock: the log is empty		flush
 *	superblock: needs_recovery cleared		flush
 *
 * Up to the third flush the log can redo everything, and whoever mounts or
 * checks the file system will do that, since needs_recovery says so; it would
 * otherwise be discarded unread.  Past it nothing is left to redo: the fourth
 * step only takes the flag away, and whoever finds it set with an empty log
 * does the same.  The superblock is merged and written before the log is
 * emptied, because its copy in the log goes with it.
 */
#include "config.h"

#include <string.h>

#include "../log/log.h"
#include "../map/super.h"
#include "../map/view.h"
#include "mend.h"

static errcode_t write_block(io_channel io, blk64_t block, const void *bytes,
			     struct e2lazy_where *where)
{
	errcode_t err = io_channel_write_blk64(io, block, 1, bytes);

	if (!err)
		err = io_channel_flush(io);
	if (err) {
		copy_device_name(where->device, io->name);
		where->has = E2LAZY_AT_FSBLK;
		where->fsblk = block;
	}
	return err;
}

/* Write @bytes, the superblock's block, with needs_recovery set or clear. */
static errcode_t write_super(struct target *t, const struct e2lazy_view *v,
			     const uint8_t *bytes, bool needs_recovery,
			     struct e2lazy_where *where)
{
	uint8_t *block;
	struct ext2_super_block *sb;
	errcode_t err;

	err = io_channel_alloc_buf(t->fs->io, 1, &block);
	if (err)
		return err;
	memcpy(block, bytes, v->blocksize);
	sb = (void *)(block + 1024 % v->blocksize);
	sb->s_feature_incompat &=
		~ext2fs_cpu_to_le32(EXT3_FEATURE_INCOMPAT_RECOVER);
	if (needs_recovery)
		sb->s_feature_incompat |=
			ext2fs_cpu_to_le32(EXT3_FEATURE_INCOMPAT_RECOVER);
	err = ext2fs_superblock_csum_set(v->journal->fs, sb);
	t->begun = true;
	if (!err)
		err = write_block(t->fs->io, super_fsblk(v->journal), block,
				  where);
	ext2fs_free_mem(&block);
	return err;
}

errcode_t seal_begin(struct target *t, const struct e2lazy_view *v,
		     struct e2lazy_where *where)
{
	blk64_t fsblk = super_fsblk(v->journal);
	uint8_t *block;
	errcode_t err;

	if (v->journal->geo.needs_recovery || !v->journal->geo.start)
		return 0;
	err = io_channel_alloc_buf(t->fs->io, 1, &block);
	if (err)
		return err;
	err = io_channel_read_blk64(v->journal->fs->io, fsblk, 1, block);
	if (!err)
		err = write_super(t, v, block, true, where);
	ext2fs_free_mem(&block);
	return err;
}

errcode_t seal_finish(struct target *t, const struct e2lazy_view *v,
		      struct e2lazy_where *where)
{
	const struct made_block *super = view_super(v);
	const struct made_block *jsb = view_journal_super(v);
	bool in_use = v->journal->geo.start;
	errcode_t err = 0;

	if (in_use)
		err = write_super(t, v, super->bytes, true, where);
	t->home = !err;
	if (!err && in_use)
		err = write_block(t->jfs ? t->jfs->io : t->fs->io,
				  jsb->fsblk, jsb->bytes, where);
	if (!err)
		err = write_super(t, v, super->bytes, false, where);
	return err;
}
