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
 * Call @found for each inode that has links.  Unreadable inodes are counted in
 * @unread and skipped.  A non-zero return of @found ends the scan and is
 * returned; E2LAZY_ET_CANCELLED is returned too.
 */
errcode_t scan_inodes(struct shell *shell, struct unread *unread,
		      scan_found found, void *priv);

#endif
