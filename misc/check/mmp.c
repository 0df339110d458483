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

#include "ck.h"
#include "facts/mmp.h"
#include "support/nls.h"

/* In seconds; 0: no protection, or another host holds it permanently. */
static unsigned longest_wait(const struct ck *ck)
{
	ext2_filsys fs = e2lazy_static_fs(ck->s->log->journal);
	struct mmp_struct mmp;
	unsigned interval, turns = 2;

	if (!mmp_read(fs, &mmp))
		return 0;
	interval = fs->super->s_mmp_update_interval;
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
