/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy.h - libe2lazy: read the journal of an ext4 file system exactly
 *
 *	e2lazy_open()		find the journal, read its superblock
 *	e2lazy_walk_*()		the log as a stream of events, oldest first
 *	e2lazy_beyond()		the blocks past the end of the log
 *	e2lazy_jmap_*()		static block -> its newest committed copy
 *	e2lazy_fc_*()		the fast-commit area
 *
 * Other headers: e2lazy_view.h, the file system seen through the map;
 * e2lazy_verify.h, the verdict; e2lazy_mend.h, all writing; e2lazy_ring.h,
 * transactions that the log has left behind; e2lazy_changes.h and
 * e2lazy_undelete.h, changed and deleted files; e2lazy_salvage.h and
 * e2lazy_medium.h, a lost log; e2lazy_drive.h and e2lazy_model.h, the drive;
 * e2lazy_trace.h, its requests.
 *
 * Words.  A *static block* (fsblk) is a block's place in the file system, a
 * *log block* (logblk) its copy's place in the journal, a *physical block*
 * (physblk) that place on the device that holds the journal.  All three count
 * blocks of the file system's block size.  A transaction id (tid) is 32 bits
 * and wraps: compare two with e2lazy_tid_after() only.
 *
 * Rules.  Only four functions of e2lazy_mend.h write to a device:
 * e2lazy_checkpoint(), e2lazy_relog(), e2lazy_fast_log() and e2lazy_restore().
 * The library never prints, prompts or exits, and holds no state outside the
 * objects that it returns.  It trusts no number from the device.  Every
 * function that can fail returns an errcode_t: 0, one of E2LAZY_ET_*, one of
 * libext2fs's, or an errno.  One thread at a time may use an object; many may
 * read a built map.  Functions that close or free take NULL.
 *
 * Error texts need registered error tables.  The library registers none: a
 * program does it once, before its first thread.
 *
 *	int count(const char *device)
 *	{
 *		struct e2lazy_journal *journal = NULL;
 *		struct e2lazy_jmap *map = NULL;
 *		errcode_t err;
 *
 *		initialize_ext2_error_table();
 *		initialize_e2lz_error_table();
 *		err = e2lazy_open(device, NULL, &journal, NULL);
 *		if (!err)
 *			err = e2lazy_jmap_build(journal, NULL, &map);
 *		if (err)
 *			fprintf(stderr, "%s: %s\n", device, error_message(err));
 *		else
 *			printf("%zu blocks%s\n", e2lazy_jmap_count(map),
 *			       e2lazy_jmap_stats(map)->nr_damage ?
 *			       ", up to the first damage" : "");
 *		e2lazy_jmap_free(map);
 *		e2lazy_close(journal);
 *		return err ? 8 : 0;
 *	}
 *
 * doc/examples has whole programs: the map, a file through the view, the
 * verdict, a checkpoint.
 *
 * ABI.  It is 0.x, like the version.  Structs of options and results carry no
 * size: a release may add members anywhere, and arguments to functions.  Such
 * a release has another major number in its SONAME (now libe2lazy.so.2).  A
 * program linked with an earlier one does not start with it: compile it again.
 * While the number stays the same, releases only add functions, error codes and
 * enum values, and change no struct.  Set options by name, in an initializer or
 * after memset(): a member that you do not know is then 0, and 0 keeps the
 * behaviour from before that member.
 *
 * The on-disk format is that of Linux fs/jbd2 (recovery.c, journal.c) and
 * fs/ext4/fast_commit.h.  If e2fsprogs reads a log differently from the kernel
 * that wrote it, the library follows the kernel.
 */
#ifndef E2LAZY_H
#define E2LAZY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ext2fs/ext2fs.h>

#include "e2lazy_err.h"
#include "e2lazy_watch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of library and package, such as "1.0".  Static storage. */
const char *e2lazy_version(void);

/* Did transaction @a come after @b, modulo 2^32? */
static inline bool e2lazy_tid_after(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) > 0;
}

/*
 * A time of a file.  struct timespec would have another size in a program that
 * was compiled with another time_t.
 */
struct e2lazy_time {
	int64_t		sec;		/* since 1970; negative: before */
	uint32_t	nsec;
};

/* Room for a device's name; a longer name is cut and does not open. */
#define E2LAZY_PATH_MAX 4096

/* The devices of a file system; one and the same for an internal journal. */
enum e2lazy_volume { E2LAZY_FILE_SYSTEM, E2LAZY_JOURNAL };

/* A place that was found, or where a call failed; @has names its fields. */
#define E2LAZY_AT_LOGBLK	0x01
#define E2LAZY_AT_FSBLK		0x02
#define E2LAZY_AT_TID		0x04
#define E2LAZY_AT_VALUE		0x08
#define E2LAZY_AT_AGE		0x10

struct e2lazy_where {
	enum e2lazy_volume volume;	/* e2lazy_device() has its name */
	unsigned	has;
	uint32_t	logblk;
	uint32_t	tid;
	blk64_t		fsblk;
	uint32_t	value;		/* the impossible value there */
	uint32_t	age;		/* transactions before the newest copy */
};

/* ------------------------------------------------------- the journal --- */

struct e2lazy_journal;

/*
 * All zero means: an internal journal, or an external one that libblkid finds
 * by its UUID; the primary superblock; a manager that only reads.
 */
struct e2lazy_open_opts {
	const char	*journal;	/* path of the external journal */
	blk64_t		superblock;	/* block of a backup; 0: primary */
	unsigned	blocksize;	/* bytes; needed with @superblock */
	io_manager	manager;	/* reads both devices */
	uint64_t	offset;		/* bytes before the file system */
	/* May be NULL.  E2LAZY_PATH_MAX bytes for the name of E2LAZY_JOURNAL,
	   given or found; e2lazy_open() sets it even when it fails. */
	char		*journal_name;
	/* Accept a primary superblock with a bad checksum, and set
	   e2lazy_geometry.super_torn.  e2lazy_view_build() then fails with
	   EXT2_ET_SB_CSUM_INVALID, unless a checkpoint was interrupted while
	   it wrote the superblock.  It is for a caller that will finish it. */
	bool		torn;
	const struct e2lazy_geometry *geometry;	/* see e2lazy_medium.h */
	const struct e2lazy_log_run *runs;	/* the same; NULL: the inode's */
	size_t		nr_runs;
};

/*
 * e2lazy_open - find, read and check a file system's journal superblock
 * @device: block device or image file with the file system
 * @opts:   may be NULL
 * @out:    on success a handle; close it with e2lazy_close()
 * @where:  may be NULL; on failure the volume, and the block if known
 *
 * Opens read-only and without bitmaps, which a dirty log makes stale.  Takes no
 * lock and starts no MMP.  It reads the journal inode from its static place.
 * If that inode is unusable, it takes the superblock's backup (s_jnl_blocks);
 * the backup has no inode flags, so the magic tells an extent header.  It
 * accepts an external journal by UUID only, never by device number.  For an
 * image file the caller must name the external journal.  A journal that is not
 * named must list the file system among its users (else
 * E2LAZY_ET_EXT_NOT_USER), because any disk can carry the UUID of another file
 * system's journal.
 *
 * It opens a name once, literally: no part of it is an option.  @manager gets
 * "/proc/self/fd/N"; the default manager works without /proc.
 *
 * Errors: E2LAZY_ET_NO_JOURNAL .. E2LAZY_ET_JSB_USERS, E2LAZY_ET_GEOMETRY,
 * E2LAZY_ET_EXT_*, E2LAZY_ET_DEVICE_SHORT with the block where the device ends
 * (a log block for an external journal), those of ext2fs_open2(), I/O errors.
 */
errcode_t e2lazy_open(const char *device, const struct e2lazy_open_opts *opts,
		      struct e2lazy_journal **out, struct e2lazy_where *where);
void e2lazy_close(struct e2lazy_journal *journal);

/* A device as e2lazy_open() opened it; its name may lead elsewhere by now. */
struct e2lazy_device {
	char		name[E2LAZY_PATH_MAX];	/* the caller's name for it */
	int		fd;		/* for reading, the journal's; -1: none */
	dev_t		dev;		/* with @ino: a file */
	ino_t		ino;
	dev_t		rdev;		/* of a block device; 0 for a file */
	uint64_t	sequence;	/* the kernel's count of disks for this
					   one; 0: unknown */
	uint64_t	offset;		/* bytes before the file system */
	uint64_t	bytes;		/* from @offset to the device's end */
};

/* Valid as long as @journal is open. */
const struct e2lazy_device *
e2lazy_device(const struct e2lazy_journal *journal, enum e2lazy_volume volume);

/*
 * e2lazy_tagged_devices - list the block devices that carry a tag
 * @tag: "UUID=..." or "LABEL=..."
 *
 * Returns a list that ends with NULL; free it with e2lazy_free_paths().  The
 * device that libblkid would take comes first.  NULL: out of memory.  It looks
 * at all block devices, but leaves out those under dm, md or bcache, such as a
 * path of a multipath device: the device on top carries the tag, too.
 */
char **e2lazy_tagged_devices(const char *tag);
void e2lazy_free_paths(char **paths);

/*
 * e2lazy_unchanged - are the devices still as e2lazy_open() found them?
 * @where: may be NULL; on failure the volume
 *
 * E2LAZY_ET_CHANGED if a name leads to another device now, if another disk has
 * got a device's number, or if a byte of a superblock has changed: the primary
 * one of ext4, or the journal's.  Then somebody has mounted the file system or
 * written to the log.  It opens each device again through its descriptor, which
 * needs /proc (else E2LAZY_ET_NO_PROC).  E2LAZY_ET_NOT_HELD without
 * descriptors and guards: see e2lazy_medium.h.
 */
errcode_t e2lazy_unchanged(const struct e2lazy_journal *journal,
			   struct e2lazy_where *where);

enum e2lazy_csum {
	E2LAZY_CSUM_NONE,
	E2LAZY_CSUM_V1,		/* crc32 of a transaction in its commit block */
	E2LAZY_CSUM_V2,		/* crc32c, 16 bits of it in each tag */
	E2LAZY_CSUM_V3,		/* crc32c, all 32 bits in each tag */
};

/* jbd2 journal superblock feature bits (all but CHECKSUM are incompat). */
#define E2LAZY_COMPAT_CHECKSUM		0x01
#define E2LAZY_INCOMPAT_REVOKE		0x01
#define E2LAZY_INCOMPAT_64BIT		0x02
#define E2LAZY_INCOMPAT_ASYNC_COMMIT	0x04
#define E2LAZY_INCOMPAT_CSUM_V2		0x08
#define E2LAZY_INCOMPAT_CSUM_V3		0x10
#define E2LAZY_INCOMPAT_FAST_COMMIT	0x20

/*
 * The record that a kernel with journal_lazy keeps in the journal's superblock.
 * It proves nothing about the transactions: each has a mark of its own.
 */
enum e2lazy_lazy_record {
	E2LAZY_RECORD_NONE,
	E2LAZY_RECORD_OTHER,	/* of another tail, damaged, or of a version
				   that is not known */
	E2LAZY_RECORD_FITS,	/* it names the tail that the log has */
};

/* Facts from the superblocks, checked.  Log blocks form a ring [first, end). */
struct e2lazy_geometry {
	unsigned	blocksize;	/* bytes */
	unsigned	version;	/* of the journal superblock: 1 or 2 */
	uint32_t	maxlen;		/* blocks, fast-commit area included */
	uint32_t	first;		/* first block of the ring */
	uint32_t	end;		/* one past its last block */
	uint32_t	other_end;	/* where an older lap may have ended: @end
					   with the other setting of fast
					   commits; 0: nowhere else */
	uint32_t	start;		/* tail, or 0: the log is empty */
	uint32_t	sequence;	/* tid expected at the tail */
	uint32_t	head;		/* s_head: next block while clean, or 0 */
	int32_t		error;		/* s_errno */
	uint32_t	compat;		/* features; 0 for version 1 */
	uint32_t	incompat;
	uint32_t	ro_compat;
	uint8_t		uuid[16];	/* seeds v2 and v3 checksums */
	enum e2lazy_csum csum;
	unsigned	tag_bytes;	/* 8, 10, 12, 14 or 16 */
	uint32_t	fc_first;	/* first fast-commit block */
	uint32_t	fc_blocks;	/* how many, 0: no fast-commit area */
	bool		external;	/* the journal has a device of its own */
	ext2_ino_t	ino;		/* journal inode as named, 0: none */
	bool		from_backup;	/* its map is from the superblock */
	bool		needs_recovery;	/* flag in the static ext4 superblock */
	bool		super_torn;	/* that one has a bad checksum */
	size_t		runs;		/* contiguous pieces on the device */
	blk64_t		fs_blocks;	/* from the static superblock */
	blk64_t		device_blocks;	/* of the file system's device */
	uint8_t		fs_uuid[16];	/* from the static superblock */
	char		journal_device[E2LAZY_PATH_MAX]; /* its name */
	bool		listed;		/* an external journal lists this file
					   system among its users */
	bool		given;		/* from e2lazy_open_opts.geometry */
	enum e2lazy_lazy_record lazy_record;
	uint64_t	lazy_nonce;	/* of the record; 0: there is none */
};

/* Valid as long as @journal is open. */
const struct e2lazy_geometry *
e2lazy_geometry(const struct e2lazy_journal *journal);

/*
 * A handle on the *static* blocks.  Its superblock and group descriptors may be
 * older than the copies in the log, and it has no bitmaps.  It belongs to
 * @journal; do not write through it, flush it or close it.
 */
ext2_filsys e2lazy_static_fs(const struct e2lazy_journal *journal);

/*
 * e2lazy_physblk - log block -> block of the device that holds the journal
 *
 * E2LAZY_ET_OUTSIDE_LOG past the journal's end.  O(log runs).
 */
errcode_t e2lazy_physblk(const struct e2lazy_journal *journal,
			 uint32_t logblk, blk64_t *physblk);

/* Does static block @fsblk belong to the journal?  O(log runs). */
bool e2lazy_is_journal_block(const struct e2lazy_journal *journal,
			     blk64_t fsblk);

/* Read @count log blocks as stored: escaped copies stay escaped. */
errcode_t e2lazy_read_log(struct e2lazy_journal *journal, uint32_t logblk,
			  uint32_t count, void *buf);

/* Blocks read from the log so far (descriptors, commits, data, ...). */
uint64_t e2lazy_blocks_read(const struct e2lazy_journal *journal);

/* ----------------------------------------------------------- the walk --- */

enum e2lazy_csum_state {
	E2LAZY_UNCHECKED,	/* no checksum in this format, or not verified */
	E2LAZY_GOOD,
	E2LAZY_TORN,		/* commit block with a good header only */
	E2LAZY_BAD,
};

/* One transaction, as far as the walk has seen it. */
struct e2lazy_txn {
	uint32_t	tid;
	uint32_t	start;		/* log block of its first block */
	uint32_t	end;		/* log block of its commit block, or of
					   its last block without one */
	uint32_t	copies;		/* tagged blocks */
	uint32_t	descriptors;
	uint32_t	revoke_blocks;
	uint32_t	revokes;	/* revoke records */
	bool		committed;
	bool		torn;		/* its commit block is TORN */
	enum e2lazy_csum_state csum;	/* worst of its control blocks, and of
					   its copies if verified */
	uint64_t	sec;		/* commit time, UTC; 0: not known */
	uint32_t	nsec;
	bool		marked;		/* by a kernel with journal_lazy, as a
					   part of the log that its record
					   names */
};

enum e2lazy_end_reason {
	E2LAZY_END_EMPTY,	/* s_start is 0: nothing to walk */
	E2LAZY_END_NOT_JOURNAL,	/* the next block is not jbd2's */
	E2LAZY_END_OTHER_TID,	/* it is jbd2's, of another transaction */
	E2LAZY_END_FULL,	/* the whole ring was walked */
	E2LAZY_END_OVERLONG,	/* a descriptor has more tags than blocks left */
	E2LAZY_END_STALE,	/* bad checksum, left by an earlier journal */
	E2LAZY_END_UNTIL,	/* the walk reached transaction @until */
	E2LAZY_END_TYPE,	/* damage: block type unknown */
	E2LAZY_END_BLOCK_CSUM,	/* damage: descriptor or revoke, committed */
	E2LAZY_END_COMMIT_CSUM,	/* damage, or interrupted async commit */
	E2LAZY_END_REVOKE_COUNT,/* damage: revoke block's byte count */
	E2LAZY_END_UNREADABLE,	/* damage: I/O error, in @error */
	E2LAZY_END_RANGE,	/* the range has no more blocks: no damage */
};

/*
 * The end of a walk.  @tid is the first transaction without an accepted commit
 * block (jbd2's end_transaction).  @head is the log block after the last
 * accepted commit block.  @stop is the block that ended the walk; it lies past
 * @head if a transaction has begun there (@open) and was not committed.
 */
struct e2lazy_end {
	enum e2lazy_end_reason reason;
	uint32_t	tid;
	uint32_t	head;
	uint32_t	stop;
	uint32_t	found_type;	/* of the block at @stop, if jbd2's */
	uint32_t	found_tid;
	uint32_t	walked;		/* ring blocks up to @head */
	uint32_t	left;		/* ring blocks from @stop to the tail, or
					   to the range's end */
	uint64_t	earliest;	/* earliest accepted commit time (times
					   need not ascend); UINT64_MAX: none */
	errcode_t	error;		/* E2LAZY_ET_* or I/O error; 0: no damage */
	struct e2lazy_txn open;		/* the transaction after @head */
};

/* A copy's flags, in events and in the map. */
#define E2LAZY_COPY_ESCAPED	0x01	/* first word stored as 0 */
#define E2LAZY_COPY_DELETED	0x02	/* tag flag that Linux never writes */
#define E2LAZY_COPY_BAD		0x04	/* verified, and wrong or unreadable */
#define E2LAZY_COPY_OUTSIDE	0x08	/* fsblk beyond the device */
#define E2LAZY_COPY_IN_JOURNAL	0x10	/* fsblk is one of the journal's own */
#define E2LAZY_COPY_UNREADABLE	0x20	/* BAD because it cannot be read */
#define E2LAZY_COPY_RECOVERED	0x40	/* its descriptor is damaged, and its own
					   content proves the block's number */

enum e2lazy_event_kind {
	E2LAZY_EV_TAG,		/* @fsblk has a copy at @logblk */
	E2LAZY_EV_REVOKE,	/* copies of @fsblk up to @tid are void */
	E2LAZY_EV_COMMIT,	/* @txn is complete; its events now count */
	E2LAZY_EV_END,		/* @end; events since the last commit are void */
};

struct e2lazy_event {
	enum e2lazy_event_kind kind;
	unsigned	flags;		/* TAG: E2LAZY_COPY_* */
	uint32_t	tid;
	uint32_t	logblk;		/* TAG: the copy; else the control block */
	blk64_t		fsblk;		/* TAG, REVOKE */
	uint32_t	csum;		/* TAG: checksum in the tag */
	const struct e2lazy_txn *txn;	/* COMMIT; valid until the next event */
	const struct e2lazy_end *end;	/* END; valid until the walk is closed */
};

struct e2lazy_walk;

/*
 * Also read every copy and verify its checksum.  Without this flag a walk reads
 * control blocks only, except under checksum v1, where accepting a transaction
 * needs its copies.
 */
#define E2LAZY_WALK_DATA	0x01
/* End after transaction @until, if the log reaches it. */
#define E2LAZY_WALK_UNTIL	0x02

/*
 * A stretch of the ring: older transactions that the log has left behind, or a
 * part of the log.  A walk trusts it no more than the log.  A stretch that does
 * not start at the tail wraps at geometry.end or geometry.other_end, wherever
 * its next control block is found.
 */
struct e2lazy_range {
	uint32_t	start;		/* log block of the first control block */
	uint32_t	tid;		/* of the first transaction */
	uint32_t	blocks;		/* ring blocks to visit; 0: one ring */
};

/*
 * e2lazy_walk_open - begin a walk at the tail, or at a range's start
 * @range: NULL for the log, from the tail that its superblock names
 * @until: last transaction, with E2LAZY_WALK_UNTIL
 *
 * A walk visits each block of the ring at most once, whatever the blocks hold.
 * E2LAZY_ET_OUTSIDE_LOG if @range starts before geometry.first, or at or past
 * both ends of the ring, EXT2_ET_INVALID_ARGUMENT if it has more blocks than the
 * longer ring.
 */
errcode_t e2lazy_walk_open(struct e2lazy_journal *journal,
			   const struct e2lazy_range *range, unsigned flags,
			   uint32_t until, struct e2lazy_walk **out);
/*
 * e2lazy_walk_ranges - walk one range after another
 * @ranges: @count of them, by ascending transaction; they must outlive the walk
 *
 * The walk goes on with the next range if a range ends behind a commit block,
 * and ends otherwise.  A mount leaves out transaction ids, so the transactions
 * of several mounts take several ranges: e2lazy_ring_ranges().
 */
errcode_t e2lazy_walk_ranges(struct e2lazy_journal *journal,
			     const struct e2lazy_range *ranges, uint32_t count,
			     unsigned flags, uint32_t until,
			     struct e2lazy_walk **out);
/*
 * e2lazy_walk_next - the next event
 *
 * The last event is E2LAZY_EV_END; every further call returns it again.  The
 * call never fails: damage and unreadable blocks end the walk, and @end has the
 * reason.
 */
void e2lazy_walk_next(struct e2lazy_walk *walk, struct e2lazy_event *ev);
/*
 * e2lazy_walk_verify - read and verify the copy that the last event showed
 *
 * Call it directly after a TAG event; it spares E2LAZY_WALK_DATA for all
 * copies.  UNCHECKED if the format has no checksums of copies (none and v1).
 * An unreadable copy is BAD.
 */
enum e2lazy_csum_state e2lazy_walk_verify(struct e2lazy_walk *walk);
void e2lazy_walk_close(struct e2lazy_walk *walk);

/* A short English phrase for a reason.  Static storage. */
const char *e2lazy_end_text(enum e2lazy_end_reason reason);

/* ----------------------------------------------------- beyond the end --- */

enum e2lazy_beyond_verdict {
	E2LAZY_BEYOND_NOTHING,		/* no control block of this journal */
	E2LAZY_BEYOND_OLDER_LAP,	/* earlier transactions only */
	E2LAZY_BEYOND_UNCOMMITTED,	/* a transaction without a commit */
	E2LAZY_BEYOND_DAMAGE,		/* later transactions, now unreachable */
};

/* A control block found past the end. */
struct e2lazy_beyond_block {
	uint32_t	logblk;
	uint32_t	type;		/* 1 descriptor, 2 commit, 5 revoke */
	uint32_t	tid;
	enum e2lazy_csum_state csum;
	enum e2lazy_beyond_verdict verdict; /* from this block alone */
};

struct e2lazy_beyond {
	enum e2lazy_beyond_verdict verdict;	/* the worst one */
	uint32_t	looked;		/* blocks read */
	uint32_t	rest;		/* blocks from @end->stop to the tail */
	uint32_t	older;		/* control blocks of earlier tids */
	uint32_t	later;		/* control blocks that show damage */
	uint32_t	unreadable;	/* blocks that could not be read */
	struct e2lazy_beyond_block first; /* first block of @verdict */
};

/*
 * The distance in blocks over which one damaged block can hide the next good
 * one: the most copies of one descriptor, and two.
 */
uint32_t e2lazy_beyond_reach(const struct e2lazy_journal *journal);

struct e2lazy_beyond_opts {
	uint32_t	limit;	/* blocks to look at: the reach, or UINT32_MAX */
	/* May be NULL.  Called for each control block, in ring order; a
	   non-zero return ends the look and is returned. */
	errcode_t	(*found)(void *priv,
				 const struct e2lazy_beyond_block *block);
	void		*priv;
	const struct e2lazy_watch *watch;	/* PHASE_RING */
};

/*
 * e2lazy_beyond - look past the end of the log, from @end->stop on
 * @end:  from an E2LAZY_EV_END event, with any reason but UNTIL
 * @opts: NULL: look as far as e2lazy_beyond_reach(), from @end->stop and from
 *        each block of the transaction that broke off
 *
 * If the format has checksums, a block counts only with a right one: leftovers
 * of an earlier file system have another seed.  Damage is a block of a later
 * transaction, or the commit block of the transaction that @end calls missing.
 * Async commits can leave the latter behind without damage.
 */
errcode_t e2lazy_beyond(struct e2lazy_journal *journal,
			const struct e2lazy_end *end,
			const struct e2lazy_beyond_opts *opts,
			struct e2lazy_beyond *out);

/* ----------------------------------------------------------- the jmap --- */

struct e2lazy_jmap;

/* The newest committed, unrevoked copy of a static block. */
struct e2lazy_copy {
	blk64_t		fsblk;
	blk64_t		physblk;
	uint32_t	logblk;
	uint32_t	tid;
	uint32_t	copies;		/* committed since the last revoke */
	unsigned	flags;		/* E2LAZY_COPY_* */
};

enum e2lazy_copy_state {
	E2LAZY_LIVE,		/* the newest, which a recovery leaves */
	E2LAZY_SUPERSEDED,	/* a later transaction has a newer copy */
	E2LAZY_REVOKED,		/* its own or a later transaction revoked it */
	E2LAZY_UNCOMMITTED,	/* its transaction never committed */
	E2LAZY_STALE,		/* left over from an earlier journal */
	E2LAZY_REFUSED,		/* committed, but outside or in the journal */
};
#define E2LAZY_NR_STATES 6

/* Damage of one kind that the build has met. */
struct e2lazy_damage {
	errcode_t	error;		/* E2LAZY_ET_* or I/O error */
	uint64_t	count;
	struct e2lazy_where first;
};
#define E2LAZY_MAX_DAMAGE 6

struct e2lazy_map_stats {
	uint64_t	txns;		/* committed */
	uint64_t	states[E2LAZY_NR_STATES]; /* copies, by state */
	uint64_t	revokes;	/* records in committed transactions */
	uint64_t	descriptors;	/* blocks, committed */
	uint64_t	revoke_blocks;
	uint64_t	torn;		/* torn commit blocks, accepted */
	uint32_t	first_tid;	/* valid if txns > 0 */
	uint32_t	last_tid;
	uint64_t	first_sec;	/* commit times of those two */
	uint64_t	last_sec;
	enum e2lazy_csum_state csum;	/* worst of all transactions */
	size_t		nr_damage;
	struct e2lazy_damage damage[E2LAZY_MAX_DAMAGE];
	uint64_t	unmarked;	/* transactions without the mark of a
					   lazy kernel */
	uint32_t	first_unmarked;	/* valid if unmarked > 0 */
};

struct e2lazy_jmap_opts {
	unsigned	flags;		/* E2LAZY_WALK_*, E2LAZY_JMAP_* */
	uint32_t	until;
	/* May be NULL.  Called at every commit, oldest first; a non-zero
	   return ends the build and is returned. */
	errcode_t	(*commit)(void *priv, const struct e2lazy_txn *txn);
	void		*priv;
	/* NULL: the log.  Read during the build only. */
	const struct e2lazy_range *range;
	uint32_t	nr_ranges;	/* @range and those behind it; 0: one */
	const struct e2lazy_watch *watch;	/* PHASE_WALK */
};

/*
 * For e2lazy_jmap_state(): takes 32 bytes for each block with a revoke, and a
 * bit for each block of the log.
 */
#define E2LAZY_JMAP_STATES	0x100
/* Let e2lazy_jmap_read() verify: takes 4 bytes for each block of the log. */
#define E2LAZY_JMAP_CSUMS	0x200
/*
 * Where the log breaks off at a descriptor or a revoke block with a bad
 * checksum, go on behind the damage: take the sound copies that sound control
 * blocks of committed transactions name there.  A kernel and e2fsck replay
 * nothing of such a log.  e2lazy_jmap_end() still tells of the damage.  Reads
 * the rest of the ring.
 */
#define E2LAZY_JMAP_BEHIND	0x400
/*
 * The same where the log breaks off at any other damage, and committed
 * transactions follow it; for reading files only, as other programs replay the
 * log up to there.  Does nothing for a log without checksums of copies.
 */
#define E2LAZY_JMAP_JOIN	0x800

/*
 * e2lazy_jmap_build - fold a walk into the map
 * @opts: may be NULL
 *
 * The map holds the live copies of all committed transactions, up to the first
 * damage; e2lazy_jmap_stats() reports the damage.  It never maps a copy for a
 * block in the journal, or outside the file system as sized by its newest
 * superblock; such a copy does not hide an older one.  With E2LAZY_WALK_DATA, a
 * copy with a bad checksum is mapped with E2LAZY_COPY_BAD.  The caller decides
 * about it: the map never falls back to an older copy by itself.
 *
 * The map of a range other than the log shows an earlier time, and serves no
 * verdict.  e2lazy_jmap_fs_blocks() follows the superblock of that range.
 *
 * Takes at most 32 bytes for each mapping live at any one time, and 2 MiB; more
 * only if a single transaction is larger than 3/8 of those mappings.
 */
errcode_t e2lazy_jmap_build(struct e2lazy_journal *journal,
			    const struct e2lazy_jmap_opts *opts,
			    struct e2lazy_jmap **out);
void e2lazy_jmap_free(struct e2lazy_jmap *map);

const struct e2lazy_map_stats *e2lazy_jmap_stats(const struct e2lazy_jmap *map);
const struct e2lazy_end *e2lazy_jmap_end(const struct e2lazy_jmap *map);

/* Does the map show an earlier time: other ranges, or up to a tid? */
bool e2lazy_jmap_is_past(const struct e2lazy_jmap *map);

/* Mappings ascend by fsblk and are numbered from 0. */
size_t e2lazy_jmap_count(const struct e2lazy_jmap *map);
/* Blocks of the file system in its newest superblock. */
blk64_t e2lazy_jmap_fs_blocks(const struct e2lazy_jmap *map);
void e2lazy_jmap_get(const struct e2lazy_jmap *map, size_t index,
		     struct e2lazy_copy *out);
/* Index of the first mapping with an fsblk not below @fsblk.  O(log n). */
size_t e2lazy_jmap_lower_bound(const struct e2lazy_jmap *map, blk64_t fsblk);

/*
 * e2lazy_jmap_lookup - find the newest committed copy of a static block
 *
 * Returns 0, or E2LAZY_ET_NOT_MAPPED if the static block is the newest.
 * O(log n).
 */
errcode_t e2lazy_jmap_lookup(const struct e2lazy_jmap *map, blk64_t fsblk,
			     struct e2lazy_copy *out);

/*
 * The state of the copy in a TAG event, from a walk with the same options as
 * the map's build, which needs E2LAZY_JMAP_STATES.  A revoke record of
 * transaction R voids copies of transactions up to and including R, wherever
 * they lie in the log.
 */
enum e2lazy_copy_state e2lazy_jmap_state(const struct e2lazy_jmap *map,
					 const struct e2lazy_event *tag);

/*
 * Read a copy and unescape it by its @flags (those of struct e2lazy_copy), so
 * that it equals the block before logging.
 */
errcode_t e2lazy_read_copy(struct e2lazy_journal *journal, uint32_t logblk,
			   unsigned flags, void *buf);
/*
 * e2lazy_jmap_read - read live copies, unescaped and verified
 * @index: the first of @count mappings whose log blocks are consecutive
 * @bad:   on failure the bad mapping; @index if that is not known
 *
 * It verifies if the format has checksums of copies and the map was built with
 * E2LAZY_JMAP_CSUMS; E2LAZY_ET_DATA_CSUM for a bad one.
 */
errcode_t e2lazy_jmap_read(const struct e2lazy_jmap *map, size_t index,
			   uint32_t count, void *buf, size_t *bad);
/* Read @fsblk from its live copy, or else from its static block. */
errcode_t e2lazy_read_block(struct e2lazy_journal *journal,
			    const struct e2lazy_jmap *map, blk64_t fsblk,
			    void *buf);

/* ---------------------------------------------------- the fast commits --- */

enum e2lazy_fc_kind {
	E2LAZY_FC_ADD_RANGE = 1, E2LAZY_FC_DEL_RANGE, E2LAZY_FC_CREAT,
	E2LAZY_FC_LINK, E2LAZY_FC_UNLINK, E2LAZY_FC_INODE, E2LAZY_FC_PAD,
	E2LAZY_FC_TAIL, E2LAZY_FC_HEAD,
};

/* One record of the fast-commit area; fields that its kind lacks are 0. */
struct e2lazy_fc_record {
	uint32_t	logblk;
	uint32_t	offset;		/* bytes into the block */
	uint32_t	kind;		/* enum e2lazy_fc_kind */
	uint32_t	length;		/* bytes of its value */
	ext2_ino_t	ino;
	ext2_ino_t	parent;		/* CREAT, LINK, UNLINK */
	uint32_t	lblk, len;	/* ranges: file blocks */
	blk64_t		pblk;		/* ADD_RANGE */
	bool		unwritten;	/* ADD_RANGE: blocks read as zeros */
	uint32_t	tid;		/* HEAD, TAIL */
	enum e2lazy_csum_state csum;	/* TAIL */
	char		name[256];	/* CREAT, LINK, UNLINK; may hold any byte */
	const uint8_t	*value;		/* as logged; valid in the callback */
};

const char *e2lazy_fc_kind_name(uint32_t kind);

/* The first record of the area; without a HEAD it holds nothing. */
enum e2lazy_fc_begin {
	E2LAZY_FC_NOTHING,
	E2LAZY_FC_BEGUN,		/* a HEAD */
	E2LAZY_FC_MALFORMED,		/* a HEAD of a wrong length */
	E2LAZY_FC_UNKNOWN,		/* one with features; there are none */
};

struct e2lazy_fc_summary {
	enum e2lazy_fc_begin begin;
	uint32_t	records;	/* well-formed records of any tid */
	uint32_t	valid;		/* leading records that are replayed */
	uint32_t	tid;		/* of the first HEAD, if records > 0 */
	uint32_t	blocks;		/* of the area: those of valid records */
};

/*
 * e2lazy_fc_scan - list the fast-commit area
 * @next_tid: e2lazy_end.tid: fast commits count on top of that log only
 * @found:    may be NULL; called for each record, valid or not
 * @where:    may be NULL; on failure the block that could not be read
 *
 * Records are valid by the rules of ext4's replay scan: the log is not empty,
 * the area begins with a HEAD of @next_tid, and records count up to the last
 * TAIL of that tid with a right crc.  @out->valid is known only at the end: to
 * handle valid records alone, scan twice.  On failure @out has what stands
 * before the unreadable block.
 */
errcode_t e2lazy_fc_scan(struct e2lazy_journal *journal, uint32_t next_tid,
			 errcode_t (*found)(void *priv,
					    const struct e2lazy_fc_record *),
			 void *priv, struct e2lazy_fc_summary *out,
			 struct e2lazy_where *where);

/* Fast commits of the next transaction that do not count, due to damage. */
struct e2lazy_fc_lost {
	uint32_t	commits;	/* behind the valid records */
	uint32_t	logblk;		/* the first, or the unreadable block */
	errcode_t	error;		/* of the block at which the area breaks
					   off; it may hide a commit */
};

/*
 * e2lazy_fc_find_lost - count the fast commits behind damage
 * @next_tid: as for e2lazy_fc_scan()
 *
 * Each fast commit ends in a TAIL with its tid.  A kernel writes it when the
 * rest is durable, and no other area has that tid.  So each TAIL of @next_tid
 * behind the valid records is a commit that a program was told of.  A fast
 * commit that a power cut has cut off has none.  The search ends after 2,048
 * blocks without one.
 */
errcode_t e2lazy_fc_find_lost(struct e2lazy_journal *journal,
			      uint32_t next_tid, struct e2lazy_fc_lost *out);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_H */
