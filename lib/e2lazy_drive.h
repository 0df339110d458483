/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_drive.h - libe2lazy: what a drive is, and what a file system costs it
 *
 *	e2lazy_drive_probe()		rotational, zoned, shingled: the evidence
 *	e2lazy_drive_throughput()	how fast it reads at one place
 *	e2lazy_dirty_timer()		how long the kernel lets a block stay dirty
 *	e2lazy_journal_size()		the journal that follows from both
 *	e2lazy_regions_*()		where fixed metadata lies, or would lie
 *	e2lazy_bands()			the bands it dirties, and their cleaning
 *	e2lazy_band_write()		how often writes change to another band
 *
 * Nothing here knows of the log, and nothing writes.  Sizes are bytes unless
 * a name says blocks.  What e2lazy.h says of errors and of the ABI holds here.
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
 * What the evidence amounts to.  Of a drive that manages its shingles itself
 * nothing but its own word is proof, so there are three degrees of it.
 */
enum e2lazy_drive_class {
	E2LAZY_DRIVE_FILE,		/* a regular file: nothing to know */
	E2LAZY_DRIVE_SOLID,		/* does not rotate */
	E2LAZY_DRIVE_ROTATIONAL,	/* rotates; nothing says shingled */
	E2LAZY_DRIVE_DM_SUSPECTED,	/* hints, such as TRIM */
	E2LAZY_DRIVE_DM_LISTED,		/* its model is known for it */
	E2LAZY_DRIVE_DM_REPORTED,	/* it says so itself */
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
	char		detail[128];	/* what was seen, and where: "TRIM
					   granularity 4096", a model and the
					   list that has it; may be empty */
};

#define E2LAZY_DRIVE_SIGNS	12
#define E2LAZY_DRIVE_NAME	256

struct e2lazy_drive {
	enum e2lazy_drive_class cls;
	int		score;		/* 0 to 100: how sure shingled is */
	unsigned	nr_signs;
	struct e2lazy_drive_sign signs[E2LAZY_DRIVE_SIGNS];

	char		disk[E2LAZY_DRIVE_NAME];	/* the disk underneath,
					   "sda"; empty for a file */
	unsigned	disks;		/* how many there are underneath */
	char		stack[E2LAZY_DRIVE_NAME];	/* what lies between, top
					   first: "dm-lvm, partition"; or "" */
	char		vendor[32], model[64];	/* empty: unknown */
	bool		has_sysfs;	/* false: nothing below is known but
					   bytes and the sectors */
	bool		rotational;	/* the kernel says so */
	bool		read_only;
	bool		start_known;	/* no more than partitions between */
	uint64_t	bytes;		/* of the device or file; 0: unknown */
	uint64_t	start;		/* its first byte on the disk */
	unsigned	rpm;		/* 0: unknown */
	unsigned	form_tenths;	/* 35: a 3.5" drive; 0: unknown */
	uint64_t	listed_band;	/* bytes of a band, and bytes a second */
	uint64_t	listed_throughput;	/* at the outer edge, as the
					   list has them; 0: it has none */
	uint64_t	disk_bytes;	/* 0: unknown */
	uint64_t	zone_bytes;	/* 0: not zoned */
	unsigned	logical_sector, physical_sector;
	uint64_t	minimum_io, optimal_io;	/* 0: unknown */
	uint64_t	alignment;	/* bytes by which it is misaligned */
	uint64_t	discard_granularity;	/* 0: no TRIM */
};

struct e2lazy_drive_opts {
	/* What stands for "/" when /sys and /proc are read; NULL: "/".  With
	   another one the device itself is not opened for what they tell. */
	const char	*root;
	/* The list of models, as mke2lazy-drives(5) says; NULL: none. */
	const char	*models;
};

/*
 * e2lazy_drive_probe - what kind of drive @device is on
 *
 * Opens it for reading only.  What cannot be found out is left unknown and is
 * no error, a device that cannot be opened included; that there is no @device
 * is (ENOENT, and ENOTBLK or EISDIR for what cannot hold a file system), and a
 * model list that cannot be read or has a bad line: E2LAZY_ET_DRIVE_LIST, with
 * the line in @line if that is not NULL, or 0 there and the reason in errno.
 *
 * Below another root, "/dev/NAME" or the last part of @device names a
 * directory of ROOT/sys/class/block, or a device mapper's name.  A device need
 * not exist then; a file counts as one where the tree has nothing of its name.
 */
errcode_t e2lazy_drive_probe(const char *device,
			     const struct e2lazy_drive_opts *opts,
			     struct e2lazy_drive *out, unsigned *line);

/* What was measured, and how far it can be trusted. */
struct e2lazy_throughput {
	uint64_t	bytes_per_second;	/* median of the samples */
	uint64_t	slowest, fastest;
	uint64_t	offset;			/* where it was measured */
	unsigned	samples;
	bool		direct;		/* past the page cache */
	bool		busy;		/* others used the disk meanwhile */
	bool		implausible;	/* a sample was faster than any disk
					   rotates: as of blocks that were
					   never written */
};

/*
 * e2lazy_drive_throughput - read for some seconds at @offset
 * @milliseconds:  in all, at most; what comes first is thrown away
 * @watch:         may be NULL; asked to stop before each request
 *
 * Reads only, with direct I/O where the device allows it.
 */
errcode_t e2lazy_drive_throughput(const char *device,
				  const struct e2lazy_drive *drive,
				  uint64_t offset, unsigned milliseconds,
				  const struct e2lazy_watch *watch,
				  struct e2lazy_throughput *out);

/* How long a dirty block may stay in memory, from the kernel's sysctls. */
struct e2lazy_dirty_timer {
	uint64_t	expire_ms;	/* vm.dirty_expire_centisecs */
	uint64_t	wakeup_ms;	/* vm.dirty_writeback_centisecs; 0: the
					   flusher does not wake by itself */
	unsigned	kernel_major, kernel_minor;	/* 0, 0: unknown */
};

/*
 * @root as for a probe.  E2LAZY_ET_DIRTY_TIMER: one of the two cannot be read,
 * is no number, or is more than a day.  That it is 0 is no error.
 */
errcode_t e2lazy_dirty_timer(const char *root, struct e2lazy_dirty_timer *out);

/* ----------------------------------------------------- journal's size --- */

enum e2lazy_size_policy {
	E2LAZY_SIZE_PAPER,	/* throughput x timer (FAST'17) */
	E2LAZY_SIZE_STRICT,	/* and the wake-up, and jbd2's reserve: 1/4 of
				   the log, from Linux 6.11 on 1/3 */
};

/* In the order in which they are applied. */
#define E2LAZY_CLAMP_LIVE	0x01	/* raised to live set / 0.7 */
#define E2LAZY_CLAMP_DEFAULT	0x02	/* raised to e2fsprogs' default */
#define E2LAZY_CLAMP_MIB	0x04	/* rounded up to MiB */
#define E2LAZY_CLAMP_ZONE	0x08	/* rounded up to zones */
#define E2LAZY_CLAMP_MOST	0x10	/* lowered to 10,240,000 blocks */
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
	uint64_t	wanted;		/* bytes that the user asked for; 0:
					   none, the policy says */
};

struct e2lazy_journal_size {
	uint64_t	bytes;		/* what it comes to, a number of MiB */
	uint64_t	paper, strict;	/* by either policy, unclamped; strict
					   is 0 if the flusher never wakes */
	uint64_t	reserve_num, reserve_den;	/* jbd2 starts to wait
					   when this part of the log is left */
	uint64_t	live_bound;	/* 0: no live set is known */
	uint64_t	fallback;	/* e2fsprogs' default; 0: it makes none */
	uint64_t	most, half_free;
	unsigned	clamps;		/* those that changed something */
};

/*
 * e2lazy_journal_size - how large a journal has to be
 *
 * @out is filled in for errors, too, but EXT2_ET_INVALID_ARGUMENT.
 * E2LAZY_ET_JOURNAL_SIZE: not even the smallest journal fits, or the size
 * asked for is out of bounds (which is then not clamped but refused; it is
 * only rounded up to MiB).  Bounds are 1,024 blocks, @most and @half_free.
 * E2LAZY_ET_DIRTY_TIMER: the policy makes nothing of that timer.
 */
errcode_t e2lazy_journal_size(const struct e2lazy_size_request *request,
			      struct e2lazy_journal_size *out);

/* ----------------------------------------------------- bands and zones --- */

enum e2lazy_region_kind {
	E2LAZY_REGION_SUPER,	/* superblock, descriptors and their reserve */
	E2LAZY_REGION_TABLES,	/* bitmaps and inode tables */
};

/* Fixed metadata that lies together: bytes [start, start + length). */
struct e2lazy_region {
	uint64_t	start, length;
	enum e2lazy_region_kind kind;
};

struct e2lazy_regions;

/* What a file system has; @fs only needs its descriptors. */
errcode_t e2lazy_regions_of(ext2_filsys fs, struct e2lazy_regions **out);

/* What decides where mke2fs puts fixed metadata. */
struct e2lazy_fs_plan {
	uint64_t	blocks;
	unsigned	blocksize;
	unsigned	cluster_blocks;		/* 1 without bigalloc */
	unsigned	inode_size;
	uint64_t	inode_ratio;		/* at least a cluster counts */
	uint64_t	inodes;			/* of mke2fs -N; 0: by ratio */
	unsigned	flex_groups;		/* flex_bg size; 1: none */
	uint64_t	resize_blocks;		/* resize_inode is to reach so
						   far; 0: none, ~0: default */
	bool		bits64;
	bool		sparse_super2;
	unsigned	backups;		/* of sparse_super2 */
	bool		packed;			/* packed_meta_blocks */
	uint64_t	journal_blocks;
	uint64_t	journal_goal;		/* block; ~0: mke2fs's own */
};

/*
 * e2lazy_regions_planned - what mke2fs would make of @plan, block for block
 *
 * With the features of its ext4, on a device that asks for no stride.  With
 * @packed, @flex_groups has to be more than 1, and the journal stands behind
 * the tables whatever its goal is.  About 35 MiB of memory and a second for
 * 50 TiB, both in proportion; but flex groups of many more than 4,096 groups
 * take libext2fs minutes to place.
 *
 * EXT2_ET_INVALID_ARGUMENT or an error of libext2fs: mke2fs would refuse it,
 * or it has more than 2^22 groups.
 */
errcode_t e2lazy_regions_planned(const struct e2lazy_fs_plan *plan,
				 struct e2lazy_regions **out);
void e2lazy_regions_free(struct e2lazy_regions *regions);

/* Ascending, without overlap; those of one kind that touch are one. */
size_t e2lazy_regions_count(const struct e2lazy_regions *regions);
void e2lazy_regions_get(const struct e2lazy_regions *regions, size_t index,
			struct e2lazy_region *out);
/*
 * Of a plan: the free blocks without a journal, half of which mke2fs allows it;
 * the block where the journal would start, 0 without one; and in how many runs
 * of blocks that are in a row it would be, with 1 as the best.
 */
uint64_t e2lazy_regions_free_blocks(const struct e2lazy_regions *regions);
uint64_t e2lazy_regions_journal(const struct e2lazy_regions *regions);
uint64_t e2lazy_regions_journal_runs(const struct e2lazy_regions *regions);

/* What a program takes for a band: beyond, in bytes, it is a slip. */
#define E2LAZY_BAND_LEAST	((uint64_t)1 << 20)
#define E2LAZY_BAND_MOST	((uint64_t)100 << 40)

/* How a drive-managed drive is thought to work: smr parameters. */
struct e2lazy_band_model {
	uint64_t	band_bytes;	/* what is rewritten as a whole */
	bool		dynamic;	/* mapping: else static, and a band is
					   written twice to be cleaned */
	uint64_t	start;		/* of the file system on the disk */
};

struct e2lazy_bands {
	uint64_t	disk;		/* bands the file system is in, the
					   last perhaps in part */
	uint64_t	regions;	/* of bitmaps and inode tables; as one
					   counts what is close together */
	uint64_t	metadata_bytes;	/* in them */
	uint64_t	paper;		/* one band a region, or the fewest
					   that a longer one has room in */
	uint64_t	exact;		/* that hold tables */
	uint64_t	exact_super;	/* that hold superblocks, too */
	uint64_t	paper_clean, paper_traffic;	/* bytes cleaned, and moved
					   in cleaning: all tables updated */
	uint64_t	exact_clean, exact_traffic;
};

/*
 * How many bands are dirtied when all fixed metadata is updated.
 * @model->band_bytes is not 0.
 */
void e2lazy_bands(const struct e2lazy_regions *regions, uint64_t fs_bytes,
		  const struct e2lazy_band_model *model,
		  struct e2lazy_bands *out);

/*
 * Writes to a drive with bands, one after the other.  The caller fills in
 * @model and @blocksize, and zeros the rest.
 */
struct e2lazy_band_writes {
	struct e2lazy_band_model model;	/* band_bytes 0: nothing is counted */
	unsigned	blocksize;	/* at most band_bytes */
	uint64_t	changes;	/* writes to another band than before,
					   the first write among them */
	uint64_t	last;		/* the band written last */
};

/* The next write: @count blocks from @block of the file system on. */
void e2lazy_band_write(struct e2lazy_band_writes *writes, uint64_t block,
		       uint32_t count);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_DRIVE_H */
