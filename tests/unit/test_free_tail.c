/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The oldest transactions of a log are freed alone: what is written, what
 * stays, and what a replay makes of it afterwards.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault_io.h"
#include "home.h"
#include "image.h"
#include "log/log.h"

/* ------------------------------------------------------------ writing --- */

static void read_static(const struct home *h, blk64_t fsblk, char *block)
{
	int fd = open(h->f->image, O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, block, h->size,
			       (off_t)(fsblk * h->size)), h->size);
	close(fd);
}

/* The map of before the write. */
struct before {
	struct e2lazy_copy *copies;
	size_t		count;
};

static struct before note_map(const struct home *h)
{
	struct before b = { .count = e2lazy_jmap_count(h->f->map) };

	b.copies = calloc(b.count + 1, sizeof(*b.copies));
	for (size_t i = 0; i < b.count; i++)
		e2lazy_jmap_get(h->f->map, i, &b.copies[i]);
	return b;
}

static bool is_super(const struct home *h, blk64_t fsblk)
{
	return fsblk == 1024 / h->size;
}

/* Each live copy is home if it was freed, and else where it was. */
static void check_map(struct home *h, const struct before *b,
		      const struct e2lazy_tail *tail)
{
	char *block = malloc(h->size);
	size_t stay = 0;

	home_look(h);
	for (size_t i = 0; i < b->count; i++) {
		const struct e2lazy_copy *was = &b->copies[i];
		struct e2lazy_copy is;

		if (e2lazy_tid_after(tail->tid, was->tid)) {
			ck_assert_not_mapped(h->f, was->fsblk);
			if (is_super(h, was->fsblk))
				continue;
			read_static(h, was->fsblk, block);
			ck_assert(!memcmp(block, h->contents[i], h->size));
			continue;
		}
		stay++;
		ck_assert_int_eq(e2lazy_jmap_lookup(h->f->map, was->fsblk,
						    &is), 0);
		ck_assert_uint_eq(is.logblk, was->logblk);
		ck_assert_uint_eq(is.tid, was->tid);
	}
	ck_assert_uint_eq(e2lazy_jmap_count(h->f->map), stay);
	free(block);
}

static void check_geometry(const struct home *h,
			   const struct e2lazy_geometry *was,
			   const struct e2lazy_tail *tail)
{
	struct e2lazy_geometry is = *e2lazy_geometry(h->f->journal);

	ck_assert_uint_eq(is.start, tail->start);
	ck_assert_uint_eq(is.sequence, tail->tid);
	ck_assert(is.needs_recovery);
	ck_assert_uint_eq(is.head, was->head);
	ck_assert_int_eq(is.error, was->error);
	ck_assert_uint_eq(is.incompat, was->incompat);
	ck_assert_uint_eq(is.end, was->end);
}

static void free_tail(struct home *h, const struct e2lazy_tail *tail)
{
	h->opts.tail = tail;
	ck_assert_int_eq(home_write(h), 0);
	ck_assert(h->done.sealed);
	h->opts.tail = NULL;
}

START_TEST(only_the_live_copies_before_it_go_home)
{
	struct e2lazy_geometry was;
	struct e2lazy_tail tail;
	struct before before;
	struct home h;

	home_begin(&h, map_of("super head 77\nsuper errno -5\n" FIVE));
	was = *e2lazy_geometry(h.f->journal);
	before = note_map(&h);
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 2);
	free_tail(&h, &tail);
	ck_assert_uint_eq(h.done.blocks_written, 5);
	ck_assert_uint_eq(h.done.skipped, 0);
	check_map(&h, &before, &tail);
	check_geometry(&h, &was, &tail);
	home_end(&h);
	free(before.copies);
}
END_TEST

/* Number of the flush behind the first write at byte @at; 0: none. */
static size_t flush_behind(const struct recording *r, uint64_t at)
{
	for (size_t i = 0; i < r->nr; i++)
		if (r->ops[i].bytes && r->ops[i].offset == at)
			for (; i < r->nr; i++)
				if (!r->ops[i].bytes)
					return i;
	return 0;
}

START_TEST(the_tail_moves_after_the_copies_are_flushed)
{
	struct e2lazy_tail tail;
	struct home h;
	size_t copies;

	home_begin(&h, map_of(FIVE));
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 1);
	free_tail(&h, &tail);
	copies = flush_behind(&h.recording, 60000 * 1024);
	ck_assert_uint_gt(copies, 0);
	ck_assert_uint_eq(copies + 3, h.recording.nr);
	ck_assert_ptr_null(h.recording.ops[h.recording.nr - 1].bytes);
	home_end(&h);
}
END_TEST

/* ------------------------------------------------------------- replays --- */

static void replay(const char *image, const char *journal)
{
	char line[2048];

	snprintf(line, sizeof(line), "e2fsck -y -E journal_only %s%s %s "
		 ">/dev/null 2>&1; test $? -le 1", journal ? "-j " : "",
		 journal ? journal : "", image);
	ck_assert_int_eq(system(line), 0);
}

/* Two replayed images are the same, but for both kinds of superblock. */
static void check_same(const struct home *h, const char *a, const char *b,
		       blk64_t journal_super)
{
	int fds[2] = { open(a, O_RDONLY), open(b, O_RDONLY) };
	char *blocks[2] = { malloc(h->size), malloc(h->size) };
	off_t at = 0;

	for (blk64_t n = 0;; n++, at += h->size) {
		off_t data[2] = { lseek(fds[0], at, SEEK_DATA),
				  lseek(fds[1], at, SEEK_DATA) };
		off_t next = data[0] < 0 || (data[1] >= 0 && data[1] < data[0]) ?
			     data[1] : data[0];

		if (next < 0)
			break;
		if (next > at) {
			at = next - next % h->size;
			n = (blk64_t)(at / h->size);
		}
		for (unsigned i = 0; i < 2; i++)
			ck_assert_int_eq(pread(fds[i], blocks[i], h->size, at),
					 h->size);
		ck_assert_msg(is_super(h, n) || n == journal_super ||
			      !memcmp(blocks[0], blocks[1], h->size),
			      "block %llu differs", (unsigned long long)n);
	}
	for (unsigned i = 0; i < 2; i++) {
		close(fds[i]);
		free(blocks[i]);
	}
}

/* The saved images replayed are those of before; the present ones after. */
static void check_replays(struct home *h)
{
	const char *journal = h->open.journal;
	char was[300], was_journal[300];
	blk64_t super = 0;

	snprintf(was, sizeof(was), "%s.was", h->f->image);
	snprintf(was_journal, sizeof(was_journal), "%s.was", h->f->device);
	if (!journal)
		ck_assert_int_eq(e2lazy_physblk(h->f->journal,
			journal_super_logblk(h->f->journal), &super), 0);
	drop(h->f);
	replay(h->f->image, journal);
	replay(was, journal ? was_journal : NULL);
	check_same(h, h->f->image, was, super);
	home_check(h);
}

static void keep_was(struct home *h)
{
	char to[300];

	snprintf(to, sizeof(to), "%s.was", h->f->image);
	copy_image(h->f->image, to);
	snprintf(to, sizeof(to), "%s.was", h->f->device);
	if (h->open.journal)
		copy_image(h->f->device, to);
}

static void forget_was(struct home *h)
{
	char line[2048];

	snprintf(line, sizeof(line), "rm -f %s.was %s.was", h->f->image,
		 h->f->device);
	ck_assert_int_eq(system(line), 0);
}

/* A log of random writes and revokes to a few blocks. */
static void random_log(char *to, unsigned seed, const char *head)
{
	static const char *const verbs[] = { "write", "write", "escape",
					     "revoke" };

	srand(seed);
	to += sprintf(to, "%s", head);
	for (unsigned tid = 0; tid < 8; tid++) {
		to += sprintf(to, "txn %u", 0xfffffffc + tid);
		for (unsigned i = rand() % 6; i--; )
			to += sprintf(to, " %s %u", verbs[rand() % 4],
				      60000 + tid % 2 * 20 + i * 3 +
				      rand() % 3);
		to += sprintf(to, "\n");
	}
}

static const char *const random_fs[][2] = {
	{ "-b 1024 -J size=1 -O 64bit,metadata_csum", "" },
	{ "-b 1024 -J size=1 -O ^64bit,^metadata_csum", "start end-7\n" },
	{ "-b 4096 -J size=4 -O ^metadata_csum", "journal csum v1\n" },
	{ "-b 4096 -J size=4 -O ^metadata_csum", "journal csum v2 64bit\n"
						 "start end-20\n" },
	{ "-b 2048 -J size=4", "journal csum v3 async_commit\n" },
};

/* Any tail of any log, over the wrap of ring and tids. */
START_TEST(a_replay_afterwards_gives_what_it_gave_before)
{
	struct e2lazy_geometry was;
	struct e2lazy_tail tail;
	struct before before;
	char spec[2048];
	struct home h;

	random_log(spec, _i + 1, random_fs[_i % 5][1]);
	home_begin(&h, map_of_fs(random_fs[_i % 5][0], spec));
	was = *e2lazy_geometry(h.f->journal);
	before = note_map(&h);
	keep_was(&h);
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 1 + _i % 7);
	free_tail(&h, &tail);
	check_map(&h, &before, &tail);
	check_geometry(&h, &was, &tail);
	check_replays(&h);
	forget_was(&h);
	home_end(&h);
	free(before.copies);
}
END_TEST

/* ------------------------------------------------------------- crashes --- */

static struct e2lazy_tail cut;		/* of the test at hand */
static size_t failing;		/* writes and flushes until e2fsck does not
				   fail at the log any more */

/* A replay gives the same, and so does the same again, or a checkpoint. */
static void recover_each_way(void *priv, size_t end, const bool *keep)
{
	struct home *h = priv;

	if (end >= failing) {
		home_crash(h, end, keep);
		drop(h->f);
		replay(h->f->image, h->open.journal);
		home_check(h);
	}
	home_crash(h, end, keep);
	home_look(h);
	h->opts.manager = NULL;
	if (e2lazy_geometry(h->f->journal)->start != cut.start)
		free_tail(h, &cut);
	home_look(h);
	ck_assert_uint_eq(e2lazy_geometry(h->f->journal)->start, cut.start);
	ck_assert_int_eq(home_write(h), 0);
	home_check(h);
	home_check_empty(h);
}

static void crash_with(struct home *h, uint64_t tids, size_t least_writes)
{
	home_save(h);
	cut = home_tail(h, E2LAZY_TAIL_TIDS, tids);
	free_tail(h, &cut);
	ck_assert_uint_ge(h->recording.nr, least_writes);
	record_crashes(&h->recording, recover_each_way, h);
	home_forget(h);
	home_end(h);
}

static void crash_everywhere(struct home *h)
{
	crash_with(h, 3, 5);
}

START_TEST(a_crash_at_any_write_leaves_one_tail_or_the_other)
{
	static const char *const logs[][2] = {
		{ PLAIN, FIVE },
		{ "-b 1024 -J size=1 -O ^64bit,^metadata_csum",
		  "start end-15\n" FIVE },
		{ PLAIN, "needs_recovery off\n" FIVE },
	};
	struct home h;

	home_begin(&h, map_of_fs(logs[_i][0], logs[_i][1]));
	crash_everywhere(&h);
}
END_TEST

#define FAST "-b 1024 -J size=4 -O fast_commit"
#define FIVE_AND "journal fast_commit 256\n" FIVE

static const char *const void_logs[] = {
	FIVE_AND "fc 9 creat 2 12 name tail\n",
	FIVE_AND "fc 10 creat 2 12 name\n",
	FIVE_AND "fc 9 tail\ndamage flip @3905 2\n",
};

/* e2fsck drops a log below them, so they are cleared first. */
START_TEST(nor_with_fast_commits_that_do_not_count)
{
	struct home h;

	home_begin(&h, map_of_fs(FAST, void_logs[_i]));
	failing = 2;
	crash_everywhere(&h);
	failing = 0;
}
END_TEST

/* Nothing else is written then: the area's block, and flushes. */
START_TEST(they_are_cleared_although_nothing_is_freed)
{
	static const uint64_t records[] = { 3, 2, 1 };
	struct home h;

	home_begin(&h, map_of_fs(FAST, void_logs[_i]));
	ck_assert_uint_eq(e2lazy_verdict_void_fast(h.verdict), records[_i]);
	failing = 2;
	crash_with(&h, 0, 2);
	failing = 0;
	home_begin(&h, map_of_fs(FAST, void_logs[_i]));
	cut = home_tail(&h, E2LAZY_TAIL_TIDS, 0);
	ck_assert_uint_eq(cut.txns, 0);
	free_tail(&h, &cut);
	ck_assert_uint_eq(h.recording.nr, 3);
	ck_assert_ptr_nonnull(h.recording.ops[0].bytes);
	ck_assert_ptr_null(h.recording.ops[1].bytes);
	ck_assert_ptr_null(h.recording.ops[2].bytes);
	ck_assert_uint_eq(h.done.blocks_written, 0);
	home_look(&h);
	ck_assert_uint_eq(e2lazy_verdict_void_fast(h.verdict), 0);
	ck_assert_uint_eq(e2lazy_jmap_count(h.f->map), h.live);
	home_end(&h);
}
END_TEST

/* It has no copies to log. */
START_TEST(no_log_is_compacted_for_their_sake)
{
	struct home h;

	home_begin(&h, map_of_fs(FAST, void_logs[0]));
	cut = home_tail(&h, E2LAZY_TAIL_TIDS, 0);
	h.opts.tail = &cut;
	ck_assert_int_eq(e2lazy_relog(h.view, h.verdict, &h.opts, &h.done,
				      &h.f->where), EXT2_ET_INVALID_ARGUMENT);
	ck_assert_uint_eq(h.recording.nr, 0);
	home_end(&h);
}
END_TEST

START_TEST(those_in_front_of_promised_ones_stay)
{
	struct e2lazy_tail tail;
	struct home h;
	blk64_t area;

	home_begin(&h, map_of_fs(FAST, FIVE_AND
				 "fc 9 creat 2 12 name tail\n"
				 "fc 10 creat 2 13 other tail\n"));
	ck_assert_int_eq(e2lazy_physblk(h.f->journal,
			 e2lazy_geometry(h.f->journal)->fc_first, &area), 0);
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 3);
	free_tail(&h, &tail);
	ck_assert_uint_ge(h.recording.nr, 4);
	ck_assert_uint_eq(flush_behind(&h.recording, area * 1024), 0);
	home_end(&h);
}
END_TEST

/* It counts as damage, and nobody knows what was promised. */
START_TEST(an_area_that_cannot_be_read_stays)
{
	struct spot_of_io bad;
	struct e2lazy_tail tail;
	struct home h;
	blk64_t area;

	home_begin(&h, map_of_fs(FAST, FIVE_AND
				 "fc 9 creat 2 12 name tail\n"));
	ck_assert_int_eq(e2lazy_physblk(h.f->journal,
			 e2lazy_geometry(h.f->journal)->fc_first, &area), 0);
	bad.block = area;
	snprintf(bad.device, sizeof(bad.device), "%s", h.f->image);
	h.open.manager = fault_io_manager;
	fault_begin(1024, FAULT_READ, &bad);
	home_look(&h);
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 3);
	free_tail(&h, &tail);
	ck_assert_uint_eq(flush_behind(&h.recording, area * 1024), 0);
	fault_begin(1024, FAULT_READ, NULL);
	home_end(&h);
}
END_TEST

START_TEST(nor_with_an_external_journal_anything_else)
{
	struct fixture *f = new_fixture();
	struct home h;

	make_external(f, "4096", FIVE);
	home_begin(&h, f);
	crash_everywhere(&h);
}
END_TEST

/* ---------------------------------------------------------- superblock --- */

/* The superblock of some time later, in the log's copy of it. */
static void log_super(struct fixture *f)
{
	struct ext2_super_block sb;
	struct e2lazy_copy copy;
	int fd = open(f->image, O_RDWR);

	ck_assert_int_eq(try_open(f, NULL), 0);
	read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, 1, &copy), 0);
	ck_assert_int_eq(pread(fd, &sb, sizeof(sb), 1024), sizeof(sb));
	swap_super(&sb);
	sb.s_wtime += 100;
	sb.s_mnt_count = 77;
	swap_super(&sb);
	ck_assert_int_eq(ext2fs_superblock_csum_set(f->journal->fs, &sb), 0);
	ck_assert_int_eq(pwrite(fd, &sb, sizeof(sb),
				(off_t)(copy.physblk * 1024)), sizeof(sb));
	close(fd);
	drop(f);
}

static void read_super(const struct home *h, struct ext2_super_block *sb)
{
	int fd = open(h->f->image, O_RDONLY);

	ck_assert_int_eq(pread(fd, sb, sizeof(*sb), 1024), sizeof(*sb));
	close(fd);
	swap_super(sb);
}

static void begin_with_super(struct home *h, const char *spec)
{
	struct fixture *f = new_fixture();

	make_image(f, "64M", "-b 1024 -J size=1 -O ^metadata_csum", spec);
	log_super(f);
	home_begin(h, f);
}

/* Sectors of the superblock's write may come apart, too. */
static void tear_super(struct home *h)
{
	for (size_t i = 0; i < h->recording.nr; i++) {
		struct recorded *op = &h->recording.ops[i];
		char sector[512];
		int fd;

		if (!op->bytes || op->offset != 1024 || op->count != 1024)
			continue;
		for (unsigned half = 0; half < 2; half++) {
			home_restore(h);
			record_replay(&h->recording, i, NULL);
			memcpy(sector, (char *)op->bytes + half * 512, 512);
			fd = open(h->f->image, O_WRONLY);
			ck_assert_int_eq(pwrite(fd, sector, 512,
						1024 + half * 512), 512);
			close(fd);
			h->opts.manager = NULL;
			home_look(h);
			free_tail(h, &cut);
			replay(h->f->image, NULL);
			home_check(h);
		}
	}
}

START_TEST(a_freed_copy_of_the_superblock_is_merged_into_its_place)
{
	struct ext2_super_block sb;
	struct home h;

	begin_with_super(&h, "txn 4 write 1\n" FIVE);
	home_save(&h);
	cut = home_tail(&h, E2LAZY_TAIL_TIDS, 3);
	free_tail(&h, &cut);
	read_super(&h, &sb);
	ck_assert_uint_eq(sb.s_mnt_count, 77);
	ck_assert_uint_ne(sb.s_feature_incompat &
			  EXT3_FEATURE_INCOMPAT_RECOVER, 0);
	/* Nobody promises these bytes of the superblock. */
	h.fsblks[0] = h.fsblks[1];
	memcpy(h.contents[0], h.contents[1], h.size);
	record_crashes(&h.recording, recover_each_way, &h);
	tear_super(&h);
	home_forget(&h);
	home_end(&h);
}
END_TEST

START_TEST(a_copy_of_the_superblock_that_stays_changes_nothing_in_place)
{
	struct ext2_super_block was, is;
	struct e2lazy_tail tail;
	struct home h;

	begin_with_super(&h, FIVE "txn 10 write 1\n");
	read_super(&h, &was);
	tail = home_tail(&h, E2LAZY_TAIL_TIDS, 3);
	free_tail(&h, &tail);
	read_super(&h, &is);
	ck_assert(!memcmp(&was, &is, sizeof(is)));
	home_end(&h);
}
END_TEST

TCase *free_tail_tests(void)
{
	TCase *tc = tcase_create("free_tail");

	tcase_add_test(tc, only_the_live_copies_before_it_go_home);
	tcase_add_test(tc, the_tail_moves_after_the_copies_are_flushed);
	tcase_add_loop_test(tc, a_replay_afterwards_gives_what_it_gave_before,
			    0, 20);
	tcase_add_loop_test(tc,
		a_crash_at_any_write_leaves_one_tail_or_the_other, 0, 3);
	tcase_add_loop_test(tc, nor_with_fast_commits_that_do_not_count, 0, 3);
	tcase_add_loop_test(tc, they_are_cleared_although_nothing_is_freed, 0,
			    3);
	tcase_add_test(tc, no_log_is_compacted_for_their_sake);
	tcase_add_test(tc, those_in_front_of_promised_ones_stay);
	tcase_add_test(tc, an_area_that_cannot_be_read_stays);
	tcase_add_test(tc, nor_with_an_external_journal_anything_else);
	tcase_add_test(tc,
		a_freed_copy_of_the_superblock_is_merged_into_its_place);
	tcase_add_test(tc,
		a_copy_of_the_superblock_that_stays_changes_nothing_in_place);
	return tc;
}
