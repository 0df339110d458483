/* SPDX-License-Identifier: GPL-2.0-only */
/* path.c - which inode a path names, in the file system as the log has it */
#include "config.h"

#include "../log/log.h"
#include "map_io.h"
#include "newest_fs.h"

errcode_t e2lazy_find_path(struct e2lazy_journal *journal,
			   const struct e2lazy_jmap *map, const char *path,
			   ext2_ino_t *ino, struct e2lazy_where *where)
{
	struct e2lazy_where unused;
	struct newest_fs newest;
	struct map_io io = { .block = NULL };
	errcode_t err;

	if (!where)
		where = &unused;
	where->has = 0;
	err = newest_fs_init(&newest, journal, map, where);
	if (!err) {
		where->has = 0;
		err = map_io_init(&io, journal, map);
	}
	if (!err) {
		newest.handle.io = &io.channel;
		newest.handle.icache = NULL;	/* that one holds static ones */
		err = ext2fs_namei(&newest.handle, EXT2_ROOT_INO,
				   EXT2_ROOT_INO, path, ino);
		if (newest.handle.icache)
			ext2fs_free_inode_cache(newest.handle.icache);
	}
	map_io_free(&io);
	newest_fs_free(&newest);
	return err;
}
