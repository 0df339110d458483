/* SPDX-License-Identifier: GPL-2.0-only */
/* path.c - which inode a path names, in the file system as the log has it */
#include "config.h"

#include "e2lazy_view.h"

errcode_t e2lazy_find_path(struct e2lazy_journal *journal,
			   const struct e2lazy_jmap *map, const char *path,
			   ext2_ino_t *ino, struct e2lazy_where *where)
{
	struct e2lazy_view *view = NULL;
	ext2_filsys fs = NULL;
	struct e2lazy_where unused;
	errcode_t err;

	if (!where)
		where = &unused;
	err = e2lazy_view_build(journal, map, &view, where);
	if (!err)
		err = e2lazy_view_open(view, &fs, where);
	if (!err) {
		err = ext2fs_namei(fs, EXT2_ROOT_INO, EXT2_ROOT_INO, path,
				   ino);
		if (err && e2lazy_view_failed(fs))
			*where = *e2lazy_view_failed(fs);
	}
	if (fs)
		ext2fs_free(fs);
	e2lazy_view_free(view);
	return err;
}
