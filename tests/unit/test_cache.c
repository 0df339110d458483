/* SPDX-License-Identifier: GPL-2.0-only */
/* The live copies that a view has in memory: their choice and their use. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "home.h"
#include "view/cache.h"
#include "view/packed.h"
#include "scarce.h"

#define PLENTY (1ULL << 30)
/* Runs of neighbours that come in pieces, each block with a text of its own. */
#define SEVERAL "txn 5 write 60000-60399 60500-60699\n" \
		"txn 6 write 60010-60040 escape 60050\n" \
		"txn 7 write 60450-60499 60600\n"

static errcode_t keep(struct home *h)
{
	return e2lazy_view_keep(h->view, PLENTY, NULL);
}

/* Erase the log up to its superblock. */
static void wipe_log(struct home *h)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(h->f->journal);
	char command[1024];
	blk64_t first;

	ck_assert_int_eq(e2lazy_physblk(h->f->journal, 1, &first), 0);
	snprintf(command, sizeof(command), "dd if=/dev/zero of=%%s bs=%u "
		 "seek=%llu count=%u conv=notrunc status=none", h->size,
		 (unsigned long long)first, g->end - 1);
	shell(h->f, command);
}

static errcode_t read_fsblk(struct home *h, blk64_t fsblk, void *block)
{
	return e2lazy_view_read(h->view, E2LAZY_FILE_SYSTEM, fsblk * h->size,
				h->size, block, NULL);
}

static void check_view(struct home *h)
{
	char *block = malloc(h->size);

	for (size_t i = 0; i < h->live; i++) {
		ck_assert_int_eq(read_fsblk(h, h->fsblks[i], block), 0);
		ck_assert(!memcmp(block, h->contents[i], h->size));
	}
	free(block);
}

/* ----------------------------------------------------------------- packing */

static void check_packed(const uint8_t *block, unsigned size, size_t expect)
{
	uint8_t *again = malloc(size), *packed;
	struct pieces pieces;

	memset(again, 0xa5, size);
	block_pieces(block, size, &pieces);
	ck_assert_uint_eq(pieces.bytes, expect);
	packed = malloc(pieces.bytes);
	block_pack(block, size, &pieces, packed);
	block_unpack(packed, again, size);
	ck_assert(!memcmp(block, again, size));
	free(packed);
	free(again);
}

/* Pieces have 64 bytes and a bit each; those with something, a byte of bits for
   their words. */
START_TEST(a_block_is_packed_without_its_zeros)
{
	for (unsigned size = 1024; size <= 65536; size *= 2) {
		uint8_t *block = calloc(1, size);

		check_packed(block, size, size / 512);
		block[size - 1] = 1;
		check_packed(block, size, size / 512 + 9);
		block[0] = block[63] = block[64] = 1;
		check_packed(block, size, size / 512 + 17 + 9 + 9);
		memset(block, 1, size);
		check_packed(block, size, size / 512 + size + size / 64);
		memset(block + 128, 0, 64);
		check_packed(block, size, size / 512 + size + size / 64 - 65);
		memset(block + 200, 0, 8);
		check_packed(block, size, size / 512 + size + size / 64 - 73);
		free(block);
	}
}
END_TEST

/* Blocks without zeros, so that chunks are full soon; each has its number. */
static void fill(uint8_t *block, unsigned size, size_t number)
{
	memset(block, 0xa5, size);
	memcpy(block, &number, sizeof(number));
}

START_TEST(many_chunks_hold_what_was_put)
{
	unsigned size = 1024U << _i;
	size_t count = (3 << 20) / size;
	struct cache *kept = cache_new(count, size, PLENTY);
	uint8_t *block = malloc(size), *again = malloc(size);

	for (size_t i = 0; i < count; i++) {
		fill(block, size, i);
		ck_assert(!cache_get(kept, i, again));
		cache_put(kept, i, block);
	}
	ck_assert(cache_fits(kept));
	for (size_t i = 0; i < count; i++) {
		fill(block, size, i);
		ck_assert(cache_get(kept, i, again));
		ck_assert(!memcmp(block, again, size));
	}
	cache_free(kept);
	free(block);
	free(again);
}
END_TEST

/* Each has every fourth copy. */
struct putter {
	struct cache	*kept;
	size_t		first;
	pthread_t	thread;
};

static void *put_each_fourth(void *priv)
{
	const struct putter *p = priv;
	uint8_t block[4096];

	for (size_t i = p->first; i < p->kept->count; i += 4) {
		fill(block, sizeof(block), i);
		cache_put(p->kept, i, block);
	}
	return NULL;
}

START_TEST(threads_put_copies_at_a_time)
{
	struct cache *kept = cache_new(4000, 4096, PLENTY);
	uint8_t block[4096], again[4096];
	struct putter putters[4];

	for (size_t i = 0; i < 4; i++) {
		putters[i] = (struct putter){ .kept = kept, .first = i };
		ck_assert_int_eq(pthread_create(&putters[i].thread, NULL,
					put_each_fourth, &putters[i]), 0);
	}
	for (size_t i = 0; i < 4; i++)
		pthread_join(putters[i].thread, NULL);
	ck_assert_uint_eq(kept->stored, 4000);
	for (size_t i = 0; i < kept->count; i++) {
		fill(block, sizeof(block), i);
		ck_assert(cache_get(kept, i, again));
		ck_assert_mem_eq(block, again, sizeof(block));
	}
	cache_free(kept);
}
END_TEST

/* 100 copies have room; the average of the first ones tells. */
START_TEST(a_cache_knows_early_what_will_not_fit)
{
	static const struct {
		size_t count, stored;
		bool fits;
	} cases[] = {
		{ 100, 100, true }, { 140, 9, true }, { 140, 100, true },
		{ 140, 102, false }, { 160, 10, true }, { 160, 11, false },
	};
	unsigned size = 4096, packed = size + size / 512 + size / 64;
	uint8_t *block = malloc(size);
	struct cache *kept;

	kept = cache_new(cases[_i].count, size, 100ULL * packed);
	for (size_t i = 0; i < cases[_i].stored; i++) {
		fill(block, size, i);
		cache_put(kept, i, block);
	}
	ck_assert_int_eq(cache_fits(kept), cases[_i].fits);
	cache_free(kept);
	free(block);
}
END_TEST

START_TEST(a_cache_without_memory_tells)
{
	uint8_t block[1024];
	struct cache *kept = cache_new(4, sizeof(block), PLENTY);

	fill(block, sizeof(block), 0);
	scarce_memory(_i);
	cache_put(kept, 0, block);
	ck_assert(scarce_memory_failed());
	ck_assert(!cache_has(kept, 0));
	ck_assert(!cache_fits(kept));
	cache_put(kept, 1, block);
	ck_assert(!cache_has(kept, 1));
	cache_free(kept);
}
END_TEST

/* --------------------------------------------------------------- what for */

START_TEST(what_is_kept_is_not_read_again)
{
	struct home h;

	home_begin(&h, map_of(LOG));
	ck_assert_int_eq(keep(&h), 0);
	wipe_log(&h);
	check_view(&h);
	home_end(&h);
}
END_TEST

/* All of it in one pass, and so many blocks of the log read for that. */
static void end_written(struct home *h, uint64_t blocks_read)
{
	h->opts.memory = PLENTY;
	ck_assert_int_eq(home_write(h), 0);
	ck_assert_uint_eq(h->done.blocks_read, blocks_read);
	ck_assert_uint_eq(h->done.blocks_written, h->live);
	ck_assert_uint_eq(h->done.passes, 1);
	home_check(h);
	home_check_empty(h);
	home_end(h);
}

/* Blocks of 1 KiB, which are not written from where they are, and of 4. */
START_TEST(what_was_kept_is_what_is_written)
{
	static const char *const made[] = {
		"-b 1024 -J size=4", "-b 4096 -J size=16",
	};
	struct home h;

	home_begin(&h, map_of_fs(made[_i], SEVERAL));
	ck_assert_int_eq(keep(&h), 0);
	wipe_log(&h);
	end_written(&h, 0);
}
END_TEST

static void check_same(const struct recording *a, const struct recording *b)
{
	ck_assert_uint_eq(a->nr, b->nr);
	for (size_t i = 0; i < a->nr; i++) {
		const struct recorded *x = &a->ops[i], *y = &b->ops[i];

		ck_assert_uint_eq(x->offset, y->offset);
		ck_assert_uint_eq(x->count, y->count);
		ck_assert_int_eq(!x->bytes, !y->bytes);
		if (x->bytes)
			ck_assert(!memcmp(x->bytes, y->bytes, x->count));
	}
}

/* So what the crash tests show of one is true of both. */
START_TEST(writes_and_flushes_are_the_same_either_way)
{
	struct recording first;
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=4", SEVERAL));
	home_save(&h);
	h.opts.memory = PLENTY;
	ck_assert_int_eq(home_write(&h), 0);
	first = h.recording;
	home_restore(&h);
	home_look(&h);
	record_begin(&h.recording);
	ck_assert_int_eq(keep(&h), 0);
	ck_assert_int_eq(home_write(&h), 0);
	check_same(&first, &h.recording);
	record_free(&first);
	home_forget(&h);
	home_end(&h);
}
END_TEST

/* ------------------------------------------------------------------ which */

START_TEST(a_bad_copy_is_not_kept)
{
	struct home h;
	char block[4096];

	home_begin(&h, map_of("txn 5 write 60000-60004\n"
			      "txn 6 write 60002\n"));
	home_spoil(&h, 60002);
	ck_assert_int_eq(keep(&h), 0);
	ck_assert_int_eq(read_fsblk(&h, 60001, block), 0);
	ck_assert_int_eq(read_fsblk(&h, 60002, block), E2LAZY_ET_DATA_CSUM);
	ck_assert_int_eq(home_write(&h), E2LAZY_ET_DATA_CSUM);
	ck_assert_uint_eq(h.done.failed, 1);
	ck_assert_uint_eq(h.done.blocks_written, 4);
	ck_assert(!h.done.sealed);
	home_end(&h);
}
END_TEST

/* A MiB; and what is needed besides with room for some copies, but not all. */
static void flip(struct home *h, blk64_t physblk)
{
	FILE *image = fopen(h->f->image, "r+");
	off_t offset = (off_t)physblk * h->size + 7;
	int c;

	ck_assert_int_eq(fseeko(image, offset, SEEK_SET), 0);
	c = getc(image);
	ck_assert_int_eq(fseeko(image, offset, SEEK_SET), 0);
	putc(c ^ 255, image);
	ck_assert_int_eq(fclose(image), 0);
}

/* A copy that is bad when memory is filled, and good again later. */
START_TEST(what_is_not_kept_is_read_again)
{
	struct e2lazy_copy copy;
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=4", SEVERAL));
	ck_assert_int_eq(e2lazy_jmap_lookup(h.f->map, 60010, &copy), 0);
	flip(&h, copy.physblk);
	ck_assert_int_eq(keep(&h), 0);
	flip(&h, copy.physblk);
	end_written(&h, 1);
}
END_TEST

START_TEST(with_little_memory_nothing_is_kept)
{
	static const uint64_t memories[] = { 1 << 20, (40 << 20) + 1000 };
	struct home h;
	char block[4096];

	home_begin(&h, map_of(LOG));
	ck_assert_int_eq(e2lazy_view_keep(h.view, memories[_i], NULL), 0);
	wipe_log(&h);
	ck_assert_int_eq(read_fsblk(&h, 60000, block), E2LAZY_ET_DATA_CSUM);
	home_end(&h);
}
END_TEST

/* Of what is kept itself; without what reads it there is an error. */
START_TEST(memory_that_is_not_there_keeps_nothing_and_loses_nothing)
{
	struct home h;
	bool failed = true;

	home_begin(&h, map_of(LOG));
	for (long n = 0; failed; n++) {
		errcode_t err;

		scarce_memory(n);
		err = keep(&h);
		failed = scarce_memory_failed();
		ck_assert(err == 0 || (failed && err == EXT2_ET_NO_MEMORY));
		check_view(&h);
	}
	home_end(&h);
}
END_TEST

static errcode_t refuse(void *priv, enum e2lazy_phase phase, uint64_t done,
			uint64_t total)
{
	uint64_t *calls = priv;

	ck_assert_int_eq(phase, E2LAZY_PHASE_READ);
	ck_assert_uint_le(done, total);
	++*calls;
	return E2LAZY_ET_CANCELLED;
}

START_TEST(the_caller_may_end_the_reading)
{
	uint64_t calls = 0;
	const struct e2lazy_watch watch = { .progress = refuse,
					    .priv = &calls };
	struct home h;

	home_begin(&h, map_of_fs("-b 1024 -J size=4",
				 "txn 5 write 60000-61999\n"));
	ck_assert_int_eq(e2lazy_view_keep(h.view, PLENTY, &watch),
			 E2LAZY_ET_CANCELLED);
	ck_assert_uint_eq(calls, 1);
	check_view(&h);
	home_end(&h);
}
END_TEST

TCase *cache_tests(void)
{
	TCase *tc = tcase_create("cache");

	tcase_add_test(tc, a_block_is_packed_without_its_zeros);
	tcase_add_loop_test(tc, many_chunks_hold_what_was_put, 0, 7);
	tcase_add_test(tc, threads_put_copies_at_a_time);
	tcase_add_loop_test(tc, a_cache_knows_early_what_will_not_fit, 0, 6);
	tcase_add_loop_test(tc, a_cache_without_memory_tells, 0, 2);
	tcase_add_test(tc, what_is_kept_is_not_read_again);
	tcase_add_loop_test(tc, what_was_kept_is_what_is_written, 0, 2);
	tcase_add_test(tc, writes_and_flushes_are_the_same_either_way);
	tcase_add_test(tc, a_bad_copy_is_not_kept);
	tcase_add_test(tc, what_is_not_kept_is_read_again);
	tcase_add_loop_test(tc, with_little_memory_nothing_is_kept, 0, 2);
	tcase_add_test(tc, memory_that_is_not_there_keeps_nothing_and_loses_nothing);
	tcase_add_test(tc, the_caller_may_end_the_reading);
	return tc;
}
