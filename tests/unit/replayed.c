/* SPDX-License-Identifier: GPL-2.0-only */
/* replayed.c - the file system that fast-commit records make */

#include <stdio.h>
#include <stdlib.h>

#include "replayed.h"

struct e2lazy_view *replayed(struct fixture *f, const struct area *a,
			     errcode_t expect)
{
	struct e2lazy_fc_done done;
	struct e2lazy_view *view;
	errcode_t err;

	area_write(f, a, NULL);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &view, NULL),
			 0);
	err = e2lazy_view_fast_commits(view, &done, NULL);
	ck_assert_msg(err == expect, "%s", error_message(err));
	ck_assert(err ? !done.blocks : done.blocks > 0);
	return view;
}

void e2fsck_finds_nothing(struct fixture *f, struct e2lazy_view *view)
{
	blk64_t blocks = e2lazy_view_size(view, E2LAZY_FILE_SYSTEM) / AREA_BLOCK;
	struct e2lazy_piece piece;
	char *copy;

	shell(f, "cp --sparse=always %1$s %1$s.copy");
	ck_assert_int_gt(asprintf(&copy, "%s.copy", f->image), 0);
	for (blk64_t at = 0; at < blocks; at += piece.count) {
		char block[AREA_BLOCK];

		e2lazy_view_piece(view, at, blocks - at, &piece);
		for (blk64_t i = 0; i < piece.count &&
		     piece.source != E2LAZY_IN_PLACE; i++) {
			ck_assert_int_eq(e2lazy_view_read(view, 0,
				(at + i) * AREA_BLOCK, AREA_BLOCK, block,
				NULL), 0);
			area_patch(copy, block, AREA_BLOCK,
				   (off_t)(at + i) * AREA_BLOCK);
		}
	}
	free(copy);
	shell(f, "e2fsck -fn %1$s.copy >%1$s.said 2>&1 || "
		 "{ cat %1$s.said; false; }");
}

ext2_ino_t look_up(struct e2lazy_view *view, const char *path,
		   struct ext2_inode *out)
{
	ext2_ino_t ino = 0;
	ext2_filsys fs;

	ck_assert_int_eq(e2lazy_view_open(view, &fs, NULL), 0);
	if (ext2fs_namei(fs, EXT2_ROOT_INO, EXT2_ROOT_INO, path, &ino))
		ino = 0;
	if (ino)
		ck_assert_int_eq(ext2fs_read_inode(fs, ino, out), 0);
	ext2fs_free(fs);
	return ino;
}
