/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mmp.c - announces the wait of multiple mount protection
 *
 * A program that opens such a file system for writing first watches whether
 * another host still writes to the protection block, then whether another host
 * took it at the same moment.  Each takes twice the update interval.
 * libext2fs waits silently.
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

	return pread(device->fd, mmp, sizeof(*mmp), (off_t)at) == sizeof(*mmp);
}

/* In seconds; 0: no protection, or another host holds it permanently. */
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
	/* At an offset libext2fs refuses without a wait. */
	unsigned seconds = ck->s->source.open.offset ? 0 : longest_wait(ck);

	if (seconds && !ck->s->print.progress.quiet)
		session_complain(ck->s, 0,
				 _("multiple mount protection: waiting up to "
				   "%u seconds to see whether another host "
				   "uses the device"), seconds);
}
