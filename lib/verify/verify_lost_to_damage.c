/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_lost_to_damage.c - blocks that end up older because a log is damaged
 *
 * Recovery ends where the log breaks off, and a checkpoint does, too, unless
 * the map goes on behind the damage (E2LAZY_JMAP_BEHIND).  Before the user
 * consents, he must know the cost.
 */

#include <string.h>

#include "log/behind.h"
#include "log/revoke.h"
#include "map/damaged_tags.h"
#include "map/jmap.h"
#include "later.h"

struct lost {
	struct verify	*verify;
	struct records	said;		/* tags and revokes, in ring order */
	size_t		most;		/* thin @said out at this number */
	uint32_t	tid;		/* of the current block */
};

/* ------------------------------------------ the records of one block --- */

static const struct record *end_of(const struct lost *g, const struct record *r)
{
	const struct record *end = g->said.at + g->said.nr, *next = r + 1;

	while (next < end && record_fsblk(next) == record_fsblk(r))
		next++;
	return next;
}

/* The newest record with @flags. */
static const struct record *newest(const struct record *r,
				   const struct record *end, uint16_t flags)
{
	const struct record *found = NULL;

	for (; r < end; r++)
		if (r->flags == flags &&
		    (!found || !e2lazy_tid_after(found->tid, r->tid)))
			found = r;
	return found;
}

static bool is_live(const struct lost *g, blk64_t fsblk)
{
	struct e2lazy_copy live;

	return !e2lazy_jmap_lookup(g->verify->map, fsblk, &live);
}

/* The map goes on behind the damage, and has this copy. */
static bool is_taken(const struct lost *g, const struct record *r)
{
	struct e2lazy_copy live;

	return !e2lazy_jmap_lookup(g->verify->map, record_fsblk(r), &live) &&
	       live.logblk == r->logblk;
}

/*
 * The one record that decides about a block, or NULL.  A void copy does not
 * count, nor a revoke before a copy.  A revoke of a block without a live copy
 * counts only while copies of its own transaction may follow.
 */
static const struct record *deciding(const struct lost *g,
				     const struct record *r,
				     const struct record *end)
{
	const struct record *copy = newest(r, end, 0);
	const struct record *revoke = newest(r, end, RECORD_REVOKE);

	if (copy && !(revoke && revoke_voids(revoke->tid, copy->tid)))
		return copy;
	if (revoke && (!e2lazy_tid_after(g->tid, revoke->tid) ||
		       is_live(g, record_fsblk(r))))
		return revoke;
	return NULL;
}

/*
 * A log can revoke the same block again and again, so thin the records out:
 * memory then grows with the blocks, not with the records.
 */
#define MANY_RECORDS 65536

static errcode_t thin_out(struct lost *g)
{
	const struct record *r, *next, *end, *now;
	struct record *to;
	errcode_t err;

	if (g->said.nr < g->most)
		return 0;
	err = records_sort(&g->said);
	if (err)
		return err;
	to = g->said.at;
	for (r = to, end = to + g->said.nr; r < end; r = next) {
		next = end_of(g, r);
		now = deciding(g, r, next);
		if (now)
			*to++ = *now;
	}
	g->said.nr = to - g->said.at;
	g->most = 2 * g->said.nr + MANY_RECORDS;
	return 0;
}

/* --------------------------------------------------- behind the damage */

/* A checkpoint leaves the others out of an undamaged log, too. */
static bool has_place(const struct lost *g, blk64_t fsblk)
{
	return !jmap_is_outside(g->verify->map, fsblk) &&
	       fsblk < RECORD_FSBLK_END &&
	       !e2lazy_is_journal_block(g->verify->journal, fsblk);
}

static errcode_t say(struct lost *g, const struct e2lazy_event *ev)
{
	struct record r = { .logblk = ev->logblk, .tid = ev->tid };

	if (!has_place(g, ev->fsblk))
		return 0;
	if (ev->kind == E2LAZY_EV_REVOKE)
		r.flags = RECORD_REVOKE;
	record_set_fsblk(&r, ev->fsblk);
	return records_add(&g->said, &r);
}

#define EVENTS_PER_TICK 4096

/* Records are thinned out between control blocks. */
static errcode_t take_events(struct lost *g, struct behind *behind)
{
	const struct look *look = behind->look;
	size_t block = 0, events = 0;
	struct e2lazy_event ev;
	errcode_t err = 0;

	while (!err && behind_next(behind, &ev)) {
		if (behind->next != block)
			err = thin_out(g);
		block = behind->next;
		g->tid = ev.tid;
		if (!err)
			err = say(g, &ev);
		if (!err && events++ % EVENTS_PER_TICK == 0)
			err = verify_tick(g->verify, E2LAZY_PHASE_RING,
					  look->rest, look->rest);
	}
	return err;
}

/* ----------------------------------------------------------- reporting */

static void tell(struct lost *g, enum problem problem, const struct record *r)
{
	const struct e2lazy_copy at = {
		.fsblk = record_fsblk(r), .logblk = r->logblk, .tid = r->tid,
	};

	verify_found_copy(g->verify, problem, &at, 0);
}

/*
 * If a revoke is lost with the rest, the void copy goes home.  A newest copy
 * that is home already is not lost.
 */
static void tell_block(struct lost *g, const struct later *later,
		       const struct record *r, const struct record *end)
{
	const struct record *said = deciding(g, r, end);

	if (!said)
		return;
	if (said->flags == RECORD_REVOKE) {
		if (is_live(g, record_fsblk(said)))
			tell(g, PROBLEM_REVOKE_GIVEN_UP, said);
	} else if (is_taken(g, said)) {
		tell(g, PROBLEM_BEHIND_DAMAGE, said);
	} else if (!later_is_home(later, record_fsblk(said), said->logblk)) {
		tell(g, PROBLEM_GIVEN_UP, said);
	}
}

static errcode_t tell_blocks(struct lost *g, const struct later *later)
{
	const struct record *r, *next, *end;
	errcode_t err = records_sort(&g->said);

	if (err || !g->said.nr)
		return err;
	end = g->said.at + g->said.nr;
	for (r = g->said.at; r < end; r = next) {
		next = end_of(g, r);
		tell_block(g, later, r, next);
	}
	return 0;
}

static errcode_t judge(struct lost *g, struct behind *behind)
{
	struct later later = { .verify = g->verify };
	errcode_t err = later_read(&later, behind);

	behind_rewind(behind);
	if (!err)
		err = take_events(g, behind);
	if (!err)
		err = tell_blocks(g, &later);
	if (!err)
		err = later_compare(&later);
	later_free(&later);
	return err;
}

/* ------------------------------------------- tags of damaged descriptors */

/* A newer copy makes up for it; that of a bad tag is of an unknown block. */
static bool is_replaced(const struct verify *v, const struct damaged_tag *tag)
{
	struct e2lazy_copy live;

	return tag->sound && !e2lazy_jmap_lookup(v->map, tag->fsblk, &live) &&
	       e2lazy_tid_after(live.tid, tag->tid);
}

static bool is_taken_tag(const struct verify *v, const struct damaged_tag *tag)
{
	struct e2lazy_copy live;

	return tag->proven && !e2lazy_jmap_lookup(v->map, tag->fsblk, &live) &&
	       live.logblk == tag->logblk;
}

/*
 * Where the map does not go on behind the damage, its end gives up all of what
 * follows, and that is said.
 */
static void tell_tags(struct verify *v)
{
	const struct damaged_tags *tags = jmap_damaged_tags(v->map);

	if (v->end->reason != E2LAZY_END_BLOCK_CSUM && !jmap_is_joined(v->map))
		return;
	for (size_t i = 0; i < tags->nr; i++) {
		const struct damaged_tag *tag = &tags->at[i];
		const struct spot spot = {
			.has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID |
			       (tag->sound ? E2LAZY_AT_FSBLK : 0),
			.logblk = tag->logblk, .tid = tag->tid,
			.fsblk = tag->fsblk,
		};

		if (is_taken_tag(v, tag))
			verify_found(v, PROBLEM_TAG_RECOVERED, &spot, 0);
		else if (!tag->proven && !is_replaced(v, tag))
			verify_found(v, PROBLEM_TAG_LOST, &spot, 0);
	}
}

errcode_t verify_lost_to_damage(struct verify *v)
{
	struct lost g = { .verify = v, .most = MANY_RECORDS };
	struct behind behind;
	errcode_t err = behind_init(&behind, &v->proof.look, v->end);

	if (!err)
		err = judge(&g, &behind);
	behind_free(&behind);
	records_free(&g.said);
	if (!err)
		tell_tags(v);
	return err;
}
