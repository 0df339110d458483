/* SPDX-License-Identifier: GPL-2.0-only */
/* device.h - a block device in memory that can be damaged and restored */
#ifndef FUZZ_DEVICE_H
#define FUZZ_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ext2fs/ext2fs.h>

/*
 * Most targets open it by its name, which says something to device_io_manager
 * alone.  The bytes are those of a memfd, for what insists on a path.
 */
struct device {
	char		name[32];
	char		path[32];
	int		fd;
	dev_t		dev;		/* of the memfd, as is: */
	ino_t		ino;
	uint8_t		*bytes;		/* mapped, shared */
	uint8_t		*pristine;	/* as they were loaded */
	size_t		loaded;		/* bytes, whole blocks */
	size_t		size;		/* bytes left after a cut */
	unsigned	blocksize;
	uint8_t		*dirty;		/* one for each block */
	uint32_t	*changed;	/* the dirty ones, each once */
	uint32_t	nr_changed;
	uint8_t		*before;	/* a block each, of those written since
					   device_watch() */
	uint8_t		*is_written;	/* one for each block */
	uint32_t	*written;	/* each once */
	uint32_t	nr_written;
};

/*
 * Load a file's bytes; a failure ends the program.  If the target wants paths,
 * a cut shortens the memfd; else it only lowers @size.
 */
void device_load(struct device *device, const char *file, unsigned blocksize);
extern const bool fuzz_wants_paths;	/* a target has it */
/* Call it before a change; returns the block's bytes. */
uint8_t *device_block(struct device *device, uint32_t block);
/* Cut it off, like an image that was not copied to its end. */
void device_cut(struct device *device, uint32_t blocks);
/* Make the present content the one that device_reset() restores. */
void device_keep(struct device *device);
void device_reset(struct device *device);
/* From now on keep the old content of each block that a channel writes. */
void device_watch(struct device *device);

/* Reads devices by name or path, counting, and writes them if it may. */
extern io_manager const device_io_manager;
void device_known(struct device *const *devices, size_t count);
/* Bytes read since the count was last set to zero. */
extern uint64_t device_bytes_read;
/* One write less than this succeeds; while it is 0 there may be none. */
extern unsigned device_writes_left;

#endif
