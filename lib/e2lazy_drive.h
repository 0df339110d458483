/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_drive.h - libe2lazy: the kind of a drive, and the cost of a file
 * system
 *
 *	e2lazy_drive_probe()		rotational, zoned, shingled: the evidence
 *	e2lazy_drive_throughput()	sequential reads at one place, measured
 *	e2lazy_dirty_timer()		the kernel's limit on a dirty block's age
 *	e2lazy_journal_size()		the journal size that follows from both
 *	e2lazy_mount_cost()		the cost of an ext4-lazy mount
 *	e2lazy_cleaner_percent()	what the cleaner of a lazy log writes
 *	e2lazy_regions_*()		the places of fixed metadata
 *	e2lazy_bands()			the bands it dirties, and their cleaning
 *	e2lazy_band_write()		count the band changes of writes
 *
 * These functions know nothing of the log, and never write.  Sizes are bytes
 * unless a name says blocks.  Errors and ABI follow the rules of e2lazy.h.
 */
#ifndef E2LAZY_DRIVE_H
#define E2LAZY_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ext2fs/ext2fs.h>

#include "e2lazy_err.h"
#include "e2lazy_watch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------- the drive --- */

/*
 * The class of a drive by the evidence.  If a drive manages its shingles
 * itself, only its own statement is proof, so that class has three degrees.
 */
enum e2lazy_drive_class {
	E2LAZY_DRIVE_FILE,		/* a regular file */
	E2LAZY_DRIVE_SOLID,		/* does not rotate */
	E2LAZY_DRIVE_ROTATIONAL,	/* rotates; no sign of shingles */
	E2LAZY_DRIVE_DM_SUSPECTED,	/* hints, such as TRIM */
	E2LAZY_DRIVE_DM_LISTED,		/* its model is known as shingled */
	E2LAZY_DRIVE_DM_REPORTED,	/* the drive says so itself */
	E2LAZY_DRIVE_HOST_AWARE,	/* zoned, writable anywhere */
	E2LAZY_DRIVE_HOST_MANAGED,	/* zoned, sequential writes only */
};

/* "dm-listed": stable, for scripts. */
const char *e2lazy_drive_class_name(enum e2lazy_drive_class cls);

/* A piece of evidence that a drive is shingled, or is not. */
struct e2lazy_drive_sign {
	const char	*id;		/* "model-listed"; never changes */
	const char	*text;		/* English, marked for translation */
	int		score;		/* of 100; below 0: against */
	char		detail[128];	/* the observation: an attribute and its
					   value, or a model and its source;
					   may be empty */
};

#define E2LAZY_DRIVE_SIGNS	12
#define E2LAZY_DRIVE_NAME	256

struct e2lazy_drive {
	enum e2lazy_drive_class cls;
	int		score;		/* certainty of shingles, 0 to 100 */
	unsigned	nr_signs;
	struct e2lazy_drive_sign signs[E2LAZY_DRIVE_SIGNS];

	char		disk[E2LAZY_DRIVE_NAME];	/* the disk underneath,
					   "sda"; empty for a file */
	unsigned	disks;		/* number of disks underneath */
	char		stack[E2LAZY_DRIVE_NAME];	/* layers between, top
					   first: "dm-lvm, partition"; or "" */
	char		vendor[32], model[64];	/* empty: unknown */
	bool		has_sysfs;	/* false: of the members below, only
					   bytes and sectors are known */
	bool		rotational;	/* the kernel says so */
	bool		read_only;
	bool		start_known;	/* only partitions lie between */
	uint64_t	bytes;		/* of the device or file; 0: unknown */
	uint64_t	start;		/* its first byte on the disk */
	unsigned	rpm;		/* 0: unknown */
	unsigned	form_tenths;	/* 35: a 3.5" drive; 0: unknown */
	/* From the list of models; 0: not there. */
	uint64_t	listed_band;	/* bytes of a band */
	uint64_t	listed_throughput;	/* bytes a second, outer edge */
	uint64_t	disk_bytes;	/* 0: unknown */
	uint64_t	zone_bytes;	/* 0: not zoned */
	unsigned	logical_sector, physical_sector;
	uint64_t	minimum_io, optimal_io;	/* 0: unknown */
	uint64_t	alignment;	/* bytes by which it is misaligned */
	uint64_t	discard_granularity;	/* 0: no TRIM */
};

struct e2lazy_drive_opts {
	/* Prefix of /sys and /proc; NULL: none.  With a prefix the probe does
	   not open the device itself. */
	const char	*root;
	/* Path of the list of models, see mke2lazy-drives(5); NULL: none. */
	const char	*models;
};

/*
 * e2lazy_drive_probe - find out the kind of drive under @device
 *
 * It opens @device for reading only.  Unknown facts stay unknown and are no
 * error, even if the device cannot be opened.  ENOENT if @device does not
 * exist, ENOTBLK or EISDIR if it cannot hold a file system.
 * E2LAZY_ET_DRIVE_LIST if the list of models has a bad line, whose number goes
 * to @line (may be NULL), or cannot be read: then @line is 0 and errno has the
 * reason.
 *
 * With @opts->root, "/dev/NAME" or the last part of @device names a directory
 * of ROOT/sys/class/block, or a device mapper name; the device need not exist
 * on this machine.  If the tree has no such name, @device may be a file.
 */
errcode_t e2lazy_drive_probe(const char *device,
			     const struct e2lazy_drive_opts *opts,
			     struct e2lazy_drive *out, unsigned *line);

/* A measurement, and how far to trust it. */
struct e2lazy_throughput {
	uint64_t	bytes_per_second;	/* median of the samples */
	uint64_t	slowest, fastest;
	uint64_t	offset;			/* bytes, place of the reads */
	unsigned	samples;
	bool		direct;		/* past the page cache */
	bool		busy;		/* other programs used the disk */
	bool		implausible;	/* a sample was faster than any rotating
					   disk, as for blocks that were never
					   written */
};

/*
 * e2lazy_drive_throughput - measure sequential reads at @offset
 * @drive:         of e2lazy_drive_probe(), or NULL
 * @milliseconds:  about the whole time, with the first reads, which do not
 * count
 * @watch:         may be NULL; its @stop is called before each request
 *
 * It only reads, with direct I/O if the device supports it.
 */
errcode_t e2lazy_drive_throughput(const char *device,
				  const struct e2lazy_drive *drive,
				  uint64_t offset, unsigned milliseconds,
				  const struct e2lazy_watch *watch,
				  struct e2lazy_throughput *out);

/* The requests of a probe.  A write goes on in requests, and is flushed. */
struct e2lazy_streaming_ops {
	errcode_t	(*write)(void *priv, uint64_t offset, uint64_t bytes);
	/* A block, past any cache; @ns: the time that it took. */
	errcode_t	(*read)(void *priv, uint64_t offset, uint64_t *ns);
	void		*priv;
	uint64_t	bytes;		/* of the device */
};

struct e2lazy_streaming {
	bool		cached;		/* short writes go to another place */
	uint64_t	least;		/* bytes, in MiB: the shortest that does
					   not; 0: none up to 64 MiB */
	uint64_t	place;		/* of the writes, on the device */
	uint64_t	near_ns, far_ns;	/* reads behind another read, and
						   behind a short write */
	uint64_t	written;	/* bytes in all */
};

/*
 * e2lazy_drive_streaming - find the least sequential write that bypasses the cache
 *
 * It overwrites four stretches of 1 GiB, as far from each other as the device
 * allows.  Its method is in lib/drive/streaming.c.  E2LAZY_ET_DEVICE_SHORT: below
 * 2 GiB.
 */
errcode_t e2lazy_drive_streaming(const struct e2lazy_streaming_ops *ops,
				 struct e2lazy_streaming *out);

/* The kernel's limits on the age of a dirty block, from its sysctls. */
struct e2lazy_dirty_timer {
	uint64_t	expire_ms;	/* vm.dirty_expire_centisecs */
	uint64_t	wakeup_ms;	/* vm.dirty_writeback_centisecs; 0: the
					   flusher does not wake by itself */
	unsigned	kernel_major, kernel_minor;	/* 0, 0: unknown */
};

/*
 * @root: as for a probe.  E2LAZY_ET_DIRTY_TIMER if one of the two sysctls
 * cannot be read, is no number, or is more than a day.  0 is no error.
 */
errcode_t e2lazy_dirty_timer(const char *root, struct e2lazy_dirty_timer *out);

/* ----------------------------------------------------- journal's size --- */

enum e2lazy_size_policy {
	E2LAZY_SIZE_PAPER,	/* throughput x timer (FAST'17) */
	E2LAZY_SIZE_STRICT,	/* adds the wake-up, and jbd2's reserve: 1/4 of
				   the log, 1/3 from Linux 6.11 on */
};

/* Corrections, in the order in which they apply. */
#define E2LAZY_CLAMP_LIVE	0x01	/* raised to live set / 0.7, or 0.43 */
#define E2LAZY_CLAMP_DEFAULT	0x02	/* raised to e2fsprogs' default */
#define E2LAZY_CLAMP_MIB	0x04	/* rounded up to MiB */
#define E2LAZY_CLAMP_ZONE	0x08	/* rounded up to zones */
#define E2LAZY_CLAMP_MOST	0x10	/* lowered to 10,240,000 blocks,
					   with the fast-commit area */
#define E2LAZY_CLAMP_FREE	0x20	/* lowered to half of what is free */

struct e2lazy_size_request {
	enum e2lazy_size_policy policy;
	uint64_t	throughput;	/* bytes a second */
	struct e2lazy_dirty_timer timer;
	uint64_t	live_bytes;	/* measured live set; 0: none */
	uint64_t	zone_bytes;	/* whole MiB; 0: not zoned */
	unsigned	blocksize;
	uint64_t	fs_blocks;
	uint64_t	free_blocks;	/* before there is a journal */
	uint64_t	fast_commit_blocks;	/* that come to the log */
	uint64_t	wanted;		/* bytes that the user asks for; 0: use
					   the policy */
	bool		lazy;		/* for a kernel that keeps the log
					   lazily */
};

struct e2lazy_journal_size {
	uint64_t	bytes;		/* the result, whole MiB */
	uint64_t	paper, strict;	/* by either policy, before corrections;
					   strict is 0 if the flusher never
					   wakes */
	uint64_t	reserve_num, reserve_den;	/* writers wait when
					   this part of the log is left */
	uint64_t	live_bound;	/* 0: no live set is known */
	uint64_t	fallback;	/* e2fsprogs' default; 0: it makes none */
	uint64_t	most, half_free;
	unsigned	clamps;		/* corrections that had an effect */
};

/*
 * e2lazy_journal_size - the size that a journal needs
 *
 * @out is filled even on failure, except for EXT2_ET_INVALID_ARGUMENT.
 * E2LAZY_ET_JOURNAL_SIZE: not even the smallest journal fits, or @wanted is out
 * of bounds: it is only rounded up to MiB, never corrected otherwise.  The
 * bounds are 1,024 blocks, @most and @half_free.  E2LAZY_ET_DIRTY_TIMER: the
 * policy gives no size for this timer.
 */
errcode_t e2lazy_journal_size(const struct e2lazy_size_request *request,
			      struct e2lazy_journal_size *out);

/* ------------------------------------------------- an ext4-lazy mount --- */

/*
 * The live percentage of a lazy log that is planned for, of 2.3 times the live
 * metadata: the paper's 10 GiB have it after its MakeDirs, and the cleaner then
 * writes less than half of what the log gets.
 */
#define E2LAZY_LAZY_PERCENT		43
/*
 * What the cleaner of a lazy log writes in the long run, in percent of what is
 * logged otherwise; below 0: more than was measured.
 */
double e2lazy_cleaner_percent(uint64_t live, uint64_t ring);

/* Bytes of a mapping in the kernel of linux/, as its /proc tells. */
#define E2LAZY_MAPPING_BYTES		72
/* Of the FAST '17 paper: the throughput of its disk; the live percentage of the
   log from which it slows down. */
#define E2LAZY_PAPER_RATE		(190ULL << 20)
#define E2LAZY_CROWDED_PERCENT		70

/* A log, or one that is planned. */
struct e2lazy_mount_of {
	unsigned	blocksize;
	uint64_t	log_blocks;	/* from tail to head */
	uint64_t	control_blocks;	/* of these; 0: unknown */
	uint64_t	live;		/* mappings */
	uint64_t	throughput;	/* bytes a second; 0: the paper's */
};

struct e2lazy_mount_cost {
	uint64_t	log_bytes;	/* which the control blocks spread over */
	uint64_t	control_bytes;	/* read */
	double		seconds;	/* to read the log in sequence */
	uint64_t	memory;		/* of the kernel, bytes */
};

/* The cost of mounting this log with journal_lazy. */
void e2lazy_mount_cost(const struct e2lazy_mount_of *of,
		       struct e2lazy_mount_cost *out);

/* ----------------------------------------------------- bands and zones --- */

enum e2lazy_region_kind {
	E2LAZY_REGION_SUPER,	/* superblock, descriptors and their reserve */
	E2LAZY_REGION_TABLES,	/* bitmaps and inode tables */
};

/* Contiguous fixed metadata: bytes [start, start + length). */
struct e2lazy_region {
	uint64_t	start, length;
	enum e2lazy_region_kind kind;
};

struct e2lazy_regions;

/* The regions of a file system; @fs needs only its descriptors. */
errcode_t e2lazy_regions_of(ext2_filsys fs, struct e2lazy_regions **out);

void e2lazy_regions_free(struct e2lazy_regions *regions);

/* Ascending, without overlap; adjacent regions of one kind are merged. */
size_t e2lazy_regions_count(const struct e2lazy_regions *regions);
void e2lazy_regions_get(const struct e2lazy_regions *regions, size_t index,
			struct e2lazy_region *out);
/* Bounds in bytes for a band size from a user; beyond, it is a typo. */
#define E2LAZY_BAND_LEAST	((uint64_t)1 << 20)
#define E2LAZY_BAND_MOST	((uint64_t)100 << 40)

/* A simple model of a drive-managed shingled drive. */
struct e2lazy_band_model {
	uint64_t	band_bytes;	/* rewritten as a whole */
	bool		dynamic;	/* mapping; if static, cleaning a band
					   writes it twice */
	uint64_t	start;		/* of the file system on the disk */
};

struct e2lazy_bands {
	uint64_t	disk;		/* bands of the file system, with a
					   partial last one */
	uint64_t	regions;	/* of bitmaps and inode tables; close
					   ones count as one */
	uint64_t	metadata_bytes;	/* of those regions */
	uint64_t	paper;		/* one band a region; for a longer one,
					   the fewest that hold it */
	uint64_t	exact;		/* bands with tables */
	uint64_t	exact_super;	/* bands with tables or superblocks */
	/* Bytes cleaned, and bytes moved by cleaning, if all tables change. */
	uint64_t	paper_clean, paper_traffic;
	uint64_t	exact_clean, exact_traffic;
};

/*
 * Count the bands that an update of all fixed metadata dirties.
 * @model->band_bytes must not be 0.
 */
void e2lazy_bands(const struct e2lazy_regions *regions, uint64_t fs_bytes,
		  const struct e2lazy_band_model *model,
		  struct e2lazy_bands *out);

/*
 * A row of writes to a drive with bands.  Set @model and @blocksize, and zero
 * the rest.
 */
struct e2lazy_band_writes {
	struct e2lazy_band_model model;	/* band_bytes 0: do not count */
	unsigned	blocksize;	/* at most band_bytes */
	uint64_t	changes;	/* writes to another band than before,
					   and the first write */
	uint64_t	last;		/* band of the last write */
};

/* Add a write of @count blocks at @block of the file system. */
void e2lazy_band_write(struct e2lazy_band_writes *writes, uint64_t block,
		       uint32_t count);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_DRIVE_H */
