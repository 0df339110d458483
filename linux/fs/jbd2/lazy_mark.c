// SPDX-License-Identifier: GPL-2.0-only
/*
 * lazy_mark.c - is every transaction of this log from a lazy kernel?
 *
 * Reading a block through the map gives what a replay would have written to its
 * home.  So a log may be kept if, and only if, all that it holds is read through
 * the map, and all that was freed has been revoked.  A lazy kernel logs nothing
 * else.  Others do: file data in data=journal mode and of files with the flag j,
 * quota files that users can see.  The features of the log do not show who has
 * written it.
 *
 * So each commit block of a lazy kernel has a mark.  It lies in bytes that other
 * kernels write as zero, and under the checksum of the block.  The mark has the
 * transaction's number and a nonce, 64 random bits that are drawn each time when
 * a log that is empty becomes lazy.  The journal's superblock has a record of the
 * nonce and of the tail.  It is in the sector that has the tail, and so one write
 * changes both.
 *
 * A mount keeps a log if the record names its tail and each of its transactions
 * has the mark of this nonce.  Any other log is replayed, as every kernel would
 * do it, and the empty log gets another nonce.  Whatever moves the tail and knows
 * nothing of the record, so a stock kernel, leaves a record of another tail.  An
 * old record that happens to fit again, or is brought back, names a nonce that
 * the newer transactions do not have.
 */
#include <linux/crc32.h>
#include <linux/random.h>

#include "lazy.h"

/* ---- the mark of a commit block ---- */

struct lazy_mark {
	__be32	magic;
	__be32	nonce[2];		/* the words of h_chksum are 32 bits */
	__be32	csum;
};

/* The first word has the checksum of v1; the others nobody has used. */
static struct lazy_mark *lazy_mark_of(struct commit_header *commit)
{
	BUILD_BUG_ON(sizeof(struct lazy_mark) >
		     sizeof(commit->h_chksum) - sizeof(commit->h_chksum[0]));
	return (struct lazy_mark *)&commit->h_chksum[1];
}

static void lazy_make_mark(journal_t *journal, tid_t tid,
			   struct lazy_mark *mark)
{
	u64 nonce = journal->j_lazy->jl_nonce;
	__be32 seq = cpu_to_be32(tid);
	u32 csum;

	mark->magic = cpu_to_be32(LAZY_MAGIC);
	mark->nonce[0] = cpu_to_be32(upper_32_bits(nonce));
	mark->nonce[1] = cpu_to_be32(lower_32_bits(nonce));
	csum = crc32_be(~0, journal->j_superblock->s_uuid, 16);
	csum = crc32_be(csum, (u8 *)&seq, sizeof(seq));
	csum = crc32_be(csum, (u8 *)mark, offsetof(struct lazy_mark, csum));
	mark->csum = cpu_to_be32(csum);
}

/* The block's own checksum comes later. */
void jbd2_lazy_mark(journal_t *journal, tid_t tid, struct commit_header *commit)
{
	lazy_make_mark(journal, tid, lazy_mark_of(commit));
}

/* The scan has found the commit block of @tid. */
void jbd2_lazy_committed(journal_t *journal, tid_t tid, struct buffer_head *bh)
{
	struct commit_header *commit = (struct commit_header *)bh->b_data;
	struct jbd2_lazy *jl = journal->j_lazy;
	struct lazy_mark mark;

	lazy_make_mark(journal, tid, &mark);
	if (!memcmp(lazy_mark_of(commit), &mark, sizeof(mark)))
		return;
	if (!jl->jl_unmarked)
		jl->jl_unmarked_tid = tid;
	jl->jl_unmarked = true;
}

/* ---- the record in the superblock of the journal ---- */

struct lazy_record {
	__be32	magic;
	__be32	version;
	__be32	start;			/* as s_start and s_sequence */
	__be32	sequence;
	__be32	nonce[2];
	__be32	csum;
};

/* The last bytes before the checksum: what is new comes at the other end. */
static struct lazy_record *lazy_record_of(journal_superblock_t *sb)
{
	BUILD_BUG_ON(offsetof(journal_superblock_t, s_checksum) != 0xfc);
	return (struct lazy_record *)((char *)&sb->s_checksum -
				      sizeof(struct lazy_record));
}

static bool lazy_has_record(journal_superblock_t *sb)
{
	struct lazy_record *record = lazy_record_of(sb);

	return sb->s_header.h_blocktype == cpu_to_be32(JBD2_SUPERBLOCK_V2) &&
	       record->magic == cpu_to_be32(LAZY_MAGIC) &&
	       record->version == cpu_to_be32(LAZY_VERSION);
}

static __be32 lazy_record_csum(journal_superblock_t *sb)
{
	u32 csum = crc32_be(~0, sb->s_uuid, 16);

	csum = crc32_be(csum, (u8 *)lazy_record_of(sb),
			offsetof(struct lazy_record, csum));
	return cpu_to_be32(csum);
}

/* The record names the tail that the superblock has. */
static bool lazy_record_fits(journal_superblock_t *sb)
{
	struct lazy_record *record = lazy_record_of(sb);

	return lazy_has_record(sb) && record->csum == lazy_record_csum(sb) &&
	       record->start == sb->s_start &&
	       record->sequence == sb->s_sequence;
}

/*
 * The superblock, which is locked, has a new tail.  A record of a version that
 * we do not know stays until we have a log to record.
 */
void jbd2_lazy_record(journal_t *journal)
{
	journal_superblock_t *sb = journal->j_superblock;
	struct lazy_record *record = lazy_record_of(sb);

	if (jbd2_is_lazy(journal) && sb->s_start) {
		u64 nonce = journal->j_lazy->jl_nonce;

		record->magic = cpu_to_be32(LAZY_MAGIC);
		record->version = cpu_to_be32(LAZY_VERSION);
		record->start = sb->s_start;
		record->sequence = sb->s_sequence;
		record->nonce[0] = cpu_to_be32(upper_32_bits(nonce));
		record->nonce[1] = cpu_to_be32(lower_32_bits(nonce));
		record->csum = lazy_record_csum(sb);
	} else if (lazy_has_record(sb)) {
		memset(record, 0, sizeof(*record));
	}
}

/* ---- what a mount decides ---- */

void jbd2_lazy_new_nonce(struct jbd2_lazy *jl)
{
	jl->jl_nonce = get_random_u64();
}

/* Before the scan: the marks to look for are those of the record. */
void jbd2_lazy_look_at_record(journal_t *journal)
{
	journal_superblock_t *sb = journal->j_superblock;
	struct lazy_record *record = lazy_record_of(sb);
	struct jbd2_lazy *jl = journal->j_lazy;

	jl->jl_unmarked = false;
	jl->jl_recorded = lazy_record_fits(sb);
	if (jl->jl_recorded)
		jl->jl_nonce = (u64)be32_to_cpu(record->nonce[0]) << 32 |
			       be32_to_cpu(record->nonce[1]);
}

/*
 * The log has been scanned.  Keep it, or have it replayed?  Tags of another form
 * than those that the file system will ask for could not be told apart.
 */
void jbd2_lazy_decide(journal_t *journal)
{
	struct jbd2_lazy *jl = journal->j_lazy;
	const char *why = NULL;

	if (!jl->jl_recorded)
		why = "the journal has no record of it";
	else if (jl->jl_unmarked)
		why = "another kernel wrote a part of it";
	else if (jbd2_has_feature_csum2(journal) ||
		 jl->jl_want_csum != !!jbd2_has_feature_csum3(journal))
		why = "its checksums are of another form";
	else if (jl->jl_want_64bit && !jbd2_has_feature_64bit(journal))
		why = "its block numbers are of another form";
	jl->jl_keep = !why;
	if (jl->jl_keep)
		return;
	pr_notice("JBD2: %s: the log is replayed before journal_lazy begins: %s\n",
		  journal->j_devname, why);
	if (jl->jl_recorded && jl->jl_unmarked)
		pr_notice("JBD2: %s: transaction %u is the first without a mark\n",
			  journal->j_devname, jl->jl_unmarked_tid);
	jbd2_lazy_new_nonce(jl);
}

/* The superblock of the journal need not have been read before. */
static journal_superblock_t *lazy_superblock(journal_t *journal)
{
	jbd2_journal_check_used_features(journal, 0, 0,
					 JBD2_FEATURE_INCOMPAT_REVOKE);
	return journal->j_superblock;
}

/* Is there a log that a kernel which marks has kept? */
bool jbd2_lazy_proven(journal_t *journal)
{
	journal_superblock_t *sb = lazy_superblock(journal);

	return sb->s_start && lazy_record_fits(sb);
}
EXPORT_SYMBOL(jbd2_lazy_proven);

/* Is there a log, and nothing to show that such a kernel has written it? */
bool jbd2_lazy_unproven(journal_t *journal)
{
	journal_superblock_t *sb = lazy_superblock(journal);

	return sb->s_start && !lazy_record_fits(sb);
}
EXPORT_SYMBOL(jbd2_lazy_unproven);
