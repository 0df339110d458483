/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * device.h - a device: opened once, and known by more than its name
 *
 * A name says nothing about the next moment: a file is renamed, a symlink
 * points elsewhere.  e2lazy_open() opens each device by its name once and holds
 * that descriptor as long as the journal is open.  libext2fs takes nothing but
 * names, so it gets "/proc/self/fd/N", which opens the same inode again,
 * whatever the path says meanwhile, and no part of which can pass for options.
 */
#ifndef E2LAZY_DEVICE_H
#define E2LAZY_DEVICE_H

#include "e2lazy.h"

/* Room for "/proc/self/fd/N". */
#define DEVICE_PATH_TEXT	32

/* Bytes of a superblock, ext4's and jbd2's alike, and where ext4's stands. */
#define SUPER_BYTES	1024
#define SUPER_OFFSET	1024

/* The two superblocks, byte for byte. */
struct snapshot {
	uint8_t		super[SUPER_BYTES];
	uint8_t		journal[SUPER_BYTES];
};

/* Names that are too long are cut off, and cannot be opened. */
void copy_device_name(char name[E2LAZY_PATH_MAX], const char *device);

void where_set(struct e2lazy_where *where, enum e2lazy_volume volume,
	       unsigned has, blk64_t fsblk, uint32_t logblk);

/*
 * Open @name for reading.  EISDIR, or ENOTBLK where it is neither a file nor a
 * block device; @device can be released in any case.
 */
errcode_t device_hold(struct e2lazy_device *device, const char *name,
		      uint64_t offset);
void device_release(struct e2lazy_device *device);

/* The name that opens the same inode again. */
void device_path(const struct e2lazy_device *device,
		 char path[DEVICE_PATH_TEXT]);
/*
 * A descriptor of our own that @path, as device_path() makes it, stands for;
 * -1: it is another path.  For those who can do without /proc.
 */
int device_dup(const char *path);
/*
 * open(2) the same inode again.  E2LAZY_ET_CHANGED if another disk has taken
 * the device's number meanwhile; @fd is -1 on failure.
 */
errcode_t device_reopen(const struct e2lazy_device *device, int flags,
			int *fd);

/*
 * open_bounded() of the same inode, or of the name where none is held.  The handle's device_name is the user's,
 * its channel's name is not.  E2LAZY_ET_NO_PROC where @manager needs /proc.
 * With EXT2_FLAG_NOFREE_ON_ERROR @fs may be set on failure.
 */
errcode_t device_open_fs(const struct e2lazy_device *device, int flags,
			 blk64_t superblock, unsigned blocksize,
			 io_manager manager, ext2_filsys *fs);

/* Whether the name still leads to the device: 0, or E2LAZY_ET_CHANGED. */
errcode_t device_check_name(const struct e2lazy_device *device);

/* Whether two are one, whatever their names; one that is not held has no more. */
bool device_is_same(const struct e2lazy_device *a,
		    const struct e2lazy_device *b);

/*
 * How many of @bytes from @at on are a hole of an image, which reads as zeros:
 * 0 where there is data, or where the system does not tell.
 */
uint64_t device_hole(const struct e2lazy_device *device, uint64_t at,
		     uint64_t bytes);

/* pread(2) of exactly @count bytes, @at bytes past device->offset. */
errcode_t device_read(const struct e2lazy_device *device, int fd, uint64_t at,
		      size_t count, void *buf);

#endif
