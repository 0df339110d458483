/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* log.h - what the rooms of the library know of a journal; programs do not */
#ifndef E2LAZY_LOG_H
#define E2LAZY_LOG_H

#include "e2lazy.h"
#include "csum.h"
#include "io/device.h"
#include "jbd2.h"
#include "runs.h"

/* How libext2fs opens what is only read. */
#define OPEN_FLAGS (EXT2_FLAG_64BITS | EXT2_FLAG_SOFTSUPP_FEATURES | \
		    EXT2_FLAG_SKIP_MMP | EXT2_FLAG_JOURNAL_DEV_OK)

struct e2lazy_journal {
	ext2_filsys	fs;
	ext2_filsys	jfs;		/* external journal device, or NULL */
	bool		fs_lent, jfs_lent;	/* the caller's, who closes them */
	io_channel	io;		/* of the device that holds the log */
	struct e2lazy_geometry geo;
	struct jbd2_format format;
	struct csum	csum;
	struct runs	runs;
	struct e2lazy_device device;	/* of the file system; fd -1: the
					   caller's, of which only name, offset
					   and bytes are known */
	struct e2lazy_device log;	/* external journal's, if it has one */
	bool		named;		/* that one was, by the caller */
	struct snapshot	judged;		/* before the log was read */
	blk64_t		fs_limit;	/* no static block can lie at or past it */
	uint64_t	blocks_read;
};

/* Whether its devices can be compared with what was judged, later. */
static inline bool is_held(const struct e2lazy_journal *j)
{
	return j->device.fd >= 0 && (!j->jfs || j->log.fd >= 0);
}

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

/* range.c: from the tail, and one ring long; @start is 0 of an empty log. */
struct e2lazy_range range_of_log(const struct e2lazy_journal *journal);
/*
 * What @asked means, NULL being the log.  E2LAZY_ET_OUTSIDE_LOG of a start
 * outside the ring, EXT2_ET_INVALID_ARGUMENT of more blocks than it has.
 */
errcode_t range_set(const struct e2lazy_journal *journal,
		    const struct e2lazy_range *asked,
		    struct e2lazy_range *out);
bool range_is_log(const struct e2lazy_journal *journal,
		  const struct e2lazy_range *range);

/*
 * Does transaction @tid follow @earlier, by no more numbers than a ring could
 * hold in @laps laps?  What is further off was left by another file system.
 */
static inline bool tid_follows(const struct e2lazy_geometry *g, uint32_t tid,
			       uint32_t earlier, unsigned laps)
{
	return e2lazy_tid_after(tid, earlier) &&
	       tid - earlier <= laps * (uint64_t)ring_size(g);
}

/*
 * e2lazy_read_log() through another channel of the same device; it uses
 * nothing that changes, so a thread may.
 */
errcode_t read_log_through(const struct e2lazy_journal *journal,
			   io_channel io, uint32_t logblk, uint32_t count,
			   void *buf);

/*
 * How many blocks from @logblk on, of @count at most and up to the ring's end,
 * are zeros that need not be read: a hole of the image file.
 */
uint32_t log_hole(const struct e2lazy_journal *journal, uint32_t logblk,
		  uint32_t count);

/* The log block that holds the journal superblock. */
uint32_t journal_super_logblk(const struct e2lazy_journal *journal);

/*
 * e2lazy_unchanged() through descriptors that are open, and perhaps locked;
 * @log_fd is not used where the journal is internal.
 */
errcode_t journal_unchanged(const struct e2lazy_journal *journal, int fs_fd,
			    int log_fd, struct e2lazy_where *where);

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
/* geometry -> the journal superblock that says so, in a block at @sb. */
void jsb_make(uint8_t *sb, const struct e2lazy_geometry *g, crc32c_fn crc);
/*
 * Make it say that the log is empty and goes on with transaction @sequence;
 * an error is taken to have been carried into the file system.
 */
void jsb_set_empty(uint8_t *sb, uint32_t sequence, crc32c_fn crc);

#endif
