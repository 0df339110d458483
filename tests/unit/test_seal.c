/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a table of writes and flushes is followed; and the order in which a
 * checkpoint writes, where no recovery shows it: e2fsck asks before it discards
 * a log that needs_recovery does not announce, but a mount does not ask.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "home.h"
#include "judged.h"
#include "mend/mend.h"
#include "view/view.h"

#define BLOCK 1024			/* of PLAIN */

static void write_back(struct fixture *f, struct recording *r)
{
	struct e2lazy_checkpoint_opts opts = { .manager = record_io_manager };
	struct e2lazy_checkpoint_done done;
	struct judged j = { .f = NULL };

	open_subject(&j, f);
	agree(&j);
	record_begin(r);
	ck_assert_int_eq(e2lazy_checkpoint(j.subject.view, j.verdict, &opts,
					   &done, &f->where), 0);
	close_subject(&j);
}

/* A write of the superblock, and whether that says that a log is there. */
static bool is_super(const struct recorded *op, bool needs_recovery)
{
	struct ext2_super_block sb;

	if (!op->bytes || op->offset != BLOCK || op->count != BLOCK)
		return false;
	memcpy(&sb, op->bytes, sizeof(sb));
	swap_super(&sb);
	return !(sb.s_feature_incompat & EXT3_FEATURE_INCOMPAT_RECOVER) ==
	       !needs_recovery;
}

START_TEST(needs_recovery_is_set_and_flushed_before_anything_else)
{
	struct recording r;

	write_back(map_of("needs_recovery off\ntxn 5 write 60000-60004\n"),
		   &r);
	ck_assert_uint_gt(r.nr, 3);
	ck_assert(is_super(&r.ops[0], true));
	ck_assert_ptr_null(r.ops[1].bytes);
	record_free(&r);
}
END_TEST

START_TEST(where_it_is_set_it_is_not_written_again_first)
{
	struct recording r;

	write_back(map_of("txn 5 write 60000-60004\n"), &r);
	ck_assert_uint_gt(r.nr, 3);
	ck_assert_uint_eq(r.ops[0].offset, 60000 * BLOCK);
	record_free(&r);
}
END_TEST

START_TEST(it_is_cleared_and_flushed_last)
{
	struct recording r;

	write_back(map_of("txn 5 write 60000-60004\n"), &r);
	ck_assert_ptr_null(r.ops[r.nr - 1].bytes);
	ck_assert(is_super(&r.ops[r.nr - 2], false));
	ck_assert_ptr_null(r.ops[r.nr - 3].bytes);
	record_free(&r);
}
END_TEST

/* ------------------------------------------------------------ any table */

#define MANY	60010		/* where a step writes several blocks */
#define PLACE	60000		/* where others write one */
#define LOG_PLACE 3

struct followed {
	struct home	h;
	struct target	t;
	char		text[256];	/* what was written and flushed */
	errcode_t	refusal;	/* by a step of the table */
};

static void follow_begin(struct followed *f)
{
	struct fixture *fixture = new_fixture();

	memset(f, 0, sizeof(*f));
	make_external(fixture, "4096", LOG);
	home_begin(&f->h, fixture);
	ck_assert_int_eq(target_open(&f->t, f->h.view, record_io_manager,
				     &fixture->where), 0);
}

static errcode_t follow(struct followed *f, const struct seal_table *table)
{
	errcode_t err = seal_follow(&f->t, table, &f->h.f->where);

	ck_assert_int_eq(target_close(&f->t, NULL), 0);
	return err;
}

/* "F60000 f J3 j": a write to the file system, a flush, and of the journal. */
static const char *tell_all(struct followed *f)
{
	const struct recording *r = &f->h.recording;
	const char *fs = r->nr ? r->ops[0].device : "";
	char *to = f->text;

	for (size_t i = 0; i < r->nr; i++) {
		const struct recorded *op = &r->ops[i];
		bool log = strcmp(op->device, fs) != 0;

		if (op->bytes)
			to += sprintf(to, " %c%llu", log ? 'J' : 'F',
				      (unsigned long long)op->offset /
				      f->h.size);
		else
			to += sprintf(to, " %c", log ? 'j' : 'f');
	}
	return f->text;
}

static errcode_t make_block(void *priv, uint8_t *bytes)
{
	struct followed *f = priv;

	memset(bytes, 'x', f->h.size);
	return f->refusal;
}

static errcode_t write_many(void *priv)
{
	struct followed *f = priv;
	uint8_t *bytes = calloc(1, f->h.size);
	errcode_t err = f->refusal;

	f->t.begun |= !err;
	for (unsigned i = 0; !err && i < 4; i++)
		err = io_channel_write_blk64(f->t.fs->io, MANY + 2 * i, 1,
					     memset(bytes, 'y', f->h.size));
	free(bytes);
	return err;
}

/* Unlike a checkpoint's: it goes to the journal in the middle. */
static struct seal_table every_kind(struct followed *f)
{
	return (struct seal_table) { .count = 6, .steps = {
		{ .make = make_block, .block = PLACE, .priv = f },
		{ .write = write_many, .priv = f },
		{ .flush = true },
		{ .make = make_block, .block = LOG_PLACE, .log_device = true,
		  .priv = f, .flush = true },
		{ .skip = true, .make = make_block, .block = 1, .priv = f,
		  .flush = true },
		{ .make = make_block, .block = PLACE + 1, .priv = f,
		  .flush = true, .outcome = SEAL_HOME },
	} };
}

START_TEST(each_step_is_taken_in_its_turn)
{
	struct seal_table table;
	struct followed f;

	follow_begin(&f);
	table = every_kind(&f);
	ck_assert_int_eq(follow(&f, &table), 0);
	ck_assert_str_eq(tell_all(&f), " F60000 F60010 F60012 F60014 F60016 f"
			 " J3 j F60001 f");
	ck_assert_int_eq(f.t.outcome, SEAL_DONE);
	ck_assert(f.t.begun);
	home_end(&f.h);
}
END_TEST

static const struct {
	const char	*text;		/* blocks written before */
	blk64_t		block;		/* the one that could not be; 0: none
					   that the table knows */
	enum seal_outcome outcome;
} failures[] = {
	{ "", PLACE, SEAL_REDO },
	{ " F60000", 0, SEAL_REDO },
	{ " F60000 F60010 F60012 F60014", 0, SEAL_REDO },
	{ " F60000 F60010 F60012 F60014 F60016 f", LOG_PLACE, SEAL_REDO },
	{ " F60000 F60010 F60012 F60014 F60016 f J3 j", PLACE + 1, SEAL_HOME },
};
static const long failing_write[] = { 0, 1, 4, 5, 6 };

START_TEST(a_write_that_fails_ends_the_table_and_is_named)
{
	struct e2lazy_where *where;
	struct seal_table table;
	struct followed f;

	follow_begin(&f);
	where = &f.h.f->where;
	where->has = 0;
	table = every_kind(&f);
	f.h.recording.fail_at = failing_write[_i];
	ck_assert_int_eq(follow(&f, &table), EIO);
	ck_assert_str_eq(tell_all(&f), failures[_i].text);
	ck_assert_int_eq(f.t.outcome, failures[_i].outcome);
	ck_assert(f.t.begun);
	ck_assert_uint_eq(where->has, failures[_i].block ? E2LAZY_AT_FSBLK : 0);
	if (failures[_i].block)
		ck_assert_uint_eq(where->fsblk, failures[_i].block);
	home_end(&f.h);
}
END_TEST

START_TEST(where_a_step_refuses_nothing_has_begun)
{
	struct seal_table table;
	struct followed f;

	follow_begin(&f);
	table = every_kind(&f);
	table.steps[0].skip = _i == 1;
	f.refusal = E2LAZY_ET_CANCELLED;
	ck_assert_int_eq(follow(&f, &table), E2LAZY_ET_CANCELLED);
	ck_assert_uint_eq(f.h.recording.nr, 0);
	ck_assert(!f.t.begun);
	ck_assert_int_eq(f.t.outcome, SEAL_REDO);
	home_end(&f.h);
}
END_TEST

/* -------------------------------------------------------- power cuts */

/* The rule of every_kind(): with the last block there, all others are. */
struct broken {
	struct home	*h;
	unsigned	states;
	unsigned	times;
};

static bool is_there(const struct home *h, blk64_t block, uint8_t byte)
{
	FILE *image = fopen(h->f->image, "r");
	int first;

	ck_assert_ptr_nonnull(image);
	ck_assert_int_eq(fseeko(image, (off_t)(block * h->size), SEEK_SET), 0);
	first = fgetc(image);
	fclose(image);
	return first == byte;
}

static void look_for_order(void *priv, size_t end, const bool *keep)
{
	struct broken *b = priv;
	bool all = true;

	home_restore(b->h);
	record_replay(&b->h->recording, end, keep);
	for (unsigned i = 0; i < 4; i++)
		all &= is_there(b->h, MANY + 2 * i, 'y');
	b->states++;
	b->times += is_there(b->h, PLACE + 1, 'x') && !all;
}

/* The check must fail without the flushes of every_kind(), too. */
START_TEST(a_power_cut_keeps_to_the_flushes_of_a_table)
{
	struct broken broken = { .h = NULL };
	struct seal_table table;
	struct followed f;

	follow_begin(&f);
	home_save(&f.h);
	table = every_kind(&f);
	table.steps[2].skip = _i == 1;
	ck_assert_int_eq(follow(&f, &table), 0);
	broken.h = &f.h;
	record_crashes(&f.h.recording, look_for_order, &broken);
	ck_assert_uint_gt(broken.states, f.h.recording.nr);
	ck_assert_int_eq(broken.times > 0, _i == 1);
	home_forget(&f.h);
	home_end(&f.h);
}
END_TEST

TCase *seal_tests(void)
{
	TCase *tc = tcase_create("seal");

	tcase_add_test(tc, each_step_is_taken_in_its_turn);
	tcase_add_loop_test(tc, a_write_that_fails_ends_the_table_and_is_named,
			    0, sizeof(failures) / sizeof(failures[0]));
	tcase_add_loop_test(tc, where_a_step_refuses_nothing_has_begun, 0, 2);
	tcase_add_loop_test(tc, a_power_cut_keeps_to_the_flushes_of_a_table,
			    0, 2);
	tcase_add_test(tc,
		needs_recovery_is_set_and_flushed_before_anything_else);
	tcase_add_test(tc, where_it_is_set_it_is_not_written_again_first);
	tcase_add_test(tc, it_is_cleared_and_flushed_last);
	return tc;
}
