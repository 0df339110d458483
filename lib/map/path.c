/* SPDX-License-Identifier: GPL-2.0-only */
/* path.c - which inode a path names, in the file system as the log has it */
#include "config.h"

#include "e2lazy_view.h"

errcode_t e2lazy_view_path(struct e2lazy_view *view, const char *path,
			   ext2_ino_t *ino, struct e2lazy_where *where)
{
	struct e2lazy_where unused;
	ext2_filsys fs;
	errcode_t err;

	if (!where)
		where = &unused;
	err = e2lazy_view_open(view, &fs, where);
	if (err)
		return err;
	err = ext2fs_namei(fs, EXT2_ROOT_INO, EXT2_ROOT_INO, path, ino);
	if (err && e2lazy_view_failed(fs))
		*where = *e2lazy_view_failed(fs);
	ext2fs_free(fs);
	return err;
}
