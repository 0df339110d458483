/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target_relog.c - log copies again, also with writes that fail: the log has the
 * same content before, afterwards and in between
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

const bool fuzz_wants_words = false;
const bool fuzz_wants_paths = false;

/* Bits of the input's spare byte. */
#define ONLY_TAIL	0x01	/* some of the oldest transactions */
#define DROP_HOME	0x02

/* The live copies before. */
struct kept {
	uint8_t		*bytes;		/* a block each */
	blk64_t		*fsblks;
	size_t		count;
};

static bool keep(struct kept *k, const struct template *t,
		 const struct e2lazy_jmap *map)
{
	struct e2lazy_copy copy;
	size_t bad;

	k->count = e2lazy_jmap_count(map);
	k->bytes = malloc((k->count + 1) * t->bs);
	k->fsblks = calloc(k->count + 1, sizeof(*k->fsblks));
	if (!k->bytes || !k->fsblks)
		return false;
	for (size_t i = 0; i < k->count; i++) {
		e2lazy_jmap_get(map, i, &copy);
		k->fsblks[i] = copy.fsblk;
		must(!e2lazy_jmap_read(map, i, 1, k->bytes + i * t->bs, &bad));
	}
	return true;
}

/* Is the log sound, with no bad copy?  One that is in place is no question. */
static bool is_whole(const struct e2lazy_verdict *verdict)
{
	const struct e2lazy_finding *f;

	for (size_t i = 0; (f = e2lazy_verdict_finding(verdict, i)); i++)
		if (!strcmp(f->problem->id, "bad-copy-at-home"))
			return false;
	return e2lazy_verdict_is_sound(verdict);
}

/* The superblock's copy gets needs_recovery, so it may differ. */
static void compare(const struct kept *k, const struct template *t,
		    const struct e2lazy_jmap *map, bool dropped)
{
	uint8_t *block = malloc(t->bs);
	struct e2lazy_copy copy;
	size_t found = 0, bad;

	for (size_t i = 0; block && i < k->count; i++) {
		const uint8_t *was = k->bytes + i * t->bs;
		blk64_t b = k->fsblks[i];

		if (e2lazy_jmap_lookup(map, b, &copy)) {
			must(dropped && !memcmp(was, t->fs.bytes + b * t->bs,
						t->bs));
			continue;
		}
		must(!e2lazy_jmap_read(map, e2lazy_jmap_lower_bound(map, b), 1,
				       block, &bad));
		must(b == SUPERBLOCK_OFFSET / t->bs ||
		     !memcmp(was, block, t->bs));
		found++;
	}
	must(!block || found == e2lazy_jmap_count(map));
	free(block);
}

/* Like the next program that opens the device. */
static void look_again(struct template *t, const struct input *in,
		       const struct kept *k)
{
	struct e2lazy_journal *j = fuzz_open(t);
	struct e2lazy_jmap *map;

	must(j);
	map = fuzz_map(j, in, E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES);
	must(map);
	compare(k, t, map, in->spare & DROP_HOME);
	e2lazy_jmap_free(map);
	e2lazy_close(j);
}

static void log_again(struct template *t, const struct e2lazy_subject *s,
		      struct e2lazy_verdict *verdict, const struct input *in)
{
	const struct e2lazy_tail_want want = { E2LAZY_TAIL_TIDS,
					       1 + in->until % 4 };
	struct e2lazy_checkpoint_opts opts = {
		.flags = (in->flags & INPUT_MORE ? E2LAZY_CHECKPOINT_COMPARE :
						   0) |
			 (in->spare & DROP_HOME ? E2LAZY_RELOG_DROP_HOME : 0),
		.manager = device_io_manager,
	};
	const struct e2lazy_plan_opts plan_opts = { .flags = opts.flags };
	struct e2lazy_checkpoint_done done;
	struct e2lazy_where where;
	struct e2lazy_relog plan;
	struct e2lazy_tail tail;
	errcode_t err;

	must(!e2lazy_relog_plan(s, &plan_opts, &plan));
	must(plan.copies + plan.dropped <= e2lazy_jmap_count(s->map));
	must(!plan.fits || plan.copies + plan.dropped ==
			   e2lazy_jmap_count(s->map));
	if (in->spare & ONLY_TAIL) {
		must(!e2lazy_tail_find(s, &want, &tail));
		opts.tail = &tail;
	}
	device_watch(&t->fs);
	device_writes_left = in->flags & INPUT_UNTIL ? in->until + 2 :
			     UINT_MAX;
	err = e2lazy_relog(s->view, verdict, &opts, &done, &where);
	device_writes_left = 0;
	must(err || done.sealed);
	must(done.begun || !t->fs.nr_written);
	if (!is_whole(verdict))
		must(err && !t->fs.nr_written);
}

void fuzz_one(struct template *t, const struct input *in)
{
	struct kept kept = { .bytes = NULL };
	struct input all = *in;
	struct fuzz_look l;

	all.flags &= (uint8_t)~INPUT_UNTIL;
	/* A log that it must not touch may have bad copies. */
	if (fuzz_look(t, in, &l, NULL) && e2lazy_jmap_stats(l.map)->txns &&
	    (!is_whole(l.verdict) || keep(&kept, t, l.map)))
		log_again(t, &l.s, l.verdict, in);
	fuzz_shut(&l);
	if (kept.bytes)
		look_again(t, &all, &kept);
	free(kept.bytes);
	free(kept.fsblks);
	/* As a checkpoint, and a plan, a comparison and another look. */
	fuzz_bound(t, 20);
}
