/* SPDX-License-Identifier: GPL-2.0-only */
/* conditions.c - what holds for a log and its devices, by the facts alone */
#include <errno.h>

#include "conditions.h"
#include "session/names.h"

uint64_t facts_found(const struct facts *f, const char *id)
{
	const struct e2lazy_finding *finding = f->verdict ?
					       finding_of(f->verdict, id) :
					       NULL;

	return finding ? finding->count : 0;
}

static const struct e2lazy_geometry *geometry(const struct facts *f)
{
	return f->s->log->geo;
}

static bool is_in_use(const struct facts *f)
{
	return geometry(f) && geometry(f)->start;
}

static bool ends_by(const struct facts *f, enum e2lazy_end_reason reason)
{
	return f->verdict && f->s->log->end &&
	       f->s->log->end->reason == reason;
}

/* ------------------------------------------ the file system, the devices */

bool is_damaged(const struct facts *f)
{
	return f->unopened ||
	       e2lazy_verdict_status(f->verdict) >= E2LAZY_DAMAGED;
}

/* The kernel has its own state of the journal, and writes it when it likes. */
bool is_moving(const struct facts *f)
{
	return f->mounted && is_damaged(f);
}

bool is_held(const struct facts *f)
{
	return f->mmp_held;
}

bool has_lost_mmp(const struct facts *f)
{
	return f->mmp_lost;
}

bool has_no_mmp_block(const struct facts *f)
{
	return f->mmp_nowhere;
}

bool has_unknown_ro_feature(const struct facts *f)
{
	return f->ro_unknown;
}

bool is_read_only(const struct facts *f)
{
	return f->read_only && !has_no_journal(f) &&
	       (f->unopened || is_in_use(f) ||
				geometry(f)->needs_recovery);
}

bool has_unknown_features(const struct facts *f)
{
	return f->unopened == EXT2_ET_UNSUPP_FEATURE ||
	       f->unopened == EXT2_ET_RO_UNSUPP_FEATURE;
}

bool has_bad_super(const struct facts *f)
{
	return f->unopened == EXT2_ET_SB_CSUM_INVALID;
}

bool has_no_super(const struct facts *f)
{
	return f->unopened == EXT2_ET_BAD_MAGIC;
}

bool has_no_journal(const struct facts *f)
{
	return f->unopened == E2LAZY_ET_NO_JOURNAL;
}

/* e2fsck then checks the whole file system. */
bool has_noted_errors(const struct facts *f)
{
	return !f->unopened &&
	       e2lazy_static_fs(f->s->log->journal)->super->s_state &
	       EXT2_ERROR_FS;
}

bool has_foreign_super(const struct facts *f)
{
	return f->foreign && !f->lost_by_it;
}

bool has_wrong_super(const struct facts *f)
{
	return f->foreign && f->lost_by_it;
}

/* e2fsck puts the backup in place, and finds no journal by its inode. */
bool has_backup_without_inode(const struct facts *f)
{
	return f->backup && !f->foreign && !f->bad_groups &&
	       facts_found(f, "journal-inode-lost");
}

bool hides_journal(const struct facts *f)
{
	return f->backup && f->primary == E2LAZY_ET_NO_JOURNAL;
}

/* A kernel does not look at the number. */
bool has_bad_revision(const struct facts *f)
{
	return f->backup && f->primary == EXT2_ET_REV_TOO_HIGH;
}

/* e2fsck takes a backup without a question. */
bool has_corrupt_super(const struct facts *f)
{
	return f->backup && (f->primary == EXT2_ET_CORRUPT_SUPERBLOCK ||
			     f->primary == EXT2_ET_BAD_DESC_SIZE);
}

bool has_backup_only(const struct facts *f)
{
	return f->backup && !f->foreign && !hides_journal(f) &&
	       !has_bad_revision(f) && !has_corrupt_super(f) &&
	       !has_backup_without_inode(f);
}

bool has_bad_groups(const struct facts *f)
{
	return f->bad_groups;
}

/* Without them a mount refuses, but only after its replay. */
bool lacks_inode(const struct facts *f)
{
	return f->metadata & (1 << METADATA_ROOT | 1 << METADATA_ORPHAN_FILE);
}

bool has_bad_group_csum(const struct facts *f)
{
	return f->metadata & 1 << METADATA_GROUPS;
}

bool has_bad_metadata(const struct facts *f)
{
	return f->metadata && !lacks_inode(f) && !has_bad_group_csum(f) &&
	       !has_blocks_twice(f);
}

/* libext2fs passes on what the kernel said. */
bool has_bad_sector(const struct facts *f)
{
	return (f->unopened == EIO && f->where.has & E2LAZY_AT_LOGBLK) ||
	       (facts_found(f, "unreadable") && !facts_found(f, "device-short"));
}

bool is_copy_with_gaps(const struct facts *f)
{
	return has_bad_sector(f) && *f->s->source.bad_map;
}

static const struct e2lazy_finding *beyond_journal(const struct facts *f)
{
	return f->verdict ? finding_of(f->verdict, "journal-device-short") :
			    NULL;
}

/* A search of the whole ring comes to the end, however short the log is. */
bool lacks_end(const struct facts *f)
{
	const struct e2lazy_finding *beyond = beyond_journal(f);

	return beyond && !f->s->log->end->error &&
	       !(beyond->first.has & E2LAZY_AT_FSBLK);
}

bool is_cut_short(const struct facts *f)
{
	return beyond_journal(f) && !lacks_end(f);
}

bool has_new_journal(const struct facts *f)
{
	return f->journal_new && f->unopened == E2LAZY_ET_EXT_UUID;
}

bool has_emptied_journal(const struct facts *f)
{
	return f->journal_new && !has_new_journal(f) &&
	       (f->unopened || geometry(f)->needs_recovery);
}

bool has_several_journals(const struct facts *f)
{
	return f->unopened == E2LAZY_ET_EXT_SEVERAL;
}

bool lacks_journal(const struct facts *f)
{
	return f->unopened == E2LAZY_ET_EXT_UNKNOWN;
}

bool is_refused(const struct facts *f)
{
	return f->kernel.answer == KERNEL_REFUSES;
}

bool is_not_known(const struct facts *f)
{
	return f->kernel.answer == KERNEL_UNKNOWN;
}

/* ------------------------------------------------------------ the journal */

/* A length below the real one passes for a shorter ring. */
bool declares_few(const struct facts *f)
{
	return f->unopened == E2LAZY_ET_JOURNAL_SHORT &&
	       f->where.has & E2LAZY_AT_VALUE && f->where.value < 1024;
}

/* The inode of bad group descriptors is another one. */
static bool is_by_backup(const struct facts *f)
{
	return !f->bad_groups && !facts_found(f, "super-foreign") &&
	       facts_found(f, "journal-inode-lost");
}

/* e2fsck reads the backup as a block map, whatever it is. */
static bool backup_has_extents(const struct facts *f)
{
	struct ext2_super_block *sb = e2lazy_static_fs(f->s->log->journal)->super;

	return !ext2fs_extent_header_verify(sb->s_jnl_blocks,
					    EXT2_N_BLOCKS * sizeof(__u32));
}

static bool inode_is_file(const struct facts *f)
{
	ext2_filsys fs = e2lazy_static_fs(f->s->log->journal);
	struct ext2_inode inode;

	return !ext2fs_read_inode(fs, fs->super->s_journal_inum, &inode) &&
	       LINUX_S_ISREG(inode.i_mode) && inode.i_links_count;
}

/* For e2fsck, which does not see that a block comes twice. */
static bool inode_has_map(const struct facts *f)
{
	ext2_filsys fs = e2lazy_static_fs(f->s->log->journal);
	ext2_ino_t ino = fs->super->s_journal_inum;
	blk64_t fsblk;

	for (uint32_t i = 0; i < geometry(f)->maxlen; i++)
		if (ext2fs_bmap2(fs, ino, NULL, NULL, 0, i, NULL, &fsblk) ||
		    fsblk <= fs->super->s_first_data_block ||
		    fsblk >= ext2fs_blocks_count(fs->super))
			return false;
	return true;
}

bool has_blocks_twice(const struct facts *f)
{
	return f->metadata & 1 << METADATA_JOURNAL_BLOCKS ||
	       (is_by_backup(f) && inode_is_file(f) && inode_has_map(f));
}

bool has_lost_inode(const struct facts *f)
{
	return is_by_backup(f) && backup_has_extents(f) && !inode_is_file(f);
}

/* One damage seldom hits both: they are in different blocks. */
bool is_scrambled(const struct facts *f)
{
	return has_lost_inode(f) && f->metadata & 1 << METADATA_ROOT;
}

bool has_lost_map(const struct facts *f)
{
	return is_by_backup(f) && backup_has_extents(f) &&
	       inode_is_file(f) && !inode_has_map(f);
}

bool has_backup_of_blocks(const struct facts *f)
{
	return is_by_backup(f) && !backup_has_extents(f) &&
	       !(inode_is_file(f) && inode_has_map(f));
}

bool has_bad_inode_csum(const struct facts *f)
{
	return f->unopened == EXT2_ET_INODE_CSUM_INVALID;
}

/* Backup superblocks never carry the flag. */
bool has_unsafe_flag(const struct facts *f)
{
	return is_in_use(f) && !geometry(f)->needs_recovery &&
	       !f->s->source.open.superblock;
}

/* tune2fs does not know it, and loses its way in the ring at the first step. */
bool has_fast_area(const struct facts *f)
{
	return is_in_use(f) && geometry(f)->fc_blocks;
}

bool counts_users(const struct facts *f)
{
	return facts_found(f, "journal-users");
}

/* Without these features, tags and blocks have another form. */
bool is_misread(const struct facts *f)
{
	return counts_users(f) && is_in_use(f) &&
	       geometry(f)->incompat & (E2LAZY_INCOMPAT_64BIT |
					E2LAZY_INCOMPAT_CSUM_V2 |
					E2LAZY_INCOMPAT_CSUM_V3);
}

/* ---------------------------------------------------------------- the log */

/* Nothing of this log stands behind the damage. */
static bool is_last(const struct facts *f)
{
	return !f->given_up.count && !facts_found(f, "later-transactions") &&
	       !facts_found(f, "behind-damage");
}

static bool ends_by_commit(const struct facts *f)
{
	return ends_by(f, E2LAZY_END_COMMIT_CSUM) &&
	       !(geometry(f)->incompat & E2LAZY_INCOMPAT_ASYNC_COMMIT);
}

bool ends_by_leftover_block(const struct facts *f)
{
	return ends_by(f, E2LAZY_END_BLOCK_CSUM) && is_last(f);
}

bool ends_by_leftover_commit(const struct facts *f)
{
	return ends_by_commit(f) && is_last(f);
}

bool ends_by_bad_block(const struct facts *f)
{
	return ends_by(f, E2LAZY_END_BLOCK_CSUM) && !is_last(f);
}

bool ends_by_bad_commit(const struct facts *f)
{
	return ends_by_commit(f) && !is_last(f);
}

/* Every recovery takes the damage for the end of the log. */
static bool has_hole(const struct facts *f)
{
	return f->verdict && !f->contradicted && !ends_by_bad_block(f) &&
	       !ends_by(f, E2LAZY_END_REVOKE_COUNT) &&
	       !ends_by_bad_commit(f) && !has_bad_sector(f) &&
	       (ends_by(f, E2LAZY_END_TYPE) || f->given_up.count ||
		facts_found(f, "later-transactions"));
}

bool ends_by_type(const struct facts *f)
{
	return ends_by(f, E2LAZY_END_TYPE) && has_hole(f);
}

bool ends_by_hole(const struct facts *f)
{
	return !ends_by(f, E2LAZY_END_TYPE) && has_hole(f);
}

bool has_strays(const struct facts *f)
{
	return !f->contradicted && facts_found(f, "tail-contradicted");
}

bool is_contradicted(const struct facts *f)
{
	return f->contradicted;
}

/*
 * After a crash the blocks are often all in place, because the kernel writes
 * them home long before it moves the tail.  A mount or a check after the last
 * commit, however, has replayed the log, and must have emptied it.
 */
bool was_replayed(const struct facts *f)
{
	const struct ext2_super_block *sb;
	uint64_t last;

	if (!is_in_use(f) || !f->home.known || !f->live ||
	    f->home.blocks != f->live || !geometry(f)->needs_recovery)
		return false;
	sb = e2lazy_static_fs(f->s->log->journal)->super;
	last = f->s->log->stats->last_sec;
	return last && (sb->s_mtime > last || sb->s_lastcheck > last);
}

bool is_sound(const struct facts *f)
{
	return !is_damaged(f) && is_in_use(f) && f->txns;
}

bool is_empty(const struct facts *f)
{
	return !is_damaged(f) && !is_sound(f);
}
