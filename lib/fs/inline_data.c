/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * inline_data.c - data inside an inode
 *
 * Small files and directories have their data in i_block, and the rest in the
 * value of the attribute system.data.
 */

#include <string.h>

#include "inline_data.h"
#include "xattr_list.h"

void inline_data(ext2_filsys fs, const uint8_t *raw, const uint8_t **first,
		 size_t *first_bytes, const uint8_t **second,
		 size_t *second_bytes)
{
	struct xattr_list list;
	struct xattr x;

	*first = raw + offsetof(struct ext2_inode, i_block);
	*first_bytes = sizeof(((struct ext2_inode *)0)->i_block);
	*second = NULL;
	*second_bytes = 0;
	if (!inode_xattrs(fs, raw, &list))
		return;
	while (xattr_list_next(&list, &x))
		if (xattr_is_data(&x) && x.value) {
			*second = x.value;
			*second_bytes = x.length;
		}
}
