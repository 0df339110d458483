/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * xattr_list.c - extended attributes in an inode or a block
 *
 * In an inode they stand behind the fields that i_extra_isize counts.
 */

#include "io/bytes.h"
#include "xattr_list.h"

#include <ext2fs/ext2_ext_attr.h>

/* The place of the attributes in an inode, and the most bytes they may take. */
bool inode_xattrs(ext2_filsys fs, const uint8_t *raw, struct xattr_list *list)
{
	size_t size = EXT2_INODE_SIZE(fs->super), at;

	if (size <= EXT2_GOOD_OLD_INODE_SIZE + 2)
		return false;
	at = EXT2_GOOD_OLD_INODE_SIZE + get_le16(raw +
						   EXT2_GOOD_OLD_INODE_SIZE);
	if (at % 4 || at + 8 > size ||
	    get_le32(raw + at) != EXT2_EXT_ATTR_MAGIC)
		return false;
	list->base = raw + at + 4;
	list->bytes = size - at - 4;
	list->at = 0;
	return true;
}

bool xattr_list_next(struct xattr_list *list, struct xattr *out)
{
	const uint8_t *entry = list->base + list->at;
	size_t left = list->bytes - list->at, length, offset;

	if (left < XATTR_ENTRY || !get_le32(entry))
		return false;
	length = (XATTR_ENTRY + (size_t)entry[0] + 3) & ~(size_t)3;
	if (length > left)
		return false;
	offset = get_le16(entry + 2);
	*out = (struct xattr){
		.index = entry[1], .name_length = entry[0],
		.name = (const char *)entry + XATTR_ENTRY,
		.ino = get_le32(entry + 4), .length = get_le32(entry + 8),
	};
	if (!out->ino && offset <= list->bytes &&
	    out->length <= list->bytes - offset)
		out->value = list->base + offset;
	list->at += length;
	return true;
}
