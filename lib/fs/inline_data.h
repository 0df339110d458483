/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inline_data.h - data inside an inode */
#ifndef E2LAZY_INLINE_DATA_H
#define E2LAZY_INLINE_DATA_H

#include <ext2fs/ext2fs.h>

/*
 * The two parts of inline data: in i_block, and in the attribute system.data.
 * @second is NULL if there is no such attribute.
 */
void inline_data(ext2_filsys fs, const uint8_t *raw, const uint8_t **first,
		 size_t *first_bytes, const uint8_t **second,
		 size_t *second_bytes);

#endif
