/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* log.h - an open journal, for the rooms of the library; not for programs */
#ifndef E2LAZY_LOG_H
#define E2LAZY_LOG_H

#include "e2lazy_medium.h"
#include "csum.h"
#include "io/device.h"
#include "jbd2.h"
#include "lap.h"
#include "runs.h"

/* Flags with which libext2fs opens a file system for reading. */
#define OPEN_FLAGS (EXT2_FLAG_64BITS | EXT2_FLAG_SOFTSUPP_FEATURES | \
		    EXT2_FLAG_SKIP_MMP | EXT2_FLAG_JOURNAL_DEV_OK)

struct e2lazy_journal {
	ext2_filsys	fs;
	ext2_filsys	jfs;		/* external journal device, or NULL */
	bool		fs_lent, jfs_lent;	/* the caller closes them */
	bool		bare;		/* @jfs has no ext4 superblock on disk */
	io_channel	io;		/* of the device that holds the log */
	struct e2lazy_geometry geo;
	struct jbd2_format format;
	struct csum	csum;
	struct runs	runs;
	struct e2lazy_device device;	/* of the file system; fd -1: the
					   caller's, with only name, offset
					   and bytes set */
	struct e2lazy_device log;	/* of an external journal */
	/* By volume, in place of a descriptor; or NULL. */
	const struct e2lazy_medium_guard *guards[2];
	io_manager	manager;	/* for a medium's name */
	bool		named;		/* the caller named @log */
	bool		users_lost;	/* the list of an external journal */
	struct snapshot	judged;		/* taken before the log was read */
	blk64_t		fs_limit;	/* every static block lies before it */
	uint64_t	blocks_read;
};

/* Threads may read one log. */
static inline void count_blocks_read(struct e2lazy_journal *j, uint32_t count)
{
	__atomic_fetch_add(&j->blocks_read, count, __ATOMIC_RELAXED);
}

/* Can a later call compare the devices with @judged? */
static inline bool is_held(const struct e2lazy_journal *j)
{
	return (j->device.fd >= 0 || j->guards[E2LAZY_FILE_SYSTEM]) &&
	       (!j->jfs || j->log.fd >= 0 || j->guards[E2LAZY_JOURNAL]);
}

/*
 * The ring of the log [tail, head) and of all that is written: [first, end)
 * without the fast-commit area.  An older lap may have ended elsewhere: lap.h.
 */
static inline uint32_t ring_next(const struct e2lazy_geometry *g, uint32_t b)
{
	return lap_next(lap_of_log(g), b);
}

static inline uint32_t ring_size(const struct e2lazy_geometry *g)
{
	return lap_size(lap_of_log(g));
}

/* @n is at most the ring's size. */
static inline uint32_t ring_add(const struct e2lazy_geometry *g, uint32_t b,
				uint32_t n)
{
	return lap_add(lap_of_log(g), b, n);
}

/* Blocks from @from forward to @to; 0 if they are the same. */
static inline uint32_t ring_distance(const struct e2lazy_geometry *g,
				     uint32_t from, uint32_t to)
{
	return lap_distance(lap_of_log(g), from, to);
}

/* range.c: one ring from the tail; @start is 0 if the log is empty. */
struct e2lazy_range range_of_log(const struct e2lazy_journal *journal);
/*
 * Fill @out from @asked; NULL means the log.  E2LAZY_ET_OUTSIDE_LOG if it
 * starts outside the longest lap, EXT2_ET_INVALID_ARGUMENT if it is longer than
 * that.
 */
errcode_t range_set(const struct e2lazy_journal *journal,
		    const struct e2lazy_range *asked,
		    struct e2lazy_range *out);
bool range_is_log(const struct e2lazy_journal *journal,
		  const struct e2lazy_range *range);
/* Does it begin at the tail?  Then it wraps where the log wraps. */
bool range_in_log(const struct e2lazy_journal *journal,
		  const struct e2lazy_range *range);

/*
 * Does transaction @tid follow @earlier within the numbers that @laps laps of
 * the ring can hold?  A tid further off belongs to another file system.
 */
static inline bool tid_follows(const struct e2lazy_geometry *g, uint32_t tid,
			       uint32_t earlier, unsigned laps)
{
	return e2lazy_tid_after(tid, earlier) &&
	       tid - earlier <= laps * (uint64_t)ring_size(g);
}

/*
 * Ids that a mount leaves out, at most, between two transactions of which the
 * second stands right behind the first.  jbd2 counts up when it empties a log
 * for an unmount, when it loads an empty one, and when it replays one: one id
 * after a crash, two after an unmount, and two after a crash if the mount behind
 * it wrote nothing.  A mount that finds its log empty and writes nothing leaves
 * it as it is.
 *
 * More ids are a lost log.  Linux since 6.4 continues at s_head, where the log
 * was empty the last time, and e2fsck does not move s_head when it replays.  So
 * after a crash and a check, the next log overwrites the one that crashed, from
 * its begin, and stands right behind the one before that.  It leaves out the ids
 * of the lost log, at least one, and two for the check and the mount.  A log that
 * a freeze emptied goes on with the next id, so this can be as few as three.
 */
#define MOST_TIDS_LEFT_OUT	2

static inline bool tid_follows_mount(uint32_t tid, uint32_t earlier)
{
	return tid - earlier - 1 <= MOST_TIDS_LEFT_OUT;
}

/*
 * e2lazy_read_log() through another channel of the same device.  It changes
 * nothing in @journal, so threads may call it.
 */
errcode_t read_log_through(const struct e2lazy_journal *journal,
			   io_channel io, uint32_t logblk, uint32_t count,
			   void *buf);

/*
 * Number of blocks from @logblk on that nobody needs to read, @count at most and
 * none past the end of @lap: they lie in a hole of the image file and so read as
 * zeros, or else, with *@gone, past the end of the device.
 */
uint32_t log_hole(const struct e2lazy_journal *journal, struct lap lap,
		  uint32_t logblk, uint32_t count, bool *gone);

/*
 * For a log that a kernel is writing.  Read all of it past the page cache, which
 * the kernel's own writes do not update; nothing else, for a direct read makes
 * the kernel write what is dirty there.
 */
errcode_t journal_bypass_cache(struct e2lazy_journal *journal);
/*
 * Read the journal superblock again: the tail, and features, which a mount can
 * set.  E2LAZY_ET_CHANGED if it is of another journal now.
 */
errcode_t journal_read_again(struct e2lazy_journal *journal);

/* The log block that holds the journal superblock. */
uint32_t journal_super_logblk(const struct e2lazy_journal *journal);

/*
 * e2lazy_unchanged() through open descriptors, which may be locked.  @log_fd
 * is for an external journal only.
 */
errcode_t journal_unchanged(const struct e2lazy_journal *journal, int fs_fd,
			    int log_fd, struct e2lazy_where *where);

/* medium.c: a superblock at @at, through a new channel of @manager. */
errcode_t medium_read_super(const struct e2lazy_device *device,
			    io_manager manager, uint64_t at, uint8_t *buf);

/*
 * Undo the escape of a copy: if a block begins with jbd2's magic, jbd2 stores
 * four zeros instead.
 */
void unescape(void *block, unsigned flags);

/* Does a fast-commit area begin with this block? */
bool fc_is_head(const uint8_t *block);

/*
 * Journal superblock -> geometry.  @avail: blocks of the journal's inode or
 * device.  @at: the log block that holds the superblock.  On failure @where has
 * the refused value, if the error is about one.
 */
errcode_t jsb_parse(const uint8_t *sb, uint64_t avail, unsigned blocksize,
		    uint32_t at, crc32c_fn crc, struct e2lazy_geometry *g,
		    struct e2lazy_where *where);
/* Does it have a checksum, and is that right? */
bool jsb_has_good_csum(const uint8_t *sb, crc32c_fn crc);
/*
 * Feature bits that this version does not know, or 0.  Also 0 if the bits are
 * damage: the superblock has a checksum, and it is wrong.
 */
uint32_t jsb_unknown_features(const uint8_t *sb, crc32c_fn crc);
/* Geometry -> a journal superblock of SUPER_BYTES at @sb. */
void jsb_make(uint8_t *sb, const struct e2lazy_geometry *g, crc32c_fn crc);
/*
 * Mark the log empty; its next transaction is @sequence.  Clears s_errno, which
 * the caller has carried into the ext4 superblock, and a lazy kernel's record.
 */
void jsb_set_empty(uint8_t *sb, uint32_t sequence, crc32c_fn crc);
/*
 * Let the log begin at block @start with transaction @sequence.  All of it lies
 * in the first sector.  A lazy kernel's record of the tail moves with it.
 */
void jsb_set_tail(uint8_t *sb, uint32_t start, uint32_t sequence,
		  crc32c_fn crc);
/*
 * Has commit block @commit of transaction @tid the mark of the lazy kernel whose
 * record @g was parsed from?  Such a kernel keeps the log if all of it has.
 */
bool jsb_has_mark(const struct e2lazy_geometry *g, const uint8_t *commit,
		  uint32_t tid);
/*
 * Remove a lazy kernel's record, before jsb_set_tail(): the log has, or may have,
 * transactions without that kernel's mark.
 */
void jsb_clear_record(uint8_t *sb);
/*
 * Set the tail, the features, and the size of the fast-commit area of @g; the
 * other fields stay.
 */
void jsb_restore(uint8_t *sb, const struct e2lazy_geometry *g, crc32c_fn crc);

#endif
