/* SPDX-License-Identifier: GPL-2.0-only */
/* area.h - fast-commit records, made one by one, on a small file system */
#ifndef AREA_H
#define AREA_H

#include "fixture.h"

/* The transaction that the records wait for: that of AREA_LOG is the 5th. */
#define AREA_TID	6
#define AREA_LOG \
	"journal fast_commit 256\ntxn 5 write 60000\nfc 6 tail\n"
#define AREA_TIME	1700000000

/* Of 1 KiB, 64 MiB in all: free from here on, at least 5000. */
#define FREED		50000

/* What each test begins with: a file, a directory, a file in it. */
enum { FILE_INO = 12, DIR_INO = 13, INNER_INO = 14, NEW_INO = 20 };

struct area {
	uint8_t		bytes[200 << 10];
	unsigned	size;		/* of a block */
	size_t		used, sealed;	/* @sealed: the last TAIL's end */
};

/* A HEAD; one area at a time. */
struct area *area_begin(unsigned size);
void area_name(struct area *a, unsigned kind, uint32_t parent, uint32_t ino,
	       const char *text);
/*
 * Returns the inode's bytes, 128 and 32 extra ones, to be changed before the
 * tail: fields at these offsets, for example.
 */
#define AREA_FLAGS	0x20
#define AREA_MAP	0x28
uint8_t *area_inode(struct area *a, uint32_t ino, uint32_t mode, uint32_t links,
		    uint32_t size, uint32_t generation);
/* One that means nothing. */
void area_long_inode(struct area *a, uint32_t ino, uint32_t bytes);
void area_range(struct area *a, uint32_t ino, uint32_t lblk, uint32_t count,
		uint32_t fsblk);
void area_hole(struct area *a, uint32_t ino, uint32_t lblk, uint32_t count);
void area_tail(struct area *a);

/* An image of 64 MiB with the files, changed by @more, and with AREA_LOG. */
struct fixture *area_populated(const char *mke2fs, const char *more);
/* The files alone. */
void area_populate(struct fixture *f);
/* Open the image, and put the records into the area. */
void area_write(struct fixture *f, const struct area *a,
		const struct e2lazy_open_opts *opts);
void area_patch(const char *path, const void *bytes, size_t count,
		int64_t at);

#endif
