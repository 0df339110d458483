/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A writer of the library that is called without e2lazyck's knowledge: it
 * refuses, and writes nothing, unless it has a verdict of this log as it stands
 * with a yes to each question.
 */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "home.h"
#include "judged.h"
#include "owned.h"
#include "record_io.h"

#undef LOG
#define LOG "txn 5 write 60000-60004\n"
#define BAD_COPY LOG "damage flip 5.data[2] 9\n"
#define FAST_COMMITS "journal fast_commit 256\n" LOG \
		     "fc 6 unlink 2 12 gone tail\n"
#define FAST_COMMIT_FS "-b 1024 -J size=4"

/* The writes and the result of a call. */
struct call {
	struct e2lazy_checkpoint_opts opts;
	struct e2lazy_checkpoint_done done;
	struct recording recording;
	struct e2lazy_where where;
};

static errcode_t write_by(struct call *c, struct e2lazy_view *view,
			  struct e2lazy_verdict *verdict)
{
	errcode_t err;

	record_begin(&c->recording);
	c->opts.manager = record_io_manager;
	err = e2lazy_checkpoint(view, verdict, &c->opts, &c->done, &c->where);
	ck_assert_int_eq(c->done.begun, c->recording.nr != 0);
	return err;
}

/* Nothing at all is written, and the reason is @why. */
static void check_refused(struct e2lazy_view *view,
			  struct e2lazy_verdict *verdict, errcode_t why)
{
	struct call c = { .opts.flags = 0 };

	ck_assert_int_eq(write_by(&c, view, verdict), why);
	ck_assert_uint_eq(c.recording.nr, 0);
	ck_assert(!c.done.sealed);
	record_free(&c.recording);
}

/* @blocks are in place afterwards, by this call or an earlier one. */
static void check_written(struct judged *j, uint64_t blocks, uint64_t skipped)
{
	struct call c = { .opts.flags = 0 };

	ck_assert_int_eq(write_by(&c, j->subject.view, j->verdict), 0);
	ck_assert(c.done.sealed);
	ck_assert_uint_eq(c.done.blocks_written + c.done.in_place, blocks);
	ck_assert_uint_eq(c.done.skipped, skipped);
	record_free(&c.recording);
}

static void judge_spec(struct judged *j, const char *mke2fs, const char *spec)
{
	memset(j, 0, sizeof(*j));
	judge(j, map_of_fs(mke2fs, spec), E2LAZY_VERIFY_CONTENT);
}

/* ------------------------------------------------------------- none at all */

START_TEST(without_a_verdict_nothing_is_written)
{
	static const char *const logs[] = { LOG, BAD_COPY, "" };
	struct judged j;

	judge_spec(&j, PLAIN, logs[_i]);
	check_refused(j.subject.view, NULL, E2LAZY_ET_NO_VERDICT);
	close_subject(&j);
}
END_TEST

START_TEST(without_a_verdict_fast_commits_are_not_lost)
{
	struct judged j;

	no_orphan_file();
	judge_spec(&j, FAST_COMMIT_FS, FAST_COMMITS);
	check_refused(j.subject.view, NULL, E2LAZY_ET_NO_VERDICT);
	check_refused(j.subject.view, j.verdict, E2LAZY_ET_FC_WAIT);
	close_subject(&j);
}
END_TEST

START_TEST(a_verdict_without_content_never_writes)
{
	struct judged j = { .f = NULL };

	judge(&j, map_of(LOG), 0);
	check_refused(j.subject.view, j.verdict, E2LAZY_ET_QUICK_VERDICT);
	close_subject(&j);
}
END_TEST

/* ---------------------------------------------------------------- consents */

static errcode_t answer(struct judged *j, const char *id,
			enum e2lazy_answer answer)
{
	return e2lazy_verdict_answer(j->verdict, e2lazy_problem_find(id),
				     answer);
}

START_TEST(an_open_question_and_a_no_keep_the_log)
{
	struct judged j;

	judge_spec(&j, PLAIN, BAD_COPY);
	ck_assert_uint_eq(e2lazy_verdict_open(j.verdict), 1);
	check_refused(j.subject.view, j.verdict, E2LAZY_ET_CONSENT);
	ck_assert_int_eq(answer(&j, "data-csum", E2LAZY_YES), 0);
	ck_assert_int_eq(answer(&j, "data-csum", E2LAZY_NO), 0);
	ck_assert_uint_eq(e2lazy_verdict_open(j.verdict), 1);
	check_refused(j.subject.view, j.verdict, E2LAZY_ET_CONSENT);
	ck_assert_int_eq(answer(&j, "data-csum", E2LAZY_YES), 0);
	ck_assert_uint_eq(e2lazy_verdict_open(j.verdict), 0);
	check_written(&j, 4, 1);
	close_subject(&j);
}
END_TEST

START_TEST(each_question_wants_an_answer_of_its_own)
{
	struct judged j;

	judge_spec(&j, PLAIN, "txn 5 write 60000-60004\n"
		   "txn 6 write 60010\ntxn 7 write 60011\n"
		   "damage flip 5.data[2] 9\ndamage csum 7.commit\n");
	ck_assert_str_eq(j.line, "given-up 1 commit-csum 1 data-csum 1 "
			 "copy-of-free 6");
	for (unsigned open = 3; open; open--) {
		static const char *const ids[] = {
			"commit-csum", "data-csum", "given-up",
		};

		ck_assert_uint_eq(e2lazy_verdict_open(j.verdict), open);
		check_refused(j.subject.view, j.verdict, E2LAZY_ET_CONSENT);
		ck_assert_int_eq(answer(&j, ids[open - 1], E2LAZY_YES), 0);
	}
	check_written(&j, 5, 1);
	close_subject(&j);
}
END_TEST

START_TEST(what_is_refused_and_what_asks_nothing_has_no_answer)
{
	struct judged j;

	no_orphan_file();
	judge_spec(&j, FAST_COMMIT_FS, FAST_COMMITS);
	for (int a = E2LAZY_NO; a <= E2LAZY_OTHERWISE; a++) {
		ck_assert_int_eq(answer(&j, "fast-commits-valid", a),
				 EXT2_ET_INVALID_ARGUMENT);
		ck_assert_int_eq(answer(&j, "orphans", a),
				 EXT2_ET_INVALID_ARGUMENT);
	}
	ck_assert_int_eq(answer(&j, "given-up", E2LAZY_OTHERWISE),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(e2lazy_verdict_answer(j.verdict, NULL, E2LAZY_YES),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_uint_eq(e2lazy_verdict_open(j.verdict), 0);
	close_subject(&j);
}
END_TEST

/* A file's block that looks like an extent node. */
#define NODE_FILE "; { printf '\\012\\363\\001\\000\\124'; " \
		  "head -c 1019 /dev/zero; } >f2"

START_TEST(the_second_answer_writes_what_a_yes_leaves_out)
{
	struct owned *o = new_owned("-O ^metadata_csum",
				    "mkdir d; echo x >d/f" NODE_FILE);
	blk64_t fsblk = block_of(o, "/f2", 0);
	struct judged j = { .f = NULL };
	char spec[64];

	snprintf(spec, sizeof(spec), "txn 5 write %llu\n",
		 (unsigned long long)fsblk);
	write_log(o->f, spec);
	put_real(o->f, fsblk);
	judge(&j, o->f, E2LAZY_VERIFY_CONTENT);
	ck_assert_str_eq(j.line, "copy-of-data 1");
	ck_assert_int_eq(answer(&j, "copy-of-data",
				_i ? E2LAZY_OTHERWISE : E2LAZY_YES), 0);
	check_written(&j, _i, !_i);
	close_subject(&j);
	free_owned(o);
}
END_TEST

/* ------------------------------------------------- of another log, or time */

START_TEST(a_verdict_of_another_log_is_stale)
{
	struct judged ours, theirs;

	judge_spec(&ours, PLAIN, LOG);
	judge_spec(&theirs, PLAIN, LOG);
	check_refused(ours.subject.view, theirs.verdict,
		      E2LAZY_ET_STALE_VERDICT);
	check_refused(NULL, ours.verdict, E2LAZY_ET_STALE_VERDICT);
	check_written(&ours, 5, 0);
	close_subject(&ours);
	close_subject(&theirs);
}
END_TEST

START_TEST(a_verdict_is_not_of_a_view_that_was_built_later)
{
	struct e2lazy_view *later;
	struct judged j;

	judge_spec(&j, PLAIN, LOG);
	ck_assert_int_eq(e2lazy_view_build(j.f->journal, j.f->map, &later,
					   NULL), 0);
	check_refused(later, j.verdict, E2LAZY_ET_STALE_VERDICT);
	e2lazy_view_free(later);
	close_subject(&j);
}
END_TEST

START_TEST(parts_of_two_logs_are_not_judged)
{
	struct e2lazy_verify_opts opts = { .flags = E2LAZY_VERIFY_CONTENT };
	struct judged ours, theirs;
	struct e2lazy_subject mixed[3];
	struct e2lazy_verdict *verdict;

	judge_spec(&ours, PLAIN, LOG);
	judge_spec(&theirs, PLAIN, LOG);
	mixed[0] = mixed[1] = mixed[2] = ours.subject;
	mixed[0].view = theirs.subject.view;
	mixed[1].map = theirs.subject.map;
	mixed[2].journal = theirs.subject.journal;
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(e2lazy_verify(&mixed[i], &opts, &verdict),
				 EXT2_ET_INVALID_ARGUMENT);
		ck_assert_ptr_null(verdict);
	}
	close_subject(&ours);
	close_subject(&theirs);
}
END_TEST

/* A map that cannot verify its copies, and one that ends with a time. */
START_TEST(half_a_map_and_an_earlier_time_are_not_judged)
{
	const unsigned flags[] = {
		E2LAZY_JMAP_CSUMS, E2LAZY_JMAP_STATES,
		E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES | E2LAZY_WALK_UNTIL,
	};
	struct e2lazy_jmap_opts opts = { .flags = flags[_i], .until = 5 };
	struct fixture *f = map_of(LOG "txn 6 write 60010\n");
	struct e2lazy_verify_opts verify = { .flags = E2LAZY_VERIFY_CONTENT };
	struct e2lazy_subject s = { .journal = f->journal };
	struct e2lazy_verdict *verdict;
	struct e2lazy_jmap *map;

	ck_assert_int_eq(e2lazy_jmap_build(f->journal, &opts, &map), 0);
	s.map = map;
	ck_assert_int_eq(e2lazy_layout_build(f->journal, map, &s.layout,
					     NULL), 0);
	ck_assert_int_eq(e2lazy_view_build(f->journal, map, &s.view, NULL), 0);
	ck_assert_int_eq(e2lazy_verify(&s, &verify, &verdict),
			 EXT2_ET_INVALID_ARGUMENT);
	e2lazy_view_free(s.view);
	e2lazy_layout_free(s.layout);
	e2lazy_jmap_free(map);
}
END_TEST

/* ------------------------------------------- of a device that has changed */

static void put_byte(const char *image, off_t at)
{
	int fd = open(image, O_WRONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, "!", 1, at), 1);
	close(fd);
}

/* The superblock's time of writing, and the journal's first user. */
START_TEST(a_superblock_that_somebody_wrote_keeps_the_log)
{
	struct judged j;
	blk64_t log;

	judge_spec(&j, "-b 1024 -J size=1 -O ^metadata_csum", LOG);
	ck_assert_int_eq(e2lazy_physblk(j.f->journal, 0, &log), 0);
	put_byte(j.f->image, _i ? (off_t)log * 1024 + 0x104 : 1024 + 0x30);
	check_refused(j.subject.view, j.verdict, E2LAZY_ET_CHANGED);
	close_subject(&j);
}
END_TEST

START_TEST(another_device_of_the_same_name_is_not_written_to)
{
	struct fixture *other = map_of_fs(_i ? "-b 4096 -J size=4" : PLAIN,
					  LOG);
	struct judged j;

	judge_spec(&j, PLAIN, LOG);
	ck_assert_int_eq(rename(other->image, j.f->image), 0);
	check_refused(j.subject.view, j.verdict, E2LAZY_ET_CHANGED);
	close_subject(&j);
}
END_TEST

/* ---------------------------------------------------------------- used up */

static errcode_t stop_at_last(void *priv, enum e2lazy_phase phase,
			      uint64_t done, uint64_t total)
{
	(void)priv;
	return phase == E2LAZY_PHASE_WRITE && done == total ?
	       E2LAZY_ET_CANCELLED : 0;
}

START_TEST(what_was_written_by_it_uses_a_verdict_up)
{
	const struct e2lazy_watch watch = { .progress = stop_at_last };
	struct call c = { .opts.watch = &watch };
	struct judged j;

	judge_spec(&j, PLAIN, LOG);
	ck_assert_int_eq(write_by(&c, j.subject.view, j.verdict),
			 E2LAZY_ET_CANCELLED);
	ck_assert(c.done.begun && !c.done.sealed);
	record_free(&c.recording);
	check_refused(j.subject.view, j.verdict, E2LAZY_ET_STALE_VERDICT);
	agree(&j);
	check_written(&j, 5, 0);
	check_refused(j.subject.view, j.verdict, E2LAZY_ET_STALE_VERDICT);
	close_subject(&j);
}
END_TEST

static errcode_t object(void *priv)
{
	(void)priv;
	return E2LAZY_ET_LOCKED;
}

START_TEST(a_checkpoint_that_did_not_begin_leaves_it_good)
{
	struct call c = { .opts.locked = object };
	struct judged j;

	judge_spec(&j, PLAIN, LOG);
	ck_assert_int_eq(write_by(&c, j.subject.view, j.verdict),
			 E2LAZY_ET_LOCKED);
	record_free(&c.recording);
	check_written(&j, 5, 0);
	close_subject(&j);
}
END_TEST

/* ------------------------------------------------------------------- plans */

START_TEST(a_plan_needs_a_verdict_of_its_subject_but_no_answers)
{
	struct e2lazy_plan_opts opts = { .memory = 1 << 20 };
	struct judged ours, theirs;
	struct e2lazy_plan plan;

	judge_spec(&ours, PLAIN, BAD_COPY);
	judge_spec(&theirs, PLAIN, LOG);
	ck_assert_int_eq(e2lazy_plan(&ours.subject, NULL, &opts, &plan),
			 E2LAZY_ET_NO_VERDICT);
	ck_assert_int_eq(e2lazy_plan(&ours.subject, theirs.verdict, &opts,
				     &plan), E2LAZY_ET_STALE_VERDICT);
	ck_assert_int_eq(e2lazy_plan(&ours.subject, ours.verdict, &opts,
				     &plan), 0);
	ck_assert_uint_eq(plan.blocks, 4);
	ck_assert_uint_eq(plan.skipped, 1);
	check_written(&theirs, 5, 0);
	ck_assert_int_eq(e2lazy_plan(&theirs.subject, theirs.verdict, &opts,
				     &plan), E2LAZY_ET_STALE_VERDICT);
	close_subject(&ours);
	close_subject(&theirs);
}
END_TEST

/* ------------------------------------------------------------------ status */

static const struct {
	const char	*mke2fs, *spec;
	enum e2lazy_status status;
} states[] = {
	{ PLAIN, "", E2LAZY_CLEAN },
	{ PLAIN, "needs_recovery on\n", E2LAZY_CLEAN },
	{ PLAIN, "txn 5 write 60000\ntxn 6 revoke 60000\n", E2LAZY_CLEAN },
	{ PLAIN, "txn 5 write 60000 nocommit\n", E2LAZY_CLEAN },
	{ PLAIN, LOG, E2LAZY_SOUND_IN_USE },
	{ PLAIN, LOG "txn 6 write 60009 nocommit\n", E2LAZY_SOUND_IN_USE },
	{ FAST_COMMIT_FS, FAST_COMMITS, E2LAZY_SOUND_IN_USE },
	{ PLAIN, BAD_COPY, E2LAZY_DAMAGED },
	{ PLAIN, LOG "needs_recovery off\n", E2LAZY_DAMAGED },
	{ PLAIN, LOG "super errno -5\n", E2LAZY_DAMAGED },
};
#define NR_STATES (sizeof(states) / sizeof(states[0]))

START_TEST(a_word_tells_whether_the_log_is_sound)
{
	struct judged j;

	no_orphan_file();
	judge_spec(&j, states[_i].mke2fs, states[_i].spec);
	ck_assert_msg(e2lazy_verdict_status(j.verdict) == states[_i].status,
		      "%s: %s", states[_i].spec, j.line);
	close_subject(&j);
}
END_TEST

/* Of the newest copies one has a good older one, and one has none. */
START_TEST(a_view_shows_what_a_checkpoint_writes)
{
	static const char spec[] = "txn 5 write 60000-60004\n"
				   "txn 6 write 60001 60005 escape 60003\n"
				   "txn 7 escape 60004\n"
				   "damage csum 6.data[0]\n"
				   "damage csum 6.data[1]\n"
				   "damage csum 7.data[0]\n";
	char shown[6][1024], written[1024];
	struct home h;
	int image;

	home_begin(&h, map_of(spec));
	ck_assert_int_eq(e2lazy_verdict_show(h.verdict, h.view), 0);
	for (unsigned i = 0; i < 6; i++)
		ck_assert_int_eq(e2lazy_view_read(h.view, E2LAZY_FILE_SYSTEM,
						  (60000 + i) * 1024, 1024,
						  shown[i], NULL), 0);
	ck_assert_int_eq(home_write(&h), 0);
	image = open(h.f->image, O_RDONLY);
	ck_assert_int_ge(image, 0);
	for (unsigned i = 0; i < 6; i++) {
		ck_assert_int_eq(pread(image, written, 1024,
				       (60000 + i) * 1024), 1024);
		ck_assert_mem_eq(written, shown[i], 1024);
	}
	close(image);
	home_end(&h);
}
END_TEST

TCase *verdict_tests(void)
{
	TCase *tc = tcase_create("verdict");

	tcase_add_test(tc, a_view_shows_what_a_checkpoint_writes);
	tcase_add_loop_test(tc, without_a_verdict_nothing_is_written, 0, 3);
	tcase_add_test(tc, without_a_verdict_fast_commits_are_not_lost);
	tcase_add_test(tc, a_verdict_without_content_never_writes);
	tcase_add_test(tc, an_open_question_and_a_no_keep_the_log);
	tcase_add_test(tc, each_question_wants_an_answer_of_its_own);
	tcase_add_test(tc,
		       what_is_refused_and_what_asks_nothing_has_no_answer);
	tcase_add_loop_test(tc, the_second_answer_writes_what_a_yes_leaves_out,
			    0, 2);
	tcase_add_test(tc, a_verdict_of_another_log_is_stale);
	tcase_add_test(tc, a_verdict_is_not_of_a_view_that_was_built_later);
	tcase_add_test(tc, parts_of_two_logs_are_not_judged);
	tcase_add_loop_test(tc, half_a_map_and_an_earlier_time_are_not_judged,
			    0, 3);
	tcase_add_loop_test(tc, a_superblock_that_somebody_wrote_keeps_the_log,
			    0, 2);
	tcase_add_loop_test(tc, another_device_of_the_same_name_is_not_written_to,
			    0, 2);
	tcase_add_test(tc, what_was_written_by_it_uses_a_verdict_up);
	tcase_add_test(tc, a_checkpoint_that_did_not_begin_leaves_it_good);
	tcase_add_test(tc,
		       a_plan_needs_a_verdict_of_its_subject_but_no_answers);
	tcase_add_loop_test(tc, a_word_tells_whether_the_log_is_sound, 0,
			    NR_STATES);
	return tc;
}
