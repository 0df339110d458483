/* SPDX-License-Identifier: GPL-2.0-only */
/* A feed of a log, as if a kernel were writing it. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "changed.h"
#include "changes/follow.h"
#include "changes/known.h"
#include "changes/name_table.h"

#define TREE	"mkdir d e; echo hello >f; echo you >g"
#define NOTED	"sif / mtime 5\nsif /d mtime 5\nsif /e mtime 5\n"
#define AGAIN	"sif / mtime 6\nsif /d mtime 6\nsif /e mtime 6\n"

struct told {
	char		text[4096], paths[4096];
	struct follow	*follow;
};

static void add(char text[4096], const char *word, const char *path)
{
	size_t used = strlen(text);

	snprintf(text + used, 4096 - used, "%s %s\n", word, path);
}

static errcode_t note_path(void *priv, const char *path)
{
	struct told *told = priv;

	add(told->paths, "path", path);
	return 0;
}

static errcode_t note(void *priv, const struct e2lazy_change *c)
{
	struct told *told = priv;

	add(told->text, e2lazy_change_name(c->kind), c->path);
	if (c->kind == E2LAZY_LINKED)
		ck_assert_int_eq(follow_paths(told->follow, c->ino, note_path,
					      told), 0);
	return 0;
}

/* Behind the first transaction of the log. */
static struct feed_place behind_first(struct story *s)
{
	struct e2lazy_journal *j = s->o->f->journal;
	enum feed_state state;
	struct feed_txn *txn;
	struct feed feed;

	ck_assert_int_eq(feed_init(&feed, j), 0);
	feed.at.tid = e2lazy_geometry(j)->sequence - 1;
	feed.next = e2lazy_geometry(j)->start;
	ck_assert_int_eq(feed_read(&feed, &state, &txn), 0);
	ck_assert_int_eq(state, FEED_TXN);
	feed_txn_free(txn);
	feed_free(&feed);
	return feed.at;
}

static void read_feed(struct story *s, const struct feed_place *since,
		      struct told *told)
{
	const struct follow_opts opts = { .found = note, .priv = told,
					  .memory = 1 << 20 };
	enum follow_state state = FOLLOW_TXN;
	struct follow_batch batch;
	struct e2lazy_where where;

	memset(told, 0, sizeof(*told));
	ck_assert_int_eq(follow_open(s->o->f->journal, &opts, since,
				     &told->follow, &where), 0);
	while (state == FOLLOW_TXN)
		ck_assert_int_eq(follow_next(told->follow, &state, &batch), 0);
	ck_assert_int_eq(state, FOLLOW_IDLE);
}

START_TEST(a_feed_tells_what_follows_its_cursor)
{
	struct story s = new_story(_i ? NO_SUMS : SUMS, TREE);
	struct feed_place place;
	struct told told;

	step(&s, "sif /g mtime 7\n");
	step(&s, NOTED "ln /f /d/moved\nunlink /f\n");
	step(&s, AGAIN "ln /d/moved /e/more\nsif /e/more links_count 2\n");
	write_story(&s);
	place = behind_first(&s);
	read_feed(&s, &place, &told);
	ck_assert_str_eq(told.text, "renamed /d/moved\nlinked /e/more\n");
	ck_assert_str_eq(told.paths, "path /d/moved\npath /e/more\n");
	follow_close(told.follow);
	read_feed(&s, NULL, &told);
	ck_assert_str_eq(told.text, "");
	follow_where(told.follow, &place);
	ck_assert_uint_eq(place.tid, e2lazy_jmap_stats(s.o->f->map)->last_tid);
	ck_assert(follow_is_directory(told.follow, EXT2_ROOT_INO));
	ck_assert_int_eq(follow_below(told.follow, EXT2_ROOT_INO, note_path,
				      &told), 0);
	ck_assert_ptr_nonnull(strstr(told.paths, "path /d/moved\n"));
	ck_assert_ptr_nonnull(strstr(told.paths, "path /e/more\n"));
	follow_close(told.follow);
	end_story(&s);
}
END_TEST

START_TEST(a_cursor_of_another_commit_block_is_refused)
{
	struct story s = new_story(SUMS, TREE);
	const struct follow_opts opts = { .found = note, .memory = 1 << 20 };
	struct feed_place place;
	struct follow *follow;
	struct e2lazy_where where;

	step(&s, "sif /g mtime 7\n");
	step(&s, "sif /g mtime 8\n");
	write_story(&s);
	place = behind_first(&s);
	place.sum ^= 1;
	ck_assert_int_eq(follow_open(s.o->f->journal, &opts, &place, &follow,
				     &where), E2LAZY_ET_LOST);
	follow_close(follow);
	end_story(&s);
}
END_TEST

START_TEST(what_the_tail_has_passed_is_lost)
{
	struct story s = new_story(SUMS, TREE);
	enum feed_state state;
	struct feed_txn *txn;
	struct feed feed;

	step(&s, "sif /g mtime 7\n");
	write_story(&s);
	ck_assert_int_eq(feed_init(&feed, s.o->f->journal), 0);
	feed.at.tid = e2lazy_geometry(s.o->f->journal)->sequence - 10;
	feed.next = e2lazy_geometry(s.o->f->journal)->start;
	ck_assert_int_eq(feed_read(&feed, &state, &txn), 0);
	ck_assert_int_eq(state, FEED_LOST);
	feed_free(&feed);
	end_story(&s);
}
END_TEST

/* The next transaction of a feed, or NULL; @f->at is set to the log's begin. */
static struct feed_txn *first_of(struct feed *feed, struct fixture *f,
				 enum feed_state *state)
{
	struct feed_txn *txn;

	feed->at.tid = e2lazy_geometry(f->journal)->sequence - 1;
	feed->next = e2lazy_geometry(f->journal)->start;
	ck_assert_int_eq(feed_read(feed, state, &txn), 0);
	return txn;
}

/* Blocks of the log, and 8 bytes for each revoke. */
START_TEST(revokes_and_commit_blocks_take_room_in_the_queue)
{
	static const struct {
		const char *spec;
		uint64_t blocks;
	} cases[] = {
		{ "txn 5 write 60000 60001\n", 3 },
		{ "txn 5 revoke 60000\n", 1 },
		{ "txn 5 revoke 60000-60299\n", 3 },
		{ "txn 5\n", 1 },
	};
	struct fixture *f = map_of(cases[_i].spec);
	enum feed_state state;
	struct feed_txn *txn;
	struct feed feed;

	ck_assert_int_eq(feed_init(&feed, f->journal), 0);
	txn = first_of(&feed, f, &state);
	ck_assert_int_eq(state, FEED_TXN);
	ck_assert_uint_eq(feed_txn_blocks(&feed, txn), cases[_i].blocks);
	ck_assert_int_eq(!txn->bytes, !txn->nr);
	feed_txn_free(txn);
	feed_free(&feed);
}
END_TEST

START_TEST(a_transaction_that_is_too_large_is_lost)
{
	struct fixture *f = map_of(_i ? "txn 5 revoke 60000-60299\n" :
				   "txn 5 write 60000-60003\n");
	enum feed_state state;
	struct feed feed;

	ck_assert_int_eq(feed_init(&feed, f->journal), 0);
	feed.most_bytes = _i ? 299 * 8 : 3 * 1024;
	ck_assert_ptr_null(first_of(&feed, f, &state));
	ck_assert_int_eq(state, FEED_LOST);
	ck_assert_int_eq(feed_seek_head(&feed), 0);
	ck_assert_uint_eq(feed.at.tid, 5);
	feed_free(&feed);
}
END_TEST

static void flip_journal_super(struct fixture *f)
{
	uint8_t byte;
	off_t at = (off_t)runs_physblk(&f->journal->runs, 0) * 1024 + 200;
	int fd = open(f->image, O_RDWR);

	ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
	byte ^= 1;
	ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
	ck_assert_int_eq(close(fd), 0);
}

/* A kernel writes it while it is read. */
START_TEST(a_torn_journal_superblock_is_read_again)
{
	struct fixture *f = map_of("txn 5 write 60000\n");
	enum feed_state state;
	struct feed_txn *txn;
	struct feed feed;
	unsigned i;

	ck_assert_int_eq(feed_init(&feed, f->journal), 0);
	flip_journal_super(f);
	ck_assert_ptr_null(first_of(&feed, f, &state));
	ck_assert_int_eq(state, FEED_NOTHING);
	flip_journal_super(f);
	txn = first_of(&feed, f, &state);
	ck_assert_int_eq(state, FEED_TXN);
	feed_txn_free(txn);
	flip_journal_super(f);
	for (i = 0; !feed_read(&feed, &state, &txn); i++)
		ck_assert_int_eq(state, FEED_NOTHING);
	ck_assert_uint_eq(i, 24);
	ck_assert_int_ne(feed_seek_head(&feed), 0);
	feed_free(&feed);
}
END_TEST

START_TEST(a_block_read_in_place_is_in_doubt_for_what_was_running_then)
{
	const uint8_t block[BLOCK] = { 1 };
	struct known known;

	ck_assert_int_eq(known_init(&known, BLOCK, 0), 0);
	ck_assert_int_eq(known_put_static(&known, 5, block), 0);
	ck_assert(known_doubts(known_get(&known, 5), 100));
	known_settle(&known, 7);
	ck_assert(known_doubts(known_get(&known, 5), 7));
	ck_assert(!known_doubts(known_get(&known, 5), 8));
	ck_assert_int_eq(known_put(&known, 5, block), 0);
	ck_assert(!known_doubts(known_get(&known, 5), 7));
	known_free(&known);
}
END_TEST

START_TEST(the_block_used_longest_ago_makes_room)
{
	const uint8_t block[BLOCK] = { 1 };
	struct known known;
	blk64_t n;

	ck_assert_int_eq(known_init(&known, BLOCK, 0), 0);
	for (n = 1; !known_is_full(&known); n++)
		ck_assert_int_eq(known_put(&known, n, block), 0);
	ck_assert_ptr_nonnull(known_get(&known, 1));
	ck_assert_int_eq(known_put_static(&known, n, block), 0);
	ck_assert_ptr_null(known_get(&known, n));
	ck_assert_int_eq(known_put(&known, n, block), 0);
	ck_assert_ptr_nonnull(known_get(&known, 1));
	ck_assert_ptr_null(known_get(&known, 2));
	ck_assert(known.dropped);
	known_drop(&known, 1);
	ck_assert_ptr_null(known_get(&known, 1));
	known_free(&known);
}
END_TEST

/* The same place in each block of the inode table, and all places. */
START_TEST(each_inode_has_a_place_in_the_table_of_names)
{
	const ext2_ino_t stride = _i ? 1 : 16;
	struct names names = { .room = 0 };
	struct name_slot *slot;
	ext2_ino_t n;

	for (n = 1; n <= 5000; n++) {
		ck_assert_int_eq(names_slot(&names, n * stride, &slot), 0);
		ck_assert_uint_eq(slot->more, 0);
		slot->more = n;
	}
	ck_assert_uint_eq(names.count, 5000);
	for (n = 1; n <= 5000; n++)
		ck_assert_uint_eq(name_table_find(&names, n * stride)->more, n);
	ck_assert_ptr_null(name_table_find(&names, n * stride));
	free(names.slots);
}
END_TEST

TCase *follow_tests(void)
{
	TCase *tc = tcase_create("follow");

	tcase_add_loop_test(tc, a_feed_tells_what_follows_its_cursor, 0, 2);
	tcase_add_test(tc, a_cursor_of_another_commit_block_is_refused);
	tcase_add_test(tc, what_the_tail_has_passed_is_lost);
	tcase_add_loop_test(tc, revokes_and_commit_blocks_take_room_in_the_queue,
			    0, 4);
	tcase_add_loop_test(tc, a_transaction_that_is_too_large_is_lost, 0, 2);
	tcase_add_test(tc, a_torn_journal_superblock_is_read_again);
	tcase_add_test(tc, a_block_read_in_place_is_in_doubt_for_what_was_running_then);
	tcase_add_test(tc, the_block_used_longest_ago_makes_room);
	tcase_add_loop_test(tc, each_inode_has_a_place_in_the_table_of_names, 0,
			    2);
	return tc;
}
