/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * directory.c - the entries of a directory, in a bounded number of steps
 *
 * A hostile directory's map can lead to the same blocks again and again.  This
 * code reads a block once and takes blocks in the order of the file.  A block
 * that breaks the order counts as damage and is left out.
 */

#include <stdlib.h>
#include <string.h>

#include "block_map.h"
#include "dir_record.h"
#include "directory.h"

/* -------------------------------------------------------- one block */

static errcode_t give(struct directories *d, const uint8_t *record,
		      bool removed)
{
	struct e2lazy_entry out = {
		.ino = dir_record_ino(record),
		.type = dir_record_type(record),
		.name = dir_record_name(record),
		.length = dir_record_name_length(record),
		.removed = removed,
	};

	return out.ino ? d->found(d->priv, &out) : 0;
}

/*
 * The kernel removes an entry by making the record before it longer.  So the
 * unused rest of a record, @from to @to, may hold removed entries: a chain of
 * records that ends exactly at @to.
 */
static errcode_t give_removed(struct directories *d, const uint8_t *block,
			      unsigned from, unsigned to)
{
	unsigned size = d->search.fs->blocksize, at, length;
	errcode_t err = 0;

	for (at = to; at > from;) {
		at -= 4;
		length = dir_record_sound(block + at, size, to - at);
		d->begins[at / 4] = length && (at + length == to ||
					       d->begins[(at + length) / 4]);
	}
	while (!err && at < to) {
		length = d->begins[at / 4] ?
			 dir_record_name_length(block + at) : 0;
		if (!length) {
			at += 4;
			continue;
		}
		err = give(d, block + at, true);
		at += dir_record_need(length);
	}
	return err;
}

/* Records fill @size bytes, which lie in block @fsblk. */
static errcode_t give_entries(struct directories *d, const uint8_t *bytes,
			      unsigned size, blk64_t fsblk)
{
	struct inode_search *s = &d->search;
	unsigned length, used;
	errcode_t err = 0;

	for (unsigned at = 0; !err && at < size; at += length) {
		length = dir_record_sound(bytes + at, s->fs->blocksize,
					  size - at);
		if (!length)
			return note_unread(s->damage, s->fs,
					   EXT2_ET_DIR_CORRUPTED, fsblk);
		err = give(d, bytes + at, false);
		used = dir_record_need(dir_record_name_length(bytes + at));
		if (!err && d->removed)
			err = give_removed(d, bytes, at + used, at + length);
	}
	return err;
}

/* --------------------------------------------------------- all of them */

/* As on disk: libext2fs would swap it, but not the removed entries. */
static errcode_t read_block(struct inode_search *s, blk64_t fsblk)
{
	errcode_t err = io_channel_read_blk64(s->fs->io, fsblk, 1, s->block);

	if (!err && !leaf_csum_fits(s->fs, s->crc, s->ino, s->generation,
				    (const uint8_t *)s->block) &&
	    !ext2fs_dir_block_csum_verify(s->fs, s->ino, (void *)s->block))
		err = EXT2_ET_DIR_CSUM_INVALID;
	return err;
}

static errcode_t read_blocks(void *priv, const struct e2lazy_owner *owner,
			     blk64_t count)
{
	struct directories *d = priv;
	struct inode_search *s = &d->search;
	blk64_t fsblk = owner->fsblk;
	errcode_t err = 0;

	if (owner->role != E2LAZY_ROLE_DIRECTORY)
		return 0;
	if (owner->lblk < d->next)
		return note_unread(s->damage, s->fs, E2LAZY_ET_BLOCK_MAP,
				   inode_home(s->fs, s->ino));
	d->next = owner->lblk + count;
	for (; !err && count; count--, fsblk++) {
		if (d->wants && !d->wants(d->priv, fsblk))
			continue;
		err = read_block(s, fsblk);
		err = err ? note_unread(s->damage, s->fs, err, fsblk)
			  : give_entries(d, (const uint8_t *)s->block,
					 s->fs->blocksize, fsblk);
	}
	return err;
}

/* An inline directory has neither of them as a record. */
static errcode_t give_dots(struct directories *d, ext2_ino_t dir,
			   ext2_ino_t parent)
{
	struct e2lazy_entry out = { .ino = dir, .type = EXT2_FT_DIR,
				    .name = "..", .length = 1 };
	errcode_t err = d->found(d->priv, &out);

	out.ino = parent;
	out.length = 2;
	return err || !parent ? err : d->found(d->priv, &out);
}

/*
 * An inline directory is small and has no map: i_block holds its parent and
 * records, and an attribute more records.
 */
static errcode_t read_inline(struct directories *d, ext2_ino_t dir)
{
	const unsigned first = sizeof(((struct ext2_inode *)0)->i_block);
	struct inode_search *s = &d->search;
	const uint8_t *bytes = (const uint8_t *)s->block;
	blk64_t home = inode_home(s->fs, dir);
	size_t size;
	errcode_t err = ext2fs_inline_data_size(s->fs, dir, &size);

	if (!err && (size < first || size > s->fs->blocksize))
		err = EXT2_ET_DIR_CORRUPTED;
	if (!err)
		err = ext2fs_inline_data_get(s->fs, dir, NULL, s->block, &size);
	if (err)
		return note_unread(s->damage, s->fs, err, home);
	err = give_dots(d, dir, get_le32(bytes));
	if (!err)
		err = give_entries(d, bytes + 4, first - 4, home);
	return err ? err : give_entries(d, bytes + first,
					(unsigned)size - first, home);
}

errcode_t directories_read(struct directories *d, ext2_ino_t dir)
{
	struct inode_search *s = &d->search;
	struct ext2_inode inode;
	errcode_t err;

	if (dir == 0 || dir > s->fs->super->s_inodes_count)
		return EXT2_ET_BAD_INODE_NUM;
	err = inode_reader_get(&d->reader, dir, &inode);
	if (err)
		return err;
	if (!LINUX_S_ISDIR(inode.i_mode))
		return EXT2_ET_NO_DIRECTORY;
	if (inode.i_flags & EXT4_INLINE_DATA_FL)
		return read_inline(d, dir);
	d->next = 0;
	inode_search_begin(s, dir, E2LAZY_ROLE_DIRECTORY);
	s->generation = inode.i_generation;
	err = block_map_walk(s, &inode);
	inode_search_end(s);
	return err;
}

errcode_t directories_init(struct directories *d, ext2_filsys fs,
			   const struct e2lazy_directory_opts *opts,
			   found_entry found, void *priv,
			   struct e2lazy_damage *damage)
{
	errcode_t err;

	memset(d, 0, sizeof(*d));
	d->removed = opts && opts->removed;
	d->found = found;
	d->priv = priv;
	err = inode_search_init(&d->search, fs, read_blocks, d, damage);
	if (!err)
		err = inode_search_once(&d->search);
	if (!err)
		err = inode_reader_init(&d->reader, fs, d->search.crc);
	d->search.shared = opts ? opts->budget : NULL;
	if (!err && d->removed) {
		d->begins = calloc(fs->blocksize / 4, sizeof(*d->begins));
		if (!d->begins)
			err = EXT2_ET_NO_MEMORY;
	}
	return err;
}

void directories_free(struct directories *d)
{
	free(d->begins);
	inode_reader_free(&d->reader);
	inode_search_free(&d->search);
}

errcode_t e2lazy_directory_read(ext2_filsys fs, ext2_ino_t dir,
				const struct e2lazy_directory_opts *opts,
				errcode_t (*found)(void *priv,
						   const struct e2lazy_entry *),
				void *priv, struct e2lazy_damage *damage)
{
	struct directories d;
	errcode_t err;

	memset(damage, 0, sizeof(*damage));
	err = directories_init(&d, fs, opts, found, priv, damage);
	if (!err)
		err = directories_read(&d, dir);
	directories_free(&d);
	return err;
}
