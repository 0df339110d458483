/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * atlas.c - the kind of each block of a template
 *
 * mkjournal fills copies with a line of text.  If the static block is metadata,
 * its copies get the content of the static block, so that a view through the
 * log shows a file system.
 */
#include <stdlib.h>
#include <string.h>

#include "template.h"

struct drawing {
	struct template *t;
	struct part	*by_block;	/* of each block; kind OTHER: unknown */
	ext2_ino_t	ino;
	bool		directory;
	unsigned	data;		/* blocks of contents so far */
};

static void draw(struct drawing *d, enum part_kind kind, blk64_t fsblk,
		 ext2_ino_t ino, dgrp_t group)
{
	struct part part = {
		.kind = kind, .device = &d->t->fs, .block = (uint32_t)fsblk,
		.fsblk = (uint32_t)fsblk, .ino = ino, .group = group,
	};

	if ((fsblk + 1) * d->t->bs > d->t->fs.loaded)
		return;
	d->by_block[fsblk] = part;
	template_add(d->t, &part);
}

static void draw_groups(struct drawing *d)
{
	ext2_filsys fs = d->t->mkj.img.fs;
	unsigned per_block = EXT2_INODES_PER_BLOCK(fs->super);
	unsigned i;

	draw(d, PART_SUPER, SUPERBLOCK_OFFSET / d->t->bs, 0, 0);
	for (i = 0; i < fs->desc_blocks; i++)
		draw(d, PART_DESC, ext2fs_descriptor_block_loc2(fs,
				fs->super->s_first_data_block, i), 0,
		     i * EXT2_DESC_PER_BLOCK(fs->super));
	for (dgrp_t g = 0; g < fs->group_desc_count; g++) {
		draw(d, PART_BLOCK_BITMAP, ext2fs_block_bitmap_loc(fs, g), 0,
		     g);
		draw(d, PART_INODE_BITMAP, ext2fs_inode_bitmap_loc(fs, g), 0,
		     g);
		for (i = 0; i < fs->inode_blocks_per_group; i++)
			draw(d, PART_INODES, ext2fs_inode_table_loc(fs, g) + i,
			     g * fs->super->s_inodes_per_group +
			     i * per_block + 1, g);
	}
}

#define MOST_DATA 2		/* blocks of a file's contents */

static int draw_block(ext2_filsys fs, blk64_t *block, e2_blkcnt_t lblk,
		      blk64_t ref, int offset, void *priv)
{
	struct drawing *d = priv;
	struct ext3_extent_header { uint16_t magic; } *head;

	(void)fs, (void)ref, (void)offset;
	head = (void *)(d->t->fs.bytes + *block * d->t->bs);
	if (lblk < 0)
		draw(d, head->magic == 0xf30a ? PART_EXTENT : PART_INDIRECT,
		     *block, d->ino, 0);
	else if (d->directory)
		draw(d, PART_DIRECTORY, *block, d->ino, 0);
	else if (d->data++ < MOST_DATA)
		draw(d, PART_OTHER, *block, d->ino, 0);
	return 0;
}

static void draw_inode(struct drawing *d, ext2_ino_t ino)
{
	ext2_filsys fs = d->t->mkj.img.fs;
	struct ext2_inode inode;

	if (ext2fs_read_inode(fs, ino, &inode) || !inode.i_links_count)
		return;
	d->ino = ino;
	d->directory = LINUX_S_ISDIR(inode.i_mode);
	d->data = 0;
	if (ext2fs_inode_has_valid_blocks2(fs, &inode))
		ext2fs_block_iterate3(fs, ino, BLOCK_FLAG_READ_ONLY, NULL,
				      draw_block, d);
	if (ext2fs_file_acl_block(fs, &inode))
		draw(d, PART_XATTR, ext2fs_file_acl_block(fs, &inode), ino, 0);
}

static void draw_inodes(struct drawing *d)
{
	const struct ext2_super_block *sb = d->t->mkj.img.fs->super;

	draw_inode(d, EXT2_ROOT_INO);
	for (ext2_ino_t ino = EXT2_FIRST_INODE(sb); ino <= sb->s_inodes_count;
	     ino++)
		draw_inode(d, ino);
}

/* --------------------------------------------------------------- the log */

static uint8_t *log_block(struct template *t, uint32_t logblk)
{
	return device_block(t->log, t->log_at[logblk]);
}

static void draw_copies(struct drawing *d, uint32_t logblk)
{
	struct template *t = d->t;
	struct tags tags;
	uint32_t at = logblk;

	repair_tags(t, log_block(t, logblk), &tags);
	for (unsigned i = 0; i < tags.count; i++) {
		struct part part = { .kind = PART_OTHER };

		at = repair_next(t, at);
		if (tags.fsblk[i] < t->fs.loaded / t->bs)
			part = d->by_block[tags.fsblk[i]];
		if (part.kind != PART_OTHER &&
		    !(get_be16(tags.tag[i] + TAG_FLAGS) & TAG_ESCAPE))
			memcpy(log_block(t, at), t->fs.bytes +
			       (size_t)tags.fsblk[i] * t->bs, t->bs);
		part.fsblk = tags.fsblk[i];
		part.device = t->log;
		part.block = t->log_at[at];
		part.logged = true;
		template_add(t, &part);
	}
}

static void draw_log(struct drawing *d)
{
	struct template *t = d->t;
	struct part part = { .device = t->log };
	uint32_t at;

	part.kind = PART_JSB;
	part.block = t->log_at[t->mkj.img.jsb_log];
	template_add(t, &part);
	for (at = t->mkj.fmt.first; at < t->mkj.fmt.end; at++) {
		const uint8_t *block = t->log->bytes +
				       (size_t)t->log_at[at] * t->bs;

		if (get_be32(block) != JB_MAGIC)
			continue;
		part.kind = PART_CONTROL;
		part.block = t->log_at[at];
		template_add(t, &part);
		if (get_be32(block + 4) == JB_DESCRIPTOR)
			draw_copies(d, at);
	}
	for (; at < t->mkj.fmt.end + 3 && at < t->mkj.fmt.maxlen; at++) {
		part.kind = PART_FAST;
		part.block = t->log_at[at];
		template_add(t, &part);
	}
}

void atlas_draw(struct template *t)
{
	struct drawing d = { .t = t };

	d.by_block = calloc(t->fs.loaded / t->bs, sizeof(*d.by_block));
	if (!d.by_block)
		abort();
	for (size_t i = 0; i < t->fs.loaded / t->bs; i++)
		d.by_block[i].kind = PART_OTHER;
	draw_groups(&d);
	draw_inodes(&d);
	repair_format(t);
	draw_log(&d);
	free(d.by_block);
}
