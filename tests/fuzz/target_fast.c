/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target_fast.c - fast-commit records: replay them, make a transaction of them
 *
 * The area's checksums are made right for what the input did to the records, as
 * repair.c does for the log; otherwise nearly every input would have no record
 * that counts.
 */
#include <limits.h>
#include <string.h>

#include "target.h"

const bool fuzz_wants_words = false;
const bool fuzz_wants_paths = false;

#define TLV	4

/* The number that is due: an input may have the log end earlier. */
struct sealing {
	uint32_t	tid, crc;
};

static void seal_records(struct sealing *s, uint8_t *block, unsigned size)
{
	unsigned pos = 0;

	while (pos + TLV <= size) {
		uint8_t *p = block + pos;
		uint32_t head = get_le32(p);
		uint32_t tag = head & 0xffff, length = head >> 16;

		if (length > size - pos - TLV)
			return;
		if (tag == E2LAZY_FC_HEAD && length >= 8)
			put_le32(p + TLV + 4, s->tid);
		if (tag == E2LAZY_FC_TAIL && length >= 8) {
			put_le32(p + TLV, s->tid);
			put_le32(p + TLV + 4,
				 ext2fs_crc32c_le(s->crc, p, TLV + 4));
			s->crc = 0;
		} else {
			s->crc = ext2fs_crc32c_le(s->crc, p, TLV + length);
		}
		pos += TLV + length;
	}
}

/* All blocks that an operation or the template may have filled. */
static void seal_area(struct template *t, struct e2lazy_journal *j,
		      uint32_t tid)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(j);
	struct sealing s = { .tid = tid };
	blk64_t at;

	for (uint32_t i = 0; i < g->fc_blocks; i++)
		if (!e2lazy_physblk(j, g->fc_first + i, &at) &&
		    at < t->log->loaded / t->bs)
			seal_records(&s, device_block(t->log, (uint32_t)at),
				     t->bs);
}

static bool has_area(struct template *t, const struct fuzz_look *l)
{
	(void)t;
	return e2lazy_geometry(l->s.journal)->fc_blocks;
}

static bool seal(struct template *t, const struct fuzz_look *l)
{
	if (!has_area(t, l))
		return false;
	seal_area(t, l->s.journal, e2lazy_jmap_end(l->map)->tid);
	return true;
}

/* The caller's own replay says as much as the verdict's. */
static void replay_again(const struct fuzz_look *l,
			 const struct e2lazy_fast_plan *plan)
{
	struct e2lazy_fc_done done;
	struct e2lazy_view *view;
	struct e2lazy_where where;

	if (e2lazy_view_build(l->s.journal, l->map, &view, &where))
		return;
	must(!e2lazy_view_fast_commits(view, &done, &where));
	must(done.records == plan->records && done.blocks + 1 == plan->copies);
	e2lazy_view_free(view);
}

/* Afterwards nothing waits but that transaction, and a second run is idle. */
static void look_again(struct template *t, const struct input *in,
		       uint32_t tid)
{
	struct e2lazy_checkpoint_opts opts = { .manager = device_io_manager };
	struct e2lazy_checkpoint_done done;
	struct e2lazy_fast_plan plan;
	struct e2lazy_where where;
	struct fuzz_look l;

	must(fuzz_look(t, in, &l, has_area));
	fuzz_answer_all(l.verdict);
	must(e2lazy_jmap_end(l.map)->tid == tid + 1);
	must(!e2lazy_fast_plan(l.verdict, &plan) && !plan.records);
	must(!e2lazy_verdict_open(l.verdict));
	/* No write is permitted any more. */
	must(!e2lazy_fast_log(l.s.view, l.verdict, &opts, &done, &where));
	must(!done.begun);
	fuzz_shut(&l);
}

/* A write failed, or the power did: each record still counts, or none does. */
static void look_after_failure(struct template *t, const struct input *in,
			       const struct e2lazy_fast_plan *was)
{
	struct e2lazy_fast_plan plan;
	struct fuzz_look l;

	must(fuzz_look(t, in, &l, has_area));
	must(!e2lazy_fast_plan(l.verdict, &plan));
	if (e2lazy_jmap_end(l.map)->tid == was->tid)
		must(plan.records == was->records &&
		     plan.copies == was->copies);
	else
		must(e2lazy_jmap_end(l.map)->tid == was->tid + 1 &&
		     !plan.records);
	fuzz_shut(&l);
}

/* No writer but one takes a log on which fast commits wait. */
static void log_fast(struct template *t, const struct input *in,
		     struct fuzz_look *l)
{
	struct e2lazy_checkpoint_opts opts = { .manager = device_io_manager };
	struct e2lazy_checkpoint_done done;
	struct e2lazy_fast_plan plan;
	struct e2lazy_where where;
	errcode_t err;

	fuzz_answer_all(l->verdict);
	if (e2lazy_verdict_open(l->verdict) ||
	    e2lazy_fast_plan(l->verdict, &plan) || !plan.records)
		return;
	must(plan.tid == e2lazy_jmap_end(l->map)->tid);
	replay_again(l, &plan);
	device_watch(&t->fs);
	device_writes_left = UINT_MAX;
	must(e2lazy_checkpoint(l->s.view, l->verdict, &opts, &done, &where));
	must(!done.begun && !t->fs.nr_written);
	device_writes_left = in->flags & INPUT_MORE ? in->until + 2 : UINT_MAX;
	err = e2lazy_fast_log(l->s.view, l->verdict, &opts, &done, &where);
	device_writes_left = 0;
	must(!err == done.sealed);
	must(plan.fits || (err && !done.begun));
	must(done.begun || !t->fs.nr_written);
	fuzz_shut(l);
	if (!err)
		look_again(t, in, plan.tid);
	else if (in->flags & INPUT_MORE)
		look_after_failure(t, in, &plan);
}

void fuzz_one(struct template *t, const struct input *in)
{
	struct fuzz_look l;

	if (fuzz_look(t, in, &l, in->flags & INPUT_RAW_LOG ? has_area : seal))
		log_fast(t, in, &l);
	fuzz_shut(&l);
	fuzz_bound(t, 20);
}
