/* SPDX-License-Identifier: GPL-2.0-only */
/* The result of a checkpoint that failed: the state that it left. */

#include <errno.h>
#include <string.h>

#include "judged.h"
#include "record_io.h"

#define LOG "txn 5 write 60000-60004\n"

struct attempt {
	const char	*journal;	/* external */
	struct e2lazy_checkpoint_opts opts;
	struct e2lazy_checkpoint_done done;
	struct recording recording;
};

static errcode_t write_back(struct fixture *f, struct attempt *a)
{
	struct judged j = { .open.journal = a->journal };
	errcode_t err;

	open_subject(&j, f);
	agree(&j);
	if (!a->opts.manager)
		a->opts.manager = record_io_manager;
	err = e2lazy_checkpoint(j.subject.view, j.verdict, &a->opts, &a->done,
				&f->where);
	close_subject(&j);
	return err;
}

static errcode_t stop_at_once(void *priv, enum e2lazy_phase phase,
			      uint64_t done, uint64_t total)
{
	(void)priv, (void)phase, (void)done, (void)total;
	return E2LAZY_ET_CANCELLED;
}

static void stop(const char *spec, struct attempt *a)
{
	static const struct e2lazy_watch watch = { .progress = stop_at_once };

	memset(a, 0, sizeof(*a));
	a->opts.watch = &watch;
	record_begin(&a->recording);
	ck_assert_int_eq(write_back(map_of(spec), a), E2LAZY_ET_CANCELLED);
	ck_assert(!a->done.home && !a->done.sealed);
}

START_TEST(who_stops_it_before_a_write_hears_that_there_was_none)
{
	struct attempt a;

	stop(LOG, &a);
	ck_assert_uint_eq(a.recording.nr, 0);
	ck_assert(!a.done.begun);
	record_free(&a.recording);
}
END_TEST

START_TEST(where_needs_recovery_was_clear_setting_it_is_a_write)
{
	struct attempt a;

	stop(LOG "needs_recovery off\n", &a);
	ck_assert_uint_gt(a.recording.nr, 0);
	ck_assert(a.done.begun);
	record_free(&a.recording);
}
END_TEST

/* The last three are the superblock, the journal's, and the superblock. */
START_TEST(when_the_superblocks_fail_it_is_told_whether_all_is_home)
{
	long writes = 0;

	for (long last = 0; last <= 3; last++) {
		struct attempt a = { .opts = { .flags = 0 } };
		errcode_t err;

		record_begin(&a.recording);
		if (last)
			a.recording.fail_at = writes - last;
		err = write_back(map_of(LOG), &a);
		ck_assert_int_eq(!err, !last);
		ck_assert(a.done.begun);
		ck_assert_int_eq(a.done.home, last < 3);
		ck_assert_int_eq(a.done.sealed, !last);
		if (!last)
			writes = a.recording.writes;
		ck_assert_int_gt(writes, 3);
		record_free(&a.recording);
	}
}
END_TEST

static struct struct_io_manager forgetful;

static errcode_t close_and_fail(io_channel channel)
{
	errcode_t err = unix_io_manager->close(channel);

	return err ? err : EIO;
}

static errcode_t open_forgetful(const char *name, int flags, io_channel *out)
{
	errcode_t err = unix_io_manager->open(name, flags, out);

	if (!err)
		(*out)->manager = &forgetful;
	return err;
}

START_TEST(an_error_of_closing_is_told_though_the_log_is_empty)
{
	struct attempt a = { .opts = { .manager = &forgetful } };
	struct fixture *f = map_of(LOG);

	forgetful = *unix_io_manager;
	forgetful.open = open_forgetful;
	forgetful.close = close_and_fail;
	ck_assert_int_eq(write_back(f, &a), EIO);
	ck_assert(a.done.sealed);
	ck_assert_int_eq(f->where.volume, E2LAZY_FILE_SYSTEM);
	ck_assert_int_eq(try_open(f, NULL), 0);
	ck_assert_uint_eq(e2lazy_geometry(f->journal)->start, 0);
}
END_TEST

static errcode_t object(void *priv)
{
	(void)priv;
	return E2LAZY_ET_CHANGED;
}

START_TEST(what_is_not_of_the_journal_is_not_put_down_to_its_device)
{
	struct attempt a = { .opts = { .locked = object } };
	struct fixture *f = new_fixture();

	make_external(f, "4096", LOG);
	a.journal = f->device;
	record_begin(&a.recording);
	ck_assert_int_eq(write_back(f, &a), E2LAZY_ET_CHANGED);
	ck_assert_int_eq(f->where.volume, E2LAZY_FILE_SYSTEM);
	ck_assert(!a.done.begun);
	record_free(&a.recording);
}
END_TEST

TCase *outcome_tests(void)
{
	TCase *tc = tcase_create("outcome");

	tcase_add_test(tc,
		       who_stops_it_before_a_write_hears_that_there_was_none);
	tcase_add_test(tc,
		       where_needs_recovery_was_clear_setting_it_is_a_write);
	tcase_add_test(tc,
		       when_the_superblocks_fail_it_is_told_whether_all_is_home);
	tcase_add_test(tc,
		       an_error_of_closing_is_told_though_the_log_is_empty);
	tcase_add_test(tc,
		       what_is_not_of_the_journal_is_not_put_down_to_its_device);
	return tc;
}
