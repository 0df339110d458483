/* SPDX-License-Identifier: GPL-2.0-only */
/* owned.h - a file system with files in it, some of its blocks in its log */
#ifndef OWNED_H
#define OWNED_H

#include "e2lazy_view.h"
#include "fixture.h"

#define MAX_LOGGED 16

struct owned {
	struct fixture *f;
	blk64_t		logged[MAX_LOGGED + 1];
	unsigned	nr_logged;
	unsigned	nr_kept;	/* transactions */
	bool		sums;		/* the log has checksums */
	struct e2lazy_view *view;
	struct e2lazy_layout *layout;
	struct e2lazy_owners *owners;
	struct e2lazy_damage damage;
};

/*
 * A file system of 64 MiB with blocks of 1 KiB that holds what shell commands
 * have made in an empty directory.
 */
struct owned *new_owned(const char *mke2fs, const char *tree);
void free_owned(struct owned *o);
/* Make a file f of six extents: six blocks, a hole behind each. */
#define PIECES "for i in 0 2 4 6 8 10; do echo $i | dd of=f bs=1024 seek=$i " \
	"conv=notrunc; done"
/* Run debugfs commands on it, one a line. */
void alter(struct owned *o, const char *commands);

/* The owners that libext2fs finds in the image without its log. */
ext2_ino_t ino_of(struct owned *o, const char *path);
blk64_t block_of_ino(struct owned *o, ext2_ino_t ino, blk64_t lblk);
blk64_t block_of(struct owned *o, const char *path, blk64_t lblk);
void inode_of(struct owned *o, const char *path, struct ext2_inode *inode);
/* The first block of an inode's extent tree below the inode. */
blk64_t node_of(struct owned *o, const char *path);
blk64_t home_of(struct owned *o, ext2_ino_t ino);
/* The block bitmap that has this block. */
blk64_t bitmap_over(struct owned *o, blk64_t fsblk);

void read_block(struct owned *o, blk64_t fsblk, void *block);
void write_block(struct owned *o, blk64_t fsblk, const void *block);

/* Have a block logged as it is, when the log comes to be written. */
void log_block(struct owned *o, blk64_t fsblk);
/*
 * Keep a transaction of blocks as they are now, up to a 0.  write_txns() writes
 * those that are kept, in this order.
 */
void keep_txn(struct owned *o, const blk64_t *blocks);
void write_txns(struct owned *o);
/* Write that log, unless it is NULL @spec's, and open all that is needed. */
void open_owned(struct owned *o, const char *spec);
/* open_owned() with one block logged; a handle of the view. */
ext2_filsys seen_through(struct owned *o);
/* open_owned(o, NULL), then find the owners. */
void find_owners(struct owned *o, bool paths);

void check_owner(struct owned *o, blk64_t fsblk, enum e2lazy_role role,
		 ext2_ino_t ino, uint64_t lblk);
/* NULL: it has none. */
void check_path(struct owned *o, ext2_ino_t ino, const char *path);

#endif
