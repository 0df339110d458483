/* SPDX-License-Identifier: GPL-2.0-only */
/* deleted.h - an image with a file that is deleted, and the search for it */
#ifndef DELETED_H
#define DELETED_H

#include "e2lazy_undelete.h"
#include "owned.h"

#define BLOCK 1024

/* Checksums that name the owner, and none. */
#define SUMS	PLAIN
#define NO_SUMS	"-b 1024 -J size=1 -O ^64bit,^metadata_csum"

/* Gives /f an attribute that has no room in its inode. */
#define FAR	"ea_set f user.far aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" \
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" \
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"

struct scene {
	struct owned	*o;
	struct e2lazy_undelete *u;
	ext2_ino_t	ino;		/* of /f */
	blk64_t		block;		/* its first */
	blk64_t		later;		/* goes into a transaction of its own */
	io_manager	manager;	/* that the search opens; NULL: unix_io */
	const struct e2lazy_watch *watch;	/* of the search */
	bool		blind;		/* it looks for no evidence */
};

/* The directory and the inode of /f, as they are now, go into the ring. */
struct scene make_scene(const char *mke2fs, const char *tree);
void end_scene(struct scene *s);
/* Write what is kept, and replay it. */
void replay_txns(struct owned *o);
/* Have the log replayed, and emptied. */
void replay_log(struct owned *o);
/* A command of debugfs with the time of @ago seconds ago, as of a log's commits. */
void set_time(struct owned *o, const char *command, int ago);
/* Transactions of the log from @tid on get numbers higher by @by. */
void shift_ids(struct owned *o, uint32_t tid, uint32_t by);
/* Log them, empty the log, and then do what debugfs is told. */
void then(struct scene *s, const char *commands);
void find_deleted(struct scene *s);

/* The only one that is gone. */
struct e2lazy_deleted the_file(struct scene *s);
void check_named(struct scene *s, size_t index, const char *expect);

struct text {
	char	bytes[64 * BLOCK];
	ext2_ino_t user;
};

struct e2lazy_contents contents(struct scene *s, struct text *t);

#endif
