/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_IDENTIFY_H
#define E2LAZY_IDENTIFY_H

#include "e2lazy_view.h"

/* Is this block of a directory the root or a node of its index? */
bool is_htree(ext2_filsys fs, const void *block);

#endif
