/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * info.h - e2lazy info: what is gathered, and how it is told
 */
#ifndef MISC_INFO_H
#define MISC_INFO_H

#include "e2lazy_drive.h"
#include "e2lazy_mend.h"
#include "session/session.h"

/* Bytes a mapping takes in an ext4-lazy kernel, by the paper's measurement. */
#define KERNEL_MAPPING_BYTES	66
/* The paper's disk, in bytes a second; an assumption about the user's. */
#define DISK_RATE		(190ULL << 20)
/* The live part of the ring, in percent, where the paper saw slow-down. */
#define CROWDED_PERCENT		70

struct info {
	struct session	*s;
	bool		identify;

	bool		lazy_marker;	/* journal_lazy in s_mount_opts */
	bool		mounted;
	uint32_t	ring;		/* blocks of the ring */
	bool		wrapped;	/* the log runs past the ring's end */
	uint64_t	logged;		/* committed copies, of any fate */
	uint64_t	live;
	uint64_t	replayed;	/* writes of a stock replay */
	uint64_t	control;	/* descriptors, revokes and commits */
	uint64_t	damage;		/* kinds of it, to the log */
	bool		copies_verified; /* by a checksum, as far as any has */
	bool		typed;		/* @types is filled in */
	uint64_t	types[E2LAZY_NR_TYPES];	/* live blocks of each */
	struct e2lazy_fc_summary fc;
	struct e2lazy_verdict *verdict;	/* of a glance; NULL: of an earlier
					   time there is none */
	uint64_t	band;		/* of --band, bytes; 0: not asked for */
	bool		banded;		/* what follows is filled in */
	struct e2lazy_bands bands;	/* of static mapping */
	struct e2lazy_bands dynamic;
};

/* The next of the library's problems that is there, from *@at on; or NULL. */
const struct e2lazy_problem *next_hazard(const struct info *info, size_t *at);

/* info_sheet.c: all of it, for people or as JSON */
void info_print(struct info *info);
/* info_lists.c */
void info_types(struct info *info);
void info_hazards(struct info *info);

#endif
