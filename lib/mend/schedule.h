/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * schedule.h - the order in which live copies are read and written back
 *
 * The schedule writes neighbouring blocks together once all their copies are
 * read, and holds enough copies back to make the writes ascend through the
 * device.  It reads the log once, from the first live copy to the last.  If the
 * memory is too small for one pass over the device, late copies wait for the
 * next pass, or the schedule reads the log once for each stretch of static
 * blocks that fits, whichever is cheaper.  It depends only on the map, the
 * memory and the cache, so a checkpoint does exactly what its plan says.
 */
#ifndef E2LAZY_SCHEDULE_H
#define E2LAZY_SCHEDULE_H

#include "e2lazy_mend.h"
#include "io/read_list.h"
#include "view/copies.h"

#define WRITE_BYTES	(512 << 10)	/* most bytes of a write request */

/* The state of a mapping. */
enum slot_state {
	SLOT_SKIP,		/* left out */
	SLOT_WANTED,
	SLOT_HELD,		/* its copy is in memory */
	SLOT_DONE,		/* given out to be written */
	SLOT_FAILED,
};

/* A run of neighbours in place, at most most_written. */
struct request {
	uint32_t	first;		/* slot */
	uint32_t	count;
	uint32_t	missing;	/* copies not read yet */
	uint32_t	queued;		/* in the heap */
};

struct schedule {
	const struct e2lazy_jmap *map;
	size_t		slots;		/* slot n is mapping n */
	uint8_t		*states;	/* enum slot_state */
	const struct cache *kept;	/* or NULL */
	const struct records *older;	/* or NULL */
	struct want	*list;		/* in log order within each reading */
	struct read_list	wants;		/* @list */
	struct request	*requests;	/* ascending by static block */
	size_t		nr_requests;
	uint32_t	most_written;	/* blocks of a write */
	size_t		write_room;	/* bytes in flight: 24 of the largest
					   writes */
	size_t		room;		/* copies that fit the memory */
	size_t		window;		/* copies that may wait for the rest of
					   their request, at most */
	size_t		skipped;

	/* The state of the run. */
	size_t		next_want, read_from;
	unsigned	readings;	/* of the log so far, with this one */
	size_t		held;
	uint64_t	*heap;		/* pass << 32 | request, least first */
	size_t		nr_heap;
	uint32_t	cursor;		/* request written last */
	uint32_t	slot, slots_end;	/* rest of that request */
	unsigned	pass;		/* 0 before the first write */
	bool		parts;		/* requests are taken apart */
};

enum schedule_kind { SCHEDULE_READ, SCHEDULE_WRITE, SCHEDULE_END };

struct step {
	enum schedule_kind kind;
	/* READ: copies; with the gaps between, at most wants.most blocks */
	const struct want *from, *to;
	/* WRITE: neighbours in place, each SLOT_HELD */
	uint32_t	slot, count;
};

typedef bool (*skip_copy)(void *priv, uint32_t slot,
			  const struct e2lazy_copy *copy);

/* All of @map, except block @super and the copies for which @skip is true. */
struct schedule_opts {
	const struct e2lazy_jmap *map;
	unsigned	blocksize;
	uint64_t	memory;		/* bytes */
	blk64_t		super;
	const struct cache *kept;	/* copies in memory, or NULL */
	const struct records *older;	/* see struct copies; or NULL */
	skip_copy	skip;		/* may be NULL */
	void		*priv;
};

/*
 * Takes at most about 40 bytes a mapping.  These, and the buffers of reader and
 * writer, count as part of @opts->memory, and get three quarters of it at most.
 * The cache does not count.  Call schedule_free() even after an error.
 */
errcode_t schedule_init(struct schedule *s, const struct schedule_opts *opts);
void schedule_free(struct schedule *s);

/*
 * The next step.  After a READ the caller sets the state of each copy to
 * SLOT_HELD or SLOT_FAILED before the next call.  Blocks of a WRITE step are no
 * longer held.
 */
void schedule_next(struct schedule *s, struct step *step);

/*
 * Number of slots from @slot on that are neighbours in place and in the
 * schedule, at most most_written; 0 if @slot is left out.  The progress of the
 * schedule does not matter.
 */
uint32_t schedule_neighbours(const struct schedule *s, uint32_t slot);

/* Passes so far: readings of the log or passes over the device, the larger. */
unsigned schedule_passes(const struct schedule *s);

/*
 * schedule_next() for a dry run: every read succeeds.  False at the end.
 */
bool schedule_dry(struct schedule *s, struct step *step);

#endif
