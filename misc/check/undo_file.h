/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * undo_file.h - one file for e2undo, filled before anything is overwritten
 *
 * libext2fs writes the format: its undo_io reads the blocks that a write is
 * about to replace.  Here it reads them from memory, and its writes go
 * nowhere.  The file is made once, in a directory where no other user can
 * replace it, and all access goes through one descriptor.
 */
#ifndef MISC_CK_UNDO_FILE_H
#define MISC_CK_UNDO_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include <ext2fs/ext2fs.h>

#include "undo_older.h"

/* An undo file begins with it. */
#define UNDO_MAGIC	"E2UNDO02"
/* Bytes of a superblock, which e2undo compares. */
#define UNDO_SUPER	1024

struct undo_file {
	char		*path;		/* NULL: there is none */
	int		directory;
	int		fd;
	dev_t		dev;
	ino_t		ino;
	io_channel	io;		/* undo_io, until it is finished */
	/* The input of undo_io: consecutive blocks, and the superblock. */
	blk64_t		block;
	uint32_t	count;
	const uint8_t	*bytes;
	struct undo_older older;	/* blocks of an earlier stage, or none */
	int		device;		/* for other reads of undo_io */
	uint64_t	offset;		/* of the file system, in bytes */
	uint8_t		super[UNDO_SUPER];
};

/*
 * Returns the resolved directory of @path, to be freed.  NULL after a
 * complaint if others can change it or it is inaccessible.
 */
char *undo_directory(const char *path);

/*
 * Make the file for blocks of @blocksize bytes of a file system at @offset of
 * the descriptor @device.  It keeps @path, which may be NULL for lack of
 * memory.  False after a complaint.
 */
bool undo_file_begin(struct undo_file *file, char *path, unsigned blocksize,
		     int device, uint64_t offset);
errcode_t undo_file_add(struct undo_file *file, blk64_t block, uint32_t count,
			const uint8_t *bytes);
/*
 * Begin with the blocks of the complete file @before.  If one of them is added
 * later, its first content remains.
 */
errcode_t undo_file_continue(struct undo_file *file,
			     const struct undo_file *before);
/*
 * Complete the file on the disk.  e2undo takes it if the superblock is @super.
 */
errcode_t undo_file_finish(struct undo_file *file,
			   const uint8_t super[UNDO_SUPER]);
/* From here on e2undo takes it if the superblock is this one. */
errcode_t undo_file_switch(struct undo_file *file,
			   const uint8_t super[UNDO_SUPER]);
/* Take the name of the file @before, which is closed; both are complete. */
errcode_t undo_file_replace(struct undo_file *file, struct undo_file *before);
/* Its length, for a file that continues it. */
uint64_t undo_file_bytes(const struct undo_file *file);
/* Does its name still lead to it? */
bool undo_file_is_there(const struct undo_file *file);
/* Close the file; with @remove unlink it, if its name still leads to it. */
void undo_file_end(struct undo_file *file, bool remove);

#endif
