/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * undo_file.h - one file for e2undo, filled before anything is overwritten
 *
 * libext2fs writes the format: its undo_io reads what a write is about to
 * replace, and here it reads that from memory, and its writes go nowhere.  The
 * file is made once, in a directory where nobody else can put another, and
 * everything goes through that one descriptor.
 */
#ifndef MISC_CK_UNDO_FILE_H
#define MISC_CK_UNDO_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include <ext2fs/ext2fs.h>

/* Bytes of a superblock, by which e2undo knows what it may undo. */
#define UNDO_SUPER	1024

struct undo_file {
	char		*path;		/* NULL: there is none */
	int		directory;
	int		fd;
	dev_t		dev;
	ino_t		ino;
	io_channel	io;		/* undo_io, until it is finished */
	/* What that reads: blocks in a row, and the superblock. */
	blk64_t		block;
	uint32_t	count;
	const uint8_t	*bytes;
	int		device;		/* for what undo_io reads besides */
	uint64_t	offset;		/* of the file system, in bytes */
	uint8_t		super[UNDO_SUPER];
};

/*
 * The directory of @path, resolved, to be freed.  NULL with a complaint: others
 * can change it, or it cannot be had.
 */
char *undo_directory(const char *path);

/*
 * Make it, for blocks of @blocksize bytes of a file system at @offset of
 * @device, a descriptor; @path is taken over, and may be NULL for want of
 * memory.  False with a complaint.
 */
bool undo_file_begin(struct undo_file *file, char *path, unsigned blocksize,
		     int device, uint64_t offset);
errcode_t undo_file_add(struct undo_file *file, blk64_t block, uint32_t count,
			const uint8_t *bytes);
/* Finish it, on the disk.  e2undo takes it where the superblock is @super. */
errcode_t undo_file_finish(struct undo_file *file,
			   const uint8_t super[UNDO_SUPER]);
/* From here on e2undo takes it where the superblock is this one. */
errcode_t undo_file_switch(struct undo_file *file,
			   const uint8_t super[UNDO_SUPER]);
/* Its name still leads to it. */
bool undo_file_is_there(const struct undo_file *file);
/* Close it; with @remove the name goes too, if it leads to it. */
void undo_file_end(struct undo_file *file, bool remove);

#endif
