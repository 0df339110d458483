/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rescue_states.c - the states that a device may be read in, and the best of them
 *
 * The log up to its end is the first state.  If that is sound, there is no
 * other: a state with more files would be an earlier one.  Otherwise the others
 * are: the log with the transactions that follow the place where it breaks off,
 * the log up to the transaction before each damage, the newest transactions of the
 * ring, the log as a search finds it, and the blocks in place alone.
 * What a checkpoint makes of bad copies is a mixture of several times: it has
 * files that no state has, and is never the best one.  The best one has the most files that verify; among equals, the first in this
 * order, which is from the newest to the oldest.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/raw_super.h"
#include "e2lazy_verify.h"
#include "rescue.h"
#include "restore.h"
#include "session/names.h"
#include "support/status.h"

/* States before a damage; with the first and the last, they are enough. */
#define MAX_BEFORE	6
#define MAX_HISTORIES	2
/* Blocks of the smallest journal. */
#define LEAST_JOURNAL	1024

static struct state *add_state(struct rescue *r, const struct source *source,
			       const char *name, const char *options)
{
	struct state *state = &r->states[r->nr_states];

	if (r->nr_states == MAX_STATES)
		return NULL;
	r->nr_states++;
	*state = (struct state){ .source = *source };
	snprintf(state->name, sizeof(state->name), "%s", name);
	snprintf(state->options, sizeof(state->options), "%s", options);
	return state;
}

/* ------------------------------------------------- around what is lost */

static bool use_geometry(struct source *source, const char *word)
{
	return word && !source->geometry.text && !source->open.geometry &&
	       geometry_parse(&source->geometry, word);
}

static bool is_unreadable(errcode_t err, const struct e2lazy_where *where)
{
	return err == EIO && where->has & E2LAZY_AT_LOGBLK;
}

/* Another way to open the device, after one has failed with @err. */
static struct state *next_way(struct rescue *r, const struct state *failed,
			      errcode_t err, const struct e2lazy_where *where)
{
	struct source source = failed->source;
	struct e2lazy_open_opts opts;
	const char *word = session_geometry_around(err);
	char options[STATE_TEXT];

	if (is_unreadable(err, where))
		word = "auto";
	if (use_geometry(&source, word)) {
		snprintf(options, sizeof(options), "--geometry %s", word);
		return add_state(r, &source, "salvaged", options);
	}
	if (!err || source.open.superblock ||
	    !session_find_backup(r->s, &opts))
		return NULL;
	source.open.superblock = opts.superblock;
	source.open.blocksize = opts.blocksize;
	snprintf(options, sizeof(options), "-b %llu -B %u",
		 (unsigned long long)opts.superblock, opts.blocksize);
	return add_state(r, &source, "backup", options);
}

/* The file system opens, and its journal does not. */
static bool is_about_journal(errcode_t err, const struct e2lazy_where *where)
{
	return err == E2LAZY_ET_NO_JOURNAL || err == E2LAZY_ET_EXT_UNKNOWN ||
	       e2lazy_problem_of(err) || is_unreadable(err, where);
}

/*
 * The first session that opens, of the last state.  *@in_place: none does, but
 * the blocks in place can be read.
 */
static struct session *open_any(struct rescue *r, bool *in_place)
{
	struct state *state = add_state(r, &r->s->source, "log", "");
	struct e2lazy_where where;
	struct session *s = NULL;
	errcode_t err;

	*in_place = false;
	while (state) {
		s = state_open(r, state, &err, &where);
		if (s || cancelled())
			break;
		*in_place |= is_about_journal(err, &where);
		r->sound = r->nr_states == 1 && err == E2LAZY_ET_NO_JOURNAL;
		state = next_way(r, state, err, &where);
	}
	return s;
}

/*
 * An empty log, somewhere: what is known of the real one does not matter, for
 * all blocks are read in place.
 */
static void add_in_place(struct rescue *r, const struct source *source,
			 unsigned blocksize)
{
	struct state *state = add_state(r, source, "in-place", "");
	struct e2lazy_open_opts *opts;

	if (!state)
		return;
	state->in_place = true;
	state->run = (struct e2lazy_log_run){
		.physblk = 1, .count = LEAST_JOURNAL,
	};
	state->empty = (struct e2lazy_geometry){
		.blocksize = blocksize, .version = 2, .maxlen = LEAST_JOURNAL,
		.first = 1, .end = LEAST_JOURNAL, .sequence = 1,
	};
	memset(&state->source.geometry, 0, sizeof(state->source.geometry));
	opts = &state->source.open;
	opts->journal = NULL;
	opts->geometry = &state->empty;
	opts->runs = &state->run;
	opts->nr_runs = 1;
}

/* ------------------------------------------------------------ a damage */

/* Ids of transactions with a grave finding, each once. */
struct bad_tids {
	const struct e2lazy_jmap *map;
	uint32_t	first, last;	/* of the log */
	uint32_t	at[MAX_BEFORE];	/* oldest first */
	unsigned	count;
};

static void put_tid(struct bad_tids *b, uint32_t tid)
{
	unsigned i = 0;

	while (i < b->count && e2lazy_tid_after(tid, b->at[i]))
		i++;
	if (i < b->count && b->at[i] == tid)
		return;
	/* The oldest one stays, and the newest. */
	if (b->count == MAX_BEFORE) {
		if (i < 2)
			i = i ? 1 : 0;
		else
			memmove(b->at + 1, b->at + 2, (--i - 1) * sizeof(tid));
	} else {
		memmove(b->at + i + 1, b->at + i,
			(b->count++ - i) * sizeof(tid));
	}
	b->at[i] = tid;
}

/*
 * The transaction of the newest copy of the block, or of the place: an older
 * copy may be named in place of a bad one.
 */
static bool tid_of(const struct bad_tids *b, const struct e2lazy_where *where,
		   uint32_t *tid)
{
	struct e2lazy_copy copy;

	*tid = where->tid;
	if (where->has & E2LAZY_AT_FSBLK &&
	    !e2lazy_jmap_lookup(b->map, where->fsblk, &copy)) {
		*tid = copy.tid;
		return true;
	}
	return where->has & E2LAZY_AT_TID;
}

static errcode_t note_bad(void *priv, const struct e2lazy_problem *problem,
			  errcode_t error, const struct e2lazy_where *where)
{
	struct bad_tids *b = priv;
	uint32_t tid;

	(void)error;
	if (problem->severity == E2LAZY_GRAVE && tid_of(b, where, &tid) &&
	    e2lazy_tid_after(tid, b->first) &&
	    !e2lazy_tid_after(tid, b->last))
		put_tid(b, tid);
	return 0;
}

static void add_before(struct rescue *r, const struct source *of,
		       const struct bad_tids *bad)
{
	char name[STATE_TEXT], options[STATE_TEXT];

	for (unsigned i = bad->count; i-- > 0;) {
		struct source source = *of;

		source.limits.until_set = true;
		source.limits.until = bad->at[i] - 1;
		snprintf(name, sizeof(name), "until-%u", bad->at[i] - 1);
		snprintf(options, sizeof(options), "--until-tid %u",
			 bad->at[i] - 1);
		add_state(r, &source, name, options);
	}
}

/* ------------------------------------------------------------ the list */

/* All of the log but what the damage hides, as where a checksum shows it. */
static void add_joined(struct rescue *r, const struct session *s,
		       const struct e2lazy_verdict *verdict)
{
	enum e2lazy_end_reason reason = s->log->end->reason;
	struct state *state;

	if (reason == E2LAZY_END_BLOCK_CSUM ||
	    (!s->log->end->error && !finding_of(verdict, "later-transactions")))
		return;
	state = add_state(r, &s->source, "joined", "");
	if (state)
		state->joined = true;
}

static void add_mixture(struct rescue *r, const struct source *of,
			const struct e2lazy_verdict *verdict)
{
	struct source source = *of;
	struct state *state;

	if (!finding_of(verdict, "older-copy") &&
	    !finding_of(verdict, "data-csum"))
		return;
	source.limits.behind = true;
	state = add_state(r, &source, "mixture", "--behind-damage");
	if (state)
		state->mixture = true;
}

/* The superblock leads past the newest transactions, or to none. */
static bool hides_ring(const struct e2lazy_verdict *verdict)
{
	return finding_of(verdict, "discarded-log") ||
	       finding_of(verdict, "tail-contradicted") ||
	       finding_of(verdict, "later-transactions");
}

static errcode_t judge(struct session *s, struct bad_tids *bad,
		       struct e2lazy_verdict **verdict)
{
	const struct e2lazy_watch watch = session_watch(s);
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT | E2LAZY_VERIFY_SUPERSEDED,
		.place = note_bad,
		.priv = bad, .watch = &watch,
	};
	struct e2lazy_subject subject;
	errcode_t err;

	if (!session_layout(s))
		return E2LAZY_ET_CANCELLED;
	subject = opened_subject(s->log);
	err = e2lazy_verify(&subject, &opts, verdict);
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	return err;
}

/* Those behind a damage, which the log does not reach; the newest first. */
static void add_histories(struct rescue *r, struct session *s,
			  const struct source *of)
{
	const struct e2lazy_ring *ring = session_ring(s);
	uint32_t count = ring ? e2lazy_ring_counts(ring)->histories : 0;
	char name[STATE_TEXT], options[STATE_TEXT];
	unsigned added = 0;

	for (uint32_t i = count; i-- > 0 && added < MAX_HISTORIES;) {
		struct source source = *of;
		struct e2lazy_history h;

		e2lazy_ring_history(ring, i, &h);
		if (h.is_log || (s->log->stats->txns &&
				 !e2lazy_tid_after(h.last_tid,
						   s->log->stats->last_tid)))
			continue;
		source.limits.history = i + 1;
		snprintf(name, sizeof(name), "history-%u", i + 1);
		snprintf(options, sizeof(options), "--history %u", i + 1);
		added += add_state(r, &source, name, options) != NULL;
	}
}

static void add_others(struct rescue *r, struct session *s,
		       const struct e2lazy_verdict *verdict,
		       const struct bad_tids *bad)
{
	const struct source *of = &s->source;
	struct source source = *of;
	bool searched = of->open.geometry;

	add_joined(r, s, verdict);
	if (hides_ring(verdict)) {
		if (use_geometry(&source, "auto"))
			add_state(r, &source, "salvaged", "--geometry auto");
		source = *of;
		source.limits.ring = true;
		add_state(r, &source, "ring", "--ring");
		add_histories(r, s, of);
	}
	add_mixture(r, of, verdict);
	add_before(r, of, bad);
	if (searched || s->log->geo->start)
		add_in_place(r, of, s->log->geo->blocksize);
}

static bool list_states(struct rescue *r, struct session *s)
{
	struct bad_tids bad = {
		.map = s->log->map, .first = opened_first_tid(s->log),
		.last = s->log->stats->last_tid,
	};
	struct e2lazy_verdict *verdict = NULL;
	errcode_t err = judge(s, &bad, &verdict);

	if (err) {
		if (err != E2LAZY_ET_CANCELLED)
			session_fail(s, err, NULL);
		return false;
	}
	r->sound = e2lazy_verdict_status(verdict) < E2LAZY_DAMAGED &&
		   !hides_ring(verdict) && r->nr_states == 1;
	if (!r->sound)
		add_others(r, s, verdict, &bad);
	e2lazy_verdict_free(verdict);
	return true;
}

static unsigned block_size(const struct rescue *r, const struct source *source)
{
	struct ext2_super_block sb;

	if (source->open.blocksize)
		return source->open.blocksize;
	return raw_super_read(r->s->operands[0], source->open.offset, &sb) &&
	       sb.s_log_block_size <= 6 ? 1024U << sb.s_log_block_size : 0;
}

/* Without any log the blocks in place are all there is. */
static void list_in_place(struct rescue *r)
{
	const struct source *source = &r->states[r->nr_states - 1].source;

	add_in_place(r, source, block_size(r, source));
}

/* -------------------------------------------------------------- the best */

/* Copies that follow a damage are later than the last transaction before it. */
static uint32_t last_tid(const struct opened *log)
{
	size_t count = e2lazy_jmap_count(log->map);
	uint32_t last = log->stats->last_tid;
	struct e2lazy_copy copy;

	for (size_t i = 0; i < count; i++) {
		e2lazy_jmap_get(log->map, i, &copy);
		if (e2lazy_tid_after(copy.tid, last))
			last = copy.tid;
	}
	return last;
}

static void take_facts(struct state *state, struct session *s)
{
	const struct e2lazy_map_stats *stats = s->log->stats;
	errcode_t err = assess(s, state->in_place, &state->assessed);

	state->readable = !err;
	state->has_tid = stats->txns;
	state->last_tid = last_tid(s->log);
	state->blocksize = s->log->geo->blocksize;
	if (err && err != E2LAZY_ET_CANCELLED)
		session_fail(s, err, NULL);
}

static void assess_state(struct rescue *r, struct state *state)
{
	struct e2lazy_where where;
	errcode_t err;
	struct session *s = state_open(r, state, &err, &where);

	if (!s)
		return;
	take_facts(state, s);
	state_close(r, s);
}

static void choose(struct rescue *r)
{
	for (unsigned i = 0; i < r->nr_states; i++) {
		struct state *state = &r->states[i];

		if (state->readable && !state->mixture &&
		    (!r->best ||
		     state->assessed.good > r->best->assessed.good))
			r->best = state;
	}
}

static bool begin(struct rescue *r, struct session *s)
{
	struct state *state = &r->states[r->nr_states - 1];
	bool frozen;

	if (!target_is_apart(s, r->to, r->to_fd, &frozen) ||
	    !target_is_of(r, s) ||
	    !list_states(r, s))
		return false;
	take_facts(state, s);
	return !cancelled();
}

bool states_find(struct rescue *r)
{
	bool begun = true, in_place;
	struct session *s = open_any(r, &in_place);
	unsigned known;

	known = r->nr_states;
	if (s) {
		begun = begin(r, s);
		state_close(r, s);
	} else if (in_place) {
		list_in_place(r);
	}
	for (unsigned i = known; begun && i < r->nr_states && !cancelled();
	     i++)
		assess_state(r, &r->states[i]);
	choose(r);
	return begun && r->best && !cancelled();
}
