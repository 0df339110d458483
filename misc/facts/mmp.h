/* SPDX-License-Identifier: GPL-2.0-only */
/* mmp.h - the block of multiple mount protection, as it is on the device */
#ifndef MISC_FACTS_MMP_H
#define MISC_FACTS_MMP_H

#include <ext2fs/ext2fs.h>

/* In the order of the disk.  False without one, or if it cannot be read. */
static inline bool mmp_read(ext2_filsys fs, struct mmp_struct *mmp)
{
	return ext2fs_has_feature_mmp(fs->super) &&
	       !io_channel_read_blk64(fs->io, fs->super->s_mmp_block,
				      -(int)sizeof(*mmp), mmp);
}

#endif
