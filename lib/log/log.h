/* SPDX-License-Identifier: GPL-2.0-only */
/* log.h - what the files of lib/log share; lib/map uses it, programs do not */
#ifndef E2LAZY_LOG_H
#define E2LAZY_LOG_H

#include "e2lazy.h"
#include "csum.h"
#include "jbd2.h"
#include "runs.h"

struct e2lazy_journal {
	ext2_filsys	fs;
	ext2_filsys	jfs;		/* external journal device, or NULL */
	io_channel	io;		/* of the device that holds the log */
	struct e2lazy_geometry geo;
	struct jbd2_format format;
	struct csum	csum;
	struct runs	runs;
	blk64_t		fs_limit;	/* no static block can lie at or past it */
	uint64_t	blocks_read;
};

/* Log blocks form a ring [first, end); end excludes the fast-commit area. */
static inline uint32_t ring_next(const struct e2lazy_geometry *g, uint32_t b)
{
	return ++b == g->end ? g->first : b;
}

static inline uint32_t ring_size(const struct e2lazy_geometry *g)
{
	return g->end - g->first;
}

/* @n is at most the ring's size. */
static inline uint32_t ring_add(const struct e2lazy_geometry *g, uint32_t b,
				uint32_t n)
{
	uint32_t left = g->end - b;

	return n < left ? b + n : g->first + (n - left);
}

/* How many blocks from @from forward to @to, 0 where they are the same. */
static inline uint32_t ring_distance(const struct e2lazy_geometry *g,
				     uint32_t from, uint32_t to)
{
	return to >= from ? to - from : ring_size(g) - (from - to);
}

/* Names that are too long are cut off, and cannot be opened. */
void copy_device_name(char name[E2LAZY_PATH_MAX], const char *device);

/*
 * e2lazy_read_log() through another channel of the same device; it uses
 * nothing that changes, so a thread may.
 */
errcode_t read_log_through(const struct e2lazy_journal *journal,
			   io_channel io, uint32_t logblk, uint32_t count,
			   void *buf);

/* The log block that holds the journal superblock. */
uint32_t journal_super_logblk(const struct e2lazy_journal *journal);

/*
 * Undo the escape of a copy: jbd2 stores a block that begins with its magic
 * with zeros there.
 */
void unescape(void *block, unsigned flags);

/*
 * journal superblock -> geometry.  @avail is how many blocks the journal's
 * inode or device has, @at the log block that holds the superblock.  On
 * failure @where has the value that was refused, for the errors that have one.
 */
errcode_t jsb_parse(const uint8_t *sb, uint64_t avail, unsigned blocksize,
		    uint32_t at, crc32c_fn crc, struct e2lazy_geometry *g,
		    struct e2lazy_where *where);
/*
 * Make it say that the log is empty and goes on with transaction @sequence;
 * an error is taken to have been carried into the file system.
 */
void jsb_set_empty(uint8_t *sb, uint32_t sequence, crc32c_fn crc);

#endif
