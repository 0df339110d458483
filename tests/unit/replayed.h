/* SPDX-License-Identifier: GPL-2.0-only */
/* replayed.h - the file system that fast-commit records make */
#ifndef REPLAYED_H
#define REPLAYED_H

#include "area.h"
#include "e2lazy_view.h"

#define AREA_BLOCK	1024

/* The view after the records of @a, or before them if @expect is an error. */
struct e2lazy_view *replayed(struct fixture *f, const struct area *a,
			     errcode_t expect);
/* e2fsck must find no fault in the view. */
void e2fsck_finds_nothing(struct fixture *f, struct e2lazy_view *view);
/* The inode of a path in the view; 0 if there is none. */
ext2_ino_t look_up(struct e2lazy_view *view, const char *path,
		   struct ext2_inode *out);

#endif
