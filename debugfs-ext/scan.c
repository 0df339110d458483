/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan.c - debuglazy: all inodes of a file system
 */
#include <stdio.h>
#include <string.h>

#include "scan.h"
#include "support/status.h"

/*
 * Complain of inode @i of a group, and return the last one that must be left
 * out with it: a bad checksum is the inode's alone, and of any other error all
 * of its block have a share.
 */
static uint32_t pass_over(struct shell *shell, struct session *s,
			  errcode_t err, ext2_ino_t first, uint32_t i,
			  uint32_t count)
{
	uint32_t in_block = EXT2_INODES_PER_BLOCK(shell->fs->super), last = i;
	char subject[64];

	if (err != EXT2_ET_INODE_CSUM_INVALID &&
	    err != EXT2_ET_INODE_IS_GARBAGE)
		last = i - i % in_block + in_block - 1;
	if (last >= count)
		last = count - 1;
	if (i == last)
		snprintf(subject, sizeof(subject), "<%u>", first + i);
	else
		snprintf(subject, sizeof(subject), "<%u>-<%u>", first + i,
			 first + last);
	shell_fail(shell, s, subject, err);
	return last;
}

/* The first @count inodes from @first on, which are those of a group. */
static errcode_t scan_group(struct shell *shell, struct session *s,
			    ext2_ino_t first, uint32_t count,
			    scan_found found, void *priv)
{
	struct ext2_inode_large inode;
	uint32_t i;
	errcode_t err;

	for (i = 0; i < count; i++) {
		if (cancelled())
			return E2LAZY_ET_CANCELLED;
		memset(&inode, 0, sizeof(inode));
		err = ext2fs_read_inode_full(shell->fs, first + i,
					     (struct ext2_inode *)&inode,
					     sizeof(inode));
		if (err) {
			i = pass_over(shell, s, err, first, i, count);
			continue;
		}
		if (inode.i_links_count)
			err = found(priv, first + i, &inode);
		if (err)
			return err;
	}
	return 0;
}

errcode_t scan_inodes(struct shell *shell, struct session *s,
		      scan_found found, void *priv)
{
	ext2_filsys fs = shell->fs;
	uint32_t each = fs->super->s_inodes_per_group;
	errcode_t err = 0;

	for (dgrp_t group = 0; !err && group < fs->group_desc_count; group++)
		err = scan_group(shell, s, group * each + 1,
				 e2lazy_group_inodes(fs, group), found, priv);
	return err;
}
