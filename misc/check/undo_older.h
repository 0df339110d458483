/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * undo_older.h - the blocks that a complete undo file already has
 *
 * libext2fs can open an undo file again and append to it, but the file is not
 * valid until it is closed.  So a run of several stages makes a new file for
 * each stage, which begins with the blocks of the file before.
 */
#ifndef MISC_CK_UNDO_OLDER_H
#define MISC_CK_UNDO_OLDER_H

#include <ext2fs/ext2fs.h>

struct undo_run {
	blk64_t		block;
	uint32_t	count;
	uint64_t	at;		/* its bytes in the file */
};

struct undo_older {
	int		fd;
	struct undo_run	*runs;		/* ascending */
	size_t		nr, room;
};

/*
 * Find the runs of the complete undo file @fd, of a file system with blocks of
 * @size bytes.  It has @keys keys, the first of them at @first.  Call
 * undo_older_free() even after an error.
 */
errcode_t undo_older_find(struct undo_older *older, int fd, unsigned size,
			  uint64_t keys, uint64_t first);
/* Its content of @block.  EXT2_ET_UNDO_FILE_WRONG: it does not have the block. */
errcode_t undo_older_read(const struct undo_older *older, blk64_t block,
			  unsigned size, uint8_t *to);
void undo_older_free(struct undo_older *older);

#endif
