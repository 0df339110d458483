/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_salvage.h - libe2lazy: find a log whose superblock or inode is lost
 *
 *	e2lazy_salvage()		find candidates, the best one first
 *	e2lazy_salvage_candidate()	one: its geometry, and what proves it
 *
 * The journal superblock says where the log begins and how its blocks are to be
 * read.  If it is gone, wrong or lies, the ring itself still tells: checksums
 * of control blocks fit one UUID, tags of one size lead to the next control
 * block, and the newest transactions show where the log ends.
 *
 * Open a candidate by its geometry, and its runs if it has any:
 *
 *	opts.geometry = &candidate->geometry;
 *	opts.runs = candidate->runs;
 *	opts.nr_runs = candidate->nr_runs;
 *	err = e2lazy_open(device, &opts, &journal, NULL);
 *
 * Words and rules are those of e2lazy.h.  These functions never write.
 */
#ifndef E2LAZY_SALVAGE_H
#define E2LAZY_SALVAGE_H

#include "e2lazy_medium.h"
#include "e2lazy_ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The pieces of a geometry. */
enum e2lazy_part {
	E2LAZY_PART_WHERE,	/* the log's blocks on the device */
	E2LAZY_PART_BLOCKS,	/* how many of them: maxlen */
	E2LAZY_PART_FIRST,	/* first block of the ring */
	E2LAZY_PART_FAST,	/* blocks of the fast-commit area */
	E2LAZY_PART_CSUM,
	E2LAZY_PART_64BIT,
	E2LAZY_PART_UUID,
	E2LAZY_PART_START,
	E2LAZY_PART_SEQUENCE,
	E2LAZY_NR_PARTS
};

/* Values by the caller's hand; @has has bit 1 << piece for each. */
struct e2lazy_parts {
	unsigned	has;
	uint32_t	blocks, first, fast, start, sequence;
	enum e2lazy_csum csum;
	bool		is_64bit;
	uint8_t		uuid[16];
};

/* Where a value comes from. */
enum e2lazy_witness {
	E2LAZY_FROM_JOURNAL_SUPER, /* what is left of it says so */
	E2LAZY_FROM_SUPER,	/* the ext4 superblock */
	E2LAZY_FROM_INODE,	/* the journal inode */
	E2LAZY_FROM_BACKUP,	/* its backup in the ext4 superblock */
	E2LAZY_FROM_DEVICE,	/* the external journal's device */
	E2LAZY_FROM_RING,	/* the ring's blocks */
	E2LAZY_FROM_CARVING,	/* a search over the whole device */
	E2LAZY_FROM_RULE,	/* every such journal has it */
	E2LAZY_FROM_CALLER,
	E2LAZY_NR_WITNESSES
};

struct e2lazy_fact {
	uint64_t	value;		/* of a number; csum: enum e2lazy_csum */
	enum e2lazy_witness origin;
	uint32_t	proofs;		/* blocks or transactions of the ring
					   that agree */
	uint32_t	against;	/* and that do not */
	bool		said;		/* the journal superblock's block on the
					   disk has @says in this field */
	uint64_t	says;
};

struct e2lazy_candidate {
	struct e2lazy_geometry geometry; /* for e2lazy_open_opts */
	struct e2lazy_log_run *runs;	/* for e2lazy_open_opts; NULL: not
					   needed, the inode leads there */
	size_t		nr_runs;
	struct e2lazy_fact facts[E2LAZY_NR_PARTS];
	errcode_t	super_error;	/* of the journal superblock on disk; 0:
					   it is sound, and names this log */
	bool		in_force;	/* it is sound and says the same */
	/* The transactions from the tail on, up to the newest one. */
	uint32_t	txns;
	uint32_t	proven;		/* of them, by checksums */
	uint32_t	first_tid, last_tid;
	uint64_t	first_sec, last_sec;
	bool		reaches_now;	/* the ring has nothing newer */
	struct e2lazy_ring_counts ring;
};

/* Search the whole device for logs without an inode. */
#define E2LAZY_SALVAGE_CARVE	0x01

struct e2lazy_salvage_opts {
	unsigned	flags;
	const struct e2lazy_parts *pieces;	/* may be NULL */
	const struct e2lazy_watch *watch; /* PHASE_CARVE, SURVEY, RING, TXNS */
};

struct e2lazy_salvage;

/* What a carving left out. */
struct e2lazy_carved {
	uint64_t	dropped;	/* places like a journal: only the 64
					   with the most control blocks are
					   searched for a log */
	uint64_t	failed;		/* guesses that an error ended */
	errcode_t	error;		/* the first of them, */
	struct e2lazy_where where;	/* and its place */
	uint64_t	searched;	/* guesses where a log's blocks may lie */
};

/*
 * e2lazy_salvage - find the geometry of a log that may not open any more
 * @device: as for e2lazy_open()
 * @opts:   may be NULL; with runs it looks there and nowhere else
 * @how:    may be NULL
 * @out:    on success, also without any candidate
 *
 * Reads every block of the journal once, and then scans the ring of each
 * candidate.  With CARVE, reads every block of the device first, and then does
 * so for each guess where the blocks of a log may lie; those of two places may
 * overlap.  Takes 16 bytes for each control block, and for a carving 8 KiB more.
 *
 * Errors are those of e2lazy_open() that concern the place of the log, for
 * example E2LAZY_ET_NO_JOURNAL without CARVE.  With CARVE, an error at one guess
 * does not end the search; only if no guess gives a candidate, the first error
 * is returned.
 */
errcode_t e2lazy_salvage(const char *device,
			 const struct e2lazy_open_opts *opts,
			 const struct e2lazy_salvage_opts *how,
			 struct e2lazy_salvage **out,
			 struct e2lazy_where *where);
/* The same for devices without a path: see e2lazy_open_medium(). */
errcode_t e2lazy_salvage_medium(const struct e2lazy_medium *fs,
				const struct e2lazy_medium *journal,
				const struct e2lazy_open_opts *opts,
				const struct e2lazy_salvage_opts *how,
				struct e2lazy_salvage **out,
				struct e2lazy_where *where);
void e2lazy_salvage_free(struct e2lazy_salvage *salvage);

/*
 * The device that was searched, also without any candidate: of its geometry
 * only fs_blocks and device_blocks, which may be fewer.
 */
const struct e2lazy_geometry *
e2lazy_salvage_device(const struct e2lazy_salvage *salvage);
/* Zeros without E2LAZY_SALVAGE_CARVE. */
const struct e2lazy_carved *
e2lazy_salvage_carved(const struct e2lazy_salvage *salvage);
/* Best first; valid until e2lazy_salvage_free(). */
size_t e2lazy_salvage_count(const struct e2lazy_salvage *salvage);
const struct e2lazy_candidate *
e2lazy_salvage_candidate(const struct e2lazy_salvage *salvage, size_t index);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_SALVAGE_H */
