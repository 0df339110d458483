/* SPDX-License-Identifier: GPL-2.0-only */
/* A checkpoint does the work that its plan tells. */

#include <stdlib.h>
#include <string.h>

#include "e2lazy_drive.h"
#include "judged.h"

#define MANY "txn 5 write 60000-61999\ntxn 6 write 60500-60999\n" \
	     "txn 7 write 62100 62110 62120 revoke 60007\n"
#define MANY_FS "-b 1024 -J size=4"

static void plan(struct judged *j, const struct e2lazy_plan_opts *opts,
		 struct e2lazy_plan *out)
{
	agree(j);
	ck_assert_int_eq(e2lazy_plan(&j->subject, j->verdict, opts, out), 0);
}

/* Write back what was planned, and compare. */
static void check_done(struct judged *j, const struct e2lazy_plan_opts *opts,
		       const struct e2lazy_plan *planned)
{
	struct e2lazy_checkpoint_opts how = {
		.memory = opts->memory,
	};
	struct e2lazy_checkpoint_done done;
	unsigned size = e2lazy_geometry(j->f->journal)->blocksize;

	ck_assert_int_eq(e2lazy_checkpoint(j->subject.view, j->verdict, &how,
					   &done, &j->f->where), 0);
	ck_assert_uint_eq(planned->blocks, done.blocks_written);
	ck_assert_uint_eq(planned->runs, done.writes);
	ck_assert_uint_eq(planned->passes, done.passes);
	ck_assert_uint_eq(planned->skipped, done.skipped);
	ck_assert_uint_eq(planned->in_place, done.in_place);
	ck_assert_uint_eq(planned->read_bytes, done.blocks_read * size);
	ck_assert_uint_eq(planned->write_bytes, done.blocks_written * size);
}

static void check_agrees(const char *mke2fs, const char *spec,
			 const struct e2lazy_plan_opts *opts)
{
	struct judged j = { .f = NULL };
	struct e2lazy_plan planned;

	open_subject(&j, map_of_fs(mke2fs, spec));
	plan(&j, opts, &planned);
	check_done(&j, opts, &planned);
	close_subject(&j);
}

/* In 1 MiB it is read six times. */
START_TEST(also_where_the_log_is_read_more_than_once)
{
	struct e2lazy_plan_opts opts = { .memory = 1 };

	check_agrees("-b 1024 -J size=16",
		     "bulk 20 tags 200 from 60000 step 7 mod 4000 whole\n", &opts);
	check_agrees("-b 1024 -J size=16",
		     "bulk 13 tags 200 from 60000 step 14 mod 5000 whole\n", &opts);
}
END_TEST

START_TEST(a_plan_agrees_with_the_checkpoint)
{
	struct e2lazy_plan_opts opts = { .memory = 64 << 20 };

	check_agrees(MANY_FS, MANY, &opts);
	check_agrees(PLAIN, "start end-9\n" "txn 5 write 60000-60004 60010\n"
		     "txn 6 write 60001 60020 escape 60021 revoke 60010\n",
		     &opts);
	check_agrees(PLAIN, "needs_recovery on\n", &opts);
}
END_TEST

START_TEST(also_where_little_memory_takes_more_passes)
{
	struct e2lazy_plan_opts opts = { .memory = 1 };

	check_agrees(MANY_FS, MANY, &opts);
}
END_TEST

/* More than so little memory takes by itself, and no more than it does. */
START_TEST(what_is_kept_was_read_once_and_is_written_in_one_pass)
{
	struct e2lazy_plan_opts opts = { .memory = 48 << 20 };
	struct e2lazy_plan without, with;
	struct judged j = { .f = NULL };

	open_subject(&j, map_of_fs(MANY_FS, MANY));
	plan(&j, &opts, &without);
	ck_assert_int_eq(e2lazy_view_keep(j.subject.view, opts.memory, NULL), 0);
	plan(&j, &opts, &with);
	ck_assert_uint_eq(with.passes, 1);
	ck_assert_uint_eq(with.blocks, without.blocks);
	ck_assert_uint_eq(with.runs, without.runs);
	ck_assert_uint_ge(with.read_bytes, with.write_bytes);
	ck_assert_uint_le(with.read_bytes, without.read_bytes);
	close_subject(&j);
}
END_TEST

START_TEST(also_where_blocks_are_left_out)
{
	struct e2lazy_plan_opts opts = { .memory = 64 << 20 };

	check_agrees(PLAIN, "txn 5 write 60000-60099\n"
		     "damage flip 5.data[1] 9\ndamage flip 5.data[50] 9\n"
		     "damage flip 5.data[99] 9\n", &opts);
}
END_TEST

/* @home of the @live blocks are in place. */
static void check_home(unsigned home, unsigned live, unsigned in_place)
{
	struct e2lazy_plan_opts opts = { .memory = 64 << 20 };
	struct fixture *f = map_of_fs(MANY_FS, MANY);
	struct judged j = { .f = NULL };
	struct e2lazy_plan planned;
	struct e2lazy_home found;

	put_home(f, 60000 + live - home, 60000 + live);
	open_subject(&j, f);
	ck_assert_int_eq(e2lazy_home(&j.subject, NULL, &found), 0);
	opts.home = &found;
	plan(&j, &opts, &planned);
	ck_assert_uint_eq(planned.in_place, in_place);
	ck_assert_uint_eq(planned.blocks, e2lazy_jmap_count(j.subject.map) -
					  in_place);
	check_done(&j, &opts, &planned);
	e2lazy_home_free(&found);
	close_subject(&j);
}

START_TEST(what_is_in_place_already_is_neither_planned_nor_written)
{
	check_home(1000, 2000, 1000);
	check_home(2200, 2200, 2002);
}
END_TEST

/* To find a few would cost a read of them all. */
START_TEST(of_few_that_are_in_place_each_is_written)
{
	check_home(200, 2000, 0);
}
END_TEST

START_TEST(also_where_the_superblock_is_logged)
{
	struct e2lazy_plan_opts opts = { .memory = 64 << 20 };
	struct fixture *f = map_of_fs("-b 1024 -J size=1 -O ^metadata_csum",
				      "txn 5 write 1 60000\n");
	struct judged j = { .f = NULL };
	struct e2lazy_plan planned;

	put_real(f, 1);
	open_subject(&j, f);
	plan(&j, &opts, &planned);
	ck_assert_uint_eq(planned.blocks, 1);
	check_done(&j, &opts, &planned);
	close_subject(&j);
}
END_TEST

/* 19.5 MiB of neighbours. */
START_TEST(also_where_a_run_is_larger_than_a_request)
{
	struct e2lazy_plan_opts opts = { .memory = 64 << 20 };

	check_agrees("-b 4096 -J size=32",
		     "bulk 25 tags 200 from 60000 whole\n", &opts);
}
END_TEST

/* Two copies with @between and five more blocks from one to the other. */
static void check_gap(unsigned between, unsigned requests, unsigned blocks)
{
	struct e2lazy_plan_opts opts = { .memory = 64 << 20 };
	struct judged j = { .f = NULL };
	struct e2lazy_plan planned;
	char spec[256];

	snprintf(spec, sizeof(spec), "txn 5 write 60000\n"
		 "txn 6 write 60010-%u\n"
		 "txn 7 write 60001 revoke 60010-%u\n", 60009 + between,
		 60009 + between);
	open_subject(&j, map_of(spec));
	plan(&j, &opts, &planned);
	ck_assert_uint_eq(planned.blocks, 2);
	ck_assert_uint_eq(planned.runs, 1);
	ck_assert_uint_eq(planned.log_runs, requests);
	ck_assert_uint_eq(planned.read_bytes, blocks * 1024);
	close_subject(&j);
}

START_TEST(a_gap_of_64_kib_is_read_through_and_a_larger_one_is_not)
{
	check_gap(60, 1, 66);
	check_gap(61, 2, 2);
}
END_TEST

struct told {
	char		text[256];	/* "BLOCK+COUNT" of each write */
};

static void hear(void *priv, blk64_t block, uint32_t count)
{
	struct told *told = priv;
	size_t at = strlen(told->text);

	snprintf(told->text + at, sizeof(told->text) - at, " %llu+%u",
		 (unsigned long long)block, count);
}

START_TEST(a_model_of_the_drive_hears_of_each_write_in_order)
{
	struct told checkpoint = { "" }, replay = { "" };
	struct e2lazy_plan_opts opts = {
		.memory = 1, .checkpoint = { hear, &checkpoint },
		.replay = { hear, &replay },
	};
	struct judged j = { .f = NULL };
	struct e2lazy_plan planned;

	open_subject(&j, map_of("txn 5 write 60002 60000 60020\n"
				"txn 6 write 60001 60002 revoke 60020\n"));
	plan(&j, &opts, &planned);
	ck_assert_str_eq(checkpoint.text, " 60000+3");
	ck_assert_str_eq(replay.text, " 60002+1 60000+1 60001+1 60002+1");
	close_subject(&j);
}
END_TEST

static void count_bands(void *priv, blk64_t block, uint32_t count)
{
	e2lazy_band_write(priv, block, count);
}

/* In bands of @band bytes. */
static void plan_bands(struct judged *j, uint64_t band, uint64_t *checkpoint,
		       uint64_t *replay, struct e2lazy_plan *planned)
{
	struct e2lazy_band_writes writes[2] = {
		{ .model.band_bytes = band, .blocksize = 1024 },
		{ .model.band_bytes = band, .blocksize = 1024 },
	};
	struct e2lazy_plan_opts opts = {
		.memory = 1, .checkpoint = { count_bands, &writes[0] },
		.replay = { count_bands, &writes[1] },
	};

	plan(j, &opts, planned);
	*checkpoint = writes[0].changes;
	*replay = writes[1].changes;
}

START_TEST(bands_are_counted_as_they_are_written)
{
	struct judged j = { .f = NULL };
	struct e2lazy_plan planned;
	uint64_t checkpoint, replay;

	open_subject(&j, map_of("txn 5 write 60000 60015 60016\n"
				"txn 6 write 60001\n"
				"txn 7 write 60017 60000\n"));
	/* 16 blocks a band: 60000 begins one */
	plan_bands(&j, 16 << 10, &checkpoint, &replay, &planned);
	ck_assert_uint_eq(planned.blocks, 5);
	ck_assert_uint_eq(checkpoint, 2);
	ck_assert_uint_eq(planned.replay_blocks, 6);
	ck_assert_uint_eq(replay, 5);
	open_subject(&j, map_of("txn 5 write 60000\n"));
	plan_bands(&j, 16 << 10, &checkpoint, &replay, &planned);
	ck_assert_uint_eq(checkpoint, 1);
	ck_assert_uint_eq(replay, 1);
	close_subject(&j);
}
END_TEST

START_TEST(a_replay_writes_what_is_not_revoked_and_committed)
{
	struct e2lazy_plan_opts opts = { .memory = 1 };
	struct judged j = { .f = NULL };
	struct e2lazy_plan planned;

	open_subject(&j, map_of("txn 5 write 60000-60003\n"
				"txn 6 write 60000 revoke 60001\n"
				"txn 7 write 60002 nocommit\n"));
	plan(&j, &opts, &planned);
	ck_assert_uint_eq(planned.blocks, 3);
	ck_assert_uint_eq(planned.replay_blocks, 4);
	ck_assert_uint_eq(planned.undo_bytes, (3 + 2) * 1024);
	close_subject(&j);
}
END_TEST

START_TEST(time_is_bytes_by_rate_and_a_seek_for_each_step_elsewhere)
{
	struct e2lazy_plan_opts opts = { .memory = 1, .throughput = 1024,
					 .seek_us = 1000000 };
	struct judged j = { .f = NULL };
	struct e2lazy_plan planned;

	/* Logged in two requests, for 60000 is the only one live of txn 5;
	   then 60001 and 60070, which are two more. */
	open_subject(&j, map_of("txn 5 write 60000\n"
				"txn 6 write 60200-60299\n"
				"txn 7 revoke 60200-60299 write 60001 60070\n"));
	plan(&j, &opts, &planned);
	ck_assert_uint_eq(planned.log_runs, 2);
	ck_assert_uint_eq(planned.read_bytes, 3 * 1024);
	ck_assert_uint_eq(planned.runs, 2);
	ck_assert_double_eq(planned.seconds, (3 + 3) + (2 + 2));
	ck_assert_uint_eq(planned.replay_blocks, 3);
	/* 60000 and 60001 are neighbours, one after the other */
	ck_assert_double_eq(planned.replay_seconds, (3 + 3) + 2);
	opts.seek_us = 0;
	opts.throughput = 2048;
	plan(&j, &opts, &planned);
	ck_assert_double_eq(planned.seconds, 3);
	ck_assert_double_eq(planned.replay_seconds, 3);
	opts.throughput = 0;
	plan(&j, &opts, &planned);
	ck_assert_double_eq(planned.seconds + planned.replay_seconds, 0);
	close_subject(&j);
}
END_TEST

START_TEST(an_empty_log_takes_nothing)
{
	struct told told = { "" };
	struct e2lazy_plan_opts opts = {
		.memory = 1, .checkpoint = { hear, &told },
		.replay = { hear, &told },
	};
	struct e2lazy_plan planned, nothing;
	struct judged j = { .f = NULL };

	memset(&nothing, 0, sizeof(nothing));
	open_subject(&j, map_of(""));
	plan(&j, &opts, &planned);
	ck_assert_mem_eq(&planned, &nothing, sizeof(nothing));
	ck_assert_str_eq(told.text, "");
	close_subject(&j);
}
END_TEST

static errcode_t stop_at_once(void *priv)
{
	(void)priv;
	return E2LAZY_ET_CANCELLED;
}

START_TEST(who_watches_the_plan_can_stop_it)
{
	const struct e2lazy_watch watch = { .stop = stop_at_once };
	struct e2lazy_plan_opts opts = { .memory = 1 << 20 };
	struct judged j = { .f = NULL };
	struct e2lazy_plan planned;

	open_subject(&j, map_of("txn 5 write 60000-60009\n"));
	agree(&j);
	opts.watch = &watch;
	ck_assert_int_eq(e2lazy_plan(&j.subject, j.verdict, &opts, &planned),
			 E2LAZY_ET_CANCELLED);
	ck_assert_uint_lt(planned.replay_blocks, 10);
	opts.watch = NULL;
	plan(&j, &opts, &planned);
	ck_assert_uint_eq(planned.replay_blocks, 10);
	close_subject(&j);
}
END_TEST

TCase *plan_tests(void)
{
	TCase *tc = tcase_create("plan");

	tcase_add_test(tc, a_plan_agrees_with_the_checkpoint);
	tcase_add_test(tc, also_where_the_log_is_read_more_than_once);
	tcase_add_test(tc, also_where_little_memory_takes_more_passes);
	tcase_add_test(tc, what_is_kept_was_read_once_and_is_written_in_one_pass);
	tcase_add_test(tc, also_where_blocks_are_left_out);
	tcase_add_test(tc,
		       what_is_in_place_already_is_neither_planned_nor_written);
	tcase_add_test(tc, of_few_that_are_in_place_each_is_written);
	tcase_add_test(tc, also_where_the_superblock_is_logged);
	tcase_add_test(tc, also_where_a_run_is_larger_than_a_request);
	tcase_add_test(tc,
		       a_gap_of_64_kib_is_read_through_and_a_larger_one_is_not);
	tcase_add_test(tc, a_model_of_the_drive_hears_of_each_write_in_order);
	tcase_add_test(tc, bands_are_counted_as_they_are_written);
	tcase_add_test(tc, a_replay_writes_what_is_not_revoked_and_committed);
	tcase_add_test(tc,
		    time_is_bytes_by_rate_and_a_seek_for_each_step_elsewhere);
	tcase_add_test(tc, an_empty_log_takes_nothing);
	tcase_add_test(tc, who_watches_the_plan_can_stop_it);
	return tc;
}
