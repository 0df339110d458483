/* SPDX-License-Identifier: GPL-2.0-only */
/* device.h - a block device in memory that can be spoilt and made good again */
#ifndef FUZZ_DEVICE_H
#define FUZZ_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ext2fs/ext2fs.h>

/*
 * The bytes are those of a memfd, so that what insists on a path has one, and
 * asks the system for the size, gets it.
 */
struct device {
	char		path[32];	/* "" where there is none */
	int		fd;
	uint8_t		*bytes;		/* mapped, shared */
	uint8_t		*pristine;	/* as they were loaded */
	size_t		loaded;		/* bytes, whole blocks */
	size_t		size;		/* what it is cut down to */
	unsigned	blocksize;
	uint8_t		*dirty;		/* one for each block */
	uint32_t	*changed;	/* the dirty ones, each once */
	uint32_t	nr_changed;
};

/* Load a file's bytes; what fails ends the program. */
void device_load(struct device *device, const char *file, unsigned blocksize);
/* To be called before a block is changed: the block, to be written to. */
uint8_t *device_block(struct device *device, uint32_t block);
/* Cut it down, as an image that was not copied to its end. */
void device_cut(struct device *device, uint32_t blocks);
/* What the blocks hold now is what they are to be reset to. */
void device_keep(struct device *device);
void device_reset(struct device *device);

/* Reads devices by their path, counting, and writes them if it may. */
extern io_manager const device_io_manager;
void device_known(struct device *const *devices, size_t count);
/* Bytes read since the count was last set to zero. */
extern uint64_t device_bytes_read;
/* One write less than this succeeds; while it is 0 there may be none. */
extern unsigned device_writes_left;

#endif
