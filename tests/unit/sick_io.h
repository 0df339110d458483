/* SPDX-License-Identifier: GPL-2.0-only */
/* sick_io.h - an io_manager below which one block cannot be read */
#ifndef SICK_IO_H
#define SICK_IO_H

#include <ext2fs/ext2fs.h>

/* Stacked on unix_io. */
extern io_manager const sick_io_manager;
extern unsigned long sick_failed;	/* reads since the last sick_begin() */
/* From here on @block cannot, in blocks of the channel; 0: all can. */
void sick_begin(blk64_t block);

#endif
