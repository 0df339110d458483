/* SPDX-License-Identifier: LGPL-2.1-or-later */
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
 *
 * A superblock that an earlier run was writing as the power went is torn: its
 * two sectors are of two writes, and its checksum is wrong (lib/view/torn.c).
 * Then the first step writes the merged one whole.  The journal superblock
 * cannot be torn: all of it that changes is in its first sector.
 */

#include <string.h>

#include "log/log.h"
#include "map/super.h"
#include "view/view.h"
#include "mend.h"

static errcode_t write_block(const struct target *t, ext2_filsys fs,
			     blk64_t block, const void *bytes,
			     struct e2lazy_where *where)
{
	errcode_t err = io_channel_write_blk64(fs->io, block, 1, bytes);

	if (!err)
		err = io_channel_flush(fs->io);
	if (err) {
		where->volume = target_volume(t, fs);
		where->has = E2LAZY_AT_FSBLK;
		where->fsblk = block;
	}
	return err;
}

/* The log is in use, and nothing says so: a mount would discard it. */
static bool is_unannounced(const struct e2lazy_journal *j)
{
	return j->geo.start && !j->geo.needs_recovery;
}

/* The log is in use, and an earlier run left half a superblock. */
static bool is_unfinished(const struct e2lazy_journal *j)
{
	return j->geo.start && j->geo.super_torn;
}

/* The superblock in @block, with needs_recovery set or clear. */
static errcode_t mark(const struct e2lazy_view *v, uint8_t *block,
		      bool needs_recovery)
{
	struct ext2_super_block *sb = (void *)(block + 1024 % v->blocksize);

	sb->s_feature_incompat &=
		~ext2fs_cpu_to_le32(EXT3_FEATURE_INCOMPAT_RECOVER);
	if (needs_recovery)
		sb->s_feature_incompat |=
			ext2fs_cpu_to_le32(EXT3_FEATURE_INCOMPAT_RECOVER);
	return ext2fs_superblock_csum_set(v->journal->fs, sb);
}

errcode_t seal_make_super(const struct e2lazy_view *v, enum seal_stage stage,
			  uint8_t *block)
{
	const struct e2lazy_journal *j = v->journal;
	errcode_t err;

	if (stage != SEAL_COPYING || is_unfinished(j)) {
		memcpy(block, view_super(v)->bytes, v->blocksize);
		return mark(v, block, stage != SEAL_END);
	}
	err = io_channel_read_blk64(j->fs->io, super_fsblk(j), 1, block);
	return !err && is_unannounced(j) ? mark(v, block, true) : err;
}

static errcode_t write_super(struct target *t, const struct e2lazy_view *v,
			     enum seal_stage stage,
			     struct e2lazy_where *where)
{
	uint8_t *block;
	errcode_t err;

	err = io_channel_alloc_buf(t->fs->io, 1, &block);
	if (err)
		return err;
	err = seal_make_super(v, stage, block);
	t->begun = true;
	if (!err)
		err = write_block(t, t->fs, super_fsblk(v->journal), block,
				  where);
	ext2fs_free_mem(&block);
	return err;
}

errcode_t seal_begin(struct target *t, const struct e2lazy_view *v,
		     struct e2lazy_where *where)
{
	return is_unannounced(v->journal) || is_unfinished(v->journal) ?
		       write_super(t, v, SEAL_COPYING, where) : 0;
}

errcode_t seal_finish(struct target *t, const struct e2lazy_view *v,
		      struct e2lazy_where *where)
{
	const struct made_block *jsb = view_journal_super(v);
	bool in_use = v->journal->geo.start;
	errcode_t err = 0;

	if (in_use)
		err = write_super(t, v, SEAL_HOME, where);
	t->home = !err;
	if (!err && in_use)
		err = write_block(t, t->jfs ? t->jfs : t->fs,
				  jsb->fsblk, jsb->bytes, where);
	if (!err)
		err = write_super(t, v, SEAL_END, where);
	return err;
}
