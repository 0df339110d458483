/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* salvage.h - the inside of a salvage, shared by the files of this room */
#ifndef E2LAZY_SALVAGE_INTERNAL_H
#define E2LAZY_SALVAGE_INTERNAL_H

#include "e2lazy_salvage.h"
#include "log/opening.h"

struct e2lazy_salvage {
	struct e2lazy_candidate *at;
	size_t		nr, room;
	struct e2lazy_geometry device;	/* fs_blocks and device_blocks */
	struct e2lazy_carved carved;
};

/* --------------------------------------------------- survey.c: one place */

/* UUIDs that may seed the checksums: the caller's, and four that are named. */
#define MOST_UUIDS 5

/* A control block of the place, of whatever journal. */
struct sign {
	uint32_t	logblk;
	uint32_t	tid;
	uint8_t		type;		/* enum jbd2_type */
	uint8_t		fits;		/* bit of each UUID that its checksum
					   fits */
	bool		v1;		/* a commit block with a v1 sum */
};

struct survey {
	struct e2lazy_journal *journal;	/* its place is known, its shape not */
	uint32_t	at;		/* log block of the superblock */
	uint8_t		super[SUPER_BYTES];	/* what stands there */
	uint8_t		uuids[MOST_UUIDS][16];
	unsigned	nr_uuids;
	struct sign	*signs;		/* by logblk */
	size_t		nr, room;
	uint32_t	fit[MOST_UUIDS];	/* signs that fit */
	uint32_t	v1;		/* signs with a v1 sum */
};

/* Read every block of the place.  survey_free() also after an error. */
errcode_t survey_place(struct survey *survey, struct e2lazy_journal *journal,
		       const struct e2lazy_parts *parts,
		       const struct e2lazy_watch *watch);
void survey_free(struct survey *survey);
/* The sign at @logblk, or NULL. */
const struct sign *survey_sign(const struct survey *survey, uint32_t logblk);

/* ------------------------------------- shape.c: how its blocks are read */

/*
 * Set all of @candidate's geometry and facts but the tail, if the checksums are
 * seeded by UUID number @uuid; MOST_UUIDS: if there are none.
 */
errcode_t shape_find(const struct survey *survey, unsigned uuid,
		     const struct e2lazy_parts *pieces,
		     struct e2lazy_candidate *candidate);

/* ------------------------------------------- tail.c: where the log begins */

/* The tail that the journal superblock names, and the one that the ring shows;
   0, 1 or 2 candidates made from @shape are added, best first. */
errcode_t tail_find(struct e2lazy_salvage *salvage,
		    const struct e2lazy_ring *ring,
		    const struct e2lazy_parts *pieces,
		    const struct e2lazy_candidate *shape);

/* ------------------------------------------ carve.c: places on the device */

/* Places that a carving searches for a log: those with the most signs. */
#define MOST_PLACES 64

struct place {
	blk64_t		start;		/* block of the journal superblock */
	blk64_t		last;		/* last block known to be the log's */
	uint32_t	blocks;		/* by that superblock; 0: it is gone */
	uint32_t	signs;		/* control blocks seen there */
};

struct places {
	struct place	at[MOST_PLACES + 1];	/* one more while it grows */
	unsigned	nr;
	uint64_t	dropped;
};

/* Places with signs, ascending. */
errcode_t carve_device(ext2_filsys fs, uint64_t device_blocks,
		       const struct e2lazy_watch *watch, struct places *out);
enum carve_guess {
	CARVE_IN_ONE_PIECE,
	CARVE_AROUND,		/* mke2fs went around static metadata */
	CARVE_MAPPED,		/* and around the journal's own map: without
				   extents */
	NR_CARVE_GUESSES
};
/* The runs of @place.  Free the result with free(); NULL: out of memory. */
struct e2lazy_log_run *carve_runs(ext2_filsys fs, uint64_t device_blocks,
				  const struct place *place,
				  enum carve_guess guess, size_t *nr);

#endif
