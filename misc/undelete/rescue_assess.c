/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rescue_assess.c - how much of a state holds together
 *
 * A walk over the tree of names.  A file counts if its name is in a directory
 * that counts, its inode is in use and verifies, its map can be read, verifies
 * and stays inside the file system and the device, and no block of it has been
 * counted for another file.  Contents have no checksums, and are not read.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/contents.h"
#include "fs/dir_record.h"
#include "fs/directory.h"
#include "rescue.h"

#define MAX_DEPTH	512

struct walk {
	struct session	*s;
	ext2_filsys	fs;
	ext2fs_inode_bitmap seen;
	ext2fs_block_bitmap taken;
	blk64_t		end;		/* of what can be read */
	blk64_t		budget;		/* blocks of directories to read */
	unsigned	depth;
	uint64_t	done;
	struct assessed	*out;
};

struct map_of {
	struct walk	*w;
	uint64_t	blocks;
	bool		clash;
};

static errcode_t take_block(void *priv, e2_blkcnt_t lblk, blk64_t block)
{
	struct map_of *m = priv;

	(void)lblk;
	if (block < m->w->fs->super->s_first_data_block || block >= m->w->end)
		return EXT2_ET_BAD_BLOCK_NUM;
	m->blocks++;
	/* Blocks of a cluster are one bit. */
	if (EXT2FS_CLUSTER_RATIO(m->w->fs) == 1)
		m->clash |= ext2fs_mark_block_bitmap2(m->w->taken, block) != 0;
	return 0;
}

static bool has_map(const struct ext2_inode_large *inode)
{
	if (inode->i_flags & EXT4_INLINE_DATA_FL)
		return false;
	return LINUX_S_ISREG(inode->i_mode) || LINUX_S_ISDIR(inode->i_mode) ||
	       (LINUX_S_ISLNK(inode->i_mode) &&
		!ext2fs_is_fast_symlink((struct ext2_inode *)(uintptr_t)inode));
}

static bool is_type(unsigned mode)
{
	return LINUX_S_ISREG(mode) || LINUX_S_ISDIR(mode) ||
	       LINUX_S_ISLNK(mode) || LINUX_S_ISCHR(mode) ||
	       LINUX_S_ISBLK(mode) || LINUX_S_ISFIFO(mode) ||
	       LINUX_S_ISSOCK(mode);
}

/* Does its type agree with the one that the directory has for it? */
static bool agrees(const struct e2lazy_entry *entry, unsigned mode)
{
	return entry->type == EXT2_FT_UNKNOWN ||
	       entry->type == dir_type_of(mode);
}

static errcode_t read_inode(struct walk *w, const struct e2lazy_entry *entry,
			    struct ext2_inode_large *inode)
{
	errcode_t err = ext2fs_read_inode_full(w->fs, entry->ino,
					       (struct ext2_inode *)inode,
					       sizeof(*inode));

	if (!err && (!inode->i_links_count || !is_type(inode->i_mode) ||
		     !agrees(entry, inode->i_mode)))
		err = EXT2_ET_INODE_CORRUPTED;
	return err;
}

static errcode_t read_map(struct walk *w, ext2_ino_t ino,
			  const struct ext2_inode_large *inode)
{
	struct map_of m = { .w = w };
	errcode_t err;

	if (!has_map(inode))
		return 0;
	err = contents_blocks(w->fs, ino, take_block, &m);
	if (!err && m.clash)
		err = EXT2_ET_FILE_EXISTS;
	if (!err)
		w->out->blocks += m.blocks;
	return err;
}

static errcode_t enter(struct walk *w, ext2_ino_t ino);

static errcode_t take_new(struct walk *w, const struct e2lazy_entry *entry)
{
	struct ext2_inode_large inode;
	errcode_t err = read_inode(w, entry, &inode);

	if (!err)
		err = read_map(w, entry->ino, &inode);
	if (err == E2LAZY_ET_CANCELLED || err == EXT2_ET_NO_MEMORY)
		return err;
	w->out->good += !err;
	w->out->bad += err != 0;
	if (!err && LINUX_S_ISDIR(inode.i_mode) &&
	    !(inode.i_flags & EXT4_ENCRYPT_FL))
		return enter(w, entry->ino);
	return 0;
}

static errcode_t take_entry(void *priv, const struct e2lazy_entry *entry)
{
	struct walk *w = priv;
	const struct ext2_super_block *sb = w->fs->super;

	if (!progress_tick(&w->s->print.progress, w->done++,
			   sb->s_inodes_count - sb->s_free_inodes_count))
		return E2LAZY_ET_CANCELLED;
	if (is_dots(entry) || !entry->length)
		return 0;
	if (entry->ino > sb->s_inodes_count ||
	    entry->ino < EXT2_FIRST_INO(sb)) {
		w->out->bad++;
		return 0;
	}
	/* Another name of a file that has been counted. */
	if (ext2fs_mark_inode_bitmap2(w->seen, entry->ino))
		return 0;
	return take_new(w, entry);
}

static errcode_t enter(struct walk *w, ext2_ino_t ino)
{
	const struct e2lazy_directory_opts opts = { .budget = &w->budget };
	struct e2lazy_damage damage = { 0 };
	errcode_t err;

	if (w->depth == MAX_DEPTH) {
		w->out->bad++;
		return 0;
	}
	w->depth++;
	err = e2lazy_directory_read(w->fs, ino, &opts, take_entry, w, &damage);
	w->depth--;
	if (err == E2LAZY_ET_CANCELLED || err == EXT2_ET_NO_MEMORY)
		return err;
	w->out->bad += damage.count + (err != 0);
	return 0;
}

/* The device may end before its file system does. */
static blk64_t readable_end(const struct walk *w)
{
	const struct e2lazy_device *device =
		e2lazy_device(w->s->log->journal, E2LAZY_FILE_SYSTEM);
	blk64_t blocks = ext2fs_blocks_count(w->fs->super);
	blk64_t end = device->bytes / w->fs->blocksize;

	return end < blocks ? end : blocks;
}

static errcode_t walk_all(struct walk *w)
{
	errcode_t err = ext2fs_allocate_inode_bitmap(w->fs, "seen", &w->seen);

	if (!err)
		err = ext2fs_allocate_block_bitmap(w->fs, "taken", &w->taken);
	if (!err) {
		w->end = readable_end(w);
		w->budget = 2 * ext2fs_blocks_count(w->fs->super);
		progress_begin(&w->s->print.progress, PHASE_DIRECTORIES);
		err = enter(w, EXT2_ROOT_INO);
		progress_end(&w->s->print.progress);
	}
	if (w->seen)
		ext2fs_free_inode_bitmap(w->seen);
	if (w->taken)
		ext2fs_free_block_bitmap(w->taken);
	return err;
}

errcode_t assess(struct session *s, bool in_place, struct assessed *out)
{
	struct walk w = { .s = s, .out = out };
	errcode_t err = part_open(s, in_place, &w.fs);

	*out = (struct assessed){ 0 };
	if (err)
		return err;
	err = walk_all(&w);
	ext2fs_free(w.fs);
	return err;
}
