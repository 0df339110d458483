/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* feed.c - the transactions of a log that a kernel is writing, one by one */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "feed.h"
#include "io/grow.h"

/* Tries of a transaction whose blocks do not fit: some seconds of polls. */
#define MOST_TRIES	24

/* Between two reads of a journal superblock that a kernel may be writing. */
#define TORN_NSEC	10000000

/* Several requests for what stands in one piece. */
#define MOST_AT_ONCE	256

/*
 * A kernel commits a quarter of its log at most, and far less in practice; a hostile
 * log may be one transaction.
 */
#define MOST_BYTES	(512 << 20)

errcode_t feed_init(struct feed *f, struct e2lazy_journal *journal)
{
	memset(f, 0, sizeof(*f));
	f->journal = journal;
	f->most_bytes = MOST_BYTES;
	return ext2fs_get_memalign(journal->geo.blocksize, 4096, &f->block);
}

void feed_free(struct feed *f)
{
	ext2fs_free_mem(&f->block);
}

void feed_txn_free(struct feed_txn *t)
{
	if (!t)
		return;
	free(t->copies);
	free(t->revoked);
	ext2fs_free_mem(&t->bytes);
	free(t);
}

size_t feed_txn_blocks(const struct feed *f, const struct feed_txn *t)
{
	return t->nr + t->nr_revoked * sizeof(*t->revoked) /
	       f->journal->geo.blocksize + 1;
}

static int by_fsblk(const void *a, const void *b)
{
	const struct feed_copy *x = a, *y = b;

	return (x->fsblk > y->fsblk) - (x->fsblk < y->fsblk);
}

static int by_logblk(const void *a, const void *b)
{
	const struct feed_copy *x = a, *y = b;

	return (x->logblk > y->logblk) - (x->logblk < y->logblk);
}

const struct feed_copy *feed_txn_find(const struct feed_txn *t, blk64_t fsblk)
{
	const struct feed_copy key = { .fsblk = fsblk };

	return t->nr ? bsearch(&key, t->copies, t->nr, sizeof(key), by_fsblk) :
		       NULL;
}

/* -------------------------------------------------------------- one walk */

static errcode_t add_copy(struct feed_txn *t, const struct e2lazy_event *ev)
{
	struct feed_copy *at;

	if (ev->flags & (E2LAZY_COPY_OUTSIDE | E2LAZY_COPY_IN_JOURNAL))
		return 0;
	at = grow(t->copies, t->nr, &t->room, sizeof(*at));
	if (!at)
		return EXT2_ET_NO_MEMORY;
	t->copies = at;
	at[t->nr++] = (struct feed_copy){
		.fsblk = ev->fsblk, .logblk = ev->logblk, .csum = ev->csum,
		.flags = ev->flags,
	};
	return 0;
}

static errcode_t add_revoke(struct feed_txn *t, blk64_t fsblk)
{
	blk64_t *at = grow(t->revoked, t->nr_revoked, &t->revoked_room,
			   sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	t->revoked = at;
	at[t->nr_revoked++] = fsblk;
	return 0;
}

static void set_committed(struct feed_txn *t, const struct e2lazy_txn *txn)
{
	t->tid = txn->tid;
	t->start = txn->start;
	t->end = txn->end;
	t->sec = txn->sec;
	t->nsec = txn->nsec;
}

/* Another copy or revoke, if there is room for it. */
static errcode_t add_event(const struct feed *f, struct feed_txn *t,
			   const struct e2lazy_event *ev)
{
	uint64_t bytes = (uint64_t)t->nr * f->journal->geo.blocksize +
			 (uint64_t)t->nr_revoked * sizeof(*t->revoked);

	if (ev->kind != E2LAZY_EV_TAG && ev->kind != E2LAZY_EV_REVOKE)
		return 0;
	t->too_large |= bytes >= f->most_bytes;
	if (t->too_large)
		return 0;
	return ev->kind == E2LAZY_EV_TAG ? add_copy(t, ev) :
					   add_revoke(t, ev->fsblk);
}

/*
 * The control blocks of transaction @tid at @logblk; *@whole: committed.  What it
 * has is left out unless @keep.
 */
static errcode_t walk_txn(const struct feed *f, uint32_t logblk, uint32_t tid,
			  struct feed_txn *t, bool keep, bool *whole)
{
	const struct e2lazy_range range = { .start = logblk, .tid = tid };
	struct e2lazy_event ev = { .kind = E2LAZY_EV_TAG };
	struct e2lazy_walk *walk;
	errcode_t err = e2lazy_walk_open(f->journal, &range, E2LAZY_WALK_UNTIL,
					 tid, &walk);

	*whole = false;
	if (err)
		return err;
	while (!err && !*whole && ev.kind != E2LAZY_EV_END) {
		e2lazy_walk_next(walk, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT)
			*whole = true;
		else if (keep)
			err = add_event(f, t, &ev);
	}
	if (*whole)
		set_committed(t, ev.txn);
	e2lazy_walk_close(walk);
	return err;
}

/* ------------------------------------------------------------ its blocks */

static uint32_t count_neighbours(const struct feed_txn *t, size_t from)
{
	uint32_t n = 1;

	while (from + n < t->nr && n < MOST_AT_ONCE &&
	       t->copies[from + n].logblk == t->copies[from].logblk + n)
		n++;
	return n;
}

static bool is_sound(const struct e2lazy_journal *j, const struct feed_txn *t,
		     const struct feed_copy *c)
{
	return j->geo.csum < E2LAZY_CSUM_V2 ||
	       csum_copy_good(&j->csum, t->tid, c->bytes, c->csum);
}

/* Read all copies; *@sound: their checksums are right, if they have any. */
static errcode_t read_copies(struct e2lazy_journal *j, struct feed_txn *t,
			     bool *sound)
{
	size_t size = j->geo.blocksize, bytes;
	errcode_t err;
	uint32_t n;

	*sound = true;
	if (!t->nr)
		return 0;
	if (__builtin_mul_overflow(t->nr, size, &bytes))
		return EXT2_ET_NO_MEMORY;
	err = ext2fs_get_memalign(bytes, 4096, &t->bytes);
	qsort(t->copies, t->nr, sizeof(*t->copies), by_logblk);
	for (size_t i = 0; !err && i < t->nr; i += n) {
		n = count_neighbours(t, i);
		err = e2lazy_read_log(j, t->copies[i].logblk, n,
				      t->bytes + i * size);
	}
	*sound = !err;
	for (size_t i = 0; *sound && i < t->nr; i++) {
		t->copies[i].bytes = t->bytes + i * size;
		*sound = is_sound(j, t, &t->copies[i]);
		unescape(t->copies[i].bytes, t->copies[i].flags);
	}
	qsort(t->copies, t->nr, sizeof(*t->copies), by_fsblk);
	return err;
}

static errcode_t sum_block(struct feed *f, uint32_t logblk, uint32_t *sum,
			   struct jbd2_header *h, bool *has)
{
	errcode_t err = e2lazy_read_log(f->journal, logblk, 1, f->block);

	*has = !err && jbd2_get_header(f->block, h);
	*sum = f->journal->csum.crc(~0U, f->block, f->journal->geo.blocksize);
	return err;
}

/* Are its first block and its commit block as they were? */
static errcode_t is_in_place(struct feed *f, const struct feed_txn *t,
			     bool *same)
{
	struct jbd2_header h;
	uint32_t sum;
	errcode_t err = sum_block(f, t->start, &sum, &h, same);

	*same = *same && h.tid == t->tid;
	if (err || !*same)
		return err;
	err = sum_block(f, t->end, &sum, &h, same);
	*same = *same && sum == t->sum;
	return err;
}

/* Was nothing of it overwritten while it was read?  See feed.h. */
static errcode_t is_valid(struct feed *f, const struct feed_txn *t,
			  bool *valid)
{
	struct e2lazy_journal *j = f->journal;
	errcode_t err = journal_read_again(j);

	if (err)
		return err;
	*valid = j->geo.start && !e2lazy_tid_after(j->geo.sequence, t->tid);
	if (*valid || (j->geo.start && j->geo.csum < E2LAZY_CSUM_V2))
		return 0;
	return is_in_place(f, t, valid);
}

static errcode_t read_at(struct feed *f, uint32_t logblk, uint32_t tid,
			 struct feed_txn *t, bool *whole, bool *good)
{
	struct jbd2_header h;
	errcode_t err = walk_txn(f, logblk, tid, t, true, whole);
	bool has;

	*good = false;
	if (err || !*whole || t->too_large)
		return err;
	err = sum_block(f, t->end, &t->sum, &h, &has);
	if (!err)
		err = read_copies(f->journal, t, good);
	return !err && *good ? is_valid(f, t, good) : err;
}

/* --------------------------------------------------------------- the head */

static uint32_t behind(const struct feed *f, uint32_t logblk)
{
	return ring_next(&f->journal->geo, logblk);
}

static void go_behind(struct feed *f, const struct feed_txn *t)
{
	f->at = (struct feed_place){ t->tid, t->end, t->sum };
	f->next = behind(f, t->end);
	f->tries = 0;
}

static errcode_t hop(struct feed *f, bool *hopped)
{
	struct jbd2_header h;
	struct feed_txn *t = calloc(1, sizeof(*t));
	errcode_t err;

	if (!t)
		return EXT2_ET_NO_MEMORY;
	err = walk_txn(f, f->next, f->at.tid + 1, t, false, hopped);
	if (!err && *hopped)
		err = sum_block(f, t->end, &t->sum, &h, hopped);
	if (!err && *hopped)
		go_behind(f, t);
	feed_txn_free(t);
	return err;
}

/* Where an empty log ends is known only if the kernel has noted it. */
static void begin_at_tail(struct feed *f)
{
	const struct e2lazy_geometry *g = &f->journal->geo;

	f->at = (struct feed_place){ .tid = g->sequence - 1 };
	f->next = g->start;
	f->tries = 0;
}

/* A seek has nobody who comes again. */
static errcode_t read_super(struct feed *f)
{
	const struct timespec pause = { .tv_nsec = TORN_NSEC };
	errcode_t err = journal_read_again(f->journal);

	for (unsigned i = 0; err == E2LAZY_ET_JSB_CSUM && i < MOST_TRIES; i++) {
		nanosleep(&pause, NULL);
		err = journal_read_again(f->journal);
	}
	return err;
}

errcode_t feed_seek_head(struct feed *f)
{
	errcode_t err = read_super(f);
	bool hopped = true;

	begin_at_tail(f);
	while (!err && f->next && hopped)
		err = hop(f, &hopped);
	return err;
}

/* A place in an empty log: nothing was committed since. */
static void seek_empty(struct feed *f, uint32_t tid, bool *found)
{
	uint32_t sequence = f->journal->geo.sequence;

	*found = sequence == tid + 1 || tid_follows_mount(sequence, tid);
	if (*found)
		begin_at_tail(f);
}

errcode_t feed_seek(struct feed *f, const struct feed_place *place,
		    bool *found)
{
	struct jbd2_header h;
	errcode_t err = read_super(f);
	uint32_t sum;

	*found = false;
	f->at = *place;
	f->tries = 0;
	f->next = 0;
	if (!err && !place->logblk)
		seek_empty(f, place->tid, found);
	if (err || !place->logblk ||
	    place->logblk < f->journal->geo.first ||
	    place->logblk >= lap_longest(&f->journal->geo).end)
		return err;
	err = sum_block(f, place->logblk, &sum, &h, found);
	*found = !err && *found && h.type == JBD2_COMMIT &&
		 h.tid == place->tid && sum == place->sum;
	f->next = behind(f, place->logblk);
	return err;
}

/* -------------------------------------------------------- the next one */

/*
 * A mount leaves out an id or two, and Linux since 6.4 goes on behind the last
 * commit block: see tid_follows_mount().  No lap can put these ids there, for the
 * one before them would begin at that block.
 */
static errcode_t read_after_mount(struct feed *f, struct feed_txn *t,
				  bool *good)
{
	uint32_t tid = f->at.tid + 2, last = tid + MOST_TIDS_LEFT_OUT;
	errcode_t err = 0;
	bool whole;

	for (*good = false; !err && !*good && tid != last; tid++) {
		t->nr = t->nr_revoked = 0;
		t->too_large = false;
		ext2fs_free_mem(&t->bytes);
		err = read_at(f, f->next, tid, t, &whole, good);
	}
	return err;
}

/* Nothing is at the expected place: has the kernel passed it? */
static errcode_t judge_absence(struct feed *f, struct feed_txn *t,
			       enum feed_state *state)
{
	const struct e2lazy_geometry *g = &f->journal->geo;
	errcode_t err = journal_read_again(f->journal);
	bool good = false;

	*state = FEED_NOTHING;
	if (err || !e2lazy_tid_after(g->sequence, f->at.tid + 1)) {
		/* The log may begin anew elsewhere, with the same id. */
		if (!err && g->start && g->sequence == f->at.tid + 1)
			f->next = g->start;
		return err;
	}
	if (!g->start && tid_follows_mount(g->sequence, f->at.tid)) {
		f->next = 0;		/* emptied, and an id left out */
		return 0;
	}
	err = read_after_mount(f, t, &good);
	if (!err)
		*state = good ? FEED_TXN : FEED_LOST;
	return err;
}

/* Its blocks do not fit: they are on their way, were overwritten, or damaged. */
static errcode_t judge_misfit(struct feed *f, enum feed_state *state)
{
	struct e2lazy_journal *j = f->journal;
	errcode_t err = journal_read_again(j);
	bool passed = j->geo.start &&
		      e2lazy_tid_after(j->geo.sequence, f->at.tid + 1);

	*state = !err && (passed || ++f->tries > MOST_TRIES) ? FEED_LOST :
							       FEED_NOTHING;
	return err;
}

/*
 * Without a known place the log has been empty: wait for its tail.  Nothing was
 * committed since, if the tail has the next id, or one that a mount leads to.
 */
static errcode_t find_place(struct feed *f, enum feed_state *state)
{
	const struct e2lazy_geometry *g = &f->journal->geo;
	errcode_t err = journal_read_again(f->journal);

	if (err || !g->start)
		return err;
	if (g->sequence == f->at.tid + 1 ||
	    tid_follows_mount(g->sequence, f->at.tid))
		begin_at_tail(f);
	else
		*state = FEED_LOST;
	return 0;
}

static errcode_t read_next(struct feed *f, enum feed_state *state,
			   struct feed_txn *t)
{
	bool whole = false, good = false;
	errcode_t err = 0;

	*state = FEED_NOTHING;
	if (!f->next)
		err = find_place(f, state);
	if (err || !f->next)
		return err;
	if (f->next >= f->journal->geo.end && f->journal->geo.start)
		f->next = f->journal->geo.first;
	err = read_at(f, f->next, f->at.tid + 1, t, &whole, &good);
	if (err)
		return err;
	if (good)
		*state = FEED_TXN;
	else if (whole && t->too_large)
		*state = FEED_LOST;
	else
		err = whole ? judge_misfit(f, state) :
			      judge_absence(f, t, state);
	if (!err && *state == FEED_TXN)
		go_behind(f, t);
	return err;
}

/*
 * A read of the journal superblock does not wait for a kernel that is writing it.
 * The next look finds it whole, unless it is damaged.
 */
static bool is_torn(struct feed *f, errcode_t err)
{
	if (err == E2LAZY_ET_JSB_CSUM)
		return f->torn++ < MOST_TRIES;
	f->torn = 0;
	return false;
}

errcode_t feed_read(struct feed *f, enum feed_state *state,
		    struct feed_txn **txn)
{
	struct feed_txn *t = calloc(1, sizeof(*t));
	errcode_t err;

	*txn = NULL;
	if (!t)
		return EXT2_ET_NO_MEMORY;
	err = read_next(f, state, t);
	if (is_torn(f, err)) {
		*state = FEED_NOTHING;
		err = 0;
	}
	if (!err && *state == FEED_TXN)
		*txn = t;
	else
		feed_txn_free(t);
	return err;
}
