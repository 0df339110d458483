/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * orphan_flag.c - orphan_present in the superblock that the view makes
 *
 * A mount for writing sets the flag, whether the orphan file has an inode or
 * not.  It stays after a crash, and a kernel that does not know it mounts the
 * file system read-only.  So the view clears it if the file is sound and empty,
 * as a kernel does that replays the log.  Nobody needs the flag before: a kernel
 * that knows it reads the file anyway, once the log has been replayed.
 */

#include "fs/orphan_file.h"
#include "map/super.h"
#include "view.h"

static struct ext2_super_block *made_super(const struct e2lazy_view *v)
{
	return (void *)(v->made.super.bytes + super_offset(v->blocksize));
}

static errcode_t note_one(void *priv, ext2_ino_t ino)
{
	(void)ino;
	*(bool *)priv = true;
	return 0;
}

/* A file that cannot be read may have some. */
static bool may_have_orphans(struct e2lazy_view *v)
{
	bool any = false, sound = false;
	ext2_filsys fs;
	errcode_t err = e2lazy_view_open(v, &fs, NULL);

	if (err)
		return true;
	err = orphan_file_each(fs, v->journal->csum.crc, note_one, &any,
			       &sound);
	ext2fs_free(fs);
	return err || any || !sound;
}

errcode_t view_settle_orphan_flag(struct e2lazy_view *v)
{
	struct ext2_super_block *sb = made_super(v);

	if (!view_orphan_present(v) || may_have_orphans(v))
		return 0;
	sb->s_feature_ro_compat &=
		~ext2fs_cpu_to_le32(EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT);
	return ext2fs_superblock_csum_set(v->journal->fs, sb);
}

bool view_orphan_present(const struct e2lazy_view *v)
{
	return made_super(v)->s_feature_ro_compat &
	       ext2fs_cpu_to_le32(EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT);
}
