/* SPDX-License-Identifier: GPL-2.0-only */
/* A log is put back in force only if nothing was written after it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2lazy_salvage.h"
#include "judged.h"
#include "record_io.h"

/* Commit times behind those of mke2fs, as those of a mount are. */
#define TXNS "txn 5 time 2000000000 write 60000-60004\n" \
	     "txn 6 time 2000000001 write 60001 60020 revoke 60003\n"

struct lost {
	struct fixture	*f;
	struct judged	j;
	struct e2lazy_salvage *found;
	char		line[512];	/* ids that forbid it */
};

static void forget(struct lost *l)
{
	close_subject(&l->j);
	e2lazy_salvage_free(l->found);
	l->found = NULL;
}

/* Open by the best candidate, and judge it. */
static void look(struct lost *l)
{
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT | E2LAZY_VERIFY_RESTORE,
	};
	const struct e2lazy_candidate *c;
	const struct e2lazy_finding *f;

	forget(l);
	ck_assert_int_eq(e2lazy_salvage(l->f->image, NULL, NULL, &l->found,
					&l->f->where), 0);
	c = e2lazy_salvage_candidate(l->found, 0);
	ck_assert_ptr_nonnull(c);
	l->j.open.geometry = &c->geometry;
	l->j.map_flags = E2LAZY_JMAP_STATES;
	open_subject(&l->j, l->f);
	ck_assert_int_eq(e2lazy_verify(&l->j.subject, &opts, &l->j.verdict),
			 0);
	l->line[0] = '\0';
	for (size_t i = 0; (f = e2lazy_verdict_finding(l->j.verdict, i)); i++)
		if (f->problem->consent != E2LAZY_GO) {
			strcat(l->line, *l->line ? " " : "");
			strcat(l->line, f->problem->id);
		}
}

static void lose(struct lost *l, const char *spec)
{
	memset(l, 0, sizeof(*l));
	l->f = new_fixture();
	make_image(l->f, "64M", PLAIN, spec);
	look(l);
}

static errcode_t restore(struct lost *l, io_manager manager)
{
	const struct e2lazy_checkpoint_opts opts = { .manager = manager };
	struct e2lazy_restore_done done;
	errcode_t err = e2lazy_restore(l->j.subject.view, l->j.verdict, &opts,
				       &done, &l->f->where);

	ck_assert_int_eq(done.in_force, !err);
	return err;
}

static void check_in_force(struct lost *l)
{
	const struct e2lazy_geometry *g;

	forget(l);
	ck_assert_int_eq(try_open(l->f, NULL), 0);
	g = e2lazy_geometry(l->f->journal);
	ck_assert(g->needs_recovery);
	ck_assert_uint_eq(g->sequence, 5);
	read_map(l->f, E2LAZY_WALK_DATA, 0);
	ck_assert_mapped(l->f, 60001, 6);
	ck_assert_mapped(l->f, 60004, 5);
	ck_assert_uint_eq(e2lazy_jmap_count(l->f->map), 5);
	drop(l->f);
}

/* Each way to lose it; nothing else has happened. */
static const char *const losses[] = {
	"damage zero @0\n", "damage super magic 0\n",
	"damage super csum 1\n", "damage super start 0\n",
	"damage super start 0\ndamage super sequence 4000\n",
	"damage super incompat 1\n", "needs_recovery off\n",
	"needs_recovery off\ndamage super start 0\n",
	"needs_recovery off\ndamage zero @0\n",
};
#define NR_LOSSES (sizeof(losses) / sizeof(losses[0]))

START_TEST(a_lost_log_is_in_force_again)
{
	char spec[512];
	struct lost l;
	bool first = !strncmp(losses[_i], "needs", 5);

	snprintf(spec, sizeof(spec), "%s%s%s", first ? "needs_recovery off\n" :
		 "", TXNS, first ? strchr(losses[_i], '\n') + 1 : losses[_i]);
	lose(&l, spec);
	ck_assert_str_eq(l.line, "");
	ck_assert_int_eq(restore(&l, NULL), 0);
	check_in_force(&l);
}
END_TEST

/* Each program that wrote after the log: debugfs's way to leave its trace. */
static const struct {
	const char *command, *id, *time;
} writers[] = {
	{ "ssv mtime 20400101", "later-mount", "1900000000" },
	{ "ssv lastcheck 20400101", "later-check", "1900000000" },
	{ "ssv mnt_count 1", "later-write", "2100000000" },
	/* As an unmount in the second of the last commit does. */
	{ "feature -needs_recovery", "later-write", "2000000001" },
};
#define NR_WRITERS (sizeof(writers) / sizeof(writers[0]))

START_TEST(a_later_writer_forbids_it)
{
	char line[256];
	struct lost l;

	lose(&l, TXNS "damage zero @0\n");
	snprintf(line, sizeof(line), "E2FSPROGS_FAKE_TIME=%s "
		 "debugfs -w -R '%s' %%s >/dev/null 2>&1",
		 writers[_i].time, writers[_i].command);
	shell(l.f, line);
	look(&l);
	ck_assert_ptr_nonnull(strstr(l.line, writers[_i].id));
	ck_assert_int_eq(restore(&l, NULL), E2LAZY_ET_CONSENT);
	forget(&l);
}
END_TEST

/* Ids tell, also if the clock was set back in between. */
START_TEST(a_newer_transaction_forbids_it)
{
	struct lost l;
	char spec[512];

	snprintf(spec, sizeof(spec), TXNS "leftover@300 9 %s write 60000\n"
		 "leftover 10 %s write 60000\ndamage super start 0\n",
		 _i ? "" : "time 2000000005", _i ? "" : "time 2000000006");
	lose(&l, spec);
	ck_assert_ptr_nonnull(strstr(l.line, _i ? "newer-in-ring" :
						  "begin-unknown"));
	ck_assert_int_eq(restore(&l, NULL), E2LAZY_ET_CONSENT);
	forget(&l);
}
END_TEST

START_TEST(a_begin_that_nothing_shows_forbids_it)
{
	struct lost l;

	lose(&l, "start 300\nsequence 4\n"
	     "txn 4 time 2000000000 write 60000\n" TXNS "damage zero @0\n");
	ck_assert_str_eq(l.line, "begin-unknown");
	ck_assert_int_eq(restore(&l, NULL), E2LAZY_ET_CONSENT);
	forget(&l);
}
END_TEST

START_TEST(a_verdict_serves_one_kind_of_writer)
{
	struct e2lazy_checkpoint_done done;
	struct lost l;

	lose(&l, TXNS "damage zero @0\n");
	ck_assert_int_eq(e2lazy_checkpoint(l.j.subject.view, l.j.verdict, NULL,
					   &done, &l.f->where),
			 E2LAZY_ET_STALE_VERDICT);
	agree(&l.j);
	ck_assert_int_eq(restore(&l, NULL), E2LAZY_ET_STALE_VERDICT);
	forget(&l);
}
END_TEST

/* ---------------------------------------------------------------- crashes */

static void save(struct lost *l, const char *how)
{
	char line[600];

	snprintf(line, sizeof(line), how, l->f->image, l->f->image);
	ck_assert_int_eq(system(line), 0);
}

/* A second run finishes it, whatever the power cut has left. */
static void finish(void *priv, size_t end, const bool *keep)
{
	struct crash { struct lost *l; struct recording *r; } *c = priv;

	save(c->l, "cp --sparse=always %s.saved %s");
	record_replay(c->r, end, keep);
	look(c->l);
	ck_assert_str_eq(c->l->line, "");
	ck_assert_int_eq(restore(c->l, NULL), 0);
	check_in_force(c->l);
}

START_TEST(a_crash_at_any_write_leaves_a_log_to_restore)
{
	struct recording recording;
	struct lost l;
	struct crash { struct lost *l; struct recording *r; } c = {
		&l, &recording,
	};

	lose(&l, _i ? "needs_recovery off\n" TXNS "damage zero @0\n" :
	     TXNS "damage zero @0\n");
	save(&l, "cp --sparse=always %s %s.saved");
	record_begin(&recording);
	ck_assert_int_eq(restore(&l, record_io_manager), 0);
	ck_assert_uint_eq(recording.nr, _i ? 4 : 2);
	/* The superblock and its flush come first. */
	ck_assert(!_i || recording.ops[0].offset == 1024);
	ck_assert(!_i || !recording.ops[1].bytes);
	check_in_force(&l);
	record_crashes(&recording, finish, &c);
	record_free(&recording);
}
END_TEST

TCase *restore_tests(void)
{
	TCase *tc = tcase_create("restore");

	tcase_add_loop_test(tc, a_lost_log_is_in_force_again, 0, NR_LOSSES);
	tcase_add_loop_test(tc, a_later_writer_forbids_it, 0, NR_WRITERS);
	tcase_add_loop_test(tc, a_newer_transaction_forbids_it, 0, 2);
	tcase_add_test(tc, a_begin_that_nothing_shows_forbids_it);
	tcase_add_test(tc, a_verdict_serves_one_kind_of_writer);
	tcase_add_loop_test(tc, a_crash_at_any_write_leaves_a_log_to_restore,
			    0, 2);
	return tc;
}
