/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * schedule.h - in what order live copies are read, and written back
 *
 * What goes to neighbouring blocks is written together once all of it has been
 * read, and so much is held back that the writes ascend through the whole
 * device.  The log is read from its first live copy to its last, once.  Where
 * the memory does not hold enough for one pass over the device, either what
 * comes too late for a pass waits for the next, or the log is read once for
 * each stretch of static blocks that does fit: whichever is cheaper.  It
 * depends on the map, the memory and what is kept in it alone, so what a plan
 * says is what a checkpoint does.
 */
#ifndef E2LAZY_SCHEDULE_H
#define E2LAZY_SCHEDULE_H

#include "e2lazy_mend.h"
#include "io/read_list.h"
#include "view/copies.h"

#define WRITE_BYTES	(512 << 10)	/* of static blocks, in one request */

/* What is known of a mapping. */
enum slot_state {
	SLOT_SKIP,		/* stays as it is, or is not for this */
	SLOT_WANTED,
	SLOT_HELD,		/* its copy has been read */
	SLOT_DONE,		/* given out to be written */
	SLOT_FAILED,
};

/* Neighbours in place, at most most_written. */
struct request {
	uint32_t	first;		/* slot */
	uint32_t	count;
	uint32_t	missing;	/* copies not read yet */
	uint32_t	queued;		/* it is in the heap */
};

struct schedule {
	const struct e2lazy_jmap *map;
	size_t		slots;		/* slot n is mapping n */
	uint8_t		*states;	/* enum slot_state */
	const struct cache *kept;	/* or NULL */
	const struct records *older;	/* or NULL */
	struct want	*list;		/* in log order, in each reading */
	struct read_list	wants;		/* it */
	struct request	*requests;	/* ascending in place */
	size_t		nr_requests;
	uint32_t	most_written;	/* blocks of a write */
	size_t		room;		/* copies that can be held at once */
	size_t		window;		/* of them so many wait for others */
	size_t		skipped;

	/* Where it stands. */
	size_t		next_want, read_from;
	unsigned	readings;	/* of the log, this one included */
	size_t		held;
	uint64_t	*heap;		/* pass << 32 | request, least first */
	size_t		nr_heap;
	uint32_t	cursor;		/* request written last */
	uint32_t	slot, slots_end;	/* of it, still to be written */
	unsigned	pass;		/* 0 before the first write */
	bool		parts;		/* requests had to be taken apart */
};

enum schedule_kind { SCHEDULE_READ, SCHEDULE_WRITE, SCHEDULE_END };

struct step {
	enum schedule_kind kind;
	/* READ: copies, with what lies between them at most wants.most */
	const struct want *from, *to;
	/* WRITE: SLOT_HELD, and neighbours in place */
	uint32_t	slot, count;
};

typedef bool (*skip_copy)(void *priv, const struct e2lazy_copy *copy);

/* All of @map but @super, the superblock's block, and what @skip says. */
struct schedule_opts {
	const struct e2lazy_jmap *map;
	unsigned	blocksize;
	uint64_t	memory;		/* bytes */
	blk64_t		super;
	const struct cache *kept;	/* copies that are not read; may be NULL */
	const struct records *older;	/* see struct copies; may be NULL */
	skip_copy	skip;		/* may be NULL */
	void		*priv;
};

/*
 * Takes about 40 bytes a mapping at the most.  These, and what reader and
 * writer need, count as part of the memory, of which three quarters at the most
 * go to them.  What is kept already does not count.
 */
errcode_t schedule_init(struct schedule *s, const struct schedule_opts *opts);
void schedule_free(struct schedule *s);

/*
 * What comes next.  After a READ the caller sets the state of each copy to
 * SLOT_HELD or SLOT_FAILED, before it asks again.  Blocks that were given out
 * to be written are not held any more.
 */
void schedule_next(struct schedule *s, struct step *step);

/*
 * How many blocks from @slot's on are neighbours in place and in the schedule,
 * at most most_written; 0: that one is not.  Whatever has been done of it.
 */
uint32_t schedule_neighbours(const struct schedule *s, uint32_t slot);

/* So far, through the log or over the device: whichever are more. */
unsigned schedule_passes(const struct schedule *s);

/*
 * schedule_next() for who only wants to know, and for whom every copy is read.
 * False at the end.
 */
bool schedule_dry(struct schedule *s, struct step *step);

#endif
