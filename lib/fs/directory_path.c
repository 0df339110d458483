/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * directory_path.c - the path of one directory
 */

#include <stdlib.h>
#include <string.h>

#include "dir_names.h"

static errcode_t put_path(struct dir_names *names, ext2_ino_t dir,
			  struct back_path *path)
{
	ext2_ino_t top;
	errcode_t err = dir_names_climb(names, dir, path, &top);

	if (err)
		return err;
	if (top != EXT2_ROOT_INO)
		return back_path_put_inode(path, "<%u>", top);
	return *path->begin ? 0 : back_path_put(path, "/", 1);
}

errcode_t e2lazy_directory_path(ext2_filsys fs, ext2_ino_t dir, char **path,
				struct e2lazy_where *where)
{
	struct back_path text;
	struct dir_names names;
	errcode_t err;

	back_path_init(&text);
	err = dir_names_init(&names, fs, NULL);
	if (!err)
		err = put_path(&names, dir, &text);
	if (where)
		*where = err ? names.where : (struct e2lazy_where){ .has = 0 };
	dir_names_free(&names);
	*path = err ? NULL : strdup(text.begin);
	return !err && !*path ? EXT2_ET_NO_MEMORY : err;
}
