/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* superblocks.c - the two superblocks as a checkpoint would leave them */

#include <string.h>

#include "map/jmap.h"
#include "map/super.h"
#include "newest_fs.h"
#include "superblocks.h"

/* All zeros: a geometry gives only the journal superblock's first bytes. */
static errcode_t make_block(struct made_block *made, io_channel io,
			    blk64_t fsblk)
{
	errcode_t err = io_channel_alloc_buf(io, 1, &made->bytes);

	made->fsblk = fsblk;
	if (!err)
		memset(made->bytes, 0, (size_t)io->block_size);
	return err;
}

/* The superblock merged from log and static block, in host order. */
static errcode_t merged_super(struct e2lazy_journal *j,
			      const struct e2lazy_jmap *map,
			      const struct made_block *made,
			      struct ext2_super_block *sb,
			      struct e2lazy_where *where)
{
	size_t index = e2lazy_jmap_lower_bound(map, made->fsblk), bad;
	bool then = e2lazy_jmap_is_past(map);
	struct e2lazy_copy copy;
	errcode_t err;

	*sb = *j->fs->super;
	if (e2lazy_jmap_lookup(map, made->fsblk, &copy))
		return 0;
	where_set(where, E2LAZY_JOURNAL,
		  E2LAZY_AT_FSBLK | E2LAZY_AT_LOGBLK, made->fsblk,
		  copy.logblk);
	err = e2lazy_jmap_read(map, index, 1, made->bytes, &bad);
	return err ? err : super_merge(j, made->bytes, then, sb);
}

/* Ignore an error here: reading a bad descriptor block reports it later. */
static void count_free(struct e2lazy_journal *j, const struct e2lazy_jmap *map,
		       struct ext2_super_block *sb)
{
	struct e2lazy_where unused;
	struct newest_fs newest;

	if (!newest_fs_init(&newest, j, map, &unused))
		super_count_free(&newest.handle, sb);
	newest_fs_free(&newest);
}

/*
 * The rest of the superblock's block is not ext4's, and the journal never
 * writes it: it can hold a boot loader.  So take it from the static block.
 */
static errcode_t make_super(struct made_block *made, struct e2lazy_journal *j,
			    const struct e2lazy_jmap *map,
			    struct e2lazy_where *where)
{
	io_channel io = j->fs->io;
	struct ext2_super_block sb;
	errcode_t err;

	err = make_block(made, io, super_fsblk(j));
	if (!err)
		err = merged_super(j, map, made, &sb, where);
	if (err)
		return err;
	where_set(where, E2LAZY_FILE_SYSTEM, E2LAZY_AT_FSBLK, made->fsblk, 0);
	err = io_channel_read_blk64(io, made->fsblk, 1, made->bytes);
	if (err)
		return err;
	ext2fs_clear_feature_journal_needs_recovery(&sb);
	sb.s_block_group_nr = 0;	/* a backup has another number */
	if (j->geo.error)
		sb.s_state |= EXT2_ERROR_FS;
	count_free(j, map, &sb);
#ifdef WORDS_BIGENDIAN
	ext2fs_swap_super(&sb);
#endif
	err = ext2fs_superblock_csum_set(j->fs, &sb);
	memcpy(made->bytes + super_offset(j->geo.blocksize), &sb, sizeof(sb));
	return err;
}

/*
 * The next transaction id must exceed all ids in the ring.  Each block past the
 * end can hold one later transaction at most, so skip as many ids.
 */
static errcode_t make_journal(struct made_block *made,
			      struct e2lazy_journal *j,
			      const struct e2lazy_end *end,
			      struct e2lazy_where *where)
{
	uint32_t logblk = journal_super_logblk(j);
	blk64_t physblk;
	errcode_t err;

	err = e2lazy_physblk(j, logblk, &physblk);
	if (!err)
		err = make_block(made, j->io, physblk);
	if (err)
		return err;
	where_set(where, E2LAZY_JOURNAL, E2LAZY_AT_LOGBLK, 0, logblk);
	if (j->geo.given)
		jsb_make(made->bytes, &j->geo, j->csum.crc);
	else
		err = e2lazy_read_log(j, logblk, 1, made->bytes);
	if (!err)
		jsb_set_empty(made->bytes, end->tid + 1 + end->left,
			      j->csum.crc);
	return err;
}

/*
 * The checksum of the static superblock is wrong.  Its UUID may be wrong, too,
 * and its features, which say whether a copy needs a checksum: so a copy that
 * does not fit is not known to be bad.
 */
static errcode_t make_torn(struct superblocks *made, struct e2lazy_journal *j,
			   const struct e2lazy_jmap *map,
			   struct e2lazy_where *where)
{
	errcode_t err = make_super(&made->super, j, map, where);

	if (err == EXT2_ET_CORRUPT_SUPERBLOCK ||
	    (!err && !superblock_is_torn(made, j, map)))
		err = EXT2_ET_SB_CSUM_INVALID;
	if (err == EXT2_ET_SB_CSUM_INVALID)
		where_set(where, E2LAZY_FILE_SYSTEM, E2LAZY_AT_FSBLK,
			  super_fsblk(j), 0);
	return err;
}

errcode_t superblocks_make(struct superblocks *made,
			   struct e2lazy_journal *journal,
			   const struct e2lazy_jmap *map,
			   struct e2lazy_where *where)
{
	errcode_t err = journal->geo.super_torn ?
			make_torn(made, journal, map, where) :
			make_super(&made->super, journal, map, where);

	return err ? err : make_journal(&made->journal, journal,
					e2lazy_jmap_end(map), where);
}

void superblocks_free(struct superblocks *made)
{
	ext2fs_free_mem(&made->super.bytes);
	ext2fs_free_mem(&made->journal.bytes);
}
