/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* superblocks.c - the two superblocks that a checkpoint would leave behind */

#include <string.h>

#include "log/log.h"
#include "newest_fs.h"
#include "map/super.h"
#include "view.h"

static errcode_t add_made(struct volume *volume, blk64_t fsblk,
			  uint8_t **bytes)
{
	struct made_block *made = &volume->made[volume->nr_made];
	errcode_t err;

	err = io_channel_alloc_buf(volume->io, 1, &made->bytes);
	if (err)
		return err;
	made->fsblk = fsblk;
	volume->nr_made++;
	*bytes = made->bytes;
	return 0;
}

/* The superblock as the log and its place have it, in host order. */
static errcode_t merged_super(struct e2lazy_view *v, blk64_t fsblk,
			      void *block, struct ext2_super_block *sb,
			      struct e2lazy_where *where)
{
	size_t index = e2lazy_jmap_lower_bound(v->map, fsblk), bad;
	struct e2lazy_copy copy;
	errcode_t err;

	*sb = *v->journal->fs->super;
	if (e2lazy_jmap_lookup(v->map, fsblk, &copy))
		return 0;
	view_set_where(where, v->journal->geo.journal_device,
		  E2LAZY_AT_FSBLK | E2LAZY_AT_LOGBLK, fsblk, copy.logblk);
	err = e2lazy_jmap_read(v->map, index, 1, block, &bad);
	return err ? err : super_merge(v->journal, block, e2lazy_jmap_end(
				v->map)->reason == E2LAZY_END_UNTIL, sb);
}

/* Where the descriptors cannot be read, their blocks will tell. */
static void count_free(struct e2lazy_view *v, struct ext2_super_block *sb)
{
	struct e2lazy_where unused;
	struct newest_fs newest;

	if (!newest_fs_init(&newest, v->journal, v->map, &unused))
		super_count_free(&newest.handle, sb);
	newest_fs_free(&newest);
}

/*
 * What is beside the superblock in its block is not ext4's, and was not
 * written through the journal: a boot loader's, or nothing.
 */
errcode_t view_make_super(struct e2lazy_view *v, struct e2lazy_where *where)
{
	struct volume *volume = &v->volumes[E2LAZY_FILE_SYSTEM];
	blk64_t fsblk = super_fsblk(v->journal);
	struct ext2_super_block sb;
	uint8_t *bytes;
	errcode_t err;

	err = add_made(volume, fsblk, &bytes);
	if (!err)
		err = merged_super(v, fsblk, bytes, &sb, where);
	if (err)
		return err;
	view_set_where(where, volume->device, E2LAZY_AT_FSBLK, fsblk, 0);
	err = io_channel_read_blk64(volume->io, fsblk, 1, bytes);
	if (err)
		return err;
	ext2fs_clear_feature_journal_needs_recovery(&sb);
	sb.s_block_group_nr = 0;	/* it may have come from a backup */
	if (v->journal->geo.error)
		sb.s_state |= EXT2_ERROR_FS;
	count_free(v, &sb);
#ifdef WORDS_BIGENDIAN
	ext2fs_swap_super(&sb);
#endif
	err = ext2fs_superblock_csum_set(v->journal->fs, &sb);
	memcpy(bytes + 1024 % v->blocksize, &sb, sizeof(sb));
	return err;
}

/*
 * Its transaction ids go on where none in the ring can be: past the end there
 * is room for as many later ones as there are blocks.
 */
errcode_t view_make_journal_super(struct e2lazy_view *v,
				  struct e2lazy_where *where)
{
	struct e2lazy_journal *j = v->journal;
	const struct e2lazy_end *end = e2lazy_jmap_end(v->map);
	uint32_t logblk = journal_super_logblk(j);
	uint8_t *bytes;
	blk64_t physblk;
	errcode_t err;

	err = e2lazy_physblk(j, logblk, &physblk);
	if (!err)
		err = add_made(&v->volumes[j->jfs ? E2LAZY_JOURNAL :
						    E2LAZY_FILE_SYSTEM],
			       physblk, &bytes);
	if (err)
		return err;
	view_set_where(where, j->geo.journal_device, E2LAZY_AT_LOGBLK, 0, logblk);
	err = e2lazy_read_log(j, logblk, 1, bytes);
	if (!err)
		jsb_set_empty(bytes, end->tid + 1 + end->left, j->csum.crc);
	return err;
}

/* The order in which they are made. */
const struct made_block *view_super(const struct e2lazy_view *v)
{
	return &v->volumes[E2LAZY_FILE_SYSTEM].made[0];
}

const struct made_block *view_journal_super(const struct e2lazy_view *v)
{
	return v->journal->jfs ? &v->volumes[E2LAZY_JOURNAL].made[0] :
				 &v->volumes[E2LAZY_FILE_SYSTEM].made[1];
}
