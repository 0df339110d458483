/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bad blocks and flushes that fail, at every place that a run goes to: what
 * cannot be done is left, and nothing is lost by it.
 *
 * A run is what e2lazyck -p does: look, keep the copies in memory if it is
 * told to, verify, write home.  Each block that it reads to look, keep and
 * verify is bad from the start in a run of its own; each that it then reads or
 * writes goes bad once it has verified, and each flush fails, with all that
 * come after it.  None is left out, so the logs are of a ring as small as mke2fs
 * makes one: it wraps or does not, or has a device of its own, and
 * needs_recovery is set or was lost.  All that with copies kept and without.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "e2lazy_mend.h"
#include "fault_io.h"
#include "fixture.h"
#include "image.h"

#define LOG "txn 5 write 60000-60004 60010\n" \
	    "txn 6 write 60001 60020 escape 60021 revoke 60010\n" \
	    "txn 7 write 60003 nocommit\n"

/* The live copies; 60010 is revoked, and 60020 is logged only by 6. */
static const struct {
	blk64_t		fsblk;
	uint32_t	tid;
} live[] = {
	{ 60000, 5 }, { 60001, 6 }, { 60002, 5 }, { 60003, 5 }, { 60004, 5 },
	{ 60020, 6 }, { 60021, 6 },
};

struct patient {
	struct fixture	*f;
	struct e2lazy_open_opts open;
	unsigned	size;
	struct e2lazy_journal *journal;
	struct e2lazy_jmap *map;
	struct e2lazy_layout *layout;
	struct e2lazy_view *view;
	struct e2lazy_verdict *verdict;
	bool		keep;		/* copies, in memory */
	bool		doubtful;	/* a finding that has to be asked about */
	bool		sealed;
	unsigned long	writes;
	uint64_t	blocks_read;	/* of the log, to write it home */
};

#define PLENTY (1 << 30)

/* ------------------------------------------------------------- one run */

static errcode_t look(struct patient *p)
{
	const struct e2lazy_jmap_opts opts = {
		.flags = E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES,
	};
	struct e2lazy_where where;
	errcode_t err;

	err = e2lazy_open(p->f->image, &p->open, &p->journal, &where);
	if (!err)
		err = e2lazy_jmap_build(p->journal, &opts, &p->map);
	if (!err)
		err = e2lazy_layout_build(p->journal, p->map, &p->layout,
					  &where);
	if (!err)
		err = e2lazy_view_build(p->journal, p->map, &p->view, &where);
	if (!err && p->keep)
		err = e2lazy_view_keep(p->view, PLENTY, NULL);
	return err;
}

static errcode_t verify(struct patient *p)
{
	const struct e2lazy_subject subject = {
		p->journal, p->map, p->layout, p->view,
	};
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT,
	};
	errcode_t err = e2lazy_verify(&subject, &opts, &p->verdict);

	p->doubtful = !err && e2lazy_verdict_open(p->verdict);
	return err;
}

static errcode_t write_home(struct patient *p)
{
	const struct e2lazy_checkpoint_opts opts = {
		.flags = E2LAZY_CHECKPOINT_COMPARE,
		.manager = fault_io_manager,
	};
	struct e2lazy_checkpoint_done done;
	struct e2lazy_where where;
	errcode_t err = e2lazy_checkpoint(p->view, p->verdict, &opts, &done,
					  &where);

	p->sealed = done.sealed;
	p->blocks_read = done.blocks_read;
	ck_assert_uint_le(done.blocks_written + done.failed,
			  sizeof(live) / sizeof(live[0]));
	ck_assert(!err || !done.sealed);
	return err;
}

static void forget(struct patient *p)
{
	e2lazy_verdict_free(p->verdict);
	e2lazy_view_free(p->view);
	e2lazy_layout_free(p->layout);
	e2lazy_jmap_free(p->map);
	e2lazy_close(p->journal);
	p->verdict = NULL;
	p->view = NULL;
	p->layout = NULL;
	p->map = NULL;
	p->journal = NULL;
}

/* When a block goes bad. */
enum onset { FROM_THE_START, AFTER_THE_LOOK };

/* Like e2lazyck -p: an open question stops the write-back. */
static errcode_t run(struct patient *p, enum onset onset, enum fault_kind kind,
		     const struct spot_of_io *bad)
{
	errcode_t err;

	p->doubtful = p->sealed = false;
	fault_begin(p->size, kind, onset == FROM_THE_START ? bad : NULL);
	err = look(p);
	if (!err)
		err = verify(p);
	if (onset == AFTER_THE_LOOK)
		fault_begin(p->size, kind, bad);
	if (!err && !p->doubtful)
		err = write_home(p);
	p->writes = fault_writes;
	fault_begin(p->size, kind, NULL);
	forget(p);
	return err;
}

/* -------------------------------------------------- before and after it */

__attribute__((format(printf, 2, 3)))
static void command(struct patient *p, const char *format, ...)
{
	char *line;
	va_list args;

	va_start(args, format);
	ck_assert_int_gt(vasprintf(&line, format, args), 0);
	va_end(args);
	ck_assert_msg(system(line) == 0, "%s: failed: %s", p->f->image, line);
	free(line);
}

static void copy_one(const char *name, const char *from, const char *to)
{
	char source[512], target[512];

	snprintf(source, sizeof(source), "%s%s", name, from);
	snprintf(target, sizeof(target), "%s%s", name, to);
	copy_image(source, target);
}

static void copy(struct patient *p, const char *from, const char *to)
{
	copy_one(p->f->image, from, to);
	if (p->open.journal)
		copy_one(p->f->device, from, to);
}

static void check_home(struct patient *p)
{
	char *block = malloc(p->size), expect[64];
	int image = open(p->f->image, O_RDONLY);

	for (size_t i = 0; i < sizeof(live) / sizeof(live[0]); i++) {
		unsigned skip = live[i].fsblk == 60021 ? 4 : 0;

		snprintf(expect, sizeof(expect), "fsblk %llu tid %u\n",
			 (unsigned long long)live[i].fsblk, live[i].tid);
		if (skip)
			memcpy(expect, "\xc0\x3b\x39\x98", skip);
		if (pread(image, block, p->size,
			  (off_t)(live[i].fsblk * p->size)) !=
		    (ssize_t)p->size ||
		    memcmp(block, expect, strlen(expect)))
			ck_abort_msg("not home: %s", expect + skip);
	}
	close(image);
	free(block);
}

static void check_sealed(struct patient *p)
{
	struct e2lazy_where where;

	ck_assert_int_eq(e2lazy_open(p->f->image, &p->open, &p->journal,
				     &where), 0);
	ck_assert_uint_eq(e2lazy_geometry(p->journal)->start, 0);
	ck_assert(!e2lazy_geometry(p->journal)->needs_recovery);
	forget(p);
}

/* On a file system with work left, e2fsck does it, and so do we. */
static void check_nothing_lost(struct patient *p)
{
	copy(p, "", ".failed");
	command(p, "e2fsck -y -E journal_only %s %s %s >%s 2>&1; test $? -le 1",
		p->open.journal ? "-j" : "",
		p->open.journal ? p->open.journal : "", p->f->image,
		p->f->said);
	check_home(p);
	copy(p, ".failed", "");
	ck_assert_int_eq(run(p, FROM_THE_START, FAULT_READ, NULL), 0);
	ck_assert(!p->doubtful);
	check_home(p);
	check_sealed(p);
}

/* Below needs_recovery an e2fsck that is told yes recovers just as well. */
static void each_place_goes_bad(struct patient *p, enum onset onset,
				enum fault_kind kind, const struct spots *places)
{
	unsigned failed = 0;

	ck_assert_uint_ge(places->nr, 2);
	copy(p, ".saved", "");
	for (size_t i = 0; i < places->nr; i++) {
		errcode_t err = run(p, onset, kind, &places->at[i]);

		failed += err || p->doubtful;
		if (!p->writes)
			continue;	/* so all is as it was */
		if (p->sealed) {
			check_home(p);
			check_sealed(p);
		} else {
			check_nothing_lost(p);
		}
		copy(p, ".saved", "");
	}
	/* A block that is read for comparison only may be bad. */
	ck_assert_uint_ge(failed, kind == FAULT_READ ? 1 : places->nr);
}

/* The places of a step's requests, by kind. */
static void take_places(struct spots places[FAULT_KINDS])
{
	for (int kind = 0; kind < FAULT_KINDS; kind++)
		places[kind] = fault_take(kind);
}

static void free_places(struct spots places[FAULT_KINDS])
{
	for (int kind = 0; kind < FAULT_KINDS; kind++)
		free(places[kind].at);
}

static void go_through_all(struct patient *p)
{
	struct spots looked[FAULT_KINDS], written[FAULT_KINDS];
	struct spots all[FAULT_KINDS];

	fault_begin(4096, FAULT_READ, NULL);
	ck_assert_int_eq(look(p), 0);
	p->size = e2lazy_geometry(p->journal)->blocksize;
	forget(p);
	take_places(looked);
	free_places(looked);

	copy(p, "", ".saved");
	fault_begin(p->size, FAULT_READ, NULL);
	ck_assert_int_eq(look(p), 0);
	ck_assert_int_eq(verify(p), 0);
	take_places(looked);
	ck_assert_int_eq(write_home(p), 0);
	ck_assert_int_eq(p->blocks_read == 0, p->keep);
	take_places(written);
	forget(p);
	check_home(p);

	each_place_goes_bad(p, FROM_THE_START, FAULT_READ,
			    &looked[FAULT_READ]);
	take_places(all);
	free_places(all);
	for (int kind = 0; kind < FAULT_KINDS; kind++)
		each_place_goes_bad(p, AFTER_THE_LOOK, kind, &written[kind]);
	/* No failure causes a write elsewhere. */
	take_places(all);
	ck_assert_uint_eq(all[FAULT_WRITE].nr, written[FAULT_WRITE].nr);
	free_places(all);
	free_places(looked);
	free_places(written);
	command(p, "rm -f %s.saved %s.failed %s.saved %s.failed", p->f->image,
		p->f->image, p->f->device, p->f->device);
}

static void all_of_fs(const char *mke2fs, const char *spec, bool keep)
{
	struct patient p = { .open.manager = fault_io_manager, .keep = keep };

	p.f = map_of_fs(mke2fs, spec);
	drop(p.f);
	go_through_all(&p);
}

START_TEST(bad_blocks_lose_nothing)
{
	all_of_fs(PLAIN, LOG, _i);
}
END_TEST

START_TEST(nor_do_they_of_a_log_that_wraps)
{
	all_of_fs("-b 1024 -J size=1 -N 64 -O ^64bit,^metadata_csum",
		  "start end-5\n" LOG, _i);
}
END_TEST

START_TEST(nor_where_needs_recovery_was_clear)
{
	all_of_fs(PLAIN, "needs_recovery off\n" LOG, _i);
}
END_TEST

START_TEST(nor_with_an_external_journal)
{
	struct patient p = { .open.manager = fault_io_manager, .keep = _i };

	p.f = new_fixture();
	make_external(p.f, "4096", LOG);
	p.open.journal = p.f->device;
	go_through_all(&p);
}
END_TEST

/* Neither checksum is good, but only one is bad. */
START_TEST(a_copy_that_cannot_be_read_is_not_called_one_with_a_bad_checksum)
{
	const struct e2lazy_open_opts open = { .manager = fault_io_manager };
	struct fixture *f = map_of("txn 5 write 60000-60004\n"
				   "damage flip 5.data[1] 9\n");
	const struct e2lazy_map_stats *stats;
	struct spot_of_io bad = { .block = 0 };
	struct e2lazy_copy copy;

	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60003, &copy), 0);
	snprintf(bad.device, sizeof(bad.device), "%s", f->image);
	bad.block = copy.physblk;
	fault_begin(1024, FAULT_READ, &bad);
	ck_assert_int_eq(try_open(f, &open), 0);
	read_map(f, E2LAZY_WALK_DATA, 0);
	stats = e2lazy_jmap_stats(f->map);
	ck_assert_uint_eq(stats->nr_damage, 2);
	ck_assert_int_eq(stats->damage[0].error, E2LAZY_ET_DATA_CSUM);
	ck_assert_uint_eq(stats->damage[0].count, 1);
	ck_assert_uint_eq(stats->damage[0].first.fsblk, 60001);
	ck_assert_int_eq(stats->damage[1].error, EIO);
	ck_assert_uint_eq(stats->damage[1].count, 1);
	ck_assert_uint_eq(stats->damage[1].first.fsblk, 60003);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 60003, &copy), 0);
	ck_assert_uint_eq(copy.flags, E2LAZY_COPY_BAD | E2LAZY_COPY_UNREADABLE);
}
END_TEST

TCase *fault_tests(void)
{
	TCase *tc = tcase_create("faults");

	tcase_add_loop_test(tc, bad_blocks_lose_nothing, 0, 2);
	tcase_add_loop_test(tc, nor_do_they_of_a_log_that_wraps, 0, 2);
	tcase_add_loop_test(tc, nor_where_needs_recovery_was_clear, 0, 2);
	tcase_add_loop_test(tc, nor_with_an_external_journal, 0, 2);
	tcase_add_test(tc,
	    a_copy_that_cannot_be_read_is_not_called_one_with_a_bad_checksum);
	return tc;
}
