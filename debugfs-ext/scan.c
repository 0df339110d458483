/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan.c - debuglazy: all inodes of a file system
 */
#include <stdio.h>
#include <string.h>

#include "scan.h"
#include "support/status.h"

struct scan {
	struct shell	*shell;
	struct unread	*unread;
	scan_found	found;
	void		*priv;
};

/* Inodes of a group that are skipped together, and the reason. */
struct gap {
	ext2_ino_t	first;
	uint32_t	count;
	errcode_t	error;
};

static void note_gap(struct scan *scan, const struct gap *gap,
		     const struct e2lazy_where *where)
{
	char subject[64];

	if (gap->count == 1)
		snprintf(subject, sizeof(subject), "<%u>", gap->first);
	else
		snprintf(subject, sizeof(subject), "<%u>-<%u>", gap->first,
			 gap->first + gap->count - 1);
	shell_note_unread(scan->unread, subject, where, gap->error, gap->count);
}

/*
 * A bad checksum concerns one inode; any other error concerns all inodes of
 * its block.
 */
static uint32_t pass_over(struct scan *scan, errcode_t err, ext2_ino_t ino,
			  uint32_t i, uint32_t count)
{
	uint32_t in_block = EXT2_INODES_PER_BLOCK(scan->shell->fs->super);
	struct gap gap = { .first = ino, .count = 1, .error = err };

	if (err != EXT2_ET_INODE_CSUM_INVALID &&
	    err != EXT2_ET_INODE_IS_GARBAGE)
		gap.count = in_block - i % in_block;
	if (gap.count > count - i)
		gap.count = count - i;
	note_gap(scan, &gap, e2lazy_view_failed(scan->shell->fs));
	return gap.count;
}

/* Read @count inodes from @first on; all are in one group. */
static errcode_t scan_group(struct scan *scan, ext2_ino_t first, uint32_t count)
{
	struct ext2_inode_large inode;
	uint32_t i = 0, empty;
	errcode_t err;

	while (i < count) {
		if (cancelled())
			return E2LAZY_ET_CANCELLED;
		empty = e2lazy_empty_inodes(scan->shell->fs, first + i,
					    count - i);
		if (empty) {
			i += empty;
			continue;
		}
		memset(&inode, 0, sizeof(inode));
		err = ext2fs_read_inode_full(scan->shell->fs, first + i,
					     (struct ext2_inode *)&inode,
					     sizeof(inode));
		if (err) {
			i += pass_over(scan, err, first + i, i, count);
			continue;
		}
		if (inode.i_links_count)
			err = scan->found(scan->priv, first + i, &inode);
		if (err)
			return err;
		i++;
	}
	return 0;
}

/* Without a valid inode table no inode of the group can be read. */
static bool has_table(ext2_filsys fs, dgrp_t group)
{
	blk64_t table = ext2fs_inode_table_loc(fs, group);

	return table && table < ext2fs_blocks_count(fs->super);
}

errcode_t scan_inodes(struct shell *shell, struct unread *unread,
		      scan_found found, void *priv)
{
	struct scan scan = { shell, unread, found, priv };
	ext2_filsys fs = shell->fs;
	struct gap gap = { .error = EXT2_ET_GDESC_BAD_INODE_TABLE };
	errcode_t err = 0;

	gap.first = 1;
	for (dgrp_t group = 0; !err && group < fs->group_desc_count; group++) {
		gap.count = e2lazy_group_inodes(fs, group);
		if (has_table(fs, group))
			err = scan_group(&scan, gap.first, gap.count);
		else if (gap.count)
			note_gap(&scan, &gap, NULL);
		gap.first += fs->super->s_inodes_per_group;
	}
	return err;
}
