/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The maker of transactions: bit for bit what mkjournal makes of the same
 * items, which shares no code with it, and what e2fsck replays.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "log/encode.h"

#define SMALL "-b 1024 -J size=1 -O ^64bit,^metadata_csum"
#define LARGE "-b 4096 -J size=8 -O ^metadata_csum"

static const struct {
	const char	*mke2fs, *journal;
} formats[] = {
	{ SMALL, "csum none 32bit" }, { SMALL, "csum none 64bit" },
	{ SMALL, "csum v1 32bit" },   { LARGE, "csum v1 64bit" },
	{ SMALL, "csum v2 32bit" },   { SMALL, "csum v2 64bit" },
	{ SMALL, "csum v3 32bit" },   { SMALL, "csum v3 64bit" },
	{ LARGE, "csum v3 64bit async_commit" },
	{ LARGE, "csum v3 fast_commit 256" },
	{ LARGE, "csum v2 fast_commit 0" },
};
#define NR_FORMATS (sizeof(formats) / sizeof(formats[0]))

struct encoded {
	struct fixture	*f;
	struct encoder	e;
	uint32_t	blocks;		/* handed out */
	bool		write;		/* into the image; else compare */
};

static errcode_t begin(struct encoded *t, uint32_t tid, uint32_t at,
		       uint32_t room);

/* ----------------------------------------------------- the same as other --- */

static void check_block(struct fixture *f, uint32_t logblk,
			const uint8_t *block)
{
	unsigned size = e2lazy_geometry(f->journal)->blocksize;
	uint8_t *other = malloc(size);
	unsigned i = 0;

	ck_assert_int_eq(e2lazy_read_log(f->journal, logblk, 1, other), 0);
	/* Each assertion is a write to check's file: none for each byte. */
	while (i < size && block[i] == other[i])
		i++;
	ck_assert_msg(i == size, "log block %u, byte %u", logblk, i);
	free(other);
}

static void write_block(struct fixture *f, uint32_t logblk,
			const uint8_t *block)
{
	unsigned size = e2lazy_geometry(f->journal)->blocksize;
	int fd = open(f->image, O_WRONLY);
	blk64_t physblk;

	ck_assert_int_eq(e2lazy_physblk(f->journal, logblk, &physblk), 0);
	ck_assert_int_eq(pwrite(fd, block, size, (off_t)(physblk * size)),
			 size);
	close(fd);
}

static errcode_t take(void *priv, uint32_t logblk, uint32_t count,
		      const uint8_t *blocks)
{
	struct encoded *t = priv;
	unsigned size = e2lazy_geometry(t->f->journal)->blocksize;

	ck_assert_uint_gt(count, 0);
	for (uint32_t i = 0; i < count; i++, blocks += size)
		(t->write ? write_block : check_block)(t->f, logblk + i,
						       blocks);
	t->blocks += count;
	return 0;
}

static errcode_t begin(struct encoded *t, uint32_t tid, uint32_t at,
		       uint32_t room)
{
	errcode_t err = encode_begin(&t->e, t->f->journal, tid, at, room);

	t->e.put = take;
	t->e.priv = t;
	return err;
}

static void commit(struct encoded *t, uint64_t sec, uint32_t nsec)
{
	unsigned size = e2lazy_geometry(t->f->journal)->blocksize;
	uint8_t *block = malloc(size);
	uint32_t at;

	ck_assert_int_eq(encode_rest(&t->e), 0);
	at = t->e.next;
	ck_assert_int_eq(encode_commit(&t->e, sec, nsec, block), 0);
	ck_assert_int_eq(take(t, at, 1, block), 0);
	free(block);
}

/* The copies of a log again, from what they hold in place. */
static void encode_event(struct encoded *t, const struct e2lazy_event *ev)
{
	static uint8_t block[4096];

	if (ev->kind == E2LAZY_EV_REVOKE)
		ck_assert_int_eq(encode_revoke(&t->e, ev->fsblk), 0);
	if (ev->kind != E2LAZY_EV_TAG)
		return;
	ck_assert_int_eq(e2lazy_read_copy(t->f->journal, ev->logblk,
					  ev->flags, block), 0);
	ck_assert_int_eq(encode_copy(&t->e, ev->fsblk, block), 0);
}

static void check_encoding(struct fixture *f, uint64_t copies,
			   uint64_t revokes)
{
	struct encoded t = { .f = f };
	const struct e2lazy_geometry *g = e2lazy_geometry(f->journal);
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;

	ck_assert_int_eq(e2lazy_walk_open(f->journal, NULL, 0, 0, &walk), 0);
	ck_assert_int_eq(begin(&t, g->sequence, g->start, ring_size(g)), 0);
	do {
		e2lazy_walk_next(walk, &ev);
		encode_event(&t, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT)
			commit(&t, ev.txn->sec, ev.txn->nsec);
	} while (ev.kind != E2LAZY_EV_END);
	ck_assert_uint_eq(ev.end->head, t.e.next);
	ck_assert_uint_eq(t.blocks, ev.end->walked);
	ck_assert_uint_eq(t.blocks, encode_blocks(&f->journal->format, copies,
						  revokes));
	e2lazy_walk_close(walk);
	encode_end(&t.e);
}

/* Over the ring's end, in several descriptors and revoke blocks. */
START_TEST(a_transaction_is_bit_for_bit_that_of_another_writer)
{
	struct fixture *f;
	char spec[512];

	snprintf(spec, sizeof(spec), "journal %s\nstart end-5\n"
		 "txn 0xffffffff revoke 61000-61299 write 60000-60599 "
		 "escape 60600-60603 time 1700000000.5\n",
		 formats[_i].journal);
	f = map_of_fs(formats[_i].mke2fs, spec);
	check_encoding(f, 604, 300);
}
END_TEST

START_TEST(so_is_one_of_a_single_kind_or_of_nothing)
{
	static const struct {
		const char	*items;
		uint64_t	copies, revokes;
	} kinds[] = {
		{ "", 0, 0 }, { "write 60000", 1, 0 }, { "escape 60000", 1, 0 },
		{ "revoke 60000", 0, 1 },
	};
	char spec[512];

	for (unsigned i = 0; i < 4; i++) {
		snprintf(spec, sizeof(spec), "journal %s\ntxn 7 %s\n",
			 formats[_i].journal, kinds[i].items);
		check_encoding(map_of_fs(formats[_i].mke2fs, spec),
			       kinds[i].copies, kinds[i].revokes);
	}
}
END_TEST

START_TEST(block_numbers_of_64_bits_keep_their_high_half)
{
	static const char *const csums[] = { "none", "v1", "v2", "v3" };
	struct fixture *f;
	char spec[512];

	snprintf(spec, sizeof(spec), "journal csum %s 64bit\n"
		 "txn 7 revoke 0x700000001 write 0x100000003,60000\n",
		 csums[_i]);
	f = new_fixture();
	make_image(f, "64M", SMALL, spec);
	ck_assert_int_eq(try_open(f, NULL), 0);
	check_encoding(f, 2, 1);
}
END_TEST

/* --------------------------------------------------- what others read --- */

static void encode_at_head(struct encoded *t, uint32_t *head)
{
	const struct e2lazy_end *end = e2lazy_jmap_end(t->f->map);
	unsigned size = e2lazy_geometry(t->f->journal)->blocksize;
	uint8_t *block = malloc(size);

	ck_assert_int_eq(begin(t, end->tid, end->head, 300), 0);
	ck_assert_int_eq(encode_revoke(&t->e, 60003), 0);
	for (unsigned i = 0; i < 100; i++) {
		memset(block, (int)i, size);
		if (i % 10 == 0)
			put_be32(block, JBD2_MAGIC);
		ck_assert_int_eq(encode_copy(&t->e, 60010 + i, block), 0);
	}
	commit(t, 1700000100, 7);
	*head = t->e.next;
	encode_end(&t->e);
	free(block);
}

/* The walk takes it with all its checksums, and e2fsck replays it. */
START_TEST(a_transaction_at_the_head_is_read_by_e2fsck)
{
	struct encoded t = { .write = true };
	uint8_t first[4];
	char spec[512];
	uint32_t head;
	unsigned size;
	int fd;

	/* e2fsck misreads a fast-commit log that wraps. */
	snprintf(spec, sizeof(spec), "journal %s\n%stxn 5 write 60000-60005\n",
		 formats[_i].journal,
		 strstr(formats[_i].journal, "fast") ? "" : "start end-30\n");
	t.f = map_of_fs(formats[_i].mke2fs, spec);
	size = e2lazy_geometry(t.f->journal)->blocksize;
	encode_at_head(&t, &head);
	read_map(t.f, E2LAZY_WALK_DATA, 0);
	ck_assert_uint_eq(e2lazy_jmap_end(t.f->map)->tid, 7);
	ck_assert_uint_eq(e2lazy_jmap_end(t.f->map)->head, head);
	ck_assert_int_eq(e2lazy_jmap_end(t.f->map)->error, 0);
	ck_assert_uint_eq(e2lazy_jmap_count(t.f->map), 105);
	ck_assert_uint_eq(e2lazy_jmap_stats(t.f->map)->nr_damage, 0);
	drop(t.f);
	shell(t.f, "e2fsck -y -E journal_only %s; test $? -le 1");
	fd = open(t.f->image, O_RDONLY);
	for (unsigned i = 0; i < 100; i++) {
		ck_assert_int_eq(pread(fd, first, 4, (off_t)(60010 + i) *
				       (off_t)size), 4);
		ck_assert_uint_eq(get_be32(first), i % 10 ? i * 0x01010101 :
				  JBD2_MAGIC);
	}
	ck_assert_int_eq(pread(fd, first, 4, (off_t)60003 * (off_t)size), 4);
	ck_assert_uint_eq(get_be32(first), 0);
	close(fd);
}
END_TEST

/* ---------------------------------------------------------- refusals --- */

START_TEST(what_the_format_cannot_say_is_refused)
{
	static uint8_t block[1024];
	struct encoded t;
	blk64_t own;

	t = (struct encoded){ .write = true, .f = map_of_fs(SMALL,
		"txn 5 write 60000\n") };
	ck_assert_int_eq(e2lazy_physblk(t.f->journal, 9, &own), 0);
	ck_assert_int_eq(begin(&t, 6, 0, 9), EXT2_ET_INVALID_ARGUMENT);
	encode_end(&t.e);
	ck_assert_int_eq(begin(&t, 6, 1024, 9), EXT2_ET_INVALID_ARGUMENT);
	encode_end(&t.e);
	ck_assert_int_eq(begin(&t, 6, 4, 1024), EXT2_ET_INVALID_ARGUMENT);
	encode_end(&t.e);
	ck_assert_int_eq(begin(&t, 6, 4, 9), 0);
	ck_assert_int_eq(encode_copy(&t.e, 1ULL << 32, block),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(encode_revoke(&t.e, 1ULL << 32),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(encode_copy(&t.e, own, block),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(encode_copy(&t.e, 60000, block), 0);
	ck_assert_int_eq(encode_revoke(&t.e, 60000),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(encode_commit(&t.e, 0, 0, block),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_uint_eq(t.blocks, 0);
	encode_end(&t.e);
}
END_TEST

/* Three blocks and the commit block. */
START_TEST(it_never_takes_more_than_its_room)
{
	static uint8_t block[1024];
	struct encoded t;

	for (uint32_t room = 0; room < 6; room++) {
		t = (struct encoded){ .write = true, .f = map_of_fs(SMALL,
			"txn 5 write 60000\n") };
		ck_assert_int_eq(begin(&t, 6, 4, room), 0);
		ck_assert_int_eq(encode_copy(&t.e, 60000, block), 0);
		ck_assert_int_eq(encode_copy(&t.e, 60001, block), 0);
		ck_assert_int_eq(encode_rest(&t.e), room < 4 ? ENOSPC : 0);
		ck_assert_uint_eq(t.blocks, room < 4 ? 0 : 3);
		encode_end(&t.e);
	}
}
END_TEST

TCase *encode_tests(void)
{
	TCase *tc = tcase_create("encode");

	tcase_add_loop_test(tc,
		a_transaction_is_bit_for_bit_that_of_another_writer, 0,
		NR_FORMATS);
	tcase_add_loop_test(tc, so_is_one_of_a_single_kind_or_of_nothing, 0,
			    NR_FORMATS);
	tcase_add_loop_test(tc, block_numbers_of_64_bits_keep_their_high_half,
			    0, 4);
	tcase_add_loop_test(tc, a_transaction_at_the_head_is_read_by_e2fsck, 0,
			    NR_FORMATS);
	tcase_add_test(tc, what_the_format_cannot_say_is_refused);
	tcase_add_test(tc, it_never_takes_more_than_its_room);
	return tc;
}
