/* SPDX-License-Identifier: GPL-2.0-only */
/* A log without its superblock: the ring shows its form. */

#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "e2lazy_salvage.h"
#include "log/log.h"

static struct e2lazy_salvage *found;

static void forget(void)
{
	e2lazy_salvage_free(found);
	found = NULL;
}

static size_t look(struct fixture *f, const struct e2lazy_parts *parts)
{
	const struct e2lazy_salvage_opts how = { .pieces = parts };

	forget();
	ck_assert_int_eq(e2lazy_salvage(f->image, NULL, &how, &found,
					&f->where), 0);
	return e2lazy_salvage_count(found);
}

static const struct e2lazy_candidate *best(struct fixture *f)
{
	ck_assert_uint_ge(look(f, NULL), 1);
	return e2lazy_salvage_candidate(found, 0);
}

/* A log that does not open. */
static struct fixture *lost(const char *mke2fs, const char *spec)
{
	struct fixture *f = new_fixture();

	make_image(f, strstr(mke2fs, "4096") ? "512M" : "64M", mke2fs, spec);
	return f;
}

static void open_it(struct fixture *f, const struct e2lazy_candidate *c)
{
	const struct e2lazy_open_opts opts = {
		.geometry = &c->geometry, .runs = c->runs,
		.nr_runs = c->nr_runs,
	};

	ck_assert_int_eq(try_open(f, &opts), 0);
	read_map(f, E2LAZY_WALK_DATA, 0);
	ck_assert_uint_eq(e2lazy_jmap_stats(f->map)->nr_damage, 0);
}

#define SMALL "-b 1024 -J size=4 -O ^metadata_csum"

/* Of each form of a log: mke2fs's options, and mkjournal's first words. */
static const struct form {
	const char *mke2fs, *journal;
} forms[] = {
	{ PLAIN, "" },
	{ "-b 4096 -J size=16 -O 64bit,metadata_csum", "" },
	{ SMALL ",64bit", "journal csum v3 32bit\n" },
	{ SMALL ",64bit", "journal csum v2 64bit\n" },
	{ SMALL ",^64bit", "journal csum v2 32bit\n" },
	{ SMALL ",64bit", "journal csum v1 64bit\n" },
	{ SMALL ",^64bit", "journal csum v1 32bit\n" },
	{ SMALL ",64bit", "journal csum none 64bit\n" },
	{ SMALL ",^64bit", "journal csum none 32bit\n" },
	{ SMALL ",^64bit", "journal csum none 64bit\n" },
	{ "-b 1024 -J size=4 -O fast_commit", "journal fast_commit 256\n" },
	{ SMALL, "journal csum v3 64bit uuid "
		 "11111111-2222-3333-4444-555555555555\n" },
};
#define NR_FORMS (sizeof(forms) / sizeof(forms[0]))

#define TXNS "txn 5 write 60000-60009\n" \
	     "txn 6 revoke 60001 write 60003,60020\n" \
	     "txn 7 write 60021\n"

static struct fixture *log_of(const struct form *form, const char *rest)
{
	char spec[1024];

	snprintf(spec, sizeof(spec), "%s%s", form->journal, rest);
	return lost(form->mke2fs, spec);
}

static void check_same(const struct e2lazy_geometry *a,
		       const struct e2lazy_geometry *b)
{
	ck_assert_uint_eq(a->blocksize, b->blocksize);
	ck_assert_uint_eq(a->maxlen, b->maxlen);
	ck_assert_uint_eq(a->first, b->first);
	ck_assert_uint_eq(a->end, b->end);
	ck_assert_uint_eq(a->start, b->start);
	ck_assert_uint_eq(a->sequence, b->sequence);
	ck_assert_uint_eq(a->csum, b->csum);
	ck_assert_uint_eq(a->compat, b->compat);
	ck_assert_uint_eq(a->incompat, b->incompat);
}

/* All but the seeds that nothing on the disk tells any more. */
START_TEST(a_log_without_any_superblock_has_its_form_again)
{
	struct fixture *f = log_of(&forms[_i], TXNS);
	const struct e2lazy_candidate *c;
	struct e2lazy_geometry before;
	char spec[1024];

	ck_assert_int_eq(try_open(f, NULL), 0);
	before = *e2lazy_geometry(f->journal);
	snprintf(spec, sizeof(spec), "%s" TXNS "damage zero @0\n",
		 forms[_i].journal);
	write_log(f, spec);
	ck_assert_int_eq(try_open(f, NULL), E2LAZY_ET_JSB_MAGIC);
	c = best(f);
	ck_assert_int_eq(c->super_error, E2LAZY_ET_JSB_MAGIC);
	ck_assert(!c->in_force);
	check_same(&c->geometry, &before);
	if (before.csum >= E2LAZY_CSUM_V2)
		ck_assert_mem_eq(c->geometry.uuid, before.uuid, 16);
	ck_assert_uint_eq(c->proven, before.csum ? 3 : 0);
	ck_assert(c->reaches_now);
	open_it(f, c);
	ck_assert_mapped(f, 60003, 6);
	ck_assert_mapped(f, 60009, 5);
	ck_assert_not_mapped(f, 60001);
	ck_assert_ends(f, E2LAZY_END_NOT_JOURNAL, 8);
	forget();
}
END_TEST

/* As a kernel leaves it that has checkpointed the log. */
static void empty_super(struct fixture *f)
{
	blk64_t at;
	uint8_t block[1024];
	FILE *file;

	ck_assert_int_eq(try_open(f, NULL), 0);
	ck_assert_int_eq(e2lazy_physblk(f->journal, 0, &at), 0);
	file = fopen(f->image, "r+");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fseek(file, (long)(at * 1024), SEEK_SET), 0);
	ck_assert_uint_eq(fread(block, 1024, 1, file), 1);
	jsb_set_empty(block, 100, crc32c_select());
	ck_assert_int_eq(fseek(file, (long)(at * 1024), SEEK_SET), 0);
	ck_assert_uint_eq(fwrite(block, 1024, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

/* The kernel clears the feature, and keeps the size for the next time. */
START_TEST(an_emptied_log_keeps_the_size_of_its_fast_commit_area)
{
	const struct form form = { "-b 1024 -J size=4 -O fast_commit",
				   "journal fast_commit 512\n" };
	struct fixture *f = log_of(&form, "start end-20\n" TXNS
				   "txn 8 write 61000-61040\n"
				   "txn 9 write 60030\n");
	const struct e2lazy_candidate *c;
	uint32_t end;

	ck_assert_int_eq(try_open(f, NULL), 0);
	end = e2lazy_geometry(f->journal)->end;
	empty_super(f);
	c = best(f);
	ck_assert_uint_eq(c->geometry.end, end);
	ck_assert_uint_eq(c->facts[E2LAZY_PART_FAST].value, 512);
	ck_assert_int_eq(c->facts[E2LAZY_PART_FAST].origin,
			 E2LAZY_FROM_JOURNAL_SUPER);
	open_it(f, c);
	ck_assert_mapped(f, 60003, 6);
	ck_assert_mapped(f, 61040, 8);
	ck_assert_mapped(f, 60030, 9);
	forget();
}
END_TEST

/* The fields that remain are believed where the ring does not contradict. */
START_TEST(a_superblock_without_magic_still_tells_the_seed)
{
	struct fixture *f = log_of(&forms[NR_FORMS - 1],
				   TXNS "damage super magic 0\n");
	const struct e2lazy_candidate *c;

	(void)f;
	c = best(f);
	ck_assert_uint_eq(c->proven, 3);
	ck_assert_int_eq(c->facts[E2LAZY_PART_UUID].origin,
			 E2LAZY_FROM_JOURNAL_SUPER);
	ck_assert_int_eq(c->facts[E2LAZY_PART_START].origin,
			 E2LAZY_FROM_JOURNAL_SUPER);
	open_it(f, c);
	ck_assert_mapped(f, 60003, 6);
	forget();
}
END_TEST

/* Each lie of a superblock, all but the last with a right checksum. */
static const char *const lies[] = {
	"super start 0", "super start 2000", "super start 3",
	"super start 77", "super sequence 6", "super sequence 4000",
	"super maxlen 1000", "super maxlen 5000000", "super first 0",
	"super first 4095", "super blocksize 4096", "super incompat 0x8013",
	"super incompat 0x1", "super incompat 0xb", "super incompat 0x11",
	"super csumtype 1", "super type 2",
	"super csum 7", "super start 0 raw",
};
#define NR_LIES (sizeof(lies) / sizeof(lies[0]))

START_TEST(no_lie_of_the_superblock_hides_the_log)
{
	const char *options = "-b 1024 -J size=4 -O 64bit,metadata_csum";
	struct fixture *f = map_of_fs(options, TXNS);
	struct e2lazy_geometry before = *e2lazy_geometry(f->journal);
	const struct e2lazy_candidate *c;
	char spec[512];

	snprintf(spec, sizeof(spec), TXNS "damage %s\n", lies[_i]);
	f = new_fixture();
	make_image(f, "64M", options, spec);
	c = best(f);
	ck_assert(!c->in_force);
	check_same(&c->geometry, &before);
	open_it(f, c);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 11);
	forget();
}
END_TEST

/*
 * Behind an earlier mount, whose blocks are in place.  Each tail leads into the
 * log, none to its first block: by its id, by its place, or by both.
 */
#define EARLIER "leftover@1 2 time 1600000000 write 60100-60107\n" \
		"leftover 3 time 1600000001 write 60110-60116\n"
#define MIDWAY	"start 20\n" \
		"txn 5 perdesc 4 write 60000-60009\n" EARLIER \
		"txn 6 revoke 60001 write 60003,60020\n" \
		"txn 7 write 60021\n"

static const char *const wrong_tails[] = {
	"super sequence 6", "super sequence 7", "super sequence 4000",
	"super sequence 6 raw", "super sequence 3",
	"super start 25",	/* the second descriptor */
	"super start 33",	/* the commit block */
	"super start 33 raw",
	"super start 34", "super start 21", "super start 3", "super start 11",
	"super start 1", "super start 600",
};
#define NR_WRONG_TAILS (sizeof(wrong_tails) / sizeof(wrong_tails[0]))

START_TEST(no_wrong_tail_costs_the_first_transaction)
{
	struct fixture *f = map_of(MIDWAY);
	struct e2lazy_geometry before = *e2lazy_geometry(f->journal);
	const struct e2lazy_candidate *c;
	char spec[512];

	snprintf(spec, sizeof(spec), MIDWAY "damage %s\n", wrong_tails[_i]);
	f = lost(PLAIN, spec);
	c = best(f);
	ck_assert(!c->in_force);
	ck_assert_uint_eq(c->txns, 3);
	ck_assert_uint_eq(c->ring.cut, 0);
	check_same(&c->geometry, &before);
	open_it(f, c);
	ck_assert_mapped(f, 60009, 5);
	ck_assert_mapped(f, 60021, 7);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), 11);
	forget();
}
END_TEST

/* An empty transaction is a commit block alone. */
START_TEST(a_tail_may_be_a_commit_block)
{
	struct fixture *f = map_of("start 500\ntxn 5\ntxn 6 write 60000\n");
	const struct e2lazy_candidate *c = best(f);

	ck_assert(c->in_force);
	ck_assert_uint_eq(c->txns, 2);
	ck_assert_uint_eq(c->geometry.start, 500);
	forget();
}
END_TEST

START_TEST(a_sound_log_in_use_is_in_force)
{
	struct fixture *f = map_of(TXNS);
	const struct e2lazy_candidate *c = best(f);

	ck_assert(c->in_force);
	ck_assert_int_eq(c->super_error, 0);
	ck_assert_uint_eq(e2lazy_salvage_count(found), 1);
	check_same(&c->geometry, e2lazy_geometry(f->journal));
	forget();
}
END_TEST

/* The tail alone is named: older transactions of the mount are in place. */
START_TEST(the_named_tail_comes_before_the_mount_s_first_transaction)
{
	struct fixture *f = map_of(TXNS "tail 6\n");
	const struct e2lazy_candidate *c = best(f);

	ck_assert_uint_eq(e2lazy_salvage_count(found), 2);
	ck_assert_uint_eq(c->first_tid, 6);
	ck_assert(c->in_force);
	ck_assert_uint_eq(e2lazy_salvage_candidate(found, 1)->first_tid, 5);
	forget();
}
END_TEST

/* A mount leaves out an id, and what came before it is in place. */
START_TEST(the_log_begins_with_the_last_mount)
{
	struct fixture *f = lost(PLAIN, "txn 5 write 60000\ntxn 6 write 60001\n"
				   "leftover 8 write 60000\n"
				   "leftover 9 write 60002\n"
				   "damage zero @0\n");
	const struct e2lazy_candidate *c = best(f);

	ck_assert_uint_eq(c->first_tid, 8);
	ck_assert_uint_eq(c->last_tid, 9);
	ck_assert_uint_eq(c->ring.txns, 4);
	open_it(f, c);
	ck_assert_mapped(f, 60000, 8);
	ck_assert_not_mapped(f, 60001);
	forget();
}
END_TEST

/* The second mount's clock was wrong, or set back. */
START_TEST(a_clock_set_back_does_not_cut_the_log)
{
	struct fixture *f = lost(PLAIN, "sequence 3\n"
				   "txn 3 write 60000 time 2000000100\n"
				   "txn 4 write 60001 time 2000000101\n"
				   "txn 5 write 60002 time 2000000000\n"
				   "txn 6 write 60003 time 2000000001\n"
				   "damage zero @0\n");
	const struct e2lazy_candidate *c = best(f);

	ck_assert_uint_eq(c->first_tid, 3);
	ck_assert_uint_eq(c->txns, 4);
	ck_assert(c->reaches_now);
	forget();
}
END_TEST

START_TEST(a_log_that_wraps_is_found)
{
	struct fixture *f = lost(PLAIN, "txn 3 write 60100-60400\n"
				   "txn 4 write 60100-60400\n"
				   "txn 5 write 60100-60400\n"
				   "lap\ntxn 6 write 60000-60200\n"
				   "txn 7 write 60003\ntail 5\n"
				   "damage zero @0\n");
	const struct e2lazy_candidate *c = best(f);

	ck_assert_uint_eq(c->last_tid, 7);
	open_it(f, c);
	ck_assert_mapped(f, 60003, 7);
	ck_assert_mapped(f, 60100, 6);
	ck_assert_ends(f, e2lazy_jmap_end(f->map)->reason, 8);
	forget();
}
END_TEST

START_TEST(damage_in_the_middle_does_not_move_the_tail)
{
	struct fixture *f = lost(PLAIN, TXNS "txn 8 write 60030\n"
				   "damage garbage 6.commit\n"
				   "damage zero @0\n");
	const struct e2lazy_candidate *c = best(f);

	ck_assert_uint_eq(c->first_tid, 5);
	forget();
}
END_TEST

START_TEST(nothing_is_left_of_a_ring_of_zeros)
{
	struct fixture *f = map_of("");

	write_log(f, "damage zero @0\n");
	ck_assert_uint_eq(look(f, NULL), 0);
	forget();
}
END_TEST

/* A start in the middle of an empty ring is known to the superblock alone. */
START_TEST(a_tail_by_hand_is_believed)
{
	struct e2lazy_parts parts = {
		.has = 1U << E2LAZY_PART_START | 1U << E2LAZY_PART_SEQUENCE,
		.start = 500, .sequence = 5,
	};
	struct fixture *f = lost(PLAIN, "start 500\n" TXNS "damage zero @0\n");
	const struct e2lazy_candidate *c = best(f);

	ck_assert_uint_eq(c->first_tid, 6);
	ck_assert_uint_eq(c->ring.cut, 1);
	ck_assert_uint_eq(look(f, &parts), 1);
	c = e2lazy_salvage_candidate(found, 0);
	ck_assert_uint_eq(c->first_tid, 5);
	ck_assert_int_eq(c->facts[E2LAZY_PART_START].origin,
			 E2LAZY_FROM_CALLER);
	open_it(f, c);
	ck_assert_mapped(f, 60009, 5);
	parts.sequence = 6;
	ck_assert_uint_eq(look(f, &parts), 0);
	forget();
}
END_TEST

/* Seeds of nobody: a UUID by hand proves it. */
START_TEST(a_uuid_by_hand_proves_the_log)
{
	struct e2lazy_parts parts = { .has = 1U << E2LAZY_PART_UUID };
	struct fixture *f = log_of(&forms[NR_FORMS - 1],
				   TXNS "damage zero @0\n");

	memcpy(parts.uuid, "\x11\x11\x11\x11\x22\x22\x33\x33\x44\x44"
	       "\x55\x55\x55\x55\x55\x55", 16);
	ck_assert_uint_eq(look(f, &parts), 1);
	ck_assert_uint_eq(e2lazy_salvage_candidate(found, 0)->proven, 3);
	forget();
}
END_TEST

START_TEST(the_backup_of_the_inode_is_named_as_the_source)
{
	struct fixture *f = lost(PLAIN, TXNS "damage inode8 clear\n"
				   "damage zero @0\n");
	const struct e2lazy_candidate *c = best(f);

	ck_assert_int_eq(c->facts[E2LAZY_PART_WHERE].origin,
			 E2LAZY_FROM_BACKUP);
	ck_assert_uint_eq(c->proven, 3);
	forget();
}
END_TEST

TCase *salvage_tests(void)
{
	TCase *tc = tcase_create("salvage");

	tcase_add_loop_test(tc,
		a_log_without_any_superblock_has_its_form_again, 0,
		NR_FORMS - 1);
	tcase_add_test(tc,
		       an_emptied_log_keeps_the_size_of_its_fast_commit_area);
	tcase_add_test(tc, a_superblock_without_magic_still_tells_the_seed);
	tcase_add_loop_test(tc, no_lie_of_the_superblock_hides_the_log, 0,
			    NR_LIES);
	tcase_add_loop_test(tc, no_wrong_tail_costs_the_first_transaction, 0,
			    NR_WRONG_TAILS);
	tcase_add_test(tc, a_tail_may_be_a_commit_block);
	tcase_add_test(tc, a_sound_log_in_use_is_in_force);
	tcase_add_test(tc,
		the_named_tail_comes_before_the_mount_s_first_transaction);
	tcase_add_test(tc, the_log_begins_with_the_last_mount);
	tcase_add_test(tc, a_clock_set_back_does_not_cut_the_log);
	tcase_add_test(tc, a_log_that_wraps_is_found);
	tcase_add_test(tc, damage_in_the_middle_does_not_move_the_tail);
	tcase_add_test(tc, nothing_is_left_of_a_ring_of_zeros);
	tcase_add_test(tc, a_tail_by_hand_is_believed);
	tcase_add_test(tc, a_uuid_by_hand_proves_the_log);
	tcase_add_test(tc, the_backup_of_the_inode_is_named_as_the_source);
	return tc;
}
