/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_outdated.c - is the log older than the file system in place?
 *
 * jbd2 writes a block in place only after its log.  So no file can be in place
 * that was made after the log's last commit, unless the end of the log is lost, or
 * the log is from a backup that is older than the file system.  A replay would then
 * remove such files, and set the other blocks back.
 *
 * The proof is an inode that is in use in place, changed after the last commit, and
 * was never used in the newest copy of its block.  A clock that was set back does
 * not look like that: the copy of an inode that a file had once keeps a generation
 * and a time of deletion.  The exception is a block whose other inodes are all free,
 * which a kernel fills with zeros without reading it; it does so on a lazy log even
 * if the block in place is older.  Such a log proves nothing here.
 *
 * The files of later transactions are beside those of the log's last ones, so only
 * blocks of inodes that these have logged are compared.
 */
#include <stdlib.h>

#include "fs/inode_life.h"
#include "inode_time.h"
#include "map/jmap.h"
#include "map/super.h"
#include "verify.h"

/* Blocks of inodes that are read, from the log and in place. */
#define MOST_BLOCKS	128
/* Without checksums, garbage must not pass for an inode. */
#define FEW_INODES	2

struct logged {
	size_t		index;		/* in the map */
	uint32_t	age;		/* transactions since */
	ext2_ino_t	ino;		/* the first one */
};

static int by_age(const void *a, const void *b)
{
	const struct logged *x = a, *y = b;

	if (x->age != y->age)
		return x->age < y->age ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static size_t list_tables(const struct verify *v, struct logged *list)
{
	size_t nr = 0;

	for (size_t i = 0; i < e2lazy_jmap_count(v->map); i++) {
		struct e2lazy_place place;
		struct e2lazy_copy copy;

		e2lazy_jmap_get(v->map, i, &copy);
		e2lazy_layout_find(v->subject->layout, copy.fsblk, &place);
		if (place.type == E2LAZY_TYPE_INODE_TABLE)
			list[nr++] = (struct logged){
				.index = i, .age = v->end->tid - copy.tid,
				.ino = place.ino,
			};
	}
	qsort(list, nr, sizeof(*list), by_age);
	return nr;
}

static bool is_zero(const uint8_t *raw, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		if (raw[i])
			return false;
	return true;
}

static bool is_newer(const struct verify *v, ext2_ino_t ino,
		     const uint8_t *in_place, uint64_t last)
{
	ext2_filsys fs = v->journal->fs;
	unsigned size = EXT2_INODE_SIZE(fs->super);
	const struct ext2_inode_large *inode = (const void *)in_place;
	bool large = size > EXT2_GOOD_OLD_INODE_SIZE;

	return inode->i_links_count && inode->i_mode && !inode->i_dtime &&
	       (uint64_t)inode_change_time(inode, large).sec > last &&
	       ext2fs_inode_csum_verify(fs, ino, (void *)(uintptr_t)in_place);
}

static unsigned count_newer(const struct verify *v, const struct logged *of,
			    const uint8_t *copy, const uint8_t *in_place)
{
	unsigned size = EXT2_INODE_SIZE(v->journal->fs->super), count = 0;

	for (unsigned i = 0; (i + 1) * size <= v->journal->fs->blocksize; i++)
		count += is_zero(copy + i * size, size) &&
			 is_newer(v, of->ino + i, in_place + i * size,
				  e2lazy_jmap_stats(v->map)->last_sec);
	return count;
}

static void judge(struct verify *v, const struct logged *list, size_t nr,
		  uint8_t *blocks)
{
	uint8_t *in_place = blocks + v->journal->fs->blocksize;
	bool proven = ext2fs_has_feature_metadata_csum(v->journal->fs->super);
	const struct logged *first = NULL;
	struct e2lazy_copy copy;
	unsigned count = 0;

	for (size_t i = 0; i < nr && i < MOST_BLOCKS; i++) {
		unsigned more;

		e2lazy_jmap_get(v->map, list[i].index, &copy);
		if (!verify_read(v, list[i].index, blocks) ||
		    io_channel_read_blk64(v->journal->fs->io, copy.fsblk, 1,
					  in_place))
			continue;
		more = count_newer(v, &list[i], blocks, in_place);
		if (more && !first)
			first = &list[i];
		count += more;
	}
	if (count < (proven ? 1 : FEW_INODES))
		return;
	e2lazy_jmap_get(v->map, first->index, &copy);
	verify_found_copy(v, PROBLEM_PLACE_NEWER, &copy, 0);
}

/* What a lazy kernel keeps is old in place. */
static bool is_kept(const struct verify *v)
{
	return v->journal->geo.lazy_record == E2LAZY_RECORD_FITS ||
	       super_has_option(v->journal->fs->super, SUPER_LAZY);
}

errcode_t verify_outdated(struct verify *v)
{
	struct logged *list;
	uint8_t *blocks = NULL;
	errcode_t err;

	if (v->opts->flags & E2LAZY_VERIFY_RESTORE || !v->journal->geo.start ||
	    !e2lazy_jmap_stats(v->map)->last_sec || is_kept(v))
		return 0;
	err = io_channel_alloc_buf(v->journal->io, 2, &blocks);
	if (err)
		return err;
	list = calloc(e2lazy_jmap_count(v->map) + 1, sizeof(*list));
	if (list)
		judge(v, list, list_tables(v, list), blocks);
	else
		err = EXT2_ET_NO_MEMORY;
	free(list);
	ext2fs_free_mem(&blocks);
	return err;
}
