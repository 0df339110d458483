/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* xattr_prefix.h - the beginning of a name that the disk leaves out */
#ifndef E2LAZY_XATTR_PREFIX_H
#define E2LAZY_XATTR_PREFIX_H

/*
 * The beginning for the index of an entry, or NULL where Linux knows none.
 * Rule: Linux fs/ext4/xattr.h, EXT4_XATTR_INDEX_*.
 */
const char *xattr_prefix(unsigned index);

#endif
