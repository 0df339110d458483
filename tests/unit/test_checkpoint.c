/* SPDX-License-Identifier: GPL-2.0-only */
/* A log written back: what is written, and in what order. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "e2lazy_mend.h"
#include "fixture.h"
#include "log/log.h"
#include "record_io.h"
#include "scarce.h"

struct home {
	struct fixture	*f;
	struct e2lazy_open_opts open;
	struct e2lazy_view *view;
	struct e2lazy_checkpoint_opts opts;
	struct e2lazy_checkpoint_done done;
	struct recording recording;
	char		**contents;	/* of the live blocks, by mapping */
	blk64_t		*fsblks;
	size_t		live;
	unsigned	size;
};

static void look(struct home *h)
{
	e2lazy_view_free(h->view);
	h->view = NULL;
	ck_assert_int_eq(try_open(h->f, &h->open), 0);
	read_map(h->f, E2LAZY_JMAP_CSUMS, 0);
	ck_assert_int_eq(e2lazy_view_build(h->f->journal, h->f->map, &h->view,
					   &h->f->where), 0);
}

/* Remember what every live block is to hold, but for the superblock. */
static void remember(struct home *h)
{
	struct e2lazy_copy copy;

	h->size = e2lazy_geometry(h->f->journal)->blocksize;
	h->live = e2lazy_jmap_count(h->f->map);
	h->contents = calloc(h->live, sizeof(*h->contents));
	h->fsblks = calloc(h->live, sizeof(*h->fsblks));
	for (size_t i = 0; i < h->live; i++) {
		e2lazy_jmap_get(h->f->map, i, &copy);
		h->fsblks[i] = copy.fsblk;
		h->contents[i] = malloc(h->size);
		ck_assert_int_eq(e2lazy_read_copy(h->f->journal, copy.logblk,
						  copy.flags, h->contents[i]),
				 0);
	}
}

static void begin(struct home *h, struct fixture *f)
{
	memset(h, 0, sizeof(*h));
	h->f = f;
	if (strstr(f->device, "journal") && !f->journal) {
		FILE *file = fopen(f->device, "r");

		if (file) {
			h->open.journal = f->device;
			fclose(file);
		}
	}
	look(h);
	remember(h);
	record_begin(&h->recording);
	h->opts.manager = record_io_manager;
}

static void end(struct home *h)
{
	e2lazy_view_free(h->view);
	for (size_t i = 0; i < h->live; i++)
		free(h->contents[i]);
	free(h->contents);
	free(h->fsblks);
	record_free(&h->recording);
}

static errcode_t write_home(struct home *h)
{
	return e2lazy_checkpoint(h->view, &h->opts, &h->done, &h->f->where);
}

static void check_home(struct home *h)
{
	char *block = malloc(h->size);
	FILE *image = fopen(h->f->image, "r");

	for (size_t i = 0; i < h->live; i++) {
		ck_assert_int_eq(fseeko(image, (off_t)h->fsblks[i] *
					(off_t)h->size, SEEK_SET), 0);
		ck_assert_uint_eq(fread(block, 1, h->size, image), h->size);
		ck_assert_msg(!memcmp(block, h->contents[i], h->size),
			      "block %llu is not home",
			      (unsigned long long)h->fsblks[i]);
	}
	fclose(image);
	free(block);
}

static void check_empty(struct home *h)
{
	ck_assert_int_eq(try_open(h->f, &h->open), 0);
	ck_assert_uint_eq(e2lazy_geometry(h->f->journal)->start, 0);
	ck_assert(!e2lazy_geometry(h->f->journal)->needs_recovery);
}

static void save(struct home *h)
{
	char line[2048];

	snprintf(line, sizeof(line), "cp --sparse=always %s %s.saved && "
		 "{ test ! -f %s || cp --sparse=always %s %s.saved; }",
		 h->f->image, h->f->image, h->f->device, h->f->device,
		 h->f->device);
	ck_assert_int_eq(system(line), 0);
}

static void restore(struct home *h)
{
	char line[2048];

	snprintf(line, sizeof(line), "cp --sparse=always %s.saved %s && "
		 "{ test ! -f %s.saved || cp --sparse=always %s.saved %s; }",
		 h->f->image, h->f->image, h->f->device, h->f->device,
		 h->f->device);
	ck_assert_int_eq(system(line), 0);
}

static void forget(struct home *h)
{
	char line[2048];

	snprintf(line, sizeof(line), "rm -f %s.saved %s.saved", h->f->image,
		 h->f->device);
	ck_assert_int_eq(system(line), 0);
}

/* ---------------------------------------------------------- what is written */

#define LOG "txn 5 write 60000-60004 60010\n" \
	    "txn 6 write 60001 60020 escape 60021 revoke 60010\n" \
	    "txn 7 write 60003 nocommit\n"

START_TEST(each_live_block_is_written_home_once)
{
	struct home h;

	begin(&h, map_of(LOG));
	ck_assert_int_eq(write_home(&h), 0);
	ck_assert(h.done.sealed);
	ck_assert_uint_eq(h.done.blocks_written, 7);
	ck_assert_uint_eq(h.done.writes, 2);	/* 60000-4, 60020-1 */
	ck_assert_uint_eq(h.done.passes, 1);
	check_home(&h);
	check_empty(&h);
	end(&h);
}
END_TEST

START_TEST(a_second_time_nothing_is_written)
{
	struct home h;

	begin(&h, map_of(LOG));
	ck_assert_int_eq(write_home(&h), 0);
	look(&h);
	record_free(&h.recording);
	record_begin(&h.recording);
	ck_assert_int_eq(write_home(&h), 0);
	ck_assert_uint_eq(h.recording.nr, 0);
	end(&h);
}
END_TEST

START_TEST(little_memory_takes_more_passes_and_ends_the_same)
{
	struct home h;

	begin(&h, map_of_fs("-b 1024 -J size=4", "txn 5 write 60000-61999\n"
			    "txn 6 write 60500-60999\n"));
	h.opts.memory = 1;	/* which is a MiB at the least */
	h.opts.flags = E2LAZY_CHECKPOINT_COMPARE;
	ck_assert_int_eq(write_home(&h), 0);
	ck_assert_uint_eq(h.done.passes, 2);
	ck_assert_uint_eq(h.done.blocks_written, 2000);
	check_home(&h);
	check_empty(&h);
	end(&h);
}
END_TEST

/* 12 MiB in no order, by libext2fs's own channel: with and without threads. */
START_TEST(many_requests_at_once_end_the_same)
{
	static const uint64_t memories[] = { 64 << 20, 3 << 20 };
	struct home h;

	begin(&h, map_of_fs("-b 4096 -J size=32",
			    "bulk 15 tags 200 from 60000 step 7 mod 3000\n"
			    "txn 40 write 60000-60300 62000\n"));
	save(&h);
	for (unsigned i = 0; i < 2; i++) {
		restore(&h);
		look(&h);
		h.opts.manager = NULL;
		h.opts.memory = memories[i];
		h.opts.flags = i ? E2LAZY_CHECKPOINT_COMPARE : 0;
		ck_assert_int_eq(write_home(&h), 0);
		ck_assert_uint_eq(h.done.blocks_written, 3000);
		ck_assert_int_eq(h.done.passes > 1, i == 1);
		check_home(&h);
		check_empty(&h);
	}
	forget(&h);
	end(&h);
}
END_TEST

/* How many writes lie before the one before them. */
static unsigned steps_back(const struct home *h)
{
	uint64_t at = 0, super = 1024;
	unsigned back = 0;

	for (size_t i = 0; i < h->recording.nr; i++) {
		const struct recorded *op = &h->recording.ops[i];

		if (!op->bytes || op->offset == super)
			break;		/* the seal */
		back += op->offset < at;
		at = op->offset + op->count;
	}
	return back;
}

/* No two of them neighbours. */
START_TEST(within_a_pass_writes_go_forward_only)
{
	struct home h;

	begin(&h, map_of_fs("-b 1024 -J size=16",
			    "bulk 13 tags 200 from 60000 step 14 mod 5000\n"));
	h.opts.memory = 1;
	ck_assert_int_eq(write_home(&h), 0);
	ck_assert_uint_gt(h.done.passes, 1);
	ck_assert_uint_eq(steps_back(&h), h.done.passes - 1);
	check_home(&h);
	end(&h);
}
END_TEST

START_TEST(where_the_log_is_read_again_all_writes_go_forward)
{
	struct home h;

	begin(&h, map_of_fs("-b 1024 -J size=16",
			    "bulk 20 tags 200 from 60000 step 7 mod 4000\n"));
	h.opts.memory = 1;
	ck_assert_int_eq(write_home(&h), 0);
	ck_assert_uint_gt(h.done.passes, 1);
	ck_assert_uint_eq(steps_back(&h), 0);
	ck_assert_uint_eq(h.done.writes, 63);	/* of 64 KiB */
	check_home(&h);
	check_empty(&h);
	end(&h);
}
END_TEST

static bool skip_60002(void *priv, const struct e2lazy_copy *copy)
{
	(void)priv;
	return copy->fsblk == 60002;
}

START_TEST(a_block_that_is_to_be_skipped_stays_as_it_is)
{
	struct home h;

	begin(&h, map_of("txn 5 write 60000-60004\n"));
	h.opts.skip = skip_60002;
	ck_assert_int_eq(write_home(&h), 0);
	ck_assert_uint_eq(h.done.blocks_written, 4);
	ck_assert_uint_eq(h.done.skipped, 1);
	memset(h.contents[2], 0, h.size);	/* as it was made */
	check_home(&h);
	end(&h);
}
END_TEST

/* -------------------------------------------------------- what goes wrong */

static void note_failed(void *priv, errcode_t error,
			const struct e2lazy_where *where)
{
	struct e2lazy_where *to = priv;

	(void)error;
	*to = *where;
}

START_TEST(a_bad_copy_keeps_the_log)
{
	struct e2lazy_where failed = { .has = 0 };
	struct home h;

	begin(&h, map_of("txn 5 write 60000-60004\n"
			 "damage flip 5.data[2] 9\n"));
	h.opts.failed = note_failed;
	h.opts.priv = &failed;
	ck_assert_int_eq(write_home(&h), E2LAZY_ET_DATA_CSUM);
	ck_assert_uint_eq(failed.fsblk, 60002);
	ck_assert_uint_eq(h.done.failed, 1);
	ck_assert_uint_eq(h.done.blocks_written, 4);
	ck_assert(!h.done.sealed);
	ck_assert_int_eq(try_open(h.f, NULL), 0);
	ck_assert_uint_ne(e2lazy_geometry(h.f->journal)->start, 0);
	ck_assert(e2lazy_geometry(h.f->journal)->needs_recovery);
	end(&h);
}
END_TEST

struct failures {
	blk64_t		fsblks[8];
	unsigned	count;
};

static void note_each(void *priv, errcode_t error,
		      const struct e2lazy_where *where)
{
	struct failures *f = priv;

	ck_assert_int_eq(error, EXT2_ET_SHORT_READ);
	ck_assert_uint_lt(f->count, 8);
	f->fsblks[f->count++] = where->fsblk;
}

/* The end of the journal's device is gone once the map is built. */
START_TEST(copies_that_cannot_be_read_are_named_and_the_others_come_home)
{
	struct fixture *f = new_fixture();
	struct failures failures = { .count = 0 };
	struct e2lazy_copy copy;
	struct home h;

	make_external(f, "4096", "txn 5 write 60000-60004\n");
	begin(&h, f);
	h.opts.failed = note_each;
	h.opts.priv = &failures;
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60003, &copy), 0);
	ck_assert_int_eq(truncate(f->device, (off_t)copy.logblk * 4096), 0);
	ck_assert_int_eq(write_home(&h), EXT2_ET_SHORT_READ);
	ck_assert_uint_eq(failures.count, 2);
	ck_assert_uint_eq(failures.fsblks[0], 60003);
	ck_assert_uint_eq(failures.fsblks[1], 60004);
	ck_assert_uint_eq(h.done.failed, 2);
	ck_assert_uint_eq(h.done.blocks_written, 3);
	ck_assert(!h.done.sealed);
	h.live = 3;
	check_home(&h);
	h.live = 5;
	end(&h);
}
END_TEST

/* Not on the first call, for then there is nothing to be cut off. */
static errcode_t stop_soon(void *priv, enum e2lazy_mend_phase phase,
			   uint64_t done, uint64_t total)
{
	int *calls = priv;

	(void)phase, (void)done, (void)total;
	return ++*calls > 3 ? E2LAZY_ET_CANCELLED : 0;
}

START_TEST(who_stops_it_has_the_log_kept)
{
	int calls = 0;
	struct home h;

	begin(&h, map_of_fs("-b 4096 -J size=32",
			    "bulk 15 tags 200 from 60000 step 7 mod 3000\n"));
	h.opts.manager = NULL;
	h.opts.memory = 3 << 20;
	h.opts.progress = stop_soon;
	h.opts.priv = &calls;
	ck_assert_int_eq(write_home(&h), E2LAZY_ET_CANCELLED);
	ck_assert_int_eq(calls, 4);
	ck_assert(!h.done.sealed);
	look(&h);
	ck_assert_uint_ne(e2lazy_geometry(h.f->journal)->start, 0);
	h.opts.progress = NULL;
	ck_assert_int_eq(write_home(&h), 0);
	check_home(&h);
	end(&h);
}
END_TEST

/* And what has been written by then, of two requests. */
static const struct {
	enum e2lazy_mend_phase phase;
	uint64_t	written;
} stops[] = {
	{ E2LAZY_MEND_READ, 0 },
	{ E2LAZY_MEND_WRITE, 5 },
	{ E2LAZY_MEND_COMPARE, 7 },
};

static errcode_t stop_in_phase(void *priv, enum e2lazy_mend_phase phase,
			       uint64_t done, uint64_t total)
{
	const enum e2lazy_mend_phase *stop = priv;

	ck_assert_uint_le(done, total);
	return phase == *stop ? E2LAZY_ET_CANCELLED : 0;
}

START_TEST(who_stops_it_in_any_phase_has_the_log_kept)
{
	enum e2lazy_mend_phase phase = stops[_i].phase;
	struct home h;

	begin(&h, map_of(LOG));
	h.opts.flags = E2LAZY_CHECKPOINT_COMPARE;
	h.opts.progress = stop_in_phase;
	h.opts.priv = &phase;
	ck_assert_int_eq(write_home(&h), E2LAZY_ET_CANCELLED);
	ck_assert(!h.done.sealed);
	ck_assert_uint_eq(h.done.failed, 0);
	ck_assert_uint_eq(h.done.blocks_written, stops[_i].written);
	look(&h);
	ck_assert_uint_ne(e2lazy_geometry(h.f->journal)->start, 0);
	h.opts.progress = NULL;
	ck_assert_int_eq(write_home(&h), 0);
	check_home(&h);
	check_empty(&h);
	end(&h);
}
END_TEST

struct forgetful {
	struct home	*home;
	struct e2lazy_where failed;
};

/* All has been written, and another hand spoils the third. */
static errcode_t spoil_60002(void *priv, enum e2lazy_mend_phase phase,
			     uint64_t done, uint64_t total)
{
	struct forgetful *f = priv;
	FILE *image;

	if (phase != E2LAZY_MEND_WRITE || done != total)
		return 0;
	image = fopen(f->home->f->image, "r+");
	ck_assert_int_eq(fseeko(image, (off_t)(60002 * f->home->size),
				SEEK_SET), 0);
	ck_assert_int_eq(fputs("gone", image) < 0, 0);
	ck_assert_int_eq(fclose(image), 0);
	return 0;
}

static void note_forgotten(void *priv, errcode_t error,
			   const struct e2lazy_where *where)
{
	struct forgetful *f = priv;

	ck_assert_int_eq(error, E2LAZY_ET_NOT_WRITTEN);
	f->failed = *where;
}

START_TEST(what_does_not_read_back_does_not_count_as_written)
{
	struct forgetful forgetful;
	struct home h;

	begin(&h, map_of("txn 5 write 60000-60004\n"));
	forgetful.home = &h;
	h.opts.flags = E2LAZY_CHECKPOINT_COMPARE;
	h.opts.progress = spoil_60002;
	h.opts.failed = note_forgotten;
	h.opts.priv = &forgetful;
	ck_assert_int_eq(write_home(&h), E2LAZY_ET_NOT_WRITTEN);
	ck_assert_uint_eq(forgetful.failed.fsblk, 60002);
	ck_assert(!(forgetful.failed.has & E2LAZY_AT_LOGBLK));
	ck_assert_uint_eq(h.done.blocks_written, 4);
	ck_assert_uint_eq(h.done.failed, 1);
	ck_assert(!h.done.sealed);
	look(&h);
	ck_assert_uint_ne(e2lazy_geometry(h.f->journal)->start, 0);
	end(&h);
}
END_TEST

static errcode_t second_thoughts(void *priv)
{
	struct home *h = priv;

	ck_assert_uint_eq(h->recording.nr, 0);
	return E2LAZY_ET_CHANGED;
}

START_TEST(nothing_is_written_if_the_caller_objects_under_the_lock)
{
	struct home h;

	begin(&h, map_of("txn 5 write 60000-60004\n"
			 "needs_recovery off\n"));
	h.opts.locked = second_thoughts;
	h.opts.priv = &h;
	ck_assert_int_eq(write_home(&h), E2LAZY_ET_CHANGED);
	ck_assert_uint_eq(h.recording.nr, 0);
	ck_assert(!h.done.sealed);
	end(&h);
}
END_TEST

START_TEST(a_write_that_fails_once_is_tried_again)
{
	struct home h;

	begin(&h, map_of("txn 5 write 60000-60004\n"));
	h.recording.fail_at = 0;
	h.recording.fail_once = true;
	ck_assert_int_eq(write_home(&h), 0);
	ck_assert_uint_eq(h.done.blocks_written, 5);
	check_home(&h);
	check_empty(&h);
	end(&h);
}
END_TEST

/* From each write on all fail, as of a disk that is gone: nothing is lost. */
START_TEST(writes_that_fail_lose_nothing)
{
	struct home h;
	errcode_t err;
	long at = 0;

	begin(&h, map_of(LOG));
	save(&h);
	do {
		restore(&h);
		look(&h);
		record_free(&h.recording);
		record_begin(&h.recording);
		h.recording.fail_at = at++;
		err = write_home(&h);
		look(&h);
		record_free(&h.recording);
		record_begin(&h.recording);
		ck_assert_int_eq(write_home(&h), 0);
		check_home(&h);
		check_empty(&h);
	} while (err);
	ck_assert_int_gt(at, 5);
	forget(&h);
	end(&h);
}
END_TEST

/* Each allocation in its turn: what has been written stays, the log too. */
START_TEST(where_memory_runs_out_nothing_is_lost)
{
	unsigned failures = 0;
	struct home h;
	bool failed;
	long at = 0;

	begin(&h, map_of("needs_recovery off\n" LOG));
	h.opts.manager = NULL;
	h.opts.flags = E2LAZY_CHECKPOINT_COMPARE;
	save(&h);
	do {
		errcode_t err;

		restore(&h);
		look(&h);
		scarce_memory(at++);
		err = write_home(&h);
		failed = scarce_memory_failed();
		ck_assert_int_eq(h.done.sealed, !err);
		if (err) {
			ck_assert(failed);
			ck_assert_int_eq(err, EXT2_ET_NO_MEMORY);
			failures++;
			look(&h);
			ck_assert_int_eq(write_home(&h), 0);
		}
		check_home(&h);
		check_empty(&h);
	} while (failed);
	/* 24 buffers to write from, 8 to read to, and what is kept of them. */
	ck_assert_uint_gt(failures, 40);
	forget(&h);
	end(&h);
}
END_TEST

START_TEST(without_threads_it_does_all_itself)
{
	struct home h;

	begin(&h, map_of_fs("-b 4096 -J size=32",
			    "bulk 15 tags 200 from 60000 step 7 mod 3000\n"));
	h.opts.manager = NULL;
	h.opts.memory = 64 << 20;
	scarce_threads(true);
	ck_assert_int_eq(write_home(&h), 0);
	scarce_threads(false);
	ck_assert_uint_eq(h.done.blocks_written, 3000);
	check_home(&h);
	check_empty(&h);
	end(&h);
}
END_TEST

START_TEST(an_earlier_time_is_not_written_home)
{
	struct home h;

	begin(&h, map_of(LOG));
	ck_assert_int_eq(try_open(h.f, &h.open), 0);
	read_map(h.f, E2LAZY_JMAP_CSUMS | E2LAZY_WALK_UNTIL, 5);
	e2lazy_view_free(h.view);
	ck_assert_int_eq(e2lazy_view_build(h.f->journal, h.f->map, &h.view,
					   &h.f->where), 0);
	ck_assert_int_eq(write_home(&h), EXT2_ET_INVALID_ARGUMENT);
	ck_assert_uint_eq(h.recording.nr, 0);
	ck_assert(!h.done.sealed);
	end(&h);
}
END_TEST

/* ---------------------------------------------------------------- crashes */

/* As after a crash: someone recovers, and everything is home. */
static void recover_each_way(struct home *h, size_t done, const bool *keep)
{
	char line[2048];

	restore(h);
	record_replay(&h->recording, done, keep);
	snprintf(line, sizeof(line), "e2fsck -y -E journal_only %s%s %s "
		 ">%s 2>&1; test $? -le 1", h->open.journal ? "-j " : "",
		 h->open.journal ? h->open.journal : "", h->f->image,
		 h->f->said);
	ck_assert_int_eq(system(line), 0);
	check_home(h);

	restore(h);
	record_replay(&h->recording, done, keep);
	look(h);
	h->opts.manager = NULL;
	ck_assert_int_eq(write_home(h), 0);
	check_home(h);
	check_empty(h);
}

/* Every prefix, and some of the ways to lose writes since the last flush. */
static void crash_everywhere(struct home *h)
{
	size_t nr, flushed = 0;
	bool *keep;

	save(h);
	ck_assert_int_eq(write_home(h), 0);
	check_home(h);
	nr = h->recording.nr;
	ck_assert_uint_ge(nr, 6);
	keep = calloc(nr, sizeof(*keep));
	srand(17);
	for (size_t done = 0; done <= nr; done++) {
		recover_each_way(h, done, NULL);
		for (unsigned way = 0; way < 3 && done > flushed + 1; way++) {
			for (size_t i = 0; i < nr; i++)
				keep[i] = i < flushed || rand() % 2;
			recover_each_way(h, done, keep);
		}
		if (done < nr && !h->recording.ops[done].bytes)
			flushed = done + 1;
	}
	free(keep);
	forget(h);
	end(h);
}

START_TEST(a_crash_at_any_write_loses_nothing)
{
	struct home h;

	begin(&h, map_of(LOG));
	crash_everywhere(&h);
}
END_TEST

START_TEST(nor_does_one_of_a_log_that_wraps)
{
	struct home h;

	begin(&h, map_of_fs("-b 1024 -J size=1 -O ^64bit,^metadata_csum",
			    "start end-5\n" LOG));
	crash_everywhere(&h);
}
END_TEST

START_TEST(nor_does_one_of_an_external_journal)
{
	struct fixture *f = new_fixture();
	struct home h;

	make_external(f, "4096", LOG);
	begin(&h, f);
	crash_everywhere(&h);
}
END_TEST

START_TEST(nor_does_one_where_needs_recovery_was_clear)
{
	struct home h;

	begin(&h, map_of("needs_recovery off\n" LOG));
	ck_assert(!e2lazy_geometry(h.f->journal)->needs_recovery);
	crash_everywhere(&h);
}
END_TEST

TCase *checkpoint_tests(void)
{
	TCase *tc = tcase_create("checkpoint");

	tcase_add_test(tc, each_live_block_is_written_home_once);
	tcase_add_test(tc, a_second_time_nothing_is_written);
	tcase_add_test(tc, little_memory_takes_more_passes_and_ends_the_same);
	tcase_add_test(tc, many_requests_at_once_end_the_same);
	tcase_add_test(tc, within_a_pass_writes_go_forward_only);
	tcase_add_test(tc, where_the_log_is_read_again_all_writes_go_forward);
	tcase_add_test(tc, a_block_that_is_to_be_skipped_stays_as_it_is);
	tcase_add_test(tc, a_bad_copy_keeps_the_log);
	tcase_add_test(tc,
	     copies_that_cannot_be_read_are_named_and_the_others_come_home);
	tcase_add_test(tc, who_stops_it_has_the_log_kept);
	tcase_add_loop_test(tc, who_stops_it_in_any_phase_has_the_log_kept, 0,
			    sizeof(stops) / sizeof(stops[0]));
	tcase_add_test(tc, what_does_not_read_back_does_not_count_as_written);
	tcase_add_test(tc,
		       nothing_is_written_if_the_caller_objects_under_the_lock);
	tcase_add_test(tc, a_write_that_fails_once_is_tried_again);
	tcase_add_test(tc, writes_that_fail_lose_nothing);
	tcase_add_test(tc, where_memory_runs_out_nothing_is_lost);
	tcase_add_test(tc, without_threads_it_does_all_itself);
	tcase_add_test(tc, an_earlier_time_is_not_written_home);
	tcase_add_test(tc, a_crash_at_any_write_loses_nothing);
	tcase_add_test(tc, nor_does_one_of_a_log_that_wraps);
	tcase_add_test(tc, nor_does_one_of_an_external_journal);
	tcase_add_test(tc, nor_does_one_where_needs_recovery_was_clear);
	return tc;
}
