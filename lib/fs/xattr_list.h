/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* xattr_list.h - extended attributes in an inode or a block */
#ifndef E2LAZY_XATTR_LIST_H
#define E2LAZY_XATTR_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <ext2fs/ext2fs.h>

#define XATTR_ENTRY	16	/* bytes of an entry without its name */
#define XATTR_SYSTEM	7	/* index of "system." */

/* Entries from @at on; values count from @base. */
struct xattr_list {
	const uint8_t	*base;
	size_t		at, bytes;
};

struct xattr {
	unsigned	index;		/* of the name's beginning */
	unsigned	name_length;
	const char	*name;
	uint32_t	ino;		/* that holds the value, or 0 */
	uint32_t	length;		/* of the value */
	const uint8_t	*value;		/* NULL: not in the list's own bytes */
};

/* False if the inode has none; @raw is the whole inode. */
bool inode_xattrs(ext2_filsys fs, const uint8_t *raw, struct xattr_list *list);
bool xattr_list_next(struct xattr_list *list, struct xattr *out);

/* The one that holds data of the file. */
static inline bool xattr_is_data(const struct xattr *x)
{
	return x->index == XATTR_SYSTEM && x->name_length == 4 &&
	       !memcmp(x->name, "data", 4);
}

#endif
