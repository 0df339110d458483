/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target_checkpoint.c - write a log back: afterwards each static block equals
 * the block seen through the log before
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

const bool fuzz_wants_words = false;
const bool fuzz_wants_paths = false;

/* The content that a checkpoint must write: the view's. */
struct seen {
	uint8_t		*bytes;		/* a block each */
	struct seen_block {
		blk64_t	fsblk;
		bool	bad;		/* a copy that cannot be shown */
	}		*blocks;	/* ascending */
	size_t		count;
};

/* The block as the view shows it, or the older copy that replaces it. */
static errcode_t see_copy(uint8_t *to, const struct template *t,
			  const struct e2lazy_subject *s,
			  const struct e2lazy_verdict *verdict,
			  const struct e2lazy_copy *copy)
{
	struct e2lazy_copy older;
	struct e2lazy_where where;
	errcode_t err;

	err = e2lazy_view_read(s->view, E2LAZY_FILE_SYSTEM,
			       copy->fsblk * t->bs, t->bs, to, &where);
	must(!e2lazy_verdict_stand_in(verdict, copy, &older) ||
	     (err && older.tid != copy->tid));
	if (err && e2lazy_verdict_stand_in(verdict, copy, &older))
		err = e2lazy_read_copy(s->journal, older.logblk, older.flags,
				       to);
	return err;
}

static bool see(struct seen *seen, const struct template *t,
		const struct e2lazy_subject *s,
		const struct e2lazy_verdict *verdict)
{
	size_t live = e2lazy_jmap_count(s->map);
	struct e2lazy_copy copy;

	seen->count = 0;
	seen->bytes = malloc((live + 1) * t->bs);
	seen->blocks = calloc(live + 1, sizeof(*seen->blocks));
	if (!seen->bytes || !seen->blocks)
		return false;
	for (size_t i = 0; i < live; i++) {
		struct seen_block *block = &seen->blocks[seen->count];

		e2lazy_jmap_get(s->map, i, &copy);
		if (copy.fsblk >= t->fs.size / t->bs ||
		    e2lazy_verdict_leaves_out(verdict, &copy))
			continue;
		block->fsblk = copy.fsblk;
		block->bad = see_copy(seen->bytes + seen->count * t->bs, t, s,
				      verdict, &copy);
		seen->count++;
	}
	return true;
}

static bool is_seen(const struct seen *seen, blk64_t fsblk)
{
	for (size_t i = 0; i < seen->count; i++)
		if (seen->blocks[i].fsblk == fsblk)
			return true;
	return false;
}

/*
 * The superblock and the log are left out.  A block that no channel has written
 * keeps its content.
 */
static void compare(const struct seen *seen, const struct template *t,
		    struct e2lazy_journal *j)
{
	blk64_t super = SUPERBLOCK_OFFSET / t->bs;

	for (size_t i = 0; i < seen->count; i++) {
		blk64_t b = seen->blocks[i].fsblk;

		if (b == super)
			continue;
		must(!seen->blocks[i].bad);
		must(!memcmp(seen->bytes + i * t->bs, t->fs.bytes + b * t->bs,
			     t->bs));
	}
	for (uint32_t i = 0; i < t->fs.nr_written; i++) {
		blk64_t b = t->fs.written[i];

		if (b == super || e2lazy_is_journal_block(j, b) ||
		    is_seen(seen, b))
			continue;
		must(!memcmp(t->fs.before + (size_t)i * t->bs,
			     t->fs.bytes + b * t->bs, t->bs));
	}
}

/* With every question open, nothing is written. */
static void must_refuse(const struct e2lazy_subject *s,
			struct e2lazy_verdict *verdict,
			const struct e2lazy_checkpoint_opts *opts)
{
	struct e2lazy_checkpoint_done done;
	struct e2lazy_where where;

	must(e2lazy_checkpoint(s->view, NULL, opts, &done, &where) ==
	     E2LAZY_ET_NO_VERDICT);
	must(e2lazy_checkpoint(s->view, verdict, opts, &done, &where) ==
	     E2LAZY_ET_CONSENT);
	must(!done.begun);
}

static void write_back(struct template *t, const struct e2lazy_subject *s,
		       struct e2lazy_verdict *verdict, const struct input *in)
{
	struct e2lazy_checkpoint_opts opts = {
		.flags = in->flags & INPUT_MORE ? E2LAZY_CHECKPOINT_COMPARE : 0,
		.memory = 1 << (10 + in->until % 12),
		.manager = device_io_manager,
	};
	size_t live = e2lazy_jmap_count(s->map);
	struct e2lazy_checkpoint_done done;
	struct seen seen = { .bytes = NULL };
	struct e2lazy_where where;
	errcode_t err;

	if (e2lazy_verdict_open(verdict))
		must_refuse(s, verdict, &opts);
	fuzz_answer_all(verdict);
	if (e2lazy_verdict_open(verdict))
		must_refuse(s, verdict, &opts);
	else if (see(&seen, t, s, verdict)) {
		device_watch(&t->fs);
		device_writes_left = in->flags & INPUT_UNTIL ? in->until + 2 :
				     UINT_MAX;
		err = e2lazy_checkpoint(s->view, verdict, &opts, &done,
					&where);
		device_writes_left = 0;
		must(err || done.failed == 0);
		must(!err || !done.sealed);
		must(done.blocks_written + done.failed + done.skipped <= live);
		if (!err && done.sealed)
			compare(&seen, t, s->journal);
	}
	free(seen.blocks);
	free(seen.bytes);
}

void fuzz_one(struct template *t, const struct input *in)
{
	struct fuzz_look l;

	if (fuzz_look(t, in, &l, NULL))
		write_back(t, &l.s, l.verdict, in);
	fuzz_shut(&l);
	/* The rest of the ring is looked at up to twice, and two chains of it
	   are mapped and compared, where nothing is committed at its tail. */
	fuzz_bound(t, 10);
}
