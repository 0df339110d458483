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
#include "directory.h"

/* Inode, length of the record, length of the name and type. */
#define ENTRY_HEADER 8

/* -------------------------------------------------------- one block */

static unsigned record_length(ext2_filsys fs, const char *record)
{
	unsigned length = 0;

	if (ext2fs_get_rec_len(fs, (struct ext2_dir_entry *)(void *)record,
			       &length))
		return 0;
	return length;
}

static unsigned name_length(const char *record)
{
	return ext2fs_dirent_name_len((const struct ext2_dir_entry *)
				      (const void *)record);
}

/* Length of a record, or 0 if it is impossible or exceeds @room bytes. */
static unsigned check_record(ext2_filsys fs, const char *record, unsigned room)
{
	unsigned length;

	if (room < ENTRY_HEADER)
		return 0;
	length = record_length(fs, record);
	if (length % 4 || length > room ||
	    length < ENTRY_HEADER + name_length(record))
		return 0;
	return length;
}

static errcode_t give(struct directories *d, const char *record, bool removed)
{
	const struct ext2_dir_entry *entry = (const void *)record;
	struct e2lazy_entry out = {
		.ino = entry->inode,
		.type = ext2fs_dirent_file_type(entry),
		.name = entry->name,
		.length = ext2fs_dirent_name_len(entry),
		.removed = removed,
	};

	return d->found(d->priv, &out);
}

/*
 * The kernel removes an entry by making the record before it longer.  So the
 * unused rest of a record, @from to @to, may hold removed entries: a chain of
 * records that ends exactly at @to.
 */
static errcode_t give_removed(struct directories *d, const char *block,
			      unsigned from, unsigned to)
{
	ext2_filsys fs = d->search.fs;
	unsigned at, length;
	errcode_t err = 0;

	for (at = to; at > from;) {
		at -= 4;
		length = check_record(fs, block + at, to - at);
		d->begins[at / 4] = length && (at + length == to ||
					       d->begins[(at + length) / 4]);
	}
	while (!err && at < to) {
		length = d->begins[at / 4] ? name_length(block + at) : 0;
		if (!length) {
			at += 4;
			continue;
		}
		if (((const struct ext2_dir_entry *)
		     (const void *)(block + at))->inode)
			err = give(d, block + at, true);
		at += (ENTRY_HEADER + length + 3) & ~3U;
	}
	return err;
}

static errcode_t give_entries(struct directories *d, blk64_t fsblk)
{
	unsigned size = d->search.fs->blocksize, at, length, used;
	const char *block = d->search.block;
	errcode_t err = 0;

	for (at = 0; !err && at < size; at += length) {
		length = check_record(d->search.fs, block + at, size - at);
		if (!length)
			return note_unread(d->search.damage, d->search.fs,
					   EXT2_ET_DIR_CORRUPTED, fsblk);
		if (((const struct ext2_dir_entry *)
		     (const void *)(block + at))->inode)
			err = give(d, block + at, false);
		used = (ENTRY_HEADER + name_length(block + at) + 3) & ~3U;
		if (!err && d->removed)
			err = give_removed(d, block, at + used, at + length);
	}
	return err;
}

/* --------------------------------------------------------- all of them */

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
		err = ext2fs_read_dir_block4(s->fs, fsblk, s->block, 0, s->ino);
		err = err ? note_unread(s->damage, s->fs, err, fsblk)
			  : give_entries(d, fsblk);
	}
	return err;
}

static int give_inline(ext2_ino_t dir, int which, struct ext2_dir_entry *entry,
		       int offset, int blocksize, char *buf, void *priv)
{
	struct directories *d = priv;

	(void)dir, (void)offset, (void)blocksize, (void)buf;
	if (!entry->inode || which == DIRENT_CHECKSUM)
		return 0;
	d->err = give(d, (const char *)entry, which == DIRENT_DELETED_FILE);
	return d->err ? DIRENT_ABORT : 0;
}

/* An inline directory is small and has no map. */
static errcode_t read_inline(struct directories *d, ext2_ino_t dir)
{
	struct inode_search *s = &d->search;
	errcode_t err;

	d->err = 0;
	err = ext2fs_dir_iterate2(s->fs, dir, d->removed ?
				  DIRENT_FLAG_INCLUDE_REMOVED : 0, s->block,
				  give_inline, d);
	if (err)
		err = note_unread(s->damage, s->fs, err,
				  inode_home(s->fs, dir));
	return d->err ? d->err : err;
}

errcode_t directories_read(struct directories *d, ext2_ino_t dir)
{
	struct inode_search *s = &d->search;
	struct ext2_inode inode;
	errcode_t err;

	if (dir == 0 || dir > s->fs->super->s_inodes_count)
		return EXT2_ET_BAD_INODE_NUM;
	err = ext2fs_read_inode(s->fs, dir, &inode);
	if (err)
		return err;
	if (!LINUX_S_ISDIR(inode.i_mode))
		return EXT2_ET_NO_DIRECTORY;
	if (inode.i_flags & EXT4_INLINE_DATA_FL)
		return read_inline(d, dir);
	d->next = 0;
	inode_search_begin(s, dir, E2LAZY_ROLE_DIRECTORY);
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
