/* SPDX-License-Identifier: GPL-2.0-only */
/* Without memory the history of files and the log of a trace end, and say so. */

#include <stdio.h>
#include <string.h>

#include "changed.h"
#include "e2lazy_trace.h"
#include "scarce.h"

#define NOTED	"sif / mtime 5\nsif /d mtime 5\nsif /e mtime 5\n"

/* What a call has found, in words. */
struct found {
	struct fixture	*f;
	struct story	*s;
	char		text[4096];
};

/*
 * Call it with each of its allocations failing, and then with none.  It may do
 * without one, if what it finds is the same.
 */
static unsigned each_failure(errcode_t (*call)(struct found *found),
			     struct found *found)
{
	char whole[sizeof(found->text)];
	unsigned failures = 0, errors = 0;
	errcode_t err;
	bool failed;

	*found->text = '\0';
	ck_assert_int_eq(call(found), 0);
	strcpy(whole, found->text);
	do {
		*found->text = '\0';
		scarce_memory(failures);
		err = call(found);
		failed = scarce_memory_failed();
		if (err)
			ck_assert_int_eq(err, EXT2_ET_NO_MEMORY);
		else
			ck_assert_msg(!strcmp(whole, found->text),
				      "without allocation %u:\n%s", failures,
				      found->text);
		ck_assert(failed || !err);
		errors += err != 0;
		failures += failed;
	} while (failed);
	return errors;
}

static errcode_t trace(struct found *found)
{
	struct e2lazy_journal *journal = found->f->journal;
	struct e2lazy_trace_fs fs = { .start = 0 };
	uint32_t next;
	errcode_t err = e2lazy_trace_survey(journal, &fs, &next);

	if (!err)
		err = e2lazy_trace_log(journal, NULL, NULL, &fs);
	snprintf(found->text, sizeof(found->text),
		 "%zu pieces %zu roles %zu runs %zu txns %zu blocks",
		 fs.nr_pieces, fs.nr_roles, fs.nr_runs, fs.nr_txns,
		 fs.nr_logged);
	e2lazy_trace_fs_free(&fs);
	return err;
}

START_TEST(a_trace_has_no_log_without_memory)
{
	struct found found = { .f = map_of("txn 5 write 60000 write 60001\n"
					   "txn 6 revoke 60000\n"
					   "txn 7 write 60002\n") };

	ck_assert_uint_gt(each_failure(trace, &found), 10);
}
END_TEST

static errcode_t note(void *priv, const struct e2lazy_change *c)
{
	struct found *found = priv;
	size_t used = strlen(found->text);

	snprintf(found->text + used, sizeof(found->text) - used,
		 "%u %s %s\n", c->tid, e2lazy_change_name(c->kind), c->path);
	return 0;
}

static errcode_t each(struct found *found)
{
	const struct e2lazy_changes_opts opts = { .found = note,
						  .priv = found };
	struct story *s = found->s;

	return e2lazy_changes_each(s->o->f->journal, s->o->view, NULL, 0,
				   &opts, NULL);
}

static errcode_t between(struct found *found)
{
	const struct e2lazy_changes_opts opts = { .found = note,
						  .priv = found };
	struct story *s = found->s;
	const struct e2lazy_jmap_opts until = {
		.flags = E2LAZY_WALK_UNTIL | E2LAZY_JMAP_CSUMS,
		.until = e2lazy_jmap_stats(s->o->f->map)->first_tid,
	};
	struct e2lazy_journal *journal = s->o->f->journal;
	struct e2lazy_view *view = NULL;
	struct e2lazy_jmap *map = NULL;
	errcode_t err = e2lazy_jmap_build(journal, &until, &map);

	if (!err)
		err = e2lazy_view_build(journal, map, &view, NULL);
	if (!err)
		err = e2lazy_changes_between(journal, view, s->o->view, NULL, 1,
					     until.until,
					     until.until + s->nr_txns - 1,
					     &opts, NULL);
	e2lazy_view_free(view);
	e2lazy_jmap_free(map);
	return err;
}

START_TEST(a_history_ends_without_memory)
{
	struct story s = new_story(SUMS, "mkdir d e; echo hello >f");
	struct found found = { .s = &s };

	/* Whether a log is fresh takes memory to know; this one is not. */
	s.follows = true;
	step(&s, "sif /f mtime 7\n");
	step(&s, NOTED "ln /f /d/moved\nunlink /f\n");
	write_story(&s);
	ck_assert_uint_gt(each_failure(_i ? each : between, &found), 20);
	end_story(&s);
}
END_TEST

TCase *scarce_tests(void)
{
	TCase *tc = tcase_create("scarce");

	tcase_add_test(tc, a_trace_has_no_log_without_memory);
	tcase_add_loop_test(tc, a_history_ends_without_memory, 0, 2);
	return tc;
}
