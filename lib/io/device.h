/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * device.h - a device: opened once, and identified by more than its name
 *
 * A name can mean another file a moment later: somebody renames the file or
 * moves a symlink.  So e2lazy_open() opens each device by its name once and
 * holds that descriptor until e2lazy_close().  libext2fs takes only names; it
 * gets "/proc/self/fd/N", which opens the same inode again, and which contains
 * no '?' that libext2fs would take for the start of options.
 */
#ifndef E2LAZY_DEVICE_H
#define E2LAZY_DEVICE_H

#include "e2lazy.h"

/* Room for "/proc/self/fd/N". */
#define DEVICE_PATH_TEXT	32

/* Size of both superblocks, ext4's and jbd2's, and the offset of ext4's. */
#define SUPER_BYTES	1024
#define SUPER_OFFSET	1024

/* Where the superblock stands in the block that holds it. */
static inline unsigned super_offset(unsigned blocksize)
{
	return SUPER_OFFSET % blocksize;
}

/* Both superblocks as they are on disk. */
struct snapshot {
	uint8_t		super[SUPER_BYTES];
	uint8_t		journal[SUPER_BYTES];
};

/* Copy @device, cut to E2LAZY_PATH_MAX - 1 bytes; a cut name does not open. */
void copy_device_name(char name[E2LAZY_PATH_MAX], const char *device);

void where_set(struct e2lazy_where *where, enum e2lazy_volume volume,
	       unsigned has, blk64_t fsblk, uint32_t logblk);

/*
 * Open @name for reading.  EISDIR for a directory, ENOTBLK for anything else
 * but a file or block device.  Call device_release() even after an error.
 */
errcode_t device_hold(struct e2lazy_device *device, const char *name,
		      uint64_t offset);
void device_release(struct e2lazy_device *device);

/* The name that opens the same inode again. */
void device_path(const struct e2lazy_device *device,
		 char path[DEVICE_PATH_TEXT]);
/*
 * Duplicate the descriptor that @path names, if @path is from device_path();
 * else -1.  It serves a caller that works without /proc.
 */
int device_dup(const char *path);
/*
 * open(2) the same inode again; @fd is -1 on failure.  E2LAZY_ET_CHANGED if
 * another disk has got the device's number since, E2LAZY_ET_NO_PROC without
 * /proc.
 */
errcode_t device_reopen(const struct e2lazy_device *device, int flags, int *fd);

/*
 * open_bounded() of the same inode, or of the name if @device->fd is -1.  The
 * handle's device_name is the user's name; its channel has another.
 * E2LAZY_ET_NO_PROC if @manager needs /proc.  With EXT2_FLAG_NOFREE_ON_ERROR
 * @fs may be set on failure.
 */
errcode_t device_open_fs(const struct e2lazy_device *device, int flags,
			 blk64_t superblock, unsigned blocksize,
			 io_manager manager, ext2_filsys *fs);

/* Does the name still lead to the device?  0, or E2LAZY_ET_CHANGED. */
errcode_t device_check_name(const struct e2lazy_device *device);

/*
 * Are both the same device?  Their names decide only if one of them is not
 * held (fd -1).
 */
bool device_is_same(const struct e2lazy_device *a,
		    const struct e2lazy_device *b);

/*
 * Length of the hole of an image file at @at, @bytes at most; a hole reads as
 * zeros.  0 if there is data, or if the system does not tell.
 */
uint64_t device_hole(const struct e2lazy_device *device, uint64_t at,
		     uint64_t bytes);

/* pread(2) of exactly @count bytes, @at bytes past device->offset. */
errcode_t device_read(const struct e2lazy_device *device, int fd, uint64_t at,
		      size_t count, void *buf);

#endif
