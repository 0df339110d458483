/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* birth.c - was a transaction committed before the file system was made? */

#include "birth.h"
#include "log.h"

uint64_t birth_time(const struct e2lazy_journal *journal)
{
	const struct ext2_super_block *sb = journal->fs->super;

	return sb->s_mkfs_time | (uint64_t)sb->s_mkfs_time_hi << 32;
}

void birth_init(struct birth *birth, const struct e2lazy_journal *journal,
		const struct e2lazy_end *end)
{
	const struct ext2_super_block *sb = journal->fs->super;
	uint64_t made = birth_time(journal);
	uint64_t mounted = sb->s_mtime | (uint64_t)sb->s_mtime_hi << 32;

	birth->made = made;
	birth->seeded = journal->geo.csum >= E2LAZY_CSUM_V2;
	birth->since = journal->geo.sequence;
	if (end->earliest < made || (mounted && mounted < made))
		birth->made = 0;
}
