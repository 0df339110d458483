/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fast commits become a transaction, and go home with the log: at each moment
 * the disk has the fast commits or that transaction.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "area.h"
#include "home.h"
#include "log/log.h"
#include "mend/mend.h"
#include "map/super.h"
#include "verify/verdict.h"
#include "view/view.h"

/* The blocks that must be home at the end. */
struct wanted {
	struct home	h;
	bool		wraps;		/* e2fsck misreads it */
	blk64_t		fsblks[4096];
	char		*bytes[4096];
	size_t		nr;
};

static const struct {
	const char	*mke2fs, *log;
	unsigned	size;
	uint32_t	freed;
	bool		external;
	bool		wraps;		/* e2fsck misreads it */
} kinds[] = {
	{ "-b 1024 -J size=2 -O fast_commit,64bit,metadata_csum", AREA_LOG,
	  1024, FREED, false, false },
	{ "-b 1024 -J size=2 -O fast_commit,^64bit,^metadata_csum",
	  "journal fast_commit 256\nstart end-3\nneeds_recovery off\n"
	  "txn 5 write 60000-60003 escape 60010\nfc 6 tail\n",
	  1024, FREED, false, true },
	{ "-b 4096 -J size=8 -O fast_commit,^metadata_csum",
	  "journal fast_commit 256 csum v1\ntxn 5 write 14000-14002\n"
	  "fc 6 tail\n", 4096, 12000, false, false },
	{ "-b 4096 -J size=8 -O fast_commit,64bit,^metadata_csum",
	  "journal fast_commit 256 csum v2 64bit\nstart end-1\n"
	  "txn 5 write 14000-14002\nfc 6 tail\n", 4096, 12000, false, true },
	{ NULL, "journal fast_commit 256\ntxn 5 write 60000-60003\n"
		"fc 6 tail\n", 4096, 50000, true, false },
};
#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Files and directories come, go and change: 20 blocks or so. */
static void write_records(struct fixture *f, unsigned kind,
			  const struct e2lazy_open_opts *opts)
{
	struct area *a = area_begin(kinds[kind].size);
	uint32_t freed = kinds[kind].freed;

	area_inode(a, NEW_INO, LINUX_S_IFDIR | 0755, 2, kinds[kind].size, 7);
	area_name(a, E2LAZY_FC_CREAT, DIR_INO, NEW_INO, "made");
	area_inode(a, NEW_INO + 1, LINUX_S_IFREG | 0644, 1,
		   10 * kinds[kind].size, 8);
	for (uint32_t i = 0; i < 5; i++)
		area_range(a, NEW_INO + 1, 2 * i, 1, freed + 2 * i);
	area_name(a, E2LAZY_FC_CREAT, NEW_INO, NEW_INO + 1, "inside");
	area_tail(a);
	area_name(a, E2LAZY_FC_UNLINK, DIR_INO, INNER_INO, "inner");
	area_name(a, E2LAZY_FC_LINK, 2, FILE_INO, "more");
	area_tail(a);
	area_write(f, a, opts);
}

static struct fixture *made(unsigned kind, const char *log)
{
	struct fixture *f;

	log = log ? log : kinds[kind].log;
	if (kinds[kind].external) {
		struct e2lazy_open_opts opts = { .journal = NULL };

		f = new_fixture();
		make_external(f, "4096", log);
		area_populate(f);
		opts.journal = f->device;
		write_records(f, kind, &opts);
		drop(f);
		return f;
	}
	f = new_fixture();
	make_image(f, "64M", kinds[kind].mke2fs, "");
	area_populate(f);
	write_log(f, log);
	write_records(f, kind, NULL);
	drop(f);
	return f;
}

static void want_block(struct wanted *w, blk64_t fsblk)
{
	struct e2lazy_view *fast = w->h.verdict->fast;

	if (fsblk == super_fsblk(w->h.f->journal))
		return;			/* its times and flags differ */
	ck_assert_uint_lt(w->nr, 4096);
	w->fsblks[w->nr] = fsblk;
	w->bytes[w->nr] = malloc(w->h.size);
	ck_assert_int_eq(e2lazy_view_read(fast, 0, fsblk * w->h.size,
					  w->h.size, w->bytes[w->nr++], NULL),
			 0);
}

static void begin(struct wanted *w, struct fixture *f)
{
	struct e2lazy_copy copy;

	w->nr = 0;
	home_begin(&w->h, f);
	ck_assert(verdict_fast_waits(w->h.verdict));
	ck_assert_ptr_nonnull(w->h.verdict->fast);
	for (size_t i = 0; i < e2lazy_jmap_count(f->map); i++) {
		e2lazy_jmap_get(f->map, i, &copy);
		want_block(w, copy.fsblk);
	}
	for (size_t i = 0; i < w->h.verdict->fast->nr_patched; i++)
		want_block(w, w->h.verdict->fast->patched[i].fsblk);
	ck_assert_uint_gt(w->h.verdict->fast->nr_patched, 5);
	home_save(&w->h);
}

static void end(struct wanted *w)
{
	for (size_t i = 0; i < w->nr; i++)
		free(w->bytes[i]);
	home_forget(&w->h);
	home_end(&w->h);
}

static void check_home(struct wanted *w)
{
	home_check_blocks(&w->h, w->fsblks, w->bytes, w->nr);
}

static void e2fsck(struct home *h, const char *options)
{
	char line[2048];

	drop(h->f);
	snprintf(line, sizeof(line), "e2fsck %s %s%s %s >%s 2>&1 || "
		 "{ code=$?; cat %s; exit $((code > 1)); }", options,
		 h->open.journal ? "-j " : "",
		 h->open.journal ? h->open.journal : "", h->f->image,
		 h->f->said, h->f->said);
	ck_assert_int_eq(system(line), 0);
}

static errcode_t log_fast(struct home *h)
{
	return e2lazy_fast_log(h->view, h->verdict, &h->opts, &h->done,
			       &h->f->where);
}

static struct e2lazy_fast_plan plan(const struct home *h)
{
	struct e2lazy_fast_plan p;

	ck_assert_int_eq(e2lazy_fast_plan(h->verdict, &p), 0);
	return p;
}

/* What a program does, whatever an earlier run has left. */
static void write_all(struct home *h)
{
	for (unsigned i = 0; verdict_fast_waits(h->verdict); i++) {
		struct e2lazy_fast_plan p = plan(h);

		ck_assert_uint_lt(i, 2);
		if (!p.fits) {
			ck_assert_uint_gt(p.tail.txns, 0);
			h->opts.tail = &p.tail;
			ck_assert_int_eq(home_write(h), 0);
			h->opts.tail = NULL;
		} else {
			ck_assert_int_eq(log_fast(h), 0);
		}
		ck_assert(h->done.sealed);
		home_look(h);
	}
	ck_assert_int_eq(home_write(h), 0);
}

START_TEST(fast_commits_go_home_as_a_transaction)
{
	struct wanted w = { .nr = 0 };
	struct e2lazy_fast_plan p;

	begin(&w, made(_i, NULL));
	p = plan(&w.h);
	ck_assert(p.fits);
	ck_assert_uint_eq(p.tid, AREA_TID);
	ck_assert_uint_eq(p.copies, w.h.verdict->fast->nr_patched + 1);
	ck_assert_int_eq(log_fast(&w.h), 0);
	ck_assert_uint_eq(w.h.done.blocks_written, p.blocks);
	home_look(&w.h);
	ck_assert(!verdict_fast_waits(w.h.verdict));
	ck_assert(e2lazy_verdict_is_sound(w.h.verdict));
	ck_assert_uint_eq(e2lazy_jmap_end(w.h.f->map)->tid, AREA_TID + 1);
	ck_assert(e2lazy_geometry(w.h.f->journal)->needs_recovery);
	ck_assert_int_eq(home_write(&w.h), 0);
	home_check_empty(&w.h);
	check_home(&w);
	e2fsck(&w.h, "-fn");
	end(&w);
}
END_TEST

START_TEST(e2fsck_replays_that_transaction_and_no_fast_commit)
{
	struct wanted w = { .nr = 0 };

	if (kinds[_i].wraps)
		return;
	begin(&w, made(_i, NULL));
	ck_assert_int_eq(log_fast(&w.h), 0);
	e2fsck(&w.h, "-y -E journal_only");
	check_home(&w);
	e2fsck(&w.h, "-fn");
	end(&w);
}
END_TEST

/* ------------------------------------------------------------ refusals --- */

START_TEST(no_other_writer_forgets_them)
{
	struct wanted w = { .nr = 0 };

	begin(&w, made(0, NULL));
	ck_assert_int_eq(home_write(&w.h), E2LAZY_ET_FC_WAIT);
	ck_assert_int_eq(e2lazy_relog(w.h.view, w.h.verdict, &w.h.opts,
				      &w.h.done, &w.h.f->where),
			 E2LAZY_ET_UNSOUND);
	ck_assert_uint_eq(w.h.recording.nr, 0);
	end(&w);
}
END_TEST

/*
 * 1,700 of 1,791 blocks are taken; the first transaction can go.  The log wraps
 * already: it may not begin to.
 */
#define FULL(wrapped, first) "journal fast_commit 256\nstart end-" wrapped "\n" \
	"txn 4 write " first "\ntxn 5 write 60000\nfc 6 tail\n"

START_TEST(without_room_the_oldest_transactions_go_first)
{
	struct wanted w = { .nr = 0 };
	struct e2lazy_fast_plan p;

	begin(&w, made(0, FULL("100", "52000-53810")));
	p = plan(&w.h);
	ck_assert_msg(!p.fits, "%u %u", p.blocks, p.room);
	ck_assert_uint_gt(p.blocks, p.room);
	ck_assert_uint_eq(p.tail.txns, 1);
	ck_assert_int_eq(log_fast(&w.h), E2LAZY_ET_NO_ROOM);
	ck_assert_uint_eq(w.h.recording.nr, 0);
	write_all(&w.h);
	check_home(&w);
	e2fsck(&w.h, "-fn");
	end(&w);
}
END_TEST

START_TEST(without_room_at_all_it_tells_the_numbers)
{
	struct wanted w = { .nr = 0 };
	struct e2lazy_fast_plan p;

	begin(&w, made(0, "journal fast_commit 256\nstart end-3\n"
			  "txn 5 write 52000-53813\nfc 6 tail\n"));
	p = plan(&w.h);
	ck_assert(!p.fits);
	ck_assert_uint_eq(p.tail.txns, 0);
	ck_assert_uint_gt(p.blocks, p.room);
	ck_assert_int_eq(log_fast(&w.h), E2LAZY_ET_NO_ROOM);
	ck_assert_uint_eq(w.h.recording.nr, 0);
	end(&w);
}
END_TEST

/* It is not of a block that the fast commits need. */
START_TEST(an_answered_question_is_no_obstacle_and_comes_again)
{
	struct wanted w = { .nr = 0 };

	begin(&w, made(0, "journal fast_commit 256\ntxn 5 write 60000\n"
			  "fc 6 tail\n"));
	home_spoil(&w.h, 60000);
	home_look(&w.h);
	ck_assert(!tail_is_sound(w.h.verdict));
	ck_assert_int_eq(log_fast(&w.h), 0);
	home_look(&w.h);
	ck_assert(!tail_is_sound(w.h.verdict));
	ck_assert_int_eq(home_write(&w.h), 0);
	ck_assert_uint_eq(w.h.done.skipped, 1);
	e2fsck(&w.h, "-fn");
	end(&w);
}
END_TEST

START_TEST(an_open_question_is_one)
{
	struct wanted w = { .nr = 0 };

	begin(&w, made(0, NULL));
	home_spoil(&w.h, 60000);
	home_look(&w.h);
	ck_assert_int_eq(e2lazy_verdict_answer(w.h.verdict,
			e2lazy_problem_find("data-csum"), E2LAZY_NO), 0);
	ck_assert_int_eq(log_fast(&w.h), E2LAZY_ET_CONSENT);
	ck_assert_uint_eq(w.h.recording.nr, 0);
	end(&w);
}
END_TEST

START_TEST(a_log_without_fast_commits_gets_none)
{
	struct home h;

	home_begin(&h, map_of("txn 5 write 60000\n"));
	ck_assert_uint_eq(plan(&h).records, 0);
	ck_assert_int_eq(log_fast(&h), 0);
	ck_assert(!h.done.begun);
	ck_assert_uint_eq(h.recording.nr, 0);
	ck_assert_int_eq(home_write(&h), 0);
	home_end(&h);
}
END_TEST

/* 7 blocks of log; then there is room for one block less, or just enough. */
START_TEST(no_log_begins_to_wrap)
{
	struct wanted w = { .nr = 0 };
	struct e2lazy_fast_plan p;
	uint32_t needed;
	char log[256];

	begin(&w, made(0, NULL));
	needed = plan(&w.h).blocks;
	end(&w);
	snprintf(log, sizeof(log), "journal fast_commit 256\nstart end-%u\n"
		 "txn 5 write 60000-60004\nfc 6 tail\n", 7 + needed - !_i);
	begin(&w, made(0, log));
	p = plan(&w.h);
	ck_assert_uint_eq(p.blocks, needed);
	ck_assert(p.fits);
	ck_assert_int_eq(p.wraps, !_i);
	ck_assert_int_eq(log_fast(&w.h), _i ? 0 : E2LAZY_ET_WOULD_WRAP);
	if (_i) {
		e2fsck(&w.h, "-y -E journal_only");
		check_home(&w);
	} else {
		ck_assert_uint_eq(w.h.recording.nr, 0);
	}
	end(&w);
}
END_TEST

/* It does now, but the transaction that stays does not. */
START_TEST(nor_if_it_does_not_any_more_when_room_is_made)
{
	struct wanted w = { .nr = 0 };
	struct e2lazy_fast_plan p;

	begin(&w, made(0, FULL("3", "52000-53810")));
	p = plan(&w.h);
	ck_assert(!p.fits);
	ck_assert(p.wraps);
	ck_assert_int_eq(log_fast(&w.h), E2LAZY_ET_WOULD_WRAP);
	ck_assert_uint_eq(w.h.recording.nr, 0);
	end(&w);
}
END_TEST

/* ----------------------------------------------------- a later number --- */

static blk64_t area;		/* its first block, of the test at hand */

/* An empty log does not say where its area was. */
static bool has_head(const struct home *h)
{
	FILE *image = fopen(h->f->image, "rb");
	uint8_t tag[4];

	ck_assert_ptr_nonnull(image);
	ck_assert_int_eq(fseeko(image, (off_t)(area * h->size), SEEK_SET), 0);
	ck_assert_uint_eq(fread(tag, 1, sizeof(tag), image), sizeof(tag));
	fclose(image);
	return fc_is_head(tag);
}

/* A later log could come to their number. */
static void given_up(void *priv, size_t end, const bool *keep)
{
	struct home *h = priv;

	home_crash(h, end, keep);
	home_look(h);
	ck_assert(e2lazy_geometry(h->f->journal)->start || !has_head(h));
	h->opts.manager = NULL;
	ck_assert_int_eq(home_write(h), 0);
	home_check(h);
	home_check_empty(h);
}

START_TEST(those_of_a_later_number_are_given_up_for_good)
{
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=4 -O fast_commit",
				 "journal fast_commit 256\n" FIVE
				 "fc 12 creat 2 12 name tail\n"));
	ck_assert_int_eq(e2lazy_physblk(h.f->journal,
			 e2lazy_geometry(h.f->journal)->fc_first, &area), 0);
	ck_assert(has_head(&h));
	home_save(&h);
	ck_assert_int_eq(home_write(&h), 0);
	ck_assert(!has_head(&h));
	record_crashes(&h.recording, given_up, &h);
	home_forget(&h);
	home_end(&h);
}
END_TEST

/* -------------------------------------------------------------- crashes --- */

static void recover_each_way(void *priv, size_t last, const bool *keep)
{
	struct wanted *w = priv;
	struct home *h = &w->h;
	struct e2lazy_fc_summary found;
	bool replays;

	home_restore(h);
	record_replay(&h->recording, last, keep);
	h->opts.manager = NULL;
	home_look(h);
	ck_assert_int_eq(e2lazy_fc_scan(h->f->journal, 0, NULL, NULL, &found,
					NULL), 0);
	replays = !found.records && !w->wraps;
	write_all(h);
	check_home(w);
	e2fsck(h, "-fn");
	if (!replays)
		return;
	home_restore(h);
	record_replay(&h->recording, last, keep);
	e2fsck(h, "-y -E journal_only");
	check_home(w);
	e2fsck(h, "-fn");
}

static void crash_everywhere(struct wanted *w)
{
	write_all(&w->h);
	ck_assert_uint_ge(w->h.recording.nr, 8);
	record_crashes(&w->h.recording, recover_each_way, w);
	end(w);
}

/* Of 1 KiB; wrapped; on an external journal. */
START_TEST(a_crash_at_any_write_loses_no_fast_commit)
{
	static const unsigned some[] = { 0, 1, 4 };
	struct wanted w = { .wraps = kinds[some[_i]].wraps };

	begin(&w, made(some[_i], NULL));
	crash_everywhere(&w);
}
END_TEST

/* A commit block of the new number, from a log that began anew with lower ones. */
static void leave_commit(struct fixture *f, blk64_t fsblk)
{
	static const uint8_t commit[12] = {
		0xc0, 0x3b, 0x39, 0x98, 0, 0, 0, JBD2_COMMIT, 0, 0, 0, 6,
	};
	FILE *image = fopen(f->image, "r+b");

	ck_assert_ptr_nonnull(image);
	ck_assert_int_eq(fseeko(image, (off_t)(fsblk * 1024), SEEK_SET), 0);
	ck_assert_uint_eq(fwrite(commit, sizeof(commit), 1, image), 1);
	ck_assert_int_eq(fclose(image), 0);
}

static blk64_t place_of_commit(const struct home *h)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(h->f->journal);
	uint32_t head = e2lazy_jmap_end(h->f->map)->head;
	blk64_t at;

	ck_assert_int_eq(e2lazy_physblk(h->f->journal,
					ring_add(g, head, plan(h).blocks - 1),
					&at), 0);
	return at;
}

START_TEST(nor_does_one_above_an_old_commit_block)
{
	static const char log[] = "journal fast_commit 256 csum none\n"
				  "start end-5\ntxn 5 write 60000-60003\n"
				  "fc 6 tail\n";
	struct wanted w = { .wraps = true };
	struct fixture *f = made(1, log);
	blk64_t at;

	begin(&w, f);
	at = place_of_commit(&w.h);
	end(&w);
	f = made(1, log);
	leave_commit(f, at);
	begin(&w, f);
	ck_assert_uint_eq(place_of_commit(&w.h), at);
	crash_everywhere(&w);
}
END_TEST

/* A full commit broke off, and it was longer than theirs; of the next number a
   block stands by chance. */
#define BROKEN_OFF "journal fast_commit 256\ntxn 5 write 60000-60003\n" \
	"txn 6 perdesc 2 write 60100-60160 nocommit\n" \
	"leftoveruuid 11111111-2222-3333-4444-555555555555\n" \
	"leftover 7 perdesc 1 write 60200-60210 time 1600000000\nfc 6 tail\n"

START_TEST(nor_does_one_over_a_transaction_that_broke_off)
{
	struct wanted w = { .wraps = false };
	struct e2lazy_fast_plan p;

	begin(&w, made(0, BROKEN_OFF));
	p = plan(&w.h);
	ck_assert_int_eq(log_fast(&w.h), 0);
	ck_assert_uint_eq(w.h.done.blocks_written, p.blocks);
	home_look(&w.h);
	ck_assert(e2lazy_verdict_is_sound(w.h.verdict));
	ck_assert_uint_eq(e2lazy_jmap_end(w.h.f->map)->tid, 7);
	ck_assert_int_eq(e2lazy_jmap_end(w.h.f->map)->reason,
			 E2LAZY_END_NOT_JOURNAL);
	home_restore(&w.h);
	record_free(&w.h.recording);
	record_begin(&w.h.recording);
	home_look(&w.h);
	crash_everywhere(&w);
}
END_TEST

START_TEST(nor_does_one_while_room_is_made)
{
	struct wanted w = { .wraps = true };

	begin(&w, made(0, FULL("100", "52000-53810")));
	crash_everywhere(&w);
}
END_TEST

TCase *fast_log_tests(void)
{
	TCase *tc = tcase_create("fast_log");

	tcase_add_checked_fixture(tc, no_orphan_file, NULL);
	tcase_add_loop_test(tc, fast_commits_go_home_as_a_transaction, 0,
			    NR_KINDS);
	tcase_add_loop_test(tc,
		e2fsck_replays_that_transaction_and_no_fast_commit, 0,
		NR_KINDS);
	tcase_add_test(tc, no_other_writer_forgets_them);
	tcase_add_test(tc, without_room_the_oldest_transactions_go_first);
	tcase_add_test(tc, nor_if_it_does_not_any_more_when_room_is_made);
	tcase_add_test(tc, without_room_at_all_it_tells_the_numbers);
	tcase_add_loop_test(tc, no_log_begins_to_wrap, 0, 2);
	tcase_add_test(tc,
		an_answered_question_is_no_obstacle_and_comes_again);
	tcase_add_test(tc, an_open_question_is_one);
	tcase_add_test(tc, a_log_without_fast_commits_gets_none);
	tcase_add_test(tc, those_of_a_later_number_are_given_up_for_good);
	tcase_add_loop_test(tc, a_crash_at_any_write_loses_no_fast_commit, 0,
			    3);
	tcase_add_test(tc, nor_does_one_above_an_old_commit_block);
	tcase_add_test(tc, nor_does_one_over_a_transaction_that_broke_off);
	tcase_add_test(tc, nor_does_one_while_room_is_made);
	return tc;
}
