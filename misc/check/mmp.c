/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mmp.c - what multiple mount protection makes the user wait for
 *
 * Whoever opens such a file system for writing first looks whether somebody
 * else keeps writing to the block of the protection, and then whether somebody
 * has taken it at the same moment: each for twice the time between two of
 * their writes.  libext2fs does so without a word.
 */
#include <endian.h>
#include <unistd.h>

#include "ck.h"
#include "support/nls.h"

static bool read_protection(const struct ck *ck, uint64_t block,
			    struct mmp_struct *mmp)
{
	const struct e2lazy_device *device =
		e2lazy_device(ck->s->log->journal, E2LAZY_FILE_SYSTEM);
	uint64_t at = device->offset + block * ck->s->log->geo->blocksize;

	return pread(device->fd, mmp, sizeof(*mmp), (off_t)at) ==
	       sizeof(*mmp);
}

/* In seconds; 0: it is not protected, or by somebody who will not go away. */
static unsigned longest_wait(const struct ck *ck)
{
	struct ext2_super_block *super =
		e2lazy_static_fs(ck->s->log->journal)->super;
	struct mmp_struct mmp;
	unsigned interval, turns = 2;

	if (!ext2fs_has_feature_mmp(super) ||
	    !read_protection(ck, super->s_mmp_block, &mmp))
		return 0;
	interval = super->s_mmp_update_interval;
	if (interval < EXT4_MMP_MIN_CHECK_INTERVAL)
		interval = EXT4_MMP_MIN_CHECK_INTERVAL;
	if (le32toh(mmp.mmp_seq) == EXT4_MMP_SEQ_CLEAN)
		turns = 1;
	else if (le32toh(mmp.mmp_seq) > EXT4_MMP_SEQ_MAX)
		return 0;
	else if (interval < le16toh(mmp.mmp_check_interval))
		interval = le16toh(mmp.mmp_check_interval);
	return turns * (2 * interval + 1);
}

void ck_tell_mmp(struct ck *ck)
{
	/* At an offset it is refused without waiting. */
	unsigned seconds = ck->s->source.open.offset ? 0 : longest_wait(ck);

	if (seconds && !ck->s->print.progress.quiet)
		session_complain(ck->s, 0,
				 _("multiple mount protection: waiting up to "
				   "%u seconds to see whether another host "
				   "uses the device"), seconds);
}
