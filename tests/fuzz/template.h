/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * template.h - the file systems that inputs are laid into
 *
 * mke2fs and mkjournal make each of them from one file in specs/.  A part is a
 * block of it that is worth damaging, and names its kind of checksums.
 */
#ifndef FUZZ_TEMPLATE_H
#define FUZZ_TEMPLATE_H

#include "device.h"
#include "../fixtures/mkjournal_priv.h"

enum part_kind {
	PART_JSB,		/* journal superblock */
	PART_CONTROL,		/* descriptor, revoke or commit block */
	PART_FAST,		/* first blocks of the fast-commit area */
	PART_SUPER,
	PART_DESC,
	PART_BLOCK_BITMAP,
	PART_INODE_BITMAP,
	PART_INODES,
	PART_DIRECTORY,
	PART_EXTENT,
	PART_INDIRECT,
	PART_XATTR,
	PART_OTHER,
	NR_PARTS
};

struct part {
	enum part_kind	kind;
	struct device	*device;
	uint32_t	block;		/* of the device */
	bool		logged;		/* a copy in the log of ... */
	uint32_t	fsblk;		/* this block */
	ext2_ino_t	ino;		/* its owner; the first in it */
	dgrp_t		group;
};

/* Checksums over the clean blocks of a log: see sums.c. */
enum sum_kind { SUM_V1, SUM_CRC32C, NR_SUMS };

struct sums {
	uint32_t	*of;		/* of each log block, from state 0 */
	uint8_t		*is_known;	/* one for each log block */
	uint32_t	zeros[4][256];	/* a block of zeros, from each byte */
};

struct template {
	unsigned	number;		/* as the spec's name begins */
	char		image[512], external[512]; /* their files */
	struct device	fs, journal;
	struct device	*log;		/* the one that has the log */
	struct mkj	mkj;		/* for its checksums, and the map */
	unsigned	bs;
	uint32_t	log_blocks;
	uint32_t	*log_at;	/* log block -> block of @log */
	struct part	*parts;		/* ordered by kind */
	size_t		nr_parts, room;
	size_t		first[NR_PARTS + 1]; /* of each kind */
	bool		*is_control;	/* of each log block, while clean */
	struct sums	sums[NR_SUMS];
};

/* Load all of a directory; a failure ends the program. */
void templates_load(const char *dir);
/* Find a template by its number; another number gives some template, too. */
struct template *template_find(unsigned number);
size_t templates_count(void);
/* Only template.c and atlas.c call these. */
void template_add(struct template *t, const struct part *part);
void atlas_draw(struct template *t);

/* ------------------------------------------------------------ repair.c --- */

/* A control block of the log, and the tags in it. */
struct tags {
	uint8_t		*tag[512];
	uint32_t	fsblk[512];
	unsigned	count;
};

/* The checksum @state after one more block of the log. */
uint32_t sums_add(struct template *t, enum sum_kind kind, uint32_t state,
		  uint32_t logblk);
/* Note the control blocks; before this no repair_log(). */
void repair_prepare(struct template *t);
void repair_format(struct template *t);
void repair_tags(const struct template *t, uint8_t *block, struct tags *tags);
uint32_t repair_next(const struct template *t, uint32_t logblk);
/* Redo the checksums of all that is dirty and of what holds them. */
void repair_fs(struct template *t);
void repair_log(struct template *t);

#endif
