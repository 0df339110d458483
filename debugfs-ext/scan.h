/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan.h - debuglazy: all inodes of a file system
 */
#ifndef DEBUGFS_EXT_SCAN_H
#define DEBUGFS_EXT_SCAN_H

#include "shell.h"

typedef errcode_t (*scan_found)(void *priv, ext2_ino_t ino,
				struct ext2_inode_large *inode);

/*
 * Call @found for each inode that has links.  What cannot be read is noted in
 * @unread and left out.  A non-zero return of @found ends the scan and is
 * returned, as is E2LAZY_ET_CANCELLED.
 */
errcode_t scan_inodes(struct shell *shell, struct unread *unread,
		      scan_found found, void *priv);

#endif
