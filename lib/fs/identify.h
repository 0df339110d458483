/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_IDENTIFY_H
#define E2LAZY_IDENTIFY_H

#include "e2lazy_view.h"

/* The type of a block, guessed from its content. */
enum e2lazy_type identify(ext2_filsys fs, const void *block);

/* Is this block of a directory the root or a node of its index? */
bool is_htree(ext2_filsys fs, const void *block);

/* Is it a directory's block?  A node of an index is one, too. */
bool is_directory(ext2_filsys fs, const void *block);

#endif
